//! Layouts and descriptors against the ISA's figures and against a walk of the descriptors.

extern crate std;
use std::vec;
use std::vec::Vec;

use super::*;

const SWIZZLES: [Swizzle; 4] = [Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128];

/// The layouts of a few shapes, all that are legal.
fn layouts() -> Vec<TileLayout> {
    let mut layouts = Vec::new();
    for swizzle in SWIZZLES {
        let line = swizzle.line_bytes().max(32);
        for columns in 1..=3 {
            for rows in [8, 64, 72, 256] {
                layouts.push(TileLayout::k_major::<i8>(rows, columns * line, swizzle));
                layouts.push(TileLayout::k_major::<u16>(rows, columns * line / 2, swizzle));
            }
            for k in [16, 64, 80] {
                layouts.push(TileLayout::mn_major::<u16>(columns * swizzle.line_bytes() / 2, k, swizzle));
            }
        }
    }
    layouts
}

/// Where element (`mn`, `k`) of an operand lies for an instruction that gets the descriptor: the ISA's canonical layouts, in
/// 16-byte units. (mn: inside a unit or a line, then by the offsets; k likewise.)
fn walk(descriptor: MatrixDescriptor, major: Major, bytes: usize, mn: usize, k: usize) -> usize {
    let mode = descriptor.to_bits() >> 62;
    let swizzle = SWIZZLES.into_iter().find(|swizzle| swizzle.mode() == mode).unwrap();
    let (leading, stride) = (descriptor.leading() as usize, descriptor.stride() as usize);
    let width = swizzle.line_bytes();
    let plain = match (major, swizzle) {
        (Major::K, Swizzle::None) => {
            mn % 8 * 16 + mn / 8 * stride + k * bytes / 16 * leading + k * bytes % 16
        }
        (Major::K, _) => mn % 8 * width + mn / 8 * stride + k * bytes,
        (Major::Mn, Swizzle::None) => mn % 8 * 2 + mn / 8 * stride + k % 8 * 16 + k / 8 * leading,
        (Major::Mn, _) => {
            let per_line = width / 2;
            mn % per_line * 2 + mn / per_line * leading + k % 8 * width + k / 8 * stride
        }
    };
    swizzle.apply(descriptor.address() as usize + plain)
}

