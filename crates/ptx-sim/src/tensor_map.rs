//! Tensor maps: what `cp.async.bulk.tensor` knows of a tensor in global memory, and the box it copies at once.
//!
//! The driver's encoding of `CUtensorMap` is not published; the simulator has one of its own, of the same 128 bytes, which a
//! kernel gets as a parameter and only hands on. The limits are those of `cuTensorMapEncodeTiled` (CUDA Driver API, "Tensor Map
//! Object Management") without interleaving.

use std::fmt;

use thiserror::Error;

/// The type of the elements, as `CUtensorMapDataType` has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the type of that name")]
pub enum TensorElement {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F64,
    Bf16,
    /// `f32`; reductions take subnormal numbers as zeros.
    F32Ftz,
    /// `f32` of which the matrix instructions use 19 bits.
    Tf32,
    /// The same; reductions take subnormal numbers as zeros.
    Tf32Ftz,
}

impl TensorElement {
    const ALL: [Self; 13] = [
        Self::U8,
        Self::U16,
        Self::U32,
        Self::S32,
        Self::U64,
        Self::S64,
        Self::F16,
        Self::F32,
        Self::F64,
        Self::Bf16,
        Self::F32Ftz,
        Self::Tf32,
        Self::Tf32Ftz,
    ];

    /// Bytes of one element.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::F16 | Self::Bf16 => 2,
            Self::U32 | Self::S32 | Self::F32 | Self::F32Ftz | Self::Tf32 | Self::Tf32Ftz => 4,
            Self::U64 | Self::S64 | Self::F64 => 8,
        }
    }

    /// Whether elements are floating-point numbers.
    #[must_use]
    pub const fn is_float(self) -> bool {
        !matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::S32 | Self::U64 | Self::S64)
    }
}

/// How rows of the box lie in shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TensorSwizzle {
    /// One after the other.
    #[default]
    None,
    /// Pieces of 16 bytes exchanged within 32 bytes.
    B32,
    /// The same within 64 bytes.
    B64,
    /// The same within 128 bytes.
    B128,
}

impl TensorSwizzle {
    const ALL: [Self; 4] = [Self::None, Self::B32, Self::B64, Self::B128];

    /// The bytes within which it exchanges: the most that a row of the box may have. `None` for no swizzle.
    #[must_use]
    pub const fn span(self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::B32 => Some(32),
            Self::B64 => Some(64),
            Self::B128 => Some(128),
        }
    }
}

/// What a load puts in the place of elements outside the tensor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TensorFill {
    /// Zeros.
    #[default]
    Zero,
    /// The NaN that a fused multiply-add takes as zero; for floating-point elements only.
    Nan,
}

/// How many bytes of the L2 cache a load fetches at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is that number of bytes")]
pub enum TensorPromotion {
    #[default]
    None,
    B64,
    B128,
    B256,
}

impl TensorPromotion {
    const ALL: [Self; 4] = [Self::None, Self::B64, Self::B128, Self::B256];
}

/// A tensor and its box, innermost dimension first; the arguments of `cuTensorMapEncodeTiled`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorSpec {
    /// Type of the elements.
    pub element: TensorElement,
    /// Address of the first element in global memory.
    pub address: u64,
    /// Elements along each dimension.
    pub dims: Vec<u64>,
    /// Bytes from one element to the next along each dimension but the innermost, whose elements lie side by side.
    pub strides: Vec<u64>,
    /// Elements of the box along each dimension, those that element strides skip included.
    pub box_dims: Vec<u32>,
    /// Every how many elements of the box one is copied, along each dimension; the innermost is ignored.
    pub element_strides: Vec<u32>,
    /// How the box lies in shared memory.
    pub swizzle: TensorSwizzle,
    /// What is outside the tensor.
    pub fill: TensorFill,
    /// A hint without effect in the simulator.
    pub promotion: TensorPromotion,
}

