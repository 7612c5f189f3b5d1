//! A device in host memory that knows one op, with faults to plant: does the runner find them, does the op refuse before
//! the launch?

use std::cell::RefCell;
use std::ops::Range;

use gpu_std::DeviceRepr;
use gpu_std::launch::{
    ArgSink, CheckedShape, ContractError, DevicePtrArg, DeviceSlice, DeviceSliceMut, Kernel, KernelArgs as _,
    Launcher, SliceArg, SpaceId, TensorMapArg,
};

use super::cross::{HadamardOp, hadamard, hadamard_assign, hadamard_bwd};
use super::run::DeviceRun;
use super::{
    Case, DType, MatrixMut, MatrixRef, Op as _, OpError, Placement, Prepared as _, RowOp, Values,
    case_operands, fill,
};
use crate::backend::{Buffer, Device, DeviceInfo, part, part_mut, zeros};
use crate::error::Error;

/// What the kernel does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    SkipsLast,
    WritesPastRow,
    WritesInput,
    IsOneUlpOff,
}

struct Fake {
    info: DeviceInfo,
    fault: Fault,
    launches: RefCell<Vec<&'static str>>,
}

impl Fake {
    fn new(fault: Fault) -> Self {
        let info = DeviceInfo {
            ordinal: 0,
            name: "fake".to_owned(),
            arch: "none".to_owned(),
            compute: (0, 0),
            sm_count: 1,
            total_bytes: 0,
            l2_bytes: 0,
            shared_bytes: 0,
            shared_optin_bytes: 0,
            driver: 0,
        };
        Self { info, fault, launches: RefCell::default() }
    }
}

struct Memory<T>(Vec<T>);

const SPACE: SpaceId = SpaceId::new(77);

impl<T: DeviceRepr> Buffer<T> for Memory<T> {
    fn as_slice(&self) -> DeviceSlice<'_, T> {
        // SAFETY: the vector is alive and borrowed as long as the view.
        unsafe { DeviceSlice::from_raw(self.0.as_ptr() as u64, self.len(), SPACE) }
    }

    fn as_mut_slice(&mut self) -> DeviceSliceMut<'_, T> {
        // SAFETY: the vector is alive and exclusively borrowed as long as the view.
        unsafe { DeviceSliceMut::from_raw(self.0.as_mut_ptr() as u64, self.len(), SPACE) }
    }

    fn len(&self) -> u64 {
        self.0.len() as u64
    }
}

/// Slices and 64-bit words of one launch.
#[derive(Default)]
struct Packed(Vec<SliceArg>, Vec<u64>);

impl ArgSink for Packed {
    type Error = Error;

    fn slice(&mut self, arg: SliceArg) -> Result<(), Error> {
        self.0.push(arg);
        Ok(())
    }

    fn ptr(&mut self, _: DevicePtrArg) -> Result<(), Error> {
        Ok(())
    }

    fn tensor_map(&mut self, _: &TensorMapArg) -> Result<(), Error> {
        Ok(())
    }

    fn value<T: DeviceRepr>(&mut self, _: &'static str, value: &T) -> Result<(), Error> {
        let words = (&raw const *value).cast::<u64>();
        // SAFETY: the values of these kernels are 64-bit words or a `RowExtent`: whole words, aligned to 8.
        self.1.extend((0..size_of::<T>() / 8).map(|i| unsafe { words.add(i).read() }));
        Ok(())
    }
}

impl Launcher for Fake {
    type Error = Error;

    unsafe fn launch_checked<K: Kernel>(&self, _: CheckedShape, args: &K::Args<'_>) -> Result<(), Error> {
        self.launches.borrow_mut().push(K::ENTRY);
        let mut packed = Packed::default();
        args.pack(&mut packed)?;
        let [a, b, y] = packed.0.as_slice() else { panic!("three slices") };
        let words = match K::ENTRY {
            "hadamard_f32" => vec![0, 0, 0, 1, y.len],
            "hadamard_rows_f32" => packed.1,
            other => panic!("the fake device does not know `{other}`"),
        };
        let &[stride_a, stride_b, stride_y, rows, cols, ..] = words.as_slice() else {
            panic!("five words and more")
        };
        let at = |slice: &SliceArg, place: u64| {
            assert!(place < slice.len, "out of bounds");
            (slice.addr as *mut f32).wrapping_add(place as usize)
        };
        for (r, c) in (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c))) {
            let last = r + 1 == rows && c + 1 == cols;
            if last && self.fault == Fault::SkipsLast {
                continue;
            }
            let off = u32::from(last && self.fault == Fault::IsOneUlpOff);
            // SAFETY: inside the slices, just checked, which are alive as long as the arguments.
            unsafe {
                let product = at(a, r * stride_a + c).read() * at(b, r * stride_b + c).read();
                at(y, r * stride_y + c).write(f32::from_bits(product.to_bits() + off));
                if r == 0 && c + 1 == cols && self.fault == Fault::WritesPastRow {
                    at(y, c + 1).write(0.0);
                }
                if last && self.fault == Fault::WritesInput {
                    at(a, 0).write(0.0);
                }
            }
        }
        Ok(())
    }
}

