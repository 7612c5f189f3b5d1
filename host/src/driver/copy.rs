//! Copies and fills in stream order.

use cuda_loader::api;
use gpu_std::DeviceRepr;
use gpu_std::launch::{DeviceSlice, DeviceSliceMut, SpaceId};

use super::buffer::DeviceBuffer;
use super::stream::{Stream, StreamInner};
use crate::backend::{bytes_of, check_len};
use crate::error::Error;

impl StreamInner {
    /// Waits for a copy from or to ordinary memory. Where the wait fails the copy may still be under way, so the device is
    /// given up.
    fn finish(&self) -> Result<(), Error> {
        self.synchronize().inspect_err(|_| self.give_up())
    }

    /// Refuses memory that this stream may not use now.
    pub fn check_space(&self, call: &'static str, space: SpaceId) -> Result<(), Error> {
        if space == self.space() {
            return Ok(());
        }
        Err(Error::CopySpace { call, got: space.get(), want: self.space().get() })
    }
}

impl Stream {
    /// Memory for `len` elements; see [`DeviceBuffer::new`].
    ///
    /// # Errors
    /// As there.
    pub fn buffer<T: DeviceRepr>(&self, len: u64) -> Result<DeviceBuffer<T>, Error> {
        DeviceBuffer::new(self, len)
    }

    /// Copies ordinary host memory to the device. Waits: when it returns, `data` may be changed and the copy is there. For
    /// copies that do not wait, see [`copy_htod`](Self::copy_htod).
    ///
    /// # Errors
    /// Different lengths, memory of another stream, or what earlier work ran into.
    pub fn write<T: DeviceRepr>(&self, data: &[T], dst: DeviceSliceMut<'_, T>) -> Result<(), Error> {
        self.inner.check_space("write", dst.space())?;
        check_len(data.len() as u64, dst.len())?;
        if size_of_val(data) == 0 {
            return self.inner.context().alive();
        }
        self.inner.enter()?;
        // SAFETY: `data` is readable and the destination writable for the bytes of `data`, which both have; the destination
        // is used in this stream's order. `data` outlives the copy: the wait below comes before the return.
        let result = unsafe {
            api::cuMemcpyHtoDAsync_v2(dst.addr(), data.as_ptr().cast(), size_of_val(data), self.inner.raw())
        };
        self.inner.check("cuMemcpyHtoDAsync", result)?;
        self.inner.finish()
    }

    /// Copies to ordinary host memory, newly allocated. Waits for the work ahead of it.
    ///
    /// # Errors
    /// Memory of another stream, or what the work ran into.
    pub fn read<T: DeviceRepr>(&self, src: DeviceSlice<'_, T>) -> Result<Vec<T>, Error> {
        self.inner.check_space("read", src.space())?;
        let (len, bytes) = (src.len(), bytes_of::<T>(src.len())?);
        let count =
            usize::try_from(len).map_err(|_| Error::SizeOverflow { len, elem_bytes: size_of::<T>() })?;
        let mut data: Vec<T> = Vec::new();
        data.try_reserve_exact(count).map_err(|_| Error::SizeOverflow { len, elem_bytes: size_of::<T>() })?;
        self.inner.context().alive()?;
        if bytes > 0 {
            self.inner.enter()?;
            // SAFETY: the vector has room for `bytes`, the source holds as many and is used in this stream's order. The
            // vector is neither used nor freed before the copy is done: see below.
            let result = unsafe {
                api::cuMemcpyDtoHAsync_v2(data.as_mut_ptr().cast(), src.addr(), bytes, self.inner.raw())
            };
            let copied = self.inner.check("cuMemcpyDtoHAsync", result).and_then(|()| self.inner.finish());
            if let Err(error) = copied {
                // The copy may still be under way.
                std::mem::forget(data);
                return Err(error);
            }
        }
        // SAFETY: the copy filled `count` elements, and every bit pattern is a valid `T`.
        unsafe { data.set_len(count) };
        Ok(data)
    }

    /// Copies within the device. Does not wait.
    ///
    /// # Errors
    /// Different lengths, memory of another stream, or a device that is lost.
    pub fn copy_dtod<T: DeviceRepr>(
        &self,
        src: DeviceSlice<'_, T>,
        dst: DeviceSliceMut<'_, T>,
    ) -> Result<(), Error> {
        self.inner.check_space("copy_dtod", src.space())?;
        self.inner.check_space("copy_dtod", dst.space())?;
        check_len(src.len(), dst.len())?;
        let bytes = bytes_of::<T>(src.len())?;
        if src.addr().abs_diff(dst.addr()) < bytes as u64 {
            return Err(Error::CopyOverlap { src: src.addr(), dst: dst.addr(), len: src.len() });
        }
        self.inner.enter()?;
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: both sides hold `bytes`, are alive, do not overlap and are used in this stream's order.
        let result = unsafe { api::cuMemcpyDtoDAsync_v2(dst.addr(), src.addr(), bytes, self.inner.raw()) };
        self.inner.check("cuMemcpyDtoDAsync", result)
    }

    /// Sets every byte. Does not wait.
    ///
    /// # Errors
    /// Memory of another stream, or a device that is lost.
    pub fn fill<T: DeviceRepr>(&self, dst: DeviceSliceMut<'_, T>, byte: u8) -> Result<(), Error> {
        self.inner.check_space("fill", dst.space())?;
        let bytes = bytes_of::<T>(dst.len())?;
        self.inner.enter()?;
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: the destination holds `bytes`, is alive and used in this stream's order; every bit pattern is a valid `T`.
        let result = unsafe { api::cuMemsetD8Async(dst.addr(), byte, bytes, self.inner.raw()) };
        self.inner.check("cuMemsetD8Async", result)
    }
}
