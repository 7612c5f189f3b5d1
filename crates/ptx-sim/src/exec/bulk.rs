//! Issuing bulk copies, and waiting for their groups.

use std::collections::HashMap;
use std::sync::Arc;

use super::block::Block;
use super::cluster::block_of;
use super::distant::Spot;
use super::flying::{Bytes, Copy, End, Told, Work};
use super::machine::{Fatal, Machine, Random};
use super::mem::space_of;
use super::regs::{Lanes64, lanes};
use super::tile::{PIECE, Tile};
use crate::TensorMap;
use crate::finding::{FindingKind, Use};
use crate::memory::{Access as MemAccess, Kind, Known, Space, Span, Who, Words};
use crate::program::ir::{Addr, Bulk, Reduce, Reduction, Reg, Row, Site, StAsync, Window};
use crate::program::tensor_reduction;

/// The alignment in bytes of a box in shared memory.
const TILE_ALIGN: u64 = 128;

/// The groups of bulk copies, by warp and lane.
#[derive(Debug, Default)]
pub(super) struct Groups {
    of: HashMap<(u32, u32), Thread>,
}

#[derive(Debug, Default)]
struct Thread {
    /// Groups committed.
    committed: u32,
    /// What is known by waiting for a group: its number, whether its writes are done too, and what they were.
    done: Vec<(u32, bool, Arc<Known>)>,
}

impl Groups {
    pub fn clear(&mut self) {
        self.of.clear();
    }

    /// `cp.async.bulk.commit_group`
    pub fn commit(&mut self, w: u32, mask: u32) {
        lanes(mask).for_each(|lane| self.of.entry((w, lane as u32)).or_default().committed += 1);
    }

    fn committed(&self, w: u32, lane: u32) -> u32 {
        self.of.get(&(w, lane)).map_or(0, |thread| thread.committed)
    }

    /// A copy of a group has read its source, or is done.
    pub fn done(&mut self, (w, lane): (u32, u32), group: u32, written: bool, known: Arc<Known>) {
        self.of.entry((w, lane)).or_default().done.push((group, written, known));
    }
}

/// The ends of a copy of one lane, before it is known where they lie.
struct Ends<'a> {
    lane: usize,
    bulk: &'a Bulk,
    to: u64,
    from: u64,
    barrier: u64,
}

/// The most shared memory of a block: no copy has an end elsewhere alone.
const MOST_BYTES: u64 = 227 << 10;

/// Where a box may begin in a row: an H200 takes any other place for an illegal instruction, whatever the layout.
const START_BYTES: i64 = 16;

