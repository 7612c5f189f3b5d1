//! Structures that cross to the driver, with their layout asserted.
//!
//! Source: CUDA Driver API, "Data types used by CUDA driver", the structure of the same name, as of CUDA
//! 13.0. The layouts are those of a 64-bit machine, the only kind that CUDA still serves.

use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ushort, c_void};
use std::fmt;
use std::mem::{align_of, offset_of, size_of};
use std::ptr;

use super::constants::*;
use super::handles::*;

/// Fails the build unless the type has this size, this alignment and these offsets.
macro_rules! layout {
    ($kind:ty, size $size:literal, align $align:literal $(, $($field:ident).+ at $offset:literal)* $(,)?) => {
        const _: () = {
            assert!(size_of::<$kind>() == $size);
            assert!(align_of::<$kind>() == $align);
            $(assert!(offset_of!($kind, $($field).+) == $offset);)*
        };
    };
}

/// A grid, its blocks and the attributes of one launch; `CUlaunchConfig`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
#[allow(missing_docs, reason = "the driver's own field names say it")]
pub struct CUlaunchConfig {
    pub gridDimX: c_uint,
    pub gridDimY: c_uint,
    pub gridDimZ: c_uint,
    pub blockDimX: c_uint,
    pub blockDimY: c_uint,
    pub blockDimZ: c_uint,
    /// Dynamic shared memory per block, in bytes.
    pub sharedMemBytes: c_uint,
    pub hStream: CUstream,
    /// `numAttrs` attributes; may be null when there are none.
    pub attrs: *mut CUlaunchAttribute,
    pub numAttrs: c_uint,
}
layout!(CUlaunchConfig, size 56, align 8, sharedMemBytes at 24, hStream at 32, attrs at 40, numAttrs at 48);

/// One attribute of a launch; `CUlaunchAttribute`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUlaunchAttribute {
    /// Which member of `value` counts.
    pub id: CUlaunchAttributeID,
    /// Unused.
    pub pad: [c_char; 4],
    /// The value.
    pub value: CUlaunchAttributeValue,
}
layout!(CUlaunchAttribute, size 72, align 8, value at 8);

impl CUlaunchAttribute {
    /// An attribute from its id and value.
    #[must_use]
    pub const fn new(id: CUlaunchAttributeID, value: CUlaunchAttributeValue) -> Self {
        Self { id, pad: [0; 4], value }
    }

    /// Blocks per cluster, in each dimension.
    #[must_use]
    pub const fn cluster(x: c_uint, y: c_uint, z: c_uint) -> Self {
        let mut value = CUlaunchAttributeValue::ZERO;
        value.clusterDim = CUlaunchDim { x, y, z };
        Self::new(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, value)
    }

    /// Lets the kernel begin before the one ahead of it in the stream has ended (programmatic dependent
    /// launch).
    #[must_use]
    pub const fn programmatic_stream_serialization() -> Self {
        let mut value = CUlaunchAttributeValue::ZERO;
        value.programmaticStreamSerializationAllowed = 1;
        Self::new(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, value)
    }

    /// Lets all blocks of the grid wait for each other.
    #[must_use]
    pub const fn cooperative() -> Self {
        let mut value = CUlaunchAttributeValue::ZERO;
        value.cooperative = 1;
        Self::new(CU_LAUNCH_ATTRIBUTE_COOPERATIVE, value)
    }

    /// The priority of the launch, in the range of the stream priorities.
    #[must_use]
    pub const fn priority(priority: c_int) -> Self {
        let mut value = CUlaunchAttributeValue::ZERO;
        value.priority = priority;
        Self::new(CU_LAUNCH_ATTRIBUTE_PRIORITY, value)
    }
}

/// Three counts, in the members of [`CUlaunchAttributeValue`] that are dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
#[allow(missing_docs, reason = "the three dimensions")]
pub struct CUlaunchDim {
    pub x: c_uint,
    pub y: c_uint,
    pub z: c_uint,
}

/// An event and when the launch fires it, in [`CUlaunchAttributeValue`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUlaunchProgrammaticEvent {
    /// The event.
    pub event: CUevent,
    /// Flags of the event record.
    pub flags: c_int,
    /// 1: as soon as every block has begun.
    pub triggerAtBlockStart: c_int,
}

