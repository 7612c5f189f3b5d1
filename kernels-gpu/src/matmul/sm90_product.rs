//! What the warpgroups of the sm_90a kernels multiply, 128 bytes of k at a time, into registers.

use gpu_std::swizzle::MatrixDescriptor;
use gpu_std::unroll;
use gpu_std::wgmma::{
    Acc, Columns, IntegerWidth, Width, wgmma_commit_group, wgmma_fence, wgmma_mma_async_bf16,
    wgmma_mma_async_f16, wgmma_mma_async_s8_s8, wgmma_mma_async_s8_u8, wgmma_wait_group,
};

/// The sums of a warpgroup: 64 rows by `N` columns.
pub trait Product<const N: usize> {
    /// A sum.
    type Sum: Copy;
    /// Planes of the operand of the columns.
    const PLANES: usize;

    /// All zero.
    fn zero() -> Self;

    /// Starts to multiply a stage, as a group: the rows by the columns, added to what is there if there is `more`. Planes lie
    /// `plane_bytes` apart.
    ///
    /// # Safety
    /// As the instructions say; the threads of the warpgroup call it together.
    unsafe fn multiply(
        &mut self,
        rows: MatrixDescriptor,
        columns: MatrixDescriptor,
        plane_bytes: u32,
        more: bool,
    );

    /// Waits until at most `PENDING` groups are at work.
    ///
    /// # Safety
    /// The threads of the warpgroup call it together.
    unsafe fn wait<const PENDING: u32>(&mut self);

    /// Sum `i` of the thread.
    fn sum(&self, i: usize) -> Self::Sum;
}

/// Bytes of k of one instruction.
const STEP_BYTES: usize = 32;

macro_rules! products {
    ($($(#[$meta:meta])* $name:ident: $sum:ty, $width:ident, |$acc:ident, $a:ident, $b:ident, $more:ident| $multiply:expr;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub struct $name<const N: usize>(Acc<$sum, N>)
        where
            Columns<N>: $width;

        impl<const N: usize> Product<N> for $name<N>
        where
            Columns<N>: $width,
        {
            type Sum = $sum;
            const PLANES: usize = 1;

            #[inline(always)]
            fn zero() -> Self {
                Self(Acc::zero())
            }

            #[inline(always)]
            unsafe fn multiply(&mut self, rows: MatrixDescriptor, columns: MatrixDescriptor, _: u32, more: bool) {
                let $acc = &mut self.0;
                // SAFETY: promised by the caller.
                unsafe {
                    wgmma_fence($acc);
                    unroll!(for part in 0..4 {
                        let ($a, $b) = (rows.advance(STEP_BYTES * part), columns.advance(STEP_BYTES * part));
                        let $more = part > 0 || more;
                        $multiply;
                    });
                    wgmma_commit_group();
                }
            }

            #[inline(always)]
            unsafe fn wait<const PENDING: u32>(&mut self) {
                // SAFETY: promised by the caller.
                unsafe { wgmma_wait_group::<PENDING>(&mut self.0) }
            }

            #[inline(always)]
            fn sum(&self, i: usize) -> $sum {
                self.0.get(i)
            }
        }
    )*};
}

products! {
    /// i8 by i8, exact in i32.
    Int8: i32, IntegerWidth, |acc, a, b, more| wgmma_mma_async_s8_s8(acc, a, b, more);
    /// f16 by f16, sums in f32.
    Half: f32, Width, |acc, a, b, more| wgmma_mma_async_f16::<N, 1, 1, false, false>(acc, a, b, more);
    /// bf16 by bf16, sums in f32.
    Brain: f32, Width, |acc, a, b, more| wgmma_mma_async_bf16::<N, 1, 1, false, false>(acc, a, b, more);
}

/// i8 by 256 hi + lo: hi of i8 in the first plane, lo of u8 in the second, each exact in i32, their total in i64.
#[derive(Clone, Copy)]
pub struct Int8By16<const N: usize>
where
    Columns<N>: IntegerWidth,
{
    high: Acc<i32, N>,
    low: Acc<i32, N>,
}

impl<const N: usize> Product<N> for Int8By16<N>
where
    Columns<N>: IntegerWidth,
{
    type Sum = i64;
    const PLANES: usize = 2;

    #[inline(always)]
    fn zero() -> Self {
        Self { high: Acc::zero(), low: Acc::zero() }
    }

    #[inline(always)]
    unsafe fn multiply(
        &mut self,
        rows: MatrixDescriptor,
        columns: MatrixDescriptor,
        plane_bytes: u32,
        more: bool,
    ) {
        let lower = columns.advance(plane_bytes as usize);
        // SAFETY: promised by the caller.
        unsafe {
            wgmma_fence(&mut (&mut self.high, &mut self.low));
            unroll!(for part in 0..4 {
                let at = STEP_BYTES * part;
                wgmma_mma_async_s8_s8(
                    &mut self.high,
                    rows.advance(at),
                    columns.advance(at),
                    part > 0 || more,
                );
                wgmma_mma_async_s8_u8(&mut self.low, rows.advance(at), lower.advance(at), part > 0 || more);
            });
            wgmma_commit_group();
        }
    }

    #[inline(always)]
    unsafe fn wait<const PENDING: u32>(&mut self) {
        // SAFETY: promised by the caller.
        unsafe { wgmma_wait_group::<PENDING>(&mut (&mut self.high, &mut self.low)) }
    }

    #[inline(always)]
    fn sum(&self, i: usize) -> i64 {
        (i64::from(self.high.get(i)) << 8) + i64::from(self.low.get(i))
    }
}
