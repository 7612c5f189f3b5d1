//! Races found against a model that keeps the whole history and a full vector clock of every thread.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::memory::access::{Scope, lanes};
use crate::memory::sync::{Order, Strong, SyncVars};

/// Threads of a block; there are two blocks.
const BLOCK: usize = 64;
const THREADS: usize = 2 * BLOCK;
type Clock = [u32; THREADS];

#[derive(Clone, Debug)]
enum Op {
    /// A lane at a word, or with `None` a warp at a row of 32 words; bytes for the latter.
    Access {
        warp: usize,
        lane: Option<usize>,
        place: u64,
        bytes: u32,
        kind: Kind,
        write: bool,
    },
    BlockBarrier {
        block: usize,
    },
    Barrier {
        block: usize,
        arrived: [u32; 2],
        waiting: [u32; 2],
    },
    WarpSync {
        warp: usize,
        mask: u32,
    },
    Fence {
        warp: usize,
        mask: u32,
        scope: Scope,
    },
    Sync {
        warp: usize,
        lane: usize,
        var: u64,
        order: Order,
        scope: Scope,
        what: u32,
    },
}

struct Past {
    thread: usize,
    clock: u32,
    kind: Kind,
    write: bool,
}

#[derive(Clone, Default)]
struct Published {
    by: usize,
    near: Option<Clock>,
    far: Option<Clock>,
}

struct Model {
    clock: Vec<Clock>,
    near: Vec<Clock>,
    far: Vec<Clock>,
    fence: Vec<Option<(Clock, Scope)>>,
    published: HashMap<u64, Published>,
    history: HashMap<u64, Vec<Past>>,
}

fn join(a: &mut Clock, b: &Clock) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = *b.max(a));
}

fn both_strong(a: (Kind, usize), b: (Kind, usize)) -> bool {
    let reaches = |(kind, from): (Kind, usize), (_, to): (Kind, usize)| match kind {
        Kind::Strong(scope) => scope != Scope::Cta || from / BLOCK == to / BLOCK,
        _ => false,
    };
    reaches(a, b) && reaches(b, a)
}

impl Model {
    fn new() -> Model {
        let clock = |thread: usize| std::array::from_fn(|other| u32::from(other == thread));
        Model {
            clock: (0..THREADS).map(clock).collect(),
            near: vec![[0; THREADS]; THREADS],
            far: vec![[0; THREADS]; THREADS],
            fence: vec![None; THREADS],
            published: HashMap::new(),
            history: HashMap::new(),
        }
    }

    fn barrier(&mut self, arrived: &[usize], waiting: &[usize]) {
        let mut all = [0; THREADS];
        arrived.iter().for_each(|&thread| join(&mut all, &self.clock[thread]));
        waiting.iter().for_each(|&thread| join(&mut self.clock[thread], &all));
        arrived.iter().for_each(|&thread| self.clock[thread][thread] += 1);
    }

    /// Whether the access would race with any before it, and whether with the last write.
    fn races(&self, thread: usize, word: u64, kind: Kind, write: bool) -> (bool, bool) {
        let now = &self.clock[thread];
        let races = |before: &&Past| {
            let strong = both_strong((kind, thread), (before.kind, before.thread));
            (write || before.write) && before.clock > now[before.thread] && !strong && before.thread != thread
        };
        let past = self.history.get(&word).map_or(&[][..], |past| past);
        let last = past.iter().rev().find(|before| before.write);
        (past.iter().any(|before| races(&before)), last.is_some_and(|before| races(&before)))
    }

    fn access(&mut self, thread: usize, word: u64, kind: Kind, write: bool) {
        let clock = self.clock[thread][thread];
        self.history.entry(word).or_default().push(Past { thread, clock, kind, write });
    }

    fn settle(&mut self, thread: usize, scope: Scope) {
        let near = std::mem::replace(&mut self.near[thread], [0; THREADS]);
        join(&mut self.clock[thread], &near);
        if scope != Scope::Cta {
            let far = std::mem::replace(&mut self.far[thread], [0; THREADS]);
            join(&mut self.clock[thread], &far);
        }
    }

    fn fence(&mut self, thread: usize, scope: Scope) {
        self.settle(thread, scope);
        self.fence[thread] = Some((self.clock[thread], scope));
        self.clock[thread][thread] += 1;
    }

