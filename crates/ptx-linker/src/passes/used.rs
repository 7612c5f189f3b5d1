//! The lists `llvm.used` and `llvm.compiler.used`, which keep statics alive, and who uses a value.

use std::collections::HashSet;

use crate::llvm::module::Module;
use crate::llvm::value::Value;

/// Takes `globals` out of both lists.
pub(crate) fn forget<'c>(module: &Module<'c>, globals: &[Value<'c>]) {
    let lists =
        module.globals().into_iter().filter(|g| matches!(&*g.name(), "llvm.used" | "llvm.compiler.used"));
    for list in lists.collect::<Vec<_>>() {
        let Some(content) = list.initializer() else { continue };
        let all = content.operands();
        let kept: Vec<_> = all.iter().copied().filter(|element| !globals.contains(element)).collect();
        if kept.len() < all.len() {
            module.set_list(list, &kept);
        }
    }
}

/// The functions and globals that use `value`, directly or inside constants, each once.
pub(crate) fn holders<'c>(value: Value<'c>) -> Vec<Value<'c>> {
    let mut found = Vec::new();
    let mut seen = HashSet::from([value]);
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        for user in value.users() {
            let holder = user.enclosing_function().or(user.is_global_value().then_some(user));
            let next = holder.unwrap_or(user);
            if !seen.insert(next) {
                continue;
            }
            match holder {
                Some(holder) => found.push(holder),
                None => open.push(user),
            }
        }
    }
    found
}
