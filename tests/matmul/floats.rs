//! `matmul`: with operands whose products and sums f32 holds exactly, so that any order gives the same bits, and with others.

use gpu_std::launch::{Kernel, LaunchShape, launch_unsafe};
use gpu_std::{Real, bf16, f16};
use host::runtime::{Buffer as _, Device as _, Sim};
use kernels_gpu::matmul::matmul::{ANY, LARGE, Matmul, MatmulArgs, SMALL};
use kernels_gpu::matmul::products::Float;
use kernels_gpu::matmul::tiling::Tile;

use crate::case::{Case, Element, bias, compare, mix};
use crate::{Instance, SIZES, devices};

/// What the operands hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// Multiples of 1/8 below 2: sums of some hundred products are exact in f32.
    Exact,
    /// Numbers of random fractions below 1.
    Random,
}

/// Runs a case on one instance, and compares.
fn check<In, Out, const MT: usize, const NT: usize, const STAGES: usize, const ANYWHERE: bool>(
    sim: &Sim,
    tile: Tile,
    case: &Case,
    values: Values,
) where
    In: Float + Real,
    Out: Real + Element,
    Matmul<In, Out, MT, NT, STAGES, ANYWHERE>:
        for<'a> Kernel<Args<'a> = MatmulArgs<'a, In, Out, MT, NT, STAGES, ANYWHERE>>,
{
    let Case { m, n, splits, .. } = *case;
    let k = case.k as usize;
    let value = |x: u64| match values {
        Values::Exact => (x % 31) as f32 / 8.0 - 2.0,
        Values::Random => (x % 65521) as f32 / 65521.0 - 0.5,
    };
    // What lies around the operands is no number, and would make any sum that takes it none.
    let filled = |operand: usize| {
        let mut buffer = vec![In::from_f32(f32::NAN); case.len(operand)];
        let fresh = case.vector(operand as u64, case.rows(operand) * k, |x| In::from_f32(value(x)));
        for (row, line) in fresh.chunks(k.max(1)).enumerate() {
            buffer[case.at(operand, row, 0)..][..k].copy_from_slice(line);
        }
        buffer
    };
    let (a, b) = (filled(0), filled(1));
    let offsets = case.vector(7, n as usize, |x| (x % 4001) as f32 / 256.0 - 8.0);
    let (bias_buffer, bias_seen) = bias(sim, (case.seed % 4) as u32, &offsets);
    let [on_a, on_b] = [&a, &b].map(|x| sim.upload(x).expect("uploaded"));
    let mut c = sim.upload(&vec![Out::BEFORE; case.len(2)]).expect("uploaded");
    let mut parts = sim.alloc::<f32>(tile.parts_len(m, n, splits)).expect("memory");
    let mut arrived = sim.upload(&vec![0_u32; tile.arrived_len(m, n, splits) as usize]).expect("uploaded");
    let args = MatmulArgs {
        a: case.view(0, &on_a),
        b: case.view(1, &on_b),
        c: case.view_mut(2, &mut c),
        bias: bias_buffer.of(),
        extent: case.extent(),
        parts: parts.as_mut_slice(),
        arrived: arrived.as_mut_slice(),
    };
    let shape = LaunchShape::grid(tile.blocks(m, n, splits) as u32).with_shared_bytes(tile.shared_bytes());
    // SAFETY: grid and shared memory are the tile's, the operands as the extent says.
    let run = unsafe { launch_unsafe::<Matmul<In, Out, MT, NT, STAGES, ANYWHERE>, _>(sim, shape, &args) };
    run.unwrap_or_else(|error| panic!("{case:?}: {error}"));

    let pairs = |i: usize, j: usize| {
        let (a, b) = (&a[case.at(0, i, 0)..][..k], &b[case.at(1, j, 0)..][..k]);
        a.iter().zip(b).map(|(a, b)| f64::from(a.to_f32()) * f64::from(b.to_f32()))
    };
    let got = sim.download(c.as_slice()).expect("downloaded");
    let exact =
        |i: usize, j: usize| Out::from_f32(pairs(i, j).fold(0.0, |sum, x| sum + x) as f32 + bias_seen[j]);
    if values == Values::Exact {
        return compare(&format!("matmul {tile:?}"), case, &got, exact);
    }
    for i in 0..m as usize {
        for j in 0..n as usize {
            let (sum, size) =
                (pairs(i, j).fold(0.0, |sum, x| sum + x), pairs(i, j).map(f64::abs).sum::<f64>());
            let want = sum + f64::from(bias_seen[j]);
            let steps = f64::from(case.k.div_ceil(16) + 24);
            let bound = steps * size * 2_f64.powi(-23) + want.abs() * 2_f64.powi(-23);
            let diff = (f64::from(got[case.at(2, i, j)].to_f32()) - want).abs();
            assert!(diff <= bound, "{case:?} ({i}, {j}): {diff:e} is more than {bound:e}");
        }
    }
}

