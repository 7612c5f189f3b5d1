use crate::parse;

/// The errors of an entry with this body.
fn errors(body: &str) -> Vec<String> {
    let text = format!(
        ".version 7.8 .target sm_90 .address_size 64 .shared .b8 tile[4]; .func f();
.entry k(.param .u64 arg) {{
.reg .b32 %r<12>; .reg .b64 %rd<3>; .reg .pred %p;
{body}
}}"
    );
    let module = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    module.name_errors().iter().map(ToString::to_string).collect()
}

#[test]
fn declared_names_are_found() {
    let bodies = [
        "mov.b32 %r0, %r11; ld.param.b64 %rd2, [arg]; mov.u32 %r1, %tid.x; mov.u32 %r1, %envreg31;",
        "@%p bra later; later: bra later;",
        "{ .reg .b32 %r12; mov.b32 %r12, WARP_SZ; { bra out; } } out: ret;",
        "mov.b64 %rd1, tile+2; shfl.sync.idx.b32 %r1|%p, %r2, 0, 31, -1; mov.b64 {_, %r1}, %rd1;",
        "list: .branchtargets a, b; brx.idx %r1, list; a: b: ret;",
        "p: .callprototype (.param .b32 _) _ (); call (%r1), %rd1, (), p; call f;",
        ".reg .v2 .b32 v; mov.b32 %r1, v.x; call vprintf, (%rd1, %rd2);",
        "{ .reg .pred p; setp.eq.u32 p, %r1, 0; } { .reg .pred p; @p ret; }",
        ".reg .b32 %r012; .reg .b32 a<3>, a3; mov.b32 a2, a3;",
    ];
    for body in bodies {
        assert_eq!(errors(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn what_is_not_declared_is_named_with_its_line() {
    let cases = [
        ("mov.b32 %r12, 0;", "no register `%r12` is declared"),
        ("mov.b32 %r1, %r01;", "no register `%r01` is declared"),
        ("mov.b32 %r1, %tidx;", "no register `%tidx` is declared"),
        ("@%q ret;", "no register `%q` is declared"),
        ("bra %r1;", "there is no label `%r1` in scope"),
        ("bra gone;", "there is no label `gone` in scope"),
        ("bra inner; { inner: ret; }", "there is no label `inner` in scope"),
        ("brx.idx %r1, x; x: ret;", "there is no label `x` in scope"),
        ("x: .branchtargets y;", "there is no label `y` in scope"),
        ("x: .calltargets y;", "there is no function `y`"),
        ("call g, (%r1);", "there is no function `g`"),
        ("call %rd1, (%r1), proto;", "there is no label `proto` in scope"),
        ("ld.shared.b32 %r1, [til+4];", "`til` is not declared"),
        ("{ .reg .b32 a; } mov.b32 %r1, a;", "`a` is not declared"),
        ("mov.b32 %r1, a; .reg .b32 a;", "`a` is not declared"),
        (".loc 1 2 3", "there is no `.file 1`"),
    ];
    for (body, want) in cases {
        let got = errors(body);
        assert_eq!(got.len(), 1, "{body}: {got:?}");
        assert!(got[0].starts_with("line 4, column ") && got[0].ends_with(" in `k`"), "{}", got[0]);
        assert!(got[0].contains(want), "{}", got[0]);
    }
}

#[test]
fn two_declarations_in_one_scope_are_an_error() {
    let cases = [
        (".reg .b32 a; .reg .pred a;", "`a` is declared twice, first in line 4"),
        (".reg .b32 %r11;", "`%r11` is declared twice, first in line 3"),
        (".reg .b32 %r<5>;", "`%r<5>` is declared twice, first in line 3"),
        (".reg .b32 %r1<5>;", "`%r1<5>` is declared twice, first in line 3"),
        (".reg .b32 x7; .reg .b32 x<8>;", "`x<8>` is declared twice, first in line 4"),
        (".reg .b32 x1<5>; .reg .b32 x<11>;", "`x<11>` is declared twice, first in line 4"),
        ("a: a: ret;", "`a` is declared twice, first in line 4"),
        ("a: .reg .b32 a;", "`a` is declared twice, first in line 4"),
    ];
    for (body, want) in cases {
        let got = errors(body);
        assert!(got.len() == 1 && got[0].contains(want), "{body}: {got:?}");
    }
    let text = ".version 7.8 .target sm_90 .func f() { ret; } .func f(); .func f() { ret; }";
    let error = parse(text).expect("it parses").check_names().expect_err("f has two bodies");
    assert_eq!(error.to_string(), "line 1, column 64: `f` is declared twice, first in line 1");
    assert_eq!(error.function, None);
}
