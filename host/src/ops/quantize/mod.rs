//! Quantizers: floats become integer codes with a scale, and a zero point where asked for.
//!
//! [`quantize_rows`] and [`quantize_rows_i16`] find the scale of each row, [`quantize_affine`] takes one that is given,
//! [`hadamard_quantize`] quantizes products without storing them. The arithmetic is that of `kernels_gpu::quantize::steps` and
//! `kernels_gpu::quantize::affine`, the same bits on every back end.

mod affine;
mod config;
mod error;
mod host_call;
mod kernels;
mod op;
mod rows;

pub use affine::{Affine, CodeType, quantize_affine};
pub use error::QuantizeError;
pub use host_call::{
    OnNonFinite, QuantizedPlanes, QuantizedRows, hadamard_quantize_on, quantize_affine_on,
    quantize_rows_i16_on, quantize_rows_on,
};
pub use kernels::Quantizable;
pub use op::{AffineOp, OPS, ProductOp, RowsOp, WideOp};
pub use rows::{NonFinite, RowSteps, hadamard_quantize, quantize_rows, quantize_rows_i16};
