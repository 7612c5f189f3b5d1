//! Bulk and tensor copies, a multicast and a sum over a cluster: whatever the order, the results of plain loops and no finding.

use ptx_sim::{LaunchConfig, TensorElement, TensorMap, TensorSpec, TensorSwizzle};

use crate::SEEDS;
use crate::built::{self, Simulated, Target};
use crate::harness::{Outcome, Stop, Test, expect_eq, fail};

/// Bytes of a stage of `bulk_copy`.
const STAGE: usize = 16384;

type Case = (&'static str, fn(Target) -> Outcome);

const CASES: [Case; 5] = [
    ("bulk_copy", bulk_copy),
    ("bulk_multicast", bulk_multicast),
    ("tensor_copy", tensor_copy),
    ("cluster_sum", cluster_sum),
    ("planted_faults_are_found", planted_faults_are_found),
];

/// The tests of the targets that have these instructions.
pub fn tests(targets: &[Target]) -> Vec<Test> {
    let mut tests = Vec::new();
    for (name, test) in CASES {
        for &target in targets.iter().filter(|target| target.1 == "sm_90") {
            tests.push(Test::new(format!("flights::{name}::{}", target.0.name()), move || test(target)));
        }
    }
    tests
}

fn random(len: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// Runs `bulk_copy` of a text.
fn copied(text: &str, seed: u64, x: &[u8], grid: u32) -> Result<Vec<u8>, Stop> {
    let sim = Simulated::new(text, seed)?;
    let (from, to) = (sim.upload(x)?, sim.alloc(x.len())?);
    let config = LaunchConfig { grid: [grid, 1, 1], block: [32, 1, 1], ..LaunchConfig::default() };
    let taken = sim.upload(&[0; 4])?;
    let params = [from, to, x.len() as u64, taken].map(|param| param.to_le_bytes().to_vec());
    sim.launch("bulk_copy", &config, &params)?;
    let first = sim.read(to, x.len())?;
    // The counter is ready for another copy.
    sim.launch("bulk_copy", &config, &params)?;
    expect_eq("the second copy", &(sim.read(to, x.len())? == first), &true)?;
    expect_eq("the counter", &sim.read(taken, 4)?, &vec![0; 4])?;
    Ok(first)
}

fn bulk_copy(target: Target) -> Outcome {
    let text = built::text(target)?;
    let lengths = [(0, 0..1), (16, 0..2), (STAGE, 0..2), (5 * STAGE, 0..2), (13 * STAGE + 4080, SEEDS)];
    for (len, seeds) in lengths {
        let x = random(len);
        for seed in seeds {
            expect_eq(&format!("{len} bytes, seed {seed}"), &(copied(text, seed, &x, 2)? == x), &true)?;
        }
    }
    Ok(())
}

fn bulk_multicast(target: Target) -> Outcome {
    let x = random(2048);
    for seed in SEEDS {
        let sim = Simulated::new(built::text(target)?, seed)?;
        let (from, to) = (sim.upload(&x)?, sim.alloc(4 * x.len())?);
        let (grid, block, cluster) = ([4, 1, 1], [32, 1, 1], [4, 1, 1]);
        let config = LaunchConfig { grid, block, cluster, ..LaunchConfig::default() };
        sim.launch("bulk_multicast", &config, &[from, to].map(|param| param.to_le_bytes().to_vec()))?;
        expect_eq(&format!("seed {seed}"), &(sim.read(to, 4 * x.len())? == x.repeat(4)), &true)?;
    }
    Ok(())
}

fn tensor_copy(target: Target) -> Outcome {
    let (width, height) = (200_usize, 70_usize);
    let x = random(2 * width * height);
    for seed in SEEDS {
        let sim = Simulated::new(built::text(target)?, seed)?;
        let (from, to) = (sim.upload(&x)?, sim.alloc(x.len())?);
        let mut maps = Vec::new();
        for at in [from, to] {
            let mut spec =
                TensorSpec::packed(TensorElement::F16, at, &[width as u64, height as u64], &[64, 32]);
            spec.swizzle = TensorSwizzle::B128;
            let map = TensorMap::new(spec).map_err(|error| Stop::Failed(error.to_string()))?;
            maps.push(sim.upload(&map.to_bytes())?.to_le_bytes().to_vec());
        }
        let config = LaunchConfig { grid: [4, 3, 1], block: [32, 1, 1], ..LaunchConfig::default() };
        sim.launch("tensor_copy", &config, &maps)?;
        expect_eq(&format!("seed {seed}"), &(sim.read(to, x.len())? == x), &true)?;
    }
    Ok(())
}

fn cluster_sum(target: Target) -> Outcome {
    for (blocks, len, seeds) in [(1, 0, 0..1), (2, 1, 0..2), (8, 5000, SEEDS), (4, 4096, 0..2)] {
        let x: Vec<u8> = random(4 * len);
        let word = |four: &[u8]| u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
        let want = x.chunks(4).map(word).fold(0, u32::wrapping_add);
        for seed in seeds {
            let sim = Simulated::new(built::text(target)?, seed)?;
            let (from, to) = (sim.upload(&x)?, sim.alloc(4)?);
            let (grid, block, cluster) = ([blocks, 1, 1], [256, 1, 1], [blocks, 1, 1]);
            let config = LaunchConfig { grid, block, cluster, ..LaunchConfig::default() };
            let params = [from, len as u64, to].map(|param| param.to_le_bytes().to_vec());
            sim.launch("cluster_sum", &config, &params)?;
            expect_eq(&format!("{len} words, seed {seed}"), &word(&sim.read(to, 4)?), &want)?;
        }
    }
    Ok(())
}

/// The copy without one of its waits.
fn planted_faults_are_found(target: Target) -> Outcome {
    let text = built::text(target)?;
    let kernel = text.find(".entry bulk_copy").ok_or_else(|| Stop::Failed("no bulk_copy".to_owned()))?;
    let (before, after) = text.split_at(kernel);
    let end = after.find("\n}").unwrap_or(after.len());
    let (kernel, after) = after.split_at(end);
    let faults = [
        (
            "cp.async.bulk.wait_group.read 0;",
            "cp.async.bulk.wait_group.read 3;",
            "asynchronous copy not waited for",
        ),
        ("cp.async.bulk.wait_group.read 0;", "", "asynchronous copy not waited for"),
        ("cp.async.bulk.wait_group 0;", "", "the block ends while the copy uses its shared memory"),
    ];
    for (right, wrong, found) in faults {
        let planted = kernel.replace(right, wrong);
        expect_eq(&format!("{right} planted"), &(planted != kernel), &true)?;
        match copied(&format!("{before}{planted}{after}"), 0, &random(9 * STAGE), 1) {
            Err(Stop::Failed(why)) if why.contains(found) => {}
            Err(Stop::Failed(why)) => return fail(format!("{right} to {wrong:?}: {why}")),
            other => return fail(format!("{right} to {wrong:?}: {:?}", other.map(|y| y.len()))),
        }
    }
    Ok(())
}
