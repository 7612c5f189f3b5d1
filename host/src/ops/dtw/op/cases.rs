//! Cases of a profile: every kernel instance, and the lengths, radii and values at which kernels go wrong.

use super::shape::{FULL, SEED, Shape};
use crate::ops::dtw::config::{
    BAND_COLUMNS, DIAGONAL_COLUMNS, LANE_TILES, RADII, STRIP_COLUMNS, WARPS_COLUMNS,
};
use crate::ops::dtw::{Kernel, MAX_QUERY};
use crate::ops::{Case, Values};

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
        let shape = Shape { queries: 3, rolling: 5, planted: true, ..Shape::new(m, 1100) };
        [shape, Shape { z_norm: false, queries: 1, rolling: 0, ..shape }]
    };
    (1..=16).flat_map(one).collect()
}

/// Every instance without a band, by two numbers of lanes: the shortest length that fills them and the longest.
fn lanes() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (at, (columns, rows)) in LANE_TILES.into_iter().enumerate() {
        for (log2, is_longest) in [(at % 3, true), (3 + at % 3, false)] {
            let lanes = 1 << log2;
            let m = u64::from(if is_longest { lanes * columns } else { lanes / 2 * columns + 1 });
            // More windows than a block has groups.
            let windows = 3 + 256 / u64::from(lanes);
            let shape =
                Shape { queries: 2, z_norm: at % 2 == 0, planted: true, ..Shape::new(m.max(17), windows) };
            shapes.extend(shape.on(Kernel::Lanes { lanes, columns, rows }));
        }
    }
    shapes
}

/// Every number of columns, in as many strips as the shortest such length needs, and in three; a path along the diagonals,
/// which meets only some of the cells of a lane, and any path.
fn strips() -> Vec<Shape> {
    let shortest = 32 * u64::from(LANE_TILES[LANE_TILES.len() - 1].0) + 1;
    let of = |m: u64, columns: u32| {
        let strips = m.div_ceil(32 * u64::from(columns)) as u32;
        let shape = Shape { z_norm: columns.is_multiple_of(4), ..Shape::new(m, 2) };
        let both = [shape, Shape { planted: true, ..Shape::new(m, 3) }];
        both.into_iter().filter_map(move |shape| shape.on(Kernel::Strips { strips, columns }))
    };
    let shortest = STRIP_COLUMNS.into_iter().flat_map(|columns| of(shortest, columns));
    shortest.chain(of(2 * 32 * 26 + 1, 26)).collect()
}

/// Every narrow band at its least and its largest radius.
fn narrow_bands() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (at, largest) in RADII.into_iter().map(u64::from).enumerate() {
        let least = if at == 0 { 0 } else { u64::from(RADII[at - 1]) + 1 };
        for (radius, m) in [(least, largest + 2), (largest, 2 * largest + 13)] {
            let shape =
                Shape { radius, queries: 2, z_norm: at % 2 == 0, planted: true, ..Shape::new(m, 400) };
            shapes.extend(shape.on(Kernel::Band { radius: largest as u32 }));
        }
    }
    shapes
}

