//! Instructions that are written as they are, or nearly.

use llvm_sys::LLVMOpcode;

use super::function::Writer;
use super::{Text, types};
use crate::llvm::kind::Kind;
use crate::llvm::value::Value;

impl<'c> Writer<'c, '_> {
    /// The text of an instruction, its name aside. `None`: nothing is left of it.
    pub(super) fn expression(&mut self, i: Value<'c>) -> Result<Option<String>, String> {
        let ops = i.operands();
        let text = match i.opcode() {
            LLVMOpcode::LLVMCall => return self.call(i),
            LLVMOpcode::LLVMRet => self.ret(&ops)?,
            LLVMOpcode::LLVMBr => self.branch(i)?,
            LLVMOpcode::LLVMSwitch => self.switch(i, ops[0])?,
            LLVMOpcode::LLVMUnreachable => {
                // As LLVM 22 has it: libNVVM writes nothing here, and ptxas would see control fall through.
                self.line("call void asm sideeffect \"exit;\", \"\"() nounwind");
                "unreachable".to_owned()
            }
            LLVMOpcode::LLVMPHI => self.phi(i)?,
            LLVMOpcode::LLVMAlloca => self.alloca(i, &ops)?,
            LLVMOpcode::LLVMLoad => self.load(i, ops[0])?,
            LLVMOpcode::LLVMStore => self.store(i, ops[0], ops[1])?,
            LLVMOpcode::LLVMGetElementPtr => self.element_pointer(i, &ops)?,
            LLVMOpcode::LLVMFreeze => self.freeze(i, ops[0])?,
            LLVMOpcode::LLVMFNeg => self.negate(ops[0])?,
            LLVMOpcode::LLVMFRem => self.float_remainder(ops[0], ops[1])?,
            LLVMOpcode::LLVMICmp => self.two(&format!("icmp {}", i.integer_predicate()), &ops)?,
            LLVMOpcode::LLVMFCmp => {
                self.two(&format!("fcmp{} {}", i.fast_math(), i.float_predicate()), &ops)?
            }
            LLVMOpcode::LLVMSelect => self.list("select", &ops)?,
            LLVMOpcode::LLVMExtractElement => self.list("extractelement", &ops)?,
            LLVMOpcode::LLVMInsertElement => self.list("insertelement", &ops)?,
            LLVMOpcode::LLVMShuffleVector => self.shuffle(i, &ops)?,
            LLVMOpcode::LLVMExtractValue => self.list("extractvalue", &ops)? + &indices(i),
            LLVMOpcode::LLVMInsertValue => self.list("insertvalue", &ops)? + &indices(i),
            opcode => match (binary(opcode, i), cast(opcode)) {
                (Some(word), _) => self.two(&word, &ops)?,
                (_, Some(word)) => self.cast(word, i, ops[0])?,
                _ => return Err("there is no such instruction".to_owned()),
            },
        };
        Ok(Some(text))
    }

    fn ret(&mut self, ops: &[Value<'c>]) -> Text {
        Ok(match ops {
            [value] => format!("ret {}", self.typed(*value)?),
            _ => "ret void".to_owned(),
        })
    }

    fn branch(&mut self, i: Value<'c>) -> Text {
        let to = i.successors();
        match i.condition() {
            None => Ok(format!("br label {}", self.label(to[0])?)),
            Some(condition) => {
                let (yes, no) = (self.label(to[0])?, self.label(to[1])?);
                Ok(format!("br {}, label {yes}, label {no}", self.typed(condition)?))
            }
        }
    }

    fn switch(&mut self, i: Value<'c>, value: Value<'c>) -> Text {
        let to = i.successors();
        let mut text = format!("switch {}, label {} [", self.typed(value)?, self.label(to[0])?);
        for (index, &block) in to.iter().enumerate().skip(1) {
            let case = i.case(index).ok_or("a switch lacks a case")?;
            text += &format!(" {}, label {}", self.typed(case)?, self.label(block)?);
        }
        Ok(text + " ]")
    }

    fn phi(&mut self, i: Value<'c>) -> Text {
        let mut parts = Vec::new();
        for (value, block) in i.incoming() {
            parts.push(format!("[ {}, {} ]", self.operand(value)?, self.label(block)?));
        }
        Ok(format!("phi {} {}", types::text(i.type_of())?, parts.join(", ")))
    }

    /// `word type a, b` for two operands of one type.
    fn two(&mut self, word: &str, ops: &[Value<'c>]) -> Text {
        Ok(format!("{word} {}, {}", self.typed(ops[0])?, self.operand(ops[1])?))
    }

    /// `word type a, type b, …`
    fn list(&mut self, word: &str, ops: &[Value<'c>]) -> Text {
        let parts = ops.iter().map(|&op| self.typed(op)).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("{word} {}", parts.join(", ")))
    }

    fn cast(&mut self, word: &str, i: Value<'c>, from: Value<'c>) -> Text {
        Ok(format!("{word} {} to {}", self.typed(from)?, types::text(i.type_of())?))
    }

    fn shuffle(&mut self, i: Value<'c>, ops: &[Value<'c>]) -> Text {
        let mask = i.shuffle_mask();
        let parts: Vec<_> = mask
            .iter()
            .map(|part| part.map_or("i32 undef".to_owned(), |index| format!("i32 {index}")))
            .collect();
        let sources = self.list("shufflevector", ops)?;
        Ok(format!("{sources}, <{} x i32> <{}>", mask.len(), parts.join(", ")))
    }

    /// A value under another name: a cast to its own type, which every pass removes.
    pub(super) fn same(&mut self, value: Value<'c>) -> Text {
        let operand = self.operand(value)?;
        self.same_text(value, &operand)
    }

    /// The text `operand`, of the type of `like`, under another name.
    pub(super) fn same_text(&mut self, like: Value<'c>, operand: &str) -> Text {
        let ty = types::text(like.type_of())?;
        Ok(match like.kind() {
            Kind::Array(..) | Kind::Struct(..) => format!("select i1 true, {ty} {operand}, {ty} {operand}"),
            _ => format!("bitcast {ty} {operand} to {ty}"),
        })
    }
}

