//! Choice of the back end.

use super::*;
use crate::artefacts::CODEGEN_VARIABLE;

/// What a driver of the 580 line takes of: PTX by LLVM, and by a libNVVM of its own age.
const BOTH: [(&str, &str, &str); 4] =
    [("llvm", "sm_80", "7.4"), ("llvm", "sm_90", "7.8"), ("nvvm", "sm_80", "9.0"), ("nvvm", "sm_90", "9.0")];

/// Artefacts of these back ends, architectures and PTX versions; `default` is the default of the kernel in them.
pub(crate) fn folder(artefacts: &[(&str, &str, &str)], default: Backend) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    for (codegen, arch, ptx_version) in artefacts {
        let mut manifest = manifest(arch, ptx_version);
        manifest.codegen = (*codegen).to_owned();
        for info in manifest.entries.values_mut() {
            info.default_backend = default;
        }
        write(dir.path(), &manifest);
    }
    dir
}

fn search(dir: &Path, codegen: Option<&str>, target: Target) -> Result<Artefacts, ArtefactError> {
    let codegen = codegen.map(str::to_owned);
    Artefacts::find(&Options { ptx: Some(dir.to_owned()), codegen, ..Options::default() }, target)
}

/// Back end and architecture of the PTX that the kernel comes from.
#[track_caller]
fn source(dir: &tempfile::TempDir, codegen: Option<&str>, target: Target) -> String {
    let artefacts = search(dir.path(), codegen, target).unwrap_or_else(|error| panic!("{error}"));
    let (artefact, _) = artefacts.entry("k", None, 7).unwrap_or_else(|error| panic!("{error}"));
    format!("{} {}", artefact.backend(), artefact.arch())
}

#[test]
fn a_kernel_comes_from_its_default_back_end() {
    for backend in Backend::ALL {
        assert_eq!(source(&folder(&BOTH, backend), None, H200), format!("{backend} sm_90"));
    }
}

#[test]
fn a_back_end_that_was_not_built_is_replaced_by_the_other() {
    assert_eq!(source(&folder(&BOTH[..2], Backend::Nvvm), None, H200), "llvm sm_90");
    assert_eq!(source(&folder(&BOTH[2..], Backend::Llvm), None, H200), "nvvm sm_90");
}

#[test]
fn ptx_that_is_too_new_for_the_driver_is_replaced_by_the_other_back_ends() {
    // What the libNVVM of CUDA 13.5 writes.
    let newer = [("llvm", "sm_90", "7.8"), ("nvvm", "sm_90", "9.5")];
    let dir = folder(&newer, Backend::Nvvm);
    assert_eq!(source(&dir, None, H200), "llvm sm_90");
    let text = search(dir.path(), Some("nvvm"), H200).expect_err("too new").to_string();
    for part in ["sm_90 by nvvm", "version 9.5", "CUDA 13.0", "at most 9.0", "build-ptx --backend llvm"] {
        assert!(text.contains(part), "no {part} in: {text}");
    }
}

#[test]
fn a_newer_architecture_goes_before_the_default_back_end() {
    let uneven = [("llvm", "sm_90", "7.8"), ("llvm", "sm_90a", "8.0"), ("nvvm", "sm_90", "9.0")];
    assert_eq!(source(&folder(&uneven, Backend::Nvvm), None, H200), "llvm sm_90a");
    let preferred = Target { preferred: "sm_90".parse().ok(), ..H200 };
    assert_eq!(source(&folder(&uneven, Backend::Llvm), None, preferred), "llvm sm_90");
    let only = [("llvm", "sm_90", "7.8"), ("nvvm", "sm_90a", "9.0")];
    assert_eq!(source(&folder(&only, Backend::Llvm), None, preferred), "llvm sm_90");
}

#[test]
fn one_back_end_can_be_asked_for() {
    let dir = folder(&BOTH, Backend::Llvm);
    for backend in Backend::ALL {
        assert_eq!(source(&dir, Some(backend.name()), H200), format!("{backend} sm_90"));
        let chosen = search(dir.path(), Some(backend.name()), H200).expect("it is there");
        assert!(chosen.chosen().iter().all(|artefact| artefact.backend() == backend));
    }
}

