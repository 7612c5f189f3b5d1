//! Arguments that no op gives a kernel. Those that it refuses with a trap: lengths that differ, rows that reach past the end of
//! an operand, rows of an output that overlap. Those that it takes: rows in any tiling. In the simulator alone: on a GPU a trap
//! ends every launch of the process.

use gpu_std::launch::{Kernel, LaunchShape, Launcher};
use gpu_std::rows::RowExtent;
use gpu_std::{bf16, f16};
use host::error::Error;
use host::ops::{Executor, Scalar, Values, fill};
use host::runtime::{Buffer as _, Device as _, Sim, SimBuffer};
use host::sim::FindingKind;
use kernels_gpu::cross::BLOCK;
use kernels_gpu::cross::hadamard::{Hadamard, HadamardArgs};
use kernels_gpu::cross::hadamard_assign::{HadamardAssign, HadamardAssignArgs};
use kernels_gpu::cross::hadamard_assign_rows::{HadamardAssignRows, HadamardAssignRowsArgs};
use kernels_gpu::cross::hadamard_bwd::{HadamardBwd, HadamardBwdArgs};
use kernels_gpu::cross::hadamard_bwd_rows::{HadamardBwdRows, HadamardBwdRowsArgs};
use kernels_gpu::cross::hadamard_rows::{HadamardRows, HadamardRowsArgs};

use super::{Check, Checked};
use crate::harness::{Stop, fail};

/// Operands of one launch, inputs first, and whether the kernel refuses them.
#[derive(Clone, Debug)]
struct Launch {
    lens: Vec<u64>,
    strides: Vec<u64>,
    extent: RowExtent,
    refused: bool,
}

/// The operands in memory.
struct Memory<T: Scalar> {
    inputs: Vec<SimBuffer<T>>,
    outputs: Vec<SimBuffer<T>>,
}

/// Launches a kernel on the operands.
type Run<T> = fn(&Sim, &Launch, &mut Memory<T>) -> Result<(), Error>;

macro_rules! checks {
    ($($ty:ident $name:literal;)*) => {
        vec![$(
            check::<$ty>(concat!("hadamard_", $name, "::refusals"), 2, 1, hadamard::<$ty>, hadamard_rows::<$ty>),
            check::<$ty>(
                concat!("hadamard_assign_", $name, "::refusals"),
                1,
                1,
                hadamard_assign::<$ty>,
                hadamard_assign_rows::<$ty>,
            ),
            check::<$ty>(
                concat!("hadamard_bwd_", $name, "::refusals"),
                3,
                2,
                hadamard_bwd::<$ty>,
                hadamard_bwd_rows::<$ty>,
            ),
        )*]
    };
}

/// The checks of this file.
pub fn checks() -> Vec<Check> {
    checks! { f32 "f32"; f16 "f16"; bf16 "bf16"; }
}

fn check<T: Scalar>(name: &str, inputs: usize, outputs: usize, slices: Run<T>, rows: Run<T>) -> Check {
    Check::on_device(name, move |executor| {
        let Executor::Sim(sim) = executor else {
            return Err(Stop::Elsewhere("a trap on a GPU ends every launch of the process".to_owned()));
        };
        let of_slices = slice_launches(inputs + outputs);
        let of_rows = row_launches::<T>(inputs, outputs);
        let tilings = any_tiling(sim, inputs, rows, &of_rows[0])?;
        Ok(all(sim, inputs, slices, &of_slices)? + all(sim, inputs, rows, &of_rows)? + tilings)
    })
}

fn all<T: Scalar>(sim: &Sim, inputs: usize, run: Run<T>, launches: &[Launch]) -> Checked {
    for launch in launches {
        let mut memory = place::<T>(sim, inputs, launch)?;
        match run(sim, launch, &mut memory) {
            Ok(()) if !launch.refused => {}
            Err(Error::SimFindings { findings, .. })
                if launch.refused && findings.0.iter().all(|f| f.kind == FindingKind::Trap) =>
            {
                if contents(sim, &memory)? != contents(sim, &place::<T>(sim, inputs, launch)?)? {
                    return fail(format!("refused, and yet written: {launch:?}"));
                }
            }
            Ok(()) => return fail(format!("not refused: {launch:?}")),
            Err(error) => return fail(format!("{error}\n{launch:?}")),
        }
    }
    Ok(launches.len() as u64)
}

