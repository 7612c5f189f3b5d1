use super::*;
use crate::memory::access::Scope;
use crate::memory::sync::{Order, Strong, SyncVars};

/// One write by thread `from` before `act`, one read by thread `to` after it: whether they race.
fn races(clocks: &mut Clocks, from: u32, to: u32, act: impl FnOnce(&mut Clocks)) -> bool {
    let mut s = Setup::new(4);
    s.write(clocks, from, 0, 10);
    act(clocks);
    s.read(clocks, to, 0, 11);
    !s.races().is_empty()
}

#[test]
fn a_warp_barrier_orders_the_lanes_it_names() {
    let new = || Clocks::new(0, 64);
    assert!(races(&mut new(), 1, 2, |_| ()));
    assert!(!races(&mut new(), 1, 2, |clocks| clocks.warp_sync(0, ALL)));
    assert!(!races(&mut new(), 1, 2, |clocks| clocks.warp_sync(0, 0b110)));
    assert!(races(&mut new(), 1, 3, |clocks| clocks.warp_sync(0, 0b110)));
    assert!(races(&mut new(), 3, 1, |clocks| clocks.warp_sync(0, 0b110)));
    assert!(races(&mut new(), 1, 2, |clocks| clocks.warp_sync(1, ALL)));
    assert!(races(&mut new(), 1, 33, |clocks| clocks.warp_sync(0, ALL)));
    let chain = |clocks: &mut Clocks| {
        clocks.warp_sync(0, 0b0110);
        clocks.warp_sync(0, 0b1100);
    };
    assert!(!races(&mut new(), 1, 3, chain), "through lane 2");
    assert!(races(&mut new(), 3, 1, chain));
}

#[test]
fn a_short_last_warp_syncs_as_a_whole() {
    let mut clocks = Clocks::new(0, 40);
    assert!(!races(&mut clocks, 33, 39, |clocks| clocks.warp_sync(1, 0xff)));
}

#[test]
fn what_is_written_after_the_barrier_is_not_ordered_by_it() {
    let mut s = Setup::new(4);
    let mut clocks = Clocks::new(0, 64);
    clocks.warp_sync(0, 0b110);
    s.write(&clocks, 1, 0, 10);
    s.read(&clocks, 2, 0, 11);
    assert_eq!(s.races(), [(11, 10)]);
    let published = clocks.release(0, 1);
    s.write(&clocks, 1, 4, 12);
    clocks.acquire_lanes(1, 1 << 0, &published);
    s.read(&clocks, 32, 4, 13);
    assert_eq!(s.races(), [(13, 12)]);
}

#[test]
fn a_partial_barrier_orders_arrivers_before_waiters() {
    let new = || Clocks::new(0, 128);
    let named = |clocks: &mut Clocks| clocks.barrier(&[(0, ALL), (1, ALL)], &[(1, ALL)]);
    assert!(!races(&mut new(), 0, 32, named));
    assert!(!races(&mut new(), 31, 63, named));
    assert!(!races(&mut new(), 33, 34, named), "both arrived and waited");
    assert!(races(&mut new(), 32, 0, named), "warp 0 only arrived");
    assert!(races(&mut new(), 64, 32, named), "warp 2 took no part");
    assert!(races(&mut new(), 0, 64, named));
    let half = |clocks: &mut Clocks| clocks.barrier(&[(0, 0xffff), (1, ALL)], &[(0, 0xffff), (1, ALL)]);
    assert!(!races(&mut new(), 15, 40, half));
    assert!(races(&mut new(), 16, 40, half));
    assert!(races(&mut new(), 40, 16, half));
}

#[test]
fn partial_barriers_chain_and_a_full_one_ends_them() {
    let chain = |clocks: &mut Clocks| {
        clocks.barrier(&[(0, ALL)], &[(1, ALL)]);
        clocks.barrier(&[(1, 1)], &[(2, 2)]);
    };
    assert!(!races(&mut Clocks::new(0, 128), 5, 65, chain));
    assert!(races(&mut Clocks::new(0, 128), 5, 64, chain));
    let then_full = |clocks: &mut Clocks| {
        chain(clocks);
        clocks.block_barrier();
    };
    assert!(!races(&mut Clocks::new(0, 128), 5, 127, then_full));
    let then_warp = |clocks: &mut Clocks| {
        chain(clocks);
        clocks.warp_sync(2, ALL);
    };
    assert!(!races(&mut Clocks::new(0, 128), 5, 64, then_warp));
}

