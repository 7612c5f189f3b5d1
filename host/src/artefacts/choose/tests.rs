//! Choice of the architecture and staleness, on folders written here.

pub(in crate::artefacts) mod backends;

use std::collections::BTreeMap;

use ptx_parse::manifest::{FILE_NAME, FamilyFile, VERSION};

use super::*;

const H200: Target = Target { compute: (9, 0), driver: 13_000, preferred: None };
const PTX: &str = "// PTX";

fn entry(signature: u64) -> EntryInfo {
    EntryInfo {
        stem: "k".to_owned(),
        family: "cross".to_owned(),
        signature: Some(format!("{signature:016x}")),
        ..EntryInfo::default()
    }
}

fn manifest(arch: &str, ptx_version: &str) -> Manifest {
    let file = FamilyFile { file: "cross.ptx".to_owned(), ptx_hash: content_hash(PTX.as_bytes()) };
    Manifest {
        version: VERSION,
        codegen: "llvm".to_owned(),
        arch: arch.to_owned(),
        ptx_version: ptx_version.to_owned(),
        source_hash: String::new(),
        source_root: "".into(),
        build_key: String::new(),
        rustc: "1.95.0".to_owned(),
        llvm: "22.1.2".to_owned(),
        flags: Vec::new(),
        sources: BTreeMap::new(),
        families: BTreeMap::from([("cross".to_owned(), file)]),
        entries: BTreeMap::from([("k".to_owned(), entry(7))]),
    }
}

fn write(root: &Path, manifest: &Manifest) {
    let dir = root.join(&manifest.codegen).join(&manifest.arch);
    fs::create_dir_all(&dir).expect("it is writable");
    fs::write(dir.join(FILE_NAME), manifest.to_json()).expect("it is writable");
    fs::write(dir.join("cross.ptx"), PTX).expect("it is writable");
}

fn folder_of(architectures: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for (arch, version) in architectures {
        write(dir.path(), &manifest(arch, version));
    }
    dir
}

fn find(dir: &Path, arch: Option<&str>, target: Target) -> Result<Artefacts, ArtefactError> {
    let arch = arch.map(|a| a.parse().expect("a valid architecture"));
    Artefacts::find(&Options { ptx: Some(dir.to_owned()), arch, ..Options::default() }, target)
}

fn chosen(dir: &Path, arch: Option<&str>, target: Target) -> String {
    find(dir, arch, target).expect("there is one").chosen()[0].arch().to_string()
}

const ALL: [(&str, &str); 3] = [("sm_80", "7.4"), ("sm_90", "7.8"), ("sm_90a", "8.0")];

#[test]
fn the_newest_architecture_that_runs_is_taken() {
    let dir = folder_of(&ALL);
    assert_eq!(chosen(dir.path(), None, H200), "sm_90a");
    assert_eq!(chosen(dir.path(), None, Target { compute: (8, 9), ..H200 }), "sm_80");
    assert_eq!(chosen(dir.path(), None, Target { compute: (10, 0), ..H200 }), "sm_90");
}

#[test]
fn an_old_driver_gets_the_newest_it_takes() {
    let dir = folder_of(&ALL);
    assert_eq!(chosen(dir.path(), None, Target { driver: 11_080, ..H200 }), "sm_90");
    assert_eq!(chosen(dir.path(), None, Target { driver: 11_050, ..H200 }), "sm_80");
}

#[test]
fn an_architecture_can_be_asked_for() {
    let dir = folder_of(&ALL);
    assert_eq!(chosen(dir.path(), Some("sm_80"), H200), "sm_80");
    let text = find(dir.path(), Some("sm_86"), H200).expect_err("it is not there").to_string();
    assert!(text.contains("sm_80, sm_90, sm_90a") && text.contains("build-ptx --arch sm_86"), "{text}");
    let text = find(dir.path(), Some("sm_100"), H200).expect_err("it does not run").to_string();
    assert!(text.contains("sm_100") && text.contains("which is sm_90"), "{text}");
}

#[test]
fn no_architecture_for_the_device_lists_what_is_there() {
    let dir = folder_of(&ALL);
    let error = find(dir.path(), None, Target { compute: (7, 5), ..H200 }).expect_err("too old a device");
    let text = error.to_string();
    assert!(text.contains("no PTX for sm_75") && text.contains("sm_80, sm_90, sm_90a"), "{text}");
    assert!(text.ends_with("run `cargo xtask build-ptx --arch sm_75`"), "{text}");
}

