//! Result codes: raw for our own callers, as an enum for cust, and what gets lost in between.

use std::cell::Cell;
use std::ffi::{CStr, c_char};
use std::fmt;
use std::ptr;

use cust_raw::cudaError_enum;

use crate::codes;
use crate::symbol::Symbol;

/// A result of the driver, as the number it returned. Every code fits, also those of drivers to come.
#[must_use = "the driver reports failure only by this value"]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct RawResult(pub u32);

impl RawResult {
    /// `CUDA_SUCCESS`.
    pub const SUCCESS: Self = Self(0);
    /// `CUDA_ERROR_INVALID_VALUE`.
    pub const INVALID_VALUE: Self = Self(1);
    /// `CUDA_ERROR_OUT_OF_MEMORY`.
    pub const OUT_OF_MEMORY: Self = Self(2);
    /// `CUDA_ERROR_NO_DEVICE`: no device, or no driver library (see [`availability`](crate::availability)).
    pub const NO_DEVICE: Self = Self(100);
    /// `CUDA_ERROR_UNSUPPORTED_PTX_VERSION`: the PTX is newer than the driver.
    pub const UNSUPPORTED_PTX_VERSION: Self = Self(222);
    /// `CUDA_ERROR_NOT_FOUND`: a name was not found, or this driver lacks the function (see
    /// [`last_missing_function`]).
    pub const NOT_FOUND: Self = Self(500);
    /// `CUDA_ERROR_NOT_READY`: asynchronous work goes on. Not a failure.
    pub const NOT_READY: Self = Self(600);
    /// `CUDA_ERROR_UNKNOWN`.
    pub const UNKNOWN: Self = Self(999);

    /// Whether the call succeeded.
    #[must_use]
    pub const fn is_success(self) -> bool {
        self.0 == 0
    }

    /// The code, by number.
    #[must_use]
    pub const fn code(self) -> u32 {
        self.0
    }

    /// For use with `?`.
    ///
    /// # Errors
    /// The result itself, unless it is success.
    pub const fn ok(self) -> Result<(), Self> {
        if self.is_success() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Debug for RawResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", error_name(self.0), self.0)
    }
}

impl fmt::Display for RawResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", error_name(self.0), self.0, error_string(self.0))
    }
}

impl std::error::Error for RawResult {}

thread_local! {
    static UNMAPPED: Cell<Option<u32>> = const { Cell::new(None) };
    static MISSING: Cell<Option<&'static CStr>> = const { Cell::new(None) };
}

/// The code behind the last `UnknownError` that cust returned on this thread, where the driver said something
/// better: a code that cust_raw's enum does not have (cust gets 999 in its place), or one that the enum has
/// and cust does not tell apart. `None` if that last error was a plain 999, or if the code was taken before.
#[must_use]
pub fn last_unmapped_code() -> Option<u32> {
    UNMAPPED.take()
}

/// The function behind the last `NOT_FOUND` on this thread, if the code came from here because the driver
/// does not have that function. `None` if the driver itself answered `NOT_FOUND`, or if the name was taken
/// before.
#[must_use]
pub fn last_missing_function() -> Option<&'static str> {
    MISSING.take().and_then(|name| name.to_str().ok())
}

pub(crate) fn note_missing(function: &'static CStr) {
    MISSING.set(Some(function));
}

/// Passes a raw code on, after the driver's function itself returned it.
#[inline]
pub(crate) fn from_driver(result: RawResult) -> RawResult {
    if result == RawResult::NOT_FOUND {
        MISSING.set(None);
    }
    result
}

/// The code in the only form cust may see.
#[inline]
pub(crate) fn for_cust(result: RawResult) -> cudaError_enum {
    if result.is_success() { cudaError_enum::CUDA_SUCCESS } else { failure_for_cust(result.0) }
}

#[cold]
fn failure_for_cust(code: u32) -> cudaError_enum {
    if code == RawResult::UNKNOWN.0 {
        UNMAPPED.set(None);
    } else if !codes::has_cust_error(code) {
        UNMAPPED.set(Some(code));
    }
    codes::in_cust_raw(code).unwrap_or(cudaError_enum::CUDA_ERROR_UNKNOWN)
}

