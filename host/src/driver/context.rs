//! The primary context of a device: one per device and process, shared by everything that lives on the device.

use std::ffi::c_int;
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock, Weak};

use cuda_loader::{RawResult, api};
use cust::context::Context as CustContext;
use cust::device::{Device, DeviceAttribute};
use cust::error::CudaError;

use super::call::{Handle, NO_DEVICE, code_of, is_sticky, lock};
use super::recent::Recent;
use crate::backend::DeviceInfo;
use crate::error::{DriverCode, Error, GpuLost};

/// The oldest driver: the PTX that `build-ptx` writes for its oldest architecture is version 7.4.
const OLDEST_DRIVER: u32 = 11_040;

/// The contexts that live. A lost one lives on for ever, so that its device cannot be opened again.
static CONTEXTS: Mutex<Vec<(u32, Weak<Context>)>> = Mutex::new(Vec::new());

/// How much of the device's memory is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryUse {
    /// Bytes that no process has taken.
    pub free_bytes: u64,
    /// Bytes the device has.
    pub total_bytes: u64,
    /// Bytes in buffers of this process.
    pub used_bytes: u64,
    /// Bytes this process keeps for buffers, used or not.
    pub reserved_bytes: u64,
}

#[derive(Debug)]
pub(super) struct Context {
    /// Itself, to stay alive once lost.
    me: Weak<Context>,
    cust: CustContext,
    info: DeviceInfo,
    /// The pool device memory comes from; `None` where the device has none.
    pool: Option<Handle<api::CUmemPoolHandle_st>>,
    lost: OnceLock<GpuLost>,
    recent: Recent,
}

impl Context {
    /// How many devices there are.
    pub fn count() -> Result<u32, Error> {
        let driver = init()?;
        match Device::num_devices() {
            Ok(0) => Err(Error::NoDevice { driver: Some(driver) }),
            Ok(count) => Ok(count),
            Err(error) => Err(failed("cuDeviceGetCount", error, driver)),
        }
    }

    /// The context of a device; the one that lives, if one does.
    pub fn of(ordinal: u32) -> Result<Arc<Self>, Error> {
        let count = Self::count()?;
        if ordinal >= count {
            return Err(Error::OrdinalTooLarge { ordinal, count });
        }
        let mut all = lock(&CONTEXTS);
        all.retain(|(_, context)| context.strong_count() > 0);
        if let Some(context) = all.iter().find(|(o, _)| *o == ordinal).and_then(|(_, c)| c.upgrade()) {
            context.alive()?;
            return Ok(context);
        }
        let context = Self::retain(ordinal)?;
        all.push((ordinal, Arc::downgrade(&context)));
        Ok(context)
    }

    fn retain(ordinal: u32) -> Result<Arc<Self>, Error> {
        let driver = init()?;
        let device = Device::get_device(ordinal).map_err(|e| failed("cuDeviceGet", e, driver))?;
        let info = query(device, ordinal, driver).map_err(|e| failed("cuDeviceGetAttribute", e, driver))?;
        let cust = CustContext::new(device).map_err(|e| failed("cuDevicePrimaryCtxRetain", e, driver))?;
        let mut context = Self {
            me: Weak::new(),
            cust,
            info,
            pool: None,
            lost: OnceLock::new(),
            recent: Recent::default(),
        };
        context.enter()?;
        context.pool = context.create_pool(device.as_raw());
        Ok(Arc::new_cyclic(|me| {
            context.me = me.clone();
            context
        }))
    }

    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    pub fn pool(&self) -> Option<api::CUmemoryPool> {
        self.pool.map(|pool| pool.0)
    }

    pub fn recent(&self) -> &Recent {
        &self.recent
    }

    pub fn lost(&self) -> Option<&GpuLost> {
        self.lost.get()
    }

