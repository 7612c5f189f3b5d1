//! The atomics of `core::sync::atomic`, with order and scope.
//!
//! LLVM 22 writes a read-modify-write operation as a plain `atom.add`, which is relaxed and of scope `.gpu`, whatever the
//! source asks for, and gives up at a fence for the compiler alone. libNVVM drops order and scope too. So every atomic
//! instruction becomes the assembly that says what it is:
//!
//! | LLVM | PTX |
//! |---|---|
//! | `atomicrmw add … acquire` | `atom.acquire.sys.add` |
//! | `load atomic … acquire`, `store atomic … release` | `ld.acquire.sys`, `st.release.sys` |
//! | `fence`, but `seq_cst` | `fence.acq_rel.sys` |
//! | `fence seq_cst`; in front of any other that is `seq_cst` | `fence.sc.sys` |
//! | `fence syncscope("singlethread")` | nothing, and nothing moves across it |
//!
//! 8 and 16 bits become loops over 32 first, by LLVM's own pass. What lies in local memory, which PTX has no atomics for and
//! no other thread sees, becomes a plain load and store.

use llvm_sys::{
    LLVMAtomicOrdering as Ordering, LLVMAtomicRMWBinOp as Operation, LLVMIntPredicate, LLVMOpcode,
};

use crate::error::{LinkError, one_line};
use crate::llvm::build::Builder;
use crate::llvm::context::Context;
use crate::llvm::kind::Kind;
use crate::llvm::module::Module;
use crate::llvm::target::TargetMachine;
use crate::llvm::value::{Type, Value};
use crate::passes::local;
use crate::target_options::architecture_number;

/// The first architecture whose atomics have order and scope.
const FIRST: u32 = 70;

/// The address space of a thread's own memory.
const LOCAL: u32 = 5;

/// Lowers every atomic instruction of an optimised module that is for architecture `cpu`.
pub(crate) fn lower<'c>(
    module: &Module<'c>,
    machine: &TargetMachine<'c>,
    cpu: &str,
) -> Result<(), LinkError> {
    if all(module).is_empty() {
        return Ok(());
    }
    let run = |pass: &str| {
        machine.run_passes(module, pass).map_err(|reason| LinkError::Codegen {
            step: "expanding atomics".to_owned(),
            reason: one_line(&reason),
        })
    };
    each(module, |i| bits_of(i).map_or(Ok(()), in_a_register))?;
    // Shared and local memory are known as such again before atomics turn into assembly.
    run("function(infer-address-spaces)")?;
    let context = module.context();
    each(module, |i| if is_local(i) { local::lower(context, i) } else { Ok(()) })?;
    run("function(atomic-expand)")?;
    each(module, |i| {
        if architecture_number(cpu) < FIRST {
            return Err(format!("`{cpu}` has no atomics with order and scope, sm_{FIRST} and newer have"));
        }
        lower_one(context, i)
    })
}

fn all<'c>(module: &Module<'c>) -> Vec<Value<'c>> {
    let blocks = module.functions().into_iter().flat_map(Value::blocks);
    blocks.flat_map(|(_, instructions)| instructions).filter(|i| i.is_atomic()).collect()
}

/// Goes through the atomic instructions there are now; what is wrong with one names it and its function.
fn each<'c>(
    module: &Module<'c>,
    mut act: impl FnMut(Value<'c>) -> Result<(), String>,
) -> Result<(), LinkError> {
    for instruction in all(module) {
        let function = instruction.enclosing_function().map(Value::name).unwrap_or_default();
        let code = one_line(&instruction.text());
        act(instruction).map_err(|reason| LinkError::Atomic { function, code, reason })?;
    }
    Ok(())
}

/// The width of the integer in memory; `None` for a fence and for other types.
fn bits_of(i: Value<'_>) -> Option<u32> {
    let kind = match (i.opcode(), &i.operands()[..]) {
        (LLVMOpcode::LLVMLoad, _) => i.kind(),
        (LLVMOpcode::LLVMStore, [value, ..]) | (_, [_, value, ..]) => value.kind(),
        _ => return None,
    };
    if let Kind::Int(bits) = kind { Some(bits) } else { None }
}

/// What is wider LLVM refuses without saying where.
fn in_a_register(bits: u32) -> Result<(), String> {
    if bits > 64 { Err(format!("there is no PTX for it with {bits} bits")) } else { Ok(()) }
}

/// Is its address known to be one of the thread's own memory?
fn is_local(i: Value<'_>) -> bool {
    let operands = i.operands();
    let address = if i.opcode() == LLVMOpcode::LLVMStore { operands.get(1) } else { operands.first() };
    address.is_some_and(|address| address.kind() == Kind::Pointer(LOCAL))
}

