//! c = a · bᵀ + bias, f16 or bf16, by `wgmma` fed by tensor copies
//!
//! Shapes     a: [m, k], b: [n, k], c: [m, n], all described by tensor maps; bias: [n] or none
//! Types      f16 or bf16 → the same or f32; exact products summed in f32, the bias added in f32, one rounding
//! Launch     clusters of 2 blocks, at most as many as fit; 1 warpgroup that fills, 1 or 2 that multiply
//! Shared     `Plan::shared_bytes`
//! Traffic    2 m k + 2 n k + m n size bytes, 2 m n k operations
//! Tolerance  the sums of `wgmma`, in steps of 16 along k: |error| ≤ (k / 16 + 24) 2^-23 Σ |a b|, then one rounding

use gpu_std::shared::DynamicShared;
use gpu_std::tma::{TensorMap, TensorMapMut};
use gpu_std::{bf16, f16, kernel};

use super::epilogue::{Bias, Epilogue, Extent};
use super::sm90_engine::{Engine, Operands};
use super::sm90_plan::Plan;
use super::sm90_product::{Brain, Half, Product};
use super::sm90_staged::Written;

type Half256 = Half<256>;
type Half128 = Half<128>;
type Half64 = Half<64>;
type Brain256 = Brain<256>;
type Brain128 = Brain<128>;
type Brain64 = Brain<64>;

/// The product by `P`, in tiles of 64 `C` rows by `N` columns; with `TURNED`, of so many rows of b by rows of a.
///
/// # Safety
/// - The maps describe the operands of the extent: bytes of a and b in boxes of 128 by the rows of a block and by half the width,
///   swizzled by 128 bytes; c in boxes of 64 bytes by 16 rows, swizzled by 64 bytes, or with `TURNED` of 16 by 16 elements.
/// - The bias has n elements; the launch has the block and the shared memory of the plan.
/// - `width` is that of the maps, a multiple of 16 and at most `N`; m, n and the bytes of k are below 2^31 - 512; the grid is of whole
///   clusters.
#[kernel(block = 128 * (1 + C as u32), cluster = 2, min_blocks = 1, target = "sm_90a", instances(
    f16_f16_128x256 = (Half256, f16, 2, 256, false), f16_f16_128x128 = (Half128, f16, 2, 128, false),
    f16_f16_128x64 = (Half64, f16, 2, 64, false), f16_f16_64x64 = (Half64, f16, 1, 64, true),
    f16_f32_128x256 = (Half256, f32, 2, 256, false), f16_f32_128x128 = (Half128, f32, 2, 128, false),
    f16_f32_128x64 = (Half64, f32, 2, 64, false), f16_f32_64x64 = (Half64, f32, 1, 64, true),
    bf16_bf16_128x256 = (Brain256, bf16, 2, 256, false), bf16_bf16_128x128 = (Brain128, bf16, 2, 128, false),
    bf16_bf16_128x64 = (Brain64, bf16, 2, 64, false), bf16_bf16_64x64 = (Brain64, bf16, 1, 64, true),
    bf16_f32_128x256 = (Brain256, f32, 2, 256, false), bf16_f32_128x128 = (Brain128, f32, 2, 128, false),
    bf16_f32_128x64 = (Brain64, f32, 2, 64, false), bf16_f32_64x64 = (Brain64, f32, 1, 64, true)
))]
pub unsafe fn sm90_matmul<
    P: Product<N, Sum = f32>,
    T: Written<f32>,
    const C: usize,
    const N: usize,
    const TURNED: bool,
>(
    a: &TensorMap,
    b: &TensorMap,
    c: &TensorMapMut,
    bias: Bias,
    extent: Extent,
    width: u32,
    #[shared] smem: DynamicShared<u8>,
) {
    let epilogue = Epilogue {
        row_scales: &[],
        col_scales: &[],
        row_zeros: &[],
        col_zeros: &[],
        row_sums: &[],
        col_sums: &[],
        bias,
        k: 0,
    };
    let (rows, columns, num_rows, num_columns) =
        if TURNED { (b, a, extent.n, extent.m) } else { (a, b, extent.m, extent.n) };
    let operands =
        Operands { rows, columns: [columns; 2], c, num_rows, num_columns, k_bytes: 2 * extent.k, width };
    let engine = Engine::<C, N, TURNED>::new(Plan::new(C, N, 1), operands, epilogue, smem);
    // SAFETY: promised by the caller.
    unsafe { engine.run::<P, T>() }
}
