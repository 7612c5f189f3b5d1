//! The last points of a series on a device.

use std::ops::Range;

use gpu_std::launch::DeviceSlice;

use crate::backend::{Buffer as _, Device, Staging as _};
use crate::error::Error;

/// Points that there is room for behind those that are kept: so many are appended before the kept ones are moved to the
/// front and sent again.
const SPARE: usize = 4096;

/// The last points of a series, as many as new ones need in front of them, on the device and on the host alike. What came
/// before the first point is NaN, so that every window that reaches there is, as at the start of a series.
pub struct History<D: Device> {
    points: D::Buffer<f32>,
    /// The same on the host.
    mirror: D::Staging<f32>,
    places: Places,
}

impl<D: Device> History<D> {
    /// `kept` points that are NaN, and room for `capacity` behind them.
    ///
    /// # Errors
    /// The device's; the host's memory is taken once the device has given its own.
    pub fn new(device: &D, kept: usize, capacity: usize) -> Result<Self, Error> {
        let places = Places::new(kept, capacity);
        let points = device.alloc(places.len as u64)?;
        let mut mirror = device.staging::<f32>(places.len)?;
        mirror.as_mut_slice()?[..kept].fill(f32::NAN);
        Ok(Self { points, mirror, places })
    }

    /// Enqueues the copy of `new` behind the last points; these and `new`. They belong to the series once
    /// [`advance`](Self::advance) is called; until then another call has others in their place.
    ///
    /// # Errors
    /// The device's.
    pub fn with(&mut self, device: &D, new: &[f32]) -> Result<DeviceSlice<'_, f32>, Error> {
        let Self { points, mirror, places } = self;
        let host = mirror.as_mut_slice()?;
        if let Some(kept) = places.make_room(new.len()) {
            host.copy_within(kept, 0);
        }
        host[places.end..places.end + new.len()].copy_from_slice(new);
        let send = places.unsent(new.len());
        let device_range = send.start as u64..send.end as u64;
        device.send(mirror, send, points.as_mut_slice().slice(device_range)?)?;
        let all = places.with(new.len());
        Ok(points.as_slice().slice(all.start as u64..all.end as u64)?)
    }

    /// Makes `count` new points points of the series.
    pub const fn advance(&mut self, count: usize) {
        self.places.advance(count);
    }
}

/// Where points lie in a buffer of `len`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Places {
    /// Points that are kept.
    kept: usize,
    len: usize,
    /// Where the last point ends.
    end: usize,
    /// Up to where the device has them.
    sent: usize,
}

impl Places {
    fn new(kept: usize, capacity: usize) -> Self {
        Self { kept, len: kept + capacity + SPARE, end: kept, sent: 0 }
    }

    /// Where the points to move to the front are, if they must be for `count` new ones.
    fn make_room(&mut self, count: usize) -> Option<Range<usize>> {
        if self.end + count <= self.len {
            return None;
        }
        let kept = self.end - self.kept..self.end;
        (self.end, self.sent) = (self.kept, 0);
        Some(kept)
    }

    /// What the device does not have, with `count` new points.
    const fn unsent(&self, count: usize) -> Range<usize> {
        self.sent..self.end + count
    }

    /// The kept points and `count` new ones.
    const fn with(&self, count: usize) -> Range<usize> {
        self.end - self.kept..self.end + count
    }

    const fn advance(&mut self, count: usize) {
        self.end += count;
        self.sent = self.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_new_points_are_sent_until_there_is_no_room() {
        let mut places = Places::new(127, 10);
        assert_eq!(places.make_room(1), None);
        assert_eq!((places.unsent(1), places.with(1)), (0..128, 0..128));
        places.advance(1);
        let mut sent = 1;
        while places.make_room(1).is_none() {
            assert_eq!(places.unsent(1).len(), 1);
            assert_eq!(places.with(1).len(), 128);
            places.advance(1);
            sent += 1;
        }
        assert_eq!(sent, 10 + SPARE);
        assert_eq!((places.end, places.unsent(1), places.with(1)), (127, 0..128, 0..128));
    }

    #[test]
    fn the_kept_points_move_to_the_front_whatever_the_room() {
        let mut places = Places::new(300, 5000);
        places.advance(5000);
        assert_eq!(places.make_room(4096), None);
        assert_eq!(places.make_room(4097), Some(5000..5300));
        assert_eq!((places.unsent(5000), places.make_room(5000)), (0..5300, None));
    }

    #[test]
    fn points_that_were_not_advanced_over_are_sent_again() {
        let mut places = Places::new(2, 4);
        places.advance(1);
        let first = places.unsent(3);
        assert_eq!(first, 3..6);
        assert_eq!((places.unsent(4), places.with(4)), (3..7, 1..7));
    }
}
