//! The profile as one call.

use gpu_std::launch::DeviceSliceMut;

use super::{DtwError, ProfileOptions, ProfilePlan, Queries, Rolling};
use crate::backend::Device;
use crate::error::Error;
use crate::ops::MatrixRef;

/// Enqueues the profile of `series`: `distances[s, k, t]` belongs to query k and the window of row s that ends at t.
///
/// Shapes `series`: `[S, N]`, without gaps; `distances`: `[S, K, N]`; aggregates: `[S, N]` each. For the aggregates of the
/// distances call [`rolling`](super::rolling) on them. Uploads the queries, which a [`ProfilePlan`] does once for many
/// launches.
///
/// # Errors
/// [`DtwError::Gaps`], what [`ProfilePlan::new`] and [`ProfilePlan::run`] refuse, or the device's error; nothing has been
/// written then.
pub fn profile<D: Device>(
    device: &D,
    series: MatrixRef<'_, f32>,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    distances: DeviceSliceMut<'_, f32>,
    rolling: Option<Rolling<'_>>,
) -> Result<(), Error> {
    let layout = series.layout();
    let (rows, points) = (layout.rows(), layout.cols());
    if rows > 1 && layout.stride() != points {
        return Err(DtwError::Gaps { stride: layout.stride(), points }.into());
    }
    let data = series.data().slice(0..layout.span())?;
    ProfilePlan::new(device, rows, points, queries, options)?.run(device, data, distances, rolling)
}
