//! f32.

#[cfg(not(target_arch = "nvptx64"))]
use crate::soft::{self, Rounding::*, ftz};

/// A sum or product of f32, exact up to a sticky bit, rounded to f32.
#[cfg(not(target_arch = "nvptx64"))]
fn fused(a: f32, b: f32, c: f32, rounding: soft::Rounding) -> f32 {
    soft::to_f32(soft::fma(a.into(), b.into(), c.into(), rounding), rounding)
}

/// a * b + c with operands and result flushed; c = −0 leaves the product.
#[cfg(not(target_arch = "nvptx64"))]
fn fused_ftz(a: f32, b: f32, c: f32) -> f32 {
    let exact = soft::fma(ftz(a).into(), ftz(b).into(), ftz(c).into(), Nearest);
    soft::to_f32(soft::flush(exact, f32::MIN_POSITIVE.into()), Nearest)
}

/// a / b as `div.approx` has it: a * 0 for finite |b| above 2^126.
#[cfg(not(target_arch = "nvptx64"))]
fn quotient_approx(a: f32, b: f32) -> f32 {
    let is_large = b.is_finite() && b.abs() > 2_f32.powi(126);
    if is_large { a * 0_f32.copysign(b) } else { a / b }
}

#[cfg(not(target_arch = "nvptx64"))]
fn sum(a: f32, b: f32, rounding: soft::Rounding) -> f32 {
    soft::to_f32(soft::add(a.into(), b.into(), rounding), rounding)
}

#[cfg(not(target_arch = "nvptx64"))]
fn product(a: f32, b: f32, rounding: soft::Rounding) -> f32 {
    soft::to_f32(f64::from(a) * f64::from(b), rounding)
}

#[cfg(not(target_arch = "nvptx64"))]
fn quotient(a: f32, b: f32, rounding: soft::Rounding) -> f32 {
    soft::to_f32(soft::div(a.into(), b.into()), rounding)
}

#[cfg(not(target_arch = "nvptx64"))]
fn root(x: f32, rounding: soft::Rounding) -> f32 {
    soft::to_f32(soft::sqrt(x.into()), rounding)
}

