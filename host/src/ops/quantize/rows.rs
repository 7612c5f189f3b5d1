//! Rows quantized by the range of each: the calls on a device.

use gpu_std::launch::DeviceSliceMut;

use super::config::{Place, RowsProblem, parts};
use super::kernels::{RowsArgs, RowsKernel};
use super::{Quantizable, QuantizeError};
use crate::backend::{Buffer as _, Device};
use crate::error::Error;
use crate::ops::{MatrixMut, MatrixRef, check_shapes};

/// What becomes of NaN and infinities. A row that has one gets scale NaN, zero point 0 and codes 0 in any case.
#[derive(Debug)]
pub enum NonFinite<'a> {
    /// They are an error with their number, [`QuantizeError::NotFinite`]. The call waits for the launch.
    Refuse,
    /// The row's scale tells of them. The call does not wait.
    Propagate,
    /// As [`NonFinite::Propagate`], and their number becomes the element of this view.
    Count(DeviceSliceMut<'a, u64>),
}

impl<'a> NonFinite<'a> {
    /// [`NonFinite::Count`] where there is an element to count in, else [`NonFinite::Propagate`].
    pub(super) fn counted(view: DeviceSliceMut<'a, u64>) -> Self {
        if view.is_empty() { Self::Propagate } else { Self::Count(view) }
    }
}

/// What each row has one of.
#[derive(Debug)]
pub struct RowSteps<'a> {
    /// Scales, one per row: above 0, or NaN for a row that is not finite.
    pub scales: DeviceSliceMut<'a, f32>,
    /// Zero points, one per row; their presence asks for asymmetric codes.
    pub zeros: Option<DeviceSliceMut<'a, i32>>,
    /// Sums of the codes of a row, modulo 2^32.
    pub sums: Option<DeviceSliceMut<'a, i32>>,
}

impl RowSteps<'_> {
    fn check(&self, op: &'static str, rows: u64) -> Result<(), QuantizeError> {
        check_length(op, "scales", self.scales.len(), rows)?;
        let ints = [("zeros", &self.zeros), ("sums", &self.sums)];
        let mut there = ints.iter().filter_map(|(name, view)| Some((name, view.as_ref()?.len())));
        there.try_for_each(|(name, len)| check_length(op, name, len, rows))
    }
}

/// Refuses a vector of another length than there are rows.
pub(super) fn check_length(
    op: &'static str,
    name: &'static str,
    got: u64,
    want: u64,
) -> Result<(), QuantizeError> {
    if got == want { Ok(()) } else { Err(QuantizeError::Length { op, name, got, want }) }
}

