//! Tests of the mutation check itself: what it plants, and that it can tell.

use std::collections::BTreeSet;

use host::ops;
use ptx_parse::Module;

use crate::checks;
use crate::harness::{Outcome, Stop, Test, expect_eq, fail};
use crate::judge::{Suite, Verdict};
use crate::mutant::{self, Mutant};
use crate::subject;
use crate::survivors::matches;

/// The tests of this file.
pub fn tests() -> Vec<Test> {
    vec![
        Test::new("planted::every_kind_of_instruction_is_changed", every_kind_of_instruction_is_changed),
        Test::new("planted::every_tensor_instruction_is_changed", every_tensor_instruction_is_changed),
        Test::new("planted::mutants_print_as_ptx_and_differ", mutants_print_as_ptx_and_differ),
        Test::new("planted::a_sum_for_a_product_is_killed", a_sum_for_a_product_is_killed),
        Test::new("planted::a_change_that_changes_nothing_survives", a_change_that_changes_nothing_survives),
        Test::new("planted::patterns_fit_what_they_say", patterns_fit_what_they_say),
    ]
}

const KERNEL: &str = "
.version 7.8 .target sm_90 .address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1) {
  .reg .pred %p<3>; .reg .b16 %rs<3>; .reg .b32 %r<12>; .reg .b64 %rd<5>;
  .shared .align 4 .b8 tile[512];
  ld.param.b64 %rd1, [k_param_0];
  mov.u32 %r1, %tid.x;
  cvt.u64.u32 %rd2, %r1;
  shl.b64 %rd3, %rd2, 2;
  add.s64 %rd4, %rd1, %rd3;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra $L1;
  ret;
$L1:
  ld.global.v2.b32 {%r2, %r3}, [%rd4];
  mul.rn.f32 %r4, %r2, %r3;
  fma.rn.f32 %r5, %r4, %r3, %r2;
  min.u32 %r6, %r5, %r4;
  selp.b32 %r7, %r6, %r5, %p1;
  mad.lo.s32 %r8, %r7, %r6, %r5;
  st.shared.b32 [tile], %r8;
  bar.sync 0;
  shfl.sync.bfly.b32 %r9, %r8, 1, 31, -1;
  membar.gl;
  st.global.b32 [%rd4+4], %r9;
  ret;
}";

/// Barrier objects, tensor copies, tensor cores.
const TENSOR_KERNEL: &str = "
.version 8.6 .target sm_90a .address_size 64
.visible .entry k(.param .align 64 .b8 k_param_0[128]) {
  .reg .pred %p<3>; .reg .b16 %rs<3>; .reg .b32 %r<20>; .reg .b64 %rd<8>;
  mbarrier.init.shared.b64 [%r1], 1;
  fence.mbarrier_init.release.cluster;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r1], %r2;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], [%rd2, {%r4, %r5}], [%r1];
  mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r6;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r7, %r8, %r9, %r10}, %rd3, %rd4, %p2;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%r7, %r8, %r9, %r10}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r7, %r8, %r9, %r10};
  mapa.shared::cluster.u32 %r11, %r1, %r12;
  mbarrier.arrive.shared::cluster.b64 _, [%r11];
  stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%rd5], {%r7, %r8, %r9, %r10};
  fence.proxy.async.shared::cta;
  cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd2, {%r4, %r5}], [%r3];
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group.read 2;
  ret;
}";

fn kernel() -> Result<Module, Stop> {
    Ok(ptx_parse::parse(KERNEL)?)
}

fn tensor_kernel() -> Result<Module, Stop> {
    Ok(ptx_parse::parse(TENSOR_KERNEL)?)
}

/// Fails unless the mutants of the kernel `k` have different names, and all of `wanted` are among them.
fn expect_mutants(module: &Module, wanted: &[&str]) -> Outcome {
    let mutants = mutant::of(module, "k");
    let names: BTreeSet<&str> = mutants.iter().map(|mutant| mutant.name.as_str()).collect();
    expect_eq("mutants of one name", &names.len(), &mutants.len())?;
    let missing: Vec<&&str> = wanted.iter().filter(|name| !names.contains(*name)).collect();
    if missing.is_empty() { Ok(()) } else { fail(format!("not made: {missing:?}; made: {names:?}")) }
}

fn every_kind_of_instruction_is_changed() -> Outcome {
    let wanted = [
        "k:ld.param.b64#1:parameter",
        "k:mov.u32#1:special%tid.y",
        "k:mov.u32#1:special%ctaid.x",
        "k:cvt.u64.u32#1:signedness",
        "k:shl.b64#1:shr",
        "k:shl.b64#1:constant2+1",
        "k:add.s64#1:sub",
        "k:setp.lt.u32#1:compare.le",
        "k:setp.lt.u32#1:compare.gt",
        "k:bra#1:guard-negated",
        "k:bra#1:guard-dropped",
        "k:bra#1:removed",
        "k:ld.global.v2.b32#1:vector-swapped0",
        "k:ld.global.v2.b32#1:offset-4",
        "k:ld.global.v2.b32#1:nc",
        "k:mul.rn.f32#1:add",
        "k:mul.rn.f32#1:rounding.rz",
        "k:fma.rn.f32#1:mul",
        "k:fma.rn.f32#1:addend-other",
        "k:min.u32#1:max",
        "k:selp.b32#1:swapped",
        "k:mad.lo.s32#1:mul",
        "k:st.shared.b32#1:removed",
        "k:bar.sync#1:removed",
        "k:shfl.sync.bfly.b32#1:constant2-1",
        "k:shfl.sync.bfly.b32#1:shfl.down",
        "k:membar.gl#1:removed",
        "k:st.global.b32#1:stored-other",
        "k:st.global.b32#1:offset+4",
        "k:st.global.b32#1:narrower",
    ];
    expect_mutants(&kernel()?, &wanted)
}

