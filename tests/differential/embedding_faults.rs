//! Indices and bags that are not valid, found before anything is written: which of several is told, by device and CPU.

use gpu_std::{bf16, f16};
use host::cpu::embedding as cpu;
use host::ops::embedding::{
    EmbedPlan, Embeddable, EmbeddingError, Feature, HostFeature, HostIndices, HostLookup, HostPooling,
    HostTable, Indices, Invalid, Lookup, Pooling, embed,
};
use host::ops::{Executor, HostMut, HostRef, Layout, MatrixMut};
use host::runtime::{Buffer as _, Device, Error};

use super::embedding::{Small, TABLE, UNTOUCHED, expect, table};
use super::{Check, Checked, GRIDS};
use crate::harness::{Outcome, expect_eq, fail};

/// The checks of this file.
pub fn checks() -> Vec<Check> {
    vec![
        on_device!("embed_f32::an_invalid_index_is_found_and_nothing_written", invalid_indices_are_found),
        on_device!("embed_f32::an_invalid_bag_is_found_and_nothing_written", invalid_bags_are_found),
        faults_in_order::<f32>(),
        faults_in_order::<f16>(),
        faults_in_order::<bf16>(),
        Check::everywhere("embed_f32::the_cpu_finds_what_the_device_finds".to_owned(), |_| {
            faults_of_the_host()
        }),
    ]
}

fn invalid_indices_are_found<D: Device>(device: &D) -> Outcome {
    for (bad, at) in [(3, 0), (-1, 1), (i64::MAX, 1), (i64::MIN, 0), (1 << 32, 1)] {
        let mut indices = [0_i64, 2];
        indices[at] = bad;
        let mut small = Small::<D>::new(device, &indices, 8)?;
        let good = device.upload(&[2_i64, 0])?;
        let rows = table::<D>(&small.table)?;
        let list = [Indices::I64(good.as_slice()), Indices::I64(small.indices.as_slice())];
        let features = list.map(|indices| Feature::new(rows, indices));
        let y = MatrixMut::new(small.y.as_mut_slice(), 2, 4)?;
        let want = EmbeddingError::Index { feature: 1, position: at as u64, index: bad, rows: 3 };
        expect("the call", embed(device, &features, None, y, Invalid::Refuse), &want)?;
        expect_eq("the output", &device.download(small.y.as_slice())?, &vec![UNTOUCHED; 8])?;
        // The same without waiting in between.
        let mut plan = EmbedPlan::<f32, D>::new(device, &features, None, 2)?;
        let check = plan.run_checked(device, MatrixMut::new(small.y.as_mut_slice(), 2, 4)?)?;
        expect("the wait", check.wait(device), &want)?;
        expect_eq("the output", &device.download(small.y.as_slice())?, &vec![UNTOUCHED; 8])?;
        plan.run(device, MatrixMut::new(small.y.as_mut_slice(), 2, 4)?, Invalid::Zero)?;
        let second = if at == 0 { [[0.0, 0.0], [5.0, 6.0]] } else { [[1.0, 2.0], [0.0, 0.0]] };
        let want = [5.0, 6.0, second[0][0], second[0][1], 1.0, 2.0, second[1][0], second[1][1]];
        expect_eq("with zeros", &device.download(small.y.as_slice())?, &want.to_vec())?;
    }
    Ok(())
}

