//! Tensor maps and clusters from the source of a kernel to its launch: built by both back ends, read in the PTX, run in the
//! simulator by typed launches.
//!
//! The program is its own linker (`ptx_builder::run_as_linker_if_asked`), so it has a `main`.

#[expect(dead_code, reason = "the host needs the descriptions alone: what runs is the PTX")]
#[path = "kernels/tensor_maps/src/maps.rs"]
mod maps;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use gpu_std::launch::{
    ContractError, Kernel, LaunchShape, TensorMapArg, TensorMapDesc, TensorMapDescMut, TensorSwizzle,
    TensorTiles,
};
use host::artefacts::{ArtefactError, Options};
use host::backend::{Buffer as _, Device as _};
use host::error::Error;
use host::sim::{Sim, SimOptions};
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use maps::{ClusterIdsArgs, MapWordsArgs, OnesArgs, TwoMapsArgs, cluster_ids, map_words, ones, two_maps};
use ptx_builder::{Backend, PtxBuilder};
use ptx_parse::manifest::Manifest;
use ptx_sim::{TensorElement, TensorMap, TensorSpec};

/// Who writes the PTX, for which architecture.
type Target = (Backend, &'static str);

/// A test of one target.
type Check = fn(Target) -> Result<(), String>;

const TARGETS: [Target; 4] =
    [(Backend::Llvm, "sm_80"), (Backend::Llvm, "sm_90"), (Backend::Nvvm, "sm_80"), (Backend::Nvvm, "sm_90")];

fn main() {
    ptx_builder::run_as_linker_if_asked();
    let mut trials = Vec::new();
    for target in TARGETS {
        let tests: &[(&str, Check)] = match target.1 {
            "sm_80" => &[("kernels_for_newer_devices_are_left_out", are_left_out)],
            _ => &[
                ("maps_lie_in_the_parameters", maps_lie_in_the_parameters),
                ("clusters_reach_the_ptx", clusters_reach_the_ptx),
                ("launches_pass_the_maps", launches_pass_the_maps),
                ("launches_are_of_whole_clusters", launches_are_of_whole_clusters),
            ],
        };
        trials.extend(tests.iter().map(|&(name, test)| {
            let name = format!("{name}::{}_{}", target.0.name(), target.1);
            Trial::ignorable_test(name, move || match missing(target.0) {
                Some(why) => Ok(Completion::ignored_with(why)),
                None => test(target).map(|()| Completion::Completed).map_err(Failed::from),
            })
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Why a back end is not there, if it is not.
fn missing(backend: Backend) -> Option<String> {
    let found = ptx_builder::backend::find_libnvvm(&here().join("../target"));
    (backend == Backend::Nvvm && matches!(found, Ok(None)))
        .then(|| "skipped: no libNVVM; `cargo xtask setup --nvvm` fetches it".to_owned())
}

/// What was built.
struct Built {
    dir: PathBuf,
    manifest: Manifest,
    ptx: String,
}

fn built(target: Target) -> Result<&'static Built, String> {
    static BUILT: [OnceLock<Result<Built, String>>; TARGETS.len()] =
        [const { OnceLock::new() }; TARGETS.len()];
    let slot = TARGETS.iter().position(|known| *known == target).ok_or("another target")?;
    BUILT[slot].get_or_init(|| build(target)).as_ref().map_err(Clone::clone)
}

fn build((backend, arch): Target) -> Result<Built, String> {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tensor_maps");
    let report = PtxBuilder::new(here().join("kernels/tensor_maps"))
        .backend(backend)
        .arch(arch)
        .out_dir(out)
        .tools_dir(here().join("../target"))
        .emit_cargo_metadata(false)
        .build()
        .map_err(|error| error.to_string())?;
    let built = &report.archs[0];
    let path = built.dir.join("maps.ptx");
    let ptx = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Built { dir: built.dir.clone(), manifest: built.manifest.clone(), ptx })
}

/// A simulated device with the PTX of a target.
fn simulator(target: Target) -> Result<Sim, String> {
    let ptx = Options { ptx: Some(built(target)?.dir.clone()), ..Options::default() };
    Sim::open_with(SimOptions { ptx, ..SimOptions::default() }).map_err(|error| error.to_string())
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, got: &T, want: &T) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what}: {got:?}, not {want:?}")) }
}

fn are_left_out(target: Target) -> Result<(), String> {
    let entries: Vec<&str> = built(target)?.manifest.entries.keys().map(String::as_str).collect();
    expect("entries", &entries, &vec!["ones"])?;
    let sim = simulator(target)?;
    let mut y = sim.alloc::<u32>(4).map_err(|e| e.to_string())?;
    let args = OnesArgs { y: y.as_mut_slice() };
    ones::launch(&sim, LaunchShape::grid(1), &args).map_err(|e| e.to_string())?;
    let mut ids = sim.alloc::<u32>(4).map_err(|e| e.to_string())?;
    let args = ClusterIdsArgs { ids: ids.as_mut_slice() };
    match cluster_ids::launch(&sim, LaunchShape::grid(2), &args) {
        Err(Error::Artefact(error @ ArtefactError::EntryMissing { target: Some("sm_90"), .. })) => {
            let text = error.to_string();
            expect("next step", &text.contains("it needs sm_90"), &true)
        }
        other => Err(format!("{other:?}")),
    }
}

/// At the offsets that the host packs them to, without a copy in local memory, and prefetched by their generic addresses.
fn maps_lie_in_the_parameters(target: Target) -> Result<(), String> {
    let built = built(target)?;
    let module = ptx_parse::parse(&built.ptx).map_err(|error| error.to_string())?;
    for (entry, want) in [
        (map_words::Entry::ENTRY, vec![(0, 4, 4), (64, 128, 64), (192, 8, 8), (200, 8, 8)]),
        (two_maps::Entry::ENTRY, vec![(0, 128, 64), (128, 128, 64), (256, 8, 8), (264, 8, 8)]),
    ] {
        let function = module.entry(entry).ok_or_else(|| format!("no {entry}"))?;
        let layout = function.layout().ok_or("a parameter without a size")?;
        expect(entry, &layout.iter().map(|p| (p.offset, p.size, p.align)).collect::<Vec<_>>(), &want)?;
        let info = &built.manifest.entries[entry];
        expect(entry, &info.params.iter().map(|p| (p.offset, p.size, p.align)).collect(), &want)?;
        expect("local memory", &info.local_bytes, &0)?;
        let stack = info.ptxas.as_ref().map_or(0, |said| said.stack_bytes);
        expect("stack", &stack, &0)?;
    }
    expect("local memory", &built.ptx.contains(".local"), &false)?;
    for want in ["cvta.param.u64", "prefetch.tensormap ["] {
        expect(want, &built.ptx.contains(want), &true)?;
    }
    Ok(())
}

fn clusters_reach_the_ptx(target: Target) -> Result<(), String> {
    let built = built(target)?;
    let module = ptx_parse::parse(&built.ptx).map_err(|error| error.to_string())?;
    let of = |entry: &str| {
        let bounds = module.entry(entry).map(|function| &function.bounds);
        bounds.map(|bounds| (bounds.explicitcluster, bounds.reqnctapercluster))
    };
    expect("cluster_ids", &of("cluster_ids"), &Some((true, Some([2, 1, 1]))))?;
    expect("map_words", &of("map_words"), &Some((false, None)))?;
    expect("manifest", &built.manifest.entries["cluster_ids"].cluster, &Some(2))
}

/// The words of a map in the simulator.
fn words_of(spec: TensorSpec) -> Vec<u64> {
    let map = TensorMap::new(spec).map(|map| map.to_bytes()).unwrap_or([0; 128]);
    map.chunks(8).map(|word| word.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))).collect()
}

