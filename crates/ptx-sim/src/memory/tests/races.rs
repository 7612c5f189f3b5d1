use super::*;
use crate::memory::access::{Scope, Target};

#[test]
fn two_threads_write_one_place_in_either_form() {
    let mut s = Setup::new(4);
    let clocks = Clocks::new(0, 64);
    s.write(&clocks, 3, 64, 10);
    s.write(&clocks, 40, 64, 11);
    let report = s.view.take_reports().remove(0);
    assert_eq!((report.block, report.thread, report.line), (0, 40, 11));
    assert_eq!(
        report.kind.to_string(),
        "data race: writes global memory at 0x10000000140, which thread 3 of block 0 wrote at PTX line 10; \
         nothing orders the two"
    );
    s.write(&clocks, 3, 68, 10);
    s.write(&clocks, 3, 68, 12);
    assert_eq!(s.races(), [], "a thread is ordered with itself");
}

#[test]
fn a_read_and_a_write_race_in_either_order() {
    let mut s = Setup::new(4);
    let clocks = Clocks::new(0, 64);
    s.read(&clocks, 3, 64, 10);
    s.write(&clocks, 40, 64, 11);
    s.write(&clocks, 3, 68, 12);
    s.read(&clocks, 40, 68, 13);
    assert_eq!(s.races(), [(11, 10), (13, 12)]);
    s.read(&clocks, 3, 72, 14);
    s.read(&clocks, 40, 72, 15);
    assert_eq!(s.races(), [], "reads do not race");
}

#[test]
fn a_block_barrier_orders_its_block_and_no_other() {
    let mut s = Setup::new(4);
    let (mut clocks, mut other) = (Clocks::new(0, 64), Clocks::new(1, 64));
    s.write(&clocks, 3, 64, 10);
    clocks.block_barrier();
    other.block_barrier();
    s.read(&clocks, 40, 64, 11);
    clocks.block_barrier();
    s.write(&clocks, 5, 64, 12);
    assert_eq!(s.races(), []);
    s.read(&other, 5, 64, 13);
    assert_eq!(s.races(), [(13, 12)]);
}

#[test]
fn an_access_after_the_barrier_races_again() {
    let mut s = Setup::new(4);
    let mut clocks = Clocks::new(0, 64);
    clocks.block_barrier();
    s.write(&clocks, 3, 64, 10);
    s.read(&clocks, 4, 64, 11);
    assert_eq!(s.races(), [(11, 10)], "of one warp too");
}

#[test]
fn each_race_is_told_once_for_its_lines() {
    let mut s = Setup::new(4);
    let (a, b) = (Clocks::new(0, 32), Clocks::new(1, 32));
    for offset in [0, 4, 8] {
        s.write(&a, 3, offset, 10);
        s.write(&b, 3, offset, 10);
    }
    assert_eq!(s.races(), [(10, 10)]);
}

/// Warp 0 and warp 1 (of the block of `clocks`) access the same 32 places as whole warps; true is a write.
fn whole(s: &mut Setup, clocks: &Clocks, warp: u32, write: bool, line: u32, bytes: u32) {
    let addr = s.addr(1024, u64::from(bytes));
    let who = Who { warp, clocks };
    let access = weak(ALL, &addr, bytes, line);
    let mut words = values(1);
    if write {
        s.view.store(&who, access, &words).unwrap();
    } else {
        s.view.load(&who, access, &mut words).unwrap();
    }
}

#[test]
fn whole_warps_race_like_single_lanes() {
    for bytes in [4, 8, 16, 32] {
        for (first, second) in [(true, true), (true, false), (false, true)] {
            let mut s = Setup::new(4);
            let mut clocks = Clocks::new(2, 128);
            whole(&mut s, &clocks, 0, first, 10, bytes);
            whole(&mut s, &clocks, 3, second, 11, bytes);
            let reports = s.view.take_reports();
            assert_eq!(lines(&reports), [(11, 10)]);
            assert_eq!((reports[0].thread, reports[0].earlier.thread), (96, 0));
            clocks.block_barrier();
            whole(&mut s, &clocks, 1, second, 12, bytes);
            assert_eq!(s.races(), []);
        }
    }
}

