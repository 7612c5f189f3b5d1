//! The raw functions against a real driver: structures and signatures mean to it what they mean here. Where
//! there is no driver or no device each test prints `skipped: no CUDA driver` and passes.

use std::ffi::{CString, c_int, c_uint, c_void};
use std::ptr;

use cuda_loader::api::*;
use cuda_loader::{RawResult, availability};

const PTX: &str = r"
.version 7.4
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 out, .param .u32 value)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [value];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    mul.wide.u32 %rd2, %r5, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
}
";

const BLOCKS: usize = 4;
const THREADS: usize = 64;
const BYTES: usize = 4 * BLOCKS * THREADS;

/// Calls, and fails the test with the driver's own words.
macro_rules! call {
    ($function:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: every pointer argument in this file is to a live local of the type the driver expects, or
        // null where the driver allows it; handles come from the driver and are alive.
        match unsafe { $function($($argument),*) } {
            RawResult::SUCCESS => {}
            failure => panic!("{}: {failure}", stringify!($function)),
        }
    };
}

/// The device and its context, current on this thread; `None`, with a line that says so, where there is none.
fn device() -> Option<CUdevice> {
    // SAFETY: no pointers.
    if availability().is_err() || unsafe { cuInit(0) } != RawResult::SUCCESS {
        println!("skipped: no CUDA driver");
        return None;
    }
    let (mut device, mut context) = (0, ptr::null_mut());
    call!(cuDeviceGet(&raw mut device, 0));
    call!(cuDevicePrimaryCtxRetain(&raw mut context, device));
    call!(cuCtxSetCurrent(context));
    Some(device)
}

fn attribute(device: CUdevice, attribute: CUdevice_attribute) -> c_int {
    let mut value = 0;
    call!(cuDeviceGetAttribute(&raw mut value, attribute, device));
    value
}

fn stream() -> CUstream {
    let mut stream = ptr::null_mut();
    call!(cuStreamCreate(&raw mut stream, CU_STREAM_NON_BLOCKING));
    let mut flags = 0;
    call!(cuStreamGetFlags(stream, &raw mut flags));
    assert_eq!(flags, CU_STREAM_NON_BLOCKING);
    stream
}

/// The kernel, through the compiler's options and logs.
fn fill_kernel() -> (CUmodule, CUfunction) {
    let image = CString::new(PTX).expect("no NUL in the PTX");
    let mut log = [0_u8; 4096];
    let mut options = [CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_LOG_VERBOSE];
    let mut values: [*mut c_void; 3] =
        [log.as_mut_ptr().cast(), ptr::without_provenance_mut(log.len()), ptr::without_provenance_mut(1)];
    let (mut module, mut function) = (ptr::null_mut(), ptr::null_mut());
    call!(cuModuleLoadDataEx(
        &raw mut module,
        image.as_ptr().cast(),
        3,
        options.as_mut_ptr(),
        values.as_mut_ptr()
    ));
    call!(cuModuleGetFunction(&raw mut function, module, c"fill".as_ptr()));
    (module, function)
}

/// A pool of its own, one allocation from it, and what the tests do with both.
fn allocate(device: CUdevice, stream: CUstream) -> (CUmemoryPool, CUdeviceptr) {
    let (mut pool, mut buffer, mut threshold) = (ptr::null_mut(), 0, u64::MAX);
    call!(cuMemPoolCreate(&raw mut pool, &CUmemPoolProps::device(device)));
    let value = (&raw mut threshold).cast();
    call!(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, value));
    call!(cuMemAllocFromPoolAsync(&raw mut buffer, BYTES, pool, stream));
    let (mut used, mut word) = (0_u64, [0_u32; 1]);
    call!(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, (&raw mut used).cast()));
    assert!(used >= BYTES as u64, "{used}");
    call!(cuMemsetD32Async(buffer, 7, BYTES / 4, stream));
    call!(cuMemcpyDtoHAsync_v2(word.as_mut_ptr().cast(), buffer, 4, stream));
    call!(cuStreamSynchronize(stream));
    assert_eq!(word, [7]);
    (pool, buffer)
}

fn release(pool: CUmemoryPool, buffer: CUdeviceptr, stream: CUstream, module: CUmodule) {
    call!(cuMemFreeAsync(buffer, stream));
    call!(cuStreamSynchronize(stream));
    call!(cuMemPoolDestroy(pool));
    call!(cuModuleUnload(module));
    call!(cuStreamDestroy_v2(stream));
}

fn read(buffer: CUdeviceptr, stream: CUstream) -> Vec<u32> {
    let mut host = vec![0; BYTES / 4];
    call!(cuMemcpyDtoHAsync_v2(host.as_mut_ptr().cast(), buffer, BYTES, stream));
    call!(cuStreamSynchronize(stream));
    host
}

