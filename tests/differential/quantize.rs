//! Quantizers on a device: what is refused, what is counted, and more elements than 31 bits count.

use gpu_std::f16;
use gpu_std::launch::ContractError;
use host::ops::cross::hadamard;
use host::ops::quantize::{
    NonFinite, Quantizable, QuantizeError, RowSteps, hadamard_quantize, quantize_rows,
};
use host::ops::{Executor, MatrixMut, MatrixRef, OpError, Values, fill};
use host::runtime::{Buffer, Device, Error};

use super::Check;
use crate::harness::{Outcome, Stop, expect_eq, fail};

/// The checks of this file.
pub fn checks() -> Vec<Check> {
    vec![
        on_device!("quantize_rows_f32::values_that_are_not_finite_are_refused", not_finite_is_refused),
        on_device!("quantize_rows_f32::wrong_operands_are_refused", wrong_operands_are_refused),
        on_device!("quantize_rows_f16::more_than_2_to_the_31_elements", more_than_2_to_the_31_elements),
        on_device!("hadamard_quantize_f16::same_bits_as_two_calls", same_bits_as_two_calls),
    ]
}

/// Codes and scales of rows without gaps.
fn quantized<T: Quantizable, D: Device>(
    device: &D,
    x: MatrixRef<'_, T>,
    non_finite: NonFinite<'_>,
) -> Result<(Vec<i8>, Vec<f32>), Error> {
    let layout = x.layout();
    let (mut codes, mut scales) =
        (device.alloc::<i8>(layout.elements())?, device.alloc::<f32>(layout.rows())?);
    let target = MatrixMut::new(codes.as_mut_slice(), layout.rows(), layout.cols())?;
    let steps = RowSteps { scales: scales.as_mut_slice(), zeros: None, sums: None };
    quantize_rows(device, x, target, steps, non_finite)?;
    Ok((device.download(codes.as_slice())?, device.download(scales.as_slice())?))
}

fn not_finite_is_refused<D: Device>(device: &D) -> Outcome {
    let mut data: Vec<f32> = fill(Values::Uniform, 1, 600);
    (data[3], data[299], data[450]) = (f32::NAN, f32::INFINITY, f32::NEG_INFINITY);
    let x = device.upload(&data)?;
    let rows = || MatrixRef::new(x.as_slice(), 3, 200);
    match quantized(device, rows()?, NonFinite::Refuse) {
        Err(Error::Op(OpError::Quantize(QuantizeError::NotFinite { count: 3, elements: 600, .. }))) => {}
        other => return fail(format!("got {other:?}")),
    }
    let mut count = device.upload(&[77_u64])?;
    let (codes, scales) = quantized(device, rows()?, NonFinite::Count(count.as_mut_slice()))?;
    expect_eq("the count", &device.download(count.as_slice())?, &vec![3])?;
    expect_eq("codes that are not 0", &codes.iter().filter(|code| **code != 0).count(), &0)?;
    expect_eq("scales that are NaN", &scales.iter().filter(|scale| scale.is_nan()).count(), &3)?;
    // The rows between are finite again.
    let finite = MatrixRef::new(x.as_slice().slice(4..204)?, 2, 100)?;
    quantized(device, finite, NonFinite::Refuse).map(|_| ()).map_err(Stop::from)
}

fn wrong_operands_are_refused<D: Device>(device: &D) -> Outcome {
    let x = device.upload(&[1.0_f32; 6])?;
    let (mut codes, mut scales) = (device.upload(&[7_i8; 6])?, device.upload(&[2.0_f32; 3])?);
    let view = || MatrixRef::new(x.as_slice(), 2, 3);
    let steps = RowSteps { scales: scales.as_mut_slice(), zeros: None, sums: None };
    let target = MatrixMut::new(codes.as_mut_slice(), 2, 3)?;
    match quantize_rows(device, view()?, target, steps, NonFinite::Propagate) {
        Err(Error::Op(OpError::Quantize(QuantizeError::Length {
            name: "scales", got: 3, want: 2, ..
        }))) => {}
        other => return fail(format!("got {other:?}")),
    }
    let steps = RowSteps { scales: scales.as_mut_slice().slice(0..2)?, zeros: None, sums: None };
    let target = MatrixMut::new(codes.as_mut_slice(), 3, 2)?;
    match quantize_rows(device, view()?, target, steps, NonFinite::Propagate) {
        Err(Error::Op(OpError::ShapeMismatch { left: "x", right: "codes", .. })) => {}
        other => return fail(format!("got {other:?}")),
    }
    // The zero points in the memory of the sums.
    let mut ints = device.upload(&[5_i32; 2])?;
    let mut zeros = ints.as_mut_slice();
    // SAFETY: the launch these views go to is refused, which is what is tested, so nothing uses them.
    let sums = unsafe { gpu_std::launch::DeviceSliceMut::from_raw(zeros.addr(), 2, zeros.space()) };
    let mut count = device.upload(&[77_u64])?;
    let scale_view = scales.as_mut_slice().slice(0..2)?;
    let steps = RowSteps { scales: scale_view, zeros: Some(zeros.reborrow()), sums: Some(sums) };
    let target = MatrixMut::new(codes.as_mut_slice(), 2, 3)?;
    match quantize_rows(device, view()?, target, steps, NonFinite::Count(count.as_mut_slice())) {
        Err(Error::Contract(ContractError::Overlap { .. })) => {}
        other => return fail(format!("got {other:?}")),
    }
    expect_eq("the count", &device.download(count.as_slice())?, &vec![77])?;
    expect_eq("the codes", &device.download(codes.as_slice())?, &vec![7; 6])
}