#[test]
fn the_warp_that_wrote_may_go_on_in_place() {
    let mut s = Setup::new(4);
    let clocks = Clocks::new(0, 64);
    for (write, line) in [(true, 1), (false, 2), (true, 3), (true, 4)] {
        whole(&mut s, &clocks, 1, write, line, 16);
    }
    assert_eq!(s.races(), []);
    whole(&mut s, &clocks, 1, false, 5, 8);
    assert_eq!(s.races(), [(5, 4)], "other lanes of the warp read what it wrote");
}

#[test]
fn a_run_split_by_one_lane_keeps_its_threads() {
    let mut s = Setup::new(4);
    let clocks = Clocks::new(0, 64);
    whole(&mut s, &clocks, 0, true, 10, 4);
    s.read(&clocks, 7, 1024 + 7 * 4, 11);
    assert_eq!(s.races(), []);
    s.read(&clocks, 7, 1024 + 9 * 4, 12);
    let report = s.view.take_reports().remove(0);
    assert_eq!((report.line, report.earlier.thread), (12, 9));
}

#[test]
fn of_many_readers_one_of_another_warp_is_known() {
    for writer in [0, 33, 95] {
        let mut s = Setup::new(4);
        let clocks = Clocks::new(0, 96);
        for thread in 0..96 {
            s.read(&clocks, thread, 0, 10);
        }
        s.write(&clocks, writer, 0, 11);
        assert_eq!(s.races(), [(11, 10)]);
    }
}

#[test]
fn a_broadcast_read_races_with_the_write_of_any_lane_behind_it() {
    for writer in [0, 31] {
        let mut s = Setup::new(4);
        let mut clocks = Clocks::new(0, 32);
        let same = s.addr(0, 0);
        s.view.load(&Who { warp: 0, clocks: &clocks }, weak(ALL, &same, 4, 10), &mut Words::new()).unwrap();
        if writer == 0 {
            s.write(&clocks, writer, 0, 11);
            assert_eq!(s.races(), [(11, 10)]);
        }
        clocks.warp_sync(0, ALL);
        s.write(&clocks, writer, 0, 12);
        assert_eq!(s.races(), []);
    }
}

#[test]
fn lanes_of_one_instruction_may_write_the_same_value_only() {
    let clocks = Clocks::new(0, 64);
    let who = Who { warp: 0, clocks: &clocks };
    for bytes in [4, 16] {
        let mut s = Setup::new(4);
        let same = s.addr(0, 0);
        let mut words = Words::new();
        words.word[0] = [7; 32];
        s.view.store(&who, weak(ALL, &same, bytes, 10), &words).unwrap();
        assert_eq!(s.races(), []);
        words.word[bytes as usize / 4 - 1][9] = 8;
        s.view.store(&who, weak(ALL, &s.addr(64, 0), bytes, 11), &words).unwrap();
        assert_eq!(s.races(), [(11, 11)]);
    }
}

#[test]
fn the_same_value_of_an_earlier_instruction_races_even_on_one_line() {
    let mut s = Setup::new(4);
    let clocks = Clocks::new(0, 64);
    let same = s.addr(0, 0);
    for want in [&[][..], &[(10, 10)]] {
        let who = Who { warp: 0, clocks: &clocks };
        s.view.store(&who, weak(ALL, &same, 4, 10), &Words::new()).unwrap();
        assert_eq!(s.races(), want);
    }
}

#[test]
fn strong_accesses_race_only_outside_of_their_scope() {
    let mut s = Setup::new(4);
    let (a, b) = (Clocks::new(0, 64), Clocks::new(1, 64));
    let (cta, gpu) = (Kind::Strong(Scope::Cta), Kind::Strong(Scope::Gpu));
    s.one(&a, 0, 0, 10, cta, true);
    s.one(&a, 40, 0, 11, cta, true);
    s.one(&a, 0, 4, 12, gpu, true);
    s.one(&b, 0, 4, 13, gpu, false);
    s.one(&b, 0, 4, 14, Kind::Strong(Scope::Sys), true);
    assert_eq!(s.races(), []);
    s.one(&b, 0, 0, 15, gpu, true);
    assert_eq!(s.races(), [(15, 11)]);
    s.one(&a, 0, 8, 16, gpu, true);
    s.read(&b, 0, 8, 17);
    s.one(&a, 0, 8, 18, gpu, true);
    assert_eq!(s.races(), [(17, 16), (18, 17)], "a weak access is in conflict with a strong one");
}