instructions! {
    isa "Floating Point Instructions", reg32 => reg32;

    /// a + b, rounded to nearest even; never fused with a product, not even by ptxas.
    pub fn add_rn_f32(a: f32, b: f32) -> f32 = "add.rn.f32" => a + b;
    /// a + b, rounded towards zero.
    pub fn add_rz_f32(a: f32, b: f32) -> f32 = "add.rz.f32" => sum(a, b, Zero);
    /// a + b, rounded down.
    pub fn add_rm_f32(a: f32, b: f32) -> f32 = "add.rm.f32" => sum(a, b, Down);
    /// a + b, rounded up.
    pub fn add_rp_f32(a: f32, b: f32) -> f32 = "add.rp.f32" => sum(a, b, Up);
    /// a + b, subnormals flushed.
    pub fn add_rn_ftz_f32(a: f32, b: f32) -> f32 = "add.rn.ftz.f32" => ftz(ftz(a) + ftz(b));
    /// a + b, clamped to [0, 1].
    pub fn add_rn_sat_f32(a: f32, b: f32) -> f32 = "add.rn.sat.f32" => soft::sat((a + b).into()) as f32;

    /// a − b, rounded to nearest even; never fused with a product.
    pub fn sub_rn_f32(a: f32, b: f32) -> f32 = "sub.rn.f32" => a - b;
    /// a − b, rounded towards zero.
    pub fn sub_rz_f32(a: f32, b: f32) -> f32 = "sub.rz.f32" => sum(a, -b, Zero);
    /// a − b, rounded down.
    pub fn sub_rm_f32(a: f32, b: f32) -> f32 = "sub.rm.f32" => sum(a, -b, Down);
    /// a − b, rounded up.
    pub fn sub_rp_f32(a: f32, b: f32) -> f32 = "sub.rp.f32" => sum(a, -b, Up);

    /// a * b, rounded to nearest even; never fused with a sum.
    pub fn mul_rn_f32(a: f32, b: f32) -> f32 = "mul.rn.f32" => a * b;
    /// a * b, rounded towards zero.
    pub fn mul_rz_f32(a: f32, b: f32) -> f32 = "mul.rz.f32" => product(a, b, Zero);
    /// a * b, rounded down.
    pub fn mul_rm_f32(a: f32, b: f32) -> f32 = "mul.rm.f32" => product(a, b, Down);
    /// a * b, rounded up.
    pub fn mul_rp_f32(a: f32, b: f32) -> f32 = "mul.rp.f32" => product(a, b, Up);
    /// a * b, subnormals flushed.
    pub fn mul_rn_ftz_f32(a: f32, b: f32) -> f32 = "mul.rn.ftz.f32" => fused_ftz(a, b, -0.0);
    /// a * b, clamped to [0, 1].
    pub fn mul_rn_sat_f32(a: f32, b: f32) -> f32 = "mul.rn.sat.f32" => soft::sat((a * b).into()) as f32;

    /// a * b + c, rounded once to nearest even.
    pub fn fma_rn_f32(a: f32, b: f32, c: f32) -> f32 = "fma.rn.f32", by core::intrinsics::fmaf32(a, b, c)
        => a.mul_add(b, c);
    /// a * b + c, rounded once towards zero.
    pub fn fma_rz_f32(a: f32, b: f32, c: f32) -> f32 = "fma.rz.f32" => fused(a, b, c, Zero);
    /// a * b + c, rounded once down.
    pub fn fma_rm_f32(a: f32, b: f32, c: f32) -> f32 = "fma.rm.f32" => fused(a, b, c, Down);
    /// a * b + c, rounded once up.
    pub fn fma_rp_f32(a: f32, b: f32, c: f32) -> f32 = "fma.rp.f32" => fused(a, b, c, Up);
    /// a * b + c, rounded once, subnormals flushed.
    pub fn fma_rn_ftz_f32(a: f32, b: f32, c: f32) -> f32 = "fma.rn.ftz.f32" => fused_ftz(a, b, c);
    /// a * b + c, rounded once, clamped to [0, 1].
    pub fn fma_rn_sat_f32(a: f32, b: f32, c: f32) -> f32 = "fma.rn.sat.f32" => soft::sat(a.mul_add(b, c).into()) as f32;

    /// a / b, rounded to nearest even: a subroutine of some ten instructions on the device.
    pub fn div_rn_f32(a: f32, b: f32) -> f32 = "div.rn.f32" => a / b;
    /// a / b, rounded towards zero.
    pub fn div_rz_f32(a: f32, b: f32) -> f32 = "div.rz.f32" => quotient(a, b, Zero);
    /// a / b, rounded down.
    pub fn div_rm_f32(a: f32, b: f32) -> f32 = "div.rm.f32" => quotient(a, b, Down);
    /// a / b, rounded up.
    pub fn div_rp_f32(a: f32, b: f32) -> f32 = "div.rp.f32" => quotient(a, b, Up);
    /// a / b within 2 ulp over the whole range.
    pub fn div_full_f32(a: f32, b: f32) -> f32 = "div.full.f32" => a / b;
    /// a / b within 2 ulp for |b| in [2^-126, 2^126]; 0 or NaN for larger |b|.
    pub fn div_approx_f32(a: f32, b: f32) -> f32 = "div.approx.f32" => quotient_approx(a, b);
    /// As [`div_approx_f32`], subnormals flushed.
    pub fn div_approx_ftz_f32(a: f32, b: f32) -> f32 = "div.approx.ftz.f32" => ftz(quotient_approx(ftz(a), ftz(b)));

    /// 1 / x, rounded to nearest even.
    pub fn rcp_rn_f32(x: f32) -> f32 = "rcp.rn.f32" => 1.0 / x;
    /// 1 / x, rounded towards zero.
    pub fn rcp_rz_f32(x: f32) -> f32 = "rcp.rz.f32" => quotient(1.0, x, Zero);
    /// 1 / x, rounded down.
    pub fn rcp_rm_f32(x: f32) -> f32 = "rcp.rm.f32" => quotient(1.0, x, Down);
    /// 1 / x, rounded up.
    pub fn rcp_rp_f32(x: f32) -> f32 = "rcp.rp.f32" => quotient(1.0, x, Up);
    /// 1 / x within 1 ulp.
    pub fn rcp_approx_f32(x: f32) -> f32 = "rcp.approx.f32" => 1.0 / x;
    /// 1 / x within 1 ulp, subnormals flushed: one instruction of the special function unit.
    pub fn rcp_approx_ftz_f32(x: f32) -> f32 = "rcp.approx.ftz.f32" => ftz(1.0 / ftz(x));

    /// √x, rounded to nearest even; −0 for −0, NaN below.
    pub fn sqrt_rn_f32(x: f32) -> f32 = "sqrt.rn.f32", by core::intrinsics::sqrtf32(x) => x.sqrt();
    /// √x, rounded towards zero.
    pub fn sqrt_rz_f32(x: f32) -> f32 = "sqrt.rz.f32" => root(x, Zero);
    /// √x, rounded down.
    pub fn sqrt_rm_f32(x: f32) -> f32 = "sqrt.rm.f32" => root(x, Down);
    /// √x, rounded up.
    pub fn sqrt_rp_f32(x: f32) -> f32 = "sqrt.rp.f32" => root(x, Up);
    /// √x with a relative error of at most 2^-23.
    pub fn sqrt_approx_f32(x: f32) -> f32 = "sqrt.approx.f32" => x.sqrt();
    /// √x with a relative error of at most 2^-23, subnormals flushed.
    pub fn sqrt_approx_ftz_f32(x: f32) -> f32 = "sqrt.approx.ftz.f32" => ftz(x).sqrt();
    /// 1 / √x with a relative error of at most 2^-22.9.
    pub fn rsqrt_approx_f32(x: f32) -> f32 = "rsqrt.approx.f32" => (1.0 / f64::from(x).sqrt()) as f32;
    /// 1 / √x with a relative error of at most 2^-22.9, subnormals flushed: one instruction of the special function unit.
    pub fn rsqrt_approx_ftz_f32(x: f32) -> f32 = "rsqrt.approx.ftz.f32" => (1.0 / f64::from(ftz(x)).sqrt()) as f32;

    /// The smaller; of a number and NaN the number; −0 below +0.
    pub fn min_f32(a: f32, b: f32) -> f32 = "min.f32" => soft::min(a.into(), b.into()) as f32;
    /// The larger; of a number and NaN the number; −0 below +0.
    pub fn max_f32(a: f32, b: f32) -> f32 = "max.f32" => soft::max(a.into(), b.into()) as f32;
    /// The smaller, NaN where an operand is NaN; −0 below +0.
    pub fn min_nan_f32(a: f32, b: f32) -> f32 = "min.NaN.f32" => soft::min_nan(a.into(), b.into()) as f32;
    /// The larger, NaN where an operand is NaN; −0 below +0.
    pub fn max_nan_f32(a: f32, b: f32) -> f32 = "max.NaN.f32" => soft::max_nan(a.into(), b.into()) as f32;
    /// |x|.
    pub fn abs_f32(x: f32) -> f32 = "abs.f32", by x.abs() => x.abs();
    /// −x.
    pub fn neg_f32(x: f32) -> f32 = "neg.f32", by -x => -x;
    /// |magnitude| with the sign of `sign`. The operands stand as in PTX, the other way round than `f32::copysign`.
    pub fn copysign_f32(sign: f32, magnitude: f32) -> f32 = "copysign.f32" => magnitude.copysign(sign);

    /// 2^x within 2 ulp over the whole range.
    pub fn ex2_approx_f32(x: f32) -> f32 = "ex2.approx.f32" => x.exp2();
    /// 2^x within 2 ulp, subnormals flushed: one instruction of the special function unit.
    pub fn ex2_approx_ftz_f32(x: f32) -> f32 = "ex2.approx.ftz.f32" => ftz(ftz(x).exp2());
    /// log2(x): an absolute error of at most 2^-22 for x in (0.5, 2), a relative one of at most 2^-22 elsewhere.
    pub fn lg2_approx_f32(x: f32) -> f32 = "lg2.approx.f32" => x.log2();
    /// As [`lg2_approx_f32`], subnormals flushed (so −∞ for them).
    pub fn lg2_approx_ftz_f32(x: f32) -> f32 = "lg2.approx.ftz.f32" => ftz(x).log2();
    /// tanh(x) with a relative error of at most 2^-11.
    pub fn tanh_approx_f32(x: f32) -> f32 = "tanh.approx.f32" => x.tanh();
    /// sin(x), x in radians: an absolute error of at most 2^-20.4 in [−2π, 2π] (the ISA says 2^-20.5, sm_90 reaches 2^-20.48),
    /// 2^-14.7 in [−100π, 100π], more outside.
    pub fn sin_approx_f32(x: f32) -> f32 = "sin.approx.f32" => x.sin();
    /// cos(x), x in radians: an absolute error of at most 2^-20.4 in [−2π, 2π] (the ISA says 2^-20.5, sm_90 reaches 2^-20.48),
    /// 2^-14.7 in [−100π, 100π], more outside.
    pub fn cos_approx_f32(x: f32) -> f32 = "cos.approx.f32" => x.cos();
    /// As [`sin_approx_f32`], subnormals flushed.
    pub fn sin_approx_ftz_f32(x: f32) -> f32 = "sin.approx.ftz.f32" => ftz(ftz(x).sin());
    /// As [`cos_approx_f32`], subnormals flushed.
    pub fn cos_approx_ftz_f32(x: f32) -> f32 = "cos.approx.ftz.f32" => ftz(x).cos();
}

