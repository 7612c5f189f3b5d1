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

/// The case with `chunk` points of each row at a time.
fn in_chunks(case: Case, chunk: u64) -> Case {
    let name = format!("{}_chunk_{chunk}", case.name);
    let options = [case.options, vec![("chunk", chunk)]].concat();
    Case { name, options, ..case }
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
    cases.extend(growing());
    cases.dedup_by(|a, b| a.name == b.name);
    cases
}

/// Rows that grow: chunks around the window, of one row and of several, histories that wrap around.
fn growing() -> Vec<Case> {
    let mut cases = Vec::new();
    for (chunk, window) in [(1, 1), (1, 5), (7, 5), (5, 5), (4, 5), (3, 40), (64, 40)] {
        cases.push(in_chunks(case(3, 100, window, Values::Uniform, 0), chunk));
    }
    cases.push(in_chunks(case(1, 1000, 5, Values::Holed, 1), 300));
    cases.push(in_chunks(case(5, 200, 17, Values::Special, 3), 200));
    cases.push(in_chunks(case(64, 1500, 128, Values::Uniform, 0), 1000));
    cases
}

/// A random case; zeros give one point.
pub fn random(draw: &mut dyn FnMut(u64) -> u64) -> Case {
    let points = 1 + [draw(100), draw(1000)][draw(2) as usize];
    let window = 1 + draw(points);
    let values = Values::ALL[draw(Values::ALL.len() as u64) as usize];
    let case = Case { seed: SEED ^ draw(1 << 32), ..case(1 + draw(4), points, window, values, draw(5)) };
    match draw(2) {
        0 => case,
        // Not more launches than the simulator has time for.
        _ => in_chunks(case, points.div_ceil(20) + draw(points)),
    }
}

/// Shapes to time.
pub fn bench() -> Vec<Case> {
    let mut cases = [5, 20, 128].map(|window| case(1, 100_000_000, window, Values::Uniform, 0)).to_vec();
    cases.push(in_chunks(case(64, 4096, 128, Values::Uniform, 0), 4096));
    cases
}
