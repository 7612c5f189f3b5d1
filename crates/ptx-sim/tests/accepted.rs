//! Kernels that libNVVM wrote are accepted, all that is not due yet by name.

use std::path::PathBuf;

use ptx_sim::{Device, LaunchError, LoadError};

/// What is not executed: functions of the driver, and a variable of another module.
const NOT_YET: [&str; 2] = ["vprintf", "`counter`"];

#[test]
fn kernels_from_libnvvm() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ptx-parse/tests/nvvm");
    let mut accepted = 0;
    for entry in std::fs::read_dir(&folder).expect("the fixtures are there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_none_or(|extension| extension != "ptx") {
            continue;
        }
        let module = Device::default().load(&path).unwrap_or_else(|error| panic!("{error}"));
        for kernel in module.entries() {
            match module.check(kernel) {
                Ok(()) => accepted += 1,
                Err(LaunchError::Load(LoadError::Code { kind, .. }))
                    if NOT_YET.iter().any(|name| kind.to_string().contains(name)) => {}
                Err(error) => panic!("{kernel}: {error}"),
            }
        }
    }
    assert_eq!(accepted, 5, "kernels that are accepted");
}
