//! Modules without their places in the text, to compare what they say.

use crate::ast::{Function, Module, Pos, Statement, Variable};

impl Module {
    /// Sets every position to 0: two texts that say the same then give equal modules.
    ///
    /// ```
    /// let text = ".version 7.8 .target sm_90 .address_size 64 .entry k() { ret; }";
    /// let mut module = ptx_parse::parse(text)?;
    /// let mut again = ptx_parse::parse(&module.to_string())?;
    /// module.erase_positions();
    /// again.erase_positions();
    /// assert_eq!(module, again);
    /// # Ok::<(), ptx_parse::ParseError>(())
    /// ```
    pub fn erase_positions(&mut self) {
        self.variables.iter_mut().for_each(of_variable);
        self.functions.iter_mut().for_each(of_function);
        for section in &mut self.sections {
            section.pos = Pos::default();
        }
    }
}

fn of_variable(variable: &mut Variable) {
    variable.pos = Pos::default();
}

fn of_function(function: &mut Function) {
    function.pos = Pos::default();
    function.returns.iter_mut().chain(&mut function.params).for_each(of_variable);
    function.body.iter_mut().flatten().for_each(of_statement);
}

fn of_statement(statement: &mut Statement) {
    match statement {
        Statement::Reg(registers) => registers.pos = Pos::default(),
        Statement::Variable(variable) => of_variable(variable),
        Statement::Label { pos, .. } | Statement::Targets { pos, .. } => *pos = Pos::default(),
        Statement::Instruction(instruction) => instruction.pos = Pos::default(),
        Statement::Block(inner) => inner.iter_mut().for_each(of_statement),
        Statement::Loc(loc) => loc.pos = Pos::default(),
        Statement::Pragma(_) => {}
        Statement::Prototype { returns, params, pos, .. } => {
            returns.iter_mut().chain(params).for_each(of_variable);
            *pos = Pos::default();
        }
    }
}
