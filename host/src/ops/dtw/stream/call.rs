//! A series that grows, wherever it is computed.

use super::StreamOptions;
use super::device::DeviceStream;
use super::in_memory::CpuStream;
use crate::error::Error;
use crate::ops::Executor;
use crate::ops::dtw::{Profile, Queries};

/// A series that grows, wherever it is computed.
pub trait Stream {
    /// Appends `points`; what belongs to them: distances `[K, points]`, aggregates of the series `[points]` and of the
    /// distances `[K, points]`, the same bits as those of the whole series so far in one call, but that aggregates over more
    /// points than there are are NaN and no error. They stay until the next append.
    ///
    /// # Errors
    /// [`DtwError::TooMany`](crate::ops::dtw::DtwError::TooMany) for more points than the capacity; on the CPU
    /// [`OpError::HostMemory`](crate::ops::OpError::HostMemory); or the back end's error. The series is then what it was.
    fn append(&mut self, points: &[f32]) -> Result<&Profile, Error>;
}

/// A series without points, to which points are appended where `executor` computes.
///
/// Only the last points that a window or an aggregate needs are kept. On a device memory is taken here, and an append
/// allocates nothing: it copies the new points there, and every few thousand points the kept ones; launches the profile of the
/// new windows, and with aggregates of the distances a second kernel; and copies back what it returns. On the CPU memory is
/// taken as points come.
///
/// # Errors
/// [`DtwError::NoCapacity`](crate::ops::dtw::DtwError::NoCapacity),
/// [`DtwError::EmptyWindow`](crate::ops::dtw::DtwError::EmptyWindow) for a rolling window or a smoothing of 0,
/// [`DtwError::TooMany`](crate::ops::dtw::DtwError::TooMany) for a capacity, a window or a smoothing of more than 2^31 − 1
/// points; what [`Queries::check_for`] refuses; on a device what [`Problem::new`](crate::ops::dtw::Problem::new) refuses, and
/// [`OpError::HostMemory`](crate::ops::OpError::HostMemory); the back end's error.
pub fn stream_on<'e>(
    executor: &'e Executor,
    queries: &Queries<'_>,
    options: &StreamOptions,
) -> Result<Box<dyn Stream + 'e>, Error> {
    match executor {
        Executor::Cuda(stream) => Ok(Box::new(DeviceStream::new(stream, queries, options)?)),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => Ok(Box::new(DeviceStream::new(sim, queries, options)?)),
        Executor::Cpu => Ok(Box::new(CpuStream::new(queries, options)?)),
    }
}
