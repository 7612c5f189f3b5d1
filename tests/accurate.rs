//! The accurate functions of `gpu_std::math`: within their documented errors on the host, and with the same bits in the
//! simulator, from the PTX of both back ends, and on a GPU.
//!
//! `cpu::…`: a dense sweep against f64; `sim_llvm::…`, `sim_nvvm::…`, `gpu_llvm::…`, `gpu_nvvm::…`: device against host, as
//! in the differential tests. `cargo run --release -p tests --example ulp` sweeps more.

mod harness;
#[path = "differential/lane.rs"]
mod lane;

use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use gpu_std::launch::{Kernel, SafeKernel, launch};
use harness::{Outcome, Stop, Test, expect_eq, fail};
use host::error::Error;
use host::ops::Executor;
use host::runtime::{Buffer as _, Device, LaunchShape, Sim, Stream};
use kernels_gpu::probe::BLOCK;
use kernels_gpu::probe::math_f32::{
    Cos, Erf, Exp, Exp2, Function, Log, Log2, MathF32, MathF32Args, Pow, Sigmoid, Sin, Tanh,
};
use lane::Lane;
use tests::ulp::{ALL, Accurate, Worst, error};

/// Arguments per sign and exponent: on the host, in the simulator, on a GPU.
const PER_BINADE: [u32; 3] = [1 << 9, 1 << 8, 1 << 13];

/// Computes a function of a device for all pairs of arguments.
type Run<D> = fn(&D, &[f32], &[f32]) -> Result<Vec<f32>, Error>;

/// A function's name, and its kernel in the simulator and on a GPU.
type OnDevices = (&'static str, Run<Sim>, Run<Stream>);

/// Each function on the devices.
const ON_DEVICES: [OnDevices; ALL.len()] = [
    ("exp", on::<Exp, Sim>, on::<Exp, Stream>),
    ("exp2", on::<Exp2, Sim>, on::<Exp2, Stream>),
    ("log", on::<Log, Sim>, on::<Log, Stream>),
    ("log2", on::<Log2, Sim>, on::<Log2, Stream>),
    ("tanh", on::<Tanh, Sim>, on::<Tanh, Stream>),
    ("sigmoid", on::<Sigmoid, Sim>, on::<Sigmoid, Stream>),
    ("sin", on::<Sin, Sim>, on::<Sin, Stream>),
    ("cos", on::<Cos, Sim>, on::<Cos, Stream>),
    ("erf", on::<Erf, Sim>, on::<Erf, Stream>),
    ("pow", on::<Pow, Sim>, on::<Pow, Stream>),
];

/// What was measured, for the end of the run.
static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn main() -> ExitCode {
    let mut tests = vec![
        Test::new("planted_errors_are_found", planted_errors_are_found),
        Test::new("every_function_is_here", every_function_is_here),
        Test::new("the_documentation_says_the_same", the_documentation_says_the_same),
    ];
    for function in &ALL {
        tests.push(Test::new(format!("cpu::{}", function.name), || on_the_host(function)));
    }
    for (function, on) in ALL.iter().zip(ON_DEVICES) {
        for lane in [Lane::SimLlvm, Lane::SimNvvm, Lane::GpuLlvm, Lane::GpuNvvm] {
            tests.push(Test::new(format!("{lane}::{}", function.name), move || {
                on_a_device(function, lane, on)
            }));
        }
    }
    lane::skips().iter().for_each(|skip| println!("{skip}"));
    harness::run(tests, 0, notes)
}

fn notes() -> Vec<String> {
    let mut notes = NOTES.lock().unwrap_or_else(PoisonError::into_inner).clone();
    notes.sort();
    notes.extend(lane::skips());
    notes.extend(lane::notes());
    notes
}

fn every_function_is_here() -> Outcome {
    ALL.iter().zip(ON_DEVICES).try_for_each(|(function, (name, ..))| expect_eq("name", &function.name, &name))
}

/// The table in the documentation holds every function with its bound, and an error seen that is below.
fn the_documentation_says_the_same() -> Outcome {
    let text = include_str!("../crates/gpu-std/src/math/accurate/mod.rs");
    for Accurate { name, bound, .. } in &ALL {
        let start = format!("//! | [`{name}`] | {bound} | ");
        let Some(rest) = text.lines().find_map(|line| line.strip_prefix(&start)) else {
            return fail(format!("no row `{start}`"));
        };
        let seen: f64 = rest.split(' ').next().unwrap_or_default().parse()?;
        expect_eq(&format!("{name}: {seen} is at most {bound}"), &(0.5 < seen && seen <= *bound), &true)?;
    }
    Ok(())
}

fn on_the_host(function: &Accurate) -> Outcome {
    judge("cpu", function, function.worst(function.arguments(PER_BINADE[0])))
}

fn on_a_device(function: &Accurate, lane: Lane, (_, sim, gpu): OnDevices) -> Outcome {
    let worst = match lane.executor()? {
        Executor::Sim(device) => compare(function, PER_BINADE[1], |x, y| sim(&device, x, y)),
        Executor::Cuda(stream) => compare(function, PER_BINADE[2], |x, y| gpu(&stream, x, y)),
        other => fail(format!("{other} runs no kernels")),
    }?;
    lane.count(1);
    judge(lane.name(), function, worst)
}

/// Notes the largest error and compares it with what is documented.
fn judge(lane: &str, function: &Accurate, worst: Worst) -> Outcome {
    let note = format!("{lane}::{}: {worst}", function.name);
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).push(note.clone());
    if worst.ulps <= function.bound { Ok(()) } else { fail(format!("{note}; at most {}", function.bound)) }
}

