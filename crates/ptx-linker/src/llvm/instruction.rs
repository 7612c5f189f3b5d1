//! Functions, blocks and instructions, read by the NVVM writer.

use std::ffi::{c_char, c_uint};

use llvm_sys::prelude::*;
use llvm_sys::*;

use super::load::take_message;
use super::module::Module;
use super::value::{Place, Value};

/// A block of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block {
    raw: LLVMBasicBlockRef,
}

/// The name of an enumerator without its prefix, lower case.
fn word(debug: impl std::fmt::Debug, prefix: &str) -> String {
    let name = format!("{debug:?}");
    name.strip_prefix(prefix).unwrap_or(&name).to_ascii_lowercase()
}

impl Module<'_> {
    /// The module as LLVM prints it.
    pub(crate) fn text(&self) -> String {
        // SAFETY: the module is live; the message is owned by the caller.
        let message = unsafe { (self.api.LLVMPrintModuleToString)(self.raw) };
        take_message(self.api, message)
    }
}

// SAFETY (of every block below): as in `value`: a `Value` is live while its module is, and each method is called
// on the kind of value that its first line names.
impl<'c> Value<'c> {
    /// A function: its blocks, each with its instructions.
    pub(crate) fn blocks(self) -> Vec<(Block, Vec<Value<'c>>)> {
        let api = self.api;
        let mut all = Vec::new();
        // SAFETY: walks blocks and instructions of a live function, which nothing changes meanwhile.
        unsafe {
            let mut raw = (api.LLVMGetFirstBasicBlock)(self.raw);
            while !raw.is_null() {
                let mut instructions = Vec::new();
                let mut instruction = (api.LLVMGetFirstInstruction)(raw);
                while let Some(value) = Self::new(api, instruction) {
                    instructions.push(value);
                    instruction = (api.LLVMGetNextInstruction)(instruction);
                }
                all.push((Block { raw }, instructions));
                raw = (api.LLVMGetNextBasicBlock)(raw);
            }
        }
        all
    }

