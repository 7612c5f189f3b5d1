//! Sums, products, quotients and square roots in any [`Format`], exact up to a sticky bit, then rounded once.

use super::soft::{Format, Round, Unpacked, round, unpack};

/// The bits of an exact value while it is worked on: room for a carry below 128.
const WIDTH: u32 = 125;

/// `(-1)^negative * mantissa * 2^exponent`.
#[derive(Clone, Copy)]
struct Term {
    negative: bool,
    mantissa: u128,
    exponent: i32,
}

fn infinity(format: Format, negative: bool) -> u64 {
    if negative { format.sign() | format.infinity() } else { format.infinity() }
}

/// a + b.
pub(crate) fn add(format: Format, a: u64, b: u64, mode: Round) -> u64 {
    match (unpack(format, a), unpack(format, b)) {
        (Unpacked::Nan, _) | (_, Unpacked::Nan) => format.nan(),
        (Unpacked::Infinity(p), Unpacked::Infinity(q)) if p != q => format.nan(),
        (Unpacked::Infinity(p), _) | (_, Unpacked::Infinity(p)) => infinity(format, p),
        (
            Unpacked::Finite { negative, mantissa, exponent },
            Unpacked::Finite { negative: negative_b, mantissa: mantissa_b, exponent: exponent_b },
        ) => sum(
            format,
            Term { negative, mantissa: mantissa.into(), exponent },
            Term { negative: negative_b, mantissa: mantissa_b.into(), exponent: exponent_b },
            mode,
        ),
    }
}

/// a − b.
pub(crate) fn sub(format: Format, a: u64, b: u64, mode: Round) -> u64 {
    add(format, a, b ^ format.sign(), mode)
}

/// a * b.
pub(crate) fn mul(format: Format, a: u64, b: u64, mode: Round) -> u64 {
    match product(format, a, b) {
        Ok(p) => round(format, p.negative, p.mantissa, p.exponent, false, mode),
        Err(bits) => bits,
    }
}

/// a * b + c, rounded once.
pub(crate) fn fma(format: Format, a: u64, b: u64, c: u64, mode: Round) -> u64 {
    match (product(format, a, b), unpack(format, c)) {
        (_, Unpacked::Nan) => format.nan(),
        (Err(bits), Unpacked::Infinity(negative)) if bits != infinity(format, negative) => format.nan(),
        (Err(bits), _) => bits,
        (Ok(_), Unpacked::Infinity(negative)) => infinity(format, negative),
        (Ok(p), Unpacked::Finite { negative, mantissa, exponent }) => {
            sum(format, p, Term { negative, mantissa: mantissa.into(), exponent }, mode)
        }
    }
}

/// a / b.
pub(crate) fn div(format: Format, a: u64, b: u64, mode: Round) -> u64 {
    let negative = (a ^ b) & format.sign() != 0;
    match (unpack(format, a), unpack(format, b)) {
        (Unpacked::Nan, _)
        | (_, Unpacked::Nan)
        | (Unpacked::Infinity(_), Unpacked::Infinity(_))
        | (Unpacked::Finite { mantissa: 0, .. }, Unpacked::Finite { mantissa: 0, .. }) => format.nan(),
        (Unpacked::Infinity(_), _) | (_, Unpacked::Finite { mantissa: 0, .. }) => infinity(format, negative),
        (_, Unpacked::Infinity(_)) => round(format, negative, 0, 0, false, mode),
        (
            Unpacked::Finite { mantissa, exponent, .. },
            Unpacked::Finite { mantissa: divisor, exponent: exponent_b, .. },
        ) => {
            // At least 128 − 53 bits of quotient.
            let shift = u128::from(mantissa).leading_zeros().min(127);
            let (dividend, divisor) = (u128::from(mantissa) << shift, u128::from(divisor));
            let exponent = exponent - exponent_b - shift as i32;
            round(format, negative, dividend / divisor, exponent, dividend % divisor != 0, mode)
        }
    }
}

/// √a; −0 for −0.
pub(crate) fn sqrt(format: Format, a: u64, mode: Round) -> u64 {
    match unpack(format, a) {
        Unpacked::Nan | Unpacked::Infinity(true) => format.nan(),
        Unpacked::Infinity(false) | Unpacked::Finite { mantissa: 0, .. } => a,
        Unpacked::Finite { negative: true, .. } => format.nan(),
        Unpacked::Finite { mantissa, exponent, .. } => {
            // 63 or 64 bits of root; the exponent under the root must be even.
            let mut shift = u128::from(mantissa).leading_zeros() as i32 - 1;
            shift -= (exponent - shift) & 1;
            let square = u128::from(mantissa) << shift;
            let root = square.isqrt();
            round(format, false, root, (exponent - shift) / 2, root * root != square, mode)
        }
    }
}

/// a * b as an exact term, or the bits of a result that is none.
fn product(format: Format, a: u64, b: u64) -> Result<Term, u64> {
    let negative = (a ^ b) & format.sign() != 0;
    match (unpack(format, a), unpack(format, b)) {
        (Unpacked::Nan, _)
        | (_, Unpacked::Nan)
        | (Unpacked::Infinity(_), Unpacked::Finite { mantissa: 0, .. })
        | (Unpacked::Finite { mantissa: 0, .. }, Unpacked::Infinity(_)) => Err(format.nan()),
        (Unpacked::Infinity(_), _) | (_, Unpacked::Infinity(_)) => Err(infinity(format, negative)),
        (
            Unpacked::Finite { mantissa, exponent, .. },
            Unpacked::Finite { mantissa: mantissa_b, exponent: exponent_b, .. },
        ) => Ok(Term {
            negative,
            mantissa: u128::from(mantissa) * u128::from(mantissa_b),
            exponent: exponent + exponent_b,
        }),
    }
}

/// a + b of terms of at most 106 bits, one of them of at most 53.
fn sum(format: Format, a: Term, b: Term, mode: Round) -> u64 {
    if a.mantissa == 0 && b.mantissa == 0 {
        let negative = if a.negative == b.negative { a.negative } else { mode == Round::Down };
        return round(format, negative, 0, 0, false, mode);
    }
    if a.mantissa == 0 || b.mantissa == 0 {
        let term = if a.mantissa == 0 { b } else { a };
        return round(format, term.negative, term.mantissa, term.exponent, false, mode);
    }
    let (high, low) = if a.exponent >= b.exponent { (a, b) } else { (b, a) };
    let headroom = WIDTH as i32 - (128 - high.mantissa.leading_zeros() as i32);
    let distance = high.exponent - low.exponent;
    let left = distance.min(headroom);
    let right = (distance - left).min(127) as u32;
    let (x, y) = (high.mantissa << left, low.mantissa >> right);
    let sticky = y << right != low.mantissa;
    let exponent = high.exponent - left;
    if a.negative == b.negative {
        return round(format, a.negative, x + y, exponent, sticky, mode);
    }
    // When something is cut, `high` is far larger than `low`, so the difference is above 0 with the cut part borrowed.
    match x.cmp(&y) {
        std::cmp::Ordering::Equal => round(format, mode == Round::Down, 0, 0, false, mode),
        std::cmp::Ordering::Greater => {
            round(format, high.negative, x - y - u128::from(sticky), exponent, sticky, mode)
        }
        std::cmp::Ordering::Less => round(format, low.negative, y - x, exponent, sticky, mode),
    }
}
