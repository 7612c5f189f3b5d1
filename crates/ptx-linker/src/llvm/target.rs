//! The code generator: pass pipelines and PTX.

use std::marker::PhantomData;
use std::ptr;

use llvm_sys::target_machine::*;

use super::api::Api;
use super::context::{Buffer, Context, c_string};
use super::load::{Llvm, take_message};
use super::module::Module;

/// A code generator for one architecture.
pub(crate) struct TargetMachine<'c> {
    api: &'static Api,
    raw: LLVMTargetMachineRef,
    context: PhantomData<&'c Context>,
}

impl<'c> TargetMachine<'c> {
    /// For architecture `cpu` (e.g. `sm_90`) with the given LLVM features; the error is LLVM's reason.
    pub(crate) fn new(llvm: Llvm, triple: &str, cpu: &str, features: &str) -> Result<Self, String> {
        let api = llvm.api;
        let (triple, cpu, features) = (c_string(triple), c_string(cpu), c_string(features));
        let (mut target, mut message) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: C strings and live locals.
        if unsafe { (api.LLVMGetTargetFromTriple)(triple.as_ptr(), &mut target, &mut message) } != 0 {
            return Err(take_message(api, message));
        }
        // SAFETY: the target was just found; the strings are copied.
        let raw = unsafe {
            (api.LLVMCreateTargetMachine)(
                target,
                triple.as_ptr(),
                cpu.as_ptr(),
                features.as_ptr(),
                LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
                LLVMRelocMode::LLVMRelocDefault,
                LLVMCodeModel::LLVMCodeModelDefault,
            )
        };
        if raw.is_null() {
            return Err("LLVM made no code generator".to_owned());
        }
        Ok(Self { api, raw, context: PhantomData })
    }

    /// Runs a pass pipeline, e.g. `default<O3>`; the error is LLVM's reason.
    pub(crate) fn run_passes(&self, module: &Module<'c>, pipeline: &str) -> Result<(), String> {
        let pipeline = c_string(pipeline);
        // SAFETY: module and machine are live; the options are freed here, the message of an error too.
        unsafe {
            let options = (self.api.LLVMCreatePassBuilderOptions)();
            let error = (self.api.LLVMRunPasses)(module.raw, pipeline.as_ptr(), self.raw, options);
            (self.api.LLVMDisposePassBuilderOptions)(options);
            if error.is_null() {
                return Ok(());
            }
            let message = (self.api.LLVMGetErrorMessage)(error);
            let text = super::context::read_c_string(message).unwrap_or_default();
            (self.api.LLVMDisposeErrorMessage)(message);
            Err(text)
        }
    }

    /// Generates PTX; the error is LLVM's reason.
    pub(crate) fn emit(&self, module: &Module<'c>) -> Result<Vec<u8>, String> {
        let (mut buffer, mut message) = (ptr::null_mut(), ptr::null_mut());
        let kind = LLVMCodeGenFileType::LLVMAssemblyFile;
        // SAFETY: module and machine are live, the results live locals.
        let failed = unsafe {
            (self.api.LLVMTargetMachineEmitToMemoryBuffer)(
                self.raw,
                module.raw,
                kind,
                &mut message,
                &mut buffer,
            )
        };
        if failed != 0 || buffer.is_null() {
            return Err(take_message(self.api, message));
        }
        let text = Buffer::from_raw(self.api, buffer).to_vec();
        let errors = module.context.take_errors();
        if errors.is_empty() { Ok(text) } else { Err(errors.join("; ")) }
    }
}

impl Drop for TargetMachine<'_> {
    fn drop(&mut self) {
        // SAFETY: the machine is owned here.
        unsafe { (self.api.LLVMDisposeTargetMachine)(self.raw) }
    }
}
