//! Any bytes: an error or a module, in bounded time and stack; a module prints as itself.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::sample::Index;

const FIXTURES: [&str; 6] = [
    include_str!("everything.ptx"),
    include_str!("nvvm/control_sm80.ptx"),
    include_str!("nvvm/debug_sm80.ptx"),
    include_str!("nvvm/lines_sm90.ptx"),
    include_str!("nvvm/memory_sm80.ptx"),
    include_str!("nvvm/types_sm90.ptx"),
];

/// Far above what 100 kB take in a debug build on a busy machine, far below quadratic.
const LIMIT: Duration = Duration::from_secs(10);

/// What the fuzz target does; `true`: it parsed.
fn survives(bytes: &[u8]) -> bool {
    let start = Instant::now();
    let parsed = ptx_parse::parse_bytes(bytes);
    let is_module = parsed.is_ok();
    if let Ok(mut module) = parsed {
        let _ = module.name_errors();
        for function in &module.functions {
            let _ = (function.layout(), function.located_instructions());
        }
        let printed = module.to_string();
        let mut again = ptx_parse::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        module.erase_positions();
        again.erase_positions();
        assert!(module == again, "prints as another module:\n{printed}");
    }
    let took = start.elapsed();
    assert!(took < LIMIT, "{} bytes took {took:?}", bytes.len());
    is_module
}

/// An entry with this body.
fn body(text: &str) -> String {
    format!(".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n{text}\n}}\n")
}

/// Words and the blanks after them, so that a shuffle keeps tokens whole.
fn words(text: &str) -> Vec<&str> {
    text.split_inclusive(|c: char| c.is_whitespace() || ",;:(){}[]".contains(c)).collect()
}

#[derive(Debug, Clone)]
enum Change {
    Flip(Index, u8),
    Delete(Index, usize),
    Splice(Index, usize, Index, Index),
    SwapWords(Index, Index),
    RepeatWord(Index, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(i, byte)| Change::Flip(i, byte)),
        (at(), 1_usize..200).prop_map(|(i, n)| Change::Delete(i, n)),
        (at(), 1_usize..200, at(), at())
            .prop_map(|(i, n, fixture, from)| Change::Splice(i, n, fixture, from)),
        (at(), at()).prop_map(|(i, j)| Change::SwapWords(i, j)),
        (at(), 1_usize..500).prop_map(|(i, n)| Change::RepeatWord(i, n)),
    ]
}

fn apply(change: &Change, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    match change {
        Change::Flip(i, byte) => {
            let at = i.index(bytes.len());
            bytes[at] ^= byte;
        }
        Change::Delete(i, n) => {
            let at = i.index(bytes.len());
            bytes.drain(at..(at + n).min(bytes.len()));
        }
        Change::Splice(i, n, fixture, from) => {
            let source = fixture.get(&FIXTURES).as_bytes();
            let start = from.index(source.len());
            let at = i.index(bytes.len());
            bytes.splice(at..at, source[start..(start + n).min(source.len())].iter().copied());
        }
        Change::SwapWords(i, j) => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let mut words = words(&text);
            let (i, j) = (i.index(words.len()), j.index(words.len()));
            words.swap(i, j);
            *bytes = words.concat().into_bytes();
        }
        Change::RepeatWord(i, n) => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let mut words = words(&text);
            let at = i.index(words.len());
            words.splice(at..at, std::iter::repeat_n(words[at], *n));
            *bytes = words.concat().into_bytes();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        survives(&bytes);
        survives(body(&String::from_utf8_lossy(&bytes)).as_bytes());
    }

    #[test]
    fn changed_fixtures(fixture in any::<Index>(), changes in proptest::collection::vec(change(), 1..6)) {
        let mut bytes = fixture.get(&FIXTURES).as_bytes().to_vec();
        changes.iter().for_each(|change| apply(change, &mut bytes));
        survives(&bytes);
    }

    #[test]
    fn changed_lines(fixture in any::<Index>(), i in any::<Index>(), j in any::<Index>()) {
        let mut lines: Vec<&str> = fixture.get(&FIXTURES).lines().collect();
        let (i, j) = (i.index(lines.len()), j.index(lines.len()));
        lines.swap(i, j);
        survives(lines.join("\n").as_bytes());
    }
}

