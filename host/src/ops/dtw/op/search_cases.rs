//! Cases of a search: both ways, every instance, and the series on which bounds, ties and exclusion go wrong.

use super::shape::{FULL, SEED};
use crate::ops::dtw::search::RADII;
use crate::ops::{Case, Placement, Values};

/// Series on which bounds say little, or statistics go wrong.
const VALUES: [Values; 10] = [
    Values::Walk,
    Values::Years,
    Values::Months,
    Values::Steps,
    Values::Spiky,
    Values::Offset,
    Values::Holed,
    Values::Zeros,
    Values::Special,
    Values::Tiny,
];

/// By bounds where they are possible.
const BY_BOUNDS: u64 = 1;
/// By the profile.
const BY_PROFILE: u64 = 2;

/// The shape of a search; [`Shape::new`] is the simplest of a length.
#[derive(Clone, Copy, Debug)]
struct Shape {
    m: u64,
    points: u64,
    rows: u64,
    queries: u64,
    radius: u64,
    z_norm: bool,
    smoothing: u64,
    k: u64,
    exclusion: u64,
    /// None for the smallest distances.
    threshold: Option<f32>,
    way: u64,
    every: u64,
    windows: u64,
    distances: u64,
    values: Values,
    offset: u64,
    seed: u64,
}

impl Shape {
    /// The three best of `windows` normalised windows by bounds, a quarter of the tiles in the sample, in a band of a tenth.
    const fn new(m: u64, windows: u64) -> Self {
        Self {
            m,
            points: windows + m - 1,
            rows: 1,
            queries: 1,
            radius: m / 10,
            z_norm: true,
            smoothing: 1,
            k: 3,
            exclusion: m.div_ceil(4),
            threshold: None,
            way: BY_BOUNDS,
            every: 3,
            windows: 0,
            distances: 0,
            values: Values::Uniform,
            offset: 0,
            seed: SEED,
        }
    }

    fn case(self) -> Case {
        let Self { m, points, rows, queries, radius, z_norm, smoothing, k, exclusion, threshold, .. } = self;
        let Self { way, every, windows, distances, values, offset, seed, .. } = self;
        let mut name = format!("m_{m}_n_{points}_r_{radius}");
        let mut add = |differs: bool, text: String| {
            if differs {
                name.push_str(&format!("_{text}"));
            }
        };
        match threshold {
            Some(threshold) => add(true, format!("threshold_{threshold}")),
            None => add(true, format!("k_{k}_exclusion_{exclusion}")),
        }
        add(rows != 1, format!("rows_{rows}"));
        add(queries != 1, format!("queries_{queries}"));
        add(!z_norm, "raw".to_owned());
        add(smoothing != 1, format!("smoothing_{smoothing}"));
        add(values != Values::Uniform, format!("{values:?}").to_lowercase());
        add(way == BY_PROFILE, "profile".to_owned());
        add(way == 0, "either".to_owned());
        add(windows != 0, format!("windows_{windows}"));
        add(distances != 0, format!("distances_{distances}"));
        add(offset != 0, format!("unaligned_{offset}"));
        let slots = if threshold.is_some() { 40 } else { k.min(40) + 1 };
        let place = |offset| Placement { stride: None, offset };
        Case {
            name,
            dims: vec![rows, points, queries, m],
            operands: vec![place(offset), place(0), place(if offset == 0 { 0 } else { offset + 1 })],
            values,
            seed,
            options: vec![
                ("radius", radius),
                ("z_norm", z_norm.into()),
                ("smoothing", smoothing - 1),
                ("k", k),
                ("exclusion", exclusion),
                ("threshold", threshold.unwrap_or(0.0).to_bits().into()),
                ("slots", slots),
                ("way", way),
                ("every", every),
                ("windows", windows),
                ("distances", distances),
            ],
        }
    }
}

/// The cases every implementation must pass; with `below` those of all windows below a threshold.
pub fn cases(below: bool) -> Vec<Case> {
    let shapes = [instances(), values(), selections(), layouts()];
    let shapes = shapes.into_iter().flatten();
    let mut cases: Vec<Case> = shapes.filter_map(|shape| asked(shape, below)).map(Shape::case).collect();
    let mut names = std::collections::BTreeSet::new();
    cases.retain(|case| names.insert(case.name.clone()));
    cases
}

/// The shape, asked for the windows below about the distance of its best matches.
fn asked(shape: Shape, below: bool) -> Option<Shape> {
    if !below {
        return Some(shape);
    }
    let per_point = match (shape.values, shape.z_norm) {
        (Values::Walk, true) => 0.08,
        (Values::Years | Values::Months, false) => 1e-4,
        (Values::Spiky, false) => 1e6,
        (_, true) => 0.5,
        (_, false) => 0.9,
    };
    let threshold = match shape.k {
        0 => 0.0,
        k if k >= 1000 => f32::INFINITY,
        _ => shape.m as f32 * per_point,
    };
    Some(Shape { threshold: shape.threshold.or(Some(threshold)), ..shape })
}

