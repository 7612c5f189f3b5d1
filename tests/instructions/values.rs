//! Values of the parameters' types: how they are drawn, shown, and when two are the same.

use std::fmt;

use half::{bf16, f16};

/// A type of a parameter or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    F16,
    Bf16,
    F32,
    F64,
    F16x2,
    Bf16x2,
    /// An integer of so many bytes.
    Int(usize),
}

impl Kind {
    /// The type of this name in a table.
    pub fn of(name: &str) -> Option<Self> {
        Some(match name {
            "f16" => Self::F16,
            "bf16" => Self::Bf16,
            "f32" => Self::F32,
            "f64" => Self::F64,
            "f16x2" => Self::F16x2,
            "bf16x2" => Self::Bf16x2,
            "u8" | "bool" => Self::Int(1),
            "u16" | "i16" => Self::Int(2),
            "u32" | "i32" => Self::Int(4),
            "u64" | "i64" => Self::Int(8),
            _ => return None,
        })
    }

    /// Its size.
    pub fn bytes(self) -> usize {
        match self {
            Self::F16 | Self::Bf16 => 2,
            Self::F32 | Self::F16x2 | Self::Bf16x2 => 4,
            Self::F64 => 8,
            Self::Int(bytes) => bytes,
        }
    }

    /// The bits of its values.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes())
    }

    /// The value of these bytes.
    pub fn read(self, bytes: &[u8]) -> Value {
        let mut all = [0; 8];
        let len = self.bytes().min(bytes.len());
        all[..len].copy_from_slice(&bytes[..len]);
        Value { kind: self, bits: u64::from_le_bytes(all) }
    }
}

/// A value, as bits.
#[derive(Clone, Copy)]
pub struct Value {
    /// Its type.
    pub kind: Kind,
    /// Its bits.
    pub bits: u64,
}

impl Value {
    /// Its bytes in memory.
    pub fn to_bytes(self) -> Vec<u8> {
        self.bits.to_le_bytes()[..self.kind.bytes()].to_vec()
    }

    /// Whether they are the same bits, or both NaN: payloads are not promised.
    pub fn is_same(self, other: Self) -> bool {
        let parts = |part: Kind, at: u32| {
            let value = |bits: u64| Self { kind: part, bits: bits >> (16 * at) & part.mask() };
            value(self.bits).is_same(value(other.bits))
        };
        match self.kind {
            Kind::F16x2 => parts(Kind::F16, 0) && parts(Kind::F16, 1),
            Kind::Bf16x2 => parts(Kind::Bf16, 0) && parts(Kind::Bf16, 1),
            kind => self.bits == other.bits || is_nan(kind, self.bits) && is_nan(kind, other.bits),
        }
    }
}

fn is_nan(kind: Kind, bits: u64) -> bool {
    match kind {
        Kind::F16 => f16::from_bits(bits as u16).is_nan(),
        Kind::Bf16 => bf16::from_bits(bits as u16).is_nan(),
        Kind::F32 => f32::from_bits(bits as u32).is_nan(),
        Kind::F64 => f64::from_bits(bits).is_nan(),
        _ => false,
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.bits;
        match self.kind {
            Kind::F16 => write!(f, "{:e} ({bits:#06x})", f16::from_bits(bits as u16).to_f32()),
            Kind::Bf16 => write!(f, "{:e} ({bits:#06x})", bf16::from_bits(bits as u16).to_f32()),
            Kind::F32 => write!(f, "{:e} ({bits:#010x})", f32::from_bits(bits as u32)),
            Kind::F64 => write!(f, "{:e} ({bits:#018x})", f64::from_bits(bits)),
            _ => write!(f, "{bits:#x}"),
        }
    }
}

/// A Rust type of a parameter or result.
pub trait Typed: Sized {
    /// Its name in the tables.
    const KIND: Kind;
    /// The value of these bits.
    fn from_bits(bits: u64) -> Self;
    /// Its bits.
    fn bits(self) -> u64;
    /// The value as bits.
    fn value(self) -> Value {
        Value { kind: Self::KIND, bits: self.bits() & Self::KIND.mask() }
    }
}

