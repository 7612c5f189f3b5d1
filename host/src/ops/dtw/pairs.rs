//! Pairs of sequences of one length: which instance, the launch, and the call on host memory.

use gpu_std::launch::{DeviceSliceMut, Dim3, LaunchShape, launch_unsafe};
use kernels_gpu::dtw::BLOCK;
use kernels_gpu::dtw::dtw_pairs::{DtwPairs, DtwPairsArgs};
use kernels_gpu::dtw::pair_stream::{PairExtent, steps};
use kernels_gpu::dtw::pair_tile::PairTile;

use super::config::{LANES_PER_SM, MAX_QUERY, WAVES};
use super::options::check_count;
use super::{DtwError, Normalization, band, check_output};
use crate::backend::{Buffer as _, Device};
use crate::cpu;
use crate::error::Error;
use crate::host_memory;
use crate::ops::{Executor, HostRef, Layout, MatrixRef, OpError, check_shapes};

/// Columns of a lane that `dtw_pairs` has instances for.
const COLUMNS: [u32; 2] = [16, 32];

/// Pairs of a block whose normalisers have room in shared memory.
const MOST_PAIRS: u64 = 512;

/// Shared memory, in floats, that the columns between strips may take where fewer lanes leave a choice.
const BORDER_FLOATS: u32 = 10 << 10;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PairProblem {
    x: Layout,
    y: Layout,
    radius: u32,
    normalization: Normalization,
}

/// An instance of `dtw_pairs` and the lanes that share a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairKernel {
    /// All columns at a time, no band.
    Whole {
        /// Lanes of a pair.
        lanes: u32,
        /// Columns of a lane.
        columns: u32,
    },
    /// 32 lanes with 32 columns, strip after strip, no band.
    Strips,
    /// Strip after strip, each only for the rows of its band.
    Band {
        /// Lanes of a pair.
        lanes: u32,
        /// Columns of a lane.
        columns: u32,
    },
}

/// How it is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PairConfig {
    kernel: PairKernel,
    /// Pairs of a block.
    tile: u32,
}

impl PairProblem {
    /// The pairs of the rows of two matrices.
    ///
    /// # Errors
    /// [`OpError::ShapeMismatch`], [`DtwError::EmptyQuery`], [`DtwError::QueryTooLong`].
    pub(super) fn new(
        x: Layout,
        y: Layout,
        radius: u32,
        normalization: Normalization,
    ) -> Result<Self, OpError> {
        check_sequences(x, y)?;
        let m = x.cols();
        if m > MAX_QUERY as u64 {
            return Err(DtwError::QueryTooLong { len: m as usize, limit: MAX_QUERY }.into());
        }
        Ok(Self { x, y, radius: band(radius, m as usize) as u32, normalization })
    }

    fn m(&self) -> u32 {
        self.x.cols() as u32
    }

    fn pairs(&self) -> u64 {
        self.x.rows()
    }
}

/// Refuses matrices whose rows are no pairs of sequences.
///
/// # Errors
/// [`OpError::ShapeMismatch`], [`DtwError::EmptyQuery`].
pub(crate) fn check_sequences(x: Layout, y: Layout) -> Result<(), OpError> {
    check_shapes("dtw_pairs", &[("x", x), ("y", y)])?;
    if x.cols() == 0 { Err(DtwError::EmptyQuery.into()) } else { Ok(()) }
}

impl PairKernel {
    /// Every instance that computes the problem, always in the same order.
    pub(super) fn candidates(problem: &PairProblem) -> Vec<Self> {
        let m = problem.m();
        let tiles = COLUMNS.into_iter().flat_map(|columns| (0..6).map(move |log2| (1 << log2, columns)));
        let useful = tiles.filter(|&(lanes, columns)| lanes / 2 * columns < m);
        if problem.radius + 1 < m {
            let banded = useful.map(|(lanes, columns)| Self::Band { lanes, columns });
            return banded.filter(|kernel| kernel.fits(problem)).collect();
        }
        if m > 32 * COLUMNS[COLUMNS.len() - 1] {
            return vec![Self::Strips];
        }
        let whole = useful.filter(|&(lanes, columns)| lanes * columns >= m);
        whole.map(|(lanes, columns)| Self::Whole { lanes, columns }).collect()
    }

