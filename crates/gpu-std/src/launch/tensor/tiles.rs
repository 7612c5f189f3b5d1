//! Tensors and boxes, checked.

use super::{
    TensorElement, TensorFill, TensorList, TensorMapError, TensorPromotion, TensorSwizzle, TensorType,
};
use crate::launch::ContractError;

/// Most dimensions of a tensor.
pub const MAX_TENSOR_RANK: usize = 5;
/// Most elements along a dimension.
const MAX_DIM: u64 = 1 << 32;
/// Longest stride in bytes: below 2^40, and a multiple of 16.
const MAX_STRIDE: u64 = (1 << 40) - 16;
/// Most elements of the box along a dimension.
const MAX_BOX: u64 = 256;
const MAX_ELEMENT_STRIDE: u64 = 8;
/// What addresses, strides and rows of the box are multiples of, in bytes.
pub(super) const GRANULE: u64 = 16;

/// The numbers of one list, at most as many as a tensor has dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct List<T> {
    values: [T; MAX_TENSOR_RANK],
    len: usize,
}

impl<T: Copy + Default> List<T> {
    fn new(list: TensorList, values: &[T], want: usize) -> Result<Self, TensorMapError> {
        if values.len() != want || want > MAX_TENSOR_RANK {
            return Err(TensorMapError::Length { list, got: values.len(), want });
        }
        let mut all = [T::default(); MAX_TENSOR_RANK];
        all[..want].copy_from_slice(values);
        Ok(Self { values: all, len: want })
    }

    fn as_slice(&self) -> &[T] {
        &self.values[..self.len]
    }
}

/// The shape of a tensor and of the box that one copy moves; together with a view of memory, a [`TensorMapDesc`](super::TensorMapDesc).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorTiles {
    dims: List<u64>,
    strides: Option<List<u64>>,
    box_dims: List<u32>,
    element_strides: List<u32>,
    ty: Option<TensorType>,
    swizzle: TensorSwizzle,
    fill: TensorFill,
    promotion: TensorPromotion,
}

impl TensorTiles {
    /// A tensor of `dims` elements without gaps, copied in boxes of `box_dims` elements.
    ///
    /// # Errors
    /// [`ContractError::TensorMap`]: 1 to 5 dimensions of 1 to 2^32 elements, a box of 1 to 256 along each.
    pub fn new(dims: &[u64], box_dims: &[u32]) -> Result<Self, ContractError> {
        let rank = dims.len();
        if !(1..=MAX_TENSOR_RANK).contains(&rank) {
            return Err(TensorMapError::Rank { rank }.into());
        }
        let tiles = Self {
            dims: List::new(TensorList::Dims, dims, rank)?,
            strides: None,
            box_dims: List::new(TensorList::BoxDims, box_dims, rank)?,
            element_strides: List { values: [1; MAX_TENSOR_RANK], len: rank },
            ty: None,
            swizzle: TensorSwizzle::None,
            fill: TensorFill::Zero,
            promotion: TensorPromotion::None,
        };
        in_range(TensorList::Dims, dims.iter().copied(), 1, MAX_DIM)?;
        in_range(TensorList::BoxDims, box_dims.iter().copied().map(u64::from), 1, MAX_BOX)?;
        Ok(tiles)
    }

    /// The same with `bytes` from one element to the next along each dimension but the innermost.
    ///
    /// # Errors
    /// [`ContractError::TensorMap`]: one less than dimensions, multiples of 16 below 2^40.
    pub fn with_strides(mut self, bytes: &[u64]) -> Result<Self, ContractError> {
        check_strides(bytes)?;
        self.strides = Some(List::new(TensorList::Strides, bytes, self.rank() - 1)?);
        Ok(self)
    }

    /// The same with every `strides[i]`-th element of the box copied; the innermost is ignored.
    ///
    /// # Errors
    /// [`ContractError::TensorMap`]: as many as dimensions, 1 to 8 each.
    pub fn with_element_strides(mut self, strides: &[u32]) -> Result<Self, ContractError> {
        let wide = strides.iter().copied().map(u64::from);
        in_range(TensorList::ElementStrides, wide, 1, MAX_ELEMENT_STRIDE)?;
        self.element_strides = List::new(TensorList::ElementStrides, strides, self.rank())?;
        Ok(self)
    }

    /// The same with elements read as `ty`, which has the view's element size.
    pub const fn with_type(mut self, ty: TensorType) -> Self {
        self.ty = Some(ty);
        self
    }

    /// The same with the box swizzled in shared memory.
    pub const fn with_swizzle(mut self, swizzle: TensorSwizzle) -> Self {
        self.swizzle = swizzle;
        self
    }

