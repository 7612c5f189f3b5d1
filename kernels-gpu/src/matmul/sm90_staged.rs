//! How a warp's results go to global memory: as swizzled boxes in shared memory, from which tensor copies store them.
//!
//! A box has 16 rows of 64 bytes. The results are those of `Acc`: of each 8 columns a thread has the pair 2 (lane % 4) of rows
//! lane / 4 and lane / 4 + 8 of its warp's 16.

use gpu_std::convert::{cvt_rn_bf16x2_f32, cvt_rn_f16x2_f32, cvt_rni_sat_s8_f32};
use gpu_std::mma::{stmatrix_x4, stmatrix_x4_trans};
use gpu_std::swizzle::Swizzle;
use gpu_std::{DeviceRepr, bf16, f16, thread, unroll};

use super::epilogue::{Column, Row, centred, scaled};
use super::epilogue_hpq;

/// The swizzle of a box.
pub const SWIZZLE: Swizzle = Swizzle::B64;
/// Bytes of a row of a box.
pub const BOX_ROW: u32 = SWIZZLE.line_bytes() as u32;
/// Rows of a box.
pub const BOX_ROWS: u32 = 16;
/// Boxes of a warp.
pub const BOXES: u32 = 3;
/// Bytes of a box.
pub const BOX_BYTES: u32 = BOX_ROW * BOX_ROWS;

/// Where byte `byte` of row `row` of a box lies.
#[inline(always)]
pub const fn box_offset(row: u32, byte: u32) -> u32 {
    SWIZZLE.apply((row * BOX_ROW + byte) as usize) as u32
}

/// 16 × 16 results of a warp, as the thread has them: of the first 8 columns and of the others, of row lane / 4 and of row
/// lane / 4 + 8, two side by side.
pub type Part<W> = [[[W; 2]; 2]; 2];

/// An output that goes through a box.
pub trait Staged: DeviceRepr {
    /// What it is before it is rounded.
    type Wide: Copy;

    /// Columns of a box.
    const COLUMNS: u32 = BOX_ROW / size_of::<Self>() as u32;

    /// Puts 16 columns, `at` columns from the box's first one.
    ///
    /// # Safety
    /// All lanes of the warp call it together, with a box that nobody else uses.
    unsafe fn put(to: *mut u8, at: u32, part: Part<Self::Wide>);

    /// Puts 16 columns as the rows of a box of 16 rows of 16 elements, without a swizzle.
    ///
    /// # Safety
    /// As [`put`](Self::put).
    unsafe fn put_turned(to: *mut u8, part: Part<Self::Wide>);
}

macro_rules! halves {
    ($($ty:ty = $convert:ident;)*) => {$(
        impl Staged for $ty {
            type Wide = f32;

            #[inline(always)]
            unsafe fn put(to: *mut u8, at: u32, part: Part<f32>) {
                let lane = thread::lane_idx();
                let place = box_offset(lane % 16, 2 * at + lane / 16 * 16);
                // SAFETY: the caller's box; each lane gives the address of one row of 16 bytes.
                unsafe { stmatrix_x4(to.add(place as usize).cast::<u32>(), packed(part, |high, low| $convert(high, low).to_bits())) }
            }

            #[inline(always)]
            unsafe fn put_turned(to: *mut u8, part: Part<f32>) {
                let lane = thread::lane_idx();
                let place = (lane / 16 * 8 + lane % 8) * 32 + lane / 8 % 2 * 16;
                // SAFETY: as above; a matrix's columns become rows.
                unsafe {
                    stmatrix_x4_trans(to.add(place as usize).cast::<u32>(), packed(part, |high, low| $convert(high, low).to_bits()))
                }
            }
        }
    )*};
}
halves! {
    f16 = cvt_rn_f16x2_f32;
    bf16 = cvt_rn_bf16x2_f32;
}

/// The registers of four matrices.
#[inline(always)]
fn packed(part: Part<f32>, pack: impl Fn(f32, f32) -> u32) -> [u32; 4] {
    let pair = |block: usize, half: usize| pack(part[block][half][1], part[block][half][0]);
    [pair(0, 0), pair(0, 1), pair(1, 0), pair(1, 1)]
}

