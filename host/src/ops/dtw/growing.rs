//! Rolling aggregates of rows that grow, on a device.

use gpu_std::launch::{DeviceSlice, launch_unsafe};
use kernels_gpu::dtw::rolling_append::{Growth, RollingAppend, RollingAppendArgs};

use super::options::check_count;
use super::rolling::shape;
use super::{DtwError, Rolling};
use crate::backend::{Buffer as _, Device};
use crate::error::Error;

/// Rows that start without points and get as many new ones each at a time; the last of each are kept on the device.
pub struct GrowingRows<D: Device> {
    history: D::Buffer<f32>,
    rows: u32,
    window: u32,
    /// Points of each row that there is room for.
    ring: u64,
    /// New points of each row at most.
    capacity: u32,
    /// Points of each row so far. The history holds the last `window − 1` of them.
    points: u64,
    /// Points of each row behind them that the last append put into the history.
    pending: u32,
}

impl<D: Device> GrowingRows<D> {
    /// `rows` rows, of aggregates over `window` points, which get at most `capacity` points each at a time.
    ///
    /// # Errors
    /// [`DtwError::SeriesRows`] for no rows, [`DtwError::EmptyWindow`] for a window of 0, [`DtwError::TooMany`], or the
    /// device's error.
    pub fn new(device: &D, rows: u64, window: usize, capacity: usize) -> Result<Self, Error> {
        if rows == 0 {
            return Err(DtwError::SeriesRows { elements: 0, rows: 0 }.into());
        }
        if window == 0 {
            return Err(DtwError::EmptyWindow.into());
        }
        let rows = check_count("rows", rows)?;
        let window = check_count("points of a rolling window", window as u64)?;
        let capacity = check_count("points of an append", capacity as u64)?;
        let ring = u64::from(window - 1) + u64::from(capacity);
        let history = device.alloc(ring * u64::from(rows))?;
        Ok(Self { history, rows, window, ring, capacity, points: 0, pending: 0 })
    }

    /// Enqueues the aggregates at `count` new points of every row: `points` and each output `[rows, count]`, their rows
    /// `stride` elements apart. The rows have these points once [`advance`](Self::advance) is called; until then another call
    /// has others in their place, and one that is refused none.
    ///
    /// # Errors
    /// [`DtwError::TooMany`] for more points than the capacity, [`DtwError::OtherWindow`], [`DtwError::RowStride`] for rows
    /// that overlap, [`DtwError::RowsTooShort`], [`DtwError::OutputLength`], or the device's error; nothing has been written
    /// then.
    pub fn append(
        &mut self,
        device: &D,
        points: DeviceSlice<'_, f32>,
        count: u64,
        stride: u64,
        outputs: Rolling<'_>,
    ) -> Result<(), Error> {
        self.pending = 0;
        let new = self.check(points.len(), count, stride, outputs.window)?;
        let [mean, min, max, var] = outputs.outputs(points.len() as usize)?;
        if new == 0 {
            return Ok(());
        }
        let Self { history, rows, window, ring, points: before, .. } = self;
        let (rows, seen) = (u64::from(*rows), (*before).min(u64::from(*window - 1)) as u32);
        let growth = Growth { rows, count, stride, ring: *ring, at: *before % *ring, window: *window, seen };
        let history = history.as_mut_slice();
        let args = RollingAppendArgs { points, history, mean, min, max, var, growth };
        let shape = shape(device, rows * count);
        // SAFETY: the lengths and the window have just been checked; the ring has room for the window's other points and
        // `count` more. The history holds the last `seen` points: `points` only grows by `advance`, by what an append has put
        // there since, and the next one goes behind those. Any grid covers everything.
        unsafe { launch_unsafe::<RollingAppend, D>(device, shape, &args) }?;
        self.pending = new;
        Ok(())
    }

    /// `count`, unless these rows cannot have such points.
    fn check(&self, got: u64, count: u64, stride: u64, window: usize) -> Result<u32, DtwError> {
        let (rows, planned, limit) = (u64::from(self.rows), self.window as usize, u64::from(self.capacity));
        if count > limit {
            return Err(DtwError::TooMany { what: "points of an append", count, limit });
        }
        if window != planned {
            return Err(DtwError::OtherWindow { window, planned });
        }
        if rows > 1 && stride < count {
            return Err(DtwError::RowStride { points: count, stride });
        }
        let needed = (rows - 1).saturating_mul(stride).saturating_add(count);
        if got < needed {
            return Err(DtwError::RowsTooShort { got, rows, points: count, stride, needed });
        }
        Ok(count as u32)
    }

