//! What the demo computes on: feature crosses of real data.

use std::path::Path;

use crate::data::{DataError, Table};
use crate::error::Error;
use crate::ops::cross::HadamardOp;
use crate::ops::{HostOperand, Layout, Operands, RowKernel};
use crate::validate::poison;

/// 1,000 credit applications.
pub const CREDIT_FILE: &str = "german_credit.csv";
/// The S&P 500 index, day by day.
pub const INDEX_FILE: &str = "sp500_daily.csv";

/// The columns of [`CREDIT_FILE`] that hold numbers.
pub const CREDIT_COLUMNS: [&str; 7] = [
    "duration_in_month",
    "credit_amount",
    "installment_rate_in_percentage_of_disposable_income",
    "present_residence_since",
    "age_in_years",
    "number_of_existing_credits_at_this_bank",
    "number_of_people_being_liable_to_provide_maintenance_for",
];

const WINDOWS: usize = 4096;
const DAYS: usize = 128;
/// Days after which a weight has halved.
const HALF_LIFE: f64 = 32.0;

/// Operands of one product, and what they are.
pub struct Input {
    /// What is crossed.
    pub what: &'static str,
    /// The operands.
    pub operands: Operands<f32, 2, 1>,
}

/// The demo's inputs, from the files in `folder`.
///
/// # Errors
/// What is wrong with the files.
pub fn read(folder: &Path) -> Result<Vec<Input>, Error> {
    Ok(vec![credit_pairs(&table(folder, CREDIT_FILE)?)?, weighted_returns(&table(folder, INDEX_FILE)?)?])
}

/// One file of the demo.
///
/// # Errors
/// As [`Table::read`]; one that is missing, with the option that names the folder.
pub fn table(folder: &Path, file: &str) -> Result<Table, DataError> {
    Table::read(&folder.join(file)).map_err(|error| match error {
        DataError::Missing { file } => DataError::MissingDemoFile { file },
        other => other,
    })
}

/// Every pair of numeric columns, multiplied: row r holds the pairs of application r.
fn credit_pairs(table: &Table) -> Result<Input, Error> {
    let columns = CREDIT_COLUMNS;
    let values: Vec<Vec<f64>> = columns.iter().map(|name| table.numbers(name)).collect::<Result<_, _>>()?;
    let pairs: Vec<(usize, usize)> =
        (0..columns.len()).flat_map(|i| (i + 1..columns.len()).map(move |j| (i, j))).collect();
    let gather = |pick: fn(&(usize, usize)) -> usize| -> Vec<f32> {
        let row = |r: usize| pairs.iter().map(move |pair| (r, pick(pair)));
        (0..table.rows()).flat_map(row).map(|(r, column)| values[column][r] as f32).collect()
    };
    let layout = Layout::new(table.rows() as u64, pairs.len() as u64, pairs.len() as u64)?;
    let a = operand(0, gather(|pair| pair.0), layout);
    Ok(Input { what: "credit pairs", operands: product(a, operand(1, gather(|pair| pair.1), layout))? })
}

/// Sliding windows over the last daily log returns, each multiplied by one row of weights that fade with age.
fn weighted_returns(table: &Table) -> Result<Input, Error> {
    let closes = table.positive_numbers("Adj Close")?;
    let needed = WINDOWS + DAYS;
    let Some(first) = closes.len().checked_sub(needed) else {
        return Err(
            DataError::TooFewRows { file: table.file().to_owned(), got: closes.len(), want: needed }.into()
        );
    };
    let returns = closes[first..].windows(2).map(|day| (day[1] / day[0]).ln() as f32).collect();
    let weights = (0..DAYS).map(|day| f64::exp2(-((DAYS - 1 - day) as f64) / HALF_LIFE) as f32).collect();
    let windows = Layout::new(WINDOWS as u64, DAYS as u64, 1)?;
    let repeated = Layout::new(WINDOWS as u64, DAYS as u64, 0)?;
    Ok(Input {
        what: "index returns",
        operands: product(operand(0, returns, windows), operand(1, weights, repeated))?,
    })
}

fn operand(index: usize, data: Vec<f32>, layout: Layout) -> HostOperand<f32> {
    HostOperand { name: HadamardOp::INPUTS[index], data, offset: 0, layout }
}

fn product(a: HostOperand<f32>, b: HostOperand<f32>) -> Result<Operands<f32, 2, 1>, Error> {
    let layout = Layout::new_mut(a.layout.rows(), a.layout.cols(), a.layout.cols())?;
    let data = vec![poison(); layout.span() as usize];
    let y = HostOperand { name: HadamardOp::OUTPUTS[0], data, offset: 0, layout };
    Ok(Operands { inputs: [a, b], outputs: [y], tolerance: HadamardOp::TOLERANCE })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace_data() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../data")
    }

    #[test]
    fn a_missing_file_is_named_with_the_option_for_its_folder() {
        let error = read(Path::new("no/such")).err().map(|e| e.to_string());
        let want =
            "no/such/german_credit.csv does not exist; give the folder that holds it with `--data DIR`";
        assert_eq!(error.as_deref(), Some(want));
    }

    #[test]
    fn seven_numeric_columns_give_21_pairs_of_1000_applications() {
        let inputs = read(&workspace_data()).expect("the data is there");
        let layout = inputs[0].operands.outputs[0].layout;
        assert_eq!((layout.rows(), layout.cols()), (1000, 21));
        let [a, b] = &inputs[0].operands.inputs;
        // First application: 6 months, 1169 marks.
        assert_eq!((a.data[0], b.data[0]), (6.0, 1169.0));
    }

    #[test]
    fn a_cell_that_is_no_number_is_refused_and_its_column_not_left_out() {
        let text = std::fs::read_to_string(workspace_data().join(CREDIT_FILE)).expect("the data is there");
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join(CREDIT_FILE);
        let crossed = |text: &str| {
            std::fs::write(&file, text).expect("it is writable");
            Table::read(&file)
                .map_err(Error::from)
                .and_then(|t| credit_pairs(&t))
                .err()
                .map(|e| e.to_string())
        };
        assert_eq!(crossed(&text), None);
        let error = crossed(&text.replacen(",1169,", ",much,", 1)).expect("the cell is no number");
        assert!(error.ends_with("line 2, column `credit_amount`: `much` is no number"), "{error}");
        let error = crossed(&text.replacen("age_in_years", "age", 1)).expect("the column is not there");
        assert!(error.contains("line 1: no column `age_in_years`"), "{error}");
    }

    #[test]
    fn windows_slide_by_one_day_and_end_with_the_last() {
        let inputs = read(&workspace_data()).expect("the data is there");
        let [returns, weights] = &inputs[1].operands.inputs;
        assert_eq!(returns.layout.span() as usize, returns.data.len());
        assert_eq!(weights.data[DAYS - 1], 1.0);
        assert_eq!(weights.data[DAYS - 1 - 32], 0.5);
        assert!(returns.data.iter().all(|r| r.abs() < 0.15));
    }

    #[test]
    fn too_few_days_are_refused_with_both_numbers() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("few.csv");
        std::fs::write(&file, "Adj Close\n1\n2\n").expect("it is writable");
        let error = Table::read(&file).map_err(Error::from).and_then(|t| weighted_returns(&t)).err();
        assert!(error.is_some_and(|e| e.to_string().ends_with("has 2 rows; 4224 are needed")));
    }
}
