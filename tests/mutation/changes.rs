//! What a mutant may do to one instruction.

use std::collections::HashMap;

use ptx_parse::ast::{Const, Guard, Instruction, Operand, ScalarType, Variable};

use super::{memory, tensor};

/// A changed instruction.
#[derive(Clone, Debug)]
pub struct Change {
    /// What was done.
    pub operator: &'static str,
    /// To what, where that takes more to say.
    pub detail: String,
    /// The instruction; `None` where it is left out.
    pub after: Option<Instruction>,
}

/// What is known at an instruction's place.
pub struct Context<'a> {
    /// The kernel's parameters.
    pub params: &'a [Variable],
    /// Registers written by the text in front.
    pub defined: &'a [String],
    /// Those that hold a constant, by the text in front.
    pub constants: &'a HashMap<String, i128>,
}

/// Collects the changes of one instruction.
pub struct Changes<'a> {
    before: &'a Instruction,
    found: Vec<Change>,
}

impl Changes<'_> {
    /// The instruction with `edit` done to it.
    pub fn edit(
        &mut self,
        operator: &'static str,
        detail: impl ToString,
        edit: impl FnOnce(&mut Instruction),
    ) {
        let mut after = self.before.clone();
        edit(&mut after);
        self.found.push(Change { operator, detail: detail.to_string(), after: Some(after) });
    }

    /// The instruction left out.
    pub fn remove(&mut self) {
        self.found.push(Change { operator: "removed", detail: String::new(), after: None });
    }

    fn opcode(&mut self, opcode: &'static str) {
        self.edit(opcode, "", |after| after.opcode = opcode.to_owned());
    }

    fn operands(&mut self, operator: &'static str, left: usize, right: usize) {
        self.edit(operator, "", |after| {
            if left.max(right) < after.operands.len() {
                after.operands.swap(left, right);
            }
        });
    }
}

/// All changes of an instruction.
pub fn of(before: &Instruction, context: &Context<'_>) -> Vec<Change> {
    let mut changes = Changes { before, found: Vec::new() };
    guards(&mut changes, before);
    match before.opcode.as_str() {
        "ld" | "st" | "ldu" => memory::of(&mut changes, before, context),
        "mov" => special_registers(&mut changes, before),
        "setp" => comparisons(&mut changes, before),
        "bra" | "brx" | "call" | "exit" | "trap" | "bar" | "barrier" | "membar" | "fence" | "red" => {
            changes.remove()
        }
        "cp" | "mbarrier" | "wgmma" | "mma" | "stmatrix" | "mapa" => tensor::of(&mut changes, before),
        "cvt" => signedness(&mut changes, before),
        _ => arithmetic(&mut changes, before, context),
    }
    if !matches!(before.opcode.as_str(), "st" | "bar" | "barrier" | "call") {
        constants(&mut changes, before);
    }
    rounding(&mut changes, before);
    vectors(&mut changes, before);
    changes.found
}

fn guards(changes: &mut Changes<'_>, before: &Instruction) {
    let Some(Guard { register, negated }) = before.guard.clone() else { return };
    changes.edit("guard-negated", "", |after| after.guard = Some(Guard { register, negated: !negated }));
    changes.edit("guard-dropped", "", |after| after.guard = None);
}

