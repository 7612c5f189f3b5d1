//! Feature cross on a device: what is refused, any grid, more elements than 32 bits count.

use gpu_std::launch::{ContractError, DeviceSliceMut, LaunchShape, SafeKernel, launch};
use gpu_std::rows::RowExtent;
use gpu_std::{bf16, f16};
use host::ops::cross::{hadamard, hadamard_assign, hadamard_bwd};
use host::ops::{Executor, MatrixMut, MatrixRef, OpError, Scalar, Values, fill};
use host::runtime::{Buffer, Device, Error};
use host::validate::{POISON_BYTE, poison};
use kernels_gpu::cross::hadamard::{Hadamard, HadamardArgs};
use kernels_gpu::cross::hadamard_assign::{HadamardAssign, HadamardAssignArgs};
use kernels_gpu::cross::hadamard_assign_rows::{HadamardAssignRows, HadamardAssignRowsArgs};
use kernels_gpu::cross::hadamard_bwd::{HadamardBwd, HadamardBwdArgs};
use kernels_gpu::cross::hadamard_bwd_rows::{HadamardBwdRows, HadamardBwdRowsArgs};
use kernels_gpu::cross::hadamard_rows::{HadamardRows, HadamardRowsArgs};

use super::Check;
use crate::harness::{Outcome, Stop, expect_eq, fail};

/// The checks of this file.
pub fn checks() -> Vec<Check> {
    vec![
        on_device!("hadamard_f32::any_grid_covers_everything", any_grid_covers_everything::<f32, _>),
        on_device!("hadamard_f16::any_grid_covers_everything", any_grid_covers_everything::<f16, _>),
        on_device!("hadamard_f32::shapes_that_differ_are_refused", shapes_that_differ_are_refused),
        on_device!("hadamard_f32::overlap_is_refused", overlap_is_refused::<f32, _>),
        on_device!("hadamard_f16::overlap_is_refused", overlap_is_refused::<f16, _>),
        on_device!("hadamard_bf16::overlap_is_refused", overlap_is_refused::<bf16, _>),
        on_device!("hadamard_assign_f16::more_than_2_to_the_32_elements", more_than_2_to_the_32_elements),
    ]
}

/// Whether the device is the simulator.
fn is_simulated<D: Device>(device: &D) -> bool {
    device.info().driver == 0
}

/// The view of elements `start..start + len` of `whole`, beside whatever other views there are.
fn alias<'a, T: Scalar>(whole: &mut DeviceSliceMut<'a, T>, start: u64, len: u64) -> DeviceSliceMut<'a, T> {
    let addr = whole.addr() + start * size_of::<T>() as u64;
    // SAFETY: the memory is alive for 'a and in order of its space; the launches these views go to are refused, which is
    // what is tested, so nothing uses them.
    unsafe { DeviceSliceMut::from_raw(addr, len, whole.space()) }
}

fn overlap_is_refused<T, D>(device: &D) -> Outcome
where
    T: Scalar,
    D: Device,
    Hadamard<T>: for<'k> SafeKernel<Args<'k> = HadamardArgs<'k, T>>,
    HadamardRows<T>: for<'k> SafeKernel<Args<'k> = HadamardRowsArgs<'k, T>>,
    HadamardAssign<T>: for<'k> SafeKernel<Args<'k> = HadamardAssignArgs<'k, T>>,
    HadamardAssignRows<T>: for<'k> SafeKernel<Args<'k> = HadamardAssignRowsArgs<'k, T>>,
    HadamardBwd<T>: for<'k> SafeKernel<Args<'k> = HadamardBwdArgs<'k, T>>,
    HadamardBwdRows<T>: for<'k> SafeKernel<Args<'k> = HadamardBwdRowsArgs<'k, T>>,
{
    let n = 64;
    let mut buffer = device.upload(&fill::<T>(Values::Uniform, 1, 4 * n as usize))?;
    let before = device.download(buffer.as_slice())?;
    let mut whole = buffer.as_mut_slice();
    // The output one element into the input, the whole input, and the last element of it.
    for start in [1, 0, n - 1] {
        let input = alias(&mut whole, 0, n);
        let input = MatrixRef::new(input.as_slice(), 1, n)?;
        let mut output = |at| MatrixMut::new(alias(&mut whole, at, n), 1, n);
        refused("hadamard", hadamard(device, input, input, output(start)?))?;
        refused("hadamard_assign", hadamard_assign(device, input, output(start)?))?;
        let (da, db) = (output(2 * n)?, output(2 * n + start)?);
        refused("hadamard_bwd", hadamard_bwd(device, input, input, input, da, db))?;
    }
    device.synchronize()?;
    let after = device.download(buffer.as_slice())?;
    expect_eq("elements written", &changed(&before, &after), &0)
}

fn changed<T: Scalar>(before: &[T], after: &[T]) -> usize {
    before.iter().zip(after).filter(|(b, a)| b.bits() != a.bits()).count()
}

fn refused(op: &str, result: Result<(), Error>) -> Outcome {
    match result {
        Err(Error::Contract(ContractError::Overlap { .. })) => Ok(()),
        Err(other) => fail(format!("{op}: refused for another reason: {other}")),
        Ok(()) => fail(format!("{op}: operands that share memory were launched")),
    }
}

