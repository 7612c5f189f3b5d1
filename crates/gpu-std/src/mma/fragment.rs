//! The matrices of `mma` as they lie in the registers of a lane.

use core::marker::PhantomData;

use super::element::MmaElement;
use super::layout;
use super::matrix::{ldmatrix_x2, ldmatrix_x2_trans, ldmatrix_x4, ldmatrix_x4_trans};

/// A lane's part of A: M × K elements, 16 × 32 of 8 bits, 16 × 16 of 16 bits, 16 × 8 of tf32.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FragA<T, const M: usize, const K: usize> {
    /// Rows 0 to 7 and 8 to 15 of the first half of k, the same of the second; the first element in the lowest bits.
    pub registers: [u32; 4],
    element: PhantomData<T>,
}

/// A lane's part of B: K × N elements, 32 × 8 of 8 bits, 16 × 8 of 16 bits, 8 × 8 of tf32.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FragB<T, const N: usize, const K: usize> {
    /// The first half of k, and the second; the first element in the lowest bits.
    pub registers: [u32; 2],
    element: PhantomData<T>,
}

/// A lane's part of C and D: M × N elements, 16 × 8.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct FragC<T, const M: usize, const N: usize> {
    /// Two elements of rows 0 to 7, two of rows 8 to 15.
    pub registers: [T; 4],
}

/// A register of elements `index`, `index + 1`, … that `f` gives.
#[inline(always)]
fn word<T: MmaElement>(index: u32, mut f: impl FnMut(u32) -> T) -> u32 {
    let mut word = f(index).to_word();
    if T::PER_REGISTER > 1 {
        word |= f(index + 1).to_word() << (32 / T::PER_REGISTER);
    }
    if T::PER_REGISTER > 2 {
        word |= f(index + 2).to_word() << 16 | f(index + 3).to_word() << 24;
    }
    word
}

/// Element `index` of the registers.
#[inline(always)]
fn element<T: MmaElement>(registers: &[u32], index: u32) -> T {
    let (register, part) = (index / T::PER_REGISTER, index % T::PER_REGISTER);
    T::from_word(registers[register as usize] >> (part * (32 / T::PER_REGISTER)))
}

/// What both operands have.
macro_rules! operand {
    ($Frag:ident<T, $X:ident, K>, $x:literal, $registers:literal [$($register:literal)*], $what:literal, $coordinates:literal,
        $element:ident, $place:ident) => {
        impl<T: MmaElement, const $X: usize, const K: usize> $Frag<T, $X, K> {
            const LEGAL: () = assert!($X == $x && K as u32 == 8 * T::PER_REGISTER, $what);

            /// Elements of a lane.
            pub const LEN: u32 = $registers * T::PER_REGISTER;

            /// The fragment of these registers.
            #[inline(always)]
            pub const fn from_registers(registers: [u32; $registers]) -> Self {
                const { Self::LEGAL }
                Self { registers, element: PhantomData }
            }

            #[doc = concat!($coordinates, " of element `index` (below [`LEN`](Self::LEN)) of `lane`.")]
            #[inline(always)]
            #[must_use]
            pub const fn element(lane: u32, index: u32) -> (u32, u32) {
                layout::$element(T::PER_REGISTER, lane, index)
            }

            /// Lane and index of an element: the inverse of [`element`](Self::element).
            #[inline(always)]
            #[must_use]
            pub const fn place(row: u32, column: u32) -> (u32, u32) {
                layout::$place(T::PER_REGISTER, row, column)
            }

            /// The fragment of `lane` whose element at (row, column) is `f(row, column)`.
            #[inline(always)]
            pub fn from_fn(lane: u32, mut f: impl FnMut(u32, u32) -> T) -> Self {
                let mut at = |index| {
                    let (row, column) = Self::element(lane, index);
                    f(row, column)
                };
                Self::from_registers([$(word($register * T::PER_REGISTER, &mut at)),*])
            }

            /// Element `index`, a constant.
            #[inline(always)]
            #[must_use]
            pub fn get(&self, index: u32) -> T {
                element(&self.registers, index)
            }
        }
    };
}

operand!(FragA<T, M, K>, 16, 4 [0 1 2 3],
    "gpu_std: A of `mma` is 16 x 32 elements of 8 bits, 16 x 16 of 16 bits or 16 x 8 of tf32", "Row and column (along k)",
    a_element, a_place);