fn place<T: Scalar>(sim: &Sim, inputs: usize, launch: &Launch) -> Result<Memory<T>, Error> {
    let (mut memory, mut seed) = (Memory { inputs: Vec::new(), outputs: Vec::new() }, 0);
    for &len in &launch.lens[..inputs] {
        seed += 1;
        memory.inputs.push(sim.upload(&fill::<T>(Values::Uniform, seed, len as usize))?);
    }
    for &len in &launch.lens[inputs..] {
        seed += 1;
        memory.outputs.push(sim.upload(&fill::<T>(Values::Uniform, seed, len as usize))?);
    }
    Ok(memory)
}

/// The bits of all outputs.
fn contents<T: Scalar>(sim: &Sim, memory: &Memory<T>) -> Result<Vec<Vec<u64>>, Error> {
    let bits =
        |output: &SimBuffer<T>| Ok(sim.download(output.as_slice())?.iter().map(|x| x.bits()).collect());
    memory.outputs.iter().map(bits).collect()
}

/// Threads side by side along a row, few and more than the block has: the outputs stay the same.
fn any_tiling<T: Scalar>(sim: &Sim, inputs: usize, run: Run<T>, launch: &Launch) -> Checked {
    let result = |log2_tx| {
        let launch = Launch { extent: RowExtent { log2_tx, ..launch.extent }, ..launch.clone() };
        let mut memory = place::<T>(sim, inputs, &launch)?;
        run(sim, &launch, &mut memory)?;
        contents(sim, &memory)
    };
    let want = result(launch.extent.log2_tx)?;
    let tilings = [0, 1, 5, 8, 9, 31, 32, u32::MAX];
    for log2_tx in tilings {
        if result(log2_tx)? != want {
            return fail(format!("log2_tx {log2_tx} gives other results than {launch:?}"));
        }
    }
    Ok(tilings.len() as u64)
}

/// Lengths that differ in one operand.
fn slice_launches(operands: usize) -> Vec<Launch> {
    let extent = RowExtent { rows: 1, cols: 100, log2_tx: 0, reserved: 0 };
    let same = Launch { lens: vec![100; operands], strides: vec![0; operands], extent, refused: false };
    let mut launches = vec![same.clone()];
    for operand in 0..operands {
        // The kernels' two ways: at a 16-byte boundary with a whole chunk for the first thread, and without.
        for (all, len) in [(100, 99), (100, 101), (1, 0), (0, 1)] {
            let mut launch = Launch { lens: vec![all; operands], refused: true, ..same.clone() };
            launch.lens[operand] = len;
            launches.push(launch);
        }
    }
    launches
}

/// Rows that fit exactly, and rows that do not.
fn row_launches<T: Scalar>(inputs: usize, outputs: usize) -> Vec<Launch> {
    let (rows, cols, stride) = (3, 70, 80);
    let operands = inputs + outputs;
    let of = |rows, cols, stride, len| Launch {
        lens: vec![len; operands],
        strides: vec![stride; operands],
        extent: RowExtent::new(rows, cols, T::LANES, BLOCK),
        refused: false,
    };
    let fits = of(rows, cols, stride, 2 * stride + cols);
    // One row, or none, needs no stride; nothing is refused where there is nothing to do.
    let mut launches = vec![
        fits.clone(),
        of(1, cols, 0, cols),
        of(0, cols, 0, 0),
        of(0, cols, stride, 0),
        of(rows, 0, 0, 0),
        of(rows, 0, stride, 0),
    ];
    let mut refuse = |good: &Launch, operand: usize, stride: u64, len: u64| {
        let mut launch = Launch { refused: true, ..good.clone() };
        (launch.strides[operand], launch.lens[operand]) = (stride, len);
        launches.push(launch);
    };
    let (one_col, two_rows) = (of(rows, 1, stride, 2 * stride + 1), of(2, cols, stride, stride + cols));
    for operand in 0..operands {
        for good in [&fits, &one_col, &two_rows, &of(1, cols, 0, cols)] {
            refuse(good, operand, good.strides[operand], good.lens[operand] - 1);
        }
        // What lies between the first and the last row overflows; so does what comes with the last row's elements.
        refuse(&fits, operand, 1 << 63, fits.lens[operand]);
        refuse(&fits, operand, u64::MAX / 2 - 4, fits.lens[operand]);
    }
    for output in inputs..operands {
        refuse(&fits, output, cols - 1, fits.lens[output]);
        refuse(&two_rows, output, cols - 1, two_rows.lens[output]);
    }
    launches
}

