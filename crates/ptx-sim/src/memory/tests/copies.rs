use super::*;
use crate::memory::copy::AsyncCopy;
use crate::memory::shared::Shared;

struct Copying {
    setup: Setup,
    shared: Shared,
    clocks: Clocks,
}

impl Copying {
    fn new() -> Copying {
        let setup = Setup::new(4);
        let bytes: Vec<u8> = (0..4096u32).map(|byte| (byte * 7 + byte / 256) as u8).collect();
        setup.global.write(setup.base, &bytes).unwrap();
        Copying { setup, shared: Shared::new(layout(), 4), clocks: Clocks::new(0, 64) }
    }

    /// Warp 0 copies 16 bytes a lane, 512 in all, from and to `offset`.
    fn copy(&mut self, offset: u64, from_bytes: u32, line: u32) {
        let (from, to) = (self.setup.addr(offset, 16), strided(FIRST_OFFSET + offset, 16));
        let from_bytes = &[from_bytes; 32];
        let copy = AsyncCopy { mask: ALL, from: &from, to: &to, bytes: 16, from_bytes, line };
        let who = Who { warp: 0, clocks: &self.clocks };
        self.shared.async_copy(&mut self.setup.view, &who, &copy).unwrap();
    }

    fn wait(&mut self, pending: u32) {
        self.shared.async_wait(&Who { warp: 0, clocks: &self.clocks }, ALL, pending);
    }

    fn load(&mut self, warp: u32, offset: u64, line: u32) -> Words {
        let addr = strided(FIRST_OFFSET + offset, 16);
        let mut words = Words::new();
        let who = Who { warp, clocks: &self.clocks };
        self.shared.load(&who, weak(ALL, &addr, 16, line), &mut words).unwrap();
        words
    }

    fn expected(&self, offset: u64) -> Words {
        let mut view = View::new(&self.setup.global, 0);
        let clocks = Clocks::new(0, 32);
        let mut words = Words::new();
        let addr = self.setup.addr(offset, 16);
        view.load(&Who { warp: 0, clocks: &clocks }, weak(ALL, &addr, 16, 1), &mut words).unwrap();
        words
    }
}

#[test]
fn a_copy_lands_at_the_wait() {
    let mut c = Copying::new();
    c.copy(0, 16, 10);
    c.shared.async_commit(0, ALL);
    c.wait(0);
    let got = c.load(0, 0, 11);
    assert_eq!((got.word, got.undefined), (c.expected(0).word, 0));
    assert_eq!(c.shared.take_reports(), []);
}

#[test]
fn bytes_in_flight_may_not_be_read_or_written() {
    let mut c = Copying::new();
    c.copy(0, 16, 10);
    c.shared.async_commit(0, ALL);
    assert_eq!(c.load(1, 512, 11).undefined, ALL);
    assert_eq!(c.shared.take_reports(), [], "beside them");
    c.load(0, 0, 12);
    let report = c.shared.take_reports().remove(0);
    assert!(matches!(report.kind, FindingKind::EarlyAsyncRead(_)));
    assert_eq!((report.line, report.earlier.line, report.thread), (12, 10, 0));
    assert_eq!(
        report.kind.to_string(),
        "asynchronous copy not waited for: reads shared memory at 0x400, \
         which thread 0 of block 0 wrote at PTX line 10, as the target of a copy"
    );
    let addr = strided(FIRST_OFFSET, 16);
    let who = Who { warp: 0, clocks: &c.clocks };
    c.shared.store(&who, weak(ALL, &addr, 16, 13), &values(1)).unwrap();
    let report = c.shared.take_reports().remove(0);
    assert!(matches!(report.kind, FindingKind::EarlyAsyncRead(_)));
    assert_eq!(report.line, 13);
}

#[test]
fn a_wait_for_groups_leaves_the_last_ones() {
    let mut c = Copying::new();
    for group in 0..2 {
        c.copy(group * 512, 16, 10 + group as u32);
        c.shared.async_commit(0, ALL);
    }
    c.wait(1);
    c.load(0, 0, 20);
    assert_eq!(c.shared.take_reports(), []);
    c.load(0, 512, 21);
    assert_eq!(c.shared.take_reports().len(), 1);
    c.wait(0);
    assert_eq!(c.load(0, 512, 22).word, c.expected(512).word);
    assert_eq!(c.shared.take_reports(), []);
}

