//! A function: its head, names of values and blocks, and its instructions in order.

use std::collections::{BTreeMap, HashMap};

use super::{Dialect, Text, constant, types};
use crate::error::{LinkError, demangled, one_line};
use crate::llvm::instruction::Block;
use crate::llvm::kind::Kind;
use crate::llvm::value::{Place, Type, Value};

/// Writes one function.
pub(super) struct Writer<'c, 'm> {
    pub(super) function: Value<'c>,
    dialect: Dialect,
    names: HashMap<Value<'c>, String>,
    blocks: HashMap<Block, String>,
    /// Declarations of the intrinsics used, by name.
    declared: &'m mut BTreeMap<String, String>,
    out: String,
    fresh: u32,
}

impl<'c, 'm> Writer<'c, 'm> {
    pub(super) fn new(
        function: Value<'c>,
        dialect: Dialect,
        declared: &'m mut BTreeMap<String, String>,
    ) -> Self {
        let (names, blocks) = (HashMap::new(), HashMap::new());
        Self { function, dialect, names, blocks, declared, out: String::new(), fresh: 0 }
    }

    /// The whole definition.
    pub(super) fn write(mut self) -> Result<String, LinkError> {
        let name = self.function.name();
        let blocks = self.function.blocks();
        for (index, parameter) in self.function.parameters().into_iter().enumerate() {
            self.names.insert(parameter, format!("%a{index}"));
        }
        let mut count = 0;
        for (index, (block, instructions)) in blocks.iter().enumerate() {
            self.blocks.insert(*block, format!("b{index}"));
            for &instruction in instructions {
                self.names.insert(instruction, format!("%v{count}"));
                count += 1;
            }
        }
        let fail = |code: String, reason| LinkError::Inexpressible {
            place: format!("function `{}`", demangled(&name)),
            code: one_line(&code),
            reason,
        };
        let (head, entry) = self.head().map_err(|reason| fail(String::new(), reason))?;
        self.out += &head;
        for (index, (_, instructions)) in blocks.iter().enumerate() {
            self.out += &format!("b{index}:\n");
            if index == 0 {
                self.out += &entry;
            }
            for &instruction in instructions {
                self.instruction(instruction).map_err(|reason| fail(instruction.text(), reason))?;
            }
        }
        self.out += "}\n";
        Ok(self.out)
    }

    /// The first line, and what the entry block begins with.
    fn head(&mut self) -> Result<(String, String), String> {
        let function = self.function;
        let Kind::Function(result, _, more) = function.value_type().kind() else {
            return Err("not a function".to_owned());
        };
        if more {
            return Err("a function with a variable number of parameters cannot be written".to_owned());
        }
        let mut parameters = Vec::new();
        let mut entry = String::new();
        for (index, parameter) in function.parameters().into_iter().enumerate() {
            let attributes = parameter_attributes(function, index as u32);
            match function.by_value_type(index as u32) {
                None => {
                    parameters.push(format!("{}{attributes} %a{index}", types::text(parameter.type_of())?));
                }
                Some(ty) => {
                    let pointee = types::text(ty)?;
                    let by_value = match self.dialect {
                        Dialect::Legacy => "byval".to_owned(),
                        Dialect::Modern => format!("byval({pointee})"),
                    };
                    let ty = types::pointer(&pointee, 0);
                    parameters.push(format!("{ty} {by_value}{attributes} %p{index}"));
                    entry += &format!("  %a{index} = bitcast {ty} %p{index} to i8*\n");
                }
            }
        }
        let linkage = if function.is_local() { "internal " } else { "" };
        let result = types::text(result)?;
        let mut words = String::new();
        for word in ["convergent", "noinline", "nounwind", "noreturn", "cold"] {
            if function.has_attribute(Place::Function, word) {
                words += &format!(" {word}");
            }
        }
        let (name, parameters) = (types::name(&function.name()), parameters.join(", "));
        Ok((format!("define {linkage}{result} @{name}({parameters}){words} {{\n"), entry))
    }

    fn instruction(&mut self, instruction: Value<'c>) -> Result<(), String> {
        let Some(text) = self.expression(instruction)? else { return Ok(()) };
        if instruction.kind() == Kind::Void {
            self.line(&text);
        } else {
            let name = self.names[&instruction].clone();
            self.line(&format!("{name} = {text}"));
        }
        Ok(())
    }

    /// Writes a line.
    pub(super) fn line(&mut self, text: &str) {
        self.out += &format!("  {text}\n");
    }

    /// Writes `expression` under a name of its own, and returns the name.
    pub(super) fn temp(&mut self, expression: &str) -> String {
        let name = format!("%t{}", self.fresh);
        self.fresh += 1;
        self.line(&format!("{name} = {expression}"));
        name
    }

    /// A value without its type.
    pub(super) fn operand(&self, value: Value<'c>) -> Text {
        match self.names.get(&value) {
            Some(name) => Ok(name.clone()),
            None => constant::text(value),
        }
    }

    /// A value with its type.
    pub(super) fn typed(&self, value: Value<'c>) -> Text {
        Ok(format!("{} {}", types::text(value.type_of())?, self.operand(value)?))
    }

    /// The label of a block.
    pub(super) fn label(&self, block: Block) -> Text {
        self.blocks.get(&block).map(|name| format!("%{name}")).ok_or_else(|| "an unknown block".to_owned())
    }

    /// An address as a pointer to `ty`, with its type before it.
    pub(super) fn address(&mut self, pointer: Value<'c>, ty: Type<'c>) -> Text {
        let (space, ty) = (types::space(pointer)?, types::text(ty)?);
        let operand = self.operand(pointer)?;
        let from = types::pointer("i8", space);
        if ty == "i8" {
            return Ok(format!("{from} {operand}"));
        }
        let to = types::pointer(&ty, space);
        let cast = self.temp(&format!("bitcast {from} {operand} to {to}"));
        Ok(format!("{to} {cast}"))
    }

    /// A call of an intrinsic, which is declared on the way. Arguments carry their types.
    pub(super) fn intrinsic(&mut self, result: &str, name: &str, arguments: &[String]) -> String {
        let kinds: Vec<_> = arguments.iter().map(|argument| type_of_typed(argument)).collect();
        let declaration = format!("declare {result} @{name}({})\n", kinds.join(", "));
        self.declared.insert(name.to_owned(), declaration);
        format!("call {result} @{name}({})", arguments.join(", "))
    }
}

/// The type in front of an argument; the types of arguments of intrinsics hold no spaces but in vectors.
fn type_of_typed(argument: &str) -> &str {
    let end = if argument.starts_with('<') {
        argument.find('>').map_or(argument.len(), |at| at + 1)
    } else if let Some(at) = argument.find("*") {
        at + 1
    } else {
        argument.find(' ').unwrap_or(argument.len())
    };
    &argument[..end]
}

/// What LLVM 7 knows of a parameter's attributes.
fn parameter_attributes(function: Value<'_>, index: u32) -> String {
    let place = Place::Parameter(index);
    let mut text = String::new();
    for word in ["noalias", "readonly", "readnone", "writeonly", "nonnull", "zeroext", "signext"] {
        if function.has_attribute(place, word) {
            text += &format!(" {word}");
        }
    }
    if let Some(bytes) = function.number_attribute(place, "align") {
        text += &format!(" align {bytes}");
    }
    text
}
