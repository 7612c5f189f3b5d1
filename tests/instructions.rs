//! Every instruction wrapper of `gpu-std` becomes the instruction it is named for: the kernels of
//! `tests/kernels/instructions` are built to PTX and compared with the expectations of their table.
//!
//! The program is its own linker (`ptx_builder::run_as_linker_if_asked`), so it has a `main`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use ptx_builder::PtxBuilder;

/// What the PTX of one kernel must hold.
struct Row {
    name: &'static str,
    /// The architecture from which on the wrapper exists; `None`: all.
    since: Option<&'static str>,
    expected: &'static [(&'static str, usize)],
}

macro_rules! wrappers {
    ($(
        $(@ $sm:literal)? $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)? = $body:expr
            => $($expected:literal $(* $times:literal)?),*;
    )*) => {
        const ROWS: &[Row] = &[$(Row {
            name: stringify!($name),
            since: wrappers!(@since $($sm)?),
            expected: &[$(($expected, wrappers!(@times $($times)?))),*],
        }),*];
    };
    (@since) => { None };
    (@since $sm:literal) => { Some($sm) };
    (@times) => { 1 };
    (@times $times:literal) => { $times };
}

include!("kernels/instructions/src/table.rs");

const ARCHS: [&str; 2] = ["sm_80", "sm_90"];

/// Public functions that are no wrappers and have no PTX of their own to look at.
const NO_INSTRUCTION: [&str; 9] =
    ["from_bits", "to_bits", "new", "splat", "lo", "hi", "f32", "f64", "unroll"];

fn main() {
    ptx_builder::run_as_linker_if_asked();
    let args = Arguments::from_args();
    let mut trials = vec![
        Trial::test("every_wrapper_has_a_row", || every_wrapper_has_a_row().map_err(Failed::from)),
        Trial::test("the_comparison_finds_what_is_missing", || {
            planted_faults_are_found().map_err(Failed::from)
        }),
    ];
    for arch in ARCHS {
        let name = format!("wrappers_become_their_instruction::{arch}");
        trials.push(Trial::test(name, move || wrappers_become_their_instruction(arch).map_err(Failed::from)));
    }
    libtest_mimic::run(&args, trials).exit();
}

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn wrappers_become_their_instruction(arch: &str) -> Result<(), String> {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("instructions");
    let report = PtxBuilder::new(here().join("kernels/instructions"))
        .arch(arch)
        .out_dir(out)
        .tools_dir(here().join("../target"))
        .emit_cargo_metadata(false)
        .build()
        .map_err(|error| error.to_string())?;
    let built = &report.archs[0];
    let mut bodies = BTreeMap::new();
    for family in built.manifest.families.values() {
        let path = built.dir.join(&family.file);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        bodies.extend(entry_bodies(&text));
    }
    let mut faults = Vec::new();
    for row in ROWS.iter().filter(|row| row.since.is_none_or(|since| since <= arch)) {
        match bodies.get(&format!("k_{}", row.name)) {
            None => faults.push(format!("{}: no such entry", row.name)),
            Some(body) => faults.extend(compare(row.name, body, row.expected)),
        }
    }
    faults.extend(branches_keep_their_instructions(bodies.get("k_convergence").map_or("", String::as_str)));
    if bodies.len() < 300 {
        faults.push(format!("{} entries only: the table was not read", bodies.len()));
    }
    if faults.is_empty() { Ok(()) } else { Err(format!("{arch}:\n{}", faults.join("\n"))) }
}

/// Each entry's name and the text between its braces.
fn entry_bodies(ptx: &str) -> BTreeMap<String, String> {
    let mut bodies = BTreeMap::new();
    for part in ptx.split(".entry ").skip(1) {
        let name: String = part.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let end = part.find("\n}").unwrap_or(part.len());
        bodies.insert(name, part[..end].to_owned());
    }
    bodies
}

/// How often `word` stands in `text`, not as a part of a longer opcode or name.
fn count(text: &str, word: &str) -> usize {
    let inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':');
    text.match_indices(word)
        .filter(|(at, _)| !text[..*at].ends_with(inside) && !text[at + word.len()..].starts_with(inside))
        .count()
}