/// An event that fires when every block has begun, in [`CUlaunchAttributeValue`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUlaunchCompletionEvent {
    /// The event.
    pub event: CUevent,
    /// Flags of the event record.
    pub flags: c_int,
}

/// Which memory domain each kind of launch belongs to; `CUlaunchMemSyncDomainMap`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUlaunchMemSyncDomainMap {
    /// The domain of launches in the default domain.
    pub default_: c_uchar,
    /// The domain of launches in the remote domain.
    pub remote: c_uchar,
}

/// A kernel node that device code can change, in [`CUlaunchAttributeValue`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUlaunchDeviceUpdatableNode {
    /// 1: the node can be changed.
    pub deviceUpdatable: c_int,
    /// Written by the driver.
    pub devNode: CUgraphDeviceNode,
}

/// A window of addresses and how its lines stay in the L2 cache; `CUaccessPolicyWindow`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUaccessPolicyWindow {
    /// Begin of the window.
    pub base_ptr: *mut c_void,
    /// Length of the window; see `CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE`.
    pub num_bytes: usize,
    /// Share of the accesses, 0 to 1, that get `hitProp`.
    pub hitRatio: f32,
    /// How lines of that share stay.
    pub hitProp: CUaccessProperty,
    /// How the others stay; never persisting.
    pub missProp: CUaccessProperty,
}
layout!(CUaccessPolicyWindow, size 32, align 8, hitRatio at 16, missProp at 24);

/// The value of a launch attribute; the id beside it says which member counts; `CUlaunchAttributeValue`.
#[derive(Clone, Copy)]
#[repr(C)]
#[allow(missing_docs, reason = "one member per `CU_LAUNCH_ATTRIBUTE_*`, of the same name")]
pub union CUlaunchAttributeValue {
    pub pad: [c_char; 64],
    pub accessPolicyWindow: CUaccessPolicyWindow,
    pub cooperative: c_int,
    pub syncPolicy: CUsynchronizationPolicy,
    pub clusterDim: CUlaunchDim,
    pub clusterSchedulingPolicyPreference: CUclusterSchedulingPolicy,
    pub programmaticStreamSerializationAllowed: c_int,
    pub programmaticEvent: CUlaunchProgrammaticEvent,
    pub launchCompletionEvent: CUlaunchCompletionEvent,
    pub priority: c_int,
    pub memSyncDomainMap: CUlaunchMemSyncDomainMap,
    pub memSyncDomain: CUlaunchMemSyncDomain,
    pub preferredClusterDim: CUlaunchDim,
    pub deviceUpdatableKernelNode: CUlaunchDeviceUpdatableNode,
    pub sharedMemCarveout: c_uint,
    pub nvlinkUtilCentricScheduling: c_uint,
}
layout!(CUlaunchAttributeValue, size 64, align 8);

impl CUlaunchAttributeValue {
    /// All bytes zero: where a value begins, since the driver may look at all 64.
    pub const ZERO: Self = Self { pad: [0; 64] };
}

impl fmt::Debug for CUlaunchAttributeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CUlaunchAttributeValue { .. }")
    }
}

/// A launch attribute of a kernel node, by id.
pub type CUkernelNodeAttrID = CUlaunchAttributeID;

/// The value of a launch attribute of a kernel node.
pub type CUkernelNodeAttrValue = CUlaunchAttributeValue;

/// A kernel launch in a graph; `CUDA_KERNEL_NODE_PARAMS_v2`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
#[allow(missing_docs, reason = "the driver's own field names say it")]
pub struct CUDA_KERNEL_NODE_PARAMS {
    pub func: CUfunction,
    pub gridDimX: c_uint,
    pub gridDimY: c_uint,
    pub gridDimZ: c_uint,
    pub blockDimX: c_uint,
    pub blockDimY: c_uint,
    pub blockDimZ: c_uint,
    /// Dynamic shared memory per block, in bytes.
    pub sharedMemBytes: c_uint,
    /// A pointer to each argument.
    pub kernelParams: *mut *mut c_void,
    /// Arguments in one buffer instead, or null.
    pub extra: *mut *mut c_void,
    /// Used when `func` is null.
    pub kern: CUkernel,
    /// The context of `kern`, or null for the current one.
    pub ctx: CUcontext,
}
layout!(CUDA_KERNEL_NODE_PARAMS, size 72, align 8, sharedMemBytes at 32, kernelParams at 40,
    kern at 56, ctx at 64);

