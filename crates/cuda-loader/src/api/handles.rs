//! The driver's handles: pointers to types that only the driver knows, and numbers.
//!
//! Source: CUDA Driver API, "Data types used by CUDA driver". A pointer of another binding to the same
//! object, such as cust's, becomes one of these by `.cast()`.

use std::ffi::{c_int, c_void};

/// Each handle is a pointer to a type of its own, so that a stream cannot stand where an event belongs.
macro_rules! handles {
    ($($(#[$doc:meta])* $handle:ident = *mut $opaque:ident;)*) => {
        $(
            #[doc = concat!("What a [`", stringify!($handle), "`] points to; only the driver looks inside.")]
            #[repr(C)]
            #[derive(Debug)]
            pub struct $opaque {
                _private: [u8; 0],
            }

            $(#[$doc])*
            pub type $handle = *mut $opaque;
        )*
    };
}

handles! {
    /// A context.
    CUcontext = *mut CUctx_st;
    /// A loaded module.
    CUmodule = *mut CUmod_st;
    /// A kernel of a loaded module.
    CUfunction = *mut CUfunc_st;
    /// A kernel of a library, independent of a context.
    CUkernel = *mut CUkern_st;
    /// A stream; null is the NULL stream.
    CUstream = *mut CUstream_st;
    /// An event.
    CUevent = *mut CUevent_st;
    /// A graph.
    CUgraph = *mut CUgraph_st;
    /// An executable graph.
    CUgraphExec = *mut CUgraphExec_st;
    /// A node of a graph.
    CUgraphNode = *mut CUgraphNode_st;
    /// A kernel node that device code can change.
    CUgraphDeviceNode = *mut CUgraphDeviceUpdatableNode_st;
    /// A memory pool.
    CUmemoryPool = *mut CUmemPoolHandle_st;
    /// An array of a texture or a surface.
    CUarray = *mut CUarray_st;
}

/// A device: its ordinal's handle, not the ordinal.
pub type CUdevice = c_int;

/// An address in device memory.
pub type CUdeviceptr = u64;

/// Physical memory made by `cuMemCreate`.
pub type CUmemGenericAllocationHandle = u64;

/// A host function that runs in stream order.
pub type CUhostFn = Option<unsafe extern "C" fn(*mut c_void)>;
