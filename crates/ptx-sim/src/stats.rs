//! What a launch did, counted: instructions, bank conflicts of shared memory, sectors of global memory.

use std::collections::BTreeMap;
use std::fmt;

use crate::memory::{Access, Space};
use crate::program::Kernel;

/// Bytes of a sector, the unit in which global memory is moved.
const SECTOR_BYTES: u64 = 32;
/// Banks of shared memory, of 4 bytes each.
const BANKS: usize = 32;

/// Counts of one memory instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccessCount {
    /// Warps that executed it in this memory.
    pub requests: u64,
    /// Global memory: sectors of 32 bytes touched. Shared memory: passes through the banks.
    pub units: u64,
    /// The fewest units that so many bytes need.
    pub ideal: u64,
}

/// An instruction of the kernel and what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineCount {
    /// Line of the PTX text.
    pub line: u32,
    /// The instruction's full name.
    pub instruction: String,
    /// Warps that executed it.
    pub warps: u64,
    /// Threads that executed it.
    pub threads: u64,
    /// Its accesses to global memory.
    pub global: AccessCount,
    /// Its accesses to shared memory.
    pub shared: AccessCount,
}

/// What a launch did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The kernel.
    pub kernel: String,
    /// Every instruction that was executed, in the order of the text.
    pub lines: Vec<LineCount>,
}

impl Stats {
    /// Warps that executed each instruction, by its full name.
    #[must_use]
    pub fn mix(&self) -> BTreeMap<&str, u64> {
        let mut mix = BTreeMap::new();
        for line in &self.lines {
            *mix.entry(line.instruction.as_str()).or_default() += line.warps;
        }
        mix
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: instructions by warp", self.kernel)?;
        let mut mix: Vec<(&str, u64)> = self.mix().into_iter().collect();
        mix.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
        for (name, count) in mix {
            writeln!(f, "  {count:>10}  {name}")?;
        }
        for line in &self.lines {
            let kinds = [("global", "sectors", line.global), ("shared", "passes", line.shared)];
            for (space, unit, count) in kinds.into_iter().filter(|(_, _, count)| count.requests > 0) {
                let AccessCount { requests, units, ideal } = count;
                let each = units as f64 / requests as f64;
                let (number, name) = (line.line, &line.instruction);
                writeln!(
                    f,
                    "  line {number}: {name}: {space}, {each:.2} {unit} per request, {units} of at least {ideal}"
                )?;
            }
        }
        Ok(())
    }
}

/// Counts of one instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    warps: u64,
    threads: u64,
    global: AccessCount,
    shared: AccessCount,
}

/// Counts while a kernel runs, by instruction.
#[derive(Clone, Debug)]
pub(crate) struct Counters(Vec<Count>);

impl Counters {
    pub fn new(instructions: usize) -> Self {
        Self(vec![Count::default(); instructions])
    }

    #[inline]
    pub fn executed(&mut self, pc: u32, mask: u32) {
        let count = &mut self.0[pc as usize];
        count.warps += u64::from(mask != 0);
        count.threads += u64::from(mask.count_ones());
    }

    pub fn accessed(&mut self, pc: u32, space: Space, access: &Access) {
        let count = &mut self.0[pc as usize];
        let (to, units, ideal) = match space {
            Space::Global => (&mut count.global, sectors(access), ideal_sectors(access)),
            Space::Shared => (&mut count.shared, passes(access), ideal_passes(access)),
            _ => return,
        };
        to.requests += 1;
        to.units += units;
        to.ideal += ideal;
    }

    /// Adds what another worker counted.
    pub fn add(&mut self, other: &Self) {
        for (to, from) in self.0.iter_mut().zip(&other.0) {
            to.warps += from.warps;
            to.threads += from.threads;
            for (to, from) in [(&mut to.global, &from.global), (&mut to.shared, &from.shared)] {
                to.requests += from.requests;
                to.units += from.units;
                to.ideal += from.ideal;
            }
        }
    }

    pub fn stats(&self, kernel: &Kernel) -> Stats {
        let executed = self.0.iter().zip(&kernel.code).filter(|(count, _)| count.warps > 0);
        let lines = executed.map(|(count, inst)| LineCount {
            line: inst.line,
            instruction: kernel.names.get(inst.name as usize).cloned().unwrap_or_else(|| "ret".to_owned()),
            warps: count.warps,
            threads: count.threads,
            global: count.global,
            shared: count.shared,
        });
        Stats { kernel: kernel.name.to_string(), lines: lines.collect() }
    }
}

fn addresses<'a>(access: &'a Access) -> impl Iterator<Item = u64> + 'a {
    (0..32).filter(|lane| access.mask >> lane & 1 == 1).map(|lane| access.addr[lane])
}

/// The last byte of a lane that starts at `at`; an access past the end of the address space is found to be out of bounds later.
fn last_byte(at: u64, access: &Access) -> u64 {
    at.saturating_add(u64::from(access.bytes) - 1)
}

/// Sectors that an access touches.
fn sectors(access: &Access) -> u64 {
    let mut touched: Vec<u64> =
        addresses(access).flat_map(|at| at / SECTOR_BYTES..=last_byte(at, access) / SECTOR_BYTES).collect();
    touched.sort_unstable();
    touched.dedup();
    touched.len() as u64
}

/// The fewest sectors for the different bytes of an access.
fn ideal_sectors(access: &Access) -> u64 {
    (u64::from(access.bytes) * different(access)).div_ceil(SECTOR_BYTES)
}

fn different(access: &Access) -> u64 {
    let mut all: Vec<u64> = addresses(access).collect();
    all.sort_unstable();
    all.dedup();
    all.len() as u64
}

/// Lanes that are served together: accesses of 8 bytes go by half warps, of 16 by quarters.
fn together(access: &Access) -> usize {
    32 / (access.bytes as usize / 4).clamp(1, 8)
}

/// Passes through the banks: in each part of the warp, as many as the busiest bank has different words.
fn passes(access: &Access) -> u64 {
    let mut passes = 0;
    for first in (0..32).step_by(together(access)) {
        let mut words: Vec<u64> = (first..first + together(access))
            .filter(|lane| access.mask >> lane & 1 == 1)
            .flat_map(|lane| access.addr[lane] / 4..=last_byte(access.addr[lane], access) / 4)
            .collect();
        words.sort_unstable();
        words.dedup();
        let mut banks = [0_u64; BANKS];
        for word in words {
            banks[word as usize % BANKS] += 1;
        }
        passes += banks.into_iter().max().unwrap_or(0);
    }
    passes
}

/// Parts of the warp in which any lane takes part.
fn ideal_passes(access: &Access) -> u64 {
    let size = together(access);
    (0..32)
        .step_by(size)
        .filter(|first| (*first..first + size).any(|lane| access.mask >> lane & 1 == 1))
        .count() as u64
}
