//! Which kernel computes a profile, and how its work is cut: ask ([`Problem`]), choose ([`Config`]), launch.

use std::ops::Range;

use gpu_std::launch::{Dim3, LaunchShape};
use kernels_gpu::dtw::extent::Extent;
use kernels_gpu::dtw::{
    BLOCK, band_lanes, band_stream, band_tile, dtw_band_wide, dtw_strips, stream, window_tile,
};

use super::options::{check_count, check_distances};
use super::{DtwError, Normalization, ProfileOptions, band};

/// The longest query that the kernels take. The CPU twin takes any.
pub const MAX_QUERY: usize = 4096;

/// Lanes of a multiprocessor that are busy at a time.
pub(super) const LANES_PER_SM: u64 = 512;

/// How often the blocks fill the device: the last time not all of them do.
pub(super) const WAVES: u64 = 6;

/// Columns of a lane and rows of a step that [`Kernel::Lanes`] has instances for.
pub(super) const LANE_TILES: [(u32, u32); 15] = [
    (18, 4),
    (20, 4),
    (22, 4),
    (24, 4),
    (28, 4),
    (32, 4),
    (24, 8),
    (26, 8),
    (28, 8),
    (30, 8),
    (32, 8),
    (36, 8),
    (40, 8),
    (44, 8),
    (48, 8),
];

/// Columns of a lane that [`Kernel::Strips`] has instances for.
pub(super) const STRIP_COLUMNS: [u32; 6] = [22, 24, 26, 28, 30, 32];

/// Columns of a lane that [`Kernel::BandLanes`] has instances for.
pub(super) const DIAGONAL_COLUMNS: [u32; 6] = [14, 16, 18, 20, 22, 24];

/// Columns of a lane that [`Kernel::BandWarps`] has instances for.
pub(super) const WARPS_COLUMNS: [u32; 3] = [16, 20, 24];

/// Columns of a lane that [`Kernel::BandWide`] has instances for.
pub(super) const BAND_COLUMNS: [u32; 3] = [16, 24, 32];

/// Radii that [`Kernel::Band`] has instances for.
pub(super) const RADII: [u32; 12] = [0, 1, 2, 4, 6, 8, 12, 16, 24, 32, 36, 42];

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Rows of the series.
    pub rows: u32,
    /// Points of a row.
    pub points: u64,
    /// Number of queries.
    pub queries: u32,
    /// Points of a query.
    pub m: u32,
    /// What is computed.
    pub options: ProfileOptions,
    /// Windows of a row whose distances are asked: its last ones.
    pub windows: u64,
    /// Points of a row that have results: its last ones.
    pub results: u64,
}

/// A kernel instance and the lanes that share a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// `dtw_small`: one thread, `m` up to 16.
    Small,
    /// `dtw_profile`, and `dtw_profile_broad` for more than 32 columns.
    Lanes {
        /// Lanes of a window.
        lanes: u32,
        /// Columns of a lane.
        columns: u32,
        /// Rows of a step.
        rows: u32,
    },
    /// `dtw_strips`: 32 lanes.
    Strips {
        /// Passes of a window.
        strips: u32,
        /// Columns of a lane.
        columns: u32,
    },
    /// `dtw_band`: one thread.
    Band {
        /// The largest radius of the instance.
        radius: u32,
    },
    /// `dtw_band_lanes`
    BandLanes {
        /// Lanes of two windows.
        lanes: u32,
        /// Columns of a lane.
        columns: u32,
    },
    /// `dtw_band_warps`
    BandWarps {
        /// Lanes of two windows, 64 or 128.
        lanes: u32,
        /// Columns of a lane.
        columns: u32,
    },
    /// `dtw_band_wide`
    BandWide {
        /// Lanes of a window.
        lanes: u32,
        /// Columns of a lane.
        columns: u32,
    },
}

/// How it is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The kernel.
    pub kernel: Kernel,
    /// Windows of a block.
    pub tile: u32,
    /// Queries of a block.
    pub query_tile: u32,
}

