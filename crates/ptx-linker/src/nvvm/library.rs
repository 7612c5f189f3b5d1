//! libNVVM, opened at run time.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::ptr;

use libloading::Library;

use super::log;
use crate::error::{LinkError, one_line};
use crate::llvm::crash;
use crate::llvm::fatal::set_step;

type Program = *mut c_void;

/// Declares `Api` with one field per function, and its loader.
macro_rules! api {
    ($($field:ident = $name:literal: fn($($argument:ty),*);)*) => {
        /// The functions of `nvvm.h`; each returns 0 or an error's number.
        struct Api {
            $($field: unsafe extern "C" fn($($argument),*) -> c_int,)*
        }

        impl Api {
            /// Looks every function up; the error is the name of the first one that is missing.
            fn load(library: &'static Library) -> Result<Self, &'static str> {
                Ok(Self {
                    $($field: {
                        // SAFETY: the type is the one in `nvvm.h`, unchanged since CUDA 5.5.
                        let symbol = unsafe { library.get(concat!($name, "\0").as_bytes()) };
                        *symbol.map_err(|_| $name)?
                    },)*
                })
            }
        }
    };
}

api! {
    ir_version = "nvvmIRVersion": fn(*mut c_int, *mut c_int, *mut c_int, *mut c_int);
    create = "nvvmCreateProgram": fn(*mut Program);
    destroy = "nvvmDestroyProgram": fn(*mut Program);
    add = "nvvmAddModuleToProgram": fn(Program, *const c_char, usize, *const c_char);
    verify = "nvvmVerifyProgram": fn(Program, c_int, *const *const c_char);
    compile = "nvvmCompileProgram": fn(Program, c_int, *const *const c_char);
    result_size = "nvvmGetCompiledResultSize": fn(Program, *mut usize);
    result = "nvvmGetCompiledResult": fn(Program, *mut c_char);
    log_size = "nvvmGetProgramLogSize": fn(Program, *mut usize);
    log = "nvvmGetProgramLog": fn(Program, *mut c_char);
}

/// How every module is compiled: nothing fused, denormals kept, division and square root rounded right, as LLVM
/// does. By default libNVVM makes one rounding of `a * b + c`.
const OPTIONS: [&str; 4] = ["-fma=0", "-ftz=0", "-prec-div=1", "-prec-sqrt=1"];

/// The version of NVVM IR that the writer writes.
const IR_VERSION: (c_int, c_int) = (2, 0);

/// `NVVM_ERROR_INVALID_OPTION`; the architecture is the one option that a libNVVM may not know.
const INVALID_OPTION: c_int = 7;

/// What to do when it crashes.
const KEEP: &str = "the code meets a bug of libNVVM, and WARPSMITH_KEEP_NVVM=FOLDER keeps what it was given";

/// The smallest module.
const EMPTY: &str = "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";

/// An open libNVVM. It stays open until the process ends.
pub struct NvvmLibrary {
    api: Api,
    path: PathBuf,
}

impl std::fmt::Debug for NvvmLibrary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NvvmLibrary").field("path", &self.path).finish_non_exhaustive()
    }
}

