//! Boxes against what the ISA's figures say.

use super::*;
use crate::TensorElement;

fn tile(element: TensorElement, dims: &[u64], boxes: &[u32], swizzle: TensorSwizzle, first: &[i32]) -> Tile {
    let mut spec = TensorSpec::packed(element, 0x1000, dims, boxes);
    spec.swizzle = swizzle;
    Tile::new(&TensorMap::new(spec).expect("it is legal"), first.to_vec())
}

#[test]
fn elements_follow_the_strides_and_stop_at_the_edges() {
    let tile = tile(TensorElement::F32, &[8, 6], &[4, 3], TensorSwizzle::None, &[6, 4]);
    let want = |x: u64, y: u64| (x < 8 && y < 6).then(|| 0x1000 + 4 * (x + 8 * y));
    for number in 0..12 {
        let (x, y) = (6 + u64::from(number) % 4, 4 + u64::from(number) / 4);
        assert_eq!(tile.element(number), want(x, y), "{number}");
    }
    assert_eq!((tile.bytes(), tile.footprint()), (48, 48));
}

#[test]
fn stores_end_with_a_piece_of_16_bytes() {
    let tile = tile(TensorElement::F16, &[13], &[16], TensorSwizzle::None, &[0]);
    let ends = |place: &dyn Fn(u32) -> Option<u64>| (0..16).filter(|number| place(*number).is_some()).count();
    assert_eq!(ends(&|number| tile.element(number)), 13);
    assert_eq!(ends(&|number| tile.stored_element(number)), 16);
}

#[test]
fn negative_coordinates_are_outside() {
    let tile = tile(TensorElement::U8, &[32], &[16], TensorSwizzle::None, &[-3]);
    let inside: Vec<bool> = (0..16).map(|number| tile.element(number).is_some()).collect();
    assert_eq!(inside.iter().filter(|inside| !**inside).count(), 3);
    assert_eq!(tile.element(3), Some(0x1000));
}

#[test]
fn swizzles_exchange_pieces_as_in_the_figures() {
    // Row r of 128 bytes: piece c lies at c ^ r.
    let wide = tile(TensorElement::F16, &[64, 64], &[64, 16], TensorSwizzle::B128, &[0, 0]);
    // Two rows of 64 bytes in 128: piece c of rows 2r, 2r + 1 at c ^ (r & 3).
    let half = tile(TensorElement::F16, &[64, 64], &[32, 16], TensorSwizzle::B64, &[0, 0]);
    let narrow = tile(TensorElement::F16, &[64, 64], &[16, 16], TensorSwizzle::B32, &[0, 0]);
    for row in 0..16_u64 {
        for piece in 0..8 {
            assert_eq!(wide.piece(4096, 8 * row + piece), 4096 + 128 * row + 16 * (piece ^ (row % 8)));
        }
        for piece in 0..4 {
            assert_eq!(half.piece(4096, 4 * row + piece), 4096 + 64 * row + 16 * (piece ^ (row / 2 % 4)));
        }
        for piece in 0..2 {
            assert_eq!(narrow.piece(4096, 2 * row + piece), 4096 + 32 * row + 16 * (piece ^ (row / 4 % 2)));
        }
    }
}
