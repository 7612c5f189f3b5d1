//! f16 and bf16, one number at a time; pairs are in [`crate::packed`].

use crate::{bf16, f16};

#[cfg(not(target_arch = "nvptx64"))]
use crate::soft::{self, Rounding::Nearest};

/// One operation of two or three halves on the host: exact in f64, then `$finish`, then rounded to the type.
#[cfg(not(target_arch = "nvptx64"))]
mod host {
    use super::*;

    pub(super) fn h(x: f64) -> f16 {
        soft::to_f16(x, Nearest)
    }

    pub(super) fn b(x: f64) -> bf16 {
        soft::to_bf16(x, Nearest)
    }

    pub(super) fn fma(a: impl Into<f64>, b: impl Into<f64>, c: impl Into<f64>) -> f64 {
        soft::fma(a.into(), b.into(), c.into(), Nearest)
    }

    pub(super) fn add(a: impl Into<f64>, b: impl Into<f64>) -> f64 {
        soft::add(a.into(), b.into(), Nearest)
    }

    /// Subnormals of the type as zero of their sign.
    pub(super) fn ftz(x: f16) -> f16 {
        if x.to_bits() & 0x7c00 == 0 { f16::from_bits(x.to_bits() & 0x8000) } else { x }
    }
}

#[cfg(not(target_arch = "nvptx64"))]
use host::{add, b, fma, ftz, h};

