//! `mbarrier` and `cp.async.mbarrier.arrive`.

use ptx_parse::ast::{Instruction, Operand as Ast};

use super::builder::Builder;
use super::control::scope_of;
use super::ir::{Arrive, Mbar, MbarKind, Op, Reg, Row, WaitFor, Window};
use super::names::Reg2;
use super::operands::{Operands, expected};
use crate::error::CodeError;
use crate::memory::Scope;

type Found = Result<Option<Op>, CodeError>;

/// What the modifiers behind the operation's name say.
#[derive(Default)]
struct Words {
    window: Option<Window>,
    scope: Option<Scope>,
    relaxed: bool,
    expect_tx: bool,
    no_complete: bool,
    parity: bool,
}

fn words(modifiers: &[&str]) -> Option<Words> {
    let (last, rest) = modifiers.split_last()?;
    let mut found = Words::default();
    for word in rest {
        match *word {
            "relaxed" => found.relaxed = true,
            "release" | "acquire" => {}
            "expect_tx" => found.expect_tx = true,
            "noComplete" => found.no_complete = true,
            "parity" => found.parity = true,
            "shared" | "shared::cta" => found.window = Some(Window::Shared),
            "shared::cluster" => found.window = Some(Window::Cluster),
            word => found.scope = Some(scope_of(word)?),
        }
    }
    (*last == "b64").then_some(found)
}

impl Builder<'_> {
    /// Instructions that have to do with what goes on beside the threads.
    pub(super) fn flight(&mut self, instruction: &Instruction, scope: usize) -> Found {
        let o = Operands::new(instruction, scope);
        let modifiers: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
        match (instruction.opcode.as_str(), modifiers.as_slice()) {
            ("mbarrier", ["pending_count", "b64"]) => {
                o.count(2)?;
                Ok(Some(Op::PendingCount(self.word_to(&o, 0)?, self.double(&o, 1)?)))
            }
            ("mbarrier", [name, rest @ ..]) => self.mbarrier(&o, name, rest),
            ("cp", ["async", "mbarrier", "arrive", rest @ ..]) => self.after_copies(&o, rest),
            ("cp", ["async" | "reduce", rest @ ..]) => self.bulk(&o, modifiers[0] == "reduce", rest),
            ("st" | "red", ["async", rest @ ..]) => self.st_async(&o, rest),
            _ => self.distant(&o, &modifiers),
        }
    }

    fn mbarrier(&mut self, o: &Operands, name: &str, rest: &[&str]) -> Found {
        let Some(words) = words(rest) else { return Ok(None) };
        let (at, kind) = match name {
            "init" => {
                o.count(2)?;
                (0, MbarKind::Init(self.word(o, 1)?))
            }
            "inval" => {
                o.count(1)?;
                (0, MbarKind::Inval)
            }
            "expect_tx" | "complete_tx" => {
                o.count(2)?;
                let bytes = self.word(o, 1)?;
                let expect = name == "expect_tx";
                (0, if expect { MbarKind::ExpectTx(bytes) } else { MbarKind::CompleteTx(bytes) })
            }
            "arrive" | "arrive_drop" => self.arrival(o, &words, name == "arrive_drop")?,
            "test_wait" | "try_wait" => {
                let most = if name == "try_wait" { 4 } else { 3 };
                if !(3..=most).contains(&o.len()) {
                    return Err(o.count_error(3));
                }
                if o.len() == 4 {
                    self.word(o, 3)?;
                }
                let phase = if words.parity {
                    WaitFor::Parity(self.word(o, 2)?)
                } else {
                    WaitFor::State(self.double(o, 2)?)
                };
                (1, MbarKind::Wait(self.pred_row(o, 0)?, phase))
            }
            _ => return Ok(None),
        };
        let orders = !words.relaxed;
        self.on_barrier(o, at, kind, words.window, (words.scope, orders)).map(Some)
    }

    fn arrival(&mut self, o: &Operands, words: &Words, drops: bool) -> Result<(usize, MbarKind), CodeError> {
        // A sink operation on another block's object may come without its result.
        let at = usize::from(!matches!(o.get(0)?, Ast::Address { .. }));
        let state = if at == 1 { self.state(o)? } else { None };
        let operand = match o.len() - at {
            1 => None,
            2 => Some(self.word(o, at + 1)?),
            _ => return Err(o.count_error(at + 2)),
        };
        if operand.is_none() && (words.expect_tx || words.no_complete) {
            return Err(o.count_error(at + 2));
        }
        let (bytes, count) = if words.expect_tx { (operand, None) } else { (None, operand) };
        let arrive = Arrive { count, bytes, drops, no_complete: words.no_complete, state };
        Ok((at, MbarKind::Arrive(arrive)))
    }

    /// The state of an arrival, or `_`.
    fn state(&mut self, o: &Operands) -> Result<Option<Row>, CodeError> {
        match self.destination(o.get(0)?, o, 0)? {
            None => Ok(None),
            Some(Reg::D(row)) => Ok(Some(row)),
            Some(_) => Err(o.wrong(0, expected(Reg2::D))),
        }
    }

    fn on_barrier(
        &mut self,
        o: &Operands,
        at: usize,
        kind: MbarKind,
        window: Option<Window>,
        (scope, orders): (Option<Scope>, bool),
    ) -> Result<Op, CodeError> {
        let (addr, named) = self.address(o, at)?;
        let window = window.or(named).unwrap_or(Window::Generic);
        Ok(Op::Mbar(Box::new(Mbar { kind, window, addr, scope, orders })))
    }

    /// `cp.async.mbarrier.arrive{.noinc}{.shared}.b64 [addr]`
    fn after_copies(&mut self, o: &Operands, rest: &[&str]) -> Found {
        let (noinc, window) = match rest {
            ["b64"] => (false, None),
            ["noinc", "b64"] => (true, None),
            ["shared" | "shared::cta", "b64"] => (false, Some(Window::Shared)),
            ["noinc", "shared" | "shared::cta", "b64"] => (true, Some(Window::Shared)),
            _ => return Ok(None),
        };
        o.count(1)?;
        self.on_barrier(o, 0, MbarKind::AfterCopies(noinc), window, (None, true)).map(Some)
    }
}
