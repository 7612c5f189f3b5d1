//! A module back to PTX text.
//!
//! What [`parse`](crate::parse) read and these write gives the same module again, up to positions. Comments, the
//! spelling of numbers and the sizes and times of `.file` are not kept. Module variables and functions come in the
//! order of their positions.

use std::fmt::{self, Display, Formatter, from_fn};

use crate::ast::{
    Bounds, Const, Function, Init, Instruction, Linkage, Loc, Module, Operand, RegDecl, Section, SectionItem,
    SectionValue, Statement, Variable,
};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, ".version {}.{}", self.version.0, self.version.1)?;
        writeln!(f, ".target {}", list(&self.target))?;
        writeln!(f, ".address_size {}", self.address_size)?;
        for pragma in &self.pragmas {
            writeln!(f, ".pragma \"{pragma}\";")?;
        }
        for (index, path) in &self.files {
            writeln!(f, ".file {index} \"{path}\"")?;
        }
        // Both lists are in the order of the text: what was declared first stays first.
        let mut variables = self.variables.iter().peekable();
        for function in &self.functions {
            while let Some(variable) = variables.next_if(|v| v.pos <= function.pos) {
                writeln!(f, "{variable};")?;
            }
            writeln!(f, "{function}")?;
        }
        for variable in variables {
            writeln!(f, "{variable};")?;
        }
        for (name, aliasee) in &self.aliases {
            writeln!(f, ".alias {name}, {aliasee};")?;
        }
        self.sections.iter().try_for_each(|section| writeln!(f, "{section}"))
    }
}

impl Display for Section {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, ".section {}\n{{", self.name)?;
        for item in &self.items {
            match item {
                SectionItem::Label(name) => writeln!(f, "{name}:")?,
                SectionItem::Data(ty, values) => writeln!(f, ".{ty} {}", list(values))?,
            }
        }
        f.write_str("}")
    }
}

impl Display for SectionValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Const(value) => value.fmt(f),
            Self::Symbol(name, offset) => write!(f, "{name}{}", plus(*offset)),
            Self::Difference(end, start) => write!(f, "{end}-{start}"),
        }
    }
}

impl Display for Linkage {
    /// The directive; nothing for [`Linkage::Internal`].
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Internal => "",
            Self::Visible => ".visible",
            Self::Extern => ".extern",
            Self::Weak => ".weak",
            Self::Common => ".common",
        })
    }
}

impl Display for Variable {
    /// The declaration, without `;`.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.linkage != Linkage::Internal {
            write!(f, "{} ", self.linkage)?;
        }
        write!(f, ".{}{}", self.space.name(), attributes(&self.attributes))?;
        if let Some(align) = self.align {
            write!(f, " .align {align}")?;
        }
        write!(f, "{} .{}", vector(self.lanes), self.ty)?;
        if let Some(ptr) = self.ptr {
            f.write_str(" .ptr")?;
            if let Some(space) = ptr.space {
                write!(f, " .{}", space.name())?;
            }
            if let Some(align) = ptr.align {
                write!(f, " .align {align}")?;
            }
        }
        write!(f, " {}", self.name)?;
        for extent in &self.extents {
            match extent {
                Some(extent) => write!(f, "[{extent}]")?,
                None => f.write_str("[]")?,
            }
        }
        match &self.init {
            Some(init) => write!(f, " = {init}"),
            None => Ok(()),
        }
    }
}

impl Display for Init {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self::Symbol { name, offset, generic, mask } = self else {
            return match self {
                Self::Value(value) => value.fmt(f),
                Self::List(list_) => write!(f, "{{{}}}", list(list_)),
                Self::Symbol { .. } => Ok(()),
            };
        };
        let symbol = from_fn(|f| match generic {
            true => write!(f, "generic({name}){}", plus(*offset)),
            false => write!(f, "{name}{}", plus(*offset)),
        });
        match mask {
            Some(mask) => write!(f, "0x{mask:X}({symbol})"),
            None => symbol.fmt(f),
        }
    }
}

impl Display for Const {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::F32(bits) => write!(f, "0f{bits:08X}"),
            Self::F64(bits) => write!(f, "0d{bits:016X}"),
            // Debug writes a point or an exponent: without one it would be a whole number.
            Self::Decimal(value) => write!(f, "{value:?}"),
        }
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.linkage != Linkage::Internal {
            write!(f, "{} ", self.linkage)?;
        }
        f.write_str(if self.is_entry { ".entry" } else { ".func" })?;
        attributes(&self.attributes).fmt(f)?;
        if !self.returns.is_empty() {
            write!(f, " ({})", list(&self.returns))?;
        }
        write!(f, " {}({})", self.name, list(&self.params))?;
        self.bounds.fmt(f)?;
        let Some(body) = &self.body else { return f.write_str(";") };
        f.write_str("\n{\n")?;
        statements(f, body, 1)?;
        f.write_str("}")
    }
}