instructions! {
    isa "Half Precision Floating Point Instructions", reg16 => reg16;

    /// x + y, rounded to nearest even; never fused with a product.
    pub fn add_rn_f16(x: f16, y: f16) -> f16 = "add.rn.f16" => h(add(x, y));
    /// x − y, rounded to nearest even; never fused with a product.
    pub fn sub_rn_f16(x: f16, y: f16) -> f16 = "sub.rn.f16" => h(add(x, -y));
    /// x * y, rounded to nearest even; never fused with a sum.
    pub fn mul_rn_f16(x: f16, y: f16) -> f16 = "mul.rn.f16" => h(f64::from(x) * f64::from(y));
    /// x + y, clamped to [0, 1].
    pub fn add_rn_sat_f16(x: f16, y: f16) -> f16 = "add.rn.sat.f16" => h(soft::sat(add(x, y)));
    /// x * y, clamped to [0, 1].
    pub fn mul_rn_sat_f16(x: f16, y: f16) -> f16 = "mul.rn.sat.f16" => h(soft::sat(f64::from(x) * f64::from(y)));
    /// x * y + z, rounded once to nearest even.
    pub fn fma_rn_f16(x: f16, y: f16, z: f16) -> f16 = "fma.rn.f16" => h(fma(x, y, z));
    /// x * y + z, rounded once, subnormals flushed.
    pub fn fma_rn_ftz_f16(x: f16, y: f16, z: f16) -> f16 = "fma.rn.ftz.f16"
        => h(soft::flush(fma(ftz(x), ftz(y), ftz(z)), f16::MIN_POSITIVE.into()));
    /// x * y + z, clamped to [0, 1].
    pub fn fma_rn_sat_f16(x: f16, y: f16, z: f16) -> f16 = "fma.rn.sat.f16" => h(soft::sat(fma(x, y, z)));
    /// max(x * y + z, 0), rounded once; NaN stays.
    pub fn fma_rn_relu_f16(x: f16, y: f16, z: f16) -> f16 = "fma.rn.relu.f16" => h(soft::relu(fma(x, y, z)));
    /// |x|.
    pub fn abs_f16(x: f16) -> f16 = "abs.f16" => f16::from_bits(x.to_bits() & 0x7fff);
    /// −x.
    pub fn neg_f16(x: f16) -> f16 = "neg.f16" => -x;
    /// The smaller; of a number and NaN the number; −0 below +0.
    pub fn min_f16(x: f16, y: f16) -> f16 = "min.f16" => h(soft::min(x.into(), y.into()));
    /// The larger; of a number and NaN the number; −0 below +0.
    pub fn max_f16(x: f16, y: f16) -> f16 = "max.f16" => h(soft::max(x.into(), y.into()));
    /// The smaller, NaN where an operand is NaN; −0 below +0.
    pub fn min_nan_f16(x: f16, y: f16) -> f16 = "min.NaN.f16" => h(soft::min_nan(x.into(), y.into()));
    /// The larger, NaN where an operand is NaN; −0 below +0.
    pub fn max_nan_f16(x: f16, y: f16) -> f16 = "max.NaN.f16" => h(soft::max_nan(x.into(), y.into()));
    /// tanh(x) with an absolute error of at most 2^-10.987.
    pub fn tanh_approx_f16(x: f16) -> f16 = "tanh.approx.f16" => h(f64::from(x).tanh());
    /// 2^x with a relative error of at most 2^-9.9, and one subnormal step more where the result is subnormal.
    pub fn ex2_approx_f16(x: f16) -> f16 = "ex2.approx.f16" => h(f64::from(x).exp2());

    /// x * y + z, rounded once to nearest even. With y = 1 it is the sum, with z = −0 the product, and sm_80 has no others.
    pub fn fma_rn_bf16(x: bf16, y: bf16, z: bf16) -> bf16 = "fma.rn.bf16" => b(fma(x, y, z));
    /// max(x * y + z, 0), rounded once; NaN stays.
    pub fn fma_rn_relu_bf16(x: bf16, y: bf16, z: bf16) -> bf16 = "fma.rn.relu.bf16" => b(soft::relu(fma(x, y, z)));
    /// x + y, rounded to nearest even.
    pub fn add_rn_bf16(x: bf16, y: bf16) -> bf16 = "add.rn.bf16", sm 90 => b(add(x, y));
    /// x − y, rounded to nearest even.
    pub fn sub_rn_bf16(x: bf16, y: bf16) -> bf16 = "sub.rn.bf16", sm 90 => b(add(x, -y));
    /// x * y, rounded to nearest even.
    pub fn mul_rn_bf16(x: bf16, y: bf16) -> bf16 = "mul.rn.bf16", sm 90 => b(f64::from(x) * f64::from(y));
    /// |x|.
    pub fn abs_bf16(x: bf16) -> bf16 = "abs.bf16" => bf16::from_bits(x.to_bits() & 0x7fff);
    /// −x.
    pub fn neg_bf16(x: bf16) -> bf16 = "neg.bf16" => -x;
    /// The smaller; of a number and NaN the number; −0 below +0.
    pub fn min_bf16(x: bf16, y: bf16) -> bf16 = "min.bf16" => b(soft::min(x.into(), y.into()));
    /// The larger; of a number and NaN the number; −0 below +0.
    pub fn max_bf16(x: bf16, y: bf16) -> bf16 = "max.bf16" => b(soft::max(x.into(), y.into()));
    /// The smaller, NaN where an operand is NaN; −0 below +0.
    pub fn min_nan_bf16(x: bf16, y: bf16) -> bf16 = "min.NaN.bf16" => b(soft::min_nan(x.into(), y.into()));
    /// The larger, NaN where an operand is NaN; −0 below +0.
    pub fn max_nan_bf16(x: bf16, y: bf16) -> bf16 = "max.NaN.bf16" => b(soft::max_nan(x.into(), y.into()));
    /// tanh(x) with an absolute error of at most 2^-8.
    pub fn tanh_approx_bf16(x: bf16) -> bf16 = "tanh.approx.bf16", sm 90 => b(f64::from(x).tanh());
    /// 2^x with a relative error of at most 2^-7, subnormals flushed.
    pub fn ex2_approx_ftz_bf16(x: bf16) -> bf16 = "ex2.approx.ftz.bf16", sm 90 => b(f64::from(x).exp2());
}
