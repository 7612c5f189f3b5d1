//! The words of a tensor map: types, swizzles, fills, promotions.

use crate::{DeviceRepr, bf16, f16};

/// How a copy reads the elements; `CUtensorMapDataType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the type of that name")]
pub enum TensorType {
    U8,
    U16,
    U32,
    I32,
    U64,
    I64,
    F16,
    F32,
    F64,
    Bf16,
    /// `f32`; reductions take subnormal numbers as zeros, loads leave them as they are (seen on an H200).
    F32Ftz,
    /// `f32`, rounded to what matrix instructions use of it.
    Tf32,
    /// The same; reductions take subnormal numbers as zeros.
    Tf32Ftz,
}

impl TensorType {
    /// Bytes of an element.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::F16 | Self::Bf16 => 2,
            Self::U32 | Self::I32 | Self::F32 | Self::F32Ftz | Self::Tf32 | Self::Tf32Ftz => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Whether elements are floating-point numbers.
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Self::F16 | Self::F32 | Self::F64 | Self::Bf16 | Self::F32Ftz | Self::Tf32 | Self::Tf32Ftz
        )
    }
}

/// Elements that a tensor map can describe.
///
/// # Safety
/// `TYPE` has the size of `Self`.
pub unsafe trait TensorElement: DeviceRepr {
    /// How copies read them, unless [`TensorTiles::with_type`](super::TensorTiles::with_type) says otherwise.
    const TYPE: TensorType;
}

macro_rules! tensor_elements {
    ($($ty:ty = $name:ident;)*) => {$(
        // SAFETY: compared below.
        unsafe impl TensorElement for $ty {
            const TYPE: TensorType = TensorType::$name;
        }
        const _: () = assert!(TensorType::$name.bytes() == size_of::<$ty>() as u64);
    )*};
}

// Copies move bits: there is no type for signed bytes and halves because nothing would be different.
tensor_elements! {
    u8 = U8; i8 = U8; u16 = U16; i16 = U16; u32 = U32; i32 = I32; u64 = U64; i64 = I64;
    f16 = F16; bf16 = Bf16; f32 = F32; f64 = F64;
}

/// How the rows of the box lie in shared memory; `CUtensorMapSwizzle`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TensorSwizzle {
    /// One after the other.
    #[default]
    None,
    /// 16-byte pieces exchanged within 32 bytes; a row has at most 32.
    B32,
    /// The same within 64 bytes.
    B64,
    /// The same within 128 bytes.
    B128,
}

impl TensorSwizzle {
    /// The most bytes that a row of the box may have; `None` for no limit.
    pub const fn span(self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::B32 => Some(32),
            Self::B64 => Some(64),
            Self::B128 => Some(128),
        }
    }
}

/// What arrives for elements outside the tensor; `CUtensorMapFloatOOBfill`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TensorFill {
    /// Zeros.
    #[default]
    Zero,
    /// The NaN that `fma` with `.oob` takes as zero; for floating-point elements alone.
    Nan,
}

/// How much a copy brings into the L2 cache at once; `CUtensorMapL2promotion`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is that number of bytes")]
pub enum TensorPromotion {
    #[default]
    None,
    B64,
    B128,
    B256,
}
