//! `matmul_hpq`.

use gpu_std::launch::{Kernel, LaunchShape, launch_unsafe};
use gpu_std::{bf16, f16};
use host::runtime::{Buffer as _, Device as _, Sim};
use kernels_gpu::matmul::epilogue_hpq::{MAX_K, Output};
use kernels_gpu::matmul::matmul_hpq::{ANY, LARGE, MatmulHpq, MatmulHpqArgs, SMALL};
use kernels_gpu::matmul::tiling::Tile;

use crate::case::{Case, Element, bias, compare, mix};
use crate::{Instance, SIZES, devices};

/// An element of C of t and y.
trait Out: Element + Output {
    fn of_plain(t: i64, y: f32) -> Self;
}

macro_rules! outs {
    ($($ty:ty: |$t:ident, $y:ident| $value:expr;)*) => {$(
        impl Out for $ty {
            fn of_plain($t: i64, $y: f32) -> Self {
                $value
            }
        }
    )*};
}
outs! {
    f32: |_t, y| y;
    f16: |_t, y| half::f16::from_f32(y);
    bf16: |_t, y| half::bf16::from_f32(y);
    i64: |t, _y| t;
}

/// The codes of a and the weights, where they are not random.
type Codes = Option<(i8, i16)>;

/// Runs a case on one instance, and compares.
fn check<T: Out, const MT: usize, const NT: usize, const STAGES: usize, const ANYWHERE: bool>(
    sim: &Sim,
    tile: Tile,
    case: &Case,
    codes: Codes,
) where
    MatmulHpq<T, MT, NT, STAGES, ANYWHERE>:
        for<'a> Kernel<Args<'a> = MatmulHpqArgs<'a, T, MT, NT, STAGES, ANYWHERE>>,
{
    let Case { m, n, splits, seed, .. } = *case;
    let k = case.k as usize;
    let a = case.vector(1, case.len(0), |x| codes.map_or(x as i8, |codes| codes.0));
    let b = case.vector(2, case.len(1), |x| codes.map_or(x as i16, |codes| codes.1));
    let b_hi: Vec<i8> = b.iter().map(|b| (b >> 8) as i8).collect();
    let b_lo: Vec<u8> = b.iter().map(|b| *b as u8).collect();
    let scale = |x: u64| (x % 1000 + 1) as f32 * 2e-6;
    let row_scales = case.vector(3, if seed % 2 == 0 { m as usize } else { 1 }, scale);
    let col_scales = case.vector(4, if seed / 2 % 2 == 0 { n as usize } else { 1 }, scale);
    let zeros = [n as usize, 1, 0][(seed % 3) as usize];
    let col_zeros = case.vector(6, zeros, |x| i32::from(x as i16));
    let line = |i: usize| &a[case.at(0, i, 0)..][..k];
    let rows_with_sums = if zeros > 0 { m as usize } else { 0 };
    let row_sums: Vec<i32> =
        (0..rows_with_sums).map(|i| line(i).iter().map(|a| i32::from(*a)).sum()).collect();
    let offsets = case.vector(7, n as usize, |x| (x % 4001) as f32 / 256.0 - 8.0);
    let (bias_buffer, bias_seen) = bias(sim, (seed % 4) as u32, &offsets);

    let (on_a, on_hi) = (sim.upload(&a).expect("uploaded"), sim.upload(&b_hi).expect("uploaded"));
    let on_lo = sim.upload(&b_lo).expect("uploaded");
    let [on_rs, on_cs] = [&row_scales, &col_scales].map(|x| sim.upload(x).expect("uploaded"));
    let [on_cz, on_ra] = [&col_zeros, &row_sums].map(|x| sim.upload(x).expect("uploaded"));
    let mut c = sim.upload(&vec![T::BEFORE; case.len(2)]).expect("uploaded");
    let mut parts = sim.alloc::<i32>(tile.parts_len(m, n, splits)).expect("memory");
    let mut arrived = sim.upload(&vec![0_u32; tile.arrived_len(m, n, splits) as usize]).expect("uploaded");
    let args = MatmulHpqArgs {
        a: case.view(0, &on_a),
        b_hi: case.view(1, &on_hi),
        b_lo: case.view(1, &on_lo),
        c: case.view_mut(2, &mut c),
        row_scales: on_rs.as_slice(),
        col_scales: on_cs.as_slice(),
        col_zeros: on_cz.as_slice(),
        row_sums: on_ra.as_slice(),
        bias: bias_buffer.of(),
        extent: case.extent(),
        parts: parts.as_mut_slice(),
        arrived: arrived.as_mut_slice(),
    };
    let shape = LaunchShape::grid(tile.blocks(m, n, splits) as u32).with_shared_bytes(tile.shared_bytes());
    // SAFETY: grid and shared memory are the tile's, the operands as the extent says.
    let run = unsafe { launch_unsafe::<MatmulHpq<T, MT, NT, STAGES, ANYWHERE>, _>(sim, shape, &args) };
    run.unwrap_or_else(|error| panic!("{case:?}: {error}"));

    let zero_of = |j: usize| if zeros == 0 { 0 } else { i64::from(col_zeros[j % zeros]) };
    let want = |i: usize, j: usize| {
        let weights = &b[case.at(1, j, 0)..][..k];
        let products = line(i).iter().zip(weights).map(|(a, b)| i64::from(*a) * (i64::from(*b) - zero_of(j)));
        let t = products.sum::<i64>();
        let (sa, sb) = (row_scales[i % row_scales.len()], col_scales[j % col_scales.len()]);
        T::of_plain(t, (t as f32 * sa).mul_add(sb, bias_seen[j]))
    };
    compare(&format!("matmul_hpq {tile:?}"), case, &sim.download(c.as_slice()).expect("downloaded"), want);
    let left = sim.download(arrived.as_slice()).expect("downloaded");
    assert!(left.iter().all(|left| *left == 0), "{case:?}: counters are zero again");
}

