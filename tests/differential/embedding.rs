//! Embeddings: what is refused and when, indices at the ends of tables, the same plan again, grids that no call chooses, tables
//! beyond 2^32 bytes.

use gpu_std::launch::{ContractError, DeviceSlice, DeviceSliceMut};
use host::ops::embedding::{
    CodedRows, Dense, EmbedOp, EmbedPlan, EmbeddingError, Feature, Indices, Invalid, Lookup, Pooling, Table,
    embed,
};
use host::ops::{Executor, MatrixMut, MatrixRef, Op as _, OpError};
use host::runtime::{Buffer as _, Device, Error};

use super::{Check, Checked, GRIDS, compare_case};
use crate::harness::{Outcome, Stop, expect_eq, fail};

/// Of how many cases one is run on other grids.
const EVERY: usize = 11;

/// The checks of this file.
pub fn checks() -> Vec<Check> {
    let mut checks = vec![
        on_device!("embed_f32::a_refused_call_writes_nothing", refused_calls_write_nothing),
        on_device!("embed_f32::overlap_and_other_streams_are_refused", overlap_is_refused),
        on_device!("embed_f32::the_ends_of_every_table", ends_of_tables),
        on_device!("embed_f32::a_plan_sees_what_changed", plans_see_what_changed),
        on_device!("embed_f32::no_indices_at_all", no_indices),
        on_device!("embed_f32::padding_beyond_all_indices", padding_beyond_all_indices),
        on_device!("embed_f32::tables_of_more_than_2_to_the_32_bytes", large_tables),
    ];
    for &dtype in EmbedOp.dtypes() {
        for (x, y, z) in GRIDS {
            let name = format!("embed_{dtype}::grid_{x}x{y}x{z}");
            checks.push(Check::on_device(name, move |executor| {
                let Executor::Sim(sim) = executor else {
                    return Err(Stop::Elsewhere(
                        "only the simulator takes another grid than the op's".to_owned(),
                    ));
                };
                let executor = Executor::Sim(sim.on_grid((x, y, z)));
                let first = (x + y + z) as usize % EVERY;
                let cases = EmbedOp.cases().into_iter().skip(first).step_by(EVERY);
                cases.map(|case| compare_case(&EmbedOp, dtype, &case, &executor)).sum::<Checked>()
            }));
        }
    }
    checks
}

/// A table of three rows of two elements, indices of two samples, and room for the output.
pub(super) struct Small<D: Device> {
    pub table: D::Buffer<f32>,
    pub indices: D::Buffer<i64>,
    pub y: D::Buffer<f32>,
}

pub(super) const TABLE: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
pub(super) const UNTOUCHED: f32 = 7.0;

impl<D: Device> Small<D> {
    pub fn new(device: &D, indices: &[i64], outputs: usize) -> Result<Self, Error> {
        Ok(Self {
            table: device.upload(&TABLE)?,
            indices: device.upload(indices)?,
            y: device.upload(&vec![UNTOUCHED; outputs])?,
        })
    }
}

pub(super) fn table<'b, D: Device>(buffer: &'b D::Buffer<f32>) -> Result<Table<'b>, Error> {
    Ok(Table::F32(MatrixRef::new(buffer.as_slice(), 3, 2)?))
}

pub(super) fn expect(what: &str, got: Result<(), Error>, want: &EmbeddingError) -> Outcome {
    match got {
        Err(Error::Op(OpError::Embedding(error))) if error == *want => Ok(()),
        other => fail(format!("{what}: got {other:?}, want {want:?}")),
    }
}

