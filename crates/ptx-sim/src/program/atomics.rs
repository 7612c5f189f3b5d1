//! `atom` and `red`.

use ptx_parse::ast::Instruction;

use super::alu::{arith_named, width};
use super::builder::Builder;
use super::control::{scope_of, window_of};
use super::ir::{Atom, AtomKind, Op, Reg, Window};
use super::names::{Reg2, file_of};
use super::operands::{Operands, expected};
use crate::arith::{Arith, Fun};
use crate::error::CodeError;
use crate::memory::{Order, Scope};

type Found = Result<Option<Op>, CodeError>;

/// What the modifiers say.
struct Words<'a> {
    window: Window,
    order: Order,
    scope: Scope,
    kind: &'a str,
    ty: &'a str,
    lanes: usize,
    hint: bool,
}

fn words(modifiers: &[String]) -> Option<Words<'_>> {
    let (ty, rest) = modifiers.split_last()?;
    let mut found = Words {
        window: Window::Generic,
        order: Order::Relaxed,
        scope: Scope::Gpu,
        kind: "",
        ty,
        lanes: 1,
        hint: false,
    };
    for word in rest {
        match word.as_str() {
            "relaxed" => found.order = Order::Relaxed,
            "acquire" => found.order = Order::Acquire,
            "release" => found.order = Order::Release,
            "acq_rel" => found.order = Order::AcqRel,
            "v2" => found.lanes = 2,
            "v4" => found.lanes = 4,
            "v8" => found.lanes = 8,
            "noftz" => {}
            "L2::cache_hint" => found.hint = true,
            "exch" | "cas" | "inc" | "dec" | "and" | "or" | "xor" | "add" | "min" | "max" => {
                found.kind = word
            }
            word => match (window_of(word), scope_of(word)) {
                (Some(window), _) => found.window = window,
                (None, Some(scope)) => found.scope = scope,
                (None, None) => return None,
            },
        }
    }
    Some(found)
}

impl Builder<'_> {
    pub(super) fn atomic(&mut self, instruction: &Instruction, scope: usize) -> Found {
        let returns = match instruction.opcode.as_str() {
            "atom" => true,
            "red" => false,
            _ => return Ok(None),
        };
        let o = Operands::new(instruction, scope);
        let Some(words) = words(&instruction.modifiers) else { return Ok(None) };
        let Some(bits) = width(words.ty) else { return Ok(None) };
        if !matches!(bits, 16 | 32 | 64 | 128) {
            return Ok(None);
        }
        let Some((kind, arith)) = operation(words.kind, words.ty) else { return Ok(None) };
        let first = usize::from(returns);
        let operands = first + 2 + usize::from(kind == AtomKind::Cas) + usize::from(words.hint);
        o.count(operands)?;
        let dst = if returns { self.destinations(&o, 0)? } else { Vec::new() };
        let (addr, named) = self.address(&o, first)?;
        let file = Reg2::of_bytes(bits / 8);
        let b = self.values(&o, first + 1, file)?;
        let c = if kind == AtomKind::Cas { Some(self.source(&o, first + 2, file)?) } else { None };
        if b.len() != words.lanes || returns && dst.len() != words.lanes {
            return Err(o.count_error(operands));
        }
        let fits = |reg: &Reg| file_of(*reg) == file;
        if !dst.iter().flatten().all(fits) || !b.iter().all(fits) {
            let index = if b.iter().all(fits) { 0 } else { first + 1 };
            return Err(o.wrong(index, expected(file)));
        }
        let window = match (words.window, named) {
            (Window::Generic, Some(named)) => named,
            (window, _) => window,
        };
        let (order, scope, bytes) = (words.order, words.scope, (bits / 8) as u32);
        Ok(Some(Op::Atom(Box::new(Atom { kind, arith, window, addr, bytes, order, scope, dst, b, c }))))
    }
}

/// What an operation does with the old value: in shared memory, and in global memory.
pub(super) fn operation(name: &str, ty: &str) -> Option<(AtomKind, Option<(Arith, Arith)>)> {
    Some(match (name, ty) {
        ("exch", _) => (AtomKind::Exch, None),
        ("cas", _) => (AtomKind::Cas, None),
        ("inc", "u32") => (AtomKind::Inc, None),
        ("dec", "u32") => (AtomKind::Dec, None),
        ("and", "b32" | "b64") => (AtomKind::And, None),
        ("or", "b32" | "b64") => (AtomKind::Or, None),
        ("xor", "b32" | "b64") => (AtomKind::Xor, None),
        (name, _) => {
            let arith = arith_named(&arithmetic(name, ty))?;
            (AtomKind::Fun, Some((arith, in_global(arith, name, ty))))
        }
    })
}

/// What an atomic operation computes in global memory, where that differs: additions of f32 flush subnormals (PTX ISA,
/// `atom`), and those of f64 hand on a NaN as it is, the operand's first (seen on an H200).
fn in_global(arith: Arith, name: &str, ty: &str) -> Arith {
    match (name, ty) {
        ("add", "f32") => arith_named("add.rn.ftz.f32").unwrap_or(arith),
        ("add", "f64") => Arith { f: Fun::F2(add_f64), ..arith },
        _ => arith,
    }
}

fn add_f64(b: u64, old: u64) -> u64 {
    let (x, y) = (f64::from_bits(old), f64::from_bits(b));
    if y.is_nan() {
        b
    } else if x.is_nan() {
        old
    } else if (x + y).is_nan() {
        0xfff8_0000_0000_0000
    } else {
        (x + y).to_bits()
    }
}

/// The instruction that computes what an atomic one does: floating-point additions round to nearest.
fn arithmetic(name: &str, ty: &str) -> String {
    match (name, ty) {
        ("add", "f32" | "f64" | "f16" | "f16x2" | "bf16" | "bf16x2") => format!("add.rn.{ty}"),
        _ => format!("{name}.{ty}"),
    }
}