operand!(FragB<T, N, K>, 8, 2 [0 1],
    "gpu_std: B of `mma` is 32 x 8 elements of 8 bits, 16 x 8 of 16 bits or 8 x 8 of tf32", "Row (along k) and column",
    b_element, b_place);

impl<T: MmaElement, const M: usize, const K: usize> FragA<T, M, K> {
    /// Row and column of the first of the 16 bytes whose address `lane` gives to [`ldmatrix`](Self::ldmatrix), of an A that lies
    /// row by row.
    #[inline(always)]
    #[must_use]
    pub const fn ldmatrix_row(lane: u32) -> (u32, u32) {
        (lane % 16, lane / 16 * 4 * T::PER_REGISTER)
    }

    /// The fragment of an A in shared memory whose rows lie along k: one `ldmatrix` of four matrices.
    ///
    /// # Safety
    /// As [`ldmatrix_x4`](super::ldmatrix_x4); `row` is the address of [`ldmatrix_row`](Self::ldmatrix_row) of the lane.
    #[inline(always)]
    pub unsafe fn ldmatrix(row: *const T) -> Self {
        // SAFETY: promised by the caller.
        Self::from_registers(unsafe { ldmatrix_x4(row) })
    }

    /// Row and column of the first of the 16 bytes whose address `lane` gives to [`ldmatrix_trans`](Self::ldmatrix_trans), of an
    /// A of 16 bits that lies column by column.
    #[inline(always)]
    #[must_use]
    pub const fn ldmatrix_trans_row(lane: u32) -> (u32, u32) {
        (lane / 8 % 2 * 8, lane % 8 + lane / 16 * 8)
    }

    /// The fragment of an A in shared memory whose columns lie along m, elements of 16 bits.
    ///
    /// # Safety
    /// As [`ldmatrix_x4_trans`](super::ldmatrix_x4_trans); `row` is the address of
    /// [`ldmatrix_trans_row`](Self::ldmatrix_trans_row) of the lane.
    #[inline(always)]
    pub unsafe fn ldmatrix_trans(row: *const T) -> Self {
        const { assert!(T::PER_REGISTER == 2, "gpu_std: `ldmatrix` transposes elements of 16 bits") }
        // SAFETY: promised by the caller.
        Self::from_registers(unsafe { ldmatrix_x4_trans(row) })
    }
}

impl<T: MmaElement, const N: usize, const K: usize> FragB<T, N, K> {
    /// Row and column of the first of the 16 bytes whose address `lane` gives to [`ldmatrix`](Self::ldmatrix), which looks at
    /// those of lanes 0 to 15, and to [`ldmatrix_pair`](Self::ldmatrix_pair), of a B that lies column by column.
    #[inline(always)]
    #[must_use]
    pub const fn ldmatrix_row(lane: u32) -> (u32, u32) {
        (lane / 8 % 2 * 4 * T::PER_REGISTER, lane % 8 + lane / 16 * 8)
    }

    /// The fragment of a B in shared memory whose columns lie along k: one `ldmatrix` of two matrices.
    ///
    /// # Safety
    /// As [`ldmatrix_x2`](super::ldmatrix_x2); `row` is the address of [`ldmatrix_row`](Self::ldmatrix_row) of the lane.
    #[inline(always)]
    pub unsafe fn ldmatrix(row: *const T) -> Self {
        // SAFETY: promised by the caller.
        Self::from_registers(unsafe { ldmatrix_x2(row) })
    }

    /// The fragments of columns 0 to 7 and 8 to 15: one `ldmatrix` of four matrices.
    ///
    /// # Safety
    /// As [`ldmatrix_x4`](super::ldmatrix_x4); `row` is the address of [`ldmatrix_row`](Self::ldmatrix_row) of the lane.
    #[inline(always)]
    pub unsafe fn ldmatrix_pair(row: *const T) -> [Self; 2] {
        // SAFETY: promised by the caller.
        let [a, b, c, d] = unsafe { ldmatrix_x4(row) };
        [Self::from_registers([a, b]), Self::from_registers([c, d])]
    }

    /// Row and column of the first of the 16 bytes whose address `lane` gives to [`ldmatrix_trans`](Self::ldmatrix_trans), which
    /// looks at those of lanes 0 to 15, and to [`ldmatrix_trans_pair`](Self::ldmatrix_trans_pair), of a B of 16 bits that lies
    /// row by row.
    #[inline(always)]
    #[must_use]
    pub const fn ldmatrix_trans_row(lane: u32) -> (u32, u32) {
        (lane % 16, lane / 16 * 8)
    }

