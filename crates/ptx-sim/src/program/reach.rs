//! What a kernel reaches: functions, shared variables of the module, and which functions may call themselves.

use ptx_parse::ast::{Function, Init, Space};

use super::builder::{Builder, Fault};
use super::ir::Place;
use super::names::{Meaning, resolved};
use crate::error::CodeError;

impl<'m> Builder<'m> {
    /// The entry and every function it names, one after the other.
    pub(super) fn collect(&mut self, entry: &'m Function) -> Result<(), Fault> {
        self.function(entry)?;
        let mut next = 0;
        while next < self.flat.len() {
            next += 1;
            let Some(instruction) = self.flat[next - 1].instruction else { continue };
            let mut names = Vec::new();
            for operand in &instruction.operands {
                operand.names(&mut |name| names.push(name));
            }
            for name in names {
                self.reach(name, instruction.pos.line)?;
            }
        }
        Ok(())
    }

    /// Adds what `name` stands for, if it is not there yet: a function, a shared variable of the module, or a variable whose
    /// initial value holds the addresses of functions.
    fn reach(&mut self, name: &str, line: u32) -> Result<(), Fault> {
        let name = resolved(self.module, name);
        if self.function_index(name).is_some() || !self.reached.insert(name.to_owned()) {
            return Ok(());
        }
        let module = self.module;
        if let Some(variable) = module.variables.iter().find(|v| v.name == name) {
            if variable.space == Space::Shared {
                let placed = self.shared_variable(variable).map_err(|error| (variable.pos.line, error))?;
                self.shared_names.insert(name.to_owned(), placed);
            }
            return match &variable.init {
                Some(init) => self.reach_all(init, line),
                None => Ok(()),
            };
        }
        let named = |f: &&Function| f.name == name && !f.is_entry;
        match self.module.functions.iter().filter(named).find(|f| f.body.is_some()) {
            Some(function) => self.function(function),
            None if self.module.functions.iter().any(|f| named(&f)) => {
                Err((line, CodeError::NoBody(name.to_owned())))
            }
            None => Ok(()),
        }
    }

    /// Adds the functions that a table names.
    fn reach_all(&mut self, init: &Init, line: u32) -> Result<(), Fault> {
        match init {
            Init::List(list) => list.iter().try_for_each(|inner| self.reach_all(inner, line)),
            Init::Symbol { name, .. } => match self.reach(name, line) {
                // It is in the table and need not be called.
                Err((_, CodeError::NoBody(_))) => Ok(()),
                reached => reached,
            },
            Init::Value(_) => Ok(()),
        }
    }

    /// The functions that each function calls, or takes the address of.
    fn call_graph(&self) -> Vec<Vec<usize>> {
        let mut calls = vec![Vec::new(); self.functions.len()];
        for (at, flat) in self.flat.iter().enumerate() {
            let caller = self.functions.iter().rposition(|f| f.start as usize <= at).unwrap_or(0);
            for operand in flat.instruction.iter().flat_map(|instruction| &instruction.operands) {
                operand.names(&mut |name| calls[caller].extend(self.function_index(name)));
            }
        }
        calls
    }

    /// Notes what calls of functions that may call themselves must leave as it was.
    pub(super) fn note_recursion(&mut self, line: u32) -> Result<(), Fault> {
        let calls = self.call_graph();
        for function in 0..self.functions.len() {
            let mut seen = vec![false; calls.len()];
            let mut next = calls[function].clone();
            while let Some(callee) = next.pop() {
                if !std::mem::replace(&mut seen[callee], true) {
                    next.extend(&calls[callee]);
                }
            }
            if seen[function] {
                self.functions[function].saved = self.places_of(function).map_err(|error| (line, error))?;
            }
        }
        Ok(())
    }

    /// Every register and `.param` variable of a function.
    fn places_of(&self, function: usize) -> Result<Vec<Place>, CodeError> {
        let mut places = Vec::new();
        for scope in 0..self.scopes.len() {
            let mut root = scope;
            while let Some(parent) = self.scopes[root].parent {
                root = parent;
            }
            if root != self.function_scopes[function] {
                continue;
            }
            for meaning in self.scopes[scope].names.values() {
                match meaning {
                    Meaning::Reg(reg) => places.push(Place::Reg(*reg)),
                    Meaning::BodyParam(at, bytes) => places.push(Place::Memory(*at, *bytes)),
                    Meaning::Local(_) => {
                        return Err(CodeError::Recursion(self.functions[function].name.clone()));
                    }
                    _ => {}
                }
            }
        }
        Ok(places)
    }
}