#[test]
fn pieces_of_a_line_are_exchanged_as_in_the_figures() {
    // Where piece 0, 1, … of lines 0 to 7 lie: each row of the ISA's figure.
    let places = |swizzle: Swizzle| -> Vec<Vec<usize>> {
        let width = swizzle.line_bytes();
        let piece =
            |line: usize, piece: usize| (swizzle.apply(line * width + piece * 16) - line * width) / 16;
        (0..8).map(|line| (0..width / 16).map(|at| piece(line, at)).collect()).collect()
    };
    assert_eq!(
        places(Swizzle::B128),
        [
            [0, 1, 2, 3, 4, 5, 6, 7],
            [1, 0, 3, 2, 5, 4, 7, 6],
            [2, 3, 0, 1, 6, 7, 4, 5],
            [3, 2, 1, 0, 7, 6, 5, 4],
            [4, 5, 6, 7, 0, 1, 2, 3],
            [5, 4, 7, 6, 1, 0, 3, 2],
            [6, 7, 4, 5, 2, 3, 0, 1],
            [7, 6, 5, 4, 3, 2, 1, 0],
        ]
    );
    let pairs = |rows: [[usize; 4]; 4]| rows.into_iter().flat_map(|row| [row, row]).collect::<Vec<_>>();
    assert_eq!(places(Swizzle::B64), pairs([[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]));
    let halves = [[[0, 1]; 4], [[1, 0]; 4]].concat();
    assert_eq!(places(Swizzle::B32), halves);
    assert_eq!(places(Swizzle::None), [[0]; 8]);
}

#[test]
fn a_swizzle_is_its_own_inverse_and_repeats_after_an_atom() {
    for swizzle in SWIZZLES {
        for address in 0..4096 {
            assert_eq!(swizzle.apply(swizzle.apply(address)), address);
            assert_eq!(
                swizzle.apply(address + swizzle.atom_bytes()),
                swizzle.apply(address) + swizzle.atom_bytes()
            );
        }
    }
}

#[test]
fn every_element_has_a_place_of_its_own() {
    for layout in layouts() {
        let bytes = layout.element_bytes;
        let contiguous = layout.columns() * layout.swizzle().line_bytes() / bytes;
        let mut seen = vec![false; layout.bytes()];
        for line in 0..layout.lines() {
            for at in 0..contiguous {
                let (mn, k) = if layout.major() == Major::K { (line, at) } else { (at, line) };
                let offset = layout.offset(mn, k);
                assert!(offset.is_multiple_of(bytes) && !seen[offset], "{layout:?} {mn} {k}");
                assert_eq!(offset, layout.line_offset(line, at * bytes));
                seen[offset..offset + bytes].fill(true);
            }
        }
        assert!(seen.into_iter().all(|seen| seen), "{layout:?}");
    }
}

#[test]
fn descriptors_say_what_the_layouts_do() {
    let address = 3 * 1024;
    for layout in layouts() {
        let (lines, bytes) = (layout.lines(), layout.element_bytes);
        let contiguous = layout.columns() * layout.swizzle().line_bytes() / bytes;
        let (mns, ks) = if layout.major() == Major::K { (lines, contiguous) } else { (contiguous, lines) };
        let step = 32 / bytes;
        let whole = layout.descriptor(address);
        for first in (0..ks).step_by(step) {
            let part = whole.advance(layout.part(0, first));
            for (mn, k) in (0..mns).flat_map(|mn| (0..step).map(move |k| (mn, k))) {
                let place = walk(part, layout.major(), bytes, mn, k);
                assert_eq!(
                    place,
                    address as usize + layout.offset(mn, first + k),
                    "{layout:?} {mn} {first}+{k}"
                );
            }
        }
    }
}

#[test]
fn parts_begin_at_any_eight_rows_or_whole_columns() {
    for layout in layouts() {
        let (lines, bytes) = (layout.lines(), layout.element_bytes);
        let per_line = layout.swizzle().line_bytes() / bytes;
        let (rows, mns) =
            if layout.major() == Major::K { (8, lines) } else { (per_line, layout.columns() * per_line) };
        for first in (0..mns).step_by(rows) {
            let part = layout.descriptor(0).advance(layout.part(first, 0));
            for (mn, k) in (0..mns - first).flat_map(|mn| (0..32 / bytes).map(move |k| (mn, k))) {
                assert_eq!(
                    walk(part, layout.major(), bytes, mn, k),
                    layout.offset(first + mn, k),
                    "{layout:?}"
                );
            }
        }
    }
}

#[test]
fn descriptors_have_their_fields_in_their_places() {
    let layout = const { TileLayout::k_major::<i8>(128, 128, Swizzle::B128) };
    assert_eq!(layout.descriptor(0x12340).to_bits(), 1 << 62 | 64 << 32 | 1 << 16 | 0x1234);
    let layout = const { TileLayout::mn_major::<u16>(128, 64, Swizzle::B64) };
    assert_eq!(layout.byte_offsets(), (64 * 64, 512));
    assert_eq!(layout.descriptor(0x400).to_bits(), 2 << 62 | 32 << 32 | 256 << 16 | 0x40);
    let layout = const { TileLayout::k_major::<u16>(64, 16, Swizzle::None) };
    assert_eq!(layout.descriptor(0x80).to_bits(), 8 << 32 | 64 << 16 | 8);
    let one = MatrixDescriptor::new(0x80, 0x3fff0, 0x10, Swizzle::B32);
    assert_eq!((one.address(), one.leading(), one.stride(), one.to_bits() >> 62), (0x80, 0x3fff0, 0x10, 3));
    assert_eq!(MatrixDescriptor::from_bits(one.to_bits()).advance(0x40).address(), 0xc0);
}

#[test]
fn tiles_are_aligned_to_every_atom() {
    assert_eq!((align_of::<Tile<1024>>(), size_of::<Tile<2048>>()), (1024, 2048));
    const A: TileLayout = TileLayout::k_major::<i8>(64, 128, Swizzle::B128);
    const { assert!(Tile::<8192>::holds(A) && !Tile::<4096>::holds(A) && !Tile::<8200>::holds(A)) }
    assert_eq!(Tile([7; 1024]).bytes()[1023], 7);
}
