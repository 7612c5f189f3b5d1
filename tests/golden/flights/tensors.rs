//! Copies of boxes of tensors: loads, stores, reductions.

use std::fmt::Write as _;

use super::{CLUSTER_END, ONE, TWO, WAIT, program};

/// A tensor of some dimensions and a box that begins at some element, and ends outside. An innermost coordinate is a multiple of
/// 16 bytes: an H200 gives an illegal instruction for any other.
const SHAPES: [(&str, &str, &str); 5] = [
    ("40", "16", "28"),
    ("24,5", "16,2", "12, 4"),
    ("24,5,3", "8,2,2", "20, 1, 2"),
    ("16,3,3,3", "4,2,2,2", "12, 1, -1, 2"),
    ("16,3,2,2,2", "4,2,2,2,1", "4, 2, 1, -1, 1"),
];

/// A load of a box and what it leaves in shared memory; L2 by a policy where the name ends in `hint`.
fn tensor_load(text: &mut String, name: &str, launch: &str, rank: usize, at: &str, bytes: usize) {
    let words = 8;
    let (policy, hint, operand) = if name.ends_with("hint") {
        ("    createpolicy.fractional.L2::evict_first.b64 %s, 1.0;\n", ".L2::cache_hint", ", %s")
    } else {
        ("", "", "")
    };
    let mut body = format!(
        "    mov.b64 %map, map;
    cvta.param.u64 %map, %map;
    mov.u32 %x, 0;
    mov.u32 %m, %n;
    mov.u32 %y, 0;
ZERO:
    st.shared.b32 [%m], %x;
    add.u32 %m, %m, 256;
    add.u32 %y, %y, 1;
    setp.lt.u32 %done, %y, {words};
    @%done bra ZERO;
    fence.proxy.async;
    @%first mbarrier.init.shared.b64 [%bar], 1;
    bar.sync 0;
    @%first mbarrier.arrive.expect_tx.shared.b64 _, [%bar], {bytes};
{policy}    @%first cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes{hint} [%tile], [%map, {{{at}}}], [%bar]{operand};
{WAIT}"
    );
    for word in 0..words {
        let _ = writeln!(
            body,
            "    ld.shared.b32 %x, [%n+{}];\n    st.global.b32 [%o+{}], %x;",
            256 * word,
            256 * word
        );
    }
    program(text, &format!("{launch} output={}", 256 * words), name, &body);
}

/// All of them.
pub fn all(text: &mut String) {
    for (number, (dims, box_dims, at)) in SHAPES.iter().enumerate() {
        let rank = number + 1;
        let count: u32 = box_dims.split(',').filter_map(|n| n.parse::<u32>().ok()).product();
        let launch =
            format!("target=sm_90 grid=1,1,1 block=64,1,1 input=b32*512 map=input:u32:{dims}:{box_dims}");
        tensor_load(text, &format!("tensor_load_{rank}d"), &launch, rank, at, 4 * count as usize);
        if rank == 2 {
            tensor_load(text, "tensor_load_2d_hint", &launch, rank, at, 4 * count as usize);
        }
        multicast_tensor(text, rank, (dims, box_dims, at), 4 * count);
        for op in ["", "add"] {
            // Stores take no negative coordinate.
            let at = at.replace('-', "");
            tensor_store(text, &format!("{rank}d_{op}"), op, ("u32", dims, box_dims), &at, "");
        }
    }
    for (ty, bytes, fill) in [
        ("u8", 1, ""),
        ("f16", 2, ""),
        ("bf16", 2, " fill=nan"),
        ("f16", 2, " fill=nan"),
        ("f32", 4, " fill=nan"),
        ("f64", 8, " fill=nan"),
        ("tf32", 4, ""),
        ("f32_ftz", 4, ""),
        ("s64", 8, ""),
    ] {
        let width = 48 / bytes;
        let launch = format!(
            "target=sm_90 grid=1,1,1 block=64,1,1 input=b32*512 map=input:{ty}:{},7:{width},4{fill}",
            64 / bytes
        );
        let nan = if fill.is_empty() { "" } else { "_nan" };
        tensor_load(
            text,
            &format!("tensor_load_{ty}{nan}"),
            &launch,
            2,
            &format!("-{}, 5", 16 / bytes),
            width * bytes * 4,
        );
    }
    for swizzle in [32, 64, 128] {
        for bytes in [swizzle, swizzle / 2] {
            let launch = format!(
                "target=sm_90 grid=1,1,1 block=64,1,1 input=b32*2048 map=input:f16:128,16:{},8 swizzle={swizzle}",
                bytes / 2
            );
            tensor_load(text, &format!("tensor_swizzle_{swizzle}_{bytes}"), &launch, 2, "8, 3", 8 * bytes);
        }
        tensor_store(
            text,
            &format!("swizzle_{swizzle}"),
            "",
            ("u32", "32,15", &format!("{},8", swizzle / 4)),
            "4, 11",
            &format!(" swizzle={swizzle}"),
        );
    }
    let every = "target=sm_90 grid=1,1,1 block=64,1,1 input=b32*512 map=input:u32:32,12:8,8 every=1,3";
    tensor_load(text, "tensor_every_third_row", every, 2, "4, 2", 8 * 3 * 4);
    for (op, ty) in [
        ("add", "f32"),
        ("add", "f16"),
        ("add", "bf16"),
        ("add", "s32"),
        ("add", "u64"),
        ("min", "u32"),
        ("min", "s32"),
        ("max", "f16"),
        ("max", "u32"),
        ("inc", "u32"),
        ("dec", "u32"),
        ("and", "u32"),
        ("or", "u32"),
        ("xor", "u64"),
    ] {
        let row = if ty.ends_with("64") { "12,6" } else { "24,6" };
        let box_dims = if ty.ends_with("64") { "8,4" } else { "16,4" };
        let at = if ty.ends_with("64") { "6, 3" } else { "16, 3" };
        tensor_store(text, &format!("{op}_{ty}"), op, (ty, row, box_dims), at, "");
    }
    let prefetch = "    mov.b64 %map, map;
    cvta.param.u64 %map, %map;
    @%first cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%map, {0, 0}];
    fence.proxy.tensormap::generic.acquire.gpu [%map], 128;
    st.global.b32 [%o], %t;
