//! Is the simulator right? Small PTX programs of every instruction family, with the outputs an H200 gave for them.
//!
//! `covers::…`: there is a program for whatever gpu-std wraps. `stored::…`: the stored outputs belong to today's programs.
//! `pending::…`: those of which nothing is stored yet. `bounds::…`: what the H200's approximate functions and sums of products
//! gave lies within the documented errors. `models::…`, `naive::…`: the simulator gives what a naive model of the matrix
//! instructions does. `sim::…`: the simulator gives what is stored, bit for bit or within these errors. `gpu::…`: a GPU, where
//! there is one, does.
//!
//! `--record DIR [FAMILY…]` runs the programs on GPU 0 and writes the files of `golden/sim`; `--texts DIR` writes every PTX
//! text; `--show FAMILY NAME` prints operands and stored results of a program.

#[path = "golden/approx.rs"]
mod approx;
#[allow(dead_code, reason = "what the documentation says is compared in instructions.rs")]
mod approximate;
#[path = "golden/compare.rs"]
mod compare;
#[path = "golden/coverage.rs"]
mod coverage;
#[path = "golden/device.rs"]
mod device;
#[path = "golden/flights.rs"]
mod flights;
mod harness;
#[path = "golden/inputs.rs"]
mod inputs;
#[path = "golden/map.rs"]
mod map;
mod matrices;
#[path = "golden/matrix.rs"]
mod matrix;
#[path = "golden/program.rs"]
mod program;
#[path = "golden/record.rs"]
mod record;
#[path = "golden/simulator.rs"]
mod simulator;
#[path = "golden/store.rs"]
mod store;
#[path = "golden/table.rs"]
mod table;
#[path = "golden/types.rs"]
mod types;
#[path = "golden/wgmma.rs"]
mod wgmma;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use harness::{Outcome, Stop, Test, expect_eq, fail};
use host::error::Error;
use host::runtime::Gpu;
use program::Program;
use store::Family;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--record", folder, families @ ..] => done(record::outputs(Path::new(folder), families)),
        ["--texts", folder] => done(record::texts(Path::new(folder))),
        ["--show", family, name] => done(record::show(family, name)),
        _ => match program::all() {
            Ok(programs) => harness::run(tests(programs), 0, notes),
            Err(error) => done(Err(error)),
        },
    }
}

/// Programs that gave what is stored, in the simulator and on the GPU.
static AGREED: [AtomicUsize; 2] = [const { AtomicUsize::new(0) }; 2];

fn notes() -> Vec<String> {
    let agreed = AGREED.each_ref().map(|count| count.load(Ordering::Relaxed));
    let places = ["the simulator", "the GPU"].into_iter().zip(agreed).filter(|(_, count)| *count > 0);
    places.map(|(place, count)| format!("{count} programs give on {place} what is stored")).collect()
}

fn done(result: Result<String, String>) -> ExitCode {
    match result {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn tests(programs: Vec<Program>) -> Vec<Test> {
    let mut tests = Vec::new();
    let covered = coverage::of_wrappers(&programs);
    tests.push(Test::new("covers::what_gpu_std_wraps", move || outcome(covered)));
    let (pending, programs): (Vec<Program>, Vec<Program>) =
        programs.into_iter().partition(record::is_pending);
    let forms = coverage::of_wrappers(&programs);
    tests.push(Test::new("pending::forms_without_a_stored_output", move || match forms {
        Err(forms) => Err(Stop::Skipped(format!("nothing is recorded yet: {}", forms.replace('\n', "; ")))),
        Ok(()) => Ok(()),
    }));
    let listed: usize = record::NOT_RECORDED.iter().map(|(_, names)| names.len()).sum();
    let found = pending.len();
    tests.push(Test::new("pending::are_all_programs", move || expect_eq("pending", &found, &listed)));
    tests.extend(pending.into_iter().map(|program| {
        let name = format!("pending::{}::{}", program.family, program.name);
        Test::new(name, move || runs_without_findings(&program))
    }));
    let programs: &'static [Program] = programs.leak();
    for family in program::families() {
        let ours = move || programs.iter().filter(move |program| program.family == family);
        tests.push(Test::new(format!("stored::{family}"), move || outcome(all_are_stored(family, ours()))));
        tests.push(Test::new(format!("gpu::{family}"), move || on_gpu(family, ours())));
        let groups: BTreeSet<&str> = ours().map(Program::group).collect();
        for group in groups {
            let ours = ours().filter(move |program| program.group() == group);
            tests.push(Test::new(format!("sim::{family}::{group}"), move || {
                outcome(in_simulator(family, ours))
            }));
        }
    }
    tests.push(Test::new("naive::wgmma", || outcome(wgmma::the_simulator_agrees())));
    tests.push(Test::new("checks::flipped_bits_are_found", || flipped_bits_are_found(programs)));
    tests.push(Test::new("checks::another_text_is_stale", || another_text_is_stale(programs)));
    tests.push(Test::new("checks::records_survive_packing", records_survive_packing));
    for program in programs.iter().filter(|program| matrix::FAMILIES.contains(&program.family)) {
        let name = format!("models::{}::{}", program.family, program.name);
        tests.push(Test::new(name, move || outcome(matrix::simulator_agrees(program))));
    }
    for program in
        programs.iter().filter(|program| [approx::FAMILY, matrix::FLOATS].contains(&program.family))
    {
        let name = format!("bounds::{}", program.name);
        tests.push(Test::new(name, move || outcome(hardware_is_within_bounds(program))));
    }
    tests
}

fn outcome(result: Result<(), String>) -> Outcome {
    result.map_err(Stop::Failed)
}

/// The stored outputs of a family, part of this program.
fn family(name: &str) -> Result<Family, String> {
    let stored = record::STORED.iter().find(|(family, _)| *family == name);
    let (_, packed) = stored.ok_or_else(|| format!("{name}: no stored outputs"))?;
    store::unpack(packed).map_err(|why| format!("{name}: {why}"))
}

/// The stored outputs of the family of a program, unpacked once.
fn family_of(program: &Program) -> Result<&'static Family, Stop> {
    static FAMILIES: OnceLock<Result<BTreeMap<&'static str, Family>, String>> = OnceLock::new();
    let families =
        FAMILIES.get_or_init(|| program::families().map(|name| Ok((name, family(name)?))).collect());
    let families = families.as_ref().map_err(|why| Stop::Failed(why.clone()))?;
    families.get(program.family).ok_or_else(|| Stop::Failed(format!("{}: no stored outputs", program.family)))
}

fn all_are_stored<'a>(name: &str, programs: impl Iterator<Item = &'a Program>) -> Result<(), String> {
    let family = family(name)?;
    let mut names = BTreeSet::new();
    for program in programs {
        if !names.insert(program.name.as_str()) {
            return Err(format!("{name}: two programs are named {}", program.name));
        }
        compare::stored(&family, program)?;
    }
    match family.keys().find(|stored| !names.contains(stored.as_str())) {
        Some(orphan) => Err(format!("{name}: {orphan} is stored and no program")),
        None if names.is_empty() => Err(format!("{name}: no programs")),
        None => Ok(()),
    }
}

