//! A launch through a back end that only writes down what it is asked.

use std::cell::RefCell;

use gpu_std::launch::{
    ArgSink, BlockRule, CheckedShape, ContractError, DevicePtrArg, DeviceSlice, DeviceSliceMut, Dim3, Kernel,
    KernelArgs, LaunchShape, Launcher, ParamKind, SliceArg, SpaceId, TensorMapArg,
};
use gpu_std::{DevicePtr, DeviceRepr, GridMut, Real, f16, kernel};

/// y = alpha * x + y
#[kernel(block = 128, max_registers = 40, same_len(x, y), instances(f32, f16))]
pub fn axpy<T: Real>(alpha: T, x: &[T], y: GridMut<T>) {
    y.for_each(|i, y| *y = alpha * x[i as usize] + *y);
}

/// p[0] = n
///
/// # Safety
/// `p` points to at least one element.
#[kernel(max_block = 512, cluster = 2, target = "sm_90")]
pub unsafe fn raw(p: DevicePtr<u32>, n: u32) {
    // SAFETY: the caller gives at least one element.
    unsafe { p.write(0, n) }
}

/// Only has parameters.
#[kernel(block = (8, 4), instances(f32_16 = (f32, 16), i32_2 = (i32, 2)))]
pub fn tiled<T: DeviceRepr, const N: usize>(
    x: &[T],
    #[shared] tile: gpu_std::shared::SharedArray<T, N>,
    #[shared] rest: gpu_std::shared::DynamicShared<T>,
) {
    let _ = (x, tile, rest);
}

#[derive(Default)]
struct Recorder(RefCell<Vec<String>>);

#[derive(Debug, PartialEq)]
struct Failed(ContractError);

impl From<ContractError> for Failed {
    fn from(error: ContractError) -> Self {
        Self(error)
    }
}

impl ArgSink for &Recorder {
    type Error = Failed;

    fn slice(&mut self, arg: SliceArg) -> Result<(), Failed> {
        let how = if arg.writable { "write" } else { "read" };
        self.0.borrow_mut().push(format!("{how} {} {:#x} {}", arg.name, arg.addr, arg.len));
        Ok(())
    }

    fn ptr(&mut self, arg: DevicePtrArg) -> Result<(), Failed> {
        self.0.borrow_mut().push(format!("ptr {} {:#x}", arg.name, arg.addr));
        Ok(())
    }

    fn tensor_map(&mut self, arg: &TensorMapArg) -> Result<(), Failed> {
        self.0.borrow_mut().push(format!("map {}", arg.memory.name));
        Ok(())
    }

    fn value<T: DeviceRepr>(&mut self, name: &'static str, _: &T) -> Result<(), Failed> {
        self.0.borrow_mut().push(format!("value {name} {}", size_of::<T>()));
        Ok(())
    }
}

impl Launcher for Recorder {
    type Error = Failed;

    unsafe fn launch_checked<K: Kernel>(
        &self,
        shape: CheckedShape,
        args: &K::Args<'_>,
    ) -> Result<(), Failed> {
        self.0.borrow_mut().push(format!(
            "{} {} {} {}",
            K::ENTRY,
            shape.grid(),
            shape.block(),
            shape.shared_bytes()
        ));
        args.pack(&mut &*self)
    }
}

const SPACE: SpaceId = SpaceId::new(7);

fn read<T: DeviceRepr>(addr: u64, len: u64) -> DeviceSlice<'static, T> {
    // SAFETY: nothing behind the address is ever touched.
    unsafe { DeviceSlice::from_raw(addr, len, SPACE) }
}

fn write<T: DeviceRepr>(addr: u64, len: u64) -> DeviceSliceMut<'static, T> {
    // SAFETY: nothing behind the address is ever touched.
    unsafe { DeviceSliceMut::from_raw(addr, len, SPACE) }
}

#[test]
fn arguments_arrive_in_the_order_of_the_parameters() {
    let recorder = Recorder::default();
    let args = AxpyArgs { alpha: 2.0_f32, x: read(0x100, 10), y: write(0x200, 10) };
    axpy_f32::launch(&recorder, LaunchShape::grid(3), &args).expect("a valid launch");
    assert_eq!(
        recorder.0.into_inner(),
        ["axpy_f32 (3, 1, 1) (128, 1, 1) 0", "value alpha 4", "read x 0x100 10", "write y 0x200 10"]
    );
}

#[test]
fn empty_views_get_an_address_that_is_not_null() {
    let recorder = Recorder::default();
    let args = AxpyArgs { alpha: 2.0_f32, x: read(0, 0), y: write(0, 0) };
    axpy_f32::launch(&recorder, LaunchShape::grid(1), &args).expect("a valid launch");
    assert_eq!(recorder.0.into_inner()[2..], ["read x 0x10 0", "write y 0x10 0"]);
}

#[test]
fn lengths_that_differ_are_refused_before_the_launch() {
    let recorder = Recorder::default();
    let args = AxpyArgs { alpha: 2.0_f32, x: read(0x100, 10), y: write(0x200, 11) };
    let error = axpy_f32::launch(&recorder, LaunchShape::grid(1), &args).expect_err("10 is not 11");
    assert_eq!(
        error.0,
        ContractError::LengthMismatch { entry: "axpy", left: "x", left_len: 10, right: "y", right_len: 11 }
    );
    assert!(recorder.0.into_inner().is_empty());
}

