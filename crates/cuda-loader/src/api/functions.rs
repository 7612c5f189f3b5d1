//! The functions, one line each.
//!
//! Source: CUDA Driver API, the section named over each list; signatures as of CUDA 13.0.

#![allow(clippy::too_many_arguments, reason = "the driver's own signatures")]

use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ushort, c_void};
use std::ptr::NonNull;

use super::constants::*;
use super::handles::*;
use super::types::*;
use crate::result::{RawResult, from_driver};
use crate::symbol::Symbol;

/// Defines each function as one call of the driver's own.
macro_rules! functions {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $kind:ty),* $(,)?);)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// The conditions that the CUDA Driver API states for this function: pointers valid for what the driver
            /// reads and writes, handles alive.
            #[inline]
            pub unsafe fn $name($($argument: $kind),*) -> RawResult {
                static SYMBOL: Symbol = Symbol::new(concat!(stringify!($name), "\0"));
                type Function = unsafe extern "C" fn($($kind),*) -> RawResult;
                match SYMBOL.address() {
                    Ok(address) => {
                        // SAFETY: the driver's function of this name has this signature in every release that
                        // exports the name; CUresult travels as its number.
                        let function = unsafe { std::mem::transmute::<NonNull<c_void>, Function>(address) };
                        // SAFETY: the caller's promises are the driver's own conditions, passed on unchanged.
                        from_driver(unsafe { function($($argument),*) })
                    }
                    Err(result) => result,
                }
            }
        )*
    };
}

// Initialization, Version Management, Driver Entry Point Access
functions! {
    /// Initialises the driver in this process; must come before every other call except the version.
    fn cuInit(Flags: c_uint);
    /// The newest CUDA version the driver serves, as 1000 * major + 10 * minor.
    fn cuDriverGetVersion(driverVersion: *mut c_int);
    /// Looks up an entry point by its plain name and the CUDA version whose signature is wanted. Since CUDA
    /// 12.0.
    fn cuGetProcAddress_v2(
        symbol: *const c_char, pfn: *mut *mut c_void, cudaVersion: c_int, flags: u64,
        symbolStatus: *mut CUdriverProcAddressQueryResult
    );
}

// Device Management
functions! {
    /// The device of an ordinal, 0 to count - 1.
    fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int);
    /// How many devices the process sees.
    fn cuDeviceGetCount(count: *mut c_int);
    /// The device's name, cut to `len` bytes with its NUL.
    fn cuDeviceGetName(name: *mut c_char, len: c_int, dev: CUdevice);
    /// One attribute of a device, see [`CUdevice_attribute`].
    fn cuDeviceGetAttribute(pi: *mut c_int, attrib: CUdevice_attribute, dev: CUdevice);
    /// The device's memory in bytes.
    fn cuDeviceTotalMem_v2(bytes: *mut usize, dev: CUdevice);
    /// The device's UUID; a MIG slice has its own. Since CUDA 11.4.
    fn cuDeviceGetUuid_v2(uuid: *mut CUuuid, dev: CUdevice);
    /// The PCI address as text, `domain:bus:device.function`, 13 bytes with its NUL.
    fn cuDeviceGetPCIBusId(pciBusId: *mut c_char, len: c_int, dev: CUdevice);
    /// Whether `dev` can address the memory of `peerDev`.
    fn cuDeviceCanAccessPeer(canAccessPeer: *mut c_int, dev: CUdevice, peerDev: CUdevice);
    /// The pool the device is born with. Since CUDA 11.2.
    fn cuDeviceGetDefaultMemPool(pool_out: *mut CUmemoryPool, dev: CUdevice);
    /// The pool that `cuMemAllocAsync` uses on this device now. Since CUDA 11.2.
    fn cuDeviceGetMemPool(pool: *mut CUmemoryPool, dev: CUdevice);
    /// Makes a pool the one that `cuMemAllocAsync` uses on this device. Since CUDA 11.2.
    fn cuDeviceSetMemPool(dev: CUdevice, pool: CUmemoryPool);
}

