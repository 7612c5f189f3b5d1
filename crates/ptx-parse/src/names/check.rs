//! The walk over a module, scope by scope.

use std::collections::HashSet;
use std::sync::Arc;

use super::scope::{Kind, Scope};
use super::{NameError, NameErrorKind};
use crate::analysis::DRIVER_FUNCTIONS;
use crate::ast::{
    Function, Init, Instruction, Linkage, Loc, Module, Operand, Pos, RegDecl, SectionItem, Statement,
    TargetKind, Variable,
};
use crate::opcodes::is_special_register;

pub(super) fn check(module: &Module) -> Vec<NameError> {
    let labels = module.sections.iter().flat_map(|section| &section.items).filter_map(|item| match item {
        SectionItem::Label(name) => Some(name.as_str()),
        SectionItem::Data(..) => None,
    });
    let mut check = Check {
        scopes: vec![Scope::default()],
        section_labels: labels.collect(),
        files: module.files.iter().map(|(index, _)| *index).collect(),
        function: None,
        errors: Vec::new(),
    };
    check.module(module);
    check.errors
}

struct Check<'a> {
    /// From the module inwards.
    scopes: Vec<Scope<'a>>,
    section_labels: HashSet<&'a str>,
    files: HashSet<u64>,
    /// Shared by its errors.
    function: Option<Arc<str>>,
    errors: Vec<NameError>,
}

impl<'a> Check<'a> {
    fn error(&mut self, pos: Pos, kind: NameErrorKind) {
        self.errors.push(NameError { pos, function: self.function.clone(), kind });
    }