#[test]
fn only_wait_all_waits_for_what_is_in_no_group() {
    let mut c = Copying::new();
    c.copy(0, 16, 10);
    c.wait(0);
    c.load(0, 0, 11);
    assert_eq!(c.shared.take_reports().len(), 1);
    c.shared.async_wait_all(&Who { warp: 0, clocks: &c.clocks }, ALL);
    assert_eq!(c.load(0, 0, 12).undefined, 0);
    assert_eq!(c.shared.take_reports(), []);
}

#[test]
fn lanes_that_do_not_wait_have_their_copies_in_flight() {
    let mut c = Copying::new();
    c.copy(0, 16, 10);
    c.shared.async_wait_all(&Who { warp: 0, clocks: &c.clocks }, ALL >> 1);
    assert_eq!(c.load(0, 0, 11).undefined, 1 << 31);
    let report = c.shared.take_reports().remove(0);
    assert_eq!((report.thread, report.earlier.thread), (31, 31));
}

#[test]
fn other_threads_need_a_barrier_behind_the_wait() {
    for barrier in [true, false] {
        let mut c = Copying::new();
        c.copy(0, 16, 10);
        c.shared.async_wait_all(&Who { warp: 0, clocks: &c.clocks }, ALL);
        if barrier {
            c.clocks.block_barrier();
        }
        c.load(1, 0, 11);
        let want: &[_] = if barrier { &[] } else { &[(11, 10)] };
        assert_eq!(lines(&c.shared.take_reports()), want);
    }
}

#[test]
fn a_copy_over_what_others_still_read_is_a_race() {
    for barrier in [true, false] {
        let mut c = Copying::new();
        c.load(1, 0, 9);
        if barrier {
            c.clocks.block_barrier();
        }
        c.copy(0, 16, 10);
        c.clocks.block_barrier();
        c.shared.async_wait_all(&Who { warp: 0, clocks: &c.clocks }, ALL);
        let want: &[_] = if barrier { &[] } else { &[(10, 9)] };
        assert_eq!(lines(&c.shared.take_reports()), want);
    }
}

#[test]
fn what_is_not_read_is_zero() {
    for from_bytes in [0, 3, 4, 7, 16] {
        let mut c = Copying::new();
        c.copy(0, from_bytes, 10);
        c.shared.async_wait_all(&Who { warp: 0, clocks: &c.clocks }, ALL);
        let got = c.load(0, 0, 11);
        let all = c.expected(0);
        for (w, word) in got.word.iter().enumerate().take(4) {
            let bytes = from_bytes.saturating_sub(4 * w as u32).min(4);
            let bits = if bytes == 4 { u32::MAX } else { (1 << (8 * bytes)) - 1 };
            assert_eq!(*word, all.word[w].map(|word| word & bits));
        }
        assert_eq!(got.undefined, 0);
    }
}

#[test]
fn sources_and_targets_are_checked() {
    let mut c = Copying::new();
    let who = Who { warp: 0, clocks: &c.clocks };
    let (from, to) = (c.setup.addr(4096 - 31 * 16, 16), strided(FIRST_OFFSET, 16));
    let copy = AsyncCopy { mask: ALL, from: &from, to: &to, bytes: 16, from_bytes: &[16; 32], line: 1 };
    let fault = c.shared.async_copy(&mut c.setup.view, &who, &copy).unwrap_err();
    assert_eq!(fault.lane, 31);
    let (from, to) = (c.setup.addr(0, 16), strided(FIRST_OFFSET + 528, 16));
    let copy = AsyncCopy { from: &from, to: &to, ..copy };
    let fault = c.shared.async_copy(&mut c.setup.view, &who, &copy).unwrap_err();
    assert_eq!(
        (fault.lane, fault.kind.to_string().as_str()),
        (
            31,
            "writes 16 bytes of shared memory at 0x800: 16 bytes past the end of the variable tile of 1024 bytes at 0x400"
        )
    );
}
