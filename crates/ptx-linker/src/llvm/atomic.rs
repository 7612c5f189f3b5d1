//! Atomic instructions, read by the pass that lowers them.

use llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMOpcode};

use super::context::Context;
use super::value::Value;

/// Who sees an atomic instruction, by LLVM's names.
const SCOPES: [(&str, &str); 5] =
    [("", "sys"), ("device", "gpu"), ("cluster", "cluster"), ("block", "cta"), ("singlethread", "thread")];

// SAFETY (of every block below): as in `value`: a `Value` is live while its module is, and each method is called
// on the kind of value that its first line names.
impl Value<'_> {
    /// An instruction: is it atomic, or a fence?
    pub(crate) fn is_atomic(self) -> bool {
        match self.opcode() {
            LLVMOpcode::LLVMFence | LLVMOpcode::LLVMAtomicCmpXchg | LLVMOpcode::LLVMAtomicRMW => true,
            LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore => {
                self.ordering() != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
            }
            _ => false,
        }
    }

    /// A load, store, fence, `atomicrmw`, or `cmpxchg` where it succeeds: its ordering.
    pub(crate) fn ordering(self) -> LLVMAtomicOrdering {
        // SAFETY: a live instruction with an ordering.
        unsafe {
            match self.opcode() {
                LLVMOpcode::LLVMAtomicCmpXchg => (self.api.LLVMGetCmpXchgSuccessOrdering)(self.raw),
                _ => (self.api.LLVMGetOrdering)(self.raw),
            }
        }
    }

    /// An atomic load or store: makes it a plain one.
    pub(crate) fn make_plain(self) {
        // SAFETY: a live load or store.
        unsafe { (self.api.LLVMSetOrdering)(self.raw, LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic) }
    }

    /// A `cmpxchg`: its ordering where it fails.
    pub(crate) fn failure_ordering(self) -> LLVMAtomicOrdering {
        // SAFETY: a live `cmpxchg`.
        unsafe { (self.api.LLVMGetCmpXchgFailureOrdering)(self.raw) }
    }

    /// An `atomicrmw`: what it does.
    pub(crate) fn atomic_operation(self) -> LLVMAtomicRMWBinOp {
        // SAFETY: a live `atomicrmw`.
        unsafe { (self.api.LLVMGetAtomicRMWBinOp)(self.raw) }
    }

    /// An atomic instruction: its scope as PTX spells it, or `thread` for a mark that only the compiler sees.
    pub(crate) fn scope(self, context: &Context) -> Option<&'static str> {
        // SAFETY: a live atomic instruction; pointer and length are those of the text.
        let id = unsafe { (self.api.LLVMGetAtomicSyncScopeID)(self.raw) };
        SCOPES.into_iter().find_map(|(name, word)| {
            // SAFETY: as above; the context is live.
            let known =
                unsafe { (self.api.LLVMGetSyncScopeID)(context.raw, name.as_ptr().cast(), name.len()) };
            (known == id).then_some(word)
        })
    }
}
