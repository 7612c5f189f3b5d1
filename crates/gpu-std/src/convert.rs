//! Conversions: `cvt` under its own names, `cvt_<rounding>_<to>_<from>`.
//!
//! `rn`, `rz`, `rm`, `rp` round floats to nearest even, towards zero, down and up; `rni`, `rzi`, `rmi`, `rpi` the same to
//! integers. A float that an integer type cannot hold becomes the nearest it can (`cvt` clamps by itself); NaN becomes
//! 0, but where the float or the integer has 64 bits the integer whose highest bit alone is set (Rust's `as` gives 0). `sat`
//! clamps integers, and floats to \[0, 1\]. On the host every function gives the same result; NaN payloads are not
//! promised.

use crate::packed::{bf16x2, f16x2};
use crate::{bf16, f16};

#[cfg(not(target_arch = "nvptx64"))]
use crate::soft::{self, Rounding::*, integral, to_bf16, to_f16, to_f32, to_tf32};

macro_rules! wide_targets {
    ($($name:ident $ty:ty = $nan:expr;)*) => {$(
        /// `x` rounded and clamped; NaN as where a side has 64 bits.
        #[cfg(not(target_arch = "nvptx64"))]
        fn $name(x: f64, rounding: soft::Rounding) -> $ty {
            if x.is_nan() { $nan } else { integral(x, rounding) as $ty }
        }
    )*};
}
wide_targets! { wide_i32 i32 = i32::MIN; wide_u32 u32 = 1 << 31; wide_i64 i64 = i64::MIN; wide_u64 u64 = 1 << 63; }

macro_rules! convert {
    ($class:ident => $out:ident; $($rows:tt)*) => { instructions! { isa "cvt", $class => $out; $($rows)* } };
}

/// A 64-bit integer rounded to f32 or f64: exact in i128, its bits dropped one by one with a sticky last.
#[cfg(not(target_arch = "nvptx64"))]
mod wide {
    use crate::soft::{Rounding, to_f32};

    /// `x` with at most 53 significant bits, the last one sticky.
    fn sticky(x: i128) -> f64 {
        let excess = (128 - x.unsigned_abs().leading_zeros()).saturating_sub(53);
        let kept = x.unsigned_abs() >> excess;
        let lost = kept << excess != x.unsigned_abs();
        let value = ((kept | u128::from(lost)) << excess) as f64;
        if x < 0 { -value } else { value }
    }

    pub(super) fn f32(x: i128, rounding: Rounding) -> f32 {
        to_f32(sticky(x), rounding)
    }

    pub(super) fn f64(x: i128, rounding: Rounding) -> f64 {
        let near = x as f64;
        let error = (near as i128).cmp(&x);
        let away = match rounding {
            Rounding::Down => error.is_gt(),
            Rounding::Up => error.is_lt(),
            Rounding::Zero => {
                if x > 0 {
                    error.is_gt()
                } else {
                    error.is_lt()
                }
            }
            Rounding::Nearest => false,
        };
        match (away, error.is_gt()) {
            (false, _) => near,
            (true, true) => near.next_down(),
            (true, false) => near.next_up(),
        }
    }
}

