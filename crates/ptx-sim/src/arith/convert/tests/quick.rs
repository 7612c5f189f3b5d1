//! The quick forms of frequent conversions against those that take every operand.

use proptest::prelude::*;

use super::super::float::{self, Bf16, F16, F32, F64, Float};
use super::super::integer;
use super::super::options::{Down, Mode, Nearest, Up, Zero};
use super::reference::float as bits_of;
use crate::arith::int::Int;
use crate::arith::int::tests::config;

fn floats<S: Float, D: Float, M: Mode>(a: u64) -> Result<bool, TestCaseError> {
    let got = float::quick::<S, D, M>(a);
    if let Some(got) = got {
        prop_assert_eq!(got, float::convert_any::<S, D, M, 0>(a), "{:#x}", a);
    }
    Ok(got.is_some())
}

fn integers<S: Float, D: Int>(a: u64) -> Result<(), TestCaseError> {
    for (got, want) in [
        (integer::quick::<S, D, Nearest>(a), integer::to_int_any::<S, D, Nearest>(a)),
        (integer::quick::<S, D, Zero>(a), integer::to_int_any::<S, D, Zero>(a)),
        (integer::quick::<S, D, Down>(a), integer::to_int_any::<S, D, Down>(a)),
        (integer::quick::<S, D, Up>(a), integer::to_int_any::<S, D, Up>(a)),
    ] {
        if let Some(got) = got {
            prop_assert_eq!(got, want, "{:#x}", a);
        }
    }
    Ok(())
}

fn to_every_integer<S: Float>(a: u64) -> Result<(), TestCaseError> {
    integers::<S, u8>(a)?;
    integers::<S, i8>(a)?;
    integers::<S, u16>(a)?;
    integers::<S, i32>(a)?;
    integers::<S, u32>(a)?;
    integers::<S, i64>(a)?;
    integers::<S, u64>(a)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn between_floats(f16 in bits_of("f16"), bf16 in bits_of("bf16"), f32 in bits_of("f32"), f64 in bits_of("f64")) {
        floats::<F16, F32, Nearest>(f16)?;
        floats::<F16, F64, Nearest>(f16)?;
        floats::<Bf16, F64, Zero>(bf16)?;
        floats::<F32, F64, Nearest>(f32)?;
        floats::<F32, F16, Nearest>(f32)?;
        floats::<F32, F16, Zero>(f32)?;
        floats::<F32, Bf16, Nearest>(f32)?;
        floats::<F32, Bf16, Zero>(f32)?;
        floats::<F64, F32, Nearest>(f64)?;
        floats::<F64, F32, Zero>(f64)?;
        floats::<F64, F16, Zero>(f64)?;
        floats::<F16, Bf16, Nearest>(f16)?;
        floats::<Bf16, F16, Nearest>(bf16)?;
    }

    #[test]
    fn from_floats_to_integers(f16 in bits_of("f16"), bf16 in bits_of("bf16"), f32 in bits_of("f32"), f64 in bits_of("f64")) {
        to_every_integer::<F16>(f16)?;
        to_every_integer::<Bf16>(bf16)?;
        to_every_integer::<F32>(f32)?;
        to_every_integer::<F64>(f64)?;
    }
}

#[test]
fn ordinary_numbers_take_the_quick_form() -> Result<(), TestCaseError> {
    let (single, double) = (u64::from(1.5_f32.to_bits()), 1.5_f64.to_bits());
    assert!(floats::<F16, F32, Nearest>(0x3e00)? && floats::<F32, F64, Nearest>(single)?);
    assert!(floats::<F32, F16, Nearest>(single)? && floats::<F32, Bf16, Zero>(single)?);
    assert!(floats::<F64, F32, Nearest>(double)? && !floats::<F64, F32, Up>(double)?);
    assert!(integer::quick::<F32, i32, Nearest>(single).is_some());
    assert!(integer::quick::<F32, i32, Nearest>(u64::from(f32::NAN.to_bits())).is_none());
    Ok(())
}
