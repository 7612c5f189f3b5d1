use proptest::prelude::*;

use super::*;
use crate::memory::access::{Scope, Target};
use crate::memory::error::MemoryError;
use crate::memory::report::Fault;

fn load(view: &mut View, access: Access) -> Result<Words, Fault> {
    let clocks = Clocks::new(0, 32);
    let mut words = values(77);
    view.load(&Who { warp: 0, clocks: &clocks }, access, &mut words).map(|()| words)
}

fn store(view: &mut View, access: Access, words: &Words) -> Result<(), Fault> {
    let clocks = Clocks::new(0, 32);
    view.store(&Who { warp: 0, clocks: &clocks }, access, words)
}

#[test]
fn a_base_is_aligned_to_256_bytes_and_to_nothing_more() {
    let global = Global::default();
    for _ in 0..3 {
        assert_eq!(global.alloc(10).unwrap() % 512, 256);
    }
}

#[test]
fn out_of_bounds_by_one_at_both_ends_names_lane_and_distance() {
    let mut s = Setup::new(4);
    let past = s.addr(4096 - 31 * 4, 4);
    let fault = load(&mut s.view, weak(ALL, &past, 4, 1)).unwrap_err();
    assert_eq!(fault.lane, 31);
    assert_eq!(
        fault.kind.to_string(),
        "reads 4 bytes of global memory at 0x10000001100: \
         4 bytes past the end of the allocation of 4096 bytes at 0x10000000100"
    );
    let before = strided(s.base - 4, 4);
    let fault = store(&mut s.view, weak(ALL, &before, 4, 1), &values(1)).unwrap_err();
    assert_eq!(fault.lane, 0);
    assert_eq!(
        fault.kind.to_string(),
        "writes 4 bytes of global memory at 0x100000000fc: \
         4 bytes before the allocation of 4096 bytes at 0x10000000100"
    );
    let mut bytes = [1; 124];
    s.global.read(s.base, &mut bytes).unwrap();
    assert_eq!(bytes, [0; 124], "a fault writes nothing");
    let inside = s.addr(4096 - 32 * 4, 4);
    assert!(load(&mut s.view, weak(ALL, &inside, 4, 1)).is_ok());
}

#[test]
fn nothing_at_null_and_freed_memory_is_named() {
    let mut s = Setup::new(4);
    let fault = load(&mut s.view, weak(2, &[0; 32], 4, 1)).unwrap_err();
    assert_eq!(fault.kind.to_string(), "reads 4 bytes of global memory at 0x0: nothing is there");
    s.global.free(s.base).unwrap();
    let mut view = View::new(&s.global, 4);
    let fault = load(&mut view, weak(ALL, &s.addr(0, 4), 4, 1)).unwrap_err();
    assert_eq!(
        fault.kind.to_string(),
        "reads 4 bytes of global memory at 0x10000000100: inside the freed allocation of 4096 bytes at 0x10000000100"
    );
    assert_eq!(s.global.free(s.base), Err(MemoryError::Freed { address: s.base, base: s.base, bytes: 4096 }));
    let mut gone = [0; 4];
    assert!(matches!(s.global.read(s.base, &mut gone), Err(MemoryError::Freed { .. })));
}

#[test]
fn an_address_that_wraps_is_out_of_bounds() {
    let mut s = Setup::new(4);
    for address in [u64::MAX, u64::MAX - 3, 1 << 63] {
        let fault = load(&mut s.view, weak(1, &[address; 32], 1, 1)).unwrap_err();
        assert!(matches!(fault.kind, FindingKind::OutOfBounds(_)));
    }
}

#[test]
fn misaligned_is_told_with_the_lowest_lane() {
    let mut s = Setup::new(4);
    let mut addr = s.addr(0, 16);
    addr[7] += 8;
    addr[9] += 4;
    let fault = load(&mut s.view, weak(ALL, &addr, 16, 1)).unwrap_err();
    assert_eq!(fault.lane, 7);
    assert_eq!(
        fault.kind.to_string(),
        "reads 16 bytes of global memory at 0x10000000178, which is no multiple of 16"
    );
    let all = s.addr(4, 16);
    assert_eq!(load(&mut s.view, weak(ALL, &all, 16, 1)).unwrap_err().lane, 0);
    let good = s.addr(0, 16);
    assert!(load(&mut s.view, weak(1 << 9, &good, 16, 1)).is_ok());
}

#[test]
fn read_only_variables_refuse_writes_and_are_zero_behind_their_data() {
    let global = Global::default();
    let base = global.alloc_init(256, &[1, 2, 3, 4], "table", true).unwrap();
    let mut view = View::new(&global, 4);
    let words = load(&mut view, weak(ALL, &strided(base, 4), 4, 1)).unwrap();
    assert_eq!((words.word[0][0], words.word[0][1], words.undefined), (0x0403_0201, 0, 0));
    let fault = store(&mut view, weak(ALL, &strided(base, 4), 4, 1), &values(1)).unwrap_err();
    assert_eq!(
        fault.kind.to_string(),
        "writes 4 bytes at 0x10000000100, inside the read-only variable table"
    );
}

