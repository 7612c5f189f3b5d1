//! Naive references: plain loops in `f64`, each result rounded to its type once.
//!
//! They share no arithmetic with the kernels or with the CPU twins: [`round`] does its own rounding.

pub mod cross;
pub mod round;