/// Bits of the device against bits of the host; the largest error of both.
fn compare(
    function: &Accurate,
    per_binade: u32,
    run: impl FnOnce(&[f32], &[f32]) -> Result<Vec<f32>, Error>,
) -> Result<Worst, Stop> {
    let arguments: Vec<[f32; 2]> = function.arguments(per_binade).collect();
    let column = |at: usize| arguments.iter().map(|pair| pair[at]).collect::<Vec<f32>>();
    let got = run(&column(0), &column(1))?;
    expect_eq("number of results", &got.len(), &arguments.len())?;
    let differs = |(at, got): &(&[f32; 2], &f32)| !same((function.ours)(at[0], at[1]), **got);
    let mut different = arguments.iter().zip(&got).filter(differs);
    if let Some(([x, y], got)) = different.next() {
        let (want, more) = ((function.ours)(*x, *y), different.count());
        return fail(format!("{}({x:e}, {y:e}): got {got:e}, host {want:e}; {more} more", function.name));
    }
    let errors = arguments.iter().zip(got).map(|(at, got)| Worst { ulps: function.error(got, *at), at: *at });
    Ok(errors.fold(Worst::default(), Worst::or))
}

/// Whether both have the same bits or are NaN.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// The function of one kernel on a device.
fn on<F: Function, D: Device>(device: &D, x: &[f32], y: &[f32]) -> Result<Vec<f32>, Error>
where
    for<'a> MathF32<F>: SafeKernel + Kernel<Args<'a> = MathF32Args<'a, F>>,
{
    let (x, y, mut z) = (device.upload(x)?, device.upload(y)?, device.alloc(x.len() as u64)?);
    let args = MathF32Args {
        x: x.as_slice(),
        y: y.as_slice(),
        z: z.as_mut_slice(),
        instance: std::marker::PhantomData,
    };
    let blocks = x.len().div_ceil(u64::from(BLOCK)).clamp(1, 1 << 16) as u32;
    launch::<MathF32<F>, D>(device, LaunchShape::grid(blocks), &args)?;
    device.download(z.as_slice())
}

fn planted_errors_are_found() -> Outcome {
    let one_ulp_off = f32::from_bits(1f32.exp().to_bits() + 1);
    expect_eq("one ulp off", &(error(one_ulp_off, 1f64.exp()) > 0.5), &true)?;
    expect_eq("a flushed subnormal", &error(0.0, f64::from(f32::from_bits(3))), &3.0)?;
    for (got, exact) in [(f32::NAN, 1.0), (1.0, f64::NAN), (0.0, -0.0), (-0.0, 1e-300)] {
        expect_eq("error", &error(got, exact), &f64::INFINITY)?;
    }
    expect_eq("an overflow that is none", &error(f32::INFINITY, f32::MAX.into()), &1.0)?;
    expect_eq("an overflow", &error(f32::INFINITY, f64::MAX), &0.0)?;
    let wrong = |x: &[f32], y: &[f32]| {
        let mut results: Vec<f32> = x.iter().zip(y).map(|(x, y)| (ALL[0].ours)(*x, *y)).collect();
        results[77] = -results[77];
        Ok(results)
    };
    match compare(&ALL[0], 1, wrong) {
        Err(Stop::Failed(why)) if why.contains("0 more") => Ok(()),
        other => fail(format!("one wrong sign: {other:?}")),
    }
}
