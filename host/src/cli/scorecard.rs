//! The demo's scorecard: the odds that applicants pay back, from weights in float, int8 and hybrid.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;

use super::inputs::{CREDIT_COLUMNS, CREDIT_FILE, table};
use super::matmul::{Matrix, Operands, Precision};
use super::report::{Line, Score};
use crate::data::{DataError, Table};
use crate::error::Error;
use crate::ops::{DType, Executor};

/// The column that says how it went, and what it says of those who paid back.
const OUTCOME: (&str, &str) = ("creditability", "good");

/// Scorecards: each is fitted to all applications but every fifth one.
const FOLDS: usize = 5;

/// Steps of the fit, their size, and how much of a step the next one keeps.
const STEPS: usize = 150;
const RATE: f64 = 0.5;
const MOMENTUM: f64 = 0.9;

/// Ridge penalty of the weights, by application.
const PENALTY: f64 = 1e-3;

/// What the weights become.
const PRECISIONS: [Precision; 3] = [Precision::F16, Precision::Int8, Precision::Hybrid];

/// Applications few enough for the simulator.
#[cfg(feature = "sim")]
const SLICE: u64 = 64;

/// Applications and scorecards: the score of application i by scorecard j is `weights[j] · features[i] + bias[j]`, the logarithm
/// of the odds that it is paid back.
pub struct Scorecards {
    /// `[applications, features]`: numbers with mean 0 and variance 1, and for each other column a 1 at what it says.
    features: Matrix,
    /// `[FOLDS, features]`
    weights: Matrix,
    bias: Vec<f32>,
}

impl Scorecards {
    /// Reads the applications in `folder` and fits the scorecards: logistic regressions, the same on every machine.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn read(folder: &Path) -> Result<Self, DataError> {
        let table = table(folder, CREDIT_FILE)?;
        let (features, paid) = (features(&table)?, outcomes(&table)?);
        let fits: Vec<(Vec<f64>, f64)> =
            (0..FOLDS).into_par_iter().map(|fold| fit(&features, &paid, fold)).collect();
        let bias = fits.iter().map(|(_, bias)| *bias as f32).collect();
        let data = fits.iter().flat_map(|(weights, _)| weights.iter().map(|w| *w as f32)).collect();
        let weights = Matrix { data, rows: FOLDS as u64, cols: features.cols };
        Ok(Self { features, weights, bias })
    }

    /// The first applications.
    #[cfg(feature = "sim")]
    pub fn slice(&self) -> Self {
        let Self { features: Matrix { data, rows, cols }, weights, bias } = self;
        let rows = (*rows).min(SLICE);
        let data = data[..(rows * cols) as usize].to_vec();
        Self { features: Matrix { data, rows, cols: *cols }, weights: weights.clone(), bias: bias.clone() }
    }

    /// Scores all applications by all scorecards at each precision on `executor`, and compares with the reference for the same
    /// codes and with scores in f64.
    ///
    /// # Errors
    /// The back end's.
    pub fn lines(&self, executor: &Executor) -> Result<Vec<(Line, Score)>, Error> {
        let exact = self.exact();
        let line = |precision: Precision| {
            let operands = Operands::new(executor, precision, &self.features, &self.weights)?;
            let (scores, time) = operands.product(executor, Some(&self.bias))?;
            Ok((self.line(executor, precision, &operands, &scores, time)?, score(precision, &scores, &exact)))
        };
        PRECISIONS.into_iter().map(line).collect()
    }

    fn line(
        &self,
        executor: &Executor,
        precision: Precision,
        operands: &Operands,
        scores: &[f32],
        time: Duration,
    ) -> Result<Line, Error> {
        Ok(Line {
            op: precision.op(),
            dtype: DType::F32,
            input: "scorecards",
            shape: format!("{}x{FOLDS}", self.features.rows),
            place: executor.to_string(),
            time,
            comparisons: vec![operands.compare(Some(&self.bias), scores)?],
        })
    }

    /// The scores in f64.
    fn exact(&self) -> Vec<f64> {
        let k = self.features.cols as usize;
        let score = |row: &[f32], card: usize| {
            let weights = &self.weights.data[card * k..][..k];
            let sum: f64 = row.iter().zip(weights).map(|(x, w)| f64::from(*x) * f64::from(*w)).sum();
            sum + f64::from(self.bias[card])
        };
        let rows = self.features.data.chunks(k);
        rows.flat_map(|row| (0..FOLDS).map(move |card| score(row, card))).collect()
    }
}

