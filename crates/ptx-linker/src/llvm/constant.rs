//! Constants, read by the NVVM writer.

use std::ffi::c_uint;

use llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use super::load::take_message;
use super::value::Value;

// SAFETY (of every block below): as in `value`: a `Value` is live while its module is, and each method is called
// on the kind of value that its first line names.
impl<'c> Value<'c> {
    /// Any value: LLVM's word for what it is.
    pub(crate) fn value_kind(self) -> LLVMValueKind {
        // SAFETY: a live value.
        unsafe { (self.api.LLVMGetValueKind)(self.raw) }
    }

    /// Any value: as LLVM prints it.
    pub(crate) fn text(self) -> String {
        // SAFETY: a live value; the message is owned by the caller.
        let message = unsafe { (self.api.LLVMPrintValueToString)(self.raw) };
        take_message(self.api, message)
    }

    /// A constant integer of at most 64 bits, zero-extended; `None` for a wider one or another value.
    pub(crate) fn integer(self) -> Option<u64> {
        if self.value_kind() != LLVMValueKind::LLVMConstantIntValueKind {
            return None;
        }
        // SAFETY: a constant integer, as just seen; the function asks for at most 64 bits.
        unsafe {
            let width = (self.api.LLVMGetIntTypeWidth)((self.api.LLVMTypeOf)(self.raw));
            (width <= 64).then(|| (self.api.LLVMConstIntGetZExtValue)(self.raw))
        }
    }

    /// A floating-point constant of 16, 32 or 64 bits: its bits.
    pub(crate) fn float_bits(self) -> Option<u64> {
        // SAFETY: a constant; the cast is to the integer of the same width, which LLVM folds.
        unsafe {
            let ty = (self.api.LLVMTypeOf)(self.raw);
            let width = match (self.api.LLVMGetTypeKind)(ty) {
                LLVMTypeKind::LLVMHalfTypeKind => 16,
                LLVMTypeKind::LLVMFloatTypeKind => 32,
                LLVMTypeKind::LLVMDoubleTypeKind => 64,
                _ => return None,
            };
            let integer = (self.api.LLVMIntTypeInContext)((self.api.LLVMGetTypeContext)(ty), width);
            Value::new(self.api, (self.api.LLVMConstBitCast)(self.raw, integer))?.integer()
        }
    }

    /// A constant array, structure or vector: the element at `index`.
    pub(crate) fn element(self, index: u64) -> Option<Value<'c>> {
        let index = c_uint::try_from(index).ok()?;
        // SAFETY: a constant; an index out of range gives null.
        Self::new(self.api, unsafe { (self.api.LLVMGetAggregateElement)(self.raw, index) })
    }

    /// A constant expression: its operation.
    pub(crate) fn constant_opcode(self) -> LLVMOpcode {
        // SAFETY: a constant expression.
        unsafe { (self.api.LLVMGetConstOpcode)(self.raw) }
    }

    /// A global: may nothing write it?
    pub(crate) fn is_constant_global(self) -> bool {
        // SAFETY: a live global variable.
        unsafe { (self.api.LLVMIsGlobalConstant)(self.raw) != 0 }
    }

    /// A global: has every thread its own?
    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: a live global variable.
        unsafe { (self.api.LLVMIsThreadLocal)(self.raw) != 0 }
    }
}
