//! Tensor maps over views of device memory.

use core::marker::PhantomData;

use super::{TensorElement, TensorShape, TensorTiles};
use crate::launch::{ContractError, DeviceSlice, DeviceSliceMut, SliceArg, SpaceId};

/// Argument of a parameter `&TensorMap`: a tensor that the launch reads.
#[derive(Clone, Copy, Debug)]
pub struct TensorMapDesc<'a> {
    shape: TensorShape,
    addr: u64,
    space: SpaceId,
    borrow: PhantomData<&'a ()>,
}

/// Argument of a parameter `&TensorMapMut`: a tensor that the launch may write.
#[derive(Debug)]
pub struct TensorMapDescMut<'a> {
    shape: TensorShape,
    addr: u64,
    space: SpaceId,
    borrow: PhantomData<&'a mut ()>,
}

macro_rules! map_methods {
    ($map:ident, $view:ident) => {
        impl<'a> $map<'a> {
            /// The tensor over the elements of `view`, from its first on.
            ///
            /// # Errors
            /// [`ContractError::TensorMap`]: the view begins at a multiple of 16 bytes and holds the tensor, rows and strides are
            /// multiples of 16 bytes, rows of the box fit the swizzle.
            pub fn new<T: TensorElement>(
                view: $view<'a, T>,
                tiles: TensorTiles,
            ) -> Result<Self, ContractError> {
                let shape = tiles.over::<T>(view.addr(), view.len())?;
                Ok(Self { shape, addr: view.addr(), space: view.space(), borrow: PhantomData })
            }

            /// The tensor and its box.
            pub fn shape(&self) -> &TensorShape {
                &self.shape
            }

            /// Address of the first element on the device.
            pub fn addr(&self) -> u64 {
                self.addr
            }
        }
    };
}

map_methods!(TensorMapDesc, DeviceSlice);
map_methods!(TensorMapDescMut, DeviceSliceMut);

/// A tensor map argument as a back end sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorMapArg {
    /// The bytes it reaches; elements of one byte.
    pub memory: SliceArg,
    /// The tensor and its box.
    pub shape: TensorShape,
}

impl TensorMapArg {
    /// The argument of parameter `name` that reads `map`.
    pub fn read(name: &'static str, map: &TensorMapDesc<'_>) -> Self {
        Self::new(name, map.shape, map.addr, map.space, false)
    }

    /// The argument of parameter `name` that may write `map`.
    pub fn write(name: &'static str, map: &TensorMapDescMut<'_>) -> Self {
        Self::new(name, map.shape, map.addr, map.space, true)
    }

    fn new(name: &'static str, shape: TensorShape, addr: u64, space: SpaceId, writable: bool) -> Self {
        let len = shape.bytes();
        Self { memory: SliceArg { name, addr, len, elem_size: 1, writable, space }, shape }
    }
}
