//! The arguments of one launch, one byte string per PTX parameter.

use gpu_std::DeviceRepr;
use gpu_std::launch::{ArgSink, ContractError, DevicePtrArg, SliceArg, SpaceId};

use super::buffer::bytes;
use crate::error::Error;
use crate::params::{MAX_BYTES, MAX_PARAMS};

/// Parameter values, in order.
pub(super) struct Packer {
    entry: &'static str,
    space: SpaceId,
    params: Vec<Vec<u8>>,
    used: usize,
}

impl Packer {
    pub fn new(entry: &'static str, space: SpaceId) -> Self {
        Self { entry, space, params: Vec::new(), used: 0 }
    }

    pub fn into_params(self) -> Vec<Vec<u8>> {
        self.params
    }

    fn push<T: DeviceRepr>(&mut self, value: &T) -> Result<(), Error> {
        let too_large = |value, unit, limit| Error::ParamsTooLarge { entry: self.entry, value, unit, limit };
        let end = self.used.next_multiple_of(align_of::<T>()) + size_of::<T>();
        if end > MAX_BYTES {
            return Err(too_large(end, "bytes", MAX_BYTES));
        }
        if self.params.len() == MAX_PARAMS {
            return Err(too_large(MAX_PARAMS + 1, "PTX parameters", MAX_PARAMS));
        }
        self.params.push(bytes(std::slice::from_ref(value)).to_vec());
        self.used = end;
        Ok(())
    }
}

impl ArgSink for Packer {
    type Error = Error;

    fn slice(&mut self, arg: SliceArg) -> Result<(), Error> {
        if arg.space != self.space {
            let (got, want) = (arg.space.get(), self.space.get());
            return Err(ContractError::WrongSpace { entry: self.entry, param: arg.name, got, want }.into());
        }
        self.push(&arg.addr)?;
        self.push(&arg.len)
    }

    fn ptr(&mut self, arg: DevicePtrArg) -> Result<(), Error> {
        self.push(&arg.addr)
    }

    fn value<T: DeviceRepr>(&mut self, _name: &'static str, value: &T) -> Result<(), Error> {
        self.push(value)
    }
}
