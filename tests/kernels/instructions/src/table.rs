// The other wrappers: memory, barriers, control. One row per wrapper, or per variant of one (`wrapper__variant`):
// `[@ "architecture"] name(parameters) [-> result] = call => "what its PTX must contain" [* how often, else once], …;`
wrappers! {
    // block
    bar_sync() = block::bar_sync() => "bar.sync";
    barrier_sync(id: u32, count: u32) = block::barrier_sync(id, count) => "barrier.sync";
    barrier_arrive(id: u32, count: u32) = block::barrier_arrive(id, count) => "barrier.arrive";
    bar_sync_id(id: u32, count: u32) = block::bar_sync_id(id, count) => "bar.sync";
    bar_arrive(id: u32, count: u32) = block::bar_arrive(id, count) => "bar.arrive";
    @ "sm_90" barrier_cluster_arrive() = block::barrier_cluster_arrive() => "barrier.cluster.arrive";
    @ "sm_90" barrier_cluster_wait() = block::barrier_cluster_wait() => "barrier.cluster.wait";

    // atomic
    atom_add(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.u32";
    red_add(p: *mut u32, x: u32)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.u32";
    atom_add__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.s32";
    red_add__i32(p: *mut i32, x: i32)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.s32";
    atom_add__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.u64";
    red_add__u64(p: *mut u64, x: u64)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.u64";
    atom_add__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.u64";
    red_add__i64(p: *mut i64, x: i64)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.u64";
    atom_add__f32(p: *mut f32, x: f32) -> f32
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.f32";
    red_add__f32(p: *mut f32, x: f32)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.f32";
    atom_add__f64(p: *mut f64, x: f64) -> f64
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.f64";
    red_add__f64(p: *mut f64, x: f64)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.f64";
    atom_add__f16(p: *mut f16, x: f16) -> f16
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.noftz.f16";
    red_add__f16(p: *mut f16, x: f16)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.noftz.f16";
    atom_add__f16x2(p: *mut f16x2, x: f16x2) -> f16x2
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.noftz.f16x2";
    red_add__f16x2(p: *mut f16x2, x: f16x2)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.noftz.f16x2";
    @ "sm_90" atom_add__bf16(p: *mut bf16, x: bf16) -> bf16
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.noftz.bf16";
    @ "sm_90" red_add__bf16(p: *mut bf16, x: bf16)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.noftz.bf16";
    @ "sm_90" atom_add__bf16x2(p: *mut bf16x2, x: bf16x2) -> bf16x2
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.noftz.bf16x2";
    @ "sm_90" red_add__bf16x2(p: *mut bf16x2, x: bf16x2)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.noftz.bf16x2";
    atom_min(p: *mut u32, x: u32) -> u32
        = atomic::atom_min(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.min.u32";
    red_min(p: *mut u32, x: u32)
        = atomic::red_min(p, x, Release, Cta, Shared) => "red.release.cta.shared.min.u32";
    atom_min__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_min(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.min.s32";
    red_min__i32(p: *mut i32, x: i32)
        = atomic::red_min(p, x, Release, Cta, Shared) => "red.release.cta.shared.min.s32";
    atom_min__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_min(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.min.u64";
    red_min__u64(p: *mut u64, x: u64)
        = atomic::red_min(p, x, Release, Cta, Shared) => "red.release.cta.shared.min.u64";
    atom_min__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_min(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.min.s64";
    red_min__i64(p: *mut i64, x: i64)
        = atomic::red_min(p, x, Release, Cta, Shared) => "red.release.cta.shared.min.s64";
    atom_max(p: *mut u32, x: u32) -> u32
        = atomic::atom_max(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.max.u32";
    red_max(p: *mut u32, x: u32)
        = atomic::red_max(p, x, Release, Cta, Shared) => "red.release.cta.shared.max.u32";
    atom_max__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_max(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.max.s32";
    red_max__i32(p: *mut i32, x: i32)
        = atomic::red_max(p, x, Release, Cta, Shared) => "red.release.cta.shared.max.s32";
    atom_max__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_max(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.max.u64";
    red_max__u64(p: *mut u64, x: u64)
        = atomic::red_max(p, x, Release, Cta, Shared) => "red.release.cta.shared.max.u64";
    atom_max__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_max(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.max.s64";
    red_max__i64(p: *mut i64, x: i64)
        = atomic::red_max(p, x, Release, Cta, Shared) => "red.release.cta.shared.max.s64";
    atom_and(p: *mut u32, x: u32) -> u32
        = atomic::atom_and(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.and.b32";
    red_and(p: *mut u32, x: u32)
        = atomic::red_and(p, x, Release, Cta, Shared) => "red.release.cta.shared.and.b32";
    atom_and__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_and(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.and.b32";
    red_and__i32(p: *mut i32, x: i32)
        = atomic::red_and(p, x, Release, Cta, Shared) => "red.release.cta.shared.and.b32";
    atom_and__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_and(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.and.b64";
    red_and__u64(p: *mut u64, x: u64)
        = atomic::red_and(p, x, Release, Cta, Shared) => "red.release.cta.shared.and.b64";
    atom_and__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_and(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.and.b64";
    red_and__i64(p: *mut i64, x: i64)
        = atomic::red_and(p, x, Release, Cta, Shared) => "red.release.cta.shared.and.b64";
    atom_or(p: *mut u32, x: u32) -> u32
        = atomic::atom_or(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.or.b32";
    red_or(p: *mut u32, x: u32)
        = atomic::red_or(p, x, Release, Cta, Shared) => "red.release.cta.shared.or.b32";
    atom_or__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_or(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.or.b32";
    red_or__i32(p: *mut i32, x: i32)
        = atomic::red_or(p, x, Release, Cta, Shared) => "red.release.cta.shared.or.b32";
    atom_or__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_or(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.or.b64";
    red_or__u64(p: *mut u64, x: u64)
        = atomic::red_or(p, x, Release, Cta, Shared) => "red.release.cta.shared.or.b64";
    atom_or__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_or(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.or.b64";
    red_or__i64(p: *mut i64, x: i64)
        = atomic::red_or(p, x, Release, Cta, Shared) => "red.release.cta.shared.or.b64";
    atom_xor(p: *mut u32, x: u32) -> u32
        = atomic::atom_xor(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.xor.b32";
    red_xor(p: *mut u32, x: u32)
        = atomic::red_xor(p, x, Release, Cta, Shared) => "red.release.cta.shared.xor.b32";
    atom_xor__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_xor(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.xor.b32";
    red_xor__i32(p: *mut i32, x: i32)
        = atomic::red_xor(p, x, Release, Cta, Shared) => "red.release.cta.shared.xor.b32";
    atom_xor__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_xor(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.xor.b64";
    red_xor__u64(p: *mut u64, x: u64)
        = atomic::red_xor(p, x, Release, Cta, Shared) => "red.release.cta.shared.xor.b64";
    atom_xor__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_xor(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.xor.b64";
    red_xor__i64(p: *mut i64, x: i64)
        = atomic::red_xor(p, x, Release, Cta, Shared) => "red.release.cta.shared.xor.b64";
    atom_inc(p: *mut u32, x: u32) -> u32
        = atomic::atom_inc(p, x, AcqRel, Cta, Shared) => "atom.acq_rel.cta.shared.inc.u32";
    red_inc(p: *mut u32, x: u32)
        = atomic::red_inc(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.inc.u32";
    atom_dec(p: *mut u32, x: u32) -> u32
        = atomic::atom_dec(p, x, AcqRel, Cta, Shared) => "atom.acq_rel.cta.shared.dec.u32";
    red_dec(p: *mut u32, x: u32)
        = atomic::red_dec(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.dec.u32";
    atom_exch(p: *mut u32, x: u32) -> u32
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b32";
    atom_exch__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b32";
    atom_exch__f32(p: *mut f32, x: f32) -> f32
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b32";
    atom_exch__f16x2(p: *mut f16x2, x: f16x2) -> f16x2
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b32";
    atom_exch__bf16x2(p: *mut bf16x2, x: bf16x2) -> bf16x2
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b32";
    atom_exch__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b64";
    atom_exch__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b64";
    atom_exch__f64(p: *mut f64, x: f64) -> f64
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b64";
    atom_cas(p: *mut u32, x: u32, y: u32) -> u32
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b32";
    atom_cas__i32(p: *mut i32, x: i32, y: i32) -> i32
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b32";
    atom_cas__f32(p: *mut f32, x: f32, y: f32) -> f32
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b32";
    atom_cas__f16x2(p: *mut f16x2, x: f16x2, y: f16x2) -> f16x2
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b32";
    atom_cas__bf16x2(p: *mut bf16x2, x: bf16x2, y: bf16x2) -> bf16x2
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b32";
    atom_cas__u64(p: *mut u64, x: u64, y: u64) -> u64
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b64";
    atom_cas__i64(p: *mut i64, x: i64, y: i64) -> i64
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b64";
    atom_cas__f64(p: *mut f64, x: f64, y: f64) -> f64
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b64";
    atom_cas__u16(p: *mut u16, x: u16, y: u16) -> u16
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b16";
    atom_cas__i16(p: *mut i16, x: i16, y: i16) -> i16
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b16";
    atom_cas__f16(p: *mut f16, x: f16, y: f16) -> f16
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b16";
    atom_cas__bf16(p: *mut bf16, x: bf16, y: bf16) -> bf16
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b16";
    atom_sub(p: *mut u32, x: u32) -> u32
        = atomic::atom_sub(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.u32";
    red_sub(p: *mut f32, x: f32)
        = atomic::red_sub(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.f32";

    // Every order, scope and space of one operation
    atom_add__relaxed_cta_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cta, Generic) => "atom.relaxed.cta.add.u32";
    atom_add__relaxed_cta_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cta, Global) => "atom.relaxed.cta.global.add.u32";
    atom_add__relaxed_cta_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cta, Shared) => "atom.relaxed.cta.shared.add.u32";
    @ "sm_90" atom_add__relaxed_cluster_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cluster, Generic) => "atom.relaxed.cluster.add.u32";
    @ "sm_90" atom_add__relaxed_cluster_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cluster, Global) => "atom.relaxed.cluster.global.add.u32";
    @ "sm_90" atom_add__relaxed_cluster_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cluster, Shared) => "atom.relaxed.cluster.shared.add.u32";
    atom_add__relaxed_gpu_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Gpu, Generic) => "atom.relaxed.gpu.add.u32";
    atom_add__relaxed_gpu_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.u32";
    atom_add__relaxed_gpu_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Gpu, Shared) => "atom.relaxed.gpu.shared.add.u32";
    atom_add__relaxed_sys_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Sys, Generic) => "atom.relaxed.sys.add.u32";
    atom_add__relaxed_sys_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Sys, Global) => "atom.relaxed.sys.global.add.u32";
    atom_add__relaxed_sys_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Sys, Shared) => "atom.relaxed.sys.shared.add.u32";
    atom_add__acquire_cta_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cta, Generic) => "atom.acquire.cta.add.u32";
    atom_add__acquire_cta_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cta, Global) => "atom.acquire.cta.global.add.u32";
    atom_add__acquire_cta_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cta, Shared) => "atom.acquire.cta.shared.add.u32";
    @ "sm_90" atom_add__acquire_cluster_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cluster, Generic) => "atom.acquire.cluster.add.u32";
    @ "sm_90" atom_add__acquire_cluster_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cluster, Global) => "atom.acquire.cluster.global.add.u32";
    @ "sm_90" atom_add__acquire_cluster_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cluster, Shared) => "atom.acquire.cluster.shared.add.u32";
    atom_add__acquire_gpu_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Gpu, Generic) => "atom.acquire.gpu.add.u32";
    atom_add__acquire_gpu_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.add.u32";
    atom_add__acquire_gpu_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Gpu, Shared) => "atom.acquire.gpu.shared.add.u32";
    atom_add__acquire_sys_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Sys, Generic) => "atom.acquire.sys.add.u32";
    atom_add__acquire_sys_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Sys, Global) => "atom.acquire.sys.global.add.u32";
    atom_add__acquire_sys_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Sys, Shared) => "atom.acquire.sys.shared.add.u32";
    atom_add__release_cta_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cta, Generic) => "atom.release.cta.add.u32";
    atom_add__release_cta_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cta, Global) => "atom.release.cta.global.add.u32";
    atom_add__release_cta_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cta, Shared) => "atom.release.cta.shared.add.u32";
    @ "sm_90" atom_add__release_cluster_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cluster, Generic) => "atom.release.cluster.add.u32";
    @ "sm_90" atom_add__release_cluster_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cluster, Global) => "atom.release.cluster.global.add.u32";
    @ "sm_90" atom_add__release_cluster_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cluster, Shared) => "atom.release.cluster.shared.add.u32";
    atom_add__release_gpu_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Gpu, Generic) => "atom.release.gpu.add.u32";
    atom_add__release_gpu_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Gpu, Global) => "atom.release.gpu.global.add.u32";
    atom_add__release_gpu_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Gpu, Shared) => "atom.release.gpu.shared.add.u32";
    atom_add__release_sys_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Sys, Generic) => "atom.release.sys.add.u32";
    atom_add__release_sys_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Sys, Global) => "atom.release.sys.global.add.u32";
    atom_add__release_sys_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Sys, Shared) => "atom.release.sys.shared.add.u32";
    atom_add__acq_rel_cta_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cta, Generic) => "atom.acq_rel.cta.add.u32";
    atom_add__acq_rel_cta_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cta, Global) => "atom.acq_rel.cta.global.add.u32";
    atom_add__acq_rel_cta_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cta, Shared) => "atom.acq_rel.cta.shared.add.u32";
    @ "sm_90" atom_add__acq_rel_cluster_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cluster, Generic) => "atom.acq_rel.cluster.add.u32";
    @ "sm_90" atom_add__acq_rel_cluster_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cluster, Global) => "atom.acq_rel.cluster.global.add.u32";
    @ "sm_90" atom_add__acq_rel_cluster_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cluster, Shared) => "atom.acq_rel.cluster.shared.add.u32";
    atom_add__acq_rel_gpu_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Gpu, Generic) => "atom.acq_rel.gpu.add.u32";
    atom_add__acq_rel_gpu_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Gpu, Global) => "atom.acq_rel.gpu.global.add.u32";
    atom_add__acq_rel_gpu_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Gpu, Shared) => "atom.acq_rel.gpu.shared.add.u32";
    atom_add__acq_rel_sys_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Sys, Generic) => "atom.acq_rel.sys.add.u32";
    atom_add__acq_rel_sys_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Sys, Global) => "atom.acq_rel.sys.global.add.u32";
    atom_add__acq_rel_sys_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Sys, Shared) => "atom.acq_rel.sys.shared.add.u32";
    ld(p: *const f32) -> f32 = atomic::ld(p, Relaxed, Cta, Generic) => "ld.relaxed.cta.b32";
    @ "sm_90" ld__relaxed_cluster_f32(p: *const f32) -> f32 = atomic::ld(p, Relaxed, Cluster, Generic) => "ld.relaxed.cluster.b32";
    ld__relaxed_gpu_u8(p: *const u8) -> u8 = atomic::ld(p, Relaxed, Gpu, Global) => "ld.relaxed.gpu.global.b8";
    ld__relaxed_gpu_f16(p: *const f16) -> f16 = atomic::ld(p, Relaxed, Gpu, Shared) => "ld.relaxed.gpu.shared.b16";
    ld__relaxed_gpu_f32(p: *const f32) -> f32 = atomic::ld(p, Relaxed, Gpu, Generic) => "ld.relaxed.gpu.b32";
    ld__relaxed_gpu_u64(p: *const u64) -> u64 = atomic::ld(p, Relaxed, Gpu, Global) => "ld.relaxed.gpu.global.b64";
    ld__relaxed_sys_f32(p: *const f32) -> f32 = atomic::ld(p, Relaxed, Sys, Generic) => "ld.relaxed.sys.b32";
    ld__acquire_cta_f32(p: *const f32) -> f32 = atomic::ld(p, Acquire, Cta, Generic) => "ld.acquire.cta.b32";
    @ "sm_90" ld__acquire_cluster_f32(p: *const f32) -> f32 = atomic::ld(p, Acquire, Cluster, Generic) => "ld.acquire.cluster.b32";
    ld__acquire_gpu_u8(p: *const u8) -> u8 = atomic::ld(p, Acquire, Gpu, Global) => "ld.acquire.gpu.global.b8";
    ld__acquire_gpu_f16(p: *const f16) -> f16 = atomic::ld(p, Acquire, Gpu, Shared) => "ld.acquire.gpu.shared.b16";
    ld__acquire_gpu_f32(p: *const f32) -> f32 = atomic::ld(p, Acquire, Gpu, Generic) => "ld.acquire.gpu.b32";
    ld__acquire_gpu_u64(p: *const u64) -> u64 = atomic::ld(p, Acquire, Gpu, Global) => "ld.acquire.gpu.global.b64";
    ld__acquire_sys_f32(p: *const f32) -> f32 = atomic::ld(p, Acquire, Sys, Generic) => "ld.acquire.sys.b32";
    st(p: *mut f32, x: f32) = atomic::st(p, x, Relaxed, Cta, Generic) => "st.relaxed.cta.b32";
    @ "sm_90" st__relaxed_cluster_f32(p: *mut f32, x: f32) = atomic::st(p, x, Relaxed, Cluster, Generic) => "st.relaxed.cluster.b32";
    st__relaxed_gpu_u8(p: *mut u8, x: u8) = atomic::st(p, x, Relaxed, Gpu, Global) => "st.relaxed.gpu.global.b8";
    st__relaxed_gpu_f16(p: *mut f16, x: f16) = atomic::st(p, x, Relaxed, Gpu, Shared) => "st.relaxed.gpu.shared.b16";
    st__relaxed_gpu_f32(p: *mut f32, x: f32) = atomic::st(p, x, Relaxed, Gpu, Generic) => "st.relaxed.gpu.b32";
    st__relaxed_gpu_u64(p: *mut u64, x: u64) = atomic::st(p, x, Relaxed, Gpu, Global) => "st.relaxed.gpu.global.b64";
    st__relaxed_sys_f32(p: *mut f32, x: f32) = atomic::st(p, x, Relaxed, Sys, Generic) => "st.relaxed.sys.b32";
    st__release_cta_f32(p: *mut f32, x: f32) = atomic::st(p, x, Release, Cta, Generic) => "st.release.cta.b32";
    @ "sm_90" st__release_cluster_f32(p: *mut f32, x: f32) = atomic::st(p, x, Release, Cluster, Generic) => "st.release.cluster.b32";
    st__release_gpu_u8(p: *mut u8, x: u8) = atomic::st(p, x, Release, Gpu, Global) => "st.release.gpu.global.b8";
    st__release_gpu_f16(p: *mut f16, x: f16) = atomic::st(p, x, Release, Gpu, Shared) => "st.release.gpu.shared.b16";
    st__release_gpu_f32(p: *mut f32, x: f32) = atomic::st(p, x, Release, Gpu, Generic) => "st.release.gpu.b32";
    st__release_gpu_u64(p: *mut u64, x: u64) = atomic::st(p, x, Release, Gpu, Global) => "st.release.gpu.global.b64";
    st__release_sys_f32(p: *mut f32, x: f32) = atomic::st(p, x, Release, Sys, Generic) => "st.release.sys.b32";
    fence__acq_rel_cta() = atomic::fence(AcqRel, Cta) => "fence.acq_rel.cta";
    @ "sm_90" fence__acq_rel_cluster() = atomic::fence(AcqRel, Cluster) => "fence.acq_rel.cluster";
    fence() = atomic::fence(AcqRel, Gpu) => "fence.acq_rel.gpu";
    fence__acq_rel_sys() = atomic::fence(AcqRel, Sys) => "fence.acq_rel.sys";
    fence__sc_cta() = atomic::fence(SeqCst, Cta) => "fence.sc.cta";
    @ "sm_90" fence__sc_cluster() = atomic::fence(SeqCst, Cluster) => "fence.sc.cluster";
    fence__sc_gpu() = atomic::fence(SeqCst, Gpu) => "fence.sc.gpu";
    fence__sc_sys() = atomic::fence(SeqCst, Sys) => "fence.sc.sys";

    // mem
    ld_global_nc(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc(p) => "ld.global.nc.v4.b32";
    ld_global_nc__u8(p: *const u8) -> u8
        = mem::ld_global_nc(p) => "ld.global.nc.b8";
    ld_global_nc__f16(p: *const f16) -> f16
        = mem::ld_global_nc(p) => "ld.global.nc.b16";
    ld_global_nc__f32(p: *const f32) -> f32
        = mem::ld_global_nc(p) => "ld.global.nc.b32";
    ld_global_nc__f64(p: *const f64) -> f64
        = mem::ld_global_nc(p) => "ld.global.nc.b64";
    ld_global_nc_l1_no_allocate(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l1_no_allocate(p) => "ld.global.nc.L1::no_allocate.v4.b32";
    ld_global_nc_l1_no_allocate__u8(p: *const u8) -> u8
        = mem::ld_global_nc_l1_no_allocate(p) => "ld.global.nc.L1::no_allocate.b8";
    ld_global_nc_l1_no_allocate__f16(p: *const f16) -> f16
        = mem::ld_global_nc_l1_no_allocate(p) => "ld.global.nc.L1::no_allocate.b16";
    ld_global_nc_l1_no_allocate__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l1_no_allocate(p) => "ld.global.nc.L1::no_allocate.b32";
    ld_global_nc_l1_no_allocate__f64(p: *const f64) -> f64
        = mem::ld_global_nc_l1_no_allocate(p) => "ld.global.nc.L1::no_allocate.b64";
    ld_global_nc_l1_evict_first(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l1_evict_first(p) => "ld.global.nc.L1::evict_first.v4.b32";
    ld_global_nc_l1_evict_first__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l1_evict_first(p) => "ld.global.nc.L1::evict_first.b32";
    ld_global_nc_l1_evict_last(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l1_evict_last(p) => "ld.global.nc.L1::evict_last.v4.b32";
    ld_global_nc_l1_evict_last__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l1_evict_last(p) => "ld.global.nc.L1::evict_last.b32";
    ld_global_nc_l2_128b(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l2_128b(p) => "ld.global.nc.L2::128B.v4.b32";
    ld_global_nc_l2_128b__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l2_128b(p) => "ld.global.nc.L2::128B.b32";
    ld_global_nc_l2_256b(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l2_256b(p) => "ld.global.nc.L2::256B.v4.b32";
    ld_global_nc_l2_256b__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l2_256b(p) => "ld.global.nc.L2::256B.b32";
    ld_global_nc_l1_no_allocate_l2_256b(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l1_no_allocate_l2_256b(p) => "ld.global.nc.L1::no_allocate.L2::256B.v4.b32";
    ld_global_nc_l1_no_allocate_l2_256b__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l1_no_allocate_l2_256b(p) => "ld.global.nc.L1::no_allocate.L2::256B.b32";
    ld_global_nc_l2_cache_hint(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.nc.L2::cache_hint.v4.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_global_nc_l2_cache_hint__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.nc.L2::cache_hint.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_global_nc_l1_no_allocate_l2_cache_hint(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l1_no_allocate_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.nc.L1::no_allocate.L2::cache_hint.v4.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_global_nc_l1_no_allocate_l2_cache_hint__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l1_no_allocate_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.nc.L1::no_allocate.L2::cache_hint.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_global_ca(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_ca(p) => "ld.global.ca.v4.b32";
    ld_global_ca__f32(p: *const f32) -> f32
        = mem::ld_global_ca(p) => "ld.global.ca.b32";
    ld_global_cg(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_cg(p) => "ld.global.cg.v4.b32";
    ld_global_cg__u8(p: *const u8) -> u8
        = mem::ld_global_cg(p) => "ld.global.cg.b8";
    ld_global_cg__f16(p: *const f16) -> f16
        = mem::ld_global_cg(p) => "ld.global.cg.b16";
    ld_global_cg__f32(p: *const f32) -> f32
        = mem::ld_global_cg(p) => "ld.global.cg.b32";
    ld_global_cg__f64(p: *const f64) -> f64
        = mem::ld_global_cg(p) => "ld.global.cg.b64";
    ld_global_cs(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_cs(p) => "ld.global.cs.v4.b32";
    ld_global_cs__f32(p: *const f32) -> f32
        = mem::ld_global_cs(p) => "ld.global.cs.b32";
    ld_global_lu(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_lu(p) => "ld.global.lu.v4.b32";
    ld_global_lu__f32(p: *const f32) -> f32
        = mem::ld_global_lu(p) => "ld.global.lu.b32";
    ld_global_l1_no_allocate(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_l1_no_allocate(p) => "ld.global.L1::no_allocate.v4.b32";
    ld_global_l1_no_allocate__f32(p: *const f32) -> f32
        = mem::ld_global_l1_no_allocate(p) => "ld.global.L1::no_allocate.b32";
    ld_global_l1_evict_first(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_l1_evict_first(p) => "ld.global.L1::evict_first.v4.b32";
    ld_global_l1_evict_first__f32(p: *const f32) -> f32
        = mem::ld_global_l1_evict_first(p) => "ld.global.L1::evict_first.b32";
    ld_global_l1_evict_last(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_l1_evict_last(p) => "ld.global.L1::evict_last.v4.b32";
    ld_global_l1_evict_last__f32(p: *const f32) -> f32
        = mem::ld_global_l1_evict_last(p) => "ld.global.L1::evict_last.b32";
    ld_global_l2_cache_hint(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.L2::cache_hint.v4.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_global_l2_cache_hint__f32(p: *const f32) -> f32
        = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.L2::cache_hint.b32", "createpolicy.fractional.L2::evict_last.b64";
    st_global_wb(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_wb(p, x.read()) => "st.global.wb.v4.b32";
    st_global_wb__f32(p: *mut f32, x: f32)
        = mem::st_global_wb(p, x) => "st.global.wb.b32";
    st_global_cg(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_cg(p, x.read()) => "st.global.cg.v4.b32";
    st_global_cg__f32(p: *mut f32, x: f32)
        = mem::st_global_cg(p, x) => "st.global.cg.b32";
    st_global_cs(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_cs(p, x.read()) => "st.global.cs.v4.b32";
    st_global_cs__u8(p: *mut u8, x: u8)
        = mem::st_global_cs(p, x) => "st.global.cs.b8";
    st_global_cs__f16(p: *mut f16, x: f16)
        = mem::st_global_cs(p, x) => "st.global.cs.b16";
    st_global_cs__f32(p: *mut f32, x: f32)
        = mem::st_global_cs(p, x) => "st.global.cs.b32";
    st_global_cs__f64(p: *mut f64, x: f64)
        = mem::st_global_cs(p, x) => "st.global.cs.b64";
    st_global_wt(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_wt(p, x.read()) => "st.global.wt.v4.b32";
    st_global_wt__f32(p: *mut f32, x: f32)
        = mem::st_global_wt(p, x) => "st.global.wt.b32";
    st_global_l1_no_allocate(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_l1_no_allocate(p, x.read()) => "st.global.L1::no_allocate.v4.b32";
    st_global_l1_no_allocate__f32(p: *mut f32, x: f32)
        = mem::st_global_l1_no_allocate(p, x) => "st.global.L1::no_allocate.b32";
    st_global_l1_evict_first(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_l1_evict_first(p, x.read()) => "st.global.L1::evict_first.v4.b32";
    st_global_l1_evict_first__f32(p: *mut f32, x: f32)
        = mem::st_global_l1_evict_first(p, x) => "st.global.L1::evict_first.b32";
    st_global_l1_evict_last(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_l1_evict_last(p, x.read()) => "st.global.L1::evict_last.v4.b32";
    st_global_l1_evict_last__f32(p: *mut f32, x: f32)
        = mem::st_global_l1_evict_last(p, x) => "st.global.L1::evict_last.b32";
    st_global_l2_cache_hint(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_l2_cache_hint(p, x.read(), mem::createpolicy_l2_evict_last()) => "st.global.L2::cache_hint.v4.b32", "createpolicy.fractional.L2::evict_last.b64";
    st_global_l2_cache_hint__f32(p: *mut f32, x: f32)
        = mem::st_global_l2_cache_hint(p, x, mem::createpolicy_l2_evict_last()) => "st.global.L2::cache_hint.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_volatile(p: *const Vec16<f32>) -> Vec16<f32> = mem::ld_volatile(p) => "ld.volatile.v4.b32";
    st_volatile(p: *mut Vec16<f32>, x: *const Vec16<f32>) = mem::st_volatile(p, x.read()) => "st.volatile.v4.b32";
    ld_volatile__u8(p: *const u8) -> u8 = mem::ld_volatile(p) => "ld.volatile.b8";
    st_volatile__u8(p: *mut u8, x: u8) = mem::st_volatile(p, x) => "st.volatile.b8";
    ld_volatile__f16(p: *const f16) -> f16 = mem::ld_volatile(p) => "ld.volatile.b16";
    st_volatile__f16(p: *mut f16, x: f16) = mem::st_volatile(p, x) => "st.volatile.b16";
    ld_volatile__f32(p: *const f32) -> f32 = mem::ld_volatile(p) => "ld.volatile.b32";
    st_volatile__f32(p: *mut f32, x: f32) = mem::st_volatile(p, x) => "st.volatile.b32";
    ld_volatile__f64(p: *const f64) -> f64 = mem::ld_volatile(p) => "ld.volatile.b64";
    st_volatile__f64(p: *mut f64, x: f64) = mem::st_volatile(p, x) => "st.volatile.b64";
    createpolicy_l2_evict_last(p: *const f32) -> f32 = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_last())
        => "createpolicy.fractional.L2::evict_last.b64", "ld.global.L2::cache_hint.b32";
    createpolicy_l2_evict_first(p: *const f32) -> f32 = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_first())
        => "createpolicy.fractional.L2::evict_first.b64", "ld.global.L2::cache_hint.b32";
    createpolicy_l2_evict_normal(p: *const f32) -> f32 = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_normal())
        => "createpolicy.fractional.L2::evict_normal.b64", "ld.global.L2::cache_hint.b32";
    createpolicy_l2_evict_unchanged(p: *const f32) -> f32 = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_unchanged())
        => "createpolicy.fractional.L2::evict_unchanged.b64", "ld.global.L2::cache_hint.b32";
    createpolicy_fractional_l2_evict_last(p: *const f32, share: f32) -> f32
        = mem::ld_global_l2_cache_hint(p, mem::createpolicy_fractional_l2_evict_last(share))
        => "createpolicy.fractional.L2::evict_last.L2::evict_first.b64", "ld.global.L2::cache_hint.b32";
    prefetch_global_l1(p: *const f32) = mem::prefetch_global_l1(p) => "prefetch.global.L1";
    prefetch_global_l2(p: *const f32) = mem::prefetch_global_l2(p) => "prefetch.global.L2";
    prefetch_global_l2_evict_last(p: *const f32) = mem::prefetch_global_l2_evict_last(p) => "prefetch.global.L2::evict_last";
    prefetch_global_l2_evict_normal(p: *const f32) = mem::prefetch_global_l2_evict_normal(p) => "prefetch.global.L2::evict_normal";
    prefetchu_l1(p: *const f32) = mem::prefetchu_l1(p) => "prefetchu.L1";
    applypriority_global_l2_evict_normal(p: *const f32) = mem::applypriority_global_l2_evict_normal(p) => "applypriority.global.L2::evict_normal";
    discard_global_l2(p: *mut f32) = mem::discard_global_l2(p) => "discard.global.L2";
    cvta_to_shared(p: *const f32) -> u64 = mem::cvta_to_shared(p) => "cvta.to.shared.u64";
    isspacep_global(p: *const f32) -> bool = mem::isspacep_global(p) => "isspacep.global";
    isspacep_shared(p: *const f32) -> bool = mem::isspacep_shared(p) => "isspacep.shared";
    isspacep_local(p: *const f32) -> bool = mem::isspacep_local(p) => "isspacep.local";

    // clock
    clock() -> u32 = clock::clock() => "%clock";
    clock_hi() -> u32 = clock::clock_hi() => "%clock_hi";
    clock64() -> u64 = clock::clock64() => "%clock64";
    clock64__twice() -> u64 = { let start = clock::clock64(); clock::clock64() - start } => "%clock64" * 2;
    globaltimer() -> u64 = clock::globaltimer() => "%globaltimer";
    nanosleep(ns: u32) = clock::nanosleep(ns) => "nanosleep.u32";

    // control
    trap() = control::trap() => "trap";
    brkpt() = control::brkpt() => "brkpt";
    exit(x: u32) -> u32 = if x > 3 { x } else { control::exit() } => "exit" * 2;
    assume(x: u32) -> u32 = { control::assume(x < 8); x & 7 } => "and.b32" * 0;

    // unroll
    unroll(x: *const f32, y: *mut f32) = in_registers::<16>(x, y) => "fma.rn.f32" * 16;

    // Whole programs
    convergence(out: *mut u32, x: u32) = in_both_arms(out, x) => "activemask.b32" * 2, "shfl.sync.bfly.b32" * 2;
    in_shared(out: *mut u32, x: *const u32) = shared_atomics(out, x)
        => "atom.acq_rel.cta.shared.inc.u32", "red.release.cta.shared.min.u32", "st.relaxed.cta.shared.b32";
    compares_bytes(a: *const u8, b: *const u8, len: u64) -> bool = equal_bytes(a, b, len) => ;
}
