//! What the async proxy may see of ordinary writes.

use super::*;
use crate::memory::access::{Scope, Target, byte_mask};
use crate::memory::shared::Shared;

const LOW: u32 = 0xffff;

fn shared() -> Shared {
    Shared::new(layout(), 4).with_async_proxy()
}

fn store(shared: &mut Shared, clocks: &Clocks, warp: u32, mask: u32, line: u32) {
    let addr = strided(FIRST_OFFSET, 4);
    shared.store(&Who { warp, clocks }, weak(mask, &addr, 4, line), &values(line)).unwrap();
}

fn proxy_load(shared: &mut Shared, clocks: &Clocks, warp: u32, mask: u32, line: u32) -> Words {
    let mut words = Words::new();
    let addr = strided(FIRST_OFFSET, 4);
    shared.proxy_load(&Who { warp, clocks }, weak(mask, &addr, 4, line), &mut words).unwrap();
    words
}

/// (line, earlier line, earlier thread) of reports that are all missing fences.
fn missing(shared: &mut Shared) -> Vec<(u32, u32, u32)> {
    let reports = shared.take_reports();
    let is_missing = |report: &RaceReport| matches!(report.kind, FindingKind::MissingProxyFence(_));
    assert!(reports.iter().all(is_missing), "{reports:?}");
    reports.iter().map(|report| (report.line, report.earlier.line, report.earlier.thread)).collect()
}

#[test]
fn an_ordinary_write_needs_a_fence_before_the_async_proxy_sees_it() {
    let (mut shared, clocks) = (shared(), Clocks::new(0, 32));
    store(&mut shared, &clocks, 0, ALL, 1);
    assert_eq!(proxy_load(&mut shared, &clocks, 0, ALL, 2).word[0], values(1).word[0]);
    let [report] = shared.take_reports().try_into().unwrap();
    assert_eq!(
        report.kind.to_string(),
        "no fence.proxy.async since: the async proxy reads shared memory at 0x400, which thread 0 of block 0 wrote at PTX line 1"
    );
    shared.proxy_fence(&Who { warp: 0, clocks: &clocks }, ALL);
    proxy_load(&mut shared, &clocks, 0, ALL, 3);
    assert_eq!(missing(&mut shared), []);
    store(&mut shared, &clocks, 0, 1 << 5, 4);
    proxy_load(&mut shared, &clocks, 0, ALL, 5);
    assert_eq!(missing(&mut shared), [(5, 4, 5)]);
}

#[test]
fn a_fence_behind_the_issue_of_a_copy_is_too_late() {
    let (mut shared, clocks) = (shared(), Clocks::new(0, 32));
    let first = FIRST_OFFSET;
    store(&mut shared, &clocks, 0, ALL, 1);
    // Bytes beside what was written, then bytes that reach into it.
    shared.proxy_issued((0, 7, 2), first + 128..first + 256, false);
    shared.proxy_issued((0, 7, 3), first - 64..first, true);
    assert_eq!(missing(&mut shared), []);
    shared.proxy_issued((0, 7, 4), first + 124..first + 256, false);
    shared.proxy_fence(&Who { warp: 0, clocks: &clocks }, ALL);
    assert_eq!(missing(&mut shared), [(4, 1, 31)]);
    shared.proxy_issued((0, 7, 5), first..first + 128, true);
    assert_eq!(missing(&mut shared), []);
}

#[test]
fn a_fence_is_for_what_the_thread_knows_of() {
    let (mut shared, mut clocks) = (shared(), Clocks::new(0, 64));
    store(&mut shared, &clocks, 0, ALL, 1);
    // Half of the warp fences what it wrote, the other warp what it knows nothing of.
    shared.proxy_fence(&Who { warp: 0, clocks: &clocks }, LOW);
    shared.proxy_fence(&Who { warp: 1, clocks: &clocks }, ALL);
    proxy_load(&mut shared, &clocks, 0, ALL, 2);
    assert_eq!(missing(&mut shared), [(2, 1, 16)]);
    clocks.block_barrier();
    proxy_load(&mut shared, &clocks, 1, ALL, 3);
    assert_eq!(missing(&mut shared), [(3, 1, 16)]);
    shared.proxy_fence(&Who { warp: 1, clocks: &clocks }, 1 << 9);
    proxy_load(&mut shared, &clocks, 1, ALL, 4);
    assert_eq!(missing(&mut shared), []);
}

#[test]
fn writes_of_the_async_proxy_need_a_fence_too_and_leave_no_need_of_one() {
    let (mut shared, clocks) = (shared(), Clocks::new(0, 32));
    let who = Who { warp: 0, clocks: &clocks };
    store(&mut shared, &clocks, 0, ALL, 1);
    let addr = strided(FIRST_OFFSET, 4);
    shared.proxy_store(&who, weak(ALL, &addr, 4, 2), &values(2)).unwrap();
    assert_eq!(missing(&mut shared), [(2, 1, 0)]);
    assert_eq!(proxy_load(&mut shared, &clocks, 0, ALL, 3).word[0], values(2).word[0]);
    assert_eq!(missing(&mut shared), []);
    shared.proxy_store(&who, weak(0, &addr, 4, 4), &values(4)).unwrap();
    assert!(shared.proxy_store(&who, weak(ALL, &strided(0, 4), 4, 5), &values(5)).is_err());
}

#[test]
fn atomics_and_copies_that_land_are_ordinary_writes() {
    let (mut shared, clocks) = (shared(), Clocks::new(0, 32));
    let who = Who { warp: 0, clocks: &clocks };
    let target = Target { lane: 1, address: FIRST_OFFSET + 4, bytes: 4, scope: Scope::Cta, line: 1 };
    shared.rmw(&who, target, |old| old + 1).unwrap();
    proxy_load(&mut shared, &clocks, 0, ALL, 2);
    assert_eq!(missing(&mut shared), [(2, 1, 1)]);
    shared.proxy_fence(&who, ALL);
    let addr = strided(FIRST_OFFSET + 512, 16);
    shared.store_landed(&who, weak(1, &addr, 16, 3), &values(3));
    shared.proxy_load(&who, weak(1, &addr, 16, 4), &mut Words::new()).unwrap();
    assert_eq!(missing(&mut shared), [(4, 3, 0)]);
}

#[test]
fn nothing_is_kept_for_the_next_block_or_without_the_async_proxy() {
    let clocks = Clocks::new(0, 32);
    let mut watched = shared();
    store(&mut watched, &clocks, 0, byte_mask(4), 1);
    watched.reset();
    proxy_load(&mut watched, &clocks, 0, ALL, 2);
    assert_eq!(missing(&mut watched), []);
    let mut plain = Shared::new(layout(), 4);
    store(&mut plain, &clocks, 0, ALL, 1);
    proxy_load(&mut plain, &clocks, 0, ALL, 2);
    plain.proxy_fence(&Who { warp: 0, clocks: &clocks }, ALL);
    assert_eq!(missing(&mut plain), []);
}