#[test]
fn lanes_in_several_allocations_are_served() {
    let global = Global::default();
    let (a, b) = (global.alloc(128).unwrap(), global.alloc(128).unwrap());
    let mut view = View::new(&global, 4);
    let addr = std::array::from_fn(|lane| if lane % 2 == 0 { a } else { b } + lane as u64 * 4);
    store(&mut view, weak(ALL, &addr, 4, 1), &values(5)).unwrap();
    let got = load(&mut view, weak(ALL, &addr, 4, 1)).unwrap();
    assert_eq!((got.word[0], got.undefined), (values(5).word[0], 0));
    let straight = load(&mut view, weak(ALL, &strided(a, 4), 4, 1)).unwrap();
    assert_eq!(straight.undefined, 0xaaaa_aaaa);
}

#[test]
fn host_errors_are_typed() {
    let global = Global::default();
    let base = global.alloc(16).unwrap();
    let empty = global.alloc(0).unwrap();
    assert_eq!(global.write(empty, &[]), Ok(()));
    assert!(matches!(global.write(empty, &[1]), Err(MemoryError::OutOfBounds { len: 1, bytes: 0, .. })));
    assert!(matches!(global.read(base + 8, &mut [0; 9]), Err(MemoryError::OutOfBounds { len: 9, .. })));
    assert!(matches!(global.alloc(1 << 40), Err(MemoryError::TooLarge { .. })));
    assert_eq!(global.free(base + 4), Err(MemoryError::NotTheBase { address: base + 4, base }));
    assert_eq!(global.free(4), Err(MemoryError::Unknown { address: 4 }));
    assert_eq!(global.first_undefined(base, 16), Ok(Some(base)));
    global.write(base, &[7; 3]).unwrap();
    assert_eq!(global.first_undefined(base, 16), Ok(Some(base + 3)));
    let copy = global.alloc(16).unwrap();
    global.fill(copy, 16, 1).unwrap();
    global.copy(copy + 4, base, 8).unwrap();
    assert_eq!(global.first_undefined(copy, 16), Ok(Some(copy + 7)));
    assert_eq!(global.first_undefined(copy + 12, 4), Ok(None));
}

#[test]
fn poison_is_undefined_until_written() {
    let mut s = Setup::new(1);
    let (row, byte) = (s.addr(0, 4), s.addr(5, 0));
    s.global.poison(s.base + 5, 2, 0xff).unwrap();
    let words = load(&mut s.view, weak(ALL, &row, 4, 1)).unwrap();
    assert_eq!((words.undefined, words.undefined_bytes[1], words.word[0][1]), (2, 0b0110, 0x00ff_ff00));
    store(&mut s.view, weak(1, &byte, 1, 1), &values(0)).unwrap();
    let words = load(&mut s.view, weak(ALL, &row, 4, 1)).unwrap();
    assert_eq!((words.undefined, words.undefined_bytes[1]), (2, 0b0100));
}

#[test]
fn an_atomic_operation_gives_the_old_value() {
    let mut s = Setup::new(2);
    let clocks = Clocks::new(0, 32);
    let who = Who { warp: 0, clocks: &clocks };
    for (bytes, offset) in [(2, 6), (4, 8), (8, 16), (16, 32)] {
        let target = |line| Target { lane: 3, address: s.base + offset, bytes, scope: Scope::Gpu, line };
        let (one, two) = (target(1), target(2));
        assert_eq!(s.view.rmw(&who, one, |old| old.wrapping_sub(2)).unwrap(), (0, 0));
        let all = if bytes == 16 { u128::MAX } else { (1 << (8 * bytes)) - 1 };
        assert_eq!(s.view.rmw(&who, two, |old| old + 1).unwrap(), (all - 1, 0));
    }
    let mut bytes = [0; 8];
    s.global.read(s.base, &mut bytes).unwrap();
    assert_eq!(bytes, [0, 0, 0, 0, 0, 0, 255, 255]);
    let wrong = Target { lane: 9, address: s.base + 2, bytes: 4, scope: Scope::Gpu, line: 1 };
    assert_eq!(s.view.rmw(&who, wrong, |old| old).unwrap_err().lane, 9);
}

/// Bytes with their definedness, the slow way.
#[derive(Clone)]
struct Model(Vec<(u8, bool)>);

impl Model {
    fn store(&mut self, mask: u32, offset: &[u64; 32], bytes: u32, words: &Words) {
        for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
            for byte in 0..bytes as usize {
                let value = (words.word[byte / 4][lane] >> (byte % 4 * 8)) as u8;
                let bad = words.undefined_bytes(lane) >> byte & 1 == 1;
                self.0[offset[lane] as usize + byte] = (value, !bad);
            }
        }
    }

    fn assert_loaded(&self, mask: u32, offset: &[u64; 32], bytes: u32, words: &Words) {
        assert_eq!(words.undefined & !mask, 0);
        for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
            for byte in 0..bytes as usize {
                let value = (words.word[byte / 4][lane] >> (byte % 4 * 8)) as u8;
                let bad = words.undefined_bytes(lane) >> byte & 1 == 1;
                let want = self.0[offset[lane] as usize + byte];
                assert_eq!((value, !bad), want, "lane {lane}, byte {byte}");
            }
            if bytes < 4 {
                assert_eq!(words.word[0][lane] >> (8 * bytes), 0);
            }
        }
    }
}