instructions! {
    isa "cvt", reg32 => reg32;

    /// ⌊x⌋: the largest integer not above x.
    pub fn floor_f32(x: f32) -> f32 = "cvt.rmi.f32.f32" => x.floor();
    /// ⌈x⌉: the smallest integer not below x.
    pub fn ceil_f32(x: f32) -> f32 = "cvt.rpi.f32.f32" => x.ceil();
    /// x without its fraction.
    pub fn trunc_f32(x: f32) -> f32 = "cvt.rzi.f32.f32" => x.trunc();
    /// The nearest integer, ties to even.
    pub fn rint_f32(x: f32) -> f32 = "cvt.rni.f32.f32" => x.round_ties_even();
    /// x clamped to [0, 1]; 0 for NaN.
    pub fn saturate_f32(x: f32) -> f32 = "cvt.sat.f32.f32" => soft::sat(x.into()) as f32;
}

/// 1 / √x from two correctly rounded steps, `rcp.rn.f32(sqrt.rn.f32(x))`: within 1.5 ulp over the whole range, the same on
/// host and device; some twenty instructions. [`rsqrt_approx_f32`] is one.
#[inline(always)]
pub fn rsqrt_f32(x: f32) -> f32 {
    rcp_rn_f32(sqrt_rn_f32(x))
}
