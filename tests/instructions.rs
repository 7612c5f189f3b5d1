//! Every instruction wrapper of `gpu-std` becomes the instruction it is named for, and does what it says: the kernels of
//! `tests/kernels/instructions` are built to PTX by both back ends, compared with the expectations of their tables, and run in the simulator.
//!
//! `host::…`: wrappers of pure arithmetic give in the simulator what their host half gives, bit for bit; approximate ones are,
//! there and here, within the documented error. `together::…`, `matrix::…`, `flights::…`, `memory::…`, `special::…`: against naive models.
//!
//! The program is its own linker (`ptx_builder::run_as_linker_if_asked`), so it has a `main`.

mod approximate;
#[path = "instructions/built.rs"]
mod built;
#[path = "instructions/docs.rs"]
mod docs;
#[path = "instructions/flights.rs"]
mod flights;
mod matrices;
#[path = "instructions/matrix.rs"]
mod matrix;
#[path = "instructions/memory.rs"]
mod memory;
#[path = "instructions/pure.rs"]
mod pure;
#[path = "instructions/rows.rs"]
mod rows;
#[path = "instructions/special.rs"]
mod special;
#[path = "instructions/together.rs"]
mod together;
#[path = "instructions/values.rs"]
mod values;
#[path = "instructions/wgmma.rs"]
mod wgmma;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use built::{TARGETS, Target, built, targets};
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use memory::Family;
use ptx_builder::Backend;
use rows::Row;

/// Public functions that are no wrappers and have no PTX of their own to look at.
const NO_INSTRUCTION: [&str; 13] = [
    "from_bits",
    "to_bits",
    "new",
    "address",
    "add",
    "splat",
    "lo",
    "hi",
    "f32",
    "f64",
    "unroll",
    "opaque",
    "as_ptr",
];

fn main() {
    ptx_builder::run_as_linker_if_asked();
    let args = Arguments::from_args();
    let mut trials = vec![
        trial("every_wrapper_has_a_row", every_wrapper_has_a_row),
        trial("the_comparison_finds_what_is_missing", planted_faults_are_found),
        trial("every_row_has_a_host_half", pure::the_host_has_every_row),
        trial("planted_differences_are_found", pure::planted_differences_are_found),
        trial("bounds_are_documented", docs::bounds_are_documented),
        trial("every_row_has_a_model", || together::every_row_has_a_model(rows::TOGETHER)),
        trial("families_are_not_empty", families_are_not_empty),
    ];
    for target in TARGETS {
        let name = format!("wrappers_become_their_instruction::{target}");
        trials.push(on_target(name, target, wrappers_become_their_instruction));
        let name = format!("the_simulator_executes_every_wrapper::{target}");
        trials.push(on_target(name, target, the_simulator_executes_every_wrapper));
    }
    let pure =
        |row: &'static Row| trial(format!("host::{}", row.name), move || pure::host_and_simulator_agree(row));
    trials.extend(rows::PURE.iter().map(pure));
    trials.extend(rows::TOGETHER.iter().map(|row| on_all("together", row, together::agrees_with_its_model)));
    trials.extend(rows::MAPS.iter().map(|row| on_all("maps", row, special::special)));
    trials.extend(rows::MATRIX.iter().map(|row| on_all("matrix", row, matrix::agrees_with_its_model)));
    trials.extend(rows::FLIGHTS.iter().map(|row| on_all("flights", row, flights::agrees_with_its_model)));
    trials.extend(rows::WGMMA.iter().map(|row| on_all("wgmma", row, wgmma::agrees_with_plain_loops)));
    trials.extend(rows::OTHERS.iter().filter_map(|row| match Family::of(row) {
        Family::Load => Some(on_all("memory", row, memory::load)),
        Family::Store => Some(on_all("memory", row, memory::store)),
        Family::Atomic => Some(on_all("memory", row, memory::atomic)),
        Family::Special => Some(on_all("special", row, special::special)),
        Family::Shared => None,
    }));
    libtest_mimic::run(&args, trials).exit();
}

