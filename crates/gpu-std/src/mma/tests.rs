//! The layouts against the formulas of the ISA, shape by shape, and products through them.

extern crate std;
use std::collections::BTreeSet;

use super::*;
use crate::{bf16, f16};

/// Every element has one place, `place` is the inverse of `element`, and both are where the ISA says: `isa(lane, i)` is row and
/// column of element i of a lane.
macro_rules! layout {
    ($test:ident, $Frag:ty, $rows:literal x $columns:literal, |$group:ident, $thread:ident, $i:ident| $isa:expr) => {
        #[test]
        fn $test() {
            let mut seen = BTreeSet::new();
            for lane in 0..32_u32 {
                for $i in 0..<$Frag>::LEN {
                    let ($group, $thread) = (lane >> 2, lane % 4);
                    let (row, column): (u32, u32) = $isa;
                    assert_eq!(<$Frag>::element(lane, $i), (row, column), "lane {lane}, element {}", $i);
                    assert_eq!(<$Frag>::place(row, column), (lane, $i));
                    assert!(row < $rows && column < $columns);
                    seen.insert((row, column));
                }
            }
            assert_eq!(seen.len(), $rows * $columns);
        }
    };
}

layout!(a_of_8_bits, FragA<i8, 16, 32>, 16 x 32, |group, thread, i| (
    if i < 4 || (8..12).contains(&i) { group } else { group + 8 },
    if i < 8 { thread * 4 + (i & 3) } else { thread * 4 + (i & 3) + 16 }
));
layout!(b_of_8_bits, FragB<u8, 8, 32>, 32 x 8, |group, thread, i| (
    if i < 4 { thread * 4 + (i & 3) } else { thread * 4 + (i & 3) + 16 },
    group
));
layout!(a_of_16_bits, FragA<f16, 16, 16>, 16 x 16, |group, thread, i| (
    if i < 2 || (4..6).contains(&i) { group } else { group + 8 },
    if i < 4 { thread * 2 + (i & 1) } else { thread * 2 + (i & 1) + 8 }
));
layout!(b_of_16_bits, FragB<bf16, 8, 16>, 16 x 8, |group, thread, i| (
    if i < 2 { thread * 2 + (i & 1) } else { thread * 2 + (i & 1) + 8 },
    group
));
layout!(a_of_tf32, FragA<tf32, 16, 8>, 16 x 8, |group, thread, i| (
    if i == 0 || i == 2 { group } else { group + 8 },
    if i < 2 { thread } else { thread + 4 }
));
layout!(b_of_tf32, FragB<tf32, 8, 8>, 8 x 8, |group, thread, i| (
    if i == 0 { thread } else { thread + 4 },
    group
));
layout!(c_and_d, FragC<i32, 16, 8>, 16 x 8, |group, thread, i| (
    if i < 2 { group } else { group + 8 },
    thread * 2 + (i & 1)
));

#[test]
fn matrices_of_8_by_8_lie_four_lanes_to_a_row() {
    let mut seen = BTreeSet::new();
    for lane in 0..32 {
        assert_eq!(matrix_row(lane), (lane >> 3, lane & 7));
        for half in 0..2 {
            let (row, column) = matrix_element(lane, half);
            assert_eq!((row, column), (lane >> 2, (lane & 3) << 1 | half));
            assert_eq!(matrix_element_trans(lane, half), (column, row));
            seen.insert((row, column));
        }
    }
    assert_eq!(seen.len(), 64);
}

/// What `ldmatrix` of `count` matrices puts into the registers of each lane, of a matrix in which the 16 bytes at
/// (row, column) are `bytes(row, column)` and lane l gives the address `rows(l)`.
fn loaded<const COUNT: usize>(
    rows: impl Fn(u32) -> (u32, u32),
    bytes: impl Fn(u32, u32) -> [u8; 16],
    trans: bool,
) -> [[u32; COUNT]; 32] {
    core::array::from_fn(|lane| {
        core::array::from_fn(|matrix| {
            (0..2).fold(0, |word, half| {
                let place = if trans { matrix_element_trans } else { matrix_element };
                let (row, column) = place(lane as u32, half);
                let (r, c) = rows(8 * matrix as u32 + row);
                let [low, high] = [0, 1].map(|byte| bytes(r, c)[(2 * column + byte) as usize]);
                word | u32::from(u16::from_le_bytes([low, high])) << (16 * half)
            })
        })
    })
}

