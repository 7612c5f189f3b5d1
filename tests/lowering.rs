//! Every construct that the NVVM back end lowers gives what the host gives: small Rust functions are compiled for the
//! host, and to PTX by LLVM and by libNVVM, and run in the simulator.
//!
//! `rows::…`: against the host, `device::…`: libNVVM's against LLVM's, `written::…`: what stands in the PTX of each,
//! `generated`: expressions made from `WARPSMITH_SEED`, libNVVM's against LLVM's.
//!
//! The program is its own linker (`ptx_builder::run_as_linker_if_asked`), so it has a `main`.

#[path = "lowering/built.rs"]
mod built;
#[path = "lowering/generate.rs"]
mod generate;
#[path = "lowering/generated.rs"]
mod generated;
#[path = "harness/mod.rs"]
mod harness;
#[path = "lowering/host.rs"]
mod host;
#[path = "lowering/written.rs"]
mod written;

use std::process::ExitCode;

use built::{Built, TARGETS, Target, kernels};
use harness::{Outcome, Stop, Test, expect_eq, fail};

/// Threads of a run, each with operands of its own.
pub const THREADS: usize = 256;

fn main() -> ExitCode {
    ptx_builder::run_as_linker_if_asked();
    let mut tests = vec![
        Test::new("planted_differences_are_found", planted_differences_are_found),
        Test::new("written::planted_faults_are_found", written::planted_faults_are_found),
        Test::new("generated", generated::both_back_ends_agree),
    ];
    for target in TARGETS {
        for expected in &written::ALL {
            let name = format!("written::{}::{}_{}", expected.kernel, target.0.name(), target.1);
            tests.push(Test::new(name, move || written::stands_in_ptx(expected, target)));
        }
        for row in host::ROWS {
            let name = format!("rows::{}::{}_{}", row.name, target.0.name(), target.1);
            tests.push(Test::new(name, move || agrees_with_the_host(row, target)));
        }
    }
    for &name in host::DEVICE.iter() {
        tests.push(Test::new(format!("device::{name}"), move || back_ends_agree(name)));
    }
    harness::run(tests, 0, Vec::new)
}

fn agrees_with_the_host(row: &host::Row, target: Target) -> Outcome {
    let built = kernels(target)?;
    let operands = operands(row.name);
    let want: Vec<u64> = operands.iter().map(|&[x, y, z]| (row.run)(x, y, z)).collect();
    compare(&operands, &run(built, row.name, &operands)?, &want)
}

fn back_ends_agree(name: &str) -> Outcome {
    let operands = operands(name);
    let [first, others @ ..] = TARGETS;
    let want = run(kernels(first)?, name, &operands)?;
    others.iter().try_for_each(|&other| compare(&operands, &run(kernels(other)?, name, &operands)?, &want))
}

fn run(built: &Built, name: &str, operands: &[[u64; 3]]) -> Result<Vec<u64>, Stop> {
    built.run(&format!("k_{name}"), operands).map_err(Stop::Failed)
}

/// The first operands for which the results differ, and for how many they do.
pub fn compare(operands: &[[u64; 3]], got: &[u64], want: &[u64]) -> Outcome {
    let differ: Vec<usize> = (0..operands.len()).filter(|&at| got.get(at) != want.get(at)).collect();
    let Some(&at) = differ.first() else { return Ok(()) };
    fail(format!(
        "{:#x?}: got {:#x?}, want {:#x?}; {} of {} differ",
        operands[at],
        got.get(at),
        want.get(at),
        differ.len(),
        operands.len()
    ))
}

/// Operands for a test: the ends of the ranges, small numbers, floats of all kinds, random bits.
pub fn operands(name: &str) -> Vec<[u64; 3]> {
    const SPECIAL: [u64; 20] = [
        0,
        1,
        2,
        7,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x7fff_ffff_ffff_ffff,
        0x8000_0000_0000_0000,
        u64::MAX,
        0x7fc0_0000,
        0xff80_0000,
        0x7ff0_0000_0000_0000,
        0xfff8_0000_0000_0000,
    ];
    let mut random = generate::Random::new(name);
    let mut one = || match random.below(5) {
        0 => SPECIAL[random.below(SPECIAL.len() as u64) as usize],
        1 => random.below(300),
        // A single in the lower half and a double of about the same size.
        2 => {
            let value = (random.next() as i32 as f64) * 2f64.powi(random.below(60) as i32 - 40);
            if random.below(2) == 0 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
        }
        _ => random.next() >> random.below(64),
    };
    (0..THREADS).map(|_| [one(), one(), one()]).collect()
}

fn planted_differences_are_found() -> Outcome {
    expect_eq("device.rs was read", &(host::DEVICE.len() > 8), &true)?;
    let operands = operands("planted");
    let want: Vec<u64> = operands.iter().map(|&[x, ..]| x).collect();
    let mut got = want.clone();
    compare(&operands, &got, &want)?;
    got[THREADS - 1] ^= 1;
    match compare(&operands, &got, &want) {
        Err(_) => Ok(()),
        Ok(()) => fail("one bit off in the last thread went unnoticed"),
    }
}
