//! The arguments of one launch, one byte string per PTX parameter.

use gpu_std::DeviceRepr;
use gpu_std::launch::{ArgSink, ContractError, DevicePtrArg, SliceArg, SpaceId, TensorMapArg};
use ptx_sim::TensorMap;

use super::buffer::bytes;
use super::tensor;
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
        self.push_bytes(bytes(std::slice::from_ref(value)).to_vec(), align_of::<T>())
    }

    fn push_bytes(&mut self, value: Vec<u8>, align: usize) -> Result<(), Error> {
        let too_large = |value, unit, limit| Error::ParamsTooLarge { entry: self.entry, value, unit, limit };
        let end = self.used.next_multiple_of(align) + value.len();
        if end > MAX_BYTES {
            return Err(too_large(end, "bytes", MAX_BYTES));
        }
        if self.params.len() == MAX_PARAMS {
            return Err(too_large(MAX_PARAMS + 1, "PTX parameters", MAX_PARAMS));
        }
        self.params.push(value);
        self.used = end;
        Ok(())
    }
}

impl Packer {
    fn check_space(&self, param: &'static str, space: SpaceId) -> Result<(), Error> {
        if space == self.space {
            return Ok(());
        }
        let (got, want) = (space.get(), self.space.get());
        Err(ContractError::WrongSpace { entry: self.entry, param, got, want }.into())
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
        let (entry, param) = (self.entry, arg.memory.name);
        self.check_space(param, arg.memory.space)?;
        let map = TensorMap::new(tensor::spec(arg)).map_err(|source| Error::SimTensorMap {
            entry,
            param,
            source: Box::new(source),
        })?;
        self.push_bytes(map.to_bytes().to_vec(), TensorMap::ALIGN as usize)
    }

    fn value<T: DeviceRepr>(&mut self, _name: &'static str, value: &T) -> Result<(), Error> {
        self.push(value)
    }
}