macro_rules! typed {
    (integers: $($ty:ident)*) => {$(
        impl Typed for $ty {
            const KIND: Kind = Kind::Int(size_of::<$ty>());
            fn from_bits(bits: u64) -> Self {
                bits as $ty
            }
            fn bits(self) -> u64 {
                self as u64
            }
        }
    )*};
    ($($ty:ty, $kind:ident of $raw:ident;)*) => {$(
        impl Typed for $ty {
            const KIND: Kind = Kind::$kind;
            fn from_bits(bits: u64) -> Self {
                <$ty>::from_bits(bits as $raw)
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}
typed! { integers: u16 i16 u32 i32 u64 i64 }
typed! {
    f16, F16 of u16;
    bf16, Bf16 of u16;
    f32, F32 of u32;
    f64, F64 of u64;
    gpu_std::packed::f16x2, F16x2 of u32;
    gpu_std::packed::bf16x2, Bf16x2 of u32;
}

/// Draws values: corners of the type, values near the one before, and random ones. The same seed draws the same.
pub struct Draw {
    state: u64,
    last: u64,
}

/// Corners of f32; those of the other float types are their nearest values, and the corners of their own.
const CORNERS: [f64; 30] = [
    0.0,
    0.5,
    1.0,
    1.5,
    2.0,
    2.5,
    3.0,
    0.75,
    0.333_333,
    std::f64::consts::PI,
    std::f64::consts::TAU,
    127.5,
    128.0,
    254.5,
    255.5,
    2048.0,
    32767.5,
    65503.0,
    65504.0,
    65519.0,
    65520.0,
    16777217.0,
    2147483520.0,
    2147483648.0,
    4294967040.0,
    4294967296.0,
    9.223372036854775e18,
    1.8446744073709552e19,
    1e-6,
    3e-8,
];

impl Draw {
    /// Draws by a seed.
    pub fn new(seed: &str) -> Self {
        let state = seed
            .bytes()
            .fold(0x9e37_79b9, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Self { state, last: 0 }
    }

    /// Random bits (SplitMix64).
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A value.
    pub fn value(&mut self, kind: Kind) -> Value {
        let (sign, mask) = ((kind.mask() >> 1) + 1, kind.mask());
        let bits = match (kind, self.below(8)) {
            (Kind::F16x2, _) => self.value(Kind::F16).bits | self.value(Kind::F16).bits << 16,
            (Kind::Bf16x2, _) => self.value(Kind::Bf16).bits | self.value(Kind::Bf16).bits << 16,
            (_, 0) => match self.below(4) {
                0 => self.last,
                1 => self.last ^ sign,
                2 => self.last.wrapping_add(1),
                _ => self.last.wrapping_sub(1),
            },
            (Kind::Int(_), 1..4) => self.integer(sign),
            (_, 1..4) => self.corner(kind),
            (Kind::Int(_), 4) => self.below(260),
            (_, 4) => self.near_one(kind),
            _ => self.next(),
        };
        self.last = bits & mask;
        Value { kind, bits: bits & mask }
    }

    /// Ends of the range, and powers of two and their neighbours.
    fn integer(&mut self, sign: u64) -> u64 {
        let power = 1_u64 << self.below(64);
        match self.below(8) {
            0 => 0,
            1 => u64::MAX,
            2 => sign,
            3 => sign - 1,
            4 => power,
            5 => power - 1,
            6 => power.wrapping_neg(),
            _ => self.below(40).wrapping_sub(4),
        }
    }

    /// A corner of the float type, of either sign.
    fn corner(&mut self, kind: Kind) -> u64 {
        let (exponent, fraction) = format(kind);
        let infinity = ((1_u64 << exponent) - 1) << fraction;
        let one = ((1_u64 << (exponent - 1)) - 1) << fraction;
        let least_normal = 1_u64 << fraction;
        let own = [
            0,
            1,
            least_normal - 1,
            least_normal,
            least_normal + 1,
            one - 1,
            one,
            one + 1,
            infinity - 1,
            infinity,
            infinity + 1,
            infinity | least_normal >> 1,
        ];
        let at = self.below((own.len() + CORNERS.len()) as u64) as usize;
        let bits = own.get(at).copied().unwrap_or_else(|| nearest(kind, CORNERS[at - own.len()]));
        bits | self.next() & ((kind.mask() >> 1) + 1)
    }

    /// A value of moderate size.
    fn near_one(&mut self, kind: Kind) -> u64 {
        let (exponent, fraction) = format(kind);
        let bias = (1_u64 << (exponent - 1)) - 1;
        let sign = self.next() & ((kind.mask() >> 1) + 1);
        sign | (bias - 6 + self.below(14)) << fraction | self.next() & ((1 << fraction) - 1)
    }
}

/// Bits of exponent and fraction.
fn format(kind: Kind) -> (u32, u32) {
    match kind {
        Kind::F16 => (5, 10),
        Kind::Bf16 => (8, 7),
        Kind::F32 => (8, 23),
        _ => (11, 52),
    }
}

fn nearest(kind: Kind, value: f64) -> u64 {
    match kind {
        Kind::F16 => f16::from_f64(value).to_bits().into(),
        Kind::Bf16 => bf16::from_f64(value).to_bits().into(),
        Kind::F32 => (value as f32).to_bits().into(),
        _ => value.to_bits(),
    }
}
