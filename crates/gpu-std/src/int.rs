//! Integer and bit instructions under their own names.
//!
//! Names are the PTX opcode with `_` for `.`. On the host every function gives the same result.

#[cfg(not(target_arch = "nvptx64"))]
mod host {
    /// The byte `i` of `x`, as signed or unsigned.
    pub(super) fn byte(x: u32, i: u32, signed: bool) -> i64 {
        let byte = (x >> (8 * i)) as u8;
        if signed { i64::from(byte as i8) } else { i64::from(byte) }
    }

    fn half(x: u32, i: u32, signed: bool) -> i64 {
        let half = (x >> (16 * i)) as u16;
        if signed { i64::from(half as i16) } else { i64::from(half) }
    }

    /// c + Σ a[i] * b[i] over four bytes, modulo 2^32.
    pub(super) fn dp4a(a: u32, b: u32, c: i64, signed: (bool, bool)) -> i64 {
        (0..4).fold(c, |sum, i| sum + byte(a, i, signed.0) * byte(b, i, signed.1))
    }

    /// c + Σ a[i] * b[first + i] over two 16-bit and two 8-bit numbers, modulo 2^32.
    pub(super) fn dp2a(a: u32, b: u32, c: i64, signed: (bool, bool), first: u32) -> i64 {
        (0..2).fold(c, |sum, i| sum + half(a, i, signed.0) * byte(b, first + i, signed.1))
    }

    /// A position or length: 32-bit fields take it modulo 256, 64-bit ones as it is (seen on sm_90).
    fn place(n: u32, bits: u32) -> u32 {
        if bits == 32 { n & 0xff } else { n.min(0xff) }
    }

    /// Bits `pos..pos + len` of `x`, the sign in the bit above where `signed`; `bits` is the width.
    pub(super) fn bfe(x: u64, pos: u32, len: u32, bits: u32, signed: bool) -> u64 {
        let (pos, len) = (place(pos, bits), place(len, bits));
        let top = (pos + len).saturating_sub(1).min(bits - 1);
        let sign = signed && len > 0 && x >> top & 1 == 1;
        (0..bits).fold(0, |out, i| {
            let bit = if i < len && pos + i < bits { x >> (pos + i) & 1 == 1 } else { sign };
            out | u64::from(bit) << i
        })
    }

    /// `base` with its bits `pos..pos + len` from `field`.
    pub(super) fn bfi(field: u64, base: u64, pos: u32, len: u32, bits: u32) -> u64 {
        let (pos, len) = (place(pos, bits), place(len, bits));
        (0..len)
            .take_while(|i| pos + i < bits)
            .fold(base, |out, i| out & !(1 << (pos + i)) | (field >> i & 1) << (pos + i))
    }

    /// The byte permutation of eight bytes; bit 3 of a selector repeats the sign.
    pub(super) fn prmt(a: u32, b: u32, selectors: [u32; 4]) -> u32 {
        let bytes = u64::from(b) << 32 | u64::from(a);
        (0..4).fold(0, |out, i| {
            let selector = selectors[i];
            let byte = (bytes >> (8 * (selector & 7))) as u8;
            let byte = if selector & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 };
            out | u32::from(byte) << (8 * i)
        })
    }

    /// The index of the n-th set bit from `base`: upwards for n > 0, downwards for n < 0, `base` itself for n = 0.
    pub(super) fn fns(mask: u32, base: u32, n: i32) -> u32 {
        let set = |i: &u32| mask >> i & 1 == 1;
        let found = match n {
            _ if base > 31 => None,
            0 => Some(base).filter(set),
            1.. => (base..32).filter(set).nth(n as usize - 1),
            _ => (0..=base).rev().filter(set).nth(n.unsigned_abs() as usize - 1),
        };
        found.unwrap_or(u32::MAX)
    }

    /// The position of the highest bit that differs from the sign.
    pub(super) fn bfind(x: i64) -> u32 {
        let magnitude = if x < 0 { !x } else { x };
        63_u32.wrapping_sub(magnitude.leading_zeros())
    }
}

#[cfg(not(target_arch = "nvptx64"))]
use host::{bfe, bfi, bfind, dp2a, dp4a, fns, prmt};