impl Problem {
    /// The problem of `queries` queries of `m` points over `rows` rows of `points` points.
    ///
    /// # Errors
    /// [`DtwError::SeriesRows`] for no rows, [`DtwError::NoQueries`], [`DtwError::EmptyQuery`], [`DtwError::QueryTooLong`],
    /// [`DtwError::TooMany`], [`DtwError::OutputTooLarge`], and what [`ProfileOptions::warm_up`] refuses.
    pub fn new(
        rows: u64,
        points: u64,
        queries: usize,
        m: usize,
        options: ProfileOptions,
    ) -> Result<Self, DtwError> {
        match (rows, queries, m) {
            (0, ..) => return Err(DtwError::SeriesRows { elements: 0, rows: 0 }),
            (_, 0, _) => return Err(DtwError::NoQueries),
            (.., 0) => return Err(DtwError::EmptyQuery),
            (.., m) if m > MAX_QUERY => return Err(DtwError::QueryTooLong { len: m, limit: MAX_QUERY }),
            _ => {}
        }
        let (rows, queries) = (check_count("rows", rows)?, check_count("queries", queries as u64)?);
        check_count("points of a mean", options.smoothing as u64)?;
        let warm_up = options.warm_up(usize::try_from(points).unwrap_or(usize::MAX), m)? as u64;
        check_distances(rows.into(), queries.into(), points)?;
        Ok(Self { rows, points, queries, m: m as u32, options, windows: points - warm_up, results: points })
    }

    /// The same where only the last `results` points of rows of `points` have results: what is appended to a series. The rows
    /// have a window at least.
    pub(super) const fn appended(self, points: u64, results: u64) -> Self {
        let windows = points + 2 - (self.m as u64 + self.options.smoothing as u64);
        Self { points, windows: if results < windows { results } else { windows }, results, ..self }
    }

    /// The radius that the matrix has at most.
    fn radius(&self) -> u32 {
        band(self.options.radius, self.m as usize) as u32
    }

    /// Pairs of a window and a query.
    fn pairs(&self) -> u64 {
        self.windows.saturating_mul(u64::from(self.rows)).saturating_mul(u64::from(self.queries))
    }
}

impl Kernel {
    /// Every kernel that computes the problem, always in the same order.
    pub fn candidates(problem: &Problem) -> Vec<Self> {
        let (m, radius) = (problem.m, problem.radius());
        if radius + 1 < m {
            return Self::banded(m, radius);
        }
        if m <= 16 {
            return vec![Self::Small];
        }
        let broadest = LANE_TILES[LANE_TILES.len() - 1].0;
        if m > 32 * broadest {
            let strips = |columns| Self::Strips { strips: m.div_ceil(32 * columns), columns };
            return STRIP_COLUMNS.into_iter().map(strips).collect();
        }
        let tiles = (0..6).flat_map(|log2| LANE_TILES.map(|(columns, rows)| (1 << log2, columns, rows)));
        let fitting = tiles.filter(|&(lanes, columns, _)| lanes * columns >= m && lanes / 2 * columns < m);
        fitting.map(|(lanes, columns, rows)| Self::Lanes { lanes, columns, rows }).collect()
    }

    /// Every kernel of the narrowest kind that holds the band.
    fn banded(m: u32, radius: u32) -> Vec<Self> {
        let narrow = RADII.into_iter().find(|r| *r >= radius).map(|radius| Self::Band { radius });
        let side_by_side = |columns: u32, mut log2: Range<u32>| {
            log2.find(|log2| band_lanes::holds(1 << log2, columns, m, radius))
                .map(|log2| (1 << log2, columns))
        };
        let lanes = DIAGONAL_COLUMNS.into_iter().filter_map(|columns| side_by_side(columns, 1..6));
        let lanes = lanes.map(|(lanes, columns)| Self::BandLanes { lanes, columns });
        let found: Vec<_> = narrow.into_iter().chain(lanes).collect();
        if !found.is_empty() {
            return found;
        }
        let warps = WARPS_COLUMNS.into_iter().filter_map(|columns| side_by_side(columns, 6..8));
        let found: Vec<_> = warps.map(|(lanes, columns)| Self::BandWarps { lanes, columns }).collect();
        if !found.is_empty() {
            return found;
        }
        let wide = BAND_COLUMNS.into_iter().filter_map(|columns| {
            let lanes = m.div_ceil(columns).next_power_of_two();
            (lanes <= BLOCK).then_some(Self::BandWide { lanes, columns })
        });
        wide.collect()
    }

