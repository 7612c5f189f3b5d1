//! Open begin and open end on a device: queries prepared once, then launched over series after series; and the call on host
//! memory.

use gpu_std::launch::{DeviceSliceMut, Dim3, LaunchShape, launch_unsafe};
use kernels_gpu::dtw::BLOCK;
use kernels_gpu::dtw::dtw_subsequence::{DtwSubsequence, DtwSubsequenceArgs};
use kernels_gpu::dtw::open_stream::OpenExtent;

use super::config::{LANES_PER_SM, MAX_QUERY, WAVES};
use super::options::{check_count, check_distances};
use super::{DtwError, Queries, check_output};
use crate::backend::{Buffer as _, Device};
use crate::cpu;
use crate::error::Error;
use crate::host_memory;
use crate::ops::{Executor, HostRef, Layout, MatrixRef};

/// Lanes and columns of a lane, in the order of preference: the first that hold a query without half of them empty.
const TILES: [(u32, u32); 9] =
    [(1, 16), (2, 16), (4, 16), (8, 16), (16, 16), (32, 16), (32, 32), (64, 32), (128, 32)];

/// The distances of fixed queries over series of a fixed shape, with open begin and open end, on one device.
///
/// Shapes: series `[rows, points]`, queries `[queries, m]` with m from 1 to [`MAX_QUERY`], which may be longer than the
/// series, distances `[rows, queries, points]`. What is computed, bit for bit, says [`crate::cpu::dtw::subsequence`].
pub struct SubsequencePlan<D: Device> {
    rows: u64,
    points: u64,
    columns: u32,
    extent: OpenExtent,
    queries: D::Buffer<f32>,
}

impl<D: Device> SubsequencePlan<D> {
    /// Chooses the instance and puts the queries on the device as they are.
    ///
    /// # Errors
    /// [`DtwError::SeriesRows`] for no rows, [`DtwError::SeriesTooShort`] for rows without points,
    /// [`DtwError::QueryTooLong`], [`DtwError::OutputTooLarge`], or the device's error.
    pub fn new(device: &D, rows: u64, points: u64, queries: &Queries<'_>) -> Result<Self, Error> {
        let (lanes, columns) = check(rows, points, queries)?;
        let floats = (lanes * columns) as usize;
        let mut padded = Vec::with_capacity(queries.count() * floats);
        for query in queries.rows() {
            padded.resize(padded.len() + floats - query.len(), f32::INFINITY);
            padded.extend(query);
        }
        let jobs = rows * queries.count() as u64;
        let capacity = u64::from(device.info().sm_count.max(1)) * LANES_PER_SM;
        // Between jobs no lane waits, so more of them for a group where there are enough for the device.
        let per_group = (jobs / (capacity * WAVES / u64::from(lanes)).max(1)).clamp(1, 16);
        let queries_u32 = queries.count() as u32;
        let extent = OpenExtent {
            n: points,
            stride: points,
            jobs,
            per_group,
            queries: queries_u32,
            log2_lanes: lanes.trailing_zeros(),
        };
        Ok(Self { rows, points, columns, extent, queries: device.upload(&padded)? })
    }

    /// Enqueues the distances of `series`, whose rows may lie any number of elements apart.
    ///
    /// # Errors
    /// [`DtwError::OutputLength`] and [`DtwError::SeriesShape`] for lengths that are not those of the plan, or the device's
    /// error; nothing has been written then.
    pub fn run(
        &self,
        device: &D,
        series: MatrixRef<'_, f32>,
        distances: DeviceSliceMut<'_, f32>,
    ) -> Result<(), Error> {
        let Self { rows, points, .. } = *self;
        let layout = series.layout();
        if (layout.rows(), layout.cols()) != (rows, points) {
            let (got_rows, got_points) = (layout.rows(), layout.cols());
            return Err(DtwError::SeriesShape { got_rows, got_points, rows, points }.into());
        }
        let (series, extent) = (series.data(), OpenExtent { stride: layout.stride(), ..self.extent });
        check_output("distances", distances.len() as usize, (extent.jobs * points) as usize)?;
        let groups = u64::from(BLOCK >> extent.log2_lanes);
        let blocks = extent.jobs.div_ceil(groups * extent.per_group);
        let blocks = check_count("blocks of queries", blocks)?;
        let shape = LaunchShape::grid(Dim3::new(blocks, 1, 1));
        let queries = self.queries.as_slice();
        macro_rules! launch {
            ($columns:literal) => {{
                let args = DtwSubsequenceArgs { series, queries, out: distances, extent };
                // SAFETY: the lengths have just been checked, the queries were padded for this instance, and the grid has
                // every job.
                unsafe { launch_unsafe::<DtwSubsequence<$columns>, D>(device, shape, &args) }
            }};
        }
        match self.columns {
            16 => launch!(16),
            _ => launch!(32),
        }
    }
}

