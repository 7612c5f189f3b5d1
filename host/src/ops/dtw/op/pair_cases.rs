//! Cases of pairs.

use super::pairs::kernels;
use super::shape::{FULL, SEED};
use crate::ops::dtw::MAX_QUERY;
use crate::ops::dtw::pairs::PairKernel;
use crate::ops::{Case, Placement, Values};

/// Some pairs; [`Shape::new`] is the simplest of a length.
#[derive(Clone, Copy, Debug)]
struct Shape {
    m: u64,
    pairs: u64,
    radius: u64,
    z_norm: bool,
    /// Elements between rows.
    gap: u64,
    /// From 1; 0 for the fastest.
    kernel: usize,
    values: Values,
    offset: u64,
}

impl Shape {
    /// Normalised pairs, no band.
    const fn new(m: u64, pairs: u64) -> Self {
        let (radius, values) = (FULL, Values::Uniform);
        Self { m, pairs, radius, z_norm: true, gap: 0, kernel: 0, values, offset: 0 }
    }

    fn kernels(&self) -> Vec<PairKernel> {
        kernels(self.pairs, self.m, self.radius as u32)
    }

    /// The shape on one instance, where that computes it.
    fn on(self, kernel: PairKernel) -> Option<Self> {
        let at = self.kernels().iter().position(|known| *known == kernel)?;
        Some(Self { kernel: at + 1, ..self })
    }

    /// The case, named by what is not as in [`Shape::new`].
    fn case(self) -> Case {
        let Self { m, pairs, radius, z_norm, gap, kernel, values, offset } = self;
        let mut name = format!("m_{m}_pairs_{pairs}");
        let mut add = |differs: bool, text: String| {
            if differs {
                name.push_str(&format!("_{text}"));
            }
        };
        add(radius != FULL, format!("r_{radius}"));
        add(!z_norm, "raw".to_owned());
        add(gap != 0, format!("gap_{gap}"));
        add(values != Values::Uniform, format!("{values:?}").to_lowercase());
        add(offset != 0, format!("unaligned_{offset}"));
        if let Some(kernel) = kernel.checked_sub(1).and_then(|at| self.kernels().get(at).copied()) {
            add(true, kernel_name(kernel));
        }
        let place =
            |operand| Placement { stride: None, offset: if offset == 0 { 0 } else { offset + operand } };
        Case {
            name,
            dims: vec![pairs, m, m],
            operands: (0..3).map(place).collect(),
            values,
            seed: SEED,
            options: vec![
                ("radius", radius),
                ("z_norm", z_norm.into()),
                ("gap", gap),
                ("kernel", kernel as u64),
            ],
        }
    }
}

fn kernel_name(kernel: PairKernel) -> String {
    match kernel {
        PairKernel::Whole { lanes, columns } => format!("lanes_{lanes}_c{columns}"),
        PairKernel::Strips => "strips".to_owned(),
        PairKernel::Band { lanes, columns } => format!("band_{lanes}_c{columns}"),
    }
}

/// The cases every implementation must pass.
pub fn cases() -> Vec<Case> {
    let shapes = [numbers(), lengths(), bands(), strips(), values(), layouts(), large()];
    let mut cases: Vec<Case> = shapes.into_iter().flatten().map(Shape::case).collect();
    let mut names = std::collections::BTreeSet::new();
    cases.retain(|case| names.insert(case.name.clone()));
    cases
}

/// No pair, one, and around the groups of a block.
fn numbers() -> Vec<Shape> {
    let short = [0, 1, 127, 128, 129].map(|pairs| Shape::new(5, pairs));
    let long = [0, 3, 4, 5, 9].map(|pairs| Shape { z_norm: false, radius: 20, ..Shape::new(100, pairs) });
    short.into_iter().chain(long).collect()
}

/// Every number of lanes and columns without a band, full and with the most columns too many.
fn lengths() -> Vec<Shape> {
    let ends = [1, 2, 8, 15, 16, 17, 31, 32, 33, 64, 65, 100, 128, 129, 257];
    let mut shapes: Vec<Shape> =
        ends.into_iter().map(|m| Shape { z_norm: m % 2 == 1, ..Shape::new(m, 3) }).collect();
    for (columns, lanes) in
        [16, 32].into_iter().flat_map(|columns| [1, 2, 4, 8, 16].map(|lanes| (columns, lanes)))
    {
        let kernel = PairKernel::Whole { lanes, columns };
        for m in [lanes * columns, lanes / 2 * columns + 1] {
            shapes.extend(Shape::new(m.into(), 2).on(kernel));
        }
    }
    shapes.extend(Shape::new(400, 2).on(PairKernel::Whole { lanes: 32, columns: 16 }));
    shapes.extend(Shape::new(520, 1).on(PairKernel::Whole { lanes: 32, columns: 32 }));
    shapes
}