#[test]
fn a_written_slice_that_shares_one_byte_is_refused() {
    let launch = |x: u64, y: u64| {
        let args = AxpyArgs { alpha: f16::ZERO, x: read::<f16>(x, 8), y: write(y, 8) };
        axpy_f16::launch(&Recorder::default(), LaunchShape::grid(1), &args)
    };
    assert_eq!(launch(0x100, 0x110), Ok(()));
    assert_eq!(launch(0x110, 0x100), Ok(()));
    let overlap = Err(Failed(ContractError::Overlap { entry: "axpy", left: "x", right: "y" }));
    assert_eq!(launch(0x100, 0x10f), overlap);
    assert_eq!(launch(0x100, 0x100), overlap);
    assert_eq!(launch(0x10e, 0x100), overlap);
}

#[test]
fn shapes_that_break_the_rule_are_refused() {
    let check = |shape: LaunchShape| shape.check::<axpy_f32::Entry>().map(|s| s.block());
    assert_eq!(check(LaunchShape::grid(1)), Ok(Dim3::new(128, 1, 1)));
    assert_eq!(check(LaunchShape::grid(0)), Err(ContractError::EmptyGrid { axis: 'x' }));
    assert_eq!(
        check(LaunchShape::grid((1, 65_536))),
        Err(ContractError::GridTooLarge { axis: 'y', blocks: 65_536, limit: 65_535 })
    );
    assert!(matches!(check(LaunchShape::grid(1).with_block(64)), Err(ContractError::BlockNotAllowed { .. })));
    assert!(matches!(
        check(LaunchShape::grid(1).with_shared_bytes(4)),
        Err(ContractError::NoDynamicShared { .. })
    ));

    let raw = |shape: LaunchShape| shape.check::<raw::Entry>().map(|s| s.block());
    assert_eq!(raw(LaunchShape::grid(2).with_block(512)), Ok(Dim3::new(512, 1, 1)));
    assert!(matches!(raw(LaunchShape::grid(2)), Err(ContractError::BlockMissing { .. })));
    assert!(matches!(raw(LaunchShape::grid(2).with_block(513)), Err(ContractError::BlockTooLarge { .. })));
    assert!(matches!(raw(LaunchShape::grid(2).with_block((1, 0))), Err(ContractError::BlockTooLarge { .. })));
    assert!(matches!(
        raw(LaunchShape::grid(3).with_block(32)),
        Err(ContractError::GridNotMultipleOfCluster { blocks: 3, cluster: 2, .. })
    ));
}

#[test]
fn cover_counts_blocks_and_finds_the_limit() {
    assert_eq!(LaunchShape::cover(0, 256), Ok(LaunchShape::grid(1)));
    assert_eq!(LaunchShape::cover(257, 256), Ok(LaunchShape::grid(2)));
    assert!(matches!(LaunchShape::cover(u64::MAX, 256), Err(ContractError::GridTooLarge { .. })));
}

#[test]
fn views_are_cut_inside_their_bounds_alone() {
    assert_eq!(read::<f32>(0x100, 10).slice(2..6).map(|v| (v.addr(), v.len())), Ok((0x108, 4)));
    assert!(read::<f32>(0x100, 10).slice(2..11).is_err());
    let reversed = std::ops::Range { start: 6, end: 2 };
    assert!(read::<f32>(0x100, 10).slice(reversed).is_err());
    let (left, right) = write::<f16>(0x100, 10).split_at(4).expect("inside");
    assert_eq!((left.len(), right.addr(), right.len()), (4, 0x108, 6));
    assert!(write::<f16>(0x100, 10).split_at(11).is_err());
}

#[test]
fn the_record_tells_what_the_signature_says() {
    let record = axpy_f32::Entry::RECORD;
    for part in [
        r#""entry":"axpy_f32","stem":"axpy","instance":"f32","module":"launch","family":"launch""#,
        r#""block":[128,1,1],"max_block":null,"min_blocks":null,"max_registers":40,"cluster":null,"target":null"#,
        r#"{"name":"x","kind":"slice","type":"f32","size":4,"align":4}"#,
    ] {
        assert!(record.contains(part), "{part} is not in {record}");
    }
    assert_ne!(axpy_f32::Entry::SIGNATURE_HASH, axpy_f16::Entry::SIGNATURE_HASH);
    let params = axpy_f16::Entry::PARAMS;
    assert_eq!(
        params.iter().map(|p| p.kind).collect::<Vec<_>>(),
        [ParamKind::Value, ParamKind::Slice, ParamKind::GridMut]
    );
    assert_eq!((params[1].ty, params[1].size, params[1].align), ("f16", 2, 2));
}

#[test]
fn shared_tiles_are_no_arguments() {
    assert_eq!(tiled_f32_16::Entry::BLOCK, BlockRule::Exact(Dim3::new(8, 4, 1)));
    assert_eq!(tiled_f32_16::Entry::PARAMS.len(), 1);
    const { assert!(tiled_i32_2::Entry::DYNAMIC_SHARED) };
    let recorder = Recorder::default();
    let args = TiledArgs { x: read::<i32>(0x40, 3) };
    tiled_i32_2::launch(&recorder, LaunchShape::grid(1).with_shared_bytes(64), &args)
        .expect("a valid launch");
    assert_eq!(recorder.0.into_inner(), ["tiled_i32_2 (1, 1, 1) (8, 4, 1) 64", "read x 0x40 3"]);
}

#[test]
fn unsafe_kernels_launch_in_unsafe_code() {
    let recorder = Recorder::default();
    let args = RawArgs { p: 0x80, n: 5, instance: std::marker::PhantomData };
    // SAFETY: the recorder touches no memory.
    unsafe { raw::launch(&recorder, LaunchShape::grid(2).with_block(1), &args) }.expect("a valid launch");
    assert_eq!(recorder.0.into_inner(), ["raw (2, 1, 1) (1, 1, 1) 0", "ptr p 0x80", "value n 4"]);
}
