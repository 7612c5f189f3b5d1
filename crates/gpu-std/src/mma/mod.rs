//! Products of matrices by a warp, on the tensor cores: `mma.sync`, `ldmatrix`, `stmatrix`.
//!
//! D = A·B + C, with A of M × K elements, B of K × N, C and D of M × N. The matrices lie in the registers of the 32 lanes, as
//! fragments: [`FragA`], [`FragB`], [`FragC`]. A fragment type knows which lane holds which element: `element(lane, index)`, and
//! `place(row, column)` the other way round, pure functions that host tests use too.
//!
//! | instruction | A, B | C, D | function |
//! |---|---|---|---|
//! | `m16n8k32` | `i8` or `u8`, each on its own | `i32` | [`mma_sync`], [`mma_sync_m16n8k32_s32_s8_s8`] and its kin |
//! | `m16n8k16` | [`f16`](crate::f16) or [`bf16`](crate::bf16) | `f32` | [`mma_sync`], [`mma_sync_m16n8k16_f32_f16`], [`mma_sync_m16n8k16_f32_bf16`] |
//! | `m16n8k8` | [`tf32`] | `f32` | [`mma_sync`], [`mma_sync_m16n8k8_f32_tf32`] |
//!
//! A row of A and a column of B are 32 bytes, so A has four registers of 32 bits, B two.
//!
//! ```
//! use gpu_std::mma::{FragA, FragB, FragC};
//! # unsafe fn warp(row_of_a: *const i8, row_of_b: *const i8, c: FragC<i32, 16, 8>) -> FragC<i32, 16, 8> {
//! // Each lane gives the address of one row of 16 bytes in shared memory: that of `FragA::ldmatrix_row(lane)`.
//! let a = unsafe { FragA::<i8, 16, 32>::ldmatrix(row_of_a) };
//! let b = unsafe { FragB::<i8, 8, 32>::ldmatrix(row_of_b) };
//! unsafe { gpu_std::mma::mma_sync(a, b, c) }
//! # }
//! assert_eq!(FragA::<i8, 16, 32>::ldmatrix_row(17), (1, 16));
//! assert_eq!(FragA::<i8, 16, 32>::element(5, 2), (1, 6));
//! ```
//!
//! Other tiles, and other pairs of types, do not compile:
//!
//! ```compile_fail
//! let a = gpu_std::mma::FragA::<i8, 16, 16>::from_registers([0; 4]);
//! ```
//!
//! ```compile_fail
//! use gpu_std::{bf16, f16};
//! # use gpu_std::mma::{FragA, FragB, FragC, mma_sync};
//! # let (a, b) = (FragA::<f16, 16, 16>::from_registers([0; 4]), FragB::<bf16, 8, 16>::from_registers([0; 2]));
//! unsafe { mma_sync(a, b, FragC::filled(0.0)) };
//! ```
//!
//! On the host the instructions panic with their name; [`mma_warp_cpu`] multiplies the fragments of a whole warp there.

#[cfg(not(target_arch = "nvptx64"))]
mod cpu;
mod element;
mod fragment;
mod layout;
mod matrix;
mod sync;
#[cfg(test)]
mod tests;

#[cfg(not(target_arch = "nvptx64"))]
pub use cpu::mma_warp_cpu;
pub use element::{MmaElement, tf32};
pub use fragment::{FragA, FragB, FragC};
pub use layout::{matrix_element, matrix_element_trans, matrix_row};
pub use matrix::{
    ldmatrix_x1, ldmatrix_x1_trans, ldmatrix_x2, ldmatrix_x2_trans, ldmatrix_x4, ldmatrix_x4_trans,
    stmatrix_x1, stmatrix_x1_trans, stmatrix_x2, stmatrix_x2_trans, stmatrix_x4, stmatrix_x4_trans,
};
pub use sync::{
    MmaWith, mma_sync, mma_sync_m16n8k8_f32_tf32, mma_sync_m16n8k16_f32_bf16, mma_sync_m16n8k16_f32_f16,
    mma_sync_m16n8k32_s32_s8_s8, mma_sync_m16n8k32_s32_s8_u8, mma_sync_m16n8k32_s32_u8_s8,
    mma_sync_m16n8k32_s32_u8_u8, mma_sync_m16n8k32_satfinite_s32_s8_s8,
    mma_sync_m16n8k32_satfinite_s32_s8_u8, mma_sync_m16n8k32_satfinite_s32_u8_s8,
    mma_sync_m16n8k32_satfinite_s32_u8_u8,
};
