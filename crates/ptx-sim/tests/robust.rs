//! Changed and made-up kernels: whatever the text says, the simulator gives an error or a finding; it never panics, and always
//! comes to an end.

mod common;

use std::path::PathBuf;
use std::sync::OnceLock;

use proptest::prelude::*;
use ptx_sim::{Device, LaunchConfig, LaunchError, Module, Options};

/// Kernels that the simulator must cope with in any changed form: name and text.
fn corpus() -> &'static [(String, String)] {
    static CORPUS: OnceLock<Vec<(String, String)>> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut texts = vec![("everything".to_owned(), EVERYTHING.to_owned())];
        for folder in ["crates/ptx-parse/tests/nvvm", "tests/golden/sim"] {
            for entry in std::fs::read_dir(root.join(folder)).expect("the fixtures are there") {
                let path = entry.expect("it can be listed").path();
                if path.extension().is_some_and(|extension| extension == "ptx") {
                    let text = std::fs::read_to_string(&path).expect("it can be read");
                    let head = ".version 8.0\n.target sm_90\n.address_size 64\n";
                    let whole = if text.contains(".version") { text } else { format!("{head}{text}") };
                    texts.push((path.display().to_string(), whole));
                }
            }
        }
        texts.sort();
        assert!(texts.len() > 10, "the fixtures are there");
        texts
    })
}

/// A kernel with something of every kind.
const EVERYTHING: &str = include_str!("robust/everything.ptx");

/// What stands in place of a number.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "4",
    "8",
    "15",
    "16",
    "31",
    "32",
    "-1",
    "0x7fffffff",
    "0xffffffff",
    "1099511627776",
    "0x7fffffffffffffff",
    "18446744073709551615",
];

/// What stands in place of a word.
const WORDS: [&str; 48] = [
    "add", "mov", "ld", "st", "atom", "red", "bar", "barrier", "shfl", "vote", "bra", "call", "ret", "exit",
    "cvt", "setp", "selp", ".u8", ".s8", ".b16", ".u32", ".s32", ".b64", ".f32", ".f64", ".f16x2", ".b128",
    ".pred", ".sync", ".global", ".shared", ".local", ".param", ".const", ".v2", ".v4", ".v8", ".nc",
    ".relaxed", ".acquire", ".release", ".gpu", ".cta", ".aligned", ".wide", ".cc", ".align", ".reg",
];

/// The pieces of a text: names, numbers, signs, spaces.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '%');
    for c in text.chars() {
        let starts = match out.last() {
            Some(last) => {
                !(is_word(c) && last.chars().next_back().is_some_and(|end| is_word(end) || end == '.'))
            }
            None => true,
        };
        if starts {
            out.push(c.to_string());
        } else if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out
}

/// What kind of piece it is: those of one kind may stand in for one another.
fn kind(token: &str) -> u8 {
    match token.as_bytes().first() {
        Some(b'0'..=b'9') => 0,
        Some(b'%') => 1,
        Some(b'.') => 2,
        Some(c) if c.is_ascii_alphabetic() || matches!(c, b'_' | b'$') => 3,
        Some(c) if c.is_ascii_whitespace() => 4,
        _ => 5,
    }
}

/// One change of a text: what, where, and with what.
type Change = (u8, usize, usize);

fn change(tokens: &mut Vec<String>, (what, at, with): Change) {
    let at = at % tokens.len();
    // The next piece that is no space.
    let at = (at..tokens.len()).find(|i| kind(&tokens[*i]) != 4).unwrap_or(at);
    let lines = |tokens: &[String]| -> (usize, usize) {
        let start = tokens[..at].iter().rposition(|t| t == "\n" || t == ";").map_or(0, |i| i + 1);
        let end =
            tokens[at..].iter().position(|t| t == "\n" || t == ";").map_or(tokens.len(), |i| at + i + 1);
        (start, end)
    };
    match what {
        // Another piece of the same kind.
        0..=3 => {
            let alike: Vec<usize> =
                (0..tokens.len()).filter(|i| kind(&tokens[*i]) == kind(&tokens[at])).collect();
            tokens[at] = tokens[alike[with % alike.len()]].clone();
        }
        4 | 5 if kind(&tokens[at]) == 0 => tokens[at] = NUMBERS[with % NUMBERS.len()].to_owned(),
        4 | 5 => tokens[at] = WORDS[with % WORDS.len()].to_owned(),
        6 => tokens[at].clear(),
        7 => {
            let (start, end) = lines(tokens);
            tokens.drain(start..end);
        }
        8 => {
            let (start, end) = lines(tokens);
            let line = tokens[start..end].to_vec();
            let to = with % (tokens.len() + 1);
            let to = tokens[to..].iter().position(|t| t == "\n").map_or(tokens.len(), |i| to + i + 1);
            tokens.splice(to..to, line);
        }
        9 => {
            let other = with % tokens.len();
            tokens.swap(at, other);
        }
        _ => {
            let number = (at..tokens.len()).find(|i| kind(&tokens[*i]) == 0).unwrap_or(at);
            tokens[number] = NUMBERS[with % NUMBERS.len()].to_owned();
        }
    }
    if tokens.is_empty() {
        tokens.push(" ".to_owned());
    }
}

