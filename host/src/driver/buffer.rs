//! Device memory that belongs to a stream.

use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cuda_loader::api;
use gpu_std::DeviceRepr;
use gpu_std::launch::{DeviceSlice, DeviceSliceMut, SpaceId};

use super::call::{OUT_OF_MEMORY, lock};
use super::stream::{Stream, StreamInner};
use crate::backend::bytes_of;
use crate::error::Error;

/// `len` elements of device memory, used in the order of the stream they were allocated on, their home.
///
/// - [`as_slice`](Self::as_slice) and [`as_mut_slice`](Self::as_mut_slice) give views for launches and copies on the home.
/// - [`on`](Self::on) and [`on_mut`](Self::on_mut) give views for another stream of the device. That stream first waits for
///   the home's work so far; the next use at home that could conflict, and the free, first wait for that stream. This holds
///   whether or not the view is dropped in between.
/// - Dropping the buffer frees the memory in stream order: work enqueued before runs to its end first.
pub struct DeviceBuffer<T: DeviceRepr> {
    addr: u64,
    len: u64,
    home: Arc<StreamInner>,
    guests: Mutex<Guests>,
    /// Whether `guests.writer` is set, for a look without the lock.
    written_elsewhere: AtomicBool,
    element: PhantomData<T>,
}

/// The other streams that may use the memory, from the last wait of the home for them on.
#[derive(Default)]
struct Guests {
    writer: Option<Arc<StreamInner>>,
    readers: Vec<Arc<StreamInner>>,
}

impl<T: DeviceRepr> DeviceBuffer<T> {
    /// Memory for `len` elements on `stream`; what is in it is undefined. Does not wait.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], [`Error::SizeOverflow`], or a device that is lost.
    pub fn new(stream: &Stream, len: u64) -> Result<Self, Error> {
        let bytes = bytes_of::<T>(len)?;
        let home = stream.inner.clone();
        let addr = if bytes == 0 { 0 } else { allocate(&home, bytes)? };
        let (guests, written_elsewhere) = (Mutex::default(), AtomicBool::new(false));
        Ok(Self { addr, len, home, guests, written_elsewhere, element: PhantomData })
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All elements, to read at home.
    #[must_use]
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        if self.written_elsewhere.load(Ordering::Acquire) {
            self.settle_writer(&mut lock(&self.guests));
        }
        self.view(self.home.space())
    }

    /// All elements, to write at home.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> DeviceSliceMut<'_, T> {
        self.settle_all();
        self.view_mut(self.home.space())
    }

    /// All elements, to read on another stream of the device.
    ///
    /// # Errors
    /// A stream of another device, or a device that is lost.
    pub fn on(&self, stream: &Stream) -> Result<DeviceSlice<'_, T>, Error> {
        let guest = &stream.inner;
        if Arc::ptr_eq(guest, &self.home) {
            return Ok(self.as_slice());
        }
        guest.check_same_device(self.home.context())?;
        let mut guests = lock(&self.guests);
        self.settle_writer(&mut guests);
        guest.wait_for(&self.home)?;
        if !guests.readers.iter().any(|r| Arc::ptr_eq(r, guest)) {
            guests.readers.push(guest.clone());
        }
        Ok(self.view(guest.space()))
    }

    /// All elements, to write on another stream of the device.
    ///
    /// # Errors
    /// A stream of another device, or a device that is lost.
    pub fn on_mut(&mut self, stream: &Stream) -> Result<DeviceSliceMut<'_, T>, Error> {
        let guest = &stream.inner;
        if Arc::ptr_eq(guest, &self.home) {
            return Ok(self.as_mut_slice());
        }
        guest.check_same_device(self.home.context())?;
        self.settle_all();
        guest.wait_for(&self.home)?;
        self.guests.get_mut().unwrap_or_else(PoisonError::into_inner).writer = Some(guest.clone());
        *self.written_elsewhere.get_mut() = true;
        Ok(self.view_mut(guest.space()))
    }

    /// Makes the home wait for the stream that wrote. Its view is gone: it held the buffer exclusively.
    fn settle_writer(&self, guests: &mut Guests) {
        if let Some(writer) = guests.writer.take() {
            self.home.must_wait_for(&writer);
        }
        self.written_elsewhere.store(false, Ordering::Release);
    }

    /// Makes the home wait for every other stream. All views are gone: the buffer is held exclusively.
    fn settle_all(&mut self) {
        let guests = mem::take(self.guests.get_mut().unwrap_or_else(PoisonError::into_inner));
        for guest in guests.writer.iter().chain(&guests.readers) {
            self.home.must_wait_for(guest);
        }
        *self.written_elsewhere.get_mut() = false;
    }

    fn view(&self, space: SpaceId) -> DeviceSlice<'_, T> {
        // SAFETY: the memory is alive and holds `len` elements as long as the buffer does. What writes it needs the buffer
        // exclusively and is ordered before or after the uses of this view: at home by the stream, elsewhere by the waits
        // in `on` and `settle_all`. The driver aligns allocations to at least 256 bytes.
        unsafe { DeviceSlice::from_raw(self.addr, self.len, space) }
    }

    fn view_mut(&mut self, space: SpaceId) -> DeviceSliceMut<'_, T> {
        // SAFETY: as in `view`; the buffer is held exclusively for the life of the view.
        unsafe { DeviceSliceMut::from_raw(self.addr, self.len, space) }
    }
}

