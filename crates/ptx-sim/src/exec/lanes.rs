//! The frequent operations, on all lanes at once.

use super::regs::{BIT, Lanes32, Lanes64};
use crate::program::ir::{Bin, Cmp};

/// The bits of the NaN that arithmetic of f32 gives.
const NAN32: u32 = 0x7fff_ffff;

#[inline]
pub(super) fn map32(a: &Lanes32, b: &Lanes32, f: impl Fn(u32, u32) -> u32) -> Lanes32 {
    let mut out = [0; 32];
    for lane in 0..32 {
        out[lane] = f(a[lane], b[lane]);
    }
    out
}

#[inline]
pub(super) fn map64(a: &Lanes64, b: &Lanes64, f: impl Fn(u64, u64) -> u64) -> Lanes64 {
    let mut out = [0; 32];
    for lane in 0..32 {
        out[lane] = f(a[lane], b[lane]);
    }
    out
}

#[inline]
fn float(a: u32, b: u32, f: impl Fn(f32, f32) -> f32) -> u32 {
    let result = f(f32::from_bits(a), f32::from_bits(b));
    if result.is_nan() { NAN32 } else { result.to_bits() }
}

/// Two operands of 32 bits to one, in every lane.
pub(super) fn bin32(bin: Bin, a: &Lanes32, b: &Lanes32) -> Lanes32 {
    let (clamp_u, clamp_s) = (|b: u32| b < 32, |b: u32| b.min(31));
    match bin {
        Bin::Add => map32(a, b, u32::wrapping_add),
        Bin::Sub => map32(a, b, u32::wrapping_sub),
        Bin::MulLo => map32(a, b, u32::wrapping_mul),
        Bin::And => map32(a, b, |a, b| a & b),
        Bin::Or => map32(a, b, |a, b| a | b),
        Bin::Xor => map32(a, b, |a, b| a ^ b),
        Bin::Shl => map32(a, b, |a, b| if clamp_u(b) { a << (b & 31) } else { 0 }),
        Bin::ShrU => map32(a, b, |a, b| if clamp_u(b) { a >> (b & 31) } else { 0 }),
        Bin::ShrS => map32(a, b, |a, b| (a as i32 >> clamp_s(b)) as u32),
        Bin::MinU => map32(a, b, Ord::min),
        Bin::MaxU => map32(a, b, Ord::max),
        Bin::MinS => map32(a, b, |a, b| (a as i32).min(b as i32) as u32),
        Bin::MaxS => map32(a, b, |a, b| (a as i32).max(b as i32) as u32),
        Bin::FAdd => map32(a, b, |a, b| float(a, b, |a, b| a + b)),
        Bin::FSub => map32(a, b, |a, b| float(a, b, |a, b| a - b)),
        Bin::FMul => map32(a, b, |a, b| float(a, b, |a, b| a * b)),
    }
}

/// Two operands of 64 bits to one, in every lane.
pub(super) fn bin64(bin: Bin, a: &Lanes64, b: &Lanes64) -> Lanes64 {
    match bin {
        Bin::Add => map64(a, b, u64::wrapping_add),
        Bin::Sub => map64(a, b, u64::wrapping_sub),
        Bin::MulLo => map64(a, b, u64::wrapping_mul),
        Bin::And => map64(a, b, |a, b| a & b),
        Bin::Or => map64(a, b, |a, b| a | b),
        Bin::Xor => map64(a, b, |a, b| a ^ b),
        Bin::MinU => map64(a, b, Ord::min),
        Bin::MaxU => map64(a, b, Ord::max),
        Bin::MinS => map64(a, b, |a, b| (a as i64).min(b as i64) as u64),
        Bin::MaxS => map64(a, b, |a, b| (a as i64).max(b as i64) as u64),
        Bin::Shl => map64(a, b, |a, b| if b < 64 { a << (b & 63) } else { 0 }),
        Bin::ShrU => map64(a, b, |a, b| if b < 64 { a >> (b & 63) } else { 0 }),
        Bin::ShrS => map64(a, b, |a, b| (a as i64 >> b.min(63)) as u64),
        // Only of 32 bits.
        Bin::FAdd | Bin::FSub | Bin::FMul => *a,
    }
}

#[inline]
fn bits<T: Copy>(a: &[T; 32], b: &[T; 32], f: impl Fn(T, T) -> bool) -> u32 {
    let mut out = 0;
    for lane in 0..32 {
        out |= if f(a[lane], b[lane]) { BIT[lane] } else { 0 };
    }
    out
}

/// The lanes where a comparison of 32 bits holds.
pub(super) fn cmp32(cmp: Cmp, a: &Lanes32, b: &Lanes32) -> u32 {
    match cmp {
        Cmp::Eq => bits(a, b, |a, b| a == b),
        Cmp::Ne => bits(a, b, |a, b| a != b),
        Cmp::LtU => bits(a, b, |a, b| a < b),
        Cmp::LeU => bits(a, b, |a, b| a <= b),
        Cmp::GtU => bits(a, b, |a, b| a > b),
        Cmp::GeU => bits(a, b, |a, b| a >= b),
        Cmp::LtS => bits(a, b, |a, b| (a as i32) < b as i32),
        Cmp::LeS => bits(a, b, |a, b| a as i32 <= b as i32),
        Cmp::GtS => bits(a, b, |a, b| a as i32 > b as i32),
        Cmp::GeS => bits(a, b, |a, b| a as i32 >= b as i32),
    }
}

/// The lanes where a comparison of 64 bits holds.
pub(super) fn cmp64(cmp: Cmp, a: &Lanes64, b: &Lanes64) -> u32 {
    match cmp {
        Cmp::Eq => bits(a, b, |a, b| a == b),
        Cmp::Ne => bits(a, b, |a, b| a != b),
        Cmp::LtU => bits(a, b, |a, b| a < b),
        Cmp::LeU => bits(a, b, |a, b| a <= b),
        Cmp::GtU => bits(a, b, |a, b| a > b),
        Cmp::GeU => bits(a, b, |a, b| a >= b),
        Cmp::LtS => bits(a, b, |a, b| (a as i64) < b as i64),
        Cmp::LeS => bits(a, b, |a, b| a as i64 <= b as i64),
        Cmp::GtS => bits(a, b, |a, b| a as i64 > b as i64),
        Cmp::GeS => bits(a, b, |a, b| a as i64 >= b as i64),
    }
}