/// A copy in a graph; `CUDA_MEMCPY3D_v2`. Zeroed but for what a copy needs: one row is a 1-D copy.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
#[allow(missing_docs, reason = "the driver's own field names say it")]
pub struct CUDA_MEMCPY3D {
    pub srcXInBytes: usize,
    pub srcY: usize,
    pub srcZ: usize,
    pub srcLOD: usize,
    pub srcMemoryType: CUmemorytype,
    pub srcHost: *const c_void,
    pub srcDevice: CUdeviceptr,
    pub srcArray: CUarray,
    pub reserved0: *mut c_void,
    pub srcPitch: usize,
    pub srcHeight: usize,
    pub dstXInBytes: usize,
    pub dstY: usize,
    pub dstZ: usize,
    pub dstLOD: usize,
    pub dstMemoryType: CUmemorytype,
    pub dstHost: *mut c_void,
    pub dstDevice: CUdeviceptr,
    pub dstArray: CUarray,
    pub reserved1: *mut c_void,
    pub dstPitch: usize,
    pub dstHeight: usize,
    pub WidthInBytes: usize,
    pub Height: usize,
    pub Depth: usize,
}
layout!(CUDA_MEMCPY3D, size 200, align 8, srcMemoryType at 32, srcDevice at 48, dstXInBytes at 88,
    dstMemoryType at 120, dstDevice at 136, WidthInBytes at 176, Depth at 192);

/// A fill in a graph; `CUDA_MEMSET_NODE_PARAMS`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUDA_MEMSET_NODE_PARAMS {
    /// Where to write.
    pub dst: CUdeviceptr,
    /// Bytes from row to row; of no effect with one row.
    pub pitch: usize,
    /// The value; its low `elementSize` bytes count.
    pub value: c_uint,
    /// 1, 2 or 4 bytes.
    pub elementSize: c_uint,
    /// Elements per row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}
layout!(CUDA_MEMSET_NODE_PARAMS, size 40, align 8, value at 16, width at 24);

/// A host function in a graph; `CUDA_HOST_NODE_PARAMS`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUDA_HOST_NODE_PARAMS {
    /// The function; it must not call the driver.
    pub fn_: CUhostFn,
    /// Its argument.
    pub userData: *mut c_void,
}
layout!(CUDA_HOST_NODE_PARAMS, size 16, align 8, userData at 8);

/// How to make a graph executable, and what came of it; `CUDA_GRAPH_INSTANTIATE_PARAMS`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUDA_GRAPH_INSTANTIATE_PARAMS {
    /// See [`CUgraphInstantiate_flags`].
    pub flags: u64,
    /// Where the upload runs, if the flags ask for one.
    pub hUploadStream: CUstream,
    /// Written by the driver: the node that failed, or null.
    pub hErrNode_out: CUgraphNode,
    /// Written by the driver.
    pub result_out: CUgraphInstantiateResult,
}
layout!(CUDA_GRAPH_INSTANTIATE_PARAMS, size 32, align 8, hUploadStream at 8, hErrNode_out at 16,
    result_out at 24);

/// What an update of an executable graph met; `CUgraphExecUpdateResultInfo`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUgraphExecUpdateResultInfo {
    /// How it ended.
    pub result: CUgraphExecUpdateResult,
    /// The node that does not fit, or null.
    pub errorNode: CUgraphNode,
    /// The other end of an edge that does not fit, or null.
    pub errorFromNode: CUgraphNode,
}
layout!(CUgraphExecUpdateResultInfo, size 24, align 8, errorNode at 8, errorFromNode at 16);

/// A place for memory; `CUmemLocation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct CUmemLocation {
    /// The kind of place.
    pub type_: CUmemLocationType,
    /// Which of the kind: a device's handle or a NUMA node.
    pub id: c_int,
}
layout!(CUmemLocation, size 8, align 4, id at 4);

impl CUmemLocation {
    /// The memory of a device.
    #[must_use]
    pub const fn device(device: CUdevice) -> Self {
        Self { type_: CU_MEM_LOCATION_TYPE_DEVICE, id: device }
    }
}

