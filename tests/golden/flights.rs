//! Programs of barrier objects, bulk and tensor copies and clusters, one for each form: written here, since they differ in an
//! instruction. The text is that of a file of programs (see `program.rs`).

#[path = "flights/tensors.rs"]
mod tensors;

use std::fmt::Write as _;

/// The family.
pub const FAMILY: &str = "flights";

/// What every program begins with: 64 threads (`%t`) of block `%rank`, their words of input and output (`%i`, `%o`), shared memory
/// at `%tile` and `%bar`, in `%n` the thread's word of it, in `%first` whether it is thread 0.
const START: &str = "    .shared .align 1024 .b8 tile[8192];
    .shared .align 8 .b64 bar[2];
    .reg .pred %first, %done;
    .reg .b16 %ranks;
    .reg .b32 %t, %x, %y, %tile, %bar, %n, %m, %rank, %other, %at, %far, %farbar, %far0, %c<5>;
    .reg .b64 %i, %o, %s, %r, %in, %out, %map, %gen, %fargen;
    ld.param.u64 %in, [input];
    ld.param.u64 %out, [output];
    mov.u32 %t, %tid.x;
    mov.u32 %rank, %ctaid.x;
    mad.lo.u32 %at, %rank, 64, %t;
    mad.wide.u32 %i, %at, 4, %in;
    mad.wide.u32 %o, %at, 4, %out;
    mov.u32 %tile, tile;
    mov.u32 %bar, bar;
    mad.lo.u32 %n, %t, 4, %tile;
    setp.eq.u32 %first, %t, 0;
";

/// All programs.
pub fn text() -> String {
    let mut text = String::from("// Barrier objects, bulk and tensor copies, clusters.\n\n");
    objects(&mut text);
    loads(&mut text);
    stores(&mut text);
    clusters(&mut text);
    tensors::all(&mut text);
    text
}

/// A program: its launch, its name, whether it has a map, its body behind [`START`].
fn program(text: &mut String, launch: &str, name: &str, body: &str) {
    let map = if launch.contains("map=") { ", .param .align 64 .b8 map[128]" } else { "" };
    let cluster = if launch.contains("cluster=2") { "\n.reqnctapercluster 2, 1, 1" } else { "" };
    let _ = writeln!(
        text,
        "// launch: {launch}\n.visible .entry {name}(.param .u64 input, .param .u64 output{map}){cluster}\n{{\n{START}{body}    ret;\n}}\n"
    );
}

/// A name of instruction words.
fn named(prefix: &str, words: &str) -> String {
    let words = words.replace("::", "_").replace(['.', ' '], "_");
    format!("{prefix}_{words}").trim_end_matches('_').to_owned()
}

const ONE: &str = "target=sm_90 grid=1,1,1 block=64,1,1 input=b32*64 output=256";

/// Threads hand their word to a neighbour.
fn handed(text: &mut String, name: &str, init: u32, arrive: &str, wait: &str) {
    let body = format!(
        "    @%first mbarrier.init.shared.b64 [%bar], {init};
    @%first fence.mbarrier_init.release.cluster;
    bar.sync 0;
    ld.global.b32 %x, [%i];
    st.shared.b32 [%n], %x;
    {arrive}
WAIT:
    {wait}
    @!%done bra WAIT;
    xor.b32 %m, %t, 1;
    mad.lo.u32 %m, %m, 4, %tile;
    ld.shared.b32 %x, [%m];
    st.global.b32 [%o], %x;
    bar.sync 0;
    @%first mbarrier.inval.shared.b64 [%bar];
"
    );
    program(text, ONE, name, &body);
}

