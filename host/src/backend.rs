//! Where kernels run, and which back end there is.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use gpu_std::DeviceRepr;
use gpu_std::launch::{ContractError, DeviceSlice, DeviceSliceMut, Launcher, SpaceId};

use crate::driver::Gpu;
use crate::error::Error;
use crate::host_memory;
#[cfg(feature = "sim")]
use crate::sim::Sim;

/// Facts about a device that do not change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceInfo {
    /// The device's number, from 0.
    pub ordinal: u32,
    /// Its name, as the driver writes it.
    pub name: String,
    /// Its architecture, such as `sm_90`.
    pub arch: String,
    /// Its compute capability, such as (9, 0).
    pub compute: (u32, u32),
    /// Multiprocessors.
    pub sm_count: u32,
    /// Device memory in bytes.
    pub total_bytes: u64,
    /// L2 cache in bytes.
    pub l2_bytes: u64,
    /// Shared memory in bytes that a block may have without asking.
    pub shared_bytes: u32,
    /// Shared memory in bytes that a block may have when the launch asks.
    pub shared_optin_bytes: u32,
    /// The CUDA version the driver serves, 1000 * major + 10 * minor; 0 for a back end without a driver.
    pub driver: u32,
}

/// Where kernels run: a CUDA stream, the simulator. Operations and tests are written against this.
pub trait Device: Launcher<Error = Error> {
    /// Memory of this device.
    type Buffer<T: DeviceRepr>: Buffer<T>;

    /// Host memory for copies that need not wait: pinned where the device copies by itself.
    type Staging<T: DeviceRepr>: Staging<T>;

    /// Facts about the device.
    fn info(&self) -> &DeviceInfo;

    /// Whether there is PTX of `entry` here. One that needs a newer architecture than the oldest is missing where only PTX for
    /// older ones was built or asked for; ops then take another kernel.
    fn has_entry(&self, entry: &str) -> bool;

    /// Memory for `len` elements; what is in it is undefined.
    ///
    /// # Errors
    /// No room, a size that overflows, or a device that is lost.
    fn alloc<T: DeviceRepr>(&self, len: u64) -> Result<Self::Buffer<T>, Error>;

    /// A copy of `data` on the device. Returns when `data` may be changed again.
    ///
    /// # Errors
    /// As [`alloc`](Self::alloc), or the copy's.
    fn upload<T: DeviceRepr>(&self, data: &[T]) -> Result<Self::Buffer<T>, Error>;

