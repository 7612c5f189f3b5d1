//! PTX: which is loaded, and what is refused.

use std::fs;

use host::artefacts::ArtefactError;
use host::error::Error;
use host::runtime::{Gpu, LaunchShape, Module, Options};
use kernels_gpu::probe::spin::Spin;

use crate::harness::{Outcome, Stop, Test, expect_eq, fail};
use crate::{spin, test};

pub fn tests() -> Vec<Test> {
    vec![
        test("images::the_newest_that_fits_is_loaded", the_newest_that_fits_is_loaded),
        test("images::sm_80_can_be_asked_for", sm_80_can_be_asked_for),
        test("images::another_signature_is_stale", another_signature_is_stale),
        test("images::ptx_that_is_not_there_is_an_error", ptx_that_is_not_there_is_an_error),
        test("images::an_image_with_other_parameters_is_refused", an_image_with_other_parameters_is_refused),
        test("images::refused_ptx_comes_with_the_log", refused_ptx_comes_with_the_log),
        test("images::ptx_newer_than_the_driver_says_so", ptx_newer_than_the_driver_says_so),
        test("images::an_ordinal_too_large_names_the_count", an_ordinal_too_large_names_the_count),
    ]
}

/// Runs a kernel with the PTX that `options` choose.
fn run_with(options: Options) -> Result<Gpu, Error> {
    let gpu = Gpu::open_with(0, options)?;
    let stream = gpu.stream()?;
    let mut y = stream.buffer::<u32>(3)?;
    stream.fill(y.as_mut_slice(), 0)?;
    spin(&stream, y.as_mut_slice(), 1, 6, 0)?;
    let got = stream.read(y.as_slice())?;
    assert_eq!(got, [6; 3]);
    Ok(gpu)
}

fn the_newest_that_fits_is_loaded(gpu: &Gpu) -> Outcome {
    let loaded = run_with(Options::default())?;
    let arch = loaded.artefacts()?[0].arch();
    if !arch.runs_on(gpu.info().compute) {
        return fail(format!("{arch} on {}", gpu.info().arch));
    }
    if gpu.info().compute == (9, 0) {
        expect_eq("arch", &arch.to_string(), &"sm_90a".to_owned())
    } else {
        Ok(())
    }
}

fn sm_80_can_be_asked_for(_: &Gpu) -> Outcome {
    let loaded = run_with(Options { arch: Some("sm_80".parse()?), ..Options::default() })?;
    expect_eq("arch", &loaded.artefacts()?[0].arch().to_string(), &"sm_80".to_owned())?;
    expect_eq("architecture of the loaded kernel's PTX", &loaded.attributes::<Spin>()?.ptx_arch, &80)
}

fn another_signature_is_stale(gpu: &Gpu) -> Outcome {
    let artefact = &gpu.artefacts()?[0];
    let dir = tempfile::tempdir()?;
    let mut manifest = artefact.manifest().clone();
    let Some(entry) = manifest.entries.get_mut("spin") else { return fail("the manifest has no `spin`") };
    entry.signature = Some("0123456789abcdef".to_owned());
    for (family, file) in &manifest.families {
        let Some(ptx) = artefact.ptx(family)? else { return fail(format!("no PTX of {family}")) };
        fs::write(dir.path().join(&file.file), ptx.as_bytes())?;
    }
    fs::write(dir.path().join("manifest.json"), manifest.to_json())?;
    match run_with(Options { ptx: Some(dir.path().to_owned()), ..Options::default() }) {
        Err(error @ Error::Artefact(ArtefactError::StaleSignature { entry: "spin", .. })) => {
            ends_with_build(&error)
        }
        got => fail(format!("a manifest with another signature: {got:?}")),
    }
}

fn ptx_that_is_not_there_is_an_error(_: &Gpu) -> Outcome {
    let dir = tempfile::tempdir()?;
    match run_with(Options { ptx: Some(dir.path().to_owned()), ..Options::default() }) {
        Err(error @ Error::Artefact(ArtefactError::Missing { .. })) => ends_with_build(&error),
        got => fail(format!("an empty folder: {got:?}")),
    }
}

fn ends_with_build(error: &Error) -> Outcome {
    let text = error.to_string();
    if text.ends_with("run `cargo xtask build-ptx`") {
        Ok(())
    } else {
        fail(format!("no next step in: {text}"))
    }
}

fn ptx(version: &str, body: &str) -> String {
    format!(".version {version}\n.target sm_80\n.address_size 64\n{body}\n")
}

fn an_image_with_other_parameters_is_refused(gpu: &Gpu) -> Outcome {
    let driver_can_say = gpu.info().driver >= 12_040;
    for (params, what) in [
        (".param .u64 a, .param .u64 n, .param .u64 factor, .param .u32 add, .param .u64 ns", "another size"),
        (".param .u64 a, .param .u64 n", "fewer"),
        (
            ".param .u64 a, .param .u64 n, .param .u32 f, .param .u32 add, .param .u64 ns, .param .u32 more",
            "more",
        ),
    ] {
        let module =
            Module::load(gpu, "by hand", &ptx("7.4", &format!(".visible .entry spin({params}) {{ ret; }}")))?;
        // SAFETY: never launched.
        match unsafe { module.prepare::<Spin>(LaunchShape::grid(1)) } {
            Err(Error::ParamMismatch { entry: "spin", .. } | Error::ParamCount { entry: "spin", .. }) => {}
            Ok(_) if !driver_can_say => {
                return Err(Stop::Skipped("the driver has no cuFuncGetParamInfo".to_owned()));
            }
            got => return fail(format!("{what}: {got:?}")),
        }
    }
    Ok(())
}

fn refused_ptx_comes_with_the_log(gpu: &Gpu) -> Outcome {
    match Module::load(gpu, "by hand", &ptx("7.4", ".visible .entry k() { nonsense.u32 %r1; }")) {
        Err(Error::PtxRejected { log, .. }) if log.contains("nonsense") || log.contains("line") => {}
        got => return fail(format!("PTX with an instruction that does not exist: {got:?}")),
    }
    // The refusal leaves everything usable.
    run_with(Options::default()).map(drop).map_err(Into::into)
}

fn ptx_newer_than_the_driver_says_so(gpu: &Gpu) -> Outcome {
    match Module::load(gpu, "by hand", &ptx("42.0", ".visible .entry k() { ret; }")) {
        Err(error @ Error::PtxTooNew { .. }) if error.to_string().contains("PTX 42.0") => Ok(()),
        got => fail(format!("PTX 42.0: {got:?}")),
    }
}

fn an_ordinal_too_large_names_the_count(_: &Gpu) -> Outcome {
    let count = Gpu::count()?;
    match Gpu::open(count + 5) {
        Err(Error::OrdinalTooLarge { ordinal, count: said }) => {
            expect_eq("the numbers named", &(ordinal, said), &(count + 5, count))
        }
        got => fail(format!("device {}: {got:?}", count + 5)),
    }
}