// Primary Context Management, Context Management, Peer Context Memory Access
functions! {
    /// Takes a reference to the device's primary context, and creates it if need be.
    fn cuDevicePrimaryCtxRetain(pctx: *mut CUcontext, dev: CUdevice);
    /// Gives a reference to the primary context back; the last one destroys it.
    fn cuDevicePrimaryCtxRelease_v2(dev: CUdevice);
    /// Destroys everything in the primary context, whoever holds references.
    fn cuDevicePrimaryCtxReset_v2(dev: CUdevice);
    /// Sets the primary context's flags, `CU_CTX_*`.
    fn cuDevicePrimaryCtxSetFlags_v2(dev: CUdevice, flags: c_uint);
    /// The primary context's flags, and whether it is active.
    fn cuDevicePrimaryCtxGetState(dev: CUdevice, flags: *mut c_uint, active: *mut c_int);
    /// Creates a context of its own and makes it current. Prefer the primary context.
    fn cuCtxCreate_v2(pctx: *mut CUcontext, flags: c_uint, dev: CUdevice);
    /// Destroys a context that `cuCtxCreate_v2` made.
    fn cuCtxDestroy_v2(ctx: CUcontext);
    /// The context current on this thread, or null.
    fn cuCtxGetCurrent(pctx: *mut CUcontext);
    /// Makes a context current on this thread.
    fn cuCtxSetCurrent(ctx: CUcontext);
    /// Pushes a context on this thread's stack of contexts.
    fn cuCtxPushCurrent_v2(ctx: CUcontext);
    /// Pops this thread's current context.
    fn cuCtxPopCurrent_v2(pctx: *mut CUcontext);
    /// The device of the current context.
    fn cuCtxGetDevice(device: *mut CUdevice);
    /// The flags of the current context.
    fn cuCtxGetFlags(flags: *mut c_uint);
    /// Waits for all work of the current context.
    fn cuCtxSynchronize();
    /// The least and the greatest stream priority; greater is the smaller number.
    fn cuCtxGetStreamPriorityRange(leastPriority: *mut c_int, greatestPriority: *mut c_int);
    /// A limit of the current context, see [`CUlimit`].
    fn cuCtxGetLimit(pvalue: *mut usize, limit: CUlimit);
    /// Asks for a limit of the current context; the driver may round it.
    fn cuCtxSetLimit(limit: CUlimit, value: usize);
    /// Makes all persisting lines of the L2 cache normal again. Since CUDA 11.0.
    fn cuCtxResetPersistingL2Cache();
    /// Lets the current context address the memory of a context on another device.
    fn cuCtxEnablePeerAccess(peerContext: CUcontext, Flags: c_uint);
    /// Takes the peer access back.
    fn cuCtxDisablePeerAccess(peerContext: CUcontext);
}

// Module Management, Execution Control
functions! {
    /// Loads PTX (NUL-terminated), a cubin or a fat binary.
    fn cuModuleLoadData(module: *mut CUmodule, image: *const c_void);
    /// The same with options for the compiler of the PTX: two arrays, of [`CUjit_option`] and of values cast
    /// to pointers.
    fn cuModuleLoadDataEx(
        module: *mut CUmodule, image: *const c_void, numOptions: c_uint, options: *mut CUjit_option,
        optionValues: *mut *mut c_void
    );
    /// Unloads a module; its functions must no longer run.
    fn cuModuleUnload(hmod: CUmodule);
    /// A kernel of a module, by its name.
    fn cuModuleGetFunction(hfunc: *mut CUfunction, hmod: CUmodule, name: *const c_char);
    /// Address and size of a global variable of a module, by its name.
    fn cuModuleGetGlobal_v2(dptr: *mut CUdeviceptr, bytes: *mut usize, hmod: CUmodule, name: *const c_char);
    /// Whether the driver loads functions when first used ([`CU_MODULE_LAZY_LOADING`]). Since CUDA 11.7.
    fn cuModuleGetLoadingMode(mode: *mut CUmoduleLoadingMode);
    /// One attribute of a kernel, see [`CUfunction_attribute`].
    fn cuFuncGetAttribute(pi: *mut c_int, attrib: CUfunction_attribute, hfunc: CUfunction);
    /// Sets an attribute of a kernel, such as more than 48 KiB of dynamic shared memory.
    fn cuFuncSetAttribute(hfunc: CUfunction, attrib: CUfunction_attribute, value: c_int);
    /// Asks for a split of the memory that L1 cache and shared memory divide.
    fn cuFuncSetCacheConfig(hfunc: CUfunction, config: CUfunc_cache);
    /// The module a kernel belongs to. Since CUDA 11.0.
    fn cuFuncGetModule(hmod: *mut CUmodule, hfunc: CUfunction);
    /// The kernel's name. Since CUDA 12.3.
    fn cuFuncGetName(name: *mut *const c_char, hfunc: CUfunction);
    /// Offset and size of a kernel's parameter; `INVALID_VALUE` past the last one. Since CUDA 12.4.
    fn cuFuncGetParamInfo(
        func: CUfunction, paramIndex: usize, paramOffset: *mut usize, paramSize: *mut usize
    );
    /// Whether a kernel is loaded, where functions load when first used. Since CUDA 12.4.
    fn cuFuncIsLoaded(state: *mut CUfunctionLoadingState, function: CUfunction);
    /// Loads a kernel now, so that its first launch does not. Since CUDA 12.4.
    fn cuFuncLoad(function: CUfunction);
}

