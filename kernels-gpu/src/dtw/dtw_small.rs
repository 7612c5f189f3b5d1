//! out[s, k, t] = DTW of query k and the window of row s that ends at t, with rolling aggregates; windows of 1 to 16 points
//!
//! Shapes     series: [rows, n]; queries: [queries, m]; out: [rows, queries, results], NaN in front of that of the first
//!            window; aggregates: [rows, results] or empty
//! Types      f32; the sums of a window in f64
//! Launch     grid (windows / tile, queries / query_tile, rows), block 128, `window_tile::points` of dynamic shared memory
//! Traffic    4 rows n (1 + queries + aggregates) bytes, m² cells per window and query
//! Tolerance  exact
//!
//! Instructions of a thread for a window of 5 points and one query, as the SASS for sm_90 has them, beside some 220 for a
//! block's part; f64 and conversions are those among them that go to the slower units:
//!
//! | | all | f64 | conversions, roots |
//! |---|---|---|---|
//! | raw | 94 | 0 | 0 |
//! | raw, with the aggregates of 5 points | 146 | 12 | 7 |
//! | normalised | 158 | 24 | 8 |
//! | normalised, with the aggregates of 5 points | 187 | 26 | 11 |
//!
//! So a window is taken from shared memory once, its sums serve both normalisation and aggregates, and the border of the
//! matrix costs no minimum.

use gpu_std::control::opaque;
use gpu_std::math::fma_rn_f32;
use gpu_std::shared::DynamicShared;
use gpu_std::{GridMut, kernel, thread, unroll};

use super::BLOCK;
use super::aggregates::{Outputs, Places, Values, values, values_of};
use super::extent::{Extent, Part};
use super::moments::{Moments, Normaliser};
use super::profile::{Profile, Store, each_part};
use super::tile::min3;
use super::window_tile::WindowTile;

/// Unbanded distances, one window per thread with its whole matrix unrolled.
///
/// The limits are those at which most blocks fit into a multiprocessor of sm_80 and sm_90; what spills there, and outside the
/// loop over the windows, spills on sm_120.
///
/// # Safety
/// - The extent describes the operands: `m` is `M`, `windows ≥ 1`, and every length is as above.
/// - The launch has the grid and the shared memory above.
#[kernel(block = BLOCK, max_registers = if M == 7 { 72 } else if M <= 8 { 64 } else { 96 }, spill_bytes = if M == 16 { 20 } else if M >= 2 && M <= 4 { 8 } else { 0 }, instances(
    m1 = 1, m2 = 2, m3 = 3, m4 = 4, m5 = 5, m6 = 6, m7 = 7, m8 = 8, m9 = 9, m10 = 10, m11 = 11, m12 = 12, m13 = 13,
    m14 = 14, m15 = 15, m16 = 16
))]
pub unsafe fn dtw_small<const M: usize>(
    series: &[f32],
    queries: &[f32],
    out: GridMut<f32>,
    mean: GridMut<f32>,
    min: GridMut<f32>,
    max: GridMut<f32>,
    var: GridMut<f32>,
    extent: Extent,
    #[shared] smem: DynamicShared<f32>,
) {
    let profile = Profile { series, out, aggregates: Outputs { mean, min, max, var }, extent };
    // SAFETY: the launch has the shared memory.
    let tile = unsafe { WindowTile::new(smem, &extent) };
    // The aggregates of these very windows come with the sums that normalise them.
    let is_fused = extent.rolling == M as u32 && extent.smooth == 1 && profile.aggregates.are_complete();
    // SAFETY: all threads come here, the operands are as promised by the caller, the tile is filled before.
    unsafe {
        each_part(
            profile,
            #[inline(always)]
            |series, part, store, aggregates, row| {
                let has_aggregates = part.query == 0;
                let windows = Windows::<M> {
                    tile,
                    queries,
                    part,
                    store: *store,
                    z_norm: extent.z_norm != 0,
                    is_fused: is_fused && has_aggregates,
                    places: aggregates.from(u64::from(row) * extent.results + extent.result_of(part.window)),
                };
                let q = windows.query(0);
                tile.load(series, &extent, part);
                windows.store_all(q);
                if has_aggregates {
                    let end =
                        extent.result_of(part.window) + if is_fused { 0 } else { u64::from(part.windows) };
                    aggregates.store_ends(&extent, part, row, end, |start, inverse| {
                        short_or_long(series, start, extent.rolling, inverse)
                    });
                }
            },
        );
    }
}

/// The aggregates of `w` points from `start`; without a loop for the usual five.
#[inline(always)]
fn short_or_long(series: &[f32], start: usize, w: u32, inverse: f64) -> Values {
    // SAFETY: the window lies in the row.
    let x = |i: u32| unsafe { *series.get_unchecked(start + i as usize) };
    if w == 5 {
        let x = [x(0), x(1), x(2), x(3), x(4)];
        values_of(&x, &Moments::of(&x).statistics(inverse))
    } else {
        values(w, inverse, x)
    }
}

/// The windows of a block's part.
struct Windows<'a, const M: usize> {
    tile: WindowTile,
    queries: &'a [f32],
    part: Part,
    store: Store,
    z_norm: bool,
    /// Whether the aggregates are those of the windows.
    is_fused: bool,
    /// Those of the first window.
    places: Places,
}