/// Every instance of the bands that several lanes share.
fn wide_bands() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (at, columns) in DIAGONAL_COLUMNS.into_iter().enumerate() {
        for (lanes, m) in [(4, 90 + at), (8, 300 - 3 * at), (32, 401 + at)] {
            // The widest band that the lanes hold, and one that leaves most of them idle.
            for radius in [lanes / 2 * columns - 16, 50] {
                let shape = Shape {
                    radius: u64::from(radius),
                    queries: 2,
                    z_norm: at % 2 == 0,
                    planted: true,
                    ..Shape::new(m as u64, 4 * 128 / u64::from(lanes) + 1)
                };
                shapes.extend(shape.on(Kernel::BandLanes { lanes, columns }));
            }
        }
    }
    // Queries of these lengths are as long as the simulator takes: two of the shorter, one of the longer.
    for columns in WARPS_COLUMNS {
        for (lanes, m, queries) in [(64, 1040, 2), (128, 1900, 1)] {
            let radius = u64::from(lanes / 2 * columns - 16);
            let shape = Shape {
                radius,
                queries,
                z_norm: columns == 20,
                planted: queries == 2,
                rolling: 5,
                ..Shape::new(m, 3)
            };
            shapes.extend(shape.on(Kernel::BandWarps { lanes, columns }));
        }
    }
    // A radius that no other kernel holds.
    for (columns, m) in BAND_COLUMNS.into_iter().zip([2040_u32, 2041, 2042]) {
        let lanes = m.div_ceil(columns).next_power_of_two();
        let radius = u64::from(m - 100);
        let shape = Shape { radius, z_norm: columns == 16, rolling: 5, ..Shape::new(m.into(), 4) };
        shapes.extend(shape.on(Kernel::BandWide { lanes, columns }));
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
        shapes.extend([
            Shape { gap: 1, ..all },
            Shape { gap: 58, radius: m / 3, offset: Some(2), ..all },
            Shape { gap: 7, smoothing: 2, rolling: all.points, z_norm: false, ..all },
        ]);
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
        gap: draw(2) * draw(9),
        ..Shape::new(m, windows)
    };
    shape.kernel = draw(1 + shape.kernels().len() as u64) as usize;
    Case { seed: SEED ^ draw(1 << 32), ..shape.case() }
}

/// Shapes to time: those that the issue names, and every instance.
pub fn bench() -> Vec<Case> {
    let all = 100_000_000;
    // Short against a run's noise, and many waves of blocks.
    let of = |m: u64| Shape::new(m, if m <= 512 { 100_000_000_000 } else { 250_000_000_000 } / (m * m));
    let mut shapes = vec![
        Shape::new(5, all),
        Shape { z_norm: false, ..Shape::new(5, all) },
        Shape { rolling: 5, ..Shape::new(5, all) },
        Shape { rolling: 5, z_norm: false, ..Shape::new(5, all) },
        Shape::new(32, all),
    ];
    shapes.extend([33, 100, 128, 256, 512, 1024, 1025, 2048, 4096].map(of));
    for (m, radii) in [(128, [12, 42]), (1024, [102, 341]), (2048, [204, 682])] {
        let windows = 160_000_000_000 / (m * m);
        shapes.extend(radii.map(|radius| Shape { radius, ..Shape::new(m, windows) }));
    }
    shapes.extend(instances());
    shapes.into_iter().map(Shape::case).collect()
}

/// Every instance, at a size that takes a millisecond or two.
fn instances() -> Vec<Shape> {
    let mut shapes: Vec<Shape> = (1..=16).map(|m| Shape::new(m, 3_000_000)).collect();
    for (columns, rows) in LANE_TILES {
        let shape = Shape::new(4 * u64::from(columns), 800_000);
        shapes.extend(shape.on(Kernel::Lanes { lanes: 4, columns, rows }));
    }
    for columns in STRIP_COLUMNS {
        let m = (64 * u64::from(columns)).max(1537);
        let strips = m.div_ceil(32 * u64::from(columns)) as u32;
        shapes.extend(Shape::new(m, 3000).on(Kernel::Strips { strips, columns }));
    }
    for radius in RADII {
        let shape = Shape { radius: radius.into(), ..Shape::new(128, 1_000_000) };
        shapes.extend(shape.on(Kernel::Band { radius }));
    }
    for columns in DIAGONAL_COLUMNS {
        let shape = Shape { radius: u64::from(8 * columns - 16), ..Shape::new(512, 100_000) };
        shapes.extend(shape.on(Kernel::BandLanes { lanes: 16, columns }));
    }
    for columns in WARPS_COLUMNS {
        let shape = Shape { radius: u64::from(32 * columns - 16), ..Shape::new(2048, 10_000) };
        shapes.extend(shape.on(Kernel::BandWarps { lanes: 64, columns }));
    }
    for columns in BAND_COLUMNS {
        let m = 128 * columns - 6;
        let shape = Shape { radius: u64::from(m - 100), ..Shape::new(m.into(), 2000) };
        shapes.extend(shape.on(Kernel::BandWide { lanes: 128, columns }));
    }
    shapes
}
