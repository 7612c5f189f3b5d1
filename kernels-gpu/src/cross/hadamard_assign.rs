//! y[i] = y[i] * b[i]
//!
//! Shapes     b, y: [n], contiguous, of one length; n may be 0
//! Types      f32, f16, bf16; one multiplication, rounded once to nearest even
//! Launch     blocks of 256, see `gpu_std::rows::map`; any grid covers everything
//! Traffic    3 n size bytes, n flops
//! Tolerance  0 ulp against the f64 product, rounded

use gpu_std::rows::map;
use gpu_std::{GridMut, Real, bf16, f16, kernel};

use super::BLOCK;

/// The element-wise product, in place: a `&[T]` is never written in the launch that reads it, so this is an entry of its
/// own.
#[kernel(block = BLOCK, same_len(b, y), instances(f32, f16, bf16))]
pub fn hadamard_assign<T: Real>(b: &[T], y: GridMut<T>) {
    map([b], [y], |[b], [y]| [y * b]);
}
