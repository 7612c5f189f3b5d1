//! Products of matrices: every odd size, the same bits from every kernel, what is refused, more outputs than 31 bits count.

use gpu_std::launch::{ContractError, DeviceSlice, DeviceSliceMut};
use host::ops::matmul::{
    FloatOp, HostBias, HostFloat, HostHpq, HostQ8, HpqOp, Kernel, MatmulError, Product, Q8, Q8Op,
    SWEEP_SIZES, Scales, SplitRef, ZeroPoints, matmul_hpq_on, matmul_on, matmul_q8, matmul_q8_on, row_sums,
    sweep,
};
use host::ops::{
    Case, DType, Executor, HostRef, Layout, MatrixMut, MatrixRef, Op, OpError, Placement, Values, mix,
};
use host::reference::matmul::{matmul_hpq_at, matmul_q8_at};
use host::runtime::{Buffer as _, Device, Error};

use super::{Check, Checked, compare_case};
use crate::harness::{Outcome, Stop, expect_eq, fail};

/// The checks of this file.
pub fn checks() -> Vec<Check> {
    let mut checks = vec![
        on_device!("matmul_q8_i32::overlap_is_refused", overlap_is_refused),
        on_device!("matmul_q8_f32::a_refused_call_writes_nothing", refused_calls_write_nothing),
        on_device!("matmul_q8_f32::contents_are_checked_once", contents_are_checked),
        on_device!("matmul_q8_i32::sums_of_rows", sums_of_rows),
        on_device!("matmul_q8_i32::rows_may_repeat_and_a_row_alone_has_no_stride", odd_strides),
        on_device!("matmul_q8_i8::more_than_2_to_the_31_outputs", many_outputs),
        on_device!("matmul_hpq_i64::planes_that_differ_are_refused", planes_that_differ),
        Check::everywhere("matmul_q8_f16::data_of_the_host".to_owned(), q8_of_the_host),
        Check::everywhere("matmul_hpq_f32::data_of_the_host".to_owned(), |executor| {
            hpq_of_the_host(executor)
        }),
        Check::everywhere("matmul_f32::data_of_the_host".to_owned(), floats_of_the_host),
    ];
    let ops: [(&'static dyn Op, Product); 3] =
        [(&Q8Op, Product::Q8), (&HpqOp, Product::Hpq), (&FloatOp, Product::Float)];
    for (op, product) in ops {
        for (at, &dtype) in op.dtypes().iter().enumerate() {
            let prefix = format!("{}_{dtype}", op.name());
            checks.extend(SWEEP_SIZES.map(|m| {
                Check::everywhere(format!("{prefix}::every_odd_size_of_{m}_rows"), move |executor| {
                    let every = stride_of_sweep(executor);
                    let first = mix(m + 1000 * at as u64) as usize % every;
                    let cases = sweep(product, m).skip(first).step_by(every);
                    cases.map(|case| compare_case(op, dtype, &case, executor)).sum()
                })
            }));
        }
        for &dtype in op.dtypes() {
            checks.extend(of_one_cluster(op, product, dtype));
        }
        if product != Product::Float {
            let dtype = op.dtypes()[0];
            let name = format!("{}_{dtype}::every_kernel_and_number_of_parts", op.name());
            checks.push(Check::on_device(name, move |executor| every_kernel(op, executor)));
        }
    }
    checks
}

/// Of how many sizes one is run: all on the GPU.
fn stride_of_sweep(executor: &Executor) -> usize {
    match executor {
        Executor::Cuda(_) => 1,
        Executor::Cpu => 31,
        _ => 151,
    }
}

/// An entry that a build has if it has any for sm_90a.
const SM90_ENTRY: &str = "sm90_matmul_q8_f16_128x256";

/// Each kernel that goes from tile to tile, by one cluster that has them all: its stages come round, in later tiles too. By
/// itself it does so where there are more tiles than multiprocessors, which is more than the simulator takes.
fn of_one_cluster(op: &'static dyn Op, product: Product, dtype: DType) -> Vec<Check> {
    let mut checks = Vec::new();
    for (kernel, at) in Kernel::ALL.into_iter().zip(1..) {
        let Kernel::Sm90(tile) = kernel else { continue };
        if !tile.is_instance(product, dtype) {
            continue;
        }
        // More tiles than share columns, and two steps of k: more than there are stages.
        let ((m, n), turned) = (tile.extent(), tile.is_turned());
        let (m, n) = if turned { (3, 8 * n + 16) } else { (8 * m + 3, 16) };
        let columns = if turned { tile.extent().0 } else { tile.extent().1 };
        let bytes = if columns <= 64 { 272 } else { 144 };
        let k = if product == Product::Float { bytes / 2 } else { bytes };
        // Without and with zero points; floats that come out as f32 once of f16, once of bf16.
        let case = move |zeros: u64| Case {
            name: format!("{}_by_one_cluster", kernel.name()),
            dims: vec![m.into(), n.into(), k],
            operands: vec![Placement::PLAIN; 3],
            values: Values::Uniform,
            seed: 5,
            options: vec![("kernel", at), ("col_zeros", zeros), ("bias", 1), ("bf16", zeros / 2)],
        };
        let name = format!("{}_{dtype}::{}_by_one_cluster", op.name(), kernel.name());
        checks.push(Check::on_device(name, move |executor| {
            let Executor::Sim(sim) = executor else {
                return Err(Stop::Elsewhere(
                    "only the simulator takes another grid than the op's".to_owned(),
                ));
            };
            if !sim.has_entry(SM90_ENTRY) {
                return Err(Stop::Elsewhere("only PTX for sm_90a has these kernels".to_owned()));
            }
            let executor = Executor::Sim(sim.on_grid((2, 1, 1)));
            [0, 2].into_iter().map(|zeros| compare_case(op, dtype, &case(zeros), &executor)).sum()
        }));
    }
    checks
}

/// Each gives the bits of the reference, so all give the same.
fn every_kernel(op: &dyn Op, executor: &Executor) -> Checked {
    let mut compared = 0;
    for kernel in 1..=Kernel::ALL.len() as u64 {
        for splits in 1..6 {
            let case = Case {
                name: format!("kernel_{kernel}_splits_{splits}"),
                // Rows of f16 at multiples of 16 bytes, which the kernels of sm_90a need.
                dims: vec![70, 72, 640],
                operands: vec![Placement::PLAIN; 3],
                values: Values::Uniform,
                seed: 3,
                options: vec![("kernel", kernel), ("splits", splits), ("col_zeros", 2), ("bias", 1)],
            };
            compared += compare_case(op, op.dtypes()[0], &case, executor)?;
        }
    }
    Ok(compared)
}

fn codes(seed: u64, len: usize) -> Vec<i8> {
    (0..len as u64).map(|at| mix(seed + at) as i8).collect()
}

fn matrix<T>(data: &[T], rows: u64) -> Result<HostRef<'_, T>, Stop> {
    let cols = data.len() as u64 / rows;
    Ok(HostRef::new(data, Layout::new(rows, cols, cols)?)?)
}

fn expect(what: &str, got: Result<(), Error>, want: &MatmulError) -> Outcome {
    match got {
        Err(Error::Op(OpError::Matmul(error))) if error == *want => Ok(()),
        other => fail(format!("{what}: got {other:?}, want {want:?}")),
    }
}

fn refused_overlap(what: &str, result: Result<(), Error>) -> Outcome {
    match result {
        Err(Error::Contract(ContractError::Overlap { .. })) => Ok(()),
        other => fail(format!("{what}: got {other:?}")),
    }
}

fn overlap_is_refused<D: Device>(device: &D) -> Outcome {
    const SIZE: u64 = 8;
    let mut memory = device.upload(&[1_i32; 256])?;
    let whole = memory.as_mut_slice();
    let (addr, space) = (whole.addr(), whole.space());
    // SAFETY: the memory is alive; the launches these views go to are refused, which is what is tested.
    let input = |at: u64| unsafe { DeviceSlice::<i8>::from_raw(addr + at, SIZE * SIZE, space) };
    // SAFETY: as above.
    let bytes = |at: u64| unsafe { DeviceSliceMut::<i8>::from_raw(addr + at, SIZE * SIZE, space) };
    // SAFETY: as above.
    let floats = |at: u64| unsafe { DeviceSlice::<f32>::from_raw(addr + at, SIZE, space) };
    let of = |at| MatrixRef::new(input(at), SIZE, SIZE);
    let (a, b) = (of(0)?, of(64)?);
    for at in [0, 63, 64, 127] {
        let c = MatrixMut::new(bytes(at), SIZE, SIZE)?;
        refused_overlap("an input", matmul_q8(device, &Q8::new(a, b), c))?;
    }
    for at in [256, 316, 228] {
        let bias = Some(host::ops::matmul::BiasRef::F32(floats(at)));
        let c = MatrixMut::new(bytes(256), SIZE, SIZE)?;
        refused_overlap("the bias", matmul_q8(device, &Q8 { bias, ..Q8::new(a, b) }, c))?;
        let row_scales = Some(Scales::trusted(floats(at)));
        let c = MatrixMut::new(bytes(256), SIZE, SIZE)?;
        refused_overlap("scales", matmul_q8(device, &Q8 { row_scales, ..Q8::new(a, b) }, c))?;
    }
    device.synchronize()?;
    expect_eq("the memory", &device.download(memory.as_slice())?, &vec![1; 256])
}

fn refused_calls_write_nothing<D: Device>(device: &D) -> Outcome {
    let (op, k) = ("matmul_q8", 16);
    let (a, b) = (device.upload(&codes(1, 32))?, device.upload(&codes(2, 48))?);
    let scales = device.upload(&[1.0_f32; 6])?;
    let sums = device.upload(&[0_i32; 6])?;
    let mut c = device.upload(&[7.0_f32; 6])?;
    let (a, b) = (MatrixRef::new(a.as_slice(), 2, k)?, MatrixRef::new(b.as_slice(), 3, k)?);
    let scales_of = |len| Ok::<_, Error>(Some(Scales::trusted(scales.as_slice().slice(0..len)?)));
    let zeros_of = |len, other| {
        let of = |len| sums.as_slice().slice(0..len);
        Ok::<_, Error>(Some(ZeroPoints::trusted(of(len)?, of(other)?)))
    };
    let plain = Q8::new(a, b);
    let mut call = |what, asked: Q8<'_>, rows, cols, want| {
        let c = MatrixMut::new(c.as_mut_slice().slice(0..rows * cols)?, rows, cols)?;
        expect(what, matmul_q8(device, &asked, c), &want)
    };
    let short = MatrixRef::new(b.data().slice(0..45)?, 3, 15)?;
    call("rows of b", Q8::new(a, short), 2, 3, MatmulError::InnerExtents { op, a: 16, b: 15 })?;
    let shape = MatmulError::OutputShape { op, rows: 3, cols: 2, m: 2, n: 3 };
    call("the output", plain, 3, 2, shape)?;
    let vector = |vector, got, want, one| MatmulError::VectorLength { op, vector, got, want, one };
    let asked = Q8 { row_scales: scales_of(3)?, ..plain };
    call("row scales", asked, 2, 3, vector("scales of rows", 3, 2, true))?;
    let asked = Q8 { col_scales: scales_of(2)?, ..plain };
    call("column scales", asked, 2, 3, vector("scales of columns", 2, 3, true))?;
    let asked = Q8 { row_zeros: zeros_of(1, 2)?, ..plain };
    call("sums", asked, 2, 3, vector("sums of rows of `b`", 2, 3, false))?;
    let asked = Q8 { col_zeros: zeros_of(2, 2)?, ..plain };
    call("zero points", asked, 2, 3, vector("zero points of columns", 2, 3, true))?;
    let bias = Some(host::ops::matmul::BiasRef::F32(scales.as_slice().slice(0..2)?));
    call("the bias", Q8 { bias, ..plain }, 2, 3, vector("elements in the bias", 2, 3, false))?;
    // One row again and again: k alone is too large.
    let long = device.upload(&codes(3, 131_072))?;
    let long = MatrixRef::new(long.as_slice(), 1, 131_072)?;
    let too_long = MatmulError::SumTooLong { op, k: 131_072, limit: 131_071, product: 16_384 };
    call("k", Q8::new(long, long), 1, 1, too_long)?;
    device.synchronize()?;
    expect_eq("the output", &device.download(c.as_slice())?, &vec![7.0; 6])
}