// Execution Control, Occupancy
functions! {
    /// Launches a kernel; the classic call.
    fn cuLaunchKernel(
        f: CUfunction, gridDimX: c_uint, gridDimY: c_uint, gridDimZ: c_uint, blockDimX: c_uint,
        blockDimY: c_uint, blockDimZ: c_uint, sharedMemBytes: c_uint, hStream: CUstream,
        kernelParams: *mut *mut c_void, extra: *mut *mut c_void
    );
    /// Launches a kernel with attributes: clusters, programmatic dependent launch, priority. Since CUDA 11.8.
    fn cuLaunchKernelEx(
        config: *const CUlaunchConfig, f: CUfunction, kernelParams: *mut *mut c_void,
        extra: *mut *mut c_void
    );
    /// Launches a kernel whose blocks may wait for each other.
    fn cuLaunchCooperativeKernel(
        f: CUfunction, gridDimX: c_uint, gridDimY: c_uint, gridDimZ: c_uint, blockDimX: c_uint,
        blockDimY: c_uint, blockDimZ: c_uint, sharedMemBytes: c_uint, hStream: CUstream,
        kernelParams: *mut *mut c_void
    );
    /// Runs a host function in stream order. It must not call the driver.
    fn cuLaunchHostFunc(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void);
    /// How many blocks of a kernel fit on one multiprocessor.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        numBlocks: *mut c_int, func: CUfunction, blockSize: c_int, dynamicSMemSize: usize
    );
    /// The same, with flags for the L1 cache.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks: *mut c_int, func: CUfunction, blockSize: c_int, dynamicSMemSize: usize, flags: c_uint
    );
    /// Dynamic shared memory that leaves room for `numBlocks` blocks on one multiprocessor.
    fn cuOccupancyAvailableDynamicSMemPerBlock(
        dynamicSmemSize: *mut usize, func: CUfunction, numBlocks: c_int, blockSize: c_int
    );
    /// The largest cluster a launch can have. Since CUDA 11.8.
    fn cuOccupancyMaxPotentialClusterSize(
        clusterSize: *mut c_int, func: CUfunction, config: *const CUlaunchConfig
    );
    /// How many clusters of a launch fit on the device. Since CUDA 11.8.
    fn cuOccupancyMaxActiveClusters(numClusters: *mut c_int, func: CUfunction, config: *const CUlaunchConfig);
}