/// Parameters for a kernel: addresses of a buffer, small numbers, bytes.
fn params(module: &Module, entry: &str, address: u64) -> Option<Vec<Vec<u8>>> {
    let list = module.params(entry)?;
    let bytes = |size: u64| match size {
        8 => Some(address.to_le_bytes().to_vec()),
        4 => Some(40_u32.to_le_bytes().to_vec()),
        0..=4096 => Some(vec![3; size as usize]),
        _ => None,
    };
    list.iter().map(|param| bytes(param.size)).collect()
}

/// Loads, checks and launches every kernel of a text; how many launches came to their end, well or with findings.
fn exercise(text: &str, (size, grid, block, seed): (u64, u32, u32, u64)) -> usize {
    let options =
        Options::default().seed(seed).step_limit(3000).threads(1 + seed as usize % 2).stats(seed % 3 == 0);
    let device = Device::new(options);
    let module = match device.load_text("changed", text) {
        Ok(module) => module,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return 0;
        }
    };
    let Ok(buffer) = device.alloc(size) else { return 0 };
    device.fill(buffer, size / 2, 1).expect("it is there");
    let entries: Vec<String> = module.entries().into_iter().map(str::to_owned).collect();
    let mut ran = 0;
    for entry in &entries {
        if let Err(error) = module.check(entry) {
            assert!(!error.to_string().is_empty());
            continue;
        }
        let Some(params) = params(&module, entry, buffer) else { continue };
        let config = LaunchConfig {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            shared_bytes: 64,
            ..LaunchConfig::default()
        };
        match module.launch(entry, &config, &params) {
            Ok(_) => ran += 1,
            Err(LaunchError::Findings(found)) => {
                assert!(!found.to_string().is_empty());
                ran += 1;
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    ran
}

/// Buffer bytes, blocks, threads of a block, seed.
fn shapes() -> impl Strategy<Value = (u64, u32, u32, u64)> {
    (
        prop_oneof![Just(0), Just(1), Just(255), Just(4099), Just(70_001)],
        1..4_u32,
        prop_oneof![Just(1), Just(33), Just(64)],
        0..6_u64,
    )
}

fn config(cases: u32) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(0x7761_7270);
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed,
        max_shrink_iters: 300,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(cases("ROBUST_CASES", 1200)))]

    #[test]
    fn changed_kernels(
        text in any::<prop::sample::Index>(),
        changes in prop::collection::vec((0..12_u8, any::<usize>(), any::<usize>()), 1..6),
        shape in shapes(),
    ) {
        let (_, text) = text.get(corpus());
        let mut tokens = tokens(text);
        changes.into_iter().for_each(|one| change(&mut tokens, one));
        exercise(&tokens.concat(), shape);
    }
}

fn cases(variable: &str, usual: u32) -> u32 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Instructions with places for registers (P, H, W, D, Q), addresses in each memory and so on.
const TEMPLATES: &str = include_str!("robust/templates.txt");

