//! Which lane holds which element, as functions of numbers.
//!
//! Four lanes share a row of A, of C and of a matrix of `ldmatrix`, or a column of B: lane = 4·row + place in the row, for the
//! eight rows of one register. `per` is the number of elements in a register.

/// Row and column of element `index` of a lane's part of A (ISA, “Matrix Fragments for mma.m16n8k8, .m16n8k16, .m16n8k32”).
pub(super) const fn a_element(per: u32, lane: u32, index: u32) -> (u32, u32) {
    let (register, part) = (index / per, index % per);
    (lane / 4 + 8 * (register % 2), lane % 4 * per + part + 4 * per * (register / 2))
}

/// Lane and index of an element of A.
pub(super) const fn a_place(per: u32, row: u32, column: u32) -> (u32, u32) {
    let register = row / 8 + 2 * (column / (4 * per));
    (row % 8 * 4 + column % (4 * per) / per, register * per + column % per)
}

/// Row (along k) and column of element `index` of a lane's part of B.
pub(super) const fn b_element(per: u32, lane: u32, index: u32) -> (u32, u32) {
    let (register, part) = (index / per, index % per);
    (lane % 4 * per + part + 4 * per * register, lane / 4)
}

/// Lane and index of an element of B.
pub(super) const fn b_place(per: u32, row: u32, column: u32) -> (u32, u32) {
    (column * 4 + row % (4 * per) / per, row / (4 * per) * per + row % per)
}

/// Row and column of element `index` of a lane's part of C and D.
pub(super) const fn c_element(lane: u32, index: u32) -> (u32, u32) {
    (lane / 4 + 8 * (index / 2), lane % 4 * 2 + index % 2)
}

/// Lane and index of an element of C and D.
pub(super) const fn c_place(row: u32, column: u32) -> (u32, u32) {
    (row % 8 * 4 + column / 2, row / 8 * 2 + column % 2)
}

/// The matrix, and its row, whose address `lane` gives to `ldmatrix` and `stmatrix`; with one matrix the addresses of lanes 8
/// and up do not count, with two those of lanes 16 and up.
#[must_use]
pub const fn matrix_row(lane: u32) -> (u32, u32) {
    (lane / 8, lane % 8)
}

/// Row and column of half `half` (0 the lower) of a lane's register of a matrix of 8 × 8 elements of 16 bits, as `ldmatrix`
/// loads and `stmatrix` stores it. A row is 16 bytes: two elements of 8 bits count as one, and a row of a fragment of 8 bits
/// (32 along k) is the rows of two matrices.
#[must_use]
pub const fn matrix_element(lane: u32, half: u32) -> (u32, u32) {
    (lane / 4, lane % 4 * 2 + half)
}

/// The same with `.trans`.
#[must_use]
pub const fn matrix_element_trans(lane: u32, half: u32) -> (u32, u32) {
    (lane % 4 * 2 + half, lane / 4)
}
