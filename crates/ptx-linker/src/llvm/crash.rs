//! What happens when LLVM crashes: damaged bitcode can lead it astray, and it checks less than it reads.

use std::ffi::{c_int, c_void};
use std::ptr;

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

extern "C" fn handler(_signal: c_int) {
    // SAFETY: both functions are async-signal-safe; the bytes are static.
    unsafe {
        libc::write(2, MESSAGE.as_ptr().cast::<c_void>(), MESSAGE.len());
        libc::_exit(1);
    }
}
