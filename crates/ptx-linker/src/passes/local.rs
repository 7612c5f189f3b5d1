//! Atomics in local memory: a thread's own, so that a plain load, an operation and a plain store are the same.

use llvm_sys::{LLVMAtomicRMWBinOp as Operation, LLVMIntPredicate as Predicate, LLVMOpcode};

use crate::llvm::build::Builder;
use crate::llvm::context::Context;
use crate::llvm::value::Value;

/// Puts plain instructions in the place of an atomic one whose address is local.
pub(super) fn lower<'c>(context: &'c Context, i: Value<'c>) -> Result<(), String> {
    let builder = Builder::before(context, i);
    let new = match (i.opcode(), &i.operands()[..]) {
        (LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMStore, _) => {
            i.make_plain();
            return Ok(());
        }
        (LLVMOpcode::LLVMAtomicRMW, &[to, value]) => {
            let old = builder.load(value.type_of(), to);
            builder.store(changed(&builder, i.atomic_operation(), old, value)?, to);
            old
        }
        (LLVMOpcode::LLVMAtomicCmpXchg, &[to, expected, value]) => {
            let old = builder.load(value.type_of(), to);
            let equal = builder.compare(Predicate::LLVMIntEQ, old, expected);
            builder.store(builder.select(equal, value, old), to);
            builder.pair(i.type_of(), old, equal)
        }
        _ => return Err("there is no plain instruction for it".to_owned()),
    };
    builder.replace(i, Some(new));
    Ok(())
}

/// What the operation leaves in memory.
fn changed<'c>(
    builder: &Builder<'c>,
    operation: Operation,
    old: Value<'c>,
    value: Value<'c>,
) -> Result<Value<'c>, String> {
    let binary = |opcode| builder.binary(opcode, old, value);
    let chosen = |predicate| builder.select(builder.compare(predicate, old, value), old, value);
    Ok(match operation {
        Operation::LLVMAtomicRMWBinOpXchg => value,
        Operation::LLVMAtomicRMWBinOpAdd => binary(LLVMOpcode::LLVMAdd),
        Operation::LLVMAtomicRMWBinOpSub => binary(LLVMOpcode::LLVMSub),
        Operation::LLVMAtomicRMWBinOpAnd => binary(LLVMOpcode::LLVMAnd),
        Operation::LLVMAtomicRMWBinOpNand => builder.not(binary(LLVMOpcode::LLVMAnd)),
        Operation::LLVMAtomicRMWBinOpOr => binary(LLVMOpcode::LLVMOr),
        Operation::LLVMAtomicRMWBinOpXor => binary(LLVMOpcode::LLVMXor),
        Operation::LLVMAtomicRMWBinOpMax => chosen(Predicate::LLVMIntSGT),
        Operation::LLVMAtomicRMWBinOpMin => chosen(Predicate::LLVMIntSLT),
        Operation::LLVMAtomicRMWBinOpUMax => chosen(Predicate::LLVMIntUGT),
        Operation::LLVMAtomicRMWBinOpUMin => chosen(Predicate::LLVMIntULT),
        _ => return Err("there is no plain instruction for it".to_owned()),
    })
}
