//! One entry point of the driver: looked up at its first call, then a load and two compares.

use std::ffi::{CStr, c_void};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::driver::driver;
use crate::result::{RawResult, note_missing};

/// Stands in a [`Symbol`] for "looked for and not there". No function has this address.
const ABSENT: *mut c_void = ptr::without_provenance_mut(usize::MAX);

pub(crate) struct Symbol {
    name: &'static CStr,
    /// Null before the first look-up.
    address: AtomicPtr<c_void>,
}

impl Symbol {
    /// `name` ends with its only NUL byte. Checked when the table is compiled.
    pub(crate) const fn new(name: &'static str) -> Self {
        match CStr::from_bytes_with_nul(name.as_bytes()) {
            Ok(name) => Self { name, address: AtomicPtr::new(ptr::null_mut()) },
            Err(_) => panic!("a symbol name ends with its only NUL byte"),
        }
    }

    /// The function's address, or the code its caller gets: `NO_DEVICE` without a driver, `NOT_FOUND` where
    /// the driver lacks the function.
    #[inline]
    pub(crate) fn address(&self) -> Result<NonNull<c_void>, RawResult> {
        let address = self.address.load(Ordering::Acquire);
        match NonNull::new(address) {
            Some(found) if address != ABSENT => Ok(found),
            _ => self.look_up(),
        }
    }

    #[cold]
    fn look_up(&self) -> Result<NonNull<c_void>, RawResult> {
        let Ok(driver) = driver() else { return Err(RawResult::NO_DEVICE) };
        if self.address.load(Ordering::Acquire) != ABSENT {
            if let Some(found) = driver.find(self.name) {
                self.address.store(found.as_ptr(), Ordering::Release);
                return Ok(found);
            }
            self.address.store(ABSENT, Ordering::Release);
        }
        note_missing(self.name);
        Err(RawResult::NOT_FOUND)
    }
}
