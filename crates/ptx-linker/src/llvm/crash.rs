//! What happens when LLVM or libNVVM crashes: damaged bitcode can lead LLVM astray, and both check less than they read.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::context::c_string;

/// What is said of a crash while libNVVM runs; null: it is LLVM that crashed.
static OTHER: AtomicPtr<c_char> = AtomicPtr::new(ptr::null_mut());

const MESSAGE: &[u8] =
    b"ptx-linker: error: LLVM crashed; an input is damaged (build the kernels again from an empty \
target folder) or the code meets a bug of LLVM\n";

/// Makes a crash of this process one line on stderr and exit code 1. For programs that only link.
pub(crate) fn report_as_error() {
    let handler: extern "C" fn(c_int) = handler;
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT] {
        // SAFETY: the action is zero but for the handler, which calls only functions that signal handlers may
        // call. It runs on the alternative stack that Rust's start-up code made.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigaction(signal, &action, ptr::null_mut());
        }
    }
}

/// While it lives, a crash is one of libNVVM. One at a time.
pub(crate) struct During {
    /// What `OTHER` points to.
    _message: CString,
}

impl During {
    /// Until this is dropped libNVVM is at `step`, e.g. ``checking `cross` for sm_90``; `advice` says what then helps.
    pub(crate) fn libnvvm(step: &str, advice: &str) -> Self {
        let message = c_string(&format!("ptx-linker: error: libNVVM crashed while {step}; {advice}\n"));
        OTHER.store(message.as_ptr().cast_mut(), Ordering::Release);
        Self { _message: message }
    }
}

impl Drop for During {
    fn drop(&mut self) {
        OTHER.store(ptr::null_mut(), Ordering::Release);
    }
}

extern "C" fn handler(_signal: c_int) {
    let other = OTHER.load(Ordering::Acquire);
    // SAFETY: the functions are async-signal-safe; the bytes are static, or those of a live `During`.
    unsafe {
        if other.is_null() {
            libc::write(2, MESSAGE.as_ptr().cast::<c_void>(), MESSAGE.len());
        } else {
            libc::write(2, other.cast::<c_void>(), libc::strlen(other));
        }
        libc::_exit(1);
    }
}
