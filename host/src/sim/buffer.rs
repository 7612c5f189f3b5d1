//! Memory of a simulated device.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use gpu_std::DeviceRepr;
use gpu_std::launch::{DeviceSlice, DeviceSliceMut};

use super::device::SimInner;
use crate::backend::{Buffer, bytes_of};
use crate::error::Error;
use crate::host_memory;

/// `len` elements of a simulated device's memory. Freed when dropped.
pub struct SimBuffer<T: DeviceRepr> {
    addr: u64,
    len: u64,
    home: Arc<SimInner>,
    element: PhantomData<T>,
}

impl<T: DeviceRepr> SimBuffer<T> {
    pub(super) fn new(home: &Arc<SimInner>, len: u64) -> Result<Self, Error> {
        let bytes = bytes_of::<T>(len)? as u64;
        let addr = if bytes == 0 { 0 } else { home.allocate(bytes)? };
        Ok(Self { addr, len, home: home.clone(), element: PhantomData })
    }
}

impl<T: DeviceRepr> Buffer<T> for SimBuffer<T> {
    fn as_slice(&self) -> DeviceSlice<'_, T> {
        // SAFETY: the memory is alive and holds `len` elements as long as the buffer does, and what writes it needs the
        // buffer exclusively. Every access goes through the simulator, which checks address and alignment.
        unsafe { DeviceSlice::from_raw(self.addr, self.len, self.home.space()) }
    }

    fn as_mut_slice(&mut self) -> DeviceSliceMut<'_, T> {
        // SAFETY: as in `as_slice`; the buffer is held exclusively for the life of the view.
        unsafe { DeviceSliceMut::from_raw(self.addr, self.len, self.home.space()) }
    }

    fn len(&self) -> u64 {
        self.len
    }
}

impl<T: DeviceRepr> Drop for SimBuffer<T> {
    fn drop(&mut self) {
        if self.addr != 0 {
            self.home.free(self.addr, self.len * size_of::<T>() as u64);
        }
    }
}

impl<T: DeviceRepr> fmt::Debug for SimBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SimBuffer<{}> of {} elements at {:#x}", T::NAME, self.len, self.addr)
    }
}

/// The bytes of `data`.
pub(super) fn bytes<T: DeviceRepr>(data: &[T]) -> &[u8] {
    // SAFETY: `DeviceRepr` is plain data of fixed layout, and its derive refuses padding: every byte is initialised.
    unsafe { std::slice::from_raw_parts(data.as_ptr().cast(), size_of_val(data)) }
}

/// `len` elements whose bytes `read` writes.
pub(super) fn elements<T: DeviceRepr>(
    len: usize,
    read: impl FnOnce(&mut [u8]) -> Result<(), Error>,
) -> Result<Vec<T>, Error> {
    let mut data = host_memory::room::<T>(len)?;
    // SAFETY: there is room for `len` elements, and every bit pattern, zeros too, is a valid `T`.
    unsafe {
        data.as_mut_ptr().write_bytes(0, len);
        data.set_len(len);
    }
    // SAFETY: the vector's own elements; whatever bytes are written are valid elements.
    read(unsafe { std::slice::from_raw_parts_mut(data.as_mut_ptr().cast(), len * size_of::<T>()) })?;
    Ok(data)
}