// Stream Management, Stream Memory Operations
functions! {
    /// A stream; flag [`CU_STREAM_NON_BLOCKING`] takes it out of step with the NULL stream.
    fn cuStreamCreate(phStream: *mut CUstream, Flags: c_uint);
    /// The same with a priority, see [`cuCtxGetStreamPriorityRange`].
    fn cuStreamCreateWithPriority(phStream: *mut CUstream, flags: c_uint, priority: c_int);
    /// Destroys a stream once its work is done; does not wait.
    fn cuStreamDestroy_v2(hStream: CUstream);
    /// Waits for all work of a stream.
    fn cuStreamSynchronize(hStream: CUstream);
    /// Success when all work of a stream is done, else `NOT_READY`.
    fn cuStreamQuery(hStream: CUstream);
    /// Makes later work of a stream wait for an event.
    fn cuStreamWaitEvent(hStream: CUstream, hEvent: CUevent, Flags: c_uint);
    /// The priority of a stream.
    fn cuStreamGetPriority(hStream: CUstream, priority: *mut c_int);
    /// The flags of a stream.
    fn cuStreamGetFlags(hStream: CUstream, flags: *mut c_uint);
    /// The context of a stream.
    fn cuStreamGetCtx(hStream: CUstream, pctx: *mut CUcontext);
    /// Begins to record a stream's work into a graph instead of running it.
    fn cuStreamBeginCapture_v2(hStream: CUstream, mode: CUstreamCaptureMode);
    /// Ends the capture and gives the graph.
    fn cuStreamEndCapture(hStream: CUstream, phGraph: *mut CUgraph);
    /// Whether a stream is capturing, see [`CUstreamCaptureStatus`].
    fn cuStreamIsCapturing(hStream: CUstream, captureStatus: *mut CUstreamCaptureStatus);
    /// The capture's state, its id, its graph and the nodes the next one will depend on. Since CUDA 11.3.
    fn cuStreamGetCaptureInfo_v2(
        hStream: CUstream, captureStatus_out: *mut CUstreamCaptureStatus, id_out: *mut u64,
        graph_out: *mut CUgraph, dependencies_out: *mut *const CUgraphNode, numDependencies_out: *mut usize
    );
    /// Changes the nodes that the next captured node will depend on. Since CUDA 11.3.
    fn cuStreamUpdateCaptureDependencies(
        hStream: CUstream, dependencies: *mut CUgraphNode, numDependencies: usize, flags: c_uint
    );
    /// Swaps this thread's capture mode with `*mode`.
    fn cuThreadExchangeStreamCaptureMode(mode: *mut CUstreamCaptureMode);
    /// Writes 32 bits to device-visible memory in stream order. Since CUDA 11.7.
    fn cuStreamWriteValue32_v2(stream: CUstream, addr: CUdeviceptr, value: u32, flags: c_uint);
    /// Makes a stream wait until 32 bits of device-visible memory fit a condition. Since CUDA 11.7.
    fn cuStreamWaitValue32_v2(stream: CUstream, addr: CUdeviceptr, value: u32, flags: c_uint);
}

// Event Management
functions! {
    /// An event; flag [`CU_EVENT_DISABLE_TIMING`] makes it cheaper.
    fn cuEventCreate(phEvent: *mut CUevent, Flags: c_uint);
    /// Destroys an event.
    fn cuEventDestroy_v2(hEvent: CUevent);
    /// Records an event after the work that the stream has so far.
    fn cuEventRecord(hEvent: CUevent, hStream: CUstream);
    /// The same, with flags for captures. Since CUDA 11.1.
    fn cuEventRecordWithFlags(hEvent: CUevent, hStream: CUstream, flags: c_uint);
    /// Success when the recorded work is done, else `NOT_READY`.
    fn cuEventQuery(hEvent: CUevent);
    /// Waits for the recorded work.
    fn cuEventSynchronize(hEvent: CUevent);
    /// Milliseconds between two recorded events, to about half a microsecond.
    fn cuEventElapsedTime(pMilliseconds: *mut f32, hStart: CUevent, hEnd: CUevent);
}