    /// Lanes of a window.
    pub const fn lanes(self) -> u32 {
        match self {
            Self::Small | Self::Band { .. } => 1,
            Self::Lanes { lanes, .. }
            | Self::BandLanes { lanes, .. }
            | Self::BandWarps { lanes, .. }
            | Self::BandWide { lanes, .. } => lanes,
            Self::Strips { .. } => 32,
        }
    }

    /// Windows that the lanes of a window are in at a time.
    const fn windows(self) -> u32 {
        if matches!(self, Self::BandLanes { .. } | Self::BandWarps { .. }) { 2 } else { 1 }
    }

    /// Floats of a query as the kernel reads it: with what is put in front.
    pub const fn query_floats(self, m: u32) -> u32 {
        match self {
            Self::Small | Self::Band { .. } => m,
            Self::Lanes { lanes, columns, .. } | Self::BandWide { lanes, columns } => lanes * columns,
            Self::Strips { strips, columns } => strips * 32 * columns,
            Self::BandLanes { .. } | Self::BandWarps { .. } => m + band_lanes::padding(m),
        }
    }

    /// Instructions of a lane for a window and a query, as the SASS of the loops has them.
    fn instructions(self, problem: &Problem) -> u64 {
        let (m, radius) = (u64::from(problem.m), u64::from(problem.radius()));
        let full = |rows: u64, columns: u64| {
            m.div_ceil(rows) * (25 * rows * columns / 8 + 7 * rows + 12) + 3 * columns
        };
        match self {
            Self::Small => 25 * m * m / 8 + 20 * m,
            Self::Lanes { columns, rows, .. } => full(rows.into(), columns.into()),
            Self::Strips { strips, columns } => u64::from(strips) * (full(8, columns.into()) + 20 * m / 8),
            Self::Band { radius } => m * (7 * (2 * u64::from(radius) + 1) / 2 + 12),
            Self::BandLanes { lanes, columns } | Self::BandWarps { lanes, columns } => {
                let (lanes, columns) = (u64::from(lanes), u64::from(columns));
                m.div_ceil(band_tile::ROWS as u64) * (25 * columns + 64)
                    + (lanes / 2 + 1) * (7 * columns + 20)
            }
            Self::BandWide { columns, .. } => {
                let columns = u64::from(columns);
                (columns + 2 * radius + 8).div_ceil(8) * (37 * columns + 130)
            }
        }
    }

    /// Instructions of the busiest lane, on a device of `sm_count` multiprocessors.
    pub(super) fn time(self, problem: &Problem, sm_count: u32) -> u64 {
        let capacity = u64::from(sm_count.max(1)) * LANES_PER_SM;
        let turns = problem.pairs().saturating_mul(u64::from(self.lanes())).div_ceil(capacity).max(1);
        turns.saturating_mul(self.instructions(problem))
    }

    /// Shared memory behind the tile, in floats.
    fn extra_floats(self, m: u32) -> u32 {
        match self {
            Self::Strips { .. } => stream::border_floats(m, dtw_strips::ROWS as u32, 32),
            Self::BandWarps { .. } => band_lanes::EXCHANGE,
            Self::BandWide { .. } => band_stream::EXCHANGE,
            Self::Small | Self::Lanes { .. } | Self::Band { .. } | Self::BandLanes { .. } => 0,
        }
    }
}

impl Config {
    /// The kernel that is through first on a device of `sm_count` multiprocessors.
    pub fn choose(problem: &Problem, sm_count: u32) -> Self {
        const { assert!(dtw_band_wide::ROWS == 8) }
        let candidates = Kernel::candidates(problem);
        let kernel = candidates.iter().copied().min_by_key(|kernel| kernel.time(problem, sm_count));
        Self::with_kernel(kernel.unwrap_or(Kernel::Small), problem, sm_count)
    }

