//! A simulated device as a place where kernels run.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gpu_std::DeviceRepr;
use gpu_std::launch::{
    CheckedShape, DeviceSlice, DeviceSliceMut, Dim3, Kernel, KernelArgs, Launcher, SpaceId,
};
use ptx_parse::Module as Ptx;

use super::buffer::{SimBuffer, bytes, elements};
use super::entry::{Entry, Loaded};
use super::info;
use super::options::SimOptions;
use super::pack::Packer;
use super::statistics::{Collected, KernelStatistics};
use crate::artefacts::{Arch, Artefact, ArtefactError, Artefacts, Backend, Options, Target};
use crate::backend::{
    Buffer as _, Device, DeviceInfo, bytes_of, check_len, new_space, part, part_mut, zeros,
};
use crate::error::Error;

/// What is simulated where nobody asks for another.
const DEFAULT_ARCH: Arch = Arch::of_exact_device((9, 0));

/// A simulated GPU. Clones are the same device: one memory, one order.
#[derive(Clone)]
pub struct Sim {
    inner: Arc<SimInner>,
    /// In place of the grid that a launch asks for.
    grid: Option<Dim3>,
}

pub(super) struct SimInner {
    device: ptx_sim::Device,
    info: DeviceInfo,
    space: SpaceId,
    artefacts: Arc<Artefacts>,
    /// Bytes of all buffers.
    allocated: AtomicU64,
    /// By place among the artefacts, and family.
    modules: Mutex<HashMap<(usize, String), Loaded>>,
    /// By signature hash.
    entries: Mutex<HashMap<u64, Arc<Entry>>>,
    statistics: Mutex<Collected>,
}

impl Sim {
    /// Opens a device of its own, as the environment says; see [`SimOptions::from_environment`].
    ///
    /// # Errors
    /// No PTX, or none that belongs to this program; a variable that means nothing.
    pub fn open() -> Result<Self, Error> {
        Self::open_with(SimOptions::from_environment()?)
    }

    /// Opens a device of its own.
    ///
    /// # Errors
    /// No PTX, or none that belongs to this program.
    pub fn open_with(options: SimOptions) -> Result<Self, Error> {
        let artefacts = find(&options.ptx)?;
        let arch = artefacts.chosen().iter().map(Artefact::arch).max().unwrap_or(DEFAULT_ARCH);
        Ok(Self {
            inner: Arc::new(SimInner::new(options.run, Arc::new(artefacts), info::of(arch))),
            grid: None,
        })
    }

    /// A device of its own of the same architecture, which takes the kernels of `family` from `ptx` and everything else from
    /// where this device has it. `name` is what messages call that PTX.
    ///
    /// # Errors
    /// [`Error::SimLoad`] for a variable of `ptx` that cannot be placed.
    pub fn with_ptx(&self, family: &str, name: &str, ptx: Ptx, run: ptx_sim::Options) -> Result<Self, Error> {
        let Self { inner, grid } = self;
        let info = inner.info.clone();
        let inner = SimInner::new(run, inner.artefacts.clone(), info);
        let module = inner.device.load_ast(name, ptx).map_err(|error| Error::SimLoad(Box::new(error)))?;
        let loaded = Loaded { module, name: name.to_owned() };
        let places = 0..inner.artefacts.chosen().len();
        lock(&inner.modules).extend(places.map(|place| ((place, family.to_owned()), loaded.clone())));
        Ok(Self { inner: Arc::new(inner), grid: *grid })
    }

    /// The same device and memory; every launch runs on `grid`, whatever grid it asks for. For tests of kernels that promise to
    /// cover everything on any grid.
    #[must_use]
    pub fn on_grid(&self, grid: impl Into<Dim3>) -> Self {
        Self { inner: self.inner.clone(), grid: Some(grid.into()) }
    }

    /// The PTX chosen, of each place that has some one per back end, in the order they are looked at.
    #[must_use]
    pub fn artefacts(&self) -> &[Artefact] {
        self.inner.artefacts.chosen()
    }