fn contents_are_checked<D: Device>(device: &D) -> Outcome {
    for bad in [f32::NAN, f32::INFINITY, 0.0, -1.0] {
        let scales = device.upload(&[1.0, bad, 1.0])?;
        let want = MatmulError::Scale { index: 1, value: bad.into() };
        expect("scales", Scales::checked(device, scales.as_slice()).map(|_| ()), &want)?;
    }
    let good = device.upload(&[1e-40_f32, 3e38])?;
    Scales::checked(device, good.as_slice())?;
    let zeros = device.upload(&[-128, 127, 200])?;
    let want = MatmulError::ZeroPoint { index: 2, value: 200, min: -128, max: 127 };
    let checked = ZeroPoints::checked(device, zeros.as_slice(), zeros.as_slice());
    expect("zero points", checked.map(|_| ()), &want)?;
    let wide = ZeroPoints::checked_i16(device, zeros.as_slice(), zeros.as_slice())?;
    let byte = device.upload(&[1_i8])?;
    let byte = MatrixRef::new(byte.as_slice(), 1, 1)?;
    let mut refused = device.upload(&[7.0_f32])?;
    for (vector, row_zeros, col_zeros) in [("rows", Some(wide), None), ("columns", None, Some(wide))] {
        let asked = Q8 { row_zeros, col_zeros, ..Q8::new(byte, byte) };
        let want = MatmulError::WideZeroPoints { op: "matmul_q8", vector };
        let c = MatrixMut::new(refused.as_mut_slice(), 1, 1)?;
        expect("zero points of 16-bit codes", matmul_q8(device, &asked, c), &want)?;
    }
    expect_eq("the output", &device.download(refused.as_slice())?, &vec![7.0])?;
    // Scales that nobody has checked go into the products: NaN comes out as NaN.
    let (ones, nan) = (device.upload(&[1_i8; 16])?, device.upload(&[f32::NAN])?);
    let mut c = device.upload(&[0.0_f32])?;
    let ones = MatrixRef::new(ones.as_slice(), 1, 16)?;
    let asked = Q8 { row_scales: Some(Scales::trusted(nan.as_slice())), ..Q8::new(ones, ones) };
    matmul_q8(device, &asked, MatrixMut::new(c.as_mut_slice(), 1, 1)?)?;
    expect_eq("NaN", &device.download(c.as_slice())?[0].is_nan(), &true)
}

