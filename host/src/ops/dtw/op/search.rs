//! The ops `dtw_top_k` and `dtw_below`.

use std::sync::OnceLock;

use gpu_std::launch::{DeviceSlice, DeviceSliceMut};

use super::run::{EXACT, Work, entries, offsets, prepare_each};
use super::task::{Output, Task};
use super::{ProfileOp, RollingOp, case_shape, profile, search_cases};
use crate::backend::{Device, DeviceInfo};
use crate::cpu;
use crate::error::Error;
use crate::ops::dtw::{Match, Normalization, ProfileOptions, Queries, SearchPlan, Tuning, cells};
use crate::ops::{Case, DType, Executor, HostRef, Layout, Op, OpError, Prepared, Unit};
use crate::reference::dtw::{below_cpu, profile_cpu, top_k_cpu};
use crate::validate::Tolerance;

/// Cells above which the CPU twin stands for the reference, whose bits it has.
const TWIN_ABOVE: u64 = 1 << 28;

/// An end is given as two numbers, which have so many values each at least: all are exact in f32.
const RADIX: usize = 1 << 12;

/// What is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    TopK,
    Below,
}

/// The smallest distances of a query to the windows of a series, ends apart.
///
/// [`Case::dims`] are rows, points of a row, queries and points of a query. Options: `radius`, `z_norm` and `smoothing` as those
/// of [`ProfileOp`](super::ProfileOp); `k` and `exclusion`, or `threshold` as the bits of an f32; `slots`, the matches of each
/// row and query that are compared, beside their number; `way`: 1 by bounds where they are possible, 2 by the profile, 0 the faster; `every`, `windows` and
/// `distances`, those of [`Tuning`], 0 for the default.
///
/// The entries launched depend on the data: [`Op::entries`] gives those of a series in which nothing is found.
pub struct TopKOp;

/// All windows whose distance to a query is small enough. Cases as those of [`TopKOp`].
pub struct BelowOp;

/// What a case asks.
struct Asked {
    what: What,
    rows: usize,
    points: usize,
    m: usize,
    /// Matches of a list that are compared.
    slots: usize,
    queries: Vec<f32>,
    options: ProfileOptions,
    k: usize,
    exclusion: usize,
    threshold: f32,
    tuning: Tuning,
    expected: OnceLock<Vec<f32>>,
}

impl Asked {
    fn new(what: What, case: &Case) -> Result<Self, OpError> {
        let &[rows, points, queries, m] = case.dims.as_slice() else {
            return Err(case_shape(what.name(), case, "extents", case.dims.len(), 4));
        };
        let z_norm = case.option("z_norm") == 1;
        let options = ProfileOptions {
            radius: case.option("radius") as u32,
            normalization: if z_norm { Normalization::ZScore } else { Normalization::None },
            smoothing: case.option("smoothing") as usize + 1,
        };
        Ok(Self {
            what,
            rows: rows as usize,
            points: points as usize,
            m: m as usize,
            slots: case.option("slots") as usize,
            queries: profile::query_points(case, (queries * m) as usize),
            options,
            k: case.option("k") as usize,
            exclusion: case.option("exclusion") as usize,
            threshold: f32::from_bits(case.option("threshold") as u32),
            tuning: tuning(case),
            expected: OnceLock::new(),
        })
    }

    fn queries(&self) -> Result<Queries<'_>, OpError> {
        Ok(Queries::new(&self.queries, self.m, self.options.normalization)?)
    }

    fn lists(&self) -> usize {
        self.rows * self.queries.len() / self.m
    }

    /// Elements of a list in the output: how many there are, then distances, and where they are.
    const fn cols(&self) -> usize {
        1 + 3 * self.slots
    }

    fn cells(&self) -> u64 {
        let windows = self.options.warm_up(self.points, self.m).map_or(0, |warm_up| self.points - warm_up);
        ((windows * self.lists()) as u64).saturating_mul(cells(self.m, self.options.radius))
    }

    /// Lists as the output has them, NaN behind the last match.
    fn encoded(&self, lists: &[Vec<Match>]) -> Vec<f32> {
        let mut all = Vec::with_capacity(lists.len() * self.cols());
        for list in lists {
            let column = |of: fn(&Match) -> f32| {
                list.iter().map(of).chain(std::iter::repeat(f32::NAN)).take(self.slots)
            };
            all.push(list.len() as f32);
            all.extend(column(|found| found.distance));
            all.extend(column(|found| (found.end / RADIX) as f32));
            all.extend(column(|found| (found.end % RADIX) as f32));
        }
        all
    }

    fn by_twin(&self, series: &[f32]) -> Result<Vec<Vec<Match>>, OpError> {
        let (rows, points) = (self.rows as u64, self.points as u64);
        let series = HostRef::new(series, Layout::new(rows, points, points)?)?;
        match self.what {
            What::TopK => cpu::dtw::top_k(series, &self.queries()?, &self.options, self.k, self.exclusion),
            What::Below => cpu::dtw::below(series, &self.queries()?, &self.options, self.threshold),
        }
    }

    /// The sorted profile.
    fn by_reference(&self, series: &[f32]) -> Result<Vec<Vec<Match>>, OpError> {
        if self.cells() > TWIN_ABOVE {
            return self.by_twin(series);
        }
        let queries = self.queries()?;
        let distances: Vec<f32> =
            series.chunks(self.points).flat_map(|row| profile_cpu(row, &queries, &self.options)).collect();
        let choose = |distances: &[f32]| match self.what {
            What::TopK => top_k_cpu(distances, self.k, self.exclusion),
            What::Below => below_cpu(distances, self.threshold),
        };
        Ok(distances.chunks(self.points).map(choose).collect())
    }
}

