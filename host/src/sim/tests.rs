//! Choice of PTX, memory, checks before a launch; on folders written here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gpu_std::launch::{ContractError, Kernel, LaunchShape, launch};
use kernels_gpu::cross::hadamard::{Hadamard, HadamardArgs};
use ptx_parse::hash::content_hash;
use ptx_parse::manifest::{EntryInfo, FILE_NAME, FamilyFile, Manifest, VERSION};
use ptx_sim::{Finding, FindingKind, Place};

use super::*;
use crate::artefacts::{Arch, ArtefactError, Backend, Options};
use crate::backend::{Buffer, Device};
use crate::error::Error;

type Product = Hadamard<f32>;

fn ptx(arch: &str, params: usize) -> String {
    let param = |i| format!(".param .u64 p{i}");
    let params: Vec<String> = (0..params).map(param).collect();
    let entry = Product::ENTRY;
    format!(
        ".version 7.8\n.target {arch}\n.address_size 64\n.visible .entry {entry}({})\n{{\n\tret;\n}}\n",
        params.join(", ")
    )
}

fn described(static_shared_bytes: u64) -> EntryInfo {
    EntryInfo {
        stem: Product::STEM.to_owned(),
        instance: Product::INSTANCE.to_owned(),
        family: Product::FAMILY.to_owned(),
        signature: Some(format!("{:016x}", Product::SIGNATURE_HASH)),
        static_shared_bytes,
        ..EntryInfo::default()
    }
}

fn write(root: &Path, arch: &str, entry: EntryInfo, ptx: &str) {
    write_by(root, "llvm", arch, entry, ptx);
}

fn write_by(root: &Path, codegen: &str, arch: &str, entry: EntryInfo, ptx: &str) {
    let file = FamilyFile { file: "cross.ptx".to_owned(), ptx_hash: content_hash(ptx.as_bytes()) };
    let manifest = Manifest {
        version: VERSION,
        codegen: codegen.to_owned(),
        arch: arch.to_owned(),
        ptx_version: "7.8".to_owned(),
        source_hash: String::new(),
        source_root: "".into(),
        build_key: String::new(),
        rustc: "1.95.0".to_owned(),
        llvm: "22.1.2".to_owned(),
        flags: Vec::new(),
        sources: BTreeMap::new(),
        families: BTreeMap::from([(Product::FAMILY.to_owned(), file)]),
        entries: BTreeMap::from([(Product::ENTRY.to_owned(), entry)]),
    };
    let dir = root.join(codegen).join(arch);
    fs::create_dir_all(&dir).expect("it is writable");
    fs::write(dir.join(FILE_NAME), manifest.to_json()).expect("it is writable");
    fs::write(dir.join("cross.ptx"), ptx).expect("it is writable");
}

fn folder_of(archs: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for arch in archs {
        write(dir.path(), arch, described(0), &ptx(arch, 6));
    }
    dir
}

fn open(dir: &Path, arch: Option<&str>) -> Result<Sim, Error> {
    let arch = arch.map(|arch| arch.parse::<Arch>().expect("an architecture"));
    let ptx = Options { ptx: Some(dir.to_owned()), arch, ..Options::default() };
    Sim::open_with(SimOptions { ptx, ..SimOptions::default() })
}

fn any_sim() -> (tempfile::TempDir, Sim) {
    let dir = folder_of(&["sm_90"]);
    let sim = open(dir.path(), None).expect("there is PTX");
    (dir, sim)
}

#[test]
fn sm_90a_is_taken_where_nobody_asks_for_another() {
    let dir = folder_of(&["sm_80", "sm_90", "sm_90a"]);
    for (asked, want) in
        [(None, "sm_90a"), (Some("sm_90"), "sm_90"), (Some("sm_80"), "sm_80"), (Some("sm_90a"), "sm_90a")]
    {
        let sim = open(dir.path(), asked).expect("there is PTX");
        assert_eq!(sim.info().arch, want);
        assert_eq!(sim.artefacts()[0].arch().to_string(), want);
    }
    let older = folder_of(&["sm_80"]);
    assert_eq!(open(older.path(), None).expect("a newer device runs it").info().arch, "sm_80");
}

