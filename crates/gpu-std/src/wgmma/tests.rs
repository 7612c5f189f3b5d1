//! The layouts of fragments.

extern crate std;
use std::vec;

use super::*;

/// Every element of `rows` × `columns` belongs to one thread and index.
fn covers(rows: usize, columns: usize, len: usize, element: impl Fn(usize, usize) -> (usize, usize)) {
    let mut seen = vec![false; rows * columns];
    for (thread, index) in (0..128).flat_map(|thread| (0..len).map(move |index| (thread, index))) {
        let (row, column) = element(thread, index);
        assert!(row < rows && column < columns, "{thread} {index}: {row}, {column}");
        assert!(!std::mem::replace(&mut seen[row * columns + column], true), "{thread} {index} again");
    }
    assert!(seen.into_iter().all(|seen| seen));
}

#[test]
fn fragments_have_every_element_once() {
    covers(64, 8, Acc::<i32, 8>::LEN, Acc::<i32, 8>::element);
    covers(64, 136, Acc::<f32, 136>::LEN, Acc::<f32, 136>::element);
    covers(64, 256, Acc::<i32, 256>::LEN, Acc::<i32, 256>::element);
    covers(64, 32, 16, A8::element);
    covers(64, 16, 8, A16::element);
}

#[test]
fn fragments_are_laid_out_as_in_the_figures() {
    let acc = Acc::<f32, 64>::element;
    assert_eq!([0, 1, 2, 3, 4, 31].map(|i| acc(0, i)), [(0, 0), (0, 1), (8, 0), (8, 1), (0, 8), (8, 57)]);
    assert_eq!([0, 2, 5].map(|i| acc(5, i)), [(1, 2), (9, 2), (1, 11)]);
    assert_eq!([0, 3].map(|i| acc(127, i)), [(55, 6), (63, 7)]);
    assert_eq!(
        [0, 3, 4, 8, 12, 15].map(|i| A8::element(0, i)),
        [(0, 0), (0, 3), (8, 0), (0, 16), (8, 16), (8, 19)]
    );
    assert_eq!(A8::element(38, 5), (25, 9));
    assert_eq!(
        [0, 1, 2, 4, 6, 7].map(|i| A16::element(0, i)),
        [(0, 0), (0, 1), (8, 0), (0, 8), (8, 8), (8, 9)]
    );
    assert_eq!(A16::element(38, 7), (25, 13));
}

#[test]
fn accumulators_hold_numbers() {
    let mut acc = Acc::<i32, 16>::zero();
    acc.set(7, -3);
    assert_eq!([acc.get(6), acc.get(7)], [0, -3]);
    let mut indices = std::vec::Vec::new();
    Acc::<i32, 24>::each(|i| indices.push(i));
    assert_eq!(indices, (0..12).collect::<std::vec::Vec<_>>());
    let mut acc = Acc::<f32, 8>::zero();
    acc.set(1, -2.5);
    assert_eq!([acc.get(0), acc.get(1)], [0.0, -2.5]);
    assert_eq!((Acc::<f32, 8>::LEN, Acc::<i32, 256>::LEN), (4, 128));
}

#[test]
#[should_panic = "`wgmma_mma_async_s8_u8` runs on the device only"]
fn the_host_says_what_it_cannot_do() {
    let descriptor = crate::swizzle::MatrixDescriptor::from_bits(0);
    // SAFETY: it panics.
    unsafe { wgmma_mma_async_s8_u8(&mut Acc::<i32, 8>::zero(), descriptor, descriptor, false) }
}
