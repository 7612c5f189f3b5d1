//! A kernel entry of a loaded module, checked against its description.

use std::ffi::c_int;
use std::sync::Arc;

use cuda_loader::{RawResult, api};
use cust::error::CudaError;
use cust::function::{Function, FunctionAttribute};
use gpu_std::launch::{CheckedShape, Kernel};

use super::call::{Handle, INVALID_VALUE, code_of};
use super::context::Context;
use super::module::ModuleInner;
use crate::error::{DriverCode, Error};
use crate::params::{ParamError, check_params};

/// What the driver's compiler made of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FunctionAttributes {
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of static shared memory per block.
    pub shared_bytes: u32,
    /// Bytes of local memory per thread: spills, arrays with computed indices, the stack.
    pub local_bytes: u32,
    /// Bytes of constant memory.
    pub const_bytes: u32,
    /// The most threads a block of it may have on this device.
    pub max_block: u32,
    /// The architecture its PTX was written for, as major * 10 + minor.
    pub ptx_arch: u32,
    /// The architecture it was compiled for, as major * 10 + minor.
    pub binary_arch: u32,
}

pub(super) struct Entry {
    name: &'static str,
    signature: u64,
    function: Handle<api::CUfunc_st>,
    attributes: FunctionAttributes,
    /// Keeps the function alive.
    module: Arc<ModuleInner>,
}

impl Entry {
    /// Finds `K`'s entry in the module and checks it.
    pub fn resolve<K: Kernel>(module: &Arc<ModuleInner>) -> Result<Self, Error> {
        let context = module.context();
        context.enter()?;
        let failed = |call, error: CudaError| {
            context.failure(call, code_of(error), context.recent(), || {
                format!("{} in {}", K::ENTRY, module.name())
            })
        };
        let function = module.cust().get_function(K::ENTRY).map_err(|e| failed("cuModuleGetFunction", e))?;
        let attributes = attributes_of(&function).map_err(|e| failed("cuFuncGetAttribute", e))?;
        let entry = Self {
            name: K::ENTRY,
            signature: K::SIGNATURE_HASH,
            function: Handle(function.to_raw().cast()),
            attributes,
            module: module.clone(),
        };
        check_params(K::ENTRY, K::PARAMS, |index| entry.param(index))?;
        entry.check_clusters(K::CLUSTER)?;
        if K::DYNAMIC_SHARED {
            entry.allow_shared()?;
        }
        Ok(entry)
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn signature(&self) -> u64 {
        self.signature
    }

    pub fn raw(&self) -> api::CUfunction {
        self.function.0
    }

    pub fn attributes(&self) -> FunctionAttributes {
        self.attributes
    }

    pub fn context(&self) -> &Arc<Context> {
        self.module.context()
    }

    /// Offset and size of a parameter of the loaded image; `None` past the last. The context is current.
    fn param(&self, index: usize) -> Result<Option<(usize, usize)>, ParamError> {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: the function is alive with its module; both are live, writable counters.
        let result = unsafe { api::cuFuncGetParamInfo(self.raw(), index, &raw mut offset, &raw mut size) };
        match result {
            RawResult::SUCCESS => Ok(Some((offset, size))),
            _ if result.code() == INVALID_VALUE => Ok(None),
            // Drivers before CUDA 12.4 do not have the function: the manifest's signature has to do.
            RawResult::NOT_FOUND => Err(ParamError::Unknown),
            _ => {
                let context = self.context();
                let code = DriverCode(result.code());
                Err(ParamError::Failed(
                    context.failure("cuFuncGetParamInfo", code, context.recent(), || self.name.to_owned()),
                ))
            }
        }
    }

    fn check_clusters(&self, cluster: Option<u32>) -> Result<(), Error> {
        let info = self.context().info();
        match cluster {
            Some(cluster) if info.compute < (9, 0) => {
                let (ordinal, arch) = (info.ordinal, info.arch.clone());
                Err(Error::NoClusters { entry: self.name, cluster, ordinal, arch })
            }
            _ => Ok(()),
        }
    }

    /// Lets launches ask for all the dynamic shared memory that the static leaves: without it, 48 KiB are the limit. Asking
    /// once for the most, and not at each launch, cannot race; what a launch gets is what it asks for.
    fn allow_shared(&self) -> Result<(), Error> {
        let most = self.shared_limit();
        let attribute = api::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function is alive with its module.
        let result = unsafe { api::cuFuncSetAttribute(self.raw(), attribute, most as c_int) };
        let context = self.context();
        context.check_for("cuFuncSetAttribute", result, context.recent(), || {
            format!("{}: {most} bytes of dynamic shared memory", self.name)
        })
    }

    /// Dynamic shared memory that a block may have.
    fn shared_limit(&self) -> u32 {
        self.context().info().shared_optin_bytes.saturating_sub(self.attributes.shared_bytes)
    }

    /// Refuses a shape that the driver would refuse, in words.
    pub fn check_shape(&self, shape: &CheckedShape) -> Result<(), Error> {
        if shape.shared_bytes() > self.shared_limit() {
            return Err(Error::SharedTooLarge {
                entry: self.name,
                asked: shape.shared_bytes(),
                fixed: self.attributes.shared_bytes,
                limit: self.context().info().shared_optin_bytes,
            });
        }
        let FunctionAttributes { max_block: limit, registers, .. } = self.attributes;
        if shape.block().count() > u128::from(limit) {
            return Err(Error::BlockDoesNotFit { entry: self.name, block: shape.block(), limit, registers });
        }
        Ok(())
    }
}

fn attributes_of(function: &Function<'_>) -> Result<FunctionAttributes, CudaError> {
    let get = |attribute| function.get_attribute(attribute).map(|v| u32::try_from(v).unwrap_or(0));
    Ok(FunctionAttributes {
        registers: get(FunctionAttribute::NumRegisters)?,
        shared_bytes: get(FunctionAttribute::SharedMemorySizeBytes)?,
        local_bytes: get(FunctionAttribute::LocalSizeBytes)?,
        const_bytes: get(FunctionAttribute::ConstSizeBytes)?,
        max_block: get(FunctionAttribute::MaxThreadsPerBlock)?,
        ptx_arch: get(FunctionAttribute::PtxVersion)?,
        binary_arch: get(FunctionAttribute::BinaryVersion)?,
    })
}
