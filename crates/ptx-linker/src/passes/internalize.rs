//! Hides everything but the exported symbols, so that LLVM can remove what they do not reach.

use std::collections::HashSet;

use crate::llvm::module::Module;

/// Makes every definition internal whose name is not in `exported`.
pub(crate) fn keep_only(module: &Module<'_>, exported: &HashSet<String>) {
    let all = module.functions().into_iter().chain(module.globals()).chain(module.aliases());
    for value in all {
        let name = value.name();
        let foreign = value.is_declaration() || value.is_available_externally() || name.starts_with("llvm.");
        if !foreign && !value.is_local() && !exported.contains(&name) {
            value.make_internal();
        }
    }
}
