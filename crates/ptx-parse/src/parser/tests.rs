use proptest::prelude::*;

use super::{parse, parse_bytes};
use crate::ast::{
    Const, Init, Linkage, Module, Operand, ScalarType, SectionItem, SectionValue, Space, Statement,
};

/// What rustc's LLVM 22 writes, a bit of everything.
const EVERYTHING: &str = include_str!("../../tests/everything.ptx");

fn everything() -> Module {
    parse(EVERYTHING).unwrap_or_else(|error| panic!("{error}"))
}

/// An entry with this body.
fn body(text: &str) -> Result<Module, String> {
    parse(&format!(".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n{text}\n}}\n"))
        .map_err(|error| error.to_string())
}

fn operands(text: &str) -> Vec<Operand> {
    let module = body(text).unwrap_or_else(|error| panic!("{error}"));
    let entry = module.entry("k").expect("it is there");
    entry.instructions()[0].operands.clone()
}

fn name(text: &str) -> Operand {
    Operand::Name(text.to_owned())
}

#[test]
fn header_and_files() {
    let module = everything();
    assert_eq!((module.version, module.target[0].as_str(), module.address_size), ((7, 8), "sm_90", 64));
    assert_eq!(module.target[1], "debug");
    assert_eq!(module.files, [(1, "src/lib.rs".to_owned())]);
    assert_eq!(
        module.sections.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(),
        [".debug_abbrev", ".debug_loc"]
    );
    let abbrev = &module.sections[0].items;
    let labels = abbrev.iter().filter(|i| matches!(i, SectionItem::Label(_))).count();
    let values: usize =
        abbrev.iter().map(|i| if let SectionItem::Data(_, v) = i { v.len() } else { 0 }).sum();
    assert_eq!((values, labels), (9, 1));
    let difference = SectionValue::Difference("$L__func_end0".into(), "$L__func_begin0".into());
    assert_eq!(abbrev[2], SectionItem::Data(ScalarType::B32, vec![difference]));
}

#[test]
fn variables_with_their_initialisers() {
    let module = everything();
    let find = |name: &str| module.variables.iter().find(|v| v.name == name).expect("it is there");
    let symbol =
        |name: &str, offset, generic, mask| Init::Symbol { name: name.to_owned(), offset, generic, mask };
    let table = find("TABLE");
    assert_eq!((table.space, table.align_bytes(), table.size_bytes()), (Space::Global, 2, Some(4)));
    assert_eq!(table.init, Some(Init::List([1, 0, 2, 0].map(|n| Init::Value(Const::Int(n))).to_vec())));
    let functions = Some(Init::List(vec![symbol("f1", 0, false, None), symbol("TABLE", 2, true, None)]));
    assert_eq!(find("FNS").init, functions);
    let masked = Some(Init::List(vec![
        symbol("TABLE", 0, true, Some(0xff)),
        symbol("TABLE", 0, true, Some(0xff00)),
        Init::Value(Const::Int(0)),
    ]));
    assert_eq!(find("MASKED").init, masked);
    assert_eq!(find("ONE").init, Some(Init::Value(Const::F32(0x3f80_0000))));
    let dynamic = find("dyn");
    assert_eq!((dynamic.linkage, dynamic.space), (Linkage::Extern, Space::Shared));
    assert_eq!((dynamic.size_bytes(), dynamic.align), (None, Some(128)));
    assert_eq!(find("managed").attributes, ["managed"]);
}