// Graph Management
functions! {
    /// An empty graph.
    fn cuGraphCreate(phGraph: *mut CUgraph, flags: c_uint);
    /// Destroys a graph; its executable graphs live on.
    fn cuGraphDestroy(hGraph: CUgraph);
    /// Copies a graph.
    fn cuGraphClone(phGraphClone: *mut CUgraph, originalGraph: CUgraph);
    /// Adds a kernel launch. Since CUDA 12.0.
    fn cuGraphAddKernelNode_v2(
        phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode,
        numDependencies: usize, nodeParams: *const CUDA_KERNEL_NODE_PARAMS
    );
    /// Adds a copy.
    fn cuGraphAddMemcpyNode(
        phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode,
        numDependencies: usize, copyParams: *const CUDA_MEMCPY3D, ctx: CUcontext
    );
    /// Adds a fill.
    fn cuGraphAddMemsetNode(
        phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode,
        numDependencies: usize, memsetParams: *const CUDA_MEMSET_NODE_PARAMS, ctx: CUcontext
    );
    /// Adds a host function.
    fn cuGraphAddHostNode(
        phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode,
        numDependencies: usize, nodeParams: *const CUDA_HOST_NODE_PARAMS
    );
    /// Adds a node that only orders others.
    fn cuGraphAddEmptyNode(
        phGraphNode: *mut CUgraphNode, hGraph: CUgraph, dependencies: *const CUgraphNode,
        numDependencies: usize
    );
    /// Adds edges, `from[i]` before `to[i]`.
    fn cuGraphAddDependencies(
        hGraph: CUgraph, from: *const CUgraphNode, to: *const CUgraphNode, numDependencies: usize
    );
    /// The nodes of a graph; with `nodes` null only their number.
    fn cuGraphGetNodes(hGraph: CUgraph, nodes: *mut CUgraphNode, numNodes: *mut usize);
    /// The nodes without dependencies; with `rootNodes` null only their number.
    fn cuGraphGetRootNodes(hGraph: CUgraph, rootNodes: *mut CUgraphNode, numRootNodes: *mut usize);
    /// The edges of a graph; with `from` and `to` null only their number.
    fn cuGraphGetEdges(hGraph: CUgraph, from: *mut CUgraphNode, to: *mut CUgraphNode, numEdges: *mut usize);
    /// What a node does, see [`CUgraphNodeType`].
    fn cuGraphNodeGetType(hNode: CUgraphNode, type_: *mut CUgraphNodeType);
    /// The nodes that a node waits for; with `dependencies` null only their number.
    fn cuGraphNodeGetDependencies(
        hNode: CUgraphNode, dependencies: *mut CUgraphNode, numDependencies: *mut usize
    );
    /// Parameters of a kernel node; the argument pointers belong to the node. Since CUDA 12.0.
    fn cuGraphKernelNodeGetParams_v2(hNode: CUgraphNode, nodeParams: *mut CUDA_KERNEL_NODE_PARAMS);
    /// Sets the parameters of a kernel node. Since CUDA 12.0.
    fn cuGraphKernelNodeSetParams_v2(hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS);
    /// One launch attribute of a kernel node. Since CUDA 11.0.
    fn cuGraphKernelNodeGetAttribute(
        hNode: CUgraphNode, attr: CUkernelNodeAttrID, value_out: *mut CUkernelNodeAttrValue
    );
    /// Sets one launch attribute of a kernel node. Since CUDA 11.0.
    fn cuGraphKernelNodeSetAttribute(
        hNode: CUgraphNode, attr: CUkernelNodeAttrID, value: *const CUkernelNodeAttrValue
    );
    /// Parameters of a copy node.
    fn cuGraphMemcpyNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_MEMCPY3D);
    /// Parameters of a fill node.
    fn cuGraphMemsetNodeGetParams(hNode: CUgraphNode, nodeParams: *mut CUDA_MEMSET_NODE_PARAMS);
    /// Makes a graph executable. Since CUDA 11.4.
    fn cuGraphInstantiateWithFlags(phGraphExec: *mut CUgraphExec, hGraph: CUgraph, flags: u64);
    /// Makes a graph executable and says which node failed. Since CUDA 12.0.
    fn cuGraphInstantiateWithParams(
        phGraphExec: *mut CUgraphExec, hGraph: CUgraph,
        instantiateParams: *mut CUDA_GRAPH_INSTANTIATE_PARAMS
    );
    /// Sends an executable graph to the device ahead of its first launch. Since CUDA 11.1.
    fn cuGraphUpload(hGraph: CUgraphExec, hStream: CUstream);
    /// Launches an executable graph. One launch of it runs at a time.
    fn cuGraphLaunch(hGraph: CUgraphExec, hStream: CUstream);
    /// Destroys an executable graph.
    fn cuGraphExecDestroy(hGraphExec: CUgraphExec);
    /// Takes over the parameters of a graph of the same shape. Since CUDA 12.0.
    fn cuGraphExecUpdate_v2(
        hGraphExec: CUgraphExec, hGraph: CUgraph, resultInfo: *mut CUgraphExecUpdateResultInfo
    );
    /// Sets the parameters of a kernel node in an executable graph, for launches to come. Since CUDA 12.0.
    fn cuGraphExecKernelNodeSetParams_v2(
        hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_KERNEL_NODE_PARAMS
    );
    /// Sets the parameters of a copy node in an executable graph.
    fn cuGraphExecMemcpyNodeSetParams(
        hGraphExec: CUgraphExec, hNode: CUgraphNode, copyParams: *const CUDA_MEMCPY3D, ctx: CUcontext
    );
    /// Sets the parameters of a fill node in an executable graph.
    fn cuGraphExecMemsetNodeSetParams(
        hGraphExec: CUgraphExec, hNode: CUgraphNode, memsetParams: *const CUDA_MEMSET_NODE_PARAMS,
        ctx: CUcontext
    );
    /// Sets the function of a host node in an executable graph.
    fn cuGraphExecHostNodeSetParams(
        hGraphExec: CUgraphExec, hNode: CUgraphNode, nodeParams: *const CUDA_HOST_NODE_PARAMS
    );
    /// Turns a node of an executable graph on or off. Since CUDA 11.6.
    fn cuGraphNodeSetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: c_uint);
    /// Whether a node of an executable graph is on. Since CUDA 11.6.
    fn cuGraphNodeGetEnabled(hGraphExec: CUgraphExec, hNode: CUgraphNode, isEnabled: *mut c_uint);
    /// Writes a graph to a file in the DOT language. Since CUDA 11.3.
    fn cuGraphDebugDotPrint(hGraph: CUgraph, path: *const c_char, flags: c_uint);
    /// Gives memory that graphs keep back to the system. Since CUDA 11.4.
    fn cuDeviceGraphMemTrim(device: CUdevice);
}

