//! The check of an access against the cells of what it touches.

use super::access::{Access, Kind, Who, Words, byte_mask, lanes};
use super::cells::{Cell, Cells, RUN};
use super::reports::{Later, Problem, Reports, earlier};
use super::shape::Shape;
use super::space::Space;
use super::stamp::Stamp;

/// An access to be checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch<'a> {
    /// Who.
    pub(crate) who: Who<'a>,
    /// What.
    pub(crate) access: Access<'a>,
    /// The values, of a write: lanes of one instruction may write the same value to the same place.
    pub(crate) words: Option<&'a Words>,
    /// Whether it is atomic.
    pub(crate) atomic: bool,
    /// The space.
    pub(crate) space: Space,
    /// What the cells' byte 0 has as address.
    pub(crate) base: u64,
    /// Whether the cells remember the access.
    pub(crate) record: bool,
}

/// A touch with what every check of it needs.
struct Check<'a> {
    touch: &'a Touch<'a>,
    /// The stamp of lane 0.
    stamp: Stamp,
    write: bool,
    nc: bool,
    floor: u32,
    warp_floor: u32,
}

/// Checks an access and remembers it.
#[inline]
pub(crate) fn touch(cells: &mut Cells, touch: &Touch, shape: &Shape, reports: &mut Reports) {
    let (clocks, warp, access) = (touch.who.clocks, touch.who.warp, &touch.access);
    if !clocks.is_checked() {
        return;
    }
    let check = Check {
        touch,
        stamp: Stamp::new(clocks.block(), warp, clocks.clock(warp), access.kind, touch.atomic),
        write: touch.words.is_some(),
        nc: access.kind == Kind::Nc,
        floor: clocks.floor(),
        warp_floor: clocks.warp_floor(warp),
    };
    if shape.contiguous && touch.record {
        return check.contiguous(cells, shape.low - touch.base, reports);
    }
    let mask = if shape.uniform && touch.words.is_none() {
        // The first and the last reader stand for all: a later writer differs from one of them.
        1 << access.mask.trailing_zeros() | 1 << (31 - access.mask.leading_zeros())
    } else {
        access.mask
    };
    check.lanes(cells, mask, reports);
}

