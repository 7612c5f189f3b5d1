//! Events: points in a stream's work, to wait for and to take the time at.

use std::fmt;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cuda_loader::api;

use super::call::{Handle, NOT_READY};
use super::context::Context;
use super::gpu::Gpu;
use super::stream::{Stream, StreamInner};
use crate::error::Error;

/// A point in the work of a stream.
pub struct Event {
    raw: RawEvent,
    recorded: AtomicBool,
}

impl Event {
    /// An event to wait for, without timing: the cheaper kind.
    ///
    /// # Errors
    /// A device that is lost.
    pub fn new(gpu: &Gpu) -> Result<Self, Error> {
        Self::with_timing(gpu, false)
    }

    /// An event that also takes the time.
    ///
    /// # Errors
    /// A device that is lost.
    pub fn timed(gpu: &Gpu) -> Result<Self, Error> {
        Self::with_timing(gpu, true)
    }

    fn with_timing(gpu: &Gpu, timed: bool) -> Result<Self, Error> {
        Ok(Self { raw: RawEvent::new(gpu.context(), timed)?, recorded: AtomicBool::new(false) })
    }

    /// Moves the event to the end of what `stream` has been given so far.
    ///
    /// # Errors
    /// A stream of another device, or a device that is lost.
    pub fn record(&self, stream: &Stream) -> Result<(), Error> {
        stream.inner.check_same_device(&self.raw.context)?;
        self.raw.record(&stream.inner)?;
        self.recorded.store(true, Ordering::Release);
        Ok(())
    }

    /// Whether the work ahead of it is done, without waiting.
    ///
    /// # Errors
    /// [`Error::EventNotRecorded`], or what the work ran into.
    pub fn is_done(&self) -> Result<bool, Error> {
        self.check_recorded()?;
        self.raw.context.enter()?;
        // SAFETY: the context is current and the event alive.
        let result = unsafe { api::cuEventQuery(self.raw.raw()) };
        if result.code() == NOT_READY {
            return Ok(false);
        }
        self.raw.context.check("cuEventQuery", result).map(|()| true)
    }

    /// Waits on the host for the work ahead of it.
    ///
    /// # Errors
    /// [`Error::EventNotRecorded`], or what the work ran into.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.check_recorded()?;
        self.raw.synchronize()
    }

    /// The time on the device between `start` and this event, to about half a microsecond.
    ///
    /// # Errors
    /// An event without timing, not recorded or not done; or a device that is lost.
    pub fn elapsed_since(&self, start: &Event) -> Result<Duration, Error> {
        if !(self.raw.timed && start.raw.timed) {
            return Err(Error::EventWithoutTiming);
        }
        self.check_recorded()?;
        start.check_recorded()?;
        self.raw.context.enter()?;
        let mut milliseconds = 0.0_f32;
        // SAFETY: the context is current, both events are alive and `milliseconds` is a live, writable float.
        let result =
            unsafe { api::cuEventElapsedTime(&raw mut milliseconds, start.raw.raw(), self.raw.raw()) };
        if result.code() == NOT_READY {
            return Err(Error::EventNotDone);
        }
        self.raw.context.check("cuEventElapsedTime", result)?;
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3).unwrap_or_default())
    }

    pub(super) fn raw(&self) -> api::CUevent {
        self.raw.raw()
    }

    pub(super) fn check_recorded(&self) -> Result<(), Error> {
        if self.recorded.load(Ordering::Acquire) { Ok(()) } else { Err(Error::EventNotRecorded) }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("timed", &self.raw.timed)
            .field("recorded", &self.recorded)
            .finish_non_exhaustive()
    }
}

/// An event of the driver and its context.
pub(super) struct RawEvent {
    raw: Handle<api::CUevent_st>,
    context: Arc<Context>,
    timed: bool,
}

impl RawEvent {
    pub fn new(context: &Arc<Context>, timed: bool) -> Result<Self, Error> {
        context.enter()?;
        let flags = if timed { api::CU_EVENT_DEFAULT } else { api::CU_EVENT_DISABLE_TIMING };
        let mut raw = ptr::null_mut();
        // SAFETY: the context is current; `raw` is a live, writable handle.
        context.check("cuEventCreate", unsafe { api::cuEventCreate(&raw mut raw, flags) })?;
        Ok(Self { raw: Handle(raw), context: context.clone(), timed })
    }

    pub fn raw(&self) -> api::CUevent {
        self.raw.0
    }

    /// `stream` is of the event's context.
    pub fn record(&self, stream: &StreamInner) -> Result<(), Error> {
        stream.enter()?;
        // SAFETY: the context is current; event and stream are alive and of this context.
        stream.check("cuEventRecord", unsafe { api::cuEventRecord(self.raw(), stream.raw()) })
    }

    pub fn synchronize(&self) -> Result<(), Error> {
        self.context.enter()?;
        // SAFETY: the context is current and the event alive.
        self.context.check("cuEventSynchronize", unsafe { api::cuEventSynchronize(self.raw()) })
    }
}

impl Drop for RawEvent {
    fn drop(&mut self) {
        if self.context.enter().is_err() {
            return;
        }
        // SAFETY: created by `new` and destroyed once; the driver keeps it until the work recorded before it is done.
        let _ = unsafe { api::cuEventDestroy_v2(self.raw()) };
    }
}
