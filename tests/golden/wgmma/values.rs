//! Operands: random, and laid out for the program.

use gpu_std::swizzle::TileLayout;
use gpu_std::wgmma::{A8, A16, Acc};

use super::{Place, Spec, Types, Values};
use crate::inputs::Random;

/// Matrices of raw elements.
pub struct Operands {
    /// `a[row][k]`
    pub a: Vec<Vec<u16>>,
    /// `b[column][k]`
    pub b: Vec<Vec<u16>>,
    /// What is in the accumulators before, `c[row][column]`.
    pub c: Vec<Vec<u32>>,
}

/// Draws the operands of a program.
pub fn draw(spec: &Spec, random: &mut Random) -> Operands {
    let mut matrix = |rows: usize, columns: usize, value: &dyn Fn(&mut Random) -> u32| -> Vec<Vec<u32>> {
        (0..rows).map(|_| (0..columns).map(|_| value(random)).collect()).collect()
    };
    let element = |random: &mut Random| element(spec, random);
    let narrow = |rows: Vec<Vec<u32>>| -> Vec<Vec<u16>> {
        rows.into_iter().map(|row| row.into_iter().map(|bits| bits as u16).collect()).collect()
    };
    Operands {
        a: narrow(matrix(64, spec.types.depth(), &element)),
        b: narrow(matrix(spec.n, spec.types.depth(), &element)),
        c: matrix(64, spec.n, &|random| accumulator(spec, random)),
    }
}

/// An element of A or B.
fn element(spec: &Spec, random: &mut Random) -> u32 {
    let (fraction, bias) = if spec.types == Types::Bf16 { (7, 127) } else { (10, 15) };
    let bits = random.bits() as u32;
    match (spec.types, spec.values) {
        (Types::Integers(..), _) => bits & 0xff,
        (_, Values::Exact) => small_integer(bits % 31, fraction, bias),
        (_, Values::Reals) => {
            let exponent = bias - 6 + (bits >> 16) % 12;
            (bits & 1) << 15 | exponent << fraction | (bits >> 1) & ((1 << fraction) - 1)
        }
        (_, Values::Specials) if !bits.is_multiple_of(8) => small_integer(bits / 8 % 31, fraction, bias),
        (_, Values::Specials) => {
            let infinity = 0x7fff >> fraction << fraction;
            let special =
                [0, 1, (1 << fraction) - 1, 1 << fraction, infinity - 1, infinity, infinity + 1, 0x7fff];
            // NaNs and infinities spread over rows and columns: few of them, that others are seen too.
            let which = if bits & 0x700 == 0 { bits >> 16 & 7 } else { bits >> 16 & 3 };
            special[which as usize] | bits >> 16 & 0x8000
        }
    }
}

/// The float of 16 bits of `number` - 15.
fn small_integer(number: u32, fraction: u32, bias: u32) -> u32 {
    let (sign, magnitude) = (u32::from(number < 15), number.abs_diff(15));
    if magnitude == 0 {
        return sign << 15;
    }
    let exponent = magnitude.ilog2();
    sign << 15 | (bias + exponent) << fraction | (magnitude - (1 << exponent)) << (fraction - exponent)
}

fn accumulator(spec: &Spec, random: &mut Random) -> u32 {
    let bits = random.bits() as u32;
    match (spec.types, spec.values) {
        (Types::Integers(..), _) => bits,
        (_, Values::Exact) => ((bits % 2001) as f32 - 1000.0).to_bits(),
        (_, Values::Reals) => (bits & 0x807f_ffff) | (118 + (bits >> 24) % 16) << 23,
        (_, Values::Specials) => match bits % 16 {
            0 => f32::INFINITY.to_bits() | bits & 0x8000_0000,
            1 => f32::NAN.to_bits(),
            2 => bits & 0x807f_ffff,
            3 => bits & 0x8000_0000,
            _ => ((bits % 2001) as f32 - 1000.0).to_bits(),
        },
    }
}

/// The layout of the tile of B and, where A is in shared memory, of A.
pub fn layouts(spec: &Spec) -> (Option<TileLayout>, TileLayout) {
    (spec.a.map(|place| place.layout(spec.types, 64)), spec.b.layout(spec.types, spec.n))
}

/// Where B's tile starts: behind A's, at a multiple of every atom.
pub fn second_tile(spec: &Spec) -> usize {
    layouts(spec).0.map_or(0, |layout| layout.bytes().next_multiple_of(1024))
}

/// Bytes of both tiles.
pub fn tile_bytes(spec: &Spec) -> usize {
    second_tile(spec) + layouts(spec).1.bytes()
}

/// What lies at `input`: the tiles, then by thread the accumulators, then by thread A's registers.
pub fn input(spec: &Spec, operands: &Operands, random: &mut Random) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..tile_bytes(spec)).map(|_| random.bits() as u8).collect();
    if let Some(place) = spec.a {
        put(&mut bytes, spec, place, &operands.a);
    }
    let second = second_tile(spec);
    put(&mut bytes[second..], spec, spec.b, &operands.b);
    for thread in 0..128 {
        for index in 0..spec.n / 2 {
            let (row, column) = Acc::<i32, 8>::element(thread, index);
            bytes.extend(operands.c[row][column].to_le_bytes());
        }
    }
    if spec.a.is_none() {
        (0..128).for_each(|thread| bytes.extend(fragment(spec, operands, thread)));
    }
    bytes
}

/// Puts an operand into its tile.
fn put(tile: &mut [u8], spec: &Spec, place: Place, matrix: &[Vec<u16>]) {
    let layout = place.layout(spec.types, matrix.len());
    let size = spec.types.bytes();
    for (mn, row) in matrix.iter().enumerate() {
        for (k, bits) in row.iter().enumerate() {
            let at = layout.offset(mn, place.step * spec.types.depth() + k);
            tile[at..at + size].copy_from_slice(&bits.to_le_bytes()[..size]);
        }
    }
}

/// A's registers of a thread.
fn fragment(spec: &Spec, operands: &Operands, thread: usize) -> Vec<u8> {
    let of = |(row, k): (usize, usize)| operands.a[row][k];
    match spec.types {
        Types::Integers(..) => (0..16).map(|index| of(A8::element(thread, index)) as u8).collect(),
        _ => (0..8).flat_map(|index| of(A16::element(thread, index)).to_le_bytes()).collect(),
    }
}
