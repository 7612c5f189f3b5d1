//! Constants as LLVM 7 spells them, and the addresses of globals.

use llvm_sys::{LLVMOpcode, LLVMValueKind};

use super::{Text, types};
use crate::llvm::kind::Kind;
use crate::llvm::value::Value;

/// The address space a global lies in: libNVVM has no globals in the generic one.
pub(super) fn home(global: Value<'_>) -> u32 {
    match global.address_space() {
        0 => 1,
        space => space,
    }
}

/// A constant without its type.
pub(super) fn text(value: Value<'_>) -> Text {
    Ok(match value.value_kind() {
        LLVMValueKind::LLVMConstantIntValueKind => integer(value),
        LLVMValueKind::LLVMConstantFPValueKind => {
            let bits = value.float_bits().ok_or("a floating-point constant of unknown format")?;
            float(&value.kind(), bits)
        }
        LLVMValueKind::LLVMConstantPointerNullValueKind => "null".to_owned(),
        LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind => "undef".to_owned(),
        LLVMValueKind::LLVMConstantAggregateZeroValueKind => "zeroinitializer".to_owned(),
        LLVMValueKind::LLVMConstantDataArrayValueKind
        | LLVMValueKind::LLVMConstantDataVectorValueKind
        | LLVMValueKind::LLVMConstantArrayValueKind
        | LLVMValueKind::LLVMConstantStructValueKind
        | LLVMValueKind::LLVMConstantVectorValueKind => aggregate(value)?,
        LLVMValueKind::LLVMGlobalVariableValueKind => global(value)?,
        LLVMValueKind::LLVMFunctionValueKind => {
            let ty = types::function(value)?;
            format!("bitcast ({ty}* @{} to i8*)", types::name(&value.name()))
        }
        LLVMValueKind::LLVMConstantExprValueKind => expression(value)?,
        other => return Err(format!("a constant of kind `{other:?}` cannot be written")),
    })
}

/// A constant with its type before it.
pub(super) fn typed(value: Value<'_>) -> Text {
    Ok(format!("{} {}", types::text(value.type_of())?, text(value)?))
}

fn integer(value: Value<'_>) -> String {
    // LLVM prints `i128 5`; `i1 true`.
    value.text().rsplit(' ').next().unwrap_or_default().to_owned()
}

/// `half` as `0xH` and four digits; `float` as the `double` of the same value, NaN payloads kept.
pub(super) fn float(kind: &Kind<'_>, bits: u64) -> String {
    match kind {
        Kind::Half => format!("0xH{bits:04X}"),
        Kind::Float => format!("0x{:016X}", widen(bits as u32)),
        _ => format!("0x{bits:016X}"),
    }
}

/// The bits of the `f64` with the value of an `f32`; a signalling NaN stays one.
fn widen(bits: u32) -> u64 {
    if bits & 0x7f80_0000 == 0x7f80_0000 {
        let (sign, mantissa) = (u64::from(bits >> 31), u64::from(bits & 0x007f_ffff));
        return sign << 63 | 0x7ff0_0000_0000_0000 | mantissa << 29;
    }
    f64::from(f32::from_bits(bits)).to_bits()
}

fn aggregate(value: Value<'_>) -> Text {
    let (count, open, close) = match value.kind() {
        Kind::Array(len, _) => (len, "[", "]"),
        Kind::Vector(len, _) => (u64::from(len), "<", ">"),
        Kind::Struct(fields, false) => (fields.len() as u64, "{ ", " }"),
        Kind::Struct(fields, true) => (fields.len() as u64, "<{ ", " }>"),
        _ => return Err("a constant of unknown shape".to_owned()),
    };
    let mut parts = Vec::new();
    for index in 0..count {
        parts.push(typed(value.element(index).ok_or("a constant lacks an element")?)?);
    }
    Ok(format!("{open}{}{close}", parts.join(", ")))
}

/// The address of a global as a pointer to `i8` of the space that LLVM 22 has it in.
fn global(value: Value<'_>) -> Text {
    let space = home(value);
    let from = types::pointer(&types::text(value.value_type())?, space);
    let name = types::name(&value.name());
    Ok(match value.address_space() {
        0 => format!("addrspacecast ({from} @{name} to i8*)"),
        _ => format!("bitcast ({from} @{name} to {})", types::pointer("i8", space)),
    })
}

fn expression(value: Value<'_>) -> Text {
    let operands = value.operands();
    let to = types::text(value.type_of())?;
    let cast = |word: &str| -> Text { Ok(format!("{word} ({} to {to})", typed(operands[0])?)) };
    let two =
        |word: &str| -> Text { Ok(format!("{word} ({}, {})", typed(operands[0])?, typed(operands[1])?)) };
    match value.constant_opcode() {
        LLVMOpcode::LLVMGetElementPtr => element_pointer(value, &operands),
        LLVMOpcode::LLVMAddrSpaceCast => space_cast(operands[0], &to),
        LLVMOpcode::LLVMBitCast => cast("bitcast"),
        LLVMOpcode::LLVMPtrToInt | LLVMOpcode::LLVMPtrToAddr => cast("ptrtoint"),
        LLVMOpcode::LLVMIntToPtr => cast("inttoptr"),
        LLVMOpcode::LLVMTrunc => cast("trunc"),
        LLVMOpcode::LLVMAdd => two("add"),
        LLVMOpcode::LLVMSub => two("sub"),
        LLVMOpcode::LLVMXor => two("xor"),
        other => Err(format!("a constant expression `{other:?}` cannot be written")),
    }
}

/// A cast between address spaces; the address of a global is cast once.
fn space_cast(from: Value<'_>, to: &str) -> Text {
    Ok(format!("addrspacecast ({} to {to})", typed(from)?))
}

fn element_pointer(value: Value<'_>, operands: &[Value<'_>]) -> Text {
    let [base, indices @ ..] = operands else { return Err("an address without a base".to_owned()) };
    let space = types::space(*base)?;
    let element = types::text(value.element_type())?;
    let rest = indices.get(1..).unwrap_or_default();
    let reached = types::text(types::reached(value.element_type(), rest)?)?;
    let typed_base = if element == "i8" {
        typed(*base)?
    } else {
        let to = types::pointer(&element, space);
        format!("{to} bitcast ({} to {to})", typed(*base)?)
    };
    let indices = indices.iter().map(|&index| typed(index)).collect::<Result<Vec<_>, _>>()?.join(", ");
    let bounds = if value.is_in_bounds() { "inbounds " } else { "" };
    let address = format!("getelementptr {bounds}({element}, {typed_base}, {indices})");
    if reached == "i8" {
        return Ok(address);
    }
    let from = types::pointer(&reached, space);
    Ok(format!("bitcast ({from} {address} to {})", types::pointer("i8", space)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_is_written_as_the_double_of_its_value() {
        assert_eq!(float(&Kind::Float, u64::from(1.5f32.to_bits())), format!("0x{:016X}", 1.5f64.to_bits()));
        assert_eq!(float(&Kind::Float, 0x8000_0000), "0x8000000000000000");
        assert_eq!(float(&Kind::Float, 1), format!("0x{:016X}", f64::from(f32::from_bits(1)).to_bits()));
        assert_eq!(float(&Kind::Float, 0x7f80_0001), "0x7FF0000020000000");
        assert_eq!(float(&Kind::Float, 0xffc0_0000), "0xFFF8000000000000");
        assert_eq!(float(&Kind::Half, 0x3c00), "0xH3C00");
    }
}