impl Check<'_> {
    /// All lanes, each where the one before ends.
    #[inline]
    fn contiguous(&self, cells: &mut Cells, offset: u64, reports: &mut Reports) {
        let bytes = self.touch.access.bytes;
        let (shift, run_shift) = (bytes.trailing_zeros(), cells.grain + RUN.trailing_zeros());
        let end = offset + 32 * u64::from(bytes);
        let stamp = self.stamp.run(shift);
        let mut at = offset;
        while at < end {
            let index = at >> run_shift;
            let (start, next) = (index << run_shift, (index + 1) << run_shift);
            let lane = ((at - offset) >> shift) as u32;
            if at != start || next > end || !self.run(cells, index, stamp.lane(lane)) {
                let past = ((next.min(end) - offset) >> shift) as u32;
                self.lanes(cells, byte_mask(past) & u32::MAX << lane, reports);
            }
            at = next;
        }
    }

    /// A whole run; false where its grains must be checked one by one.
    #[inline]
    fn run(&self, cells: &mut Cells, index: u64, stamp: Stamp) -> bool {
        let grain = cells.grain;
        let run = cells.run(index);
        if !run.is_whole() || !self.run_is_free(&run.all, run.nc, stamp, grain) {
            return false;
        }
        if self.nc {
            run.nc = u32::MAX;
        }
        self.remember(&mut run.all, stamp);
        true
    }

    #[inline]
    fn run_is_free(&self, all: &Cell, nc: u32, stamp: Stamp, grain: u32) -> bool {
        let free = |before: Stamp| {
            let fast = self.is_ordered(before, stamp) || before.both_strong(stamp);
            fast || self.is_known(before, stamp, grain)
        };
        if self.nc {
            return all.write.is_never();
        }
        let writes = free(all.write);
        writes && (!self.write || nc == 0 && free(all.read) && free(all.read2))
    }

    /// Whether the scalar knowledge orders `before` before this access by `stamp`.
    #[inline]
    fn is_ordered(&self, before: Stamp, stamp: Stamp) -> bool {
        if before.is_never() || before.same_thread(stamp) {
            return true;
        }
        let clock = before.clock();
        let block = clock <= self.floor && before.same_block(stamp);
        block || clock <= self.warp_floor && before.same_warp(stamp)
    }

    /// Whether each lane of the run `stamp` knows the access of the run `before` at its place.
    fn is_known(&self, before: Stamp, stamp: Stamp, grain: u32) -> bool {
        let Who { warp, clocks } = self.touch.who;
        (0..RUN).all(|index| {
            let byte = index << grain;
            clocks.knows(warp, stamp.at(byte).thread() % 32, before.at(byte))
        })
    }

    /// Puts the access into a cell.
    #[inline]
    fn remember(&self, cell: &mut Cell, stamp: Stamp) {
        let line = self.touch.access.line;
        if self.write {
            (cell.write, cell.write_line) = (stamp, line);
            if stamp.is_weak() {
                (cell.read, cell.read2) = (Stamp::default(), Stamp::default());
            }
            return;
        }
        let replaceable = |read: Stamp| self.is_ordered(read, stamp);
        let first = replaceable(cell.read) || cell.read.same_warp(stamp) && !self.second_is_free(cell, stamp);
        if first {
            (cell.read, cell.read_line) = (stamp, line);
        } else {
            (cell.read2, cell.read2_line) = (stamp, line);
        }
    }

    /// Whether the second read of a cell may be replaced although the first is of the same warp.
    #[inline]
    fn second_is_free(&self, cell: &Cell, stamp: Stamp) -> bool {
        self.is_ordered(cell.read2, stamp) || cell.read2.same_warp(stamp)
    }

    /// Several lanes, each for itself.
    #[inline(never)]
    fn lanes(&self, cells: &mut Cells, mask: u32, reports: &mut Reports) {
        lanes(mask).for_each(|lane| self.lane(cells, lane, reports));
    }

    /// One lane.
    #[inline(always)]
    fn lane(&self, cells: &mut Cells, lane: usize, reports: &mut Reports) {
        let access = &self.touch.access;
        let offset = access.addr[lane] - self.touch.base;
        let (grain, run) = (cells.grain, offset >> (cells.grain + RUN.trailing_zeros()));
        let first = (offset >> grain) as u32 % RUN;
        let count = (access.bytes >> grain).clamp(1, RUN);
        let stamp = self.stamp.lane(lane as u32);
        let mask = (u32::MAX >> (32 - count)) << first;
        let (grains, nc) = cells.own(run);
        let conflict = self.nc || self.write && *nc & mask != 0;
        let before = *nc;
        if self.nc {
            *nc |= mask;
        }
        for (index, cell) in grains[first as usize..(first + count) as usize].iter_mut().enumerate() {
            let nc = conflict && (self.nc || before >> (first + index as u32) & 1 == 1);
            if nc || !self.is_calm(cell, stamp) {
                let start = offset & !u64::from((1u32 << grain) - 1);
                self.conflict(cell, stamp, nc, start + ((index as u64) << grain), reports);
            }
            if self.touch.record {
                self.remember(cell, stamp);
            }
        }
    }

    /// Whether the scalar knowledge orders all that is in a cell before this access.
    #[inline]
    fn is_calm(&self, cell: &Cell, stamp: Stamp) -> bool {
        let reads = !self.write || self.is_ordered(cell.read, stamp) && self.is_ordered(cell.read2, stamp);
        reads && self.is_ordered(cell.write, stamp)
    }

    /// Looks closer at a grain, and reports.
    #[cold]
    fn conflict(&self, cell: &Cell, stamp: Stamp, nc: bool, place: u64, reports: &mut Reports) {
        let access = &self.touch.access;
        let later = Later {
            block: stamp.block(),
            thread: stamp.thread(),
            line: access.line,
            write: self.write,
            space: self.touch.space,
            address: self.touch.base + place,
        };
        if nc {
            let (reader, line) = (cell.read, cell.read_line);
            if self.write {
                reports.add(Problem::Nc, later, earlier(reader, line, false));
            } else if !cell.write.is_never() {
                reports.add(Problem::Nc, later, earlier(cell.write, cell.write_line, true));
            }
            return;
        }
        // What an agent did and a thread does not know of is a copy that it did not wait for.
        let unless_agent = |before: Stamp, of_agent| {
            if before.is_agent() && !stamp.is_agent() { of_agent } else { Problem::Race }
        };
        if self.races(cell.write, stamp) && !self.same_value(cell, stamp, place) {
            let problem = unless_agent(cell.write, Problem::Early);
            reports.add(problem, later, earlier(cell.write, cell.write_line, true));
        }
        for (read, line) in [(cell.read, cell.read_line), (cell.read2, cell.read2_line)] {
            if self.write && self.races(read, stamp) {
                reports.add(unless_agent(read, Problem::Source), later, earlier(read, line, false));
            }
        }
    }

    fn races(&self, before: Stamp, stamp: Stamp) -> bool {
        let Who { warp, clocks } = self.touch.who;
        let ordered = self.is_ordered(before, stamp) || before.both_strong(stamp);
        !ordered && !clocks.knows(warp, stamp.thread() % 32, before)
    }

    /// Whether the last write is of a lower lane of this very instruction, with the same value for the grain.
    fn same_value(&self, cell: &Cell, stamp: Stamp, place: u64) -> bool {
        let access = &self.touch.access;
        let Some(words) = self.touch.words else {
            return false;
        };
        let (ours, theirs) = (stamp.thread() as usize % 32, cell.write.thread() as usize % 32);
        let here = cell.write.same_warp(stamp) && cell.write_line == access.line && theirs < ours;
        if !here || access.mask >> theirs & 1 == 0 {
            return false;
        }
        let address = self.touch.base + place;
        let grain = access.bytes.min(4);
        let value = |lane: usize| {
            let byte = address.wrapping_sub(access.addr[lane]);
            let word = words.word.get((byte / 4) as usize).filter(|_| byte < u64::from(access.bytes));
            word.map(|word| word[lane] >> (byte % 4 * 8))
        };
        let low = |value: u32| value & super::allocation::spread(byte_mask(grain));
        match (value(ours), value(theirs)) {
            (Some(ours), Some(theirs)) => low(ours) == low(theirs),
            _ => false,
        }
    }
}
