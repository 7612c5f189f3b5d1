//! Cases of products.

use std::collections::BTreeSet;

use super::shape::{Bias, Codes, SEED, Shape, Vector};
use crate::ops::matmul::{Kernel, Product, Sm80Tile, Sm90Tile};
use crate::ops::{Case, mix};

/// Extents around everything that kernels cut products into.
pub const SWEEP_SIZES: [u64; 30] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255,
    256, 257,
];

/// The cases every implementation of products of codes must pass.
pub fn q8() -> Vec<Case> {
    of(Product::Q8)
}

/// The same of codes and 16-bit weights.
pub fn hpq() -> Vec<Case> {
    of(Product::Hpq)
}

/// The same of floats.
pub fn float() -> Vec<Case> {
    of(Product::Float)
}

fn of(product: Product) -> Vec<Case> {
    let shapes = [
        empty(),
        sizes(),
        kernels(product),
        ties(product),
        parts(),
        layouts(),
        vectors(),
        limits(product),
        large(),
    ];
    named(product, shapes.into_iter().flatten())
}

/// The shapes as cases of a product, each once.
fn named(product: Product, shapes: impl Iterator<Item = Shape>) -> Vec<Case> {
    let mut names = BTreeSet::new();
    let mut cases: Vec<Case> = shapes.map(|shape| fitted(product, shape).case()).collect();
    cases.retain(|case| names.insert(case.name.clone()));
    cases
}

/// The shape without what a product does not have. Floats are bf16 for odd m where that is open.
fn fitted(product: Product, shape: Shape) -> Shape {
    let plain = Shape::new(shape.m, shape.n, shape.k);
    match product {
        Product::Q8 => shape,
        Product::Hpq => Shape { row_zeros: Vector::Absent, ..shape },
        Product::Float => {
            let Shape { gaps, offsets, bias, kernel, splits, .. } = shape;
            let codes = if shape.codes == Codes::Ties { Codes::Ties } else { Codes::Uniform };
            Shape { gaps, offsets, bias, codes, kernel, splits, bf16: shape.m % 2 == 1, ..plain }
        }
    }
}

/// Nothing to compute, and sums without terms.
fn empty() -> Vec<Shape> {
    let none = [(0, 3, 5), (3, 0, 5), (0, 0, 0)].map(|(m, n, k)| Shape::new(m, n, k));
    let no_terms = [
        Shape::new(3, 5, 0),
        Shape { bias: Bias::F32, row_zeros: Vector::Each, ..Shape::new(70, 67, 0) },
        Shape { bias: Bias::Bf16, splits: 2, ..Shape::new(3, 5, 0) },
    ];
    none.into_iter().chain(no_terms).collect()
}

/// Extents around those of instructions, lines and tiles, and vectors on one side.
fn sizes() -> Vec<Shape> {
    let extents = [
        (1, 1, 1),
        (1, 17, 33),
        (17, 1, 129),
        (1, 257, 64),
        (16, 33, 257),
        (2, 3, 4),
        (8, 8, 16),
        (16, 8, 32),
        (15, 9, 31),
        (31, 33, 63),
        (64, 64, 128),
        (63, 65, 127),
        (65, 63, 129),
        (33, 127, 65),
        (127, 31, 255),
        (129, 129, 17),
        (257, 5, 256),
        (64, 64, 1024),
    ];
    extents.map(|(m, n, k)| Shape::new(m, n, k)).to_vec()
}

/// Whether a kernel takes inputs between 16-byte boundaries.
fn takes_any(kernel: Kernel) -> bool {
    kernel == Kernel::Sm80(Sm80Tile::Any)
}