    /// Lanes and columns of a lane.
    fn tile(self) -> (u32, u32) {
        match self {
            Self::Whole { lanes, columns } | Self::Band { lanes, columns } => (lanes, columns),
            Self::Strips => (32, 32),
        }
    }

    fn fits(self, problem: &PairProblem) -> bool {
        let config = PairConfig { kernel: self, tile: 1 };
        self.tile().0 == 32 || config.extent(problem).border_floats() <= BORDER_FLOATS
    }

    /// Instructions of a lane for a pair, about.
    fn instructions(self, problem: &PairProblem) -> u64 {
        let extent = PairConfig { kernel: self, tile: 1 }.extent(problem);
        let columns = u64::from(self.tile().1);
        let step = match self {
            Self::Whole { .. } => 25 * columns + 130,
            Self::Strips => 25 * columns + 170,
            Self::Band { .. } => 41 * columns + 170,
        };
        u64::from(extent.strips) * (u64::from(extent.steps) * step + 8 * columns + 50)
    }
}

impl PairConfig {
    /// The instance that is through first on a device of `sm_count` multiprocessors.
    pub(super) fn choose(problem: &PairProblem, sm_count: u32) -> Self {
        let capacity = u64::from(sm_count.max(1)) * LANES_PER_SM;
        let time = |kernel: &PairKernel| {
            let lanes = u64::from(kernel.tile().0);
            let turns = problem.pairs().saturating_mul(lanes).div_ceil(capacity).max(1);
            turns.saturating_mul(kernel.instructions(problem))
        };
        let kernel = PairKernel::candidates(problem).into_iter().min_by_key(time);
        Self::with_kernel(kernel.unwrap_or(PairKernel::Strips), problem, sm_count)
    }

    /// The work cut for one of the problem's [candidates](PairKernel::candidates).
    pub(super) fn with_kernel(kernel: PairKernel, problem: &PairProblem, sm_count: u32) -> Self {
        let capacity = u64::from(sm_count.max(1)) * LANES_PER_SM;
        let lanes = u64::from(kernel.tile().0);
        let groups = u64::from(BLOCK) / lanes;
        let turns = (problem.pairs() / (capacity * WAVES / lanes).max(1)).clamp(1, 16);
        let tile = (groups * turns).min(MOST_PAIRS).min(problem.pairs().max(1));
        Self { kernel, tile: tile as u32 }
    }

    fn extent(&self, problem: &PairProblem) -> PairExtent {
        let (lanes, columns) = self.kernel.tile();
        let (m, radius) = (problem.m(), problem.radius);
        PairExtent {
            pairs: problem.pairs(),
            stride_x: problem.x.stride(),
            stride_y: problem.y.stride(),
            m,
            radius,
            tile: self.tile,
            log2_lanes: lanes.trailing_zeros(),
            z_norm: u32::from(problem.normalization == Normalization::ZScore),
            width: lanes * columns,
            strips: m.div_ceil(lanes * columns),
            steps: steps(m, radius, lanes, columns),
        }
    }

    /// Grid and shared memory.
    fn shape(&self, problem: &PairProblem) -> Result<LaunchShape, DtwError> {
        let tiles = problem.pairs().div_ceil(self.tile.into());
        let x = check_count("tiles of pairs", tiles)?;
        let floats = PairTile::floats(self.tile) + self.extent(problem).border_floats();
        Ok(LaunchShape::grid(Dim3::new(x, 1, 1)).with_shared_bytes(4 * floats))
    }
}

