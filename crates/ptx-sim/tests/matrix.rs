//! `mma`, `ldmatrix` and `stmatrix` against naive models, and what goes wrong with them.

mod common;
#[path = "../../../tests/matrices.rs"]
mod matrices;

use common::{FIRST_LINE, findings, kernel, kernel_with, sim};
use ptx_parse::ast::{Instruction, Statement};
use ptx_sim::{Arg, Finding, FindingKind, Options, Sim, Use};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// The element type of an operand, as PTX names it.
type Type = &'static str;

/// A word of operands; floats around 1, with some zeros.
fn word(random: &mut Random, ty: Type) -> u32 {
    let bits = random.next() as u32;
    let ends = 0x80ff_7f00_u32.rotate_left(8 * random.below(4) as u32);
    match ty {
        "s8" | "u8" if random.below(4) == 0 => ends,
        "s8" | "u8" => bits,
        _ if random.below(16) == 0 => 0,
        "f16" => bits & 0x8fff_8fff | 0x3000_3000,
        "bf16" => bits & 0x83ff_83ff | 0x3c00_3c00,
        _ => bits & 0x83ff_ffff | 0x3c00_0000,
    }
}

/// A form: its name, the types of A and B, k.
fn forms() -> Vec<(String, Type, Type, usize)> {
    let mut forms = Vec::new();
    for a in ["s8", "u8"] {
        for b in ["s8", "u8"] {
            for sat in ["", ".satfinite"] {
                let name = format!("mma.sync.aligned.m16n8k32.row.col{sat}.s32.{a}.{b}.s32");
                forms.push((name, a, b, 32));
            }
        }
    }
    for (ty, k) in [("f16", 16), ("bf16", 16), ("tf32", 8)] {
        forms.push((format!("mma.sync.aligned.m16n8k{k}.row.col.f32.{ty}.{ty}.f32"), ty, ty, k));
    }
    forms
}

/// Thread t takes ten words from place 10t of `x` and writes four to place 4t of `y`.
fn product(instruction: &str) -> String {
    let body = format!(
        "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd1, %r1, 40, %rd1;
mad.wide.u32 %rd2, %r1, 16, %rd2;
ld.global.v2.b32 {{%r2, %r3}}, [%rd1]; ld.global.v2.b32 {{%r4, %r5}}, [%rd1+8]; ld.global.v2.b32 {{%r6, %r7}}, [%rd1+16];
ld.global.v2.b32 {{%r8, %r9}}, [%rd1+24]; ld.global.v2.b32 {{%r10, %r11}}, [%rd1+32];
{instruction} {{%r8, %r9, %r10, %r11}}, {{%r2, %r3, %r4, %r5}}, {{%r6, %r7}}, {{%r8, %r9, %r10, %r11}};
st.global.v4.b32 [%rd2], {{%r8, %r9, %r10, %r11}};
ret;"
    );
    kernel(".param .u64 x, .param .u64 y", &body)
}

/// Runs a kernel of `x` and `y` with one block and gives back `y`.
fn run(text: &str, threads: u32, x: &[u32], words: usize, seed: u64) -> Vec<u32> {
    let sim = sim(text, Options::default().seed(seed));
    let input = sim.upload(x).expect("there is room");
    let output = sim.upload(&vec![0_u32; words]).expect("there is room");
    let args = [Arg::from(&input), Arg::from(&output)];
    assert_eq!(findings(&sim, 1, threads, 0, &args), [], "{text}");
    output.to_vec().expect("it is there")
}