#[test]
fn entries_with_parameters_and_bounds() {
    let module = everything();
    let entry = module.entry("all").expect("it is there");
    let types: Vec<_> = entry.params.iter().map(|p| (p.ty, p.size_bytes(), p.align_bytes())).collect();
    let want = [
        (ScalarType::U64, Some(8), 8),
        (ScalarType::B8, Some(24), 8),
        (ScalarType::B16, Some(2), 2),
        (ScalarType::F32, Some(4), 4),
    ];
    assert_eq!(types, want);
    let ptr = entry.params[0].ptr.expect("it is a pointer");
    assert_eq!((ptr.space, ptr.align), (Some(Space::Global), Some(4)));
    let bounds = &entry.bounds;
    assert_eq!((bounds.reqntid, bounds.maxnreg, bounds.minnctapersm), (Some([256, 1, 1]), Some(64), Some(2)));
    assert_eq!((bounds.explicitcluster, bounds.reqnctapercluster), (true, Some([2, 1, 1])));
    let declared = module.functions.iter().find(|f| f.name == "vprintf").expect("it is there");
    assert!(declared.body.is_none() && declared.returns.len() == 1 && declared.linkage == Linkage::Extern);
    assert!(module.functions.iter().any(|f| f.name == "f1" && f.bounds.noreturn));
}

#[test]
fn instructions_keep_names_guards_and_places() {
    let module = everything();
    let entry = module.entry("all").expect("it is there");
    let instructions = entry.instructions();
    let load = instructions.iter().find(|i| i.has("nc")).expect("it is there");
    assert_eq!(load.full_name(), "ld.global.nc.L1::no_allocate.v4.b32");
    assert!(load.has("v4") && !load.has("v2"));
    let line = EVERYTHING.lines().nth(load.pos.line as usize - 1).expect("the line is there");
    assert!(line[load.pos.column as usize - 1..].starts_with("ld.global.nc"), "{line}");
    let guards: Vec<_> = instructions.iter().filter_map(|i| i.guard.as_ref()).map(|g| g.negated).collect();
    assert_eq!(guards, [true, false, true]);
    let body = entry.body.as_deref().expect("it has a body");
    assert!(body.iter().any(|s| matches!(s, Statement::Targets { targets, .. } if targets.len() == 2)));
    assert!(body.iter().any(|s| matches!(s, Statement::Loc(loc) if loc.inlined.is_some())));
    assert!(body.iter().any(|s| matches!(s, Statement::Block(inner)
        if inner.iter().any(|s| matches!(s, Statement::Prototype { .. })))));
    assert_eq!(module.usage(entry).local_bytes, 112);
}

#[test]
fn operands_of_every_shape() {
    assert_eq!(operands("mov.u32 %r1, %tid.x;")[1], Operand::Component("%tid".into(), "x".into()));
    let address = |base, offset| Operand::Address { base: Box::new(base), offset };
    assert_eq!(operands("ld.global.b32 %r1, [%rd1+-4];")[1], address(name("%rd1"), -4));
    assert_eq!(operands("ld.shared.b32 %r1, [tile+16];")[1], address(name("tile"), 16));
    assert_eq!(operands("ld.shared.b32 %r1, [16];")[1], address(Operand::Const(Const::Int(16)), 0));
    let pair = Operand::Pair(Box::new(name("%p1")), Box::new(name("%p2")));
    let not = Operand::Not(Box::new(name("%p3")));
    assert_eq!(
        operands("setp.eq.and.f32 %p1|%p2, %f1, 0f80000000, !%p3;"),
        [pair, name("%f1"), Operand::Const(Const::F32(0x8000_0000)), not]
    );
    assert_eq!(operands("mov.b64 %rd1, tile+8;")[1], Operand::Offset("tile".into(), 8));
    assert_eq!(operands("add.s32 %r1, %r2, -1;")[2], Operand::Const(Const::Int(-1)));
    assert_eq!(operands("mov.b64 {%r1, _}, %rd1;")[0], Operand::Vector(vec![name("%r1"), name("_")]));
    let tensor = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];";
    assert_eq!(
        operands(tensor)[1],
        Operand::Bracket(vec![name("%rd1"), Operand::Vector(vec![name("%r2"), name("%r3")])])
    );
    assert_eq!(operands("call (r), f, (a, b), proto;")[2], Operand::Group(vec![name("a"), name("b")]));
    assert_eq!(operands("ret;"), []);
}

