//! Cases of embeddings.

use std::collections::BTreeSet;

use super::shape::{SEED, Shape};
use crate::ops::Case;

/// The cases every implementation must pass.
pub fn cases() -> Vec<Case> {
    let mut names = BTreeSet::new();
    let shapes = [sizes(), tables(), bags(), invalid(), places(), policies()];
    let mut cases: Vec<Case> = shapes.into_iter().flatten().map(Shape::case).collect();
    cases.retain(|case| names.insert(case.name.clone()));
    cases
}

/// None, one, and around what threads, groups of rows and blocks take at a time.
fn sizes() -> Vec<Shape> {
    let mut shapes: Vec<Shape> =
        [0, 1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 257].map(|batch| Shape::new(batch, 3, 8, 5)).into();
    shapes.extend(
        [1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 64, 127, 255, 256, 257, 1024].map(|e| Shape::new(6, 2, e, 0)),
    );
    shapes.extend([
        Shape::new(5, 1, 1, 1),
        Shape::new(3, 1, 4096, 0),
        Shape::new(5, 26, 64, 32),
        Shape::new(3, 100, 32, 0),
        Shape { rows: 1, ..Shape::new(9, 4, 12, 3) },
        Shape::new(1000, 2, 16, 4),
    ]);
    shapes
}

/// Every element type of a table, of dense features, of indices; tables that are shared, widths that differ.
fn tables() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for table in 0..6 {
        for width in [16, 13, 64] {
            shapes.push(Shape { table, bits: table % 3, ..Shape::new(9, 5, width, 8) });
            shapes.push(Shape { table, pool: 4, bits: (table + 1) % 3, ..Shape::new(9, 5, width, 0) });
        }
        shapes.push(Shape { table, widths: true, pool: 4, ..Shape::new(10, 9, 40, 6) });
    }
    // Everything that a row of each type may come to, in every pooling.
    for (table, bits, width) in (0..30).map(|i| (i % 5, i / 5 % 3, [16, 13][i as usize / 15])) {
        let shape = Shape { table, bits, rows: 40, bag: 6, ..Shape::new(24, 2, width, 0) };
        let odd = Shape { batch: 64, padding: true, bad: 1, policy: 1, rows: 7, ..shape };
        // One index each alone, and beside bags of every pooling.
        shapes.extend([shape, odd, Shape { pool: 4, features: 8, ..odd }]);
        let cancel = Shape { cancel: true, ragged: false, bag: 8, ..shape };
        shapes.extend((1..4).flat_map(|pool| [Shape { pool, ..shape }, Shape { pool, ..cancel }]));
    }
    for dense_type in 0..3 {
        shapes.extend([8, 7, 16].map(|dense| Shape { dense_type, ..Shape::new(6, 1, 16, dense) }));
    }
    shapes.extend((0..3).map(|bits| Shape {
        bits,
        shared: true,
        table: 5,
        pool: 4,
        ..Shape::new(7, 8, 24, 2)
    }));
    shapes
}

/// Every pooling, short and long bags, none at all, rows that stand for none.
fn bags() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for pool in 1..5 {
        let of = |batch, features, width| Shape { pool, ..Shape::new(batch, features, width, 0) };
        shapes.extend([0, 1, 2, 3, 4, 5, 8, 9, 33].map(|bag| Shape { bag, ragged: false, ..of(5, 2, 8) }));
        shapes.extend([
            Shape { padding: true, rows: 4, ..of(20, 3, 12) },
            Shape { padding: true, rows: 1, ..of(20, 2, 12) },
            Shape { bag: 40, ..of(9, 4, 16) },
            of(70, 3, 5),
            of(600, 2, 64),
        ]);
    }
    shapes.push(Shape { padding: true, rows: 3, ..Shape::new(40, 4, 8, 3) });
    shapes
}

/// Indices and bags that are not valid: in every pooling and width of indices, counted and not.
fn invalid() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for bits in 0..3 {
        for policy in 0..2 {
            for (pool, bad) in [(0, 1), (1, 1), (2, 3), (3, 2), (4, 3)] {
                let shape = Shape { bits, policy, pool, bad, ..Shape::new(40, 5, 12, 3) };
                shapes.extend([shape, Shape { padding: true, width: 7, table: 5, ..shape }]);
            }
        }
    }
    shapes.push(Shape { policy: 1, ..Shape::new(30, 3, 8, 0) });
    shapes.push(Shape { policy: 1, bad: 1, ..Shape::new(0, 3, 8, 0) });
    shapes
}

/// Gaps and offsets that leave both sides aligned, or one of them not.
fn places() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for table in 0..5 {
        let shape = Shape { table, pool: 4, ..Shape::new(9, 4, 32, 16) };
        shapes.extend([
            Shape { gaps: [16, 16, 16], ..shape },
            Shape { gaps: [1, 0, 0], ..shape },
            Shape { gaps: [0, 1, 0], ..shape },
            Shape { gaps: [0, 0, 1], ..shape },
            Shape { gaps: [8, 4, 4], ..shape },
            Shape { offsets: [16, 16, 16], ..shape },
            Shape { offsets: [1, 0, 0], ..shape },
            Shape { offsets: [0, 3, 0], ..shape },
            Shape { offsets: [0, 0, 1], ..shape },
            Shape { offsets: [4, 4, 4], gaps: [3, 5, 7], ..shape },
            Shape { offsets: [8, 2, 2], pool: 0, ..shape },
        ]);
    }
    shapes
}

