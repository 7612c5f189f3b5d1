//! libNVVM, opened at run time.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

use libloading::Library;

use crate::error::LinkError;
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
    /// No library there, or one that lacks a function of `nvvm.h`.
    pub fn open(path: &Path) -> Result<Self, LinkError> {
        // SAFETY: the initialisers of libNVVM only set up its own LLVM, whose symbols it hides.
        let library = unsafe { Library::new(path) }
            .map_err(|source| LinkError::OpenNvvm { path: path.to_owned(), source })?;
        let library: &'static Library = Box::leak(Box::new(library));
        let api = Api::load(library)
            .map_err(|function| LinkError::NvvmFunction { path: path.to_owned(), function })?;
        Ok(Self { api, path: path.to_owned() })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version of NVVM IR it reads, e.g. `2.0`.
    #[must_use]
    pub fn ir_version(&self) -> String {
        let mut parts = [0; 4];
        let [major, minor, debug_major, debug_minor] = &mut parts;
        // SAFETY: four pointers to live integers.
        unsafe { (self.api.ir_version)(major, minor, debug_major, debug_minor) };
        format!("{}.{}", parts[0], parts[1])
    }

    /// The version of the PTX it writes for `arch` (e.g. `sm_90`), e.g. `9.0`.
    ///
    /// # Errors
    /// An architecture it does not know.
    pub fn ptx_version(&self, arch: &str) -> Result<String, LinkError> {
        let ptx = self.compile(EMPTY, arch, "an empty module")?;
        let text = String::from_utf8_lossy(&ptx);
        let version = text.lines().find_map(|line| line.trim().strip_prefix(".version "));
        version.map(|version| version.trim().to_owned()).ok_or_else(|| LinkError::Nvvm {
            step: "compiling an empty module".to_owned(),
            arch: arch.to_owned(),
            log: "its PTX has no `.version`".to_owned(),
        })
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
            match call(program.raw) {
                0 => Ok(()),
                number => {
                    let (arch, log) = (arch.to_owned(), program.log(number));
                    Err(LinkError::Nvvm { step, arch, log })
                }
            }
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
        Ok(program.text(self.api.result_size, self.api.result))
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

    fn log(&self, number: c_int) -> String {
        let log = self.text(self.api.log_size, self.api.log);
        let log = String::from_utf8_lossy(&log).split_whitespace().collect::<Vec<_>>().join(" ");
        if log.is_empty() { format!("error {number}, without a log") } else { log }
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