#[test]
fn products_are_those_of_a_naive_model() {
    let mut random = Random(1);
    for (name, a, b, k) in forms() {
        for round in 0..20 {
            let integer = k == 32;
            let mut lane = |_| -> Vec<u32> {
                let mut words: Vec<u32> = (0..4).map(|_| word(&mut random, a)).collect();
                words.extend((0..2).map(|_| word(&mut random, b)));
                let near = if random.below(2) == 0 { i32::MAX } else { i32::MIN } as u32;
                words.extend((0..4).map(|_| match integer {
                    true if round % 2 == 0 => near.wrapping_add(random.next() as u32 >> 12),
                    true => random.next() as u32,
                    false => word(&mut random, "tf32"),
                }));
                words
            };
            let lanes: Vec<Vec<u32>> = (0..32).map(&mut lane).collect();
            let got = run(&product(&name), 32, &lanes.concat(), 128, round);
            let form = matrices::form(&name).expect("it is an mma");
            let lanes: Vec<[u32; 10]> =
                lanes.iter().map(|words| std::array::from_fn(|at| words[at])).collect();
            let got: Vec<[u32; 4]> = got.chunks(4).map(|words| std::array::from_fn(|at| words[at])).collect();
            matrices::check(form, &lanes, &got).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
    }
}

#[test]
fn a_bound_belongs_to_float_products_alone() {
    let instruction = |name: &str| -> Instruction {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {{ .reg .b32 %r<9>; {name} {{%r1, %r1, %r1, %r1}}, {{%r1, %r1, %r1, %r1}}, {{%r1, %r1}}, {{%r1, %r1, %r1, %r1}}; ret; }}"
        );
        let module = ptx_parse::parse(&text).expect("it is PTX");
        let body = module.functions[0].body.as_deref().unwrap_or_default();
        let found = body.iter().find_map(|statement| match statement {
            Statement::Instruction(instruction) => Some(instruction.clone()),
            _ => None,
        });
        found.expect("there is one")
    };
    for (name, _, _, k) in forms() {
        let bound = ptx_sim::matrix_bound(&instruction(&name)).map(|bound| bound.k as usize);
        assert_eq!(bound, (k != 32).then_some(k), "{name}");
    }
}

/// Fills 512 bytes of shared memory with words 0 to 127 of `x`, lane t those at 16t; then `body` with the address of row
/// `x[128 + t]` in `%r12` and lane t's sixteen bytes in `%r2` to `%r5`; `%r13` to `%r16` go to `y`. `%rd4` is the generic
/// address of the row.
fn with_tile(barrier: &str, body: &str) -> String {
    let body = format!(
        "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd3, %r1, 16, %rd1; mad.wide.u32 %rd2, %r1, 16, %rd2;
ld.global.v4.b32 {{%r2, %r3, %r4, %r5}}, [%rd3]; mov.u32 %r6, tile; mad.lo.u32 %r7, %r1, 16, %r6; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd3, %rd1;
ld.global.b32 %r8, [%rd3+512]; mad.lo.u32 %r12, %r8, 16, %r6; cvt.u64.u32 %rd4, %r12; cvta.shared.u64 %rd4, %rd4;
mov.u32 %r13, 0; mov.u32 %r14, 0; mov.u32 %r15, 0; mov.u32 %r16, 0;
st.shared.v4.b32 [%r7], {{%r2, %r3, %r4, %r5}};
{barrier}
{body}
st.global.v4.b32 [%rd2], {{%r13, %r14, %r15, %r16}};
ret;"
    );
    kernel_with(".shared .align 16 .b8 tile[512];", ".param .u64 x, .param .u64 y", &body)
}

/// The forms of `ldmatrix` or `stmatrix`: name, matrices, whether transposed.
fn moves(opcode: &str) -> Vec<(String, usize, bool)> {
    let mut moves = Vec::new();
    for count in [1, 2, 4] {
        for trans in ["", ".trans"] {
            for space in ["", ".shared", ".shared::cta"] {
                let name = format!("{opcode}.sync.aligned.m8n8.x{count}{trans}{space}.b16");
                moves.push((name, count, !trans.is_empty()));
            }
        }
    }
    moves
}

/// The address operand of a form.
fn address(name: &str) -> &'static str {
    if name.contains("shared") { "[%r12]" } else { "[%rd4]" }
}

/// Words of the tile, and 32 rows in some order.
fn tile_and_rows(random: &mut Random) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..32).collect();
    for at in (1..32).rev() {
        rows.swap(at, random.below(at as u64 + 1) as usize);
    }
    (0..128).map(|_| random.next() as u32).chain(rows).collect()
}

/// The rows of a tile.
fn rows_of(tile: &[u32]) -> Vec<[u32; 4]> {
    tile[..128].chunks(4).map(|row| std::array::from_fn(|at| row[at])).collect()
}