#[expect(clippy::cast_possible_truncation, reason = "the constants are small")]
fn config(stream: CUstream, attributes: &mut [CUlaunchAttribute]) -> CUlaunchConfig {
    CUlaunchConfig {
        gridDimX: BLOCKS as c_uint,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: THREADS as c_uint,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        hStream: stream,
        attrs: attributes.as_mut_ptr(),
        numAttrs: attributes.len() as c_uint,
    }
}

#[test]
fn the_driver_has_every_function_of_the_table() {
    let Some(device) = device() else { return };
    let driver = availability().expect("it just answered");
    let mut name = [0; 64];
    call!(cuDeviceGetName(name.as_mut_ptr(), 64, device));
    println!("{} version {:?}", driver.path().display(), driver.version());
    let names =
        include_str!("../src/api/functions.rs").lines().filter_map(|line| line.strip_prefix("    fn "));
    let missing: Vec<&str> = names
        .filter_map(|line| line.split('(').next())
        .filter(|name| !CString::new(*name).is_ok_and(|name| driver.has(&name)))
        .collect();
    // The table goes up to CUDA 12.4.
    assert!(missing.is_empty() || driver.version() < Some(12_040), "{missing:?}");
}

#[test]
fn parameters_clusters_and_their_codes() {
    let Some(device) = device() else { return };
    if attribute(device, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) == 0 {
        return;
    }
    let stream = stream();
    let (module, function) = fill_kernel();
    let (pool, mut buffer) = allocate(device, stream);
    let (mut offset, mut size) = (0, 0);
    call!(cuFuncGetParamInfo(function, 1, &raw mut offset, &raw mut size));
    assert_eq!((offset, size), (8, 4));
    // SAFETY: both outputs are live.
    let past_the_end = unsafe { cuFuncGetParamInfo(function, 2, &raw mut offset, &raw mut size) };
    assert_eq!(past_the_end, RawResult::INVALID_VALUE);

    let mut value = 42_u32;
    let mut arguments: [*mut c_void; 2] = [(&raw mut buffer).cast(), (&raw mut value).cast()];
    let mut attributes =
        [CUlaunchAttribute::cluster(2, 1, 1), CUlaunchAttribute::programmatic_stream_serialization()];
    let good = config(stream, &mut attributes);
    call!(cuLaunchKernelEx(&raw const good, function, arguments.as_mut_ptr(), ptr::null_mut()));
    assert_eq!(read(buffer, stream), vec![42; BYTES / 4]);

    let mut attributes = [CUlaunchAttribute::cluster(3, 1, 1)];
    let bad = config(stream, &mut attributes);
    // SAFETY: as above; a grid of 4 blocks does not divide into clusters of 3, so nothing runs.
    let refused =
        unsafe { cuLaunchKernelEx(&raw const bad, function, arguments.as_mut_ptr(), ptr::null_mut()) };
    println!("cluster of 3: {refused:?}");
    assert!(!refused.is_success());
    release(pool, buffer, stream, module);
}