/// Lanes and columns for the queries, where their distances can be computed.
fn check(rows: u64, points: u64, queries: &Queries<'_>) -> Result<(u32, u32), DtwError> {
    let (m, count) = (queries.len(), queries.count() as u64);
    if rows == 0 {
        return Err(DtwError::SeriesRows { elements: 0, rows: 0 });
    }
    if points == 0 {
        return Err(DtwError::SeriesTooShort { len: 0, query: m, smoothing: 1, needed: 1 });
    }
    let limit = u64::from(u32::MAX);
    if count > limit {
        return Err(DtwError::TooMany { what: "queries", count, limit });
    }
    check_distances(rows, count, points)?;
    let holds = |&(lanes, columns): &(u32, u32)| (lanes * columns) as usize >= m;
    const { assert!(TILES[TILES.len() - 1].0 as usize * TILES[TILES.len() - 1].1 as usize == MAX_QUERY) }
    TILES.into_iter().find(holds).ok_or(DtwError::QueryTooLong { len: m, limit: MAX_QUERY })
}

/// Enqueues the smallest distance of query k to any piece of row s that ends at t, as `distances[s, k, t]`: D(m-1, t) with
/// D(-1, t) = 0 for every t, nothing normalised. NaN at points that are not finite, and no path crosses one.
///
/// Shapes `series`: `[S, N]`, rows any number of elements apart; `distances`: `[S, K, N]`. Uploads the queries, which a [`SubsequencePlan`] does
/// once for many launches. A row and a query are the work of one group of lanes from the first point to the last: a device is
/// busy where there are many of them.
///
/// # Errors
/// What [`SubsequencePlan::new`] and [`SubsequencePlan::run`] refuse, or the device's error; nothing has
/// been written then.
pub fn subsequence<D: Device>(
    device: &D,
    series: MatrixRef<'_, f32>,
    queries: &Queries<'_>,
    distances: DeviceSliceMut<'_, f32>,
) -> Result<(), Error> {
    let (rows, points) = (series.layout().rows(), series.layout().cols());
    SubsequencePlan::new(device, rows, points, queries)?.run(device, series, distances)
}

/// The distances of `rows` series of one length, which lie one after the other in `series`: `[rows, queries, points]`, in
/// host memory, on whatever back end there is. Returns when all is computed; the same bits on every back end.
///
/// # Errors
/// [`DtwError::SeriesRows`] for no rows or elements that are no whole number of them, [`DtwError::SeriesTooShort`] for rows
/// without points, [`OpError::HostMemory`](crate::ops::OpError::HostMemory), on a device also what [`SubsequencePlan::new`]
/// refuses; the back end's error.
pub fn subsequence_on(
    executor: &Executor,
    series: &[f32],
    rows: usize,
    queries: &Queries<'_>,
) -> Result<Vec<f32>, Error> {
    if rows == 0 || !series.len().is_multiple_of(rows) {
        return Err(DtwError::SeriesRows { elements: series.len(), rows }.into());
    }
    match executor {
        Executor::Cuda(stream) => on_device(stream, series, rows, queries),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => on_device(sim, series, rows, queries),
        Executor::Cpu => {
            let points = (series.len() / rows) as u64;
            let matrix = HostRef::new(series, Layout::new(rows as u64, points, points)?)?;
            let mut distances = host_memory::filled(f32::NAN, series.len().saturating_mul(queries.count()))?;
            cpu::dtw::subsequence(matrix, queries, &mut distances)?;
            Ok(distances)
        }
    }
}

fn on_device<D: Device>(
    device: &D,
    series: &[f32],
    rows: usize,
    queries: &Queries<'_>,
) -> Result<Vec<f32>, Error> {
    let (rows, points) = (rows as u64, (series.len() / rows) as u64);
    let plan = SubsequencePlan::new(device, rows, points, queries)?;
    let input = device.upload(series)?;
    let mut distances = device.alloc(input.len() * queries.count() as u64)?;
    plan.run(device, MatrixRef::new(input.as_slice(), rows, points)?, distances.as_mut_slice())?;
    device.download(distances.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::dtw::Normalization;

    fn tile(m: usize) -> Result<(u32, u32), DtwError> {
        let points = vec![1.0; m];
        check(2, 5, &Queries::new(&points, m, Normalization::None).expect("it is right"))
    }

    #[test]
    fn every_length_has_the_fewest_lanes_that_hold_it() {
        for m in 1..=MAX_QUERY {
            let (lanes, columns) = tile(m).expect("it is taken");
            assert!((lanes * columns) as usize >= m && ((lanes / 2 * columns) as usize) < m, "{m}");
        }
    }

    #[test]
    fn what_the_kernel_does_not_take_is_refused() {
        let long = tile(4097).expect_err("too long").to_string();
        assert_eq!(
            long,
            "a query has 4097 points; the kernels take at most 4096, the CPU any number (`--backend cpu`)"
        );
        let queries = Queries::new(&[1.0, 2.0], 2, Normalization::None).expect("it is right");
        let refusal = |rows, points| check(rows, points, &queries).expect_err("it is refused");
        assert_eq!(refusal(0, 5), DtwError::SeriesRows { elements: 0, rows: 0 });
        assert_eq!(refusal(1, 0), DtwError::SeriesTooShort { len: 0, query: 2, smoothing: 1, needed: 1 });
        let limit = (1 << 61) - 1;
        let too_large = DtwError::OutputTooLarge { rows: 1 << 40, queries: 1, points: 1 << 40, limit };
        assert_eq!(refusal(1 << 40, 1 << 40), too_large);
    }
}