    /// The fragment of a B in shared memory whose rows lie along n, elements of 16 bits.
    ///
    /// # Safety
    /// As [`ldmatrix_x2_trans`](super::ldmatrix_x2_trans); `row` is the address of
    /// [`ldmatrix_trans_row`](Self::ldmatrix_trans_row) of the lane.
    #[inline(always)]
    pub unsafe fn ldmatrix_trans(row: *const T) -> Self {
        const { assert!(T::PER_REGISTER == 2, "gpu_std: `ldmatrix` transposes elements of 16 bits") }
        // SAFETY: promised by the caller.
        Self::from_registers(unsafe { ldmatrix_x2_trans(row) })
    }

    /// The fragments of columns 0 to 7 and 8 to 15 of the same: one `ldmatrix` of four matrices.
    ///
    /// # Safety
    /// As [`ldmatrix_x4_trans`](super::ldmatrix_x4_trans); `row` is the address of
    /// [`ldmatrix_trans_row`](Self::ldmatrix_trans_row) of the lane.
    #[inline(always)]
    pub unsafe fn ldmatrix_trans_pair(row: *const T) -> [Self; 2] {
        const { assert!(T::PER_REGISTER == 2, "gpu_std: `ldmatrix` transposes elements of 16 bits") }
        // SAFETY: promised by the caller.
        let [a, b, c, d] = unsafe { ldmatrix_x4_trans(row) };
        [Self::from_registers([a, b]), Self::from_registers([c, d])]
    }
}

impl<T: Copy, const M: usize, const N: usize> FragC<T, M, N> {
    const LEGAL: () = assert!(M == 16 && N == 8, "gpu_std: C and D of `mma` are 16 x 8 elements");

    /// Elements of a lane.
    pub const LEN: u32 = 4;

    /// The fragment of these registers.
    #[inline(always)]
    pub const fn from_registers(registers: [T; 4]) -> Self {
        const { Self::LEGAL }
        Self { registers }
    }

    /// Every element `value`.
    #[inline(always)]
    pub const fn filled(value: T) -> Self {
        Self::from_registers([value; 4])
    }

    /// Row and column of element `index` (below 4) of `lane`. Elements 0 and 1, 2 and 3 lie side by side.
    #[inline(always)]
    #[must_use]
    pub const fn element(lane: u32, index: u32) -> (u32, u32) {
        layout::c_element(lane, index)
    }

    /// Lane and index of an element: the inverse of [`element`](Self::element).
    #[inline(always)]
    #[must_use]
    pub const fn place(row: u32, column: u32) -> (u32, u32) {
        layout::c_place(row, column)
    }

    /// The fragment of `lane` whose element at (row, column) is `f(row, column)`.
    #[inline(always)]
    pub fn from_fn(lane: u32, mut f: impl FnMut(u32, u32) -> T) -> Self {
        let mut at = |index| {
            let (row, column) = Self::element(lane, index);
            f(row, column)
        };
        Self::from_registers([at(0), at(1), at(2), at(3)])
    }

    /// `f(row, column, element)` for each element of `lane`.
    #[inline(always)]
    pub fn for_each(self, lane: u32, mut f: impl FnMut(u32, u32, T)) {
        let [p, q, r, s] = self.registers;
        let mut at = |index, value| {
            let (row, column) = Self::element(lane, index);
            f(row, column, value);
        };
        at(0, p);
        at(1, q);
        at(2, r);
        at(3, s);
    }

    /// `f` of each element.
    #[inline(always)]
    pub fn map<U: Copy>(self, f: impl FnMut(T) -> U) -> FragC<U, M, N> {
        FragC::from_registers(self.registers.map(f))
    }

    /// The neighbours of a row put together, two elements of 16 bits to a register: what
    /// [`stmatrix_x2`](super::stmatrix_x2) stores as rows 0 to 7 and 8 to 15. `f` takes the element of the lower column first.
    #[inline(always)]
    pub fn pairs(self, mut f: impl FnMut(T, T) -> u32) -> [u32; 2] {
        let [p, q, r, s] = self.registers;
        [f(p, q), f(r, s)]
    }
}