fn sums_of_rows<D: Device>(device: &D) -> Outcome {
    let data = codes(5, 7 * 45);
    let on_device = device.upload(&data)?;
    let mut sums = device.upload(&[0_i32; 7])?;
    row_sums(device, MatrixRef::new(on_device.as_slice(), 7, 45)?, sums.as_mut_slice())?;
    let want = host::cpu::matmul::row_sums(matrix(&data, 7)?);
    expect_eq("sums", &device.download(sums.as_slice())?, &want)
}

fn odd_strides<D: Device>(device: &D) -> Outcome {
    let (a, b) = (codes(6, 64), codes(7, 96));
    let (on_a, on_b) = (device.upload(&a)?, device.upload(&b)?);
    let mut c = device.upload(&[0_i32; 6])?;
    let of = |rows, cols, stride, at: u64| -> Result<_, Error> {
        MatrixRef::with_stride(on_a.as_slice().slice(at..64)?, rows, cols, stride)
    };
    let right = MatrixRef::new(on_b.as_slice(), 3, 32)?;
    // One row twice; rows that overlap; one row whose stride is more than there is.
    for (rows, stride, at) in [(2, 0, 3), (2, 1, 0), (2, 16, 0), (1, u64::MAX, 16)] {
        let view = MatrixMut::new(c.as_mut_slice().slice(0..rows * 3)?, rows, 3)?;
        matmul_q8(device, &Q8::new(of(rows, 32, stride, at)?, right), view)?;
        let left = HostRef::new(&a[at as usize..], Layout::new(rows, 32, stride)?)?;
        let asked = HostQ8::new(left, matrix(&b, 3)?);
        let want: Vec<i32> = (0..rows * 3).map(|at| matmul_q8_at(&asked, at / 3, at % 3)).collect();
        let got = device.download(c.as_slice().slice(0..rows * 3)?)?;
        expect_eq(&format!("rows {stride} apart"), &got, &want)?;
    }
    Ok(())
}

