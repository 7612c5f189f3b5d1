//! The profile as one call.

use gpu_std::launch::DeviceSliceMut;

use super::{ProfileOptions, ProfilePlan, ProfileRolling, Queries};
use crate::backend::Device;
use crate::error::Error;
use crate::ops::MatrixRef;

/// Enqueues the profile of `series`: `distances[s, k, t]` belongs to query k and the window of row s that ends at t.
///
/// Shapes `series`: `[S, N]`, rows any number of elements apart; `distances`: `[S, K, N]`; aggregates: `[S, N]` each of the
/// series, `[S, K, N]` each of the distances, which take a second launch; none of them has gaps. Uploads the queries, which a
/// [`ProfilePlan`] does once for many launches.
///
/// # Errors
/// What [`ProfilePlan::new`] and [`ProfilePlan::run_with`] refuse, or the device's error; nothing has been written then.
pub fn profile<D: Device>(
    device: &D,
    series: MatrixRef<'_, f32>,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    distances: DeviceSliceMut<'_, f32>,
    rolling: ProfileRolling<'_>,
) -> Result<(), Error> {
    let (rows, points) = (series.layout().rows(), series.layout().cols());
    ProfilePlan::new(device, rows, points, queries, options)?.run_with(device, series, distances, rolling)
}
