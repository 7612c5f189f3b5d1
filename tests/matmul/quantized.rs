//! `matmul_q8`.

use gpu_std::launch::{Kernel, LaunchShape, launch_unsafe};
use gpu_std::{bf16, f16};
use host::runtime::{Buffer as _, Device as _, Sim};
use kernels_gpu::matmul::epilogue::Output;
use kernels_gpu::matmul::matmul_q8::{ANY, LARGE, MatmulQ8, MatmulQ8Args, SMALL};
use kernels_gpu::matmul::tiling::Tile;

use crate::case::{Case, Element, bias, compare, mix};
use crate::{Instance, SIZES, devices};

/// How many elements a vector of the epilogue has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    None,
    One,
    Each,
}

impl Count {
    fn of(self, each: u32) -> usize {
        match self {
            Self::None => 0,
            Self::One => 1,
            Self::Each => each as usize,
        }
    }
}

/// The vectors of an epilogue, and the codes.
#[derive(Clone, Copy, Debug)]
struct Options {
    row_scales: Count,
    col_scales: Count,
    row_zeros: Count,
    col_zeros: Count,
    bias: u32,
    /// The codes of a and b; random ones where there is none.
    codes: Option<(i8, i8)>,
}

const SCALED: Options = Options {
    row_scales: Count::Each,
    col_scales: Count::Each,
    row_zeros: Count::None,
    col_zeros: Count::None,
    bias: 1,
    codes: None,
};

/// All options, one after the other.
fn options(index: u64) -> Options {
    let count = |index: u64| [Count::Each, Count::One, Count::None][index as usize];
    Options {
        row_scales: count(index % 2),
        col_scales: count(index / 2 % 2),
        row_zeros: count(index / 4 % 3),
        col_zeros: count(index / 12 % 3),
        bias: (index / 36 % 4) as u32,
        codes: None,
    }
}

const ALL_OPTIONS: u64 = 144;

/// An element of C of t and y.
trait Out: Element + Output {
    fn of_plain(t: i32, y: f32) -> Self;
}

macro_rules! outs {
    ($($ty:ty: |$t:ident, $y:ident| $value:expr;)*) => {$(
        impl Out for $ty {
            fn of_plain($t: i32, $y: f32) -> Self {
                $value
            }
        }
    )*};
}
outs! {
    f32: |_t, y| y;
    f16: |_t, y| half::f16::from_f32(y);
    bf16: |_t, y| half::bf16::from_f32(y);
    i8: |_t, y| y.round_ties_even().clamp(-128.0, 127.0) as i8;
    i32: |t, _y| t;
}