/// 65537 × 32768 outputs, whose numbers do not fit 31 bits.
fn many_outputs<D: Device>(device: &D) -> Outcome {
    const M: u64 = 65_537;
    const N: u64 = 32_768;
    const K: u64 = 16;
    if device.info().driver == 0 {
        return Err(Stop::Elsewhere("minutes in the simulator; the GPU runs it".to_owned()));
    }
    let needed = M * N + (1 << 30);
    if device.info().total_bytes < needed {
        return Err(Stop::Skipped(format!("it needs {needed} bytes of device memory")));
    }
    let (a, b) = (codes(8, (M * K) as usize), codes(9, (N * K) as usize));
    let (on_a, on_b) = (device.upload(&a)?, device.upload(&b)?);
    let scale = device.upload(&[1e-3_f32])?;
    let mut c = device.alloc::<i8>(M * N)?;
    let row_scales = Some(Scales::trusted(scale.as_slice()));
    let (left, right) = (MatrixRef::new(on_a.as_slice(), M, K)?, MatrixRef::new(on_b.as_slice(), N, K)?);
    let asked = Q8 { row_scales, ..Q8::new(left, right) };
    matmul_q8(device, &asked, MatrixMut::new(c.as_mut_slice(), M, N)?)?;
    let asked = HostQ8 { row_scales: Some(&[1e-3]), ..HostQ8::new(matrix(&a, M)?, matrix(&b, N)?) };
    for row in [0, 1, M / 2, M - 2, M - 1] {
        let got = device.download(c.as_slice().slice(row * N..(row + 1) * N)?)?;
        let want: Vec<i8> = (0..N).map(|j| matmul_q8_at(&asked, row, j)).collect();
        if let Some(j) = got.iter().zip(&want).position(|(got, want)| got != want) {
            return fail(format!("({row}, {j}): got {}, want {}", got[j], want[j]));
        }
    }
    Ok(())
}