// Memory Management, Stream Ordered Memory Allocator, Unified Addressing
functions! {
    /// Allocates device memory; synchronises more than it should, prefer [`cuMemAllocAsync`].
    fn cuMemAlloc_v2(dptr: *mut CUdeviceptr, bytesize: usize);
    /// Frees device memory; waits for the device.
    fn cuMemFree_v2(dptr: CUdeviceptr);
    /// Free and total memory of the current context's device, in bytes.
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize);
    /// Allocates from the device's current pool in stream order. Since CUDA 11.2.
    fn cuMemAllocAsync(dptr: *mut CUdeviceptr, bytesize: usize, hStream: CUstream);
    /// Frees in stream order. Since CUDA 11.2.
    fn cuMemFreeAsync(dptr: CUdeviceptr, hStream: CUstream);
    /// Allocates from a given pool in stream order. Since CUDA 11.2.
    fn cuMemAllocFromPoolAsync(
        dptr: *mut CUdeviceptr, bytesize: usize, pool: CUmemoryPool, hStream: CUstream
    );
    /// Allocates memory that host and device share and the driver moves.
    fn cuMemAllocManaged(dptr: *mut CUdeviceptr, bytesize: usize, flags: c_uint);
    /// One attribute of a pointer, see [`CUpointer_attribute`].
    fn cuPointerGetAttribute(data: *mut c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr);
}

