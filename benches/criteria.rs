//! What the criterion benches time and keep.

use std::path::Path;
use std::time::Duration;

use host::cli::Record;
use host::ops::{Case, DType, Op, Prepared};

use crate::round::{median, own_line, selection};
use crate::summary::{read_all, records};
use crate::{BaselineLine, BenchError, OwnLine, Stand, today};

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
        let work = |(op, dtype, case)| Work {
            stand: self.stand,
            op,
            dtype,
            case,
            run: None,
            times: Vec::new(),
            error: None,
        };
        Ok(selection(filter)?.into_iter().map(work).collect())
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
            self.lines.push(own_line(self.stand, work.op, work.dtype, &work.case, us, self.copy_gbps)?);
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

/// One op, element type and case.
pub struct Work<'s> {
    stand: &'s Stand,
    op: &'static dyn Op,
    dtype: DType,
    case: Case,
    run: Option<Box<dyn Prepared + 's>>,
    times: Vec<Duration>,
    error: Option<BenchError>,
}

impl Work<'_> {
    /// Its name: op, element type, shape.
    pub fn name(&self) -> String {
        format!("{}_{}/{}", self.op.name(), self.dtype, self.case.shape())
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
            self.run = Some(self.stand.prepare(self.op, self.dtype, &self.case, true)?);
        }
        let mut total = Duration::ZERO;
        if let Some(run) = &mut self.run {
            for _ in 0..runs {
                let time = self.stand.time(|| run.launch())?;
                self.times.push(time);
                total += time;
            }
        }
        Ok(total)
    }
}