fn planes_that_differ<D: Device>(device: &D) -> Outcome {
    let (hi, lo) = (device.upload(&[0_i8; 64])?, device.upload(&[0_u8; 64])?);
    let of_hi = |stride| MatrixRef::with_stride(hi.as_slice(), 2, 16, stride);
    let lo = MatrixRef::new(lo.as_slice(), 2, 16)?;
    let want = MatmulError::PlaneStrides { hi: 32, lo: 16 };
    expect("strides", SplitRef::new(of_hi(32)?, lo).map(|_| ()), &want)?;
    match SplitRef::new(MatrixRef::new(hi.as_slice(), 4, 16)?, lo) {
        Err(Error::Op(OpError::ShapeMismatch { left_rows: 4, right_rows: 2, .. })) => Ok(()),
        other => fail(format!("4 and 2 rows: {other:?}")),
    }
}

fn q8_of_the_host(executor: &Executor) -> Checked {
    let (a, b) = (codes(11, 5 * 37), codes(12, 9 * 37));
    let (scales, zeros) = ([0.5_f32, 0.25, 1.0, 2.0, 3.0], [7, -8, 0, 1, 2, 3, 4, 5, 6]);
    let bias: Vec<f32> = (0..9).map(|j| j as f32 * 0.5).collect();
    let asked = HostQ8 {
        row_scales: Some(&scales),
        col_scales: Some(&[1e-3]),
        row_zeros: Some(&[-3]),
        col_zeros: Some(&zeros),
        bias: Some(HostBias::F32(&bias)),
        ..HostQ8::new(matrix(&a, 5)?, matrix(&b, 9)?)
    };
    let want: Vec<gpu_std::f16> = (0..45).map(|at| matmul_q8_at(&asked, at / 9, at % 9)).collect();
    expect_eq("the product", &matmul_q8_on::<gpu_std::f16>(executor, &asked)?, &want)?;
    let refused = |asked: HostQ8<'_>| matmul_q8_on::<f32>(executor, &asked).map(|_| ());
    let want = MatmulError::Scale { index: 0, value: 0.0.into() };
    expect("a scale of zero", refused(HostQ8 { col_scales: Some(&[0.0]), ..asked }), &want)?;
    let want = MatmulError::ZeroPoint { index: 0, value: 300, min: -128, max: 127 };
    expect("a zero point of 300", refused(HostQ8 { row_zeros: Some(&[300]), ..asked }), &want)?;
    let scaled = matmul_q8_on::<i32>(executor, &asked).map(|_| ());
    let dtype = DType::I32;
    expect("scales", scaled, &MatmulError::NotScaled { op: "matmul_q8", dtype, vector: "scales of rows" })?;
    Ok(1)
}