impl<const M: usize> Windows<'_, M> {
    /// 1 / length.
    const INVERSE: f64 = 1.0 / M as f64;

    /// Stores all distances, and the aggregates where they are fused. `q`: query 0 of the part.
    ///
    /// The queries are taken in turn, and for the next window backwards: it begins with the one that is there.
    ///
    /// # Safety
    /// The tile was loaded, the part has a query, and the places are this block's alone.
    #[inline(always)]
    unsafe fn store_all(&self, mut q: [f32; M]) {
        let (one, step) = (opaque(1), opaque(BLOCK));
        let (mut query, mut direction) = (0_u32, 1);
        let mut out = self.store.query(query);
        let mut window = thread::thread_linear();
        while window < self.part.windows {
            // SAFETY: the window is this thread's alone.
            let (z, nan) = unsafe { self.prepare(window) };
            let mut left = self.part.queries;
            loop {
                // SAFETY: as above; a query of the part.
                unsafe { out.add(window as usize).write(distance(&q, &z) + nan) };
                left -= one;
                if left == 0 {
                    break;
                }
                query = query.wrapping_add(direction);
                q = self.query(query);
                out = self.store.query(query);
            }
            direction = direction.wrapping_neg();
            window += step;
        }
    }

    /// A window as it is compared, and what its distances are increased by: 0, or NaN where a raw one is not finite. Stores
    /// its aggregates where they are fused.
    ///
    /// # Safety
    /// As for [`store_all`](Self::store_all); the window is this thread's alone.
    #[inline(always)]
    unsafe fn prepare(&self, window: u32) -> ([f32; M], f32) {
        let x = self.tile.points::<M>(window);
        if self.z_norm || self.is_fused {
            let statistics = Moments::of(&x).statistics(Self::INVERSE);
            if self.is_fused {
                // SAFETY: promised by the caller.
                unsafe { self.places.store_all(window as usize, values_of(&x, &statistics)) };
            }
            if self.z_norm {
                return (normalised(&x, &statistics.z_norm()), 0.0);
            }
        }
        (x, nan_unless_finite(&x))
    }

    /// A query of the part.
    #[inline(always)]
    fn query(&self, query: u32) -> [f32; M] {
        let start = (self.part.query + query) as usize * M;
        let mut q = [0.0; M];
        unroll!(for i in 0..M {
            // SAFETY: a point of a query of the part.
            q[i] = unsafe { *self.queries.get_unchecked(start + i) };
        });
        q
    }
}

#[inline(always)]
fn normalised<const M: usize>(x: &[f32; M], normaliser: &Normaliser) -> [f32; M] {
    let mut z = [0.0; M];
    unroll!(for i in 0..M {
        z[i] = normaliser.apply(x[i]);
    });
    z
}

/// 0, or NaN if one of `x` is not finite.
#[inline(always)]
fn nan_unless_finite<const M: usize>(x: &[f32; M]) -> f32 {
    let mut sum = 0.0;
    unroll!(for i in 0..M {
        sum = fma_rn_f32(x[i], 0.0, sum);
    });
    sum
}

/// The whole matrix. As [`sweep`](super::tile::sweep), and no minimum is taken with the infinities outside.
#[inline(always)]
fn distance<const M: usize>(q: &[f32; M], z: &[f32; M]) -> f32 {
    let mut front = Front::<M> { left: [0.0; M], diag: [0.0; M] };
    unroll!(for t in 0..M {
        front.advance(q, z, t);
    });
    unroll!(for t in 1..M {
        front.advance(q, z, M - 1 + t);
    });
    front.left[M - 1]
}

/// The cells last computed, one per row, and what is on the diagonal of the next ones.
struct Front<const M: usize> {
    left: [f32; M],
    diag: [f32; M],
}

impl<const M: usize> Front<M> {
    /// Column t − k of each row k, where there is one.
    #[inline(always)]
    fn advance(&mut self, q: &[f32; M], z: &[f32; M], t: usize) {
        unroll!(for back in 0..M {
            let k = M - 1 - back;
            if t >= k && t - k < M {
                let i = t - k;
                let d = q[i] - z[k];
                let up = if k == 0 { 0.0 } else { self.left[k - 1] };
                let least = match (i, k) {
                    (0, 0) => 0.0,
                    (0, _) => up,
                    (_, 0) => self.left[0],
                    _ => min3(self.left[k], up, self.diag[k]),
                };
                self.diag[k] = up;
                self.left[k] = fma_rn_f32(d, d, least);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtw::tile::sweep;

    #[track_caller]
    fn assert_as_swept<const M: usize>() {
        let q: [f32; M] = core::array::from_fn(|i| (7 * i % 5) as f32 - 1.5);
        let z: [f32; M] = core::array::from_fn(|i| (3 * i % 7) as f32 * 0.7);
        let mut cols = [f32::INFINITY; M];
        let want = sweep(&mut cols, &q, &z, [f32::INFINITY; M], 0.0)[M - 1];
        assert_eq!(distance(&q, &z).to_bits(), want.to_bits(), "{M}");
    }

    #[test]
    fn a_matrix_without_its_border_has_the_same_corner() {
        assert_as_swept::<1>();
        assert_as_swept::<2>();
        assert_as_swept::<3>();
        assert_as_swept::<5>();
        assert_as_swept::<16>();
    }

    #[test]
    fn one_value_that_is_not_finite_makes_a_raw_window_nan() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for at in 0..3 {
                let mut x = [f32::MAX, -0.0, f32::MIN];
                assert_eq!(nan_unless_finite(&x), 0.0);
                x[at] = bad;
                assert!(nan_unless_finite(&x).is_nan());
            }
        }
    }
}
