//! Calls of functions, and who else may be called.

use llvm_sys::LLVMValueKind;

use super::function::Writer;
use super::{Text, types};
use crate::llvm::kind::Kind;
use crate::llvm::value::Value;

impl<'c> Writer<'c, '_> {
    /// `None`: the call says something that LLVM 7 need not know.
    pub(super) fn call(&mut self, i: Value<'c>) -> Result<Option<String>, String> {
        let called = i.called().ok_or("a call of nothing")?;
        match called.value_kind() {
            LLVMValueKind::LLVMInlineAsmValueKind => self.assembly(i, called).map(Some),
            LLVMValueKind::LLVMFunctionValueKind => {
                let name = called.name();
                match name.strip_prefix("llvm.") {
                    Some(rest) => self.intrinsic_call(i, rest),
                    None => self.function_call(i, called, &name).map(Some),
                }
            }
            _ => self.pointer_call(i, called).map(Some),
        }
    }

    fn function_call(&mut self, i: Value<'c>, called: Value<'c>, name: &str) -> Text {
        if called.value_type() != i.called_type() {
            return self.pointer_call(i, called);
        }
        let Kind::Function(result, parameters, more) = i.called_type().kind() else {
            return Err("a call of no function".to_owned());
        };
        if (0..parameters.len()).any(|index| called.by_value_type(index as u32).is_some()) {
            return Err("a call with an argument `byval` cannot be written".to_owned());
        }
        let result = if more { types::function(called)? } else { types::text(result)? };
        Ok(format!("call {result} @{}({}){}", types::name(name), self.list_of(&i.arguments())?, words(i)))
    }

    fn pointer_call(&mut self, i: Value<'c>, called: Value<'c>) -> Text {
        let ty = types::text(i.called_type())?;
        let operand = self.operand(called)?;
        let space = types::space(called)?;
        if space != 0 {
            return Err(format!("a call into address space {space}"));
        }
        let function = self.temp(&format!("bitcast i8* {operand} to {ty}*"));
        Ok(format!("call {ty} {function}({}){}", self.list_of(&i.arguments())?, words(i)))
    }

    pub(super) fn list_of(&self, values: &[Value<'c>]) -> Text {
        let parts = values.iter().map(|&value| self.typed(value)).collect::<Result<Vec<_>, _>>()?;
        Ok(parts.join(", "))
    }
}

/// The words behind a call: whether it must stay where it is, and what memory it touches. LLVM 7 takes a call
/// without the latter, assembly too, for one that touches all.
pub(super) fn words(i: Value<'_>) -> String {
    /// LLVM 22 has two bits for each kind of memory; the upper one says that it may be written.
    const WRITES: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    let memory = match i.call_number("memory") {
        Some(0) => " readnone",
        Some(effects) if effects & WRITES == 0 => " readonly",
        _ => "",
    };
    let convergent = if i.call_has_attribute("convergent") { " convergent" } else { "" };
    format!(" nounwind{convergent}{memory}")
}