#[test]
fn whole_warps_are_ordered_by_a_named_barrier() {
    let mut s = Setup::new(4);
    let mut clocks = Clocks::new(0, 128);
    let addr = s.addr(0, 16);
    let access = |line| weak(ALL, &addr, 16, line);
    s.view.store(&Who { warp: 0, clocks: &clocks }, access(10), &values(1)).unwrap();
    clocks.barrier(&[(0, ALL), (1, ALL)], &[(0, ALL), (1, ALL)]);
    s.view.store(&Who { warp: 1, clocks: &clocks }, access(11), &values(1)).unwrap();
    assert_eq!(s.races(), []);
    s.view.store(&Who { warp: 2, clocks: &clocks }, access(12), &values(1)).unwrap();
    assert_eq!(s.races(), [(12, 11)]);
}

/// Message passing from thread 0 of block 0 to thread `to` of block `block`: data, then a flag at address 64 written as
/// `write` says (order, fence before it) and read as `read` says (order, fence behind it). Whether it races.
fn message(
    to: (u32, u32),
    write: (Order, Option<Scope>),
    read: (Order, Option<Scope>),
    scope: Scope,
) -> bool {
    let mut s = Setup::new(4);
    let mut sync = SyncVars::new();
    let mut blocks = [Clocks::new(0, 64), Clocks::new(1, 64)];
    let op = |thread: u32, order| Strong { warp: thread / 32, lane: thread % 32, address: 64, order, scope };
    s.write(&blocks[0], 0, 0, 10);
    if let Some(scope) = write.1 {
        blocks[0].fence(0, 1, scope);
    }
    sync.strong_store(&mut blocks[0], op(0, write.0));
    let (block, thread) = to;
    let clocks = &mut blocks[block as usize];
    sync.strong_load(clocks, op(thread, read.0));
    if let Some(scope) = read.1 {
        clocks.fence(thread / 32, 1 << (thread % 32), scope);
    }
    s.read(clocks, thread, 0, 11);
    !s.races().is_empty()
}

#[test]
fn messages_need_both_sides() {
    use Order::{Acquire, Relaxed, Release};
    for to in [(0, 40), (1, 0)] {
        for (write, writes) in
            [((Release, None), true), ((Relaxed, Some(Scope::Gpu)), true), ((Relaxed, None), false)]
        {
            for (read, reads) in
                [((Acquire, None), true), ((Relaxed, Some(Scope::Gpu)), true), ((Relaxed, None), false)]
            {
                let races = message(to, write, read, Scope::Gpu);
                assert_eq!(races, !(writes && reads), "{to:?} {write:?} {read:?}");
            }
        }
    }
}

#[test]
fn a_message_reaches_no_further_than_its_scope() {
    use Order::{Acquire, Relaxed, Release};
    assert!(!message((0, 40), (Release, None), (Acquire, None), Scope::Cta));
    assert!(message((1, 0), (Release, None), (Acquire, None), Scope::Cta));
    let fences = |write, read| message((1, 0), (Relaxed, Some(write)), (Relaxed, Some(read)), Scope::Gpu);
    assert!(!fences(Scope::Gpu, Scope::Sys));
    assert!(fences(Scope::Cta, Scope::Gpu));
    assert!(fences(Scope::Gpu, Scope::Cta));
}

/// Thread 0 of each block in turn: writes word `block`, then an atomic operation on address 64.
fn counted(order: Order, fence: bool) -> Vec<(u32, u32)> {
    let mut s = Setup::new(4);
    let mut sync = SyncVars::new();
    let mut blocks: Vec<Clocks> = (0..3).map(|block| Clocks::new(block, 64)).collect();
    for (block, clocks) in blocks.iter_mut().enumerate() {
        s.write(clocks, 33, block as u64 * 4, 10 + block as u32);
        clocks.block_barrier();
        if fence {
            clocks.fence(0, 1, Scope::Gpu);
        }
        sync.strong_rmw(clocks, Strong { warp: 0, lane: 0, address: 64, order, scope: Scope::Gpu });
        if fence {
            clocks.fence(0, 1, Scope::Gpu);
        }
        clocks.block_barrier();
    }
    for block in 0..3 {
        s.read(&blocks[2], 50, block * 4, 20);
    }
    s.races()
}

