//! Modules: PTX that the driver has compiled for a device.

use std::ffi::{CString, c_void};
use std::fmt;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::Arc;

use cuda_loader::api;
use cust::module::Module as CustModule;
use gpu_std::launch::{Kernel, LaunchShape};

use super::call::{INVALID_PTX, UNSUPPORTED_PTX_VERSION, code_of};
use super::context::Context;
use super::entry::Entry;
use super::gpu::Gpu;
use super::launch::PreparedLaunch;
use crate::error::{DriverCode, Error};

/// Room for the log of a failed compile.
const LOG_BYTES: usize = 16 * 1024;

/// PTX loaded on a device. Unloaded when the last launch prepared from it is gone.
pub struct Module {
    inner: Arc<ModuleInner>,
}

pub(super) struct ModuleInner {
    cust: ManuallyDrop<CustModule>,
    context: Arc<Context>,
    name: String,
}

impl Module {
    /// Has the driver compile `ptx` for the device; `name` stands for it in errors.
    ///
    /// # Errors
    /// [`Error::PtxRejected`] with the compiler's log, [`Error::PtxTooNew`], or a device that is lost.
    pub fn load(gpu: &Gpu, name: &str, ptx: &str) -> Result<Self, Error> {
        Ok(Self { inner: ModuleInner::load(gpu.context(), name, ptx)? })
    }

    /// The launch of one of its entries; see [`Gpu::prepare`].
    ///
    /// # Errors
    /// No such entry, parameters of another size, or a shape that does not fit the kernel or the device.
    ///
    /// # Safety
    /// - The entry `K::ENTRY` of this module was compiled from the kernel that `K` describes: no manifest says so here.
    pub unsafe fn prepare<K: Kernel>(&self, shape: LaunchShape) -> Result<PreparedLaunch<K>, Error> {
        PreparedLaunch::new(Arc::new(Entry::resolve::<K>(&self.inner)?), shape.check::<K>()?)
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module {} on device {}", self.inner.name, self.inner.context.info().ordinal)
    }
}

impl ModuleInner {
    pub fn load(context: &Arc<Context>, name: &str, ptx: &str) -> Result<Arc<Self>, Error> {
        context.enter()?;
        let rejected = |code, log| Error::PtxRejected { artefact: name.to_owned(), code, log };
        let Ok(text) = CString::new(ptx) else {
            return Err(rejected(DriverCode(INVALID_PTX), "the text contains a NUL byte".to_owned()));
        };
        match CustModule::from_ptx_cstr(&text, &[]) {
            Ok(cust) => {
                let (cust, context, name) = (ManuallyDrop::new(cust), context.clone(), name.to_owned());
                Ok(Arc::new(Self { cust, context, name }))
            }
            Err(error) => {
                match context.failure("cuModuleLoadDataEx", code_of(error), context.recent(), String::new) {
                    Error::Driver { code: DriverCode(UNSUPPORTED_PTX_VERSION), .. } => {
                        Err(too_new(name, ptx, context.info().driver))
                    }
                    Error::Driver { code, .. } => Err(rejected(code, compile_log(&text))),
                    lost => Err(lost),
                }
            }
        }
    }

    pub fn cust(&self) -> &CustModule {
        &self.cust
    }

    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for ModuleInner {
    fn drop(&mut self) {
        // A kernel of it may still run. Where the context is lost, unloading would fail: leave it.
        if self.context.synchronize().is_err() {
            return;
        }
        // SAFETY: dropped once, here, and not used again.
        unsafe { ManuallyDrop::drop(&mut self.cust) };
    }
}

fn too_new(name: &str, ptx: &str, driver: u32) -> Error {
    let words = || ptx.lines().filter_map(|l| l.trim().strip_prefix(".version")).map(str::trim);
    Error::PtxTooNew { artefact: name.to_owned(), ptx: words().next().and_then(|v| v.parse().ok()), driver }
}

/// What the compiler says about PTX it just refused: compiles it again, with room for a log, which cust does not give.
/// The context is current.
fn compile_log(ptx: &CString) -> String {
    let (mut errors, mut infos) = (vec![0_u8; LOG_BYTES], vec![0_u8; LOG_BYTES]);
    let mut options = [
        api::CU_JIT_ERROR_LOG_BUFFER,
        api::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        api::CU_JIT_INFO_LOG_BUFFER,
        api::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
    ];
    let size: *mut c_void = ptr::without_provenance_mut(LOG_BYTES);
    let mut values = [errors.as_mut_ptr().cast(), size, infos.as_mut_ptr().cast(), size];
    let mut module = ptr::null_mut();
    // SAFETY: the text ends with a NUL; options and values are four each, sizes as pointer-sized numbers and buffers of
    // that size; all live through the call.
    let result = unsafe {
        api::cuModuleLoadDataEx(
            &raw mut module,
            ptx.as_ptr().cast(),
            options.len() as u32,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    if result.is_success() {
        // SAFETY: just loaded, none of its kernels launched.
        let _ = unsafe { api::cuModuleUnload(module) };
    }
    let text = |buffer: &[u8]| {
        let end = buffer.iter().position(|b| *b == 0).unwrap_or(buffer.len());
        String::from_utf8_lossy(&buffer[..end]).trim().to_owned()
    };
    [text(&errors), text(&infos)].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join("\n")
}