impl NvvmLibrary {
    /// Opens the library at `path`.
    ///
    /// # Errors
    /// No library there, one that is cut off, one that lacks a function of `nvvm.h`, or one that reads an older NVVM IR than is written.
    pub fn open(path: &Path) -> Result<Self, LinkError> {
        check_whole(path)?;
        // SAFETY: the initialisers of libNVVM only set up its own LLVM, whose symbols it hides.
        let library = unsafe { Library::new(path) }
            .map_err(|source| LinkError::OpenNvvm { path: path.to_owned(), source })?;
        let library: &'static Library = Box::leak(Box::new(library));
        let api = Api::load(library)
            .map_err(|function| LinkError::NvvmFunction { path: path.to_owned(), function })?;
        let library = Self { api, path: path.to_owned() };
        let (major, minor) = library.ir_version_numbers();
        if (major, minor) < IR_VERSION {
            return Err(LinkError::NvvmTooOld {
                path: path.to_owned(),
                found: format!("{major}.{minor}"),
                need: format!("{}.{}", IR_VERSION.0, IR_VERSION.1),
            });
        }
        Ok(library)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version of NVVM IR it reads, e.g. `2.0`.
    #[must_use]
    pub fn ir_version(&self) -> String {
        let (major, minor) = self.ir_version_numbers();
        format!("{major}.{minor}")
    }

    fn ir_version_numbers(&self) -> (c_int, c_int) {
        let mut parts = [0; 4];
        let [major, minor, debug_major, debug_minor] = &mut parts;
        // SAFETY: four pointers to live integers.
        unsafe { (self.api.ir_version)(major, minor, debug_major, debug_minor) };
        (parts[0], parts[1])
    }

    /// The version of the PTX it writes for `arch` (e.g. `sm_90`), e.g. `9.0`.
    ///
    /// # Errors
    /// An architecture it does not know.
    pub fn ptx_version(&self, arch: &str) -> Result<String, LinkError> {
        let ptx = self.compile(EMPTY, arch, "an empty module")?;
        Ok(version_of(&ptx).unwrap_or_default())
    }

    /// Compiles one module of NVVM IR to PTX; `what` names it in errors.
    pub(crate) fn compile(&self, ir: &str, arch: &str, what: &str) -> Result<Vec<u8>, LinkError> {
        let arch_option = format!("-arch={}", arch.replacen("sm_", "compute_", 1));
        let options = c_strings([arch_option.as_str()].into_iter().chain(OPTIONS));
        let options: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
        let count = options.len() as c_int;
        let name = c_strings([what]);
        let program = OpenProgram::new(&self.api);
        let run = |step: &str, call: &dyn Fn(Program) -> c_int| {
            let step = format!("{step} `{what}`");
            set_step(format!("libNVVM is {step}"));
            let during = crash::During::libnvvm(&format!("{step} for {arch}"), KEEP);
            let number = call(program.raw);
            drop(during);
            if number == 0 { Ok(()) } else { Err(self.refusal(number, step, arch, ir, &program.log())) }
        };
        run("reading", &|raw| {
            let (start, len) = (ir.as_ptr().cast::<c_char>(), ir.len());
            // SAFETY: the program is live; the texts are copied.
            unsafe { (self.api.add)(raw, start, len, name[0].as_ptr()) }
        })?;
        run("checking", &|raw| {
            // SAFETY: the program is live; `options` holds `count` texts that live longer than the call.
            unsafe { (self.api.verify)(raw, count, options.as_ptr()) }
        })?;
        run("compiling", &|raw| {
            // SAFETY: as for the check.
            unsafe { (self.api.compile)(raw, count, options.as_ptr()) }
        })?;
        let ptx = program.text(self.api.result_size, self.api.result);
        match version_of(&ptx) {
            Some(_) => Ok(ptx),
            None => {
                let (step, arch) = (format!("compiling `{what}`"), arch.to_owned());
                let log = "its PTX has no `.version`".to_owned();
                Err(LinkError::Nvvm { step, arch, function: None, log })
            }
        }
    }

    fn refusal(&self, number: c_int, step: String, arch: &str, ir: &str, log: &str) -> LinkError {
        let one_line =
            if log.trim().is_empty() { format!("error {number}, without a log") } else { one_line(log) };
        if number == INVALID_OPTION {
            let (path, arch, log) = (self.path.clone(), arch.to_owned(), one_line);
            return LinkError::NvvmArchitecture { path, arch, log };
        }
        let function = log::function(ir, log);
        LinkError::Nvvm { step, arch: arch.to_owned(), function, log: one_line }
    }
}

/// A program of libNVVM, destroyed when dropped.
struct OpenProgram<'a> {
    api: &'a Api,
    raw: Program,
}

impl<'a> OpenProgram<'a> {
    fn new(api: &'a Api) -> Self {
        let mut raw = ptr::null_mut();
        // SAFETY: a pointer to a live handle. It stays null where this fails, and every later call refuses that.
        unsafe { (api.create)(&mut raw) };
        Self { api, raw }
    }

    /// A text of the program, without its zero byte.
    fn text(
        &self,
        size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
        get: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
    ) -> Vec<u8> {
        let mut len = 0;
        // SAFETY: the buffer has as many bytes as the library asks for.
        unsafe {
            if size(self.raw, &mut len) != 0 || len == 0 {
                return Vec::new();
            }
            let mut bytes = vec![0u8; len];
            get(self.raw, bytes.as_mut_ptr().cast::<c_char>());
            CStr::from_bytes_until_nul(&bytes).map(|text| text.to_bytes().to_vec()).unwrap_or(bytes)
        }
    }

    fn log(&self) -> String {
        String::from_utf8_lossy(&self.text(self.api.log_size, self.api.log)).into_owned()
    }
}

impl Drop for OpenProgram<'_> {
    fn drop(&mut self) {
        // SAFETY: the program is owned here.
        unsafe { (self.api.destroy)(&mut self.raw) };
    }
}

/// Zero-terminated copies; a text with a zero byte is cut there.
fn c_strings<'t>(texts: impl IntoIterator<Item = &'t str>) -> Vec<CString> {
    texts.into_iter().map(crate::llvm::context::c_string).collect()
}

/// The number after `.version`.
fn version_of(ptx: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(ptx);
    let version = text.lines().find_map(|line| line.trim().strip_prefix(".version "));
    version.map(|version| version.trim().to_owned())
}

/// Refuses a file that ends before its last section: the system maps it, and the process dies where it reads on.
fn check_whole(path: &Path) -> Result<(), LinkError> {
    let mut header = [0u8; 64];
    let read = File::open(path).and_then(|mut file| {
        file.read_exact(&mut header)?;
        file.metadata()
    });
    // What cannot be read, or is no ELF, the system refuses in its own words.
    let Ok(metadata) = read else { return Ok(()) };
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return Ok(());
    }
    let number = |at: usize, bytes: usize| {
        header[at..at + bytes].iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte))
    };
    let (start, each, count) = (number(0x28, 8), number(0x3a, 2), number(0x3c, 2));
    let need = start.saturating_add(each * count);
    if metadata.len() < need {
        return Err(LinkError::NvvmCut { path: path.to_owned(), found: metadata.len(), need });
    }
    Ok(())
}