impl Display for Bounds {
    /// Each directive after a line break.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let numbers = [
            ("maxnreg", self.maxnreg),
            ("minnctapersm", self.minnctapersm),
            ("maxclusterrank", self.maxclusterrank),
            ("abi_preserve", self.abi_preserve),
            ("abi_preserve_control", self.abi_preserve_control),
        ];
        let extents = [
            ("reqntid", self.reqntid),
            ("maxntid", self.maxntid),
            ("reqnctapercluster", self.reqnctapercluster),
        ];
        let flags = [
            ("explicitcluster", self.explicitcluster),
            ("blocksareclusters", self.blocksareclusters),
            ("noreturn", self.noreturn),
        ];
        for (name, extents) in extents {
            if let Some(extents) = extents {
                write!(f, "\n.{name} {}", list(&extents))?;
            }
        }
        for (name, number) in numbers {
            if let Some(number) = number {
                write!(f, "\n.{name} {number}")?;
            }
        }
        for (name, _) in flags.into_iter().filter(|(_, set)| *set) {
            write!(f, "\n.{name}")?;
        }
        self.pragmas.iter().try_for_each(|pragma| write!(f, "\n.pragma \"{pragma}\";"))
    }
}

fn statements(f: &mut Formatter<'_>, list: &[Statement], depth: usize) -> fmt::Result {
    for statement in list {
        let depth = if matches!(statement, Statement::Label { .. }) { depth - 1 } else { depth };
        write!(f, "{}", "\t".repeat(depth))?;
        match statement {
            Statement::Block(inner) => {
                f.write_str("{\n")?;
                statements(f, inner, depth + 1)?;
                writeln!(f, "{}}}", "\t".repeat(depth))?;
            }
            other => writeln!(f, "{other}")?,
        }
    }
    Ok(())
}

impl Display for Statement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reg(registers) => registers.fmt(f),
            Self::Variable(variable) => write!(f, "{variable};"),
            Self::Label { name, .. } => write!(f, "{name}:"),
            Self::Instruction(instruction) => instruction.fmt(f),
            Self::Block(inner) => {
                f.write_str("{\n")?;
                statements(f, inner, 1)?;
                f.write_str("}")
            }
            Self::Loc(loc) => loc.fmt(f),
            Self::Pragma(text) => write!(f, ".pragma \"{text}\";"),
            Self::Targets { kind, name, targets, .. } => {
                write!(f, "{name}: .{} {};", kind.name(), list(targets))
            }
            Self::Prototype { name, returns, params, noreturn, .. } => {
                write!(f, "{name}: .callprototype ({}) _ ({})", list(returns), list(params))?;
                f.write_str(if *noreturn { " .noreturn;" } else { ";" })
            }
        }
    }
}

impl Display for RegDecl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names = self.names.iter().map(|(name, count)| {
            from_fn(move |f| match count {
                Some(count) => write!(f, "{name}<{count}>"),
                None => f.write_str(name),
            })
        });
        write!(f, ".reg{} .{} {};", vector(self.lanes), self.ty, list(names))
    }
}

impl Display for Loc {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, ".loc {} {} {}", self.file, self.line, self.column)?;
        let Some((label, [file, line, column])) = &self.inlined else { return Ok(()) };
        let offset = plus(self.name_offset);
        write!(f, ", function_name {label}{offset}, inlined_at {file} {line} {column}")
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(guard) = &self.guard {
            write!(f, "@{}{} ", if guard.negated { "!" } else { "" }, guard.register)?;
        }
        f.write_str(&self.opcode)?;
        self.modifiers.iter().try_for_each(|modifier| write!(f, ".{modifier}"))?;
        if !self.operands.is_empty() {
            write!(f, " {}", list(&self.operands))?;
        }
        f.write_str(";")
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Component(name, component) => write!(f, "{name}.{component}"),
            Self::Offset(name, offset) => write!(f, "{name}+{offset}"),
            Self::Const(value) => value.fmt(f),
            Self::Not(inner) => write!(f, "!{inner}"),
            Self::Neg(inner) => write!(f, "-{inner}"),
            Self::Pair(a, b) => write!(f, "{a}|{b}"),
            Self::Address { base, offset } => write!(f, "[{base}{}]", plus(*offset)),
            Self::Bracket(parts) => {
                let parts = parts.iter().enumerate().map(|(i, part)| {
                    from_fn(move |f| match part {
                        // The first part's own offset stands without brackets.
                        Self::Address { base, offset } if i == 0 => write!(f, "{base}{}", plus(*offset)),
                        part => part.fmt(f),
                    })
                });
                write!(f, "[{}]", list(parts))
            }
            Self::Vector(parts) => write!(f, "{{{}}}", list(parts)),
            Self::Group(parts) => write!(f, "({})", list(parts)),
        }
    }
}

/// `a, b, c`
fn list<I: IntoIterator<Item: Display, IntoIter: Clone>>(items: I) -> impl Display {
    let items = items.into_iter();
    from_fn(move |f| {
        for (i, item) in items.clone().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            item.fmt(f)?;
        }
        Ok(())
    })
}

/// `+4`, `+-4`, or nothing for 0.
fn plus(offset: i64) -> impl Display {
    from_fn(move |f| if offset == 0 { Ok(()) } else { write!(f, "+{offset}") })
}

/// ` .v4`, or nothing for one lane.
fn vector(lanes: u64) -> impl Display {
    from_fn(move |f| if lanes == 1 { Ok(()) } else { write!(f, " .v{lanes}") })
}

/// ` .attribute(.managed)`, or nothing.
fn attributes(words: &[String]) -> impl Display {
    let dotted = words.iter().map(|word| from_fn(move |f| write!(f, ".{word}")));
    from_fn(
        move |f| if words.is_empty() { Ok(()) } else { write!(f, " .attribute({})", list(dotted.clone())) },
    )
}
