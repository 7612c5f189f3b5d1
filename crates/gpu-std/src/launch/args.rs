//! Arguments: views of device memory that know where they live, and how a launch hands them over.

use core::marker::PhantomData;
use core::ops::Range;

use super::{ContractError, TensorMapArg};
use crate::DeviceRepr;

/// Where a piece of device memory lives and in which order it is used: one per CUDA stream, one per simulator memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpaceId(u64);

impl SpaceId {
    /// The space with this number; back ends hand out numbers that no other space of the process has.
    pub const fn new(id: u64) -> Self {
        Self(id)
    }

    /// The number.
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// Shared view of `len` elements of device memory.
#[derive(Debug)]
pub struct DeviceSlice<'a, T> {
    addr: u64,
    len: u64,
    space: SpaceId,
    borrow: PhantomData<&'a [T]>,
}

impl<T> Clone for DeviceSlice<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for DeviceSlice<'_, T> {}

/// Exclusive view of `len` elements of device memory.
#[derive(Debug)]
pub struct DeviceSliceMut<'a, T> {
    addr: u64,
    len: u64,
    space: SpaceId,
    borrow: PhantomData<&'a mut [T]>,
}

macro_rules! view_methods {
    ($view:ident, $lifetime_note:literal) => {
        impl<'a, T: DeviceRepr> $view<'a, T> {
            /// The view of `len` elements at `addr`.
            ///
            /// # Safety
            #[doc = $lifetime_note]
            /// - `addr` is aligned for `T`, or the memory is only read by kernels that take any alignment.
            /// - The memory is used in the order of `space` alone.
            pub const unsafe fn from_raw(addr: u64, len: u64, space: SpaceId) -> Self {
                Self { addr, len, space, borrow: PhantomData }
            }

            /// A view of no elements.
            #[must_use]
            pub const fn empty(space: SpaceId) -> Self {
                // Nothing is at an address of which no element is used; 16 is aligned for every type.
                Self { addr: 16, len: 0, space, borrow: PhantomData }
            }

            /// Address of the first element on the device.
            pub const fn addr(&self) -> u64 {
                self.addr
            }

            /// Number of elements.
            pub const fn len(&self) -> u64 {
                self.len
            }

            /// Whether there are none.
            pub const fn is_empty(&self) -> bool {
                self.len == 0
            }

            /// Where the memory lives.
            pub const fn space(&self) -> SpaceId {
                self.space
            }

            /// The elements of `range`.
            ///
            /// # Errors
            /// [`ContractError::RangeOutOfBounds`].
            pub fn slice(self, range: Range<u64>) -> Result<Self, ContractError> {
                if range.start > range.end || range.end > self.len {
                    return Err(ContractError::RangeOutOfBounds {
                        start: range.start,
                        end: range.end,
                        len: self.len,
                    });
                }
                let addr = self.addr + range.start * size_of::<T>() as u64;
                Ok(Self { addr, len: range.end - range.start, space: self.space, borrow: PhantomData })
            }
        }
    };
}

view_methods!(DeviceSlice, " - The memory is readable for `'a`, and nothing writes it in that time.");
view_methods!(DeviceSliceMut, " - The memory is writable for `'a`, and nothing else uses it in that time.");

impl<'a, T: DeviceRepr> DeviceSliceMut<'a, T> {
    /// The same elements for a shorter time.
    pub fn reborrow(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceSliceMut { addr: self.addr, len: self.len, space: self.space, borrow: PhantomData }
    }

    /// The same elements, only to read.
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        DeviceSlice { addr: self.addr, len: self.len, space: self.space, borrow: PhantomData }
    }

    /// The elements before `at` and those from `at`.
    ///
    /// # Errors
    /// [`ContractError::RangeOutOfBounds`] where `at` lies past the end.
    pub fn split_at(self, at: u64) -> Result<(Self, Self), ContractError> {
        if at > self.len {
            return Err(ContractError::RangeOutOfBounds { start: at, end: at, len: self.len });
        }
        let right = self.addr + at * size_of::<T>() as u64;
        Ok((
            Self { addr: self.addr, len: at, space: self.space, borrow: PhantomData },
            Self { addr: right, len: self.len - at, space: self.space, borrow: PhantomData },
        ))
    }
}

/// A slice argument as a back end sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceArg {
    /// Name of the parameter.
    pub name: &'static str,
    /// Address of the first element.
    pub addr: u64,
    /// Number of elements.
    pub len: u64,
    /// Bytes per element.
    pub elem_size: usize,
    /// Whether the kernel may write it.
    pub writable: bool,
    /// Where the memory lives.
    pub space: SpaceId,
}

