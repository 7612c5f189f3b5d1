//! Types of operands and results: the register they need, and what values are drawn for them.

/// How a value of a type is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Bits of this width, as an integer.
    Int(u32),
    /// The same, never zero.
    NonZero(u32),
    /// A float of so many exponent and mantissa bits.
    Float(u32, u32),
    /// Two floats of 16 bits.
    Pair(u32, u32),
    /// Two integers of 16 bits.
    IntPair,
    /// A float that is zero, infinite, NaN or at another corner of its range.
    Corner(u32, u32),
    /// Two of them.
    CornerPair(u32, u32),
    /// One, or a few units in the last place beside it.
    NearOne(u32, u32),
    /// Four bytes, many of them the ends of their range.
    Bytes,
    /// An i32 close to one of its ends.
    NearEnd,
    /// A float that is to be summed with others.
    Term(Spread, u32, u32),
    /// Two of 16 bits.
    TermPair(Spread, u32, u32),
    /// An f32 between -8 and 8.
    Angle,
    /// A position or length in a word: up to 255, mostly up to 70.
    Field,
    /// A predicate.
    Bit,
    /// Mostly up to 70.
    Shift,
    /// Up to 31.
    Lane,
    /// From -40 to 40.
    Small,
}

/// How far apart the terms of a sum are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Mostly around 1; some zeros and subnormals.
    Tame,
    /// Large and small ones with few digits, so that large ones cancel.
    Cancel,
    /// Subnormal or nearly so.
    Tiny,
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ty {
    /// As the table names it.
    pub name: &'static str,
    /// Bits of its register; 1 for a predicate.
    pub bits: u32,
    /// What is drawn.
    pub draw: Draw,
}

const TYPES: [Ty; 53] = [
    ty("pred", 1, Draw::Bit),
    // A register of 32 bits, whose upper bits are not zero.
    ty("u8", 32, Draw::Int(8)),
    ty("s8", 32, Draw::Int(8)),
    ty("u16", 16, Draw::Int(16)),
    ty("s16", 16, Draw::Int(16)),
    ty("b16", 16, Draw::Int(16)),
    ty("u32", 32, Draw::Int(32)),
    ty("s32", 32, Draw::Int(32)),
    ty("b32", 32, Draw::Int(32)),
    ty("u64", 64, Draw::Int(64)),
    ty("s64", 64, Draw::Int(64)),
    ty("b64", 64, Draw::Int(64)),
    ty("nonzero_u16", 16, Draw::NonZero(16)),
    ty("nonzero_s16", 16, Draw::NonZero(16)),
    ty("nonzero_u32", 32, Draw::NonZero(32)),
    ty("nonzero_s32", 32, Draw::NonZero(32)),
    ty("nonzero_u64", 64, Draw::NonZero(64)),
    ty("nonzero_s64", 64, Draw::NonZero(64)),
    ty("u16x2", 32, Draw::IntPair),
    ty("s16x2", 32, Draw::IntPair),
    ty("f16", 16, Draw::Float(5, 10)),
    ty("bf16", 16, Draw::Float(8, 7)),
    ty("f32", 32, Draw::Float(8, 23)),
    ty("f64", 64, Draw::Float(11, 52)),
    ty("f16x2", 32, Draw::Pair(5, 10)),
    ty("bf16x2", 32, Draw::Pair(8, 7)),
    ty("e4m3x2", 16, Draw::Int(16)),
    ty("e5m2x2", 16, Draw::Int(16)),
    ty("shift", 32, Draw::Shift),
    ty("field", 32, Draw::Field),
    ty("lane", 32, Draw::Lane),
    ty("small_s32", 32, Draw::Small),
    ty("corner_f16", 16, Draw::Corner(5, 10)),
    ty("corner_bf16", 16, Draw::Corner(8, 7)),
    ty("corner_f32", 32, Draw::Corner(8, 23)),
    ty("corner_f64", 64, Draw::Corner(11, 52)),
    ty("corner_f16x2", 32, Draw::CornerPair(5, 10)),
    ty("corner_bf16x2", 32, Draw::CornerPair(8, 7)),
    ty("near_one_f16", 16, Draw::NearOne(5, 10)),
    ty("near_one_f32", 32, Draw::NearOne(8, 23)),
    ty("angle_f32", 32, Draw::Angle),
    ty("near_one_f64", 64, Draw::NearOne(11, 52)),
    ty("bytes", 32, Draw::Bytes),
    ty("near_end_s32", 32, Draw::NearEnd),
    ty("tame_f16x2", 32, Draw::TermPair(Spread::Tame, 5, 10)),
    ty("tame_bf16x2", 32, Draw::TermPair(Spread::Tame, 8, 7)),
    ty("tame_f32", 32, Draw::Term(Spread::Tame, 8, 23)),
    ty("cancel_f16x2", 32, Draw::TermPair(Spread::Cancel, 5, 10)),
    ty("cancel_bf16x2", 32, Draw::TermPair(Spread::Cancel, 8, 7)),
    ty("cancel_f32", 32, Draw::Term(Spread::Cancel, 8, 23)),
    ty("tiny_f16x2", 32, Draw::TermPair(Spread::Tiny, 5, 10)),
    ty("tiny_bf16x2", 32, Draw::TermPair(Spread::Tiny, 8, 7)),
    ty("tiny_f32", 32, Draw::Term(Spread::Tiny, 8, 23)),
];

const fn ty(name: &'static str, bits: u32, draw: Draw) -> Ty {
    Ty { name, bits, draw }
}

impl Ty {
    /// The type of this name.
    pub fn parse(name: &str) -> Option<Self> {
        TYPES.into_iter().find(|ty| ty.name == name)
    }

    /// Bytes of a stored result: a predicate is one byte, 0 or 1.
    pub fn stored_bytes(self) -> usize {
        self.bits.div_ceil(8) as usize
    }
}