impl Machine<'_> {
    pub(super) fn bulk(&mut self, block: &mut Block, w: usize, bulk: &Bulk, mask: u32) -> Result<(), Fatal> {
        let pc = block.warps[w].group().pc;
        let to = self.site_addresses(block, w, &bulk.to, mask);
        let from = self.site_addresses(block, w, &bulk.from, mask);
        let none = Addr { base: crate::program::ir::Base::None, offset: 0 };
        let barrier = self.addresses(block, w, bulk.barrier.as_ref().unwrap_or(&none), mask);
        for row in bulk.bytes.iter().chain(&bulk.ranks) {
            self.undefined(block, w, Reg::W(*row), mask, pc, Use::Control);
        }
        for lane in lanes(mask) {
            let ends = Ends { lane, bulk, to: to[lane], from: from[lane], barrier: barrier[lane] };
            self.bulk_lane(block, w, &ends)?;
        }
        Ok(())
    }

    fn site_addresses(&mut self, block: &mut Block, w: usize, site: &Site, mask: u32) -> Lanes64 {
        let pc = block.warps[w].group().pc;
        match site {
            Site::Global(addr) | Site::Shared(_, addr) => self.addresses(block, w, addr, mask),
            Site::Tensor(_, addr, coordinates) => {
                for row in coordinates {
                    self.undefined(block, w, Reg::W(*row), mask, pc, Use::Address);
                }
                self.addresses(block, w, addr, mask)
            }
        }
    }

    /// A copy of one lane: of several where it goes to several blocks.
    fn bulk_lane(&mut self, block: &mut Block, w: usize, ends: &Ends) -> Result<(), Fatal> {
        let Ends { lane, bulk, .. } = *ends;
        let value = |block: &Block, row: Row| block.warps[w].regs.w[row as usize][lane];
        let to = self.end(block, w, lane, &bulk.to, ends.to)?;
        let from = self.end(block, w, lane, &bulk.from, ends.from)?;
        let bytes = match (&to, &from, bulk.bytes) {
            (End::Tile(tile), ..) | (_, End::Tile(tile), _) => tile.bytes(),
            (_, _, row) => row.map_or(0, |row| value(block, row)),
        };
        self.check_ends(block, w, lane, (&to, &from), bytes)?;
        let reduce = self.reduction(block, w, lane, bulk.reduction, &to)?;
        let Some(_) = bulk.barrier else {
            let told = Told::Group(block.groups.committed(w as u32, lane as u32));
            return self.issue(block, w, lane, (to, from), bytes, (reduce, told));
        };
        let End::Shared(rank, offset) = to else { return Ok(()) };
        let (bar_rank, bar) = self.shared_place(block, w, lane, Window::Cluster, ends.barrier)?;
        if bar_rank != rank {
            let what = "the barrier object is not in the shared memory that the copy goes to";
            return Err(self.bad_bulk(block, w, lane, what));
        }
        let Some(row) = bulk.ranks else {
            let told = Told::Barrier(rank, bar);
            return self.issue(block, w, lane, (to, from), bytes, (reduce, told));
        };
        for rank in lanes(value(block, row) & 0xffff) {
            let rank = rank as u32;
            if rank != block.rank {
                self.visit(block, w, rank, 1 << lane)?;
            }
            let ends = (End::Shared(rank, offset), from.clone());
            self.issue(block, w, lane, ends, bytes, (reduce, Told::Barrier(rank, bar)))?;
        }
        Ok(())
    }

    #[cold]
    fn bad_bulk(&mut self, block: &mut Block, w: usize, lane: usize, what: &str) -> Fatal {
        let pc = block.warps[w].group().pc;
        self.fatal(block, w as u32, lane as u32, pc, FindingKind::BadBulkCopy { what: what.to_owned() })
    }

    /// The rank and offset of an address in shared memory.
    fn shared_place(
        &mut self,
        block: &mut Block,
        w: usize,
        lane: usize,
        window: Window,
        address: u64,
    ) -> Result<(u32, u64), Fatal> {
        let mut addr = [address; 32];
        let Spot { rank, .. } = self.spot_of_copy(block, w, window, 1 << lane, &mut addr)?;
        Ok((rank, addr[lane]))
    }

    fn end(
        &mut self,
        block: &mut Block,
        w: usize,
        lane: usize,
        site: &Site,
        address: u64,
    ) -> Result<End, Fatal> {
        match site {
            Site::Global(_) => Ok(End::Global(address)),
            Site::Shared(window, _) => {
                let (rank, offset) = self.shared_place(block, w, lane, *window, address)?;
                Ok(End::Shared(rank, offset))
            }
            Site::Tensor(window, _, coordinates) => {
                let map = self.tensor_map(block, w, lane, *window, address)?;
                if map.rank() != coordinates.len() {
                    let what = format!("a map of {} dimensions", map.rank());
                    return Err(self.bad_bulk(block, w, lane, &what));
                }
                let regs = &block.warps[w].regs;
                let first: Vec<i32> =
                    coordinates.iter().map(|row| regs.w[*row as usize][lane] as i32).collect();
                let start = i64::from(first[0]) * map.spec().element.bytes() as i64;
                if start % START_BYTES != 0 {
                    let what =
                        format!("a box that begins {start} bytes into a row, no multiple of {START_BYTES}");
                    return Err(self.bad_bulk(block, w, lane, &what));
                }
                Ok(End::Tile(Arc::new(Tile::new(&map, first))))
            }
        }
    }

    /// Reads a tensor map, from the parameters or from global memory.
    fn tensor_map(
        &mut self,
        block: &mut Block,
        w: usize,
        lane: usize,
        window: Window,
        address: u64,
    ) -> Result<TensorMap, Fatal> {
        let mut addr = [address; 32];
        let (space, _) = space_of(window, 1 << lane, &mut addr);
        let mut bytes = [0; TensorMap::BYTES];
        if !addr[lane].is_multiple_of(TensorMap::ALIGN) {
            return Err(self.bad_bulk(block, w, lane, "a tensor map that is not aligned to 64 bytes"));
        }
        let line = self.by(block, w, lane as u32).line;
        let mut words = Words::new();
        for (piece, to) in (0..).zip(bytes.chunks_exact_mut(16)) {
            let at = addr.map(|addr| addr.wrapping_add(16 * piece));
            let request = MemAccess { mask: 1 << lane, addr: &at, bytes: 16, kind: Kind::Weak, line };
            let who = Who { warp: w as u32, clocks: &block.clocks };
            let result = match space {
                Space::Global => self.view.load(&who, request, &mut words),
                Space::Param => super::mem::load_params(&self.job.params, &request, &mut words),
                _ => Err(super::mem::no_memory(&request, space, false)),
            };
            result.map_err(|fault| self.fault(block, w, fault))?;
            for (word, to) in words.word.iter().zip(to.chunks_exact_mut(4)) {
                to.copy_from_slice(&word[lane].to_le_bytes());
            }
        }
        TensorMap::from_bytes(&bytes)
            .ok_or_else(|| self.bad_bulk(block, w, lane, "no tensor map at the address of one"))
    }

    /// Sizes and alignments.
    fn check_ends(
        &mut self,
        block: &mut Block,
        w: usize,
        lane: usize,
        ends: (&End, &End),
        bytes: u32,
    ) -> Result<(), Fatal> {
        let tiled = matches!(ends, (End::Tile(_), _) | (_, End::Tile(_)));
        if !u64::from(bytes).is_multiple_of(PIECE) {
            return Err(self.bad_bulk(block, w, lane, &format!("{bytes} bytes, no multiple of 16")));
        }
        if u64::from(bytes) > MOST_BYTES {
            let what = format!("{bytes} bytes, more than the {MOST_BYTES} of a block's shared memory");
            return Err(self.bad_bulk(block, w, lane, &what));
        }
        // An H200 takes it for an illegal instruction; a load of such a box is filled as the map says.
        if let End::Tile(tile) = ends.0
            && tile.first().iter().any(|coordinate| *coordinate < 0)
        {
            let what = format!("a box to store that begins at {:?}", tile.first());
            return Err(self.bad_bulk(block, w, lane, &what));
        }
        for (end, name) in [(ends.0, "target"), (ends.1, "source")] {
            let (at, align) = match end {
                End::Global(at) => (*at, PIECE),
                End::Shared(_, at) => (*at, if tiled { TILE_ALIGN } else { PIECE }),
                End::Tile(_) | End::Held => continue,
            };
            if !at.is_multiple_of(align) {
                let what = format!("its {name} at {at:#x} is not aligned to {align} bytes");
                return Err(self.bad_bulk(block, w, lane, &what));
            }
        }
        Ok(())
    }

    fn reduction(
        &mut self,
        block: &mut Block,
        w: usize,
        lane: usize,
        reduction: Option<Reduction>,
        to: &End,
    ) -> Result<Option<Reduce>, Fatal> {
        match (reduction, to) {
            (Some(Reduction::OfTensor(name)), End::Tile(tile)) => {
                let element = tile.spec().element;
                let found = tensor_reduction(name, element);
                let what = format!("{name:?} does not exist for a tensor of {element:?}");
                found.map(Some).ok_or_else(|| self.bad_bulk(block, w, lane, &what))
            }
            (Some(Reduction::Typed(reduce)), _) => Ok(Some(reduce)),
            _ => Ok(None),
        }
    }

    fn issue(
        &mut self,
        block: &mut Block,
        w: usize,
        lane: usize,
        (to, from): (End, End),
        bytes: u32,
        (reduce, told): (Option<Reduce>, Told),
    ) -> Result<(), Fatal> {
        let by = self.by(block, w, lane as u32);
        let id = self.cluster.flying.number();
        let known = block.clocks.release(w as u32, lane as u32);
        let footprint = match (&to, &from) {
            (End::Tile(tile), _) | (_, End::Tile(tile)) => tile.footprint(),
            _ => bytes.into(),
        };
        for (end, target) in [(&to, true), (&from, false)] {
            let End::Shared(rank, start) = *end else { continue };
            if let Some(owner) = block_of(&mut self.cluster.blocks, block, rank) {
                let by = (by.block, 32 * by.warp + by.lane, by.line);
                let (end, reduces) = (start.saturating_add(footprint), target && reduce.is_some());
                owner.shared.spans.add(Span { copy: id, start, end, target, reduces, by });
                owner.shared.proxy_issued(by, start..end, target);
            }
        }
        let due = self.due();
        let held = None;
        let copy = Copy { id, due, by, from, to, bytes, reduce, told, known, held };
        self.cluster.flying.issue(Work::Copy(copy));
        Ok(())
    }

    fn due(&mut self) -> u64 {
        let random = self.random.as_mut().map(Random::next);
        self.cluster.flying.due(random)
    }

    /// `cp.async.bulk.wait_group`: what was not done by now is done now.
    pub(super) fn bulk_wait(
        &mut self,
        block: &mut Block,
        w: usize,
        mask: u32,
        (left, read): (u32, bool),
    ) -> Result<(), Fatal> {
        for lane in lanes(mask) {
            let (w, lane) = (w as u32, lane as u32);
            let before = block.groups.committed(w, lane).saturating_sub(left);
            let rank = block.rank;
            let wanted = |copy: &Copy| {
                let by = (copy.by.rank, copy.by.warp, copy.by.lane) == (rank, w, lane);
                by && matches!(copy.told, Told::Group(group) if group < before)
            };
            if read {
                while let Some(copy) = self.cluster.flying.find(|copy| wanted(copy) && copy.held.is_none()) {
                    let mut now = copy.clone();
                    self.read_source(block, &mut now)?;
                    if let Some(copy) = self.cluster.flying.find(|copy| copy.id == now.id) {
                        copy.held = now.held;
                    }
                }
            } else {
                let is_wanted = |work: &Work| matches!(work, Work::Copy(copy) if wanted(copy));
                while let Some(work) = self.cluster.flying.take_if(is_wanted) {
                    self.deliver(block, work)?;
                }
            }
            let done = block.groups.of.get(&(w, lane)).map_or(&[][..], |thread| thread.done.as_slice());
            let found = done.iter().filter(|(group, written, _)| *group < before && !(read && *written));
            let found: Vec<Arc<Known>> = found.map(|(.., known)| Arc::clone(known)).collect();
            found.iter().for_each(|known| block.clocks.acquire_lanes(w, 1 << lane, known));
            if let Some(thread) = block.groups.of.get_mut(&(w, lane)) {
                // What is known of sources need not be looked at again.
                thread.done.retain(|(group, written, _)| *group >= before || read && *written);
            }
        }
        Ok(())
    }

    /// `st.async`, `red.async`
    pub(super) fn st_async(
        &mut self,
        block: &mut Block,
        w: usize,
        store: &StAsync,
        mask: u32,
    ) -> Result<(), Fatal> {
        let pc = block.warps[w].group().pc;
        let to = self.addresses(block, w, &store.to, mask);
        let barrier = self.addresses(block, w, &store.barrier, mask);
        for reg in &store.values {
            self.undefined(block, w, *reg, mask, pc, Use::Store);
        }
        let bytes = store.bytes * store.values.len() as u32;
        for lane in lanes(mask) {
            let (rank, at) = self.shared_place(block, w, lane, Window::Cluster, to[lane])?;
            let (bar_rank, bar) = self.shared_place(block, w, lane, Window::Cluster, barrier[lane])?;
            if bar_rank != rank {
                let what = "the barrier object is not in the shared memory that the value goes to";
                return Err(self.bad_bulk(block, w, lane, what));
            }
            if !at.is_multiple_of(bytes.into()) {
                let (write, space, address) = (true, Space::Shared, at);
                let kind = FindingKind::Misaligned { write, bytes, space, address };
                return Err(self.fatal(block, w as u32, lane as u32, pc, kind));
            }
            let regs = &block.warps[w].regs;
            let values = store.values.iter().map(|reg| regs.get(*reg, lane).to_le_bytes());
            let data = values.flat_map(|value| value.into_iter().take(store.bytes as usize)).collect();
            let told = Told::Barrier(rank, bar);
            self.issue(block, w, lane, (End::Shared(rank, at), End::Held), bytes, (store.reduce, told))?;
            if let Some(Work::Copy(copy)) = self.cluster.flying.last_mut() {
                copy.held = Some(Bytes { data, undefined: Vec::new() });
            }
        }
        Ok(())
    }

    /// `setmaxnreg`: checked, without effect; all warps of a warpgroup execute the same ones.
    pub(super) fn set_registers(
        &mut self,
        block: &mut Block,
        w: usize,
        mask: u32,
    ) -> Result<super::step::Flow, Fatal> {
        if mask != block.warps[w].live {
            return Ok(super::cluster::converge(block, w, mask));
        }
        let pc = block.warps[w].group().pc;
        block.register_changes.resize(block.warps.len(), Vec::new());
        block.register_changes[w].push(pc);
        Ok(super::step::Flow::Next)
    }

    /// At the end of a block: `setmaxnreg` that a part of a warpgroup executed.
    pub(super) fn registers_at_the_end(&mut self, block: &mut Block) {
        let changes = std::mem::take(&mut block.register_changes);
        for (group, warps) in changes.chunks(4).enumerate() {
            let odd = warps.iter().enumerate().find(|(_, warp)| **warp != warps[0]);
            let (w, pcs) = match odd {
                Some((w, other)) if warps[0].len() < other.len() => (w, other),
                Some(_) => (0, &warps[0]),
                None if warps.len() < 4 && !warps[0].is_empty() => (0, &warps[0]),
                None => continue,
            };
            let pc = pcs.last().copied().unwrap_or_default();
            let what = "not all warps of the warpgroup execute it";
            self.find(block, (4 * group + w) as u32, 0, pc, FindingKind::RegisterCount { what });
        }
    }
}