convert! { reg32 => reg16;
    /// The nearest f16, ties to even; overflow gives infinity.
    pub fn cvt_rn_f16_f32(x: f32) -> f16 = "cvt.rn.f16.f32" => to_f16(x.into(), Nearest);
    /// The next f16 towards zero.
    pub fn cvt_rz_f16_f32(x: f32) -> f16 = "cvt.rz.f16.f32" => to_f16(x.into(), Zero);
    /// The next f16 below.
    pub fn cvt_rm_f16_f32(x: f32) -> f16 = "cvt.rm.f16.f32" => to_f16(x.into(), Down);
    /// The next f16 above.
    pub fn cvt_rp_f16_f32(x: f32) -> f16 = "cvt.rp.f16.f32" => to_f16(x.into(), Up);
    /// The nearest f16, negative values as 0.
    pub fn cvt_rn_relu_f16_f32(x: f32) -> f16 = "cvt.rn.relu.f16.f32" => to_f16(soft::relu(x.into()), Nearest);
    /// The nearest f16, clamped to [0, 1].
    pub fn cvt_rn_sat_f16_f32(x: f32) -> f16 = "cvt.rn.sat.f16.f32" => to_f16(soft::sat(x.into()), Nearest);
    /// The nearest bf16, ties to even; overflow gives infinity.
    pub fn cvt_rn_bf16_f32(x: f32) -> bf16 = "cvt.rn.bf16.f32" => to_bf16(x.into(), Nearest);
    /// The next bf16 towards zero.
    pub fn cvt_rz_bf16_f32(x: f32) -> bf16 = "cvt.rz.bf16.f32" => to_bf16(x.into(), Zero);
    /// The nearest bf16, negative values as 0.
    pub fn cvt_rn_relu_bf16_f32(x: f32) -> bf16 = "cvt.rn.relu.bf16.f32" => to_bf16(soft::relu(x.into()), Nearest);
    /// The next bf16 towards zero, negative values as 0.
    pub fn cvt_rz_relu_bf16_f32(x: f32) -> bf16 = "cvt.rz.relu.bf16.f32" => to_bf16(soft::relu(x.into()), Zero);
    /// The nearest f16.
    pub fn cvt_rn_f16_s32(x: i32) -> f16 = "cvt.rn.f16.s32" => to_f16(x.into(), Nearest);
    /// The nearest f16.
    pub fn cvt_rn_f16_u32(x: u32) -> f16 = "cvt.rn.f16.u32" => to_f16(x.into(), Nearest);
    /// Clamped to i16.
    pub fn cvt_sat_s16_s32(x: i32) -> i16 = "cvt.sat.s16.s32" => x.clamp(-0x8000, 0x7fff) as i16;
    /// Clamped to u16.
    pub fn cvt_sat_u16_s32(x: i32) -> u16 = "cvt.sat.u16.s32" => x.clamp(0, 0xffff) as u16;
}

convert! { reg16 => reg32;
    /// The same value.
    pub fn cvt_f32_f16(x: f16) -> f32 = "cvt.f32.f16" => f32::from(x);
    /// The same value. On sm_80 use `Real::to_f32`, a shift.
    pub fn cvt_f32_bf16(x: bf16) -> f32 = "cvt.f32.bf16", sm 90 => f32::from(x);
    /// The nearest integer, ties to even.
    pub fn cvt_rni_s32_f16(x: f16) -> i32 = "cvt.rni.s32.f16" => integral(x.into(), Nearest) as i32;
    /// The integer part.
    pub fn cvt_rzi_s32_f16(x: f16) -> i32 = "cvt.rzi.s32.f16" => integral(x.into(), Zero) as i32;
    /// The nearest integer, ties to even.
    pub fn cvt_rni_u32_f16(x: f16) -> u32 = "cvt.rni.u32.f16" => integral(x.into(), Nearest) as u32;
    /// The integer part.
    pub fn cvt_rzi_u32_f16(x: f16) -> u32 = "cvt.rzi.u32.f16" => integral(x.into(), Zero) as u32;
}

convert! { reg64 => reg16;
    /// The nearest f16, ties to even, rounded once.
    pub fn cvt_rn_f16_f64(x: f64) -> f16 = "cvt.rn.f16.f64" => to_f16(x, Nearest);
}

convert! { reg16 => reg64;
    /// The same value.
    pub fn cvt_f64_f16(x: f16) -> f64 = "cvt.f64.f16" => f64::from(x);
}

convert! { reg16 => reg16;
    /// ⌊x⌋.
    pub fn floor_f16(x: f16) -> f16 = "cvt.rmi.f16.f16" => to_f16(integral(x.into(), Down), Nearest);
    /// ⌈x⌉.
    pub fn ceil_f16(x: f16) -> f16 = "cvt.rpi.f16.f16" => to_f16(integral(x.into(), Up), Nearest);
    /// x without its fraction.
    pub fn trunc_f16(x: f16) -> f16 = "cvt.rzi.f16.f16" => to_f16(integral(x.into(), Zero), Nearest);
    /// The nearest integer, ties to even.
    pub fn rint_f16(x: f16) -> f16 = "cvt.rni.f16.f16" => to_f16(integral(x.into(), Nearest), Nearest);
}