/// Every kernel: a part of a tile, a whole one and a bit of the next, rows apart, many tiles.
fn kernels(product: Product) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for kernel in Kernel::ALL {
        let on = |m, n, k| Shape { kernel: Some(kernel), ..Shape::new(m, n, k) };
        let (m, n) = match kernel {
            Kernel::Sm80(tile) => (tile.tile(product).m, tile.tile(product).n),
            Kernel::Sm90(tile) => tile.extent(),
        };
        let (m, n) = (u64::from(m), u64::from(n));
        // Of few terms: the simulator takes two by two of the largest tiles.
        let k = if takes_any(kernel) { 45 } else { 48 };
        // The newer kernels need rows of the output at multiples of 16 bytes, of any type.
        let (few, more, half, gap) = match kernel {
            Kernel::Sm90(_) => (16, 16, (n / 2 + 5).next_multiple_of(16), 16),
            Kernel::Sm80(_) => (5, 1, n / 2 + 5, 3),
        };
        // Rows that start anywhere, or at multiples of 4 bytes, and are longer than the stages of the beginning.
        let (gaps, words, long) = if takes_any(kernel) {
            ([17, 33, gap], [4, 8, 16], 397)
        } else {
            ([16, 32, gap], [16, 32, 16], 400)
        };
        let one = Vector::One;
        shapes.extend([
            on(3, few, if takes_any(kernel) { 7 } else { 16 }),
            Shape { row_scales: Vector::Absent, bias: Bias::Bf16, ..on(4, 16, 16) },
            Shape { bias: Bias::F32, ..on(m + 1, n + more, k) },
            Shape { bias: Bias::F16, row_zeros: Vector::Each, ..on(m, n, 64) },
            Shape { gaps, ..on(m / 2 + 3, half, long) },
            Shape {
                gaps: words,
                row_scales: one,
                col_scales: one,
                row_zeros: one,
                col_zeros: one,
                ..on(9, n + 16, 400)
            },
        ]);
    }
    // More tiles than share columns.
    shapes.push(Shape { kernel: Some(Kernel::Sm80(Sm80Tile::Small)), ..Shape::new(64 * 9 + 1, 130, 16) });
    // More tiles than a device of 132 multiprocessors has clusters: one of them makes two, and the boxes of the second follow those
    // of the first, of which there are one, two or four, or twice as many of f32.
    shapes.extend([
        Shape { kernel: Some(Kernel::Sm90(Sm90Tile::M16)), ..Shape::new(16 * 67, 16, 16) },
        Shape { kernel: Some(Kernel::Sm90(Sm90Tile::M128N64)), ..Shape::new(8, 64 * 67, 16) },
        Shape { kernel: Some(Kernel::Sm90(Sm90Tile::M128N128)), ..Shape::new(8, 128 * 67, 16) },
    ]);
    shapes
}

/// Every kernel, in all columns of a tile, of which each warp finishes as many: how results are rounded.
fn ties(product: Product) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for kernel in Kernel::ALL {
        let (m, n) = match kernel {
            Kernel::Sm80(tile) => (tile.tile(product).m / 2, tile.tile(product).n / 4),
            Kernel::Sm90(tile) if tile.is_turned() => (tile.extent().0, 16),
            Kernel::Sm90(tile) => (16, tile.extent().1),
        };
        let (kernel, codes, bias) = (Some(kernel), Codes::Ties, Bias::F32);
        let shape = Shape { kernel, codes, bias, ..Shape::new(m.into(), n.into(), 16) };
        shapes.extend([shape, Shape { row_zeros: Vector::One, col_zeros: Vector::Each, ..shape }]);
    }
    shapes
}

/// Parts of k: even, ragged, more than there are stages.
fn parts() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for kernel in Kernel::ALL.into_iter().filter(|kernel| matches!(kernel, Kernel::Sm80(_))) {
        let on = |k, splits| Shape { kernel: Some(kernel), splits, ..Shape::new(33, 70, k) };
        shapes.extend([on(512, 2), on(1104, 3), on(640, 5)]);
        // Rows and columns for all that a warp has.
        let (row_zeros, col_zeros) = (Vector::Each, Vector::One);
        shapes.push(Shape { m: 66, bias: Bias::F32, row_zeros, col_zeros, ..on(880, 7) });
    }
    shapes.push(Shape { splits: 2, ..Shape::new(130, 131, 160) });
    shapes
}

/// Inputs and output at every byte, and rows apart.
fn layouts() -> Vec<Shape> {
    let mut shapes: Vec<Shape> =
        (1..16).map(|at| Shape { offsets: [at, 16 - at, at % 4], ..Shape::new(19, 21, 150 + at) }).collect();
    let shape = Shape::new(35, 37, 160);
    shapes.extend([
        Shape { offsets: [0, 5, 0], ..shape },
        Shape { offsets: [4, 8, 0], ..shape },
        Shape { offsets: [0, 0, 1], ..shape },
        Shape { gaps: [1, 0, 0], ..shape },
        Shape { gaps: [0, 4, 1], ..shape },
        Shape { gaps: [12, 20, 11], ..shape },
        Shape { gaps: [7, 9, 2], offsets: [3, 0, 5], ..shape },
        Shape { offsets: [1, 1, 1], splits: 3, ..Shape::new(20, 20, 515) },
    ]);
    shapes
}