#[test]
fn a_back_end_asked_for_that_is_not_there_is_an_error() {
    let error = search(folder(&BOTH[..2], Backend::Llvm).path(), Some("nvvm"), H200).expect_err("not built");
    assert!(matches!(error, ArtefactError::CodegenNotThere { asked: Backend::Nvvm, .. }), "{error:?}");
    let text = error.to_string();
    assert!(
        text.contains("by llvm alone") && text.ends_with("run `cargo xtask build-ptx --backend nvvm`"),
        "{text}"
    );
    let one = folder(&BOTH, Backend::Llvm);
    let error = search(&one.path().join("llvm/sm_90"), Some("nvvm"), H200).expect_err("another's folder");
    assert!(matches!(error, ArtefactError::CodegenNotThere { .. }), "{error:?}");
}

#[test]
fn a_word_that_names_no_back_end_is_an_error() {
    let error = search(folder(&BOTH, Backend::Llvm).path(), Some("gcc"), H200).expect_err("no such back end");
    assert!(matches!(error, ArtefactError::UnknownCodegen(_)), "{error:?}");
}

#[test]
fn the_next_generation_takes_its_own_ptx_and_no_other_device_does() {
    let set = [
        ("llvm", "sm_90", "7.8"),
        ("llvm", "sm_100", "8.6"),
        ("nvvm", "sm_90", "9.0"),
        ("nvvm", "sm_100", "9.0"),
    ];
    let dir = folder(&set, Backend::Nvvm);
    let b200 = Target { compute: (10, 0), ..H200 };
    assert_eq!(source(&dir, None, H200), "nvvm sm_90");
    assert_eq!(source(&dir, None, b200), "nvvm sm_100");
    assert_eq!(source(&folder(&BOTH, Backend::Nvvm), None, b200), "nvvm sm_90");
}

#[test]
fn ptx_of_an_older_builder_names_both_versions_and_what_to_run() {
    let dir = folder(&BOTH, Backend::Llvm);
    let path = dir.path().join("nvvm/sm_90").join(FILE_NAME);
    let older = fs::read_to_string(&path).expect("it is there").replace("\"version\": 2", "\"version\": 1");
    fs::write(&path, older).expect("it is writable");
    let text = search(dir.path(), None, H200).expect_err("another version").to_string();
    assert!(text.contains("has manifest version 1, this program reads 2"), "{text}");
    assert!(text.ends_with("run `cargo xtask build-ptx`"), "{text}");
}

#[test]
fn a_manifest_with_a_word_that_means_nothing_is_named() {
    for (codegen, arch, version, wrong) in [
        ("gcc", "sm_90", "7.8", "`gcc`, which is no back end"),
        ("llvm", "sm", "7.8", "`sm`, which is no architecture"),
        ("llvm", "sm_90", "seven", "`seven`, which is no PTX version"),
    ] {
        let dir = folder(&[(codegen, arch, version)], Backend::Llvm);
        let text = search(&dir.path().join(codegen), None, H200).expect_err("it means nothing").to_string();
        assert!(text.contains(&format!("for {arch} by {codegen} in ")) && text.contains(wrong), "{text}");
        assert!(text.ends_with("run `cargo xtask build-ptx`") && !text.contains(CODEGEN_VARIABLE), "{text}");
    }
}

#[test]
fn embedded_ptx_is_told_apart_by_back_end() {
    let text = |codegen: &str| -> &'static str {
        let mut manifest = manifest("sm_90", "7.8");
        manifest.codegen = codegen.to_owned();
        let ptx = format!("// {codegen}");
        manifest.families.insert(
            "cross".to_owned(),
            FamilyFile { file: "cross.ptx".to_owned(), ptx_hash: content_hash(ptx.as_bytes()) },
        );
        Box::leak(manifest.to_json().into_boxed_str())
    };
    let files = [
        ("llvm", "sm_90", "cross", "// llvm", text("llvm")),
        ("nvvm", "sm_90", "cross", "// nvvm", text("nvvm")),
    ];
    let options =
        Options { embedded: Some(EmbeddedPtx::new(Box::leak(Box::new(files)))), ..Options::default() };
    let found = Places::of_process(&options).read(&Place::Embedded).expect("it is valid");
    let chosen = choose(found, Asked::default(), H200).expect("it runs");
    let texts = chosen.iter().map(|a| a.ptx("cross").expect("as written").map(|text| text.into_owned()));
    assert_eq!(texts.collect::<Vec<_>>(), [Some("// llvm".to_owned()), Some("// nvvm".to_owned())]);
}