convert! { reg32 => reg32;
    /// The pair of the nearest f16; the first operand goes to the upper half, as in PTX.
    pub fn cvt_rn_f16x2_f32(hi: f32, lo: f32) -> f16x2 = "cvt.rn.f16x2.f32"
        => f16x2::new(cvt_rn_f16_f32(lo), cvt_rn_f16_f32(hi));
    /// The pair of the next f16 towards zero; the first operand goes to the upper half.
    pub fn cvt_rz_f16x2_f32(hi: f32, lo: f32) -> f16x2 = "cvt.rz.f16x2.f32"
        => f16x2::new(cvt_rz_f16_f32(lo), cvt_rz_f16_f32(hi));
    /// The pair of the nearest f16, negative values as 0; the first operand goes to the upper half.
    pub fn cvt_rn_relu_f16x2_f32(hi: f32, lo: f32) -> f16x2 = "cvt.rn.relu.f16x2.f32"
        => f16x2::new(cvt_rn_relu_f16_f32(lo), cvt_rn_relu_f16_f32(hi));
    /// The pair of the nearest bf16; the first operand goes to the upper half, as in PTX.
    pub fn cvt_rn_bf16x2_f32(hi: f32, lo: f32) -> bf16x2 = "cvt.rn.bf16x2.f32"
        => bf16x2::new(cvt_rn_bf16_f32(lo), cvt_rn_bf16_f32(hi));
    /// The pair of the next bf16 towards zero; the first operand goes to the upper half.
    pub fn cvt_rz_bf16x2_f32(hi: f32, lo: f32) -> bf16x2 = "cvt.rz.bf16x2.f32"
        => bf16x2::new(cvt_rz_bf16_f32(lo), cvt_rz_bf16_f32(hi));
    /// The pair of the nearest bf16, negative values as 0; the first operand goes to the upper half.
    pub fn cvt_rn_relu_bf16x2_f32(hi: f32, lo: f32) -> bf16x2 = "cvt.rn.relu.bf16x2.f32"
        => bf16x2::new(cvt_rn_relu_bf16_f32(lo), cvt_rn_relu_bf16_f32(hi));
    /// The bits of the nearest tf32 (10 bits of fraction), ties away from zero, as `mma` takes it. A NaN is cut off: one with
    /// nothing in its upper 10 bits of fraction becomes infinity (seen on sm_90).
    pub fn cvt_rna_tf32_f32(x: f32) -> u32 = "cvt.rna.tf32.f32"
        => (if x.is_finite() { x.to_bits() + 0x1000 } else { x.to_bits() }) & !0x1fff;
    /// The bits of the nearest tf32, ties to even.
    pub fn cvt_rn_tf32_f32(x: f32) -> u32 = "cvt.rn.tf32.f32", sm 90 => to_tf32(x, Nearest);

    /// The nearest integer, ties to even.
    pub fn cvt_rni_s32_f32(x: f32) -> i32 = "cvt.rni.s32.f32" => integral(x.into(), Nearest) as i32;
    /// The integer part.
    pub fn cvt_rzi_s32_f32(x: f32) -> i32 = "cvt.rzi.s32.f32" => x as i32;
    /// The integer below.
    pub fn cvt_rmi_s32_f32(x: f32) -> i32 = "cvt.rmi.s32.f32" => integral(x.into(), Down) as i32;
    /// The integer above.
    pub fn cvt_rpi_s32_f32(x: f32) -> i32 = "cvt.rpi.s32.f32" => integral(x.into(), Up) as i32;
    /// The nearest integer, ties to even.
    pub fn cvt_rni_u32_f32(x: f32) -> u32 = "cvt.rni.u32.f32" => integral(x.into(), Nearest) as u32;
    /// The integer part.
    pub fn cvt_rzi_u32_f32(x: f32) -> u32 = "cvt.rzi.u32.f32" => x as u32;
    /// The integer below.
    pub fn cvt_rmi_u32_f32(x: f32) -> u32 = "cvt.rmi.u32.f32" => integral(x.into(), Down) as u32;
    /// The integer above.
    pub fn cvt_rpi_u32_f32(x: f32) -> u32 = "cvt.rpi.u32.f32" => integral(x.into(), Up) as u32;
    /// The nearest integer, ties to even, clamped to −128…127: quantisation in one instruction.
    pub fn cvt_rni_sat_s8_f32(x: f32) -> i32 = "cvt.rni.sat.s8.f32"
        => i32::from(integral(x.into(), Nearest) as i8);
    /// The nearest integer, ties to even, clamped to 0…255.
    pub fn cvt_rni_sat_u8_f32(x: f32) -> u32 = "cvt.rni.sat.u8.f32"
        => u32::from(integral(x.into(), Nearest) as u8);

    /// The nearest f32, ties to even: Rust's `as`.
    pub fn cvt_rn_f32_s32(x: i32) -> f32 = "cvt.rn.f32.s32" => x as f32;
    /// The next f32 towards zero.
    pub fn cvt_rz_f32_s32(x: i32) -> f32 = "cvt.rz.f32.s32" => to_f32(x.into(), Zero);
    /// The next f32 below.
    pub fn cvt_rm_f32_s32(x: i32) -> f32 = "cvt.rm.f32.s32" => to_f32(x.into(), Down);
    /// The next f32 above.
    pub fn cvt_rp_f32_s32(x: i32) -> f32 = "cvt.rp.f32.s32" => to_f32(x.into(), Up);
    /// The nearest f32, ties to even: Rust's `as`.
    pub fn cvt_rn_f32_u32(x: u32) -> f32 = "cvt.rn.f32.u32" => x as f32;
    /// The next f32 towards zero.
    pub fn cvt_rz_f32_u32(x: u32) -> f32 = "cvt.rz.f32.u32" => to_f32(x.into(), Zero);
    /// The next f32 below.
    pub fn cvt_rm_f32_u32(x: u32) -> f32 = "cvt.rm.f32.u32" => to_f32(x.into(), Down);
    /// The next f32 above.
    pub fn cvt_rp_f32_u32(x: u32) -> f32 = "cvt.rp.f32.u32" => to_f32(x.into(), Up);

    /// Clamped to −128…127.
    pub fn cvt_sat_s8_s32(x: i32) -> i32 = "cvt.sat.s8.s32" => x.clamp(-128, 127);
    /// Clamped to 0…255.
    pub fn cvt_sat_u8_s32(x: i32) -> u32 = "cvt.sat.u8.s32" => x.clamp(0, 255) as u32;
    /// Clamped to 0…2^31 − 1.
    pub fn cvt_sat_u32_s32(x: i32) -> u32 = "cvt.sat.u32.s32" => x.max(0) as u32;
    /// Clamped to 0…2^31 − 1.
    pub fn cvt_sat_s32_u32(x: u32) -> i32 = "cvt.sat.s32.u32" => x.min(i32::MAX as u32) as i32;
}

