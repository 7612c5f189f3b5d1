//! Tensor maps in the driver's encoding.

use std::ffi::c_void;

use cuda_loader::api;
use gpu_std::launch::{TensorFill, TensorMapArg, TensorPromotion, TensorSwizzle, TensorType};

use crate::error::{DriverCode, Error};

/// CUDA 12.0, the first with `cuTensorMapEncodeTiled`.
const NEEDED: u32 = 12_000;

/// A tensor map as a kernel parameter: the driver's bytes, with the alignment that the PTX declares.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct EncodedMap([u64; 16]);

/// What the driver makes of a tensor map.
///
/// # Errors
/// A driver without the call, or one that refuses; `entry` is named.
pub(super) fn encode(entry: &'static str, arg: &TensorMapArg) -> Result<EncodedMap, Error> {
    const CALL: &str = "cuTensorMapEncodeTiled";
    let (shape, param) = (&arg.shape, arg.memory.name);
    let mut map = api::CUtensorMap { opaque: [0; 16] };
    // SAFETY: the map is writable; the lists have as many numbers as the driver reads (the rank, one stride less), which
    // `TensorTiles` sees to. The address is a number here: the driver does not look behind it.
    let result = unsafe {
        api::cuTensorMapEncodeTiled(
            &raw mut map,
            data_type(shape.ty()),
            shape.dims().len() as u32,
            arg.memory.addr as *mut c_void,
            shape.dims().as_ptr(),
            shape.strides().as_ptr(),
            shape.box_dims().as_ptr(),
            shape.element_strides().as_ptr(),
            api::CU_TENSOR_MAP_INTERLEAVE_NONE,
            swizzle(shape.swizzle()),
            promotion(shape.promotion()),
            fill(shape.fill()),
        )
    };
    match result {
        cuda_loader::RawResult::SUCCESS => Ok(EncodedMap(map.opaque)),
        cuda_loader::RawResult::NOT_FOUND => {
            Err(Error::NoTensorMaps { entry, param, call: CALL, needed: NEEDED })
        }
        _ => {
            let what = format!("{entry}: tensor map `{param}` at {:#x}, {shape:?}", arg.memory.addr);
            Err(Error::Driver { what, call: CALL, code: DriverCode(result.code()) })
        }
    }
}

fn data_type(ty: TensorType) -> api::CUtensorMapDataType {
    match ty {
        TensorType::U8 => api::CU_TENSOR_MAP_DATA_TYPE_UINT8,
        TensorType::U16 => api::CU_TENSOR_MAP_DATA_TYPE_UINT16,
        TensorType::U32 => api::CU_TENSOR_MAP_DATA_TYPE_UINT32,
        TensorType::I32 => api::CU_TENSOR_MAP_DATA_TYPE_INT32,
        TensorType::U64 => api::CU_TENSOR_MAP_DATA_TYPE_UINT64,
        TensorType::I64 => api::CU_TENSOR_MAP_DATA_TYPE_INT64,
        TensorType::F16 => api::CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
        TensorType::F32 => api::CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
        TensorType::F64 => api::CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
        TensorType::Bf16 => api::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
        TensorType::F32Ftz => api::CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
        TensorType::Tf32 => api::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
        TensorType::Tf32Ftz => api::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
    }
}

fn swizzle(swizzle: TensorSwizzle) -> api::CUtensorMapSwizzle {
    match swizzle {
        TensorSwizzle::None => api::CU_TENSOR_MAP_SWIZZLE_NONE,
        TensorSwizzle::B32 => api::CU_TENSOR_MAP_SWIZZLE_32B,
        TensorSwizzle::B64 => api::CU_TENSOR_MAP_SWIZZLE_64B,
        TensorSwizzle::B128 => api::CU_TENSOR_MAP_SWIZZLE_128B,
    }
}

fn promotion(promotion: TensorPromotion) -> api::CUtensorMapL2promotion {
    match promotion {
        TensorPromotion::None => api::CU_TENSOR_MAP_L2_PROMOTION_NONE,
        TensorPromotion::B64 => api::CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
        TensorPromotion::B128 => api::CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        TensorPromotion::B256 => api::CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
    }
}

fn fill(fill: TensorFill) -> api::CUtensorMapFloatOOBfill {
    match fill {
        TensorFill::Zero => api::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        TensorFill::Nan => api::CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA,
    }
}

#[cfg(test)]
mod tests;