fn hpq_of_the_host(executor: &Executor) -> Checked {
    let a = codes(13, 5 * 37);
    let w: Vec<i16> = (0..9 * 37).map(|at| mix(at) as i16).collect();
    let asked = HostHpq {
        row_scales: Some(&[0.5]),
        col_scales: Some(&[1e-6]),
        col_zeros: Some(&[-30_000]),
        ..HostHpq::new(matrix(&a, 5)?, matrix(&w, 9)?)
    };
    let want: Vec<f32> = (0..45).map(|at| matmul_hpq_at(&asked, at / 9, at % 9)).collect();
    expect_eq("the product", &matmul_hpq_on::<f32>(executor, &asked)?, &want)?;
    let refused = HostHpq { col_zeros: Some(&[40_000]), ..asked };
    let want = MatmulError::ZeroPoint { index: 0, value: 40_000, min: -32_768, max: 32_767 };
    expect("a zero point", matmul_hpq_on::<f32>(executor, &refused).map(|_| ()), &want)?;
    Ok(1)
}

/// Small integers: every sum is exact.
fn floats_of_the_host(executor: &Executor) -> Checked {
    let of = |seed, len| -> Vec<gpu_std::f16> {
        codes(seed, len).into_iter().map(|x| gpu_std::f16::from_f32(f32::from(x / 16))).collect()
    };
    let (a, b) = (of(14, 5 * 37), of(15, 9 * 37));
    let bias = [0.5_f32; 9];
    let asked = HostFloat { a: matrix(&a, 5)?, b: matrix(&b, 9)?, bias: Some(HostBias::F32(&bias)) };
    let sum = |i: usize, j: usize| -> f32 {
        (0..37).map(|k| a[37 * i + k].to_f32() * b[37 * j + k].to_f32()).sum::<f32>() + 0.5
    };
    let want: Vec<f32> = (0..45).map(|at| sum(at / 9, at % 9)).collect();
    expect_eq("the product", &matmul_on::<gpu_std::f16, f32>(executor, &asked)?, &want)?;
    Ok(1)
}