#[test]
fn matrices_are_loaded_as_the_isa_says() {
    let mut random = Random(2);
    for (name, count, transposed) in moves("ldmatrix") {
        let regs = ["%r13", "%r14", "%r15", "%r16"][..count].join(", ");
        let text = with_tile("bar.warp.sync -1;", &format!("{name} {{{regs}}}, {};", address(&name)));
        for seed in 0..4 {
            let x = tile_and_rows(&mut random);
            let got = run(&text, 32, &x, 128, seed);
            let mut want = matrices::loaded(&rows_of(&x), &x[128..], count, transposed);
            want.iter_mut().for_each(|lane| lane.resize(4, 0));
            assert_eq!(got, want.concat(), "{name}");
        }
    }
}

#[test]
fn matrices_are_stored_as_the_isa_says() {
    let mut random = Random(3);
    for (name, count, transposed) in moves("stmatrix") {
        let regs = ["%r2", "%r3", "%r4", "%r5"][..count].join(", ");
        let body = format!(
            "{name} {}, {{{regs}}}; bar.warp.sync -1; ld.shared.v4.b32 {{%r13, %r14, %r15, %r16}}, [%r7];",
            address(&name)
        );
        let text = with_tile("bar.warp.sync -1;", &body);
        for seed in 0..4 {
            let x = tile_and_rows(&mut random);
            let mut want = rows_of(&x);
            let registers: Vec<Vec<u32>> = want.iter().map(|lane| lane[..count].to_vec()).collect();
            matrices::store(&mut want, &x[128..], &registers, transposed);
            assert_eq!(run(&text, 32, &x, 128, seed), want.concat(), "{name}");
        }
    }
}

/// What is found in a kernel of `x` and `y`, whichever warp runs first.
fn found(text: &str, threads: u32) -> Vec<Vec<Finding>> {
    let x = tile_and_rows(&mut Random(4));
    let one = |seed| {
        let sim = sim(text, Options::default().seed(seed));
        let long: Vec<u32> = x.iter().copied().chain([0; 2000]).collect();
        let buffers = [sim.upload(&long), sim.upload(&long)].map(|buffer| buffer.expect("there is room"));
        findings(&sim, 1, threads, 0, &buffers.each_ref().map(Arg::from))
    };
    [0, 1, 99].map(one).to_vec()
}

/// A finding at a line of the body and a thread.
fn check(text: &str, threads: u32, (thread, line): (u32, u32), kind: impl Fn(&FindingKind) -> bool) {
    for found in found(text, threads) {
        let here = |f: &&Finding| f.place.line == FIRST_LINE + line && f.place.thread == [thread, 0, 0];
        assert!(found.iter().filter(here).any(|f| kind(&f.kind)), "{found:#?}\n{text}");
    }
}

/// The line of `body` in [`with_tile`].
const BODY: u32 = 6;

const LOAD: &str = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r13, %r14, %r15, %r16}";

#[test]
fn rows_must_be_aligned_and_inside() {
    // Half a row off, in lane 9 alone.
    let off = |bytes: i32, count: &str| {
        let load = LOAD.replace("x4", count);
        let load = if count == "x1" { load.replace(", %r14, %r15, %r16", "") } else { load };
        let moved = format!("setp.eq.u32 %p1, %r1, 9; @%p1 add.u32 %r12, %r7, {bytes}; {load}, [%r12];");
        with_tile("bar.warp.sync -1;", &moved)
    };
    let misaligned = |k: &FindingKind| matches!(k, FindingKind::Misaligned { bytes: 16, write: false, .. });
    check(&off(8, "x4"), 32, (9, BODY), misaligned);
    let outside = |k: &FindingKind| matches!(k, FindingKind::OutOfBounds(o) if o.bytes == 16 && !o.write);
    check(&off(4096, "x4"), 32, (9, BODY), outside);
    check(&off(512 - 9 * 16, "x4"), 32, (9, BODY), outside);
    // The address of lane 9 does not count where there is one matrix.
    assert!(found(&off(8, "x1"), 32).iter().all(Vec::is_empty));
    let store = "add.u32 %r12, %r7, 8; stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r12], {%r2, %r3};";
    let misaligned = |k: &FindingKind| matches!(k, FindingKind::Misaligned { bytes: 16, write: true, .. });
    check(&with_tile("bar.warp.sync -1;", store), 32, (0, BODY), misaligned);
    // A generic address that is not one of shared memory.
    let global = format!("{}, [%rd1];", LOAD.replace(".shared", ""));
    check(
        &with_tile("bar.warp.sync -1;", &global),
        32,
        (0, BODY),
        |k| matches!(k, FindingKind::OutOfBounds(o) if o.space == ptx_sim::Space::Global),
    );
}

