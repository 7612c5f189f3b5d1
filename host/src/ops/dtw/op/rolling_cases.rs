//! Cases of rolling aggregates.

use super::shape::SEED;
use crate::ops::{Case, Placement, Values};

fn case(rows: u64, points: u64, window: u64, values: Values, offset: u64) -> Case {
    let kind = if values == Values::Uniform { String::new() } else { format!("_{values:?}").to_lowercase() };
    let unaligned = if offset == 0 { String::new() } else { format!("_unaligned_{offset}") };
    let place = |operand| Placement { stride: None, offset: if offset == 0 { 0 } else { offset + operand } };
    Case {
        name: format!("rows_{rows}x{points}_w_{window}{kind}{unaligned}"),
        dims: vec![rows, points],
        operands: (0..5).map(place).collect(),
        values,
        seed: SEED,
        options: vec![("window", window)],
    }
}

/// The cases every implementation must pass.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for points in [1, 2, 127, 128, 129, 1000] {
        for window in [1, 2, 5, 100, points] {
            if window <= points {
                cases.push(case(1, points, window, Values::Uniform, 0));
            }
        }
    }
    cases.extend([5, 33, 1000].map(|points| case(7, points, 5, Values::Uniform, 0)));
    cases.extend([1, 3].map(|offset| case(3, 200, 17, Values::Uniform, offset)));
    for values in Values::ALL.into_iter().filter(|values| *values != Values::Uniform) {
        cases.extend([(1, 5), (3, 70)].map(|(rows, window)| case(rows, 600, window, values, 0)));
    }
    cases.push(case(3, 1_500_000, 5, Values::Uniform, 0));
    cases.dedup_by(|a, b| a.name == b.name);
    cases
}

/// A random case; zeros give one point.
pub fn random(draw: &mut dyn FnMut(u64) -> u64) -> Case {
    let points = 1 + [draw(100), draw(1000)][draw(2) as usize];
    let window = 1 + draw(points);
    let values = Values::ALL[draw(Values::ALL.len() as u64) as usize];
    Case { seed: SEED ^ draw(1 << 32), ..case(1 + draw(4), points, window, values, draw(5)) }
}

/// Shapes to time.
pub fn bench() -> Vec<Case> {
    [5, 20, 128].map(|window| case(1, 100_000_000, window, Values::Uniform, 0)).to_vec()
}
