//! Borrowed handles: functions, globals, instructions, constants, types.

use std::ffi::{c_char, c_uint};
use std::marker::PhantomData;

use llvm_sys::prelude::*;
use llvm_sys::{LLVMAttributeFunctionIndex, LLVMLinkage, LLVMTypeKind, LLVMVisibility};

use super::api::Api;
use super::context::{Context, read_c_string};

/// The calling convention of kernels.
const PTX_KERNEL: c_uint = 71;

/// A type; it lives as long as its context.
#[derive(Clone, Copy)]
pub(crate) struct Type<'c> {
    pub(super) api: &'static Api,
    pub(super) raw: LLVMTypeRef,
    pub(super) context: PhantomData<&'c Context>,
}

/// A function, global, instruction or constant.
#[derive(Clone, Copy)]
pub(crate) struct Value<'c> {
    pub(super) api: &'static Api,
    pub(super) raw: LLVMValueRef,
    pub(super) context: PhantomData<&'c Context>,
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Value<'_> {}

impl std::hash::Hash for Value<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

/// Whom a call instruction calls.
pub(crate) enum Callee<'c> {
    /// A function of this module, defined or declared.
    Function(Value<'c>),
    /// Inline assembly, with or without side effects.
    Asm {
        /// False for `asm!` with the option `pure`.
        side_effects: bool,
    },
    /// A function pointer.
    Pointer,
}

/// The place an attribute is put.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// The function itself.
    Function,
    /// Its parameter, counted from zero.
    Parameter(u32),
}

impl Place {
    pub(super) fn index(self) -> c_uint {
        match self {
            Self::Function => LLVMAttributeFunctionIndex,
            Self::Parameter(index) => index + 1,
        }
    }
}

// SAFETY (of every block below): a `Value` is live while its module is, by the rule in `llvm/mod.rs`, and each
// method is called on the kind of value that its first line names.
impl<'c> Value<'c> {
    pub(super) fn new(api: &'static Api, raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self { api, raw, context: PhantomData })
    }

    pub(super) fn is(self, kind: unsafe extern "C" fn(LLVMValueRef) -> LLVMValueRef) -> bool {
        // SAFETY: LLVM's `IsA` functions take any live value.
        !unsafe { kind(self.raw) }.is_null()
    }

    /// Any value: its name, empty when it has none.
    pub(crate) fn name(self) -> String {
        let mut len = 0;
        // SAFETY: the name is `len` bytes that live while the value keeps its name.
        unsafe {
            let start = (self.api.LLVMGetValueName2)(self.raw, &mut len).cast::<u8>();
            if start.is_null() {
                return String::new();
            }
            String::from_utf8_lossy(std::slice::from_raw_parts(start, len)).into_owned()
        }
    }

    /// Any value: gives it a name.
    pub(crate) fn set_name(self, name: &str) {
        // SAFETY: pointer and length are those of the text, which LLVM copies.
        unsafe { (self.api.LLVMSetValueName2)(self.raw, name.as_ptr().cast::<c_char>(), name.len()) }
    }

    /// Any value: is its type a pointer?
    pub(crate) fn is_pointer(self) -> bool {
        // SAFETY: every live value has a type.
        unsafe {
            (self.api.LLVMGetTypeKind)((self.api.LLVMTypeOf)(self.raw)) == LLVMTypeKind::LLVMPointerTypeKind
        }
    }

    /// A global: the address space of its own address.
    pub(crate) fn address_space(self) -> u32 {
        // SAFETY: the type of a global is a pointer.
        unsafe { (self.api.LLVMGetPointerAddressSpace)((self.api.LLVMTypeOf)(self.raw)) }
    }

