//! Lists every kernel of `kernels-gpu` from its source, so that no test needs a list of its own.
//!
//! Writes `$OUT_DIR/kernels.rs`: `FILES`, one `(family, stem, is a module)` per kernel file, and `ENTRIES`, the typed
//! description of each entry of the files that are modules. A module without a kernel is what a family's kernels share.
//!
//! Writes `$OUT_DIR/wrappers.rs`: name and text of each table in `kernels/instructions/src`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Item, Token};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let source = Path::new("../kernels-gpu/src");
    println!("cargo:rerun-if-changed={}", source.display());
    let (mut files, mut entries) = (String::new(), String::new());
    for family in folders(source)? {
        let name = file_stem(&family);
        let modules = modules(&family.join("mod.rs"))?;
        for file in kernel_files(&family)? {
            let stem = file_stem(&file);
            let is_module = modules.contains(&stem);
            let found = entries_of(&file)?;
            // What kernels of the family share.
            if is_module && found.is_empty() {
                continue;
            }
            writeln!(files, "    ({name:?}, {stem:?}, {is_module}),")?;
            if is_module {
                for (function, entry) in found {
                    let path = format!("kernels_gpu::{name}::{stem}::{entry}::Entry");
                    writeln!(entries, "    Described::of::<{path}>({name:?}, {stem:?}, {function:?}),")?;
                }
            }
        }
    }
    let text = format!(
        "/// Family, stem and whether `mod.rs` names it, of every kernel file.\n\
         pub const FILES: &[(&str, &str, bool)] = &[\n{files}];\n\
         /// Every entry.\npub const ENTRIES: &[Described] = &[\n{entries}];\n"
    );
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join("kernels.rs"), text)?;
    fs::write(out.join("wrappers.rs"), wrapper_tables()?)?;
    Ok(())
}

/// The tables beside `lib.rs`: a list of pairs, as an expression.
fn wrapper_tables() -> Result<String, Failure> {
    let source = fs::canonicalize("kernels/instructions/src")?;
    println!("cargo:rerun-if-changed={}", source.display());
    let mut text = "&[\n".to_owned();
    for file in sorted(&source, |path| path.file_name().is_some_and(|name| name != "lib.rs"))? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        writeln!(text, "    ({name:?}, include_str!({file:?})),")?;
    }
    Ok(text + "]\n")
}

fn sorted(folder: &Path, keep: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        found.push(entry?.path());
    }
    found.retain(|path| keep(path));
    found.sort();
    Ok(found)
}

fn folders(source: &Path) -> Result<Vec<PathBuf>, Failure> {
    sorted(source, Path::is_dir)
}

fn kernel_files(family: &Path) -> Result<Vec<PathBuf>, Failure> {
    sorted(family, |path| path.extension().is_some_and(|e| e == "rs") && file_stem(path) != "mod")
}

fn file_stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Names of the `mod` items without a body.
fn modules(file: &Path) -> Result<BTreeSet<String>, Failure> {
    let items = syn::parse_file(&fs::read_to_string(file)?)?.items;
    let name = |item| match item {
        Item::Mod(module) if module.content.is_none() => Some(module.ident.to_string()),
        _ => None,
    };
    Ok(items.into_iter().filter_map(name).collect())
}

/// Function and entry name of every kernel in the file.
fn entries_of(file: &Path) -> Result<Vec<(String, String)>, Failure> {
    let mut entries = Vec::new();
    for item in syn::parse_file(&fs::read_to_string(file)?)?.items {
        let Item::Fn(function) = item else { continue };
        let stem = function.sig.ident.to_string();
        let Some(attribute) = function.attrs.iter().find(|a| a.path().is_ident("kernel")) else { continue };
        match instances(attribute)? {
            Some(instances) => {
                entries.extend(instances.iter().map(|i| (stem.clone(), format!("{stem}_{i}"))))
            }
            None => entries.push((stem.clone(), stem)),
        }
    }
    Ok(entries)
}

/// The names in `instances(…)`: `f32`, or the left side of `f16_128 = (f16, 128)`.
fn instances(attribute: &Attribute) -> Result<Option<Vec<String>>, Failure> {
    let syn::Meta::List(list) = &attribute.meta else { return Ok(None) };
    let options = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(list.tokens.clone())?;
    for option in options {
        if let Expr::Call(call) = option
            && matches!(&*call.func, Expr::Path(path) if path.path.is_ident("instances"))
        {
            let name = |expr: &Expr| match expr {
                Expr::Assign(assign) => plain_name(&assign.left),
                other => plain_name(other),
            };
            return Ok(Some(call.args.iter().filter_map(name).collect()));
        }
    }
    Ok(None)
}

fn plain_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}