/// How far scores are from the exact ones, and how many applications fall on the other side of even odds.
fn score(precision: Precision, scores: &[f32], exact: &[f64]) -> Score {
    let pairs = || scores.iter().map(|score| f64::from(*score)).zip(exact);
    let largest = exact.iter().fold(0.0, |largest: f64, score| largest.max(score.abs()));
    Score {
        precision: precision.name(),
        error: pairs().map(|(score, exact)| (score - exact).abs()).fold(0.0, f64::max) / largest,
        decisions: exact.len(),
        changed: pairs().filter(|(score, exact)| (*score > 0.0) != (**exact > 0.0)).count(),
    }
}

/// The columns of numbers with mean 0 and variance 1, then a column for each thing that another column says.
fn features(table: &Table) -> Result<Matrix, DataError> {
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for name in CREDIT_COLUMNS {
        columns.push(standardised(table.numbers(name)?));
    }
    let is_category = |name: &&String| *name != OUTCOME.0 && !CREDIT_COLUMNS.contains(&name.as_str());
    for (at, _) in table.header().iter().enumerate().filter(|(_, name)| is_category(name)) {
        let mut said: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for row in 0..table.rows() {
            let column = said.entry(table.text(row, at)).or_insert_with(|| vec![0.0; table.rows()]);
            column[row] = 1.0;
        }
        columns.extend(said.into_values());
    }
    let (rows, cols) = (table.rows() as u64, columns.len() as u64);
    let data = (0..table.rows()).flat_map(|row| columns.iter().map(move |column| column[row] as f32));
    Ok(Matrix { data: data.collect(), rows, cols })
}

