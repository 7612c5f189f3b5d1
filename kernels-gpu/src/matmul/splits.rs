//! Parts of k that several blocks share out: each leaves its sums, the last to arrive adds them all, in order.
//!
//! Integers give the same sums for any number of parts; floats the same for the same number, whichever block comes last.

use gpu_std::atomic::{AcqRel, Global, Gpu, Relaxed, atom_add, fence, st};
use gpu_std::mem::{ld_global_cg, st_global_cg};
use gpu_std::unroll::filled;
use gpu_std::{Vec16, block, thread, unroll};

use super::products::Product;
use super::tiling::THREADS;
use super::warp_tile::Sums;

/// A tile whose parts of k several blocks share.
#[derive(Clone, Copy, Debug)]
pub struct Parts<S> {
    /// Sums of all parts, `Tile::parts_len` of them.
    pub sums: *mut S,
    /// Counters of all tiles, zero at first.
    pub arrived: *mut u32,
    /// Number of tiles.
    pub tiles: u32,
    /// The tile.
    pub tile: u32,
    /// The part of this block, below `splits`.
    pub split: u32,
    /// Parts of a tile, 2 or more.
    pub splits: u32,
}

/// Sums of four elements, as `ld` and `st` move them.
type Quad = Vec16<u32>;

impl<S: Copy> Parts<S> {
    /// Where part `split` of a warp's product `index`, of `count`, lies.
    #[inline(always)]
    fn place(&self, split: u32, index: usize, count: usize) -> *mut Quad {
        let part = split as usize * self.tiles as usize + self.tile as usize;
        let at = (part * count + index) * THREADS as usize + thread::thread_idx_x() as usize;
        self.sums.cast::<Quad>().wrapping_add(at)
    }

    /// Leaves the sums of this part; in the last block to do so for its tile, `sums` becomes those of all parts, and it is told so.
    ///
    /// # Safety
    /// All threads of the block are here; the memory is as the fields say, and `sums` is a multiple of 16.
    #[inline(always)]
    pub unsafe fn gather<P: Product<Sum = S>, const MT: usize, const NT: usize>(
        &self,
        sums: &mut Sums<S, MT, NT>,
    ) -> bool {
        // SAFETY: promised by the caller: every block of the tile writes its own part, and the last reads them after all others
        // have released theirs by the counter.
        unsafe {
            unroll!(for i in 0..MT {
                unroll!(for j in 0..NT {
                    let quad: Quad = core::mem::transmute_copy(&sums[i][j]);
                    st_global_cg(self.place(self.split, i * NT + j, MT * NT), quad);
                });
            });
            fence(AcqRel, Gpu);
            block::bar_sync();
            let counter = self.arrived.add(self.tile as usize);
            let first = thread::thread_idx_x() == 0;
            let last = first && atom_add(counter, 1, AcqRel, Gpu, Global) == self.splits - 1;
            if !block::barrier_red_or(last) {
                return false;
            }
            fence(AcqRel, Gpu);
            if first {
                st(counter, 0, Relaxed, Gpu, Global);
            }
            // A loop for each row of products: loads of all of them at once need more registers than there are.
            unroll!(for i in 0..MT {
                sums[i] = filled([P::ZERO; 4]);
                for split in 0..self.splits {
                    unroll!(for j in 0..NT {
                        let quad = ld_global_cg(self.place(split, i * NT + j, MT * NT).cast_const());
                        let part: [S; 4] = core::mem::transmute_copy::<Quad, _>(&quad);
                        unroll!(for e in 0..4 {
                            sums[i][j][e] = P::plus(sums[i][j][e], part[e]);
                        });
                    });
                }
            });
            true
        }
    }
}
