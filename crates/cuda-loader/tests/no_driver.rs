//! A machine without a driver: every answer is an error, none is a panic.

mod common;

use std::path::Path;
use std::ptr;

use cuda_loader::{LoadError, RawResult, api, availability};
use cust::error::CudaError;

const NOWHERE: &str = "/nonexistent/libcuda.so.1";

#[test]
fn the_error_names_what_was_tried_and_the_way_out() {
    // On a machine with a driver there is no error to look at.
    let Err(error) = availability() else { return };
    let LoadError::NotFound { attempts } = &error else { panic!("{error}") };
    assert!(attempts.iter().any(|attempt| attempt.name == Path::new("libcuda.so.1")));
    assert!(attempts.iter().all(|attempt| !attempt.reason.is_empty()));
    assert!(error.to_string().contains("WARPSMITH_LIBCUDA"), "{error}");
}

#[test]
fn cust_sees_no_device() {
    if !common::in_child() {
        return common::run_in_child("cust_sees_no_device", NOWHERE);
    }
    let Err(LoadError::NotFound { attempts }) = availability() else { panic!("nothing to open") };
    assert_eq!(attempts.len(), 1);
    assert_eq!(attempts[0].name, Path::new(NOWHERE));
    assert_eq!(cust::init(cust::CudaFlags::empty()), Err(CudaError::NoDevice));
}

#[test]
fn errors_have_names_and_texts_without_a_driver() {
    if !common::in_child() {
        return common::run_in_child("errors_have_names_and_texts_without_a_driver", NOWHERE);
    }
    // cust's own Display asks the driver, and panics in `to_string` without an answer.
    assert_eq!(CudaError::NoDevice.to_string(), r#""no CUDA-capable device is detected""#);
    assert_eq!(CudaError::LaunchFailed.to_string(), r#""CUDA_ERROR_LAUNCH_FAILED""#);
    assert_eq!(cuda_loader::error_name(912), "CUDA_ERROR_INVALID_CLUSTER_SIZE");
    assert_eq!(cuda_loader::error_name(123_456), "unrecognized error code");
    assert_eq!(
        RawResult::NO_DEVICE.to_string(),
        "CUDA_ERROR_NO_DEVICE (100): no CUDA-capable device is detected"
    );
}

#[test]
fn raw_functions_say_no_device() {
    if !common::in_child() {
        return common::run_in_child("raw_functions_say_no_device", NOWHERE);
    }
    // SAFETY: without a driver nothing is read or written.
    unsafe {
        assert_eq!(api::cuInit(0), RawResult::NO_DEVICE);
        assert_eq!(
            api::cuLaunchKernelEx(ptr::null(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut()).code(),
            100
        );
    }
    assert_eq!(cuda_loader::last_missing_function(), None);
}
