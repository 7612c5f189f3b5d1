//! Asynchronous work is done: sources are read, targets written, and who is to be told is told.

use std::sync::Arc;

use super::atomics::apply;
use super::block::Block;
use super::cluster::block_of;
use super::flying::{By, Bytes, Copy, End, Told, Work};
use super::machine::{Fatal, Machine};
use super::regs::lanes;
use super::tile::{PIECE, Tile};
use crate::arith::Arith;
use crate::finding::{Finding, FindingKind, Place, Use};
use crate::memory::{
    Access as MemAccess, Arrival, Clocks, FIRST_AGENT, Fault, Kind, Known, MBARRIER_BYTES, Scope, Target,
    Who, Words,
};
use crate::program::ir::Reduce;

/// Agents that work for barrier objects; the others work for groups.
const BARRIER_AGENTS: u32 = 24;
const GROUP_AGENTS: u32 = crate::memory::AGENTS - BARRIER_AGENTS;

/// An agent at work: what it knows, and what others know who know of this work.
struct Agent {
    clocks: Clocks,
    warp: u32,
    known: Arc<Known>,
}

impl Agent {
    fn who(&self) -> Who<'_> {
        Who { warp: self.warp, clocks: &self.clocks }
    }
}

impl Machine<'_> {
    /// A warp of `block` had its turn: does what is due.
    pub(super) fn deliver_due(&mut self, block: &mut Block) -> Result<(), Fatal> {
        self.cluster.flying.tick();
        while let Some(work) = self.cluster.flying.take_due() {
            self.deliver(block, work)?;
        }
        Ok(())
    }

    /// Does work. `block` is the one that runs.
    pub(super) fn deliver(&mut self, block: &mut Block, work: Work) -> Result<(), Fatal> {
        self.progress += 1;
        match work {
            Work::Copy(mut copy) => {
                if copy.held.is_none() {
                    self.read_source(block, &mut copy)?;
                }
                self.write_target(block, &copy)
            }
            Work::Arrive { by, before, at, known, .. } => self.land(block, by, before, at, &known),
        }
    }

    /// The agent for work that `by` gave.
    fn agent(&mut self, block: &mut Block, by: &By, told: Told, known: &Arc<Known>) -> Result<Agent, Fatal> {
        let rank = if let Told::Barrier(rank, _) = told { rank } else { by.rank };
        let Some(owner) = block_of(&mut self.cluster.blocks, block, rank) else { return Err(Fatal) };
        let agent = match told {
            Told::Barrier(_, at) => match owner.mbarriers.get(at) {
                Ok(found) => found.slot % BARRIER_AGENTS,
                Err(what) => return Err(self.fatal_by(by, FindingKind::MBarrier { address: at, what })),
            },
            Told::Group(_) => BARRIER_AGENTS + by.warp % GROUP_AGENTS,
        };
        let clock = &mut owner.agents[agent as usize];
        *clock += 1;
        let index = owner.index as u32;
        let clocks = Clocks::of_agent(index, agent, *clock, Arc::clone(known));
        let known = Arc::new(Known::of_agent(index, agent, *clock));
        self.notes.employers.insert((index, agent), (by.block, 32 * by.warp + by.lane));
        Ok(Agent { clocks, warp: FIRST_AGENT + agent, known })
    }

    #[cold]
    fn find_by(&mut self, by: &By, kind: FindingKind) {
        let Some(inst) = self.kernel.code.get(by.pc as usize) else { return };
        let place = Place {
            kernel: self.kernel.name.to_string(),
            block: self.job.block_at(by.block.into()),
            thread: self.job.thread_at(32 * by.warp + by.lane),
            line: by.line,
            rust: self.kernel.sources.get(inst.source as usize).cloned(),
        };
        self.notes.note(Finding { place, kind }, 0);
    }

    #[cold]
    fn fatal_by(&mut self, by: &By, kind: FindingKind) -> Fatal {
        self.find_by(by, kind);
        Fatal
    }

    /// A copy reads its source.
    pub(super) fn read_source(&mut self, block: &mut Block, copy: &mut Copy) -> Result<(), Fatal> {
        let agent = self.agent(block, &copy.by, copy.told, &copy.known)?;
        let line = copy.by.line;
        let held = match &copy.from {
            End::Global(from) => {
                let view = &mut self.view;
                pieces(
                    copy.bytes,
                    |number| from.wrapping_add(PIECE * number),
                    |request, words| view.load(&agent.who(), MemAccess { line, ..request }, words),
                )
            }
            End::Shared(rank, from) => {
                let tile = tile_of(&copy.to);
                let Some(owner) = block_of(&mut self.cluster.blocks, block, *rank) else { return Err(Fatal) };
                owner.shared.spans.remove(copy.id, false);
                let shared = &mut owner.shared;
                pieces(
                    copy.bytes,
                    |number| piece(tile, *from, number),
                    |request, words| shared.proxy_load(&agent.who(), MemAccess { line, ..request }, words),
                )
            }
            End::Tile(tile) => self.read_tile(&agent, tile, line),
            End::Held => Ok(Bytes::default()),
        };
        match held {
            Ok(held) => copy.held = Some(held),
            Err(fault) => return Err(self.fatal_by(&copy.by, fault.kind)),
        }
        if let Told::Group(group) = copy.told
            && let Some(owner) = block_of(&mut self.cluster.blocks, block, copy.by.rank)
        {
            owner.groups.done((copy.by.warp, copy.by.lane), group, false, agent.known);
        }
        Ok(())
    }

    fn read_tile(&mut self, agent: &Agent, tile: &Tile, line: u32) -> Result<Bytes, Fault> {
        let bytes = tile.element_bytes();
        let mut held = Bytes { data: Vec::new(), undefined: Vec::new() };
        let mut words = Words::new();
        for first in (0..tile.len()).step_by(32) {
            let (mut mask, mut addr) = (0, [0; 32]);
            let count = (tile.len() - first).min(32);
            for lane in 0..count {
                if let Some(address) = tile.element(first + lane) {
                    mask |= 1 << lane;
                    addr[lane as usize] = address;
                }
            }
            let request = MemAccess { mask, addr: &addr, bytes, kind: Kind::Weak, line };
            self.view.load(&agent.who(), request, &mut words)?;
            for lane in 0..count as usize {
                let inside = mask >> lane & 1 == 1;
                let bits = u64::from(words.word[0][lane]) | u64::from(words.word[1][lane]) << 32;
                let bits = if inside { tile.loaded(bits) } else { tile.fill() };
                held.data.extend(&bits.to_le_bytes()[..bytes as usize]);
                let undefined = if inside { words.undefined_bytes(lane) } else { 0 };
                held.undefined.extend((0..bytes).map(|byte| undefined >> byte & 1 == 1));
            }
        }
        Ok(held)
    }

    /// A copy writes its target, and tells so.
    fn write_target(&mut self, block: &mut Block, copy: &Copy) -> Result<(), Fatal> {
        let agent = self.agent(block, &copy.by, copy.told, &copy.known)?;
        let Some(held) = &copy.held else { return Ok(()) };
        if !matches!(copy.to, End::Shared(..)) && held.undefined.contains(&true) {
            self.find_by(&copy.by, FindingKind::Undefined(Use::Store));
        }
        if let End::Shared(rank, _) = copy.to
            && let Some(owner) = block_of(&mut self.cluster.blocks, block, rank)
        {
            owner.shared.spans.remove(copy.id, true);
        }
        let result = match &copy.reduce {
            Some(reduce) => self.reduce_into(block, copy, &agent, held, *reduce),
            None => self.store_into(block, copy, &agent, held),
        };
        if let Err(fault) = result {
            return Err(self.fatal_by(&copy.by, fault.kind));
        }
        self.tell(block, copy, &agent)
    }

    fn tell(&mut self, block: &mut Block, copy: &Copy, agent: &Agent) -> Result<(), Fatal> {
        let By { rank, warp, lane, .. } = copy.by;
        match copy.told {
            Told::Group(group) => {
                if let Some(owner) = block_of(&mut self.cluster.blocks, block, rank) {
                    owner.groups.done((warp, lane), group, true, Arc::clone(&agent.known));
                }
                Ok(())
            }
            Told::Barrier(rank, at) => {
                let Some(owner) = block_of(&mut self.cluster.blocks, block, rank) else { return Err(Fatal) };
                let result = touch(owner, agent, at, copy.by.line);
                if let Err(fault) = result {
                    return Err(self.fatal_by(&copy.by, fault.kind));
                }
                let result = owner.mbarriers.get(at).and_then(|found| {
                    found.publish(&agent.known, None, true);
                    found.complete_tx(copy.bytes)
                });
                let kind = |what| FindingKind::MBarrier { address: at, what };
                result.map_err(|what| self.fatal_by(&copy.by, kind(what)))
            }
        }
    }

    fn store_into(
        &mut self,
        block: &mut Block,
        copy: &Copy,
        agent: &Agent,
        held: &Bytes,
    ) -> Result<(), Fault> {
        let (line, who) = (copy.by.line, agent.who());
        match &copy.to {
            End::Global(to) => {
                let view = &mut self.view;
                store_pieces(
                    held,
                    PIECE,
                    |number| to.wrapping_add(PIECE * number),
                    |request, words| view.store(&who, MemAccess { line, ..request }, words),
                )
            }
            End::Shared(rank, to) => {
                let tile = tile_of(&copy.from);
                let Some(owner) = block_of(&mut self.cluster.blocks, block, *rank) else { return Ok(()) };
                let shared = &mut owner.shared;
                if matches!(copy.from, End::Held) {
                    return store_pieces(
                        held,
                        copy.bytes.into(),
                        |_| *to,
                        |request, words| shared.store(&who, MemAccess { line, ..request }, words),
                    );
                }
                store_pieces(
                    held,
                    PIECE,
                    |number| piece(tile, *to, number),
                    |request, words| shared.proxy_store(&who, MemAccess { line, ..request }, words),
                )
            }
            End::Tile(tile) => {
                let (view, bytes) = (&mut self.view, tile.element_bytes());
                let at = |number| tile.stored_element(number as u32).unwrap_or(OUTSIDE);
                store_pieces(held, bytes.into(), at, |request, words| {
                    view.store(&who, MemAccess { line, ..request }, words)
                })
            }
            End::Held => Ok(()),
        }
    }

    /// Element by element, each for itself.
    fn reduce_into(
        &mut self,
        block: &mut Block,
        copy: &Copy,
        agent: &Agent,
        held: &Bytes,
        reduce: Reduce,
    ) -> Result<(), Fault> {
        let Reduce { kind, arith, bytes } = reduce;
        let (line, scope) = (copy.by.line, Scope::Gpu);
        for (number, value) in (0_u64..).zip(held.data.chunks_exact(bytes as usize)) {
            let mut wide = [0; 16];
            wide[..value.len()].copy_from_slice(value);
            let value = u128::from_le_bytes(wide);
            let change = |arith: Option<Arith>| move |old| apply((kind, bytes), arith, old, value, 0);
            let offset = number * u64::from(bytes);
            let target = |address| Target { lane: 0, address, bytes, scope, line };
            let (_, undefined) = match &copy.to {
                End::Shared(rank, to) => {
                    let owner = block_of(&mut self.cluster.blocks, block, *rank);
                    let Some(owner) = owner else { continue };
                    let change = change(arith.map(|(shared, _)| shared));
                    let target = target(to.wrapping_add(offset));
                    if matches!(copy.from, End::Held) {
                        owner.shared.rmw(&agent.who(), target, change)?
                    } else {
                        owner.shared.proxy_rmw(&agent.who(), target, change)?
                    }
                }
                End::Global(to) => {
                    let change = change(arith.map(|(_, global)| global));
                    self.view.rmw(&agent.who(), target(to.wrapping_add(offset)), change)?
                }
                End::Tile(tile) => {
                    let Some(address) = tile.element(number as u32) else { continue };
                    // Subnormals stay, unlike those of other reductions in global memory (recorded on an H200).
                    let change = change(arith.map(|(shared, _)| shared));
                    self.view.rmw(&agent.who(), target(address), change)?
                }
                End::Held => continue,
            };
            if undefined != 0 {
                self.find_by(&copy.by, FindingKind::Undefined(Use::Store));
            }
        }
        Ok(())
    }

    /// The copies of `cp.async` that a lane issued before are done, and it arrives.
    fn land(
        &mut self,
        block: &mut Block,
        by: By,
        before: u64,
        at: u64,
        known: &Arc<Known>,
    ) -> Result<(), Fatal> {
        let agent = self.agent(block, &by, Told::Barrier(by.rank, at), known)?;
        let Some(owner) = block_of(&mut self.cluster.blocks, block, by.rank) else { return Err(Fatal) };
        let any = owner.shared.land_before(&agent.who(), by.warp, by.lane, before);
        let arrival = Arrival { count: 1, drops: false, no_complete: false };
        let result = owner.mbarriers.get(at).and_then(|found| {
            // Copies that the lane itself has waited for before are its own.
            found.publish(if any { &agent.known } else { known }, None, true);
            found.arrive(arrival)
        });
        let kind = |what| FindingKind::MBarrier { address: at, what };
        result.map(drop).map_err(|what| self.fatal_by(&by, kind(what)))
    }

    /// At the end of a block: copies that still read or write its shared memory.
    pub(super) fn copies_at_the_end(&mut self, block: &mut Block) {
        let rank = block.rank;
        let uses = |work: &Work| match work {
            Work::Copy(Copy { from, to, told, held, .. }) => {
                let reads = held.is_none() && matches!(from, End::Shared(of, _) if *of == rank);
                let writes = matches!(to, End::Shared(of, _) if *of == rank);
                reads || writes || matches!(told, Told::Barrier(of, _) if *of == rank)
            }
            Work::Arrive { by, .. } => by.rank == rank,
        };
        while let Some(work) = self.cluster.flying.take_if(uses) {
            self.find_by(work.by(), FindingKind::ExitBeforeCopy);
        }
        // What has left shared memory arrives all the same.
        let own = |work: &Work| work.by().rank == rank;
        while let Some(work) = self.cluster.flying.take_if(own) {
            if self.deliver(block, work).is_err() {
                return;
            }
        }
    }
}

