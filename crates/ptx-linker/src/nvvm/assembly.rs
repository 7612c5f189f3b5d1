//! Inline assembly. libNVVM takes operands of i8 to i64, float, double and pointers; a `half` or a vector goes in
//! and out as an integer of its width.

use super::call::words;
use super::function::Writer;
use super::{Text, types};
use crate::llvm::kind::Kind;
use crate::llvm::value::{Type, Value};

impl<'c> Writer<'c, '_> {
    pub(super) fn assembly(&mut self, i: Value<'c>, asm: Value<'c>) -> Text {
        let (text, constraints, side_effects) = asm.assembly();
        let mut arguments = Vec::new();
        for argument in i.arguments() {
            arguments.push(self.carried(argument)?);
        }
        let result = i.type_of();
        let outside = types::text(result)?;
        let inside = match result.kind() {
            Kind::Struct(fields, false) => {
                let fields = fields.iter().map(|&ty| carrier(ty)).collect::<Result<Vec<_>, _>>()?;
                format!("{{ {} }}", fields.join(", "))
            }
            Kind::Void => outside.clone(),
            _ => carrier(result)?,
        };
        let call = format!(
            "call {inside} asm{} \"{}\", \"{}\"({}){}",
            if side_effects { " sideeffect" } else { "" },
            types::escape(text.as_bytes()),
            types::escape(constraints.as_bytes()),
            arguments.join(", "),
            words(i)
        );
        if inside == outside {
            return Ok(call);
        }
        let made = self.temp(&call);
        match result.kind() {
            Kind::Struct(fields, _) => self.fields(&made, &inside, &outside, &fields),
            _ => back(result, &made),
        }
    }

    /// An argument in the type that carries it.
    fn carried(&mut self, argument: Value<'c>) -> Text {
        let (ty, carrier) = (argument.type_of(), carrier(argument.type_of())?);
        let typed = self.typed(argument)?;
        Ok(match ty.kind() {
            Kind::Half | Kind::Vector(..) => {
                let cast = self.temp(&format!("bitcast {typed} to {carrier}"));
                format!("{carrier} {cast}")
            }
            Kind::Pointer(_) => {
                let cast = self.temp(&format!("ptrtoint {typed} to {carrier}"));
                format!("{carrier} {cast}")
            }
            _ => typed,
        })
    }

    /// The structure `outside` from the fields of the structure `inside`.
    fn fields(&mut self, made: &str, inside: &str, outside: &str, fields: &[Type<'c>]) -> Text {
        let mut whole = "undef".to_owned();
        let mut last = String::new();
        for (index, &ty) in fields.iter().enumerate() {
            let carried = self.temp(&format!("extractvalue {inside} {made}, {index}"));
            let field = self.temp(&back(ty, &carried)?);
            last = format!("insertvalue {outside} {whole}, {} {field}, {index}", types::text(ty)?);
            if index + 1 < fields.len() {
                whole = self.temp(&last);
            }
        }
        Ok(last)
    }
}

/// The type in which a value of type `ty` goes into assembly and comes out of it.
fn carrier(ty: Type<'_>) -> Text {
    match ty.kind() {
        Kind::Half => Ok("i16".to_owned()),
        Kind::Pointer(_) => Ok("i64".to_owned()),
        Kind::Vector(len, element) => match element.kind() {
            Kind::Half => Ok(format!("i{}", 16 * len)),
            Kind::Int(width) => Ok(format!("i{}", width * len)),
            Kind::Float => Ok(format!("i{}", 32 * len)),
            _ => Err("a vector of this type cannot go into assembly".to_owned()),
        },
        Kind::Int(8 | 16 | 32 | 64) | Kind::Float | Kind::Double => types::text(ty),
        _ => Err(format!("a value of type {} cannot go into assembly", types::text(ty)?)),
    }
}

/// A carried value in its own type.
fn back(ty: Type<'_>, carried: &str) -> Text {
    let (own, carrier) = (types::text(ty)?, carrier(ty)?);
    let word = if matches!(ty.kind(), Kind::Pointer(_)) { "inttoptr" } else { "bitcast" };
    Ok(format!("{word} {carrier} {carried} to {own}"))
}
