//! Cases with open begin and open end.

use super::shape::SEED;
use crate::ops::dtw::MAX_QUERY;
use crate::ops::{Case, Placement, Values};

/// Some rows, queries and points.
#[derive(Clone, Copy, Debug)]
struct Shape {
    m: u64,
    points: u64,
    rows: u64,
    queries: u64,
    values: Values,
    offset: u64,
}

impl Shape {
    /// One row, one query.
    const fn new(m: u64, points: u64) -> Self {
        Self { m, points, rows: 1, queries: 1, values: Values::Uniform, offset: 0 }
    }

    fn case(self) -> Case {
        let Self { m, points, rows, queries, values, offset } = self;
        let mut name = format!("m_{m}_n_{points}");
        let mut add = |differs: bool, text: String| {
            if differs {
                name.push_str(&format!("_{text}"));
            }
        };
        add(rows != 1, format!("rows_{rows}"));
        add(queries != 1, format!("queries_{queries}"));
        add(values != Values::Uniform, format!("{values:?}").to_lowercase());
        add(offset != 0, format!("unaligned_{offset}"));
        let place =
            |operand| Placement { stride: None, offset: if offset == 0 { 0 } else { offset + operand } };
        Case {
            name,
            dims: vec![rows, points, queries, m],
            operands: (0..3).map(place).collect(),
            values,
            seed: SEED,
            options: Vec::new(),
        }
    }
}

/// The cases every implementation must pass.
pub fn cases() -> Vec<Case> {
    let shapes = [lengths(), numbers(), values(), large()];
    shapes.into_iter().flatten().map(Shape::case).collect()
}

/// Every number of lanes and columns, full and with the most columns too many; series shorter and longer than the query.
fn lengths() -> Vec<Shape> {
    let ends = [1, 2, 5, 15, 16, 17, 32, 33, 64, 65, 100, 128, 129, 256, 257];
    let mut shapes = Vec::new();
    for m in ends {
        shapes.extend([Shape::new(m, m / 2 + 3), Shape::new(m, 130)]);
    }
    shapes.extend([
        Shape::new(1, 1),
        Shape::new(100, 1),
        Shape::new(40, 7),
        Shape::new(40, 8),
        Shape::new(40, 9),
    ]);
    let long = [(511, 40), (513, 33), (700, 200), (1024, 900), (1025, 17), (2048, 100), (2049, 9)];
    shapes.extend(long.map(|(m, points)| Shape::new(m, points)));
    shapes.push(Shape { values: Values::Holed, rows: 3, ..Shape::new(1024, 70) });
    shapes
}

/// Several rows and queries, around the groups of a block, and on between 16-byte boundaries.
fn numbers() -> Vec<Shape> {
    let mut shapes = vec![
        Shape { rows: 3, queries: 5, ..Shape::new(20, 50) },
        Shape { rows: 7, queries: 3, ..Shape::new(70, 30) },
        Shape { rows: 2, queries: 2, ..Shape::new(300, 20) },
    ];
    shapes.extend([127, 128, 129].map(|queries| Shape { queries, ..Shape::new(5, 20) }));
    shapes.extend([1, 2, 3].map(|offset| Shape { offset, rows: 2, queries: 2, ..Shape::new(18, 41) }));
    shapes
}

/// Every kind of series.
fn values() -> Vec<Shape> {
    let of = |values| {
        let shape = Shape { values, ..Shape::new(13, 400) };
        [Shape { m: 3, ..shape }, shape, Shape { m: 50, queries: 2, ..shape }]
    };
    Values::ALL.into_iter().filter(|values| *values != Values::Uniform).flat_map(of).collect()
}

/// More than the simulator takes.
fn large() -> Vec<Shape> {
    let longest = MAX_QUERY as u64;
    let holed = |shape| Shape { values: Values::Holed, ..shape };
    vec![
        Shape { rows: 1000, queries: 3, ..Shape::new(5, 300) },
        holed(Shape { rows: 20, queries: 3, ..Shape::new(128, 1000) }),
        Shape { rows: 30_000, ..Shape::new(20, 33) },
        holed(Shape { rows: 3, ..Shape::new(1000, 1501) }),
        holed(Shape { rows: 2, queries: 2, ..Shape::new(2000, 1000) }),
        holed(Shape::new(longest, 2500)),
        Shape::new(longest, 1100),
    ]
}

/// A random shape; zeros give one point and one query of one point.
pub fn random(draw: &mut dyn FnMut(u64) -> u64) -> Case {
    let m = 1 + [draw(20), draw(140), draw(700)][draw(3) as usize];
    let values = Values::ALL[draw(Values::ALL.len() as u64) as usize];
    let shape = Shape {
        rows: 1 + draw(3),
        queries: 1 + draw(4),
        values,
        offset: draw(5),
        ..Shape::new(m, 1 + draw(if m > 140 { 30 } else { 120 }))
    };
    Case { seed: SEED ^ draw(1 << 32), ..shape.case() }
}

/// Shapes to time.
pub fn bench() -> Vec<Case> {
    let mut shapes = vec![Shape::new(128, 1_000_000)];
    for (m, points, rows, queries) in [
        (16, 10_000, 30_000, 4),
        (128, 10_000, 3_000, 16),
        (512, 10_000, 3_000, 4),
        (1024, 10_000, 3_000, 2),
        (4096, 10_000, 1_000, 1),
    ] {
        shapes.push(Shape { rows, queries, ..Shape::new(m, points) });
    }
    shapes.into_iter().map(Shape::case).collect()
}