fn invalid_bags_are_found<D: Device>(device: &D) -> Outcome {
    let bad = [
        ([-1, 1, 3], 0),
        ([0, 4, 3], 0),
        ([2, 1, 3], 0),
        ([0, 2, 4], 1),
        ([0, i64::MIN, 3], 0),
        ([0, 3, 2], 1),
    ];
    for (offsets, row) in bad {
        let mut small = Small::<D>::new(device, &[0, 1, 2], 4)?;
        let on = device.upload(&offsets)?;
        let (indices, pooling) = (Indices::I64(small.indices.as_slice()), Pooling::Sum);
        let lookup = Lookup::Bags { indices, offsets: Indices::I64(on.as_slice()), pooling };
        let feature = Feature { table: table::<D>(&small.table)?, lookup, padding_idx: None };
        let (start, end) = (offsets[row], offsets[row + 1]);
        let want = EmbeddingError::Bag { feature: 0, row: row as u64, start, end, len: 3 };
        let y = MatrixMut::new(small.y.as_mut_slice(), 2, 2)?;
        expect("the call", embed(device, &[feature], None, y, Invalid::Refuse), &want)?;
        expect_eq("the output", &device.download(small.y.as_slice())?, &vec![UNTOUCHED; 4])?;
    }
    Ok(())
}

/// The first of several faults, whatever threads there are.
fn faults_in_order<T: Embeddable>() -> Check {
    let name = format!("embed_{}::the_first_of_several_faults_is_told", T::DTYPE);
    Check::on_device(name, |executor| {
        match executor {
            Executor::Cuda(stream) => first_fault::<T, _>(stream),
            Executor::Sim(sim) => {
                first_fault::<T, _>(sim)?;
                GRIDS.into_iter().try_for_each(|(x, y, z)| first_fault::<T, _>(&sim.on_grid((x, y, z))))
            }
            _ => fail("this is no device"),
        }
        .map(|()| 1)
    })
}

/// Samples of [`first_fault`], each with two indices in a bag.
const SAMPLES: usize = 300;

fn first_fault<T: Embeddable, D: Device>(device: &D) -> Outcome {
    let good: Vec<i64> = (0..2 * SAMPLES as i64).map(|at| at % 3).collect();
    let with = |faults: &[(usize, i64)]| {
        let mut list = good.clone();
        faults.iter().for_each(|(at, index)| list[*at] = *index);
        list
    };
    let ends = |faults: &[(usize, i64)]| {
        let mut offsets: Vec<i64> = (0..=SAMPLES as i64).map(|sample| 2 * sample).collect();
        faults.iter().for_each(|(at, end)| offsets[*at] = *end);
        offsets
    };
    let index = |feature, position, index| EmbeddingError::Index { feature, position, index, rows: 3 };
    let bag =
        |feature, row, start, end| EmbeddingError::Bag { feature, row, start, end, len: 2 * SAMPLES as u64 };
    // Two features of one index each, then one of bags with its offsets.
    let told = [
        ([with(&[(250, 3), (270, -5)]), with(&[(3, 7)]), good.clone()], ends(&[]), Some(index(0, 250, 3))),
        (
            [good.clone(), with(&[(299, u32::MAX.into())]), with(&[(0, -1)])],
            ends(&[]),
            Some(index(1, 299, u32::MAX.into())),
        ),
        (
            [good.clone(), good.clone(), with(&[(599, 3), (451, -1)])],
            ends(&[(200, 601)]),
            Some(index(2, 451, -1)),
        ),
        (
            [good.clone(), good.clone(), good.clone()],
            ends(&[(200, 601), (100, -1)]),
            Some(bag(2, 99, 198, -1)),
        ),
        ([good.clone(), good.clone(), good.clone()], ends(&[(300, 597)]), Some(bag(2, 299, 598, 597))),
        // Beyond what is looked up.
        (
            [with(&[(300, 9)]), with(&[(599, -1)]), with(&[(0, 9), (599, 9)])],
            ends(&[(0, 1), (300, 599)]),
            None,
        ),
    ];
    for (lists, offsets, want) in &told {
        let narrow = |list: &[i64]| list.iter().map(|x| *x as i32).collect::<Vec<i32>>();
        let long: Vec<D::Buffer<i64>> =
            lists.iter().map(|list| device.upload(list)).collect::<Result<_, _>>()?;
        let short: Vec<D::Buffer<i32>> =
            lists.iter().map(|list| device.upload(&narrow(list))).collect::<Result<_, _>>()?;
        let (long_ends, short_ends) = (device.upload(offsets)?, device.upload(&narrow(offsets))?);
        for is_long in [true, false] {
            let of = |feature: usize, len: u64| -> Result<Indices<'_>, Error> {
                Ok(match is_long {
                    true => Indices::I64(long[feature].as_slice().slice(0..len)?),
                    false => Indices::I32(short[feature].as_slice().slice(0..len)?),
                })
            };
            let ends = match is_long {
                true => Indices::I64(long_ends.as_slice()),
                false => Indices::I32(short_ends.as_slice()),
            };
            let want = want.clone().map(|want| match want {
                EmbeddingError::Index { feature, position, index, rows } if !is_long => {
                    EmbeddingError::Index { feature, position, index: (index as i32).into(), rows }
                }
                other => other,
            });
            let samples = SAMPLES as u64;
            let lists = [of(0, samples)?, of(1, samples)?, of(2, 2 * samples)?];
            told_of::<T, D>(device, lists, ends, &want)?;
        }
    }
    Ok(())
}

