//! What a mutant may do to an instruction of the tensor cores, of their copies or of barrier objects.

use ptx_parse::ast::{Const, Instruction, Operand};

use super::changes::Changes;

/// Changes of such an instruction.
pub fn of(changes: &mut Changes<'_>, before: &Instruction) {
    match before.opcode.as_str() {
        "cp" => {
            changes.remove();
            pending(changes, before);
            coordinates(changes, before);
        }
        "mbarrier" => barrier_object(changes, before),
        "wgmma" => {
            changes.remove();
            pending(changes, before);
            if before.has("mma_async") {
                changes.edit("swapped", "", |after| after.operands.swap(1, 2));
                codes(changes, before, before.modifiers.len() - 1);
            }
        }
        // The type of the sums comes last, that of b in front of it.
        "mma" => codes(changes, before, before.modifiers.len() - 2),
        "stmatrix" => {
            changes.remove();
            if before.has("trans") {
                changes.edit("not-trans", "", |after| after.modifiers.retain(|m| m != "trans"));
            }
        }
        "mapa" => changes.edit("rank", "0", |after| set(after, 2, 0)),
        _ => {}
    }
}

/// One more group that may still be at work.
fn pending(changes: &mut Changes<'_>, before: &Instruction) {
    if let (true, Some(&Operand::Const(Const::Int(groups)))) =
        (before.has("wait_group"), before.operands.first())
    {
        changes.edit("constant", "0+1", |after| set(after, 0, groups + 1));
    }
}

/// The coordinates of a tensor's box in each other's place.
fn coordinates(changes: &mut Changes<'_>, before: &Instruction) {
    for (at, operand) in before.operands.iter().enumerate() {
        let Operand::Bracket(parts) = operand else { continue };
        let Some(inside) = parts.iter().position(|part| matches!(part, Operand::Vector(_))) else { continue };
        changes.edit("coordinates-swapped", "", |after| {
            if let Operand::Bracket(parts) = &mut after.operands[at]
                && let Operand::Vector(axes) = &mut parts[inside]
                && axes.len() > 1
            {
                axes.swap(0, 1);
            }
        });
    }
}

/// An object that does not hear of an arrival or of bytes, or is waited for in another phase.
fn barrier_object(changes: &mut Changes<'_>, before: &Instruction) {
    if before.has("parity") {
        for parity in [0, 1] {
            changes.edit("parity", parity, |after| set(after, 2, parity));
        }
        return;
    }
    changes.remove();
    if before.has("arrive") && before.has("expect_tx") {
        changes.edit("no-bytes", "", |after| {
            after.modifiers.retain(|m| m != "expect_tx");
            after.operands.pop();
        });
    }
}

/// The codes of b, whose type is modifier `at`, as signed or as unsigned ones.
fn codes(changes: &mut Changes<'_>, before: &Instruction, at: usize) {
    let other = match before.modifiers.get(at).map(String::as_str) {
        Some("s8") => "u8",
        Some("u8") => "s8",
        _ => return,
    };
    changes.edit("signedness", "", |after| after.modifiers[at] = other.to_owned());
}

fn set(after: &mut Instruction, at: usize, value: i128) {
    if let Some(operand) = after.operands.get_mut(at) {
        *operand = Operand::Const(Const::Int(value));
    }
}