fn shapes_that_differ_are_refused<D: Device>(device: &D) -> Outcome {
    let a = device.upload(&[1.0_f32; 6])?;
    let mut y = device.upload(&[2.0_f32; 6])?;
    let left = MatrixRef::new(a.as_slice(), 2, 3)?;
    let right = MatrixRef::new(a.as_slice(), 3, 2)?;
    match hadamard(device, left, right, MatrixMut::new(y.as_mut_slice(), 2, 3)?) {
        Err(Error::Op(OpError::ShapeMismatch { left: "a", right: "b", .. })) => {}
        other => return fail(format!("got {other:?}")),
    }
    expect_eq("the output", &device.download(y.as_slice())?, &vec![2.0; 6])
}

/// Grids other than the one the op chooses: the kernel repeats until everything is covered.
fn any_grid_covers_everything<T, D>(device: &D) -> Outcome
where
    T: Scalar,
    D: Device,
    Hadamard<T>: for<'k> SafeKernel<Args<'k> = HadamardArgs<'k, T>>,
    HadamardRows<T>: for<'k> SafeKernel<Args<'k> = HadamardRowsArgs<'k, T>>,
{
    // Most of these blocks find nothing to do; the simulator takes their time all the same.
    let many = if is_simulated(device) { (20, 30, 1) } else { (200, 300, 1) };
    for (rows, cols, stride, offset) in [(1, 100_003, 100_003, 0), (300, 129, 136, 0), (2000, 3, 5, 1)] {
        let extent = RowExtent::new(rows, cols, T::LANES, kernels_gpu::cross::BLOCK);
        let len = offset + (rows - 1) * stride + cols;
        let (a, b) =
            (fill::<T>(Values::Uniform, 1, len as usize), fill::<T>(Values::Uniform, 2, len as usize));
        let (on_a, on_b) = (device.upload(&a)?, device.upload(&b)?);
        for grid in [(1, 1, 1), (3, 1, 1), (1, 2, 1), (5, 7, 1), (2, 3, 4), many] {
            let mut y = device.alloc::<T>(len)?;
            device.poison(y.as_mut_slice(), POISON_BYTE)?;
            let shape = LaunchShape::grid(grid);
            let (a_view, b_view) = (on_a.as_slice().slice(offset..len)?, on_b.as_slice().slice(offset..len)?);
            let y_view = y.as_mut_slice().slice(offset..len)?;
            if rows == 1 {
                let args = HadamardArgs { a: a_view, b: b_view, y: y_view };
                launch::<Hadamard<T>, D>(device, shape, &args)?;
            } else {
                let (stride_a, stride_b, stride_y) = (stride, stride, stride);
                let args = HadamardRowsArgs {
                    a: a_view,
                    b: b_view,
                    y: y_view,
                    stride_a,
                    stride_b,
                    stride_y,
                    extent,
                };
                launch::<HadamardRows<T>, D>(device, shape, &args)?;
            }
            let got = device.download(y.as_slice())?;
            for (i, got) in got.iter().enumerate() {
                let inside = (i as u64).checked_sub(offset).is_some_and(|at| at % stride < cols);
                let want = if inside { a[i] * b[i] } else { poison() };
                if got.bits() != want.bits() {
                    return fail(format!("{rows}x{cols}, grid {grid:?}: element {i} is {got}, want {want}"));
                }
            }
        }
    }
    Ok(())
}

/// 2^32 + 4099 elements: the flat index does not fit 32 bits.
fn more_than_2_to_the_32_elements<D: Device>(device: &D) -> Outcome {
    const N: u64 = (1 << 32) + 4099;
    // Bytes that make a small number and whose product is not the number itself.
    const BYTE: u8 = 0x3c;
    if is_simulated(device) {
        return Err(Stop::Elsewhere("hours in the simulator; the GPU runs it".to_owned()));
    }
    let needed = 2 * N * size_of::<f16>() as u64;
    if device.info().total_bytes < needed + (4 << 30) {
        let has = device.info().total_bytes >> 30;
        return Err(Stop::Skipped(format!(
            "it needs {} GiB of device memory, there are {has}",
            (needed >> 30) + 4
        )));
    }
    let (mut b, mut y) = (device.alloc::<f16>(N)?, device.alloc::<f16>(N)?);
    device.fill_bytes(b.as_mut_slice(), BYTE)?;
    device.fill_bytes(y.as_mut_slice(), BYTE)?;
    hadamard_assign(device, MatrixRef::new(b.as_slice(), 1, N)?, MatrixMut::new(y.as_mut_slice(), 1, N)?)?;
    let x = f16::from_bits(u16::from_le_bytes([BYTE, BYTE]));
    let want = (x * x).to_bits();
    for start in [0, 1 << 31, (1 << 32) - 4096, N - 4096] {
        let piece = device.download(y.as_slice().slice(start..start + 4096)?)?;
        if let Some(at) = piece.iter().position(|got| got.to_bits() != want) {
            return fail(format!(
                "element {}: got {}, want {}",
                start + at as u64,
                piece[at],
                f16::from_bits(want)
            ));
        }
    }
    Ok(())
}
