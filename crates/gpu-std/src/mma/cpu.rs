//! The product of a whole warp on the host, for tests of code that handles fragments.

use super::element::MmaElement;
use super::fragment::{FragA, FragB, FragC};
use super::sync::MmaWith;

/// a·b + c of the fragments of a warp, by lane. Integers are those of `mma`; floats are added in order of k, each product with
/// one rounding, so that they may differ from it in the last bits.
#[must_use]
pub fn mma_warp_cpu<A: MmaWith<B, K>, B: MmaElement, const K: usize>(
    a: &[FragA<A, 16, K>; 32],
    b: &[FragB<B, 8, K>; 32],
    c: &[FragC<A::Sum, 16, 8>; 32],
) -> [FragC<A::Sum, 16, 8>; 32] {
    let mut d = *c;
    for (lane, d) in (0..).zip(&mut d) {
        for (index, sum) in (0..).zip(&mut d.registers) {
            let (row, column) = FragC::<A::Sum, 16, 8>::element(lane, index);
            for k in 0..K as u32 {
                let (lane_a, at_a) = FragA::<A, 16, K>::place(row, k);
                let (lane_b, at_b) = FragB::<B, 8, K>::place(k, column);
                *sum = A::fused_cpu(a[lane_a as usize].get(at_a), b[lane_b as usize].get(at_b), *sum);
            }
        }
    }
    d
}
