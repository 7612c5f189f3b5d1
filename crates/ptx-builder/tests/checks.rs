//! Each check after the link finds the fault that is planted for it.

mod common;

use common::{build, builder, faults};
use ptx_builder::{FaultKind, SHARED_LIMIT_BYTES};

fn only_fault(name: &str) -> (String, FaultKind) {
    let mut found = faults(name);
    assert_eq!(found.len(), 1, "{found:?}");
    let fault = found.remove(0);
    assert_eq!(fault.arch, common::ARCH);
    (fault.entry, fault.kind)
}

#[test]
fn an_unresolved_extern_is_named_with_its_kernel() {
    let (entry, kind) = only_fault("unresolved");
    assert_eq!(
        (entry.as_str(), kind),
        ("caller", FaultKind::UnresolvedExtern { symbol: "nowhere".to_owned() })
    );
}

#[test]
fn a_record_without_kernel_is_a_missing_entry() {
    assert_eq!(only_fault("missing"), ("gone".to_owned(), FaultKind::Missing));
}

#[test]
fn two_records_of_one_name_are_a_duplicate() {
    assert_eq!(only_fault("duplicate"), ("twice".to_owned(), FaultKind::Duplicate { count: 2 }));
}

#[test]
fn a_kernel_without_record_among_recorded_ones_is_found() {
    assert_eq!(only_fault("unrecorded"), ("unknown".to_owned(), FaultKind::NoRecord));
}

#[test]
fn a_dotted_name_is_refused() {
    assert_eq!(only_fault("dotted"), ("a.b".to_owned(), FaultKind::BadName));
}

#[test]
fn local_memory_must_be_declared() {
    let (entry, kind) = only_fault("local");
    assert_eq!((entry.as_str(), kind), ("spends", FaultKind::LocalMemory { bytes: 64, declared: 0 }));
    let report = build("declared");
    assert_eq!(report.archs[0].manifest.entries["declares"].local_bytes, 64);
}

#[test]
fn arithmetic_that_ptxas_may_fuse_is_found() {
    let want = FaultKind::Fusable { instruction: "mul.f32".to_owned() };
    assert_eq!(only_fault("fusable"), ("fuses".to_owned(), want));
}

#[test]
fn too_much_static_shared_memory_is_found() {
    let (entry, kind) = only_fault("shared");
    let want = FaultKind::SharedMemory { bytes: 51_200, limit: SHARED_LIMIT_BYTES };
    assert_eq!((entry.as_str(), kind), ("big", want));
}

#[test]
fn a_parameter_of_another_size_is_found() {
    let (entry, kind) = only_fault("params");
    assert_eq!(entry, "narrow");
    let FaultKind::Param { name, size, record_size, .. } = kind else { panic!("{kind:?}") };
    assert_eq!((name.as_str(), size, record_size), ("x", 4, 8));
}

#[test]
fn comparing_byte_slices_links() {
    let report = build("memcmp");
    assert!(report.archs[0].manifest.entries.contains_key("compares"));
}

#[test]
fn a_failed_check_writes_nothing() {
    let found = faults("local");
    assert!(found[0].to_string().contains("local_bytes = 64"), "{}", found[0]);
    let out = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("out/local/llvm");
    assert!(!out.exists(), "{}", out.display());
    // The next build finds it again: a failure is not taken for up to date.
    assert!(builder("local").build().is_err());
}