instructions! {
    isa "Integer Arithmetic Instructions", reg32 => reg32;

    /// c + Σ a\[i\] * b\[i\] over the four bytes of a and b, both signed; wraps.
    pub fn dp4a_s32_s32(a: u32, b: u32, c: i32) -> i32 = "dp4a.s32.s32" => dp4a(a, b, c.into(), (true, true)) as i32;
    /// c + Σ a\[i\] * b\[i\] over the four bytes of a (signed) and b (unsigned); wraps.
    pub fn dp4a_s32_u32(a: u32, b: u32, c: i32) -> i32 = "dp4a.s32.u32" => dp4a(a, b, c.into(), (true, false)) as i32;
    /// c + Σ a\[i\] * b\[i\] over the four bytes of a (unsigned) and b (signed); wraps.
    pub fn dp4a_u32_s32(a: u32, b: u32, c: i32) -> i32 = "dp4a.u32.s32" => dp4a(a, b, c.into(), (false, true)) as i32;
    /// c + Σ a\[i\] * b\[i\] over the four bytes of a and b, both unsigned; wraps.
    pub fn dp4a_u32_u32(a: u32, b: u32, c: u32) -> u32 = "dp4a.u32.u32" => dp4a(a, b, c.into(), (false, false)) as u32;

    /// c + a\[0\] * b\[0\] + a\[1\] * b\[1\]: two 16-bit numbers of a, bytes 0 and 1 of b, all signed; wraps.
    pub fn dp2a_lo_s32_s32(a: u32, b: u32, c: i32) -> i32 = "dp2a.lo.s32.s32"
        => dp2a(a, b, c.into(), (true, true), 0) as i32;
    /// As [`dp2a_lo_s32_s32`], b unsigned.
    pub fn dp2a_lo_s32_u32(a: u32, b: u32, c: i32) -> i32 = "dp2a.lo.s32.u32"
        => dp2a(a, b, c.into(), (true, false), 0) as i32;
    /// As [`dp2a_lo_s32_s32`], a unsigned.
    pub fn dp2a_lo_u32_s32(a: u32, b: u32, c: i32) -> i32 = "dp2a.lo.u32.s32"
        => dp2a(a, b, c.into(), (false, true), 0) as i32;
    /// As [`dp2a_lo_s32_s32`], all unsigned.
    pub fn dp2a_lo_u32_u32(a: u32, b: u32, c: u32) -> u32 = "dp2a.lo.u32.u32"
        => dp2a(a, b, c.into(), (false, false), 0) as u32;
    /// As [`dp2a_lo_s32_s32`], with bytes 2 and 3 of b.
    pub fn dp2a_hi_s32_s32(a: u32, b: u32, c: i32) -> i32 = "dp2a.hi.s32.s32"
        => dp2a(a, b, c.into(), (true, true), 2) as i32;
    /// As [`dp2a_lo_s32_u32`], with bytes 2 and 3 of b.
    pub fn dp2a_hi_s32_u32(a: u32, b: u32, c: i32) -> i32 = "dp2a.hi.s32.u32"
        => dp2a(a, b, c.into(), (true, false), 2) as i32;
    /// As [`dp2a_lo_u32_s32`], with bytes 2 and 3 of b.
    pub fn dp2a_hi_u32_s32(a: u32, b: u32, c: i32) -> i32 = "dp2a.hi.u32.s32"
        => dp2a(a, b, c.into(), (false, true), 2) as i32;
    /// As [`dp2a_lo_u32_u32`], with bytes 2 and 3 of b.
    pub fn dp2a_hi_u32_u32(a: u32, b: u32, c: u32) -> u32 = "dp2a.hi.u32.u32"
        => dp2a(a, b, c.into(), (false, false), 2) as u32;

    /// The upper 32 bits of the 64-bit product.
    pub fn mul_hi_u32(a: u32, b: u32) -> u32 = "mul.hi.u32" => ((u64::from(a) * u64::from(b)) >> 32) as u32;
    /// The upper 32 bits of the 64-bit product.
    pub fn mul_hi_s32(a: i32, b: i32) -> i32 = "mul.hi.s32" => ((i64::from(a) * i64::from(b)) >> 32) as i32;
    /// The upper 32 bits of the 64-bit product, plus c; wraps.
    pub fn mad_hi_u32(a: u32, b: u32, c: u32) -> u32 = "mad.hi.u32" => mul_hi_u32(a, b).wrapping_add(c);
    /// The upper 32 bits of the 64-bit product, plus c; wraps.
    pub fn mad_hi_s32(a: i32, b: i32, c: i32) -> i32 = "mad.hi.s32" => mul_hi_s32(a, b).wrapping_add(c);
    /// The upper 32 bits of the 64-bit product, plus c; saturates.
    pub fn mad_hi_sat_s32(a: i32, b: i32, c: i32) -> i32 = "mad.hi.sat.s32" => mul_hi_s32(a, b).saturating_add(c);
    /// The lower 32 bits of a * b + c.
    pub fn mad_lo_u32(a: u32, b: u32, c: u32) -> u32 = "mad.lo.u32" => a.wrapping_mul(b).wrapping_add(c);
    /// The lower 32 bits of a * b + c.
    pub fn mad_lo_s32(a: i32, b: i32, c: i32) -> i32 = "mad.lo.s32" => a.wrapping_mul(b).wrapping_add(c);
    /// a + b, saturated to i32.
    pub fn add_sat_s32(a: i32, b: i32) -> i32 = "add.sat.s32" => a.saturating_add(b);
    /// a − b, saturated to i32.
    pub fn sub_sat_s32(a: i32, b: i32) -> i32 = "sub.sat.s32" => a.saturating_sub(b);
    /// |a − b| + c; wraps.
    pub fn sad_u32(a: u32, b: u32, c: u32) -> u32 = "sad.u32" => a.abs_diff(b).wrapping_add(c);
    /// |a − b| + c; the difference and the sum wrap.
    pub fn sad_s32(a: i32, b: i32, c: i32) -> i32 = "sad.s32" => (a.abs_diff(b) as i32).wrapping_add(c);

    /// Number of zeros above the highest one; 32 for 0.
    pub fn clz_b32(x: u32) -> u32 = "clz.b32", by x.leading_zeros() => x.leading_zeros();
    /// Number of ones.
    pub fn popc_b32(x: u32) -> u32 = "popc.b32", by x.count_ones() => x.count_ones();
    /// The bits in reverse order.
    pub fn brev_b32(x: u32) -> u32 = "brev.b32", by x.reverse_bits() => x.reverse_bits();
    /// Index of the highest one; `u32::MAX` for 0.
    pub fn bfind_u32(x: u32) -> u32 = "bfind.u32" => bfind(x.into());
    /// Index of the highest bit that differs from the sign; `u32::MAX` for 0 and −1.
    pub fn bfind_s32(x: i32) -> u32 = "bfind.s32" => bfind(x.into());
    /// The left shift that brings the highest one to bit 31; `u32::MAX` for 0.
    pub fn bfind_shiftamt_u32(x: u32) -> u32 = "bfind.shiftamt.u32"
        => match bfind_u32(x) { u32::MAX => u32::MAX, i => 31 - i };
    /// The left shift that brings the highest bit that differs from the sign to bit 31; `u32::MAX` for 0 and −1.
    pub fn bfind_shiftamt_s32(x: i32) -> u32 = "bfind.shiftamt.s32"
        => match bfind_s32(x) { u32::MAX => u32::MAX, i => 31 - i };
    /// Index of the n-th one of `mask` from bit `base`, itself included: upwards for n > 0, downwards for n < 0, for n = 0
    /// `base` if that bit is one; `u32::MAX` where there is none. `base` up to 31 (the ISA says nothing above). Slow: a loop on
    /// the device, longer with larger |n|.
    pub fn fns_b32(mask: u32, base: u32, n: i32) -> u32 = "fns.b32" => fns(mask, base, n);

    /// Bits `pos..pos + len` of x at the bottom, zeros above; pos and len modulo 256, bits beyond 31 are zero.
    pub fn bfe_u32(x: u32, pos: u32, len: u32) -> u32 = "bfe.u32" => bfe(x.into(), pos, len, 32, false) as u32;
    /// Bits `pos..pos + len` of x at the bottom, their sign above; pos and len modulo 256.
    pub fn bfe_s32(x: i32, pos: u32, len: u32) -> i32 = "bfe.s32"
        => bfe((x as u32).into(), pos, len, 32, true) as u32 as i32;
    /// `base` with its bits `pos..pos + len` replaced by the lowest of `field`; pos and len modulo 256.
    pub fn bfi_b32(field: u32, base: u32, pos: u32, len: u32) -> u32 = "bfi.b32"
        => bfi(field.into(), base.into(), pos, len, 32) as u32;
}

