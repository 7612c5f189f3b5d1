//! Dynamic time warping of every window of a series, with rolling aggregates.
//!
//! The cell: d = q[i] − z[j], D[i, j] = fma(d, d, min(D[i−1, j−1], D[i−1, j], D[i, j−1])) in f32, D[−1, −1] = 0, other
//! borders +inf. A minimum is exact and every cell has one subtraction and one fused multiply-add, so any tiling gives the
//! same bits. Sums of squares are not negative, so their bits order as integers: the minimum of three is one instruction.
//!
//! | kernel | a window is held by | for |
//! |---|---|---|
//! | [`dtw_small`] | one thread, the whole matrix unrolled | m ≤ 16, no band |
//! | [`dtw_profile`], [`dtw_profile_broad`] | 1 to 32 lanes, each with 18 to 48 columns of the query; the windows stream past | m ≤ 1536, no band |
//! | [`dtw_strips`] | 32 lanes, strip after strip | longer windows, no band |
//! | [`dtw_band`] | one thread, with the 2 r + 1 cells of a row | narrow bands |
//! | [`dtw_band_lanes`] | 4 to 32 lanes, each with some diagonals; two windows share them | wider bands |
//! | [`dtw_band_warps`] | as `dtw_band_lanes`, 64 or 128 lanes | still wider bands |
//! | [`dtw_band_wide`] | lanes as in `dtw_profile`, each only for the rows of its band | other bands |
//! | [`dtw_bound`] | one thread, four at a time: no distance, a lower bound | searches within narrow bands |
//! | [`dtw_search`] | one thread, as in `dtw_band`, until the distance is known to be too large | what bounds leave of them |
//! | [`dtw_least`], [`dtw_at_most`] | nobody: they select from a profile | other searches |
//!
//! [`dtw_pairs`] has pairs of sequences instead of windows, [`dtw_subsequence`] a whole series against each query, with open begin
//! and open end; lanes hold columns there as in `dtw_profile`.

pub mod aggregates;
pub mod band_lanes;
pub mod band_stream;
pub mod band_tile;
pub mod bound;
pub mod bound_tile;
pub mod dtw_at_most;
pub mod dtw_band;
pub mod dtw_band_lanes;
pub mod dtw_band_warps;
pub mod dtw_band_wide;
pub mod dtw_bound;
pub mod dtw_least;
pub mod dtw_pairs;
pub mod dtw_profile;
pub mod dtw_profile_broad;
pub mod dtw_search;
pub mod dtw_small;
pub mod dtw_strips;
pub mod dtw_subsequence;

pub mod extent;
pub mod found;
pub mod moments;
pub mod narrow_band;
pub mod open_stream;
pub mod pair_stream;
pub mod pair_tile;
pub mod profile;
pub mod rolling;
pub mod rolling_append;
pub mod stream;
pub mod tile;
pub mod window_tile;

/// Threads per block of the family's kernels.
pub const BLOCK: u32 = 128;