fn compare(name: &str, body: &str, expected: &[(&str, usize)]) -> Vec<String> {
    let mut faults: Vec<String> = expected
        .iter()
        .map(|(word, times)| (word, times, count(body, word)))
        .filter(|(_, times, found)| *times != found)
        .map(|(word, times, found)| format!("{name}: `{word}` {found} times instead of {times}:\n{body}"))
        .collect();
    if body.contains(".local .") {
        faults.push(format!("{name}: uses local memory:\n{body}"));
    }
    faults
}

/// The arms differ in an addition alone; merged, one activemask of both would do for LLVM and be wrong.
fn branches_keep_their_instructions(body: &str) -> Vec<String> {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut block = 0;
    for line in body.lines().map(str::trim) {
        if line.starts_with('$') || line.contains("bra") {
            block += 1;
        }
        for word in ["activemask.b32", "shfl.sync.bfly.b32"] {
            if count(line, word) == 1 {
                places.entry(word).or_default().push(block);
            }
        }
    }
    let (masks, shuffles) = (places.get("activemask.b32"), places.get("shfl.sync.bfly.b32"));
    let two_blocks = |found: Option<&Vec<usize>>| found.is_some_and(|f| f.len() == 2 && f[0] != f[1]);
    if two_blocks(masks) && masks == shuffles {
        Vec::new()
    } else {
        vec![format!("convergence: not one activemask and one shuffle in each arm:\n{body}")]
    }
}

fn planted_faults_are_found() -> Result<(), String> {
    let body = "activemask.b32 %r1;\n@%p1 bra $L1;\nfma.rn.f32 \t%f1, %f2;\nfma.rn.f32.x %f1;";
    let found = [count(body, "fma.rn.f32"), count(body, "fma.rn"), count(body, "activemask.b32")];
    if found != [1, 0, 1] {
        return Err(format!("counted {found:?}"));
    }
    let missing = compare("planted", body, &[("shfl.sync.idx.b32", 1)]).len();
    let twice = compare("planted", body, &[("fma.rn.f32", 2)]).len();
    let local = compare("planted", ".local .b8 x[4];", &[]).len();
    let merged = branches_keep_their_instructions("activemask.b32 %r1;\nshfl.sync.bfly.b32 %r2;\n").len();
    if [missing, twice, local, merged] == [1; 4] {
        Ok(())
    } else {
        Err("a planted fault went unnoticed".to_owned())
    }
}

fn every_wrapper_has_a_row() -> Result<(), String> {
    let src = here().join("../crates/gpu-std/src");
    let files = [
        "atomic/fetch.rs",
        "atomic/ordered.rs",
        "block.rs",
        "clock.rs",
        "control.rs",
        "convert.rs",
        "int.rs",
        "math/double.rs",
        "math/half.rs",
        "math/single.rs",
        "mem.rs",
        "packed.rs",
        "thread.rs",
        "warp.rs",
    ];
    let rows: BTreeSet<&str> =
        ROWS.iter().map(|row| row.name.split("__").next().unwrap_or_default()).collect();
    let mut wrappers = BTreeSet::new();
    for file in files {
        let found = public_functions(&src.join(file))?;
        if found.is_empty() {
            return Err(format!("{file}: no public function found; has it moved?"));
        }
        wrappers.extend(found);
    }
    let without: Vec<&String> = wrappers
        .iter()
        .filter(|name| !rows.contains(name.as_str()) && !NO_INSTRUCTION.contains(&name.as_str()))
        .collect();
    if without.is_empty() { Ok(()) } else { Err(format!("no row in table.rs for {without:?}")) }
}

/// Names after `pub fn`, `pub unsafe fn` and the like, in macro tables too; and the rows of `special_registers!`.
fn public_functions(path: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let name = |rest: &str| -> String {
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
    };
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        let declared = ["pub fn ", "pub unsafe fn ", "pub const fn ", "pub const unsafe fn "]
            .iter()
            .find_map(|start| line.find(start).map(|at| &line[at + start.len()..]));
        let register = line.strip_suffix(';').and_then(|l| l.split_once(" = _")).map(|(name, _)| name);
        found.extend(declared.or(register).map(name).filter(|name| !name.is_empty()));
    }
    Ok(found)
}
