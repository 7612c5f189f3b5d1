//! A machine without a driver: every answer is an error, none is a panic.

mod common;

use cuda_loader::{LoadError, availability};
use cust::error::CudaError;

#[test]
fn the_usual_names_are_named_when_none_opens() {
    let Err(error) = availability() else { return };
    let LoadError::NotFound { attempts } = &error else { panic!("{error}") };
    assert!(attempts.iter().any(|attempt| attempt.name.as_os_str() == "libcuda.so.1"));
    assert!(error.to_string().contains("WARPSMITH_LIBCUDA"), "{error}");
}

#[test]
fn cust_sees_no_device() {
    if !common::child_with_library("cust_sees_no_device", "/nonexistent/libcuda.so.1") {
        return;
    }
    assert!(availability().is_err());
    assert_eq!(cust::init(cust::CudaFlags::empty()), Err(CudaError::NoDevice));
    assert_eq!(CudaError::NoDevice.to_string(), r#""no CUDA-capable device is detected""#);
    assert_eq!(cuda_loader::error_name(100), "CUDA_ERROR_NO_DEVICE");
    let _ = cuda_loader::RawResult::SUCCESS;
}