/// Every radius, at its least and its largest, by lengths with and without a rest in fours, eights and sixteens.
fn instances() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for (at, radius) in RADII.iter().copied().map(u64::from).enumerate() {
        let least = if at == 0 { 0 } else { u64::from(RADII[at - 1]) + 1 };
        let m = [40, 33, 48, 38, 65, 50, 44, 52, 63, 70][at];
        let shape = Shape { radius, z_norm: at % 3 != 1, ..Shape::new(m, 2400) };
        shapes.extend([shape, Shape { radius: least, values: Values::Walk, ..shape }]);
    }
    shapes.extend([17, 128, 200].map(|m| Shape { values: Values::Walk, ..Shape::new(m, 1100) }));
    shapes
}

/// Every kind of series, both ways.
fn values() -> Vec<Shape> {
    let of = |values| {
        let shape = Shape { values, ..Shape::new(40, 1700) };
        [
            shape,
            Shape { z_norm: false, ..shape },
            Shape { smoothing: 4, ..shape },
            Shape { way: BY_PROFILE, radius: FULL, ..shape },
            Shape { way: BY_PROFILE, smoothing: 3, m: 12, ..shape },
        ]
    };
    VALUES.into_iter().flat_map(of).collect()
}

/// No match, more than there are, exclusion of nothing and of everything.
fn selections() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for values in [Values::Uniform, Values::Walk, Values::Zeros] {
        let shape = Shape { values, ..Shape::new(24, 1500) };
        for way in [BY_BOUNDS, BY_PROFILE, 0] {
            let of = |(k, exclusion)| Shape { k, exclusion, way, ..shape };
            shapes.extend([(0, 5), (1, 0), (7, 0), (10, 100), (4, 700), (2, 1 << 40), (5000, 3)].map(of));
        }
    }
    shapes
}

/// Several rows and queries, pieces of rows, operands between 16-byte boundaries, one window.
fn layouts() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for way in [BY_BOUNDS, BY_PROFILE] {
        let shape = Shape { rows: 3, queries: 2, way, values: Values::Walk, ..Shape::new(30, 700) };
        shapes.extend([
            shape,
            Shape { windows: 300, distances: 500, ..shape },
            Shape { windows: 513, distances: 1600, smoothing: 5, ..shape },
            Shape { distances: 5000, k: 9, ..shape },
            Shape { offset: 1, ..shape },
            Shape { offset: 3, ..shape },
            Shape { way, ..Shape::new(30, 1) },
            Shape { way, smoothing: 9, ..Shape::new(30, 9) },
        ]);
    }
    shapes
}

/// A random shape; zeros give the shortest query and one window.
pub fn random(below: bool, draw: &mut dyn FnMut(u64) -> u64) -> Case {
    let m = 1 + [draw(16), 16 + draw(60), 16 + draw(200)][draw(3) as usize];
    let windows = 1 + [draw(60), draw(1500)][draw(2) as usize];
    let smoothing = 1 + draw(2) * draw(6);
    let mut shape = Shape {
        points: windows + m + smoothing - 2,
        rows: 1 + draw(2),
        queries: 1 + draw(2),
        radius: [FULL, draw(m), draw(9), m - 1][draw(4) as usize],
        z_norm: draw(3) != 1,
        smoothing,
        k: draw(12),
        exclusion: [draw(5), draw(m), draw(windows)][draw(3) as usize],
        way: [BY_BOUNDS, BY_PROFILE, 0][draw(3) as usize],
        every: 2 + draw(6),
        windows: draw(2) * (1 + draw(windows)),
        distances: draw(2) * (1 + draw(4 * windows)),
        values: Values::ALL[draw(Values::ALL.len() as u64) as usize],
        offset: draw(2) * draw(4),
        seed: SEED ^ draw(1 << 32),
        ..Shape::new(m, windows)
    };
    if below {
        let scale = [0.0, 0.1, 0.5, 1.0, 1e30][draw(5) as usize];
        shape.threshold = Some(m as f32 * scale);
    }
    shape.case()
}

/// Shapes to time: the best ten in series on which bounds tell much and nothing, and every instance.
pub fn bench(below: bool) -> Vec<Case> {
    let large = Shape { radius: 12, k: 10, exclusion: 32, way: 0, every: 0, ..Shape::new(128, 10_000_000) };
    // Some tens of windows are as near.
    let large = Shape { threshold: below.then_some(3.0), ..large };
    let noise = Shape { threshold: below.then_some(44.0), ..large };
    let mut shapes = vec![Shape { values: Values::Walk, ..large }, noise];
    if !below {
        shapes.extend([Values::Years, Values::Months].map(|values| Shape { values, ..large }));
        shapes.push(Shape { way: BY_PROFILE, values: Values::Walk, ..large });
        shapes.extend(RADII.iter().copied().map(u64::from).map(|radius| Shape {
            radius,
            values: Values::Walk,
            ..Shape::new(128, 1_000_000)
        }));
    } else {
        shapes.push(Shape { way: BY_PROFILE, values: Values::Walk, ..large });
    }
    shapes.into_iter().filter_map(|shape| asked(shape, below)).map(Shape::case).collect()
}
