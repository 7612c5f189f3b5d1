//! A device, opened.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use gpu_std::launch::{Kernel, LaunchShape};

use super::call::lock;
use super::context::{Context, MemoryUse};
use super::entry::{Entry, FunctionAttributes};
use super::launch::PreparedLaunch;
use super::module::ModuleInner;
use super::stream::Stream;
use crate::artefacts::{Artefact, Artefacts, Options, Target};
use crate::backend::DeviceInfo;
use crate::error::{Error, GpuLost};

/// A device of this process: its primary context and the kernels loaded on it. Clones are the same.
#[derive(Clone)]
pub struct Gpu {
    inner: Arc<GpuInner>,
}

pub(super) struct GpuInner {
    context: Arc<Context>,
    options: Options,
    artefacts: OnceLock<Artefacts>,
    /// By place among the artefacts, and family.
    modules: Mutex<HashMap<(usize, String), Arc<ModuleInner>>>,
    /// By signature hash.
    entries: RwLock<HashMap<u64, Arc<Entry>>>,
}

impl Gpu {
    /// How many devices there are.
    ///
    /// # Errors
    /// [`Error::NoDriver`], [`Error::NoDevice`], or what the driver says.
    pub fn count() -> Result<u32, Error> {
        Context::count()
    }

    /// Opens device `ordinal`, counted from 0. Its PTX is looked for at the first launch.
    ///
    /// # Errors
    /// [`Error::NoDriver`], [`Error::NoDevice`], [`Error::OrdinalTooLarge`], [`Error::DriverTooOld`], [`Error::GpuLost`], or
    /// what the driver says.
    pub fn open(ordinal: u32) -> Result<Self, Error> {
        Self::open_with(ordinal, Options::default())
    }

    /// Opens device `ordinal` for PTX of the caller's choice.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(ordinal: u32, options: Options) -> Result<Self, Error> {
        let context = Context::of(ordinal)?;
        let (modules, entries) = (Mutex::default(), RwLock::default());
        Ok(Self {
            inner: Arc::new(GpuInner { context, options, artefacts: OnceLock::new(), modules, entries }),
        })
    }

    pub(super) fn of(inner: Arc<GpuInner>) -> Self {
        Self { inner }
    }

    pub(super) fn context(&self) -> &Arc<Context> {
        self.inner.context()
    }

    /// Facts about the device.
    #[must_use]
    pub fn info(&self) -> &DeviceInfo {
        self.context().info()
    }

    /// A new stream.
    ///
    /// # Errors
    /// A device that is lost, or what the driver says.
    pub fn stream(&self) -> Result<Stream, Error> {
        Stream::new(self.inner.clone())
    }

    /// Looks up, loads and checks all that a launch of `K` in this shape needs.
    ///
    /// # Errors
    /// No PTX for it, stale PTX, a shape that does not fit the kernel or the device, or a device that is lost.
    pub fn prepare<K: Kernel>(&self, shape: LaunchShape) -> Result<PreparedLaunch<K>, Error> {
        let shape = shape.check::<K>()?;
        PreparedLaunch::new(self.inner.entry::<K>()?, shape)
    }

    /// What the driver's compiler made of an entry.
    ///
    /// # Errors
    /// No PTX for it, stale PTX, or a device that is lost.
    pub fn attributes<K: Kernel>(&self) -> Result<FunctionAttributes, Error> {
        Ok(self.inner.entry::<K>()?.attributes())
    }

    /// The PTX chosen for the device, of each place that has some one per back end, in the order they are looked at.
    ///
    /// # Errors
    /// No PTX, or none that can be used.
    pub fn artefacts(&self) -> Result<&[Artefact], Error> {
        self.inner.artefacts().map(Artefacts::chosen)
    }

    /// Whether the PTX chosen for the device has an entry.
    #[must_use]
    pub fn has_entry(&self, entry: &str) -> bool {
        self.inner.artefacts().is_ok_and(|artefacts| artefacts.source(entry).is_some())
    }

    /// Waits for all work on the device that this process enqueued.
    ///
    /// # Errors
    /// What the work ran into.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.context().synchronize()
    }

    /// How much of the device's memory is in use.
    ///
    /// # Errors
    /// A device that is lost, or what the driver says.
    pub fn memory(&self) -> Result<MemoryUse, Error> {
        self.context().memory()
    }

    /// Waits for all work and gives the memory that no buffer uses back to the system; else it is kept for later buffers.
    ///
    /// # Errors
    /// What the work ran into.
    pub fn trim(&self) -> Result<(), Error> {
        self.context().trim()
    }

    /// Why this process has lost the device, if it has.
    #[must_use]
    pub fn lost(&self) -> Option<&GpuLost> {
        self.context().lost()
    }
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gpu {} ({}, {})", self.info().ordinal, self.info().name, self.info().arch)
    }
}

impl GpuInner {
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    fn artefacts(&self) -> Result<&Artefacts, Error> {
        if let Some(found) = self.artefacts.get() {
            return Ok(found);
        }
        let info = self.context.info();
        let found = Artefacts::find(
            &self.options,
            Target { compute: info.compute, driver: info.driver, preferred: None },
        )?;
        Ok(self.artefacts.get_or_init(|| found))
    }

    /// `K`'s entry, loaded at the first call.
    pub fn entry<K: Kernel>(&self) -> Result<Arc<Entry>, Error> {
        let known =
            self.entries.read().unwrap_or_else(PoisonError::into_inner).get(&K::SIGNATURE_HASH).cloned();
        match known {
            Some(entry) if entry.name() == K::ENTRY => Ok(entry),
            _ => self.load::<K>(),
        }
    }

    #[cold]
    fn load<K: Kernel>(&self) -> Result<Arc<Entry>, Error> {
        self.context.alive()?;
        let artefacts = self.artefacts()?;
        let (artefact, info) = artefacts.entry(K::ENTRY, K::TARGET, K::SIGNATURE_HASH)?;
        let place = artefacts.chosen().iter().position(|a| std::ptr::eq(a, artefact)).unwrap_or(0);
        let module = self.module(place, artefact, &info.family)?;
        let entry = Arc::new(Entry::resolve::<K>(&module)?);
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        entries.insert(entry.signature(), entry.clone());
        Ok(entry)
    }

    /// The lock is held while the driver compiles, so that two threads do not compile the same.
    fn module(&self, place: usize, artefact: &Artefact, family: &str) -> Result<Arc<ModuleInner>, Error> {
        let mut modules = lock(&self.modules);
        let key = (place, family.to_owned());
        if let Some(module) = modules.get(&key) {
            return Ok(module.clone());
        }
        let name = artefact.name_of(family);
        let ptx = artefact.ptx(family)?.ok_or_else(|| artefact.damaged(family))?;
        let module = ModuleInner::load(&self.context, &name, &ptx)?;
        modules.insert(key, module.clone());
        Ok(module)
    }
}