/// A text of 100 kB made of one part over and over.
fn many(part: &str) -> String {
    part.repeat(100_000 / part.len())
}

#[test]
fn deep_nesting_ends_in_an_error() {
    let openings = [
        "{",
        "mov.b32 a, {",
        "(",
        "mov.b32 a, (",
        "mov.b32 a, !",
        "mov.b32 a, 1+(",
        "mov.b32 a, - -",
        "mov.b32 a, 1?",
        "mov.b32 a, ~~",
        "mov.b32 a, [a, {",
        "mov.b32 a, a+(",
    ];
    for opening in openings {
        let first = opening.len().saturating_sub(1);
        assert!(!survives(body(&format!("{opening}{}", many(&opening[first..]))).as_bytes()), "{opening}");
    }
    let lists = format!(".version 7.8 .target sm_90 .global .b8 x[1] = {}", many("{"));
    assert!(!survives(lists.as_bytes()));
    let blocks = body(&format!("{}ret;{}", "{".repeat(60), "}".repeat(60)));
    assert!(survives(blocks.as_bytes()));
}

#[test]
fn huge_numbers_and_counts_cost_nothing() {
    for text in [
        ".reg .b32 %r<4000000000>; mov.b32 %r3999999999, 1;",
        ".reg .b32 %r<18446744073709551615>;",
        ".local .b8 x[18446744073709551615];",
        "mov.b32 a, 1 << 18446744073709551615;",
        "mov.b32 a, 0 + (.s64)0x8000000000000000 / -1;",
        "ld.b32 a, [b+-9223372036854775808];",
    ] {
        assert!(survives(body(text).as_bytes()), "{text}");
    }
    for text in [
        ".reg .b32 %r<18446744073709551616>;",
        ".local .b8 x[4294967296][4294967296];",
        "ld.b32 a, [b+9223372036854775808];",
        "mov.b32 a, 1/0;",
        &format!("mov.b32 a, {};", many("9")),
        &format!("mov.b32 a, 1.{}e9999;", many("9")),
    ] {
        assert!(!survives(body(text).as_bytes()), "{}", &text[..40.min(text.len())]);
    }
}

#[test]
fn time_is_linear_in_the_text() {
    let long = many("x");
    let parts = [
        ";",
        "{}",
        "ret;",
        "a:",
        "@p bra a;",
        "{ .reg .b32 %r<9>; mov.b32 %r8, %tid.x; }",
        ".reg .b32 %r<9>;",
        "mov.b32 %r1111111111111111111, %r2;",
        ".loc 1 2 3\n",
        "{ .param .b32 p; } ",
        "a: .calltargets f, g;",
        ".pragma \"x\";",
        "mov.b32 a, 1+1;",
        "/* */",
        "//\n",
    ];
    for part in parts {
        assert!(survives(body(&many(part)).as_bytes()), "{part}");
    }
    for text in [
        format!(".reg .b32 a{};", many(",a")),
        format!("mov.b32 a, 1{};", many("+1")),
        format!("mov{};", many(".b32")),
        format!("call f, (a{});", many(",a")),
        format!(".global .attribute(.managed, .unified(1, 2)) .b8 a{};", many(",a")),
        format!(".local .b8 a{};", many("[1]")),
        format!("{long}: bra {long};"),
        format!(".pragma \"{long}\";"),
    ] {
        assert!(survives(body(&text).as_bytes()), "{}", &text[..20]);
    }
    for text in [
        format!("{long} a;"),
        format!("add.{long} a;"),
        format!("mov.b32 a, \"{long}\";"),
        format!(".{long}"),
    ] {
        let error = ptx_parse::parse(&body(&text)).expect_err("it is not known").to_string();
        assert!(error.starts_with("line 6, column "), "{}", &error[..40]);
        assert!(!survives(body(&text).as_bytes()));
    }
    // One function with a long name and many errors: the name is shared.
    let text = format!(".version 7.8 .target sm_90 .entry {long}() {{ {} }}", many("mov.b32 a, b;"));
    assert!(survives(text.as_bytes()));
}
