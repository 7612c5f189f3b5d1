//! What is printed reads as the same module again.

use std::fs;
use std::path::Path;

use ptx_parse::Module;

const EVERYTHING: &str = include_str!("everything.ptx");

fn read(text: &str) -> Module {
    let mut module = ptx_parse::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    module.erase_positions();
    module
}

#[test]
fn printed_modules_read_as_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nvvm");
    let entries = fs::read_dir(&folder).expect("tests/nvvm exists");
    let paths = entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "ptx"));
    let mut texts: Vec<String> = paths.map(|path| fs::read_to_string(path).expect("it is a file")).collect();
    assert!(!texts.is_empty(), "tests/nvvm has no .ptx");
    texts.push(EVERYTHING.to_owned());
    for text in texts {
        let printed = ptx_parse::parse(&text).unwrap_or_else(|error| panic!("{error}")).to_string();
        assert_eq!(read(&text), read(&printed));
        let again = ptx_parse::parse(&printed).unwrap_or_else(|error| panic!("{error}"));
        assert!(again.to_string() == printed, "a second print differs:\n{printed}");
    }
}

#[test]
fn rare_forms_are_printed_as_they_are_read() {
    let forms = [
        ".pragma \"nounroll\";",
        ".weak .func .attribute(.unified(1, 2)) (.reg .b32 r) f(.reg .b64 a)\n.abi_preserve 4\n.noreturn;",
        ".extern .global .attribute(.managed) .align 16 .v4 .f32 x[2][];",
        ".common .global .b8 y = -1;",
        ".global .f64 z[3] = {0d3FF0000000000000, 1.5, 1e300};",
        ".global .u64 t[2] = {generic(x)+-4, 0xFF00(generic(x)+8)};",
        ".alias f, g;",
        ".section .debug_x\n{\na:\n.b8 1, -2\n.b32 a+4, b-a, .debug_str\n}",
    ];
    for form in forms {
        let text = format!(".version 8.0\n.target sm_90a, debug\n.address_size 64\n{form}\n");
        assert_eq!(read(&text).to_string(), text);
    }
    let body = [
        ".reg .v2 .b32 v<3>, w;",
        ".loc 1 2 3, function_name L+4, inlined_at 1 2 3",
        "a: .calltargets f, g;",
        "a: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[16]) .noreturn;",
        "@!p mov.b32 w, -5;",
        "vadd.s32.s32.s32 a, -b.h0, c.b1;",
        "tex.2d.v4.f32.s32 {a, _, b, c}, [t+16, {x, y}];",
        "setp.eq.and.f32 p|q, 0f80000000, 1.5, !r;",
        "ld.b32 a, [16+4];",
        "ld.b32 a, [v.x+-8];",
        "call (r), f, (a, b+4), proto;",
        "ret;",
    ];
    for form in body {
        let text = format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{{\n\t{{\n\t\t{form}\n\t}}\n}}\n"
        );
        assert_eq!(read(&text).to_string(), text);
    }
}
