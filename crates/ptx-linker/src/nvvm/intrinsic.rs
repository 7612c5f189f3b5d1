//! The intrinsics that may be called: as they are, under an older name, lowered, or dropped. There is no other way:
//! of an intrinsic that libNVVM does not know it may make an external function that nothing defines.

use super::function::Writer;
use super::types;
use crate::llvm::value::Value;

/// Special registers that libNVVM reads by intrinsic.
const REGISTERS: [&str; 14] = [
    "tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z", "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x",
    "nctaid.y", "nctaid.z", "laneid", "warpsize",
];

/// Facts and hints that change no result.
const DROPPED: [&str; 9] = [
    "lifetime.start",
    "lifetime.end",
    "assume",
    "experimental.noalias.scope.decl",
    "sideeffect",
    "invariant.end",
    "prefetch",
    "donothing",
    "fake.use",
];

impl<'c> Writer<'c, '_> {
    /// A call of `llvm.<name>`. `None`: it is dropped.
    pub(super) fn intrinsic_call(&mut self, i: Value<'c>, name: &str) -> Result<Option<String>, String> {
        if DROPPED.iter().any(|dropped| is(name, dropped)) {
            return Ok(None);
        }
        let args = i.arguments();
        if let Some(register) = name.strip_prefix("nvvm.read.ptx.sreg.") {
            if REGISTERS.contains(&register) {
                return self.kept(i, name, &args).map(Some);
            }
            return Err(not_allowed(name));
        }
        for word in ["memcpy", "memmove", "memset"] {
            if is(name, word) || is(name, &format!("{word}.inline")) {
                return self.block_copy(i, word).map(Some);
            }
        }
        let lowered = match self.integer_intrinsic(i, name, &args)? {
            Some(text) => Some(text),
            None => self.float_intrinsic(i, name, &args)?,
        };
        let text = match (lowered, base(name)) {
            (Some(text), _) => text,
            (_, "trap" | "debugtrap" | "ubsantrap") => self.intrinsic("void", "llvm.trap", &[]),
            (_, "expect" | "expect.with.probability" | "ssa.copy" | "launder.invariant.group") => {
                self.same(args[0])?
            }
            (_, "ptrmask") => self.masked(args[0], args[1])?,
            (_, "is.constant") => "and i1 false, false".to_owned(),
            (_, "nvvm.barrier0") => self.intrinsic("void", "llvm.nvvm.barrier0", &[]),
            _ => return Err(not_allowed(name)),
        };
        Ok(Some(text))
    }

    /// The call as it is.
    pub(super) fn kept(&mut self, i: Value<'c>, name: &str, args: &[Value<'c>]) -> Result<String, String> {
        let result = types::text(i.type_of())?;
        let args = args.iter().map(|&arg| self.typed(arg)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.intrinsic(&result, &format!("llvm.{name}"), &args))
    }
}

/// Is `name` the intrinsic `base`, overloaded or not?
pub(super) fn is(name: &str, base: &str) -> bool {
    name.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The name without the types of its overload, e.g. `umax` of `umax.v2i32`.
pub(super) fn base(name: &str) -> &str {
    let mut base = name;
    while let Some((head, tail)) = base.rsplit_once('.') {
        if !is_overload(tail) {
            break;
        }
        base = head;
    }
    base
}

/// `i32`, `f16`, `v4f32`, `p0`: how an overloaded name spells a type.
fn is_overload(word: &str) -> bool {
    let scalar =
        word.strip_prefix('v').map_or(word, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let digits = scalar.strip_prefix(['i', 'f', 'p']);
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

fn not_allowed(name: &str) -> String {
    format!("the intrinsic `llvm.{name}` is not one that libNVVM is known to take")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_is_the_name_without_types() {
        for (name, want) in [
            ("umax.v2i32", "umax"),
            ("fptosi.sat.i32.f32", "fptosi.sat"),
            ("trap", "trap"),
            ("memcpy.p0.p3.i64", "memcpy"),
            ("nvvm.barrier0", "nvvm.barrier0"),
        ] {
            assert_eq!(base(name), want);
        }
        assert!(is("fma.f32", "fma") && !is("fmax", "fma") && !is("fmuladd.f32", "fma"));
    }
}