/// Runs `launch` with a view to count in, which it sets to 0 once it has checked its arguments; none where nobody asks. Refuses
/// what was counted where the caller wants that.
pub(super) fn counted<D: Device>(
    device: &D,
    (op, elements): (&'static str, u64),
    non_finite: NonFinite<'_>,
    launch: impl FnOnce(Option<DeviceSliceMut<'_, u64>>) -> Result<(), Error>,
) -> Result<(), Error> {
    match non_finite {
        NonFinite::Propagate => launch(None),
        NonFinite::Count(view) => {
            check_length(op, "count", view.len(), 1)?;
            launch(Some(view))
        }
        NonFinite::Refuse => {
            let mut count = device.alloc::<u64>(1)?;
            launch(Some(count.as_mut_slice()))?;
            match device.download(count.as_slice())?[..] {
                [0] | [] => Ok(()),
                [count, ..] => Err(QuantizeError::NotFinite { op, count, elements }.into()),
            }
        }
    }
}

/// Whether there is no work to launch for: then a count is 0.
pub(super) fn is_done<D: Device>(
    device: &D,
    work: u64,
    count: &mut Option<DeviceSliceMut<'_, u64>>,
) -> Result<bool, Error> {
    let empty = work == 0;
    match count {
        Some(count) if empty => device.fill_bytes(count.reborrow(), 0)?,
        _ => {}
    }
    Ok(empty)
}

/// Enqueues the codes of each row of `x`: symmetric, or asymmetric where zero points are asked for.
///
/// Shapes `x`, `codes`: `[rows, cols]`, rows any number of elements apart; `steps`: one element per row; no rows launch
/// nothing, no columns give scale 1 and zero point 0. Types f32, f16, bf16. Symmetric codes are from −127 to 127 with
/// scale = absmax / 127; asymmetric ones from −128 to 127 with scale = (max − min) / 255 over the range that has 0 in it, and
/// `x ≈ (code − zero) · scale`; ties go to even. A row of zeros has scale 1; an asymmetric row of one value comes back
/// exactly. Every operation: `kernels_gpu::quantize::steps`.
///
/// 16 bytes at a time where rows of `x` begin at multiples of 16 bytes and rows of codes at multiples of as many bytes as 16
/// bytes of `x` have elements; else element by element.
///
/// # Errors
/// [`OpError::ShapeMismatch`](crate::ops::OpError::ShapeMismatch), [`QuantizeError::Length`], overlapping operands, or the
/// device's error; nothing has been written then. [`QuantizeError::NotFinite`] where that is asked for.
pub fn quantize_rows<T: Quantizable, D: Device>(
    device: &D,
    x: MatrixRef<'_, T>,
    codes: MatrixMut<'_, i8>,
    steps: RowSteps<'_>,
    non_finite: NonFinite<'_>,
) -> Result<(), Error> {
    const OP: &str = "quantize_rows";
    let (codes, layout) = parts(codes);
    check_shapes(OP, &[("x", x.layout()), ("codes", layout)])?;
    steps.check(OP, layout.rows())?;
    let problem = RowsProblem::new::<T>(&[Place::read(&x)], &[Place::codes(&codes, layout)]);
    let config = problem.choose(device.info().sm_count);
    let extent = config.extent(&problem, [x.layout().stride(), 0], [layout.stride(), 0]);
    counted(device, (OP, layout.elements()), non_finite, |mut count| {
        if is_done(device, layout.rows(), &mut count)? {
            return Ok(());
        }
        let RowSteps { scales, zeros, sums } = steps;
        let kernel = if zeros.is_some() { RowsKernel::Asymmetric } else { RowsKernel::Symmetric };
        let args = RowsArgs {
            codes,
            low: DeviceSliceMut::empty(scales.space()),
            zeros: zeros.unwrap_or_else(|| DeviceSliceMut::empty(scales.space())),
            sums: sums.unwrap_or_else(|| DeviceSliceMut::empty(scales.space())),
            not_finite: count.unwrap_or_else(|| DeviceSliceMut::empty(scales.space())),
            scales,
            extent,
        };
        // SAFETY: the views hold the matrices and one element per row, checked above; way, group and extent come from one
        // configuration of these places.
        unsafe { T::rows(device, config.shape(), (kernel, config.way), [x.data(); 2], args) }
    })
}

/// Enqueues 16-bit asymmetric codes of each row of `x`, as `high = code >> 8` and `low = code & 255`.
///
/// Shapes `x`, `high`, `low`: `[rows, cols]`, rows any number of elements apart; `scales`, `zeros`: `[rows]`. Codes are from
/// −32,768 to 32,767, scale = (max − min) / 65,535 over the range that has 0 in it, `x ≈ (code − zero) · scale`. Everything
/// else as [`quantize_rows`].
///
/// # Errors
/// As [`quantize_rows`].
pub fn quantize_rows_i16<T: Quantizable, D: Device>(
    device: &D,
    x: MatrixRef<'_, T>,
    high: MatrixMut<'_, i8>,
    low: MatrixMut<'_, u8>,
    scales: DeviceSliceMut<'_, f32>,
    zeros: DeviceSliceMut<'_, i32>,
    non_finite: NonFinite<'_>,
) -> Result<(), Error> {
    const OP: &str = "quantize_rows_i16";
    let ((high, layout), (low, low_layout)) = (parts(high), parts(low));
    check_shapes(OP, &[("x", x.layout()), ("high", layout), ("low", low_layout)])?;
    check_length(OP, "scales", scales.len(), layout.rows())?;
    check_length(OP, "zeros", zeros.len(), layout.rows())?;
    let planes = [Place::codes(&high, layout), Place::codes(&low, low_layout)];
    let problem = RowsProblem::new::<T>(&[Place::read(&x)], &planes);
    let config = problem.choose(device.info().sm_count);
    let extent = config.extent(&problem, [x.layout().stride(), 0], [layout.stride(), low_layout.stride()]);
    counted(device, (OP, layout.elements()), non_finite, |mut count| {
        if is_done(device, layout.rows(), &mut count)? {
            return Ok(());
        }
        let (sums, not_finite) = (
            DeviceSliceMut::empty(scales.space()),
            count.unwrap_or_else(|| DeviceSliceMut::empty(scales.space())),
        );
        let args = RowsArgs { codes: high, low, scales, zeros, sums, not_finite, extent };
        // SAFETY: the views hold the matrices and one element per row, checked above; way, group and extent come from one
        // configuration of these places.
        unsafe { T::rows(device, config.shape(), (RowsKernel::Wide, config.way), [x.data(); 2], args) }
    })
}

/// Enqueues the symmetric codes of the rows of `a * b`: the bits of [`hadamard`](crate::ops::cross::hadamard) and then
/// [`quantize_rows`], without storing the products.
///
/// Shapes `a`, `b`, `codes`: `[rows, cols]`, rows any number of elements apart; `scales`, `sums`: `[rows]`. A product that
/// overflows is infinite, and so not finite.
///
/// # Errors
/// As [`quantize_rows`].
pub fn hadamard_quantize<T: Quantizable, D: Device>(
    device: &D,
    a: MatrixRef<'_, T>,
    b: MatrixRef<'_, T>,
    codes: MatrixMut<'_, i8>,
    scales: DeviceSliceMut<'_, f32>,
    sums: Option<DeviceSliceMut<'_, i32>>,
    non_finite: NonFinite<'_>,
) -> Result<(), Error> {
    const OP: &str = "hadamard_quantize";
    let (codes, layout) = parts(codes);
    check_shapes(OP, &[("a", a.layout()), ("b", b.layout()), ("codes", layout)])?;
    let steps = RowSteps { scales, zeros: None, sums };
    steps.check(OP, layout.rows())?;
    let problem = RowsProblem::new::<T>(&[Place::read(&a), Place::read(&b)], &[Place::codes(&codes, layout)]);
    let config = problem.choose(device.info().sm_count);
    let extent = config.extent(&problem, [a.layout().stride(), b.layout().stride()], [layout.stride(), 0]);
    counted(device, (OP, layout.elements()), non_finite, |mut count| {
        if is_done(device, layout.rows(), &mut count)? {
            return Ok(());
        }
        let RowSteps { scales, sums, .. } = steps;
        let (zeros, not_finite) = (
            DeviceSliceMut::empty(scales.space()),
            count.unwrap_or_else(|| DeviceSliceMut::empty(scales.space())),
        );
        let sums = sums.unwrap_or_else(|| DeviceSliceMut::empty(scales.space()));
        let (low, inputs) = (DeviceSliceMut::empty(scales.space()), [a.data(), b.data()]);
        let args = RowsArgs { codes, low, scales, zeros, sums, not_finite, extent };
        // SAFETY: the views hold the matrices and one element per row, checked above; way, group and extent come from one
        // configuration of these places.
        unsafe { T::rows(device, config.shape(), (RowsKernel::Product, config.way), inputs, args) }
    })
}