type Describe = unsafe extern "C" fn(u32, *mut *const c_char) -> RawResult;

static ERROR_NAME: Symbol = Symbol::new("cuGetErrorName\0");
static ERROR_STRING: Symbol = Symbol::new("cuGetErrorString\0");

/// NVIDIA's name of a code, such as `CUDA_ERROR_OUT_OF_MEMORY`: from the driver, else from this crate's
/// table.
#[must_use]
pub fn error_name(code: u32) -> &'static str {
    name_of(code).and_then(|name| name.to_str().ok()).unwrap_or("unrecognized error code")
}

/// What a code means, in the driver's words, else in this crate's.
#[must_use]
pub fn error_string(code: u32) -> &'static str {
    string_of(code).and_then(|text| text.to_str().ok()).unwrap_or("the driver has no text for this code")
}

fn name_of(code: u32) -> Option<&'static CStr> {
    ask_driver(&ERROR_NAME, code).or_else(|| codes::name(code))
}

fn string_of(code: u32) -> Option<&'static CStr> {
    ask_driver(&ERROR_STRING, code).or_else(|| codes::text(code)).or_else(|| codes::name(code))
}

fn ask_driver(symbol: &Symbol, code: u32) -> Option<&'static CStr> {
    let address = symbol.address().ok()?;
    // SAFETY: both symbols are `CUresult (CUresult error, const char **pStr)`, and an enum travels as its
    // number.
    let describe: Describe = unsafe { std::mem::transmute(address) };
    let mut text = ptr::null();
    // SAFETY: `text` is a live, writable pointer; the functions need no `cuInit`.
    let result = unsafe { describe(code, &raw mut text) };
    if !result.is_success() || text.is_null() {
        return None;
    }
    // SAFETY: on success the driver gives a NUL-terminated constant of its own; the library is never closed.
    Some(unsafe { CStr::from_ptr(text) })
}

/// `cuGetErrorName` for cust: answers without a driver too.
///
/// # Safety
/// `out` is null or writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn cuGetErrorName(error: cudaError_enum, out: *mut *const c_char) -> cudaError_enum {
    // SAFETY: the caller's promise.
    unsafe { answer(name_of(error as u32), out) }
}

/// `cuGetErrorString` for cust, whose `Display` needs an answer also where there is no driver.
///
/// # Safety
/// `out` is null or writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn cuGetErrorString(error: cudaError_enum, out: *mut *const c_char) -> cudaError_enum {
    // SAFETY: the caller's promise.
    unsafe { answer(string_of(error as u32), out) }
}

/// # Safety
/// `out` is null or writable.
unsafe fn answer(text: Option<&'static CStr>, out: *mut *const c_char) -> cudaError_enum {
    if out.is_null() {
        return cudaError_enum::CUDA_ERROR_INVALID_VALUE;
    }
    // SAFETY: `out` is not null, so it is writable.
    unsafe { out.write(text.map_or(ptr::null(), CStr::as_ptr)) };
    if text.is_some() { cudaError_enum::CUDA_SUCCESS } else { cudaError_enum::CUDA_ERROR_INVALID_VALUE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_cust_raw_knows_passes_unchanged_and_no_other_does() {
        for code in 0..=2_000 {
            let got = for_cust(RawResult(code)) as u32;
            let want = if codes::in_cust_raw(code).is_some() { code } else { 999 };
            assert_eq!(got, want);
        }
        assert_eq!(for_cust(RawResult(u32::MAX)) as u32, 999);
        assert_eq!(last_unmapped_code(), Some(u32::MAX));
    }

    #[test]
    fn what_cust_tells_apart_is_not_kept() {
        for code in [0, 1, 100, 500, 719, 801] {
            let _ = for_cust(RawResult(code));
            assert_eq!(last_unmapped_code(), None, "{code}");
        }
    }

    #[test]
    fn a_kept_code_belongs_to_its_thread() {
        let _ = for_cust(RawResult(912));
        let elsewhere = std::thread::spawn(last_unmapped_code).join();
        assert!(matches!(elsewhere, Ok(None)));
        assert_eq!(last_unmapped_code(), Some(912));
    }
}