#[derive(Clone, Debug)]
struct Step {
    store: bool,
    mask: u32,
    bytes: u32,
    offset: [u64; 32],
    undefined: u32,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let mask = prop_oneof![Just(ALL), any::<u32>()];
    let undefined = prop_oneof![3 => Just(0), 1 => any::<u32>()];
    let addresses = (0..3, prop::array::uniform32(0u64..4096));
    let step = (any::<bool>(), mask, 0..6u32, addresses, undefined);
    let step = step.prop_map(|(store, mask, size, (form, random), undefined)| {
        let bytes = 1 << size;
        let first = random[0] % (4096 - 1024 + 1);
        let offset = std::array::from_fn(|lane| match form {
            0 => first + lane as u64 * u64::from(bytes),
            1 => first,
            _ => random[lane],
        });
        let offset = offset
            .map(|offset| offset & !u64::from(bytes - 1))
            .map(|offset| offset.min(4096 - u64::from(bytes)));
        Step { store, mask, bytes, offset, undefined }
    });
    prop::collection::vec(step, 1..40)
}

/// Runs steps on a memory of 4096 bytes and on the model, and compares each load.
fn compare(steps: &[Step], model: &mut Model, mut act: impl FnMut(&Step, &mut Words)) {
    for (index, step) in steps.iter().enumerate() {
        let mut words = values(index as u32);
        if step.store {
            words.undefined = step.undefined;
            words.undefined_bytes = std::array::from_fn(|lane| (lane as u32 + 1) * 0x0102_0509);
            model.store(step.mask, &step.offset, step.bytes, &words);
            act(step, &mut words);
        } else {
            act(step, &mut words);
            model.assert_loaded(step.mask, &step.offset, step.bytes, &words);
        }
    }
}

proptest! {
    #[test]
    fn global_memory_is_what_a_byte_array_is(steps in steps(), defined in any::<bool>()) {
        let global = Global::default();
        let base = global.alloc(4096).unwrap();
        if defined {
            global.fill(base, 4096, 0).unwrap();
        }
        let mut view = View::new(&global, 1);
        let mut model = Model(vec![(0, defined); 4096]);
        compare(&steps, &mut model, |step, words| {
            let addr = step.offset.map(|offset| base + offset);
            let access = weak(step.mask, &addr, step.bytes, 1);
            if step.store {
                store(&mut view, access, words).unwrap();
            } else {
                *words = load(&mut view, access).unwrap();
            }
        });
        let mut bytes = vec![0; 4096];
        global.read(base, &mut bytes).unwrap();
        prop_assert!(bytes.iter().zip(&model.0).all(|(got, want)| *got == want.0));
    }

    #[test]
    fn shared_memory_is_what_a_byte_array_is(steps in steps()) {
        let region = Region { start: FIRST_OFFSET, end: FIRST_OFFSET + 4096, name: "all".into(), align: 16 };
        let mut shared = crate::memory::shared::Shared::new(Arc::new(Layout { regions: vec![region] }), 1);
        let clocks = Clocks::new(0, 32);
        let who = Who { warp: 0, clocks: &clocks };
        compare(&steps, &mut Model(vec![(0, false); 4096]), |step, words| {
            let addr = step.offset.map(|offset| FIRST_OFFSET + offset);
            let access = weak(step.mask, &addr, step.bytes, 1);
            if step.store {
                shared.store(&who, access, words).unwrap();
            } else {
                shared.load(&who, access, words).unwrap();
            }
        });
    }

    #[test]
    fn local_memory_is_a_byte_array_of_each_lane(steps in steps()) {
        let region = Region { start: FIRST_OFFSET, end: FIRST_OFFSET + 4096, name: "all".into(), align: 16 };
        let mut local = crate::memory::local::Local::new(Arc::new(Layout { regions: vec![region] }));
        // Lane l's byte b is byte 4096 l + b of the model.
        let mut model = Model(vec![(0, false); 32 * 4096]);
        let steps: Vec<Step> = steps.into_iter().map(|mut step| {
            step.offset.iter_mut().enumerate().for_each(|(lane, offset)| *offset += 4096 * lane as u64);
            step
        }).collect();
        compare(&steps, &mut model, |step, words| {
            let addr = step.offset.map(|offset| FIRST_OFFSET + offset % 4096);
            let access = weak(step.mask, &addr, step.bytes, 1);
            if step.store {
                local.store(access, words).unwrap();
            } else {
                local.load(access, words).unwrap();
            }
        });
    }
}