    /// The same with `fill` for elements outside the tensor.
    pub const fn with_fill(mut self, fill: TensorFill) -> Self {
        self.fill = fill;
        self
    }

    /// The same with `promotion` in the L2 cache.
    pub const fn with_promotion(mut self, promotion: TensorPromotion) -> Self {
        self.promotion = promotion;
        self
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.dims.len
    }

    /// Checks what needs the elements and where they lie, and fills in what was left open.
    pub(super) fn over<T: TensorElement>(self, addr: u64, len: u64) -> Result<TensorShape, TensorMapError> {
        let ty = self.ty.unwrap_or(T::TYPE);
        if ty.bytes() != size_of::<T>() as u64 {
            return Err(TensorMapError::TypeSize { ty, bytes: size_of::<T>() });
        }
        let strides = match self.strides {
            Some(strides) => strides,
            None => self.packed(ty.bytes())?,
        };
        let row = u64::from(self.box_dims.values[0]) * ty.bytes();
        if !addr.is_multiple_of(GRANULE) {
            return Err(TensorMapError::Address { addr });
        }
        if !row.is_multiple_of(GRANULE) {
            return Err(TensorMapError::Row { bytes: row });
        }
        if let Some(span) = self.swizzle.span().filter(|span| row > *span) {
            return Err(TensorMapError::RowOverSwizzle { bytes: row, span });
        }
        if self.fill == TensorFill::Nan && !ty.is_float() {
            return Err(TensorMapError::NanFill { ty });
        }
        let shape = TensorShape { tiles: Self { strides: Some(strides), ..self }, ty };
        let (bytes, view_bytes) = (shape.bytes(), len.saturating_mul(size_of::<T>() as u64));
        if bytes > view_bytes {
            return Err(TensorMapError::Extent { bytes, view_bytes });
        }
        Ok(shape)
    }

    /// The strides of a tensor without gaps.
    fn packed(&self, element: u64) -> Result<List<u64>, TensorMapError> {
        let mut list = List { values: [0; MAX_TENSOR_RANK], len: self.rank() - 1 };
        let mut bytes = element;
        for (stride, dim) in list.values.iter_mut().zip(self.dims.as_slice()).take(list.len) {
            bytes = bytes.saturating_mul(*dim);
            *stride = bytes;
        }
        check_strides(list.as_slice())?;
        Ok(list)
    }
}

fn check_strides(strides: &[u64]) -> Result<(), TensorMapError> {
    in_range(TensorList::Strides, strides.iter().copied(), 0, MAX_STRIDE)?;
    match strides.iter().position(|bytes| !bytes.is_multiple_of(GRANULE)) {
        Some(index) => Err(TensorMapError::Stride { index, bytes: strides[index] }),
        None => Ok(()),
    }
}

fn in_range(
    list: TensorList,
    values: impl Iterator<Item = u64>,
    min: u64,
    max: u64,
) -> Result<(), TensorMapError> {
    match values.enumerate().find(|(_, value)| !(min..=max).contains(value)) {
        Some((index, value)) => Err(TensorMapError::Range { list, index, value, min, max }),
        None => Ok(()),
    }
}

/// [`TensorTiles`] that have been checked against elements and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorShape {
    tiles: TensorTiles,
    ty: TensorType,
}

impl TensorShape {
    /// How elements are read.
    pub fn ty(&self) -> TensorType {
        self.ty
    }

    /// Elements along each dimension.
    pub fn dims(&self) -> &[u64] {
        self.tiles.dims.as_slice()
    }

    /// Bytes between elements along each dimension but the innermost.
    pub fn strides(&self) -> &[u64] {
        self.tiles.strides.as_ref().map_or(&[], List::as_slice)
    }

    /// Elements of the box along each dimension.
    pub fn box_dims(&self) -> &[u32] {
        self.tiles.box_dims.as_slice()
    }

    /// Every how many elements of the box one is copied.
    pub fn element_strides(&self) -> &[u32] {
        self.tiles.element_strides.as_slice()
    }

    /// How the box lies in shared memory.
    pub fn swizzle(&self) -> TensorSwizzle {
        self.tiles.swizzle
    }

    /// What arrives for elements outside.
    pub fn fill(&self) -> TensorFill {
        self.tiles.fill
    }

    /// How much comes into the L2 cache.
    pub fn promotion(&self) -> TensorPromotion {
        self.tiles.promotion
    }

    /// Bytes from the first element to the end of the last, `u64::MAX` where they are more.
    pub(super) fn bytes(&self) -> u64 {
        let row = self.dims()[0].saturating_mul(self.ty.bytes());
        let outer = self.dims()[1..].iter().zip(self.strides());
        outer.fold(row, |bytes, (dim, stride)| bytes.saturating_add((dim - 1).saturating_mul(*stride)))
    }
}