/// Fills the places of a template.
fn fill(template: &str, mut pick: impl FnMut(usize) -> usize) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('<') {
        let end = rest[at..].find('>').map_or(rest.len(), |i| at + i);
        out.push_str(&rest[..at]);
        let choice = |list: &[&str], index: usize| list[index % list.len()].to_owned();
        let number = NUMBERS[pick(NUMBERS.len())];
        let offset = ["", "+4", "+1", "-16", "+65536", "+9223372036854775807"][pick(6)];
        out.push_str(&match &rest[at + 1..end] {
            "P" => format!("%p{}", 1 + pick(4)),
            "H" => format!("%h{}", 1 + pick(4)),
            "W" => format!("%r{}", 1 + pick(6)),
            "D" => format!("%rd{}", 1 + pick(6)),
            "Q" => format!("%q{}", 1 + pick(3)),
            "F" => choice(&["%f1", "%f2", "0f3f800000", "1.5"], pick(4)),
            "any" => choice(
                &[
                    "%p1", "%h1", "%r1", "%rd1", "%q1", "%f1", "%tid.x", "tile", "0", "%laneid", "_",
                    "WARP_SZ",
                ],
                pick(12),
            ),
            "n" => number.to_owned(),
            "w" => {
                if pick(2) == 0 {
                    number.to_owned()
                } else {
                    format!("%r{}", 1 + pick(6))
                }
            }
            "mask" => choice(&["-1", "1", "0xffff", "%r1", "%r7", "0"], pick(6)),
            "G" => format!("[{}{offset}]", choice(&["%rd1", "%rd2", "%rd3", "table", "0", "%r1"], pick(6))),
            "S" => format!("[{}{offset}]", choice(&["tile", "%r8", "dyn", "%rd4", "16"], pick(5))),
            "L" => format!("[{}{offset}]", choice(&["depot", "%rd5", "0"], pick(3))),
            "C" => format!("[{}{offset}]", choice(&["table", "%rd6"], pick(2))),
            "A" => format!(
                "[{}{offset}]",
                choice(&["%rd1", "%rd2", "tile", "depot", "%rd4", "%rd5", "%rd6", "x"], pick(8))
            ),
            "label" => format!("B{}", pick(4)),
            "ty" => choice(
                &[
                    "u8", "s16", "b16", "u32", "s32", "f32", "u64", "s64", "f64", "b128", "b8", "f16",
                    "bf16x2", "pred",
                ],
                pick(14),
            ),
            other => other.to_owned(),
        });
        rest = &rest[(end + 1).min(rest.len())..];
    }
    out + rest
}

/// A kernel of the given instructions: template, choices and guard of each.
fn made_up(list: &[(prop::sample::Index, u64, u8)]) -> String {
    let templates: Vec<&str> = TEMPLATES.lines().filter(|line| !line.is_empty()).collect();
    let mut body = String::new();
    for (at, (template, choices, guard)) in list.iter().enumerate() {
        let mut state = *choices;
        let pick = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        };
        if at * 4 % list.len().max(4) < 4 {
            body.push_str(&format!("B{}: ", at * 4 / list.len().max(4)));
        }
        body.push_str(["", "", "", "@%p1 ", "@!%p2 ", "@%p3 "][usize::from(*guard) % 6]);
        let chosen: &&str = template.get(templates.as_slice());
        body.push_str(&fill(chosen, pick));
        body.push('\n');
    }
    for label in 0..4 {
        if !body.contains(&format!("B{label}: ")) {
            body.push_str(&format!("B{label}: "));
        }
    }
    format!("{}\n{body}\nret;\n}}\n", include_str!("robust/head.ptx"))
}

/// Loads and checks a kernel `k` with these declarations and this body: the message of the error.
fn refusal(declarations: &str, params: &str, body: &str) -> String {
    let text = common::kernel_with(declarations, params, body);
    let module = match Device::default().load_text("t", &text) {
        Ok(module) => module,
        Err(error) => return error.to_string(),
    };
    let config = LaunchConfig { block: [1024, 1, 1], ..LaunchConfig::default() };
    let params = params_of(&module).expect("it is there");
    module.launch("k", &config, &params).expect_err("it is refused").to_string()
}

fn params_of(module: &Module) -> Option<Vec<Vec<u8>>> {
    params(module, "k", 0).or(Some(Vec::new()))
}

#[test]
fn what_there_is_no_room_for_is_refused_with_value_and_limit() {
    let use_x = "mov.u32 %r1, x; ret;";
    for (declarations, params, body, want) in [
        (".shared .b8 x[1099511627776];", "", use_x, "`x`: shared memory of 1099511627776, at most 232448"),
        (
            ".shared .b8 x[200000]; .shared .b8 y[200000];",
            "",
            "mov.u32 %r1, x; mov.u32 %r1, y; ret;",
            "`y`: shared memory of 400000, at most 232448",
        ),
        (".shared .b8 x[18446744073709551615];", "", use_x, "at most 232448"),
        (".shared .align 1073741824 .b8 x[8];", "", use_x, "`x`: alignment of 1073741824, at most 32768"),
        (".extern .shared .align 1073741824 .b8 x[];", "", use_x, "`x`: alignment of "),
        ("", "", ".local .b8 x[4294967296]; ret;", "`x`: local memory of 4294967296, at most 524288"),
        (
            "",
            "",
            ".local .b8 x[524288]; ret;",
            "`k`: 537920512 bytes of local memory for the threads of a block, at most 268435456",
        ),
        ("", "", ".param .b8 x[4294967296]; ret;", "`x`: local memory of 4294967296, at most 524288"),
        (
            ".func f(.param .b8 x[4294967296]) { ret; }",
            "",
            "mov.u64 %rd1, f; ret;",
            "`x`: local memory of 4294967296, at most 524288",
        ),
        (
            ".global .b8 x[1099511627776];",
            "",
            "ret;",
            "`x`: global memory of 1099511627776, at most 1073741824",
        ),
        (
            ".global .b8 x[1000000000]; .global .b8 y[1000000000];",
            "",
            "ret;",
            "`y`: global memory of 2000000000, at most",
        ),
        ("", ".param .b8 x[1099511627776]", "ret;", "`k`: parameters of 1099511627776, at most 32764"),
        (
            "",
            ".param .u8 a, .param .align 1099511627776 .b8 x[4]",
            "ret;",
            "`k`: parameters of 1099511627780, at most 32764",
        ),
    ] {
        let got = refusal(declarations, params, body);
        assert!(got.contains(want), "{declarations} {params} {body}: {got}");
    }
}

