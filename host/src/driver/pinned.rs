//! Host memory that the device copies from and to by itself.

use std::fmt;
use std::ops::Range;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::{Arc, Mutex};

use cuda_loader::api;
use gpu_std::DeviceRepr;
use gpu_std::launch::{ContractError, DeviceSlice, DeviceSliceMut};

use super::call::{OUT_OF_MEMORY, lock};
use super::context::Context;
use super::event::RawEvent;
use super::gpu::Gpu;
use super::stream::{Stream, StreamInner};
use crate::backend::bytes_of;
use crate::backend::check_len;
use crate::error::Error;

/// How the host uses pinned memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostAccess {
    /// Reads and writes, through the caches. The right choice unless measured otherwise.
    Cached,
    /// Writes only, past the caches (`CU_MEMHOSTALLOC_WRITECOMBINED`). Reading is very slow, and on some machines so are
    /// copies.
    WriteCombined,
}

/// `len` elements of pinned host memory, mapped and portable, zero at first.
///
/// Copies from and to it do not wait. They hold on to it: [`as_slice`](Self::as_slice) waits for copies that write it,
/// [`as_mut_slice`](Self::as_mut_slice) and the drop for all. Pinning is slow (about 1 ms per MiB): allocate ahead, reuse.
pub struct PinnedBuffer<T: DeviceRepr> {
    data: NonNull<T>,
    len: usize,
    context: Arc<Context>,
    copies: Mutex<Vec<Copies>>,
}

/// The copies of one stream since the host last waited.
struct Copies {
    stream: Arc<StreamInner>,
    /// After the newest of them.
    done: RawEvent,
    reads: bool,
    writes: bool,
}

// SAFETY: the memory is plain data of a `Send` type (numbers), and the driver frees it from any thread.
unsafe impl<T: DeviceRepr + Send> Send for PinnedBuffer<T> {}
// SAFETY: shared access only reads the memory; what copies do is kept behind a lock.
unsafe impl<T: DeviceRepr + Sync> Sync for PinnedBuffer<T> {}

impl<T: DeviceRepr> PinnedBuffer<T> {
    /// Pinned memory for `len` elements, cached.
    ///
    /// # Errors
    /// A size that overflows, no memory, or a device that is lost.
    pub fn new(gpu: &Gpu, len: usize) -> Result<Self, Error> {
        Self::with_access(gpu, len, HostAccess::Cached)
    }

    /// Pinned memory for `len` elements, for a certain use by the host.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_access(gpu: &Gpu, len: usize, access: HostAccess) -> Result<Self, Error> {
        let bytes = bytes_of::<T>(len as u64)?;
        let context = gpu.context().clone();
        context.enter()?;
        let mut data = NonNull::<T>::dangling();
        if bytes > 0 {
            let combined =
                if access == HostAccess::WriteCombined { api::CU_MEMHOSTALLOC_WRITECOMBINED } else { 0 };
            let flags = api::CU_MEMHOSTALLOC_PORTABLE | api::CU_MEMHOSTALLOC_DEVICEMAP | combined;
            let mut raw = ptr::null_mut();
            // SAFETY: the context is current; `raw` is a live, writable pointer.
            let result = unsafe { api::cuMemHostAlloc(&raw mut raw, bytes, flags) };
            context.check_for("cuMemHostAlloc", result, context.recent(), || {
                format!("{bytes} bytes of pinned memory")
            })?;
            let Some(start) = NonNull::new(raw) else {
                let code = crate::error::DriverCode(OUT_OF_MEMORY);
                return Err(Error::Driver {
                    what: format!("{bytes} bytes of pinned memory"),
                    call: "cuMemHostAlloc",
                    code,
                });
            };
            // SAFETY: the driver gave `bytes` writable bytes, page-aligned.
            unsafe { start.as_ptr().cast::<u8>().write_bytes(0, bytes) };
            data = start.cast();
        }
        Ok(Self { data, len, context, copies: Mutex::default() })
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements, once no copy writes them.
    ///
    /// # Errors
    /// What the copies, or the work ahead of them, ran into.
    pub fn as_slice(&self) -> Result<&[T], Error> {
        self.wait(|copies| copies.writes)?;
        // SAFETY: `len` initialised elements (zeroed, then written by copies, any bit pattern being valid), alive as long as
        // `self`; no copy writes them now, and a later one needs the buffer exclusively.
        Ok(unsafe { slice::from_raw_parts(self.data.as_ptr(), self.len) })
    }

