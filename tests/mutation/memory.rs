//! What a mutant may do to a load or a store.

use ptx_parse::ast::{Const, Instruction, Operand, ScalarType, Space};

use super::changes::{Changes, Context};

/// Changes of a load or a store.
pub fn of(changes: &mut Changes<'_>, before: &Instruction, context: &Context<'_>) {
    let is_param = before.modifiers.iter().any(|m| Space::from_name(m) == Some(Space::Param));
    match (before.opcode.as_str(), is_param) {
        // Arguments of a call, which are those of a panic.
        ("st", true) => {}
        (_, true) => params(changes, before, context),
        ("st", false) => {
            changes.remove();
            offsets(changes, before);
            stored(changes, before, context);
            narrower(changes, before);
        }
        (_, false) => {
            offsets(changes, before);
            narrower(changes, before);
            if before.has("global") && !before.has("nc") && !before.has("volatile") {
                changes.edit("nc", "", |after| {
                    let at = after.modifiers.iter().position(|m| m == "global").map_or(0, |at| at + 1);
                    after.modifiers.insert(at, "nc".to_owned());
                });
            }
        }
    }
}

/// The parameter that follows, or the other half of one that is an array.
fn params(changes: &mut Changes<'_>, before: &Instruction, context: &Context<'_>) {
    let Some(Operand::Address { base, offset }) = before.operands.get(1) else { return };
    let Operand::Name(name) = base.as_ref() else { return };
    let Some(at) = context.params.iter().position(|param| param.name == *name) else { return };
    let Some(bytes) = element_bytes(before) else { return };
    if context.params[at].size_bytes() > Some(bytes) {
        for other in [offset - bytes as i64, offset + bytes as i64] {
            let inside = other >= 0
                && (other as u64).saturating_add(bytes) <= context.params[at].size_bytes().unwrap_or(0);
            if inside {
                changes.edit("offset", format!("{:+}", other - offset), |after| set_offset(after, 1, other));
            }
        }
        return;
    }
    let same = |param: &&ptx_parse::ast::Variable| param.size_bytes() == Some(bytes) && param.name != *name;
    let after_it = context.params[at + 1..].iter().find(same);
    let Some(other) = after_it.or_else(|| context.params.iter().find(same)) else { return };
    let other = Operand::Address { base: Box::new(Operand::Name(other.name.clone())), offset: *offset };
    changes.edit("parameter", "", |after| after.operands[1] = other);
}

/// The element in front and the one behind.
fn offsets(changes: &mut Changes<'_>, before: &Instruction) {
    let Some(bytes) = element_bytes(before) else { return };
    let at = before.operands.iter().position(|operand| matches!(operand, Operand::Address { .. }));
    let Some((at, &Operand::Address { offset, .. })) = at.map(|at| (at, &before.operands[at])) else {
        return;
    };
    for by in [-(bytes as i64), bytes as i64] {
        changes.edit("offset", format!("{by:+}"), |after| set_offset(after, at, offset + by));
    }
}

fn set_offset(after: &mut Instruction, at: usize, to: i64) {
    if let Some(Operand::Address { offset, .. }) = after.operands.get_mut(at) {
        *offset = to;
    }
}

/// Another register in place of the one that is stored; of a vector, the first one twice.
fn stored(changes: &mut Changes<'_>, before: &Instruction, context: &Context<'_>) {
    match before.operands.get(1) {
        Some(Operand::Vector(parts)) if parts.len() > 1 => changes.edit("stored-other", "", |after| {
            if let Some(Operand::Vector(parts)) = after.operands.get_mut(1) {
                parts[1] = parts[0].clone();
            }
        }),
        Some(Operand::Name(name)) => {
            let other = context.defined.iter().rev().find(|r| class(r) == class(name) && *r != name);
            let Some(other) = other.cloned() else { return };
            changes.edit("stored-other", "", |after| after.operands[1] = Operand::Name(other));
        }
        Some(&Operand::Const(Const::Int(value))) => {
            changes.edit("constant", "+1", |after| after.operands[1] = Operand::Const(Const::Int(value + 1)));
        }
        _ => {}
    }
}

/// `%rd` of `%rd12`.
fn class(register: &str) -> &str {
    register.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Half the bytes: two of four registers, or a type of half the size.
fn narrower(changes: &mut Changes<'_>, before: &Instruction) {
    let vector = before.operands.iter().position(|operand| matches!(operand, Operand::Vector(_)));
    let lanes = [("v4", "v2", 2), ("v8", "v4", 4)].into_iter().find(|(from, ..)| before.has(from));
    if let (Some(at), Some((from, to, len))) = (vector, lanes) {
        changes.edit("narrower", "", |after| {
            after.modifiers.iter_mut().filter(|m| *m == from).for_each(|m| *m = to.to_owned());
            if let Operand::Vector(parts) = &mut after.operands[at] {
                parts.truncate(len);
            }
        });
        return;
    }
    let half = match before.modifiers.last().map_or("", String::as_str) {
        "b64" | "u64" | "s64" => "b32",
        "b32" | "u32" | "s32" => "b16",
        "b16" | "u16" | "s16" => "b8",
        _ => return,
    };
    changes.edit("narrower", "", |after| {
        after.modifiers.pop();
        after.modifiers.push(half.to_owned());
    });
}

/// Bytes of one element, by the last modifier.
fn element_bytes(instruction: &Instruction) -> Option<u64> {
    let ty = instruction.modifiers.last().and_then(|name| ScalarType::from_name(name))?;
    Some(ty.size_bytes()).filter(|bytes| *bytes > 0)
}
