use super::*;
use crate::memory::access::Scope;
use crate::memory::merge::merge;

/// Two views of one memory; block 0 runs in the first, block 1 in the second.
fn two() -> (Setup, Setup, [Clocks; 2]) {
    let first = Setup::new(4);
    let (base, view) = (first.base, first.view.fork());
    let second = Setup { global: Global::default(), view, base };
    (first, second, [Clocks::new(0, 64), Clocks::new(1, 64)])
}

#[test]
fn blocks_of_two_workers_race_where_one_writes() {
    for (a_writes, b_writes) in [(true, true), (true, false), (false, true), (false, false)] {
        let (mut a, mut b, clocks) = two();
        a.one(&clocks[0], 5, 8, 10, Kind::Weak, a_writes);
        b.one(&clocks[1], 6, 8, 11, Kind::Weak, b_writes);
        a.write(&clocks[0], 5, 16, 12);
        b.write(&clocks[1], 6, 20, 13);
        let forward = merge(vec![a.view, b.view]);
        assert_eq!(!forward.is_empty(), a_writes || b_writes);
        if let Some(report) = forward.first() {
            assert_eq!((report.block, report.thread, report.line), (1, 6, 11));
            assert_eq!((report.earlier.block, report.earlier.thread, report.earlier.line), (0, 5, 10));
            assert_eq!(report.earlier.write, a_writes);
        }
    }
}

#[test]
fn the_order_of_the_views_does_not_matter() {
    let run = |swap: bool| {
        let (mut a, mut b, clocks) = two();
        let addr = a.addr(0, 16);
        for (s, block) in [(&mut a, 0), (&mut b, 1)] {
            let who = Who { warp: 1, clocks: &clocks[block] };
            s.view.store(&who, weak(ALL, &addr, 16, 10 + block as u32), &values(1)).unwrap();
            s.write(&clocks[block], 3, 1024, 20);
            s.read(&clocks[block], 40, 1024, 21);
        }
        merge(if swap { vec![b.view, a.view] } else { vec![a.view, b.view] })
    };
    let reports = run(false);
    assert_eq!(lines(&reports), [(11, 10), (20, 20), (20, 21), (21, 20)]);
    assert_eq!(reports, run(true));
}

#[test]
fn strong_accesses_of_the_device_and_reads_do_not_race() {
    let (mut a, mut b, clocks) = two();
    let kind = Kind::Strong(Scope::Gpu);
    a.one(&clocks[0], 5, 8, 10, kind, true);
    b.one(&clocks[1], 6, 8, 11, kind, true);
    a.read(&clocks[0], 5, 64, 12);
    b.read(&clocks[1], 6, 64, 13);
    assert_eq!(merge(vec![a.view, b.view]), []);
    let (mut a, mut b, clocks) = two();
    a.one(&clocks[0], 5, 8, 10, Kind::Strong(Scope::Cta), true);
    b.one(&clocks[1], 6, 8, 11, kind, true);
    assert_eq!(lines(&merge(vec![a.view, b.view])), [(11, 10)]);
}

#[test]
fn nc_reads_of_one_worker_meet_writes_of_another() {
    let (mut a, mut b, clocks) = two();
    a.one(&clocks[0], 5, 8, 10, Kind::Nc, false);
    b.write(&clocks[1], 6, 8, 11);
    let reports = merge(vec![a.view, b.view]);
    assert_eq!(reports.len(), 1);
    assert!(matches!(reports[0].kind, FindingKind::WriteOfNcRead(_)));
}

#[test]
fn sub_word_stores_of_several_threads_keep_their_neighbours() {
    let global = Global::default();
    let base = global.alloc(64).unwrap();
    std::thread::scope(|scope| {
        for byte in 0..4u64 {
            let global = &global;
            scope.spawn(move || {
                let mut view = View::new(global, 1);
                let clocks = Clocks::new(byte as u32, 32);
                let addr = strided(base + byte, 4);
                for _ in 0..200 {
                    let who = Who { warp: 0, clocks: &clocks };
                    view.store(&who, weak(0xffff, &addr, 1, 1), &values(byte as u32)).unwrap();
                }
            });
        }
    });
    let mut bytes = [0; 64];
    global.read(base, &mut bytes).unwrap();
    for (at, byte) in bytes.iter().enumerate() {
        assert_eq!(*byte, values(at as u32 % 4).word[0][at / 4] as u8);
    }
    assert_eq!(global.first_undefined(base, 64), Ok(None));
}
