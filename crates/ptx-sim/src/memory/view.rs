//! Global memory as one worker sees it during one launch.

use std::sync::Arc;

use super::access::{Access, Kind, Target, Who, Words, lanes};
use super::allocation::Allocation;
use super::cells::Cells;
use super::global::{Global, Table};
use super::races::{self, Touch};
use super::report::{Fault, OutOfBounds, RaceReport};
use super::reports::Reports;
use super::shape::Shape;
use super::space::{ALLOCATION_SHIFT, Space};
use crate::FindingKind;

/// Slots of the direct-mapped cache from an allocation's number to its index.
const SLOTS: usize = 16;

/// What one worker uses during one launch: the allocations as they were at its start, and its own race cells.
#[derive(Debug)]
pub(crate) struct View {
    table: Table,
    slots: [(u64, u32); SLOTS],
    /// 1, 2 or 4 bytes; 0: races are not looked for.
    grain: u32,
    pub(super) cells: Vec<Option<Cells>>,
    pub(super) reports: Reports,
}

impl View {
    /// The memory of `global` as it is now. `grain` is the smallest access of the kernel, 1, 2 or 4 bytes; with 0
    /// races are not looked for.
    pub(crate) fn new(global: &Global, grain: u32) -> View {
        View::of(global.snapshot(), grain)
    }

    /// The same memory for another worker of the launch, with nothing accessed yet.
    pub(crate) fn fork(&self) -> View {
        View::of(self.table.clone(), self.grain)
    }

    fn of(table: Table, grain: u32) -> View {
        let cells = table.live.iter().map(|_| None).collect();
        View { table, slots: [(u64::MAX, 0); SLOTS], grain, cells, reports: Reports::default() }
    }

    /// Takes the races found since the last call.
    pub(crate) fn take_reports(&mut self) -> Vec<RaceReport> {
        self.reports.take()
    }

    /// The base of the allocation that has index `index`.
    pub(super) fn base(&self, index: usize) -> u64 {
        self.table.live[index].base()
    }

    /// Checks an access for races, and remembers it.
    #[inline]
    fn touch(
        &mut self,
        index: usize,
        shape: &Shape,
        who: &Who,
        access: Access,
        words: Option<&Words>,
        atomic: bool,
    ) {
        let allocation = &self.table.live[index];
        if self.grain == 0 || allocation.read_only {
            return;
        }
        let cells = self.cells[index]
            .get_or_insert_with(|| Cells::new(allocation.bytes, self.grain, &self.table.pool));
        let (who, base, space) = (*who, allocation.base(), Space::Global);
        let touch = Touch { who, access, words, atomic, space, base, record: true };
        races::touch(cells, &touch, shape, &mut self.reports);
    }

    /// The index of an allocation, by an address in it.
    #[inline]
    fn index(&mut self, address: u64) -> Option<usize> {
        let number = address >> ALLOCATION_SHIFT;
        let slot = &mut self.slots[number as usize % SLOTS];
        if slot.0 != number {
            *slot = (number, self.table.find(number)? as u32);
        }
        Some(slot.1 as usize)
    }

    /// The index of the allocation that every lane lies in; none where they lie in several, or one lies outside.
    #[inline]
    fn common(&mut self, shape: &Shape, bytes: u32) -> Option<usize> {
        let index = self.index(shape.low)?;
        let allocation = &self.table.live[index];
        let base = allocation.base();
        let end = shape.high.checked_add(u64::from(bytes))?;
        (shape.low >= base && end - base <= allocation.bytes).then_some(index)
    }

    /// Loads. `out.word` is written for the lanes of the mask only.
    #[inline]
    pub(crate) fn load(&mut self, who: &Who, access: Access, out: &mut Words) -> Result<(), Fault> {
        out.undefined = 0;
        if access.mask == 0 {
            return Ok(());
        }
        let shape = Shape::of(&access);
        let Some(index) = self.common(&shape, access.bytes).filter(|_| shape.aligned) else {
            return self.load_split(who, access, out);
        };
        let allocation = &*self.table.live[index];
        let base = allocation.base();
        if shape.contiguous {
            allocation.load_contiguous(shape.low - base, access.bytes, out);
        } else {
            allocation.load_lanes(access.mask, |lane| access.addr[lane] - base, access.bytes, out);
        }
        self.touch(index, &shape, who, access, None, false);
        Ok(())
    }

