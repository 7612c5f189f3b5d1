//! codes[r, c] = clamp(rne(x[r, c] · (1 / scale)) + zero)
//!
//! Shapes     x, codes: [rows, cols], rows any number of elements apart; not_finite: \[1\]
//! Types      f32, f16, bf16 in; i8 or u8 out, u64 count; see `affine` for every operation
//! Launch     2-D, block 256, 2^log2_side threads side by side along a row; any grid covers everything
//! Traffic    rows cols (size + 1) bytes
//! Tolerance  exact

use gpu_std::atomic::{Global, Gpu, Relaxed, red_add};
use gpu_std::{GridMut, Vec16, bf16, f16, kernel, thread};

use super::BLOCK;
use super::affine::{AffineExtent, Code, shifted};
use super::lanes::{LaneRange, Lanes};
use super::source::{Plain, Source};
use super::steps::{Codes, Range, is_finite};

/// The codes by a scale and a zero point that are given.
///
/// # Safety
/// - `x` and `codes` have the rows of the extent, aligned as it says; `not_finite` has one word or none.
#[kernel(block = BLOCK, max_registers = 64, instances(
    f32_i8 = (f32, i8), f16_i8 = (f16, i8), bf16_i8 = (bf16, i8),
    f32_u8 = (f32, u8), f16_u8 = (f16, u8), bf16_u8 = (bf16, u8)
))]
pub unsafe fn quantize_affine<T: Lanes, C: Code>(
    x: &[T],
    mut codes: GridMut<C>,
    mut not_finite: GridMut<u64>,
    extent: AffineExtent,
) {
    let this = Lines { x, codes: codes.as_mut_ptr(), extent };
    let (tid, side) = (thread::thread_idx_x(), 1_u32 << extent.log2_side);
    let down = u64::from(BLOCK >> extent.log2_side);
    let block_row =
        u64::from(thread::block_idx_y()) + u64::from(thread::grid_dim_y()) * u64::from(thread::block_idx_z());
    let row_step = u64::from(thread::grid_dim_y()) * u64::from(thread::grid_dim_z()) * down;
    let first = u64::from(thread::block_idx_x()) * u64::from(side) + u64::from(tid & (side - 1));
    let step = u64::from(thread::grid_dim_x()) * u64::from(side);
    let mut row = block_row * down + u64::from(tid >> extent.log2_side);
    let mut odd = 0;
    while row < extent.rows {
        // SAFETY: there is such a row, and no other thread has these columns of it.
        odd += unsafe { this.row(row, first, step) };
        row += row_step;
    }
    if odd > 0 && !not_finite.is_empty() {
        // SAFETY: the first word, used atomically alone in this launch.
        unsafe { red_add(not_finite.as_mut_ptr(), odd, Relaxed, Gpu, Global) };
    }
}

/// All rows, and where their codes go.
struct Lines<'a, T, C> {
    x: &'a [T],
    codes: *mut C,
    extent: AffineExtent,
}

impl<T: Lanes, C: Code> Lines<'_, T, C> {
    /// The codes of this thread's part of a row: every `step`-th chunk and every `step`-th element behind the chunks, from
    /// number `first` on. Gives how many values are not finite.
    ///
    /// # Safety
    /// There is such a row, and the codes are this thread's own.
    #[inline(always)]
    unsafe fn row(&self, row: u64, first: u64, step: u64) -> u64 {
        let AffineExtent { cols, inverse, zero, aligned, .. } = self.extent;
        let source = Plain::new(self.x, self.extent.stride_x).at(row);
        let start = self.codes.wrapping_add((row * self.extent.stride_codes) as usize);
        let whole = if aligned == 1 { cols / T::LANES as u64 } else { 0 };
        let (mut chunk, mut odd) = (first, 0);
        while chunk < whole {
            let col = chunk * T::LANES as u64;
            // SAFETY: a whole chunk inside the row, aligned as the extent says.
            odd += unsafe { codes_of(source.chunk(col), start.wrapping_add(col as usize), inverse, zero) };
            chunk += step;
        }
        let mut col = whole * T::LANES as u64 + first;
        while col < cols {
            // SAFETY: inside the row; a code is one byte.
            unsafe {
                let x = source.element(col).to_f32();
                odd += u64::from(!is_finite(x));
                let code = C::pack([shifted(x, inverse, zero), 0, 0, 0]);
                start.add(col as usize).cast::<u8>().write(code as u8);
            }
            col += step;
        }
        odd
    }
}

/// Writes the codes of a chunk; gives how many of its values are not finite.
///
/// # Safety
/// As many codes as the chunk has values may be written at `at`, a multiple of their number.
#[inline(always)]
unsafe fn codes_of<T: Lanes, C: Code>(chunk: Vec16<T>, at: *mut C, inverse: f32, zero: i32) -> u64 {
    let mut shifts = [0; 8];
    let mut lane = 0;
    while lane < T::LANES {
        shifts[lane] = shifted(chunk.lane(lane).to_f32(), inverse, zero);
        lane += 1;
    }
    let [a, b, c, d, e, f, g, h] = shifts;
    let low = C::pack([a, b, c, d]);
    // SAFETY: promised by the caller.
    unsafe {
        if T::LANES == 4 {
            at.cast::<u32>().write(low);
        } else {
            at.cast::<u64>().write(u64::from(C::pack([e, f, g, h])) << 32 | u64::from(low));
        }
    }
    let most = LaneRange::new(T::ZERO).with(Codes::Symmetric, chunk);
    if most.joined(Codes::Symmetric, Range { least: 0.0, most: 0.0 }).is_finite() {
        return 0;
    }
    let (mut lane, mut odd) = (0, 0);
    while lane < T::LANES {
        odd += u64::from(!is_finite(chunk.lane(lane).to_f32()));
        lane += 1;
    }
    odd
}