instructions! {
    isa "Integer Arithmetic Instructions", reg64 => reg64;

    /// The upper 64 bits of the 128-bit product.
    pub fn mul_hi_u64(a: u64, b: u64) -> u64 = "mul.hi.u64" => ((u128::from(a) * u128::from(b)) >> 64) as u64;
    /// The upper 64 bits of the 128-bit product.
    pub fn mul_hi_s64(a: i64, b: i64) -> i64 = "mul.hi.s64" => ((i128::from(a) * i128::from(b)) >> 64) as i64;
    /// The upper 64 bits of the 128-bit product, plus c; wraps.
    pub fn mad_hi_u64(a: u64, b: u64, c: u64) -> u64 = "mad.hi.u64" => mul_hi_u64(a, b).wrapping_add(c);
    /// The upper 64 bits of the 128-bit product, plus c; wraps.
    pub fn mad_hi_s64(a: i64, b: i64, c: i64) -> i64 = "mad.hi.s64" => mul_hi_s64(a, b).wrapping_add(c);
    /// The bits in reverse order.
    pub fn brev_b64(x: u64) -> u64 = "brev.b64", by x.reverse_bits() => x.reverse_bits();
    /// |a − b| + c; wraps.
    pub fn sad_u64(a: u64, b: u64, c: u64) -> u64 = "sad.u64" => a.abs_diff(b).wrapping_add(c);
    /// |a − b| + c; the difference and the sum wrap.
    pub fn sad_s64(a: i64, b: i64, c: i64) -> i64 = "sad.s64" => (a.abs_diff(b) as i64).wrapping_add(c);
}