    /// The elements, once no copy uses them.
    ///
    /// # Errors
    /// As [`as_slice`](Self::as_slice).
    pub fn as_mut_slice(&mut self) -> Result<&mut [T], Error> {
        self.wait(|_| true)?;
        // SAFETY: as in `as_slice`; no copy uses them now, and the buffer is held exclusively.
        Ok(unsafe { slice::from_raw_parts_mut(self.data.as_ptr(), self.len) })
    }

    fn wait(&self, which: impl Fn(&Copies) -> bool) -> Result<(), Error> {
        self.context.alive()?;
        for copies in lock(&self.copies).iter_mut().filter(|c| (c.reads || c.writes) && which(c)) {
            copies.done.synchronize()?;
            (copies.reads, copies.writes) = (false, false);
        }
        Ok(())
    }

    fn check_range(&self, range: &Range<usize>) -> Result<(), Error> {
        if range.start <= range.end && range.end <= self.len {
            return Ok(());
        }
        let (start, end, len) = (range.start as u64, range.end as u64, self.len as u64);
        Err(ContractError::RangeOutOfBounds { start, end, len }.into())
    }

    /// Enqueues a copy by `enqueue`, after the copies on other streams that it could disturb, and remembers that `stream` uses
    /// the memory until it is done.
    fn copy(
        &self,
        stream: &Arc<StreamInner>,
        writes: bool,
        enqueue: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        stream.check_same_device(&self.context)?;
        stream.enter()?;
        let mut all = lock(&self.copies);
        for other in all.iter().filter(|c| !Arc::ptr_eq(&c.stream, stream) && (c.writes || writes && c.reads))
        {
            stream.wait_raw(other.done.raw())?;
        }
        let at = match all.iter().position(|c| Arc::ptr_eq(&c.stream, stream)) {
            Some(at) => at,
            None => {
                let done = RawEvent::new(&self.context, false)?;
                all.push(Copies { stream: stream.clone(), done, reads: false, writes: false });
                all.len() - 1
            }
        };
        let enqueued = enqueue();
        let copies = &mut all[at];
        copies.reads |= !writes;
        copies.writes |= writes;
        // Also where it failed: a part of it may be under way.
        copies.done.record(stream).or_else(|error| {
            // Without the event nobody would know when the copy is done.
            stream.synchronize().map_err(|_| {
                stream.give_up();
                error
            })
        })?;
        enqueued
    }
}

impl<T: DeviceRepr> Drop for PinnedBuffer<T> {
    fn drop(&mut self) {
        // Where the wait fails, a copy may still be under way: the memory stays.
        if self.len == 0
            || size_of::<T>() == 0
            || self.wait(|_| true).is_err()
            || self.context.enter().is_err()
        {
            return;
        }
        // SAFETY: allocated by `with_access` and freed once; no copy uses it.
        let _ = unsafe { api::cuMemFreeHost(self.data.as_ptr().cast()) };
    }
}

impl<T: DeviceRepr> fmt::Debug for PinnedBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PinnedBuffer<{}> of {} elements at {:p}", T::NAME, self.len, self.data)
    }
}

impl Stream {
    /// Copies all of `src` to the device. Does not wait; `src` can be neither written nor freed before the copy is done.
    ///
    /// # Errors
    /// Different lengths, memory of another stream or device, or a device that is lost.
    pub fn copy_htod<T: DeviceRepr>(
        &self,
        src: &PinnedBuffer<T>,
        dst: DeviceSliceMut<'_, T>,
    ) -> Result<(), Error> {
        self.copy_htod_range(src, 0..src.len, dst)
    }