fn same_bits_as_two_calls<D: Device>(device: &D) -> Outcome {
    for (rows, cols) in [(5, 13), (3, 1000), (2, 8300)] {
        let len = (rows * cols) as usize;
        let upload = |seed| device.upload(&fill::<f16>(Values::Uniform, seed, len));
        let (a, b, mut y) = (upload(1)?, upload(2)?, device.alloc::<f16>(rows * cols)?);
        let (a, b) = (MatrixRef::new(a.as_slice(), rows, cols)?, MatrixRef::new(b.as_slice(), rows, cols)?);
        hadamard(device, a, b, MatrixMut::new(y.as_mut_slice(), rows, cols)?)?;
        let (want, want_scales) =
            quantized(device, MatrixRef::new(y.as_slice(), rows, cols)?, NonFinite::Refuse)?;
        let (mut codes, mut scales) = (device.alloc::<i8>(rows * cols)?, device.alloc::<f32>(rows)?);
        let target = MatrixMut::new(codes.as_mut_slice(), rows, cols)?;
        hadamard_quantize(device, a, b, target, scales.as_mut_slice(), None, NonFinite::Refuse)?;
        expect_eq("scales", &device.download(scales.as_slice())?, &want_scales)?;
        expect_eq("codes", &device.download(codes.as_slice())?, &want)?;
    }
    Ok(())
}

/// 2^31 + 2^15 elements: neither the input's nor the codes' places fit 31 bits. The last rows have the bits of a call on them
/// alone.
fn more_than_2_to_the_31_elements<D: Device>(device: &D) -> Outcome {
    const COLS: u64 = 1 << 15;
    const ROWS: u64 = (1 << 16) + 1;
    if device.info().driver == 0 {
        return Err(Stop::Elsewhere("hours in the simulator; the GPU runs it".to_owned()));
    }
    let needed = ROWS * COLS * 3;
    if device.info().total_bytes < needed + (4 << 30) {
        let (needed, has) = ((needed >> 30) + 4, device.info().total_bytes >> 30);
        return Err(Stop::Skipped(format!("it needs {needed} GiB of device memory, there are {has}")));
    }
    let mut x = device.alloc::<f16>(ROWS * COLS)?;
    device.fill_bytes(x.as_mut_slice(), 0x3c)?;
    let last: Vec<f16> = fill(Values::Uniform, 1, COLS as usize);
    device.write(&last, x.as_mut_slice().slice((ROWS - 1) * COLS..ROWS * COLS)?)?;
    let (mut codes, mut scales) = (device.alloc::<i8>(ROWS * COLS)?, device.alloc::<f32>(ROWS)?);
    let target = MatrixMut::new(codes.as_mut_slice(), ROWS, COLS)?;
    let steps = RowSteps { scales: scales.as_mut_slice(), zeros: None, sums: None };
    quantize_rows(device, MatrixRef::new(x.as_slice(), ROWS, COLS)?, target, steps, NonFinite::Refuse)?;
    let alone = device.upload(&last)?;
    let (want, want_scales) =
        quantized(device, MatrixRef::new(alone.as_slice(), 1, COLS)?, NonFinite::Refuse)?;
    let row = codes.as_slice().slice((ROWS - 1) * COLS..ROWS * COLS)?;
    expect_eq("the last scale", &device.download(scales.as_slice().slice(ROWS - 1..ROWS)?)?, &want_scales)?;
    expect_eq("the last row", &device.download(row)?, &want)
}