/// Enqueues the distance of row p of `x` to row p of `y`, both raw or both normalised, as `out[p]`.
///
/// Shapes `x`, `y`: `[P, m]`, m from 1 to [`MAX_QUERY`], rows any number of elements apart; `out`: `[P]`; no pairs launch
/// nothing. The distance is D(m-1, m-1) over the cells with `|i - j| <= radius`, squared cost, not rooted; NaN where either
/// sequence is not finite. The bits of [`crate::cpu::dtw::pairs`], and the same with `x` and `y` exchanged.
///
/// # Errors
/// [`OpError::ShapeMismatch`] with both shapes, [`DtwError::EmptyQuery`] and [`DtwError::QueryTooLong`] for the sequences,
/// [`DtwError::OutputLength`], or the device's error; nothing has been written then.
pub fn pairs<D: Device>(
    device: &D,
    x: MatrixRef<'_, f32>,
    y: MatrixRef<'_, f32>,
    radius: u32,
    normalization: Normalization,
    out: DeviceSliceMut<'_, f32>,
) -> Result<(), Error> {
    let problem = PairProblem::new(x.layout(), y.layout(), radius, normalization)?;
    pairs_with(device, x, y, &problem, PairConfig::choose(&problem, device.info().sm_count), out)
}

/// [`pairs`] by an instance that need not be the fastest: for tests and benches.
///
/// # Errors
/// As [`pairs`].
pub(super) fn pairs_with<D: Device>(
    device: &D,
    x: MatrixRef<'_, f32>,
    y: MatrixRef<'_, f32>,
    problem: &PairProblem,
    config: PairConfig,
    out: DeviceSliceMut<'_, f32>,
) -> Result<(), Error> {
    check_output("out", out.len() as usize, problem.pairs() as usize)?;
    if problem.pairs() == 0 {
        return Ok(());
    }
    let (shape, extent) = (config.shape(problem)?, config.extent(problem));
    macro_rules! launch {
        ($($constant:literal)+) => {{
            let args = DtwPairsArgs { x: x.data(), y: y.data(), out, extent };
            // SAFETY: the views hold the matrices, the output has an element for each pair, the problem has their layouts,
            // and extent and shape come from one configuration.
            unsafe { launch_unsafe::<DtwPairs<$($constant),+>, D>(device, shape, &args) }
        }};
    }
    match config.kernel {
        PairKernel::Whole { columns: 16, .. } => launch!(16 false false),
        PairKernel::Whole { .. } => launch!(32 false false),
        PairKernel::Strips => launch!(32 true false),
        PairKernel::Band { columns: 16, .. } => launch!(16 true true),
        PairKernel::Band { .. } => launch!(32 true true),
    }
}

/// The distances of the rows of `x` to those of `y`, in host memory, on whatever back end there is. Returns when all is
/// computed; the same bits on every back end.
///
/// # Errors
/// As [`pairs`], and [`OpError::HostMemory`]; the CPU takes sequences of any length.
pub fn pairs_on(
    executor: &Executor,
    x: HostRef<'_, f32>,
    y: HostRef<'_, f32>,
    radius: u32,
    normalization: Normalization,
) -> Result<Vec<f32>, Error> {
    match executor {
        Executor::Cuda(stream) => on_device(stream, x, y, radius, normalization),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => on_device(sim, x, y, radius, normalization),
        Executor::Cpu => {
            check_sequences(x.layout(), y.layout())?;
            let mut out = host_memory::filled(f32::NAN, x.layout().rows() as usize)?;
            cpu::dtw::pairs(x, y, radius, normalization, &mut out)?;
            Ok(out)
        }
    }
}

