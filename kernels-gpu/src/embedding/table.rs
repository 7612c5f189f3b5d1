//! Rows of a table as f32, some neighbouring elements at a time.

use core::marker::PhantomData;

use gpu_std::math::fma_rn_f32;
use gpu_std::mem::{ld_global_nc, ld_global_nc_l1_no_allocate};
use gpu_std::packed::f16x2;
use gpu_std::unroll::filled;
use gpu_std::{DeviceRepr, Real, bf16, f16, unroll};

use super::feature::{BF16, CODES, F16, Feature};

/// Scale and bias of a row of codes: a code stands for `scale * code + bias`.
#[derive(Clone, Copy)]
pub struct Steps {
    scale: f32,
    bias: f32,
}

impl Steps {
    /// Those of rows that have none.
    const NONE: Self = Self { scale: 0.0, bias: 0.0 };
}

/// An element of a table.
pub trait Cell: DeviceRepr {
    /// The bits of `V` neighbouring elements from `col` on of row `row`, and the row's steps where it has some.
    ///
    /// # Safety
    /// The table has them, its elements are of this type, and they begin at a multiple of their bytes; nothing writes it in this
    /// launch.
    unsafe fn load<const V: usize>(feature: &Feature, row: u64, col: u64) -> ([u32; 4], Steps);

    /// The value of the element with these bits, the others of the word being another's; exact but for codes, of which one fused
    /// multiply-add makes it.
    fn value(bits: u32, steps: Steps) -> f32;
}

macro_rules! cells {
    ($($ty:ty, |$bits:ident| $value:expr;)*) => {$(
        impl Cell for $ty {
            #[inline(always)]
            unsafe fn load<const V: usize>(feature: &Feature, row: u64, col: u64) -> ([u32; 4], Steps) {
                let at = cell_at(feature, row, col * size_of::<Self>() as u64);
                // SAFETY: promised by the caller.
                (unsafe { words_at(at, const { V * size_of::<Self>() }) }, Steps::NONE)
            }

            #[inline(always)]
            fn value($bits: u32, _: Steps) -> f32 {
                $value
            }
        }
    )*};
}
cells! {
    f32, |bits| f32::from_bits(bits);
    f16, |bits| Real::to_f32(f16x2::from_bits(bits).lo());
    bf16, |bits| f32::from_bits(bits << 16);
}

/// Codes, whose scales and biases begin at multiples of 4 bytes.
impl Cell for u8 {
    #[inline(always)]
    unsafe fn load<const V: usize>(feature: &Feature, row: u64, col: u64) -> ([u32; 4], Steps) {
        // SAFETY: promised by the caller.
        unsafe {
            let words = words_at(cell_at(feature, row, col), V);
            let steps = steps_at(feature, row) as *const f32;
            (words, Steps { scale: ld_global_nc(steps), bias: ld_global_nc(steps.add(1)) })
        }
    }

    #[inline(always)]
    fn value(bits: u32, steps: Steps) -> f32 {
        fma_rn_f32(steps.scale, bits as u8 as f32, steps.bias)
    }
}

/// An element of whatever type the feature's table has, one at a time: for rows that are not aligned.
#[derive(Clone, Copy, DeviceRepr)]
#[repr(transparent)]
pub struct AnyCell(u32);

impl Cell for AnyCell {
    #[inline(always)]
    unsafe fn load<const V: usize>(feature: &Feature, row: u64, col: u64) -> ([u32; 4], Steps) {
        const { assert!(V == 1, "elements of any type are loaded one at a time") }
        // SAFETY: promised by the caller; floats begin at multiples of their size.
        let value = unsafe {
            match feature.table {
                F16 => f16::value(words_at(cell_at(feature, row, 2 * col), 2)[0], Steps::NONE),
                BF16 => bf16::value(words_at(cell_at(feature, row, 2 * col), 2)[0], Steps::NONE),
                CODES => {
                    let at = steps_at(feature, row);
                    let steps = Steps { scale: f32_at(at), bias: f32_at(at + 4) };
                    u8::value(words_at(cell_at(feature, row, col), 1)[0], steps)
                }
                _ => f32::value(words_at(cell_at(feature, row, 4 * col), 4)[0], Steps::NONE),
            }
        };
        ([value.to_bits(), 0, 0, 0], Steps::NONE)
    }

    #[inline(always)]
    fn value(bits: u32, _: Steps) -> f32 {
        f32::from_bits(bits)
    }
}

