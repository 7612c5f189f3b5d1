//! Rolling aggregates as buffers.

use super::{DtwError, check_output};
use crate::host_memory;
use crate::ops::OpError;

/// Mean, minimum, maximum and variance (ddof 0) over the last points, element by element of what they are taken of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aggregates {
    /// Means.
    pub mean: Vec<f32>,
    /// Minima; −0 is below +0.
    pub min: Vec<f32>,
    /// Maxima.
    pub max: Vec<f32>,
    /// Variances.
    pub variance: Vec<f32>,
}

impl Aggregates {
    /// `len` times NaN each.
    pub fn nan(len: usize) -> Self {
        let nan = || vec![f32::NAN; len];
        Self { mean: nan(), min: nan(), max: nan(), variance: nan() }
    }

    /// The same where `len` is a caller's.
    ///
    /// # Errors
    /// [`OpError::HostMemory`].
    pub(crate) fn room(len: usize) -> Result<Self, OpError> {
        let nan = || host_memory::filled(f32::NAN, len);
        Ok(Self { mean: nan()?, min: nan()?, max: nan()?, variance: nan()? })
    }

    /// To be written.
    pub fn as_mut(&mut self) -> AggregatesMut<'_> {
        AggregatesMut {
            mean: &mut self.mean,
            min: &mut self.min,
            max: &mut self.max,
            variance: &mut self.variance,
        }
    }
}

/// Four outputs of one length.
#[derive(Debug)]
pub struct AggregatesMut<'a> {
    /// Means.
    pub mean: &'a mut [f32],
    /// Minima.
    pub min: &'a mut [f32],
    /// Maxima.
    pub max: &'a mut [f32],
    /// Variances.
    pub variance: &'a mut [f32],
}

impl AggregatesMut<'_> {
    /// Refuses outputs of another length than `want`.
    ///
    /// # Errors
    /// [`DtwError::OutputLength`] with the first of them.
    pub fn check_len(&self, want: usize) -> Result<(), DtwError> {
        check_output("mean", self.mean.len(), want)?;
        check_output("min", self.min.len(), want)?;
        check_output("max", self.max.len(), want)?;
        check_output("variance", self.variance.len(), want)
    }
}