/// What a location may do with memory; `CUmemAccessDesc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct CUmemAccessDesc {
    /// Who.
    pub location: CUmemLocation,
    /// What.
    pub flags: CUmemAccess_flags,
}
layout!(CUmemAccessDesc, size 12, align 4, flags at 8);

/// A memory pool to create; `CUmemPoolProps`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUmemPoolProps {
    /// Always [`CU_MEM_ALLOCATION_TYPE_PINNED`].
    pub allocType: CUmemAllocationType,
    /// The shareable handles its memory must be able to have.
    pub handleTypes: CUmemAllocationHandleType,
    /// Where the memory lies.
    pub location: CUmemLocation,
    /// Null on Linux.
    pub win32SecurityAttributes: *mut c_void,
    /// The most the pool may hold, in bytes; 0: the driver's choice.
    pub maxSize: usize,
    /// 0.
    pub usage: c_ushort,
    /// Zeros.
    pub reserved: [c_uchar; 54],
}
layout!(CUmemPoolProps, size 88, align 8, handleTypes at 4, location at 8, win32SecurityAttributes at 16,
    maxSize at 24, usage at 32, reserved at 34);

impl CUmemPoolProps {
    /// A pool of a device's own memory, not shared with other processes.
    #[must_use]
    pub const fn device(device: CUdevice) -> Self {
        Self {
            allocType: CU_MEM_ALLOCATION_TYPE_PINNED,
            handleTypes: CU_MEM_HANDLE_TYPE_NONE,
            location: CUmemLocation::device(device),
            win32SecurityAttributes: ptr::null_mut(),
            maxSize: 0,
            usage: 0,
            reserved: [0; 54],
        }
    }
}

/// What another process needs to import an allocation of a shared pool; `CUmemPoolPtrExportData`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUmemPoolPtrExportData {
    /// Opaque.
    pub reserved: [c_uchar; 64],
}
layout!(CUmemPoolPtrExportData, size 64, align 1);

/// Physical memory to allocate; `CUmemAllocationProp`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUmemAllocationProp {
    /// Always [`CU_MEM_ALLOCATION_TYPE_PINNED`].
    pub type_: CUmemAllocationType,
    /// The shareable handles the memory must be able to have.
    pub requestedHandleTypes: CUmemAllocationHandleType,
    /// Where the memory lies.
    pub location: CUmemLocation,
    /// Null on Linux.
    pub win32HandleMetaData: *mut c_void,
    /// Further wishes.
    pub allocFlags: CUmemAllocationPropFlags,
}
layout!(CUmemAllocationProp, size 32, align 8, location at 8, win32HandleMetaData at 16, allocFlags at 24);

/// Wishes for physical memory, the `allocFlags` of [`CUmemAllocationProp`].
#[derive(Debug, Clone, Copy, Default)]
#[repr(C)]
pub struct CUmemAllocationPropFlags {
    /// 1: compressible memory.
    pub compressionType: c_uchar,
    /// 1: memory that network cards can reach.
    pub gpuDirectRDMACapable: c_uchar,
    /// 0.
    pub usage: c_ushort,
    /// Zeros.
    pub reserved: [c_uchar; 4],
}
layout!(CUmemAllocationPropFlags, size 8, align 2, usage at 2, reserved at 4);

/// A tensor map for TMA copies; `CUtensorMap`. Only the driver writes it and only the device reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(128))]
pub struct CUtensorMap {
    /// Opaque.
    pub opaque: [u64; 16],
}
layout!(CUtensorMap, size 128, align 128);

/// A device's UUID; `CUuuid`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct CUuuid {
    /// 16 bytes, in the order they are written.
    pub bytes: [c_uchar; 16],
}
layout!(CUuuid, size 16, align 1);

/// An allocation, for another process; `CUipcMemHandle`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUipcMemHandle {
    /// Opaque.
    pub reserved: [c_uchar; 64],
}
layout!(CUipcMemHandle, size 64, align 1);

/// An event, for another process; `CUipcEventHandle`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct CUipcEventHandle {
    /// Opaque.
    pub reserved: [c_uchar; 64],
}
layout!(CUipcEventHandle, size 64, align 1);
