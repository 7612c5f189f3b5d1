//! f64.

#[cfg(not(target_arch = "nvptx64"))]
use crate::soft;

/// The upper 32 bits, the rest zero.
#[cfg(not(target_arch = "nvptx64"))]
fn upper(x: f64) -> f64 {
    f64::from_bits(x.to_bits() >> 32 << 32)
}

/// Subnormals as zero of their sign.
#[cfg(not(target_arch = "nvptx64"))]
fn ftz(x: f64) -> f64 {
    if x.is_subnormal() { 0.0_f64.copysign(x) } else { x }
}

instructions! {
    isa "Floating Point Instructions", reg64 => reg64;

    /// a + b, rounded to nearest even; never fused with a product, not even by ptxas.
    pub fn add_rn_f64(a: f64, b: f64) -> f64 = "add.rn.f64" => a + b;
    /// a − b, rounded to nearest even; never fused with a product.
    pub fn sub_rn_f64(a: f64, b: f64) -> f64 = "sub.rn.f64" => a - b;
    /// a * b, rounded to nearest even; never fused with a sum.
    pub fn mul_rn_f64(a: f64, b: f64) -> f64 = "mul.rn.f64" => a * b;
    /// a * b + c, rounded once to nearest even.
    pub fn fma_rn_f64(a: f64, b: f64, c: f64) -> f64 = "fma.rn.f64", by core::intrinsics::fmaf64(a, b, c)
        => a.mul_add(b, c);
    /// a / b, rounded to nearest even.
    pub fn div_rn_f64(a: f64, b: f64) -> f64 = "div.rn.f64" => a / b;
    /// 1 / x, rounded to nearest even.
    pub fn rcp_rn_f64(x: f64) -> f64 = "rcp.rn.f64" => 1.0 / x;
    /// 1 / x from the upper 32 bits of x, with 32 bits of result: a start value with a relative error of at most 2^-20; subnormals
    /// flushed.
    pub fn rcp_approx_ftz_f64(x: f64) -> f64 = "rcp.approx.ftz.f64" => upper(ftz(1.0 / ftz(upper(x))));
    /// √x, rounded to nearest even; −0 for −0, NaN below.
    pub fn sqrt_rn_f64(x: f64) -> f64 = "sqrt.rn.f64", by core::intrinsics::sqrtf64(x) => x.sqrt();
    /// 1 / √x with a relative error of at most 2^-51.
    pub fn rsqrt_approx_f64(x: f64) -> f64 = "rsqrt.approx.f64" => 1.0 / x.sqrt();
    /// 1 / √x from the upper 32 bits of x, with 32 bits of result: a start value with a relative error of at most 2^-20;
    /// subnormals flushed.
    pub fn rsqrt_approx_ftz_f64(x: f64) -> f64 = "rsqrt.approx.ftz.f64" => upper(1.0 / ftz(upper(x)).sqrt());
    /// The smaller; of a number and NaN the number; −0 below +0.
    pub fn min_f64(a: f64, b: f64) -> f64 = "min.f64" => soft::min(a, b);
    /// The larger; of a number and NaN the number; −0 below +0.
    pub fn max_f64(a: f64, b: f64) -> f64 = "max.f64" => soft::max(a, b);
    /// |x|.
    pub fn abs_f64(x: f64) -> f64 = "abs.f64", by x.abs() => x.abs();
    /// −x.
    pub fn neg_f64(x: f64) -> f64 = "neg.f64", by -x => -x;
    /// |magnitude| with the sign of `sign`. The operands stand as in PTX, the other way round than `f64::copysign`.
    pub fn copysign_f64(sign: f64, magnitude: f64) -> f64 = "copysign.f64" => magnitude.copysign(sign);
}

instructions! {
    isa "cvt", reg64 => reg64;

    /// ⌊x⌋: the largest integer not above x.
    pub fn floor_f64(x: f64) -> f64 = "cvt.rmi.f64.f64" => x.floor();
    /// ⌈x⌉: the smallest integer not below x.
    pub fn ceil_f64(x: f64) -> f64 = "cvt.rpi.f64.f64" => x.ceil();
    /// x without its fraction.
    pub fn trunc_f64(x: f64) -> f64 = "cvt.rzi.f64.f64" => x.trunc();
    /// The nearest integer, ties to even.
    pub fn rint_f64(x: f64) -> f64 = "cvt.rni.f64.f64" => x.round_ties_even();
}