#[test]
fn launches_of_any_shape_end() {
    let text = common::kernel("", ".local .b8 own[64]; mov.u32 %r1, %nctaid.x; bar.sync 0; ret;");
    let device = Device::default();
    let module = device.load_text("t", &text).expect("it loads");
    let extremes = [0, 1, 2, 64, 65, 1024, 1025, 65_535, 65_536, 0x7fff_ffff, u32::MAX];
    for (x, y, z) in extremes.iter().flat_map(|x| extremes.iter().map(move |y| (*x, *y, x ^ y))) {
        for (grid, block, cluster) in
            [([1; 3], [x, y, z], [1; 3]), ([x, y, z], [0, 1, 1], [1; 3]), ([64, 4, 4], [32, 1, 1], [x, y, z])]
        {
            for shared_bytes in [0, u32::MAX] {
                let config = LaunchConfig { grid, block, cluster, shared_bytes };
                let ended = module.launch("k", &config, &[]);
                assert!(
                    ended.is_ok()
                        || matches!(ended, Err(LaunchError::Shape { .. } | LaunchError::SharedBytes { .. }))
                );
            }
        }
    }
}

#[test]
fn blocks_that_wait_for_more_than_the_device_holds_are_found() {
    // A barrier of the whole grid, of more blocks than are under way together on an H200.
    let body = "ld.param.u64 %rd1, [x]; mov.u32 %r1, %nctaid.x; mov.u32 %r3, %tid.x; setp.ne.u32 %p2, %r3, 0; @%p2 exit;
red.global.add.u32 [%rd1], 1;
SPIN: ld.relaxed.gpu.global.u32 %r2, [%rd1]; setp.lt.u32 %p1, %r2, %r1; @%p1 bra SPIN; ret;";
    let device = Device::new(Options::default().step_limit(100_000));
    let module = device.load_text("t", &common::kernel(".param .u64 x", body)).expect("it loads");
    for (blocks, ends) in [(132 * 2, true), (132 * 2 + 1, false)] {
        let x = device.alloc(4).expect("there is room");
        device.fill(x, 4, 0).expect("it is there");
        let config = LaunchConfig { grid: [blocks, 1, 1], block: [1024, 1, 1], ..LaunchConfig::default() };
        let ended = module.launch("k", &config, &[x.to_le_bytes().to_vec()]);
        assert_eq!(ended.is_ok(), ends, "{blocks}: {:?}", ended.err().map(|e| e.to_string()));
    }
}

#[test]
fn templates_are_executed() {
    // Each alone, so that one that is refused does not hide the others.
    let mut refused = Vec::new();
    let mut ran = 0;
    for template in TEMPLATES.lines().filter(|line| !line.is_empty()) {
        let mut state = 1_usize;
        let mut done = 0;
        for _ in 0..12 {
            let pick = |limit: usize| {
                state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(12345);
                (state >> 33) % limit
            };
            let text = format!(
                "{}\nB0: B1: B2: B3: {}\nret;\n}}\n",
                include_str!("robust/head.ptx"),
                fill(template, pick)
            );
            done += exercise(&text, (4099, 2, 33, state as u64 % 6));
        }
        if done == 0 {
            refused.push(template);
        }
        ran += done;
    }
    assert!(ran > 500 && refused.len() < 15, "{ran} ran; always refused: {refused:#?}");
}

proptest! {
    #![proptest_config(config(cases("ROBUST_CASES", 1500)))]

    #[test]
    fn made_up_kernels(
        list in prop::collection::vec((any::<prop::sample::Index>(), any::<u64>(), any::<u8>()), 1..14),
        shape in shapes(),
    ) {
        // Those that are refused are left out, so that kernels are not refused for one of them.
        let kept: Vec<_> = list
            .into_iter()
            .filter(|one| {
                let device = Device::default();
                device.load_text("one", &made_up(std::slice::from_ref(one))).is_ok_and(|m| m.check("k").is_ok())
            })
            .collect();
        exercise(&made_up(&kept), shape);
    }
}