// Stream Ordered Memory Allocator
functions! {
    /// Creates a pool. Since CUDA 11.2.
    fn cuMemPoolCreate(pool: *mut CUmemoryPool, poolProps: *const CUmemPoolProps);
    /// Destroys a pool once its memory is free. Since CUDA 11.2.
    fn cuMemPoolDestroy(pool: CUmemoryPool);
    /// Sets an attribute of a pool, see [`CUmemPool_attribute`]. Since CUDA 11.2.
    fn cuMemPoolSetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: *mut c_void);
    /// One attribute of a pool. Since CUDA 11.2.
    fn cuMemPoolGetAttribute(pool: CUmemoryPool, attr: CUmemPool_attribute, value: *mut c_void);
    /// Gives memory back to the system until `minBytesToKeep` remain reserved. Since CUDA 11.2.
    fn cuMemPoolTrimTo(pool: CUmemoryPool, minBytesToKeep: usize);
    /// Which devices may use a pool's memory. Since CUDA 11.2.
    fn cuMemPoolSetAccess(pool: CUmemoryPool, map: *const CUmemAccessDesc, count: usize);
    /// How a location may use a pool's memory. Since CUDA 11.2.
    fn cuMemPoolGetAccess(flags: *mut CUmemAccess_flags, memPool: CUmemoryPool, location: *mut CUmemLocation);
    /// A handle of the operating system for a pool. Since CUDA 11.2.
    fn cuMemPoolExportToShareableHandle(
        handle_out: *mut c_void, pool: CUmemoryPool, handleType: CUmemAllocationHandleType, flags: u64
    );
    /// The pool behind a handle of another process. Since CUDA 11.2.
    fn cuMemPoolImportFromShareableHandle(
        pool_out: *mut CUmemoryPool, handle: *mut c_void, handleType: CUmemAllocationHandleType, flags: u64
    );
    /// What another process needs to import one allocation of a shared pool. Since CUDA 11.2.
    fn cuMemPoolExportPointer(shareData_out: *mut CUmemPoolPtrExportData, ptr: CUdeviceptr);
    /// Imports one allocation of a shared pool. Since CUDA 11.2.
    fn cuMemPoolImportPointer(
        ptr_out: *mut CUdeviceptr, pool: CUmemoryPool, shareData: *mut CUmemPoolPtrExportData
    );
}

// Memory Management
functions! {
    /// Allocates pinned host memory, with flags `CU_MEMHOSTALLOC_*`.
    fn cuMemHostAlloc(pp: *mut *mut c_void, bytesize: usize, Flags: c_uint);
    /// Frees pinned host memory.
    fn cuMemFreeHost(p: *mut c_void);
    /// Pins memory of the caller's, with flags `CU_MEMHOSTREGISTER_*`.
    fn cuMemHostRegister_v2(p: *mut c_void, bytesize: usize, Flags: c_uint);
    /// Unpins it.
    fn cuMemHostUnregister(p: *mut c_void);
    /// The device's address of mapped host memory; flags are 0.
    fn cuMemHostGetDevicePointer_v2(pdptr: *mut CUdeviceptr, p: *mut c_void, Flags: c_uint);
    /// The flags pinned memory was allocated with.
    fn cuMemHostGetFlags(pFlags: *mut c_uint, p: *mut c_void);
}

// Memory Management
functions! {
    /// Copies from the host to the device and waits.
    fn cuMemcpyHtoD_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize);
    /// Copies from the device to the host and waits.
    fn cuMemcpyDtoH_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize);
    /// Copies within the device.
    fn cuMemcpyDtoD_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize);
    /// Copies from the host to the device in stream order; the host memory should be pinned.
    fn cuMemcpyHtoDAsync_v2(
        dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize, hStream: CUstream
    );
    /// Copies from the device to the host in stream order; the host memory should be pinned.
    fn cuMemcpyDtoHAsync_v2(
        dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream
    );
    /// Copies within the device in stream order.
    fn cuMemcpyDtoDAsync_v2(
        dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream
    );
    /// Copies in stream order between any two addresses of the unified address space.
    fn cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize, hStream: CUstream);
    /// Copies between contexts in stream order.
    fn cuMemcpyPeerAsync(
        dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext,
        ByteCount: usize, hStream: CUstream
    );
    /// Fills bytes in stream order.
    fn cuMemsetD8Async(dstDevice: CUdeviceptr, uc: c_uchar, N: usize, hStream: CUstream);
    /// Fills 16-bit words in stream order.
    fn cuMemsetD16Async(dstDevice: CUdeviceptr, us: c_ushort, N: usize, hStream: CUstream);
    /// Fills 32-bit words in stream order.
    fn cuMemsetD32Async(dstDevice: CUdeviceptr, ui: c_uint, N: usize, hStream: CUstream);
}