/// Order and scope of an instruction as PTX spells them, and a fence in front of it.
struct Words {
    fence: String,
    order: &'static str,
    scope: &'static str,
}

impl Words {
    fn of(context: &Context, i: Value<'_>) -> Result<Self, String> {
        let scope = i.scope(context).ok_or("its scope has no word in PTX")?;
        let mut ordering = i.ordering();
        if i.opcode() == LLVMOpcode::LLVMAtomicCmpXchg {
            ordering = both(ordering, i.failure_ordering());
        }
        let strongest = match i.opcode() {
            LLVMOpcode::LLVMLoad => "acquire",
            LLVMOpcode::LLVMStore => "release",
            _ => "acq_rel",
        };
        let order = match ordering {
            Ordering::LLVMAtomicOrderingAcquire => "acquire",
            Ordering::LLVMAtomicOrderingRelease => "release",
            Ordering::LLVMAtomicOrderingAcquireRelease
            | Ordering::LLVMAtomicOrderingSequentiallyConsistent => strongest,
            _ => "relaxed",
        };
        let consistent = ordering == Ordering::LLVMAtomicOrderingSequentiallyConsistent;
        let fence = if consistent { format!("fence.sc.{scope};\n\t") } else { String::new() };
        Ok(Self { fence, order, scope })
    }
}

/// The weakest ordering that is as strong as both.
fn both(success: Ordering, failure: Ordering) -> Ordering {
    use Ordering::{
        LLVMAtomicOrderingAcquire as Acquire, LLVMAtomicOrderingAcquireRelease as AcquireRelease,
        LLVMAtomicOrderingRelease as Release,
    };
    match (success, failure) {
        (Release, Acquire) | (Acquire, Release) => AcquireRelease,
        (success, failure) if failure as u32 > success as u32 => failure,
        (success, _) => success,
    }
}

fn lower_one<'c>(context: &'c Context, i: Value<'c>) -> Result<(), String> {
    let words = Words::of(context, i)?;
    let builder = Builder::before(context, i);
    if i.opcode() == LLVMOpcode::LLVMFence {
        let text = fence(i, &words);
        builder.assembly(&text, "~{memory}", None, &[]);
        builder.replace(i, None);
        return Ok(());
    }
    if words.scope == "thread" {
        return Err("it is atomic within one thread".to_owned());
    }
    let new = match (i.opcode(), &i.operands()[..]) {
        (LLVMOpcode::LLVMLoad, &[from]) => Some(load(&builder, i, from, &words)?),
        (LLVMOpcode::LLVMStore, &[value, to]) => {
            store(&builder, value, to, &words)?;
            None
        }
        (LLVMOpcode::LLVMAtomicRMW, &[to, value]) => Some(modify(&builder, i, to, value, &words)?),
        (LLVMOpcode::LLVMAtomicCmpXchg, &[to, old, value]) => {
            Some(compare_exchange(&builder, i, to, [old, value], &words)?)
        }
        _ => return Err("there is no PTX for it".to_owned()),
    };
    builder.replace(i, new);
    Ok(())
}

fn fence(i: Value<'_>, words: &Words) -> String {
    match (words.scope, i.ordering()) {
        ("thread", _) => String::new(),
        (scope, Ordering::LLVMAtomicOrderingSequentiallyConsistent) => format!("fence.sc.{scope};"),
        (scope, _) => format!("fence.acq_rel.{scope};"),
    }
}

fn load<'c>(
    builder: &Builder<'c>,
    i: Value<'c>,
    from: Value<'c>,
    words: &Words,
) -> Result<Value<'c>, String> {
    let width = Width::of(i.type_of(), 8)?;
    let Words { fence, order, scope } = words;
    let text = format!("{fence}ld.{order}.{scope}{}.u{} $0, [$1];", space(from)?, width.bits);
    let constraints = format!("={},l,~{{memory}}", width.letter());
    let loaded = builder.assembly(&text, &constraints, Some(width.carrier(builder)), &[from]);
    Ok(width.back(builder, loaded, i.type_of()))
}

fn store<'c>(builder: &Builder<'c>, value: Value<'c>, to: Value<'c>, words: &Words) -> Result<(), String> {
    let width = Width::of(value.type_of(), 8)?;
    let Words { fence, order, scope } = words;
    let text = format!("{fence}st.{order}.{scope}{}.u{} [$0], $1;", space(to)?, width.bits);
    let constraints = format!("l,{},~{{memory}}", width.letter());
    builder.assembly(&text, &constraints, None, &[to, width.carried(builder, value)]);
    Ok(())
}