/// The address of elements that are not written.
const OUTSIDE: u64 = u64::MAX;

fn tile_of(end: &End) -> Option<&Tile> {
    if let End::Tile(tile) = end { Some(tile) } else { None }
}

/// Where piece `number` of a copy is in shared memory.
fn piece(tile: Option<&Tile>, base: u64, number: u64) -> u64 {
    tile.map_or(base.wrapping_add(PIECE * number), |tile| tile.piece(base, number))
}

fn touch(owner: &mut Block, agent: &Agent, at: u64, line: u32) -> Result<(), Fault> {
    let (kind, addr) = (Kind::Strong(Scope::Cluster), [at; 32]);
    let request = MemAccess { mask: 1, addr: &addr, bytes: MBARRIER_BYTES as u32, kind, line };
    owner.shared.touch_object(&agent.who(), request)
}

/// Reads so many bytes, 32 pieces at a time.
fn pieces(
    bytes: u32,
    at: impl Fn(u64) -> u64,
    mut load: impl FnMut(MemAccess, &mut Words) -> Result<(), Fault>,
) -> Result<Bytes, Fault> {
    let count = u64::from(bytes) / PIECE;
    let mut held = Bytes { data: Vec::with_capacity(bytes as usize), undefined: Vec::new() };
    let mut words = Words::new();
    for first in (0..count).step_by(32) {
        let here = (count - first).min(32);
        let addr: [u64; 32] = std::array::from_fn(|lane| at(first + (lane as u64).min(here - 1)));
        let mask = u32::MAX >> (32 - here);
        load(MemAccess { mask, addr: &addr, bytes: PIECE as u32, kind: Kind::Weak, line: 0 }, &mut words)?;
        for lane in lanes(mask) {
            for word in &words.word[..4] {
                held.data.extend(word[lane].to_le_bytes());
            }
            let undefined = words.undefined_bytes(lane);
            held.undefined.extend((0..PIECE).map(|byte| undefined >> byte & 1 == 1));
        }
    }
    Ok(held)
}

