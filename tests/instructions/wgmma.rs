//! Matrix instructions of a warpgroup against plain loops.

use gpu_std::swizzle::{Swizzle, TileLayout};
use gpu_std::wgmma::{A8, A16, Acc};

use crate::built::{Target, built};
use crate::rows::Row;

/// Columns of the kernels.
const N: usize = 16;
/// Words of both tiles.
const WORDS: u32 = 640;

/// Runs a wrapper's kernel, and compares with the product of the same bytes.
///
/// # Errors
/// The first result that differs, or what was found.
pub fn agrees_with_plain_loops(row: &Row, target: Target) -> Result<(), String> {
    let built = built(target)?;
    let said = |why: String| format!("{target}: {}: {why}", row.name);
    if row.args.is_empty() {
        return built.launch(&row.entry(), 64, &[]).map_err(said);
    }
    let bytes = input(row.has_word("f32"), row.has_word("bf16"));
    let (x, out) = (built.upload(&bytes)?, built.alloc(4 * 128 * N / 2)?);
    built.launch(&row.entry(), 128, &[out.param(), x.param()]).map_err(said)?;
    let got = out.read()?;
    for (at, got) in got.chunks(4).enumerate() {
        let want = element(row, &bytes, at / (N / 2), at % (N / 2)).to_le_bytes();
        if got != want {
            return Err(said(format!("thread {}, {}: got {got:02x?}, want {want:02x?}", at / 8, at % 8)));
        }
    }
    Ok(())
}

/// Any bytes, or numbers from -7 to 8: their sums are exact.
fn input(floats: bool, bf16: bool) -> Vec<u8> {
    let word = |i: u32| i.wrapping_mul(0x9e37_79b9) ^ i.rotate_left(9);
    if !floats {
        return (0..WORDS).flat_map(|i| word(i).to_le_bytes()).collect();
    }
    let number = |i: u32| {
        let number = (word(i) >> 28) as f32 - 7.0;
        if bf16 { half::bf16::from_f32(number).to_bits() } else { half::f16::from_f32(number).to_bits() }
    };
    (0..2 * WORDS).flat_map(|i| number(i).to_le_bytes()).collect()
}

fn element(row: &Row, bytes: &[u8], thread: usize, index: usize) -> u32 {
    let (i, j) = Acc::<i32, N>::element(thread, index);
    let (a, b) = (lines(row, bytes, i), line_of_tile(&bytes[2048..], N, j));
    if !row.has_word("f32") {
        // The rows of fences multiply signed bytes.
        let unsigned = |word: &str| row.name.contains(word);
        let number =
            |byte: u8, unsigned: bool| if unsigned { i32::from(byte) } else { i32::from(byte as i8) };
        let (first, second) = (unsigned("async_u8"), unsigned("s8_u8") || unsigned("u8_u8"));
        let products = a.iter().zip(&b).map(|(a, b)| number(*a, first) * number(*b, second));
        return products.sum::<i32>() as u32;
    }
    let number = |two: &[u8]| {
        let bits = u16::from_le_bytes([two[0], two[1]]);
        if row.has_word("bf16") {
            half::bf16::from_bits(bits).to_f32()
        } else {
            half::f16::from_bits(bits).to_f32()
        }
    };
    let sign = if ["wgmma_mma_async_f16__negated", "wgmma_mma_async_bf16_ra"].contains(&row.name) {
        -1.0
    } else {
        1.0
    };
    let sum: f32 = a.chunks(2).zip(b.chunks(2)).map(|(a, b)| sign * number(a) * number(b)).sum();
    sum.to_bits()
}

/// The 32 bytes of k of a row of A.
fn lines(row: &Row, bytes: &[u8], i: usize) -> Vec<u8> {
    if !row.name.ends_with("_ra") {
        return line_of_tile(bytes, 64, i);
    }
    let mut line = vec![0; 32];
    for thread in 0..128 {
        for at in 0..16 {
            let (mn, byte) = if row.has_word("f32") {
                let (mn, k) = A16::element(thread, at / 2);
                (mn, 2 * k + at % 2)
            } else {
                A8::element(thread, at)
            };
            if mn == i {
                line[byte] = bytes[16 * thread + at];
            }
        }
    }
    line
}

fn line_of_tile(tile: &[u8], rows: usize, row: usize) -> Vec<u8> {
    let layout = TileLayout::k_major::<u8>(rows, 32, Swizzle::None);
    (0..32).map(|k| tile[layout.offset(row, k)]).collect()
}