#[test]
fn the_last_block_sees_all_others_through_the_counter() {
    assert_eq!(counted(Order::AcqRel, false), []);
    assert_eq!(counted(Order::Relaxed, true), []);
    assert_eq!(counted(Order::Relaxed, false), [(20, 10), (20, 11)]);
    assert_eq!(counted(Order::Acquire, false), [(20, 10), (20, 11)]);
    assert_eq!(counted(Order::Release, false), [(20, 10), (20, 11)]);
}

#[test]
fn a_plain_store_ends_what_was_published_and_an_own_one_does_not() {
    let op = |thread: u32, order| Strong {
        warp: thread / 32,
        lane: thread % 32,
        address: 64,
        order,
        scope: Scope::Gpu,
    };
    for (second, ordered) in [(0, true), (32, false)] {
        let mut sync = SyncVars::new();
        let races = races(&mut Clocks::new(0, 64), 0, 40, |clocks| {
            sync.strong_store(clocks, op(0, Order::Release));
            sync.strong_store(clocks, op(second, Order::Relaxed));
            sync.strong_load(clocks, op(40, Order::Acquire));
        });
        assert_eq!(races, !ordered);
    }
}

#[test]
fn a_block_that_counts_past_the_end_is_no_longer_checked() {
    let mut clocks = Clocks::new(0, 64);
    clocks.set_all((1 << 24) - 3);
    assert!(races(&mut clocks, 0, 40, |_| ()));
    (0..3).for_each(|_| clocks.block_barrier());
    assert!(!races(&mut clocks, 0, 40, |_| ()));
}

/// Thread 40 learns what thread 2 publishes after `before`, of a write by thread 1.
fn passed_on(before: impl FnOnce(&mut Clocks)) -> bool {
    !races(&mut Clocks::new(0, 64), 1, 40, |clocks| {
        before(clocks);
        let known = clocks.release(0, 2);
        clocks.acquire_lanes(1, 1 << 8, &known);
    })
}

#[test]
fn a_release_passes_on_what_its_warp_told() {
    assert!(!passed_on(|_| ()));
    assert!(passed_on(|clocks| clocks.warp_sync(0, ALL)));
    assert!(passed_on(|clocks| clocks.warp_sync(0, 0b110)));
    assert!(passed_on(|clocks| clocks.block_barrier()));
}

#[test]
fn a_warp_barrier_passes_on_what_its_lanes_acquired() {
    for (mask, told) in [(0b110, true), (ALL, true), (0b1010, false)] {
        let races = races(&mut Clocks::new(0, 64), 40, 1, |clocks| {
            let known = clocks.release(1, 8);
            clocks.acquire_lanes(0, 1 << 2, &known);
            clocks.warp_sync(0, mask);
        });
        assert_eq!(races, !told);
    }
}

#[test]
fn a_named_barrier_passes_on_what_is_known_of_other_blocks() {
    let mut s = Setup::new(4);
    let mut blocks: Vec<Clocks> = (0..3).map(|block| Clocks::new(block, 64)).collect();
    s.write(&blocks[0], 5, 0, 10);
    let known = blocks[0].release(0, 5);
    blocks[1].acquire_lanes(0, 1 << 0, &known);
    blocks[1].block_barrier();
    let known = blocks[1].release_all(&[(0, ALL), (1, 0b1)]);
    blocks[2].acquire_lanes(1, 0b11, &known);
    s.read(&blocks[2], 33, 0, 11);
    assert_eq!(s.races(), []);
    s.read(&blocks[2], 34, 0, 12);
    assert_eq!(s.races(), [(12, 10)]);
}

#[test]
fn a_named_barrier_passes_on_what_each_of_its_lanes_was_told() {
    for (writer, told) in [(2, true), (3, true), (5, false)] {
        let races = races(&mut Clocks::new(0, 64), writer, 40, |clocks| {
            clocks.warp_sync(0, 0b00110);
            clocks.warp_sync(0, 0b11000);
            clocks.barrier(&[(0, 0b10010)], &[(1, ALL)]);
        });
        assert_eq!(races, !told, "thread {writer}");
    }
}