convert! { reg32 => reg64;
    /// The same value.
    pub fn cvt_f64_f32(x: f32) -> f64 = "cvt.f64.f32" => x.into();
    /// The nearest integer, ties to even.
    pub fn cvt_rni_s64_f32(x: f32) -> i64 = "cvt.rni.s64.f32" => wide_i64(x.into(), Nearest);
    /// The integer part.
    pub fn cvt_rzi_s64_f32(x: f32) -> i64 = "cvt.rzi.s64.f32" => wide_i64(x.into(), Zero);
    /// The nearest integer, ties to even.
    pub fn cvt_rni_u64_f32(x: f32) -> u64 = "cvt.rni.u64.f32" => wide_u64(x.into(), Nearest);
    /// The integer part.
    pub fn cvt_rzi_u64_f32(x: f32) -> u64 = "cvt.rzi.u64.f32" => wide_u64(x.into(), Zero);
}

convert! { reg64 => reg32;
    /// The nearest f32, ties to even: Rust's `as`.
    pub fn cvt_rn_f32_f64(x: f64) -> f32 = "cvt.rn.f32.f64" => x as f32;
    /// The next f32 towards zero.
    pub fn cvt_rz_f32_f64(x: f64) -> f32 = "cvt.rz.f32.f64" => to_f32(x, Zero);
    /// The next f32 below.
    pub fn cvt_rm_f32_f64(x: f64) -> f32 = "cvt.rm.f32.f64" => to_f32(x, Down);
    /// The next f32 above.
    pub fn cvt_rp_f32_f64(x: f64) -> f32 = "cvt.rp.f32.f64" => to_f32(x, Up);
    /// The nearest integer, ties to even.
    pub fn cvt_rni_s32_f64(x: f64) -> i32 = "cvt.rni.s32.f64" => wide_i32(x, Nearest);
    /// The integer part.
    pub fn cvt_rzi_s32_f64(x: f64) -> i32 = "cvt.rzi.s32.f64" => wide_i32(x, Zero);
    /// The nearest integer, ties to even.
    pub fn cvt_rni_u32_f64(x: f64) -> u32 = "cvt.rni.u32.f64" => wide_u32(x, Nearest);
    /// The integer part.
    pub fn cvt_rzi_u32_f64(x: f64) -> u32 = "cvt.rzi.u32.f64" => wide_u32(x, Zero);
    /// The nearest f32, ties to even: Rust's `as`.
    pub fn cvt_rn_f32_s64(x: i64) -> f32 = "cvt.rn.f32.s64" => x as f32;
    /// The next f32 towards zero.
    pub fn cvt_rz_f32_s64(x: i64) -> f32 = "cvt.rz.f32.s64" => wide::f32(x.into(), Zero);
    /// The nearest f32, ties to even: Rust's `as`.
    pub fn cvt_rn_f32_u64(x: u64) -> f32 = "cvt.rn.f32.u64" => x as f32;
    /// The next f32 towards zero.
    pub fn cvt_rz_f32_u64(x: u64) -> f32 = "cvt.rz.f32.u64" => wide::f32(x.into(), Zero);
    /// Clamped to i32.
    pub fn cvt_sat_s32_s64(x: i64) -> i32 = "cvt.sat.s32.s64" => x.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    /// Clamped to u32.
    pub fn cvt_sat_u32_s64(x: i64) -> u32 = "cvt.sat.u32.s64" => x.clamp(0, u32::MAX.into()) as u32;
}

