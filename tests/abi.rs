//! What the host packs is what the kernels read: parameters, sizes, alignments, hashes.

use gpu_std::launch::{BlockRule, ParamDesc, ParamKind};
use ptx_parse::analysis::Param;
use ptx_parse::manifest::EntryInfo;
use tests::described::{Backend, Described, ENTRIES, built, manifest, ptx};

/// Size and alignment of each PTX parameter that a source-level parameter becomes.
fn lowered(param: &ParamDesc) -> Vec<(u64, u64)> {
    match param.kind {
        ParamKind::Slice | ParamKind::GridMut => vec![(8, 8); 2],
        ParamKind::Ptr => vec![(8, 8)],
        ParamKind::Value | ParamKind::TensorMap | ParamKind::TensorMapMut => {
            vec![(param.size as u64, param.align as u64)]
        }
    }
}

/// Offset, size and alignment of the PTX parameters as the host packs them.
fn packed(params: &[ParamDesc]) -> Vec<(u64, u64, u64)> {
    let mut end = 0_u64;
    let place = |(size, align): (u64, u64)| {
        let offset = end.next_multiple_of(align);
        end = offset + size;
        (offset, size, align)
    };
    params.iter().flat_map(lowered).map(place).collect()
}

fn in_manifest(info: &EntryInfo) -> Vec<(u64, u64, u64)> {
    info.params.iter().map(|p| (p.offset, p.size, p.align)).collect()
}

fn in_ptx(layout: &[Param]) -> Vec<(u64, u64, u64)> {
    layout.iter().map(|p| (p.offset, p.size, p.align)).collect()
}

/// Calls `check` with every entry of every architecture by every back end; there must be one at least.
fn each_entry(check: impl Fn((Backend, &str), &Described, &EntryInfo)) {
    let mut count = 0;
    for (backend, arch) in built() {
        let manifest = manifest(backend, arch);
        for kernel in ENTRIES.iter().filter(|kernel| kernel.is_on(arch)) {
            let info = manifest.entries.get(kernel.entry);
            let info =
                info.unwrap_or_else(|| panic!("`{}` is not in {backend}'s manifest of {arch}", kernel.entry));
            check((backend, arch), kernel, info);
            count += 1;
        }
    }
    assert!(count > 0, "there is no kernel to check");
}

#[test]
fn parameters_lie_where_the_host_packs_them() {
    each_entry(|(backend, arch), kernel, info| {
        let want = packed(kernel.params);
        let what = format!("{} of {arch} by {backend}", kernel.entry);
        assert_eq!(in_manifest(info), want, "{what}: manifest");
        let module = ptx(backend, arch, &info.family);
        let function = module.entry(kernel.entry).unwrap_or_else(|| panic!("{what} is not in the PTX"));
        let layout = function.layout().expect("every parameter has a size");
        assert_eq!(in_ptx(&layout), want, "{what}: PTX");
    });
}

#[test]
fn signatures_are_those_of_the_host_program() {
    each_entry(|place, kernel, info| {
        let want = format!("{:016x}", kernel.signature);
        assert_eq!(info.signature.as_deref(), Some(want.as_str()), "{} of {place:?}", kernel.entry);
        assert_eq!(ptx_parse::hash::fnv1a_64(kernel.record.as_bytes()), kernel.signature, "{}", kernel.entry);
    });
}

#[test]
fn launch_rules_reach_manifest_and_ptx() {
    each_entry(|(backend, arch), kernel, info| {
        let module = ptx(backend, arch, &info.family);
        let bounds = &module.entry(kernel.entry).expect("checked by the builder").bounds;
        let (block, max) = match kernel.block {
            BlockRule::Exact(block) => (Some([block.x, block.y, block.z]), None),
            BlockRule::AtMost(threads) => (None, Some(threads)),
            BlockRule::Any => (None, None),
        };
        let what = format!("{} of {arch} by {backend}", kernel.entry);
        assert_eq!((info.block, info.max_block), (block, max), "{what}: manifest");
        let threads = bounds.maxntid.map(|[x, y, z]| x * y * z);
        assert_eq!((bounds.reqntid, threads), (block, max), "{what}: PTX");
        let cluster = kernel.cluster.map(|blocks| [blocks, 1, 1]);
        assert_eq!((info.cluster, bounds.reqnctapercluster), (kernel.cluster, cluster), "{what}");
        assert_eq!(bounds.explicitcluster, cluster.is_some(), "{what}");
        assert_eq!(info.dynamic_shared, kernel.dynamic_shared, "{what}");
    });
}

#[test]
fn both_back_ends_name_the_same_default() {
    for kernel in ENTRIES {
        let of = |(backend, arch)| Some(manifest(backend, arch).entries.get(kernel.entry)?.default_backend);
        let mut defaults: Vec<Backend> = built().into_iter().filter_map(of).collect();
        defaults.dedup();
        assert_eq!(defaults.len(), 1, "{}: {defaults:?}", kernel.entry);
    }
}

#[test]
fn records_hold_the_parameters_of_the_host_program() {
    for kernel in ENTRIES {
        let record: serde_json::Value = serde_json::from_str(kernel.record).expect("a record is JSON");
        let params = record["params"].as_array().expect("a record has parameters");
        assert_eq!(params.len(), kernel.params.len(), "{}", kernel.entry);
        for (json, param) in params.iter().zip(kernel.params) {
            let kind = match param.kind {
                ParamKind::Slice => "slice",
                ParamKind::GridMut => "grid_mut",
                ParamKind::Ptr => "ptr",
                ParamKind::Value => "value",
                ParamKind::TensorMap => "tensor_map",
                ParamKind::TensorMapMut => "tensor_map_mut",
            };
            assert_eq!(
                (&json["name"], &json["kind"]),
                (&param.name.into(), &kind.into()),
                "{}",
                kernel.entry
            );
            assert_eq!(
                (&json["size"], &json["align"]),
                (&param.size.into(), &param.align.into()),
                "{}",
                kernel.entry
            );
        }
    }
}

#[test]
fn by_value_parameters_are_at_most_16_byte_aligned_but_for_tensor_maps() {
    for kernel in ENTRIES {
        for param in kernel.params {
            let fits = match param.kind {
                ParamKind::TensorMap | ParamKind::TensorMapMut => (param.size, param.align) == (128, 64),
                _ => param.align.is_power_of_two() && param.align <= 16 && param.size % param.align == 0,
            };
            assert!(
                fits,
                "{}: `{}` has size {} and alignment {}",
                kernel.entry, param.name, param.size, param.align
            );
        }
    }
}

#[test]
fn a_changed_parameter_is_found() {
    let param = |kind, size, align| ParamDesc { name: "p", kind, ty: "T", size, align };
    let map = param(ParamKind::TensorMap, 128, 64);
    assert_eq!(packed(&[param(ParamKind::Ptr, 4, 4), map]), [(0, 8, 8), (64, 128, 64)]);
    let params =
        [param(ParamKind::Slice, 4, 4), param(ParamKind::Value, 4, 4), param(ParamKind::Value, 16, 16)];
    assert_eq!(packed(&params), [(0, 8, 8), (8, 8, 8), (16, 4, 4), (32, 16, 16)]);
    let text = ".version 7.8 .target sm_90 .address_size 64 .visible .entry k(.param .u64 a, .param .u64 b, \
                .param .u64 c, .param .align 16 .b8 d[16]) { ret; }";
    let module = ptx_parse::parse(text).expect("it is PTX");
    let layout = module.entry("k").and_then(|k| k.layout()).expect("every parameter has a size");
    assert_ne!(in_ptx(&layout), packed(&params));
}