    fn sync(&mut self, thread: usize, var: u64, order: Order, scope: Scope, what: u32) {
        let (reads, writes) = (what != 1, what != 0);
        if let Some(found) = self.published.get(&var).filter(|_| reads) {
            let near = found.near.filter(|_| found.by / BLOCK == thread / BLOCK);
            near.iter().for_each(|near| join(&mut self.near[thread], near));
            let far = found.far.filter(|_| scope != Scope::Cta);
            far.iter().for_each(|far| join(&mut self.far[thread], far));
        }
        if reads && matches!(order, Order::Acquire | Order::AcqRel) {
            self.settle(thread, scope);
        }
        if !writes {
            return;
        }
        if what == 1 && self.published.get(&var).is_some_and(|found| found.by != thread) {
            self.published.remove(&var);
        }
        let news = if matches!(order, Order::Release | Order::AcqRel) {
            let clock = self.clock[thread];
            self.clock[thread][thread] += 1;
            Some((clock, scope))
        } else {
            self.fence[thread].map(|(clock, fence)| (clock, scope.min(fence)))
        };
        let Some((clock, scope)) = news else {
            return;
        };
        let entry = self.published.entry(var).or_insert(Published { by: thread, ..Published::default() });
        if entry.by / BLOCK != thread / BLOCK {
            entry.near = None;
        }
        entry.by = thread;
        join(entry.near.get_or_insert([0; THREADS]), &clock);
        if scope != Scope::Cta {
            join(entry.far.get_or_insert([0; THREADS]), &clock);
        }
    }
}

struct Both {
    model: Model,
    setup: Setup,
    sync: SyncVars,
    clocks: [Clocks; 2],
}

fn threads(warp: usize, mask: u32) -> Vec<usize> {
    lanes(mask).map(|lane| warp * 32 + lane).collect()
}

impl Both {
    fn new() -> Both {
        let clocks = [Clocks::new(0, BLOCK as u32), Clocks::new(1, BLOCK as u32)];
        Both { model: Model::new(), setup: Setup::new(4), sync: SyncVars::new(), clocks }
    }

    /// Carries out an operation, unless it races and `skip` says not to; false after a race.
    fn run(&mut self, op: &Op, line: u32, skip: bool) -> bool {
        match *op {
            Op::Access { warp, lane, place, bytes, kind, write } => {
                return self.access((warp, lane), (place, bytes), kind, write, (line, skip));
            }
            Op::BlockBarrier { block } => {
                let all: Vec<usize> = (block * BLOCK..(block + 1) * BLOCK).collect();
                self.model.barrier(&all, &all);
                self.clocks[block].block_barrier();
            }
            Op::Barrier { block, arrived, waiting } => {
                let pairs = |masks: [u32; 2]| [(0, masks[0]), (1, masks[1])];
                let all = |masks: [u32; 2]| {
                    [threads(block * 2, masks[0]), threads(block * 2 + 1, masks[1])].concat()
                };
                self.model.barrier(&all(arrived), &all(waiting));
                self.clocks[block].barrier(&pairs(arrived), &pairs(waiting));
            }
            Op::WarpSync { warp, mask } => {
                self.model.barrier(&threads(warp, mask), &threads(warp, mask));
                self.clocks[warp / 2].warp_sync(warp as u32 % 2, mask);
            }
            Op::Fence { warp, mask, scope } => {
                threads(warp, mask).into_iter().for_each(|thread| self.model.fence(thread, scope));
                self.clocks[warp / 2].fence(warp as u32 % 2, mask, scope);
            }
            Op::Sync { warp, lane, var, order, scope, what } => {
                self.model.sync(warp * 32 + lane, var, order, scope, what);
                let op = Strong { warp: warp as u32 % 2, lane: lane as u32, address: var, order, scope };
                let clocks = &mut self.clocks[warp / 2];
                match what {
                    0 => self.sync.strong_load(clocks, op),
                    1 => self.sync.strong_store(clocks, op),
                    _ => self.sync.strong_rmw(clocks, op),
                }
            }
        }
        true
    }

