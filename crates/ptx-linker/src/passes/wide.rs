//! Conversions between floating point and 128 bits, which no code generator has: LLVM gives up at one without saying
//! where.

use llvm_sys::{LLVMOpcode, LLVMValueKind};

use crate::error::{LinkError, one_line};
use crate::llvm::kind::Kind;
use crate::llvm::module::Module;
use crate::llvm::value::Value;

/// Refuses the first of them, by function and instruction.
pub(crate) fn refuse_conversions(module: &Module<'_>) -> Result<(), LinkError> {
    for function in module.functions() {
        let found = function.blocks().into_iter().flat_map(|(_, all)| all).find(|&i| is_one(i));
        if let Some(instruction) = found {
            let code = one_line(&instruction.text());
            return Err(LinkError::WideConversion { function: function.name(), code });
        }
    }
    Ok(())
}

fn is_one(i: Value<'_>) -> bool {
    let of_operand = |index: usize| i.operands().get(index).is_some_and(|&value| is_wide(value));
    match i.opcode() {
        LLVMOpcode::LLVMUIToFP | LLVMOpcode::LLVMSIToFP => of_operand(0),
        LLVMOpcode::LLVMFPToUI | LLVMOpcode::LLVMFPToSI => is_wide(i),
        LLVMOpcode::LLVMCall => is_wide(i) && is_saturating(i),
        _ => false,
    }
}

fn is_saturating(call: Value<'_>) -> bool {
    let function = |called: &Value<'_>| called.value_kind() == LLVMValueKind::LLVMFunctionValueKind;
    call.called().filter(function).is_some_and(|called| {
        let name = called.name();
        name.starts_with("llvm.fptosi.sat.") || name.starts_with("llvm.fptoui.sat.")
    })
}

/// More than 64 bits.
fn is_wide(value: Value<'_>) -> bool {
    matches!(value.kind(), Kind::Int(width) if width > 64)
}