fn refused_calls_write_nothing<D: Device>(device: &D) -> Outcome {
    let mut small = Small::<D>::new(device, &[0, 1], 4)?;
    let rows = table::<D>(&small.table)?;
    let indices = small.indices.as_slice();
    let few = device.upload(&[0_i32, 0, 0])?;
    let floats = device.upload(&[1.0_f32; 8])?;
    let bytes = device.upload(&[0_u8; 16])?;
    let empty = Table::F32(MatrixRef::new(small.table.as_slice(), 0, 2)?);
    let none = Table::F32(MatrixRef::new(small.table.as_slice(), 3, 0)?);
    let wide = Table::F32(MatrixRef::with_stride(small.table.as_slice().slice(0..1)?, 0, 4097, 0)?);
    let long = device.alloc::<f32>(4097)?;
    let long = Table::F32(MatrixRef::new(long.as_slice(), 1, 4097)?);
    let of = |table| Feature::new(table, Indices::I64(indices));
    let bags = |offsets, pooling| Feature {
        lookup: Lookup::Bags { indices: Indices::I64(indices), offsets, pooling },
        ..of(rows)
    };
    let good = of(rows);
    let length = |what, got, want| EmbeddingError::Length { feature: 1, what, got, batch: 2, want };
    let one = Indices::I64(indices.slice(0..1)?);
    let weights = floats.as_slice().slice(0..3)?;
    let refusals: Vec<(&str, Vec<Feature<'_>>, EmbeddingError)> = vec![
        ("no features", vec![], EmbeddingError::NoFeatures { limit: (1 << 24) - 1 }),
        ("no rows", vec![good, of(empty)], EmbeddingError::EmptyTable { feature: 1 }),
        ("no rows of many", vec![good, of(wide)], EmbeddingError::EmptyTable { feature: 1 }),
        ("no elements", vec![good, of(none)], EmbeddingError::Width { feature: 1, width: 0 }),
        ("too many elements", vec![good, of(long)], EmbeddingError::Width { feature: 1, width: 4097 }),
        ("indices", vec![good, Feature::new(rows, one)], length("indices", 1, 2)),
        ("offsets", vec![good, bags(Indices::I64(indices), Pooling::Sum)], length("offsets", 2, 3)),
        (
            "32 bits beside 64",
            vec![good, bags(Indices::I32(few.as_slice()), Pooling::Sum)],
            EmbeddingError::IndexBits { feature: 1, what: "offsets", got: 32, want: 64 },
        ),
        (
            "32 bits beside 64",
            vec![good, Feature::new(rows, Indices::I32(few.as_slice().slice(0..2)?))],
            EmbeddingError::IndexBits { feature: 1, what: "indices", got: 32, want: 64 },
        ),
        ("columns", vec![good, good, good], EmbeddingError::Columns { got: 2, want: 6 }),
    ];
    for (what, features, want) in &refusals {
        for invalid in [Invalid::Zero, Invalid::Refuse] {
            let y = MatrixMut::new(small.y.as_mut_slice(), 2, 2)?;
            expect(what, embed(device, features, None, y, invalid), want)?;
        }
    }
    let offsets = device.upload(&[0_i64, 1, 2])?;
    let weighted = bags(Indices::I64(offsets.as_slice()), Pooling::Weighted(weights));
    let want = EmbeddingError::Weights { feature: 0, got: 3, want: 2 };
    let y = MatrixMut::new(small.y.as_mut_slice(), 2, 2)?;
    expect("weights", embed(device, &[weighted], None, y, Invalid::Zero), &want)?;
    let dense = Some(Dense::F32(MatrixRef::new(floats.as_slice(), 4, 2)?));
    let y = MatrixMut::new(small.y.as_mut_slice(), 2, 2)?;
    let want = EmbeddingError::DenseRows { got: 4, batch: 2 };
    expect("dense", embed(device, &[good], dense, y, Invalid::Zero), &want)?;
    let mut plan = EmbedPlan::<f32, D>::new(device, &[good], None, 2)?;
    let y = MatrixMut::new(small.y.as_mut_slice(), 1, 2)?;
    expect("rows", plan.run(device, y, Invalid::Zero), &EmbeddingError::Rows { got: 1, batch: 2 })?;
    let mut counts = device.upload(&[9_u64; 2])?;
    let y = MatrixMut::new(small.y.as_mut_slice(), 2, 2)?;
    let counted = plan.run(device, y, Invalid::Count(counts.as_mut_slice()));
    expect("counts", counted, &EmbeddingError::Count { got: 2 })?;
    expect_eq("the counts", &device.download(counts.as_slice())?, &vec![9; 2])?;
    let codes = MatrixRef::new(bytes.as_slice(), 2, 8)?;
    expect("fused", CodedRows::fused(codes).map(drop), &EmbeddingError::FusedWidth { got: 8, steps: 8 })?;
    let steps = MatrixRef::new(floats.as_slice(), 4, 2)?;
    let want = EmbeddingError::StepsShape { rows: 4, cols: 2, codes: 2 };
    expect("steps", CodedRows::new(codes, steps).map(drop), &want)?;
    device.synchronize()?;
    expect_eq("the output", &device.download(small.y.as_slice())?, &vec![UNTOUCHED; 4])
}

