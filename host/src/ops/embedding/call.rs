//! The call for features that are looked up once.

use gpu_std::launch::DeviceSliceMut;

use super::{Dense, EmbedPlan, Embeddable, Feature};
use crate::backend::Device;
use crate::error::Error;
use crate::ops::MatrixMut;

/// What becomes of an index of a row that is not there, and of a bag that is not in order or not within its list.
#[derive(Debug)]
pub enum Invalid<'a> {
    /// It is an error, and then nothing is written. The call waits; [`EmbedPlan::run_checked`] does not.
    Refuse,
    /// It adds nothing, does not count in a mean, and leaves zeros where nothing else is added.
    Zero,
    /// As [`Invalid::Zero`], and the number of such indices and bags becomes the element of this view.
    Count(DeviceSliceMut<'a, u64>),
}

/// Enqueues `y[b, ..]` = the features of sample b side by side, and its dense features behind them.
///
/// Shapes: tables `[rows, width]`, rows any number of elements apart, widths from 1 to [`MAX_WIDTH`](super::MAX_WIDTH); indices
/// `[batch]`, or any number and offsets `[batch + 1]`; `dense` `[batch, D]`; `y` `[batch, sum of widths + D]`, rows any number of
/// elements apart. No samples launch nothing. Types: tables f32, f16, bf16, or codes of 8 bits ([`CodedRows`](super::CodedRows));
/// indices and offsets u32, i32 or i64, all of 32 or all of 64 bits; `y` f32, f16, bf16. Arithmetic: see [the module](super).
///
/// 16 bytes at a time where table rows and output columns are aligned to that, else element by element. To look features up again
/// and again, make an [`EmbedPlan`] once: this one puts their descriptions on the device each time.
///
/// # Errors
/// As [`EmbedPlan::new`] and [`EmbedPlan::run`]; nothing has been written then.
pub fn embed<T: Embeddable, D: Device>(
    device: &D,
    features: &[Feature<'_>],
    dense: Option<Dense<'_>>,
    y: MatrixMut<'_, T>,
    invalid: Invalid<'_>,
) -> Result<(), Error> {
    EmbedPlan::new(device, features, dense, y.layout().rows())?.run(device, y, invalid)
}