    /// Seed of the scheduling order.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.inner.device.options().seed
    }

    /// The space of its memory.
    #[must_use]
    pub fn space(&self) -> SpaceId {
        self.inner.space
    }

    /// Bytes of all its buffers.
    #[must_use]
    pub fn allocated_bytes(&self) -> u64 {
        self.inner.allocated.load(Ordering::Relaxed)
    }

    /// What was counted so far, entry by entry; nothing where the options do not ask for statistics.
    #[must_use]
    pub fn statistics(&self) -> Vec<KernelStatistics> {
        lock(&self.inner.statistics).all()
    }

    fn check_space(&self, call: &'static str, space: SpaceId) -> Result<(), Error> {
        if space == self.space() {
            return Ok(());
        }
        Err(Error::CopySpace { call, got: space.get(), want: self.space().get() })
    }
}

impl fmt::Debug for Sim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sim ({}, seed {})", self.inner.info.arch, self.seed())
    }
}

impl fmt::Display for Sim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wrote = |b: &Backend| self.artefacts().iter().any(|artefact| artefact.backend() == *b);
        let backends: Vec<&str> = Backend::ALL.into_iter().filter(wrote).map(Backend::name).collect();
        let (name, arch, by) = (&self.inner.info.name, &self.inner.info.arch, backends.join(" and "));
        write!(f, "{name} ({arch} PTX by {by}, seed {})", self.seed())
    }
}

/// The PTX of the architecture asked for; else that of [`DEFAULT_ARCH`], or what a device of its capability takes where a
/// place has none for it.
fn find(options: &Options) -> Result<Artefacts, ArtefactError> {
    let arch = options.arch.unwrap_or(DEFAULT_ARCH);
    // A driver that takes every PTX version: what the simulator does not know, it names.
    Artefacts::find(options, Target { compute: arch.compute(), driver: u32::MAX, preferred: Some(arch) })
}

impl SimInner {
    fn new(run: ptx_sim::Options, artefacts: Arc<Artefacts>, info: DeviceInfo) -> Self {
        Self {
            device: ptx_sim::Device::new(run),
            info,
            space: new_space(),
            artefacts,
            allocated: AtomicU64::new(0),
            modules: Mutex::default(),
            entries: Mutex::default(),
            statistics: Mutex::default(),
        }
    }

    pub fn space(&self) -> SpaceId {
        self.space
    }

    pub fn allocate(&self, bytes: u64) -> Result<u64, Error> {
        let total_bytes = self.info.total_bytes;
        let grown = |used: u64| used.checked_add(bytes).filter(|used| *used <= total_bytes);
        self.allocated.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown).map_err(|used| {
            let (ordinal, free_bytes) = (self.info.ordinal, total_bytes - used);
            Error::OutOfMemory { ordinal, bytes, free_bytes, total_bytes }
        })?;
        Ok(self.device.alloc(bytes).inspect_err(|_| self.give_back(bytes))?)
    }

    pub fn free(&self, addr: u64, bytes: u64) {
        // It was allocated here and is freed once: there is nothing to fail.
        let freed = self.device.free(addr);
        debug_assert!(freed.is_ok(), "{freed:?}");
        self.give_back(bytes);
    }

    fn give_back(&self, bytes: u64) {
        self.allocated.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// `K`'s entry, loaded at the first call.
    fn entry<K: Kernel>(&self) -> Result<Arc<Entry>, Error> {
        let known = lock(&self.entries).get(&K::SIGNATURE_HASH).cloned();
        match known {
            Some(entry) if entry.name() == K::ENTRY => Ok(entry),
            _ => self.load::<K>(),
        }
    }

    fn load<K: Kernel>(&self) -> Result<Arc<Entry>, Error> {
        let (artefact, manifest) = self.artefacts.entry(K::ENTRY, K::TARGET, K::SIGNATURE_HASH)?;
        let module = self.module(artefact, &manifest.family)?;
        let entry = Entry::resolve::<K>(module, manifest, &self.info)?
            .ok_or_else(|| artefact.damaged(&manifest.family))?;
        let entry = Arc::new(entry);
        lock(&self.entries).insert(K::SIGNATURE_HASH, entry.clone());
        Ok(entry)
    }

    /// The lock is held while the PTX is parsed, so that two threads do not parse the same.
    fn module(&self, artefact: &Artefact, family: &str) -> Result<Loaded, Error> {
        let place = self.artefacts.chosen().iter().position(|a| std::ptr::eq(a, artefact)).unwrap_or(0);
        let mut modules = lock(&self.modules);
        let key = (place, family.to_owned());
        if let Some(module) = modules.get(&key) {
            return Ok(module.clone());
        }
        let name = artefact.name_of(family);
        let ptx = artefact.ptx(family)?.ok_or_else(|| artefact.damaged(family))?;
        let module = self.device.load_text(&name, &ptx).map_err(|error| Error::SimLoad(Box::new(error)))?;
        let loaded = Loaded { module, name };
        modules.insert(key, loaded.clone());
        Ok(loaded)
    }
}