#[test]
fn atomic_operations_are_strong_writes() {
    let mut s = Setup::new(4);
    let (a, b) = (Clocks::new(0, 64), Clocks::new(1, 64));
    let address = s.base;
    let add = |s: &mut Setup, clocks, scope, line| {
        let target = Target { lane: 1, address, bytes: 4, scope, line };
        s.view.rmw(&Who { warp: 0, clocks }, target, |old| old + 1).unwrap();
    };
    add(&mut s, &a, Scope::Gpu, 10);
    add(&mut s, &b, Scope::Gpu, 11);
    assert_eq!(s.races(), []);
    s.read(&a, 1, 0, 12);
    let report = s.view.take_reports().remove(0);
    assert!(report.earlier.atomic);
    assert_eq!((report.line, report.earlier.line), (12, 11));
    add(&mut s, &b, Scope::Cta, 13);
    assert_eq!(s.races(), [(13, 12)]);
}

#[test]
fn grains_tell_neighbours_apart() {
    for (grain, found) in [(1, 0), (2, 0), (4, 0)] {
        let mut s = Setup::new(grain);
        let (a, b) = (Clocks::new(0, 32), Clocks::new(1, 32));
        let addr = s.addr(u64::from(grain), 0);
        let who = |clocks| Who { warp: 0, clocks };
        s.view.store(&who(&a), weak(1, &s.addr(0, 0), grain, 10), &values(1)).unwrap();
        s.view.store(&who(&b), weak(1, &addr, grain, 11), &values(1)).unwrap();
        assert_eq!(s.races().len(), found);
        s.view.store(&who(&a), weak(2, &addr, grain, 12), &values(1)).unwrap();
        assert_eq!(s.races(), [(12, 11)]);
    }
}

#[test]
fn nc_reads_and_writes_are_in_conflict_even_when_ordered() {
    for write_first in [true, false] {
        for thread in [3, 3 + 32] {
            let mut s = Setup::new(4);
            let mut clocks = Clocks::new(0, 64);
            let (first, second) = if write_first { (true, Kind::Nc) } else { (false, Kind::Weak) };
            s.one(&clocks, 3, 0, 10, if first { Kind::Weak } else { Kind::Nc }, first);
            clocks.block_barrier();
            assert!(s.view.take_reports().is_empty());
            s.one(&clocks, thread, 0, 11, second, !first);
            let report = s.view.take_reports().remove(0);
            assert!(matches!(report.kind, FindingKind::WriteOfNcRead(_)));
            assert_eq!((report.line, report.earlier.line, report.earlier.write), (11, 10, first));
        }
    }
}

#[test]
fn nc_reads_of_whole_warps_meet_writes() {
    let mut s = Setup::new(4);
    let (a, b) = (Clocks::new(0, 64), Clocks::new(1, 64));
    let addr = s.addr(0, 16);
    let nc = Access { kind: Kind::Nc, ..weak(ALL, &addr, 16, 10) };
    s.view.load(&Who { warp: 0, clocks: &a }, nc, &mut Words::new()).unwrap();
    s.view.load(&Who { warp: 1, clocks: &b }, nc, &mut Words::new()).unwrap();
    s.write(&a, 0, 512, 11);
    assert!(s.view.take_reports().is_empty());
    s.view.store(&Who { warp: 0, clocks: &a }, weak(ALL, &addr, 16, 12), &values(1)).unwrap();
    let reports = s.view.take_reports();
    assert_eq!(reports.len(), 1);
    assert_eq!(
        reports[0].kind.to_string(),
        "memory read through .nc is written in the same launch: writes global memory at 0x10000000100, \
         which thread 0 of block 0 read at PTX line 10"
    );
}