/// Launches past the checks of the host.
fn launch<K: Kernel>(sim: &Sim, args: &K::Args<'_>) -> Result<(), Error> {
    let shape = LaunchShape::grid(1).check::<K>()?;
    // SAFETY: simulated memory; the simulator checks every access.
    unsafe { sim.launch_checked::<K>(shape, args) }
}

fn hadamard<T: Scalar>(sim: &Sim, _: &Launch, memory: &mut Memory<T>) -> Result<(), Error>
where
    Hadamard<T>: for<'k> Kernel<Args<'k> = HadamardArgs<'k, T>>,
{
    let ([a, b], [y]) = (&memory.inputs[..], &mut memory.outputs[..]) else { return Ok(()) };
    let args = HadamardArgs { a: a.as_slice(), b: b.as_slice(), y: y.as_mut_slice() };
    launch::<Hadamard<T>>(sim, &args)
}

fn hadamard_rows<T: Scalar>(sim: &Sim, given: &Launch, memory: &mut Memory<T>) -> Result<(), Error>
where
    HadamardRows<T>: for<'k> Kernel<Args<'k> = HadamardRowsArgs<'k, T>>,
{
    let ([a, b], [y]) = (&memory.inputs[..], &mut memory.outputs[..]) else { return Ok(()) };
    let args = HadamardRowsArgs {
        a: a.as_slice(),
        b: b.as_slice(),
        y: y.as_mut_slice(),
        stride_a: given.strides[0],
        stride_b: given.strides[1],
        stride_y: given.strides[2],
        extent: given.extent,
    };
    launch::<HadamardRows<T>>(sim, &args)
}

fn hadamard_assign<T: Scalar>(sim: &Sim, _: &Launch, memory: &mut Memory<T>) -> Result<(), Error>
where
    HadamardAssign<T>: for<'k> Kernel<Args<'k> = HadamardAssignArgs<'k, T>>,
{
    let ([b], [y]) = (&memory.inputs[..], &mut memory.outputs[..]) else { return Ok(()) };
    launch::<HadamardAssign<T>>(sim, &HadamardAssignArgs { b: b.as_slice(), y: y.as_mut_slice() })
}

fn hadamard_assign_rows<T: Scalar>(sim: &Sim, given: &Launch, memory: &mut Memory<T>) -> Result<(), Error>
where
    HadamardAssignRows<T>: for<'k> Kernel<Args<'k> = HadamardAssignRowsArgs<'k, T>>,
{
    let ([b], [y]) = (&memory.inputs[..], &mut memory.outputs[..]) else { return Ok(()) };
    let args = HadamardAssignRowsArgs {
        b: b.as_slice(),
        y: y.as_mut_slice(),
        stride_b: given.strides[0],
        stride_y: given.strides[1],
        extent: given.extent,
    };
    launch::<HadamardAssignRows<T>>(sim, &args)
}

fn hadamard_bwd<T: Scalar>(sim: &Sim, _: &Launch, memory: &mut Memory<T>) -> Result<(), Error>
where
    HadamardBwd<T>: for<'k> Kernel<Args<'k> = HadamardBwdArgs<'k, T>>,
{
    let ([dy, a, b], [da, db]) = (&memory.inputs[..], &mut memory.outputs[..]) else { return Ok(()) };
    let args = HadamardBwdArgs {
        dy: dy.as_slice(),
        a: a.as_slice(),
        b: b.as_slice(),
        da: da.as_mut_slice(),
        db: db.as_mut_slice(),
    };
    launch::<HadamardBwd<T>>(sim, &args)
}

fn hadamard_bwd_rows<T: Scalar>(sim: &Sim, given: &Launch, memory: &mut Memory<T>) -> Result<(), Error>
where
    HadamardBwdRows<T>: for<'k> Kernel<Args<'k> = HadamardBwdRowsArgs<'k, T>>,
{
    let ([dy, a, b], [da, db]) = (&memory.inputs[..], &mut memory.outputs[..]) else { return Ok(()) };
    let args = HadamardBwdRowsArgs {
        dy: dy.as_slice(),
        a: a.as_slice(),
        b: b.as_slice(),
        da: da.as_mut_slice(),
        db: db.as_mut_slice(),
        stride_dy: given.strides[0],
        stride_a: given.strides[1],
        stride_b: given.strides[2],
        stride_da: given.strides[3],
        stride_db: given.strides[4],
        extent: given.extent,
    };
    launch::<HadamardBwdRows<T>>(sim, &args)
}
