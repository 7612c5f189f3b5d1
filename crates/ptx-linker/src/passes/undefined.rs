//! Finds what is used and defined nowhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::llvm::module::Module;
use crate::llvm::value::Value;
use crate::passes::{shared, used};

/// Functions that the CUDA driver itself defines.
const PROVIDED: [&str; 4] = ["vprintf", "malloc", "free", "__assertfail"];

/// Undefined symbols with the functions and statics that use them.
pub(crate) type Undefined = BTreeMap<String, BTreeSet<String>>;

/// Adds the undefined symbols of `module` to `all`.
pub(crate) fn collect(module: &Module<'_>, all: &mut Undefined) {
    for value in declarations(module) {
        let users = used::holders(value);
        if !users.is_empty() && !PROVIDED.contains(&&*value.name()) {
            all.entry(value.name()).or_default().extend(users.into_iter().map(Value::name));
        }
    }
}

/// Names that are used but not defined, those of the driver included: what an archive may define.
pub(crate) fn wanted(module: &Module<'_>) -> BTreeSet<String> {
    declarations(module).into_iter().filter(|value| !value.users().is_empty()).map(Value::name).collect()
}

fn declarations<'c>(module: &Module<'c>) -> Vec<Value<'c>> {
    let open = |value: &Value<'_>| value.is_declaration() && !value.name().starts_with("llvm.");
    let functions = module.functions().into_iter().filter(open);
    let globals = module.globals().into_iter().filter(|g| open(g) && !shared::is_dynamic(*g));
    functions.chain(globals).collect()
}