fn objects(text: &mut String) {
    let state = "mbarrier.test_wait.shared.b64 %done, [%bar], %s;";
    let arrive = "mbarrier.arrive.shared.b64 %s, [%bar];";
    for (name, init, arrive) in [
        ("arrive", 64, arrive),
        ("arrive_count", 128, "mbarrier.arrive.shared.b64 %s, [%bar], 2;"),
        (
            "arrive_relaxed_then_fence",
            64,
            "fence.acq_rel.cta;\n    mbarrier.arrive.relaxed.cta.shared.b64 %s, [%bar];",
        ),
        (
            "arrive_no_complete",
            192,
            "mbarrier.arrive.noComplete.shared.b64 %r, [%bar], 2;\n    mbarrier.arrive.shared.b64 %s, [%bar];",
        ),
        ("arrive_drop", 64, "mbarrier.arrive_drop.shared.b64 %s, [%bar];"),
        (
            "arrive_drop_no_complete",
            128,
            "mbarrier.arrive_drop.noComplete.shared.b64 %r, [%bar], 1;\n    mbarrier.arrive.shared.b64 %s, [%bar];",
        ),
        (
            "expect_and_complete",
            64,
            "mbarrier.arrive.expect_tx.shared.b64 %s, [%bar], 8;\n    mbarrier.complete_tx.relaxed.cta.shared.b64 [%bar], 8;",
        ),
        (
            "expect_first",
            64,
            "mbarrier.expect_tx.relaxed.cta.shared.b64 [%bar], 4;\n    mbarrier.complete_tx.relaxed.cta.shared.b64 [%bar], 4;\n    mbarrier.arrive.shared.b64 %s, [%bar];",
        ),
    ] {
        handed(text, &named("object", name), init, arrive, state);
    }
    for (name, wait) in [
        ("test_wait_parity", "mbarrier.test_wait.parity.shared.b64 %done, [%bar], 0;"),
        ("try_wait", "mbarrier.try_wait.shared.b64 %done, [%bar], %s;"),
        ("try_wait_parity", "mbarrier.try_wait.parity.shared.b64 %done, [%bar], 0;"),
        ("try_wait_cluster", "mbarrier.try_wait.parity.acquire.cluster.shared.b64 %done, [%bar], 0;"),
    ] {
        handed(text, &named("object", name), 64, arrive, wait);
    }
    let pending = "    mbarrier.init.shared.b64 [%bar], 9;
    mbarrier.arrive.noComplete.shared.b64 %s, [%bar], 2;
    mbarrier.pending_count.b64 %x, %s;
    mbarrier.arrive_drop.shared.b64 %s, [%bar];
    mbarrier.pending_count.b64 %y, %s;
    st.global.v2.b32 [%o], {%x, %y};
    mbarrier.arrive.shared.b64 %s, [%bar], 6;
    mbarrier.arrive.shared.b64 %s, [%bar];
    mbarrier.pending_count.b64 %x, %s;
    mbarrier.test_wait.parity.shared.b64 %done, [%bar], 0;
    selp.b32 %y, 1, 0, %done;
    st.global.v2.b32 [%o+8], {%x, %y};
    mbarrier.test_wait.parity.shared.b64 %done, [%bar], 1;
    selp.b32 %x, 1, 0, %done;
    st.global.b32 [%o+16], %x;
";
    program(text, "target=sm_90 grid=1,1,1 block=1,1,1 input=b32*64 output=256", "object_states", pending);
    for arrive in ["cp.async.mbarrier.arrive.noinc.shared.b64", "cp.async.mbarrier.arrive.shared.b64"] {
        let also = if arrive.contains("noinc") { "" } else { "    mbarrier.arrive.shared.b64 %s, [%bar];\n" };
        let body = format!(
            "    @%first mbarrier.init.shared.b64 [%bar], 64;
    bar.sync 0;
    cp.async.ca.shared.global [%n], [%i], 4;
    {arrive} [%bar];
{also}WAIT:
    mbarrier.try_wait.parity.shared.b64 %done, [%bar], 0;
    @!%done bra WAIT;
    xor.b32 %m, %t, 33;
    mad.lo.u32 %m, %m, 4, %tile;
    ld.shared.b32 %x, [%m];
    st.global.b32 [%o], %x;
"
        );
        program(text, ONE, &named("object", arrive), &body);
    }
}

/// Waits for the first phase.
const WAIT: &str = "WAIT:
    mbarrier.try_wait.parity.shared.b64 %done, [%bar], 0;
    @!%done bra WAIT;
";

