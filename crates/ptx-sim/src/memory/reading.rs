//! Reads of the async proxy that are under way (`wgmma`): 16 bytes each, from where the instruction is issued to where it is
//! waited for. Nobody may write what is being read, ordered or not: the time of the read is open.

use super::access::{Access, Kind, Who, Words, lanes};
use super::report::{Earlier, Fault};
use super::reports::{Later, Problem, Reports};
use super::shape::Shape;
use super::shared::Shared;
use super::space::Space;

/// Bytes of a piece.
const PIECE: u64 = 16;

/// What one instruction of one warp reads.
#[derive(Debug)]
struct Reading {
    ticket: Ticket,
    warp: u32,
    line: u32,
    pieces: Vec<u64>,
}

/// Stands for a read that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ticket(u64);

/// 16 bytes, and a bit for each that nothing has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The bytes.
    pub(crate) bytes: [u8; 16],
    /// Undefined ones.
    pub(crate) undefined: u32,
}

/// The reads of a block that are under way.
#[derive(Debug, Default)]
pub(super) struct Readings {
    list: Vec<Reading>,
    /// Reads under way of each 16 bytes.
    counts: Vec<u32>,
    tickets: u64,
}

impl Readings {
    /// Forgets everything.
    pub(super) fn reset(&mut self) {
        self.list.clear();
        self.counts.clear();
    }

    /// Whether nothing is being read.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    fn begin(&mut self, warp: u32, pieces: &[u64], line: u32) -> Ticket {
        for piece in pieces {
            let at = (piece / PIECE) as usize;
            if self.counts.len() <= at {
                self.counts.resize(at + 1, 0);
            }
            self.counts[at] += 1;
        }
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        self.list.push(Reading { ticket, warp, line, pieces: pieces.to_vec() });
        ticket
    }

    fn end(&mut self, ticket: Ticket) -> Option<Reading> {
        let at = self.list.iter().position(|reading| reading.ticket == ticket)?;
        let reading = self.list.remove(at);
        reading.pieces.iter().for_each(|piece| self.counts[(piece / PIECE) as usize] -= 1);
        Some(reading)
    }

    /// Reports writes of what is being read.
    pub(super) fn check(&self, who: &Who, access: &Access, reports: &mut Reports) {
        for lane in lanes(access.mask) {
            let (first, end) = (access.addr[lane], access.addr[lane] + u64::from(access.bytes));
            let is_read = |at: &u64| self.counts.get(*at as usize).is_some_and(|count| *count > 0);
            if let Some(at) = (first / PIECE..end.div_ceil(PIECE)).find(is_read) {
                self.report(who, access, lane, at * PIECE, reports);
            }
        }
    }

    #[cold]
    fn report(&self, who: &Who, access: &Access, lane: usize, piece: u64, reports: &mut Reports) {
        let block = who.clocks.block();
        for reading in &self.list {
            let Some(at) = reading.pieces.iter().position(|other| *other == piece) else { continue };
            let (thread, line) = (who.warp * 32 + lane as u32, access.line);
            let address = access.addr[lane].max(piece);
            let later = Later { block, thread, line, write: true, space: Space::Shared, address };
            let thread = reading.warp * 32 + at as u32 % 32;
            let earlier = Earlier { block, thread, line: reading.line, write: false, atomic: false };
            reports.add(Problem::Race, later, earlier);
        }
    }
}

impl Shared {
    /// The async proxy begins to read pieces of 16 bytes for a warp: bounds, races, fences and copies in flight are checked.
    pub(crate) fn begin_read(&mut self, who: &Who, pieces: &[u64], line: u32) -> Result<Ticket, Fault> {
        for chunk in pieces.chunks(32) {
            let (mask, addr) = lanes_of(chunk);
            self.shape(&access(mask, &addr, line), false)?;
        }
        self.touch_pieces(who, pieces, line, true);
        Ok(self.readings.begin(who.warp, pieces, line))
    }

    /// What lies there now.
    pub(crate) fn peek(&self, pieces: &[u64]) -> Vec<Piece> {
        let mut words = Words::new();
        let one = |piece: &u64| {
            words.undefined = 0;
            self.load_lane(0, *piece, PIECE as u32, &mut words);
            let mut bytes = [0; 16];
            for (four, word) in bytes.chunks_exact_mut(4).zip(&words.word) {
                four.copy_from_slice(&word[0].to_le_bytes());
            }
            Piece { bytes, undefined: words.undefined_bytes(0) }
        };
        pieces.iter().map(one).collect()
    }

    /// The read is done, and the warp knows: what others write from now on is a race unless they know too.
    pub(crate) fn end_read(&mut self, who: &Who, ticket: Ticket) {
        if let Some(reading) = self.readings.end(ticket) {
            self.touch_pieces(who, &reading.pieces, reading.line, false);
        }
    }

    fn touch_pieces(&mut self, who: &Who, pieces: &[u64], line: u32, first: bool) {
        for chunk in pieces.chunks(32) {
            let (mask, addr) = lanes_of(chunk);
            let access = access(mask, &addr, line);
            self.touch(&Shape::of(&access), who, access, None, false);
            if first {
                self.proxy.check(who, &access, false, &mut self.reports);
            }
        }
    }
}

/// At most 32 pieces, one to a lane.
fn lanes_of(pieces: &[u64]) -> (u32, [u64; 32]) {
    let mut addr = [0; 32];
    addr[..pieces.len()].copy_from_slice(pieces);
    (u32::MAX >> (32 - pieces.len()), addr)
}

fn access(mask: u32, addr: &[u64; 32], line: u32) -> Access<'_> {
    Access { mask, addr, bytes: PIECE as u32, kind: Kind::Weak, line }
}
