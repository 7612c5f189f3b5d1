//! Types as LLVM 7 spells them.

use super::Text;
use crate::llvm::kind::Kind;
use crate::llvm::value::{Type, Value};

/// The text of a type; a pointer is one to `i8`.
pub(super) fn text(ty: Type<'_>) -> Text {
    Ok(match ty.kind() {
        Kind::Void => "void".to_owned(),
        Kind::Int(width) => format!("i{width}"),
        Kind::Half => "half".to_owned(),
        Kind::Float => "float".to_owned(),
        Kind::Double => "double".to_owned(),
        Kind::Pointer(space) => pointer("i8", known_space(space)?),
        Kind::Array(len, element) => format!("[{len} x {}]", text(element)?),
        Kind::Vector(len, element) => format!("<{len} x {}>", text(element)?),
        Kind::Struct(fields, packed) => {
            let fields = list(&fields)?;
            if packed { format!("<{{ {fields} }}>") } else { format!("{{ {fields} }}") }
        }
        Kind::Function(result, parameters, more) => {
            let dots = if more { ", ..." } else { "" };
            format!("{} ({}{dots})", text(result)?, list(&parameters)?)
        }
        Kind::Label => "label".to_owned(),
        Kind::Other(name) => return Err(format!("the type `{name}` does not exist there")),
    })
}

fn list(types: &[Type<'_>]) -> Text {
    Ok(types.iter().map(|&ty| text(ty)).collect::<Result<Vec<_>, _>>()?.join(", "))
}

/// Address spaces of LLVM 7: generic, global, shared, constant, local, parameters.
fn known_space(space: u32) -> Result<u32, String> {
    if matches!(space, 0 | 1 | 3 | 4 | 5 | 101) {
        return Ok(space);
    }
    Err(format!("address space {space} does not exist there"))
}

/// A pointer to `pointee`.
pub(super) fn pointer(pointee: &str, space: u32) -> String {
    if space == 0 { format!("{pointee}*") } else { format!("{pointee} addrspace({space})*") }
}

/// The address space of a pointer value.
pub(super) fn space(value: Value<'_>) -> Result<u32, String> {
    match value.kind() {
        Kind::Pointer(space) => known_space(space),
        _ => Err("a vector of pointers cannot be written".to_owned()),
    }
}

/// The type of a function: a parameter passed `byval` is a pointer to its own type.
pub(super) fn function(function: Value<'_>) -> Text {
    let Kind::Function(result, parameters, more) = function.value_type().kind() else {
        return Err("not a function".to_owned());
    };
    let mut all = Vec::new();
    for (index, &parameter) in parameters.iter().enumerate() {
        all.push(match function.by_value_type(index as u32) {
            Some(ty) => pointer(&text(ty)?, 0),
            None => text(parameter)?,
        });
    }
    if more {
        all.push("...".to_owned());
    }
    Ok(format!("{} ({})", text(result)?, all.join(", ")))
}

/// The type that the indices of a `getelementptr` reach, the first one aside.
pub(super) fn reached<'c>(start: Type<'c>, indices: &[Value<'c>]) -> Result<Type<'c>, String> {
    let mut ty = start;
    for index in indices {
        ty = match ty.kind() {
            Kind::Array(_, element) | Kind::Vector(_, element) => element,
            Kind::Struct(fields, _) => {
                let field = index.integer().and_then(|at| fields.get(at as usize).copied());
                field.ok_or("an index of a structure is no constant")?
            }
            _ => return Err("an index goes into a scalar".to_owned()),
        };
    }
    Ok(ty)
}

/// `%`- or `@`-names: quoted where they hold more than letters, digits and `$._-`.
pub(super) fn name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "$._-".contains(c);
    if !name.is_empty() && name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        return name.to_owned();
    }
    format!("\"{}\"", escape(name.as_bytes()))
}

/// The text between quotes: what is not printable, `"` and `\` as `\XX`.
pub(super) fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        if (0x20..0x7f).contains(&byte) && byte != b'"' && byte != b'\\' {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("\\{byte:02X}"));
        }
    }
    text
}