fn trial(name: impl Into<String>, test: impl FnOnce() -> Result<(), String> + Send + 'static) -> Trial {
    Trial::test(name, move || test().map_err(Failed::from))
}

/// A test of a target, skipped where its back end is not there.
fn on_target(name: String, target: Target, test: fn(Target) -> Result<(), String>) -> Trial {
    Trial::ignorable_test(name, move || match target.missing() {
        Some(why) => Ok(Completion::ignored_with(format!("skipped: {why}"))),
        None => test(target).map(|()| Completion::Completed).map_err(Failed::from),
    })
}

/// A test of a row on every target that has it.
fn on_all(group: &str, row: &'static Row, test: fn(&Row, Target) -> Result<(), String>) -> Trial {
    trial(format!("{group}::{}", row.name), move || {
        targets().filter(|target| row.is_on(target.arch)).try_for_each(|target| test(row, target))
    })
}

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn wrappers_become_their_instruction(target: Target) -> Result<(), String> {
    let bodies = &built(target)?.bodies;
    let mut faults = Vec::new();
    for row in rows::all().filter(|row| row.is_on(target.arch)) {
        match bodies.get(&row.entry()) {
            None => faults.push(format!("{}: no such entry", row.name)),
            Some(body) => faults.extend(compare(row.name, body, expected(row, target))),
        }
    }
    faults.extend(branches_keep_their_instructions(bodies.get("k_convergence").map_or("", String::as_str)));
    if bodies.len() < 300 {
        faults.push(format!("{} entries only: the table was not read", bodies.len()));
    }
    if faults.is_empty() { Ok(()) } else { Err(format!("{target}:\n{}", faults.join("\n"))) }
}

/// What a row says; from PTX 8.3 on LLVM writes no second `exit` where a function does not return.
fn expected(row: &Row, target: Target) -> &'static [(&'static str, usize)] {
    let alone = row.name == "exit" && target == Target { backend: Backend::Llvm, arch: "sm_90a" };
    if alone { &[("exit", 1)] } else { row.expected }
}

/// No wrapper contains an instruction that the simulator refuses.
fn the_simulator_executes_every_wrapper(target: Target) -> Result<(), String> {
    let module = &built(target)?.module;
    let refused: Vec<String> = rows::all()
        .filter(|row| row.is_on(target.arch))
        .filter_map(|row| module.check(&row.entry()).err().map(|error| format!("{}: {error}", row.name)))
        .collect();
    if refused.is_empty() { Ok(()) } else { Err(refused.join("\n")) }
}

/// A change of the tables that empties a family would leave it untested.
fn families_are_not_empty() -> Result<(), String> {
    let least = [
        (Family::Load, 40),
        (Family::Store, 25),
        (Family::Atomic, 60),
        (Family::Special, 30),
        (Family::Shared, 1),
    ];
    let count = |family| rows::OTHERS.iter().filter(|row| Family::of(row) == family).count();
    let missing: Vec<String> = least
        .into_iter()
        .filter(|(family, least)| count(*family) < *least)
        .map(|(family, least)| format!("{} rows of {family:?}, at least {least}", count(family)))
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(missing.join(", ")) }
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
        "async_copy.rs",
        "atomic/fetch.rs",
        "atomic/ordered.rs",
        "block.rs",
        "bulk.rs",
        "cluster.rs",
        "mbarrier.rs",
        "tma/copies.rs",
        "clock.rs",
        "control.rs",
        "convert.rs",
        "int.rs",
        "math/double.rs",
        "math/half.rs",
        "math/single.rs",
        "mem.rs",
        "mma/matrix.rs",
        "mma/sync.rs",
        "packed.rs",
        "thread.rs",
        "tma.rs",
        "warp.rs",
        "wgmma/multiply.rs",
        "wgmma/sync.rs",
    ];
    let rows: BTreeSet<&str> = rows::all().map(Row::wrapper).collect();
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