/// The way that a case asks for.
fn tuning(case: &Case) -> Tuning {
    let default = Tuning::default();
    let or = |name, default: u64| Some(case.option(name)).filter(|value| *value > 0).unwrap_or(default);
    let tuning = Tuning {
        every: or("every", default.every.into()) as u32,
        windows: or("windows", default.windows),
        distances: or("distances", default.distances),
        ..default
    };
    match case.option("way") {
        1 => tuning.narrow(),
        2 => tuning.whole(),
        _ => tuning,
    }
}

impl Task for Asked {
    type Plan<D: Device> = SearchPlan<D>;

    fn series_len(&self) -> usize {
        self.rows * self.points
    }

    fn outputs(&self) -> [Output; 5] {
        let nothing = Output { name: "nothing", rows: 0, cols: 1 };
        let matches = Output { name: "matches", rows: self.lists() as u64, cols: self.cols() as u64 };
        [matches, nothing, nothing, nothing, nothing]
    }

    /// Few: all lists are made once, for whatever is compared.
    fn steps(&self) -> u64 {
        0
    }

    fn plan<D: Device>(&self, device: &D) -> Result<SearchPlan<D>, Error> {
        let (rows, points, queries) = (self.rows as u64, self.points as u64, self.queries()?);
        SearchPlan::with_tuning(device, rows, points, &queries, &self.options, self.tuning)
    }

    fn launch<D: Device>(
        &self,
        device: &D,
        plan: &mut SearchPlan<D>,
        series: DeviceSlice<'_, f32>,
        [matches, ..]: [DeviceSliceMut<'_, f32>; 5],
    ) -> Result<(), Error> {
        let lists = match self.what {
            What::TopK => plan.top_k(device, series, self.k, self.exclusion)?,
            What::Below => plan.below(device, series, self.threshold)?,
        };
        device.write(&self.encoded(&lists), matches)
    }

    fn cpu(&self, series: &[f32], [matches, ..]: [&mut [f32]; 5]) -> Result<(), Error> {
        matches.copy_from_slice(&self.encoded(&self.by_twin(series)?));
        Ok(())
    }

    fn prepare_expected(&self, series: &[f32]) {
        let all = || self.by_reference(series).map(|lists| self.encoded(&lists)).unwrap_or_default();
        self.expected.get_or_init(all);
    }

    fn expected(&self, _: &[f32], _: usize, at: usize) -> f32 {
        self.expected.get().and_then(|all| all.get(at).copied()).unwrap_or(f32::NEG_INFINITY)
    }
}

impl What {
    const fn name(self) -> &'static str {
        match self {
            Self::TopK => "dtw_top_k",
            Self::Below => "dtw_below",
        }
    }

    fn work(self, case: &Case) -> Result<Work<Asked>, OpError> {
        let [series, _, matches] = offsets(self.name(), case)?;
        Ok(Work::new(Asked::new(self, case)?, case, [series, matches, 0, 0, 0, 0]))
    }
}

/// Both ops, which differ in little.
macro_rules! search_op {
    ($op:ident, $what:expr, $formula:literal, $stems:expr) => {
        impl Op for $op {
            fn name(&self) -> &'static str {
                $what.name()
            }

            fn family(&self) -> &'static str {
                "dtw"
            }

            fn formula(&self) -> &'static str {
                $formula
            }

            fn stems(&self) -> &'static [&'static str] {
                $stems
            }

            /// Both searches share kernels, and use those of profiles and, for means, of rolling aggregates.
            fn borrows_from(&self) -> &'static [&'static dyn Op] {
                &[&TopKOp, &BelowOp, &ProfileOp, &RollingOp]
            }

            fn dtypes(&self) -> &'static [DType] {
                &[DType::F32]
            }

            fn operands(&self) -> Vec<&'static str> {
                vec!["series", "queries", "matches"]
            }

            fn cases(&self) -> Vec<Case> {
                search_cases::cases($what == What::Below)
            }

            fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
                search_cases::random($what == What::Below, draw)
            }

            fn bench_cases(&self) -> Vec<Case> {
                search_cases::bench($what == What::Below)
            }

            fn tolerance(&self, _: DType, _: &Case) -> Tolerance {
                EXACT
            }

            fn bytes(&self, dtype: DType, case: &Case) -> u64 {
                let Ok(asked) = Asked::new($what, case) else { return 0 };
                let elements = asked.series_len() + asked.queries.len() + asked.outputs()[0].len();
                elements as u64 * dtype.size_bytes()
            }

            /// Cells of the profile, however few are computed.
            fn flops(&self, case: &Case) -> u64 {
                Asked::new($what, case).map_or(0, |asked| asked.cells())
            }

            fn unit(&self) -> Unit {
                Unit::GigaCells
            }

            fn prepare_each<'e>(
                &self,
                executors: &[&'e Executor],
                dtype: DType,
                case: &Case,
            ) -> Result<Vec<Box<dyn Prepared + 'e>>, Error> {
                super::check_dtype($what.name(), dtype)?;
                prepare_each(executors, $what.work(case)?)
            }

            fn entries(
                &self,
                info: &DeviceInfo,
                dtype: DType,
                case: &Case,
            ) -> Result<Vec<&'static str>, Error> {
                super::check_dtype($what.name(), dtype)?;
                entries(info, &Asked::new($what, case)?)
            }
        }
    };
}

search_op!(
    TopKOp,
    What::TopK,
    "the k smallest DTW(q, x[s, t - m + 1 ..= t]), their t more than e apart",
    &["dtw_bound", "dtw_search", "dtw_least"]
);
search_op!(BelowOp, What::Below, "all t with DTW(q, x[s, t - m + 1 ..= t]) <= threshold", &["dtw_at_most"]);