    /// The work cut for one of the problem's [candidates](Kernel::candidates).
    pub fn with_kernel(kernel: Kernel, problem: &Problem, sm_count: u32) -> Self {
        let capacity = u64::from(sm_count.max(1)) * LANES_PER_SM;
        let groups = u64::from(BLOCK / kernel.lanes() * kernel.windows());
        // Enough blocks for the device some times over, then more work for each.
        let turns = (problem.pairs() / (capacity * WAVES / u64::from(kernel.lanes())).max(1)).clamp(1, 16);
        let most = match kernel {
            // What a thread does once for its block weighs as much as two windows of five points; more than so many windows
            // leave memory waiting between the blocks.
            Kernel::Small => 10,
            Kernel::Band { .. } => 4,
            _ => 16,
        };
        let tile = (groups * turns.min(most)).min(problem.windows) as u32;
        let wanted =
            (groups * turns).div_ceil(u64::from(tile)).max(u64::from(problem.queries).div_ceil(65_535));
        let query_tile = if kernel.lanes() == 1 { u64::from(problem.queries) } else { wanted };
        Self { kernel, tile, query_tile: query_tile.min(u64::from(problem.queries)).min(1 << 12) as u32 }
    }

    /// What the kernel is told, but for the rolling aggregates and gaps between rows.
    pub fn extent(&self, problem: &Problem) -> Extent {
        Extent {
            n: problem.points,
            stride: problem.points,
            results: problem.results,
            windows: problem.windows,
            rows: problem.rows,
            queries: problem.queries,
            m: problem.m,
            radius: problem.radius(),
            tile: self.tile,
            query_tile: self.query_tile,
            log2_lanes: self.kernel.lanes().trailing_zeros(),
            smooth: problem.options.smoothing as u32,
            z_norm: u32::from(problem.options.normalization == Normalization::ZScore),
            rolling: 0,
        }
    }

