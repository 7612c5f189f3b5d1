//! Naive references: plain loops in `f64`, each result rounded to its type once. Where the order of roundings is part of
//! what is promised, the reference has that order: [`dtw`].
//!
//! They share no arithmetic with the kernels or with the CPU twins: [`round`] does its own rounding.

pub mod cross;
pub mod dtw;
pub mod embedding;
pub mod matmul;
pub mod quantize;
pub mod round;
