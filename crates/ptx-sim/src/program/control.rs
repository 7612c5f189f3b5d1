//! Control flow, and instructions that need nothing but to be known.

use ptx_parse::ast::{Const, Instruction, Operand as Ast};

use super::builder::Builder;
use super::ir::{Addr, Call, CallTarget, Op, Place, Window};
use super::names::{Meaning, Reg2, bytes_of};
use super::operands::Operands;
use crate::error::CodeError;
use crate::memory::Scope;

type Found = Result<Option<Op>, CodeError>;

impl Builder<'_> {
    pub(super) fn control(&mut self, instruction: &Instruction, scope: usize) -> Found {
        let o = Operands::new(instruction, scope);
        let modifiers: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
        let op = match (instruction.opcode.as_str(), modifiers.as_slice()) {
            ("bra", [] | ["uni"]) => {
                o.count(1)?;
                match o.get(0)? {
                    Ast::Name(name) => Op::Bra(self.label(name, scope)?),
                    _ => return Err(o.wrong(0, "a label")),
                }
            }
            ("brx", ["idx"] | ["idx", "uni"]) => self.branch_table(&o)?,
            ("call", [] | ["uni"]) => self.call(&o)?,
            ("ret", [] | ["uni"]) => Op::Ret,
            ("exit", []) => Op::Exit,
            ("trap", []) => Op::Trap,
            ("nanosleep", ["u32"]) => {
                o.count(1)?;
                self.word(&o, 0)?;
                Op::Yield
            }
            ("fence", ["acq_rel" | "sc", scope]) | ("membar", [scope]) => match scope_of(scope) {
                Some(scope) => Op::Fence(scope),
                None => return Ok(None),
            },
            ("fence" | "membar", ["proxy", ..]) => return self.proxy_fence(&o, &modifiers),
            ("brkpt", []) => Op::Breakpoint,
            ("pmevent", [] | ["mask"]) => Op::Nop,
            ("cvta", rest) => return self.cvta(&o, rest),
            ("isspacep", [window]) => {
                o.count(2)?;
                let Some(window) = window_of(window) else { return Ok(None) };
                let p = self.pred_row(&o, 0)?;
                Op::IsSpace(window, p, self.value(o.get(1)?, &o, 1, Reg2::D)?)
            }
            _ => return self.cache(&o, &modifiers),
        };
        Ok(Some(op))
    }

    /// `fence.proxy` (PTX ISA, `membar, fence`): only the async proxy over shared memory is told apart from the generic one.
    fn proxy_fence(&mut self, o: &Operands, modifiers: &[&str]) -> Found {
        let is_scope = |scope: &str| scope_of(scope).is_some();
        let op = match modifiers {
            ["proxy", "async"] | ["proxy", "async", "shared::cluster"] => Op::ProxyFence(true),
            ["proxy", "async", "shared::cta"] => Op::ProxyFence(false),
            ["proxy", "async", "global"] | ["proxy", "alias"] => Op::Nop,
            ["proxy", "tensormap::generic", "release", scope] if is_scope(scope) => Op::Nop,
            ["proxy", "tensormap::generic", "acquire", scope] if is_scope(scope) => {
                self.line_address(o)?;
                return Ok(Some(Op::Nop));
            }
            _ => return Ok(None),
        };
        o.count(0)?;
        Ok(Some(op))
    }

    /// What concerns caches alone, but for `discard`.
    fn cache(&mut self, o: &Operands, modifiers: &[&str]) -> Found {
        let op = match (o.instruction.opcode.as_str(), modifiers) {
            ("prefetch", ["L1" | "L2"] | ["global" | "local", "L1" | "L2"])
            | ("prefetch", ["global", "L2::evict_last" | "L2::evict_normal"])
            | ("prefetch", ["tensormap"] | ["const" | "param" | "param::entry", "tensormap"])
            | ("prefetchu", ["L1"]) => {
                o.count(1)?;
                self.address(o, 0)?;
                Op::Nop
            }
            ("applypriority", ["L2::evict_normal"] | ["global", "L2::evict_normal"]) => {
                self.line_address(o)?;
                Op::Nop
            }
            ("discard", ["L2"]) => Op::Discard(Window::Generic, self.line_address(o)?),
            ("discard", ["global", "L2"]) => Op::Discard(Window::Global, self.line_address(o)?),
            ("createpolicy", ["fractional", .., "b64"]) => {
                let d = self.double_to(o, 0)?;
                let zero = super::names::row_of(self.rows.constant(Reg2::D, 0));
                Op::Mov64(d, zero)
            }
            _ => return Ok(None),
        };
        Ok(Some(op))
    }

    /// `[a], 128`: the address of a cache line.
    fn line_address(&mut self, o: &Operands) -> Result<Addr, CodeError> {
        o.count(2)?;
        match o.get(1)? {
            Ast::Const(Const::Int(128)) => Ok(self.address(o, 0)?.0),
            _ => Err(o.wrong(1, "128")),
        }
    }

    fn branch_table(&mut self, o: &Operands) -> Result<Op, CodeError> {
        o.count(2)?;
        let index = self.word(o, 0)?;
        let Ast::Name(table) = o.get(1)? else { return Err(o.wrong(1, "a list of labels")) };
        let labels = self.targets(table, o.scope)?;
        let targets = labels.iter().map(|label| self.label(label, o.scope)).collect::<Result<_, _>>()?;
        Ok(Op::Brx(index, targets))
    }

    fn cvta(&mut self, o: &Operands, modifiers: &[&str]) -> Found {
        o.count(2)?;
        let (to, window, file) = match modifiers {
            ["to", window, "u64"] => (true, *window, Reg2::D),
            ["to", window, "u32"] => (true, *window, Reg2::W),
            [window, "u64"] => (false, *window, Reg2::D),
            [window, "u32"] => (false, *window, Reg2::W),
            _ => return Ok(None),
        };
        let Some(window) = window_of(window) else { return Ok(None) };
        let (d, a) = (self.register(o, 0)?, self.source(o, 1, file)?);
        Ok(Some(if to { Op::FromGeneric(window, d, a) } else { Op::ToGeneric(window, d, a) }))
    }

    fn call(&mut self, o: &Operands) -> Result<Op, CodeError> {
        let (results, rest) = match o.get(0)? {
            Ast::Group(list) => (list.as_slice(), 1),
            _ => (&[][..], 0),
        };
        let target = match o.get(rest)? {
            Ast::Name(name) => match self.function_index(name) {
                Some(index) => CallTarget::Direct(index),
                None => match self.value(o.get(rest)?, o, rest, Reg2::D)? {
                    super::ir::Reg::D(row) => CallTarget::Indirect(row),
                    _ => return Err(o.wrong(rest, "a function or a register of 64 bits")),
                },
            },
            _ => return Err(o.wrong(rest, "a function or a register of 64 bits")),
        };
        let list = match o.instruction.operands.get(rest + 1) {
            Some(Ast::Group(list)) => list.as_slice(),
            _ => &[],
        };
        let mut args = Vec::new();
        for (at, ast) in list.iter().enumerate() {
            args.push(self.argument(ast, o, rest + 1, target, at)?);
        }
        let mut returns = Vec::new();
        for ast in results {
            match ast {
                Ast::Name(name) => match self.meaning(name, o.scope) {
                    Some(Meaning::BodyParam(at, bytes)) => returns.push(Place::Memory(at, bytes)),
                    Some(Meaning::Reg(reg)) => returns.push(Place::Reg(reg)),
                    _ => return Err(o.wrong(0, "a .param variable or a register")),
                },
                _ => return Err(o.wrong(0, "a .param variable or a register")),
            }
        }
        if let CallTarget::Direct(index) = target {
            let info = &self.functions[index];
            for (want, got) in [(info.params.len(), args.len()), (info.returns.len(), returns.len())] {
                if want != got {
                    return Err(CodeError::OperandCount {
                        instruction: o.instruction.full_name(),
                        got,
                        want,
                    });
                }
            }
        }
        Ok(Op::Call(Box::new(Call { target, args, returns })))
    }

    fn argument(
        &mut self,
        ast: &Ast,
        o: &Operands,
        index: usize,
        target: CallTarget,
        at: usize,
    ) -> Result<Place, CodeError> {
        if let Ast::Name(name) = ast
            && let Some(Meaning::BodyParam(at, bytes)) = self.meaning(name, o.scope)
        {
            return Ok(Place::Memory(at, bytes));
        }
        let formal = match target {
            CallTarget::Direct(function) => self.functions[function].params.get(at),
            CallTarget::Indirect(_) => None,
        };
        let bytes = match formal {
            Some(Place::Memory(_, bytes)) => *bytes,
            Some(Place::Reg(reg)) => bytes_of(*reg),
            None => 8,
        };
        let reg = self.value(ast, o, index, Reg2::of_bytes(bytes))?;
        if bytes_of(reg) == bytes {
            Ok(Place::Reg(reg))
        } else {
            Err(o.wrong(index, "of the parameter's size"))
        }
    }
}

/// The memory a modifier names.
pub(super) fn window_of(name: &str) -> Option<Window> {
    Some(match name {
        "global" | "const" => Window::Global,
        "shared" | "shared::cta" => Window::Shared,
        "shared::cluster" => Window::Cluster,
        "local" => Window::Local,
        "param" | "param::entry" => Window::Param,
        _ => return None,
    })
}

/// The scope a modifier names.
pub(super) fn scope_of(name: &str) -> Option<Scope> {
    Some(match name {
        "cta" => Scope::Cta,
        "cluster" => Scope::Cluster,
        "gpu" | "gl" => Scope::Gpu,
        "sys" => Scope::Sys,
        _ => return None,
    })
}