/// Everything that may stand beside the matrices.
fn vectors() -> Vec<Shape> {
    let shape = Shape::new(37, 41, 96);
    let mut shapes = Vec::new();
    for one in [Vector::One, Vector::Absent] {
        shapes.extend([Shape { row_scales: one, ..shape }, Shape { col_scales: one, ..shape }]);
    }
    for vector in [Vector::One, Vector::Each] {
        shapes.extend([
            Shape { row_zeros: vector, ..shape },
            Shape { col_zeros: vector, ..shape },
            Shape { row_zeros: vector, col_zeros: vector, ..shape },
        ]);
    }
    shapes.extend([Bias::F32, Bias::F16, Bias::Bf16].map(|bias| Shape { bias, ..shape }));
    let absent = Vector::Absent;
    shapes.extend([
        Shape { row_scales: absent, col_scales: absent, bias: Bias::F32, ..shape },
        Shape {
            row_scales: Vector::One,
            col_scales: Vector::One,
            row_zeros: Vector::One,
            col_zeros: Vector::One,
            bias: Bias::F32,
            ..shape
        },
        Shape {
            row_zeros: Vector::Each,
            col_zeros: Vector::Each,
            bias: Bias::Bf16,
            ..Shape::new(70, 90, 130)
        },
    ]);
    shapes
}

/// The largest sums, and sums beyond f16.
fn limits(product: Product) -> Vec<Shape> {
    let lowest = |m, n, k| Shape { codes: Codes::Lowest, ..Shape::new(m, n, k) };
    let (row_zeros, col_zeros) = (Vector::Each, Vector::Each);
    let mut shapes = vec![
        lowest(20, 20, 1000),
        Shape { col_zeros, ..lowest(1, 2, 65_793) },
        Shape { codes: Codes::Extreme, ..Shape::new(33, 34, 500) },
        Shape { codes: Codes::Extreme, row_zeros, col_zeros, ..Shape::new(33, 34, 500) },
        Shape { codes: Codes::BeyondF16, ..Shape::new(5, 17, 124) },
        Shape { codes: Codes::BeyondF16, bias: Bias::F16, ..Shape::new(1, 1, 4096) },
    ];
    if product == Product::Q8 {
        shapes.extend([
            lowest(1, 1, 131_071),
            Shape { row_zeros, ..lowest(2, 1, 65_793) },
            Shape { row_zeros, col_zeros, splits: 4, ..lowest(1, 1, 33_025) },
        ]);
    }
    shapes
}

/// More than the simulator takes.
fn large() -> Vec<Shape> {
    let large = Some(Kernel::Sm80(Sm80Tile::Large));
    vec![
        Shape { kernel: large, row_zeros: Vector::Each, ..Shape::new(1100, 520, 64) },
        Shape { bias: Bias::F32, col_zeros: Vector::Each, ..Shape::new(300, 301, 1002) },
        Shape { bias: Bias::F16, ..Shape::new(7, 1025, 2047) },
        Shape::new(1, 2048, 5440),
        Shape::new(16, 1024, 5440),
        Shape { offsets: [1, 2, 3], ..Shape::new(513, 511, 130) },
    ]
}

/// A random case of codes; zeros give one element of one term on the fastest kernel.
pub fn random_q8(draw: &mut dyn FnMut(u64) -> u64) -> Case {
    random(Product::Q8, draw)
}

/// The same of codes and 16-bit weights.
pub fn random_hpq(draw: &mut dyn FnMut(u64) -> u64) -> Case {
    random(Product::Hpq, draw)
}

/// The same of floats.
pub fn random_float(draw: &mut dyn FnMut(u64) -> u64) -> Case {
    random(Product::Float, draw)
}