/// Runs a case on one instance, and compares.
fn check<T: Out, const MT: usize, const NT: usize, const STAGES: usize, const ANYWHERE: bool>(
    sim: &Sim,
    tile: Tile,
    case: &Case,
    options: Options,
) where
    MatmulQ8<T, MT, NT, STAGES, ANYWHERE>:
        for<'a> Kernel<Args<'a> = MatmulQ8Args<'a, T, MT, NT, STAGES, ANYWHERE>>,
{
    let Case { m, n, splits, .. } = *case;
    let k = case.k as usize;
    let mut a = case.vector(1, case.len(0), |x| x as i8);
    let mut b = case.vector(2, case.len(1), |x| x as i8);
    if let Some((of_a, of_b)) = options.codes {
        a.fill(of_a);
        b.fill(of_b);
    }
    let scale = |x: u64| (x % 1000 + 1) as f32 * 3e-5;
    let row_scales = case.vector(3, options.row_scales.of(m), scale);
    let col_scales = case.vector(4, options.col_scales.of(n), scale);
    let zero = |x: u64| i32::from(x as i8);
    let row_zeros = case.vector(5, options.row_zeros.of(m), zero);
    let col_zeros = case.vector(6, options.col_zeros.of(n), zero);
    let sum = |codes: &[i8]| codes.iter().map(|x| i32::from(*x)).sum::<i32>();
    let line_a = |i: usize| &a[case.at(0, i, 0)..][..k];
    let line_b = |j: usize| &b[case.at(1, j, 0)..][..k];
    let sums = |needed: bool, rows: u32, line: &dyn Fn(usize) -> i32| -> Vec<i32> {
        (0..if needed { rows as usize } else { 0 }).map(line).collect()
    };
    let row_sums = sums(!col_zeros.is_empty(), m, &|i| sum(line_a(i)));
    let col_sums = sums(!row_zeros.is_empty(), n, &|j| sum(line_b(j)));
    let offsets = case.vector(7, n as usize, |x| (x % 4001) as f32 / 256.0 - 8.0);
    let (bias_buffer, bias_seen) = bias(sim, options.bias, &offsets);

    let [on_a, on_b] = [&a, &b].map(|x| sim.upload(x).expect("uploaded"));
    let [on_rs, on_cs] = [&row_scales, &col_scales].map(|x| sim.upload(x).expect("uploaded"));
    let [on_rz, on_cz, on_ra, on_ca] =
        [&row_zeros, &col_zeros, &row_sums, &col_sums].map(|x| sim.upload(x).expect("uploaded"));
    let mut c = sim.upload(&vec![T::BEFORE; case.len(2)]).expect("uploaded");
    let mut parts = sim.alloc::<i32>(tile.parts_len(m, n, splits)).expect("memory");
    let mut arrived = sim.upload(&vec![0_u32; tile.arrived_len(m, n, splits) as usize]).expect("uploaded");
    let args = MatmulQ8Args {
        a: case.view(0, &on_a),
        b: case.view(1, &on_b),
        c: case.view_mut(2, &mut c),
        row_scales: on_rs.as_slice(),
        col_scales: on_cs.as_slice(),
        row_zeros: on_rz.as_slice(),
        col_zeros: on_cz.as_slice(),
        row_sums: on_ra.as_slice(),
        col_sums: on_ca.as_slice(),
        bias: bias_buffer.of(),
        extent: case.extent(),
        parts: parts.as_mut_slice(),
        arrived: arrived.as_mut_slice(),
    };
    let shape = LaunchShape::grid(tile.blocks(m, n, splits) as u32).with_shared_bytes(tile.shared_bytes());
    // SAFETY: grid and shared memory are the tile's, the operands as the extent says.
    let run = unsafe { launch_unsafe::<MatmulQ8<T, MT, NT, STAGES, ANYWHERE>, _>(sim, shape, &args) };
    run.unwrap_or_else(|error| panic!("{case:?} {options:?}: {error}"));

    let of = |vector: &[i32], i: usize| match vector.len() {
        0 => 0,
        1 => i64::from(vector[0]),
        _ => i64::from(vector[i]),
    };
    let scale_of = |vector: &[f32], i: usize| if vector.len() == 1 { vector[0] } else { vector[i] };
    let want = |i: usize, j: usize| {
        let (za, zb) = (of(&row_zeros, i), of(&col_zeros, j));
        let codes = line_a(i).iter().zip(line_b(j));
        let t = codes.map(|(a, b)| (i64::from(*a) - za) * (i64::from(*b) - zb)).sum::<i64>() as i32;
        let y = (t as f32 * scale_of(&row_scales, i)).mul_add(scale_of(&col_scales, j), bias_seen[j]);
        T::of_plain(t, y)
    };
    let got = sim.download(c.as_slice()).expect("downloaded");
    compare(&format!("matmul_q8 {tile:?} {options:?}"), case, &got, want);
    let left = sim.download(arrived.as_slice()).expect("downloaded");
    assert!(left.iter().all(|left| *left == 0), "{case:?}: counters are zero again");
}

/// Runs a case on an instance with outputs of number `out`.
fn run(sim: &Sim, instance: Instance, out: u64, case: &Case, options: Options) {
    macro_rules! by_instance {
        ($ty:ty) => {
            match instance {
                Instance::Large => check::<$ty, 4, 8, 3, false>(sim, LARGE, &case.aligned(1), options),
                Instance::Small => check::<$ty, 2, 2, 4, false>(sim, SMALL, &case.aligned(1), options),
                Instance::Any => check::<$ty, 4, 4, 3, true>(sim, ANY, case, options),
            }
        };
    }
    match out % 5 {
        0 => by_instance!(f16),
        1 => by_instance!(bf16),
        2 => by_instance!(f32),
        3 => by_instance!(i32),
        _ => by_instance!(i8),
    }
}

