//! Contexts, memory buffers, and the errors LLVM reports through a context.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::marker::PhantomData;

use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::prelude::*;

use super::api::Api;
use super::load::Llvm;

/// Owns everything of one link: types, constants, and the modules that borrow it.
pub(crate) struct Context {
    pub(super) api: &'static Api,
    pub(super) raw: LLVMContextRef,
    sink: Box<Sink>,
}

/// Where LLVM's diagnostics go.
struct Sink {
    api: &'static Api,
    errors: RefCell<Vec<String>>,
}

impl Context {
    /// A new context whose diagnostics are collected instead of printed.
    pub(crate) fn new(llvm: Llvm) -> Self {
        let api = llvm.api;
        let sink = Box::new(Sink { api, errors: RefCell::new(Vec::new()) });
        let pointer = (&raw const *sink).cast_mut().cast::<c_void>();
        // SAFETY: `pointer` is into the box, which lives as long as the context (see `Drop`).
        let raw = unsafe {
            let raw = (api.LLVMContextCreate)();
            (api.LLVMContextSetDiagnosticHandler)(raw, Some(collect), pointer);
            raw
        };
        Self { api, raw, sink }
    }

    /// The errors reported since the last call.
    pub(crate) fn take_errors(&self) -> Vec<String> {
        self.sink.errors.take()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: modules borrow the context, so all of them are gone; `sink` is dropped after this.
        unsafe { (self.api.LLVMContextDispose)(self.raw) }
    }
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    // SAFETY: LLVM passes a live diagnostic, and `sink` is the pointer given in `Context::new`.
    unsafe {
        let sink = &*sink.cast::<Sink>();
        if (sink.api.LLVMGetDiagInfoSeverity)(info) != LLVMDiagnosticSeverity::LLVMDSError {
            return;
        }
        let message = (sink.api.LLVMGetDiagInfoDescription)(info);
        let text = super::load::take_message(sink.api, message);
        if let Ok(mut errors) = sink.errors.try_borrow_mut() {
            errors.push(text);
        }
    }
}

/// A block of bytes that LLVM owns.
pub(crate) struct Buffer<'c> {
    pub(super) api: &'static Api,
    pub(super) raw: LLVMMemoryBufferRef,
    context: PhantomData<&'c Context>,
}

impl<'c> Buffer<'c> {
    /// Copies `bytes`; `name` appears in LLVM's messages.
    pub(crate) fn copy(context: &'c Context, bytes: &[u8], name: &str) -> Self {
        let name = c_string(name);
        let start = bytes.as_ptr().cast::<c_char>();
        // SAFETY: the range is that of the slice, the name is a C string, and both are copied.
        let raw = unsafe {
            (context.api.LLVMCreateMemoryBufferWithMemoryRangeCopy)(start, bytes.len(), name.as_ptr())
        };
        Self { api: context.api, raw, context: PhantomData }
    }

    /// Takes over a buffer that LLVM made.
    pub(super) fn from_raw(api: &'static Api, raw: LLVMMemoryBufferRef) -> Self {
        Self { api, raw, context: PhantomData }
    }

    /// The bytes, copied.
    pub(crate) fn to_vec(&self) -> Vec<u8> {
        // SAFETY: the buffer is live, and its start and size describe one allocation.
        unsafe {
            let start = (self.api.LLVMGetBufferStart)(self.raw).cast::<u8>();
            std::slice::from_raw_parts(start, (self.api.LLVMGetBufferSize)(self.raw)).to_vec()
        }
    }

    /// Gives the buffer to a function that frees it.
    pub(super) fn into_raw(self) -> LLVMMemoryBufferRef {
        let raw = self.raw;
        std::mem::forget(self);
        raw
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: the buffer is owned here and was given to nobody (`into_raw` forgets it).
        unsafe { (self.api.LLVMDisposeMemoryBuffer)(self.raw) }
    }
}

/// A C string; a text with a zero byte is cut there (LLVM names have none).
pub(crate) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// Reads a C string that LLVM owns; `None` for a null pointer.
///
/// # Safety
/// `text` is null or points to a C string that lives until the call returns.
pub(super) unsafe fn read_c_string(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: not null, and a C string by this function's contract.
    Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}