#[test]
fn ptx_newer_than_the_driver_names_both_versions_and_what_to_do() {
    let dir = folder_of(&[("sm_90", "8.7")]);
    let text = find(dir.path(), None, Target { driver: 12_040, ..H200 }).expect_err("too new").to_string();
    for part in [
        "version 8.7",
        "CUDA 12.4",
        "at most 8.4",
        "CUDA 12.8 or newer",
        "`cargo xtask build-ptx --arch sm_80`",
    ] {
        assert!(text.contains(part), "{part} in: {text}");
    }
}

#[test]
fn one_architectures_own_folder_will_do() {
    let dir = folder_of(&ALL);
    assert_eq!(chosen(&dir.path().join("llvm/sm_90"), None, H200), "sm_90");
    assert_eq!(chosen(&dir.path().join("llvm"), None, H200), "sm_90a");
}

#[test]
fn another_signature_is_stale() {
    let dir = folder_of(&[("sm_90", "7.8")]);
    let artefacts = find(dir.path(), None, H200).expect("there is one");
    assert!(artefacts.entry("k", None, 7).is_ok());
    let text = artefacts.entry("k", None, 8).expect_err("stale").to_string();
    assert!(text.contains("stale") && text.ends_with("run `cargo xtask build-ptx`"), "{text}");
}

#[test]
fn a_missing_entry_names_its_architecture_where_it_has_one() {
    let dir = folder_of(&[("sm_90", "7.8")]);
    let artefacts = find(dir.path(), None, H200).expect("there is one");
    let text = artefacts.entry("gone", None, 0).expect_err("not there").to_string();
    assert!(text.contains("gone: no such kernel") && text.ends_with("run `cargo xtask build-ptx`"), "{text}");
    let text = artefacts.entry("gone", Some("sm_90a"), 0).expect_err("not there").to_string();
    assert!(text.contains("build-ptx --arch sm_90a"), "{text}");
}

#[test]
fn a_file_that_was_changed_by_hand_is_refused() {
    let dir = folder_of(&[("sm_90", "7.8")]);
    let artefacts = find(dir.path(), None, H200).expect("there is one");
    assert_eq!(artefacts.chosen()[0].ptx("cross").expect("as written").as_deref(), Some(PTX));
    assert!(artefacts.chosen()[0].ptx("other").expect("no such family").is_none());
    fs::write(dir.path().join("llvm/sm_90/cross.ptx"), "// other").expect("it is writable");
    assert!(matches!(artefacts.chosen()[0].ptx("cross"), Err(ArtefactError::Damaged { .. })));
}

#[test]
fn a_changed_source_is_stale_where_the_tree_is_there() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut manifest = manifest("sm_90", "7.8");
    // The tree is the kernels' own, wherever that is: not the one this program was built from.
    manifest.source_root = dir.path().join("tree");
    fs::create_dir(&manifest.source_root).expect("it is writable");
    fs::write(manifest.source_root.join("lib.rs"), "something else").expect("it is writable");
    manifest.sources = BTreeMap::from([("lib.rs".to_owned(), content_hash(b"what was built"))]);
    write(dir.path(), &manifest);
    let text = find(dir.path(), None, H200).expect_err("stale").to_string();
    assert!(text.contains("lib.rs has changed") && text.ends_with("run `cargo xtask build-ptx`"), "{text}");
}

#[test]
fn embedded_ptx_is_read_like_a_folder() {
    let text: &'static str = Box::leak(manifest("sm_90", "7.8").to_json().into_boxed_str());
    let embedded = EmbeddedPtx::new(Box::leak(Box::new([("llvm", "sm_90", "cross", PTX, text)])));
    let options = Options { embedded: Some(embedded), ..Options::default() };
    let places = Places::of_process(&options);
    let found = places.read(&Place::Embedded).expect("it is valid");
    let chosen = choose(found, Asked::default(), H200).expect("it runs");
    assert_eq!(chosen[0].ptx("cross").expect("as written").as_deref(), Some(PTX));
}
