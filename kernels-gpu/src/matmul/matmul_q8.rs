//! c[i, j] = epilogue(Σ a[i, k] b[j, k]), a and b of i8
//!
//! Shapes     a: [m, k], b: [n, k], c: [m, n], rows `extent.stride_*` apart; k may be 0, m and n not; the vectors as in `Epilogue`
//! Types      i8, sums in i32 (exact for k ≤ 131071, else modulo 2^32), c of f16, bf16, f32, i32 or i8
//! Launch     grid `Tile::blocks`, block 256; the instances differ in the tile and in what they ask of the rows of a and b
//! Shared     `Tile::shared_bytes`: stages of 128 bytes along k, and a record for each row and column
//! Traffic    m k ⌈n / N⌉ + n k ⌈m / M⌉ + size m n bytes for tiles of M × N, 2 m n k operations
//! Tolerance  exact: the bits of `epilogue`'s formula, for any tile and any splits
//!
//! | instance | tile | rows of a and of b start at |
//! |---|---|---|
//! | `128x256` | [`LARGE`] | multiples of 16 bytes |
//! | `64x64` | [`SMALL`] | multiples of 16 bytes |
//! | `any` | [`ANY`] | any byte: by copies of 4 bytes where that divides all rows' addresses, else through registers, slower |
//!
//! With `extent.splits` above 1, `parts` has `Tile::parts_len` elements and `arrived` `Tile::arrived_len`, zero before and after.

use gpu_std::shared::DynamicShared;
use gpu_std::{GridMut, Vec16, bf16, f16, kernel};

use super::block_tile::{Job, run};
use super::epilogue::{Bias, Column, Epilogue, Extent, Output, Place, Row, centred};
use super::finish::Finish;
use super::products::Int8;
use super::tiling::{THREADS, Tile};

/// The tile of large products.
pub const LARGE: Tile = Tile::new(4, 8, 1, 3);

/// The tile of small products.
pub const SMALL: Tile = Tile::new(2, 2, 1, 4);

/// The tile of operands that lie anywhere.
pub const ANY: Tile = Tile::new(4, 4, 1, 3);

/// [`Epilogue`] with elements of `T`.
struct Scaled<'a, T> {
    epilogue: Epilogue<'a>,
    out: core::marker::PhantomData<T>,
}

impl<T: Output> Finish<i32> for Scaled<'_, T> {
    type Row = Row;
    type Column = Column;
    type Out = T;

    #[inline(always)]
    unsafe fn row(&self, i: usize) -> Row {
        // SAFETY: promised by the caller.
        unsafe { self.epilogue.row(i) }
    }

    #[inline(always)]
    unsafe fn column(&self, j: usize) -> Column {
        // SAFETY: promised by the caller.
        unsafe { self.epilogue.column(j) }
    }

    #[inline(always)]
    fn element(&self, total: i32, row: Row, column: Column) -> T {
        T::of(centred(total, row, column), row, column)
    }
}

/// Product of quantized matrices.
///
/// # Safety
/// - The extent describes the operands, m and n are not 0, splits is 1 or more, and every length is as above.
/// - Rows of the operands start at multiples of 16 bytes unless the instance takes any; `parts` starts at one.
/// - The launch has the grid and the shared memory of the instance's tile.
// What spills is libNVVM's code for sm_100 and sm_120.
#[kernel(block = THREADS, spill_bytes = 44, instances(
    f16_128x256 = (f16, 4, 8, 3, false), f16_64x64 = (f16, 2, 2, 4, false), f16_any = (f16, 4, 4, 3, true),
    bf16_128x256 = (bf16, 4, 8, 3, false), bf16_64x64 = (bf16, 2, 2, 4, false), bf16_any = (bf16, 4, 4, 3, true),
    f32_128x256 = (f32, 4, 8, 3, false), f32_64x64 = (f32, 2, 2, 4, false), f32_any = (f32, 4, 4, 3, true),
    i32_128x256 = (i32, 4, 8, 3, false), i32_64x64 = (i32, 2, 2, 4, false), i32_any = (i32, 4, 4, 3, true),
    i8_128x256 = (i8, 4, 8, 3, false), i8_64x64 = (i8, 2, 2, 4, false), i8_any = (i8, 4, 4, 3, true)
))]
pub unsafe fn matmul_q8<
    T: Output,
    const MT: usize,
    const NT: usize,
    const STAGES: usize,
    const ANYWHERE: bool,
>(
    a: &[i8],
    b: &[i8],
    mut c: GridMut<T>,
    row_scales: &[f32],
    col_scales: &[f32],
    row_zeros: &[i32],
    col_zeros: &[i32],
    row_sums: &[i32],
    col_sums: &[i32],
    bias: Bias,
    extent: Extent,
    mut parts: GridMut<i32>,
    mut arrived: GridMut<u32>,
    #[shared] smem: DynamicShared<Vec16<u32>>,
) {
    let k = extent.k as i32;
    let epilogue = Epilogue { row_scales, col_scales, row_zeros, col_zeros, row_sums, col_sums, bias, k };
    let job = Job {
        a: a.as_ptr().cast(),
        b: [b.as_ptr().cast(); 2],
        c: Place::new(&mut c, extent.stride_c),
        extent,
        parts: parts.as_mut_ptr(),
        arrived: arrived.as_mut_ptr(),
    };
    let finish = Scaled { epilogue, out: core::marker::PhantomData };
    // SAFETY: promised by the caller.
    unsafe { run::<Int8, _, MT, NT, STAGES, ANYWHERE>(&job, &finish, smem.as_mut_ptr().cast()) }
}
