//! Loads, stores and asynchronous copies.

use ptx_parse::ast::{Instruction, Operand as Ast};

use super::alu::width;
use super::builder::Builder;
use super::control::{scope_of, window_of};
use super::ir::{Access, AsyncCopy, Op, Reg, Strength, Window};
use super::names::{Reg2, bytes_of};
use super::operands::Operands;
use crate::error::CodeError;
use crate::memory::{Order, Scope};

type Found = Result<Option<Op>, CodeError>;

/// Modifiers that only advise caches.
const ADVICE: &[&str] = &["ca", "cg", "cs", "lu", "cv", "wb", "wt", "mmio", "unified"];

/// What the modifiers of an access say.
struct Words {
    window: Window,
    lanes: usize,
    ty: String,
    strength: Strength,
    hint: bool,
}

/// Reads the modifiers of a load or store; `None` for one that is not known here.
fn words(modifiers: &[String], load: bool) -> Option<Words> {
    let mut found =
        Words { window: Window::Generic, lanes: 1, ty: String::new(), strength: Strength::Weak, hint: false };
    let (mut order, mut scope, mut nc) = (None, None, false);
    let (last, rest) = modifiers.split_last()?;
    found.ty.clone_from(last);
    for word in rest {
        match word.as_str() {
            "weak" => {}
            "volatile" => (order, scope) = (Some(Order::Relaxed), Some(Scope::Sys)),
            "relaxed" => order = Some(Order::Relaxed),
            "acquire" if load => order = Some(Order::Acquire),
            "release" if !load => order = Some(Order::Release),
            "nc" if load => nc = true,
            "v2" => found.lanes = 2,
            "v4" => found.lanes = 4,
            "v8" => found.lanes = 8,
            "L2::cache_hint" => found.hint = true,
            word if ADVICE.contains(&word) || word.starts_with("L1::") || word.starts_with("L2::") => {}
            word => match (window_of(word), scope_of(word)) {
                (Some(window), _) => found.window = window,
                (None, Some(s)) => scope = Some(s),
                (None, None) if word == "param::func" => found.window = Window::Param,
                (None, None) => return None,
            },
        }
    }
    found.strength = match (order, scope, nc) {
        (None, None, true) => Strength::Nc,
        (None, None, false) => Strength::Weak,
        (Some(order), Some(scope), false) => Strength::Strong(order, scope),
        _ => return None,
    };
    Some(found)
}

impl Builder<'_> {
    pub(super) fn memory(&mut self, instruction: &Instruction, scope: usize) -> Found {
        let o = Operands::new(instruction, scope);
        let has = |modifier: &str| instruction.has(modifier);
        match instruction.opcode.as_str() {
            "ld" | "ldu" => self.load(&o),
            "st" if !has("async") => self.store(&o),
            "cp" if has("async") && !has("bulk") && !has("mbarrier") => self.async_copy(&o),
            _ => Ok(None),
        }
    }

    fn load(&mut self, o: &Operands) -> Found {
        let Some(words) = words(&o.instruction.modifiers, true) else { return Ok(None) };
        o.count(if words.hint { 3 } else { 2 })?;
        let regs = self.destinations(o, 0)?;
        self.access(o, 1, words, regs).map(|access| Some(Op::Load(Box::new(access))))
    }

    fn store(&mut self, o: &Operands) -> Found {
        let Some(words) = words(&o.instruction.modifiers, false) else { return Ok(None) };
        o.count(if words.hint { 3 } else { 2 })?;
        let Some(bits) = width(&words.ty) else { return Ok(None) };
        let regs = self.values(o, 1, Reg2::of_bytes(bits / 8))?.into_iter().map(Some).collect();
        self.access(o, 0, words, regs).map(|access| Some(Op::Store(Box::new(access))))
    }

    fn access(
        &mut self,
        o: &Operands,
        address: usize,
        words: Words,
        regs: Vec<Option<Reg>>,
    ) -> Result<Access, CodeError> {
        let (addr, named) = self.address(o, address)?;
        let bytes = width(&words.ty).map_or(0, |bits| bits / 8);
        if bytes == 0 || regs.len() != words.lanes || bytes * regs.len() as u64 > 32 {
            return Err(CodeError::Instruction(o.instruction.full_name()));
        }
        // A register may be wider than what is loaded or stored, not narrower.
        if regs.iter().flatten().any(|reg| bytes_of(*reg) < bytes) {
            return Err(o.wrong(1 - address.min(1), "a register as wide as the type"));
        }
        let window = match (words.window, named) {
            // `.param` variables of a body lie in local memory.
            (Window::Param, Some(Window::Local)) => Window::Local,
            (Window::Generic, Some(named)) => named,
            (window, _) => window,
        };
        let signed = words.ty.starts_with('s');
        Ok(Access { window, addr, elem_bytes: bytes as u32, signed, strength: words.strength, regs })
    }

    fn async_copy(&mut self, o: &Operands) -> Found {
        let modifiers: Vec<&str> = o.instruction.modifiers.iter().map(String::as_str).collect();
        match modifiers.as_slice() {
            ["async", "commit_group"] => return Ok(Some(Op::AsyncCommit)),
            ["async", "wait_all"] => return Ok(Some(Op::AsyncWait(None))),
            ["async", "wait_group"] => {
                o.count(1)?;
                return match o.get(0)? {
                    Ast::Const(ptx_parse::ast::Const::Int(n)) => {
                        Ok(Some(Op::AsyncWait(u32::try_from(*n).ok())))
                    }
                    _ => Err(o.wrong(0, "a number")),
                };
            }
            ["async", "ca" | "cg", "shared" | "shared::cta", "global", rest @ ..]
                if rest.iter().all(|word| word.starts_with("L2::")) => {}
            _ => return Ok(None),
        }
        let hint = usize::from(o.instruction.has("L2::cache_hint"));
        let plain = o.len().saturating_sub(hint);
        let (dst, _) = self.address(o, 0)?;
        let (src, _) = self.address(o, 1)?;
        let bytes = match o.get(2)? {
            Ast::Const(ptx_parse::ast::Const::Int(n @ (4 | 8 | 16))) => *n as u32,
            _ => return Err(o.wrong(2, "4, 8 or 16")),
        };
        let (mut src_bytes, mut ignore) = (None, None);
        match plain {
            3 => {}
            4 => match self.value(o.get(3)?, o, 3, Reg2::W) {
                Ok(Reg::W(row)) => src_bytes = Some(row),
                _ => ignore = Some(self.pred(o, 3)?),
            },
            _ => return Err(o.count_error(3 + hint)),
        }
        Ok(Some(Op::AsyncCopy(Box::new(AsyncCopy { dst, src, bytes, src_bytes, ignore }))))
    }
}
