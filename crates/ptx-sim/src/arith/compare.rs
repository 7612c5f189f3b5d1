//! `setp` and `set`: PTX ISA 9.7.6 and 9.7.7.

use super::soft::Format;
use super::words::Words;
use super::{Arith, Class, Fun, half};
use ptx_parse::ast::{Instruction, ScalarType};
use std::cmp::Ordering;

/// The boolean operator that joins a comparison with a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combine {
    /// `.and`
    And,
    /// `.or`
    Or,
    /// `.xor`
    Xor,
}

impl Combine {
    /// Both operands joined, bit by bit.
    pub(crate) fn apply(self, a: u32, b: u32) -> u32 {
        match self {
            Self::And => a & b,
            Self::Or => a | b,
            Self::Xor => a ^ b,
        }
    }
}

/// A `setp` of one value. With `p|q`, p is the comparison and q its opposite, each joined with the predicate by `combine`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    /// Whether it holds, of raw bits.
    pub holds: fn(u64, u64) -> bool,
    /// The class of both operands.
    pub class: Class,
    /// How the result is joined with a third operand, when there is one.
    pub combine: Option<Combine>,
}

/// A `setp` of two packed values: p is the comparison of the low halves, q that of the high ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComparisonX2 {
    /// Whether it holds of the low and of the high half.
    pub holds: fn(u64, u64) -> [bool; 2],
    /// How each result is joined with a third operand, when there is one.
    pub combine: Option<Combine>,
}

/// How the bits of a type order.
trait Key {
    type Value: PartialOrd;
    const CLASS: Class;
    const TWO: &'static [Class] = &[Self::CLASS; 2];
    const TWO_AND_PREDICATE: &'static [Class] = &[Self::CLASS, Self::CLASS, Class::Pred];
    fn of(bits: u64) -> Self::Value;
}

struct Float32<const FTZ: bool>;
struct Float64;
struct Half<const BF: bool, const FTZ: bool>;

macro_rules! integer_keys {
    ($($ty:ident $class:ident),*) => { $(
        impl Key for $ty {
            type Value = $ty;
            const CLASS: Class = Class::$class;
            fn of(bits: u64) -> $ty {
                bits as $ty
            }
        }
    )* };
}

integer_keys!(u16 B16, i16 B16, u32 B32, i32 B32, u64 B64, i64 B64);

impl<const FTZ: bool> Key for Float32<FTZ> {
    type Value = f32;
    const CLASS: Class = Class::B32;
    fn of(bits: u64) -> f32 {
        let bits = if FTZ { Format::F32.flush(bits & 0xffff_ffff) } else { bits };
        f32::from_bits(bits as u32)
    }
}

