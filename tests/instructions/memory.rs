//! Loads, stores, atomic operations and the rest of what works on memory.

use gpu_std::math;

use crate::built::{Built, Target, built};
use crate::rows::Row;
use crate::values::{Draw, Kind, Typed, Value};

/// Launches of each wrapper.
const CASES: usize = 40;

/// What a wrapper does, as far as it can be seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Reads what lies at an address.
    Load,
    /// Writes a value.
    Store,
    /// `atom` and `red`.
    Atomic,
    /// Works on shared memory, which has no address before the launch: `in_shared` stands for all.
    Shared,
    /// Something else, in `special.rs`.
    Special,
}

impl Family {
    /// The family of a row.
    pub fn of(row: &Row) -> Self {
        let points_to = |at: usize, prefix: &str| row.args.get(at).and_then(|ty| ty.strip_prefix(prefix));
        if row.has_word("shared") && row.name != "in_shared" {
            Self::Shared
        } else if row.name.starts_with("atom_") || row.name.starts_with("red_") {
            Self::Atomic
        } else if points_to(0, "*const ").is_some_and(|ty| row.ret == Some(ty)) {
            Self::Load
        } else if matches!(row.name.split('_').next(), Some("st")) && points_to(0, "*mut ").is_some() {
            Self::Store
        } else {
            Self::Special
        }
    }
}

fn size(ty: &str) -> Result<usize, String> {
    match ty {
        "Vec16<f32>" => Ok(16),
        ty => Kind::of(ty).map(Kind::bytes).ok_or_else(|| format!("the type {ty} is not known")),
    }
}

/// Runs a load: the result is what lies at the address.
///
/// # Errors
/// What it read instead.
pub fn load(row: &Row, target: Target) -> Result<(), String> {
    let built = built(target)?;
    let mut draw = Draw::new(row.name);
    for _ in 0..CASES {
        let bytes: Vec<u8> = (0..48).map(|_| draw.next() as u8).collect();
        let (memory, out) = (built.upload(&bytes)?, built.alloc(size(row.ret.unwrap_or_default())?)?);
        let mut params = vec![out.param(), (memory.addr() + 16).to_le_bytes().to_vec()];
        // The share of a cache policy.
        params.extend(row.args[1..].iter().map(|_| 0.5_f32.to_le_bytes().to_vec()));
        built.launch(&row.entry(), 1, &params)?;
        let got = out.read()?;
        if got != bytes[16..][..got.len()] {
            return Err(format!("{target}: {}: got {got:x?} of {bytes:x?}", row.name));
        }
    }
    Ok(())
}

/// Runs a store: the bytes at the address change, their neighbours do not.
///
/// # Errors
/// What lies there instead.
pub fn store(row: &Row, target: Target) -> Result<(), String> {
    let built = built(target)?;
    let mut draw = Draw::new(row.name);
    let bytes = size(row.args[0].trim_start_matches("*mut "))?;
    for _ in 0..CASES {
        let value: Vec<u8> = (0..bytes).map(|_| draw.next() as u8).collect();
        let memory = built.upload(&[0xa5; 48])?;
        let source = built.upload(&value)?;
        let by_pointer = row.args[1].starts_with("*const");
        let value_param = if by_pointer { source.param() } else { value.clone() };
        built.launch(&row.entry(), 1, &[(memory.addr() + 16).to_le_bytes().to_vec(), value_param])?;
        let mut want = vec![0xa5; 48];
        want[16..16 + bytes].copy_from_slice(&value);
        let got = memory.read()?;
        if got != want {
            return Err(format!("{target}: {}: got {got:x?}, want {want:x?}", row.name));
        }
    }
    Ok(())
}

/// Runs an atomic operation: memory is updated, `atom` returns the old value.
///
/// # Errors
/// What came instead.
pub fn atomic(row: &Row, target: Target) -> Result<(), String> {
    let built = built(target)?;
    let mut draw = Draw::new(row.name);
    for _ in 0..CASES {
        one_atomic(row, built, &mut draw).map_err(|why| format!("{target}: {}: {why}", row.name))?;
    }
    Ok(())
}

fn one_atomic(row: &Row, built: &Built, draw: &mut Draw) -> Result<(), String> {
    let ty = row.args[1];
    let kind = Kind::of(ty).ok_or_else(|| format!("the type {ty} is not known"))?;
    let old = draw.value(kind);
    let mut operands: Vec<Value> = row.args[1..].iter().map(|_| draw.value(kind)).collect();
    if operands.len() == 2 && draw.below(2) == 0 {
        operands[0] = old;
    }
    let memory = built.upload(&old.to_bytes())?;
    let out = if row.ret.is_some() { Some(built.alloc(kind.bytes())?) } else { None };
    let mut params: Vec<Vec<u8>> = out.iter().map(|out| out.param()).collect();
    params.push(memory.param());
    params.extend(operands.iter().map(|value| value.to_bytes()));
    built.launch(&row.entry(), 1, &params)?;
    let want = Value { kind, bits: updated(row, ty, old.bits, &operands)? & kind.mask() };
    let got = kind.read(&memory.read()?);
    let returned = out.map(|out| out.read()).transpose()?.map(|bytes| kind.read(&bytes));
    if !got.is_same(want) {
        return Err(format!("{old:?}, {operands:?}: memory holds {got:?}, want {want:?}"));
    }
    match returned {
        Some(returned) if returned.bits != old.bits => {
            Err(format!("returned {returned:?}, memory held {old:?}"))
        }
        _ => Ok(()),
    }
}

/// What memory holds afterwards.
fn updated(row: &Row, ty: &str, old: u64, operands: &[Value]) -> Result<u64, String> {
    let x = operands[0].bits;
    let signed = |bits: u64| if ty == "i32" { i64::from(bits as u32 as i32) } else { bits as i64 };
    let is_signed = ty.starts_with('i');
    let less = if is_signed { signed(x) < signed(old) } else { x < old };
    Ok(match row.wrapper().split('_').nth(1).unwrap_or_default() {
        "add" => sum(ty, old, x),
        "sub" if ty == "f32" => sum(ty, old, x ^ 1 << 31),
        "sub" => old.wrapping_sub(x),
        "min" => {
            if less {
                x
            } else {
                old
            }
        }
        "max" => {
            if less {
                old
            } else {
                x
            }
        }
        "and" => old & x,
        "or" => old | x,
        "xor" => old ^ x,
        "exch" => x,
        "inc" => {
            if old >= x {
                0
            } else {
                old + 1
            }
        }
        "dec" => {
            if old == 0 || old > x {
                x
            } else {
                old - 1
            }
        }
        "cas" => {
            if old == x {
                operands[1].bits
            } else {
                old
            }
        }
        other => return Err(format!("{other} has no model")),
    })
}

fn sum(ty: &str, a: u64, b: u64) -> u64 {
    fn two<T: Typed>(a: u64, b: u64, f: impl Fn(T, T) -> T) -> u64 {
        f(T::from_bits(a), T::from_bits(b)).value().bits
    }
    match ty {
        // All addresses here are global, where f32 flushes subnormals.
        "f32" => two(a, b, math::add_rn_ftz_f32),
        "f64" => two(a, b, math::add_rn_f64),
        "f16" => two(a, b, math::add_rn_f16),
        "bf16" => two(a, b, math::add_rn_bf16),
        "f16x2" => two(a, b, gpu_std::packed::add_rn_f16x2),
        "bf16x2" => two(a, b, gpu_std::packed::add_rn_bf16x2),
        _ => a.wrapping_add(b),
    }
}
