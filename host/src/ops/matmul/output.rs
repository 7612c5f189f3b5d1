//! Types that products are stored in.

use gpu_std::launch::TensorElement;
use gpu_std::{bf16, f16};

use crate::cpu::matmul::Narrow;
use crate::ops::DType;
use crate::reference::matmul::Stored;
use crate::validate::Comparable;

/// A type that a product is stored in.
pub trait Output: Comparable + Narrow + Stored + TensorElement {
    /// It as a value.
    const DTYPE: DType;
}

macro_rules! output {
    ($($ty:ty: $dtype:ident;)*) => {$(
        impl Output for $ty {
            const DTYPE: DType = DType::$dtype;
        }
    )*};
}
output! { f16: F16; bf16: Bf16; f32: F32; i8: I8; i32: I32; i64: I64; }