fn on_device<D: Device>(
    device: &D,
    x: HostRef<'_, f32>,
    y: HostRef<'_, f32>,
    radius: u32,
    normalization: Normalization,
) -> Result<Vec<f32>, Error> {
    PairProblem::new(x.layout(), y.layout(), radius, normalization)?;
    let upload = |rows: HostRef<'_, f32>| device.upload(&rows.data()[..rows.layout().span() as usize]);
    let (left, right) = (upload(x)?, upload(y)?);
    let mut out = device.alloc(x.layout().rows())?;
    let view =
        |data, layout: Layout| MatrixRef::with_stride(data, layout.rows(), layout.cols(), layout.stride());
    let (left, right) = (view(left.as_slice(), x.layout())?, view(right.as_slice(), y.layout())?);
    pairs(device, left, right, radius, normalization, out.as_mut_slice())?;
    device.download(out.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(pairs: u64, m: u64, radius: u32) -> PairProblem {
        let layout = Layout::new(pairs, m, m).expect("it is right");
        PairProblem::new(layout, layout, radius, Normalization::ZScore).expect("it is right")
    }

    #[test]
    fn every_length_and_radius_has_an_instance_that_fits() {
        for m in 1..=MAX_QUERY as u64 {
            for radius in [0, 1, m / 10, m / 3, m - 1, u64::from(u32::MAX)] {
                let problem = problem(100_000, m, radius as u32);
                let candidates = PairKernel::candidates(&problem);
                assert!(!candidates.is_empty(), "{problem:?}");
                for kernel in candidates {
                    let config = PairConfig::with_kernel(kernel, &problem, 132);
                    let shape = config.shape(&problem).expect("it fits");
                    assert!(shape.shared_bytes <= 80 << 10, "{problem:?} {config:?}");
                    let extent = config.extent(&problem);
                    assert!(extent.strips * extent.width >= extent.m, "{config:?}");
                    assert!(extent.strips == 1 || !matches!(kernel, PairKernel::Whole { .. }), "{config:?}");
                }
            }
        }
    }

    #[test]
    fn full_lengths_waste_no_columns_and_bands_take_few_lanes() {
        let kernel = |pairs, m, radius| PairConfig::choose(&problem(pairs, m, radius), 132).kernel;
        assert_eq!(kernel(1 << 20, 128, u32::MAX), PairKernel::Whole { lanes: 4, columns: 32 });
        assert_eq!(kernel(1 << 20, 16, u32::MAX), PairKernel::Whole { lanes: 1, columns: 16 });
        assert_eq!(kernel(1 << 20, 2048, u32::MAX), PairKernel::Strips);
        assert!(matches!(kernel(1 << 20, 1024, 102), PairKernel::Band { lanes: 1..=8, .. }));
        // One pair has the device for itself.
        assert!(matches!(kernel(1, 1024, 500), PairKernel::Band { lanes: 32, .. }));
    }

    #[test]
    fn rows_that_no_memory_has_room_for_are_refused() {
        let one = [1.0_f32];
        let of = |cols| Layout::new(1 << 60, cols, 0).expect("it is counted");
        let call = |cols| {
            let rows = HostRef::new(&one, of(cols)).expect("it is there");
            pairs_on(&Executor::Cpu, rows, rows, 1, Normalization::ZScore).expect_err("it is refused")
        };
        assert!(matches!(call(0), Error::Op(OpError::Dtw(DtwError::EmptyQuery))), "{:?}", call(0));
        let want = OpError::HostMemory { elements: 1 << 60, elem_bytes: 4 };
        assert!(matches!(call(1), Error::Op(error) if error == want));
    }

    #[test]
    fn what_the_kernel_does_not_take_is_refused() {
        let layout = |rows, cols| Layout::new(rows, cols, cols).expect("it is right");
        let refusal =
            |x, y| PairProblem::new(x, y, 1, Normalization::None).expect_err("it is refused").to_string();
        assert_eq!(
            refusal(layout(3, 4), layout(3, 5)),
            "dtw_pairs: `x` is 3 x 4 and `y` is 3 x 5; they must be equal"
        );
        assert_eq!(refusal(layout(3, 0), layout(3, 0)), "a query has 0 points; it must have at least 1");
        assert_eq!(
            refusal(layout(1, 4097), layout(1, 4097)),
            "a query has 4097 points; the kernels take at most 4096, the CPU any number (`--backend cpu`)"
        );
    }
}
