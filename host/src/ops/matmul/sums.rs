//! Sums of rows of codes, which zero points of the other side need.

use gpu_std::launch::DeviceSliceMut;

use super::{Q8, matmul_q8};
use crate::backend::{Buffer as _, Device};
use crate::error::Error;
use crate::ops::{MatrixMut, MatrixRef};

/// Enqueues the sum of each of the rows of `rows`, as the product with a row of ones. For weights, whose sums do not change;
/// quantizers give those of activations.
///
/// # Errors
/// As [`matmul_q8`]: `sums` must have an element for each row.
pub fn row_sums<D: Device>(
    device: &D,
    rows: MatrixRef<'_, i8>,
    sums: DeviceSliceMut<'_, i32>,
) -> Result<(), Error> {
    let (len, k) = (sums.len(), rows.layout().cols());
    let mut ones = device.alloc::<i8>(k)?;
    device.fill_bytes(ones.as_mut_slice(), 1)?;
    let ones = MatrixRef::new(ones.as_slice(), 1, k)?;
    matmul_q8(device, &Q8::new(rows, ones), MatrixMut::new(sums, len, 1)?)
}