    /// Grid and shared memory.
    ///
    /// # Errors
    /// [`DtwError::TooMany`] for more than 2^31 − 1 tiles.
    pub fn shape(&self, problem: &Problem) -> Result<LaunchShape, DtwError> {
        let x = check_count("tiles of windows", self.extent(problem).tiles())?;
        let grid = Dim3::new(x, problem.queries.div_ceil(self.query_tile), problem.rows.min(65_535));
        let tile = match self.kernel {
            // Has its windows in registers.
            Kernel::Small => window_tile::points(self.tile, problem.m),
            _ => window_tile::floats(self.tile, problem.m),
        };
        let floats = tile + self.kernel.extra_floats(problem.m);
        Ok(LaunchShape::grid(grid).with_shared_bytes(4 * floats))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(points: u64, queries: usize, m: usize, radius: u32) -> Problem {
        let options = ProfileOptions::new(Normalization::ZScore).radius(radius);
        Problem::new(1, points, queries, m, options).expect("it is right")
    }

    fn choice(points: u64, queries: usize, m: usize, radius: u32) -> Config {
        Config::choose(&problem(points, queries, m, radius), 132)
    }

    #[test]
    fn every_length_and_radius_has_a_kernel_that_holds_it() {
        for m in 1..=MAX_QUERY {
            for radius in [0, 1, m / 10, m / 3, m - 1, u32::MAX as usize] {
                let problem = problem(1 << 20, 1, m, radius as u32);
                let config = Config::choose(&problem, 132);
                assert!(config.kernel.query_floats(problem.m) >= problem.m, "{problem:?}");
                match config.kernel {
                    Kernel::Small => assert!(m <= 16 && problem.radius() + 1 >= problem.m),
                    Kernel::Band { radius } => {
                        assert!(problem.radius() <= radius && problem.radius() + 1 < problem.m)
                    }
                    Kernel::BandLanes { lanes, columns } | Kernel::BandWarps { lanes, columns } => {
                        assert!(band_lanes::holds(lanes, columns, problem.m, problem.radius()), "{problem:?}")
                    }
                    Kernel::BandWide { .. } => assert!(problem.radius() + 1 < problem.m),
                    Kernel::Lanes { .. } | Kernel::Strips { .. } => {
                        assert!(problem.radius() + 1 >= problem.m)
                    }
                }
                let shape = config.shape(&problem).expect("it fits");
                assert!(shape.shared_bytes <= 100 << 10, "{problem:?} {config:?}");
            }
        }
    }

    #[test]
    fn full_lengths_waste_no_columns() {
        for (m, lanes) in [(128, 4), (256, 8), (512, 16), (1024, 32)] {
            let want = Kernel::Lanes { lanes, columns: 32, rows: 8 };
            assert_eq!(choice(1 << 20, 1, m, u32::MAX).kernel, want);
        }
        assert_eq!(choice(1 << 20, 1, 2048, u32::MAX).kernel, Kernel::Strips { strips: 2, columns: 32 });
        let broad = Kernel::Lanes { lanes: 4, columns: 48, rows: 8 };
        assert_eq!(choice(1 << 20, 1, 192, u32::MAX).kernel, broad);
    }

    #[test]
    fn narrow_bands_go_to_threads_and_wide_ones_to_lanes() {
        assert_eq!(choice(1 << 20, 1, 128, 12).kernel, Kernel::Band { radius: 12 });
        assert_eq!(choice(1 << 20, 1, 1024, 102).kernel, Kernel::BandLanes { lanes: 16, columns: 14 });
        assert_eq!(choice(1 << 20, 1, 2048, 682).kernel, Kernel::BandWarps { lanes: 64, columns: 24 });
        assert!(matches!(choice(1 << 20, 1, 4096, 4000).kernel, Kernel::BandWide { .. }));
    }

    #[test]
    fn one_window_and_many_queries_are_spread_over_blocks() {
        let config = choice(128, 64, 128, u32::MAX);
        assert_eq!(config.tile, 1);
        assert!(config.query_tile < 64, "{config:?}");
    }

    #[test]
    fn appended_points_have_their_windows_and_no_others() {
        let problem = problem(1000, 1, 128, u32::MAX);
        let one = problem.appended(127 + 1, 1);
        assert_eq!((one.points, one.windows, one.results), (128, 1, 1));
        let extent = Config::choose(&one, 132).extent(&one);
        assert_eq!((extent.start_of(0), extent.result_of(0), extent.before()), (0, 0, 127));
        let longer = problem.appended(500 + 7, 7);
        let extent = Config::choose(&longer, 132).extent(&longer);
        assert_eq!((longer.windows, extent.start_of(0), extent.result_of(6)), (7, 500 - 127, 6));
        let all = problem.appended(1000, 1000);
        assert_eq!(all, problem);
    }

    #[test]
    fn what_the_kernels_do_not_take_is_refused() {
        let options = ProfileOptions::new(Normalization::None);
        let long = Problem::new(1, 10_000, 1, 4097, options).expect_err("too long");
        let want =
            "a query has 4097 points; the kernels take at most 4096, the CPU any number (`--backend cpu`)";
        assert_eq!(long.to_string(), want);
        let short = Problem::new(1, 3, 1, 4, options).expect_err("too short");
        assert!(matches!(short, DtwError::SeriesTooShort { len: 3, query: 4, .. }));
        let refusal =
            |rows, queries, m| Problem::new(rows, 9, queries, m, options).expect_err("none of them");
        assert_eq!(refusal(0, 1, 4), DtwError::SeriesRows { elements: 0, rows: 0 });
        assert_eq!(refusal(1, 0, 4), DtwError::NoQueries);
        assert_eq!(refusal(1, 1, 0), DtwError::EmptyQuery);
        let means = Problem::new(1, u64::MAX, 1, 4, options.smoothing(1 << 31)).expect_err("too many");
        assert_eq!(means.to_string(), "2147483648 points of a mean; at most 2147483647 are possible");
        let large = Problem::new(1 << 30, 1 << 40, 1, 4, options).expect_err("too large");
        assert!(matches!(large, DtwError::OutputTooLarge { rows: 0x4000_0000, .. }), "{large}");
    }
}