convert! { reg64 => reg64;
    /// The nearest integer, ties to even.
    pub fn cvt_rni_s64_f64(x: f64) -> i64 = "cvt.rni.s64.f64" => wide_i64(x, Nearest);
    /// The integer part.
    pub fn cvt_rzi_s64_f64(x: f64) -> i64 = "cvt.rzi.s64.f64" => wide_i64(x, Zero);
    /// The nearest integer, ties to even.
    pub fn cvt_rni_u64_f64(x: f64) -> u64 = "cvt.rni.u64.f64" => wide_u64(x, Nearest);
    /// The integer part.
    pub fn cvt_rzi_u64_f64(x: f64) -> u64 = "cvt.rzi.u64.f64" => wide_u64(x, Zero);
    /// The nearest f64, ties to even: Rust's `as`.
    pub fn cvt_rn_f64_s64(x: i64) -> f64 = "cvt.rn.f64.s64" => x as f64;
    /// The next f64 towards zero.
    pub fn cvt_rz_f64_s64(x: i64) -> f64 = "cvt.rz.f64.s64" => wide::f64(x.into(), Zero);
    /// The nearest f64, ties to even: Rust's `as`.
    pub fn cvt_rn_f64_u64(x: u64) -> f64 = "cvt.rn.f64.u64" => x as f64;
    /// The next f64 below.
    pub fn cvt_rm_f64_u64(x: u64) -> f64 = "cvt.rm.f64.u64" => wide::f64(x.into(), Down);
}

