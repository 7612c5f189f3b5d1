//! A crate outside this workspace builds with the lines the documentation gives, starts without a driver, and
//! does not ask the dynamic linker for one.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::elf::{DT_NEEDED, FileHeader64};
use object::read::elf::{Dyn, ElfFile, FileHeader, Sym};
use object::{Endianness, Object, ObjectSymbol};
use tempfile::TempDir;

const MAIN: &str = r#"
fn main() {
    cuda_loader::link();
    match cust::quick_init() {
        Ok(_) => println!("a device"),
        Err(error) => println!("{error:?}: {error}"),
    }
}
"#;

fn write_crate(folder: &Path) {
    let loader = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = format!(
        "[package]\nname = \"outside-of-warpsmith\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\ncuda-loader = {{ path = {loader:?} }}\ncust = \"=0.3.2\"\n\n[workspace]\n"
    );
    let config =
        format!("[env]\nCUDA_LIBRARY_PATH = {{ value = {:?}, force = true }}\n", loader.join("stub"));
    fs::create_dir_all(folder.join("src")).expect("a temporary folder");
    fs::create_dir_all(folder.join(".cargo")).expect("a temporary folder");
    fs::write(folder.join("src/main.rs"), MAIN).expect("a temporary folder");
    fs::write(folder.join("Cargo.toml"), manifest).expect("a temporary folder");
    fs::write(folder.join(".cargo/config.toml"), config).expect("a temporary folder");
    fs::copy(loader.join("../../Cargo.lock"), folder.join("Cargo.lock"))
        .expect("the workspace has a lock file");
}

/// Builds into the folder this test was built into, which has every dependency already.
fn build(folder: &Path) -> PathBuf {
    let test = env::current_exe().expect("a test knows its program");
    let target = test.ancestors().nth(3).expect("target/<profile>/deps/<test>");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let output = Command::new(cargo)
        .args(["build", "--offline"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CUDA_LIBRARY_PATH", "/nonexistent")
        .env_remove("CARGO_BUILD_TARGET")
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join("debug/outside-of-warpsmith")
}

/// The libraries that the dynamic linker must find before `main`.
fn needed_libraries(image: &[u8]) -> Vec<String> {
    let header = FileHeader64::<Endianness>::parse(image).expect("an ELF file");
    let endian = header.endian().expect("a known byte order");
    let sections = header.sections(endian, image).expect("sections");
    let (dynamic, strings) = sections.dynamic(endian, image).expect("readable").expect("a dynamic section");
    let strings = sections.strings(endian, image, strings).expect("a string table");
    dynamic
        .iter()
        .filter(|entry| entry.tag32(endian) == Some(DT_NEEDED))
        .map(|entry| String::from_utf8_lossy(entry.string(endian, strings).expect("a name")).into_owned())
        .collect()
}

fn undefined_driver_symbols(image: &[u8]) -> Vec<String> {
    let file = ElfFile::<FileHeader64<Endianness>>::parse(image).expect("an ELF file");
    file.symbols()
        .chain(file.dynamic_symbols())
        .filter(|symbol| symbol.elf_symbol().is_undefined(file.endian()))
        .filter_map(|symbol| symbol.name().ok().map(String::from))
        .filter(|name| name.starts_with("cu") && name[2..].starts_with(char::is_uppercase))
        .collect()
}

#[test]
fn a_crate_outside_the_workspace_links_and_starts_without_a_driver() {
    let folder = TempDir::new().expect("a temporary folder");
    write_crate(folder.path());
    let program = build(folder.path());

    let output = Command::new(&program)
        .env(cuda_loader::LIBRARY_VARIABLE, "/nonexistent/libcuda.so.1")
        .output()
        .expect("the program starts");
    assert!(output.status.success());
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(stdout.trim(), r#"NoDevice: "no CUDA-capable device is detected""#);

    let image = fs::read(&program).expect("the program just ran");
    let needed = needed_libraries(&image);
    assert!(needed.iter().any(|name| name.starts_with("libc.so")), "{needed:?}");
    assert!(!needed.iter().any(|name| name.starts_with("libcuda")), "{needed:?}");
    assert_eq!(undefined_driver_symbols(&image), Vec::<String>::new());
}