    /// Makes the points of the last [`append`](Self::append) points of the rows; none where it was refused, and none a second
    /// time.
    pub const fn advance(&mut self) {
        self.points += self.pending as u64;
        self.pending = 0;
    }

    /// Makes them rows without points.
    pub const fn clear(&mut self) {
        (self.points, self.pending) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::dtw::DeviceAggregates;
    use crate::ops::recorder::{Recorder, h200};

    /// Appends to two rows of a window of 5; how many points they have then.
    struct Rows {
        device: Recorder,
        rows: GrowingRows<Recorder>,
    }

    impl Rows {
        fn new() -> Self {
            let device = Recorder::new(&h200());
            let rows = GrowingRows::new(&device, 2, 5, 4).expect("it fits");
            Self { device, rows }
        }

        /// From `len` elements.
        fn append(&mut self, len: u64, count: u64, stride: u64, window: usize) -> Result<(), Error> {
            let points = self.device.alloc(len)?;
            let mut outputs = DeviceAggregates::alloc(&self.device, len)?;
            self.rows.append(&self.device, points.as_slice(), count, stride, outputs.rolling(window))
        }

        fn refusal(&mut self, len: u64, count: u64, stride: u64, window: usize) -> String {
            self.append(len, count, stride, window).expect_err("it is refused").to_string()
        }
    }

    #[test]
    fn rows_advance_by_what_was_appended_and_by_nothing_else() {
        let mut all = Rows::new();
        all.rows.advance();
        assert_eq!(all.rows.points, 0);
        all.append(8, 4, 4, 5).expect("it fits");
        all.append(6, 3, 3, 5).expect("it fits");
        assert_eq!(all.rows.points, 0);
        all.rows.advance();
        all.rows.advance();
        assert_eq!(all.rows.points, 3);
        all.append(8, 4, 4, 5).expect("it fits");
        all.refusal(10, 5, 5, 5);
        all.rows.advance();
        assert_eq!(all.rows.points, 3);
        all.append(2, 1, 1, 5).expect("it fits");
        all.append(0, 0, 0, 5).expect("it is nothing");
        all.rows.advance();
        assert_eq!(all.rows.points, 3);
        all.append(2, 1, 1, 5).expect("it fits");
        all.rows.clear();
        all.rows.advance();
        assert_eq!(all.rows.points, 0);
    }

    #[test]
    fn an_append_that_does_not_fit_is_refused_with_what_does() {
        let mut all = Rows::new();
        assert_eq!(all.refusal(10, 5, 5, 5), "5 points of an append; at most 4 are possible");
        assert_eq!(all.refusal(6, 3, 3, 3), "a rolling window of 3 points; the plan is for 5");
        let stride = "rows of 3 points start 2 elements apart; they must start at least 3 apart";
        assert_eq!(all.refusal(6, 3, 2, 5), stride);
        let short = "6 elements; 2 rows of 3 points that start 4 elements apart need 7";
        assert_eq!(all.refusal(6, 3, 4, 5), short);
        assert_eq!(all.device.launched().len(), 0);
    }

    #[test]
    fn rows_that_no_append_can_be_made_to_are_refused() {
        let device = Recorder::new(&h200());
        let refusal = |rows, window, capacity| {
            GrowingRows::new(&device, rows, window, capacity).err().map(|error| error.to_string())
        };
        let none = "0 elements in 0 rows; there must be at least 1 row, and as many elements in each";
        assert_eq!(refusal(0, 5, 4).as_deref(), Some(none));
        let empty = "a rolling window of 0 points; it must have at least 1";
        assert_eq!(refusal(1, 0, 4).as_deref(), Some(empty));
        for (rows, window, capacity, what) in [
            (1 << 31, 5, 4, "rows"),
            (1, 1 << 31, 4, "points of a rolling window"),
            (1, 5, 1 << 31, "points of an append"),
        ] {
            let want = format!("2147483648 {what}; at most 2147483647 are possible");
            assert_eq!(refusal(rows, window, capacity), Some(want));
        }
    }
}