    /// Refuses where the context is lost.
    #[inline]
    pub fn alive(&self) -> Result<(), Error> {
        match self.lost.get() {
            None => Ok(()),
            Some(lost) => Err(Error::GpuLost(Box::new(lost.clone()))),
        }
    }

    /// Makes the context current on this thread; refuses where it is lost.
    #[inline]
    pub fn enter(&self) -> Result<(), Error> {
        self.alive()?;
        let raw: api::CUcontext = self.cust.as_raw().cast();
        let mut now = ptr::null_mut();
        // SAFETY: `now` is a live, writable handle.
        self.check("cuCtxGetCurrent", unsafe { api::cuCtxGetCurrent(&raw mut now) })?;
        if now == raw {
            return Ok(());
        }
        // SAFETY: the primary context is retained as long as `self.cust` lives.
        self.check("cuCtxSetCurrent", unsafe { api::cuCtxSetCurrent(raw) })
    }

    /// The error of a call that is nobody's in particular.
    #[inline]
    pub fn check(&self, call: &'static str, result: RawResult) -> Result<(), Error> {
        self.check_for(call, result, &self.recent, || format!("device {}", self.info.ordinal))
    }

    /// The error of a call; a sticky one loses the context and names the entries of `recent`.
    #[inline]
    pub fn check_for(
        &self,
        call: &'static str,
        result: RawResult,
        recent: &Recent,
        what: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        if result.is_success() {
            return Ok(());
        }
        Err(self.failure(call, DriverCode(result.code()), recent, what))
    }

    #[cold]
    pub fn failure(
        &self,
        call: &'static str,
        code: DriverCode,
        recent: &Recent,
        what: impl FnOnce() -> String,
    ) -> Error {
        if is_sticky(code.0) {
            return self.lose(code, recent);
        }
        Error::Driver { what: what(), call, code }
    }

    /// Marks the context lost, for ever, and gives the error that says so. The first cause counts.
    #[cold]
    pub fn lose(&self, cause: DriverCode, recent: &Recent) -> Error {
        let lost = self.lost.get_or_init(|| {
            std::mem::forget(self.me.upgrade());
            let mut names = recent.newest_first();
            if names.is_empty() {
                names = self.recent.newest_first();
            }
            let kernel = if names.is_empty() { None } else { Some(names.remove(0)) };
            GpuLost { ordinal: self.info.ordinal, kernel, before: names, cause }
        });
        Error::GpuLost(Box::new(lost.clone()))
    }