fn loads(text: &mut String) {
    let load = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
    for (hint, tail) in [("", ""), (".L2::cache_hint", ", %s")] {
        let body = format!(
            "    createpolicy.fractional.L2::evict_first.b64 %s, 1.0;
    @%first mbarrier.init.shared.b64 [%bar], 1;
    bar.sync 0;
    @%first cp.async.bulk.prefetch.L2.global [%in], 256;
    @%first mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 256;
    @%first {load}{hint} [%tile], [%in], 256, [%bar]{tail};
{WAIT}    ld.shared.b32 %x, [%n];
    st.global.b32 [%o], %x;
"
        );
        program(text, ONE, &named("load", hint.trim_start_matches('.')), &body);
    }
    for (hint, tail) in [("", ""), (".L2::cache_hint", ", %s")] {
        let body = format!(
            "    createpolicy.fractional.L2::evict_last.b64 %s, 1.0;
    @%first mbarrier.init.shared.b64 [%bar], 1;
    @%first mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 256;
    @%first fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    mad.lo.u32 %m, %rank, 128, %tile;
    mad.wide.u32 %r, %rank, 128, %in;
    mov.b16 %ranks, 3;
    @%first {load}.multicast::cluster{hint} [%m], [%r], 128, [%bar], %ranks{tail};
{WAIT}    ld.shared.b32 %x, [%n];
    st.global.b32 [%o], %x;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
"
        );
        program(
            text,
            &TWO.replace("sm_90", "sm_90a"),
            &named("multicast", hint.trim_start_matches('.')),
            &body,
        );
    }
}

/// The operations of reducing copies to global memory.
pub const REDUCTIONS: [&str; 31] = [
    "add.u32",
    "add.s32",
    "add.u64",
    "add.f32",
    "add.f64",
    "add.noftz.f16",
    "add.noftz.bf16",
    "min.u32",
    "min.s32",
    "min.u64",
    "min.s64",
    "min.f16",
    "min.bf16",
    "max.u32",
    "max.s32",
    "max.u64",
    "max.s64",
    "max.f16",
    "max.bf16",
    "inc.u32",
    "dec.u32",
    "and.b32",
    "and.b64",
    "or.b32",
    "or.b64",
    "xor.b32",
    "xor.b64",
    "",
    "L2::cache_hint",
    "read",
    "proxy",
];

fn stores(text: &mut String) {
    for op in REDUCTIONS {
        let name = "cp.async.bulk.global.shared::cta.bulk_group";
        let (copy, tail, between) = match op {
            "" => (name.to_owned(), "", String::new()),
            "L2::cache_hint" => (format!("{name}.{op}"), ", %s", String::new()),
            "read" => (name.to_owned(), "", "    @%first cp.async.bulk.wait_group.read 0;\n    bar.sync 0;\n    st.shared.b32 [%n], %t;\n".to_owned()),
            "proxy" => (name.to_owned(), "", "    fence.proxy.async.global;\n    fence.proxy.async.shared::cluster;\n".to_owned()),
            op => (format!("cp.reduce.async.bulk.global.shared::cta.bulk_group.{op}"), "", String::new()),
        };
        // The operands are the input; what they are combined with is the same in another order.
        let body = format!(
            "    createpolicy.fractional.L2::evict_first.b64 %s, 1.0;
    ld.global.b32 %x, [%i];
    st.shared.b32 [%n], %x;
    xor.b32 %m, %t, 6;
    mad.wide.u32 %r, %m, 4, %in;
    ld.global.b32 %y, [%r];
    st.global.b32 [%o], %y;
    fence.proxy.async;
    bar.sync 0;
    @%first {copy} [%out], [%tile], 256{tail};
    @%first cp.async.bulk.commit_group;
{between}    @%first cp.async.bulk.wait_group 0;
"
        );
        program(text, &one_of(op), &named("store", op), &body);
    }
}

/// The launch, with inputs of the operation's type.
fn one_of(op: &str) -> String {
    let ty = op.rsplit('.').next().filter(|ty| op.contains('.') && !ty.is_empty()).unwrap_or("b32");
    let count = match ty {
        "u64" | "s64" | "b64" | "f64" => 32,
        "f16" | "bf16" => 128,
        _ => 64,
    };
    format!("target=sm_90 grid=1,1,1 block=64,1,1 input={ty}*{count} output=256")
}

const TWO: &str = "target=sm_90 grid=2,1,1 block=64,1,1 cluster=2,1,1 input=b32*128 output=512";

