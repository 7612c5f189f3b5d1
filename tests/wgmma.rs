//! `wgmma` as kernels use it: one-tile matmuls of `tests/kernels/tensor`, built by both back ends, run in the simulator over up
//! to a hundred orders of warps and compared with plain loops.
//!
//! `smoke::…`: results, and no finding; `ptx::…`: what ptxas says of the text, where it is there.
//!
//! The program is its own linker (`ptx_builder::run_as_linker_if_asked`), so it has a `main`.

#[path = "harness/mod.rs"]
mod harness;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

use harness::{Outcome, Stop, Test, expect_eq, fail};
use ptx_builder::{Backend, PtxBuilder};
use ptx_sim::{Device, LaunchConfig, Options};

/// Who writes the PTX.
const BACKENDS: [Backend; 2] = [Backend::Llvm, Backend::Nvvm];

/// Bytes of k.
const K_BYTES: usize = 128;

/// A kernel: its name, columns, warpgroups and orders of warps.
struct Smoke {
    entry: &'static str,
    n: usize,
    warpgroups: usize,
    seeds: u64,
    floats: bool,
}

const SMOKE: [Smoke; 5] = [
    Smoke { entry: "wgmma_s8_n64", n: 64, warpgroups: 1, seeds: 100, floats: false },
    Smoke { entry: "wgmma_s8_n64", n: 64, warpgroups: 2, seeds: 20, floats: false },
    Smoke { entry: "wgmma_s8_n256", n: 256, warpgroups: 2, seeds: 3, floats: false },
    Smoke { entry: "wgmma_f16_n8", n: 8, warpgroups: 2, seeds: 100, floats: true },
    Smoke { entry: "wgmma_f16_n128", n: 128, warpgroups: 2, seeds: 3, floats: true },
];

fn main() -> ExitCode {
    ptx_builder::run_as_linker_if_asked();
    let mut tests = Vec::new();
    for backend in BACKENDS {
        for smoke in &SMOKE {
            let name = format!("smoke::{}_w{}::{}", smoke.entry, smoke.warpgroups, backend.name());
            tests.push(Test::new(name, move || agrees_with_plain_loops(smoke, backend)));
        }
        tests
            .push(Test::new(format!("smoke::wgmma_rate_s8_n256::{}", backend.name()), move || rate(backend)));
        let name = format!("ptx::nothing_is_serialised_or_spilled::{}", backend.name());
        tests.push(Test::new(name, move || assembles(backend)));
    }
    harness::run(tests, 0, Vec::new)
}

fn target_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target")
}

/// The PTX of the kernels.
fn ptx(backend: Backend) -> Result<&'static Path, Stop> {
    static BUILT: [OnceLock<Result<PathBuf, String>>; 2] = [const { OnceLock::new() }; 2];
    if backend == Backend::Nvvm && matches!(ptx_builder::backend::find_libnvvm(&target_dir()), Ok(None)) {
        return Err(Stop::Skipped("no libNVVM; `cargo xtask setup --nvvm` fetches it".to_owned()));
    }
    let slot = &BUILT[usize::from(backend == Backend::Nvvm)];
    let path = slot.get_or_init(|| build(backend));
    path.as_deref().map_err(|why| Stop::Failed(why.clone()))
}

fn build(backend: Backend) -> Result<PathBuf, String> {
    let report = PtxBuilder::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/tensor"))
        .backend(backend)
        .arch("sm_90a")
        .out_dir(Path::new(env!("CARGO_TARGET_TMPDIR")).join("tensor"))
        .tools_dir(target_dir())
        .emit_cargo_metadata(false)
        .build()
        .map_err(|error| error.to_string())?;
    let built = &report.archs[0];
    let mut files = built.manifest.families.values();
    let (Some(family), None) = (files.next(), files.next()) else {
        return Err("not one PTX file".to_owned());
    };
    Ok(built.dir.join(&family.file))
}

