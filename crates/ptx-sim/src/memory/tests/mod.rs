//! The memories from outside: what an executor would do, and what it gets.

mod copies;
mod data;
mod merging;
mod model;
mod order;
mod proxy;
mod races;
mod shared_local;

use std::sync::Arc;

use super::access::{Access, Kind, Who, Words};
use super::clocks::Clocks;
use super::global::Global;
use super::report::RaceReport;
use super::space::{FIRST_OFFSET, Layout, Region};
use super::view::View;
use crate::FindingKind;

/// Every lane.
const ALL: u32 = u32::MAX;

/// Lane `i` at `base + i * stride`.
fn strided(base: u64, stride: u64) -> [u64; 32] {
    std::array::from_fn(|lane| base.wrapping_add(stride.wrapping_mul(lane as u64)))
}

/// A weak access.
fn weak(mask: u32, addr: &[u64; 32], bytes: u32, line: u32) -> Access<'_> {
    Access { mask, addr, bytes, kind: Kind::Weak, line }
}

/// Defined values, different for each lane and word.
fn values(seed: u32) -> Words {
    let mut words = Words::new();
    for (w, word) in words.word.iter_mut().enumerate() {
        *word = std::array::from_fn(|lane| {
            seed.wrapping_mul(0x9e37_79b9) ^ (lane as u32 * 0x0101_0101 + w as u32)
        });
    }
    words
}

/// Two variables of 1024 and 100 bytes.
fn layout() -> Arc<Layout> {
    let region =
        |start, bytes, name: &str| Region { start, end: start + bytes, name: name.into(), align: 16 };
    let regions = vec![region(FIRST_OFFSET, 1024, "tile"), region(FIRST_OFFSET + 2048, 100, "rest")];
    Arc::new(Layout { regions })
}

/// One worker, with one buffer of 4096 bytes.
struct Setup {
    global: Global,
    view: View,
    base: u64,
}

impl Setup {
    fn new(grain: u32) -> Setup {
        let global = Global::default();
        let base = global.alloc(4096).unwrap();
        global.fill(base, 4096, 0).unwrap();
        let view = View::new(&global, grain);
        Setup { global, view, base }
    }

    fn addr(&self, offset: u64, stride: u64) -> [u64; 32] {
        strided(self.base + offset, stride)
    }

    /// A read of 4 bytes by one lane.
    fn read(&mut self, clocks: &Clocks, thread: u32, offset: u64, line: u32) {
        self.one(clocks, thread, offset, line, Kind::Weak, false);
    }

    /// A write of 4 bytes by one lane.
    fn write(&mut self, clocks: &Clocks, thread: u32, offset: u64, line: u32) {
        self.one(clocks, thread, offset, line, Kind::Weak, true);
    }

    fn one(&mut self, clocks: &Clocks, thread: u32, offset: u64, line: u32, kind: Kind, write: bool) {
        let addr = self.addr(offset, 0);
        let access = Access { mask: 1 << (thread % 32), addr: &addr, bytes: 4, kind, line };
        let who = Who { warp: thread / 32, clocks };
        let mut words = values(line);
        if write {
            self.view.store(&who, access, &words).unwrap();
        } else {
            self.view.load(&who, access, &mut words).unwrap();
        }
    }

    /// (line, earlier line) of the races found since the last call.
    fn races(&mut self) -> Vec<(u32, u32)> {
        lines(&self.view.take_reports())
    }
}

/// (line, earlier line) of reports that are all races.
fn lines(reports: &[RaceReport]) -> Vec<(u32, u32)> {
    let is_race = |report: &RaceReport| matches!(report.kind, FindingKind::Race(_));
    assert!(reports.iter().all(is_race), "{reports:?}");
    reports.iter().map(|report| (report.line, report.earlier.line)).collect()
}
