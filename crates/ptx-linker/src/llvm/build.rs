//! New instructions in front of an old one, which they replace.

use std::ffi::c_uint;
use std::marker::PhantomData;

use llvm_sys::prelude::*;
use llvm_sys::{LLVMInlineAsmDialect, LLVMIntPredicate, LLVMOpcode};

use super::context::Context;
use super::value::{Type, Value};

/// The name of an instruction that has none.
const UNNAMED: *const std::ffi::c_char = c"".as_ptr();

/// Writes instructions in front of one place.
pub(crate) struct Builder<'c> {
    context: &'c Context,
    raw: LLVMBuilderRef,
}

// SAFETY (of every block below): builder, context, types and values are live and of one context, and each method
// is given values of the kind that its first line names.
impl<'c> Builder<'c> {
    /// A builder that writes in front of `instruction`.
    pub(crate) fn before(context: &'c Context, instruction: Value<'c>) -> Self {
        // SAFETY: a live instruction inside a block.
        let raw = unsafe {
            let raw = (context.api.LLVMCreateBuilderInContext)(context.raw);
            (context.api.LLVMPositionBuilderBefore)(raw, instruction.raw);
            raw
        };
        Self { context, raw }
    }

    fn value(&self, raw: LLVMValueRef) -> Value<'c> {
        Value { api: self.context.api, raw, context: PhantomData }
    }

    /// The type `iN`.
    pub(crate) fn integer(&self, width: u32) -> Type<'c> {
        // SAFETY: see above.
        let raw = unsafe { (self.context.api.LLVMIntTypeInContext)(self.context.raw, width) };
        Type { api: self.context.api, raw, context: PhantomData }
    }

    /// Assembly with side effects, which touches memory where `constraints` say so. `result`: the type of `$0`.
    pub(crate) fn assembly(
        &self,
        text: &str,
        constraints: &str,
        result: Option<Type<'c>>,
        arguments: &[Value<'c>],
    ) -> Value<'c> {
        let api = self.context.api;
        let mut raw: Vec<LLVMValueRef> = arguments.iter().map(|value| value.raw).collect();
        // SAFETY: see above; pointers and lengths are those of the texts and lists.
        let call = unsafe {
            let mut types: Vec<LLVMTypeRef> = raw.iter().map(|&value| (api.LLVMTypeOf)(value)).collect();
            let result = result.map_or_else(|| (api.LLVMVoidTypeInContext)(self.context.raw), |ty| ty.raw);
            let count = raw.len() as c_uint;
            let ty = (api.LLVMFunctionType)(result, types.as_mut_ptr(), count, 0);
            let asm = (api.LLVMGetInlineAsm)(
                ty,
                text.as_ptr().cast(),
                text.len(),
                constraints.as_ptr().cast(),
                constraints.len(),
                1,
                0,
                LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
                0,
            );
            (api.LLVMBuildCall2)(self.raw, ty, asm, raw.as_mut_ptr(), count, UNNAMED)
        };
        self.value(call)
    }

    /// `value` as a `to`: a cast that this operation stands for.
    pub(crate) fn cast(&self, operation: LLVMOpcode, value: Value<'c>, to: Type<'c>) -> Value<'c> {
        // SAFETY: see above; the caller's operation fits both types.
        self.value(unsafe {
            (self.context.api.LLVMBuildCast)(self.raw, operation, value.raw, to.raw, UNNAMED)
        })
    }

    /// `-value` of an integer, wrapped.
    pub(crate) fn negate(&self, value: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        self.value(unsafe { (self.context.api.LLVMBuildNeg)(self.raw, value.raw, UNNAMED) })
    }

    /// The bits of an integer, each the other way.
    pub(crate) fn not(&self, value: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        self.value(unsafe { (self.context.api.LLVMBuildNot)(self.raw, value.raw, UNNAMED) })
    }

    /// Whether the comparison holds of two integers or addresses of one type.
    pub(crate) fn compare(&self, predicate: LLVMIntPredicate, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        self.value(unsafe { (self.context.api.LLVMBuildICmp)(self.raw, predicate, a.raw, b.raw, UNNAMED) })
    }

    /// A binary operation on two integers of one type.
    pub(crate) fn binary(&self, opcode: LLVMOpcode, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        self.value(unsafe { (self.context.api.LLVMBuildBinOp)(self.raw, opcode, a.raw, b.raw, UNNAMED) })
    }

    /// `a` where the `i1` is true, else `b`, of one type.
    pub(crate) fn select(&self, which: Value<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        self.value(unsafe { (self.context.api.LLVMBuildSelect)(self.raw, which.raw, a.raw, b.raw, UNNAMED) })
    }

    /// A plain load from an address, aligned as the type is.
    pub(crate) fn load(&self, ty: Type<'c>, from: Value<'c>) -> Value<'c> {
        // SAFETY: see above.
        self.value(unsafe { (self.context.api.LLVMBuildLoad2)(self.raw, ty.raw, from.raw, UNNAMED) })
    }

    /// A plain store to an address, aligned as the value's type is.
    pub(crate) fn store(&self, value: Value<'c>, to: Value<'c>) {
        // SAFETY: see above.
        unsafe { (self.context.api.LLVMBuildStore)(self.raw, value.raw, to.raw) };
    }

    /// The structure `{ first, second }` of type `ty`.
    pub(crate) fn pair(&self, ty: Type<'c>, first: Value<'c>, second: Value<'c>) -> Value<'c> {
        let api = self.context.api;
        // SAFETY: see above; the fields have the types that `ty` has.
        self.value(unsafe {
            let half =
                (api.LLVMBuildInsertValue)(self.raw, (api.LLVMGetUndef)(ty.raw), first.raw, 0, UNNAMED);
            (api.LLVMBuildInsertValue)(self.raw, half, second.raw, 1, UNNAMED)
        })
    }

    /// Puts `new` (`None`: nothing, for an instruction without a result) in the place of the instruction `old`.
    pub(crate) fn replace(self, old: Value<'c>, new: Option<Value<'c>>) {
        let api = self.context.api;
        // SAFETY: `new` has the type of `old`, after which nothing uses that.
        unsafe {
            if let Some(new) = new {
                (api.LLVMReplaceAllUsesWith)(old.raw, new.raw);
            }
            (api.LLVMInstructionEraseFromParent)(old.raw);
        }
    }
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        // SAFETY: the builder is owned here.
        unsafe { (self.context.api.LLVMDisposeBuilder)(self.raw) }
    }
}