// Virtual Memory Management
functions! {
    /// The multiple that sizes and addresses must have.
    fn cuMemGetAllocationGranularity(
        granularity: *mut usize, prop: *const CUmemAllocationProp, option: CUmemAllocationGranularity_flags
    );
    /// Reserves a range of addresses.
    fn cuMemAddressReserve(
        ptr: *mut CUdeviceptr, size: usize, alignment: usize, addr: CUdeviceptr, flags: u64
    );
    /// Gives a range of addresses back.
    fn cuMemAddressFree(ptr: CUdeviceptr, size: usize);
    /// Allocates physical memory, not mapped yet.
    fn cuMemCreate(
        handle: *mut CUmemGenericAllocationHandle, size: usize, prop: *const CUmemAllocationProp, flags: u64
    );
    /// Gives a handle of physical memory back; mappings keep the memory alive.
    fn cuMemRelease(handle: CUmemGenericAllocationHandle);
    /// Maps physical memory into a reserved range.
    fn cuMemMap(
        ptr: CUdeviceptr, size: usize, offset: usize, handle: CUmemGenericAllocationHandle, flags: u64
    );
    /// Unmaps a range.
    fn cuMemUnmap(ptr: CUdeviceptr, size: usize);
    /// Who may read and write a mapped range.
    fn cuMemSetAccess(ptr: CUdeviceptr, size: usize, desc: *const CUmemAccessDesc, count: usize);
    /// A handle of the operating system for physical memory.
    fn cuMemExportToShareableHandle(
        shareableHandle: *mut c_void, handle: CUmemGenericAllocationHandle,
        handleType: CUmemAllocationHandleType, flags: u64
    );
    /// Physical memory behind a handle of another process.
    fn cuMemImportFromShareableHandle(
        handle: *mut CUmemGenericAllocationHandle, osHandle: *mut c_void,
        shHandleType: CUmemAllocationHandleType
    );
}

// Tensor Map Object Management
functions! {
    /// Encodes a tensor map for tiled TMA copies. Runs on the host alone. Since CUDA 12.0.
    fn cuTensorMapEncodeTiled(
        tensorMap: *mut CUtensorMap, tensorDataType: CUtensorMapDataType, tensorRank: u32,
        globalAddress: *mut c_void, globalDim: *const u64, globalStrides: *const u64, boxDim: *const u32,
        elementStrides: *const u32, interleave: CUtensorMapInterleave, swizzle: CUtensorMapSwizzle,
        l2Promotion: CUtensorMapL2promotion, oobFill: CUtensorMapFloatOOBfill
    );
    /// Puts another address into a tensor map. Since CUDA 12.0.
    fn cuTensorMapReplaceAddress(tensorMap: *mut CUtensorMap, globalAddress: *mut c_void);
}

// Memory Management
functions! {
    /// A handle of a `cuMemAlloc_v2` allocation for another process.
    fn cuIpcGetMemHandle(pHandle: *mut CUipcMemHandle, dptr: CUdeviceptr);
    /// Maps an allocation of another process.
    fn cuIpcOpenMemHandle_v2(pdptr: *mut CUdeviceptr, handle: CUipcMemHandle, Flags: c_uint);
    /// Unmaps it.
    fn cuIpcCloseMemHandle(dptr: CUdeviceptr);
    /// A handle of an event for another process.
    fn cuIpcGetEventHandle(pHandle: *mut CUipcEventHandle, event: CUevent);
    /// An event of another process.
    fn cuIpcOpenEventHandle(phEvent: *mut CUevent, handle: CUipcEventHandle);
}

// Profiler Control
functions! {
    /// Tells a profiler to begin.
    fn cuProfilerStart();
    /// Tells a profiler to stop.
    fn cuProfilerStop();
}
