use super::*;
use crate::memory::access::{Scope, Target};
use crate::memory::local::Local;
use crate::memory::shared::Shared;
use crate::memory::space::{SHARED, Space, lanes_of_first_space, offsets, space_of};

#[test]
fn windows_are_told_by_their_top_byte() {
    for space in [Space::Param, Space::Code, Space::Local, Space::Shared] {
        assert_eq!(space_of(space.window()), space);
        assert_eq!(space_of(space.window() + 0xffff_ffff), space);
    }
    assert_eq!(space_of(Global::default().alloc(1).unwrap()), Space::Global);
    let mut addr = [4096; 32];
    addr[3] = SHARED + 1024;
    addr[9] = SHARED + 4;
    assert_eq!(lanes_of_first_space(ALL, &addr), (Space::Global, ALL & !(1 << 3 | 1 << 9)));
    assert_eq!(offsets(&addr, Space::Shared)[3], 1024);
    assert_eq!(lanes_of_first_space(!0b111, &addr), (Space::Shared, 1 << 3 | 1 << 9));
}

#[test]
fn accesses_lie_inside_one_variable() {
    let mut shared = Shared::new(layout(), 4);
    let mut local = Local::new(layout());
    let clocks = Clocks::new(0, 32);
    let who = Who { warp: 0, clocks: &clocks };
    let at = |address: u64| [address; 32];
    let text = |address: u64, bytes| {
        let mut words = Words::new();
        let addr = at(address);
        let access = weak(0b1000, &addr, bytes, 1);
        let first =
            shared.load(&who, access, &mut words).map_err(|fault| (fault.lane, fault.kind.to_string()));
        let second = local.load(access, &mut words).map_err(|fault| (fault.lane, fault.kind.to_string()));
        let second = second.map_err(|(lane, text)| (lane, text.replace("local", "shared")));
        assert_eq!(first, second);
        first.err()
    };
    let mut text = text;
    let wrong = |text: &str| Some((3, text.to_string()));
    assert_eq!(text(1024, 4), None);
    assert_eq!(text(1024 + 1020, 4), None);
    assert_eq!(
        text(1020, 4),
        wrong(
            "reads 4 bytes of shared memory at 0x3fc: 4 bytes before the variable tile of 1024 bytes at 0x400"
        )
    );
    assert_eq!(
        text(2048, 4),
        wrong(
            "reads 4 bytes of shared memory at 0x800: 4 bytes past the end of the variable tile of 1024 bytes at 0x400"
        )
    );
    assert_eq!(
        text(3072 + 96, 8),
        wrong(
            "reads 8 bytes of shared memory at 0xc60: 4 bytes past the end of the variable rest of 100 bytes at 0xc00"
        )
    );
    assert_eq!(text(1026, 4), wrong("reads 4 bytes of shared memory at 0x402, which is no multiple of 4"));
    assert!(text(SHARED + 1024, 4).is_some(), "a generic address is no offset");
}

#[test]
fn without_variables_nothing_is_there() {
    let mut shared = Shared::new(Arc::new(Layout::default()), 4);
    let clocks = Clocks::new(0, 32);
    let fault =
        shared.load(&Who { warp: 0, clocks: &clocks }, weak(ALL, &[1024; 32], 4, 1), &mut Words::new());
    assert_eq!(
        fault.unwrap_err().kind.to_string(),
        "reads 4 bytes of shared memory at 0x400: nothing is there"
    );
}

#[test]
fn a_reset_forgets_contents_and_accesses() {
    let mut shared = Shared::new(layout(), 4);
    let mut local = Local::new(layout());
    let addr = strided(1024, 4);
    for block in 0..2 {
        let clocks = Clocks::new(block, 32);
        let who = Who { warp: 0, clocks: &clocks };
        let mut words = Words::new();
        shared.load(&who, weak(ALL, &addr, 4, 1), &mut words).unwrap();
        assert_eq!(words.undefined, ALL);
        shared.store(&who, weak(ALL, &addr, 4, 2), &values(1)).unwrap();
        local.load(weak(ALL, &[1024; 32], 4, 1), &mut words).unwrap();
        assert_eq!((words.undefined, words.undefined_bytes[31]), (ALL, 0xf));
        local.store(weak(ALL, &[1024; 32], 4, 2), &values(1)).unwrap();
        assert_eq!(shared.take_reports(), []);
        shared.reset();
        local.reset();
    }
}

#[test]
fn shared_memory_races_and_atomics() {
    let mut shared = Shared::new(layout(), 4);
    let mut clocks = Clocks::new(0, 64);
    let (row, back) = (strided(1024, 4), strided(1024 + 124, 4u64.wrapping_neg()));
    let mut words = Words::new();
    shared.store(&Who { warp: 0, clocks: &clocks }, weak(ALL, &row, 4, 10), &values(1)).unwrap();
    shared.load(&Who { warp: 1, clocks: &clocks }, weak(ALL, &back, 4, 11), &mut words).unwrap();
    assert_eq!(lines(&shared.take_reports()), [(11, 10)]);
    clocks.block_barrier();
    shared.load(&Who { warp: 1, clocks: &clocks }, weak(ALL, &back, 4, 12), &mut words).unwrap();
    assert_eq!(lines(&shared.take_reports()), []);
    for lane in 0..32 {
        let target = Target { lane, address: 1536, bytes: 4, scope: Scope::Cta, line: 13 };
        let who = Who { warp: lane % 2, clocks: &clocks };
        let (old, undefined) = shared.rmw(&who, target, |old| if lane == 0 { 1 } else { old + 1 }).unwrap();
        assert_eq!((old == u128::from(lane), undefined), (true, if lane == 0 { 0xf } else { 0 }));
    }
    assert_eq!(lines(&shared.take_reports()), []);
}
