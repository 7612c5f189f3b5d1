//! The simulator as a device: what a launch may use, what is refused, and what is told of a kernel that goes wrong.

use gpu_std::launch::launch;
use host::error::Error;
use host::runtime::{Arch, ArtefactError, Buffer as _, Device as _, LaunchShape, Sim, SimOptions};
use host::sim::{Finding, FindingKind};
use kernels_gpu::probe::BLOCK;
use kernels_gpu::probe::shared_copy::{SharedCopyArgs, shared_copy};
use kernels_gpu::probe::spin::{Spin, SpinArgs};
use kernels_gpu::probe::trap_at::{TrapAt, TrapAtArgs};

/// A device for the PTX of each code generator and each architecture that is tested. That of libNVVM need not be there.
fn devices() -> Vec<Sim> {
    let open = |codegen: &str, arch: &str| {
        let mut options = SimOptions::default();
        options.ptx.arch = Some(arch.parse::<Arch>().expect("an architecture"));
        options.ptx.codegen = Some(codegen.to_owned());
        Sim::open_with(options)
    };
    let mut devices =
        ["sm_80", "sm_90"].map(|arch| open("llvm", arch).expect("`cargo xtask build-ptx` has run")).to_vec();
    for arch in ["sm_80", "sm_90"] {
        match open("nvvm", arch) {
            Ok(sim) => devices.push(sim),
            Err(error @ Error::Artefact(ArtefactError::CodegenNotThere { .. })) => {
                println!("skipped: nvvm, {arch}: {error}")
            }
            Err(error) => panic!("{error}"),
        }
    }
    devices
}

/// The first finding.
fn finding(result: Result<(), Error>) -> Finding {
    match result {
        Err(Error::SimFindings { findings, .. }) => findings.0[0].clone(),
        other => panic!("no finding: {other:?}"),
    }
}

/// Reverses `n` numbers with `shared_bytes` of shared memory.
fn reverse(sim: &Sim, n: u32, shared_bytes: u32) -> Result<Vec<u32>, Error> {
    let x = sim.upload(&(0..n).collect::<Vec<u32>>())?;
    let mut y = sim.alloc(u64::from(n))?;
    let shape = LaunchShape::grid(3).with_shared_bytes(shared_bytes);
    let args = SharedCopyArgs { x: x.as_slice(), y: y.as_mut_slice() };
    // SAFETY: the simulator checks every access to shared memory; too little of it is an error.
    unsafe { shared_copy::launch(sim, shape, &args)? };
    sim.download(y.as_slice())
}

#[test]
fn a_block_may_have_all_shared_memory_and_not_a_byte_more() {
    for sim in devices() {
        let limit = sim.info().shared_optin_bytes;
        assert!(limit > 48 << 10);
        let n = limit / 4;
        assert_eq!(reverse(&sim, n, limit).expect("it runs"), (0..n).rev().collect::<Vec<_>>(), "{sim}");
        let error = reverse(&sim, 1, limit + 1).expect_err("more than there is");
        assert!(matches!(error, Error::SharedTooLarge { limit: said, .. } if said == limit), "{error}");
    }
}

#[test]
fn too_little_shared_memory_is_found_and_the_device_goes_on() {
    for sim in devices() {
        let found = finding(reverse(&sim, 1000, 4 * 999).map(drop));
        assert_eq!(found.place.kernel, "shared_copy");
        assert_eq!(found.place.thread, [999 % BLOCK, 0, 0], "{found}");
        assert_eq!(reverse(&sim, 5, 20).expect("it runs"), [4, 3, 2, 1, 0]);
    }
}

#[test]
fn a_trap_names_block_and_thread() {
    for sim in devices() {
        let mut y = sim.alloc::<u32>(1000).expect("it has room");
        let mut trap = |at| {
            let args = TrapAtArgs { y: y.as_mut_slice(), at };
            launch::<TrapAt, Sim>(&sim, LaunchShape::grid(4), &args)
        };
        trap(1000).expect("nothing traps");
        let found = finding(trap(300));
        assert_eq!(found.kind, FindingKind::Trap);
        assert_eq!((found.place.block, found.place.thread), ([1, 0, 0], [300 - BLOCK, 0, 0]));
    }
}

#[test]
fn what_nobody_wrote_may_not_be_stored() {
    for sim in devices() {
        let mut y = sim.alloc::<u32>(10).expect("it has room");
        let found = finding(launch::<Spin, Sim>(
            &sim,
            LaunchShape::grid(1),
            &SpinArgs { y: y.as_mut_slice(), factor: 3, add: 1, ns: 0 },
        ));
        assert!(matches!(found.kind, FindingKind::Undefined(_)), "{found}");
        sim.fill_bytes(y.as_mut_slice(), 0).expect("it is there");
        let args = SpinArgs { y: y.as_mut_slice(), factor: 3, add: 1, ns: 2000 };
        launch::<Spin, Sim>(&sim, LaunchShape::grid(1), &args).expect("it ends");
        assert_eq!(sim.download(y.as_slice()).expect("it is there"), [1; 10]);
    }
}