impl Launcher for Sim {
    type Error = Error;

    unsafe fn launch_checked<K: Kernel>(&self, shape: CheckedShape, args: &K::Args<'_>) -> Result<(), Error> {
        let entry = self.inner.entry::<K>()?;
        entry.check_shape(&shape, &self.inner.info)?;
        let mut packer = Packer::new(K::ENTRY, self.space());
        args.pack(&mut packer)?;
        let grid = self.grid.unwrap_or_else(|| shape.grid());
        let report = entry.run(grid, &shape, &packer.into_params())?;
        lock(&self.inner.statistics).add(K::ENTRY, report);
        Ok(())
    }
}

impl Device for Sim {
    type Buffer<T: DeviceRepr> = SimBuffer<T>;
    type Staging<T: DeviceRepr> = Vec<T>;

    fn info(&self) -> &DeviceInfo {
        &self.inner.info
    }

    fn has_entry(&self, entry: &str) -> bool {
        self.inner.artefacts.source(entry).is_some()
    }

    fn alloc<T: DeviceRepr>(&self, len: u64) -> Result<SimBuffer<T>, Error> {
        SimBuffer::new(&self.inner, len)
    }

    fn upload<T: DeviceRepr>(&self, data: &[T]) -> Result<SimBuffer<T>, Error> {
        let buffer = SimBuffer::new(&self.inner, data.len() as u64)?;
        if size_of_val(data) > 0 {
            self.inner.device.write(buffer.as_slice().addr(), bytes(data))?;
        }
        Ok(buffer)
    }

    fn write<T: DeviceRepr>(&self, data: &[T], view: DeviceSliceMut<'_, T>) -> Result<(), Error> {
        self.check_space("write", view.space())?;
        check_len(data.len() as u64, view.len())?;
        if size_of_val(data) == 0 { Ok(()) } else { Ok(self.inner.device.write(view.addr(), bytes(data))?) }
    }

    fn download<T: DeviceRepr>(&self, view: DeviceSlice<'_, T>) -> Result<Vec<T>, Error> {
        self.check_space("download", view.space())?;
        bytes_of::<T>(view.len())?;
        elements(view.len() as usize, |out| {
            if out.is_empty() { Ok(()) } else { Ok(self.inner.device.read(view.addr(), out)?) }
        })
    }

    fn staging<T: DeviceRepr>(&self, len: usize) -> Result<Vec<T>, Error> {
        bytes_of::<T>(len as u64)?;
        zeros(len)
    }

    fn send<T: DeviceRepr>(
        &self,
        src: &Vec<T>,
        range: Range<usize>,
        dst: DeviceSliceMut<'_, T>,
    ) -> Result<(), Error> {
        self.write(part(src, range)?, dst)
    }

    fn fetch<T: DeviceRepr>(
        &self,
        src: DeviceSlice<'_, T>,
        dst: &mut Vec<T>,
        range: Range<usize>,
    ) -> Result<(), Error> {
        let dst = part_mut(dst, range)?;
        check_len(src.len(), dst.len() as u64)?;
        dst.copy_from_slice(&self.download(src)?);
        Ok(())
    }

    fn fill_bytes<T: DeviceRepr>(&self, view: DeviceSliceMut<'_, T>, byte: u8) -> Result<(), Error> {
        self.check_space("fill_bytes", view.space())?;
        match bytes_of::<T>(view.len())? as u64 {
            0 => Ok(()),
            len => Ok(self.inner.device.fill(view.addr(), len, byte)?),
        }
    }

    fn poison<T: DeviceRepr>(&self, view: DeviceSliceMut<'_, T>, byte: u8) -> Result<(), Error> {
        self.check_space("poison", view.space())?;
        match bytes_of::<T>(view.len())? as u64 {
            0 => Ok(()),
            len => Ok(self.inner.device.poison(view.addr(), len, byte)?),
        }
    }

    /// A launch has run to its end when it returns: there is nothing to wait for.
    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// A lock whose holder panicked guards what the panic left; all of it is only ever added to.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
