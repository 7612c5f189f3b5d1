//! Loads, stores, addresses, and block copies.

use super::function::Writer;
use super::{Text, types};
use crate::llvm::value::Value;

impl<'c> Writer<'c, '_> {
    pub(super) fn alloca(&mut self, i: Value<'c>, ops: &[Value<'c>]) -> Text {
        let ty = types::text(i.allocated_type())?;
        let count = match ops {
            [count] if count.integer() != Some(1) => format!(", {}", self.typed(*count)?),
            _ => String::new(),
        };
        let space = types::space(i)?;
        if space != 0 {
            return Err(format!("local memory in address space {space}"));
        }
        let made = self.temp(&format!("alloca {ty}{count}{}", align(i)));
        Ok(format!("bitcast {ty}* {made} to i8*"))
    }

    pub(super) fn load(&mut self, i: Value<'c>, from: Value<'c>) -> Text {
        let address = self.address(from, i.type_of())?;
        let ty = types::text(i.type_of())?;
        Ok(format!("load{} {ty}, {address}{}", volatile(i), align(i)))
    }

    pub(super) fn store(&mut self, i: Value<'c>, value: Value<'c>, to: Value<'c>) -> Text {
        let address = self.address(to, value.type_of())?;
        Ok(format!("store{} {}, {address}{}", volatile(i), self.typed(value)?, align(i)))
    }

    pub(super) fn element_pointer(&mut self, i: Value<'c>, ops: &[Value<'c>]) -> Text {
        let [base, indices @ ..] = ops else { return Err("an address without a base".to_owned()) };
        let space = types::space(i)?;
        let element = i.element_type();
        let reached = types::text(types::reached(element, indices.get(1..).unwrap_or_default())?)?;
        let base = self.address(*base, element)?;
        let mut parts = Vec::new();
        for &index in indices {
            parts.push(self.typed(index)?);
        }
        let bounds = if i.is_in_bounds() { " inbounds" } else { "" };
        let address =
            format!("getelementptr{bounds} {}, {base}, {}", types::text(element)?, parts.join(", "));
        if reached == "i8" {
            return Ok(address);
        }
        let made = self.temp(&address);
        let (from, to) = (types::pointer(&reached, space), types::pointer("i8", space));
        Ok(format!("bitcast {from} {made} to {to}"))
    }

    /// `ptrmask`: the address with some bits cleared.
    pub(super) fn masked(&mut self, pointer: Value<'c>, mask: Value<'c>) -> Text {
        let (ty, integer) = (types::pointer("i8", types::space(pointer)?), types::text(mask.type_of())?);
        let address = format!("ptrtoint {} to {integer}", self.typed(pointer)?);
        let address = self.temp(&address);
        let kept = self.temp(&format!("and {integer} {address}, {}", self.operand(mask)?));
        Ok(format!("inttoptr {integer} {kept} to {ty}"))
    }

    /// `memcpy`, `memmove` (both also `.inline`) and `memset`, under the names that typed pointers give them.
    pub(super) fn block_copy(&mut self, i: Value<'c>, word: &str) -> Text {
        let args = i.arguments();
        let [to, second, count, is_volatile] = args[..] else {
            return Err("four arguments are needed".to_owned());
        };
        let mut name = format!("llvm.{word}.p{}i8", types::space(to)?);
        let mut arguments = vec![self.aligned(i, to, 0)?];
        if word == "memset" {
            arguments.push(self.typed(second)?);
        } else {
            name += &format!(".p{}i8", types::space(second)?);
            arguments.push(self.aligned(i, second, 1)?);
        }
        name += &format!(".{}", types::text(count.type_of())?);
        arguments.extend([self.typed(count)?, self.typed(is_volatile)?]);
        Ok(self.intrinsic("void", &name, &arguments))
    }

    fn aligned(&mut self, call: Value<'c>, pointer: Value<'c>, index: u32) -> Text {
        let ty = types::text(pointer.type_of())?;
        let align = call.argument_number(index, "align").map(|bytes| format!(" align {bytes}"));
        Ok(format!("{ty}{} {}", align.unwrap_or_default(), self.operand(pointer)?))
    }
}

fn volatile(i: Value<'_>) -> &'static str {
    if i.is_volatile() { " volatile" } else { "" }
}

/// The alignment of `alloca`, `load`, `store`, and whether a load's memory never changes.
fn align(i: Value<'_>) -> String {
    let bytes = i.alignment();
    let align = if bytes == 0 { String::new() } else { format!(", align {bytes}") };
    // Node 1 is the empty one.
    if i.has_metadata("invariant.load") { format!("{align}, !invariant.load !1") } else { align }
}