#[test]
fn graphs_are_captured_and_changed() {
    let Some(device) = device() else { return };
    let stream = stream();
    let (module, function) = fill_kernel();
    let (pool, mut buffer) = allocate(device, stream);
    let (mut one, mut two) = (1_u32, 2_u32);
    let mut arguments: [*mut c_void; 2] = [(&raw mut buffer).cast(), (&raw mut one).cast()];
    let (mut graph, mut exec, mut node, mut nodes) = (ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), 1);
    call!(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    let mut status = 0;
    call!(cuStreamIsCapturing(stream, &raw mut status));
    assert_eq!(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
    let launch = config(stream, &mut []);
    call!(cuLaunchKernelEx(&raw const launch, function, arguments.as_mut_ptr(), ptr::null_mut()));
    call!(cuStreamEndCapture(stream, &raw mut graph));
    call!(cuGraphGetNodes(graph, &raw mut node, &raw mut nodes));
    let mut kind = u32::MAX;
    call!(cuGraphNodeGetType(node, &raw mut kind));
    assert_eq!((nodes, kind), (1, CU_GRAPH_NODE_TYPE_KERNEL));

    let mut how = CUDA_GRAPH_INSTANTIATE_PARAMS {
        flags: 0,
        hUploadStream: ptr::null_mut(),
        hErrNode_out: ptr::null_mut(),
        result_out: u32::MAX,
    };
    call!(cuGraphInstantiateWithParams(&raw mut exec, graph, &raw mut how));
    assert_eq!(how.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
    call!(cuGraphUpload(exec, stream));
    call!(cuGraphLaunch(exec, stream));
    assert_eq!(read(buffer, stream), vec![1; BYTES / 4]);

    // SAFETY: plain numbers and pointers, all of which may be zero.
    let mut params: CUDA_KERNEL_NODE_PARAMS = unsafe { std::mem::zeroed() };
    call!(cuGraphKernelNodeGetParams_v2(node, &raw mut params));
    assert_eq!((params.gridDimX, params.blockDimX, params.sharedMemBytes), (4, 64, 0));
    (params.func, params.kern, params.extra) = (function, ptr::null_mut(), ptr::null_mut());
    arguments[1] = (&raw mut two).cast();
    params.kernelParams = arguments.as_mut_ptr();
    call!(cuGraphExecKernelNodeSetParams_v2(exec, node, &raw const params));
    call!(cuGraphLaunch(exec, stream));
    assert_eq!(read(buffer, stream), vec![2; BYTES / 4]);
    call!(cuGraphExecDestroy(exec));
    call!(cuGraphDestroy(graph));
    release(pool, buffer, stream, module);
}

#[test]
fn physical_memory_is_mapped_and_tensor_maps_are_encoded() {
    let Some(device) = device() else { return };
    let location = CUmemLocation::device(device);
    let prop = CUmemAllocationProp {
        type_: CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: CU_MEM_HANDLE_TYPE_NONE,
        location,
        win32HandleMetaData: ptr::null_mut(),
        allocFlags: CUmemAllocationPropFlags::default(),
    };
    let (mut size, mut handle, mut address) = (0, 0, 0);
    call!(cuMemGetAllocationGranularity(&raw mut size, &raw const prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    call!(cuMemAddressReserve(&raw mut address, size, 0, 0, 0));
    call!(cuMemCreate(&raw mut handle, size, &raw const prop, 0));
    call!(cuMemMap(address, size, 0, handle, 0));
    let access = CUmemAccessDesc { location, flags: CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
    call!(cuMemSetAccess(address, size, &raw const access, 1));

    let stream = stream();
    call!(cuMemsetD8Async(address, 9, size, stream));
    call!(cuStreamSynchronize(stream));
    if attribute(device, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED) == 1 {
        encode_tensor_map(address);
    }
    call!(cuStreamDestroy_v2(stream));
    call!(cuMemUnmap(address, size));
    call!(cuMemRelease(handle));
    call!(cuMemAddressFree(address, size));
}

fn encode_tensor_map(address: CUdeviceptr) {
    let mut map = CUtensorMap { opaque: [0; 16] };
    let (dims, strides, tile, steps) = ([64_u64, 32], [128_u64], [64_u32, 8], [1_u32, 1]);
    call!(cuTensorMapEncodeTiled(
        &raw mut map,
        CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
        2,
        address as *mut c_void,
        dims.as_ptr(),
        strides.as_ptr(),
        tile.as_ptr(),
        steps.as_ptr(),
        CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_128B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    ));
    assert_ne!(map.opaque, [0; 16]);
}

#[test]
fn host_memory_events_and_callbacks() {
    let Some(_) = device() else { return };
    unsafe extern "C" fn set(flag: *mut c_void) {
        // SAFETY: the test hands in a live u32 and waits for the stream before it looks.
        unsafe { flag.cast::<u32>().write(5) };
    }
    let stream = stream();
    let (mut host, mut mapped, mut begin, mut end) = (ptr::null_mut(), 0, ptr::null_mut(), ptr::null_mut());
    call!(cuMemHostAlloc(&raw mut host, 4096, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE));
    call!(cuMemHostGetDevicePointer_v2(&raw mut mapped, host, 0));
    call!(cuEventCreate(&raw mut begin, CU_EVENT_DEFAULT));
    call!(cuEventCreate(&raw mut end, CU_EVENT_DEFAULT));
    call!(cuEventRecord(begin, stream));
    call!(cuStreamWriteValue32_v2(stream, mapped, 77, CU_STREAM_WRITE_VALUE_DEFAULT));
    call!(cuEventRecord(end, stream));
    call!(cuStreamWaitEvent(stream, end, CU_EVENT_WAIT_DEFAULT));
    let mut flag = 0_u32;
    call!(cuLaunchHostFunc(stream, Some(set), (&raw mut flag).cast()));
    call!(cuStreamSynchronize(stream));
    let mut milliseconds = -1.0;
    call!(cuEventElapsedTime(&raw mut milliseconds, begin, end));
    // SAFETY: 4096 bytes of host memory; the stream that wrote to them is done.
    assert_eq!((unsafe { host.cast::<u32>().read() }, flag), (77, 5));
    assert!(milliseconds >= 0.0);
    call!(cuEventDestroy_v2(begin));
    call!(cuEventDestroy_v2(end));
    call!(cuMemFreeHost(host));
    call!(cuStreamDestroy_v2(stream));
}