    /// Waits for all work of the context.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.enter()?;
        // SAFETY: the context is current.
        self.check("cuCtxSynchronize", unsafe { api::cuCtxSynchronize() })
    }

    /// Free and total bytes of the device.
    pub fn free_and_total(&self) -> Result<(u64, u64), Error> {
        self.enter()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: the context is current; both are live, writable counters.
        self.check("cuMemGetInfo", unsafe { api::cuMemGetInfo_v2(&raw mut free, &raw mut total) })?;
        Ok((free as u64, total as u64))
    }

    pub fn memory(&self) -> Result<MemoryUse, Error> {
        let (free_bytes, total_bytes) = self.free_and_total()?;
        let used_bytes = self.pool_attribute(api::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?;
        let reserved_bytes = self.pool_attribute(api::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?;
        Ok(MemoryUse { free_bytes, total_bytes, used_bytes, reserved_bytes })
    }

    fn pool_attribute(&self, attribute: api::CUmemPool_attribute) -> Result<u64, Error> {
        let Some(pool) = self.pool() else { return Ok(0) };
        let mut value = 0_u64;
        // SAFETY: the pool lives as long as `self`; this attribute is a u64 and `value` is one.
        let result = unsafe { api::cuMemPoolGetAttribute(pool, attribute, (&raw mut value).cast()) };
        self.check("cuMemPoolGetAttribute", result)?;
        Ok(value)
    }

    /// Waits for all work and gives memory that no buffer uses back to the system.
    pub fn trim(&self) -> Result<(), Error> {
        self.synchronize()?;
        let Some(pool) = self.pool() else { return Ok(()) };
        // SAFETY: the pool lives as long as `self`.
        self.check("cuMemPoolTrimTo", unsafe { api::cuMemPoolTrimTo(pool, 0) })
    }

    /// A pool of our own that keeps what it got: with the default threshold of 0 every synchronisation would give the memory
    /// back to the system, and other users of the process keep their default pool as it is.
    fn create_pool(&self, device: api::CUdevice) -> Option<Handle<api::CUmemPoolHandle_st>> {
        if attribute(device, api::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) != Some(1) {
            return None;
        }
        let mut pool = ptr::null_mut();
        let properties = api::CUmemPoolProps::device(device);
        // SAFETY: both are live; the properties are those of a plain pool on a device that supports pools.
        let result = unsafe { api::cuMemPoolCreate(&raw mut pool, &raw const properties) };
        if !result.is_success() || pool.is_null() {
            return None;
        }
        let mut keep = u64::MAX;
        // SAFETY: the pool was just created; this attribute is a u64. Where it fails, memory is given back early: slower.
        let _ = unsafe {
            api::cuMemPoolSetAttribute(pool, api::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, (&raw mut keep).cast())
        };
        Some(Handle(pool))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // Lost contexts are never dropped; where the driver fails here, the process is ending.
        if self.synchronize().is_err() {
            return;
        }
        if let Some(pool) = self.pool() {
            // SAFETY: created by `create_pool` and destroyed once; what buffers freed has been freed.
            let _ = unsafe { api::cuMemPoolDestroy(pool) };
        }
    }
}

/// Opens and initialises the driver; its CUDA version.
fn init() -> Result<u32, Error> {
    cuda_loader::link();
    let driver = cuda_loader::availability().map_err(|tried| Error::NoDriver { tried })?;
    let version = driver.version().unwrap_or(0);
    cust::init(cust::CudaFlags::empty()).map_err(|e| failed("cuInit", e, version))?;
    if version < OLDEST_DRIVER {
        return Err(Error::DriverTooOld { driver: version, needed: OLDEST_DRIVER });
    }
    Ok(version)
}

fn failed(call: &'static str, error: CudaError, driver: u32) -> Error {
    match code_of(error) {
        DriverCode(NO_DEVICE) => Error::NoDevice { driver: (driver > 0).then_some(driver) },
        code => Error::Driver { what: "opening the device".to_owned(), call, code },
    }
}

/// A device attribute that cust does not list.
fn attribute(device: api::CUdevice, attribute: api::CUdevice_attribute) -> Option<c_int> {
    let mut value = 0;
    // SAFETY: `value` is a live, writable int.
    let result = unsafe { api::cuDeviceGetAttribute(&raw mut value, attribute, device) };
    result.is_success().then_some(value)
}

fn query(device: Device, ordinal: u32, driver: u32) -> Result<DeviceInfo, CudaError> {
    let get = |a| device.get_attribute(a).map(|v| u32::try_from(v).unwrap_or(0));
    let compute =
        (get(DeviceAttribute::ComputeCapabilityMajor)?, get(DeviceAttribute::ComputeCapabilityMinor)?);
    let shared_bytes = get(DeviceAttribute::MaxSharedMemoryPerBlock)?;
    let optin = attribute(device.as_raw(), api::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    Ok(DeviceInfo {
        ordinal,
        name: device.name()?,
        arch: format!("sm_{}{}", compute.0, compute.1),
        compute,
        sm_count: get(DeviceAttribute::MultiprocessorCount)?,
        total_bytes: device.total_memory()? as u64,
        l2_bytes: u64::from(get(DeviceAttribute::L2CacheSize)?),
        shared_bytes,
        shared_optin_bytes: optin.and_then(|v| u32::try_from(v).ok()).unwrap_or(0).max(shared_bytes),
        driver,
    })
}