#[test]
fn undefined_operands_are_found_where_they_are_stored() {
    let text = |used: &str| {
        let body = format!(
            "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 16, %rd2;
mov.u32 %r2, 0; setp.ne.u32 %p1, %r1, 13; @%p1 mov.u32 %r3, 0;
mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {{%r13, %r14, %r15, %r16}}, {{%r2, {used}, %r2, %r2}}, {{%r2, %r2}}, {{%r2, %r2, %r2, %r2}};
st.global.v2.b32 [%rd2], {{%r13, %r14}};
st.global.v2.b32 [%rd2+8], {{%r15, %r16}};
ret;"
        );
        kernel(".param .u64 x, .param .u64 y", &body)
    };
    assert!(found(&text("%r2"), 32).iter().all(Vec::is_empty));
    // Register 1 of lane 13 lies in row 3 + 8: lanes 12 to 15, and the upper half of D alone.
    let undefined = |k: &FindingKind| *k == FindingKind::Undefined(Use::Store);
    check(&text("%r3"), 32, (12, 4), undefined);
    assert!(found(&text("%r3"), 32).iter().all(|found| found.len() == 1));
    let load = format!("{LOAD}, [%r12];");
    let hole = with_tile("bar.warp.sync -1;", &load).replace("st.shared.v4.b32", "@%p1 st.shared.v4.b32");
    let hole = hole.replace("mov.u32 %r13, 0;", "setp.ne.u32 %p1, %r1, 13; mov.u32 %r13, 0;");
    for found in found(&hole, 32) {
        let stored = |f: &Finding| undefined(&f.kind) && f.place.line == FIRST_LINE + BODY + 1;
        assert!(found.len() == 1 && stored(&found[0]), "{found:#?}");
    }
    let address = format!("{LOAD}, [%r19];");
    check(&with_tile("", &address), 32, (0, BODY), |k| *k == FindingKind::Undefined(Use::Address));
    let store = "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r12], {%r19};";
    check(&with_tile("bar.warp.sync -1;", store), 32, (0, BODY), undefined);
}

#[test]
fn what_other_lanes_and_warps_wrote_must_be_ordered() {
    let race = |k: &FindingKind| matches!(k, FindingKind::Race(_));
    for load in [format!("{LOAD}, [%r12];"), format!("{}, [%r12];", LOAD.replace(".x4", ".x4.trans"))] {
        assert!(found(&with_tile("bar.warp.sync -1;", &load), 32).iter().all(Vec::is_empty));
        for found in found(&with_tile("", &load), 32) {
            assert!(found.iter().any(|f| race(&f.kind) && f.place.line == FIRST_LINE + BODY), "{found:#?}");
        }
    }
    // A warp stores, another reads.
    let store = |barrier: &str| {
        let body = format!(
            "setp.ge.u32 %p1, %r1, 32; @%p1 bra READ;
stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r12], {{%r2, %r3, %r4, %r5}};
READ: {barrier}
@%p1 ld.shared.b32 %r13, [%r7+-512];"
        );
        with_tile("bar.sync 0;", &body).replace("st.shared.v4.b32", "@%p2 st.shared.v4.b32").replace(
            "mov.u32 %r13, 0;",
            "setp.lt.u32 %p2, %r1, 32; and.b32 %r8, %r1, 31; mad.lo.u32 %r12, %r8, 16, %r6; mov.u32 %r13, 0;",
        )
    };
    assert!(found(&store("bar.sync 0;"), 64).iter().all(Vec::is_empty));
    for found in found(&store(""), 64) {
        assert!(found.iter().any(|f| race(&f.kind)), "{found:#?}");
    }
}

#[test]
fn copies_must_have_landed() {
    let text = |wait: &str| {
        let copy = format!(
            "cp.async.cg.shared.global [%r7], [%rd1], 16; cp.async.commit_group; {wait} bar.warp.sync -1;"
        );
        let text = with_tile(&copy, &format!("{LOAD}, [%r12];"));
        text.replace("st.shared.v4.b32 [%r7], {%r2, %r3, %r4, %r5};", "")
    };
    assert!(found(&text("cp.async.wait_group 0;"), 32).iter().all(Vec::is_empty));
    for found in found(&text(""), 32) {
        let early = |f: &Finding| {
            matches!(f.kind, FindingKind::EarlyAsyncRead(_)) && f.place.line == FIRST_LINE + BODY
        };
        assert!(found.iter().any(early), "{found:#?}");
    }
}

