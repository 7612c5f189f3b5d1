//! c = epilogue(a · (256 b_hi + b_lo)ᵀ), a of i8, b of i16 in two planes, by `wgmma` fed by tensor copies
//!
//! Shapes     a: [m, k], b_hi, b_lo: [n, k], c: [m, n], all described by tensor maps; the vectors as in `epilogue_hpq`
//! Types      i8, u8 in `b_lo` → f16, bf16, f32; a sum in i32 for each plane, their total in i64: exact for k ≤ 65793
//! Launch     clusters of 2 blocks, at most as many as fit; 1 warpgroup that fills, 2 that multiply
//! Shared     `Plan::shared_bytes`
//! Traffic    m k + 2 n k + m n size bytes, 2 m n k operations, by 4 m n k of the tensor cores
//! Tolerance  exact

use gpu_std::shared::DynamicShared;
use gpu_std::tma::{TensorMap, TensorMapMut};
use gpu_std::wgmma::{Columns, IntegerWidth};
use gpu_std::{bf16, f16, kernel};

use super::epilogue::{Bias, Epilogue, Extent};
use super::sm90_engine::{Engine, Operands};
use super::sm90_plan::Plan;
use super::sm90_product::Int8By16;
use super::sm90_staged::Written;

/// The product, in tiles of 128 rows by `N` columns.
///
/// # Safety
/// - The maps describe the operands of the extent: bytes of a in boxes of 128 by 128 rows, of b_hi and b_lo by `N` / 2 rows, swizzled by
///   128 bytes; c in boxes of 64 bytes by 16 rows, swizzled by 64 bytes.
/// - The vectors have the lengths that `Hybrid` says; the launch has the block and the shared memory of the plan.
/// - m, n and k are below 2^31 - 512; the grid is of whole clusters.
#[kernel(block = 384, cluster = 2, min_blocks = 1, target = "sm_90a", instances(
    f16_128x128 = (f16, 128), f16_128x64 = (f16, 64), bf16_128x128 = (bf16, 128), bf16_128x64 = (bf16, 64),
    f32_128x128 = (f32, 128), f32_128x64 = (f32, 64)
))]
pub unsafe fn sm90_matmul_hpq<T: Written<i64>, const N: usize>(
    a: &TensorMap,
    b_hi: &TensorMap,
    b_lo: &TensorMap,
    c: &TensorMapMut,
    row_scales: &[f32],
    col_scales: &[f32],
    col_zeros: &[i32],
    row_sums: &[i32],
    bias: Bias,
    extent: Extent,
    #[shared] smem: DynamicShared<u8>,
) where
    Columns<N>: IntegerWidth,
{
    let epilogue =
        Epilogue { row_scales, col_scales, row_zeros: &[], col_zeros, row_sums, col_sums: &[], bias, k: 0 };
    let Extent { m, n, k, .. } = extent;
    let operands = Operands {
        rows: a,
        columns: [b_hi, b_lo],
        c,
        num_rows: m,
        num_columns: n,
        k_bytes: k,
        width: N as u32,
    };
    let engine = Engine::<2, N, false>::new(Plan::new(2, N, 2), operands, epilogue, smem);
    // SAFETY: promised by the caller.
    unsafe { engine.run::<Int8By16<N>, T>() }
}
