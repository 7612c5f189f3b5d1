//! What reaches the driver, and what it may answer: it is a library of this test's own, in a process of its own.

use std::path::Path;
use std::process::Command;

use gpu_std::launch::{ArgSink as _, ContractError, DeviceSlice, SpaceId, TensorMapDesc, TensorTiles};

use super::*;
use crate::driver::pack::Packer;

/// Writes its arguments into the map, and refuses five dimensions.
const ENCODE: &str = r#"
#[unsafe(no_mangle)]
unsafe extern "C" fn cuTensorMapEncodeTiled(
    map: *mut u64, ty: u32, rank: u32, address: u64, dims: *const u64, strides: *const u64, boxes: *const u32,
    every: *const u32, interleave: u32, swizzle: u32, promotion: u32, fill: u32,
) -> u32 {
    if rank == 5 {
        return 1;
    }
    let words = [ty, rank, interleave, swizzle, promotion, fill];
    let rank = rank as usize;
    // SAFETY: the caller passes a map and lists of `rank` numbers, one stride less.
    unsafe {
        map.write(address);
        map.add(1).write(words.iter().fold(0, |all, word| all << 8 | u64::from(*word)));
        for i in 0..rank {
            map.add(2 + i).write(*dims.add(i));
            map.add(8 + i).write(u64::from(*boxes.add(i)) << 32 | u64::from(*every.add(i)));
        }
        for i in 0..rank - 1 {
            map.add(12 + i).write(*strides.add(i));
        }
    }
    0
}
"#;
const DRIVER: &str = r#"
#[unsafe(no_mangle)]
extern "C" fn cuInit(_: u32) -> u32 { 0 }
#[unsafe(no_mangle)]
unsafe extern "C" fn cuDriverGetVersion(version: *mut i32) -> u32 {
    // SAFETY: the caller passes a place for it.
    unsafe { version.write(11_080) };
    0
}
"#;
const CHILD: &str = "WARPSMITH_TENSOR_TEST_CHILD";
const SPACE: SpaceId = SpaceId::new(3);

/// Runs `body` where the driver has this source, in a process of its own.
fn with_driver(test: &str, source: &str, body: fn()) {
    if std::env::var_os(CHILD).is_some() {
        return body();
    }
    let folder = tempfile::tempdir().expect("a folder");
    let library = compile(folder.path(), source);
    let output = Command::new(std::env::current_exe().expect("a test knows its program"))
        .args([
            &format!("{}::{test}", module_path!().split_once("::").map_or("", |(_, rest)| rest)),
            "--exact",
        ])
        .env(CHILD, "1")
        .env(cuda_loader::LIBRARY_VARIABLE, library)
        .output()
        .expect("the test starts again");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn compile(folder: &Path, source: &str) -> std::path::PathBuf {
    let (file, library) = (folder.join("fake.rs"), folder.join("libcuda.so.1"));
    std::fs::write(&file, source).expect("it is writable");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(rustc);
    command.args(["--edition=2024", "--crate-type=cdylib", "-A", "non_snake_case", "-o"]);
    assert!(command.arg(&library).arg(&file).status().expect("rustc starts").success());
    library
}

/// A tensor over memory that nobody looks at.
fn map(dims: &[u64], box_dims: &[u32], space: SpaceId) -> TensorMapArg {
    // SAFETY: nothing behind the address is ever touched.
    let view = unsafe { DeviceSlice::<f32>::from_raw(0x7f00_0000_1000, 1 << 20, space) };
    let tiles = TensorTiles::new(dims, box_dims).expect("within the limits");
    let tiles = tiles.with_swizzle(TensorSwizzle::B128).with_fill(TensorFill::Nan);
    let tiles = tiles.with_promotion(TensorPromotion::B64).with_type(TensorType::Tf32);
    TensorMapArg::read("tile", &TensorMapDesc::new(view, tiles).expect("it fits"))
}

#[test]
fn every_argument_reaches_the_driver_and_its_bytes_the_launch() {
    with_driver(
        "every_argument_reaches_the_driver_and_its_bytes_the_launch",
        &format!("{DRIVER}{ENCODE}"),
        || {
            let mut packer = Packer::new("k", SPACE);
            packer.value("n", &7_u32).expect("room");
            packer.tensor_map(&map(&[64, 9, 5], &[32, 4, 2], SPACE)).expect("the driver takes it");
            packer.value("m", &9_u32).expect("room");
            let (words, aligned, after) = packer.with_params(|params| {
                // SAFETY: three parameters of these types were packed.
                unsafe {
                    let map = (*params.add(1)).cast::<[u64; 16]>();
                    (*map, map.addr().is_multiple_of(64), *(*params.add(2)).cast::<u32>())
                }
            });
            assert!(aligned && after == 9);
            // Type 11, three dimensions, no interleaving, swizzle 3, promotion 1, fill 1.
            assert_eq!(words[..2], [0x7f00_0000_1000, 0x0b03_0003_0101]);
            assert_eq!(words[2..5], [64, 9, 5]);
            assert_eq!(words[8..11], [32 << 32 | 1, 4 << 32 | 1, 2 << 32 | 1]);
            assert_eq!(words[12..14], [256, 2304]);
        },
    );
}

#[test]
fn a_refusal_names_entry_parameter_and_tensor() {
    with_driver("a_refusal_names_entry_parameter_and_tensor", &format!("{DRIVER}{ENCODE}"), || {
        let error =
            encode("k", &map(&[64, 1, 1, 1, 1], &[4, 1, 1, 1, 1], SPACE)).expect_err("five dimensions");
        assert!(
            matches!(error, Error::Driver { call: "cuTensorMapEncodeTiled", code: DriverCode(1), .. }),
            "{error:?}"
        );
        let text = error.to_string();
        for word in ["k: tensor map `tile` at 0x7f0000001000", "Tf32", "B128"] {
            assert!(text.contains(word), "no {word} in {text}");
        }
    });
}

#[test]
fn a_driver_without_the_call_is_too_old() {
    with_driver("a_driver_without_the_call_is_too_old", DRIVER, || {
        let error = encode("k", &map(&[64], &[32], SPACE)).expect_err("no such call");
        assert!(matches!(error, Error::NoTensorMaps { entry: "k", param: "tile", needed: 12_000, .. }));
        let want = "k: `tile` is a tensor map, and the driver has no `cuTensorMapEncodeTiled`; install one for CUDA 12.0 or newer";
        assert_eq!(error.to_string(), want);
    });
}

#[test]
fn memory_of_another_space_is_refused_before_the_driver_is_asked() {
    let other = map(&[64], &[32], SpaceId::new(4));
    let error = Packer::new("k", SPACE).tensor_map(&other).expect_err("another space");
    assert!(
        matches!(error, Error::Contract(ContractError::WrongSpace { param: "tile", got: 4, want: 3, .. })),
        "{error}"
    );
}
