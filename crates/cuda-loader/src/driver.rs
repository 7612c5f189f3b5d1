//! Opens the driver's library, once, and keeps it open for the life of the process.

use std::env;
use std::ffi::{CStr, c_int, c_void};
use std::fs;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::OnceLock;

use libloading::Library;

use crate::error::{Attempt, LoadError};

/// Environment variable that names the driver library to open instead of the usual ones: a path, or a name
/// that the dynamic linker looks up. Meant for tests and for machines that keep the driver in an unusual
/// place. With it set nothing else is tried. Unset or empty: the usual names.
pub const LIBRARY_VARIABLE: &str = "WARPSMITH_LIBCUDA";

/// What is tried, in this order. The versioned name first: a plain `libcuda.so` may be the toolkit's stub,
/// which answers every call with `CUDA_ERROR_STUB_LIBRARY`.
const USUAL_NAMES: [&str; 4] =
    ["libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "/run/opengl-driver/lib/libcuda.so.1", "libcuda.so"];

static DRIVER: OnceLock<Result<Driver, LoadError>> = OnceLock::new();

/// The opened driver library.
#[derive(Debug)]
pub struct Driver {
    library: Library,
    path: PathBuf,
    version: Option<u32>,
}

impl Driver {
    /// The file the library was mapped from, or, where the kernel does not tell, the name it was opened by.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The newest CUDA version the driver serves, as `1000 * major + 10 * minor`: 13000 is CUDA 13.0. `None`
    /// if the driver does not say.
    #[must_use]
    pub fn version(&self) -> Option<u32> {
        self.version
    }

    /// Whether the driver exports this entry point, by its exported name: `cuMemAlloc_v2`, not `cuMemAlloc`.
    #[must_use]
    pub fn has(&self, symbol: &CStr) -> bool {
        self.find(symbol).is_some()
    }

    pub(crate) fn find(&self, symbol: &CStr) -> Option<NonNull<c_void>> {
        // SAFETY: the symbol is only read as an address here; whoever calls through it states its type.
        let found = unsafe { self.library.get::<*mut c_void>(symbol) }.ok()?;
        NonNull::new(*found)
    }
}

/// The driver, or why there is none. The first call opens the library, later calls return the same answer.
/// Does not initialise the driver: a machine may have the library and no device.
///
/// # Errors
/// [`LoadError`] with every name that was tried and the dynamic linker's words for each.
pub fn availability() -> Result<&'static Driver, LoadError> {
    driver().map_err(Clone::clone)
}

pub(crate) fn driver() -> Result<&'static Driver, &'static LoadError> {
    DRIVER.get_or_init(open).as_ref()
}

fn open() -> Result<Driver, LoadError> {
    let chosen = env::var_os(LIBRARY_VARIABLE).filter(|value| !value.is_empty());
    let names = match chosen {
        Some(name) => vec![PathBuf::from(name)],
        None => USUAL_NAMES.iter().map(PathBuf::from).collect(),
    };
    open_first(names)
}

fn open_first(names: Vec<PathBuf>) -> Result<Driver, LoadError> {
    let mut attempts = Vec::with_capacity(names.len());
    for name in names {
        // SAFETY: the driver's initialisers are meant to run in any process that opens it. A library named by
        // the environment variable is trusted as much as one named by LD_LIBRARY_PATH.
        match unsafe { Library::new(&name) } {
            Ok(library) => return identify(library, name),
            Err(error) => attempts.push(Attempt { name, reason: innermost_message(&error) }),
        }
    }
    Err(LoadError::NotFound { attempts })
}

fn identify(library: Library, name: PathBuf) -> Result<Driver, LoadError> {
    let mut driver = Driver { library, path: name, version: None };
    let Some(init) = driver.find(c"cuInit") else {
        return Err(LoadError::NotADriver { path: driver.path, symbol: "cuInit" });
    };
    if let Some(path) = mapped_file(init.addr().get()) {
        driver.path = path;
    }
    driver.version = query_version(&driver);
    Ok(driver)
}

fn query_version(driver: &Driver) -> Option<u32> {
    let address = driver.find(c"cuDriverGetVersion")?;
    // SAFETY: `CUresult cuDriverGetVersion(int *)` since the first release of the driver; valid before
    // `cuInit`.
    let query: unsafe extern "C" fn(*mut c_int) -> u32 = unsafe { std::mem::transmute(address) };
    let mut version = 0;
    // SAFETY: `version` is a live, writable int.
    let code = unsafe { query(&raw mut version) };
    if code == 0 { u32::try_from(version).ok() } else { None }
}

/// The dynamic linker's own words lie at the bottom of libloading's error.
fn innermost_message(error: &libloading::Error) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

/// The file whose mapping in this process holds `address`.
fn mapped_file(address: usize) -> Option<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    maps.lines().find_map(|line| path_of_mapping(line, address))
}

/// `start-end perms offset device inode path`, addresses in hex; the path may hold spaces.
fn path_of_mapping(line: &str, address: usize) -> Option<PathBuf> {
    let (start, rest) = line.split_once('-')?;
    let (end, _) = rest.split_once(' ')?;
    let (start, end) = (usize::from_str_radix(start, 16).ok()?, usize::from_str_radix(end, 16).ok()?);
    let path = line.find('/').map(|at| PathBuf::from(&line[at..]))?;
    (start..end).contains(&address).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_names_its_file() {
        let line = "7f00-7f10 r-xp 00000000 08:01 42      /opt/some dir/libcuda.so.1";
        assert_eq!(path_of_mapping(line, 0x7f0f), Some(PathBuf::from("/opt/some dir/libcuda.so.1")));
        assert_eq!(path_of_mapping(line, 0x7f10), None);
        assert_eq!(path_of_mapping("7f00-7f10 rw-p 00000000 00:00 0 ", 0x7f00), None);
    }

    #[test]
    fn every_attempt_is_reported() {
        let names = ["/nonexistent/a.so", "/nonexistent/b.so"].map(PathBuf::from).to_vec();
        let Err(LoadError::NotFound { attempts }) = open_first(names) else {
            panic!("nothing to open there")
        };
        assert_eq!(attempts.len(), 2);
        assert!(attempts[1].reason.contains("b.so"), "{}", attempts[1].reason);
    }
}
