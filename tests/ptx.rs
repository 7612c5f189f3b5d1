//! Instructions that must stay, or must not appear, in the PTX of a kernel: one `ptx/<stem>.check` per tuned kernel.
//!
//! A `.check` file has one directive per line; `#` begins a comment. Directives below an `entry` line belong to it.
//!
//! | directive | means |
//! |---|---|
//! | `arch: all`, `arch: sm_90, sm_90a` | the architectures of all that follows; `all` is the default set |
//! | `backend: all`, `backend: llvm` | the back ends of all that follows; `all` where there is no such line |
//! | `entry: hadamard_f32` | the entry of all that follows |
//! | `must: 2 ld.global.nc.v4` | at least two instructions of this kind (one where no number stands) |
//! | `must_in_loop: st.global.v4` | the same, counted inside loops only |
//! | `must_not: ld.local` | no such instruction; `.local` alone also means no `.local` variable |
//!
//! An instruction is of a kind when its opcode is the kind's and its modifiers contain the kind's in this order; a kind
//! that begins with a dot takes any opcode.

use std::collections::HashMap;
use std::path::Path;

use ptx_parse::ast::{Function, Instruction, Operand, Statement};
use ptx_parse::{Module, analysis};
use tests::described::{Backend, DEFAULT_ARCHS, FILES, built, manifest, ptx};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    Must { count: usize, kind: String, in_loop: bool },
    MustNot { kind: String },
}

/// A rule, with where it applies and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Expectation {
    backends: Vec<Backend>,
    archs: Vec<String>,
    entry: String,
    rule: Rule,
    line: usize,
}

fn read_check(text: &str) -> Result<Vec<Expectation>, String> {
    let (mut archs, mut backends) = (DEFAULT_ARCHS.map(str::to_owned).to_vec(), Backend::ALL.to_vec());
    let (mut entry, mut found) = (None, Vec::new());
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let bad = |what: &str| format!("line {}: {what}: `{line}`", i + 1);
        let (name, value) = line.split_once(':').ok_or_else(|| bad("no directive"))?;
        let (name, value) = (name.trim(), value.trim());
        let rule = match name {
            "arch" if value == "all" => {
                archs = DEFAULT_ARCHS.map(str::to_owned).to_vec();
                continue;
            }
            "arch" => {
                archs = value.split(',').map(|arch| arch.trim().to_owned()).collect();
                continue;
            }
            "backend" if value == "all" => {
                backends = Backend::ALL.to_vec();
                continue;
            }
            "backend" => {
                backends = vec![value.parse().map_err(|error| bad(&format!("{error}")))?];
                continue;
            }
            "entry" => {
                entry = Some(value.to_owned());
                continue;
            }
            "must" | "must_in_loop" => {
                let (count, kind) = match value.split_once(' ') {
                    Some((count, kind)) => (count.parse().map_err(|_| bad("no number"))?, kind.trim()),
                    None => (1, value),
                };
                Rule::Must { count, kind: kind.to_owned(), in_loop: name == "must_in_loop" }
            }
            "must_not" => Rule::MustNot { kind: value.to_owned() },
            _ => return Err(bad("unknown directive")),
        };
        let entry = entry.clone().ok_or_else(|| bad("no `entry` line before it"))?;
        let (backends, archs) = (backends.clone(), archs.clone());
        found.push(Expectation { backends, archs, entry, rule, line: i + 1 });
    }
    Ok(found)
}

/// Whether the instruction is of the kind; see the top of this file.
fn is_kind(instruction: &Instruction, kind: &str) -> bool {
    let mut words = kind.split('.');
    let opcode = words.next().unwrap_or_default();
    let mut modifiers = instruction.modifiers.iter();
    (opcode.is_empty() || instruction.opcode == opcode) && words.all(|word| modifiers.any(|m| m == word))
}

/// Statements in order, scopes opened.
fn flat(function: &Function) -> Vec<&Statement> {
    let mut statements = Vec::new();
    analysis::each_statement(function.body.as_deref().unwrap_or_default(), &mut |s| statements.push(s));
    statements
}

/// For each statement whether a branch further down jumps to a label above it.
fn in_loops(statements: &[&Statement]) -> Vec<bool> {
    let mut labels: HashMap<&str, usize> = HashMap::new();
    let mut inside = vec![false; statements.len()];
    for (i, statement) in statements.iter().enumerate() {
        match statement {
            Statement::Label { name, .. } => labels.extend([(name.as_str(), i)]),
            Statement::Instruction(instruction) if instruction.opcode == "bra" => {
                let target = instruction.operands.iter().find_map(|operand| match operand {
                    Operand::Name(name) => labels.get(name.as_str()),
                    _ => None,
                });
                if let Some(&start) = target {
                    inside[start..=i].fill(true);
                }
            }
            _ => {}
        }
    }
    inside
}

fn count(function: &Function, kind: &str, only_in_loops: bool) -> usize {
    let statements = flat(function);
    let inside = in_loops(&statements);
    let counted = statements.iter().zip(inside).filter(|(_, inside)| *inside || !only_in_loops);
    counted
        .filter(|(statement, _)| matches!(statement, Statement::Instruction(i) if is_kind(i, kind)))
        .count()
}

/// What is wrong with the entry, if anything.
fn fault(module: &Module, expectation: &Expectation) -> Option<String> {
    let Some(function) = module.entry(&expectation.entry) else {
        return Some(format!("there is no entry `{}`", expectation.entry));
    };
    match &expectation.rule {
        Rule::Must { count: want, kind, in_loop } => {
            let got = count(function, kind, *in_loop);
            let place = if *in_loop { " in a loop" } else { "" };
            (got < *want).then(|| format!("{got} of `{kind}`{place}, at least {want} expected"))
        }
        Rule::MustNot { kind } => {
            let got = count(function, kind, false);
            let variables = kind == ".local" && module.usage(function).local_bytes > 0;
            (got > 0 || variables).then(|| format!("{got} of `{kind}`, none expected"))
        }
    }
}