/// `ldmatrix` with the rows of `ldmatrix_row` loads the fragments of the matrix, whatever the type.
macro_rules! loads {
    ($test:ident, $ty:ty, $k:literal, |$number:ident| $element:expr) => {
        #[test]
        fn $test() {
            const SIZE: u32 = size_of::<$ty>() as u32;
            let value = |row: u32, k: u32| -> $ty {
                let $number = row * 37 + k * 11;
                $element
            };
            // A, and B as its columns: 16 rows along k.
            let bytes = |row: u32, k: u32| {
                core::array::from_fn(|byte| {
                    let word = value(row, k + byte as u32 / SIZE).to_word();
                    word.to_le_bytes()[byte % SIZE as usize]
                })
            };
            let a = loaded::<4>(FragA::<$ty, 16, $k>::ldmatrix_row, bytes, false);
            let column_of = |lane| {
                let (k, column) = FragB::<$ty, 8, $k>::ldmatrix_row(lane);
                (column, k)
            };
            let b = loaded::<4>(column_of, bytes, false);
            for lane in 0..32 {
                let (a, b) = (a[lane as usize], b[lane as usize]);
                assert_eq!(a, FragA::<$ty, 16, $k>::from_fn(lane, value).registers);
                let low = FragB::<$ty, 8, $k>::from_fn(lane, |k, column| value(column, k));
                let high = FragB::<$ty, 8, $k>::from_fn(lane, |k, column| value(column + 8, k));
                assert_eq!([b[0], b[1]], low.registers);
                assert_eq!([b[2], b[3]], high.registers);
            }
        }
    };
}

loads!(ldmatrix_loads_fragments_of_8_bits, i8, 32, |n| n as i8);
loads!(ldmatrix_loads_fragments_of_16_bits, bf16, 16, |n| bf16::from_bits(n as u16));
loads!(ldmatrix_loads_fragments_of_tf32, tf32, 8, |n| tf32::from_bits(n));

#[test]
fn ldmatrix_transposes_fragments_of_16_bits() {
    // Row r, column c of what lies in memory.
    let value = |r: u32, c: u32| f16::from_bits((r * 64 + c) as u16);
    let bytes = |r: u32, c: u32| {
        core::array::from_fn(|byte| value(r, c + byte as u32 / 2).to_bits().to_le_bytes()[byte % 2])
    };
    type A = FragA<f16, 16, 16>;
    type B = FragB<f16, 8, 16>;
    let of_a = |lane| {
        let (row, k) = A::ldmatrix_trans_row(lane);
        (k, row)
    };
    let (a, b) = (loaded::<4>(of_a, bytes, true), loaded::<4>(B::ldmatrix_trans_row, bytes, true));
    for lane in 0..32 {
        let (a, b) = (a[lane as usize], b[lane as usize]);
        assert_eq!(a, A::from_fn(lane, |row, k| value(k, row)).registers);
        assert_eq!([b[0], b[1]], B::from_fn(lane, value).registers);
        assert_eq!([b[2], b[3]], B::from_fn(lane, |k, column| value(k, column + 8)).registers);
    }
}

#[test]
fn stmatrix_stores_pairs_of_c() {
    for lane in 0..32 {
        let c = FragC::<u32, 16, 8>::from_fn(lane, |row, column| row * 8 + column);
        let pairs = c.pairs(|low, high| low | high << 16);
        for (matrix, pair) in (0..).zip(pairs) {
            for half in 0..2 {
                let (row, column) = matrix_element(lane, half);
                assert_eq!(pair >> (16 * half) & 0xffff, (8 * matrix + row) * 8 + column);
            }
        }
    }
}

#[test]
fn a_warp_multiplies() {
    let (a, b) =
        (|row: u32, k: u32| (row * 31 + k * 7) as i8, |k: u32, column: u32| (k * 13 + column * 5) as u8);
    let frag_a = core::array::from_fn(|lane| FragA::<i8, 16, 32>::from_fn(lane as u32, a));
    let frag_b = core::array::from_fn(|lane| FragB::<u8, 8, 32>::from_fn(lane as u32, b));
    let frag_c =
        core::array::from_fn(|lane| FragC::from_fn(lane as u32, |row, column| (row * column) as i32));
    let d = mma_warp_cpu(&frag_a, &frag_b, &frag_c);
    let mut elements = 0;
    for (lane, d) in (0..).zip(d) {
        d.for_each(lane, |row, column, got| {
            let sum: i32 = (0..32).map(|k| i32::from(a(row, k)) * i32::from(b(k, column))).sum();
            assert_eq!(got, sum + (row * column) as i32, "row {row}, column {column}");
            elements += 1;
        });
    }
    assert_eq!(elements, 128);
    let ones = core::array::from_fn(|_| FragA::<tf32, 16, 8>::from_registers([0x3f80_0fff; 4]));
    let twos = core::array::from_fn(|_| FragB::<tf32, 8, 8>::from_registers([2_f32.to_bits(); 2]));
    let d = mma_warp_cpu(&ones, &twos, &[FragC::filled(0.5); 32]);
    assert!(d.iter().all(|d| d.registers == [16.5; 4]));
}

#[test]
fn elements_come_back() {
    let a = FragA::<u8, 16, 32>::from_fn(9, |row, k| (row * 16 + k) as u8);
    for index in 0..FragA::<u8, 16, 32>::LEN {
        let (row, k) = FragA::<u8, 16, 32>::element(9, index);
        assert_eq!(a.get(index), (row * 16 + k) as u8);
    }
    let scaled = FragC::<i32, 16, 8>::filled(3).map(|x| f64::from(x) / 2.0);
    assert_eq!(scaled.registers, [1.5; 4]);
    assert_eq!(tf32::from_f32(1.0 + 2_f32.powi(-11)).to_f32(), 1.0 + 2_f32.powi(-10));
}
