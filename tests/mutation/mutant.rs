//! Mutants of one kernel: its PTX with one instruction changed or left out.

use std::collections::HashMap;

use ptx_parse::ast::{Const, Instruction, Module, Operand, Statement, Variable};

use super::changes::{self, Context};

/// A kernel with one change.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// `entry:add.s64#3:sub`: the third `add.s64` of the entry, in the order of the text, made a `sub`.
    pub name: String,
    /// What was done, without constants: `sub`, `offset`, `guard-negated`.
    pub operator: &'static str,
    /// Line of the instruction in the text that was parsed.
    pub line: u32,
    /// A line that every thread executes which comes to the instruction; `None` where that is not known. A line whose guard is
    /// false in every thread does not count as executed.
    pub reached: Option<u32>,
    /// The instruction before and after.
    pub change: String,
    entry: String,
    /// Places of the statement: in the body, and in each scope inside it.
    path: Vec<usize>,
    after: Option<Instruction>,
}

impl Mutant {
    /// The kernel.
    pub fn entry(&self) -> &str {
        &self.entry
    }

    /// The module with the change made.
    pub fn apply(&self, module: &Module) -> Option<Module> {
        let mut module = module.clone();
        let function = module.functions.iter_mut().find(|f| f.is_entry && f.name == self.entry)?;
        let (&last, scopes) = self.path.split_last()?;
        let mut statements = function.body.as_mut()?;
        for &at in scopes {
            let Statement::Block(inner) = statements.get_mut(at)? else { return None };
            statements = inner;
        }
        match &self.after {
            Some(after) => *statements.get_mut(last)? = Statement::Instruction(after.clone()),
            None => drop(statements.remove(last)),
        }
        Some(module)
    }
}

/// Every mutant of `entry`, in the order of the text.
pub fn of(module: &Module, entry: &str) -> Vec<Mutant> {
    let Some(function) = module.entry(entry) else { return Vec::new() };
    let mut walk = Walk {
        entry,
        params: &function.params,
        seen: HashMap::new(),
        defined: Vec::new(),
        constants: HashMap::new(),
        mutants: Vec::new(),
    };
    walk.statements(function.body.as_deref().unwrap_or_default(), &mut Vec::new());
    walk.mutants
}

/// The way through a body.
struct Walk<'a> {
    entry: &'a str,
    params: &'a [Variable],
    /// How often each instruction's full name came up.
    seen: HashMap<String, u32>,
    /// Registers written so far.
    defined: Vec<String>,
    /// Those that hold a constant.
    constants: HashMap<String, i128>,
    mutants: Vec<Mutant>,
}

impl Walk<'_> {
    fn statements(&mut self, statements: &[Statement], path: &mut Vec<usize>) {
        for (at, statement) in statements.iter().enumerate() {
            path.push(at);
            match statement {
                Statement::Block(inner) => self.statements(inner, path),
                Statement::Instruction(instruction) => {
                    let earlier = at.checked_sub(1).and_then(|at| statements.get(at));
                    self.instruction(instruction, reached(instruction, earlier), path);
                }
                _ => {}
            }
            path.pop();
        }
    }

    fn instruction(&mut self, before: &Instruction, reached: Option<u32>, path: &[usize]) {
        let full_name = before.full_name();
        let ordinal = self.seen.entry(full_name.clone()).or_default();
        *ordinal += 1;
        let place = format!("{}:{full_name}#{ordinal}", self.entry);
        let context = Context { params: self.params, defined: &self.defined, constants: &self.constants };
        for change in changes::of(before, &context) {
            let after = change.after.as_ref().map_or("nothing".to_owned(), ToString::to_string);
            if after == before.to_string() {
                continue;
            }
            self.mutants.push(Mutant {
                name: format!("{place}:{}{}", change.operator, change.detail),
                operator: change.operator,
                line: before.pos.line,
                reached,
                change: format!("{before} → {after}"),
                entry: self.entry.to_owned(),
                path: path.to_vec(),
                after: change.after,
            });
        }
        self.note(before);
    }

    /// Notes what the instruction writes.
    fn note(&mut self, instruction: &Instruction) {
        if let Some(target) = instruction.operands.first() {
            target.names(&mut |name| {
                self.defined.push(name.to_owned());
                self.constants.remove(name);
            });
        }
        if let ("mov", [Operand::Name(register), Operand::Const(Const::Int(value))]) =
            (instruction.opcode.as_str(), instruction.operands.as_slice())
        {
            self.constants.insert(register.clone(), *value);
        }
    }
}

/// A line that is executed whenever `instruction` is come to: its own, or with a guard that of the one in front.
fn reached(instruction: &Instruction, earlier: Option<&Statement>) -> Option<u32> {
    match (&instruction.guard, earlier) {
        (None, _) => Some(instruction.pos.line),
        (Some(_), Some(Statement::Instruction(earlier))) if earlier.guard.is_none() => Some(earlier.pos.line),
        _ => None,
    }
}