/// The name of a file and what it expects.
type Check = (String, Vec<Expectation>);

fn read_file(path: &Path) -> Check {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let expectations = read_check(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(!expectations.is_empty(), "{name} expects nothing");
    let mut archs = expectations.iter().flat_map(|expectation| &expectation.archs);
    let other = archs.find(|arch| !DEFAULT_ARCHS.contains(&arch.as_str()));
    assert_eq!(other, None, "{name} names an architecture that is not built by default");
    (name, expectations)
}

fn faults_of((name, expectations): &Check, backend: Backend, arch: &str) -> Vec<String> {
    let concerns = |e: &&Expectation| e.backends.contains(&backend) && e.archs.iter().any(|a| a == arch);
    let fault = |expectation: &Expectation| {
        let place = format!("{name}:{}: {} of {arch} by {backend}", expectation.line, expectation.entry);
        Some(format!("{place}: {}", fault_in(backend, arch, expectation)?))
    };
    expectations.iter().filter(concerns).filter_map(fault).collect()
}

fn fault_in(backend: Backend, arch: &str, expectation: &Expectation) -> Option<String> {
    match manifest(backend, arch).entries.get(&expectation.entry) {
        Some(info) => fault(&ptx(backend, arch, &info.family), expectation),
        None => Some(format!("there is no entry `{}`", expectation.entry)),
    }
}

#[test]
fn kernels_meet_their_expectations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ptx");
    let entries = std::fs::read_dir(&folder).expect("tests/ptx exists");
    let mut paths: Vec<_> =
        entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "check")).collect();
    assert!(!paths.is_empty(), "tests/ptx has no .check file");
    // Kernels of a family follow each other, so that its PTX is read once.
    paths.sort();
    for path in &paths {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        assert!(
            FILES.iter().any(|(_, file, _)| *file == stem),
            "{}: there is no kernel `{stem}`",
            path.display()
        );
    }
    let checks: Vec<Check> = paths.iter().map(|path| read_file(path)).collect();
    let places = built();
    let faults: Vec<String> = places
        .iter()
        .flat_map(|(backend, arch)| checks.iter().flat_map(|check| faults_of(check, *backend, arch)))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_family_declares_its_names_and_prints_as_itself() {
    for (backend, arch) in built() {
        let families: Vec<String> = manifest(backend, arch).families.keys().cloned().collect();
        assert!(!families.is_empty(), "{arch} by {backend} has no family");
        for family in families {
            let mut module = ptx_parse::Module::clone(&ptx(backend, arch, &family));
            assert_eq!(module.check_names(), Ok(()), "{arch}/{family} by {backend}");
            let mut again = ptx_parse::parse(&module.to_string()).expect("it is PTX");
            module.erase_positions();
            again.erase_positions();
            assert!(module == again, "{arch}/{family} by {backend} prints as another module");
        }
    }
}

const SAMPLE: &str = ".version 7.8 .target sm_90 .address_size 64
    .visible .entry k(.param .u64 a) {
        .reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .pred %p1;
        .local .align 4 .b8 depot[4];
        ld.global.nc.L1::no_allocate.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];
    $L1:
        { st.global.v4.b32 [%rd2], {%r1, %r2, %r3, %r4}; }
        @%p1 bra $L1;
        ret;
    }";

#[track_caller]
fn assert_fault(rule: &str, want: Option<&str>) {
    let module = ptx_parse::parse(SAMPLE).expect("it is PTX");
    let expectations = read_check(&format!("entry: k\n{rule}")).expect("it is a check");
    assert_eq!(fault(&module, &expectations[0]).as_deref(), want);
}

#[test]
fn what_is_expected_is_found_and_what_is_not_is_a_fault() {
    assert_fault("must: ld.global.nc.v4", None);
    assert_fault("must: 2 ld.global.nc.v4", Some("1 of `ld.global.nc.v4`, at least 2 expected"));
    assert_fault("must: ld.global.v4.nc", Some("0 of `ld.global.v4.nc`, at least 1 expected"));
    assert_fault("must_in_loop: st.global.v4.b32", None);
    assert_fault(
        "must_in_loop: ld.global.nc.v4",
        Some("0 of `ld.global.nc.v4` in a loop, at least 1 expected"),
    );
    assert_fault("must_not: st.shared", None);
    assert_fault("must_not: st.global", Some("1 of `st.global`, none expected"));
    assert_fault("must_not: .local", Some("0 of `.local`, none expected"));
}

#[test]
fn a_check_that_is_not_understood_is_an_error() {
    assert_eq!(
        read_check("must: ld.global").unwrap_err(),
        "line 1: no `entry` line before it: `must: ld.global`"
    );
    assert_eq!(read_check("entry: k\nmusst: x").unwrap_err(), "line 2: unknown directive: `musst: x`");
    assert_eq!(read_check("entry: k\nmust: two x").unwrap_err(), "line 2: no number: `must: two x`");
    let error = read_check("backend: gcc").unwrap_err();
    assert!(error.starts_with("line 1: `gcc` is no back end"), "{error}");
}

#[test]
fn an_expectation_can_be_for_one_back_end() {
    let text = "entry: k\nmust: a\nbackend: nvvm\nmust: b\nbackend: all\nmust: c";
    let found = read_check(text).expect("it is a check");
    let backends: Vec<_> = found.iter().map(|expectation| expectation.backends.as_slice()).collect();
    assert_eq!(backends, [&Backend::ALL[..], &[Backend::Nvvm], &Backend::ALL]);
}