fn overlap_is_refused<D: Device>(device: &D) -> Outcome {
    let mut memory = device.upload(&[0.0_f32; 64])?;
    let whole = memory.as_mut_slice();
    let (addr, space) = (whole.addr(), whole.space());
    // SAFETY: the memory is alive; the launches these views go to are refused, which is what is tested.
    let floats = |at: u64, len| unsafe { DeviceSlice::<f32>::from_raw(addr + at, len, space) };
    // SAFETY: as above.
    let numbers = |at: u64, len| unsafe { DeviceSlice::<i64>::from_raw(addr + at, len, space) };
    // SAFETY: as above.
    let target = |at: u64, len| unsafe { DeviceSliceMut::<f32>::from_raw(addr + at, len, space) };
    // A table at 0, indices at 64, an output at 128; then the output over one or the other.
    let feature = Feature::new(Table::F32(MatrixRef::new(floats(0, 6), 3, 2)?), Indices::I64(numbers(64, 2)));
    for at in [0, 20, 64, 76] {
        let y = MatrixMut::new(target(at, 4), 2, 2)?;
        match embed(device, &[feature], None, y, Invalid::Zero) {
            Err(Error::Contract(ContractError::Overlap { .. })) => {}
            other => return fail(format!("an output at {at}: {other:?}")),
        }
    }
    // SAFETY: as above; a space that is not the device's.
    let elsewhere =
        unsafe { DeviceSlice::<i64>::from_raw(addr + 64, 2, gpu_std::launch::SpaceId::new(u64::MAX)) };
    let feature = Feature { lookup: Lookup::One(Indices::I64(elsewhere)), ..feature };
    match embed(device, &[feature], None, MatrixMut::new(target(128, 4), 2, 2)?, Invalid::Zero) {
        Err(Error::Contract(ContractError::WrongSpace { param: "indices", .. })) => {}
        other => return fail(format!("indices of another stream: {other:?}")),
    }
    device.synchronize()?;
    expect_eq("the memory", &device.download(memory.as_slice())?, &vec![0.0; 64])
}

/// The first and the last row of the first, the middle and the last table, and one behind each.
fn ends_of_tables<D: Device>(device: &D) -> Outcome {
    let all = device.upload(&(0..18).map(|i| i as f32).collect::<Vec<f32>>())?;
    for bad in 0..4_usize {
        let lists: Vec<D::Buffer<i64>> = (0..3)
            .map(|feature| device.upload(&[0, if feature == bad { 3 } else { 2 }]))
            .collect::<Result<_, _>>()?;
        let features = (0..3)
            .map(|feature| {
                // One table behind the other: the row behind one is the first of the next.
                let rows = all.as_slice().slice(6 * feature as u64..6 * feature as u64 + 6)?;
                let table = Table::F32(MatrixRef::new(rows, 3, 2)?);
                Ok(Feature::new(table, Indices::I64(lists[feature].as_slice())))
            })
            .collect::<Result<Vec<_>, Error>>()?;
        let mut y = device.upload(&[UNTOUCHED; 12])?;
        let mut count = device.upload(&[99_u64])?;
        let target = MatrixMut::new(y.as_mut_slice(), 2, 6)?;
        embed(device, &features, None, target, Invalid::Count(count.as_mut_slice()))?;
        let mut want = vec![0.0, 1.0, 6.0, 7.0, 12.0, 13.0, 4.0, 5.0, 10.0, 11.0, 16.0, 17.0];
        if bad < 3 {
            want[6 + 2 * bad..8 + 2 * bad].fill(0.0);
        }
        expect_eq("rows", &device.download(y.as_slice())?, &want)?;
        expect_eq("the count", &device.download(count.as_slice())?, &vec![u64::from(bad < 3)])?;
    }
    Ok(())
}

fn plans_see_what_changed<D: Device>(device: &D) -> Outcome {
    let mut first = device.upload(&[0_i64, 1])?;
    let rows = device.upload(&TABLE)?;
    let mut y = device.upload(&[UNTOUCHED; 5])?;
    for (numbers, offset) in [([0, 1], 0_u64), ([2, 2], 0), ([1, 0], 1)] {
        device.write(&numbers, first.as_mut_slice())?;
        let feature = Feature::new(table::<D>(&rows)?, Indices::I64(first.as_slice()));
        let mut plan = EmbedPlan::<f32, D>::new(device, &[feature], None, 2)?;
        // Outputs that are aligned, and that are not, by one plan.
        for at in [offset, 1 - offset, offset] {
            let view = y.as_mut_slice().slice(at..at + 4)?;
            plan.run(device, MatrixMut::new(view, 2, 2)?, Invalid::Zero)?;
            let want: Vec<f32> =
                numbers.iter().flat_map(|row| TABLE[2 * *row as usize..][..2].to_vec()).collect();
            expect_eq("rows", &device.download(y.as_slice().slice(at..at + 4)?)?, &want)?;
        }
    }
    Ok(())
}