fn indices(i: Value<'_>) -> String {
    i.indices().into_iter().map(|index| format!(", {index}")).collect()
}

/// Arithmetic of two operands, with the flags that LLVM 7 has (`disjoint` is not one).
fn binary(opcode: LLVMOpcode, i: Value<'_>) -> Option<String> {
    let wraps = |word: &str| format!("{word}{}", i.wrap_flags());
    let exact = |word: &str| format!("{word}{}", i.exact_flag());
    let float = |word: &str| format!("{word}{}", i.fast_math());
    Some(match opcode {
        LLVMOpcode::LLVMAdd => wraps("add"),
        LLVMOpcode::LLVMSub => wraps("sub"),
        LLVMOpcode::LLVMMul => wraps("mul"),
        LLVMOpcode::LLVMShl => wraps("shl"),
        LLVMOpcode::LLVMUDiv => exact("udiv"),
        LLVMOpcode::LLVMSDiv => exact("sdiv"),
        LLVMOpcode::LLVMLShr => exact("lshr"),
        LLVMOpcode::LLVMAShr => exact("ashr"),
        LLVMOpcode::LLVMURem => "urem".to_owned(),
        LLVMOpcode::LLVMSRem => "srem".to_owned(),
        LLVMOpcode::LLVMAnd => "and".to_owned(),
        LLVMOpcode::LLVMOr => "or".to_owned(),
        LLVMOpcode::LLVMXor => "xor".to_owned(),
        LLVMOpcode::LLVMFAdd => float("fadd"),
        LLVMOpcode::LLVMFSub => float("fsub"),
        LLVMOpcode::LLVMFMul => float("fmul"),
        LLVMOpcode::LLVMFDiv => float("fdiv"),
        _ => return None,
    })
}

/// Casts; `nneg` and the wrap flags of `trunc` do not exist in LLVM 7.
fn cast(opcode: LLVMOpcode) -> Option<&'static str> {
    Some(match opcode {
        LLVMOpcode::LLVMTrunc => "trunc",
        LLVMOpcode::LLVMZExt => "zext",
        LLVMOpcode::LLVMSExt => "sext",
        LLVMOpcode::LLVMFPToUI => "fptoui",
        LLVMOpcode::LLVMFPToSI => "fptosi",
        LLVMOpcode::LLVMUIToFP => "uitofp",
        LLVMOpcode::LLVMSIToFP => "sitofp",
        LLVMOpcode::LLVMFPTrunc => "fptrunc",
        LLVMOpcode::LLVMFPExt => "fpext",
        LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMPtrToAddr => "ptrtoint",
        LLVMOpcode::LLVMIntToPtr => "inttoptr",
        LLVMOpcode::LLVMBitCast => "bitcast",
        LLVMOpcode::LLVMAddrSpaceCast => "addrspacecast",
        _ => return None,
    })
}