/// Runs a case on an instance with types of number `types`.
fn run(sim: &Sim, instance: Instance, types: u64, case: &Case, values: Values) {
    macro_rules! by_instance {
        ($from:ty, $to:ty) => {
            match instance {
                Instance::Large => check::<$from, $to, 4, 8, 3, false>(sim, LARGE, &case.aligned(2), values),
                Instance::Small => check::<$from, $to, 2, 2, 4, false>(sim, SMALL, &case.aligned(2), values),
                Instance::Any => check::<$from, $to, 4, 4, 3, true>(sim, ANY, case, values),
            }
        };
    }
    match types % 4 {
        0 => by_instance!(f16, f16),
        1 => by_instance!(f16, f32),
        2 => by_instance!(bf16, bf16),
        _ => by_instance!(bf16, f32),
    }
}

#[test]
fn products_of_all_sizes_have_the_bits_of_plain_loops() {
    let devices = devices();
    for index in 0..40_u64 {
        let size = |salt: u64| SIZES[(mix(index << 8 | salt) % SIZES.len() as u64) as usize];
        let random = |salt: u64, below: u64| (mix(index << 8 | salt) % below) as u32;
        let case = Case::new(size(1), size(2), size(3))
            .placed(
                [random(4, 20), random(5, 20), random(6, 9)],
                [random(7, 20), random(8, 20), random(9, 9)],
            )
            .seed(index);
        let instance = [Instance::Small, Instance::Any, Instance::Small, Instance::Any, Instance::Large];
        let sim = &devices[index as usize % devices.len()];
        run(sim, instance[index as usize % 5], index / 5, &case, Values::Exact);
    }
}

#[test]
fn sums_are_as_near_as_documented() {
    let devices = devices();
    for (index, k) in [16, 100, 500, 1000].into_iter().enumerate() {
        let case = Case::new(17, 40, k).seed(index as u64);
        for types in [1, 3] {
            run(&devices[index % devices.len()], Instance::Small, types, &case, Values::Random);
        }
    }
}

#[test]
fn empty_sums_give_the_bias_alone() {
    let devices = devices();
    for seed in 0..8 {
        let case = Case::new(3, 20, 0).seed(seed);
        run(&devices[seed as usize % devices.len()], Instance::Small, seed / 2, &case, Values::Exact);
    }
}

#[test]
fn parts_of_k_add_up() {
    let devices = devices();
    for (index, (instance, m, n)) in
        [(Instance::Large, 130, 20), (Instance::Small, 70, 70), (Instance::Any, 5, 140)]
            .into_iter()
            .enumerate()
    {
        for splits in [2, 3] {
            for k in [1, 129, 320] {
                let case = Case::new(m, n, k).splits(splits).seed(u64::from(k + splits));
                let sim = &devices[(index + k as usize) % devices.len()];
                run(sim, instance, u64::from(splits + k), &case, Values::Exact);
            }
        }
    }
}