/// Writes bytes in pieces of a size, 32 at a time; those whose address is [`OUTSIDE`] are left out.
fn store_pieces(
    held: &Bytes,
    size: u64,
    at: impl Fn(u64) -> u64,
    mut store: impl FnMut(MemAccess, &Words) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let size = size as usize;
    let mut words = Words::new();
    for (block, data) in held.data.chunks(32 * size).enumerate() {
        let (mut mask, mut addr) = (0, [0; 32]);
        words.undefined = 0;
        for (lane, piece) in data.chunks(size).enumerate() {
            addr[lane] = at((32 * block + lane) as u64);
            mask |= u32::from(addr[lane] != OUTSIDE) << lane;
            for (word, bytes) in words.word.iter_mut().zip(piece.chunks(4)) {
                let mut four = [0; 4];
                four[..bytes.len()].copy_from_slice(bytes);
                word[lane] = u32::from_le_bytes(four);
            }
            let first = (32 * block + lane) * size;
            let flags = held.undefined.get(first..first + piece.len()).unwrap_or_default();
            let bits = flags.iter().enumerate().fold(0, |all, (at, flag)| all | u32::from(*flag) << at);
            words.undefined |= u32::from(bits != 0) << lane;
            words.undefined_bytes[lane] = bits;
        }
        store(MemAccess { mask, addr: &addr, bytes: size as u32, kind: Kind::Weak, line: 0 }, &words)?;
    }
    Ok(())
}