    fn access(
        &mut self,
        (warp, lane): (usize, Option<usize>),
        (place, bytes): (u64, u32),
        kind: Kind,
        write: bool,
        (line, skip): (u32, bool),
    ) -> bool {
        let (mask, addr, bytes) = match lane {
            Some(lane) => (1 << lane, self.setup.addr(place % 128 * 4, 0), 4),
            None => (ALL, self.setup.addr(place % 2 * 128, u64::from(bytes)), bytes),
        };
        let words = |lane: usize| {
            let first = (addr[lane] - self.setup.base) / 4;
            (first..first + u64::from(bytes / 4)).map(move |word| (warp * 32 + lane, word))
        };
        let touched: Vec<_> = lanes(mask).flat_map(words).collect();
        let races = |&(thread, word): &(usize, u64)| self.model.races(thread, word, kind, write);
        let each: Vec<_> = touched.iter().map(races).collect();
        let (any, last) = (each.iter().any(|race| race.0), each.iter().any(|race| race.1));
        if any && skip {
            return true;
        }
        touched.iter().for_each(|&(thread, word)| self.model.access(thread, word, kind, write));
        let access = Access { mask, addr: &addr, bytes, kind, line };
        let who = Who { warp: warp as u32 % 2, clocks: &self.clocks[warp / 2] };
        let mut words = values(line);
        if write {
            self.setup.view.store(&who, access, &words).unwrap();
        } else {
            self.setup.view.load(&who, access, &mut words).unwrap();
        }
        let found = !self.setup.races().is_empty();
        assert!(!found || any, "line {line}: a race that is none");
        assert!(found || !last, "line {line}: a race with the last write missed");
        !any
    }
}

/// Few lanes, so that they meet.
fn some_lane() -> impl Strategy<Value = usize> {
    prop::sample::select(vec![0, 1, 2, 31])
}

fn accesses(strong: bool) -> impl Strategy<Value = Op> {
    let kind = if strong {
        vec![Kind::Weak, Kind::Strong(Scope::Cta), Kind::Strong(Scope::Gpu)]
    } else {
        vec![Kind::Weak]
    };
    let bytes = prop::sample::select(vec![4, 8, 16]);
    let lane = prop::option::of(some_lane());
    (0..4usize, lane, 0..4u64, bytes, prop::sample::select(kind), any::<bool>()).prop_map(
        |(warp, lane, place, bytes, kind, write)| Op::Access { warp, lane, place, bytes, kind, write },
    )
}

fn barriers() -> impl Strategy<Value = Op> {
    let mask = || prop::sample::select(vec![ALL, 0, 0xffff, 0b11, 0b110, 0x8000_0001]);
    let pair = move || prop::array::uniform2(mask());
    prop_oneof![
        (0..2usize).prop_map(|block| Op::BlockBarrier { block }),
        (0..2usize, pair(), pair()).prop_map(|(block, arrived, waiting)| Op::Barrier {
            block,
            arrived,
            waiting
        }),
        (0..4usize, mask()).prop_map(|(warp, mask)| Op::WarpSync { warp, mask }),
    ]
}

fn syncs(orders: Vec<(Order, u32)>) -> impl Strategy<Value = Op> {
    let scope = prop::sample::select(vec![Scope::Cta, Scope::Gpu]);
    (0..4usize, some_lane(), 0..2u64, prop::sample::select(orders), scope)
        .prop_map(|(warp, lane, var, (order, what), scope)| Op::Sync { warp, lane, var, order, scope, what })
}

fn fences() -> impl Strategy<Value = Op> {
    let scope = prop::sample::select(vec![Scope::Cta, Scope::Gpu]);
    (0..4usize, prop::sample::select(vec![ALL, 0b11, 0x8000_0002]), scope)
        .prop_map(|(warp, mask, scope)| Op::Fence { warp, mask, scope })
}

/// Releases by stores and updates, acquires by loads and updates.
fn paired() -> Vec<(Order, u32)> {
    vec![(Order::Acquire, 0), (Order::Release, 1), (Order::AcqRel, 2)]
}

fn every() -> Vec<(Order, u32)> {
    let relaxed = (0..3).map(|what| (Order::Relaxed, what));
    paired().into_iter().chain(relaxed).chain([(Order::Acquire, 2), (Order::Release, 2)]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn what_is_found_is_a_race(ops in prop::collection::vec(
        prop_oneof![3 => accesses(true), 2 => barriers(), 3 => syncs(every()), 2 => fences()], 1..60,
    )) {
        let mut both = Both::new();
        ops.iter().enumerate().for_each(|(line, op)| { both.run(op, line as u32 + 1, true); });
    }

    #[test]
    fn a_race_with_the_last_write_is_found(ops in prop::collection::vec(
        prop_oneof![3 => accesses(false), 3 => barriers(), 3 => syncs(paired())], 1..60,
    )) {
        let mut both = Both::new();
        let first_kept = ops.len() / 2;
        let _ = ops.iter().enumerate().try_for_each(|(line, op)| both.run(op, line as u32 + 1, line < first_kept).then_some(()));
    }
}
