//! `warpsmith matmul` on small files.

use std::path::Path;

use super::dtw::{file, run};

/// A is [2, 3], B is [4, 3].
fn inputs(folder: &Path) -> (String, String) {
    let a = file(folder, "a.csv", "x,y,z\n1,2,3\n-0.5,0.25,8\n");
    let b = file(folder, "b.csv", "x,y,z\n1,0,0\n0,1,0\n0,0,1\n1,1,1\n");
    (a, b)
}

/// The numbers of a float32 .npy file of two dimensions.
fn numbers(path: &Path) -> Vec<f32> {
    let bytes = std::fs::read(path).expect("it was written");
    let npy = npyz::NpyFile::new(bytes.as_slice()).expect("it is an array");
    assert_eq!(npy.shape(), [2, 4]);
    npy.into_vec().expect("it holds float32")
}

#[test]
fn every_precision_writes_the_product_and_says_how_far_off_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = inputs(folder.path());
    let out = folder.path().join("c.npy");
    let want = [1.0, 2.0, 3.0, 6.0, -0.5, 0.25, 8.0, 7.75];
    for (precision, limit) in [("int8", 0.05), ("hybrid", 0.05), ("f16", 1e-3), ("bf16", 1e-2)] {
        let line =
            format!("matmul --a {a} --b {b} --precision {precision} --backend cpu --out {}", out.display());
        let output = run(&line);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.starts_with(&format!("matmul: 2x4x3 {precision} in ")), "{text}");
        assert!(text.contains(" TOPS, relative error ") && text.ends_with(", on cpu\n"), "{text}");
        let off = numbers(&out).iter().zip(want).map(|(got, want)| (got - want).abs()).fold(0.0, f32::max);
        assert!(off <= limit, "{precision}: {off}");
    }
}

#[test]
fn a_bias_is_added_to_each_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = inputs(folder.path());
    let bias = file(folder.path(), "bias.csv", "p,q,r,s\n10,20,30,40\n");
    let out = folder.path().join("c.npy");
    let line =
        format!("matmul --a {a} --b {b} --bias {bias} --precision f16 --backend cpu --out {}", out.display());
    assert!(run(&line).status.success());
    assert_eq!(numbers(&out), [11.0, 22.0, 33.0, 46.0, 9.5, 20.25, 38.0, 47.75]);
}

#[test]
fn bad_input_is_an_error_that_names_it_and_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = inputs(folder.path());
    let out = folder.path().join("c.npy");
    let narrow = file(folder.path(), "narrow.csv", "x,y\n1,2\n");
    let hole = file(folder.path(), "hole.csv", "x,y,z\n1,inf,3\n");
    let long = file(folder.path(), "long.csv", "p\n1\n2\n3\n4\n");
    let beyond = file(folder.path(), "beyond.csv", "x,y,z\n1,1e39,3\n");
    let large = file(folder.path(), "large.csv", "x,x,z\n1e30,7e4,3\n");
    for (line, want) in [
        (format!("--a {a} --b {narrow}"), "`a` has rows of 3 elements and `b` of 2"),
        (format!("--a {a} --b {b} --bias {long}"), "there are 4 rows in the bias; there must be 1"),
        (format!("--a {beyond} --b {b}"), "line 2, column `y`: `1e39` is beyond f32"),
        (format!("--a {large} --b {b} --precision f16"), "matmul: 2 of 3 values are not finite"),
        (format!("--a {large} --b {large}"), "matmul_q8: 1 of 1 elements of the product are beyond f32"),
        (format!("--a {a} --b {b} --bias {narrow}"), "there are 2 elements in the bias; there must be 4"),
        (format!("--a {hole} --b {b}"), "line 2, column `y`: `inf` is no number"),
        (format!("--a {a} --b {}", folder.path().join("none.npy").display()), "none.npy does not exist"),
    ] {
        let output = run(&format!("matmul {line} --backend cpu --out {}", out.display()));
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(want), "{text}");
        assert!(!out.exists(), "{line}");
    }
    let output = run(&format!("matmul --a {a} --b {b} --backend cpu --out {a}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("is the file of --a"), "{text}");
}

/// The bytes of a .npy file of version 1 with this header and data.
fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00".as_slice(), &length, header.as_bytes(), data].concat()
}

#[test]
fn a_npy_file_that_is_wrong_is_an_error_on_one_short_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, _) = inputs(folder.path());
    let (out, wrong) = (folder.path().join("c.npy"), folder.path().join("wrong.npy"));
    let of = |shape: &str| format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}\n");
    let numbers = [0_u8; 32];
    let longest = [b"\x93NUMPY\x02\x00".as_slice(), &[0xff; 4], b"{"].concat();
    let infinite = [f32::INFINITY.to_le_bytes(); 3].concat();
    for (bytes, want) in [
        (npy(&of("4294967296, 4294967296"), &numbers), "has shape `4294967296, 4294967296`"),
        (npy(&of("9223372036854775808, 4"), &numbers), "its elements must be fewer than 2^63"),
        (npy(&of("3, 3"), &numbers), "ends within its 3 x 3 numbers"),
        (npy(&of("1, 3"), &infinite), "element (0, 0): inf is no finite float32"),
        (npy("x\x1b[31mred", &[]), "is no .npy file: `"),
        (longest, "has a header of 4294967295 bytes; at most 65536 are read"),
        (b"\x93NUM".to_vec(), "it ends within its header"),
        (b"x,y,z\n1,2,3\n".to_vec(), "it does not begin with the magic string"),
    ] {
        std::fs::write(&wrong, bytes).expect("it is writable");
        let output =
            run(&format!("matmul --a {a} --b {} --backend cpu --out {}", wrong.display(), out.display()));
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(want) && text.lines().count() == 1 && text.len() < 400, "{text}");
        assert!(!text.contains('\x1b') && !out.exists(), "{text:?}");
    }
}
