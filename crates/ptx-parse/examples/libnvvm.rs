//! Compiles each `tests/nvvm/*.ll` with libNVVM and writes the PTX beside it:
//! `cargo run -p ptx-parse --example libnvvm -- path/to/libnvvm.so.4`.
//!
//! The first line of a `.ll` is `; options: -arch=compute_80 …`.

use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::{env, fs, ptr};

use libloading::{Library, Symbol};

type Program = *mut c_void;
type Read = unsafe extern "C" fn(Program, *mut c_char) -> c_int;
type Size = unsafe extern "C" fn(Program, *mut usize) -> c_int;

fn main() -> Result<(), Box<dyn Error>> {
    let library = env::args().nth(1).ok_or("usage: libnvvm path/to/libnvvm.so.4")?;
    // SAFETY: libNVVM's initialisers only set up its own state.
    let library = unsafe { Library::new(library) }?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nvvm");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ll"));
    paths.sort();
    for path in paths {
        let ptx = compile(&library, &path).map_err(|error| format!("{}: {error}", path.display()))?;
        fs::write(path.with_extension("ptx"), ptx)?;
    }
    Ok(())
}

fn compile(library: &Library, path: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    let options = text.lines().next().and_then(|line| line.strip_prefix("; options: "));
    let options = options.ok_or("the first line has no options")?.split_whitespace();
    let options = options.map(CString::new).collect::<Result<Vec<_>, _>>()?;
    let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
    let count = c_int::try_from(options.len())?;
    let mut program: Program = ptr::null_mut();
    // SAFETY: names and types are those of nvvm.h; `program` is created before its uses and destroyed after them,
    // and every pointer lives through the call that gets it.
    unsafe {
        let create: Symbol<unsafe extern "C" fn(*mut Program) -> c_int> =
            library.get(b"nvvmCreateProgram")?;
        let add: Symbol<unsafe extern "C" fn(Program, *const u8, usize, *const c_char) -> c_int> =
            library.get(b"nvvmAddModuleToProgram")?;
        let build: Symbol<unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int> =
            library.get(b"nvvmCompileProgram")?;
        let destroy: Symbol<unsafe extern "C" fn(*mut Program) -> c_int> =
            library.get(b"nvvmDestroyProgram")?;
        if create(&mut program) != 0 {
            return Err("no program".into());
        }
        let added = add(program, text.as_ptr(), text.len(), c"module".as_ptr());
        let code = if added == 0 { build(program, count, options.as_ptr()) } else { added };
        let (size, read) = match code {
            0 => (&b"nvvmGetCompiledResultSize"[..], &b"nvvmGetCompiledResult"[..]),
            _ => (&b"nvvmGetProgramLogSize"[..], &b"nvvmGetProgramLog"[..]),
        };
        let output = output(library, program, size, read);
        destroy(&mut program);
        match code {
            0 => output,
            _ => Err(format!("error {code}: {}", String::from_utf8_lossy(&output?)).into()),
        }
    }
}

/// The result or the log, without the NUL at its end.
///
/// # Safety
/// - `program` is a live program of `library`.
/// - `size` and `read` name its functions of these types.
unsafe fn output(
    library: &Library,
    program: Program,
    size: &[u8],
    read: &[u8],
) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut bytes = 0;
    // SAFETY: the caller's duties; libNVVM writes as many bytes as it said, the last of them a NUL.
    unsafe {
        let size: Symbol<Size> = library.get(size)?;
        let read: Symbol<Read> = library.get(read)?;
        size(program, &mut bytes);
        let mut text = vec![0_u8; bytes + 1];
        read(program, text.as_mut_ptr().cast());
        Ok(CStr::from_bytes_until_nul(&text)?.to_bytes().to_vec())
    }
}
