//! `freeze`: one fixed value for a value that may be undefined.
//!
//! LLVM 7 has no such instruction, and an undefined value may there be a different one at each use. A value that
//! cannot be undefined is taken as it is; an undefined constant becomes zero; anything else goes through an
//! assembly `mov`, whose result is one value whatever went in.

use llvm_sys::{LLVMOpcode, LLVMValueKind};

use super::function::Writer;
use super::{Text, types};
use crate::llvm::kind::Kind;
use crate::llvm::value::{Place, Type, Value};

/// How many instructions back it is looked for where a value comes from.
const DEPTH: u32 = 6;

impl<'c> Writer<'c, '_> {
    pub(super) fn freeze(&mut self, i: Value<'c>, value: Value<'c>) -> Text {
        if value.is_undefined() {
            let ty = types::text(i.type_of())?;
            let zero = if matches!(i.kind(), Kind::Pointer(_)) { "null" } else { "zeroinitializer" };
            return Ok(format!("select i1 true, {ty} {zero}, {ty} {zero}"));
        }
        let operand = self.operand(value)?;
        if is_defined(value, DEPTH) {
            return self.same_text(i, &operand);
        }
        let pinned = self.pin(value.type_of(), &operand)?;
        self.same_text(i, &pinned)
    }

    /// The value `operand` of type `ty`, pinned part by part.
    fn pin(&mut self, ty: Type<'c>, operand: &str) -> Text {
        let text = types::text(ty)?;
        let parts = match ty.kind() {
            Kind::Struct(fields, _) => fields,
            Kind::Array(len, element) => vec![element; len as usize],
            Kind::Vector(len, element) => return self.pin_vector(&text, len, element, operand),
            _ => return self.pin_scalar(ty, &text, operand),
        };
        let mut whole = "undef".to_owned();
        for (index, part) in parts.into_iter().enumerate() {
            let field = self.temp(&format!("extractvalue {text} {operand}, {index}"));
            let field = format!("{} {}", types::text(part)?, self.pin(part, &field)?);
            whole = self.temp(&format!("insertvalue {text} {whole}, {field}, {index}"));
        }
        Ok(whole)
    }

    fn pin_vector(&mut self, text: &str, len: u32, element: Type<'c>, operand: &str) -> Text {
        let mut whole = "undef".to_owned();
        for index in 0..len {
            let field = self.temp(&format!("extractelement {text} {operand}, i32 {index}"));
            let field = format!("{} {}", types::text(element)?, self.pin(element, &field)?);
            whole = self.temp(&format!("insertelement {text} {whole}, {field}, i32 {index}"));
        }
        Ok(whole)
    }

    fn pin_scalar(&mut self, ty: Type<'c>, text: &str, operand: &str) -> Text {
        let (carrier, into, back) = match ty.kind() {
            Kind::Half => ("i16", "bitcast", "bitcast"),
            Kind::Float => ("i32", "bitcast", "bitcast"),
            Kind::Double => ("i64", "bitcast", "bitcast"),
            Kind::Pointer(_) => ("i64", "ptrtoint", "inttoptr"),
            Kind::Int(16) => ("i16", "bitcast", "bitcast"),
            Kind::Int(32) => ("i32", "bitcast", "bitcast"),
            Kind::Int(64) => ("i64", "bitcast", "bitcast"),
            Kind::Int(width) if width < 16 => ("i16", "zext", "trunc"),
            Kind::Int(width) if width < 32 => ("i32", "zext", "trunc"),
            Kind::Int(width) if width < 64 => ("i64", "zext", "trunc"),
            _ => return Err(format!("a `freeze` of {text} that may be undefined")),
        };
        let (kind, letter) = match carrier {
            "i16" => ("b16", "h"),
            "i32" => ("b32", "r"),
            _ => ("b64", "l"),
        };
        let carried = self.temp(&format!("{into} {text} {operand} to {carrier}"));
        let asm = format!(
            "call {carrier} asm \"mov.{kind} $0, $1;\", \"={letter},{letter}\"({carrier} {carried}) nounwind readnone"
        );
        let pinned = self.temp(&asm);
        Ok(self.temp(&format!("{back} {carrier} {pinned} to {text}")))
    }
}

/// Can this value be neither undefined nor poison? A yes is certain.
fn is_defined(value: Value<'_>, depth: u32) -> bool {
    match value.value_kind() {
        LLVMValueKind::LLVMConstantIntValueKind
        | LLVMValueKind::LLVMConstantFPValueKind
        | LLVMValueKind::LLVMConstantPointerNullValueKind
        | LLVMValueKind::LLVMConstantAggregateZeroValueKind
        | LLVMValueKind::LLVMConstantDataArrayValueKind
        | LLVMValueKind::LLVMConstantDataVectorValueKind
        | LLVMValueKind::LLVMGlobalVariableValueKind
        | LLVMValueKind::LLVMFunctionValueKind => true,
        LLVMValueKind::LLVMArgumentValueKind => value.parameter_has("noundef"),
        LLVMValueKind::LLVMInstructionValueKind => depth > 0 && instruction_is_defined(value, depth - 1),
        _ => false,
    }
}

fn instruction_is_defined(i: Value<'_>, depth: u32) -> bool {
    let operands = || i.operands().into_iter().all(|operand| is_defined(operand, depth));
    match i.opcode() {
        LLVMOpcode::LLVMFreeze | LLVMOpcode::LLVMAlloca => true,
        LLVMOpcode::LLVMLoad => i.has_metadata("noundef"),
        LLVMOpcode::LLVMCall => {
            let asm = |called: Value<'_>| called.value_kind() == LLVMValueKind::LLVMInlineAsmValueKind;
            let register = |called: Value<'_>| called.name().starts_with("llvm.nvvm.read.ptx.sreg.");
            i.called().is_some_and(|called| asm(called) || register(called))
        }
        LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub | LLVMOpcode::LLVMMul => {
            i.wrap_flags().is_empty() && operands()
        }
        LLVMOpcode::LLVMAnd | LLVMOpcode::LLVMXor | LLVMOpcode::LLVMSExt | LLVMOpcode::LLVMExtractValue => {
            operands()
        }
        LLVMOpcode::LLVMICmp => !i.same_sign() && operands(),
        LLVMOpcode::LLVMFCmp | LLVMOpcode::LLVMSelect => i.fast_math().is_empty() && operands(),
        LLVMOpcode::LLVMFAdd | LLVMOpcode::LLVMFSub | LLVMOpcode::LLVMFMul | LLVMOpcode::LLVMFDiv => {
            i.fast_math().is_empty() && operands()
        }
        _ => false,
    }
}

impl Value<'_> {
    /// A parameter: has its function this attribute for it?
    fn parameter_has(self, attribute: &str) -> bool {
        let Some(function) = self.parameter_of() else { return false };
        let index = function.parameters().iter().position(|&parameter| parameter == self);
        index.is_some_and(|index| function.has_attribute(Place::Parameter(index as u32), attribute))
    }
}