fn arithmetic(changes: &mut Changes<'_>, before: &Instruction, context: &Context<'_>) {
    let float = is_float(before);
    match before.opcode.as_str() {
        "add" => changes.opcode("sub"),
        "sub" => {
            changes.opcode("add");
            changes.operands("swapped", 1, 2);
        }
        "div" | "rem" => changes.operands("swapped", 1, 2),
        "min" => changes.opcode("max"),
        "max" => changes.opcode("min"),
        "and" => changes.opcode("or"),
        "or" => changes.opcode("and"),
        "xor" => changes.opcode("or"),
        "shl" => changes.opcode("shr"),
        "shr" => changes.edit("shl", "", |after| {
            after.opcode = "shl".to_owned();
            retype(after, 0, 'b');
        }),
        "mul" => multiplication(changes, before, float),
        "mad" | "fma" => {
            if !adds_nothing(before, context) {
                changes.edit("mul", "", |after| {
                    after.opcode = "mul".to_owned();
                    after.operands.truncate(3);
                });
            }
            changes.edit("addend-other", "", |after| copy_operand(after, 1, 3));
        }
        "not" | "neg" => changes.opcode("mov"),
        "clz" => changes.opcode("popc"),
        "popc" => changes.opcode("clz"),
        "selp" => changes.operands("swapped", 1, 2),
        "vote" => replace(changes, "vote", &[("all", "any"), ("any", "all")]),
        "shfl" => {
            replace(changes, "shfl", &[("bfly", "down"), ("down", "up"), ("up", "down"), ("idx", "bfly")])
        }
        "redux" | "atom" => replace(changes, "reduction", &[("add", "max"), ("min", "max"), ("max", "min")]),
        _ => {}
    }
    if float && matches!(before.opcode.as_str(), "add" | "sub" | "mul" | "fma") {
        changes.edit("factor-twice", "", |after| copy_operand(after, 1, 2));
    }
}

fn multiplication(changes: &mut Changes<'_>, before: &Instruction, float: bool) {
    if before.has("hi") {
        replace(changes, "mul.lo", &[("hi", "lo")]);
    } else if float {
        changes.opcode("add");
    } else if before.has("lo") {
        changes.edit("add", "", |after| {
            after.opcode = "add".to_owned();
            after.modifiers.retain(|m| m != "lo");
        });
    } else {
        // The product of the first factor with itself.
        changes.edit("factor-twice", "", |after| copy_operand(after, 1, 2));
    }
}

/// One modifier by another: the first of the list that is there.
fn replace(changes: &mut Changes<'_>, operator: &'static str, pairs: &[(&str, &str)]) {
    let Some((from, to)) = pairs.iter().find(|(from, _)| changes.before.has(from)) else { return };
    changes.edit(operator, format!(".{to}"), |after| {
        for modifier in &mut after.modifiers {
            if modifier == from {
                *modifier = (*to).to_owned();
            }
        }
    });
}

fn comparisons(changes: &mut Changes<'_>, before: &Instruction) {
    let others: &[&str] = match before.modifiers.first().map_or("", String::as_str) {
        // Nothing unsigned is below 0.
        "eq" if is_zero(before.operands.get(2)) => &["ne"],
        "ne" if is_zero(before.operands.get(2)) => &["eq"],
        "eq" => &["ne", "le"],
        "ne" => &["eq", "gt"],
        "lt" => &["le", "ge", "gt"],
        "le" => &["lt", "gt", "ge"],
        "gt" => &["ge", "le", "lt"],
        "ge" => &["gt", "lt", "le"],
        _ => &[],
    };
    for other in others {
        changes.edit("compare", format!(".{other}"), |after| {
            after.modifiers[0] = (*other).to_owned();
            if !matches!(*other, "eq" | "ne") {
                // Bits have no order.
                let last = after.modifiers.len() - 1;
                retype_bits(&mut after.modifiers[last]);
            }
        });
    }
}

/// An integer that is made wider, taken as signed or as unsigned.
fn signedness(changes: &mut Changes<'_>, before: &Instruction) {
    let [.., to, from] = before.modifiers.as_slice() else { return };
    let wider = ScalarType::from_name(to).zip(ScalarType::from_name(from));
    let (Some((wide, narrow)), Some(sign)) = (wider, from.chars().next()) else { return };
    if wide.size_bytes() <= narrow.size_bytes() || !matches!(sign, 's' | 'u') {
        return;
    }
    let other = if sign == 's' { 'u' } else { 's' };
    changes.edit("signedness", "", |after| retype(after, 0, other));
}