";
    program(text, &format!("{ONE} map=input:u32:8,8:4,4"), "tensor_prefetch", prefetch);
}

fn multicast_tensor(text: &mut String, rank: usize, (dims, box_dims, at): (&str, &str, &str), bytes: u32) {
    let body = format!(
        "    mov.b64 %map, map;
    cvta.param.u64 %map, %map;
    mov.u32 %x, 0;
    st.shared.b32 [%n], %x;
    fence.proxy.async;
    @%first mbarrier.init.shared.b64 [%bar], 1;
    @%first mbarrier.arrive.expect_tx.shared.b64 _, [%bar], {bytes};
    @%first fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    mov.b16 %ranks, 3;
    setp.eq.u32 %done, %at, 0;
    @%done cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%tile], [%map, {{{at}}}], [%bar], %ranks;
{WAIT}{CLUSTER_END}"
    );
    // ptxas advises against other targets.
    let launch = TWO.replace("b32*128", "b32*512").replace("sm_90", "sm_90a");
    let launch = format!("{launch} map=input:u32:{dims}:{box_dims}");
    program(text, &launch, &format!("tensor_multicast_{rank}d"), &body);
}

fn tensor_store(
    text: &mut String,
    name: &str,
    op: &str,
    (ty, dims, box_dims): (&str, &str, &str),
    at: &str,
    more: &str,
) {
    let rank = dims.split(',').count();
    let copy = match op {
        "" => format!("cp.async.bulk.tensor.{rank}d.global.shared::cta.tile.bulk_group"),
        op => format!("cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.{op}.tile.bulk_group"),
    };
    let mut body = String::from("    mov.b64 %map, map;\n    cvta.param.u64 %map, %map;\n");
    for word in 0..8 {
        let at = 256 * word;
        let _ = writeln!(
            body,
            "    ld.global.b32 %x, [%i+{at}];\n    st.shared.b32 [%n+{at}], %x;\n    st.global.b32 [%o+{at}], %t;"
        );
    }
    let _ = write!(
        body,
        "    fence.proxy.async;
    bar.sync 0;
    @%first {copy} [%map, {{{at}}}], [%tile];
    @%first cp.async.bulk.commit_group;
    @%first cp.async.bulk.wait_group 0;
"
    );
    let stored = ty.trim_start_matches("tf");
    let bytes = if ty.ends_with("64") {
        8
    } else if ty.ends_with("16") {
        2
    } else {
        4
    };
    let launch = format!(
        "target=sm_90 grid=1,1,1 block=64,1,1 input={stored}*{} output=2048 map=output:{ty}:{dims}:{box_dims}{more}",
        2048 / bytes
    );
    program(text, &launch, &format!("tensor_store_{}", name.trim_end_matches('_')), &body);
}
