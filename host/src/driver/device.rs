//! A stream as a place where kernels run.

use std::ops::Range;

use gpu_std::DeviceRepr;
use gpu_std::launch::{DeviceSlice, DeviceSliceMut};

use super::buffer::DeviceBuffer;
use super::pinned::PinnedBuffer;
use super::stream::Stream;
use crate::backend::{Buffer, Device, DeviceInfo, Staging};
use crate::error::Error;

impl Device for Stream {
    type Buffer<T: DeviceRepr> = DeviceBuffer<T>;
    type Staging<T: DeviceRepr> = PinnedBuffer<T>;

    fn info(&self) -> &DeviceInfo {
        Stream::info(self)
    }

    fn has_entry(&self, entry: &str) -> bool {
        self.gpu().has_entry(entry)
    }

    fn alloc<T: DeviceRepr>(&self, len: u64) -> Result<DeviceBuffer<T>, Error> {
        DeviceBuffer::new(self, len)
    }

    fn upload<T: DeviceRepr>(&self, data: &[T]) -> Result<DeviceBuffer<T>, Error> {
        let mut buffer = DeviceBuffer::new(self, data.len() as u64)?;
        self.write(data, buffer.as_mut_slice())?;
        Ok(buffer)
    }

    fn write<T: DeviceRepr>(&self, data: &[T], view: DeviceSliceMut<'_, T>) -> Result<(), Error> {
        Stream::write(self, data, view)
    }

    fn download<T: DeviceRepr>(&self, view: DeviceSlice<'_, T>) -> Result<Vec<T>, Error> {
        self.read(view)
    }

    fn staging<T: DeviceRepr>(&self, len: usize) -> Result<PinnedBuffer<T>, Error> {
        PinnedBuffer::new(&self.gpu(), len)
    }

    fn send<T: DeviceRepr>(
        &self,
        src: &PinnedBuffer<T>,
        range: Range<usize>,
        dst: DeviceSliceMut<'_, T>,
    ) -> Result<(), Error> {
        self.copy_htod_range(src, range, dst)
    }

    fn fetch<T: DeviceRepr>(
        &self,
        src: DeviceSlice<'_, T>,
        dst: &mut PinnedBuffer<T>,
        range: Range<usize>,
    ) -> Result<(), Error> {
        self.copy_dtoh_range(src, dst, range)
    }

    fn write_through<T: DeviceRepr>(
        &self,
        dst: &mut PinnedBuffer<T>,
        len: usize,
        work: impl FnOnce(DeviceSliceMut<'_, T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.write_pinned(dst, len, work)
    }

    fn fill_bytes<T: DeviceRepr>(&self, view: DeviceSliceMut<'_, T>, byte: u8) -> Result<(), Error> {
        self.fill(view, byte)
    }

    fn synchronize(&self) -> Result<(), Error> {
        Stream::synchronize(self)
    }
}

impl<T: DeviceRepr> Buffer<T> for DeviceBuffer<T> {
    fn as_slice(&self) -> DeviceSlice<'_, T> {
        DeviceBuffer::as_slice(self)
    }

    fn as_mut_slice(&mut self) -> DeviceSliceMut<'_, T> {
        DeviceBuffer::as_mut_slice(self)
    }

    fn len(&self) -> u64 {
        DeviceBuffer::len(self)
    }
}

impl<T: DeviceRepr> Staging<T> for PinnedBuffer<T> {
    fn as_slice(&self) -> Result<&[T], Error> {
        PinnedBuffer::as_slice(self)
    }

    fn as_mut_slice(&mut self) -> Result<&mut [T], Error> {
        PinnedBuffer::as_mut_slice(self)
    }
}
