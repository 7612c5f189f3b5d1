//! What stands in the PTX of both back ends: instructions that order memory, in their place among loads and stores; no
//! multiplication joined with an addition unless the source asks for it; parameters read where they lie.

use crate::built::{Target, kernels};
use crate::harness::{Outcome, fail};

/// A kernel, the beginnings of the opcodes that are looked at, and all of these in order.
pub struct Expected {
    pub kernel: &'static str,
    looked_at: &'static [&'static str],
    want: &'static [&'static str],
}

const ORDER: &[&str] = &["ld.global", "st.global", "fence", "membar", "bar", "atom", "ld.acquire", "red"];
const FLOAT: &[&str] = &["mul.f", "mul.r", "add.f", "add.r", "fma", "mad", "sub.f", "sub.r"];

pub const ALL: [Expected; 13] = [
    of(
        "stores_around_a_fence",
        ORDER,
        &[
            "st.global",
            "fence.acq_rel.gpu",
            "st.global",
            "fence.sc.sys",
            "st.global",
            "fence.acq_rel.sys",
            "st.global",
        ],
    ),
    of(
        "loads_around_a_fence",
        ORDER,
        &["ld.global", "fence.acq_rel.cta", "ld.global", "fence.sc.sys", "ld.global", "st.global"],
    ),
    of(
        "loads_around_a_barrier",
        ORDER,
        &["ld.global", "bar.sync", "ld.global", "barrier.sync", "ld.global", "st.global"],
    ),
    of(
        "stores_around_a_barrier",
        ORDER,
        &["st.global", "bar.sync", "st.global", "bar.warp.sync", "st.global"],
    ),
    of(
        "accesses_around_an_atomic",
        ORDER,
        &[
            "st.global",
            "atom.acq_rel.gpu.global.add.u32",
            "st.global",
            "atom.release.sys.global.or.b32",
            "ld.acquire.sys.global.u32",
            "st.global",
        ],
    ),
    of(
        "atomics_in_shared_memory",
        &["atom", "bar", "st.relaxed", "ld.shared"],
        &[
            "st.relaxed.sys.shared.u32",
            "bar.sync",
            "atom.acq_rel.sys.shared.add.u32",
            "bar.sync",
            "ld.shared",
        ],
    ),
    of("k_not_fused_f32", FLOAT, &["mul.rn.f32", "add.rn.f32"]),
    of("k_not_fused_f64", FLOAT, &["mul.rn.f64", "add.rn.f64"]),
    of("k_fused_f32", FLOAT, &["fma.rn.f32"]),
    of("k_fused_f64", FLOAT, &["fma.rn.f64"]),
    of("by_value", &["ld.local", "st.local", ".local", "ld.param"], &["ld.param", "ld.param", "ld.param"]),
    of(
        "k_atomic_exchange",
        &["atom", "fence", "ld.relaxed", "st.relaxed", "ld.acquire", "st.release"],
        &[
            "st.relaxed.sys.u32",
            "atom.acq_rel.sys.cas.b32",
            "fence.sc.sys",
            "atom.acquire.sys.cas.b32",
            "ld.relaxed.sys.u32",
            "atom.release.sys.cas.b32",
            "ld.relaxed.sys.u32",
        ],
    ),
    of(
        "k_atomic_i64",
        &["atom", "fence", "st.release", "ld.acquire"],
        &[
            "st.release.sys.u64",
            "fence.sc.sys",
            "atom.relaxed.sys.add.u64",
            "atom.acq_rel.sys.max.s64",
            "atom.acquire.sys.min.s64",
            "fence.sc.sys",
            "atom.acq_rel.sys.exch.b64",
            "fence.acq_rel.sys",
            "fence.sc.sys",
            "ld.acquire.sys.u64",
        ],
    ),
];

const fn of(
    kernel: &'static str,
    looked_at: &'static [&'static str],
    want: &'static [&'static str],
) -> Expected {
    Expected { kernel, looked_at, want }
}

/// The kernel of this back end has these instructions and no others of their kinds.
pub fn stands_in_ptx(expected: &Expected, target: Target) -> Outcome {
    judge(expected, kernels(target)?.body(expected.kernel))
}

fn judge(expected: &Expected, body: &str) -> Outcome {
    let found: Vec<&str> = opcodes(body).filter(|word| is_looked_at(expected, word)).collect();
    let same = found.len() == expected.want.len()
        && found.iter().zip(expected.want).all(|(found, want)| begins(found, want));
    if same {
        Ok(())
    } else {
        fail(format!("{}: {found:?} instead of {:?}:\n{body}", expected.kernel, expected.want))
    }
}

/// What one directive or instruction begins with, guards aside.
fn opcodes(body: &str) -> impl Iterator<Item = &str> {
    body.split(['\n', ';', '{', '}'])
        .filter_map(|part| part.split_whitespace().find(|word| !word.starts_with('@')))
}

fn is_looked_at(expected: &Expected, word: &str) -> bool {
    expected.looked_at.iter().any(|start| word.starts_with(start))
}

/// Is `want` the opcode, or its first words? Back ends differ in how they spell types of loads and stores.
fn begins(found: &str, want: &str) -> bool {
    found.strip_prefix(want).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

pub fn planted_faults_are_found() -> Outcome {
    let expected = of("planted", ORDER, &["st.global", "fence.sc.sys", "st.global"]);
    let right = "st.global.u32 [%rd1], 1;\n@%p1 fence.sc.sys;\nst.global.b32 [%rd1], 2;\nret;";
    judge(&expected, right)?;
    for (from, to) in [
        ("fence.sc.sys", "fence.sc.gpu"),
        ("fence.sc.sys", "fence.acq_rel.sys"),
        ("@%p1 fence.sc.sys;\n", ""),
        ("st.global.u32 [%rd1], 1;\n@%p1 fence.sc.sys;", "@%p1 fence.sc.sys;\nst.global.u32 [%rd1], 1;"),
        ("st.global.b32 [%rd1], 2;", ""),
        ("ret;", "membar.gl;"),
    ] {
        if judge(&expected, &right.replace(from, to)).is_ok() {
            return fail(format!("`{to}` in place of `{from}` went unnoticed"));
        }
    }
    Ok(())
}
