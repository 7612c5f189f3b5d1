//! How far a tensor core's sum of products may be from the true one.
//!
//! The ISA leaves the accumulation of `mma` in floating point open: "at least single precision", no order, no rounding
//! mode. What tensor cores do was measured by others (Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor
//! cores", 2021): products are exact; in a step, the products of some neighbours along k and the sum so far are shifted to the
//! exponent of the largest of them, what falls below 24 bits (or a few more) is cut off, and their sum is cut off to f32. So
//! each addend, and each step, loses less than 2^-23 of the largest value around, which is at most the sum of the
//! magnitudes. Steps have at least four products. With k products in k/4 steps that are k + k/4 addends and k/4 sums.

use ptx_parse::ast::Instruction;

use super::find;

/// The largest error of an `mma` with f32 sums.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatrixBound {
    /// Products in a sum.
    pub k: u32,
}

/// The bound of an `mma` with f32 sums; `None` for other instructions, integer products too, which are exact.
#[must_use]
pub fn matrix_bound(instruction: &Instruction) -> Option<MatrixBound> {
    let form = find(instruction)?;
    (!form.a.is_integer()).then(|| MatrixBound { k: form.k() as u32 })
}

impl MatrixBound {
    /// The largest difference between a result and the true value, where `magnitudes` is the sum of the magnitudes of the
    /// products and of the element of C. An f32 has no bits below 2^-149.
    #[must_use]
    pub fn tolerance(&self, magnitudes: f64) -> f64 {
        let cuts = f64::from(self.k + self.k / 2);
        cuts * (-23_f64).exp2() * magnitudes + (-149_f64).exp2()
    }

    /// Whether `got` may be the result where the true value is `exact`, infinite or NaN where a term is. The sign of a zero is
    /// open. A sum that the tolerance takes past the largest f32 may be infinite.
    #[must_use]
    pub fn allows(&self, exact: f64, magnitudes: f64, got: f32) -> bool {
        if exact.is_nan() || got.is_nan() {
            return exact.is_nan() && got.is_nan();
        }
        if exact.is_infinite() {
            return f64::from(got) == exact;
        }
        let tolerance = self.tolerance(magnitudes);
        if got.is_infinite() {
            let past = exact * f64::from(got.signum()) + tolerance;
            return past >= f64::from(f32::MAX);
        }
        (f64::from(got) - exact).abs() <= tolerance
    }
}
