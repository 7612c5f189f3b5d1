//! What is common to calls of the driver: handles, codes, locks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cust::error::CudaError;

use crate::error::DriverCode;

/// A handle of the driver.
#[derive(Debug)]
pub(super) struct Handle<T>(pub *mut T);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

// SAFETY: a number that only the driver looks behind, and the driver's functions may be called with one handle from any
// thread (CUDA Driver API, "Multithreading": the API is thread-safe). Whether the object still lives is the owner's care.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Handle<T> {}

/// `CUDA_ERROR_OUT_OF_MEMORY`.
pub(super) const OUT_OF_MEMORY: u32 = 2;
/// `CUDA_ERROR_INVALID_VALUE`.
pub(super) const INVALID_VALUE: u32 = 1;
/// `CUDA_ERROR_NO_DEVICE`.
pub(super) const NO_DEVICE: u32 = 100;
/// `CUDA_ERROR_INVALID_PTX`.
pub(super) const INVALID_PTX: u32 = 218;
/// `CUDA_ERROR_UNSUPPORTED_PTX_VERSION`.
pub(super) const UNSUPPORTED_PTX_VERSION: u32 = 222;
/// `CUDA_ERROR_NOT_READY`.
pub(super) const NOT_READY: u32 = 600;

/// The code behind cust's error; the loader knows those that cust does not tell apart.
pub(super) fn code_of(error: CudaError) -> DriverCode {
    match error {
        CudaError::UnknownError => DriverCode(cuda_loader::last_unmapped_code().unwrap_or(error as u32)),
        known => DriverCode(known as u32),
    }
}

/// Whether no call on this context can succeed after this code (CUDA Driver API, `CUresult`: "the process must be
/// terminated and relaunched", or "the context cannot be used").
pub(super) const fn is_sticky(code: u32) -> bool {
    matches!(
        code,
        214 | 220 // ECC and NVLink errors that cannot be corrected
        | 226 // contained hardware error
        | 700 // illegal address
        | 702 // launch timeout
        | 709 // context destroyed
        | 710 // device assert
        | 714
            ..=719 // stack, instruction, alignment, address space, program counter; launch failed (a trap)
        | 721 // tensor memory leak
        | 911 // external device
    )
}

/// Locks; a panic elsewhere left nothing half-done that a lock here guards.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_sticky_and_refusals_are_not() {
        for code in [214, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719] {
            assert!(is_sticky(code), "{code}");
        }
        for code in [0, 1, 2, 100, 218, 222, 400, 600, 701, 703, 704, 705, 708, 712, 713, 720, 801, 912, 999]
        {
            assert!(!is_sticky(code), "{code}");
        }
    }

    #[test]
    fn custs_errors_keep_their_code() {
        assert_eq!(code_of(CudaError::LaunchFailed), DriverCode(719));
        assert_eq!(code_of(CudaError::UnknownError), DriverCode(999));
    }
}
