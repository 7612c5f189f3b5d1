//! Tensor maps as arguments: what is refused before a launch, what a back end is handed.

use std::cell::RefCell;

use gpu_std::launch::{
    ArgSink, CheckedShape, ContractError, DevicePtrArg, DeviceSlice, DeviceSliceMut, Kernel, KernelArgs,
    LaunchShape, Launcher, ParamKind, SliceArg, SpaceId, TensorFill, TensorMapArg, TensorMapDesc,
    TensorMapDescMut, TensorMapError, TensorPromotion, TensorSwizzle, TensorTiles, TensorType,
};
use gpu_std::tma::{TensorMap, TensorMapMut};
use gpu_std::{DeviceRepr, GridMut, f16, kernel};

/// Only has parameters.
#[kernel(block = 128, cluster = 4, target = "sm_90")]
pub fn tiles(rows: u32, from: &TensorMap, to: &gpu_std::tma::TensorMapMut, y: GridMut<f32>) {
    let _ = (rows, from, to, y);
}

/// Generic beside its map.
#[kernel(block = 32, target = "sm_90", instances(f32, f16))]
pub fn typed<T: DeviceRepr>(from: &TensorMap, x: T) {
    let _ = (from, x);
}

#[derive(Default)]
struct Recorder(RefCell<Vec<TensorMapArg>>);

#[derive(Debug, PartialEq)]
struct Failed(ContractError);

impl From<ContractError> for Failed {
    fn from(error: ContractError) -> Self {
        Self(error)
    }
}

impl ArgSink for &Recorder {
    type Error = Failed;

    fn slice(&mut self, _: SliceArg) -> Result<(), Failed> {
        Ok(())
    }

    fn ptr(&mut self, _: DevicePtrArg) -> Result<(), Failed> {
        Ok(())
    }

    fn tensor_map(&mut self, arg: &TensorMapArg) -> Result<(), Failed> {
        self.0.borrow_mut().push(*arg);
        Ok(())
    }

    fn value<T: DeviceRepr>(&mut self, _: &'static str, _: &T) -> Result<(), Failed> {
        Ok(())
    }
}

impl Launcher for Recorder {
    type Error = Failed;