instructions! {
    isa "Integer Arithmetic Instructions", reg64 => reg32;

    /// Number of zeros above the highest one; 64 for 0.
    pub fn clz_b64(x: u64) -> u32 = "clz.b64", by x.leading_zeros() => x.leading_zeros();
    /// Number of ones.
    pub fn popc_b64(x: u64) -> u32 = "popc.b64", by x.count_ones() => x.count_ones();
    /// Index of the highest one; `u32::MAX` for 0.
    pub fn bfind_u64(x: u64) -> u32 = "bfind.u64" => 63_u32.wrapping_sub(x.leading_zeros());
    /// Index of the highest bit that differs from the sign; `u32::MAX` for 0 and −1.
    pub fn bfind_s64(x: i64) -> u32 = "bfind.s64" => bfind(x);
}

instructions! {
    isa "Integer Arithmetic Instructions", reg32 => reg64;

    /// The 64-bit product.
    pub fn mul_wide_u32(a: u32, b: u32) -> u64 = "mul.wide.u32", by u64::from(a) * u64::from(b)
        => u64::from(a) * u64::from(b);
    /// The 64-bit product.
    pub fn mul_wide_s32(a: i32, b: i32) -> i64 = "mul.wide.s32", by i64::from(a) * i64::from(b)
        => i64::from(a) * i64::from(b);
}