impl Device for Fake {
    type Buffer<T: DeviceRepr> = Memory<T>;
    type Staging<T: DeviceRepr> = Vec<T>;

    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn has_entry(&self, _: &str) -> bool {
        true
    }

    fn alloc<T: DeviceRepr>(&self, len: u64) -> Result<Memory<T>, Error> {
        Ok(Memory(zeros(len as usize)?))
    }

    fn upload<T: DeviceRepr>(&self, data: &[T]) -> Result<Memory<T>, Error> {
        Ok(Memory(data.to_vec()))
    }

    fn write<T: DeviceRepr>(&self, data: &[T], view: DeviceSliceMut<'_, T>) -> Result<(), Error> {
        assert_eq!(data.len() as u64, view.len());
        // SAFETY: the view is of a live vector of this device, as long as `data`, which is not a part of it.
        unsafe { (view.addr() as *mut T).copy_from_nonoverlapping(data.as_ptr(), data.len()) };
        Ok(())
    }

    fn download<T: DeviceRepr>(&self, view: DeviceSlice<'_, T>) -> Result<Vec<T>, Error> {
        // SAFETY: the view is of a live vector of this device.
        Ok((0..view.len()).map(|i| unsafe { (view.addr() as *const T).add(i as usize).read() }).collect())
    }

    fn staging<T: DeviceRepr>(&self, len: usize) -> Result<Vec<T>, Error> {
        zeros(len)
    }

    fn send<T: DeviceRepr>(
        &self,
        src: &Vec<T>,
        range: Range<usize>,
        dst: DeviceSliceMut<'_, T>,
    ) -> Result<(), Error> {
        self.write(part(src, range)?, dst)
    }

    fn fetch<T: DeviceRepr>(
        &self,
        src: DeviceSlice<'_, T>,
        dst: &mut Vec<T>,
        range: Range<usize>,
    ) -> Result<(), Error> {
        part_mut(dst, range)?.copy_from_slice(&self.download(src)?);
        Ok(())
    }

