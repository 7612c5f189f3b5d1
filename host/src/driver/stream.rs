//! Streams: work on the device in order.

use std::fmt;
use std::ptr;
use std::sync::Arc;

use cuda_loader::{RawResult, api};
use gpu_std::launch::SpaceId;

use super::call::{Handle, NOT_READY};
use super::context::Context;
use super::event::{Event, RawEvent};
use super::gpu::{Gpu, GpuInner};
use super::recent::Recent;
use crate::backend::{DeviceInfo, new_space};
use crate::error::{DriverCode, Error};

/// A queue of work on one device. Work of one stream runs in the order it was enqueued, work of different streams in any
/// order unless one [waits](Self::wait) for the other. It never waits for the NULL stream, nor the NULL stream for it.
///
/// Clones are the same stream. Threads may share one; what they enqueue is ordered as their calls are.
#[derive(Clone)]
pub struct Stream {
    pub(super) inner: Arc<StreamInner>,
}

pub(super) struct StreamInner {
    raw: Handle<api::CUstream_st>,
    /// Recorded to make other streams wait for this one; only the newest record counts, and any newer one will do.
    mark: RawEvent,
    space: SpaceId,
    recent: Recent,
    gpu: Arc<GpuInner>,
}

impl Stream {
    pub(super) fn new(gpu: Arc<GpuInner>) -> Result<Self, Error> {
        gpu.context().enter()?;
        let mark = RawEvent::new(gpu.context(), false)?;
        let mut raw = ptr::null_mut();
        // SAFETY: the context is current; `raw` is a live, writable handle.
        let result = unsafe { api::cuStreamCreate(&raw mut raw, api::CU_STREAM_NON_BLOCKING) };
        gpu.context().check("cuStreamCreate", result)?;
        let space = new_space();
        let inner = StreamInner { raw: Handle(raw), mark, space, recent: Recent::default(), gpu };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The device it runs on.
    #[must_use]
    pub fn gpu(&self) -> Gpu {
        Gpu::of(self.inner.gpu.clone())
    }

    /// Facts about the device.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        self.inner.context().info()
    }

    /// Its number among the streams of the process: the space of memory that belongs to it.
    #[must_use]
    pub fn space(&self) -> SpaceId {
        self.inner.space
    }

    /// Waits on the host for all its work.
    ///
    /// # Errors
    /// What the work ran into; a kernel's fault is [`Error::GpuLost`], which names the kernel.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.inner.synchronize()
    }

    /// Whether all its work is done, without waiting.
    ///
    /// # Errors
    /// What the work ran into.
    pub fn is_done(&self) -> Result<bool, Error> {
        self.inner.enter()?;
        // SAFETY: the context is current and the stream alive.
        let result = unsafe { api::cuStreamQuery(self.inner.raw()) };
        if result.code() == NOT_READY {
            return Ok(false);
        }
        self.inner.check("cuStreamQuery", result).map(|()| true)
    }

    /// Makes later work of this stream wait for what `event` was recorded after. The host does not wait.
    ///
    /// # Errors
    /// [`Error::EventNotRecorded`], or a device that is lost.
    pub fn wait(&self, event: &Event) -> Result<(), Error> {
        event.check_recorded()?;
        self.inner.wait_raw(event.raw())
    }

    /// Makes later work of this stream wait for all that `other` has been given so far. The host does not wait.
    ///
    /// # Errors
    /// A device that is lost.
    pub fn wait_for(&self, other: &Stream) -> Result<(), Error> {
        self.inner.wait_for(&other.inner)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream {} on device {}", self.inner.space.get(), self.info().ordinal)
    }
}

impl StreamInner {
    pub fn raw(&self) -> api::CUstream {
        self.raw.0
    }

    pub fn space(&self) -> SpaceId {
        self.space
    }

    pub fn recent(&self) -> &Recent {
        &self.recent
    }

    pub fn gpu(&self) -> &Arc<GpuInner> {
        &self.gpu
    }

    pub fn context(&self) -> &Arc<Context> {
        self.gpu.context()
    }

    pub fn enter(&self) -> Result<(), Error> {
        self.context().enter()
    }

    /// The error of a call on this stream.
    pub fn check(&self, call: &'static str, result: RawResult) -> Result<(), Error> {
        self.context().check_for(call, result, &self.recent, || {
            format!("stream {} on device {}", self.space.get(), self.context().info().ordinal)
        })
    }

    pub fn synchronize(&self) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: the context is current and the stream alive.
        self.check("cuStreamSynchronize", unsafe { api::cuStreamSynchronize(self.raw()) })
    }

    /// Makes later work of this stream wait for the work `other` has now.
    pub fn wait_for(&self, other: &Self) -> Result<(), Error> {
        if self.space == other.space {
            return Ok(());
        }
        other.enter()?;
        other.mark.record(other)?;
        self.wait_raw(other.mark.raw())
    }

    /// Makes later work of this stream wait for what `event` was recorded after.
    pub fn wait_raw(&self, event: api::CUevent) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: the context is current; stream and event are alive, and the driver needs the event only in this call.
        let result = unsafe { api::cuStreamWaitEvent(self.raw(), event, api::CU_EVENT_WAIT_DEFAULT) };
        self.check("cuStreamWaitEvent", result)
    }

    /// As [`wait_for`](Self::wait_for), where the order must hold and nobody can be told that it does not: on failure the host
    /// waits, and where that fails too the device is given up, so that nothing more runs on it.
    pub fn must_wait_for(&self, other: &Self) {
        if self.wait_for(other).is_err() && other.synchronize().is_err() {
            other.give_up();
        }
    }

    /// Lets nothing more run on the device, where an order or a wait that memory depends on could not be had.
    pub fn give_up(&self) {
        if self.context().lost().is_none() {
            self.context().lose(DriverCode(RawResult::UNKNOWN.code()), &self.recent);
        }
    }

    /// Refuses a stream of another device.
    pub fn check_same_device(&self, context: &Context) -> Result<(), Error> {
        if std::ptr::eq::<Context>(&**self.context(), context) {
            return Ok(());
        }
        Err(Error::OtherDevice { got: context.info().ordinal, want: self.context().info().ordinal })
    }
}

impl Drop for StreamInner {
    fn drop(&mut self) {
        if self.enter().is_err() {
            return;
        }
        // SAFETY: created by `Stream::new` and destroyed once. The driver keeps what enqueued work needs until it is done.
        let _ = unsafe { api::cuStreamDestroy_v2(self.raw()) };
    }
}
