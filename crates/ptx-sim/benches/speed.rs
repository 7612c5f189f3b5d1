//! Thread-instructions a second on one core, all checks on: the f32 Hadamard kernel and a loop of integer arithmetic.
//!
//! The Hadamard PTX is what `cargo xtask build-ptx` leaves under `target/ptx`, or in the folder that `WARPSMITH_PTX` names.

use std::path::PathBuf;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ptx_sim::{Arg, Options, Sim};

/// Seven instructions a turn on 256 threads.
const LOOP: &str = "
.version 7.8
.target sm_90
.address_size 64
.visible .entry turns(.param .u64 y, .param .u32 n)
{
    .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .pred %p;
    ld.param.u64 %rd1, [y]; ld.param.u32 %r5, [n];
    mov.u32 %r1, %tid.x; mov.u32 %r2, 0; mov.u32 %r3, 1;
TURN:
    mad.lo.s32 %r3, %r3, 1664525, %r1; xor.b32 %r3, %r3, %r2; shl.b32 %r4, %r3, 3; add.s32 %r3, %r3, %r4;
    add.s32 %r2, %r2, 1; setp.lt.u32 %p, %r2, %r5; @%p bra TURN;
    mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.b32 [%rd3], %r3; ret;
}";

fn hadamard_ptx() -> PathBuf {
    let workspace = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/ptx");
    let folder = std::env::var_os("WARPSMITH_PTX").map_or_else(workspace, PathBuf::from);
    folder.join("llvm/sm_90/cross.ptx")
}

fn launch(sim: &Sim, entry: &str, grid: u32, args: &[Arg]) -> u64 {
    match sim.launch(entry, [grid, 1, 1], [256, 1, 1], 0, args) {
        Ok(report) => report.instructions,
        Err(error) => panic!("{entry}: {error}"),
    }
}

fn speed(c: &mut Criterion) {
    let options = Options::default().threads(1);
    let mut group = c.benchmark_group("one_core");

    let turns = Sim::from_text(LOOP, options).unwrap_or_else(|error| panic!("{error}"));
    let y = turns.alloc::<u32>(256).unwrap_or_else(|error| panic!("{error}"));
    let args = [Arg::from(&y), 2000_u32.into()];
    group.throughput(Throughput::Elements(launch(&turns, "turns", 1, &args)));
    group.bench_function("integer_loop", |b| b.iter(|| launch(&turns, "turns", 1, &args)));

    let path = hadamard_ptx();
    let sim = Sim::load_with(&path, options)
        .unwrap_or_else(|error| panic!("{error}\nthe kernels are built by `cargo xtask build-ptx`"));
    let n = 1_usize << 18;
    let values: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let buffers = [&values, &values].map(|v| sim.upload(v).unwrap_or_else(|error| panic!("{error}")));
    let product = sim.alloc::<f32>(n).unwrap_or_else(|error| panic!("{error}"));
    let len = Arg::from(n as u64);
    let args: Vec<Arg> =
        buffers.iter().chain([&product]).flat_map(|buffer| [Arg::from(buffer), len.clone()]).collect();
    let grid = (n / 1024) as u32;
    group.throughput(Throughput::Elements(launch(&sim, "hadamard_f32", grid, &args)));
    group.bench_function("hadamard_f32", |b| b.iter(|| launch(&sim, "hadamard_f32", grid, &args)));
    group.finish();
}

criterion_group!(benches, speed);
criterion_main!(benches);
