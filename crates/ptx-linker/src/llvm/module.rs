//! Modules: read, link, clone, change, verify, write.

use std::ffi::c_uint;
use std::marker::PhantomData;
use std::ptr;

use llvm_sys::analysis::LLVMVerifierFailureAction;
use llvm_sys::prelude::*;

use super::api::Api;
use super::context::{Buffer, Context, c_string, read_c_string};
use super::load::take_message;
use super::value::{Type, Value};

/// A module and everything in it.
pub(crate) struct Module<'c> {
    pub(super) api: &'static Api,
    pub(super) raw: LLVMModuleRef,
    pub(super) context: &'c Context,
}

impl<'c> Module<'c> {
    /// Reads bitcode or textual IR; the error is LLVM's reason.
    pub(crate) fn parse(context: &'c Context, bytes: &[u8], name: &str) -> Result<Self, String> {
        let api = context.api;
        let buffer = Buffer::copy(context, bytes, name);
        let (mut raw, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: context and buffer are live; the two results are live locals.
        let failed = unsafe { (api.LLVMParseIRInContext2)(context.raw, buffer.raw, &mut raw, &mut message) };
        if failed != 0 || raw.is_null() {
            return Err(take_message(api, message));
        }
        Ok(Self { api, raw, context })
    }

    /// Reads only the list of symbols of a bitcode file; bodies stay unread, so do nothing else with it.
    pub(crate) fn parse_symbols(context: &'c Context, bytes: &[u8], name: &str) -> Result<Self, String> {
        let api = context.api;
        let buffer = Buffer::copy(context, bytes, name);
        let mut raw = ptr::null_mut();
        // SAFETY: the context is live, and the function takes the buffer whatever its result.
        let failed =
            unsafe { (api.LLVMGetBitcodeModuleInContext2)(context.raw, buffer.into_raw(), &mut raw) };
        if failed != 0 || raw.is_null() {
            return Err(context.take_errors().join("; "));
        }
        Ok(Self { api, raw, context })
    }

    /// Links `other` into this module; the error is LLVM's reason.
    pub(crate) fn link(&mut self, other: Module<'c>) -> Result<(), String> {
        let raw = other.raw;
        std::mem::forget(other);
        // SAFETY: both modules are live and of one context; the second is consumed by the call.
        let failed = unsafe { (self.api.LLVMLinkModules2)(self.raw, raw) };
        let errors = self.context.take_errors();
        if failed != 0 || !errors.is_empty() { Err(errors.join("; ")) } else { Ok(()) }
    }

    /// A copy in the same context.
    pub(crate) fn duplicate(&self) -> Self {
        // SAFETY: the module is live.
        let raw = unsafe { (self.api.LLVMCloneModule)(self.raw) };
        Self { api: self.api, raw, context: self.context }
    }

    /// The context this module lives in.
    pub(crate) fn context(&self) -> &'c Context {
        self.context
    }

    /// The target triple, e.g. `nvptx64-nvidia-cuda`.
    pub(crate) fn triple(&self) -> String {
        // SAFETY: the text belongs to the live module.
        unsafe { read_c_string((self.api.LLVMGetTarget)(self.raw)) }.unwrap_or_default()
    }

    /// Checks the module's rules; the error is LLVM's reason.
    pub(crate) fn verify(&self) -> Result<(), String> {
        let mut message = ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: the module is live, the message a live local.
        let broken = unsafe { (self.api.LLVMVerifyModule)(self.raw, action, &mut message) };
        let text = take_message(self.api, message);
        if broken != 0 { Err(text) } else { Ok(()) }
    }

    /// The module as bitcode.
    pub(crate) fn to_bitcode(&self) -> Vec<u8> {
        // SAFETY: the module is live; the new buffer is owned by the wrapper.
        let raw = unsafe { (self.api.LLVMWriteBitcodeToMemoryBuffer)(self.raw) };
        Buffer::from_raw(self.api, raw).to_vec()
    }