#[test]
fn ptx_that_is_not_there_names_the_next_step() {
    let dir = folder_of(&["sm_90"]);
    let error = open(dir.path(), Some("sm_80")).expect_err("only sm_90 is there");
    assert!(matches!(error, Error::Artefact(ArtefactError::ArchNotThere { .. })), "{error:?}");
    assert!(error.to_string().ends_with("run `cargo xtask build-ptx --arch sm_80`"), "{error}");
    let error = open(&dir.path().join("nowhere"), None).expect_err("nothing is there");
    assert!(error.to_string().ends_with("run `cargo xtask build-ptx`"), "{error}");
}

#[test]
fn the_environment_chooses_architecture_and_seed() {
    let read = |values: &'static [(&'static str, &'static str)]| {
        SimOptions::from_variables(|name| {
            values.iter().find(|(variable, _)| *variable == name).map(|(_, value)| (*value).to_owned())
        })
    };
    let options = read(&[(ARCH_VARIABLE, "sm_80"), (SEED_VARIABLE, "7"), (STATS_VARIABLE, "1")]);
    let options = options.expect("they are right");
    assert_eq!(options.ptx.arch.map(|a| a.to_string()).as_deref(), Some("sm_80"));
    assert_eq!((options.run.seed, options.run.stats), (7, true));
    let options = read(&[(ARCH_VARIABLE, ""), (STATS_VARIABLE, "0")]).expect("empty is absent");
    assert_eq!((options.ptx.arch, options.run.stats), (None, false));
    let error = read(&[(SEED_VARIABLE, "x")]).expect_err("no number");
    assert_eq!(error.to_string(), "WARPSMITH_SIM_SEED=x: it must be a number");
    assert!(matches!(read(&[(ARCH_VARIABLE, "90")]), Err(Error::Variable { name: ARCH_VARIABLE, .. })));
}

#[test]
fn the_device_has_the_limits_of_its_architecture() {
    let dir = folder_of(&["sm_80", "sm_90"]);
    let limits = |arch| {
        let sim = open(dir.path(), Some(arch)).expect("there is PTX");
        (sim.info().compute, sim.info().shared_optin_bytes)
    };
    assert_eq!(limits("sm_80"), ((8, 0), 166_912));
    assert_eq!(limits("sm_90"), ((9, 0), 232_448));
    let sim = open(dir.path(), None).expect("there is PTX");
    assert_eq!(sim.to_string(), "simulator (sm_90 PTX by llvm, seed 0)");
}

#[test]
fn data_comes_back_as_it_went() {
    let (_dir, sim) = any_sim();
    let data: Vec<u16> = (0..1000).collect();
    let mut buffer = sim.upload(&data).expect("it has room");
    assert_eq!(
        sim.download(buffer.as_slice().slice(3..7).expect("inside")).expect("it is there"),
        [3, 4, 5, 6]
    );
    sim.fill_bytes(buffer.as_mut_slice().slice(0..2).expect("inside"), 1).expect("it is there");
    sim.poison(buffer.as_mut_slice().slice(2..4).expect("inside"), 0xff).expect("it is there");
    let got = sim.download(buffer.as_slice().slice(0..5).expect("inside")).expect("the host may read poison");
    assert_eq!(got, [0x101, 0x101, 0xffff, 0xffff, 4]);
    let empty = sim.upload::<u32>(&[]).expect("it needs no room");
    assert_eq!(sim.download(empty.as_slice()).expect("nothing to copy"), [0_u32; 0]);
}

