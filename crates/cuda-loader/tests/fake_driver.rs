//! A driver whose answers are known: a tiny library that the test compiles and the loader is pointed to.

mod common;

use std::env;
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;

use cuda_loader::{LoadError, RawResult, api, availability, last_missing_function, last_unmapped_code};
use cust::context::CurrentContext;
use cust::device::Device;
use cust::error::CudaError;
use tempfile::TempDir;

/// Compiles a Rust file to a shared library that a driver could be.
fn compile(source: &Path, folder: &Path) -> PathBuf {
    let library = folder.join("libcuda.so.1");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let status = Command::new(rustc)
        .args(["--edition", "2024", "--crate-name", "fake_driver", "--crate-type", "cdylib"])
        .args(["-A", "non_snake_case", "-C", "panic=abort", "-o"])
        .arg(&library)
        .arg(source)
        .status()
        .expect("rustc starts");
    assert!(status.success());
    library
}

fn run_with_fake_driver(test: &str) {
    let folder = TempDir::new().expect("a temporary folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/fake_driver.rs");
    common::run_in_child(test, compile(&source, folder.path()));
}

#[test]
fn the_library_chosen_is_the_one_opened() {
    if !common::in_child() {
        return run_with_fake_driver("the_library_chosen_is_the_one_opened");
    }
    let driver = availability().expect("the fake driver opens");
    let chosen = env::var_os(cuda_loader::LIBRARY_VARIABLE).expect("set by the parent");
    assert_eq!(driver.path().canonicalize().ok(), Path::new(&chosen).canonicalize().ok());
    assert_eq!(driver.version(), Some(12_040));
    assert!(driver.has(c"cuInit") && !driver.has(c"cuCtxGetDevice"));
}

#[test]
fn a_code_cust_cannot_hold_is_kept() {
    if !common::in_child() {
        return run_with_fake_driver("a_code_cust_cannot_hold_is_kept");
    }
    assert_eq!(cust::init(cust::CudaFlags::empty()), Ok(()));
    assert_eq!(last_unmapped_code(), None);

    assert_eq!(Device::num_devices(), Err(CudaError::UnknownError));
    assert_eq!(last_unmapped_code(), Some(912));
    assert_eq!(last_unmapped_code(), None, "taken");

    // 222 fits cust_raw's enum, and cust has no error for it.
    assert_eq!(Device::get_device(0).err(), Some(CudaError::UnknownError));
    assert_eq!(last_unmapped_code(), Some(222));
}

#[test]
fn a_plain_unknown_error_does_not_inherit_a_code() {
    if !common::in_child() {
        return run_with_fake_driver("a_plain_unknown_error_does_not_inherit_a_code");
    }
    assert_eq!(Device::num_devices(), Err(CudaError::UnknownError));
    let mut name = [0; 8];
    // SAFETY: the buffer is as long as said.
    let result = unsafe { cust_raw::cuDeviceGetName(name.as_mut_ptr(), 8, 0) };
    assert_eq!(result, cust_raw::cudaError_enum::CUDA_ERROR_UNKNOWN);
    assert_eq!(last_unmapped_code(), None);

    let mut bytes = 0;
    // SAFETY: `bytes` is writable.
    let result = unsafe { cust_raw::cuDeviceTotalMem_v2(&raw mut bytes, 0) };
    assert_eq!(result, cust_raw::cudaError_enum::CUDA_ERROR_LAUNCH_FAILED);
}

#[test]
fn a_function_the_driver_lacks_is_not_found_and_named() {
    if !common::in_child() {
        return run_with_fake_driver("a_function_the_driver_lacks_is_not_found_and_named");
    }
    for _ in 0..2 {
        assert_eq!(CurrentContext::get_device().err(), Some(CudaError::NotFound));
        assert_eq!(last_missing_function(), Some("cuCtxGetDevice"));
        assert_eq!(last_missing_function(), None, "taken");
    }
    // SAFETY: the fake driver lacks the first function and touches nothing in the second.
    unsafe {
        assert_eq!(api::cuStreamSynchronize(ptr::null_mut()), RawResult::NOT_FOUND);
        assert_eq!(
            api::cuModuleGetFunction(ptr::null_mut(), ptr::null_mut(), ptr::null()),
            RawResult::NOT_FOUND
        );
    }
    assert_eq!(last_missing_function(), None, "the last NOT_FOUND was the driver's own");
}

#[test]
fn raw_functions_return_every_code_and_pass_every_argument() {
    if !common::in_child() {
        return run_with_fake_driver("raw_functions_return_every_code_and_pass_every_argument");
    }
    let mut count = 0;
    // SAFETY: `count` is writable.
    let result = unsafe { api::cuDeviceGetCount(&raw mut count) };
    assert_eq!(result, RawResult(912));
    assert_eq!(format!("{result:?}"), "NAME_FROM_THE_FAKE (912)");

    let mut map = api::CUtensorMap { opaque: [0; 16] };
    let null = ptr::null();
    let address = 0x1234_5678_9abc_usize as *mut c_void;
    // SAFETY: the fake driver writes the map's first word and reads nothing.
    let result = unsafe {
        api::cuTensorMapEncodeTiled(
            &raw mut map,
            7,
            5,
            address,
            null,
            null,
            ptr::null(),
            ptr::null(),
            1,
            2,
            3,
            4,
        )
    };
    assert_eq!(result.code(), 432_157);
    assert_eq!(map.opaque[0], 0x1234_5678_9abc);
}

#[test]
fn a_library_that_is_no_driver_is_named() {
    let test = "a_library_that_is_no_driver_is_named";
    if !common::in_child() {
        let folder = TempDir::new().expect("a temporary folder");
        let source = folder.path().join("empty.rs");
        std::fs::write(&source, "").expect("a file in a temporary folder");
        return common::run_in_child(test, compile(&source, folder.path()));
    }
    let Err(error @ LoadError::NotADriver { symbol: "cuInit", .. }) = availability() else {
        panic!("not a driver")
    };
    assert!(error.to_string().contains("libcuda.so.1 is not a CUDA driver"), "{error}");
    assert_eq!(cust::init(cust::CudaFlags::empty()), Err(CudaError::NoDevice));
}
