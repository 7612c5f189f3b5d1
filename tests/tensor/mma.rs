//! One tile by `mma.sync`: every result is that of plain loops, whatever the order of the warps.

use half::bf16;
use ptx_sim::LaunchConfig;

use crate::SEEDS;
use crate::built::{self, Simulated, Target};
use crate::harness::{Outcome, Stop, Test, expect_eq, fail};

/// Rows and columns of the tile.
const SIZE: usize = 128;

/// A kernel: its name, bytes of an element, the bytes of a number as an element.
type Kernel = (&'static str, usize, fn(i32) -> Vec<u8>);

/// Numbers are small integers, of which every type holds all sums exactly.
const KERNELS: [Kernel; 3] = [
    ("mma_i8", 1, |x| vec![x as u8]),
    ("mma_bf16", 2, |x| bf16::from_f32(x as f32).to_bits().to_le_bytes().to_vec()),
    ("mma_tf32", 4, |x| (x as f32).to_bits().to_le_bytes().to_vec()),
];

/// The tests of the targets.
pub fn tests(targets: &[Target]) -> Vec<Test> {
    let mut tests = Vec::new();
    for kernel in KERNELS {
        for &target in targets {
            let name = format!("mma::{}::{}_{}", kernel.0, target.0.name(), target.1);
            tests.push(Test::new(name, move || agrees_in_every_order(kernel, target)));
        }
    }
    for &target in targets {
        let name = format!("mma::planted_faults_are_found::{}_{}", target.0.name(), target.1);
        tests.push(Test::new(name, move || planted_faults_are_found(target)));
    }
    tests
}

/// A wait for one group too few, and no barrier.
fn planted_faults_are_found(target: Target) -> Outcome {
    let text = built::text(target)?;
    let faults = [
        ("cp.async.wait_group 1;", "cp.async.wait_group 2;", "asynchronous copy not waited for"),
        ("cp.async.wait_group 1;", "", "asynchronous copy not waited for"),
        ("bar.sync 0;", "", "data race"),
    ];
    for (right, wrong, found) in faults {
        let planted = text.replace(right, wrong);
        expect_eq("planted", &(planted != text), &true)?;
        match run(KERNELS[0], &planted, 1, 256, [&numbers(256, 31), &numbers(256, 57)]) {
            Err(Stop::Failed(why)) if why.contains(found) => {}
            Err(Stop::Failed(why)) => return fail(format!("{right} to {wrong:?}: {why}")),
            other => return fail(format!("{right} to {wrong:?}: {:?}", other.map(|c| c.len()))),
        }
    }
    Ok(())
}

fn agrees_in_every_order(kernel: Kernel, target: Target) -> Outcome {
    // Rows of no bytes, of less than a stage, of whole stages and of a part more.
    for (row_bytes, seeds) in [(0, 0..1), (16, 0..2), (128, 0..2), (144, SEEDS)] {
        let k = row_bytes / kernel.1;
        let (a, b) = (numbers(k, 31), numbers(k, 57));
        let want = product(&a, &b, k);
        for seed in seeds {
            let got = run(kernel, built::text(target)?, seed, k, [&a, &b])?;
            let differ = got.iter().zip(&want).position(|(got, want)| got != want);
            if let Some(at) = differ {
                let (row, column) = (at / SIZE, at % SIZE);
                return fail(format!(
                    "k {k}, seed {seed}: row {row}, column {column}: got {}, want {}",
                    got[at], want[at]
                ));
            }
            expect_eq("elements", &got.len(), &want.len())?;
        }
    }
    Ok(())
}

/// 128 rows of `k` numbers from -8 to 8.
fn numbers(k: usize, step: usize) -> Vec<i32> {
    (0..SIZE * k).map(|at| ((at * step + at / 7) % 17) as i32 - 8).collect()
}

fn product(a: &[i32], b: &[i32], k: usize) -> Vec<i32> {
    let element = |at: usize| {
        let (row, column) = (at / SIZE, at % SIZE);
        (0..k).map(|i| a[row * k + i] * b[column * k + i]).sum()
    };
    (0..SIZE * SIZE).map(element).collect()
}

/// The elements of C, as integers. No load of a matrix may wait for a bank.
fn run(kernel: Kernel, text: &str, seed: u64, k: usize, operands: [&[i32]; 2]) -> Result<Vec<i32>, Stop> {
    let (entry, bytes, element) = kernel;
    let simulated = Simulated::new(text, seed)?;
    let mut params = Vec::new();
    for operand in operands {
        let data: Vec<u8> = operand.iter().flat_map(|x| element(*x)).collect();
        params.push(simulated.upload(&data)?.to_le_bytes().to_vec());
    }
    let c = simulated.alloc(4 * SIZE * SIZE)?;
    params.push(c.to_le_bytes().to_vec());
    params.push((k as u32).to_le_bytes().to_vec());
    let config = LaunchConfig { block: [128, 1, 1], ..LaunchConfig::default() };
    let report = simulated.launch(entry, &config, &params)?;
    for line in report.stats.iter().flat_map(|stats| &stats.lines) {
        if line.instruction.starts_with("ldmatrix") {
            expect_eq("passes through the banks", &line.shared.units, &line.shared.ideal)?;
        }
    }
    let out = simulated.read(c, 4 * SIZE * SIZE)?;
    let number = |four: &[u8]| {
        let bits = four.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        if bytes == 1 { bits as i32 } else { f32::from_bits(bits) as i32 }
    };
    Ok(out.chunks(4).map(number).collect())
}