#[test]
fn a_buffer_is_freed_when_it_is_dropped() {
    let (_dir, sim) = any_sim();
    let (a, b) = (sim.alloc::<u32>(100).expect("it has room"), sim.alloc::<u8>(7).expect("it has room"));
    assert_eq!(sim.allocated_bytes(), 407);
    drop(a);
    assert_eq!(sim.allocated_bytes(), 7);
    drop(b);
    assert_eq!(sim.allocated_bytes(), 0);
    let total = sim.info().total_bytes;
    let error = sim.alloc::<u8>(total + 1).expect_err("more than there is");
    assert!(matches!(error, Error::OutOfMemory { bytes, .. } if bytes == total + 1), "{error}");
    assert!(matches!(sim.alloc::<u64>(u64::MAX), Err(Error::SizeOverflow { .. })));
    assert_eq!(sim.allocated_bytes(), 0);
}

#[test]
fn memory_of_another_device_is_refused() {
    let (dir, sim) = any_sim();
    let other = open(dir.path(), None).expect("there is PTX");
    // In front of it, so that equal addresses do not look like an overlap.
    let _pads = [(); 8].map(|()| other.alloc::<f32>(4).expect("it has room"));
    let mut theirs = other.upload(&[1.0_f32; 4]).expect("it has room");
    assert!(matches!(sim.download(theirs.as_slice()), Err(Error::CopySpace { call: "download", .. })));
    assert!(matches!(sim.poison(theirs.as_mut_slice(), 0), Err(Error::CopySpace { call: "poison", .. })));
    let (a, b) = (sim.upload(&[1.0_f32; 4]), sim.upload(&[1.0_f32; 4]));
    let (a, b) = (a.expect("it has room"), b.expect("it has room"));
    let args = HadamardArgs { a: a.as_slice(), b: b.as_slice(), y: theirs.as_mut_slice() };
    let error = launch::<Product, Sim>(&sim, LaunchShape::grid(1), &args).expect_err("another's memory");
    assert!(matches!(error, Error::Contract(ContractError::WrongSpace { param: "y", .. })), "{error}");
}

/// What a launch says on PTX that was written for this test.
fn launched(entry: EntryInfo, ptx: &str) -> Result<(), Error> {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "sm_90", entry, ptx);
    let sim = open(dir.path(), None)?;
    let (a, b) = (sim.upload(&[1.0_f32; 4])?, sim.upload(&[1.0_f32; 4])?);
    let mut y = sim.alloc::<f32>(4)?;
    let args = HadamardArgs { a: a.as_slice(), b: b.as_slice(), y: y.as_mut_slice() };
    launch::<Product, Sim>(&sim, LaunchShape::grid(1), &args)
}

#[test]
fn an_image_with_other_parameters_is_refused() {
    let error = launched(described(0), &ptx("sm_90", 5)).expect_err("one parameter less");
    assert!(matches!(error, Error::ParamCount { want: 6, .. }), "{error}");
    let small = ptx("sm_90", 6).replace(".u64 p5", ".u32 p5");
    let error = launched(described(0), &small).expect_err("a smaller parameter");
    assert!(matches!(error, Error::ParamMismatch { index: 5, got_bytes: 4, .. }), "{error}");
}

#[test]
fn ptx_without_the_promised_entry_or_that_is_none_is_refused() {
    let without = ptx("sm_90", 6).replace(Product::ENTRY, "other");
    let error = launched(described(0), &without).expect_err("no such entry");
    assert!(matches!(error, Error::Artefact(ArtefactError::Damaged { .. })), "{error}");
    let error = launched(described(0), "no PTX").expect_err("it does not parse");
    let text = error.to_string();
    assert!(matches!(error, Error::SimLoad(_)), "{text}");
    assert!(text.starts_with("the simulator cannot load the PTX of cross for sm_90 by llvm in "), "{text}");
}

/// Has the first thread of all write the number of blocks in x to the first element of the output.
fn blocks_in_x(ptx: &str) -> String {
    let body = "{ .reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %rd<2>;
        mov.u32 %r1, %nctaid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; or.b32 %r4, %r2, %r3;
        setp.ne.b32 %p1, %r4, 0; @%p1 bra $L; ld.param.b64 %rd1, [p4]; st.global.b32 [%rd1], %r1; $L: ret; }";
    ptx.split_once('{').map_or_else(String::new, |(head, _)| format!("{head}{body}\n"))
}

