//! `.warpsmith.kernels`: launch bounds, parameter facts, families, and records that do not fit.

mod common;
use common::{Bench, record_json, record_section, run};

const COPY: &str = r#"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @copy(ptr %a, i64 %a_len, ptr %y, i64 %y_len) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %from = getelementptr [4 x float], ptr %a, i64 %i
  %to = getelementptr [4 x float], ptr %y, i64 %i
  %v = load <4 x float>, ptr %from, align 16
  store <4 x float> %v, ptr %to, align 16
  ret void
}
"#;
const COPY_PARAMS: &str = r#"{"name":"a","kind":"slice","type":"f32","size":4,"align":4},
    {"name":"y","kind":"grid_mut","type":"f32","size":4,"align":4}"#;

fn copy_with(facts: &str) -> String {
    let record = record_json("copy", "cross", facts, COPY_PARAMS);
    COPY.to_owned() + &record_section(&[&record])
}

#[test]
fn exact_block_registers_and_cluster_reach_the_ptx() {
    let ptx =
        Bench::new().ptx(&copy_with(r#""block":[256,2,1],"min_blocks":2,"max_registers":64,"cluster":2"#));
    for want in [".reqntid 256, 2, 1", ".minnctapersm 2", ".maxnreg 64", ".reqnctapercluster 2, 1, 1"] {
        assert!(ptx.contains(want), "no `{want}` in {ptx}");
    }
    assert!(!ptx.contains(".maxntid"), "{ptx}");
}

#[test]
fn largest_block_reaches_the_ptx() {
    let ptx = Bench::new().ptx(&copy_with(r#""max_block":1024"#));
    assert!(ptx.contains(".maxntid 1024") && !ptx.contains(".reqntid"), "{ptx}");
}

#[test]
fn slices_are_read_through_the_non_coherent_cache() {
    let bench = Bench::new();
    let with = bench.ptx(&copy_with(""));
    assert!(with.contains("ld.global.nc.v4.b32") && with.contains("st.global.v4.b32"), "{with}");
    let without = bench.ptx(COPY);
    assert!(!without.contains(".nc") && without.contains("v4.b32"), "{without}");
}

#[test]
fn alignment_of_a_pointer_allows_wide_loads() {
    let body = |align| {
        let params = format!(
            r#"{{"name":"p","kind":"ptr","type":"u32","size":4,"align":{align}}},{{"name":"v","kind":"value","type":"u32","size":4,"align":4}}"#
        );
        let record = record_json("k", "cross", "", &params);
        r#"
define ptx_kernel void @k(ptr %p, i32 %v) {
  %pair = load <2 x i32>, ptr %p, align 4
  %a = extractelement <2 x i32> %pair, i64 0
  %b = extractelement <2 x i32> %pair, i64 1
  %c = mul i32 %a, %b
  %d = add i32 %c, %v
  store i32 %d, ptr %p, align 4
  ret void
}
"#
        .to_owned()
            + &record_section(&[&record])
    };
    assert!(Bench::new().ptx(&body(8)).contains("ld.global.v2.b32"));
    assert!(!Bench::new().ptx(&body(4)).contains("ld.global.v2.b32"));
}

#[test]
fn section_is_stripped() {
    let ptx = Bench::new().ptx(&copy_with(""));
    assert!(!ptx.contains("RECORD") && !ptx.contains("warpsmith"), "{ptx}");
    assert!(!ptx.contains(".global .align"), "no data is left: {ptx}");
}

#[test]
fn each_family_gets_its_own_file_and_the_report_names_all() {
    let bench = Bench::new();
    let one = record_json("one", "cross", "", "");
    let two = record_json("two", "dtw", r#""block":[32,1,1]"#, "");
    let body = r#"
@TILE = internal global [64 x i32] undef, section ".shared", align 16
define ptx_kernel void @one() { store volatile i32 1, ptr @TILE ret void }
define ptx_kernel void @two() { ret void }
"#;
    let input = bench.ll("in.ll", &(body.to_owned() + &record_section(&[&two, &one])));
    run(bench.linker(&[&input]).env("WARPSMITH_LINK_OUT", bench.path("out/deep"))).ok();
    let (cross, dtw) = (bench.read("out/deep/cross.ptx"), bench.read("out/deep/dtw.ptx"));
    assert!(cross.contains(".entry one(") && !cross.contains("two") && cross.contains("TILE"), "{cross}");
    assert!(dtw.contains(".entry two(") && !dtw.contains("one") && !dtw.contains("TILE"), "{dtw}");

    let report: serde_json::Value = serde_json::from_str(&bench.read("out/deep/link.json")).unwrap();
    assert_eq!(report, serde_json::from_str::<serde_json::Value>(&bench.read("out.ptx")).unwrap());
    assert_eq!((&report["version"], &report["undefined"]), (&1.into(), &serde_json::json!([])));
    let families = report["families"].as_array().unwrap();
    let names: Vec<_> =
        families.iter().map(|f| (f["family"].as_str().unwrap(), f["file"].as_str().unwrap())).collect();
    assert_eq!(names, [("cross", "cross.ptx"), ("dtw", "dtw.ptx")]);
    let record = &families[0]["records"][0];
    assert_eq!(record["entry"], "one");
    assert_eq!(record["signature"].as_str().unwrap(), format!("{:016x}", fnv1a(one.as_bytes())));
}

fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf29ce484222325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x100000001b3))
}

#[test]
fn record_without_function_is_named() {
    let record = record_json("ghost", "cross", "", "");
    let kernel = "define ptx_kernel void @real() { ret void }\n";
    let line = Bench::new().refusal(&(kernel.to_owned() + &record_section(&[&record])));
    assert!(line.contains("`ghost`") && line.contains("kernels::cross"), "{line}");
}

#[test]
fn function_that_is_no_kernel_does_not_count() {
    let record = record_json("plain", "cross", "", "");
    let line = Bench::new()
        .refusal(&("define void @plain() { ret void }\n".to_owned() + &record_section(&[&record])));
    assert!(line.contains("`plain`"), "{line}");
}

#[test]
fn kernel_without_record_is_named_when_others_have_one() {
    let body = copy_with("") + "define ptx_kernel void @stray() { ret void }\n";
    let line = Bench::new().refusal(&body);
    assert!(line.contains("`stray`"), "{line}");
}

#[test]
fn two_records_of_one_entry_are_refused() {
    let records =
        [record_json("copy", "cross", "", COPY_PARAMS), record_json("copy", "dtw", "", COPY_PARAMS)];
    let line = Bench::new().refusal(&(COPY.to_owned() + &record_section(&[&records[0], &records[1]])));
    assert!(
        line.contains("`copy`") && line.contains("kernels::cross") && line.contains("kernels::dtw"),
        "{line}"
    );
}

#[test]
fn unknown_version_and_unreadable_text_are_named() {
    let with = |text: &str| Bench::new().refusal(&(COPY.to_owned() + &record_section(&[text])));
    let line = with(&record_json("copy", "cross", r#""version":2"#, COPY_PARAMS));
    assert!(line.contains("version 2") && line.contains("`RECORD_0`"), "{line}");
    assert!(with("not json").contains("`RECORD_0`"));
    assert!(with(r#"{"version":1,"entry":"copy"}"#).contains("`RECORD_0`"));
    let line = with(&record_json("copy", "../up", "", COPY_PARAMS));
    assert!(line.contains("`../up`"), "{line}");
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let with = |params: &str| {
        let record = record_json("copy", "cross", "", params);
        Bench::new().refusal(&(COPY.to_owned() + &record_section(&[&record])))
    };
    let line = with(r#"{"name":"a","kind":"slice","type":"f32","size":4,"align":4}"#);
    assert!(line.contains("`copy`") && line.contains('2') && line.contains('4'), "{line}");
    let value = r#"{"name":"a","kind":"value","type":"u64","size":8,"align":8}"#;
    let pointer = r#"{"name":"n","kind":"ptr","type":"f32","size":4,"align":4}"#;
    let line = with(&[value, pointer, value, value].join(","));
    assert!(line.contains("`n`") && line.contains("ptr"), "{line}");
    let line = with(&COPY_PARAMS.replace("\"align\":4", "\"align\":3"));
    assert!(line.contains("align = 3"), "{line}");
}