fn standardised(mut column: Vec<f64>) -> Vec<f64> {
    let count = column.len() as f64;
    let mean = column.iter().sum::<f64>() / count;
    let deviation = (column.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
    // A column of one value says nothing.
    let scale = if deviation > 0.0 { 1.0 / deviation } else { 0.0 };
    column.iter_mut().for_each(|x| *x = (*x - mean) * scale);
    column
}

/// Whether each application was paid back.
fn outcomes(table: &Table) -> Result<Vec<bool>, DataError> {
    let (name, paid) = OUTCOME;
    let at = table.column(name)?;
    Ok((0..table.rows()).map(|row| table.text(row, at) == paid).collect())
}

/// Weights and bias of a logistic regression of all applications whose number is not `fold` modulo [`FOLDS`], by gradient descent.
fn fit(features: &Matrix, paid: &[bool], fold: usize) -> (Vec<f64>, f64) {
    let k = features.cols as usize;
    let (mut weights, mut speed) = (vec![0.0; k + 1], vec![0.0; k + 1]);
    let rows: Vec<(&[f32], bool)> = features
        .data
        .chunks(k)
        .zip(paid.iter().copied())
        .enumerate()
        .filter(|(row, _)| row % FOLDS != fold)
        .map(|(_, row)| row)
        .collect();
    let mut gradient = vec![0.0; k + 1];
    for _ in 0..STEPS {
        gradient.iter_mut().zip(&weights).for_each(|(g, w)| *g = PENALTY * w);
        gradient[k] = 0.0;
        for (row, paid) in &rows {
            let score = row.iter().zip(&weights).map(|(x, w)| f64::from(*x) * w).sum::<f64>() + weights[k];
            let off = (1.0 / (1.0 + (-score).exp()) - f64::from(u8::from(*paid))) / rows.len() as f64;
            gradient.iter_mut().zip(row.iter()).for_each(|(g, x)| *g += off * f64::from(*x));
            gradient[k] += off;
        }
        for ((weight, speed), gradient) in weights.iter_mut().zip(&mut speed).zip(&gradient) {
            *speed = MOMENTUM * *speed - RATE * gradient;
            *weight += *speed;
        }
    }
    let bias = weights.pop().unwrap_or(0.0);
    (weights, bias)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scorecards() -> Scorecards {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
        Scorecards::read(&folder).expect("the data is there")
    }

    /// Chance that of an application that was paid back and one that was not the first has the higher score.
    fn area_under_curve(scores: &[(f64, bool)]) -> f64 {
        let (mut higher, mut pairs) = (0.0, 0.0);
        for (good, _) in scores.iter().filter(|(_, paid)| *paid) {
            for (bad, _) in scores.iter().filter(|(_, paid)| !*paid) {
                higher += if good > bad {
                    1.0
                } else if good == bad {
                    0.5
                } else {
                    0.0
                };
                pairs += 1.0;
            }
        }
        higher / pairs
    }

    #[test]
    fn there_is_a_feature_for_each_number_and_each_thing_said() {
        let Scorecards { features, weights, bias } = scorecards();
        assert_eq!((features.rows, features.cols), (1000, 61));
        assert_eq!((weights.rows, weights.cols, bias.len()), (5, 61, 5));
        let first = &features.data[..61];
        // Each of the 13 other columns says one thing.
        assert_eq!(first[7..].iter().filter(|x| **x == 1.0).count(), 13);
        assert_eq!(first[7..].iter().filter(|x| **x == 0.0).count(), 41);
        let column = |j: usize| features.data.iter().skip(j).step_by(61).map(|x| f64::from(*x));
        for j in 0..7 {
            let (mean, square) = (column(j).sum::<f64>() / 1e3, column(j).map(|x| x * x).sum::<f64>() / 1e3);
            assert!(mean.abs() < 1e-6 && (square - 1.0).abs() < 1e-5, "{j}: {mean}, {square}");
        }
    }

    #[test]
    fn applications_that_a_scorecard_has_not_seen_are_told_apart() {
        let cards = scorecards();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
        let paid = outcomes(&table(&folder, CREDIT_FILE).expect("it is there")).expect("it has the column");
        let exact = cards.exact();
        for fold in 0..FOLDS {
            let unseen = (fold..paid.len()).step_by(FOLDS);
            let scores: Vec<(f64, bool)> = unseen.map(|row| (exact[row * FOLDS + fold], paid[row])).collect();
            let area = area_under_curve(&scores);
            assert!(area > 0.72, "fold {fold}: {area}");
        }
    }

    #[test]
    fn each_precision_scores_as_its_bits_say_and_is_the_reference() {
        let found = scorecards().lines(&Executor::Cpu).expect("they fit");
        let limits = [("f16", 1e-3), ("int8", 2e-2), ("hybrid", 1.5e-2)];
        for ((line, score), (name, limit)) in found.iter().zip(limits) {
            assert!(line.passed(), "{name}");
            assert_eq!((score.precision, score.decisions), (name, 5000));
            assert!(score.error > 0.0 && score.error < limit, "{name}: {}", score.error);
            assert!(score.changed < 50, "{name}: {}", score.changed);
        }
        let errors: Vec<f64> = found.iter().map(|(_, score)| score.error).collect();
        assert!(errors[0] < errors[2] && errors[2] < errors[1], "{errors:?}");
    }

    #[test]
    fn a_wrong_score_fails_the_line() {
        let cards = scorecards();
        let operands =
            Operands::new(&Executor::Cpu, Precision::Int8, &cards.features, &cards.weights).expect("it fits");
        let (mut scores, _) = operands.product(&Executor::Cpu, Some(&cards.bias)).expect("it fits");
        scores[17] = scores[17].next_up();
        assert!(!operands.compare(Some(&cards.bias), &scores).expect("it fits").passed());
    }
}