    fn find(&self, name: &str) -> Option<Kind> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).map(|(kind, _)| kind)
    }

    fn declare(&mut self, name: &'a str, kind: Kind, pos: Pos) {
        let Some(scope) = self.scopes.last_mut() else { return };
        if let Err(first) = scope.add(name, kind, pos) {
            self.error(pos, NameErrorKind::Duplicate { name: name.to_owned(), first });
        }
    }

    fn module(&mut self, module: &'a Module) {
        // A declaration may stand beside the definition; two definitions may not.
        let variables = module.variables.iter().map(|v| {
            (v.name.as_str(), Kind::Variable, v.pos, !matches!(v.linkage, Linkage::Extern | Linkage::Common))
        });
        let functions =
            module.functions.iter().map(|f| (f.name.as_str(), Kind::Function, f.pos, f.body.is_some()));
        let (defined, declared): (Vec<_>, Vec<_>) =
            variables.chain(functions).partition(|(.., defined)| *defined);
        for (name, kind, pos, _) in defined {
            self.declare(name, kind, pos);
        }
        let aliases =
            module.aliases.iter().map(|(name, _)| (name.as_str(), Kind::Function, Pos::default(), false));
        for (name, kind, pos, _) in declared.into_iter().chain(aliases) {
            if self.find(name).is_none() {
                self.declare(name, kind, pos);
            }
        }
        for variable in &module.variables {
            self.init(variable.init.as_ref(), variable.pos);
        }
        for (_, aliasee) in &module.aliases {
            self.function_name(aliasee, Pos::default());
        }
        for function in &module.functions {
            self.function(function);
        }
    }

    fn function(&mut self, function: &'a Function) {
        self.function = Some(Arc::from(function.name.as_str()));
        self.scopes.push(Scope::default());
        for variable in function.returns.iter().chain(&function.params) {
            self.parameter(variable);
        }
        self.block(function.body.as_deref().unwrap_or_default());
        self.scopes.pop();
        self.function = None;
    }

    fn parameter(&mut self, variable: &'a Variable) {
        if variable.name != "_" {
            self.declare(&variable.name, kind_of(variable), variable.pos);
        }
    }

    fn block(&mut self, statements: &'a [Statement]) {
        self.scopes.push(Scope::default());
        // Branches go forward too: labels first.
        for statement in statements {
            match statement {
                Statement::Label { name, pos } => self.declare(name, Kind::Label, *pos),
                Statement::Targets { name, pos, .. } => self.declare(name, Kind::Targets, *pos),
                Statement::Prototype { name, pos, .. } => self.declare(name, Kind::Prototype, *pos),
                _ => {}
            }
        }
        for statement in statements {
            self.statement(statement);
        }
        self.scopes.pop();
    }

    fn statement(&mut self, statement: &'a Statement) {
        match statement {
            Statement::Reg(registers) => self.registers(registers),
            Statement::Variable(variable) => {
                self.declare(&variable.name, kind_of(variable), variable.pos);
                self.init(variable.init.as_ref(), variable.pos);
            }
            Statement::Instruction(instruction) => self.instruction(instruction),
            Statement::Block(inner) => self.block(inner),
            Statement::Loc(loc) => self.loc(loc),
            Statement::Targets { kind, targets, pos, .. } => {
                for target in targets {
                    match kind {
                        TargetKind::Branch => self.label(target, Kind::Label, *pos),
                        TargetKind::Call => self.function_name(target, *pos),
                    }
                }
            }
            Statement::Label { .. } | Statement::Prototype { .. } | Statement::Pragma(_) => {}
        }
    }

    fn registers(&mut self, registers: &'a RegDecl) {
        for (name, count) in &registers.names {
            let Some(count) = *count else {
                self.declare(name, Kind::Register, registers.pos);
                continue;
            };
            let Some(scope) = self.scopes.last_mut() else { continue };
            if let Err(first) = scope.add_range(name, count, registers.pos) {
                let name = format!("{name}<{count}>");
                self.error(registers.pos, NameErrorKind::Duplicate { name, first });
            }
        }
    }

    fn instruction(&mut self, instruction: &'a Instruction) {
        let pos = instruction.pos;
        if let Some(guard) = &instruction.guard {
            self.register(&guard.register, pos);
        }
        match (instruction.opcode.as_str(), instruction.operands.as_slice()) {
            ("bra", [Operand::Name(label)]) => self.label(label, Kind::Label, pos),
            ("brx", [index, Operand::Name(targets)]) => {
                self.operand(index, pos);
                self.label(targets, Kind::Targets, pos);
            }
            ("call", operands) => self.call(operands, pos),
            (_, operands) => operands.iter().for_each(|operand| self.operand(operand, pos)),
        }
    }

    /// `call (results), callee, (arguments), prototype;`: all but the callee may be missing.
    fn call(&mut self, operands: &'a [Operand], pos: Pos) {
        let mut callee = None;
        for operand in operands {
            match operand {
                Operand::Name(name) if callee.is_none() => {
                    callee = Some(name);
                    // An indirect call goes through a register.
                    if self.find(name) != Some(Kind::Register) {
                        self.function_name(name, pos);
                    }
                }
                Operand::Name(name) if !matches!(self.find(name), Some(Kind::Prototype | Kind::Targets)) => {
                    self.error(pos, NameErrorKind::UndefinedLabel { name: name.clone() });
                }
                Operand::Name(_) => {}
                other => self.operand(other, pos),
            }
        }
    }

    fn operand(&mut self, operand: &'a Operand, pos: Pos) {
        match operand {
            Operand::Component(name, _) => self.register(name, pos),
            Operand::Name(name) | Operand::Offset(name, _) => self.used(name, pos),
            Operand::Const(_) => {}
            Operand::Not(inner) | Operand::Neg(inner) | Operand::Address { base: inner, .. } => {
                self.operand(inner, pos);
            }
            Operand::Pair(a, b) => {
                self.operand(a, pos);
                self.operand(b, pos);
            }
            Operand::Bracket(list) | Operand::Vector(list) | Operand::Group(list) => {
                list.iter().for_each(|operand| self.operand(operand, pos));
            }
        }
    }

    fn used(&mut self, name: &str, pos: Pos) {
        if name == "_" || is_special_register(name) || self.find(name).is_some() {
            return;
        }
        let name = name.to_owned();
        let register = name.starts_with('%');
        self.error(
            pos,
            match register {
                true => NameErrorKind::UndefinedRegister { name },
                false => NameErrorKind::Undefined { name },
            },
        );
    }

    fn register(&mut self, name: &str, pos: Pos) {
        if !is_special_register(name) && self.find(name) != Some(Kind::Register) {
            self.error(pos, NameErrorKind::UndefinedRegister { name: name.to_owned() });
        }
    }

    fn label(&mut self, name: &str, kind: Kind, pos: Pos) {
        if self.find(name) != Some(kind) {
            self.error(pos, NameErrorKind::UndefinedLabel { name: name.to_owned() });
        }
    }

    fn function_name(&mut self, name: &str, pos: Pos) {
        if self.find(name) != Some(Kind::Function) && !DRIVER_FUNCTIONS.contains(&name) {
            self.error(pos, NameErrorKind::UndefinedFunction { name: name.to_owned() });
        }
    }

    fn loc(&mut self, loc: &'a Loc) {
        let inlined = loc.inlined.as_ref();
        for index in [Some(loc.file), inlined.map(|(_, [file, ..])| *file)].into_iter().flatten() {
            if !self.files.contains(&index) {
                self.error(loc.pos, NameErrorKind::UndefinedFile { index });
            }
        }
        if let Some((label, _)) = inlined
            && !self.section_labels.contains(label.as_str())
        {
            self.error(loc.pos, NameErrorKind::UndefinedLabel { name: label.clone() });
        }
    }

    fn init(&mut self, init: Option<&'a Init>, pos: Pos) {
        match init {
            Some(Init::Symbol { name, .. }) => self.used(name, pos),
            Some(Init::List(list)) => list.iter().for_each(|init| self.init(Some(init), pos)),
            Some(Init::Value(_)) | None => {}
        }
    }
}

fn kind_of(variable: &Variable) -> Kind {
    match variable.space {
        crate::ast::Space::Reg => Kind::Register,
        _ => Kind::Variable,
    }
}
