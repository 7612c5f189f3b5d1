//! Accurate functions of f32: the same bits on the host, in the simulator and on the device, with either back end.
//!
//! They consist of exactly rounded operations alone: sums, products, `fma.rn`, `rcp.rn`, `cvt.rni`, integers; no approximate
//! instruction, no table in local memory, no call. Subnormal numbers are taken and given as they are. Of NaN the payload is not
//! promised.
//!
//! | function | at most, ulp | largest seen | at | seen over |
//! |---|---|---|---|---|
//! | [`exp`] | 0.8 | 0.775 | -87.735466 | all 1e-8 ≤ \|x\| ≤ 105 |
//! | [`exp2`] | 0.8 | 0.787 | -126.48782 | all 1e-8 ≤ \|x\| ≤ 151 |
//! | [`log`] | 0.75 | 0.674 | 0.7011752 | all |
//! | [`log2`] | 0.8 | 0.753 | 1.4000906 | all |
//! | [`tanh`] | 0.8 | 0.773 | 0.5433164 | all \|x\| from 1e-4 to 10 |
//! | [`sigmoid`] | 0.8 | 0.775 | -87.735466 | all 1e-8 ≤ \|x\| ≤ 105 |
//! | [`sin`] | 0.8 | 0.758 | 102344.45 | all \|x\| from 1e-4 |
//! | [`cos`] | 0.8 | 0.754 | 275274.94 | all \|x\| from 1e-4 |
//! | [`erf`] | 1.2 | 1.115 | 1.0134889 | all \|x\| from 1e-4 to 4 |
//! | [`pow`] | 0.85 | 0.785 | 5.6543053e-32, 1.2190082 | 2^25 pairs |
//!
//! An ulp is the last place of the f32 nearest to the exact value, at least 2^-149; the exact value is that of f64. Outside of
//! the sizes in the last column results are constant, or the argument, or a constant times it, and are swept as well; negative
//! arguments of odd and even functions give the bits of the positive ones. The numbers come from
//! `cargo run --release -p tests --example ulp -- exhaustive`; `tests/accurate.rs` sweeps densely and compares the bits of host,
//! simulator and GPU.
//!
//! Where the constants come from: `coefficients.py` beside this file prints them all. Polynomials are minimax fits by Remez'
//! exchange in 90 digits, weighted so that the error is relative to the result, their coefficients rounded to f32; each
//! constant's text gives the error that is left. Longer constants are sums of f32.
//!
//! On a host whose target has no `fma` every fused operation is a call. With `-C target-feature=+fma,+avx2`, or in a function
//! with `#[target_feature(enable = "fma,avx2")]`, loops over all of them but [`sin`] and [`cos`] are vectorised.
//!
//! ```
//! use gpu_std::math::{exp, log, pow};
//!
//! assert_eq!((exp(0.0), log(1.0), pow(-2.0, 3.0)), (1.0, 0.0, -8.0));
//! ```

mod erf;
mod exp;
mod hyperbolic;
mod log;
mod parts;
mod power;
mod trig;

pub use self::erf::erf;
pub use self::exp::{exp, exp2, sigmoid};
pub use self::hyperbolic::tanh;
pub use self::log::{log, log2};
pub use self::power::pow;
pub use self::trig::{cos, sin};

#[cfg(test)]
mod tests;
