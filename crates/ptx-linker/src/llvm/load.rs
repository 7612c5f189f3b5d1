//! Finds, opens and checks the one libLLVM: the library inside the given Rust toolchain and no other.

use std::ffi::{CStr, c_char, c_uint};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use libloading::Library;

use super::api::Api;
use super::fatal;
use crate::error::LinkError;

/// Major version of the LLVM whose functions `llvm-sys` 221 describes: the only one that is opened.
pub const LLVM_MAJOR: u32 = 22;

/// A checked, initialised libLLVM.
#[derive(Clone, Copy)]
pub(crate) struct Llvm {
    pub(super) api: &'static Api,
    version: (u32, u32, u32),
}

/// The library of this process, once opened. LLVM cannot be unloaded safely, so one process has one.
static LOADED: Mutex<Option<(PathBuf, Llvm)>> = Mutex::new(None);

impl Llvm {
    /// Opens the libLLVM of `sysroot`; `want` is the `LLVM version` line of `rustc -vV`.
    ///
    /// The library is opened by its full path, so `LD_LIBRARY_PATH` and `PATH` play no part, and no
    /// function of it but `LLVMGetVersion` is called before the versions were compared.
    pub(crate) fn open(sysroot: &Path, want: &str) -> Result<Self, LinkError> {
        let path = find(sysroot, want)?;
        let mut loaded = LOADED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((earlier, llvm)) = loaded.as_ref() {
            if *earlier != path {
                return Err(LinkError::SecondLlvm { loaded: earlier.clone(), asked: path });
            }
            compare(&path, llvm.version, want)?;
            return Ok(*llvm);
        }
        let llvm = open_file(&path, want)?;
        *loaded = Some((path, llvm));
        Ok(llvm)
    }

    /// `major.minor.patch`, as the library itself says.
    pub(crate) fn version(self) -> String {
        let (major, minor, patch) = self.version;
        format!("{major}.{minor}.{patch}")
    }
}

/// The libLLVM of a toolchain: `lib/libLLVM*`, of the right file format (rustup also ships a linker
/// script of a similar name). Where a distribution keeps several versions there, the name must hold `want`'s.
fn find(sysroot: &Path, want: &str) -> Result<PathBuf, LinkError> {
    let folder = sysroot.join("lib");
    let multiarch = folder.join(format!("{}-linux-gnu", std::env::consts::ARCH));
    let mut found =
        candidates(&folder).map_err(|source| LinkError::Sysroot { sysroot: sysroot.to_owned(), source })?;
    if found.is_empty() {
        found = candidates(&multiarch).unwrap_or_default();
    }
    if found.len() > 1 {
        let major = want.split('.').next().unwrap_or(want);
        found.retain(|path| file_name(path).split(['.', '-']).any(|part| part == major));
    }
    match found.len() {
        0 => Err(LinkError::NoLlvm { folder }),
        1 => Ok(found.remove(0)),
        _ => Err(LinkError::SeveralLlvm { folder, found }),
    }
}

fn candidates(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| file_name(path).starts_with("libLLVM") && is_elf(path))
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    found.sort();
    found.dedup();
    Ok(found)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn is_elf(path: &Path) -> bool {
    let mut magic = [0u8; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && &magic == b"\x7fELF"
}

fn open_file(path: &Path, want: &str) -> Result<Llvm, LinkError> {
    // SAFETY: the initialisers of libLLVM only register options and passes; the path is inside the
    // toolchain that runs this very build.
    let library = unsafe { Library::new(path) }
        .map_err(|source| LinkError::OpenLlvm { path: path.to_owned(), source })?;
    let library: &'static Library = Box::leak(Box::new(library));
    let version = version_of(library)
        .ok_or_else(|| LinkError::MissingFunction { path: path.to_owned(), function: "LLVMGetVersion" })?;
    compare(path, version, want)?;
    let api = Api::load(library)
        .map_err(|function| LinkError::MissingFunction { path: path.to_owned(), function })?;
    let api: &'static Api = Box::leak(Box::new(api));
    initialise(api);
    Ok(Llvm { api, version })
}

fn version_of(library: &Library) -> Option<(u32, u32, u32)> {
    type GetVersion = unsafe extern "C" fn(*mut c_uint, *mut c_uint, *mut c_uint);
    // SAFETY: every libLLVM since version 16 exports this function with this type.
    let get = unsafe { library.get::<GetVersion>(b"LLVMGetVersion\0") }.ok()?;
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: the three pointers are to live integers.
    unsafe { get(&mut major, &mut minor, &mut patch) };
    Some((major, minor, patch))
}

/// `found` must be `want` in major and minor version, and a version this crate was written for.
fn compare(path: &Path, found: (u32, u32, u32), want: &str) -> Result<(), LinkError> {
    let text = format!("{}.{}.{}", found.0, found.1, found.2);
    let mut parts = want.split('.').map(|part| part.parse::<u32>().ok());
    let (Some(Some(major)), Some(Some(minor))) = (parts.next(), parts.next()) else {
        return Err(LinkError::VersionText { text: want.to_owned() });
    };
    if (major, minor) != (found.0, found.1) {
        let path = path.to_owned();
        return Err(LinkError::VersionMismatch { path, found: text, want: want.to_owned() });
    }
    if found.0 != LLVM_MAJOR {
        return Err(LinkError::UnknownLlvm { path: path.to_owned(), found: text, known: LLVM_MAJOR });
    }
    Ok(())
}

fn initialise(api: &Api) {
    // SAFETY: called once per process, under the lock of `LOADED`, after the version check.
    unsafe {
        (api.LLVMInstallFatalErrorHandler)(Some(fatal::handler));
        (api.LLVMInitializeNVPTXTargetInfo)();
        (api.LLVMInitializeNVPTXTarget)();
        (api.LLVMInitializeNVPTXTargetMC)();
        (api.LLVMInitializeNVPTXAsmPrinter)();
    }
}

/// Copies a message of LLVM, and frees it.
pub(super) fn take_message(api: &Api, message: *mut c_char) -> String {
    if message.is_null() {
        return "LLVM gave no reason".to_owned();
    }
    // SAFETY: LLVM's messages are C strings that the caller owns until `LLVMDisposeMessage`.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        (api.LLVMDisposeMessage)(message);
        text
    }
}