impl TensorSpec {
    /// A tensor without gaps of which every element of the box is copied, zeros outside, no swizzle.
    #[must_use]
    pub fn packed(element: TensorElement, address: u64, dims: &[u64], box_dims: &[u32]) -> Self {
        let mut bytes = u64::from(element.bytes());
        let mut strides = Vec::new();
        for &dim in dims.iter().take(dims.len().saturating_sub(1)) {
            bytes = bytes.saturating_mul(dim);
            strides.push(bytes);
        }
        Self {
            element,
            address,
            dims: dims.to_vec(),
            strides,
            box_dims: box_dims.to_vec(),
            element_strides: vec![1; dims.len()],
            swizzle: TensorSwizzle::None,
            fill: TensorFill::Zero,
            promotion: TensorPromotion::None,
        }
    }
}

/// Which of the lists of a [`TensorSpec`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the field of that name")]
pub enum TensorList {
    Dims,
    Strides,
    BoxDims,
    ElementStrides,
}

impl fmt::Display for TensorList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dims => "dims",
            Self::Strides => "strides",
            Self::BoxDims => "box_dims",
            Self::ElementStrides => "element_strides",
        })
    }
}

/// What `cuTensorMapEncodeTiled` refuses.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum TensorMapError {
    #[error("a tensor of {rank} dimensions; 1 to 5 are possible")]
    Rank { rank: usize },
    #[error("{list} has {got} numbers; a tensor of this rank needs {want}")]
    Length { list: TensorList, got: usize, want: usize },
    #[error("address {address:#x} is no multiple of 16")]
    Address { address: u64 },
    #[error("{list}[{index}] is {value}; it must be {min} to {max}")]
    Range { list: TensorList, index: usize, value: u64, min: u64, max: u64 },
    #[error("strides[{index}] is {value} bytes, no multiple of 16")]
    StrideMultiple { index: usize, value: u64 },
    #[error("a row of the box has {bytes} bytes, no multiple of 16")]
    RowMultiple { bytes: u32 },
    #[error("a row of the box has {bytes} bytes; the swizzle takes at most {span}")]
    RowOverSwizzle { bytes: u32, span: u32 },
    #[error("NaN outside a tensor of {element:?}, which is no floating-point type")]
    NanFill { element: TensorElement },
}

/// A tensor map: a [`TensorSpec`] within the limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorMap(TensorSpec);

/// The first eight bytes of the encoding.
const MAGIC: [u8; 8] = *b"PTXSIMtm";
/// Most dimensions.
const MAX_RANK: usize = 5;
const MAX_DIM: u64 = 1 << 32;
const MAX_STRIDE: u64 = (1 << 40) - 16;
const MAX_BOX: u64 = 256;
const MAX_ELEMENT_STRIDE: u64 = 8;

impl TensorMap {
    /// Bytes of a map.
    pub const BYTES: usize = 128;
    /// The alignment in bytes that it must have in memory.
    pub const ALIGN: u64 = 64;

    /// The map of a tensor.
    ///
    /// # Errors
    /// What `cuTensorMapEncodeTiled` would refuse.
    pub fn new(spec: TensorSpec) -> Result<Self, TensorMapError> {
        check(&spec)?;
        Ok(Self(spec))
    }

    /// The tensor and its box.
    #[must_use]
    pub fn spec(&self) -> &TensorSpec {
        &self.0
    }

