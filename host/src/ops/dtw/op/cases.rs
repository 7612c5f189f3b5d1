//! Cases of a profile: every kernel instance, and the lengths, radii and values at which kernels go wrong.

use super::shape::{FULL, SEED, Shape};
use crate::ops::dtw::{Kernel, MAX_QUERY};
use crate::ops::{Case, Values};

/// Columns of a lane for which there are instances without a band.
const COLUMNS: [u64; 8] = [18, 20, 22, 24, 26, 28, 30, 32];

/// Largest radii of the instances in which a thread has a window.
const RADII: [u64; 10] = [0, 1, 2, 4, 6, 8, 12, 16, 24, 32];

/// Lengths around multiples of a warp.
const EDGES: [u64; 12] = [31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257];

/// Series on which statistics go wrong.
const VALUES: [Values; 7] = [
    Values::Steps,
    Values::Spiky,
    Values::Offset,
    Values::Holed,
    Values::Zeros,
    Values::Special,
    Values::Tiny,
];

/// The cases every implementation must pass.
pub fn cases() -> Vec<Case> {
    let shapes =
        [small(), lanes(), strips(), narrow_bands(), wide_bands(), edges(), values(), layouts(), large()];
    shapes.into_iter().flatten().map(Shape::case).collect()
}

/// Every length with a kernel of its own, by more windows than a block has threads.
fn small() -> Vec<Shape> {
    let one = |m| {
        let shape = Shape { queries: 3, rolling: 5, ..Shape::new(m, 300) };
        [shape, Shape { z_norm: false, queries: 1, rolling: 0, ..shape }]
    };
    (1..=16).flat_map(one).collect()
}

/// Every number of lanes and columns without a band; the longest that they hold, or the shortest.
fn lanes() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (columns, rows, log2) in COLUMNS.into_iter().flat_map(|columns| {
        [4, 8].into_iter().flat_map(move |rows| (0..6).map(move |log2| (columns, rows, log2)))
    }) {
        // Half of them, each number of lanes with each number of columns.
        if (log2 + rows / 4 + columns / 2) % 2 == 1 {
            continue;
        }
        let lanes = 1 << log2;
        let m = if columns.is_multiple_of(4) { lanes * columns } else { lanes / 2 * columns + 1 };
        let kernel = Kernel::Lanes { lanes: lanes as u32, columns: columns as u32, rows: rows as u32 };
        // More windows than the groups of a block, where they are short.
        let shape =
            Shape { queries: 1 + log2 % 2, z_norm: rows == 8, ..Shape::new(m.max(17), 3 + 140 / lanes) };
        shapes.extend(shape.on(kernel));
    }
    shapes
}

/// Every number of columns, in two strips and more.
fn strips() -> Vec<Shape> {
    let of = |m: u64, columns: u64| {
        let strips = m.div_ceil(32 * columns) as u32;
        let shape = Shape { z_norm: columns.is_multiple_of(4), ..Shape::new(m, 2) };
        shape.on(Kernel::Strips { strips, columns: columns as u32 })
    };
    let two = COLUMNS.into_iter().flat_map(|columns| of(1025 + columns, columns));
    two.chain(of(1500, 18)).chain(of(1900, 32)).collect()
}

/// Every narrow band at its least and its largest radius.
fn narrow_bands() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (at, largest) in RADII.into_iter().enumerate() {
        let least = if at == 0 { 0 } else { RADII[at - 1] + 1 };
        for (radius, m) in [(least, largest + 2), (largest, 2 * largest + 13)] {
            let shape = Shape { radius, queries: 2, z_norm: at % 2 == 0, ..Shape::new(m, 140) };
            shapes.extend(shape.on(Kernel::Band { radius: largest as u32 }));
        }
    }
    shapes
}

/// Every number of columns of bands that several lanes share.
fn wide_bands() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (columns, m, radius) in [
        (8, 7, 3),
        (8, 65, 20),
        (8, 300, 30),
        (16, 40, 5),
        (16, 129, 64),
        (16, 700, 70),
        (24, 24, 10),
        (24, 257, 85),
        (32, 31, 29),
        (32, 128, 42),
        (32, 513, 51),
        (32, 1030, 103),
        (32, 1900, 40),
    ] {
        let lanes = u64::div_ceil(m, columns).next_power_of_two();
        let kernel = Kernel::BandWide { lanes: lanes as u32, columns: columns as u32 };
        let shape = Shape { radius, z_norm: m % 2 == 1, ..Shape::new(m, 2 + 200 / lanes.min(100)) };
        shapes.extend(shape.on(kernel));
    }
    shapes
}

/// Lengths around multiples of a warp, at every kind of radius.
fn edges() -> Vec<Shape> {
    let radii =
        |m: u64| [0, 1, m / 10, m - 2, m - 1, FULL].map(|radius| Shape { radius, ..Shape::new(m, 5) });
    EDGES.into_iter().flat_map(radii).collect()
}