    /// A parameter: its function.
    pub(crate) fn parameter_of(self) -> Option<Value<'c>> {
        // SAFETY: a live parameter.
        Self::new(self.api, unsafe { (self.api.LLVMGetParamParent)(self.raw) })
    }

    /// An instruction: its operation.
    pub(crate) fn opcode(self) -> LLVMOpcode {
        // SAFETY: a live instruction.
        unsafe { (self.api.LLVMGetInstructionOpcode)(self.raw) }
    }

    /// An `icmp`: its predicate, e.g. `slt`.
    pub(crate) fn integer_predicate(self) -> String {
        // SAFETY: a live `icmp`.
        word(unsafe { (self.api.LLVMGetICmpPredicate)(self.raw) }, "LLVMInt")
    }

    /// An `icmp`: is it poison for operands of different signs?
    pub(crate) fn same_sign(self) -> bool {
        // SAFETY: a live `icmp`.
        unsafe { (self.api.LLVMGetICmpSameSign)(self.raw) != 0 }
    }

    /// An `fcmp`: its predicate, e.g. `olt`.
    pub(crate) fn float_predicate(self) -> String {
        // SAFETY: a live `fcmp`.
        let text = word(unsafe { (self.api.LLVMGetFCmpPredicate)(self.raw) }, "LLVMReal");
        match text.as_str() {
            "predicatefalse" => "false".to_owned(),
            "predicatetrue" => "true".to_owned(),
            _ => text,
        }
    }

    /// `add`, `sub`, `mul`, `shl`: ` nuw` and ` nsw` where they stand.
    pub(crate) fn wrap_flags(self) -> String {
        // SAFETY: a live instruction that can wrap.
        let (unsigned, signed) =
            unsafe { ((self.api.LLVMGetNUW)(self.raw), (self.api.LLVMGetNSW)(self.raw)) };
        format!("{}{}", if unsigned != 0 { " nuw" } else { "" }, if signed != 0 { " nsw" } else { "" })
    }

    /// `udiv`, `sdiv`, `lshr`, `ashr`: ` exact` where it stands.
    pub(crate) fn exact_flag(self) -> &'static str {
        // SAFETY: a live instruction that can be exact.
        if unsafe { (self.api.LLVMGetExact)(self.raw) } != 0 { " exact" } else { "" }
    }

    /// An instruction: the freedoms of its floating-point arithmetic, each with a space before it.
    pub(crate) fn fast_math(self) -> String {
        // SAFETY: a live instruction; the flags are read only where it can have them.
        let flags = unsafe {
            if (self.api.LLVMCanValueUseFastMathFlags)(self.raw) == 0 {
                return String::new();
            }
            (self.api.LLVMGetFastMathFlags)(self.raw)
        };
        let all = [
            (LLVMFastMathAllowReassoc, " reassoc"),
            (LLVMFastMathNoNaNs, " nnan"),
            (LLVMFastMathNoInfs, " ninf"),
            (LLVMFastMathNoSignedZeros, " nsz"),
            (LLVMFastMathAllowReciprocal, " arcp"),
            (LLVMFastMathAllowContract, " contract"),
            (LLVMFastMathApproxFunc, " afn"),
        ];
        all.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, text)| *text).collect()
    }

    /// A load or store: is it volatile?
    pub(crate) fn is_volatile(self) -> bool {
        // SAFETY: a live load or store.
        unsafe { (self.api.LLVMGetVolatile)(self.raw) != 0 }
    }

    /// A `getelementptr`, instruction or constant: does it stay inside its object?
    pub(crate) fn is_in_bounds(self) -> bool {
        // SAFETY: a live `getelementptr`.
        unsafe { (self.api.LLVMIsInBounds)(self.raw) != 0 }
    }

    /// A `phi`: its values, each with the block it comes from.
    pub(crate) fn incoming(self) -> Vec<(Value<'c>, Block)> {
        let api = self.api;
        // SAFETY: a live `phi`; the index is below the count.
        unsafe {
            let count = (api.LLVMCountIncoming)(self.raw);
            let one = |i| {
                let value = Self::new(api, (api.LLVMGetIncomingValue)(self.raw, i))?;
                Some((value, Block { raw: (api.LLVMGetIncomingBlock)(self.raw, i) }))
            };
            (0..count).filter_map(one).collect()
        }
    }

    /// A terminator: the blocks it may go to.
    pub(crate) fn successors(self) -> Vec<Block> {
        // SAFETY: a live terminator; the index is below the count.
        unsafe {
            let count = (self.api.LLVMGetNumSuccessors)(self.raw);
            (0..count).map(|i| Block { raw: (self.api.LLVMGetSuccessor)(self.raw, i) }).collect()
        }
    }

    /// A `br`: what decides; `None` for an unconditional one.
    pub(crate) fn condition(self) -> Option<Value<'c>> {
        // SAFETY: a live `br`, and a conditional one where it is asked for its condition.
        unsafe {
            if (self.api.LLVMIsConditional)(self.raw) == 0 {
                return None;
            }
            Self::new(self.api, (self.api.LLVMGetCondition)(self.raw))
        }
    }

    /// A `switch`: the value for successor `index`, counted from 1 (0 is the default).
    pub(crate) fn case(self, index: usize) -> Option<Value<'c>> {
        // SAFETY: a live `switch`; the callers count its successors.
        Self::new(self.api, unsafe { (self.api.LLVMGetSwitchCaseValue)(self.raw, index as c_uint) })
    }

    /// `extractvalue`, `insertvalue`: the indices.
    pub(crate) fn indices(self) -> Vec<u32> {
        // SAFETY: a live instruction with indices; start and count describe one array.
        unsafe {
            let count = (self.api.LLVMGetNumIndices)(self.raw) as usize;
            std::slice::from_raw_parts((self.api.LLVMGetIndices)(self.raw), count).to_vec()
        }
    }

    /// A `shufflevector`: for each element the source element, `None` for one that does not matter.
    pub(crate) fn shuffle_mask(self) -> Vec<Option<u32>> {
        // SAFETY: a live `shufflevector`; the index is below the count.
        unsafe {
            let count = (self.api.LLVMGetNumMaskElements)(self.raw);
            (0..count).map(|i| u32::try_from((self.api.LLVMGetMaskValue)(self.raw, i)).ok()).collect()
        }
    }

    /// A call: what is called.
    pub(crate) fn called(self) -> Option<Value<'c>> {
        // SAFETY: a live call instruction.
        Self::new(self.api, unsafe { (self.api.LLVMGetCalledValue)(self.raw) })
    }

    /// A call: its arguments.
    pub(crate) fn arguments(self) -> Vec<Value<'c>> {
        // SAFETY: a live call instruction, whose first operands are the arguments.
        unsafe {
            let count = (self.api.LLVMGetNumArgOperands)(self.raw);
            (0..count).filter_map(|i| Self::new(self.api, (self.api.LLVMGetOperand)(self.raw, i))).collect()
        }
    }

    /// Inline assembly: its text, its constraints, and whether it does more than its result.
    pub(crate) fn assembly(self) -> (String, String, bool) {
        let read = |get: unsafe extern "C" fn(LLVMValueRef, *mut usize) -> *const c_char| {
            let mut len = 0;
            // SAFETY: live inline assembly; its texts live as long.
            unsafe {
                let start = get(self.raw, &mut len).cast::<u8>();
                if start.is_null() {
                    return String::new();
                }
                String::from_utf8_lossy(std::slice::from_raw_parts(start, len)).into_owned()
            }
        };
        // SAFETY: live inline assembly.
        let side_effects = unsafe { (self.api.LLVMGetInlineAsmHasSideEffects)(self.raw) != 0 };
        (
            read(self.api.LLVMGetInlineAsmAsmString),
            read(self.api.LLVMGetInlineAsmConstraintString),
            side_effects,
        )
    }

    /// An instruction: has it metadata of this kind, e.g. `invariant.load`?
    pub(crate) fn has_metadata(self, kind: &str) -> bool {
        // SAFETY: a live instruction; pointer and length are those of the text.
        unsafe {
            let context = (self.api.LLVMGetTypeContext)((self.api.LLVMTypeOf)(self.raw));
            let id = (self.api.LLVMGetMDKindIDInContext)(
                context,
                kind.as_ptr().cast::<c_char>(),
                kind.len() as c_uint,
            );
            !(self.api.LLVMGetMetadata)(self.raw, id).is_null()
        }
    }

    /// A function: the text of an attribute of free text, of the function or of a parameter.
    pub(crate) fn text_attribute(self, place: Place, key: &str) -> Option<String> {
        // SAFETY: a live function; pointer and length are those of the text.
        unsafe {
            let attribute = (self.api.LLVMGetStringAttributeAtIndex)(
                self.raw,
                place.index(),
                key.as_ptr().cast::<c_char>(),
                key.len() as c_uint,
            );
            if attribute.is_null() {
                return None;
            }
            let mut len = 0;
            let start = (self.api.LLVMGetStringAttributeValue)(attribute, &mut len).cast::<u8>();
            Some(String::from_utf8_lossy(std::slice::from_raw_parts(start, len as usize)).into_owned())
        }
    }

    /// A function: the number of an attribute such as `align`.
    pub(crate) fn number_attribute(self, place: Place, attribute: &str) -> Option<u64> {
        let kind = self.kind_of(attribute);
        // SAFETY: a live function and an index it has.
        unsafe {
            let found = (self.api.LLVMGetEnumAttributeAtIndex)(self.raw, place.index(), kind);
            (!found.is_null()).then(|| (self.api.LLVMGetEnumAttributeValue)(found))
        }
    }

    /// A call: the number of an attribute of the call itself, such as `memory`.
    pub(crate) fn call_number(self, attribute: &str) -> Option<u64> {
        let kind = self.kind_of(attribute);
        // SAFETY: a live call.
        unsafe {
            let found = (self.api.LLVMGetCallSiteEnumAttribute)(self.raw, LLVMAttributeFunctionIndex, kind);
            (!found.is_null()).then(|| (self.api.LLVMGetEnumAttributeValue)(found))
        }
    }

    /// A call: the number of argument `index`'s attribute, such as `align`.
    pub(crate) fn argument_number(self, index: u32, attribute: &str) -> Option<u64> {
        let kind = self.kind_of(attribute);
        // SAFETY: a live call and an index it has.
        unsafe {
            let found = (self.api.LLVMGetCallSiteEnumAttribute)(self.raw, index + 1, kind);
            (!found.is_null()).then(|| (self.api.LLVMGetEnumAttributeValue)(found))
        }
    }
}
