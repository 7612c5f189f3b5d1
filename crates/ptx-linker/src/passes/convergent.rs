//! Marks what must not be moved across branches.
//!
//! A barrier, vote or shuffle means something else when fewer threads reach it. LLVM's word for such an
//! operation is `convergent`; rustc does not put it on inline assembly, so this pass does: on every asm call with
//! side effects, on calls through pointers and to unknown functions, and on every function and call that reaches one.

use std::collections::{HashMap, HashSet};

use crate::llvm::module::Module;
use crate::llvm::value::{Callee, Place, Value};

const CONVERGENT: &str = "convergent";

/// Marks the whole module. LLVM's own pipeline takes marks off again where they prove needless.
pub(crate) fn mark(module: &Module<'_>) {
    let functions = module.functions();
    let mut marked: HashSet<Value<'_>> = functions.iter().copied().filter(|&f| is_seed(f)).collect();
    let calls: HashMap<Value<'_>, Vec<_>> = functions.iter().map(|&f| (f, f.calls())).collect();
    loop {
        let before = marked.len();
        for (&function, calls) in &calls {
            if calls.iter().any(|(call, callee)| reaches(*call, callee, &marked)) {
                marked.insert(function);
            }
        }
        if marked.len() == before {
            break;
        }
    }
    let context = module.context();
    for &function in marked.iter().filter(|function| !is_intrinsic(**function)) {
        function.add_attribute(context, Place::Function, CONVERGENT, 0);
    }
    for (call, _) in calls.values().flatten().filter(|(call, callee)| reaches(*call, callee, &marked)) {
        call.add_call_attribute(context, CONVERGENT);
    }
}

/// Convergent by itself: marked already (LLVM's barrier intrinsics are), or unknown code.
fn is_seed(function: Value<'_>) -> bool {
    function.has_attribute(Place::Function, CONVERGENT)
        || (function.is_declaration() && !is_intrinsic(function))
}

fn is_intrinsic(function: Value<'_>) -> bool {
    function.name().starts_with("llvm.")
}

fn reaches(call: Value<'_>, callee: &Callee<'_>, marked: &HashSet<Value<'_>>) -> bool {
    match callee {
        Callee::Asm { side_effects } => *side_effects,
        Callee::Pointer => true,
        Callee::Function(function) => marked.contains(function) || call.call_has_attribute(CONVERGENT),
    }
}
