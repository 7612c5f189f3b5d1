//! `cvt` and `cvt.pack` (PTX ISA 9.7.9.21, 9.7.9.22).
//!
//! Which modifiers are legal for which pair of types is as ptxas 13.0 takes them for sm_90a; the narrow float formats of later
//! architectures are not known here.

mod float;
mod integer;
mod options;
mod packed;
#[cfg(test)]
mod tests;

use ptx_parse::ast::Instruction;

use super::Arith;
use super::int::{Int, takes, words};
use float::{Bf16, F16, F32, F64, Float};
use options::Options;

/// What a conversion computes.
pub(super) fn find(instruction: &Instruction) -> Option<Arith> {
    if instruction.opcode != "cvt" {
        return None;
    }
    let words = words(instruction);
    let found = if words.first() == Some(&"pack") { packed::find_pack(&words) } else { find_cvt(&words) };
    found.filter(|arith| takes(instruction, arith))
}

/// `cvt{.options}.dtype.atype`
fn find_cvt(words: &[&str]) -> Option<Arith> {
    let [modifiers @ .., dst, src] = words else { return None };
    let options = Options::read(modifiers)?;
    match *src {
        "u8" => from_int::<u8>(dst, options),
        "u16" => from_int::<u16>(dst, options),
        "u32" => from_int::<u32>(dst, options),
        "u64" => from_int::<u64>(dst, options),
        "s8" => from_int::<i8>(dst, options),
        "s16" => from_int::<i16>(dst, options),
        "s32" => from_int::<i32>(dst, options),
        "s64" => from_int::<i64>(dst, options),
        "f16" => from_float::<F16>(dst, options),
        "bf16" => from_float::<Bf16>(dst, options),
        "f32" => from_float::<F32>(dst, options).or_else(|| packed::from_f32(dst, options)),
        "f64" => from_float::<F64>(dst, options),
        "f16x2" => packed::f8_from_f16x2(dst, options),
        "e4m3x2" | "e5m2x2" if *dst == "f16x2" => packed::f16x2_from_f8(src, options),
        _ => None,
    }
}

fn from_int<S: Int>(dst: &str, options: Options) -> Option<Arith> {
    match dst {
        "u8" => integer::int_to_int::<S, u8>(options),
        "u16" => integer::int_to_int::<S, u16>(options),
        "u32" => integer::int_to_int::<S, u32>(options),
        "u64" => integer::int_to_int::<S, u64>(options),
        "s8" => integer::int_to_int::<S, i8>(options),
        "s16" => integer::int_to_int::<S, i16>(options),
        "s32" => integer::int_to_int::<S, i32>(options),
        "s64" => integer::int_to_int::<S, i64>(options),
        "f16" => integer::int_to_float::<S, F16>(options),
        "bf16" if S::BITS > 8 => integer::int_to_float::<S, Bf16>(options),
        "f32" => integer::int_to_float::<S, F32>(options),
        "f64" => integer::int_to_float::<S, F64>(options),
        _ => None,
    }
}

fn from_float<S: Float>(dst: &str, options: Options) -> Option<Arith> {
    match dst {
        "u8" if !S::IS_BF16 => integer::float_to_int::<S, u8>(options),
        "u16" => integer::float_to_int::<S, u16>(options),
        "u32" => integer::float_to_int::<S, u32>(options),
        "u64" => integer::float_to_int::<S, u64>(options),
        "s8" if !S::IS_BF16 => integer::float_to_int::<S, i8>(options),
        "s16" => integer::float_to_int::<S, i16>(options),
        "s32" => integer::float_to_int::<S, i32>(options),
        "s64" => integer::float_to_int::<S, i64>(options),
        "f16" => float::float_to_float::<S, F16>(options),
        "bf16" => float::float_to_float::<S, Bf16>(options),
        "f32" => float::float_to_float::<S, F32>(options),
        "f64" => float::float_to_float::<S, F64>(options),
        _ => None,
    }
}