macro_rules! words {
    ($($ty:ty = $wide:ty, $word:ty: |$v:ident| $bits:expr;)*) => {$(
        impl Staged for $ty {
            type Wide = $wide;

            #[inline(always)]
            unsafe fn put(to: *mut u8, at: u32, part: Part<$wide>) {
                const BITS: u32 = 8 * size_of::<$ty>() as u32;
                let lane = thread::lane_idx();
                unroll!(for block in 0..2 {
                    unroll!(for half in 0..2 {
                        let [low, high] = part[block][half].map(#[inline(always)] |$v| $bits);
                        let byte = (at + 8 * block as u32 + 2 * (lane % 4)) * size_of::<$ty>() as u32;
                        let place = box_offset(lane / 4 + 8 * half as u32, byte);
                        // SAFETY: the caller's box; a pair lies in one piece of 16 bytes.
                        unsafe { to.add(place as usize).cast::<$word>().write(low as $word | (high as $word) << BITS) };
                    });
                });
            }

            #[inline(always)]
            unsafe fn put_turned(to: *mut u8, part: Part<$wide>) {
                let lane = thread::lane_idx();
                unroll!(for block in 0..2 {
                    unroll!(for half in 0..2 {
                        let values = part[block][half].map(#[inline(always)] |$v| $bits);
                        unroll!(for side in 0..2 {
                            let row = 8 * block as u32 + 2 * (lane % 4) + side as u32;
                            let place = row * 16 + lane / 4 + 8 * half as u32;
                            // SAFETY: the caller's box.
                            unsafe { to.cast::<$ty>().add(place as usize).write(values[side] as $ty) };
                        });
                    });
                });
            }
        }
    )*};
}
words! {
    i32 = i32, u64: |v| v as u32;
    i8 = f32, u16: |v| cvt_rni_sat_s8_f32(v) as u8;
}

impl Staged for f32 {
    type Wide = f32;

    #[inline(always)]
    unsafe fn put(to: *mut u8, at: u32, part: Part<f32>) {
        // SAFETY: promised by the caller; words are words.
        unsafe {
            <i32 as Staged>::put(to, at, part.map(|block| block.map(|half| half.map(|v| v.to_bits() as i32))))
        }
    }

    #[inline(always)]
    unsafe fn put_turned(to: *mut u8, part: Part<f32>) {
        // SAFETY: as above.
        unsafe {
            <i32 as Staged>::put_turned(
                to,
                part.map(|block| block.map(|half| half.map(|v| v.to_bits() as i32))),
            )
        }
    }
}

/// An output made of sums of type `S`.
pub trait Written<S: Copy>: Staged {
    /// The output of a sum before it is rounded; without `ZEROS` there are no zero points.
    fn wide<const ZEROS: bool>(sum: S, row: Row, column: Column) -> Self::Wide;
}

macro_rules! written {
    ($($ty:ty: |$t:ident, $row:ident, $column:ident| $value:expr;)*) => {$(
        impl Written<i32> for $ty {
            #[inline(always)]
            fn wide<const ZEROS: bool>(sum: i32, $row: Row, $column: Column) -> Self::Wide {
                let $t = if ZEROS { centred(sum, $row, $column) } else { sum };
                $value
            }
        }
    )*};
}
written! {
    f16: |t, row, column| scaled(t, row, column);
    bf16: |t, row, column| scaled(t, row, column);
    f32: |t, row, column| scaled(t, row, column);
    i8: |t, row, column| scaled(t, row, column);
    i32: |t, _row, _column| t;
}

macro_rules! biased {
    ($($ty:ty)*) => {$(
        impl Written<f32> for $ty {
            #[inline(always)]
            fn wide<const ZEROS: bool>(sum: f32, _: Row, column: Column) -> f32 {
                sum + column.bias
            }
        }
    )*};
}
biased! { f16 bf16 f32 }

macro_rules! hybrid {
    ($($ty:ty)*) => {$(
        impl Written<i64> for $ty {
            #[inline(always)]
            fn wide<const ZEROS: bool>(sum: i64, row: Row, column: Column) -> f32 {
                let t = if ZEROS { epilogue_hpq::centred(sum, row, column) } else { sum };
                epilogue_hpq::scaled(t, row, column)
            }
        }
    )*};
}
hybrid! { f16 bf16 f32 }