    unsafe fn launch_checked<K: Kernel>(&self, _: CheckedShape, args: &K::Args<'_>) -> Result<(), Failed> {
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

fn refused<T>(result: Result<T, ContractError>) -> TensorMapError {
    match result.err() {
        Some(ContractError::TensorMap(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_map_is_128_bytes_in_record_and_description() {
    let kinds: Vec<_> = tiles::Entry::PARAMS.iter().map(|p| (p.kind, p.size, p.align)).collect();
    let map = |kind| (kind, 128, 64);
    let want = [
        (ParamKind::Value, 4, 4),
        map(ParamKind::TensorMap),
        map(ParamKind::TensorMapMut),
        (ParamKind::GridMut, 4, 4),
    ];
    assert_eq!(kinds, want);
    for part in [
        r#"{"name":"from","kind":"tensor_map","type":"TensorMap","size":128,"align":64}"#,
        r#""kind":"tensor_map_mut","type":"gpu_std::tma::TensorMapMut","size":128,"align":64}"#,
        r#""cluster":4,"target":"sm_90""#,
    ] {
        assert!(tiles::Entry::RECORD.contains(part), "{part} is not in {}", tiles::Entry::RECORD);
    }
    assert_eq!(typed_f16::Entry::CLUSTER, None);
}

#[test]
fn a_back_end_is_handed_all_of_a_map() {
    let tiled = TensorTiles::new(&[100, 7, 3], &[16, 4, 2])
        .and_then(|t| t.with_strides(&[416, 4096]))
        .and_then(|t| t.with_element_strides(&[1, 2, 1]))
        .expect("within the limits")
        .with_swizzle(TensorSwizzle::B64)
        .with_fill(TensorFill::Nan)
        .with_promotion(TensorPromotion::B256)
        .with_type(TensorType::Tf32);
    // 2 planes of 4096, 6 rows of 416 and a row of 400 bytes.
    let from = TensorMapDesc::new(read::<f32>(0x1000, 2772), tiled).expect("inside");
    let to = TensorTiles::new(&[8, 3], &[8, 1]).expect("within the limits");
    let to = TensorMapDescMut::new(write::<f16>(0x9000, 24), to).expect("inside");
    assert_eq!((from.addr(), to.addr()), (0x1000, 0x9000));
    let recorder = Recorder::default();
    let args = TilesArgs { rows: 7, from, to, y: write(0x20_000, 1) };
    tiles::launch(&recorder, LaunchShape::grid(4), &args).expect("a valid launch");
    let [from, to] = recorder.0.into_inner()[..] else { panic!("two maps") };
    let shape = from.shape;
    assert_eq!((shape.dims(), shape.strides()), (&[100, 7, 3][..], &[416, 4096][..]));
    assert_eq!((shape.box_dims(), shape.element_strides()), (&[16, 4, 2][..], &[1, 2, 1][..]));
    assert_eq!((shape.ty(), shape.swizzle()), (TensorType::Tf32, TensorSwizzle::B64));
    assert_eq!((shape.fill(), shape.promotion()), (TensorFill::Nan, TensorPromotion::B256));
    assert_eq!((from.memory.name, from.memory.addr, from.memory.len), ("from", 0x1000, 11_088));
    assert_eq!((from.memory.writable, from.memory.space), (false, SPACE));
    assert_eq!((to.memory.name, to.memory.len, to.memory.writable), ("to", 48, true));
    assert_eq!((to.shape.ty(), to.shape.strides()), (TensorType::F16, &[16][..]));
}

#[test]
fn a_tensor_that_is_written_may_share_no_byte() {
    let row = TensorTiles::new(&[16], &[16]).expect("within the limits");
    let launch = |from: u64, to: u64, y: u64| {
        let from = TensorMapDesc::new(read::<f32>(from, 16), row).expect("inside");
        let to = TensorMapDescMut::new(write::<f32>(to, 16), row).expect("inside");
        let args = TilesArgs { rows: 1, from, to, y: write(y, 4) };
        tiles::launch(&Recorder::default(), LaunchShape::grid(4), &args)
    };
    let overlap = |left, right| Err(Failed(ContractError::Overlap { entry: "tiles", left, right }));
    assert_eq!(launch(0x100, 0x140, 0x180), Ok(()));
    assert_eq!(launch(0x100, 0x130, 0x180), overlap("from", "to"));
    assert_eq!(launch(0x100, 0x140, 0x13c), overlap("from", "y"));
    assert_eq!(launch(0x100, 0x140, 0x17c), overlap("to", "y"));
}

#[test]
fn grids_fill_their_clusters() {
    let check = |grid| LaunchShape::grid(grid).check::<tiles::Entry>().map(drop);
    assert_eq!(check(8), Ok(()));
    let error = check(6).expect_err("4 does not divide 6");
    assert_eq!(error, ContractError::GridNotMultipleOfCluster { entry: "tiles", blocks: 6, cluster: 4 });
}

#[test]
fn lists_outside_the_limits_are_refused_by_name() {
    let new = |dims: &[u64], box_dims: &[u32]| refused(TensorTiles::new(dims, box_dims)).to_string();
    assert_eq!(new(&[], &[]), "a tensor of 0 dimensions; 1 to 5 are possible");
    assert_eq!(new(&[1; 6], &[1; 6]), "a tensor of 6 dimensions; 1 to 5 are possible");
    assert_eq!(new(&[1, 2], &[1]), "box_dims has 1 numbers; a tensor of this rank needs 2");
    assert_eq!(new(&[1, 0], &[1, 1]), "dims[1] is 0; it must be 1 to 4294967296");
    assert_eq!(new(&[(1 << 32) + 1], &[1]), "dims[0] is 4294967297; it must be 1 to 4294967296");
    assert_eq!(new(&[1, 1], &[1, 0]), "box_dims[1] is 0; it must be 1 to 256");
    assert_eq!(new(&[1, 1], &[257, 1]), "box_dims[0] is 257; it must be 1 to 256");
    let tiles = TensorTiles::new(&[1 << 32, 8], &[256, 256]).expect("the most there is");
    let strides = |bytes: &[u64]| refused(tiles.with_strides(bytes)).to_string();
    assert_eq!(strides(&[]), "strides has 0 numbers; a tensor of this rank needs 1");
    assert_eq!(strides(&[24]), "strides[0] is 24 bytes, no multiple of 16; pad the rows");
    assert_eq!(strides(&[1 << 40]), "strides[0] is 1099511627776; it must be 0 to 1099511627760");
    let every = |strides: &[u32]| refused(tiles.with_element_strides(strides)).to_string();
    assert_eq!(every(&[1, 9]), "element_strides[1] is 9; it must be 1 to 8");
    assert_eq!(every(&[0, 1]), "element_strides[0] is 0; it must be 1 to 8");
    assert_eq!(every(&[1; 3]), "element_strides has 3 numbers; a tensor of this rank needs 2");
}

#[test]
fn memory_that_does_not_fit_is_refused() {
    let tiles = TensorTiles::new(&[32, 4], &[8, 4]).expect("within the limits");
    let over = |addr, len, tiles| refused(TensorMapDesc::new(read::<f32>(addr, len), tiles)).to_string();
    TensorMapDesc::new(read::<f32>(0x100, 128), tiles).expect("it fits");
    assert_eq!(over(0x104, 128, tiles), "the tensor begins at 0x104, which is no multiple of 16");
    assert_eq!(over(0x100, 127, tiles), "the tensor reaches over 512 bytes and the view has 508");
    let gaps = tiles.with_strides(&[256]).expect("within the limits");
    assert_eq!(over(0x100, 223, gaps), "the tensor reaches over 896 bytes and the view has 892");
    TensorMapDesc::new(read::<f32>(0x100, 224), gaps).expect("the last row has no gap");
    let vast = TensorTiles::new(&[1 << 32, 1 << 32], &[8, 4]).expect("within the limits");
    let vast = vast.with_strides(&[(1 << 40) - 16]).expect("within the limits");
    let error = refused(TensorMapDesc::new(read::<f32>(0x100, 128), vast));
    assert_eq!(error, TensorMapError::Extent { bytes: u64::MAX, view_bytes: 512 });
    let narrow = TensorTiles::new(&[32, 4], &[3, 4]).expect("within the limits");
    assert_eq!(over(0x100, 128, narrow), "a row of the box has 12 bytes, no multiple of 16");
    let odd = TensorTiles::new(&[33, 4], &[8, 4]).expect("within the limits");
    assert_eq!(over(0x100, 132, odd), "strides[0] is 132 bytes, no multiple of 16; pad the rows");
    let wide = TensorTiles::new(&[32, 4], &[12, 4]).expect("within the limits");
    let swizzled = wide.with_swizzle(TensorSwizzle::B32);
    assert_eq!(over(0x100, 128, swizzled), "a row of the box has 48 bytes; the swizzle takes at most 32");
    TensorMapDesc::new(read::<f32>(0x100, 128), wide.with_swizzle(TensorSwizzle::B64)).expect("it fits");
}

#[test]
fn types_and_fills_that_do_not_fit_are_refused() {
    let tiles = TensorTiles::new(&[32], &[16]).expect("within the limits");
    let error = refused(TensorMapDesc::new(read::<f16>(0x100, 32), tiles.with_type(TensorType::Tf32)));
    assert_eq!(error, TensorMapError::TypeSize { ty: TensorType::Tf32, bytes: 2 });
    assert_eq!(error.to_string(), "Tf32 has 4 bytes and the view's elements have 2");
    let nan = tiles.with_fill(TensorFill::Nan);
    TensorMapDesc::new(read::<f16>(0x100, 32), nan).expect("a float");
    let error = ContractError::from(refused(TensorMapDescMut::new(write::<i32>(0x100, 32), nan)));
    assert_eq!(error.to_string(), "tensor map: NaN outside a tensor of I32, which is no floating-point type");
    // As many dimensions as there are, each stride the product of the ones before.
    let cube = TensorTiles::new(&[16, 2, 3, 4, 5], &[16, 1, 1, 1, 1]).expect("within the limits");
    let map = TensorMapDesc::new(read::<i8>(0x100, 1920), cube).expect("it fits");
    assert_eq!((map.shape().strides(), map.shape().ty()), (&[16, 32, 96, 384][..], TensorType::U8));
}

#[test]
fn a_map_to_write_is_a_map_to_read() {
    fn reads(_: &TensorMap) -> &'static str {
        "read"
    }
    fn of(map: &TensorMapMut) -> &'static str {
        reads(map)
    }
    let _: fn(&TensorMapMut) -> &'static str = of;
}