fn modify<'c>(
    builder: &Builder<'c>,
    i: Value<'c>,
    to: Value<'c>,
    value: Value<'c>,
    words: &Words,
) -> Result<Value<'c>, String> {
    let width = Width::of(value.type_of(), 32)?;
    let mut carried = width.carried(builder, value);
    let word = match i.atomic_operation() {
        Operation::LLVMAtomicRMWBinOpXchg => "exch.b",
        Operation::LLVMAtomicRMWBinOpAdd => "add.u",
        Operation::LLVMAtomicRMWBinOpSub => {
            carried = builder.negate(carried);
            "add.u"
        }
        Operation::LLVMAtomicRMWBinOpAnd => "and.b",
        Operation::LLVMAtomicRMWBinOpOr => "or.b",
        Operation::LLVMAtomicRMWBinOpXor => "xor.b",
        Operation::LLVMAtomicRMWBinOpMax => "max.s",
        Operation::LLVMAtomicRMWBinOpMin => "min.s",
        Operation::LLVMAtomicRMWBinOpUMax => "max.u",
        Operation::LLVMAtomicRMWBinOpUMin => "min.u",
        _ => return Err("there is no PTX for it".to_owned()),
    };
    let letter = width.letter();
    let text = format!("{} $0, [$1], $2;", atom(words, to, word, &width)?);
    let constraints = format!("={letter},l,{letter},~{{memory}}");
    let old = builder.assembly(&text, &constraints, Some(width.carrier(builder)), &[to, carried]);
    Ok(width.back(builder, old, value.type_of()))
}

fn compare_exchange<'c>(
    builder: &Builder<'c>,
    i: Value<'c>,
    to: Value<'c>,
    [expected, value]: [Value<'c>; 2],
    words: &Words,
) -> Result<Value<'c>, String> {
    let width = Width::of(value.type_of(), 32)?;
    let [expected, new] = [expected, value].map(|value| width.carried(builder, value));
    let letter = width.letter();
    let text = format!("{} $0, [$1], $2, $3;", atom(words, to, "cas.b", &width)?);
    let constraints = format!("={letter},l,{letter},{letter},~{{memory}}");
    let found = builder.assembly(&text, &constraints, Some(width.carrier(builder)), &[to, expected, new]);
    let equal = builder.compare(LLVMIntPredicate::LLVMIntEQ, found, expected);
    Ok(builder.pair(i.type_of(), width.back(builder, found, value.type_of()), equal))
}

/// `atom` with all its words.
fn atom(words: &Words, to: Value<'_>, word: &str, width: &Width) -> Result<String, String> {
    let Words { fence, order, scope } = words;
    Ok(format!("{fence}atom.{order}.{scope}{}.{word}{}", space(to)?, width.bits))
}

/// The state space of an address; a generic one has no word.
fn space(address: Value<'_>) -> Result<&'static str, String> {
    match address.kind() {
        Kind::Pointer(0) => Ok(""),
        Kind::Pointer(1) => Ok(".global"),
        Kind::Pointer(3) => Ok(".shared"),
        _ => Err("it is in a state space without atomics".to_owned()),
    }
}

/// Bits of a value in memory, and whether it is an address.
struct Width {
    bits: u32,
    pointer: bool,
}

impl Width {
    fn of(ty: Type<'_>, least: u32) -> Result<Self, String> {
        let (bits, pointer) = match ty.kind() {
            Kind::Int(bits) => (bits, false),
            Kind::Pointer(_) => (64, true),
            _ => return Err("there is no PTX for its type".to_owned()),
        };
        if bits < least || !matches!(bits, 8 | 16 | 32 | 64) {
            return Err(format!("there is no PTX for it with {bits} bits"));
        }
        Ok(Self { bits, pointer })
    }

    /// The constraint of a register that holds it.
    fn letter(&self) -> char {
        match self.bits {
            64 => 'l',
            32 => 'r',
            _ => 'h',
        }
    }

    /// The type of such a register.
    fn carrier<'c>(&self, builder: &Builder<'c>) -> Type<'c> {
        builder.integer(self.bits.max(16))
    }

    fn carried<'c>(&self, builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
        let to = self.carrier(builder);
        match (self.pointer, self.bits) {
            (true, _) => builder.cast(LLVMOpcode::LLVMPtrToInt, value, to),
            (_, 8) => builder.cast(LLVMOpcode::LLVMZExt, value, to),
            _ => value,
        }
    }

    fn back<'c>(&self, builder: &Builder<'c>, value: Value<'c>, to: Type<'c>) -> Value<'c> {
        match (self.pointer, self.bits) {
            (true, _) => builder.cast(LLVMOpcode::LLVMIntToPtr, value, to),
            (_, 8) => builder.cast(LLVMOpcode::LLVMTrunc, value, to),
            _ => value,
        }
    }
}