/// A padding index that no index can be stands for no row, whatever bits negative indices have.
fn padding_beyond_all_indices<D: Device>(device: &D) -> Outcome {
    let rows = device.upload(&TABLE)?;
    let (short, long) = (device.upload(&[-1_i32, 1])?, device.upload(&[-1_i64, 1])?);
    let mut y = device.upload(&[UNTOUCHED; 4])?;
    let mut count = device.upload(&[9_u64])?;
    for indices in [Indices::I32(short.as_slice()), Indices::I64(long.as_slice())] {
        for padding in [u64::from(u32::MAX), u64::MAX, 3] {
            let feature = Feature { padding_idx: Some(padding), ..Feature::new(table::<D>(&rows)?, indices) };
            let y = MatrixMut::new(y.as_mut_slice(), 2, 2)?;
            embed(device, &[feature], None, y, Invalid::Count(count.as_mut_slice()))?;
            expect_eq("the count", &device.download(count.as_slice())?, &vec![1])?;
        }
    }
    expect_eq("rows", &device.download(y.as_slice())?, &vec![0.0, 0.0, 3.0, 4.0])
}

/// Bags that are all empty, and no list behind them.
fn no_indices<D: Device>(device: &D) -> Outcome {
    let rows = device.upload(&TABLE)?;
    let (indices, offsets) = (device.alloc::<i64>(0)?, device.upload(&[0_i64; 3])?);
    let dense = device.upload(&[8.0_f32, 9.0])?;
    let mut y = device.upload(&[UNTOUCHED; 6])?;
    let (indices, offsets) = (Indices::I64(indices.as_slice()), Indices::I64(offsets.as_slice()));
    let lookup = Lookup::Bags { indices, offsets, pooling: Pooling::Mean };
    let feature = Feature { table: table::<D>(&rows)?, lookup, padding_idx: None };
    let dense = Some(Dense::F32(MatrixRef::new(dense.as_slice(), 2, 1)?));
    for invalid in [Invalid::Zero, Invalid::Refuse] {
        embed(device, &[feature], dense, MatrixMut::new(y.as_mut_slice(), 2, 3)?, invalid)?;
        expect_eq("zeros", &device.download(y.as_slice())?, &vec![0.0, 0.0, 8.0, 0.0, 0.0, 9.0])?;
    }
    Ok(())
}

/// A table whose last rows begin beyond 2^32 bytes, looked up by indices of 32 and of 64 bits.
fn large_tables<D: Device>(device: &D) -> Outcome {
    const WIDTH: u64 = 4096;
    const ROWS: u64 = (1 << 20) + 3;
    if device.info().driver == 0 {
        return Err(Stop::Elsewhere(
            "more memory than the simulator's host may have; the GPU runs it".to_owned(),
        ));
    }
    let needed = ROWS * WIDTH + (1 << 28);
    if device.info().total_bytes < needed {
        return Err(Stop::Skipped(format!("it needs {needed} bytes of device memory")));
    }
    let mut codes = device.alloc::<u8>(ROWS * WIDTH)?;
    device.fill_bytes(codes.as_mut_slice(), 0)?;
    let last = codes.as_mut_slice().slice((ROWS - 1) * WIDTH..ROWS * WIDTH)?;
    device.fill_bytes(last, 9)?;
    let mut steps = device.alloc::<f32>(2 * ROWS)?;
    device.fill_bytes(steps.as_mut_slice(), 0)?;
    let view = steps.as_mut_slice().slice(2 * (ROWS - 1)..2 * ROWS)?;
    device.write(&[0.5, 1.0], view)?;
    let rows = CodedRows::new(
        MatrixRef::new(codes.as_slice(), ROWS, WIDTH)?,
        MatrixRef::new(steps.as_slice(), ROWS, 2)?,
    )?;
    let short = device.upload(&[(ROWS - 1) as i32, 0])?;
    let long = device.upload(&[ROWS as i64 - 1, 0])?;
    let mut y = device.upload(&vec![UNTOUCHED; 2 * WIDTH as usize])?;
    for indices in [Indices::I32(short.as_slice()), Indices::I64(long.as_slice())] {
        let feature = Feature::new(Table::Codes(rows), indices);
        embed(device, &[feature], None, MatrixMut::new(y.as_mut_slice(), 2, WIDTH)?, Invalid::Refuse)?;
        let got = device.download(y.as_slice())?;
        let (first, second) = got.split_at(WIDTH as usize);
        expect_eq("the last row", &first.iter().all(|x| *x == 5.5), &true)?;
        expect_eq("the first row", &second.iter().all(|x| *x == 0.0), &true)?;
    }
    Ok(())
}