/// The address `bytes` behind the begin of a row.
#[inline(always)]
fn cell_at(feature: &Feature, row: u64, bytes: u64) -> u64 {
    feature.rows_at + row * feature.row_bytes + bytes
}

/// The address of the scale of a row.
#[inline(always)]
fn steps_at(feature: &Feature, row: u64) -> u64 {
    feature.steps_at + row * feature.steps_bytes
}

/// `V` neighbouring elements of one row, as they are stored: 16 bytes at most.
#[derive(Clone, Copy)]
pub struct Piece<R, const V: usize> {
    words: [u32; 4],
    steps: Steps,
    element: PhantomData<R>,
}

impl<R: Cell, const V: usize> Piece<R, V> {
    /// Zeros.
    pub const ZEROS: Self = Self { words: [0; 4], steps: Steps::NONE, element: PhantomData };

    /// The elements from `col` on of row `row`.
    ///
    /// # Safety
    /// The table has them, its elements are `R`, and they begin at a multiple of their bytes; nothing writes it in this launch.
    #[inline(always)]
    pub unsafe fn load(feature: &Feature, row: u64, col: u64) -> Self {
        // SAFETY: promised by the caller.
        let (words, steps) = unsafe { R::load::<V>(feature, row, col) };
        Self { words, steps, element: PhantomData }
    }

    /// As f32.
    #[inline(always)]
    pub fn values(self) -> [f32; V] {
        let mut values = filled(0.0);
        unroll!(for i in 0..V {
            let bit = i * size_of::<R>() * 8;
            values[i] = R::value(self.words[bit / 32] >> (bit % 32), self.steps);
        });
        values
    }
}

/// The words that hold the `bytes` bytes at `at`.
///
/// # Safety
/// They are 1, 2, 4, 8 or 16, at a multiple of as many, and may be read; nothing writes them in this launch.
#[inline(always)]
unsafe fn words_at(at: u64, bytes: usize) -> [u32; 4] {
    // SAFETY: promised by the caller.
    unsafe {
        match bytes {
            1 => [ld_global_nc_l1_no_allocate(at as *const u8) as u32, 0, 0, 0],
            2 => [ld_global_nc_l1_no_allocate(at as *const u16) as u32, 0, 0, 0],
            4 => [ld_global_nc_l1_no_allocate(at as *const u32), 0, 0, 0],
            8 => {
                let [a, b] = ld_global_nc_l1_no_allocate(at as *const [u32; 2]);
                [a, b, 0, 0]
            }
            _ => ld_global_nc_l1_no_allocate(at as *const [u32; 4]),
        }
    }
}

/// The f32 at any address.
///
/// # Safety
/// Its bytes may be read; nothing writes them in this launch.
#[inline(always)]
unsafe fn f32_at(at: u64) -> f32 {
    // SAFETY: promised by the caller.
    unsafe {
        if at.is_multiple_of(4) {
            return ld_global_nc(at as *const f32);
        }
        let byte = |i: u64| u32::from(ld_global_nc((at + i) as *const u8)) << (8 * i);
        f32::from_bits(byte(0) | byte(1) | byte(2) | byte(3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_rounded_once() {
        let steps = Steps { scale: 0.1, bias: -3.0 };
        let piece = Piece::<u8, 4> { words: [0x00ff_01c8, 0, 0, 0], steps, element: PhantomData };
        assert_eq!(piece.values(), [200.0, 1.0, 255.0, 0.0].map(|code| 0.1_f32.mul_add(code, -3.0)));
    }

    #[test]
    fn floats_are_what_they_are() {
        let steps = Steps { scale: 7.0, bias: 7.0 };
        let words = [0x3c00_b400, 0xfbff_0001, 1.5_f32.to_bits(), (-2.0_f32).to_bits()];
        let piece = Piece::<f16, 4> { words, steps, element: PhantomData };
        assert_eq!(piece.values(), [-0.25, 1.0, f32::powi(2.0, -24), -65_504.0]);
        let piece = Piece::<bf16, 4> { words: [0x3f80_c000, 0x7f80_0000, 0, 0], steps, element: PhantomData };
        assert_eq!(piece.values(), [-2.0, 1.0, 0.0, f32::INFINITY]);
        let piece = Piece::<f32, 4> { words, steps, element: PhantomData };
        assert_eq!(piece.values()[2..], [1.5, -2.0]);
    }
}