convert! { reg32 => reg32;
    /// a and b clamped to i16, a in the upper half.
    pub fn cvt_pack_sat_s16_s32(a: i32, b: i32) -> u32 = "cvt.pack.sat.s16.s32"
        => u32::from(cvt_sat_s16_s32(a) as u16) << 16 | u32::from(cvt_sat_s16_s32(b) as u16);
    /// a and b clamped to u16, a in the upper half.
    pub fn cvt_pack_sat_u16_s32(a: i32, b: i32) -> u32 = "cvt.pack.sat.u16.s32"
        => u32::from(cvt_sat_u16_s32(a)) << 16 | u32::from(cvt_sat_u16_s32(b));
    /// a and b clamped to i8 in bytes 1 and 0, the lower two bytes of `rest` above: two calls pack four.
    pub fn cvt_pack_sat_s8_s32(a: i32, b: i32, rest: u32) -> u32 = "cvt.pack.sat.s8.s32.b32"
        => rest << 16 | (cvt_sat_s8_s32(a) as u32 & 0xff) << 8 | cvt_sat_s8_s32(b) as u32 & 0xff;
    /// a and b clamped to u8 in bytes 1 and 0, the lower two bytes of `rest` above: two calls pack four.
    pub fn cvt_pack_sat_u8_s32(a: i32, b: i32, rest: u32) -> u32 = "cvt.pack.sat.u8.s32.b32"
        => rest << 16 | cvt_sat_u8_s32(a) << 8 | cvt_sat_u8_s32(b);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_become_the_nearest_integer_the_type_holds() {
        let cases = [(0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (3e9, i32::MAX), (-3e9, i32::MIN)];
        for (x, want) in cases {
            assert_eq!(cvt_rni_s32_f32(x), want, "{x}");
            assert_eq!(cvt_rni_s32_f64(x.into()), want, "{x}");
        }
        let nan = f64::NAN;
        assert_eq!((cvt_rni_s32_f64(nan), cvt_rzi_u32_f64(nan)), (i32::MIN, 1 << 31));
        assert_eq!((cvt_rzi_s64_f32(f32::NAN), cvt_rni_u64_f64(nan)), (i64::MIN, 1 << 63));
        assert_eq!([cvt_rni_s32_f32(f32::NAN), cvt_rzi_s32_f32(f32::NAN), cvt_rmi_s32_f32(f32::NAN)], [0; 3]);
        assert_eq!([cvt_rmi_s32_f32(-0.1), cvt_rpi_s32_f32(0.1), cvt_rzi_s32_f32(-1.9)], [-1, 1, -1]);
        assert_eq!([cvt_rni_u32_f32(-3.0), cvt_rpi_u32_f32(0.1), cvt_rmi_u32_f32(1.9)], [0, 1, 1]);
        assert_eq!(
            [cvt_rni_sat_s8_f32(200.0), cvt_rni_sat_s8_f32(-128.6), cvt_rni_sat_s8_f32(2.5)],
            [127, -128, 2]
        );
        assert_eq!([cvt_rni_sat_u8_f32(-1.0), cvt_rni_sat_u8_f32(254.5)], [0, 254]);
        assert_eq!(cvt_rzi_u64_f32(f32::INFINITY), u64::MAX);
        assert_eq!(cvt_rni_s32_f16(f16::from_f32(-2.5)), -2);
    }

    #[test]
    fn integers_round_the_way_the_name_says() {
        let x = (1 << 24) + 1;
        assert_eq!(
            [cvt_rz_f32_s32(x), cvt_rm_f32_s32(x), cvt_rp_f32_s32(x)],
            [16777216.0, 16777216.0, 16777218.0]
        );
        assert_eq!(
            [cvt_rz_f32_s32(-x), cvt_rm_f32_s32(-x), cvt_rp_f32_s32(-x)],
            [-16777216.0, -16777218.0, -16777216.0]
        );
        assert_eq!(cvt_rz_f32_u64(u64::MAX), 18446742974197923840.0);
        assert_eq!(cvt_rz_f32_s64(i64::MAX), 9223371487098961920.0);
        assert_eq!(cvt_rz_f64_s64(i64::MAX), 9223372036854774784.0);
        assert_eq!(cvt_rz_f64_s64(-i64::MAX), -9223372036854774784.0);
        assert_eq!(cvt_rm_f64_u64(u64::MAX), 18446744073709549568.0);
        assert_eq!(cvt_rm_f64_u64(0), 0.0);
    }

    #[test]
    fn pairs_put_the_first_operand_above() {
        let pair = cvt_rn_f16x2_f32(1.0, 2.0);
        assert_eq!((f32::from(pair.lo()), f32::from(pair.hi())), (2.0, 1.0));
        assert_eq!(cvt_rz_bf16x2_f32(-1.0, 1.999_999).to_bits(), 0xbf80_3fff);
        assert_eq!(cvt_rn_relu_bf16x2_f32(-1.0, 1.0).to_bits(), 0x0000_3f80);
        assert_eq!(cvt_rn_relu_f16x2_f32(-1.0, 1.0).to_bits(), 0x0000_3c00);
        assert_eq!(cvt_pack_sat_s8_s32(-500, 3, 0x1122), 0x1122_8003);
        assert_eq!(cvt_pack_sat_u8_s32(500, -3, 0x1122), 0x1122_ff00);
        assert_eq!(cvt_pack_sat_s16_s32(-40000, 40000), 0x8000_7fff);
        assert_eq!(cvt_pack_sat_u16_s32(-40000, 70000), 0x0000_ffff);
    }

    #[test]
    fn tf32_keeps_ten_bits() {
        let tie = f32::from_bits(0x3f80_1000);
        assert_eq!(cvt_rna_tf32_f32(tie), 0x3f80_2000);
        assert_eq!(cvt_rn_tf32_f32(tie), 0x3f80_0000);
        assert_eq!(cvt_rna_tf32_f32(-tie), 0xbf80_2000);
        assert_eq!(cvt_rna_tf32_f32(f32::MAX), 0x7f80_0000);
        assert_eq!(
            [0x7fc0_0001, 0xff80_0001].map(|nan| cvt_rna_tf32_f32(f32::from_bits(nan))),
            [0x7fc0_0000, 0xff80_0000]
        );
    }
}