/// Every kind of series.
fn values() -> Vec<Shape> {
    let of = |values| {
        let plain = Shape { values, rolling: 5, ..Shape::new(5, 700) };
        let long = Shape { values, queries: 2, ..Shape::new(40, 200) };
        [
            plain,
            Shape { z_norm: false, rolling: 1, ..plain },
            Shape { smoothing: 3, rolling: 40, ..plain },
            long,
            Shape { radius: 4, ..long },
            Shape { radius: 25, z_norm: false, ..long },
            Shape { smoothing: 7, z_norm: false, ..long },
        ]
    };
    VALUES.into_iter().flat_map(of).collect()
}

/// One window, several rows and queries, operands between 16-byte boundaries, rolling windows of one point and of all.
fn layouts() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for m in [1, 5, 17, 40, 100] {
        let all = Shape { rows: 3, queries: 3, rolling: 5, ..Shape::new(m, 70) };
        shapes.extend([
            Shape::new(m, 1),
            Shape { rows: 3, queries: 3, ..Shape::new(m, 1) },
            all,
            Shape { radius: m / 3, ..all },
            Shape { smoothing: 2, rolling: all.points, ..all },
            Shape { smoothing: 34, rolling: 1, z_norm: false, ..all },
        ]);
        shapes.extend([0, 1, 3].map(|offset| Shape { offset: Some(offset), ..all }));
    }
    shapes
}

/// More than the simulator takes: many points, rows and queries, the longest queries.
fn large() -> Vec<Shape> {
    vec![
        Shape { rolling: 5, ..Shape::new(5, 900_003) },
        Shape { rolling: 2, rows: 70_000, ..Shape::new(5, 9) },
        Shape { queries: 70_000, ..Shape::new(5, 9) },
        Shape { queries: 2000, z_norm: false, ..Shape::new(40, 20) },
        Shape { radius: 12, ..Shape::new(128, 33_000) },
        Shape::new(MAX_QUERY as u64, 1),
        Shape { radius: 50, ..Shape::new(MAX_QUERY as u64, 2) },
    ]
}

/// A random shape on a random kernel; zeros give the shortest query, one window, the fastest kernel.
pub fn random(draw: &mut dyn FnMut(u64) -> u64) -> Case {
    let m = 1 + [draw(16), draw(80), draw(400)][draw(3) as usize];
    let smoothing = 1 + draw(2) * draw(6);
    let windows = 1 + draw(60);
    let radius = [FULL, draw(m), draw(4), m - 1][draw(4) as usize];
    let values = Values::ALL[draw(Values::ALL.len() as u64) as usize];
    let points = windows + m + smoothing - 2;
    let mut shape = Shape {
        points,
        rows: 1 + draw(3),
        queries: 1 + draw(3),
        radius,
        z_norm: draw(2) == 0,
        smoothing,
        rolling: draw(2) * (1 + draw(points)),
        values,
        offset: [None, Some(draw(4))][draw(2) as usize],
        ..Shape::new(m, windows)
    };
    shape.kernel = draw(1 + shape.kernels().len() as u64) as usize;
    Case { seed: SEED ^ draw(1 << 32), ..shape.case() }
}

/// Shapes to time: those that the issue names, and every instance.
pub fn bench() -> Vec<Case> {
    let all = 100_000_000;
    let of = |m, cells: u64| Shape::new(m, cells / (m * m));
    let mut shapes = vec![
        Shape::new(5, all),
        Shape { z_norm: false, ..Shape::new(5, all) },
        Shape { rolling: 5, ..Shape::new(5, all) },
        Shape { rolling: 5, z_norm: false, ..Shape::new(5, all) },
        Shape::new(32, all),
    ];
    shapes.extend([33, 100, 128, 256, 512, 1024, 1025, 2048, 4096].map(|m| of(m, 250_000_000_000)));
    shapes.extend([102, 341].map(|radius| Shape { radius, ..Shape::new(1024, 250_000) }));
    shapes.push(Shape { radius: 12, ..Shape::new(128, 10_000_000) });
    shapes.extend(instances());
    shapes.into_iter().map(Shape::case).collect()
}

/// Every instance, at a size that takes a millisecond or two.
fn instances() -> Vec<Shape> {
    let mut shapes: Vec<Shape> = (1..=16).map(|m| Shape::new(m, 3_000_000)).collect();
    for columns in COLUMNS {
        let shape = Shape::new(4 * columns, 800_000);
        let lanes = |rows| Kernel::Lanes { lanes: 4, columns: columns as u32, rows };
        shapes.extend([4, 8].into_iter().filter_map(|rows| shape.on(lanes(rows))));
        let m = 64 * columns - 1;
        let strips = m.div_ceil(32 * columns) as u32;
        shapes.extend(Shape::new(m.max(1025), 3000).on(Kernel::Strips { strips, columns: columns as u32 }));
    }
    for radius in RADII {
        let kernel = Kernel::Band { radius: radius as u32 };
        shapes.extend(Shape { radius, ..Shape::new(128, 1_000_000) }.on(kernel));
    }
    for columns in [8, 16, 24, 32] {
        let lanes = 512_u32.div_ceil(columns).next_power_of_two();
        let kernel = Kernel::BandWide { lanes, columns };
        shapes.extend(Shape { radius: 51, ..Shape::new(512, 100_000) }.on(kernel));
    }
    shapes
}