fn hardware_is_within_bounds(program: &Program) -> Result<(), String> {
    let family = family(program.family)?;
    let record = compare::stored(&family, program)?;
    compare::outputs(program, &record.output, record)
}

/// The simulator finds nothing wrong with a program of which nothing is stored yet, and gives the same in two orders.
fn runs_without_findings(program: &Program) -> Outcome {
    let run = |seed| simulator::run(program, seed).map_err(Stop::Failed);
    expect_eq("the outputs of two orders", &run(0)?, &run(7)?)?;
    Err(Stop::Skipped("runs in the simulator; nothing is recorded of it yet".to_owned()))
}

/// In every program: both highest bits of the last byte, which makes a NaN a number too.
fn flipped_bits_are_found(programs: &[Program]) -> Outcome {
    for program in programs {
        let family = family_of(program)?;
        let Some(record) = family.get(&program.name) else { return fail(&program.name) };
        let mut got = record.output.clone();
        if let Some(byte) = got.last_mut() {
            *byte ^= 0xc0;
        }
        if compare::outputs(program, &got, record).is_ok() {
            return fail(format!("{}: not found", program.name));
        }
    }
    Ok(())
}

fn another_text_is_stale(programs: &[Program]) -> Outcome {
    let Some(program) = programs.first() else { return fail("no programs") };
    let family = family_of(program)?;
    compare::stored(family, program).map_err(Stop::Failed)?;
    let mut other = program.clone();
    other.text.push('\n');
    let text = match compare::stored(family, &other) {
        Err(said) => said.contains("record anew"),
        Ok(_) => false,
    };
    let mut other = program.clone();
    other.input[0] ^= 1;
    let input = compare::stored(family, &other).is_err();
    expect_eq("stale of text and of input", &(text, input), &(true, true))
}

fn records_survive_packing() -> Outcome {
    let family = family("contended").map_err(Stop::Failed)?;
    let packed = store::pack(&family)?;
    expect_eq("unpacked", &store::unpack(&packed).map_err(Stop::Failed)?, &family)?;
    expect_eq("cut off", &store::unpack(&packed[..packed.len() - 9]).is_err(), &true)
}

/// Runs the programs of a family on GPU 0.
fn on_gpu<'a>(name: &str, programs: impl Iterator<Item = &'a Program>) -> Outcome {
    let gpu = gpu()?;
    let (family, stream) = (family(name).map_err(Stop::Failed)?, gpu.stream()?);
    for program in programs {
        if gpu.info().compute < program.compute() {
            continue;
        }
        let record = compare::stored(&family, program).map_err(Stop::Failed)?;
        let got = device::run(gpu, &stream, program)?;
        outcome(compare::outputs(program, &got, record))?;
        AGREED[1].fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

/// Runs programs in the simulator, with warps in order and in an order of its own; says every one that differs.
fn in_simulator<'a>(name: &str, programs: impl Iterator<Item = &'a Program>) -> Result<(), String> {
    let family = family(name)?;
    let programs: Vec<&Program> = programs.collect();
    // One stale record says it all.
    for program in &programs {
        compare::stored(&family, program)?;
    }
    let one = |program: &Program, seed| {
        let record = compare::stored(&family, program)?;
        compare::outputs(program, &simulator::run(program, seed)?, record)
    };
    let mut wrong = Vec::new();
    for program in programs {
        match one(program, 0).and_then(|()| one(program, 7)) {
            Ok(()) => _ = AGREED[0].fetch_add(1, Ordering::Relaxed),
            Err(why) => wrong.push(why),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// GPU 0, opened once.
fn gpu() -> Result<&'static Gpu, Stop> {
    static GPU: OnceLock<Result<Gpu, Error>> = OnceLock::new();
    match GPU.get_or_init(|| Gpu::open(0)) {
        Ok(gpu) => Ok(gpu),
        Err(Error::NoDriver { .. }) => Err(Stop::Skipped("no CUDA driver".to_owned())),
        Err(Error::NoDevice { .. }) => Err(Stop::Skipped("no CUDA device".to_owned())),
        Err(error) => fail(error),
    }
}