impl Key for Float64 {
    type Value = f64;
    const CLASS: Class = Class::B64;
    fn of(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

impl<const BF: bool, const FTZ: bool> Key for Half<BF, FTZ> {
    type Value = f64;
    const CLASS: Class = Class::B16;
    fn of(bits: u64) -> f64 {
        half::widen::<BF>(half::input::<BF, FTZ>(bits))
    }
}

/// A comparison operator.
trait Relation {
    fn holds<T: PartialOrd>(a: T, b: T) -> bool;
}

macro_rules! relations {
    ($($name:ident $a:ident $b:ident => $holds:expr;)*) => { $(
        struct $name;
        impl Relation for $name {
            #[allow(clippy::neg_cmp_op_on_partial_ord, reason = "NaN makes the unordered ones hold")]
            fn holds<T: PartialOrd>($a: T, $b: T) -> bool {
                $holds
            }
        }
    )* };
}

relations! {
    Equal a b => a == b;
    Unequal a b => matches!(a.partial_cmp(&b), Some(Ordering::Less | Ordering::Greater));
    Less a b => a < b;
    LessEqual a b => a <= b;
    Greater a b => a > b;
    GreaterEqual a b => a >= b;
    EqualOrNan a b => !matches!(a.partial_cmp(&b), Some(Ordering::Less | Ordering::Greater));
    UnequalOrNan a b => a != b;
    LessOrNan a b => !(a >= b);
    LessEqualOrNan a b => !(a > b);
    GreaterOrNan a b => !(a <= b);
    GreaterEqualOrNan a b => !(a < b);
    Number a b => a.partial_cmp(&b).is_some();
    NotANumber a b => a.partial_cmp(&b).is_none();
}

fn holds<K: Key, R: Relation>(a: u64, b: u64) -> bool {
    R::holds(K::of(a), K::of(b))
}

/// What is made of a comparison.
trait Use {
    type Out;
    fn of<K: Key, R: Relation>() -> Self::Out;
}

struct Predicate;
struct Predicates;
/// `set` to `TRUE` or 0; `COMBINE` is a [`Combine`] as a number, or [`ALONE`].
struct Value<const TRUE: u64, const COMBINE: u8>;
/// `set` of two packed values to `TRUE` or 0 each, sign-extended from 32 bits when `SIGNED`.
struct Values<const TRUE: u64, const SIGNED: bool, const COMBINE: u8>;

const ALONE: u8 = 3;

const fn joined(combine: u8, test: bool, c: u64) -> bool {
    match combine {
        0 => test && c & 1 != 0,
        1 => test || c & 1 != 0,
        2 => test != (c & 1 != 0),
        _ => test,
    }
}

impl Use for Predicate {
    type Out = Comparison;
    fn of<K: Key, R: Relation>() -> Comparison {
        Comparison { holds: holds::<K, R>, class: K::CLASS, combine: None }
    }
}

impl Use for Predicates {
    type Out = ComparisonX2;
    fn of<K: Key, R: Relation>() -> ComparisonX2 {
        ComparisonX2 { holds: |a, b| [holds::<K, R>(a, b), holds::<K, R>(a >> 16, b >> 16)], combine: None }
    }
}

impl<const TRUE: u64, const COMBINE: u8> Use for Value<TRUE, COMBINE> {
    type Out = (Fun, &'static [Class]);
    fn of<K: Key, R: Relation>() -> Self::Out {
        if COMBINE == ALONE {
            return (Fun::F2(|a, b| if holds::<K, R>(a, b) { TRUE } else { 0 }), K::TWO);
        }
        let f = |a, b, c| if joined(COMBINE, holds::<K, R>(a, b), c) { TRUE } else { 0 };
        (Fun::F3(f), K::TWO_AND_PREDICATE)
    }
}

fn lanes<K: Key, R: Relation, const TRUE: u64, const SIGNED: bool, const COMBINE: u8>(
    a: u64,
    b: u64,
    c: u64,
) -> u64 {
    let low = if joined(COMBINE, holds::<K, R>(a, b), c) { TRUE } else { 0 };
    let high = if joined(COMBINE, holds::<K, R>(a >> 16, b >> 16), c) { TRUE << 16 } else { 0 };
    if SIGNED { i64::from((high | low) as i32) as u64 } else { high | low }
}

impl<const TRUE: u64, const SIGNED: bool, const COMBINE: u8> Use for Values<TRUE, SIGNED, COMBINE> {
    type Out = (Fun, &'static [Class]);
    fn of<K: Key, R: Relation>() -> Self::Out {
        if COMBINE == ALONE {
            return (Fun::F2(|a, b| lanes::<K, R, TRUE, SIGNED, ALONE>(a, b, 0)), u32::TWO);
        }
        (Fun::F3(lanes::<K, R, TRUE, SIGNED, COMBINE>), u32::TWO_AND_PREDICATE)
    }
}

/// `set` of one value, chosen by its destination and how it is joined.
struct Set<const COMBINE: u8>;

/// What is asked of two operands.
#[derive(Clone, Copy)]
struct Question<'a> {
    operator: &'a str,
    ty: ScalarType,
    ftz: bool,
}

impl Question<'_> {
    /// Of one value of an integer type or a floating-point one.
    fn one<U: Use>(self) -> Option<U::Out> {
        match (self.ty, self.ftz) {
            (ScalarType::U16, false) => self.unsigned::<U, u16>(),
            (ScalarType::U32, false) => self.unsigned::<U, u32>(),
            (ScalarType::U64, false) => self.unsigned::<U, u64>(),
            (ScalarType::S16, false) => self.integer::<U, i16>(),
            (ScalarType::S32, false) => self.integer::<U, i32>(),
            (ScalarType::S64, false) => self.integer::<U, i64>(),
            (ScalarType::B16, false) => self.bits::<U, u16>(),
            (ScalarType::B32, false) => self.bits::<U, u32>(),
            (ScalarType::B64, false) => self.bits::<U, u64>(),
            (ScalarType::F32, false) => self.float::<U, Float32<false>>(),
            (ScalarType::F32, true) => self.float::<U, Float32<true>>(),
            (ScalarType::F64, false) => self.float::<U, Float64>(),
            (ScalarType::F16, false) => self.float::<U, Half<false, false>>(),
            (ScalarType::F16, true) => self.float::<U, Half<false, true>>(),
            (ScalarType::Bf16, false) => self.float::<U, Half<true, false>>(),
            _ => None,
        }
    }

    /// Of two packed values.
    fn two<U: Use>(self) -> Option<U::Out> {
        match (self.ty, self.ftz) {
            (ScalarType::F16x2, false) => self.float::<U, Half<false, false>>(),
            (ScalarType::F16x2, true) => self.float::<U, Half<false, true>>(),
            (ScalarType::Bf16x2, false) => self.float::<U, Half<true, false>>(),
            _ => None,
        }
    }

    fn bits<U: Use, K: Key>(self) -> Option<U::Out> {
        match self.operator {
            "eq" => Some(U::of::<K, Equal>()),
            "ne" => Some(U::of::<K, Unequal>()),
            _ => None,
        }
    }

    fn integer<U: Use, K: Key>(self) -> Option<U::Out> {
        match self.operator {
            "lt" => Some(U::of::<K, Less>()),
            "le" => Some(U::of::<K, LessEqual>()),
            "gt" => Some(U::of::<K, Greater>()),
            "ge" => Some(U::of::<K, GreaterEqual>()),
            _ => self.bits::<U, K>(),
        }
    }

    fn unsigned<U: Use, K: Key>(self) -> Option<U::Out> {
        match self.operator {
            "lo" => Some(U::of::<K, Less>()),
            "ls" => Some(U::of::<K, LessEqual>()),
            "hi" => Some(U::of::<K, Greater>()),
            "hs" => Some(U::of::<K, GreaterEqual>()),
            _ => self.integer::<U, K>(),
        }
    }

    fn float<U: Use, K: Key>(self) -> Option<U::Out> {
        match self.operator {
            "equ" => Some(U::of::<K, EqualOrNan>()),
            "neu" => Some(U::of::<K, UnequalOrNan>()),
            "ltu" => Some(U::of::<K, LessOrNan>()),
            "leu" => Some(U::of::<K, LessEqualOrNan>()),
            "gtu" => Some(U::of::<K, GreaterOrNan>()),
            "geu" => Some(U::of::<K, GreaterEqualOrNan>()),
            "num" => Some(U::of::<K, Number>()),
            "nan" => Some(U::of::<K, NotANumber>()),
            _ => self.integer::<U, K>(),
        }
    }
}

fn combine(words: &mut Words) -> Option<Combine> {
    let all = [("and", Combine::And), ("or", Combine::Or), ("xor", Combine::Xor)];
    all.into_iter().find(|(word, _)| words.take(word)).map(|(_, combine)| combine)
}

/// The question of a `setp`, and how its answer is joined.
fn question(instruction: &Instruction) -> Option<(Question<'_>, Option<Combine>)> {
    let mut words = Words::of(instruction);
    if instruction.opcode != "setp" {
        return None;
    }
    let ty = words.last_type()?;
    let operator = words.first()?;
    let combine = combine(&mut words);
    let ftz = words.take("ftz");
    words.done()?;
    Some((Question { operator, ty, ftz }, combine))
}

/// A `setp` of one value.
pub(crate) fn comparison(instruction: &Instruction) -> Option<Comparison> {
    let (question, combine) = question(instruction)?;
    Some(Comparison { combine, ..question.one::<Predicate>()? })
}

/// A `setp` of two packed values.
pub(crate) fn comparison_x2(instruction: &Instruction) -> Option<ComparisonX2> {
    let (question, combine) = question(instruction)?;
    Some(ComparisonX2 { combine, ..question.two::<Predicates>()? })
}

/// `set`: the operands are those compared, then, when the result is joined, the predicate.
pub(crate) fn find(instruction: &Instruction) -> Option<Arith> {
    let mut words = Words::of(instruction);
    if instruction.opcode != "set" {
        return None;
    }
    let (ty, result) = (words.last_type()?, words.last_type()?);
    let operator = words.first()?;
    let combine = combine(&mut words);
    let ftz = words.take("ftz");
    words.done()?;
    let question = Question { operator, ty, ftz };
    match combine {
        None => Set::<ALONE>::of(question, result),
        Some(Combine::And) => Set::<0>::of(question, result),
        Some(Combine::Or) => Set::<1>::of(question, result),
        Some(Combine::Xor) => Set::<2>::of(question, result),
    }
}

impl<const COMBINE: u8> Set<COMBINE> {
    fn of(question: Question, result: ScalarType) -> Option<Arith> {
        use ScalarType::{Bf16, Bf16x2, F16, F16x2, F32, S16, S32, U16, U32};
        let from_half = matches!(question.ty, F16 | Bf16);
        let ((f, src), dst) = match (question.ty, result) {
            (F16x2, F16x2) => (question.two::<Values<0x3c00, false, COMBINE>>()?, Class::B32),
            (Bf16x2, Bf16x2) => (question.two::<Values<0x3f80, false, COMBINE>>()?, Class::B32),
            (F16x2 | Bf16x2, U32) => (question.two::<Values<0xffff, false, COMBINE>>()?, Class::B32),
            (F16x2 | Bf16x2, S32) => (question.two::<Values<0xffff, true, COMBINE>>()?, Class::B32),
            (_, U32) => (question.one::<Value<0xffff_ffff, COMBINE>>()?, Class::B32),
            (_, S32) => (question.one::<Value<{ u64::MAX }, COMBINE>>()?, Class::B32),
            (_, F32) if !from_half => (question.one::<Value<0x3f80_0000, COMBINE>>()?, Class::B32),
            (_, F16) => (question.one::<Value<0x3c00, COMBINE>>()?, Class::B16),
            (_, Bf16) => (question.one::<Value<0x3f80, COMBINE>>()?, Class::B16),
            (_, U16) if from_half => (question.one::<Value<0xffff, COMBINE>>()?, Class::B16),
            (_, S16) if from_half => (question.one::<Value<{ u64::MAX }, COMBINE>>()?, Class::B16),
            _ => return None,
        };
        Some(Arith { f, dst, src, divides: false })
    }
}

#[cfg(test)]
mod tests;
