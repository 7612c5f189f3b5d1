//! The instructions and modifiers of PTX ISA 8.x that the parser accepts.
//!
//! The parser checks that each word is known; which modifiers an instruction takes together is for whoever
//! executes it. A word that is missing here is an error with line and column, so adding one is adding it here.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Opcodes.
const OPCODES: &str = "
    abs activemask add addc alloca and applypriority atom bar barrier bfe bfi bfind bmsk bra brev brkpt brx
    call clusterlaunchcontrol clz cnot copysign cos cp createpolicy cvt cvta discard div dp2a dp4a elect
    ex2 exit fence fma fns getctarank griddepcontrol isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24
    madc mapa match max mbarrier membar min mma mov movmatrix mul mul24 multimem nanosleep neg not or
    pmevent popc prefetch prefetchu prmt rcp red redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl
    shl shr sin slct sqrt st stackrestore stacksave stmatrix sub subc suld suq sured sust szext tanh
    tcgen05 tensormap testp tex tld4 trap txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4
    vmad vmax vmax2 vmax4 vmin vmin2 vmin4 vote vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wgmma wmma xor
";

/// Modifiers that are plain words.
const MODIFIERS: &str = "
    2dms a2dms acc::f16 acc::f32 addr_mode_0 addr_mode_1 addr_mode_2 cp_fenceproxy filter_mode
    force_unnormalized_coords hs ls memory_layout po
    128x128b 128x256b 16x128b 16x256b 16x32bx2 16x64b 1d 2d 32x128b 32x32b 3d 4d 4x256b 5d 64x128b L1
    L1::evict_first L1::evict_last L1::evict_normal L1::evict_unchanged L1::no_allocate L2 L2::128B
    L2::256B L2::64B L2::cache_hint L2::evict_first L2::evict_last L2::evict_normal L2::evict_unchanged MP NaN a a1d a2d abs
    acq_rel acquire acube add after_thread_sync alias aligned all alloc and any approx array_size arrive
    arrive_drop arrive_expect_tx ashift async async::generic async::global async::shared::cta b b1024 b128
    b4e b4x16 b4x16_p64 b6p2x16_p32 b6x16_p32 b8x16 ballot base before_thread_sync bfly block16 block32
    block_scale box_dim br bulk bulk_group byte_mask c ca cas cbsfx cc cg channel_data_type channel_order
    clamp cluster col collector::a::discard collector::a::fill collector::a::lastuse collector::a::use
    collector::b0::discard collector::b0::fill collector::b0::lastuse collector::b0::use
    collector::b1::discard collector::b1::fill collector::b1::lastuse collector::b1::use
    collector::b2::discard collector::b2::fill collector::b2::lastuse collector::b2::use
    collector::b3::discard collector::b3::fill collector::b3::lastuse collector::b3::use commit
    commit_group complete_tx complete_tx::bytes const cp cp_mask cs cta cta_group::1 cta_group::2 cube cv
    cvt d dealloc dec depth down ecl ecr element_stride elemtype eq equ exch exit expect_tx f4e fence
    fence::after_thread_sync fence::before_thread_sync fill_mode finite float_oob_fill_mode fractional ftz
    full g ge generic get_first_ctaid get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z geu gl
    global global_address global_dim global_stride gpu grad gt gtu h0 h1 height hi hs idx idxs ignore_oob
    im2col im2col::w im2col::w::128 im2col_no_offs inc infinite init interleave_layout inval is_a
    is_canceled kind::f16 kind::f8f6f4 kind::i8 kind::mxf4 kind::mxf4nvf4 kind::mxf8f6f4 kind::tf32 l
    launch_dependents ld ld_reduce le leu level level::eviction_priority lo load local ls lt ltu lu mask max
    mbarrier mbarrier::arrive::one mbarrier::complete_tx::bytes
    mbarrier::complete_tx::bytes::multicast::cluster mbarrier_init min mma mma_async mmio mul
    multicast::cluster multicast::cluster::all nan nc ne neu noComplete noftz noinc normal
    normalized_coords normals not notanumber num num_mipmap_levels num_samples number oob op_restrict or
    ordered_metadata p pack pack::16b param param::entry param::func parity pending_count popc prefetch
    proxy proxy::alias proxy::async proxy::async::generic proxy::async::global
    proxy::async::shared::cluster proxy::async::shared::cta proxy::tensormap proxy::tensormap::generic
    query_cancel r range rank rc16 rc8 read red reduce relaxed release relinquish_alloc_permit relu replace
    rm rmi rn rna rni row rp rpi rs rz rzi samplerref sat satfinite sc scale_vec::1X scale_vec::2X
    scale_vec::4X seq_cst shared shared::cluster shared::cta shift shiftamt shr15 shr7 sp
    sp::ordered_metadata ss st store subnormal surfref swizzle_atomicity swizzle_mode sx sync
    sync_restrict::shared::cluster sync_restrict::shared::cta sys tensor tensormap tensormap::generic
    test_wait tex texref tile tile::gather4 tile::scatter4 to trans transpose trap try_cancel try_wait uni
    unified unpack::16b up volatile w wait wait::ld wait::st wait_all wait_group warp warpx2::01_23
    warpx2::02_13 warpx4 wb weak wide width wrap ws wt x xor xorsign y z zero zfill
";