fn random(product: Product, draw: &mut dyn FnMut(u64) -> u64) -> Case {
    let extent = |draw: &mut dyn FnMut(u64) -> u64| 1 + [draw(20), draw(70), draw(140)][draw(3) as usize];
    let (m, n, k) = (extent(draw), extent(draw), extent(draw));
    let vector = |draw: &mut dyn FnMut(u64) -> u64, all: [Vector; 3]| all[draw(3) as usize];
    let scales = [Vector::Each, Vector::One, Vector::Absent];
    let zeros = [Vector::Absent, Vector::One, Vector::Each];
    let mut shape = Shape {
        row_scales: vector(draw, scales),
        col_scales: vector(draw, scales),
        row_zeros: vector(draw, zeros),
        col_zeros: vector(draw, zeros),
        bias: [Bias::Absent, Bias::F32, Bias::F16, Bias::Bf16][draw(4) as usize],
        splits: draw(2) * draw(4),
        codes: [Codes::Uniform, Codes::Extreme][draw(2) as usize],
        ..Shape::new(m, n, k)
    };
    let unaligned = draw(2) == 1;
    if unaligned {
        shape.gaps = [draw(17), draw(17), draw(9)];
        shape.offsets = [draw(17), draw(17), draw(9)];
    } else {
        // The kernels for aligned rows, any k among them.
        shape.gaps = [padding(k) + 16 * draw(2), padding(k), draw(9)];
        shape.kernel = [None, Some(Kernel::ALL[draw(Kernel::ALL.len() as u64) as usize])][draw(2) as usize];
    }
    Case { seed: SEED ^ draw(1 << 32), ..fitted(product, shape).case() }
}

/// Elements from k to the next multiple of 16.
const fn padding(k: u64) -> u64 {
    k.next_multiple_of(16) - k
}

/// All products of m rows with n and k of [`SWEEP_SIZES`], each with other vectors, rows and parts.
pub fn sweep(product: Product, m: u64) -> impl Iterator<Item = Case> {
    let extents = SWEEP_SIZES.into_iter().flat_map(|n| SWEEP_SIZES.map(|k| (n, k)));
    extents.map(move |(n, k)| {
        let mut state = mix(m << 32 | n << 16 | k);
        let mut draw = |below: u64| {
            state = mix(state);
            state % below
        };
        let zeros = [Vector::Absent, Vector::Absent, Vector::One, Vector::Each];
        let aligned = draw(2) == 0;
        let mut shape = Shape {
            row_zeros: zeros[draw(4) as usize],
            col_zeros: zeros[draw(4) as usize],
            bias: [Bias::Absent, Bias::F32, Bias::F16, Bias::Bf16][draw(4) as usize],
            splits: [0, 0, 1, 2, 3][draw(5) as usize],
            ..Shape::new(m, n, k)
        };
        if aligned {
            shape.gaps = [padding(k), padding(k), draw(5)];
            shape.kernel =
                [None, Some(Kernel::ALL[draw(Kernel::ALL.len() as u64) as usize])][draw(2) as usize];
        } else {
            shape.offsets = [draw(16), draw(16), draw(16)];
        }
        fitted(product, shape).case()
    })
}

/// Shapes of codes to time.
pub fn bench_q8() -> Vec<Case> {
    bench(Product::Q8)
}

/// The same of codes and 16-bit weights.
pub fn bench_hpq() -> Vec<Case> {
    bench(Product::Hpq)
}

/// The same of floats.
pub fn bench_float() -> Vec<Case> {
    bench(Product::Float)
}

fn bench(product: Product) -> Vec<Case> {
    let square = [1024, 2048, 4096, 8192].map(|n| Shape::new(n, n, n));
    let narrow = [(64, 8192, 8192), (256, 8192, 8192), (1, 8192, 21_760), (16, 8192, 21_760)]
        .map(|(m, n, k)| Shape::new(m, n, k));
    let shape = Shape::new(4096, 4096, 4096);
    let others = [
        Shape { row_zeros: Vector::Each, ..shape },
        Shape { row_zeros: Vector::Each, col_zeros: Vector::Each, bias: Bias::F16, ..shape },
        Shape { offsets: [1, 1, 0], ..Shape::new(2048, 2048, 2048) },
    ];
    let kernels = Kernel::ALL.map(|kernel| Shape { kernel: Some(kernel), ..Shape::new(2048, 2048, 2048) });
    // Of an odd number of rows: floats of bf16 where that is open.
    let odd = Kernel::ALL.map(|kernel| Shape { kernel: Some(kernel), ..Shape::new(2047, 2048, 2048) });
    let odd = odd.into_iter().filter(|_| product == Product::Float);
    named(product, square.into_iter().chain(narrow).chain(others).chain(kernels).chain(odd))
}
