//! What the criterion benches time and keep.

use std::path::Path;
use std::time::Duration;

use host::cli::Record;
use host::ops::{Case, DType, Op, Prepared};

use crate::round::{median, own_line, selection};
use crate::summary::{read_all, records};
use crate::{BaselineLine, BenchError, Lane, OwnLine, Stand, prepare, today};

/// Measurements of a criterion run.
#[derive(Debug)]
pub struct Criteria<'s> {
    stand: &'s Stand,
    copy_gbps: f64,
    lines: Vec<OwnLine>,
}

impl<'s> Criteria<'s> {
    /// Nothing measured yet but the copy bandwidth.
    ///
    /// # Errors
    /// The device's.
    pub fn new(stand: &'s Stand) -> Result<Self, BenchError> {
        Ok(Self { stand, copy_gbps: stand.copy_gbps()?, lines: Vec::new() })
    }

    /// What there is to time.
    ///
    /// # Errors
    /// [`BenchError::NoSuchOp`].
    pub fn work(&self, filter: &str) -> Result<Vec<Work<'s>>, BenchError> {
        let stand = self.stand;
        let work = |(op, dtype, case): (&'static dyn Op, DType, Case)| {
            let of = move |lane| Work {
                lane,
                op,
                dtype,
                case: case.clone(),
                run: None,
                times: Vec::new(),
                error: None,
            };
            stand.lanes(1).into_iter().map(of)
        };
        Ok(selection(filter)?.into_iter().flat_map(work).collect())
    }

    /// Keeps what was measured, if criterion's own filter let it run.
    ///
    /// # Errors
    /// What the work ran into, a wrong result included.
    pub fn keep(&mut self, mut work: Work<'_>) -> Result<(), BenchError> {
        if let Some(error) = work.error {
            return Err(error);
        }
        if !work.times.is_empty() {
            let us = median(&mut work.times);
            self.lines.push(own_line(work.lane, work.op, work.dtype, &work.case, us, self.copy_gbps)?);
        }
        Ok(())
    }

    /// The records, compared with the baselines in `folder` if there is one.
    ///
    /// # Errors
    /// Baselines that cannot be read.
    pub fn records(&self, folder: Option<&Path>, commit: &str) -> Result<Vec<Record>, BenchError> {
        let baselines: Vec<BaselineLine> =
            folder.map_or(Ok(Vec::new()), |folder| read_all(folder, "baseline-"))?;
        Ok(records(&self.lines, &baselines, commit, &today()))
    }
}

/// One op, element type, case and back end.
pub struct Work<'s> {
    lane: &'s Lane,
    op: &'static dyn Op,
    dtype: DType,
    case: Case,
    run: Option<Box<dyn Prepared + 's>>,
    times: Vec<Duration>,
    error: Option<BenchError>,
}

impl Work<'_> {
    /// Its name: op, element type, shape, back end.
    pub fn name(&self) -> String {
        format!("{}_{}/{}/{}", self.op.name(), self.dtype, self.case.shape(), self.lane.codegen)
    }

    /// The device time of `runs` runs, verified before the first. After an error, which is kept, it gives a nominal time.
    pub fn time(&mut self, runs: u64) -> Duration {
        match self.try_time(runs) {
            Ok(total) => total,
            Err(error) => {
                self.error.get_or_insert(error);
                Duration::from_micros(runs)
            }
        }
    }

    fn try_time(&mut self, runs: u64) -> Result<Duration, BenchError> {
        if self.error.is_some() {
            return Ok(Duration::from_micros(runs));
        }
        if self.run.is_none() {
            self.run = prepare(&[self.lane], self.op, self.dtype, &self.case, true)?.pop();
        }
        let mut total = Duration::ZERO;
        if let Some(run) = &mut self.run {
            for _ in 0..runs {
                let time = self.lane.time(|| run.launch())?;
                self.times.push(time);
                total += time;
            }
        }
        Ok(total)
    }
}