/// Runs a case on an instance with outputs of number `out`.
fn run(sim: &Sim, instance: Instance, out: u64, case: &Case, codes: Codes) {
    macro_rules! by_instance {
        ($ty:ty) => {
            match instance {
                Instance::Large => check::<$ty, 4, 8, 3, false>(sim, LARGE, &case.aligned(1), codes),
                Instance::Small => check::<$ty, 2, 4, 4, false>(sim, SMALL, &case.aligned(1), codes),
                Instance::Any => check::<$ty, 4, 4, 3, true>(sim, ANY, case, codes),
            }
        };
    }
    match out % 4 {
        0 => by_instance!(f16),
        1 => by_instance!(bf16),
        2 => by_instance!(f32),
        _ => by_instance!(i64),
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
                [random(4, 40), random(5, 40), random(6, 9)],
                [random(7, 40), random(8, 40), random(9, 9)],
            )
            .seed(index);
        let instance = [Instance::Small, Instance::Any, Instance::Small, Instance::Any, Instance::Large];
        run(&devices[index as usize % devices.len()], instance[index as usize % 5], index / 5, &case, None);
    }
}

#[test]
fn the_largest_sums_are_exact() {
    let devices = devices();
    let worst = [(-128, i16::MIN), (-128, i16::MAX), (127, i16::MIN), (-128, -1), (-128, 255)];
    for (index, codes) in worst.into_iter().enumerate() {
        let sim = &devices[index % devices.len()];
        for instance in [Instance::Small, Instance::Any] {
            run(sim, instance, 3, &Case::new(2, 3, 4096).seed(index as u64), Some(codes));
        }
    }
    for codes in [(-128, i16::MIN), (-128, 255)] {
        run(&devices[0], Instance::Small, 3, &Case::new(1, 1, MAX_K).seed(2), Some(codes));
    }
}

#[test]
fn empty_sums_give_the_bias_alone() {
    let devices = devices();
    for seed in 0..12 {
        let sim = &devices[seed as usize % devices.len()];
        run(sim, Instance::Small, seed / 3, &Case::new(3, 20, 0).seed(seed), None);
    }
}

#[test]
fn parts_of_k_give_the_bits_of_one() {
    let devices = devices();
    for (index, (instance, m, n)) in
        [(Instance::Large, 130, 20), (Instance::Small, 70, 70), (Instance::Any, 5, 140)]
            .into_iter()
            .enumerate()
    {
        for splits in [2, 3] {
            for k in [1, 257, 640] {
                let case = Case::new(m, n, k).splits(splits).seed(u64::from(k + splits));
                run(&devices[(index + k as usize) % devices.len()], instance, u64::from(splits), &case, None);
            }
        }
    }
}