#[test]
fn all_lanes_of_a_warp_must_execute_it() {
    let load = format!("{LOAD}, [%r12];");
    let missing = |lane: u32| move |k: &FindingKind| matches!(k, FindingKind::InactiveLane { lane: l, .. } if *l == lane);
    // A warp that is not full.
    check(&with_tile("bar.warp.sync 0xfffff;", &load), 20, (0, BODY), missing(20));
    // Lanes that have ended, that skip it, that wait elsewhere.
    let ended = format!("setp.ge.u32 %p1, %r1, 7; @%p1 exit; {load}");
    check(&with_tile("bar.warp.sync -1;", &ended), 32, (0, BODY), missing(7));
    let skipped = format!("setp.lt.u32 %p1, %r1, 7; @%p1 {load}");
    check(&with_tile("bar.warp.sync -1;", &skipped), 32, (0, BODY), missing(7));
    let elsewhere = format!("setp.lt.u32 %p1, %r1, 7; @!%p1 bra WAIT; {load} WAIT: bar.warp.sync -1;");
    check(&with_tile("bar.warp.sync -1;", &elsewhere), 32, (0, BODY), missing(7));
    // Lanes that meet again before it are all there.
    let meet = format!("setp.lt.u32 %p1, %r1, 7; @!%p1 bra ON; add.u32 %r9, %r1, 1; ON: {load}");
    assert!(found(&with_tile("bar.warp.sync -1;", &meet), 32).iter().all(Vec::is_empty));
}

#[test]
fn other_forms_are_refused_by_name() {
    let four = "{%r1, %r2, %r3, %r4}";
    for (name, operands) in [
        ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "{%rd1, %rd2}, {%rd1}, {%rd1}, {%rd1, %rd2}"),
        (
            "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32",
            "{%r1, %r2, %r3, %r4}, {%r1, %r2}, {%r1}, {%r1, %r2, %r3, %r4}",
        ),
        (
            "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
            "{%r1, %r2}, {%r1, %r2, %r3, %r4}, {%r1, %r2}, {%r1, %r2}",
        ),
        ("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", "{%r1, %r2}, [%r3]"),
        ("movmatrix.sync.aligned.m8n8.trans.b16", "%r1, %r2"),
        ("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", four),
    ] {
        let text = kernel(".param .u64 x", &format!("{name} {operands};\nret;"));
        let error = match Sim::from_text(&text, Options::default()) {
            Ok(sim) => sim.module().check("k").expect_err(name).to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(name), "{error}");
    }
    let short = "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r1, %r2, %r3}, {%r1, %r2, %r3, %r4}, {%r1, %r2}, {%r1, %r2, %r3, %r4};";
    let text = kernel(".param .u64 x", &format!("{short}\nret;"));
    let error = match Sim::from_text(&text, Options::default()) {
        Ok(sim) => sim.module().check("k").expect_err("three registers").to_string(),
        Err(error) => error.to_string(),
    };
    assert!(error.contains("operand 1"), "{error}");
}

#[test]
fn conflicts_of_banks_are_counted_by_matrix() {
    // Rows side by side, and rows 128 bytes apart, that is in the same four banks.
    let passes = |stride: u32| {
        let body = format!(
            "mov.u32 %r1, %tid.x; mov.u32 %r2, tile; mad.lo.u32 %r3, %r1, {stride}, %r2; mov.u32 %r4, 0;
st.shared.v4.b32 [%r3], {{%r4, %r4, %r4, %r4}}; bar.warp.sync -1;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{%r4, %r5, %r6, %r7}}, [%r3];
ret;"
        );
        let text = kernel_with(".shared .align 128 .b8 tile[4096];", "", &body);
        let sim = sim(&text, Options::default().stats(true));
        let report = sim.launch("k", [1; 3], [32, 1, 1], 0, &[]).expect("it runs");
        let stats = report.stats.expect("it was counted");
        let line =
            stats.lines.iter().find(|line| line.instruction.starts_with("ldmatrix")).expect("it ran").shared;
        (line.requests, line.units, line.ideal)
    };
    assert_eq!((passes(16), passes(128)), ((1, 4, 4), (1, 32, 4)));
}