    /// Number of dimensions.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.0.dims.len()
    }

    /// The map as the bytes of a kernel parameter.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let spec = &self.0;
        let place = |at: Option<usize>| at.unwrap_or_default() as u8;
        let mut bytes = MAGIC.to_vec();
        bytes.extend([
            place(TensorElement::ALL.iter().position(|e| *e == spec.element)),
            spec.dims.len() as u8,
            place(TensorSwizzle::ALL.iter().position(|s| *s == spec.swizzle)),
            u8::from(spec.fill == TensorFill::Nan),
            place(TensorPromotion::ALL.iter().position(|p| *p == spec.promotion)),
        ]);
        bytes.extend(spec.address.to_le_bytes());
        // 2^32 elements are the most, which `dim - 1` holds in 32 bits.
        bytes.extend(spec.dims.iter().flat_map(|dim| ((dim - 1) as u32).to_le_bytes()));
        bytes.extend(spec.strides.iter().flat_map(|stride| stride.to_le_bytes()));
        bytes.extend(spec.box_dims.iter().flat_map(|dim| (*dim as u16).to_le_bytes()));
        bytes.extend(spec.element_strides.iter().map(|stride| *stride as u8));
        let mut out = [0; Self::BYTES];
        out[..bytes.len()].copy_from_slice(&bytes);
        out
    }

    /// The map in these bytes; `None` if [`to_bytes`](Self::to_bytes) has not written them.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let mut rest = Reader(bytes);
        if rest.take::<8>()? != MAGIC {
            return None;
        }
        let [element, rank, swizzle, fill, promotion] = rest.take::<5>()?.map(usize::from);
        if !(1..=MAX_RANK).contains(&rank) {
            return None;
        }
        let spec = TensorSpec {
            element: *TensorElement::ALL.get(element)?,
            address: u64::from_le_bytes(rest.take()?),
            dims: rest.list(rank, |dim| u64::from(u32::from_le_bytes(dim)) + 1)?,
            strides: rest.list(rank - 1, u64::from_le_bytes)?,
            box_dims: rest.list(rank, |dim| u32::from(u16::from_le_bytes(dim)))?,
            element_strides: rest.list(rank, |[stride]| u32::from(stride))?,
            swizzle: *TensorSwizzle::ALL.get(swizzle)?,
            fill: *[TensorFill::Zero, TensorFill::Nan].get(fill)?,
            promotion: *TensorPromotion::ALL.get(promotion)?,
        };
        if rest.0.iter().any(|byte| *byte != 0) {
            return None;
        }
        Self::new(spec).ok()
    }
}

/// What is left of the bytes.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn list<T, const N: usize>(&mut self, len: usize, read: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
        (0..len).map(|_| self.take().map(&read)).collect()
    }
}

fn check(spec: &TensorSpec) -> Result<(), TensorMapError> {
    let rank = spec.dims.len();
    if !(1..=MAX_RANK).contains(&rank) {
        return Err(TensorMapError::Rank { rank });
    }
    for (list, got, want) in [
        (TensorList::Strides, spec.strides.len(), rank - 1),
        (TensorList::BoxDims, spec.box_dims.len(), rank),
        (TensorList::ElementStrides, spec.element_strides.len(), rank),
    ] {
        if got != want {
            return Err(TensorMapError::Length { list, got, want });
        }
    }
    if !spec.address.is_multiple_of(16) {
        return Err(TensorMapError::Address { address: spec.address });
    }
    let wide = |list: &[u32]| -> Vec<u64> { list.iter().copied().map(u64::from).collect() };
    in_range(TensorList::Dims, &spec.dims, 1, MAX_DIM)?;
    in_range(TensorList::Strides, &spec.strides, 0, MAX_STRIDE)?;
    in_range(TensorList::BoxDims, &wide(&spec.box_dims), 1, MAX_BOX)?;
    in_range(TensorList::ElementStrides, &wide(&spec.element_strides), 1, MAX_ELEMENT_STRIDE)?;
    let odd = spec.strides.iter().enumerate().find(|(_, stride)| !stride.is_multiple_of(16));
    if let Some((index, &value)) = odd {
        return Err(TensorMapError::StrideMultiple { index, value });
    }
    check_row(spec)
}

fn in_range(list: TensorList, values: &[u64], min: u64, max: u64) -> Result<(), TensorMapError> {
    match values.iter().enumerate().find(|(_, value)| !(min..=max).contains(value)) {
        Some((index, &value)) => Err(TensorMapError::Range { list, index, value, min, max }),
        None => Ok(()),
    }
}

fn check_row(spec: &TensorSpec) -> Result<(), TensorMapError> {
    let bytes = spec.box_dims[0] * spec.element.bytes();
    if !bytes.is_multiple_of(16) {
        return Err(TensorMapError::RowMultiple { bytes });
    }
    if let Some(span) = spec.swizzle.span().filter(|span| bytes > *span) {
        return Err(TensorMapError::RowOverSwizzle { bytes, span });
    }
    if spec.fill == TensorFill::Nan && !spec.element.is_float() {
        return Err(TensorMapError::NanFill { element: spec.element });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