/// What [`blocks_in_x`] writes on a launch of one block.
fn first_element(sim: &Sim) -> Result<u32, Error> {
    let (a, b) = (sim.upload(&[1.0_f32; 4])?, sim.upload(&[1.0_f32; 4])?);
    let mut y = sim.upload(&[1.0_f32; 4])?;
    let args = HadamardArgs { a: a.as_slice(), b: b.as_slice(), y: y.as_mut_slice() };
    launch::<Product, Sim>(sim, LaunchShape::grid(1), &args)?;
    Ok(sim.download(y.as_slice())?[0].to_bits())
}

#[test]
fn given_ptx_takes_the_place_of_a_family_and_a_given_grid_that_of_the_launch() {
    let (_dir, sim) = any_sim();
    let unchanged = 1.0_f32.to_bits();
    assert_eq!(first_element(&sim).expect("it runs"), unchanged);
    let given = ptx_parse::parse(&blocks_in_x(&ptx("sm_90", 6))).expect("it is PTX");
    let other = sim.with_ptx("cross", "given", given.clone(), ptx_sim::Options::default()).expect("it loads");
    assert_eq!(first_element(&other).expect("it runs"), 1);
    assert_eq!(first_element(&other.on_grid(7)).expect("it runs"), 7);
    assert_eq!(first_element(&sim).expect("it runs"), unchanged);
    let elsewhere = sim.with_ptx("other", "given", given, ptx_sim::Options::default()).expect("it loads");
    assert_eq!(first_element(&elsewhere).expect("it runs"), unchanged);
}

#[test]
fn a_kernel_runs_from_its_default_back_end_and_from_the_one_asked_for() {
    let dir = tempfile::tempdir().expect("a folder");
    let entry = EntryInfo { default_backend: Backend::Nvvm, ..described(0) };
    let text = ptx("sm_90", 6);
    write_by(dir.path(), "llvm", "sm_90", entry.clone(), &text);
    write_by(dir.path(), "nvvm", "sm_90", entry, &blocks_in_x(&text));
    let run = |codegen: Option<&str>| {
        let codegen = codegen.map(str::to_owned);
        let ptx = Options { ptx: Some(dir.path().to_owned()), codegen, ..Options::default() };
        first_element(&Sim::open_with(SimOptions { ptx, ..SimOptions::default() })?)
    };
    assert_eq!(run(None).expect("it runs"), 1);
    assert_eq!(run(Some("nvvm")).expect("it runs"), 1);
    assert_eq!(run(Some("llvm")).expect("it runs"), 1.0_f32.to_bits());
    fs::remove_dir_all(dir.path().join("nvvm")).expect("it is ours");
    assert_eq!(run(None).expect("it runs"), 1.0_f32.to_bits());
    let error = run(Some("nvvm")).expect_err("it is gone");
    assert!(matches!(error, Error::Artefact(ArtefactError::CodegenNotThere { .. })), "{error}");
}

#[test]
fn findings_are_kept_and_name_the_ptx() {
    let place = Place { kernel: "k".to_owned(), block: [1, 0, 0], thread: [2, 0, 0], line: 30, rust: None };
    let finding = Finding { place, kind: FindingKind::DivisionByZero };
    let error = entry::launch_error("the PTX of this test", Findings(vec![finding.clone()]).into());
    let text = error.to_string();
    let Error::SimFindings { findings, .. } = error else { panic!("{text}") };
    assert_eq!(findings.0, [finding]);
    assert!(
        text.contains("block (1, 0, 0), thread (2, 0, 0), PTX line 30")
            && text.ends_with("in the PTX of this test")
    );
}

#[test]
fn stale_ptx_is_refused() {
    let stale = EntryInfo { signature: Some("0".to_owned()), ..described(0) };
    let error = launched(stale, &ptx("sm_90", 6)).expect_err("another signature");
    assert!(matches!(error, Error::Artefact(ArtefactError::StaleSignature { .. })), "{error}");
}
