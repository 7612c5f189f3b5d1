//! c[i, j] = epilogue(Σ a[i, k] (256 b_hi[j, k] + b_lo[j, k])), a of i8, b of i16 in two planes
//!
//! Shapes     a: [m, k], b_hi, b_lo: [n, k], rows `extent.stride_b` apart in both, c: [m, n]; k may be 0, m and n not; the vectors as
//!            in `Hybrid`
//! Types      i8, u8 in `b_lo`; a sum in i32 for each plane, their total in i64: exact for k ≤ 65793; c of f16, bf16, f32 or i64
//! Launch     grid `Tile::blocks`, block 256; the instances differ in the tile and in what they ask of the rows of a and b
//! Shared     `Tile::shared_bytes`: stages of 128 bytes along k, and a record for each row and column
//! Traffic    m k ⌈n / N⌉ + 2 n k ⌈m / M⌉ + size m n bytes for tiles of M × N, 2 m n k operations, by 4 m n k of the tensor cores
//! Tolerance  exact: the bits of `epilogue_hpq`'s formula, for any tile and any splits
//!
//! | instance | tile | rows of a and of b start at |
//! |---|---|---|
//! | `128x128` | [`LARGE`] | multiples of 16 bytes |
//! | `64x64` | [`SMALL`] | multiples of 16 bytes |
//! | `any` | [`ANY`] | any byte: by copies of 4 bytes where that divides all rows' addresses, else through registers, slower |
//!
//! With `extent.splits` above 1, `parts` has `Tile::parts_len` elements and `arrived` `Tile::arrived_len`, zero before and after.

use gpu_std::shared::DynamicShared;
use gpu_std::{GridMut, Vec16, bf16, f16, kernel};

use super::block_tile::{Job, run};
use super::epilogue::{Bias, Extent, Place};
use super::epilogue_hpq::{Hybrid, Output};
use super::products::Int8By16;
use super::tiling::{THREADS, Tile};

/// The tile of large products.
pub const LARGE: Tile = Tile::new(4, 8, 2, 3);

/// The tile of small products.
pub const SMALL: Tile = Tile::new(2, 4, 2, 4);

/// The tile of operands that lie anywhere.
pub const ANY: Tile = Tile::new(4, 4, 2, 3);

/// Product of activations of 8 bits with weights of 16.
///
/// # Safety
/// - The extent describes the operands, m and n are not 0, splits is 1 or more, and every length is as above.
/// - Rows of the operands start at multiples of 16 bytes unless the instance takes any; `parts` starts at one.
/// - The launch has the grid and the shared memory of the instance's tile.
// What spills is libNVVM's code for sm_100.
#[kernel(block = THREADS, spill_bytes = 20, instances(
    f16_128x128 = (f16, 4, 8, 3, false), f16_64x64 = (f16, 2, 4, 4, false), f16_any = (f16, 4, 4, 3, true),
    bf16_128x128 = (bf16, 4, 8, 3, false), bf16_64x64 = (bf16, 2, 4, 4, false), bf16_any = (bf16, 4, 4, 3, true),
    f32_128x128 = (f32, 4, 8, 3, false), f32_64x64 = (f32, 2, 4, 4, false), f32_any = (f32, 4, 4, 3, true),
    i64_128x128 = (i64, 4, 8, 3, false), i64_64x64 = (i64, 2, 4, 4, false), i64_any = (i64, 4, 4, 3, true)
))]
pub unsafe fn matmul_hpq<
    T: Output,
    const MT: usize,
    const NT: usize,
    const STAGES: usize,
    const ANYWHERE: bool,
>(
    a: &[i8],
    b_hi: &[i8],
    b_lo: &[u8],
    mut c: GridMut<T>,
    row_scales: &[f32],
    col_scales: &[f32],
    col_zeros: &[i32],
    row_sums: &[i32],
    bias: Bias,
    extent: Extent,
    mut parts: GridMut<i32>,
    mut arrived: GridMut<u32>,
    #[shared] smem: DynamicShared<Vec16<u32>>,
) {
    let job = Job {
        a: a.as_ptr().cast(),
        b: [b_hi.as_ptr().cast(), b_lo.as_ptr()],
        c: Place::new(&mut c, extent.stride_c),
        extent,
        parts: parts.as_mut_ptr(),
        arrived: arrived.as_mut_ptr(),
    };
    let finish = Hybrid::<T>::new(row_scales, col_scales, col_zeros, row_sums, bias);
    // SAFETY: promised by the caller.
    unsafe { run::<Int8By16, _, MT, NT, STAGES, ANYWHERE>(&job, &finish, smem.as_mut_ptr().cast()) }
}