    /// As [`copy_htod`](Self::copy_htod), of the elements in `range`.
    ///
    /// # Errors
    /// As there, or a range past the end.
    pub fn copy_htod_range<T: DeviceRepr>(
        &self,
        src: &PinnedBuffer<T>,
        range: Range<usize>,
        dst: DeviceSliceMut<'_, T>,
    ) -> Result<(), Error> {
        self.inner.check_space("copy_htod", dst.space())?;
        src.check_range(&range)?;
        check_len(range.len() as u64, dst.len())?;
        if dst.is_empty() {
            return self.inner.context().alive();
        }
        let bytes = bytes_of::<T>(dst.len())?;
        src.copy(&self.inner, false, || {
            // SAFETY: the range lies inside the buffer, so both sides hold `bytes`. The host neither writes nor frees the
            // source before the event behind this copy; the destination is used in this stream's order.
            let result = unsafe {
                let from = src.data.as_ptr().add(range.start).cast_const().cast();
                api::cuMemcpyHtoDAsync_v2(dst.addr(), from, bytes, self.inner.raw())
            };
            self.inner.check("cuMemcpyHtoDAsync", result)
        })
    }

    /// Copies from the device to all of `dst`. Does not wait; reading `dst` does.
    ///
    /// # Errors
    /// Different lengths, memory of another stream or device, or a device that is lost.
    pub fn copy_dtoh<T: DeviceRepr>(
        &self,
        src: DeviceSlice<'_, T>,
        dst: &mut PinnedBuffer<T>,
    ) -> Result<(), Error> {
        let all = 0..dst.len;
        self.copy_dtoh_range(src, dst, all)
    }

    /// Lets kernels that `work` enqueues here write the first `len` elements of `dst` themselves, across the bus. Does not
    /// wait; reading `dst` does.
    ///
    /// # Errors
    /// More elements than there are, a buffer of another device, those of `work`, or a device that is lost.
    pub fn write_pinned<T: DeviceRepr>(
        &self,
        dst: &mut PinnedBuffer<T>,
        len: usize,
        work: impl FnOnce(DeviceSliceMut<'_, T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        dst.check_range(&(0..len))?;
        let addr = dst.data.as_ptr() as u64;
        dst.copy(&self.inner, true, || {
            // SAFETY: pinned, mapped memory has one address on host and device. There are `len` elements; the host neither
            // reads, writes nor frees them before the event behind this work, which is in this stream's order.
            work(unsafe { DeviceSliceMut::from_raw(addr, len as u64, self.inner.space()) })
        })
    }

    /// As [`copy_dtoh`](Self::copy_dtoh), to the elements in `range`.
    ///
    /// # Errors
    /// As there, or a range past the end.
    pub fn copy_dtoh_range<T: DeviceRepr>(
        &self,
        src: DeviceSlice<'_, T>,
        dst: &mut PinnedBuffer<T>,
        range: Range<usize>,
    ) -> Result<(), Error> {
        self.inner.check_space("copy_dtoh", src.space())?;
        dst.check_range(&range)?;
        check_len(src.len(), range.len() as u64)?;
        if src.is_empty() {
            return self.inner.context().alive();
        }
        let bytes = bytes_of::<T>(src.len())?;
        dst.copy(&self.inner, true, || {
            // SAFETY: the range lies inside the buffer, so both sides hold `bytes`. The host neither reads, writes nor frees
            // the destination before the event behind this copy; the source is used in this stream's order.
            let result = unsafe {
                let to = dst.data.as_ptr().add(range.start).cast();
                api::cuMemcpyDtoHAsync_v2(to, src.addr(), bytes, self.inner.raw())
            };
            self.inner.check("cuMemcpyDtoHAsync", result)
        })
    }
}