impl<T: DeviceRepr> Drop for DeviceBuffer<T> {
    fn drop(&mut self) {
        if self.addr == 0 || self.home.context().lost().is_some() {
            return;
        }
        self.settle_all();
        free(&self.home, self.addr);
    }
}

impl<T: DeviceRepr> fmt::Debug for DeviceBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceBuffer<{}> of {} elements at {:#x}", T::NAME, self.len, self.addr)
    }
}

fn allocate(home: &StreamInner, bytes: usize) -> Result<u64, Error> {
    home.enter()?;
    let first = try_allocate(home, bytes);
    let code = match first {
        Ok(addr) => return Ok(addr),
        Err(code) if code.code() != OUT_OF_MEMORY => code,
        Err(_) => {
            // Freed memory may still wait for its stream, or lie in the pool in pieces too small.
            home.context().trim()?;
            match try_allocate(home, bytes) {
                Ok(addr) => return Ok(addr),
                Err(code) => code,
            }
        }
    };
    if code.code() == OUT_OF_MEMORY {
        let (free_bytes, total_bytes) = home.context().free_and_total()?;
        let ordinal = home.context().info().ordinal;
        return Err(Error::OutOfMemory { ordinal, bytes: bytes as u64, free_bytes, total_bytes });
    }
    home.check("cuMemAllocAsync", code)?;
    Err(Error::SizeOverflow { len: bytes as u64, elem_bytes: 1 })
}

fn try_allocate(home: &StreamInner, bytes: usize) -> Result<u64, cuda_loader::RawResult> {
    let mut addr = 0;
    let result = match home.context().pool() {
        // SAFETY: the context is current, pool and stream are alive, `addr` is a live, writable address.
        Some(pool) => unsafe { api::cuMemAllocFromPoolAsync(&raw mut addr, bytes, pool, home.raw()) },
        // SAFETY: the context is current, `addr` is a live, writable address.
        None => unsafe { api::cuMemAlloc_v2(&raw mut addr, bytes) },
    };
    result.ok().map(|()| addr)
}

/// Frees in the order of `home`, or leaves the memory to the context where the driver fails.
fn free(home: &StreamInner, addr: u64) {
    if home.context().pool().is_some() {
        if home.enter().is_ok() {
            // SAFETY: allocated by `allocate` from the pool, freed once, after the uses on every stream.
            let result = unsafe { api::cuMemFreeAsync(addr, home.raw()) };
            let _ = home.check("cuMemFreeAsync", result);
        }
    } else if home.synchronize().is_ok() {
        // SAFETY: allocated by `allocate` without a pool, freed once; the home is done, and waited for every other stream.
        let result = unsafe { api::cuMemFree_v2(addr) };
        let _ = home.check("cuMemFree", result);
    }
}
