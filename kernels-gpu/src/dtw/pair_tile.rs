//! How each sequence of a block's pairs is normalised, in shared memory.

use gpu_std::control::opaque;
use gpu_std::math::rcp_rn_f64;
use gpu_std::shared::DynamicShared;
use gpu_std::{block, thread};

use super::BLOCK;
use super::moments::Normaliser;
use super::pair_stream::Pairs;

/// Floats of a [`Normaliser`].
const NORMALISER: u32 = 3;

/// The normalisers of the first sequences, then of the second.
#[derive(Clone, Copy)]
pub struct PairTile {
    smem: DynamicShared<f32>,
    /// Pairs that there is room for.
    room: u32,
}

impl PairTile {
    /// Floats of shared memory for `tile` pairs.
    #[inline(always)]
    pub const fn floats(tile: u32) -> u32 {
        2 * NORMALISER * tile
    }

    /// Of `pairs` pairs from number `tile` on, a thread for each sequence. Ends with a barrier.
    ///
    /// # Safety
    /// All threads of the block come here; the operands are as their extent says; `smem` has [`PairTile::floats`] elements for
    /// the extent's tile, which is no less than `pairs`.
    #[inline(always)]
    pub unsafe fn fill(smem: DynamicShared<f32>, operands: &Pairs<'_>, tile: u64, pairs: u32) -> Self {
        let extent = &operands.extent;
        let tile_of = Self { smem, room: extent.tile };
        let inverse = rcp_rn_f64(f64::from(extent.m));
        let step = opaque(BLOCK);
        let of = |sequences: &[f32], stride: u64, pair: u32| {
            let start = ((tile + u64::from(pair)) * stride) as usize;
            Normaliser::of(extent.z_norm != 0, extent.m, inverse, |i| {
                // SAFETY: a row, and a point of it.
                unsafe { *sequences.get_unchecked(start + i as usize) }
            })
        };
        let mut at = thread::thread_linear();
        while at < 2 * pairs {
            let (number, normaliser) = if at < pairs {
                (at, of(operands.x, extent.stride_x, at))
            } else {
                (extent.tile + at - pairs, of(operands.y, extent.stride_y, at - pairs))
            };
            tile_of.set(number, normaliser);
            at += step;
        }
        // SAFETY: all threads come here.
        unsafe { block::bar_sync() };
        tile_of
    }

    /// Of a pair's first sequence.
    #[inline(always)]
    pub fn first(&self, pair: u32) -> Normaliser {
        self.get(pair)
    }

    /// Of a pair's second sequence.
    #[inline(always)]
    pub fn second(&self, pair: u32) -> Normaliser {
        self.get(self.room + pair)
    }

    #[inline(always)]
    fn set(&self, number: u32, normaliser: Normaliser) {
        let at = (NORMALISER * number) as usize;
        // SAFETY: inside, this thread's own.
        unsafe {
            self.smem.write(at, normaliser.x0);
            self.smem.write(at + 1, normaliser.mean);
            self.smem.write(at + 2, normaliser.inv);
        }
    }

    #[inline(always)]
    fn get(&self, number: u32) -> Normaliser {
        let at = (NORMALISER * number) as usize;
        // SAFETY: written by `fill`, a barrier ago; callers stay inside.
        unsafe {
            Normaliser { x0: self.smem.read(at), mean: self.smem.read(at + 1), inv: self.smem.read(at + 2) }
        }
    }
}
