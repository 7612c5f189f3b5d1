//! da[i] = dy[i] * b[i], db[i] = dy[i] * a[i]
//!
//! Shapes     dy, a, b, da, db: [n], contiguous, of one length; n may be 0
//! Types      f32, f16, bf16; one multiplication each, rounded once to nearest even
//! Launch     blocks of 256, see `gpu_std::rows::map`; any grid covers everything
//! Traffic    5 n size bytes, 2 n flops; two separate products move 6 n size bytes
//! Tolerance  0 ulp against the f64 product, rounded

use gpu_std::rows::map;
use gpu_std::{GridMut, Real, bf16, f16, kernel};

use super::BLOCK;

/// Both gradients of the element-wise product in one pass over `dy`.
#[kernel(block = BLOCK, same_len(dy, a, b, da, db), instances(f32, f16, bf16))]
pub fn hadamard_bwd<T: Real>(dy: &[T], a: &[T], b: &[T], da: GridMut<T>, db: GridMut<T>) {
    map([dy, a, b], [da, db], |[dy, a, b], _| [dy * b, dy * a]);
}
