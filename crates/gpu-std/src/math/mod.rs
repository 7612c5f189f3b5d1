//! Arithmetic on f32, f64, f16 and bf16 under the instructions' own names.
//!
//! Names are the PTX opcode with `_` for `.`: `fma.rn.f32` is [`fma_rn_f32`]. `rn`, `rz`, `rm`, `rp` round to nearest
//! even, towards zero, down and up; `ftz` takes and gives subnormals as zero of their sign; `sat` clamps the result to
//! \[0, 1\] (NaN becomes 0); `relu` makes negative results 0; `nan` gives NaN where an operand is NaN, where the plain
//! form gives the other operand. Plain `+ - * /` on f32 and f64 are `add.rn`, `sub.rn`, `mul.rn` and `div.rn`.
//!
//! On the host every function gives the same result, except `approx`, `full` and `tanh`: there the host gives the
//! correctly rounded value or close to it, the device one within the error the text names. NaN payloads are not promised.
//!
//! [`accurate`] holds `exp`, `log`, `sin` and so on, which are no instructions: the same bits on host and device.

pub mod accurate;
mod double;
mod half;
mod single;

#[doc(no_inline)]
pub use accurate::{cos, erf, exp, exp2, log, log2, pow, sigmoid, sin, tanh};
pub use double::*;
pub use half::*;
pub use single::*;

#[cfg(test)]
mod tests;
