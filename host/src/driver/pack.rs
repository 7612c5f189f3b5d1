//! The arguments of one launch, packed on the stack.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr;

use gpu_std::DeviceRepr;
use gpu_std::launch::{ArgSink, ContractError, DevicePtrArg, SliceArg, SpaceId, TensorMapArg};

use super::tensor;
use crate::error::Error;
use crate::params::{MAX_BYTES, MAX_PARAMS};

/// Aligned as tensor maps are; everything else needs at most 16.
#[repr(C, align(64))]
struct Bytes([MaybeUninit<u8>; MAX_BYTES]);

/// Parameter values, and where each begins. Left uninitialised where unused: a launch touches what it packs.
pub(super) struct Packer {
    entry: &'static str,
    space: SpaceId,
    bytes: Bytes,
    used: usize,
    offsets: [MaybeUninit<u16>; MAX_PARAMS],
    count: usize,
}

impl Packer {
    #[inline(always)]
    pub fn new(entry: &'static str, space: SpaceId) -> Self {
        let bytes = Bytes([const { MaybeUninit::uninit() }; MAX_BYTES]);
        Self {
            entry,
            space,
            bytes,
            used: 0,
            offsets: [const { MaybeUninit::uninit() }; MAX_PARAMS],
            count: 0,
        }
    }

    #[inline]
    fn push<T: Copy>(&mut self, value: &T) -> Result<(), Error> {
        let start = self.used.next_multiple_of(align_of::<T>());
        let end = start + size_of::<T>();
        let too_large = |value, unit, limit| Error::ParamsTooLarge { entry: self.entry, value, unit, limit };
        if end > MAX_BYTES || align_of::<T>() > align_of::<Bytes>() {
            return Err(too_large(end, "bytes", MAX_BYTES));
        }
        if self.count == MAX_PARAMS {
            return Err(too_large(MAX_PARAMS + 1, "PTX parameters", MAX_PARAMS));
        }
        // SAFETY: `start` is a multiple of `T`'s alignment, the storage at least as aligned, and `end` lies inside it.
        unsafe { self.bytes.0.as_mut_ptr().add(start).cast::<T>().write(*value) };
        self.offsets[self.count] = MaybeUninit::new(start as u16);
        (self.used, self.count) = (end, self.count + 1);
        Ok(())
    }

    fn check_space(&self, param: &'static str, space: SpaceId) -> Result<(), Error> {
        if space == self.space {
            return Ok(());
        }
        let (got, want) = (space.get(), self.space.get());
        Err(ContractError::WrongSpace { entry: self.entry, param, got, want }.into())
    }

    /// Calls `launch` with a pointer to each parameter.
    pub fn with_params<R>(&mut self, launch: impl FnOnce(*mut *mut c_void) -> R) -> R {
        let base = self.bytes.0.as_mut_ptr();
        let mut params = [const { MaybeUninit::<*mut c_void>::uninit() }; MAX_PARAMS];
        for (param, offset) in params.iter_mut().zip(&self.offsets).take(self.count) {
            // SAFETY: `push` set the first `count` offsets.
            let offset = unsafe { offset.assume_init() };
            param.write(base.wrapping_add(usize::from(offset)).cast());
        }
        launch(if self.count == 0 { ptr::null_mut() } else { params.as_mut_ptr().cast() })
    }
}

impl ArgSink for Packer {
    type Error = Error;

    fn slice(&mut self, arg: SliceArg) -> Result<(), Error> {
        self.check_space(arg.name, arg.space)?;
        self.push(&arg.addr)?;
        self.push(&arg.len)
    }

    fn ptr(&mut self, arg: DevicePtrArg) -> Result<(), Error> {
        self.push(&arg.addr)
    }

    fn tensor_map(&mut self, arg: &TensorMapArg) -> Result<(), Error> {
        self.check_space(arg.memory.name, arg.memory.space)?;
        let map = tensor::encode(self.entry, arg)?;
        self.push(&map)
    }

    fn value<T: DeviceRepr>(&mut self, _name: &'static str, value: &T) -> Result<(), Error> {
        self.push(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice(space: u64) -> SliceArg {
        let space = SpaceId::new(space);
        SliceArg { name: "a", addr: 0x1000, len: 5, elem_size: 4, writable: false, space }
    }

    #[test]
    fn parameters_are_pointed_to_in_order() {
        let mut packer = Packer::new("k", SpaceId::new(3));
        packer.value("h", &7_u16).expect("room");
        packer.slice(slice(3)).expect("its space");
        packer.value("alpha", &1.5_f32).expect("room");
        let read = packer.with_params(|params| {
            // SAFETY: four parameters of these types were packed.
            unsafe {
                let at = |i: usize| *params.add(i);
                (*at(0).cast::<u16>(), *at(1).cast::<u64>(), *at(2).cast::<u64>(), *at(3).cast::<f32>())
            }
        });
        assert_eq!(read, (7, 0x1000, 5, 1.5));
    }

    #[test]
    fn memory_of_another_space_is_refused_by_name() {
        let error = Packer::new("k", SpaceId::new(3)).slice(slice(4)).expect_err("another space");
        assert!(
            matches!(error, Error::Contract(ContractError::WrongSpace { param: "a", got: 4, want: 3, .. })),
            "{error}"
        );
    }

    #[test]
    fn too_many_bytes_are_refused() {
        let mut packer = Packer::new("k", SpaceId::new(3));
        packer.value("big", &[0_u64; 512]).expect("exactly the limit");
        let error = packer.value("more", &0_u8).expect_err("one byte over");
        assert_eq!(error.to_string(), "k: its parameters need 4097 bytes; the limit is 4096");
    }

    #[test]
    fn no_parameters_are_a_null_pointer() {
        assert!(Packer::new("k", SpaceId::new(1)).with_params(|p| p.is_null()));
    }
}