    /// Stores.
    #[inline]
    pub(crate) fn store(&mut self, who: &Who, access: Access, words: &Words) -> Result<(), Fault> {
        if access.mask == 0 {
            return Ok(());
        }
        let shape = Shape::of(&access);
        let index = self.common(&shape, access.bytes);
        let Some(index) = index.filter(|_| shape.aligned) else {
            return self.store_split(who, access, words);
        };
        if self.table.live[index].read_only {
            return self.check(&access, true);
        }
        let allocation = &*self.table.live[index];
        let base = allocation.base();
        if shape.contiguous && words.undefined == 0 {
            allocation.store_contiguous(shape.low - base, access.bytes, words);
        } else {
            allocation.store_lanes(access.mask, |lane| access.addr[lane] - base, access.bytes, words);
        }
        self.touch(index, &shape, who, access, Some(words), false);
        Ok(())
    }

    /// The lanes that lie in the same allocation as the lowest lane of `mask`. The lanes are checked before.
    fn together(&mut self, mask: u32, addr: &[u64; 32]) -> u32 {
        let number = |lane: usize| addr[lane] >> ALLOCATION_SHIFT;
        let first = number(mask.trailing_zeros() as usize & 31);
        lanes(mask).filter(|&lane| number(lane) == first).fold(0, |all, lane| all | 1 << lane)
    }

    /// Loads that concern several allocations, or fault.
    #[cold]
    fn load_split(&mut self, who: &Who, access: Access, out: &mut Words) -> Result<(), Fault> {
        self.check(&access, false)?;
        let (mut left, mut undefined) = (access.mask, 0);
        while left != 0 {
            let mask = self.together(left, access.addr);
            self.load(who, Access { mask, ..access }, out)?;
            undefined |= out.undefined;
            left &= !mask;
        }
        out.undefined = undefined;
        Ok(())
    }

    /// Stores that concern several allocations, or fault.
    #[cold]
    fn store_split(&mut self, who: &Who, access: Access, words: &Words) -> Result<(), Fault> {
        self.check(&access, true)?;
        let mut left = access.mask;
        while left != 0 {
            let mask = self.together(left, access.addr);
            self.store(who, Access { mask, ..access }, words)?;
            left &= !mask;
        }
        Ok(())
    }

    /// The fault of the lowest faulty lane.
    fn check(&mut self, access: &Access, write: bool) -> Result<(), Fault> {
        for lane in lanes(access.mask) {
            let wrong = self.wrong(access.addr[lane], access.bytes, write);
            if let Some(kind) = wrong {
                return Err(Fault { lane: lane as u32, kind });
            }
        }
        Ok(())
    }

    /// What is wrong with an access of one lane.
    fn wrong(&mut self, address: u64, bytes: u32, write: bool) -> Option<FindingKind> {
        let outside = |table: &Table| {
            let nearest = table.nearest(address);
            Some(FindingKind::OutOfBounds(OutOfBounds {
                write,
                bytes,
                space: Space::Global,
                address,
                nearest,
            }))
        };
        let Some(index) = self.index(address) else {
            return outside(&self.table);
        };
        let allocation: &Allocation = &self.table.live[index];
        let inside = address.checked_sub(allocation.base()).is_some_and(|offset| {
            let end = offset.saturating_add(u64::from(bytes));
            end <= allocation.bytes
        });
        if !inside {
            return outside(&self.table);
        }
        if !address.is_multiple_of(u64::from(bytes)) {
            return Some(FindingKind::Misaligned { write, bytes, space: Space::Global, address });
        }
        (write && allocation.read_only).then(|| FindingKind::ReadOnlyWrite {
            bytes,
            address,
            name: allocation.name.clone().unwrap_or_else(|| Arc::from("an allocation")),
        })
    }
}

impl View {
    /// Replaces the `bytes` (1 to 16) bytes of one lane by a function of them: the old value, and its undefined bytes.
    /// The new value counts as defined. Not atomic with respect to other workers.
    pub(crate) fn rmw(
        &mut self,
        who: &Who,
        target: Target,
        f: impl FnOnce(u128) -> u128,
    ) -> Result<(u128, u32), Fault> {
        let addr = &[target.address; 32];
        let Target { lane, bytes, line, .. } = target;
        let at = lane as usize & 31;
        let access = Access { mask: 1 << at, addr, bytes, kind: Kind::Strong(target.scope), line };
        self.check(&access, true)?;
        let Some(index) = self.index(target.address) else {
            return Ok((0, 0)); // not reached: the check found the allocation
        };
        let allocation = &*self.table.live[index];
        let (old, undefined) = allocation.replace(target.address - allocation.base(), bytes, f);
        let shape = Shape {
            contiguous: false,
            uniform: true,
            low: target.address,
            high: target.address,
            aligned: true,
        };
        self.touch(index, &shape, who, access, Some(&ATOMIC), true);
        Ok((old, undefined))
    }
}

/// Values of an atomic write: two lanes' updates of one place are in no conflict, whatever they write.
pub(super) static ATOMIC: Words = Words::ZERO;
