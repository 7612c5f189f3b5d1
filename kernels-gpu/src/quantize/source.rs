//! What is quantized: the rows of a matrix, or the products of two.

use gpu_std::mem::ld_global_nc_l1_no_allocate;
use gpu_std::{Real, Vec16};

/// A row of elements.
pub trait Source<T: Real>: Copy {
    /// Row `row`, seen from row 0.
    fn at(self, row: u64) -> Self;

    /// The row from column `col` on.
    fn from(self, col: u64) -> Self;

    /// The elements from `col` on, as many as 16 bytes hold.
    ///
    /// # Safety
    /// The row has them all, and they start at a 16-byte boundary; nothing writes them in this launch.
    unsafe fn chunk(self, col: u64) -> Vec16<T>;

    /// Element `col`.
    ///
    /// # Safety
    /// The row has it; nothing writes it in this launch.
    unsafe fn element(self, col: u64) -> T;
}

/// The rows of a matrix.
#[derive(Clone, Copy)]
pub struct Plain<T> {
    start: *const T,
    stride: u64,
}

impl<T: Real> Plain<T> {
    /// The rows of `x`, `stride` elements apart.
    #[inline(always)]
    pub fn new(x: &[T], stride: u64) -> Self {
        Self { start: x.as_ptr(), stride }
    }
}

impl<T: Real> Source<T> for Plain<T> {
    #[inline(always)]
    fn at(self, row: u64) -> Self {
        Self { start: self.start.wrapping_add((row * self.stride) as usize), ..self }
    }

    #[inline(always)]
    fn from(self, col: u64) -> Self {
        Self { start: self.start.wrapping_add(col as usize), ..self }
    }

    #[inline(always)]
    unsafe fn chunk(self, col: u64) -> Vec16<T> {
        // SAFETY: promised by the caller.
        unsafe { ld_global_nc_l1_no_allocate(self.start.add(col as usize).cast()) }
    }

    #[inline(always)]
    unsafe fn element(self, col: u64) -> T {
        // SAFETY: promised by the caller.
        unsafe { self.start.add(col as usize).read() }
    }
}

/// The element-wise products of two matrices, each rounded to the type as `hadamard` does it.
#[derive(Clone, Copy)]
pub struct Product<T> {
    /// One factor.
    pub a: Plain<T>,
    /// The other.
    pub b: Plain<T>,
}

impl<T: Real> Source<T> for Product<T> {
    #[inline(always)]
    fn at(self, row: u64) -> Self {
        Self { a: self.a.at(row), b: self.b.at(row) }
    }

    #[inline(always)]
    fn from(self, col: u64) -> Self {
        Self { a: self.a.from(col), b: self.b.from(col) }
    }

    #[inline(always)]
    unsafe fn chunk(self, col: u64) -> Vec16<T> {
        // SAFETY: promised by the caller.
        let (a, b) = unsafe { (self.a.chunk(col), self.b.chunk(col)) };
        Vec16::from_fn(|lane| a.lane(lane) * b.lane(lane))
    }

    #[inline(always)]
    unsafe fn element(self, col: u64) -> T {
        // SAFETY: promised by the caller.
        unsafe { self.a.element(col) * self.b.element(col) }
    }
}