    /// Copies `data` to `view`, in the order of the work here. Returns when `data` may be changed again.
    ///
    /// # Errors
    /// Different lengths, memory of another space, or what the work ahead of it or the copy ran into.
    fn write<T: DeviceRepr>(&self, data: &[T], view: DeviceSliceMut<'_, T>) -> Result<(), Error>;

    /// A copy of `view` on the host. Waits for the work ahead of it.
    ///
    /// # Errors
    /// Memory of another space, or what the work ahead of it or the copy ran into.
    fn download<T: DeviceRepr>(&self, view: DeviceSlice<'_, T>) -> Result<Vec<T>, Error>;

    /// Host memory for `len` elements, zeros at first, to [`send`](Self::send) from and to [`fetch`](Self::fetch) to.
    ///
    /// # Errors
    /// No room, a size that overflows, or a device that is lost.
    fn staging<T: DeviceRepr>(&self, len: usize) -> Result<Self::Staging<T>, Error>;

    /// Copies the elements in `range` of `src` to `dst`, in the order of the work here. Need not wait: `src` does before it is
    /// written.
    ///
    /// # Errors
    /// A range past the end, different lengths, memory of another space, or a device that is lost.
    fn send<T: DeviceRepr>(
        &self,
        src: &Self::Staging<T>,
        range: Range<usize>,
        dst: DeviceSliceMut<'_, T>,
    ) -> Result<(), Error>;

    /// Copies `src` to the elements in `range` of `dst`, in the order of the work here. Need not wait: `dst` does before it is
    /// read.
    ///
    /// # Errors
    /// As [`send`](Self::send).
    fn fetch<T: DeviceRepr>(
        &self,
        src: DeviceSlice<'_, T>,
        dst: &mut Self::Staging<T>,
        range: Range<usize>,
    ) -> Result<(), Error>;

    /// Lets `work` write `dst`, where the device can directly: then results are on the host without a copy, and each access
    /// goes all the way. Need not wait: `dst` does before it is read.
    ///
    /// # Errors
    /// Those of `work`, no room, or a device that is lost.
    fn write_through<T: DeviceRepr>(
        &self,
        dst: &mut Self::Staging<T>,
        len: usize,
        work: impl FnOnce(DeviceSliceMut<'_, T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut buffer = self.alloc(len as u64)?;
        work(buffer.as_mut_slice())?;
        self.fetch(buffer.as_slice(), dst, 0..len)
    }

    /// Sets every byte of `view` to `byte`.
    ///
    /// # Errors
    /// Memory of another space, or a device that is lost.
    fn fill_bytes<T: DeviceRepr>(&self, view: DeviceSliceMut<'_, T>, byte: u8) -> Result<(), Error>;

    /// Sets every byte of `view` to `byte` and, where the device keeps count, marks it as undefined: a kernel may overwrite
    /// it and not use it. The host may read it.
    ///
    /// # Errors
    /// As [`fill_bytes`](Self::fill_bytes).
    fn poison<T: DeviceRepr>(&self, view: DeviceSliceMut<'_, T>, byte: u8) -> Result<(), Error> {
        self.fill_bytes(view, byte)
    }

    /// Waits for all work enqueued here.
    ///
    /// # Errors
    /// What that work ran into.
    fn synchronize(&self) -> Result<(), Error>;
}

/// Memory of a device.
pub trait Buffer<T: DeviceRepr> {
    /// All elements, to read.
    fn as_slice(&self) -> DeviceSlice<'_, T>;

    /// All elements, to write.
    fn as_mut_slice(&mut self) -> DeviceSliceMut<'_, T>;

    /// Number of elements.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Host memory that copies of a device go from and to.
pub trait Staging<T: DeviceRepr> {
    /// All elements, once no copy writes them.
    ///
    /// # Errors
    /// What the copies, or the work ahead of them, ran into.
    fn as_slice(&self) -> Result<&[T], Error>;

    /// All elements, once no copy uses them.
    ///
    /// # Errors
    /// As [`as_slice`](Self::as_slice).
    fn as_mut_slice(&mut self) -> Result<&mut [T], Error>;
}

/// For devices whose copies are done when the call returns.
impl<T: DeviceRepr> Staging<T> for Vec<T> {
    fn as_slice(&self) -> Result<&[T], Error> {
        Ok(self)
    }

    fn as_mut_slice(&mut self) -> Result<&mut [T], Error> {
        Ok(self)
    }
}

/// `len` zeros.
pub(crate) fn zeros<T: DeviceRepr>(len: usize) -> Result<Vec<T>, Error> {
    let mut all = host_memory::room(len)?;
    // SAFETY: `DeviceRepr` is plain data: every bit pattern is a valid `T`, zeros too.
    all.extend((0..len).map(|_| unsafe { std::mem::zeroed::<T>() }));
    Ok(all)
}

/// The elements in `range` of `data`.
pub(crate) fn part<T>(data: &[T], range: Range<usize>) -> Result<&[T], Error> {
    let (start, end, len) = (range.start as u64, range.end as u64, data.len() as u64);
    data.get(range).ok_or_else(|| ContractError::RangeOutOfBounds { start, end, len }.into())
}

/// The elements in `range` of `data`, to write.
pub(crate) fn part_mut<T>(data: &mut [T], range: Range<usize>) -> Result<&mut [T], Error> {
    let (start, end, len) = (range.start as u64, range.end as u64, data.len() as u64);
    data.get_mut(range).ok_or_else(|| ContractError::RangeOutOfBounds { start, end, len }.into())
}

/// Size of `len` elements, in bytes.
pub(crate) fn bytes_of<T>(len: u64) -> Result<usize, Error> {
    let bytes = len.checked_mul(size_of::<T>() as u64).and_then(|b| usize::try_from(b).ok());
    bytes
        .filter(|b| isize::try_from(*b).is_ok())
        .ok_or(Error::SizeOverflow { len, elem_bytes: size_of::<T>() })
}

/// Refuses a copy between different numbers of elements.
pub(crate) fn check_len(src_len: u64, dst_len: u64) -> Result<(), Error> {
    if src_len == dst_len { Ok(()) } else { Err(Error::CopyLength { src_len, dst_len }) }
}

/// A space that nothing else of this process has.
pub(crate) fn new_space() -> SpaceId {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    SpaceId::new(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The back ends a program can answer with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Backend {
    /// A CUDA device.
    Cuda(Gpu),
    /// The processor, by the fast CPU versions of the operations.
    Cpu,
    /// The simulator, which runs the kernels' PTX. For tests and checks: thousands of times slower than a GPU.
    #[cfg(feature = "sim")]
    Sim(Sim),
}

impl Backend {
    /// The best back end there is: device 0, else the CPU, with the reason. Never the simulator: who wants it asks for it.
    ///
    /// Whether there is PTX for the device is not asked here: PTX that is missing or stale is an error of the launch and
    /// never a reason to go on with the CPU in silence.
    #[must_use]
    pub fn auto() -> Selection {
        match Gpu::open(0) {
            Ok(gpu) => Selection { backend: Self::Cuda(gpu), reason: None },
            Err(reason) => Selection { backend: Self::Cpu, reason: Some(reason) },
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cuda(gpu) => {
                let info = gpu.info();
                write!(f, "CUDA device {}: {} ({})", info.ordinal, info.name, info.arch)
            }
            Self::Cpu => f.write_str("CPU"),
            #[cfg(feature = "sim")]
            Self::Sim(sim) => sim.fmt(f),
        }
    }
}

/// The back end that [`Backend::auto`] took, and why it is no better one.
#[derive(Debug)]
#[non_exhaustive]
pub struct Selection {
    /// The back end.
    pub backend: Backend,
    /// What stands in the way of a GPU.
    pub reason: Option<Error>,
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Some(reason) => write!(f, "{}, because: {reason}", self.backend),
            None => self.backend.fmt(f),
        }
    }
}