#[test]
fn constant_expressions_have_their_value() {
    let cases: [(&str, i128); 14] = [
        ("1+2*3", 7),
        ("10-4-3", 3),
        ("1 << 4 | 3", 19),
        ("7 % 4 + -1", 2),
        ("~0", -1),
        ("-WARP_SZ", -32),
        ("5 > 3 && 2 != 2 || 1 <= 1", 1),
        ("1 ? 2 : 3 ? 4 : 5", 2),
        ("1 + (2 + 3) * 4", 21),
        ("-1 >> 63", -1),
        ("0xFFFFFFFFFFFFFFFF >> 63", 1),
        ("0 + (.u64)-1", i128::from(u64::MAX)),
        ("-1 < 0xFFFFFFFFFFFFFFFF", 0),
        ("4 + !3", 4),
    ];
    for (text, want) in cases {
        assert_eq!(operands(&format!("mov.b64 a, {text};"))[1], Operand::Const(Const::Int(want)), "{text}");
    }
    let float = Operand::Const(Const::F64(0.75_f64.to_bits()));
    assert_eq!(operands("mov.f64 a, 1.5 / 2.0;")[1], float);
    let address = Operand::Address { base: Box::new(name("a")), offset: 28 };
    assert_eq!(operands("ld.b32 b, [a + 4*8 - 4];")[1], address);
    for (text, want) in
        [("1/0", "`/` has no value"), ("1.5 << 2", "`<<` has no value"), ("1 + a", "expected a number")]
    {
        let error = body(&format!("mov.b64 a, {text};")).expect_err(text);
        assert!(error.starts_with("line 6, column ") && error.contains(want), "{error}");
    }
}

#[test]
fn errors_tell_what_and_where() {
    let cases = [
        ("foo.b32 %r1;", "line 6, column 1: unknown instruction `foo.b32`"),
        ("add.q7 %r1, %r2;", "line 6, column 4: unknown modifier `.q7` of instruction `add.q7`"),
        ("ret", "line 7, column 1: expected an operand, found `}`"),
        (".nothing .b32 x;", "line 6, column 1: unknown directive `.nothing`"),
        (".local .align 8 x;", "line 6, column 17: expected a type, found `x`"),
        ("ld.b32 %r1, [%rd1;", "line 6, column 18: expected `,` or `]`, found `;`"),
        ("add.s32 %r1, %r2, 0f12;", "line 6, column 19: `0f12` is not a PTX number of at most 64 bits"),
        (".local .align 3 .b8 x;", "line 6, column 15: 3 is not an alignment: a power of two is needed"),
        (".global .attribute(.odd) .b8 x;", "line 6, column 20: unknown directive `.odd`"),
        ("ld.b32 %r1, [a,];", "line 6, column 16: expected an operand, found `]`"),
        (".local .b64 x[9223372036854775807];", "line 6, column 13: `x` is larger than 2^64 bytes"),
    ];
    for (text, want) in cases {
        assert_eq!(body(text).expect_err(text), want);
    }
    assert_eq!(parse("").expect_err("empty").to_string(), "line 1, column 1: the module has no `.version`");
    let error = parse_bytes(b".version 7.8\n// \xff").expect_err("not UTF-8");
    assert_eq!(error.to_string(), "line 2, column 4: the text is not UTF-8");
    assert!(parse_bytes(b".version 7.8 .target sm_90\0").is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tokens_in_any_order_never_panic(words in proptest::collection::vec(
        prop::sample::select(vec![
            ".version", "7.8", ".target", "sm_90", ".entry", ".func", "k", "(", ")", "{", "}", "[", "]", ".param",
            ".b32", ".align", "4", ";", ",", "=", "-", "+", "!", "|", "@", "%p1", "ld", ".global", "call", ":", "<",
            ">", ".reg", ".loc", ".section", ".debug", ".shared", "0f3F800000", "\"s\"", ".ptr", ".v4", ".attribute",
        ]), 0..60)) {
        let _ = parse(&words.join(" "));
        let _ = body(&words.join(" "));
    }
}
