//! A kernel entry of a loaded module, checked against its description.

use std::ffi::c_int;
use std::sync::Arc;

use cuda_loader::{RawResult, api};
use cust::error::CudaError;
use cust::function::{Function, FunctionAttribute};
use gpu_std::launch::{CheckedShape, Kernel, ParamDesc, ParamKind};

use super::call::{Handle, INVALID_VALUE, code_of};
use super::context::Context;
use super::module::ModuleInner;
use super::pack::MAX_PARAMS;
use crate::error::{CountOf, DriverCode, Error};

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

enum ParamError {
    Unknown,
    Failed(Error),
}

/// Size and alignment of the PTX parameters, in order.
fn ptx_params(params: &[ParamDesc]) -> impl Iterator<Item = (usize, usize)> + '_ {
    params.iter().flat_map(|param| {
        let (first, second) = match param.kind {
            ParamKind::Slice | ParamKind::GridMut => ((8, 8), Some((8, 8))),
            ParamKind::Ptr => ((8, 8), None),
            ParamKind::Value => ((param.size, param.align), None),
        };
        [Some(first), second].into_iter().flatten()
    })
}

/// Compares what the program packs with what the image takes.
fn check_params(
    entry: &'static str,
    params: &[ParamDesc],
    image: impl Fn(usize) -> Result<Option<(usize, usize)>, ParamError>,
) -> Result<(), Error> {
    let (mut end, mut count) = (0_usize, 0);
    for (index, (want_bytes, align)) in ptx_params(params).enumerate() {
        if index == MAX_PARAMS {
            let (unit, value) = ("PTX parameters", ptx_params(params).count());
            return Err(Error::ParamsTooLarge { entry, value, unit, limit: MAX_PARAMS });
        }
        let want_offset = end.next_multiple_of(align.max(1));
        let (got_offset, got_bytes) = match image(index) {
            Ok(Some(found)) => found,
            Ok(None) => {
                let want = ptx_params(params).count();
                return Err(Error::ParamCount { entry, got: CountOf::Exactly(index), want });
            }
            Err(ParamError::Unknown) => return Ok(()),
            Err(ParamError::Failed(error)) => return Err(error),
        };
        if (got_offset, got_bytes) != (want_offset, want_bytes) {
            return Err(Error::ParamMismatch {
                entry,
                index,
                got_offset,
                got_bytes,
                want_offset,
                want_bytes,
            });
        }
        (end, count) = (want_offset + want_bytes, index + 1);
    }
    match image(count) {
        Ok(Some(_)) => Err(Error::ParamCount { entry, got: CountOf::AtLeast(count + 1), want: count }),
        Ok(None) | Err(ParamError::Unknown) => Ok(()),
        Err(ParamError::Failed(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn param(kind: ParamKind, size: usize, align: usize) -> ParamDesc {
        ParamDesc { name: "p", kind, ty: "T", size, align }
    }

    const PARAMS: [ParamDesc; 3] =
        [param(ParamKind::Slice, 4, 4), param(ParamKind::Value, 2, 2), param(ParamKind::Value, 24, 8)];

    fn check(image: &[(usize, usize)]) -> Result<(), Error> {
        check_params("k", &PARAMS, |index| Ok(image.get(index).copied()))
    }

    #[test]
    fn a_slice_is_two_parameters_and_values_are_aligned() {
        check(&[(0, 8), (8, 8), (16, 2), (24, 24)]).expect("the same layout");
    }

    #[test]
    fn another_size_offset_or_count_is_found() {
        let error = check(&[(0, 8), (8, 8), (16, 4), (24, 24)]).expect_err("another size");
        assert!(
            matches!(error, Error::ParamMismatch { index: 2, got_bytes: 4, want_bytes: 2, .. }),
            "{error}"
        );
        assert!(error.to_string().ends_with("run `cargo xtask build-ptx`"), "{error}");
        let error = check(&[(0, 8), (8, 8), (16, 2)]).expect_err("one less");
        assert!(matches!(error, Error::ParamCount { got: CountOf::Exactly(3), want: 4, .. }), "{error}");
        let error = check(&[(0, 8), (8, 8), (16, 2), (24, 24), (48, 8)]).expect_err("one more");
        assert!(matches!(error, Error::ParamCount { got: CountOf::AtLeast(5), want: 4, .. }), "{error}");
    }

    #[test]
    fn a_driver_that_cannot_say_is_not_an_error() {
        check_params("k", &PARAMS, |_| Err(ParamError::Unknown)).expect("nothing to compare with");
    }
}