#[test]
fn products_of_all_sizes_have_the_bits_of_plain_loops() {
    let devices = devices();
    for index in 0..60_u64 {
        let size = |salt: u64| SIZES[(mix(index << 8 | salt) % SIZES.len() as u64) as usize];
        let random = |salt: u64, below: u64| (mix(index << 8 | salt) % below) as u32;
        let case = Case::new(size(1), size(2), size(3))
            .placed(
                [random(4, 40), random(5, 40), random(6, 9)],
                [random(7, 40), random(8, 40), random(9, 9)],
            )
            .seed(index);
        let instance = [Instance::Small, Instance::Any, Instance::Small, Instance::Any, Instance::Large];
        let sim = &devices[index as usize % devices.len()];
        run(sim, instance[index as usize % 5], index / 5, &case, options(mix(index) % ALL_OPTIONS));
    }
}

#[test]
fn each_option_of_the_epilogue_counts() {
    let sim = &devices()[0];
    for index in 0..ALL_OPTIONS {
        run(sim, Instance::Small, index + index / 5, &Case::new(5, 19, 33).seed(index), options(index));
    }
}

#[test]
fn empty_sums_give_zero_points_and_bias_alone() {
    for (index, sim) in devices().iter().enumerate() {
        for instance in [Instance::Large, Instance::Small, Instance::Any] {
            for out in 0..5 {
                run(sim, instance, out, &Case::new(3, 20, 0).seed(out), options(out * 29 + index as u64));
            }
        }
    }
}

#[test]
fn operands_may_start_at_any_byte() {
    let devices = devices();
    for offset in 0..16_u32 {
        for (index, behind) in [0, 1, 4].into_iter().enumerate() {
            let front = [offset, (offset + 5 * index as u32) % 16, offset];
            let case = Case::new(9, 35, 48 + 29 * (offset % 3)).placed(front, [behind, 3 * behind, behind]);
            let sim = &devices[(offset as usize + index) % devices.len()];
            run(sim, Instance::Any, u64::from(offset) + index as u64, &case.seed(offset.into()), SCALED);
        }
    }
}

#[test]
fn rows_of_c_may_start_anywhere() {
    let sim = &devices()[0];
    for out in 0..5 {
        for front in [0, 1, 2, 4, 8] {
            let case =
                Case::new(34, 70, 64).placed([16, 32, front], [0, 16, if front % 2 == 0 { 26 } else { 5 }]);
            run(sim, Instance::Small, out, &case.seed(out), SCALED);
        }
    }
}

#[test]
fn the_largest_sums_are_exact() {
    let devices = devices();
    let plain = Options { row_scales: Count::One, col_scales: Count::One, ..SCALED };
    for (index, codes) in [(-128, -128), (-128, 127), (127, 127)].into_iter().enumerate() {
        let options = Options { codes: Some(codes), ..plain };
        for instance in [Instance::Small, Instance::Any] {
            run(&devices[index % devices.len()], instance, 3, &Case::new(2, 3, 4096), options);
        }
    }
    let options = Options { codes: Some((-128, -128)), ..plain };
    run(&devices[0], Instance::Small, 3, &Case::new(1, 1, 131_071), options);
    run(&devices[0], Instance::Small, 3, &Case::new(1, 1, 131_072), options);
    let zeros = Options { row_zeros: Count::Each, col_zeros: Count::Each, ..options };
    run(&devices[0], Instance::Small, 3, &Case::new(2, 2, 4096), zeros);
}

#[test]
fn parts_of_k_give_the_bits_of_one() {
    let devices = devices();
    for (index, (instance, m, n)) in
        [(Instance::Large, 130, 20), (Instance::Small, 70, 70), (Instance::Any, 5, 140)]
            .into_iter()
            .enumerate()
    {
        for splits in [2, 3, 7] {
            for k in [1, 128, 257, 640] {
                let sim = &devices[(index + k as usize) % devices.len()];
                let case = Case::new(m, n, k).splits(splits).seed(k.into());
                run(sim, instance, u64::from(splits), &case, options(u64::from(k + splits) % ALL_OPTIONS));
            }
        }
    }
}

#[test]
fn many_tiles_are_each_made_once() {
    let devices = devices();
    for (index, (m, n)) in [(600, 130), (1, 700), (700, 1)].into_iter().enumerate() {
        run(&devices[index % devices.len()], Instance::Small, index as u64, &Case::new(m, n, 16), SCALED);
    }
    run(&devices[0], Instance::Large, 2, &Case::new(257, 513, 144), SCALED);
}