fn launches_pass_the_maps(target: Target) -> Result<(), String> {
    let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", target.1);
    let sim = simulator(target)?;
    let from = sim.upload(&[1.0_f32; 640]).map_err(|e| fail(&e))?;
    let mut to = sim.upload(&[0_u8; 320]).map_err(|e| fail(&e))?;
    let mut words = sim.upload(&[0_u64; 32]).map_err(|e| fail(&e))?;
    let tiles = TensorTiles::new(&[64, 10], &[32, 4]).map_err(|e| fail(&e))?;
    let map = TensorMapDesc::new(from.as_slice(), tiles.with_swizzle(TensorSwizzle::B128));
    let map = map.map_err(|e| fail(&e))?;
    let addr = TensorMapArg::read("map", &map).memory.addr;
    let mut spec = TensorSpec::packed(TensorElement::F32, addr, &[64, 10], &[32, 4]);
    spec.swizzle = ptx_sim::TensorSwizzle::B128;
    let want = words_of(spec);
    let args = MapWordsArgs { plus: 3, map, words: words.as_mut_slice() };
    map_words::launch(&sim, LaunchShape::grid(1), &args).map_err(|e| fail(&e))?;
    let got = sim.download(words.as_slice()).map_err(|e| fail(&e))?;
    let plus: Vec<u64> = want.iter().map(|word| word + 3).chain([3; 16]).collect();
    expect("words", &got, &plus)?;
    let tiles = TensorTiles::new(&[320], &[16]).map_err(|e| fail(&e))?;
    let to_addr = to.as_slice().addr();
    let to = TensorMapDescMut::new(to.as_mut_slice(), tiles).map_err(|e| fail(&e))?;
    let args = TwoMapsArgs { from: map, to, words: words.as_mut_slice() };
    two_maps::launch(&sim, LaunchShape::grid(1), &args).map_err(|e| fail(&e))?;
    let got = sim.download(words.as_slice()).map_err(|e| fail(&e))?;
    let second = words_of(TensorSpec::packed(TensorElement::U8, to_addr, &[320], &[16]));
    expect("words of both", &got, &[want, second].concat())
}

fn launches_are_of_whole_clusters(target: Target) -> Result<(), String> {
    let sim = simulator(target)?;
    let mut ids = sim.upload(&[0_u32; 6]).map_err(|e| e.to_string())?;
    let args = ClusterIdsArgs { ids: ids.as_mut_slice() };
    cluster_ids::launch(&sim, LaunchShape::grid(6), &args).map_err(|e| e.to_string())?;
    match cluster_ids::launch(&sim, LaunchShape::grid(5), &args) {
        Err(Error::Contract(ContractError::GridNotMultipleOfCluster { blocks: 5, cluster: 2, .. })) => {}
        other => return Err(format!("{other:?}")),
    }
    let got = sim.download(ids.as_slice()).map_err(|e| e.to_string())?;
    expect("clusters", &got, &vec![300, 300, 301, 301, 302, 302])
}