/// What programs of clusters begin with: own words, an object that expects `bytes`, the other block's addresses.
fn cluster_start(bytes: u32) -> String {
    format!(
        "    xor.b32 %other, %rank, 1;
    mapa.shared::cluster.u32 %far, %n, %other;
    mapa.shared::cluster.u32 %far0, %tile, %other;
    mapa.shared::cluster.u32 %farbar, %bar, %other;
    ld.global.b32 %x, [%i];
    st.shared.b32 [%n+512], %x;
    xor.b32 %y, %at, 5;
    mad.wide.u32 %r, %y, 4, %in;
    ld.global.b32 %y, [%r];
    st.shared.b32 [%n], %y;
    @%first mbarrier.init.shared.b64 [%bar], 1;
    @%first mbarrier.arrive.expect_tx.shared.b64 _, [%bar], {bytes};
    @%first fence.mbarrier_init.release.cluster;
    fence.proxy.async;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
"
    )
}

const CLUSTER_END: &str = "    ld.shared.b32 %x, [%n];
    st.global.b32 [%o], %x;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
";

fn clusters(text: &mut String) {
    let told = "shared::cluster.mbarrier::complete_tx::bytes";
    for op in [
        "add.u32", "min.u32", "max.u32", "min.s32", "max.s32", "inc.u32", "dec.u32", "and.b32", "or.b32",
        "xor.b32", "add.s32",
    ] {
        let send = format!("red.async.relaxed.cluster.{told}.{op} [%far], %x, [%farbar];");
        let body = format!("{}    {send}\n{WAIT}{CLUSTER_END}", cluster_start(256));
        program(text, TWO, &named("red_async", op), &body);
        let send = format!(
            "@%first cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{op} [%far0], [%tile+512], 256, [%farbar];"
        );
        let body = format!("{}    {send}\n{WAIT}{CLUSTER_END}", cluster_start(256));
        program(text, TWO, &named("sent", op), &body);
    }
    for send in [
        "@%first cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%far0], [%tile+512], 256, [%farbar];",
        "@%first cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64 [%far0], [%tile+512], 256, [%farbar];",
    ] {
        let name = if send.contains("reduce") { "sent_add_u64" } else { "sent" };
        program(text, TWO, name, &format!("{}    {send}\n{WAIT}{CLUSTER_END}", cluster_start(256)));
    }
    for ty in ["b32", "u32", "f32"] {
        let send = if ty == "f32" { "    .reg .f32 %f;\n    mov.b32 %f, %x;\n" } else { "" };
        let value = if ty == "f32" { "%f" } else { "%x" };
        let body = format!(
            "{}{send}    st.async.{told}.{ty} [%far], {value}, [%farbar];\n{WAIT}{CLUSTER_END}",
            cluster_start(256)
        );
        program(text, TWO, &named("st_async", ty), &body);
    }
    let wide = format!(
        "{}    mad.lo.u32 %far, %t, 4, %far;\n    mov.b64 %s, {{%x, %y}};\n    st.async.{told}.u64 [%far], %s, [%farbar];\n{WAIT}{CLUSTER_END}",
        cluster_start(512)
    );
    program(text, TWO, "st_async_u64", &wide);
    let words = format!(
        "    mul.lo.u32 %m, %t, 16;\n    {}    add.u32 %far, %far0, %m;\n    st.async.weak.{told}.v4.b32 [%far+1024], {{%x, %y, %t, %at}}, [%farbar];\n{WAIT}    add.u32 %m, %tile, %m;\n    ld.shared.b32 %x, [%m+1028];\n    st.global.b32 [%o], %x;\n    barrier.cluster.arrive.aligned;\n    barrier.cluster.wait.aligned;\n",
        cluster_start(1024).trim_start()
    );
    program(text, TWO, "st_async_v4", &words);
    reached(text);
}

