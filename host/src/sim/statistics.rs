//! What the simulator counted, kernel by kernel.

use std::collections::BTreeMap;
use std::fmt;

use ptx_sim::{Report, Stats};

/// What was counted of one entry over all its launches on a device.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct KernelStatistics {
    /// The entry.
    pub entry: &'static str,
    /// How often it was launched.
    pub launches: u64,
    /// Thread-instructions of all launches.
    pub instructions: u64,
    /// Those of the largest launch.
    pub largest_instructions: u64,
    /// Warps that executed each line of the PTX, over all launches.
    pub lines: BTreeMap<u32, u64>,
    /// The details of the largest launch.
    pub largest: Stats,
}

impl fmt::Display for KernelStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entry, launches, instructions, largest_instructions, largest, .. } = self;
        writeln!(f, "{entry}: launches {launches}, thread-instructions {instructions}; the largest launch:")?;
        writeln!(f, "  thread-instructions {largest_instructions}")?;
        largest.to_string().lines().try_for_each(|line| writeln!(f, "  {line}"))
    }
}

/// By entry.
#[derive(Default)]
pub(super) struct Collected(BTreeMap<&'static str, KernelStatistics>);

impl Collected {
    /// Adds one launch, if it was counted.
    pub fn add(&mut self, entry: &'static str, report: Report) {
        let Report { instructions, stats: Some(stats), .. } = report else { return };
        let sum = self.0.entry(entry).or_insert_with(|| KernelStatistics {
            entry,
            launches: 0,
            instructions: 0,
            largest_instructions: instructions,
            lines: BTreeMap::new(),
            largest: stats.clone(),
        });
        sum.launches += 1;
        for line in &stats.lines {
            *sum.lines.entry(line.line).or_default() += line.warps;
        }
        sum.instructions += instructions;
        if instructions > sum.largest_instructions {
            (sum.largest_instructions, sum.largest) = (instructions, stats);
        }
    }

    pub fn all(&self) -> Vec<KernelStatistics> {
        self.0.values().cloned().collect()
    }
}