/// Element types that only instructions use.
const INSTRUCTION_TYPES: &str = "
    b1 b4 b6 bf16 bf16x2 e2m1 e2m1x2 e2m1x4 e2m3 e2m3x2 e2m3x4 e3m2 e3m2x2 e3m2x4 e4m3 e4m3x2 e4m3x4 e5m2
    e5m2x2 e5m2x4 f16 f16x2 f32x2 s16x2 s2 s2f6x2 s4 tf32 u16x2 u2 u32x2 u4 ue4m3 ue8m0 ue8m0x2
";

/// Special registers, PTX ISA 10; `%envreg` and `%pm` have numbered ones besides.
const SPECIAL_REGISTERS: &str = "
    %aggr_smem_size %clock %clock64 %clock_hi %cluster_ctaid %cluster_ctarank %cluster_nctaid %cluster_nctarank
    %clusterid %ctaid %current_graph_exec %dynamic_smem_size %globaltimer %globaltimer_hi %globaltimer_lo %gridid
    %is_explicit_cluster %laneid %lanemask_eq %lanemask_ge %lanemask_gt %lanemask_le %lanemask_lt %nclusterid
    %nctaid %nsmid %ntid %nwarpid %reserved_smem_offset_begin %reserved_smem_offset_cap %reserved_smem_offset_end
    %smid %tid %total_smem_size %warpid
";

static KNOWN_OPCODES: LazyLock<HashSet<&str>> = LazyLock::new(|| OPCODES.split_whitespace().collect());
static KNOWN_MODIFIERS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| MODIFIERS.split_whitespace().chain(INSTRUCTION_TYPES.split_whitespace()).collect());

static KNOWN_REGISTERS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| SPECIAL_REGISTERS.split_whitespace().collect());

/// Whether `name` is a special register, such as `%tid` or `%envreg3`.
#[must_use]
pub fn is_special_register(name: &str) -> bool {
    let numbered = |prefix: &str, suffix: &str, count: u32| {
        let number = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
        number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number < count)
    };
    KNOWN_REGISTERS.contains(name)
        || numbered("%envreg", "", 32)
        || numbered("%pm", "", 8)
        || numbered("%pm", "_64", 8)
        || numbered("%reserved_smem_offset_", "", 2)
}

/// Whether `word` is a PTX opcode.
#[must_use]
pub fn is_opcode(word: &str) -> bool {
    KNOWN_OPCODES.contains(word)
}

/// Whether `word` (no dot) is a modifier of PTX instructions: a word, a type, a vector width or a matrix shape.
#[must_use]
pub fn is_modifier(word: &str) -> bool {
    crate::ast::ScalarType::from_name(word).is_some()
        || KNOWN_MODIFIERS.contains(word)
        || is_counted(word)
        || is_shape(word)
}

/// `v2`, `x4`, `b0`: a letter and a small number.
fn is_counted(word: &str) -> bool {
    let Some((letter, count)) = word.split_at_checked(1) else { return false };
    match letter {
        "v" => matches!(count, "2" | "4" | "8"),
        "x" => matches!(count, "1" | "2" | "4" | "8" | "16" | "32" | "64" | "128"),
        "b" => matches!(count, "0" | "1" | "2" | "3"),
        _ => false,
    }
}

/// `m16n8k32`, `m8n8`: a matrix shape.
fn is_shape(word: &str) -> bool {
    let Some(rest) = word.strip_prefix('m') else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let Some((m, rest)) = rest.split_once('n') else { return false };
    match rest.split_once('k') {
        Some((n, k)) => is_number(m) && is_number(n) && is_number(k),
        None => is_number(m) && is_number(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modifiers_of_real_instructions_are_known() {
        let names = [
            "ld.global.nc.L1::no_allocate.L2::128B.v4.b32",
            "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32",
            "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8",
            "wgmma.fence.sync.aligned",
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes",
            "cp.async.ca.shared.global.L2::cache_hint",
            "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64",
            "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64",
            "ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16",
            "atom.add.release.gpu.global.u32",
            "fence.proxy.tensormap::generic.acquire.gpu",
            "shfl.sync.bfly.b32",
            "cvt.rn.satfinite.e4m3x2.f32",
            "setp.eq.and.f32",
            "barrier.cluster.arrive.relaxed.aligned",
            "createpolicy.fractional.L2::evict_last.b64",
            "match.any.sync.b32",
            "redux.sync.add.s32",
            "lop3.b32",
            "shfl.sync.idx.b32",
            "shf.l.wrap.b32",
            "brx.idx",
            "div.full.f32",
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta",
            "prmt.b32.f4e",
            "griddepcontrol.wait",
            "setmaxnreg.inc.sync.aligned.u32",
        ];
        for name in names {
            let mut words = name.split('.');
            assert!(words.next().is_some_and(is_opcode), "{name}");
            for word in words {
                assert!(is_modifier(word), "{word} of {name}");
            }
        }
    }

    #[test]
    fn other_words_are_not() {
        for word in ["foo", "v3", "m16", "mxnyk2", "b7", "f33", ""] {
            assert!(!is_modifier(word), "{word}");
        }
        assert!(!is_opcode("lde"));
    }

    #[test]
    fn special_registers() {
        for name in ["%tid", "%laneid", "%envreg31", "%pm7", "%pm0_64", "%clock64", "%reserved_smem_offset_1"]
        {
            assert!(is_special_register(name), "{name}");
        }
        for name in ["tid", "%tidx", "%envreg32", "%envreg1_64", "%pm8", "%r1", "%"] {
            assert!(!is_special_register(name), "{name}");
        }
    }
}
