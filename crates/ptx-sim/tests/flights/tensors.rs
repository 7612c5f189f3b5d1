//! Tensor copies in tiles, against naive models of the box.

use ptx_sim::{FindingKind, TensorElement, TensorFill, TensorMap, TensorSpec, TensorSwizzle};

use super::{Program, START, is_early, numbers};

const MEMORY: &str = ".shared .align 1024 .b8 tile[16384]; .shared .align 8 .b8 bar[8];";
const PARAMS: &str = ".param .u64 x, .param .u64 y, .param .align 64 .b8 map[128]";

/// Loads a box and writes the words of shared memory out.
fn load(rank: usize, coordinates: &str, bytes: u32, words: usize) -> Program {
    let body = format!(
        "{START}
mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3; mov.u32 %r5, %ntid.x; shl.b32 %r5, %r5, 2;
mov.u32 %r6, 0; mov.u32 %r7, 0; mov.u32 %r8, %r2;
C: st.shared.u32 [%r8], %r7; add.u32 %r8, %r8, %r5; add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, {per}; @%p3 bra C;
fence.proxy.async; //fence
@%p1 mbarrier.init.shared.b64 [bar], 1;
bar.sync 0;
@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], {bytes};
@%p1 prefetch.param.tensormap [map];
@%p1 cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile], [map, {{{coordinates}}}], [bar]; //copy
W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
@!%p2 bra W; //again
mov.u32 %r6, 0;
S: ld.shared.u32 %r7, [%r2]; //read
st.global.u32 [%rd3], %r7; cvt.u64.u32 %rd5, %r5; add.u64 %rd3, %rd3, %rd5; add.u32 %r2, %r2, %r5;
add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, {per}; @%p3 bra S;
ret;",
        per = words / 64
    );
    Program::new(MEMORY, PARAMS, 64, &body)
}

/// What shared memory holds: 16-bit elements of a box of a matrix.
fn model(
    x: &[u16],
    (width, height): (i64, i64),
    (w, h): (i64, i64),
    (cx, cy): (i64, i64),
    pitch: i64,
    words: usize,
) -> Vec<u32> {
    let mut memory = vec![0_u16; 2 * words];
    let bits = match pitch {
        32 => 1,
        64 => 3,
        128 => 7,
        _ => 0,
    };
    let row_pitch = if bits == 0 { 2 * w } else { pitch };
    for row in 0..h {
        for column in 0..w {
            let at = row * row_pitch + 2 * column;
            let at = at ^ (((at / 128) & bits) * 16);
            let (ex, ey) = (cx + column, cy + row);
            let inside = (0..width).contains(&ex) && (0..height).contains(&ey);
            memory[(at / 2) as usize] = if inside { x[(ey * width + ex) as usize] } else { 0 };
        }
    }
    memory.chunks(2).map(|two| u32::from(two[0]) | u32::from(two[1]) << 16).collect()
}

#[test]
fn boxes_of_a_matrix_arrive_with_every_swizzle() {
    let (width, height) = (64_i64, 40_i64);
    let words = numbers((width * height / 2) as u32);
    let x: Vec<u16> = words.iter().flat_map(|word| [*word as u16, (word >> 16) as u16]).collect();
    let swizzles = [
        (TensorSwizzle::None, 0, 40_u32),
        (TensorSwizzle::B32, 32, 16),
        (TensorSwizzle::B64, 64, 32),
        (TensorSwizzle::B128, 128, 64),
    ];
    for (swizzle, pitch, w) in swizzles {
        for (cx, cy) in [(0, 0), (8, 5), (-8, 30), (56, -2)] {
            let h = 16_u32;
            let map = |[at, _]: [u64; 2]| {
                let mut spec = TensorSpec::packed(TensorElement::F16, at, &[64, 40], &[w, h]);
                spec.swizzle = swizzle;
                TensorMap::new(spec).expect("it is legal").to_bytes().to_vec()
            };
            let program = load(2, &format!("{cx}, {cy}"), 2 * w * h, 1024);
            let want = model(&x, (width, height), (w.into(), h.into()), (cx, cy), pitch, 1024);
            for seed in [0, 7] {
                let got = program.run_with(seed, &words, &[0; 1024], map);
                let got = got.unwrap_or_else(|found| panic!("{}", super::listed(&found)));
                assert_eq!(got, want, "{swizzle:?} at {cx}, {cy}");
            }
        }
    }
}

#[test]
fn every_rank_walks_its_strides() {
    let x = numbers(2048);
    for rank in 1..=5_usize {
        let dims = &[8_u64, 4, 4, 4, 4][..rank];
        let boxes = &[4_u32, 2, 2, 2, 2][..rank];
        let map = |[at, _]: [u64; 2]| {
            let spec = TensorSpec::packed(TensorElement::U32, at, dims, boxes);
            TensorMap::new(spec).expect("it is legal").to_bytes().to_vec()
        };
        let coordinates = ["4", "1", "2", "0", "1"][..rank].join(", ");
        let first = [4_u64, 1, 2, 0, 1];
        let count: u32 = boxes.iter().product();
        let mut want = vec![0; 64];
        for (number, word) in (0..u64::from(count)).zip(&mut want) {
            let (mut left, mut at, mut stride) = (number, 0, 1);
            for axis in 0..rank {
                at += (first[axis] + left % u64::from(boxes[axis])) * stride;
                left /= u64::from(boxes[axis]);
                stride *= dims[axis];
            }
            *word = x[at as usize];
        }
        let program = load(rank, &coordinates, 4 * count, 64);
        let got = program.run_with(3, &x, &[0; 64], map).unwrap_or_else(|found| panic!("{found:#?}"));
        assert_eq!(got, want, "{rank}");
    }
}

