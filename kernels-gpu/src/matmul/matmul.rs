//! c[i, j] = Σ a[i, k] b[j, k] + bias[j], a and b of f16 or of bf16
//!
//! Shapes     a: [m, k], b: [n, k], c: [m, n], rows `extent.stride_*` apart; bias: [n] or none; k may be 0, m and n not
//! Types      f16 or bf16, exact products summed in f32, the bias added in f32, one rounding to c of the operands' type or of f32
//! Launch     grid `Tile::blocks`, block 256; the instances differ in the tile and in what they ask of the rows of a and b
//! Shared     `Tile::shared_bytes`: stages of 64 elements along k, and a record for each row and column
//! Traffic    2 m k ⌈n / N⌉ + 2 n k ⌈m / M⌉ + size m n bytes for tiles of M × N, 2 m n k operations
//! Tolerance  the sums of `mma_sync`, in steps of 16 along k: |error| ≤ (k / 16 + 24) 2^-23 Σ |a b|, then one rounding
//!
//! | instance | tile | rows of a and of b start at |
//! |---|---|---|
//! | `128x256` | [`LARGE`] | multiples of 16 bytes |
//! | `64x64` | [`SMALL`] | multiples of 16 bytes |
//! | `any` | [`ANY`] | any element: by copies of 4 bytes where that divides all rows' addresses, else through registers, slower |
//!
//! With `extent.splits` above 1, `parts` has `Tile::parts_len` elements and `arrived` `Tile::arrived_len`, zero before and after;
//! the parts' sums are added in order, so a launch gives the same bits again.

use gpu_std::shared::DynamicShared;
use gpu_std::{GridMut, Real, Vec16, bf16, f16, kernel};

use super::block_tile::{Job, run};
use super::epilogue::{Bias, Extent, Place};
use super::finish::Finish;
use super::products::Float;
use super::tiling::{THREADS, Tile};

/// The tile of large products.
pub const LARGE: Tile = Tile::new(4, 8, 1, 3);

/// The tile of small products.
pub const SMALL: Tile = Tile::new(2, 2, 1, 4);

/// The tile of operands that lie anywhere.
pub const ANY: Tile = Tile::new(4, 4, 1, 3);

/// Adds the bias.
struct Biased<T> {
    bias: Bias,
    out: core::marker::PhantomData<T>,
}

impl<T: Real> Finish<f32> for Biased<T> {
    type Row = ();
    type Column = f32;
    type Out = T;

    #[inline(always)]
    unsafe fn row(&self, _: usize) {}

    #[inline(always)]
    unsafe fn column(&self, j: usize) -> f32 {
        // SAFETY: promised by the caller.
        unsafe { self.bias.at(j) }
    }

    #[inline(always)]
    fn element(&self, total: f32, (): (), column: f32) -> T {
        T::from_f32(total + column)
    }
}

/// Product of matrices of floats.
///
/// # Safety
/// - The extent describes the operands, m and n are not 0, splits is 1 or more, k is below 2^31, and every length is as above.
/// - Rows of the operands start at multiples of 16 bytes unless the instance takes any; `parts` starts at one.
/// - The launch has the grid and the shared memory of the instance's tile.
#[kernel(block = THREADS, instances(
    f16_f16_128x256 = (f16, f16, 4, 8, 3, false), f16_f16_64x64 = (f16, f16, 2, 2, 4, false),
    f16_f16_any = (f16, f16, 4, 4, 3, true),
    f16_f32_128x256 = (f16, f32, 4, 8, 3, false), f16_f32_64x64 = (f16, f32, 2, 2, 4, false),
    f16_f32_any = (f16, f32, 4, 4, 3, true),
    bf16_bf16_128x256 = (bf16, bf16, 4, 8, 3, false), bf16_bf16_64x64 = (bf16, bf16, 2, 2, 4, false),
    bf16_bf16_any = (bf16, bf16, 4, 4, 3, true),
    bf16_f32_128x256 = (bf16, f32, 4, 8, 3, false), bf16_f32_64x64 = (bf16, f32, 2, 2, 4, false),
    bf16_f32_any = (bf16, f32, 4, 4, 3, true)
))]
pub unsafe fn matmul<
    In: Float,
    Out: Real,
    const MT: usize,
    const NT: usize,
    const STAGES: usize,
    const ANYWHERE: bool,
>(
    a: &[In],
    b: &[In],
    mut c: GridMut<Out>,
    bias: Bias,
    extent: Extent,
    mut parts: GridMut<f32>,
    mut arrived: GridMut<u32>,
    #[shared] smem: DynamicShared<Vec16<u32>>,
) {
    let job = Job {
        a: a.as_ptr().cast(),
        b: [b.as_ptr().cast(); 2],
        c: Place::new(&mut c, extent.stride_c),
        extent,
        parts: parts.as_mut_ptr(),
        arrived: arrived.as_mut_ptr(),
    };
    let finish = Biased::<Out> { bias, out: core::marker::PhantomData };
    // SAFETY: promised by the caller.
    unsafe { run::<In::Product, _, MT, NT, STAGES, ANYWHERE>(&job, &finish, smem.as_mut_ptr().cast()) }
}
