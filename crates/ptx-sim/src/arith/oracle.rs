//! For tests: instructions by their text, operands worth trying, and IEEE 754 arithmetic that is not ours (LLVM's, by
//! `rustc_apfloat`).

use super::soft::{Format, Round};
use super::{Arith, Fun};
use proptest::prelude::*;
use ptx_parse::ast::{Instruction, Statement};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, Round as IeeeRound};

pub(crate) const FORMATS: [Format; 4] = [Format::F16, Format::BF16, Format::F32, Format::F64];

/// The modes that instructions have, by name.
pub(crate) const MODES: [(&str, Round); 4] =
    [("rn", Round::Nearest), ("rz", Round::Zero), ("rm", Round::Down), ("rp", Round::Up)];

/// The instruction `name` with these operands.
pub(crate) fn instruction(name: &str, operands: &str) -> Instruction {
    let text = format!(
        ".version 8.8 .target sm_90 .address_size 64 .visible .entry k() {{ {name} {operands}; ret; }}"
    );
    let module = ptx_parse::parse(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
    let body = module.functions[0].body.as_ref().expect("the entry has a body");
    let Statement::Instruction(instruction) = &body[0] else { panic!("{name}: no instruction") };
    instruction.clone()
}

/// What `name` computes, when it is known.
pub(crate) fn known(name: &str, operands: &str) -> Option<Arith> {
    super::find(&instruction(name, operands))
}

/// The function of one operand that `name` is.
pub(crate) fn f1(name: &str) -> fn(u64) -> u64 {
    match known(name, "%d, %a").map(|arith| arith.f) {
        Some(Fun::F1(f)) => f,
        other => panic!("{name}: {other:?}"),
    }
}

/// Of two.
pub(crate) fn f2(name: &str) -> fn(u64, u64) -> u64 {
    match known(name, "%d, %a, %b").map(|arith| arith.f) {
        Some(Fun::F2(f)) => f,
        other => panic!("{name}: {other:?}"),
    }
}

/// Of three.
pub(crate) fn f3(name: &str) -> fn(u64, u64, u64) -> u64 {
    match known(name, "%d, %a, %b, %c").map(|arith| arith.f) {
        Some(Fun::F3(f)) => f,
        other => panic!("{name}: {other:?}"),
    }
}

/// Zeros, ones, subnormals, the ends of the normal range, infinities and NaNs, of both signs.
pub(crate) fn edges(format: Format) -> Vec<u64> {
    let hidden = 1 << format.fraction_bits;
    let one = format.infinity() / 2 / hidden * hidden;
    let positive = [
        0,
        1,
        2,
        hidden / 2,
        hidden - 1,
        hidden,
        hidden + 1,
        one - 1,
        one,
        one + 1,
        one + hidden / 2,
        one + hidden,
        format.largest() - hidden,
        format.largest(),
        format.infinity(),
        format.infinity() | 1,
        format.infinity() + hidden / 2,
        format.sign() - 1,
    ];
    positive.into_iter().flat_map(|x| [x, x | format.sign()]).collect()
}

/// Any bits of `format`, edges and values of like size more often than chance would have it.
pub(crate) fn operand(format: Format) -> BoxedStrategy<u64> {
    let all = format.sign() | (format.sign() - 1);
    let bias = (1_u64 << (format.exponent_bits - 1)) - 1;
    let (fraction_bits, sign) = (format.fraction_bits, format.sign());
    let near_one =
        (any::<bool>(), 0..8_u64, any::<u64>(), any::<u64>()).prop_map(move |(minus, e, x, mask)| {
            let fraction = x & (mask | 1) & ((1 << fraction_bits) - 1);
            (bias - 4 + e) << fraction_bits | fraction | if minus { sign } else { 0 }
        });
    let small = (any::<bool>(), any::<u64>())
        .prop_map(move |(minus, x)| x & ((4 << fraction_bits) - 1) | if minus { sign } else { 0 });
    prop_oneof![
        2 => proptest::sample::select(edges(format)),
        4 => any::<u64>().prop_map(move |x| x & all),
        4 => near_one,
        2 => small,
    ]
    .boxed()
}

fn ieee(mode: Round) -> IeeeRound {
    match mode {
        Round::Nearest => IeeeRound::NearestTiesToEven,
        Round::NearestAway => IeeeRound::NearestTiesToAway,
        Round::Zero => IeeeRound::TowardZero,
        Round::Down => IeeeRound::TowardNegative,
        Round::Up => IeeeRound::TowardPositive,
    }
}

fn compute<F: Float>(format: Format, operation: &str, x: [u64; 3], mode: Round) -> u64 {
    let [a, b, c] = x.map(|bits| F::from_bits(bits.into()));
    let mode = ieee(mode);
    let result = match operation {
        "add" => a.add_r(b, mode).value,
        "sub" => a.sub_r(b, mode).value,
        "mul" => a.mul_r(b, mode).value,
        "div" => a.div_r(b, mode).value,
        "fma" | "mad" => a.mul_add_r(b, c, mode).value,
        _ => panic!("{operation}"),
    };
    if result.is_nan() { format.nan() } else { result.to_bits() as u64 }
}

/// The IEEE 754 result of `add`, `sub`, `mul`, `div` or `fma`, NaN as instructions write it.
pub(crate) fn exactly(format: Format, operation: &str, x: [u64; 3], mode: Round) -> u64 {
    match format {
        Format::F16 => compute::<Half>(format, operation, x, mode),
        Format::BF16 => compute::<BFloat>(format, operation, x, mode),
        Format::F32 => compute::<Single>(format, operation, x, mode),
        _ => compute::<Double>(format, operation, x, mode),
    }
}

/// Every floating-point instruction that a wrapper of gpu-std is known to contain is known here.
#[test]
fn the_instructions_of_gpu_std_are_known() {
    const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/kernels/instructions/src/pure.rs");
    let table = std::fs::read_to_string(TABLE).expect("the table of wrappers is there");
    let unary = ["abs", "neg", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"];
    let binary = ["add", "sub", "mul", "div", "min", "max", "copysign"];
    let types = ["f16", "bf16", "f16x2", "bf16x2", "f32", "f64"];
    let mut found = std::collections::BTreeSet::new();
    for name in table.split('"').filter(|text| types.iter().any(|ty| text.ends_with(&format!(".{ty}")))) {
        let opcode = name.split('.').next().unwrap_or_default();
        let operands = match opcode {
            _ if unary.contains(&opcode) => "%d, %a",
            _ if binary.contains(&opcode) => "%d, %a, %b",
            "fma" => "%d, %a, %b, %c",
            _ => continue,
        };
        assert!(known(name, operands).is_some(), "{name}");
        found.insert(name);
    }
    assert!(found.len() > 120, "only {} instructions: the table has another form", found.len());
}