#[test]
fn outside_is_what_the_map_says() {
    let map = |[at, _]: [u64; 2]| {
        let mut spec = TensorSpec::packed(TensorElement::F32, at, &[4], &[8]);
        spec.fill = TensorFill::Nan;
        TensorMap::new(spec).expect("it is legal").to_bytes().to_vec()
    };
    let got = load(1, "0", 32, 64).run_with(0, &[1, 2, 3, 4], &[0; 64], map).expect("it runs");
    assert_eq!(got[..4], [1, 2, 3, 4]);
    assert!(got[4..8].iter().all(|word| f32::from_bits(*word).is_nan()));
}

#[test]
fn faults_of_tensor_copies_are_found() {
    let map = |[at, _]: [u64; 2]| {
        let spec = TensorSpec::packed(TensorElement::F32, at, &[16, 16], &[8, 8]);
        TensorMap::new(spec).expect("it is legal").to_bytes().to_vec()
    };
    let x = numbers(256);
    let program = load(2, "0, 0", 256, 64);
    program.run_with(0, &x, &[0; 64], map).expect("it runs");
    let at = |program: &Program,
              map: &dyn Fn([u64; 2]) -> Vec<u8>,
              tag: &str,
              kind: &dyn Fn(&FindingKind) -> bool| {
        for seed in super::SEEDS {
            let found = program.run_with(seed, &x, &[0; 64], map).expect_err("it is found");
            let there = found.iter().any(|f| f.place.line == program.line(tag) && kind(&f.kind));
            assert!(there, "{tag}, seed {seed}: {}", super::listed(&found));
        }
    };
    at(&program.without("again"), &map, "read", &is_early);
    at(&program.without("fence"), &map, "copy", &|kind| matches!(kind, FindingKind::MissingProxyFence(_)));
    let bad = |kind: &FindingKind| matches!(kind, FindingKind::BadBulkCopy { .. });
    at(&program, &|_| vec![7; 128], "copy", &bad);
    at(&load(1, "0", 256, 64), &map, "copy", &bad);
    at(&load(2, "-1, 0", 256, 64), &map, "copy", &bad);
    let name = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    let off = program.with("copy", &format!("@%p1 {name} [tile+64], [map, {{0, 0}}], [bar];"));
    at(&off, &map, "copy", &bad);
    let im2col = program.body.replace("global.tile.", "global.im2col.");
    let text = super::kernel_with(MEMORY, PARAMS, &im2col);
    let module = ptx_sim::Device::default().load_text("text", &text).expect("it parses");
    let refused = module.check("k").expect_err("it is refused").to_string();
    assert!(refused.contains("im2col"), "{refused}");
}

/// Stores a box, cut off at the edges; with an operation, combined with what was there.
#[test]
fn boxes_are_stored_and_reduced() {
    let map = |[_, at]: [u64; 2]| {
        let mut spec = TensorSpec::packed(TensorElement::U32, at, &[12, 10], &[8, 4]);
        spec.swizzle = TensorSwizzle::B32;
        TensorMap::new(spec).expect("it is legal").to_bytes().to_vec()
    };
    for (op, reduces) in [("", false), (".add", true), (".max", true), (".xor", true)] {
        for (cx, cy) in [(0_i64, 0_i64), (4, 6), (8, 8), (0, 9)] {
            let name = if reduces { "cp.reduce" } else { "cp" };
            let body = format!(
                "{START}
mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u64 %rd5, %rd1, %rd4; ld.global.u32 %r4, [%rd5];
shr.u32 %r5, %r3, 7; and.b32 %r5, %r5, 1; shl.b32 %r5, %r5, 4; xor.b32 %r3, %r3, %r5; add.u32 %r2, %r2, %r3;
st.shared.u32 [%r2], %r4; fence.proxy.async; bar.sync 0; //fence
@%p1 {name}.async.bulk.tensor.2d.global.shared::cta{op}.tile.bulk_group [map, {{{cx}, {cy}}}], [tile]; //copy
@%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0;
ret;"
            );
            let (x, y) = (numbers(32), numbers(120)[..120].to_vec());
            let mut want = y.clone();
            for (number, value) in (0..).zip(&x) {
                let (column, row) = (cx + number % 8, cy + number / 8);
                if (0..12).contains(&column) && (0..10).contains(&row) {
                    let old = &mut want[(row * 12 + column) as usize];
                    *old = match op {
                        ".add" => old.wrapping_add(*value),
                        ".max" => (*old).max(*value),
                        ".xor" => *old ^ value,
                        _ => *value,
                    };
                }
            }
            let program = Program::new(MEMORY, PARAMS, 32, &body);
            for seed in [0, 5] {
                let got = program
                    .run_with(seed, &x, &y, map)
                    .unwrap_or_else(|found| panic!("{}", super::listed(&found)));
                assert_eq!(got, want, "{op} at {cx}, {cy}");
            }
        }
    }
}