    /// All functions, declarations included.
    pub(crate) fn functions(&self) -> Vec<Value<'c>> {
        // SAFETY: walks the list of a live module, which nothing changes meanwhile.
        unsafe { self.walk((self.api.LLVMGetFirstFunction)(self.raw), self.api.LLVMGetNextFunction) }
    }

    /// All global variables, declarations included.
    pub(crate) fn globals(&self) -> Vec<Value<'c>> {
        // SAFETY: as in `functions`.
        unsafe { self.walk((self.api.LLVMGetFirstGlobal)(self.raw), self.api.LLVMGetNextGlobal) }
    }

    /// All aliases.
    pub(crate) fn aliases(&self) -> Vec<Value<'c>> {
        // SAFETY: as in `functions`.
        unsafe { self.walk((self.api.LLVMGetFirstGlobalAlias)(self.raw), self.api.LLVMGetNextGlobalAlias) }
    }

    unsafe fn walk(
        &self,
        first: LLVMValueRef,
        next: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef,
    ) -> Vec<Value<'c>> {
        let mut all = Vec::new();
        let mut raw = first;
        while let Some(value) = Value::new(self.api, raw) {
            all.push(value);
            // SAFETY: `raw` is a live element of the list that `next` walks, by the callers' choice of both.
            raw = unsafe { next(raw) };
        }
        all
    }

    /// The function of this name.
    pub(crate) fn function(&self, name: &str) -> Option<Value<'c>> {
        self.functions().into_iter().find(|function| function.name() == name)
    }

    /// A new global in address space `space`; LLVM makes the name unique.
    pub(crate) fn add_global(&self, kind: Type<'c>, name: &str, space: u32) -> Value<'c> {
        let name = c_string(name);
        // SAFETY: module and type are live and of one context.
        let raw = unsafe {
            (self.api.LLVMAddGlobalInAddressSpace)(self.raw, kind.raw, name.as_ptr(), space as c_uint)
        };
        Value { api: self.api, raw, context: PhantomData }
    }

    /// The type `[len x i8]`.
    pub(crate) fn bytes_type(&self, len: u64) -> Type<'c> {
        // SAFETY: the context is live.
        let raw =
            unsafe { (self.api.LLVMArrayType2)((self.api.LLVMInt8TypeInContext)(self.context.raw), len) };
        Type { api: self.api, raw, context: PhantomData }
    }

    /// Size and alignment of a type under this module's data layout.
    pub(crate) fn layout(&self, kind: Type<'c>) -> (u64, u32) {
        // SAFETY: the data layout belongs to the live module, the type to its context.
        unsafe {
            let layout = (self.api.LLVMGetModuleDataLayout)(self.raw);
            (
                (self.api.LLVMABISizeOfType)(layout, kind.raw),
                (self.api.LLVMABIAlignmentOfType)(layout, kind.raw),
            )
        }
    }

    /// Puts `new` (cast to the generic address space) in the place of the global `old`, and removes `old`.
    pub(crate) fn replace(&self, old: Value<'c>, new: Value<'c>) {
        // SAFETY: both are globals of this module; the cast gives `new` the type of `old`, as RAUW needs.
        unsafe {
            let cast = (self.api.LLVMConstAddrSpaceCast)(new.raw, (self.api.LLVMTypeOf)(old.raw));
            (self.api.LLVMReplaceAllUsesWith)(old.raw, cast);
            (self.api.LLVMDeleteGlobal)(old.raw);
        }
    }

    /// Removes a global; what still names it gets an undefined value.
    pub(crate) fn erase(&self, global: Value<'c>) {
        // SAFETY: a global of this module; after RAUW nothing refers to it.
        unsafe {
            let undefined = (self.api.LLVMGetUndef)((self.api.LLVMTypeOf)(global.raw));
            (self.api.LLVMReplaceAllUsesWith)(global.raw, undefined);
            (self.api.LLVMDeleteGlobal)(global.raw);
        }
    }

    /// Makes the list global `name` (`llvm.used`, `llvm.compiler.used`) hold `elements` and nothing else.
    pub(crate) fn set_list(&self, old: Value<'c>, elements: &[Value<'c>]) {
        let name = c_string(&old.name());
        let mut raw: Vec<LLVMValueRef> = elements.iter().map(|value| value.raw).collect();
        // SAFETY: nothing refers to these lists, so the old one can go first and free its name. The elements
        // are constants of one pointer type, as they come from the old list.
        unsafe {
            let element = (self.api.LLVMGetElementType)((self.api.LLVMGlobalGetValueType)(old.raw));
            (self.api.LLVMDeleteGlobal)(old.raw);
            if raw.is_empty() {
                return;
            }
            let list = (self.api.LLVMConstArray2)(element, raw.as_mut_ptr(), raw.len() as u64);
            let new = (self.api.LLVMAddGlobal)(self.raw, (self.api.LLVMTypeOf)(list), name.as_ptr());
            (self.api.LLVMSetLinkage)(new, llvm_sys::LLVMLinkage::LLVMAppendingLinkage);
            (self.api.LLVMSetSection)(new, c"llvm.metadata".as_ptr());
            (self.api.LLVMSetInitializer)(new, list);
        }
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: the module is owned here and was given to nobody (`link` forgets it).
        unsafe { (self.api.LLVMDisposeModule)(self.raw) }
    }
}