/// Every number of lanes and columns with a band, of every kind of radius.
fn bands() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for m in [2, 5, 16, 17, 33, 100, 129] {
        let radii = [0, 1, m / 10, m / 3, m - 2, m - 1];
        shapes.extend(radii.map(|radius| Shape { radius, z_norm: m % 2 == 1, ..Shape::new(m, 2) }));
    }
    for (columns, log2) in [16, 32].into_iter().flat_map(|columns| (0..6).map(move |log2| (columns, log2))) {
        let kernel = PairKernel::Band { lanes: 1 << log2, columns };
        for (m, radius) in [(70, 3), (129, 0), (200, 40), (257, 255), (300, 8)] {
            let shape = Shape { radius, z_norm: log2 % 2 == 0, ..Shape::new(m, 3) };
            shapes.extend(shape.on(kernel));
        }
    }
    shapes.extend([(511, 51), (1025, 10), (2048, 3)].map(|(m, radius)| Shape { radius, ..Shape::new(m, 1) }));
    shapes
}

/// More columns than a group holds.
fn strips() -> Vec<Shape> {
    vec![Shape { z_norm: false, ..Shape::new(1025, 1) }]
}

/// Every kind of sequence.
fn values() -> Vec<Shape> {
    let of = |values| {
        let shape = Shape { values, ..Shape::new(19, 40) };
        [
            shape,
            Shape { z_norm: false, ..shape },
            Shape { radius: 4, ..shape },
            Shape { m: 70, pairs: 6, radius: 20, z_norm: false, ..shape },
        ]
    };
    Values::ALL.into_iter().filter(|values| *values != Values::Uniform).flat_map(of).collect()
}

/// Rows apart, and operands between 16-byte boundaries.
fn layouts() -> Vec<Shape> {
    let shape = Shape::new(21, 9);
    let mut shapes = vec![Shape { gap: 1, ..shape }, Shape { gap: 11, radius: 6, ..shape }];
    shapes.extend([1, 2, 3].map(|offset| Shape { offset, ..shape }));
    shapes
}

/// More than the simulator takes.
fn large() -> Vec<Shape> {
    let longest = MAX_QUERY as u64;
    let mut shapes = vec![
        Shape::new(5, 300_001),
        Shape { radius: 12, ..Shape::new(128, 9_001) },
        Shape::new(1024, 21),
        Shape::new(2048, 5),
        Shape::new(longest, 3),
        Shape { radius: longest - 2, ..Shape::new(longest, 2) },
        Shape { radius: 1, ..Shape::new(longest, 3) },
    ];
    for (columns, log2) in [16, 32].into_iter().flat_map(|columns| (0..6).map(move |log2| (columns, log2))) {
        let kernel = PairKernel::Band { lanes: 1 << log2, columns };
        let long = Shape { radius: 409, ..Shape::new(longest, 5) };
        shapes.extend(long.on(kernel));
        shapes.extend(Shape { radius: 102, ..Shape::new(1024, 21) }.on(kernel));
    }
    shapes
}

/// A random shape on a random instance; zeros give one pair of one point on the fastest.
pub fn random(draw: &mut dyn FnMut(u64) -> u64) -> Case {
    let m = 1 + [draw(20), draw(140), draw(300)][draw(3) as usize];
    let radius = [FULL, draw(m), draw(4), m - 1][draw(4) as usize];
    let values = Values::ALL[draw(Values::ALL.len() as u64) as usize];
    let mut shape = Shape {
        radius,
        z_norm: draw(2) == 0,
        gap: draw(2) * draw(9),
        values,
        offset: draw(5),
        ..Shape::new(m, 1 + draw(9))
    };
    shape.kernel = draw(1 + shape.kernels().len() as u64) as usize;
    Case { seed: SEED ^ draw(1 << 32), ..shape.case() }
}

/// Shapes to time.
pub fn bench() -> Vec<Case> {
    // The cells of a millisecond or ten, of not more than 800 MB of points.
    let of = |m, cells: u64| Shape::new(m, (cells / (m * m)).min(100_000_000 / m));
    let mut shapes: Vec<Shape> =
        [5, 16, 32, 100, 128, 512, 1024, 2048, 4096].map(|m| of(m, 100_000_000_000)).to_vec();
    shapes[0].pairs = 10_000_000;
    for (m, pairs, radius) in
        [(128, 1_000_000, 12), (1024, 100_000, 102), (4096, 5_000, 409), (512, 100_000, 255)]
    {
        let shape = Shape { radius, ..Shape::new(m, pairs) };
        shapes.push(shape);
        let lanes = [(4, 16), (8, 32)];
        shapes.extend(
            lanes.into_iter().filter_map(|(lanes, columns)| shape.on(PairKernel::Band { lanes, columns })),
        );
    }
    shapes.extend(Shape::new(64, 5_000_000).on(PairKernel::Whole { lanes: 4, columns: 16 }));
    shapes.into_iter().map(Shape::case).collect()
}