/// Loads, stores and atomics of another block's memory, and arrivals at its object.
fn reached(text: &mut String) {
    let meet = "    barrier.cluster.arrive.aligned;\n    barrier.cluster.wait.aligned;\n";
    let generic = "    cvta.shared.u64 %gen, %s;\n    mapa.u64 %fargen, %gen, %other;\n";
    for (name, body) in [
        ("load", "    ld.shared::cluster.b32 %x, [%far+512];\n".to_owned()),
        ("load_wide", "    and.b32 %m, %t, 62;\n    mad.lo.u32 %m, %m, 4, %far0;\n    ld.shared::cluster.b64 %s, [%m+512];\n    mov.b64 {%x, %y}, %s;\n    xor.b32 %x, %x, %y;\n".to_owned()),
        ("store", format!("    st.shared::cluster.b32 [%far], %x;\n{meet}    ld.shared.b32 %x, [%n];\n")),
        ("store_wide", format!("    mad.lo.u32 %m, %t, 8, %far0;\n    mov.b64 %s, {{%x, %y}};\n    st.shared::cluster.b64 [%m+1024], %s;\n{meet}    mad.lo.u32 %m, %t, 8, %tile;\n    ld.shared.b32 %x, [%m+1028];\n")),
        ("add", format!("    red.shared::cluster.add.u32 [%far0], %x;\n{meet}    ld.shared.b32 %x, [%tile];\n")),
        ("generic", format!("    cvt.u64.u32 %s, %n;\n{generic}    ld.b32 %x, [%fargen+512];\n    getctarank.u64 %y, %fargen;\n    add.u32 %x, %x, %y;\n    isspacep.shared::cluster %done, %fargen;\n    @%done add.u32 %x, %x, 16;\n    isspacep.shared::cta %done, %fargen;\n    @%done add.u32 %x, %x, 64;\n    getctarank.shared::cluster.u32 %y, %far;\n    add.u32 %x, %x, %y;\n")),
    ] {
        let body = format!("{}{body}    st.global.b32 [%o], %x;\n{meet}", cluster_start(0));
        program(text, TWO, &named("distant", name), &body);
    }
    for arrive in [
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%farbar+8];",
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%farbar+8], 1;",
        "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%farbar+8], 0;",
    ] {
        let words = arrive.split(' ').next().unwrap_or_default();
        let name =
            named("distant", &format!("{words}{}", if arrive.contains(", 1;") { "_count" } else { "" }));
        let body = format!(
            "    @%first mbarrier.init.shared.b64 [%bar+8], 64;
{}    st.shared::cluster.b32 [%far], %x;
    {arrive}
WAIT:
    mbarrier.try_wait.parity.acquire.cluster.shared.b64 %done, [%bar+8], 0;
    @!%done bra WAIT;
{CLUSTER_END}",
            cluster_start(0)
        );
        program(text, TWO, &name, &body);
    }
    let body = format!(
        "    @%first mbarrier.init.shared.b64 [%bar+8], 64;
{}    mbarrier.arrive.shared::cluster.b64 _, [%farbar+8];
WAIT:
    mbarrier.try_wait.parity.shared.b64 %done, [%bar+8], 0;
    @!%done bra WAIT;
    st.global.b32 [%o], %x;
{meet}",
        cluster_start(0)
    );
    program(text, TWO, "distant_arrive_of_a_block", &body);
    let relaxed = "    barrier.cluster.arrive.relaxed;\n    barrier.cluster.wait;\n    mov.u32 %x, 1;\n    .reg .pred %chosen;\n    elect.sync _|%chosen, -1;\n    @%chosen add.u32 %x, %x, 1;\n    griddepcontrol.launch_dependents;\n    griddepcontrol.wait;\n    bar.warp.sync -1;\n    redux.sync.add.u32 %x, %x, -1;\n    st.global.b32 [%o], %x;\n";
    program(text, TWO, "controls", relaxed);
    registers(text);
}

/// A warpgroup takes the registers that another one gives back: what a block has is what it was launched with, and more than
/// that is waited for without end.
fn registers(text: &mut String) {
    let body = "    .reg .pred %gives;
    setp.lt.u32 %gives, %t, 128;
    @!%gives bra TAKES;
    setmaxnreg.dec.sync.aligned.u32 40;
    bra DONE;
TAKES:
    setmaxnreg.inc.sync.aligned.u32 216;
DONE:
    st.global.b32 [%o], %t;
";
    let launch = "target=sm_90a grid=1,1,1 block=256,1,1 input=b32*256 output=1024";
    let mut one = String::new();
    program(&mut one, launch, "setmaxnreg", body);
    // ptxas takes it with a limit on registers alone.
    text.push_str(&one.replace("output)\n{", "output)\n.maxntid 256, 1, 1\n.maxnreg 128\n{"));
}