macro_rules! mixed {
    ($(
        $(#[$meta:meta])*
        pub fn $name:ident($($arg:ident: $ty:ty as $class:ident),*) -> $ret:ty as $out:ident = $op:literal => $host:expr;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_80 and up; ISA, “Integer Arithmetic Instructions”.")]
        #[inline(always)]
        pub fn $name($($arg: $ty),*) -> $ret {
            #[cfg(target_arch = "nvptx64")]
            {
                let out: $ret;
                // SAFETY: arithmetic on registers.
                unsafe {
                    core::arch::asm!(concat!($op, " {out}", $(", {", stringify!($arg), "}",)* ";"),
                        out = out($out) out, $($arg = in($class) $arg,)* options(pure, nomem, nostack));
                }
                out
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                $host
            }
        }
    )*};
}

mixed! {
    /// The 64-bit product plus c; wraps.
    pub fn mad_wide_u32(a: u32 as reg32, b: u32 as reg32, c: u64 as reg64) -> u64 as reg64 = "mad.wide.u32"
        => mul_wide_u32(a, b).wrapping_add(c);
    /// The 64-bit product plus c; wraps.
    pub fn mad_wide_s32(a: i32 as reg32, b: i32 as reg32, c: i64 as reg64) -> i64 as reg64 = "mad.wide.s32"
        => mul_wide_s32(a, b).wrapping_add(c);
    /// Bits `pos..pos + len` of x at the bottom, zeros above; pos and len up to 255 (the ISA says nothing above), bits beyond 63 are zero.
    pub fn bfe_u64(x: u64 as reg64, pos: u32 as reg32, len: u32 as reg32) -> u64 as reg64 = "bfe.u64"
        => bfe(x, pos, len, 64, false);
    /// Bits `pos..pos + len` of x at the bottom, their sign above; pos and len up to 255 (the ISA says nothing above).
    pub fn bfe_s64(x: i64 as reg64, pos: u32 as reg32, len: u32 as reg32) -> i64 as reg64 = "bfe.s64"
        => bfe(x as u64, pos, len, 64, true) as i64;
    /// `base` with its bits `pos..pos + len` replaced by the lowest of `field`; pos and len up to 255 (the ISA says nothing above).
    pub fn bfi_b64(field: u64 as reg64, base: u64 as reg64, pos: u32 as reg32, len: u32 as reg32) -> u64 as reg64
        = "bfi.b64" => bfi(field, base, pos, len, 64);
}

instructions! {
    isa "prmt", reg32 => reg32;

    /// Four bytes of the eight in (b, a), a the lower: byte i is number `selector >> 4i & 7`, or where bit 3 of that
    /// nibble is set its sign, repeated.
    pub fn prmt_b32(a: u32, b: u32, selector: u32) -> u32 = "prmt.b32"
        => prmt(a, b, core::array::from_fn(|i| selector >> (4 * i) & 0xf));
    /// Four bytes forward from byte `n & 3` of (b, a).
    pub fn prmt_b32_f4e(a: u32, b: u32, n: u32) -> u32 = "prmt.b32.f4e"
        => prmt(a, b, core::array::from_fn(|i| (n & 3) + i as u32));
    /// Four bytes backward from byte `n & 3` of (b, a), round at 0.
    pub fn prmt_b32_b4e(a: u32, b: u32, n: u32) -> u32 = "prmt.b32.b4e"
        => prmt(a, b, core::array::from_fn(|i| (n & 3).wrapping_sub(i as u32) & 7));
    /// Byte `n & 3` of a, four times.
    pub fn prmt_b32_rc8(a: u32, b: u32, n: u32) -> u32 = "prmt.b32.rc8" => prmt(a, b, [n & 3; 4]);
    /// Bytes 0 to 3 of a, those below `n & 3` replaced by that one.
    pub fn prmt_b32_ecl(a: u32, b: u32, n: u32) -> u32 = "prmt.b32.ecl"
        => prmt(a, b, core::array::from_fn(|i| (n & 3).max(i as u32)));
    /// Bytes 0 to 3 of a, those above `n & 3` replaced by that one.
    pub fn prmt_b32_ecr(a: u32, b: u32, n: u32) -> u32 = "prmt.b32.ecr"
        => prmt(a, b, core::array::from_fn(|i| (n & 3).min(i as u32)));
    /// 16-bit half `n & 1` of a, twice.
    pub fn prmt_b32_rc16(a: u32, b: u32, n: u32) -> u32 = "prmt.b32.rc16"
        => prmt(a, b, core::array::from_fn(|i| 2 * (n & 1) + (i as u32 & 1)));
}

instructions! {
    isa "Logic and Shift Instructions", reg32 => reg32;

    /// The upper word of (hi, lo) shifted left by `n & 31`.
    pub fn shf_l_wrap_b32(lo: u32, hi: u32, n: u32) -> u32 = "shf.l.wrap.b32"
        => ((u64::from(hi) << 32 | u64::from(lo)) << (n & 31) >> 32) as u32;
    /// The upper word of (hi, lo) shifted left by min(n, 32).
    pub fn shf_l_clamp_b32(lo: u32, hi: u32, n: u32) -> u32 = "shf.l.clamp.b32"
        => ((u64::from(hi) << 32 | u64::from(lo)) << n.min(32) >> 32) as u32;
    /// The lower word of (hi, lo) shifted right by `n & 31`.
    pub fn shf_r_wrap_b32(lo: u32, hi: u32, n: u32) -> u32 = "shf.r.wrap.b32"
        => ((u64::from(hi) << 32 | u64::from(lo)) >> (n & 31)) as u32;
    /// The lower word of (hi, lo) shifted right by min(n, 32).
    pub fn shf_r_clamp_b32(lo: u32, hi: u32, n: u32) -> u32 = "shf.r.clamp.b32"
        => ((u64::from(hi) << 32 | u64::from(lo)) >> n.min(32)) as u32;
}

/// Any function of three bits, bit by bit: bit `a * 4 + b * 2 + c` of `LUT`. The table of a function f is
/// f(0xf0, 0xcc, 0xaa), e.g. `0xf0 & 0xcc ^ 0xaa`.
///
/// PTX: `lop3.b32` with `LUT` as immediate, sm_80 and up; ISA, “Logic and Shift Instructions”.
#[inline(always)]
pub fn lop3_b32<const LUT: u8>(a: u32, b: u32, c: u32) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let out: u32;
        // SAFETY: arithmetic on registers.
        unsafe {
            core::arch::asm!("lop3.b32 {}, {}, {}, {}, {};", out(reg32) out, in(reg32) a, in(reg32) b, in(reg32) c,
                const LUT, options(pure, nomem, nostack));
        }
        out
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        (0..8).filter(|i| LUT >> i & 1 == 1).fold(0, |out, i| {
            let pick = |x: u32, bit: u32| if i & bit == bit { x } else { !x };
            out | pick(a, 4) & pick(b, 2) & pick(c, 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_products_of_bytes_and_halves() {
        assert_eq!(dp4a_s32_s32(0x01ff_0280, 0x0203_ff04, 10), 10 - 512 - 2 - 3 + 2);
        assert_eq!(dp4a_u32_u32(u32::MAX, u32::MAX, 1), 1 + 4 * 255 * 255);
        assert_eq!(dp4a_s32_u32(u32::MAX, u32::MAX, 0), -4 * 255);
        assert_eq!(dp4a_u32_s32(u32::MAX, u32::MAX, 0), -4 * 255);
        assert_eq!(dp4a_s32_s32(0x7f7f_7f7f, 0x7f7f_7f7f, i32::MAX), i32::MAX.wrapping_add(4 * 127 * 127));
        assert_eq!(dp2a_lo_s32_s32(0xffff_0003, 0x0102_03ff, 0), -3 - 3);
        assert_eq!(dp2a_hi_u32_u32(0xffff_0003, 0x0102_03ff, 0), 3 * 2 + 65535);
        assert_eq!(dp2a_hi_s32_u32(0xffff_0003, 0xff02_03ff, 0), 3 * 2 - 255);
        assert_eq!(dp2a_lo_u32_s32(0xffff_0003, 0xff02_ffff, 0), -3 - 65535);
        assert_eq!(dp2a_lo_s32_u32(0xffff_0003, 0xff02_ffff, 0), 3 * 255 - 255);
        assert_eq!(dp2a_lo_u32_u32(2, 3, 4), 10);
        assert_eq!(dp2a_hi_s32_s32(2, 0xfd_0000, 4), -2);
        assert_eq!(dp2a_hi_u32_s32(2, 0xfd_0000, 4), -2);
    }

    #[test]
    fn bit_fields_are_cut_and_put() {
        assert_eq!(bfe_u32(0xabcd_1234, 4, 8), 0x23);
        assert_eq!(bfe_s32(0x80, 4, 4), -8);
        assert_eq!(bfe_u32(0xabcd_1234, 28, 16), 0xa);
        assert_eq!(bfe_s32(i32::MIN, 40, 4), -1);
        assert_eq!(bfe_s32(-1, 3, 0), 0);
        assert_eq!(bfe_u64(0xabcd_1234_0000_0000, 60, 9), 0xa);
        assert_eq!(bfe_s64(i64::MIN, 60, 4), -8);
        assert_eq!(bfi_b32(0x5, 0xffff_ffff, 4, 4), 0xffff_ff5f);
        assert_eq!(bfi_b32(0, u32::MAX, 30, 9), u32::MAX >> 2);
        assert_eq!(bfi_b64(1, 0, 63, 9), 1 << 63);
    }

    #[test]
    fn searches_count_from_where_they_start() {
        assert_eq!([bfind_u32(0), bfind_u32(1), bfind_u32(u32::MAX)], [u32::MAX, 0, 31]);
        assert_eq!([bfind_s32(-1), bfind_s32(-2), bfind_s32(i32::MIN)], [u32::MAX, 0, 30]);
        assert_eq!([bfind_shiftamt_u32(1), bfind_shiftamt_s32(0)], [31, u32::MAX]);
        assert_eq!([bfind_u64(u64::MAX), bfind_s64(-1)], [63, u32::MAX]);
        assert_eq!(fns_b32(0b1011_0100, 3, 1), 4);
        assert_eq!(fns_b32(0b1011_0100, 4, 2), 5);
        assert_eq!(fns_b32(0b1011_0100, 3, -1), 2);
        assert_eq!([fns_b32(u32::MAX, 32, 1), fns_b32(u32::MAX, u32::MAX, -1)], [u32::MAX; 2]);
        assert_eq!([fns_b32(4, 2, 0), fns_b32(4, 1, 0), fns_b32(4, 1, 2)], [2, u32::MAX, u32::MAX]);
    }

    #[test]
    fn bytes_are_permuted() {
        let (a, b) = (0x8321_1003, 0x7766_5584);
        assert_eq!(prmt_b32(a, b, 0x7410), 0x7784_1003);
        assert_eq!(prmt_b32(a, b, 0x000b), 0x0303_03ff);
        assert_eq!(prmt_b32_f4e(a, b, 1), 0x8483_2110);
        assert_eq!(prmt_b32_b4e(a, b, 1), 0x6677_0310);
        assert_eq!(prmt_b32_rc8(a, b, 2), 0x2121_2121);
        assert_eq!(prmt_b32_ecl(a, b, 2), 0x8321_2121);
        assert_eq!(prmt_b32_ecr(a, b, 1), 0x1010_1003);
        assert_eq!(prmt_b32_rc16(a, b, 1), 0x8321_8321);
    }

    #[test]
    fn shifts_and_truth_tables() {
        assert_eq!(shf_l_wrap_b32(0x8000_0000, 1, 33), 3);
        assert_eq!(shf_l_clamp_b32(0xdead_beef, 1, 99), 0xdead_beef);
        assert_eq!(shf_r_wrap_b32(2, 1, 1), 0x8000_0001);
        assert_eq!(shf_r_clamp_b32(2, 7, 32), 7);
        let (a, b, c) = (0x1234_5678, 0x9abc_def0, 0x0f1e_2d3c);
        assert_eq!(lop3_b32::<{ 0xf0 & 0xcc ^ 0xaa }>(a, b, c), a & b ^ c);
        assert_eq!(lop3_b32::<{ 0xf0 ^ 0xcc ^ 0xaa }>(a, b, c), a ^ b ^ c);
        assert_eq!(lop3_b32::<{ !0xf0 | 0xcc }>(a, b, c), !a | b);
    }

    #[test]
    fn products_sums_and_distances() {
        assert_eq!(mul_hi_u32(u32::MAX, u32::MAX), u32::MAX - 1);
        assert_eq!(mul_hi_s32(i32::MIN, i32::MIN), 1 << 30);
        assert_eq!(mul_hi_u64(u64::MAX, 2), 1);
        assert_eq!(mul_hi_s64(i64::MIN, 2), -1);
        assert_eq!([mad_hi_u32(1 << 31, 2, 5), mad_lo_u32(3, 4, 5)], [6, 17]);
        assert_eq!([mad_hi_s32(i32::MIN, 2, 5), mad_lo_s32(-3, 4, 5)], [4, -7]);
        assert_eq!(mad_hi_sat_s32(i32::MIN, i32::MIN, i32::MAX), i32::MAX);
        assert_eq!([mad_hi_u64(1 << 63, 2, 5), mad_wide_u32(u32::MAX, 2, 1)], [6, (1 << 33) - 1]);
        assert_eq!([mad_hi_s64(i64::MIN, 2, 5), mad_wide_s32(-3, 4, 1)], [4, -11]);
        assert_eq!([add_sat_s32(i32::MAX, 1), sub_sat_s32(i32::MIN, 1)], [i32::MAX, i32::MIN]);
        assert_eq!([sad_u32(3, 5, 1), sad_u32(5, 3, 1)], [3, 3]);
        assert_eq!([sad_s32(-3, 5, 1), sad_s32(5, -3, 1)], [9, 9]);
        assert_eq!([sad_u64(3, 5, 1), sad_s64(-3, 5, 1) as u64], [3, 9]);
        assert_eq!([clz_b32(1), clz_b64(1), popc_b32(7), popc_b64(7), brev_b32(1)], [31, 63, 3, 3, 1 << 31]);
        assert_eq!([brev_b64(1), mul_wide_u32(u32::MAX, 2)], [1 << 63, (1 << 33) - 2]);
        assert_eq!(mul_wide_s32(-1, 2), -2);
    }
}
