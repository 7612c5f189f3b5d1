//! Wrappers of pure arithmetic: the simulator and the host's half give the same for the same operands.

use gpu_std::packed::{bf16x2, f16x2};
use gpu_std::{bf16, convert, f16, int, math, packed, unroll};

use crate::approximate::Scalar;
use crate::built::{Built, built, targets};
use crate::rows::{self, Row};
use crate::values::{Draw, Kind, Typed, Value};

/// Operands drawn for each wrapper.
const CASES: usize = 300;

/// Operands, and what the host makes of them.
struct Case {
    args: Vec<Value>,
    want: Value,
}

/// The host's half of a row.
struct Host {
    name: &'static str,
    run: fn(&mut dyn FnMut(Kind) -> Value) -> Case,
}

macro_rules! wrappers {
    ($(
        $(@ $sm:literal)? $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty = $body:expr
            => $($expected:literal $(* $times:literal)?),*;
    )*) => {
        &[$(Host {
            name: stringify!($name),
            run: |draw| {
                $(let $arg = <$ty as Typed>::from_bits(draw(<$ty as Typed>::KIND).bits);)*
                let args = vec![$($arg.value()),*];
                let want: $ret = $body;
                Case { args, want: want.value() }
            },
        }),*]
    };
}

const HOST: &[Host] = include!("../kernels/instructions/src/pure.rs");

/// Whether the instruction gives an approximation of the exact value.
pub fn scalar_of(row: &Row) -> Option<Scalar> {
    let (instruction, _) = row.expected.first()?;
    Scalar::new(instruction)
}

/// Runs a wrapper on both, for every target.
///
/// # Errors
/// The first operands for which they differ.
pub fn host_and_simulator_agree(row: &Row) -> Result<(), String> {
    let host = HOST.iter().find(|host| host.name == row.name).ok_or("no host half")?;
    for target in targets().filter(|target| row.is_on(target.arch)) {
        let built = built(target)?;
        let mut draw = Draw::new(row.name);
        for _ in 0..CASES {
            let mut at = 0;
            let case = (host.run)(&mut |kind| {
                at += 1;
                in_domain(row, at, draw.value(kind))
            });
            let got = simulate(built, row, &case)?;
            compare(row, &case, got)
                .map_err(|why| format!("{target}: {}{:?}: {why}", row.name, case.args))?;
        }
    }
    Ok(())
}

/// An operand of a wrapper that does not take all: positions are numbers of bits, fields of 64 bits end below 256.
fn in_domain(row: &Row, at: usize, value: Value) -> Value {
    let mask = match (row.name, at) {
        ("fns_b32", 2) => 31,
        ("bfe_u64" | "bfe_s64", 2..) | ("bfi_b64", 3..) => 255,
        _ => u64::MAX,
    };
    Value { bits: value.bits & mask, ..value }
}

fn simulate(built: &Built, row: &Row, case: &Case) -> Result<Value, String> {
    let kind = case.want.kind;
    let out = built.alloc(kind.bytes())?;
    let mut params = vec![out.param()];
    params.extend(case.args.iter().map(|value| value.to_bytes()));
    built.launch(&row.entry(), 1, &params).map_err(|why| format!("{:?}: {why}", case.args))?;
    Ok(kind.read(&out.read()?))
}

fn compare(row: &Row, case: &Case, got: Value) -> Result<(), String> {
    let Some(scalar) = scalar_of(row) else {
        // The bits of a tf32 are those of an f32.
        let kind = if row.has_word("tf32") { Kind::F32 } else { got.kind };
        let same = Value { kind, ..got }.is_same(Value { kind, ..case.want });
        return if same {
            Ok(())
        } else {
            Err(format!("the simulator gives {got:?}, the host {:?}", case.want))
        };
    };
    for half in 0..scalar.per_register {
        let part = |value: &Value| value.bits >> (16 * half) & scalar.mask();
        let operands: Vec<u64> = case.args.iter().map(part).collect();
        for (who, result) in [("simulator", got), ("host", case.want)] {
            scalar.check(&operands, part(&result)).map_err(|why| format!("{who}: {result:?}: {why}"))?;
        }
    }
    Ok(())
}

/// Every row has a host half, and the approximate ones are known as such.
///
/// # Errors
/// The rows that have none, or how many are known.
pub fn the_host_has_every_row() -> Result<(), String> {
    let without: Vec<&str> = rows::PURE
        .iter()
        .map(|row| row.name)
        .filter(|name| !HOST.iter().any(|host| host.name == *name))
        .collect();
    if !without.is_empty() {
        return Err(format!("no host half for {without:?}"));
    }
    let approximate = rows::PURE.iter().filter(|row| scalar_of(row).is_some()).count();
    let named = |row: &&Row| ["_approx_", "_full_"].iter().any(|word| row.name.contains(word));
    let expected = rows::PURE.iter().filter(named).count();
    if approximate == expected && expected > 20 {
        Ok(())
    } else {
        Err(format!("{approximate} approximate functions have bounds, {expected} are named so"))
    }
}

/// A result that is one bit off is found, and an approximation three units off.
///
/// # Errors
/// What went unnoticed.
pub fn planted_differences_are_found() -> Result<(), String> {
    let row = |name: &str| rows::PURE.iter().find(|row| row.name == name).ok_or(format!("no row {name}"));
    let f32 = |value: f32, off: u32| Value { kind: Kind::F32, bits: u64::from(value.to_bits() + off) };
    let case = Case { args: vec![f32(3.0, 0), f32(7.0, 0)], want: f32(3.0 / 7.0, 0) };
    for (name, off) in [("div_rn_f32", 1), ("div_full_f32", 3)] {
        compare(row(name)?, &case, f32(3.0 / 7.0, 0))?;
        if compare(row(name)?, &case, f32(3.0 / 7.0, off)).is_ok() {
            return Err(format!("{name}: {off} units off"));
        }
    }
    Ok(())
}
