//! What happens when LLVM calls `report_fatal_error`: one line that names the step, then exit 1.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};

use crate::error::report;

thread_local! {
    static STEP: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Names the work this thread does next, for the message of a fatal error.
pub(crate) fn set_step(step: impl Into<String>) {
    STEP.with(|cell| *cell.borrow_mut() = step.into());
}

/// Installed in LLVM. It may not return: LLVM would abort the process with a stack dump.
pub(super) extern "C" fn handler(reason: *const c_char) {
    let reason = if reason.is_null() {
        "no reason given".to_owned()
    } else {
        // SAFETY: LLVM passes a C string that lives for the time of the call.
        unsafe { CStr::from_ptr(reason) }.to_string_lossy().into_owned()
    };
    let step = STEP.with(|cell| cell.try_borrow().map(|step| step.clone()).unwrap_or_default());
    report(&format!("LLVM gave up while {step}: {reason}"));
    std::process::exit(1);
}
