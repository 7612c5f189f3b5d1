//! Tensor maps as parameters: in place in the parameter space, and used by their generic addresses.

mod common;
use common::{Bench, record_json, record_section, run};

/// Copies a tile of a tensor and prefetches the map, as `gpu_std::tma` does.
const KERNEL: &str = r#"
define ptx_kernel void @k(i32 %n, ptr %map, ptr %to) {
  %generic = ptrtoint ptr %map to i64
  call void asm sideeffect "prefetch.tensormap [$0];", "l,~{memory}"(ptr %map)
  call void asm sideeffect "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$2, $2}], [$3];", "r,l,r,r,~{memory}"(i32 0, i64 %generic, i32 %n, i32 1024)
  store volatile i32 %n, ptr %to, align 4
  ret void
}
"#;

fn with_map(kind: &str, size: u32, align: u32) -> String {
    let params = format!(
        r#"{{"name":"n","kind":"value","type":"i32","size":4,"align":4}},
        {{"name":"map","kind":"{kind}","type":"TensorMap","size":{size},"align":{align}}},
        {{"name":"to","kind":"ptr","type":"u32","size":4,"align":4}}"#
    );
    let record = record_json("k", "cross", r#""cluster":2,"target":"sm_90""#, &params);
    KERNEL.to_owned() + &record_section(&[&record])
}

/// The register of the parameter's generic address goes into both instructions.
#[track_caller]
fn map_is_used_in_place(ptx: &str) {
    assert!(!ptx.contains(".local") && !ptx.contains("__local_depot"), "{ptx}");
    let generic = ptx.lines().find_map(|line| line.trim().strip_prefix("cvta.param.u64"));
    let register = generic.and_then(|rest| rest.trim().split(',').next()).expect("a generic address");
    for want in [format!("prefetch.tensormap [{register}];"), format!("[{register}, {{")] {
        assert!(ptx.contains(&want), "no `{want}` in {ptx}");
    }
}

#[test]
fn a_map_is_128_bytes_of_parameters_used_in_place() {
    for kind in ["tensor_map", "tensor_map_mut"] {
        let ptx = Bench::new().ptx(&with_map(kind, 128, 64));
        assert!(ptx.contains(".param .align 64 .b8 k_param_1[128]"), "{ptx}");
        assert!(ptx.contains(".explicitcluster") && ptx.contains(".reqnctapercluster 2, 1, 1"), "{ptx}");
        map_is_used_in_place(&ptx);
    }
}

#[test]
fn libnvvm_is_told_that_nothing_writes_the_map() {
    let bench = Bench::new();
    let input = bench.ll("in.ll", &with_map("tensor_map", 128, 64));
    let mut command = bench.linker(&[&input]);
    command.env("WARPSMITH_BACKEND", "nvvm").env("WARPSMITH_LIBNVVM", "/nonexistent/libnvvm.so");
    run(command.env("WARPSMITH_KEEP_NVVM", bench.path("kept"))).error();
    let text = bench.read("kept/out.nvvm.ll");
    for want in [
        "[128 x i8]* byval noalias readonly align 64 %p1",
        "!\"grid_constant\", !{i32 2}",
        "!\"cluster_dim_x\", i32 2",
    ] {
        assert!(text.contains(want), "no `{want}` in {text}");
    }
}

#[test]
fn what_is_no_map_is_refused() {
    let line = Bench::new().refusal(&with_map("tensor_map", 64, 64));
    assert!(line.contains("size = 64") && line.contains("128"), "{line}");
    let line = Bench::new().refusal(
        &with_map("tensor_map", 128, 64)
            .replace("ptr %map, ", "i64 %m, ")
            .replace("%map to", "null to")
            .replace("ptr %map", "ptr null"),
    );
    assert!(line.contains("`map`") && line.contains("tensor_map"), "{line}");
}