/// A raw pointer argument as a back end sees it. The kernel is `unsafe`: its caller vouches for the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DevicePtrArg {
    /// Name of the parameter.
    pub name: &'static str,
    /// The address.
    pub addr: u64,
}

/// Receives the arguments of one launch, in the order of the parameters.
pub trait ArgSink {
    /// The sink's error.
    type Error;

    /// A `&[T]` or a `GridMut<T>`: two 64-bit PTX parameters.
    ///
    /// # Errors
    /// Where the view does not belong to the back end.
    fn slice(&mut self, arg: SliceArg) -> Result<(), Self::Error>;

    /// A `DevicePtr<T>`: one 64-bit PTX parameter.
    ///
    /// # Errors
    /// As the sink says.
    fn ptr(&mut self, arg: DevicePtrArg) -> Result<(), Self::Error>;

    /// A `&TensorMap` or a `&TensorMapMut`: one PTX parameter of 128 bytes, aligned to 64, in the back end's encoding.
    ///
    /// # Errors
    /// Where the tensor does not belong to the back end, or it cannot encode it.
    fn tensor_map(&mut self, arg: &TensorMapArg) -> Result<(), Self::Error>;

    /// Plain data: one PTX parameter of `bytes.len()` bytes.
    ///
    /// # Errors
    /// As the sink says.
    fn value<T: DeviceRepr>(&mut self, name: &'static str, value: &T) -> Result<(), Self::Error>;
}

/// Arguments of one launch of one kernel. Implemented by `#[kernel]`.
pub trait KernelArgs {
    /// Hands every argument to `sink`, in the order of the parameters.
    ///
    /// # Errors
    /// The sink's first.
    fn pack<S: ArgSink>(&self, sink: &mut S) -> Result<(), S::Error>;

    /// Checks what the arguments must satisfy among themselves: `same_len`, and that nothing a launch reads or writes
    /// through a slice or a tensor map overlaps what it writes.
    ///
    /// # Errors
    /// The [`ContractError`] that names both parameters.
    fn check(&self) -> Result<(), ContractError>;
}

impl SliceArg {
    /// The argument of parameter `name` that reads `view`.
    pub fn read<T: DeviceRepr>(name: &'static str, view: &DeviceSlice<'_, T>) -> Self {
        Self::new::<T>(name, view.addr, view.len, view.space, false)
    }

    /// The argument of parameter `name` that writes `view`.
    pub fn write<T: DeviceRepr>(name: &'static str, view: &DeviceSliceMut<'_, T>) -> Self {
        Self::new::<T>(name, view.addr, view.len, view.space, true)
    }

    fn new<T>(name: &'static str, addr: u64, len: u64, space: SpaceId, writable: bool) -> Self {
        // An empty slice on the device still has an aligned address other than null.
        let addr = if len == 0 { 16 } else { addr };
        Self { name, addr, len, elem_size: size_of::<T>(), writable, space }
    }

    /// First byte and the byte after the last.
    fn bounds(&self) -> (u128, u128) {
        let start = u128::from(self.addr);
        (start, start + u128::from(self.len) * self.elem_size as u128)
    }

    /// Refuses a pair of slices of which one is written and which share a byte.
    ///
    /// # Errors
    /// [`ContractError::Overlap`].
    pub fn check_disjoint(entry: &'static str, slices: &[SliceArg]) -> Result<(), ContractError> {
        for (i, a) in slices.iter().enumerate() {
            for b in &slices[i + 1..] {
                let ((a0, a1), (b0, b1)) = (a.bounds(), b.bounds());
                let share = a0 < b1 && b0 < a1 && a0 < a1 && b0 < b1;
                if share && (a.writable || b.writable) {
                    return Err(ContractError::Overlap { entry, left: a.name, right: b.name });
                }
            }
        }
        Ok(())
    }

    /// Refuses slices of different length.
    ///
    /// # Errors
    /// [`ContractError::LengthMismatch`].
    pub fn check_same_len(entry: &'static str, slices: &[SliceArg]) -> Result<(), ContractError> {
        let Some(first) = slices.first() else { return Ok(()) };
        for other in &slices[1..] {
            if other.len != first.len {
                return Err(ContractError::LengthMismatch {
                    entry,
                    left: first.name,
                    left_len: first.len,
                    right: other.name,
                    right_len: other.len,
                });
            }
        }
        Ok(())
    }
}