/// Looks two features of one index each and one of bags up, each of them checked, and expects an error or none.
fn told_of<T: Embeddable, D: Device>(
    device: &D,
    [first, second, bags]: [Indices<'_>; 3],
    offsets: Indices<'_>,
    want: &Option<EmbeddingError>,
) -> Outcome {
    let rows = device.upload(&TABLE)?;
    let mut y = device.upload(&[T::from_f32(UNTOUCHED); 6 * SAMPLES])?;
    let table = table::<D>(&rows)?;
    let lookup = Lookup::Bags { indices: bags, offsets, pooling: Pooling::Sum };
    let features = [
        Feature::new(table, first),
        Feature::new(table, second),
        Feature { table, lookup, padding_idx: None },
    ];
    let target = MatrixMut::new(y.as_mut_slice(), SAMPLES as u64, 6)?;
    let told = embed(device, &features, None, target, Invalid::Refuse);
    let written = device.download(y.as_slice())?.iter().filter(|x| x.to_f32() != UNTOUCHED).count();
    match want {
        Some(want) => {
            expect("the first fault", told, want)?;
            expect_eq("elements written", &written, &0)
        }
        None => {
            told?;
            // Sums are 3, 4, 5, 6, …: some are what was there before.
            expect_eq("whether rows are written", &(written > 4 * SAMPLES), &true)
        }
    }
}

fn faults_of_the_host() -> Checked {
    let rows = HostRef::new(&TABLE, Layout::new(3, 2, 2)?)?;
    let (indices, offsets) = ([0_i64, 3, -1, 1], [0_i64, 1, 5, 4]);
    let one = |list| HostFeature {
        table: HostTable::F32(rows),
        lookup: HostLookup::One(HostIndices::I64(list)),
        padding_idx: None,
    };
    let want = EmbeddingError::Index { feature: 1, position: 0, index: 3, rows: 3 };
    expect_eq("an index", &cpu::check(&[one(&indices[3..]), one(&indices[1..])], 1), &Err(want))?;
    let bags = HostFeature {
        lookup: HostLookup::Bags {
            indices: HostIndices::I64(&indices[..1]),
            offsets: HostIndices::I64(&offsets),
            pooling: HostPooling::Sum,
        },
        ..one(&indices)
    };
    let want = EmbeddingError::Bag { feature: 0, row: 1, start: 1, end: 5, len: 1 };
    expect_eq("a bag", &cpu::check(&[bags], 3), &Err(want))?;
    let mut y = [UNTOUCHED; 6];
    let odd = cpu::embed(&[bags], None, &mut HostMut::new(&mut y, Layout::new(3, 2, 2)?)?)?;
    expect_eq("the count", &odd, &2)?;
    expect_eq("zeros for bags that are not valid", &y, &[1.0, 2.0, 0.0, 0.0, 0.0, 0.0])?;
    let error = cpu::embed(&[], None, &mut HostMut::new(&mut y, Layout::new(3, 2, 2)?)?);
    expect_eq("no features", &error.is_err(), &true)?;
    Ok(1)
}