    fn fill_bytes<T: DeviceRepr>(&self, view: DeviceSliceMut<'_, T>, byte: u8) -> Result<(), Error> {
        // SAFETY: the view is of a live vector of this device; every bit pattern is a valid `T`.
        unsafe { (view.addr() as *mut T).write_bytes(byte, view.len() as usize) };
        Ok(())
    }

    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// What the runner says of one case on a device with a fault.
fn found(fault: Fault, case: &Case) -> Vec<String> {
    let device = Fake::new(fault);
    let operands = case_operands::<f32, HadamardOp, 2, 1>(case).expect("the case is right");
    let mut run = DeviceRun::<_, f32, HadamardOp, 2, 1>::new(&device, operands).expect("it has room");
    run.launch().expect("it launches");
    let comparisons = run.verify().expect("it compares");
    assert!(!comparisons.is_empty());
    comparisons.iter().filter(|c| !c.passed()).map(ToString::to_string).collect()
}

fn case(name: &str) -> Case {
    let cases = RowOp::<HadamardOp, 2, 1>::OP.cases();
    cases.into_iter().find(|c| c.name == name).expect("there is such a case")
}

#[test]
fn every_case_passes_on_a_device_without_fault() {
    for case in RowOp::<HadamardOp, 2, 1>::OP.cases() {
        assert_eq!(found(Fault::None, &case), Vec::<String>::new(), "{}", case.name);
    }
}

#[test]
fn the_entries_told_ahead_are_those_that_are_launched() {
    let op = RowOp::<HadamardOp, 2, 1>::OP;
    for case in op.cases() {
        let device = Fake::new(Fault::None);
        let operands = case_operands::<f32, HadamardOp, 2, 1>(&case).expect("the case is right");
        let mut run = DeviceRun::<_, f32, HadamardOp, 2, 1>::new(&device, operands).expect("it has room");
        run.launch().expect("it launches");
        let told = op.entries(device.info(), DType::F32, &case).expect("the case is right");
        assert_eq!(told, *device.launches.borrow(), "{}", case.name);
    }
    let device = Fake::new(Fault::None);
    let told = |name| op.entries(device.info(), DType::Bf16, &case(name)).expect("the case is right");
    assert_eq!(told("n_257"), ["hadamard_bf16"]);
    assert_eq!(told("rows_3x129_stride_140"), ["hadamard_rows_bf16"]);
    assert!(told("rows_0x7").is_empty());
}

#[test]
fn many_rows_with_gaps_are_checked_like_few() {
    let place = |stride| Placement { stride: Some(stride), offset: 1 };
    let operands = vec![place(400), place(0), place(403)];
    let large = Case { name: "large".to_owned(), dims: vec![700, 400], operands, ..case("n_257") };
    assert_eq!(found(Fault::None, &large), Vec::<String>::new());
    let wrong = found(Fault::SkipsLast, &large);
    assert!(wrong[0].contains("first at (699, 399): not written"), "{wrong:?}");
}

#[test]
fn every_planted_fault_is_found() {
    let strided = case("rows_3x129_stride_140");
    for (fault, want) in [
        (Fault::SkipsLast, "first at (2, 128): not written"),
        (Fault::WritesPastRow, "element 129 lies outside the rows"),
        (Fault::WritesInput, "`a`: 1 of"),
        (Fault::IsOneUlpOff, "first at (2, 128): got"),
    ] {
        let found = found(fault, &strided);
        assert!(found.len() == 1 && found[0].contains(want), "{fault:?}: {found:?}");
    }
}

#[test]
fn a_second_launch_after_reset_is_checked_like_the_first() {
    let device = Fake::new(Fault::None);
    let operands = case_operands::<f32, HadamardOp, 2, 1>(&case("n_257")).expect("the case is right");
    let mut run = DeviceRun::<_, f32, HadamardOp, 2, 1>::new(&device, operands).expect("it has room");
    run.launch().and_then(|()| run.reset()).expect("it runs");
    assert!(!run.verify().expect("it compares")[0].passed(), "the reset output is poison");
    run.launch().expect("it runs");
    assert!(run.verify().expect("it compares")[0].passed());
}

#[test]
fn no_rows_or_no_columns_launch_nothing() {
    let device = Fake::new(Fault::None);
    let mut memory = device.upload(&[1.0_f32; 8]).expect("it has room");
    let other = device.upload(&[1.0_f32; 8]).expect("it has room");
    for (rows, cols) in [(0, 0), (0, 7), (7, 0), (u64::MAX, 0)] {
        let a = MatrixRef::new(other.as_slice(), rows, cols).expect("it fits");
        let y = MatrixMut::new(memory.as_mut_slice(), rows, cols).expect("it fits");
        hadamard(&device, a, a, y).expect("nothing to do");
    }
    assert!(device.launches.borrow().is_empty());
}

#[test]
fn shared_memory_is_refused_before_the_launch() {
    let device = Fake::new(Fault::None);
    let mut memory = device.upload(&fill::<f32>(Values::Uniform, 1, 32)).expect("it has room");
    let before = memory.0.clone();
    let base = memory.as_mut_slice().addr();
    // SAFETY: alive until the end of the test; the launches are refused, which is what is tested, so nothing uses the views.
    let view = |start: u64| unsafe { DeviceSliceMut::<f32>::from_raw(base + 4 * start, 8, SPACE) };
    for start in [0, 1, 7] {
        let a = view(0);
        let a = MatrixRef::new(a.as_slice(), 2, 4).expect("it fits");
        let y = |start| MatrixMut::new(view(start), 2, 4).expect("it fits");
        let results = [
            hadamard(&device, a, a, y(start)),
            hadamard_assign(&device, a, y(start)),
            hadamard_bwd(&device, a, a, a, y(16), y(16 + start)),
        ];
        assert!(
            results.iter().all(|r| matches!(r, Err(Error::Contract(ContractError::Overlap { .. })))),
            "{results:?}"
        );
    }
    assert!(device.launches.borrow().is_empty() && memory.0 == before);
}

#[test]
fn shapes_that_differ_are_refused_before_the_launch() {
    let device = Fake::new(Fault::None);
    let mut memory = device.upload(&[1.0_f32; 8]).expect("it has room");
    let other = device.upload(&[1.0_f32; 8]).expect("it has room");
    let a = MatrixRef::new(other.as_slice(), 2, 4).expect("it fits");
    let y = MatrixMut::new(memory.as_mut_slice(), 4, 2).expect("it fits");
    let error = hadamard(&device, a, a, y).expect_err("they differ");
    assert!(
        matches!(error, Error::Op(OpError::ShapeMismatch { op: "hadamard", left: "a", right: "y", .. })),
        "{error}"
    );
    assert!(device.launches.borrow().is_empty());
}

#[test]
fn a_row_is_repeated_and_a_short_view_refused() {
    let device = Fake::new(Fault::None);
    let weights = device.upload(&[2.0_f32, 3.0]).expect("it has room");
    let values = device.upload(&[1.0_f32, 2.0, 3.0, 4.0]).expect("it has room");
    let mut memory = device.alloc::<f32>(4).expect("it has room");
    let b = MatrixRef::broadcast_row(weights.as_slice(), 2).expect("it fits");
    let a = MatrixRef::new(values.as_slice(), 2, 2).expect("it fits");
    hadamard(&device, a, b, MatrixMut::new(memory.as_mut_slice(), 2, 2).expect("it fits")).expect("it runs");
    assert_eq!(memory.0, [2.0, 6.0, 6.0, 12.0]);
    let short = MatrixMut::new(memory.as_mut_slice(), 2, 3);
    assert!(matches!(short, Err(Error::Op(OpError::ViewTooShort { needed: 6, len: 4, .. }))));
}