fn every_tensor_instruction_is_changed() -> Outcome {
    let load = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes#1";
    let store = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group#1";
    let product = "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8#1";
    let matrix = "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16#1";
    let of_kernel = |(instruction, change): (&str, &str)| format!("k:{instruction}:{change}");
    let wanted = [
        ("mbarrier.init.shared.b64#1", "removed"),
        ("mbarrier.init.shared.b64#1", "constant1+1"),
        ("fence.mbarrier_init.release.cluster#1", "removed"),
        ("barrier.cluster.arrive#1", "removed"),
        ("barrier.cluster.wait#1", "removed"),
        ("mbarrier.arrive.expect_tx.shared.b64#1", "removed"),
        ("mbarrier.arrive.expect_tx.shared.b64#1", "no-bytes"),
        (load, "removed"),
        (load, "coordinates-swapped"),
        ("mbarrier.try_wait.parity.shared.b64#1", "parity0"),
        ("mbarrier.try_wait.parity.shared.b64#1", "parity1"),
        ("wgmma.fence.sync.aligned#1", "removed"),
        (product, "removed"),
        (product, "swapped"),
        (product, "signedness"),
        (product, "vector-swapped0"),
        ("wgmma.commit_group.sync.aligned#1", "removed"),
        ("wgmma.wait_group.sync.aligned#1", "removed"),
        ("wgmma.wait_group.sync.aligned#1", "constant0+1"),
        ("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32#1", "signedness"),
        ("mapa.shared::cluster.u32#1", "rank0"),
        ("mbarrier.arrive.shared::cluster.b64#1", "removed"),
        (matrix, "removed"),
        (matrix, "not-trans"),
        ("fence.proxy.async.shared::cta#1", "removed"),
        (store, "removed"),
        (store, "coordinates-swapped"),
        ("cp.async.bulk.commit_group#1", "removed"),
        ("cp.async.bulk.wait_group.read#1", "removed"),
        ("cp.async.bulk.wait_group.read#1", "constant0+1"),
    ];
    let wanted = wanted.map(of_kernel);
    expect_mutants(&tensor_kernel()?, &wanted.each_ref().map(String::as_str))
}

fn mutants_print_as_ptx_and_differ() -> Outcome {
    for module in [kernel()?, tensor_kernel()?] {
        let text = module.to_string();
        for mutant in mutant::of(&module, "k") {
            let Some(changed) = mutant.apply(&module) else {
                return fail(format!("not made: {}", mutant.name));
            };
            let printed = changed.to_string();
            if printed == text {
                return fail(format!("nothing changed: {}", mutant.name));
            }
            ptx_parse::parse(&printed)?;
        }
    }
    Ok(())
}

/// The verdict on the first mutant of `hadamard_f32` for which `is` holds.
fn verdict(is: impl Fn(&Mutant) -> bool) -> Result<Verdict, Stop> {
    let sim = subject::simulator()?;
    let Some(op) = ops::all().into_iter().find(|op| op.name() == "hadamard") else {
        return fail("no hadamard");
    };
    let (family, entry) = (op.family(), "hadamard_f32");
    let module = subject::module(&sim, family)?;
    let checks = checks::all(false).into_iter().filter(|check| check.name == "hadamard_f32::n_257").collect();
    let suite = Suite::new(&sim, family, &module, BTreeSet::from([entry.to_owned()]), checks)?;
    match mutant::of(&module, entry).into_iter().find(is) {
        Some(mutant) => Ok(suite.judge(&module, &mutant)),
        None => fail("there is no such mutant"),
    }
}

fn a_sum_for_a_product_is_killed() -> Outcome {
    match verdict(|mutant| mutant.name == "hadamard_f32:mul.rn.f32#1:add")? {
        Verdict::Killed(check, _) => expect_eq("killed by", &check.as_str(), &"hadamard_f32::n_257"),
        other => fail(format!("{other:?}")),
    }
}

/// A thread number is the same as a signed and as an unsigned one.
fn a_change_that_changes_nothing_survives() -> Outcome {
    expect_eq("verdict", &verdict(|mutant| mutant.operator == "signedness")?, &Verdict::Survived)
}

fn patterns_fit_what_they_say() -> Outcome {
    for (pattern, name, want) in [
        ("k:add#1:sub", "k:add#1:sub", true),
        ("k:add#1:sub", "k:add#11:sub", false),
        ("k_*:cvt*#*:signedness", "k_rows_f32:cvt.u64.u32#3:signedness", true),
        ("k_*:cvt*#*:signedness", "k_rows_f32:cvt.u64.u32#3:removed", false),
        ("*", "", true),
        ("*_any:*#4:removed", "k_any:mov.u32#14:removed", false),
        ("*_any:*#4:removed", "k_any:mov.u32#4:removed#4:removed", true),
        ("k*k", "k", false),
    ] {
        expect_eq(&format!("{pattern} on {name}"), &matches(pattern, name), &want)?;
    }
    Ok(())
}