    /// A global or function: has it no definition here?
    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: a live global value.
        unsafe { (self.api.LLVMIsDeclaration)(self.raw) != 0 }
    }

    /// A global or function: is it visible outside this module?
    pub(crate) fn is_local(self) -> bool {
        matches!(self.linkage(), LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    pub(crate) fn linkage(self) -> LLVMLinkage {
        // SAFETY: a live global value.
        unsafe { (self.api.LLVMGetLinkage)(self.raw) }
    }

    /// A global or function: is the definition a copy of one that lies elsewhere?
    pub(crate) fn is_available_externally(self) -> bool {
        self.linkage() == LLVMLinkage::LLVMAvailableExternallyLinkage
    }

    /// A global, function or alias with a definition: nobody outside sees it.
    pub(crate) fn make_internal(self) {
        self.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    }

    /// A global or function: everybody sees it.
    pub(crate) fn make_external(self) {
        self.set_linkage(LLVMLinkage::LLVMExternalLinkage);
    }

    fn set_linkage(self, linkage: LLVMLinkage) {
        // SAFETY: a live global value; internal ones must have default visibility, so that is set first.
        unsafe {
            (self.api.LLVMSetVisibility)(self.raw, LLVMVisibility::LLVMDefaultVisibility);
            (self.api.LLVMSetLinkage)(self.raw, linkage);
        }
    }

    /// A global or function: its section.
    pub(crate) fn section(self) -> Option<String> {
        // SAFETY: the text belongs to the live value.
        unsafe { read_c_string((self.api.LLVMGetSection)(self.raw)) }
    }

    /// A global: the type of its content.
    pub(crate) fn value_type(self) -> Type<'c> {
        // SAFETY: a live global value.
        let raw = unsafe { (self.api.LLVMGlobalGetValueType)(self.raw) };
        Type { api: self.api, raw, context: PhantomData }
    }

    /// A global: its initial value.
    pub(crate) fn initializer(self) -> Option<Value<'c>> {
        // SAFETY: a live global variable.
        Self::new(self.api, unsafe { (self.api.LLVMGetInitializer)(self.raw) })
    }

    /// A global: leaves its initial value undefined.
    pub(crate) fn set_undefined(self) {
        // SAFETY: the constant has the type of the global's content.
        unsafe { (self.api.LLVMSetInitializer)(self.raw, (self.api.LLVMGetUndef)(self.value_type().raw)) }
    }

    /// A global: its alignment, 0 where the type decides.
    pub(crate) fn alignment(self) -> u32 {
        // SAFETY: a live global variable.
        unsafe { (self.api.LLVMGetAlignment)(self.raw) }
    }

    /// A global: sets its alignment, a power of two.
    pub(crate) fn set_alignment(self, bytes: u32) {
        // SAFETY: a live global variable.
        unsafe { (self.api.LLVMSetAlignment)(self.raw, bytes) }
    }

    /// A constant: is it undefined or poison?
    pub(crate) fn is_undefined(self) -> bool {
        // SAFETY: a live value.
        unsafe { (self.api.LLVMIsUndef)(self.raw) != 0 }
    }

    /// A constant: the text of a byte array, also inside a structure of one field (as rustc writes statics).
    pub(crate) fn bytes(self) -> Option<Vec<u8>> {
        if self.is(self.api.LLVMIsAConstantStruct) {
            let fields = self.operands();
            return if fields.len() == 1 { fields[0].bytes() } else { None };
        }
        if !self.is(self.api.LLVMIsAConstantDataArray) {
            return None;
        }
        let mut len = 0;
        // SAFETY: a constant data array; its bytes live as long as the context.
        unsafe {
            let start = (self.api.LLVMGetAsString)(self.raw, &mut len).cast::<u8>();
            (!start.is_null()).then(|| std::slice::from_raw_parts(start, len).to_vec())
        }
    }

    /// A constant or instruction: its operands.
    pub(crate) fn operands(self) -> Vec<Value<'c>> {
        // SAFETY: constants and instructions are users; the index is below the count.
        unsafe {
            let count = (self.api.LLVMGetNumOperands)(self.raw).max(0) as c_uint;
            (0..count).filter_map(|i| Self::new(self.api, (self.api.LLVMGetOperand)(self.raw, i))).collect()
        }
    }

    /// Any value: who uses it.
    pub(crate) fn users(self) -> Vec<Value<'c>> {
        let mut all = Vec::new();
        // SAFETY: walks the uses of a live value, which nothing changes meanwhile.
        unsafe {
            let mut link = (self.api.LLVMGetFirstUse)(self.raw);
            while !link.is_null() {
                all.extend(Self::new(self.api, (self.api.LLVMGetUser)(link)));
                link = (self.api.LLVMGetNextUse)(link);
            }
        }
        all
    }

    /// An instruction: the function it is in. `None` for anything else.
    pub(crate) fn enclosing_function(self) -> Option<Value<'c>> {
        if !self.is(self.api.LLVMIsAInstruction) {
            return None;
        }
        // SAFETY: an instruction of a live module has a block, and that a function.
        unsafe {
            let block = (self.api.LLVMGetInstructionParent)(self.raw);
            Self::new(self.api, (self.api.LLVMGetBasicBlockParent)(block))
        }
    }

    /// Any value: is it a function, global variable or alias?
    pub(crate) fn is_global_value(self) -> bool {
        self.is(self.api.LLVMIsAGlobalValue)
    }

    /// Any value: is it a function?
    pub(crate) fn is_function(self) -> bool {
        self.is(self.api.LLVMIsAFunction)
    }

    /// A function: does it have the calling convention of kernels?
    pub(crate) fn is_kernel(self) -> bool {
        // SAFETY: a live function.
        unsafe { (self.api.LLVMGetFunctionCallConv)(self.raw) == PTX_KERNEL }
    }

    /// A function: its parameters.
    pub(crate) fn parameters(self) -> Vec<Value<'c>> {
        // SAFETY: a live function; the index is below the count.
        unsafe {
            let count = (self.api.LLVMCountParams)(self.raw);
            (0..count).filter_map(|i| Self::new(self.api, (self.api.LLVMGetParam)(self.raw, i))).collect()
        }
    }

    /// A function: its calls, in order, each with whom it calls.
    pub(crate) fn calls(self) -> Vec<(Value<'c>, Callee<'c>)> {
        let mut all = Vec::new();
        // SAFETY: walks blocks and instructions of a live function, which nothing changes meanwhile.
        unsafe {
            let mut block = (self.api.LLVMGetFirstBasicBlock)(self.raw);
            while !block.is_null() {
                let mut instruction = (self.api.LLVMGetFirstInstruction)(block);
                while let Some(value) = Self::new(self.api, instruction) {
                    all.extend(value.callee().map(|callee| (value, callee)));
                    instruction = (self.api.LLVMGetNextInstruction)(instruction);
                }
                block = (self.api.LLVMGetNextBasicBlock)(block);
            }
        }
        all
    }

    fn callee(self) -> Option<Callee<'c>> {
        let api = self.api;
        if ![api.LLVMIsACallInst, api.LLVMIsAInvokeInst, api.LLVMIsACallBrInst]
            .iter()
            .any(|&kind| self.is(kind))
        {
            return None;
        }
        // SAFETY: a live call instruction.
        let called = Self::new(api, unsafe { (api.LLVMGetCalledValue)(self.raw) })?;
        if called.is(api.LLVMIsAInlineAsm) {
            // SAFETY: inline assembly, as just seen.
            let side_effects = unsafe { (api.LLVMGetInlineAsmHasSideEffects)(called.raw) != 0 };
            return Some(Callee::Asm { side_effects });
        }
        Some(if called.is(api.LLVMIsAFunction) { Callee::Function(called) } else { Callee::Pointer })
    }

    pub(super) fn kind_of(self, attribute: &str) -> c_uint {
        // SAFETY: pointer and length are those of the text.
        unsafe {
            (self.api.LLVMGetEnumAttributeKindForName)(attribute.as_ptr().cast::<c_char>(), attribute.len())
        }
    }

    /// A function: has it this attribute, e.g. `convergent`?
    pub(crate) fn has_attribute(self, place: Place, attribute: &str) -> bool {
        let kind = self.kind_of(attribute);
        // SAFETY: a live function and an index it has.
        !unsafe { (self.api.LLVMGetEnumAttributeAtIndex)(self.raw, place.index(), kind) }.is_null()
    }

    /// A function: adds an attribute that LLVM knows by name; `number` is 0 for one without a number.
    pub(crate) fn add_attribute(self, context: &Context, place: Place, attribute: &str, number: u64) {
        let kind = self.kind_of(attribute);
        // SAFETY: a live function, an index it has, and an attribute of its context.
        unsafe {
            let attribute = (self.api.LLVMCreateEnumAttribute)(context.raw, kind, number);
            (self.api.LLVMAddAttributeAtIndex)(self.raw, place.index(), attribute);
        }
    }

    /// A function: adds an attribute of free text.
    pub(crate) fn add_text_attribute(self, context: &Context, place: Place, key: &str, text: &str) {
        // SAFETY: a live function, an index it has; pointers and lengths are those of the texts, which LLVM copies.
        unsafe {
            let attribute = (self.api.LLVMCreateStringAttribute)(
                context.raw,
                key.as_ptr().cast::<c_char>(),
                key.len() as c_uint,
                text.as_ptr().cast::<c_char>(),
                text.len() as c_uint,
            );
            (self.api.LLVMAddAttributeAtIndex)(self.raw, place.index(), attribute);
        }
    }

    /// A function: adds an attribute with a type, e.g. `byval`.
    pub(crate) fn add_type_attribute(self, context: &Context, place: Place, attribute: &str, ty: Type<'c>) {
        let kind = self.kind_of(attribute);
        // SAFETY: a live function, an index it has, and an attribute of its context.
        unsafe {
            let attribute = (self.api.LLVMCreateTypeAttribute)(context.raw, kind, ty.raw);
            (self.api.LLVMAddAttributeAtIndex)(self.raw, place.index(), attribute);
        }
    }

    /// A call: adds an attribute to the call itself.
    pub(crate) fn add_call_attribute(self, context: &Context, attribute: &str) {
        let kind = self.kind_of(attribute);
        // SAFETY: a live call instruction and an attribute of its context.
        unsafe {
            let attribute = (self.api.LLVMCreateEnumAttribute)(context.raw, kind, 0);
            (self.api.LLVMAddCallSiteAttribute)(self.raw, LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// A call: has the call itself this attribute?
    pub(crate) fn call_has_attribute(self, attribute: &str) -> bool {
        let kind = self.kind_of(attribute);
        // SAFETY: a live call instruction.
        let found =
            unsafe { (self.api.LLVMGetCallSiteEnumAttribute)(self.raw, LLVMAttributeFunctionIndex, kind) };
        !found.is_null()
    }
}
