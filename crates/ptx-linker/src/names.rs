//! Names that PTX takes.

use std::collections::HashSet;

use crate::llvm::module::Module;

/// Letters, digits and `_`, not beginning with a digit: fit for an entry and for a file.
pub(crate) fn is_identifier(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with(|c: char| !c.is_ascii_digit()) && name.chars().all(plain)
}

/// Renames the module's own functions and globals whose names PTX does not take (LLVM's passes make names with
/// dots). Names that others refer to stay; the first illegal one of these is returned.
pub(crate) fn make_legal(module: &Module<'_>) -> Result<(), String> {
    let all: Vec<_> = module.functions().into_iter().chain(module.globals()).collect();
    let mut taken: HashSet<String> = all.iter().map(|value| value.name()).collect();
    for value in all {
        let name = value.name();
        let foreign = name.starts_with("llvm.") || value.is_declaration();
        if name.is_empty() || foreign || is_ptx_name(&name) {
            continue;
        }
        if !value.is_local() {
            return Err(name);
        }
        let base = legal(&name);
        let mut candidate = base.clone();
        let mut number = 0u32;
        while !taken.insert(candidate.clone()) {
            number += 1;
            candidate = format!("{base}_{number}");
        }
        value.set_name(&candidate);
    }
    Ok(())
}

/// PTX: a letter and then letters, digits, `_`, `$`; or `_`, `$`, `%` and at least one of these.
fn is_ptx_name(name: &str) -> bool {
    let follow = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut chars = name.chars();
    match chars.next() {
        Some(first) if first.is_ascii_alphabetic() => chars.all(follow),
        Some('_' | '$') => name.len() > 1 && chars.all(follow),
        _ => false,
    }
}

fn legal(name: &str) -> String {
    let kept: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '$' { c } else { '_' })
        .collect();
    if is_ptx_name(&kept) { kept } else { format!("w_{kept}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_letters_digits_and_underscores() {
        assert!(is_identifier("hadamard_f32") && is_identifier("_x"));
        for name in ["", "9x", "a.b", "a-b", "../x", "a b", "ü"] {
            assert!(!is_identifier(name), "{name}");
        }
    }

    #[test]
    fn illegal_names_become_legal_ones() {
        for name in [".Lanon.0", "switch.table.f", "9", "_", "a@b", "é"] {
            assert!(!is_ptx_name(name) && is_ptx_name(&legal(name)), "{name} became {}", legal(name));
        }
    }
}
