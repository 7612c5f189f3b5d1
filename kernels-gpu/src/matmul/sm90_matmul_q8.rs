//! c = epilogue(a · bᵀ), int8, by `wgmma` fed by tensor copies
//!
//! Shapes     a: [m, k], b: [n, k], c: [m, n], all described by tensor maps; see `epilogue` for the vectors
//! Types      i8 → f16, bf16, f32, i32, i8; sums exact in i32 for k ≤ 131071
//! Launch     clusters of 2 blocks, at most as many as fit; 1 warpgroup that fills, 1 or 2 that multiply
//! Shared     `Plan::shared_bytes`
//! Traffic    m k + n k + m n size bytes, 2 m n k operations
//! Tolerance  exact

use gpu_std::shared::DynamicShared;
use gpu_std::tma::{TensorMap, TensorMapMut};
use gpu_std::wgmma::{Columns, IntegerWidth};
use gpu_std::{bf16, f16, kernel};

use super::epilogue::{Bias, Epilogue, Extent};
use super::sm90_engine::{Engine, Operands};
use super::sm90_plan::Plan;
use super::sm90_product::Int8;
use super::sm90_staged::Written;

/// The product, in tiles of 64 `C` rows by `N` columns; with `TURNED`, of so many rows of b by rows of a.
///
/// # Safety
/// - The maps describe a, b and c of the extent: bytes of a and b in boxes of 128 by the rows of a block and by half of `width`,
///   swizzled by 128 bytes; c in boxes of 64 bytes by 16 rows, swizzled by 64 bytes, or with `TURNED` of 16 by 16 elements.
/// - The vectors have the lengths that `Epilogue` says; the launch has the block and the shared memory of the plan.
/// - `width` is that of the maps, a multiple of 16 and at most `N`; m, n and the bytes of k are below 2^31 - 512; the grid is of whole
///   clusters.
#[kernel(block = 128 * (1 + C as u32), cluster = 2, min_blocks = 1, target = "sm_90a", instances(
    f16_128x256 = (f16, 2, 256, false), f16_128x128 = (f16, 2, 128, false), f16_128x64 = (f16, 2, 64, false),
    f16_16x64 = (f16, 1, 16, true), f16_32x64 = (f16, 1, 32, true), f16_64x64 = (f16, 1, 64, true),
    f16_128x64_turned = (f16, 1, 128, true), f16_160x64 = (f16, 1, 160, true),
    f16_192x64 = (f16, 1, 192, true), f16_224x64 = (f16, 1, 224, true), f16_256x64 = (f16, 1, 256, true),
    f16_128x128_turned = (f16, 2, 128, true), f16_160x128 = (f16, 2, 160, true),
    bf16_128x256 = (bf16, 2, 256, false), bf16_128x128 = (bf16, 2, 128, false),
    bf16_128x64 = (bf16, 2, 64, false), bf16_16x64 = (bf16, 1, 16, true), bf16_32x64 = (bf16, 1, 32, true),
    bf16_64x64 = (bf16, 1, 64, true), bf16_128x64_turned = (bf16, 1, 128, true),
    bf16_160x64 = (bf16, 1, 160, true), bf16_192x64 = (bf16, 1, 192, true),
    bf16_224x64 = (bf16, 1, 224, true), bf16_256x64 = (bf16, 1, 256, true),
    bf16_128x128_turned = (bf16, 2, 128, true), bf16_160x128 = (bf16, 2, 160, true),
    f32_128x256 = (f32, 2, 256, false), f32_128x128 = (f32, 2, 128, false), f32_128x64 = (f32, 2, 64, false),
    f32_16x64 = (f32, 1, 16, true), f32_64x64 = (f32, 1, 64, true), f32_128x64_turned = (f32, 1, 128, true),
    i32_128x256 = (i32, 2, 256, false), i32_128x128 = (i32, 2, 128, false), i32_128x64 = (i32, 2, 64, false),
    i32_16x64 = (i32, 1, 16, true), i32_64x64 = (i32, 1, 64, true), i32_128x64_turned = (i32, 1, 128, true),
    i8_128x256 = (i8, 2, 256, false), i8_128x128 = (i8, 2, 128, false), i8_128x64 = (i8, 2, 64, false),
    i8_16x64 = (i8, 1, 16, true), i8_64x64 = (i8, 1, 64, true), i8_128x64_turned = (i8, 1, 128, true)
))]
pub unsafe fn sm90_matmul_q8<T: Written<i32>, const C: usize, const N: usize, const TURNED: bool>(
    a: &TensorMap,
    b: &TensorMap,
    c: &TensorMapMut,
    row_scales: &[f32],
    col_scales: &[f32],
    row_zeros: &[i32],
    col_zeros: &[i32],
    row_sums: &[i32],
    col_sums: &[i32],
    bias: Bias,
    extent: Extent,
    width: u32,
    #[shared] smem: DynamicShared<u8>,
) where
    Columns<N>: IntegerWidth,
{
    let k = extent.k as i32;
    let epilogue = Epilogue { row_scales, col_scales, row_zeros, col_zeros, row_sums, col_sums, bias, k };
    let (rows, columns, num_rows, num_columns) =
        if TURNED { (b, a, extent.n, extent.m) } else { (a, b, extent.m, extent.n) };
    let operands =
        Operands { rows, columns: [columns; 2], c, num_rows, num_columns, k_bytes: extent.k, width };
    let engine = Engine::<C, N, TURNED>::new(Plan::new(C, N, 1), operands, epilogue, smem);
    // SAFETY: promised by the caller.
    unsafe { engine.run::<Int8<N>, T>() }
}
