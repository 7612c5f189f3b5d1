//! A device without memory that notes which PTX entries are launched: what an op would run, known ahead.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::ops::Range;

use gpu_std::DeviceRepr;
use gpu_std::launch::{
    CheckedShape, DeviceSlice, DeviceSliceMut, Kernel, KernelArgs as _, Launcher, SpaceId,
};

use crate::backend::{Buffer, Device, DeviceInfo, bytes_of, new_space, part, part_mut, zeros};
use crate::error::Error;

/// Where a real device's allocations begin, too.
const ALIGNMENT: u64 = 256;

/// Notes launches and runs none.
pub(super) struct Recorder {
    info: DeviceInfo,
    space: SpaceId,
    /// The first address that no buffer has.
    free: Cell<u64>,
    launched: RefCell<Vec<&'static str>>,
    #[cfg(test)]
    memory: Memory,
}

impl Recorder {
    /// Takes what a device like `info` takes.
    pub fn new(info: &DeviceInfo) -> Self {
        let (free, launched) = (Cell::new(ALIGNMENT), RefCell::default());
        Self {
            info: info.clone(),
            space: new_space(),
            free,
            launched,
            #[cfg(test)]
            memory: Memory::default(),
        }
    }

    /// The same for a device with no more memory than `info` says.
    #[cfg(test)]
    pub fn with_its_memory(info: &DeviceInfo) -> Self {
        let memory = Memory { total_bytes: Some(info.total_bytes), ..Memory::default() };
        Self { memory, ..Self::new(info) }
    }

    /// Elements of host memory that were taken for copies so far.
    #[cfg(test)]
    pub fn staged(&self) -> u64 {
        self.memory.staged.get()
    }

    /// The entries launched so far.
    pub fn launched(self) -> Vec<&'static str> {
        self.launched.into_inner()
    }
}

/// What tests of memory know of it.
#[cfg(test)]
#[derive(Default)]
struct Memory {
    /// All that the device has, where it is limited.
    total_bytes: Option<u64>,
    /// Elements of host memory that were taken for copies.
    staged: Cell<u64>,
}

#[cfg(test)]
impl Memory {
    /// Refuses an allocation after which `used` bytes are taken, where they are not there.
    fn check(&self, bytes: u64, used: u64) -> Result<(), Error> {
        match self.total_bytes {
            Some(total_bytes) if used > total_bytes => {
                let free_bytes = total_bytes.saturating_sub(used - bytes);
                Err(Error::OutOfMemory { ordinal: 0, bytes, free_bytes, total_bytes })
            }
            _ => Ok(()),
        }
    }

    fn stage(&self, len: usize) {
        self.staged.set(self.staged.get() + len as u64);
    }
}

/// Addresses that no other buffer of the recorder has, and nothing behind them.
pub(super) struct NoMemory<T> {
    addr: u64,
    len: u64,
    space: SpaceId,
    element: PhantomData<T>,
}

impl<T: DeviceRepr> Buffer<T> for NoMemory<T> {
    fn as_slice(&self) -> DeviceSlice<'_, T> {
        // SAFETY: the recorder follows no address, and other devices refuse its space; the address is aligned to 256.
        unsafe { DeviceSlice::from_raw(self.addr, self.len, self.space) }
    }

    fn as_mut_slice(&mut self) -> DeviceSliceMut<'_, T> {
        // SAFETY: as above.
        unsafe { DeviceSliceMut::from_raw(self.addr, self.len, self.space) }
    }

    fn len(&self) -> u64 {
        self.len
    }
}

impl Launcher for Recorder {
    type Error = Error;

    unsafe fn launch_checked<K: Kernel>(&self, _: CheckedShape, args: &K::Args<'_>) -> Result<(), Error> {
        args.check()?;
        self.launched.borrow_mut().push(K::ENTRY);
        Ok(())
    }
}

impl Device for Recorder {
    type Buffer<T: DeviceRepr> = NoMemory<T>;
    type Staging<T: DeviceRepr> = Vec<T>;

    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// All of them that the device can run.
    fn has_entry(&self, entry: &str) -> bool {
        self.info.compute == (9, 0) || !entry.starts_with("sm90_")
    }

    fn alloc<T: DeviceRepr>(&self, len: u64) -> Result<NoMemory<T>, Error> {
        let overflow = Error::SizeOverflow { len, elem_bytes: size_of::<T>() };
        let (addr, bytes) = (self.free.get(), bytes_of::<T>(len)? as u64);
        let end = addr.checked_add(bytes).and_then(|end| end.checked_next_multiple_of(ALIGNMENT));
        let end = end.ok_or(overflow)?;
        #[cfg(test)]
        self.memory.check(bytes, end - ALIGNMENT)?;
        self.free.set(end);
        Ok(NoMemory { addr, len, space: self.space, element: PhantomData })
    }

    fn upload<T: DeviceRepr>(&self, data: &[T]) -> Result<NoMemory<T>, Error> {
        self.alloc(data.len() as u64)
    }

    fn write<T: DeviceRepr>(&self, _: &[T], _: DeviceSliceMut<'_, T>) -> Result<(), Error> {
        Ok(())
    }

    /// Nothing has been computed: zeros.
    fn download<T: DeviceRepr>(&self, view: DeviceSlice<'_, T>) -> Result<Vec<T>, Error> {
        zeros(view.len() as usize)
    }

    fn staging<T: DeviceRepr>(&self, len: usize) -> Result<Vec<T>, Error> {
        #[cfg(test)]
        self.memory.stage(len);
        zeros(len)
    }

    fn send<T: DeviceRepr>(
        &self,
        src: &Vec<T>,
        range: Range<usize>,
        _: DeviceSliceMut<'_, T>,
    ) -> Result<(), Error> {
        part(src, range).map(|_| ())
    }

    fn fetch<T: DeviceRepr>(
        &self,
        _: DeviceSlice<'_, T>,
        dst: &mut Vec<T>,
        range: Range<usize>,
    ) -> Result<(), Error> {
        part_mut(dst, range).map(|_| ())
    }

    fn fill_bytes<T: DeviceRepr>(&self, _: DeviceSliceMut<'_, T>, _: u8) -> Result<(), Error> {
        Ok(())
    }

    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// A device of the size of an H200.
#[cfg(test)]
pub(super) fn h200() -> DeviceInfo {
    DeviceInfo {
        ordinal: 0,
        name: "none".to_owned(),
        arch: "sm_90".to_owned(),
        compute: (9, 0),
        sm_count: 132,
        total_bytes: 1 << 37,
        l2_bytes: 1 << 25,
        shared_bytes: 48 << 10,
        shared_optin_bytes: 227 << 10,
        driver: 0,
    }
}
