//! The PTX of a program: the tiles to shared memory, the accumulators to registers, one instruction, the results out.

use std::fmt::Write as _;

use super::values::{layouts, second_tile, tile_bytes};
use super::{Place, Spec, Types};
use crate::program::ENTRY;

/// The text of a program.
pub fn of(spec: &Spec) -> String {
    let mut text = String::from(".version 8.6\n.target sm_90a\n.address_size 64\n\n");
    let mut line = |text_of_line: &str| {
        let _ = writeln!(text, "{text_of_line}");
    };
    let (bytes, registers) = (tile_bytes(spec), spec.n / 2);
    line(&format!(".visible .entry {ENTRY}(.param .u64 input, .param .u64 output)\n{{"));
    line(&format!("    .shared .align 1024 .b8 tile[{bytes}];"));
    line("    .reg .pred %end, %adds;\n    .reg .b32 %thread, %at, %tile, %sum, %x<4>, %a<4>;");
    line(&format!("    .reg .b32 %d<{registers}>;\n    .reg .b64 %in, %out, %from, %da, %db;"));
    line("    ld.param.u64 %in, [input];\n    ld.param.u64 %out, [output];");
    line("    cvta.to.global.u64 %in, %in;\n    cvta.to.global.u64 %out, %out;");
    line("    mov.u32 %thread, %tid.x;\n    shl.b32 %at, %thread, 4;\n    mov.u32 %tile, tile;");
    line(&format!("COPY:\n    setp.ge.u32 %end, %at, {bytes};\n    @%end bra COPIED;"));
    line("    cvt.u64.u32 %from, %at;\n    add.u64 %from, %from, %in;\n    add.u32 %x0, %at, %tile;");
    line("    { .reg .b32 %v<4>;\n    ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%from];");
    line("    st.shared.v4.b32 [%x0], {%v0, %v1, %v2, %v3}; }");
    line("    add.u32 %at, %at, 2048;\n    bra COPY;\nCOPIED:");
    line("    fence.proxy.async.shared::cta;\n    bar.sync 0;");
    line(&format!("    mad.wide.u32 %from, %thread, {}, %in;", 4 * registers));
    for first in (0..registers).step_by(4) {
        let place = bytes + 4 * first;
        line(&format!("    ld.global.v4.b32 {{{}}}, [%from+{place}];", list("d", first..first + 4)));
    }
    if spec.a.is_none() {
        let place = bytes + 4 * 128 * registers;
        line("    mad.wide.u32 %from, %thread, 16, %in;");
        line(&format!("    ld.global.v4.b32 {{{}}}, [%from+{place}];", list("a", 0..4)));
    }
    line("    mov.u64 %da, tile;\n    shr.u64 %da, %da, 4;");
    let (a, b) = layouts(spec);
    line(&format!("    add.u64 %db, %da, {:#x};", descriptor(spec, b, spec.b, second_tile(spec))));
    if let (Some(layout), Some(place)) = (a, spec.a) {
        line(&format!("    add.u64 %da, %da, {:#x};", descriptor(spec, layout, place, 0)));
    }
    line(&format!("    setp.eq.u32 %adds, %tile, {};", if spec.adds { "%tile" } else { "0xffffffff" }));
    line("    wgmma.fence.sync.aligned;");
    line(&format!("    {};", instruction(spec)));
    line("    wgmma.commit_group.sync.aligned;\n    wgmma.wait_group.sync.aligned 0;");
    line(&results(spec));
    line("    ret;\n}");
    text
}

/// `%r0, %r1, …`
fn list(name: &str, range: std::ops::Range<usize>) -> String {
    range.map(|i| format!("%{name}{i}")).collect::<Vec<_>>().join(", ")
}

/// What is added to the address of the tiles, in 16 bytes, to make a descriptor.
fn descriptor(spec: &Spec, layout: gpu_std::swizzle::TileLayout, place: Place, start: usize) -> u64 {
    let part = layout.part(0, place.step * spec.types.depth());
    layout.descriptor(0).advance(start + part).to_bits()
}

fn instruction(spec: &Spec) -> String {
    let (n, types) = (spec.n, spec.types.words());
    let (k, sums) = if spec.types.bytes() == 1 { (32, "s32") } else { (16, "f32") };
    let a = if spec.a.is_some() { "%da".to_owned() } else { format!("{{{}}}", list("a", 0..4)) };
    let mut tail = String::new();
    if !matches!(spec.types, Types::Integers(..)) {
        for negated in spec.negated {
            tail.push_str(if negated { ", -1" } else { ", 1" });
        }
        for place in spec.a.iter().chain([&spec.b]) {
            let _ = write!(tail, ", {}", u8::from(place.mn_major));
        }
    }
    let d = list("d", 0..n / 2);
    format!("wgmma.mma_async.sync.aligned.m64n{n}k{k}.{sums}.{types} {{{d}}}, {a}, %db, %adds{tail}")
}

fn results(spec: &Spec) -> String {
    let registers = spec.n / 2;
    let mut text = String::new();
    if spec.folded {
        text.push_str("    mov.u32 %sum, 0;\n");
        for i in 0..registers {
            let _ = writeln!(text, "    mad.lo.u32 %sum, %d{i}, {}, %sum;", 2 * i + 1);
        }
        text.push_str("    mad.wide.u32 %out, %thread, 4, %out;\n    st.global.b32 [%out], %sum;");
        return text;
    }
    let _ = write!(text, "    mad.wide.u32 %out, %thread, {}, %out;", 4 * registers);
    for first in (0..registers).step_by(4) {
        let _ =
            write!(text, "\n    st.global.v4.b32 [%out+{}], {{{}}};", 4 * first, list("d", first..first + 4));
    }
    text
}