/// Runs an entry with `out` and `inputs` as parameters, then the numbers; gives what is in `out`.
fn run(
    path: &Path,
    seed: u64,
    launch: (&str, usize),
    out: usize,
    inputs: &[Vec<u8>],
    numbers: &[u32],
) -> Result<Vec<u8>, Stop> {
    let (entry, threads) = launch;
    let device = Device::new(Options::default().seed(seed).threads(1));
    let module = device.load(path)?;
    let result = device.alloc(out as u64)?;
    let mut params = vec![result.to_le_bytes().to_vec()];
    for bytes in inputs {
        let addr = device.alloc(bytes.len() as u64)?;
        device.write(addr, bytes)?;
        params.push(addr.to_le_bytes().to_vec());
    }
    params.extend(numbers.iter().map(|number| number.to_le_bytes().to_vec()));
    let config = LaunchConfig { block: [threads as u32, 1, 1], ..LaunchConfig::default() };
    if let Err(error) = module.launch(entry, &config, &params) {
        return fail(format!("seed {seed}: {error}"));
    }
    let mut bytes = vec![0; out];
    device.read(result, &mut bytes)?;
    Ok(bytes)
}

/// Bytes of lines of k: any, or small integers in f16.
fn operand(rows: usize, floats: bool, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    if !floats {
        return (0..rows * K_BYTES).map(|_| next()).collect();
    }
    let half = |byte: u8| half::f16::from_f32(f32::from(byte % 17) - 8.0).to_le_bytes();
    (0..rows * K_BYTES / 2).flat_map(|_| half(next())).collect()
}

/// c = a · b in plain loops, as bytes. The sums of floats are small integers, exact in every order.
fn product(smoke: &Smoke, a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for a in a.chunks(K_BYTES) {
        for b in b.chunks(K_BYTES) {
            if smoke.floats {
                let number = |x: &[u8]| half::f16::from_le_bytes([x[0], x[1]]).to_f32();
                let sum: f32 = a.chunks(2).zip(b.chunks(2)).map(|(a, b)| number(a) * number(b)).sum();
                out.extend(sum.to_le_bytes());
            } else {
                let sum: i32 = a.iter().zip(b).map(|(a, b)| i32::from(*a as i8) * i32::from(*b as i8)).sum();
                out.extend(sum.to_le_bytes());
            }
        }
    }
    out
}

fn agrees_with_plain_loops(smoke: &Smoke, backend: Backend) -> Outcome {
    let path = ptx(backend)?;
    let rows = 64 * smoke.warpgroups;
    let (a, b) = (operand(rows, smoke.floats, 1), operand(smoke.n, smoke.floats, 2));
    let want = product(smoke, &a, &b);
    let inputs = [a, b];
    for seed in 0..smoke.seeds {
        let got = run(path, seed, (smoke.entry, 2 * rows), want.len(), &inputs, &[])?;
        if let Some(at) = (0..want.len()).step_by(4).find(|&at| got[at..at + 4] != want[at..at + 4]) {
            let (row, column) = (at / 4 / smoke.n, at / 4 % smoke.n);
            let (got, want) = (&got[at..at + 4], &want[at..at + 4]);
            return fail(format!("seed {seed}: c[{row}, {column}]: got {got:02x?}, want {want:02x?}"));
        }
    }
    Ok(())
}

/// The kernel that is timed on a GPU: zeros, and no finding.
fn rate(backend: Backend) -> Outcome {
    let got = run(ptx(backend)?, 3, ("wgmma_rate_s8_n256", 256), 1024, &[], &[2])?;
    expect_eq("sums", &got, &vec![0; 1024])
}

/// ptxas makes no remark on serialised instructions, and nothing lies in local memory.
fn assembles(backend: Backend) -> Outcome {
    let path = ptx(backend)?;
    let ptxas = ptx_builder::setup::ptxas_path(&target_dir());
    if !ptxas.is_file() {
        return Err(Stop::Skipped("no ptxas; `cargo xtask setup` fetches it".to_owned()));
    }
    let said =
        Command::new(ptxas).args(["-arch=sm_90a", "-O3", "-v", "-o", "/dev/null"]).arg(path).output()?;
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    let entries = said.matches("Compiling entry function").count();
    let clean = said.matches("0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads").count();
    if entries == 0 || clean != entries || said.contains("serialized") || said.contains("(C75") {
        return fail(said);
    }
    Ok(())
}