/// Another axis, and block for thread.
fn special_registers(changes: &mut Changes<'_>, before: &Instruction) {
    let Some(Operand::Component(register, axis)) = before.operands.get(1) else { return };
    let other_axis = match axis.as_str() {
        "x" => "y",
        "y" => "z",
        _ => "x",
    };
    let other_register = match register.as_str() {
        "%tid" => "%ctaid",
        "%ctaid" => "%tid",
        "%ntid" => "%nctaid",
        "%nctaid" => "%ntid",
        _ => return,
    };
    let mut change = |register: &str, axis: &str| {
        let operand = Operand::Component(register.to_owned(), axis.to_owned());
        changes.edit("special", format!("{register}.{axis}"), |after| after.operands[1] = operand);
    };
    change(register, other_axis);
    change(other_register, axis);
}

/// Every constant that is read, one more and one less; a float with the other sign.
fn constants(changes: &mut Changes<'_>, before: &Instruction) {
    for (at, operand) in before.operands.iter().enumerate().skip(1) {
        let mut change = |detail: String, value| {
            changes.edit("constant", detail, |after| after.operands[at] = Operand::Const(value));
        };
        match *operand {
            Operand::Const(Const::Int(value)) => {
                change(format!("{at}+1"), Const::Int(value + 1));
                change(format!("{at}-1"), Const::Int(value - 1));
            }
            Operand::Const(Const::F32(bits)) => change(format!("{at}-"), Const::F32(bits ^ 1 << 31)),
            Operand::Const(Const::F64(bits)) => change(format!("{at}-"), Const::F64(bits ^ 1 << 63)),
            _ => {}
        }
    }
}

/// Towards zero where it was to nearest, for the types that have it.
fn rounding(changes: &mut Changes<'_>, before: &Instruction) {
    let rounds =
        matches!(before.opcode.as_str(), "add" | "sub" | "mul" | "fma" | "div" | "sqrt" | "rcp" | "cvt");
    if rounds && (before.opcode == "cvt" || before.has("f32") || before.has("f64")) {
        replace(changes, "rounding", &[("rn", "rz"), ("rni", "rzi")]);
    }
}

/// The first two registers of each vector in each other's place.
fn vectors(changes: &mut Changes<'_>, before: &Instruction) {
    for (at, operand) in before.operands.iter().enumerate() {
        let Operand::Vector(parts) = operand else { continue };
        if parts.len() < 2 {
            continue;
        }
        changes.edit("vector-swapped", at, |after| {
            if let Operand::Vector(parts) = &mut after.operands[at] {
                parts.swap(0, 1);
            }
        });
    }
}

fn is_zero(operand: Option<&Operand>) -> bool {
    matches!(operand, Some(Operand::Const(Const::Int(0))))
}

/// Whether the last operand is the -0 of its type, which adds nothing to any product.
fn adds_nothing(before: &Instruction, context: &Context<'_>) -> bool {
    let Some(Operand::Name(register)) = before.operands.last() else { return false };
    let Some(value) = context.constants.get(register) else { return false };
    let bits =
        before.modifiers.last().and_then(|name| ScalarType::from_name(name)).map(|ty| 8 * ty.size_bytes());
    bits.is_some_and(|bits| *value == -(1_i128 << (bits - 1)) || *value == 1_i128 << (bits - 1))
}

fn is_float(instruction: &Instruction) -> bool {
    let last = instruction.modifiers.last().map_or("", String::as_str);
    last.starts_with('f') || last.starts_with("bf")
}

fn copy_operand(after: &mut Instruction, from: usize, to: usize) {
    if from.max(to) < after.operands.len() {
        after.operands[to] = after.operands[from].clone();
    }
}

/// Gives the type that is `from_last` modifiers in front of the last another letter.
fn retype(after: &mut Instruction, from_last: usize, letter: char) {
    let at = after.modifiers.len() - 1 - from_last;
    after.modifiers[at].replace_range(0..1, &letter.to_string());
}

fn retype_bits(name: &mut String) {
    if name.starts_with('b') && !name.starts_with("bf") {
        name.replace_range(0..1, "u");
    }
}