/// Checked first.
fn policies() -> Vec<Shape> {
    let of = |pool, bits| Shape { policy: 2, pool, bits, ..Shape::new(30, 4, 12, 5) };
    let mut shapes: Vec<Shape> = (0..5).flat_map(|pool| (0..3).map(move |bits| of(pool, bits))).collect();
    shapes.push(Shape { padding: true, ..of(4, 0) });
    shapes.push(Shape { policy: 2, ..Shape::new(0, 4, 12, 5) });
    shapes
}

/// A random case; zeros drawn give one sample of one feature of one element.
pub fn random(draw: &mut dyn FnMut(u64) -> u64) -> Case {
    let batch = 1 + [draw(8), draw(100)][draw(2) as usize];
    let features = 1 + draw(9);
    let width = 1 + [draw(70), 4 * draw(20) + 3][draw(2) as usize];
    let place = |draw: &mut dyn FnMut(u64) -> u64| [0, 8, draw(9)][draw(3) as usize];
    let shape = Shape {
        rows: 1 + draw(60),
        table: draw(6),
        bits: draw(3),
        pool: draw(5),
        bag: draw(9),
        ragged: draw(2) == 1,
        padding: draw(2) == 1,
        bad: draw(4),
        policy: draw(2),
        widths: draw(3) == 1,
        shared: draw(2) == 1,
        dense_type: draw(3),
        gaps: [place(draw), place(draw), place(draw)],
        offsets: [place(draw), place(draw), place(draw)],
        ..Shape::new(batch, features, width, draw(20))
    };
    Case { seed: SEED ^ draw(1 << 32), ..shape.case() }
}

/// Shapes to time: lookup and concatenation of large batches and small ones, bags, many tables, each policy, every instance.
pub fn bench() -> Vec<Case> {
    let lookup = Shape { rows: 384_615, ..Shape::new(65_536, 26, 64, 32) };
    let bag = Shape { rows: 1_000_000, pool: 1, bag: 32, ragged: false, ..Shape::new(65_536, 1, 64, 0) };
    let many = Shape { rows: 100_000, pool: 1, bag: 10, ragged: false, ..Shape::new(2048, 100, 32, 0) };
    let mut shapes = vec![
        lookup,
        Shape { batch: 4096, ..lookup },
        Shape { policy: 1, ..lookup },
        Shape { policy: 2, ..lookup },
        Shape { table: 1, ..lookup },
        Shape { table: 3, ..lookup },
        bag,
        Shape { pool: 3, ..bag },
        many,
    ];
    for bits in 0..2 {
        let few = Shape { bits, rows: 10_000, ..Shape::new(4096, 8, 64, 16) };
        shapes.extend([few, Shape { policy: 2, ..few }, Shape { pool: 1, ragged: false, ..few }]);
    }
    shapes.into_iter().map(Shape::case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::embedding::EmbedOp;
    use crate::ops::recorder::h200;
    use crate::ops::{DType, Op as _};

    #[test]
    fn every_case_has_a_name_of_its_own_and_is_taken() {
        for cases in [cases(), bench()] {
            let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
            assert_eq!(names.len(), cases.len());
            for case in &cases {
                let entries = EmbedOp.entries(&h200(), DType::F16, case);
                let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", case.name));
                let launches = match (case.dims[0], case.option("policy")) {
                    (0, _) => 0,
                    (_, 2) => 2,
                    _ => 1,
                };
                assert_eq!(entries.len(), launches, "{}: {entries:?}", case.name);
            }
        }
    }

    #[test]
    fn random_cases_are_taken() {
        for seed in 0..300_u64 {
            let mut state = seed;
            let case = random(&mut |below| {
                state = crate::ops::mix(state);
                if seed == 0 { 0 } else { state % below.max(1) }
            });
            let entries = EmbedOp.entries(&h200(), DType::F32, &case);
            assert!(entries.is_ok_and(|entries| entries.len() == 1), "{case:?}");
        }
    }

    #[test]
    fn bytes_are_those_of_the_formula() {
        let case = &bench()[0];
        let row = 26 * (64 * 4 + 8) + 32 * 4 + (26 * 64 + 32) * 4;
        assert_eq!(EmbedOp.bytes(DType::F32, case), 65_536 * row);
        let bag = bench().into_iter().find(|case| case.option("bag") == 32 && case.option("pool") == 1);
        let bag = bag.expect("there is one");
        assert_eq!(EmbedOp.bytes(DType::F32, &bag), 65_536 * (32 * 264 + 256) + 65_537 * 8);
    }
}
