//! Series as long as a test wants them from one market's history: blocks of its returns, drawn with replacement.

use std::sync::OnceLock;

/// The S&P 500, day by day.
const INDEX: &str = include_str!("../../../data/sp500_daily.csv");
/// The column with the price.
const COLUMN: &str = "Adj Close";

/// The log returns of every day but the first.
///
/// # Panics
/// If the file in the repository has another form.
pub fn of_the_index() -> &'static [f64] {
    static RETURNS: OnceLock<Vec<f64>> = OnceLock::new();
    RETURNS.get_or_init(|| {
        let mut rows = csv::Reader::from_reader(INDEX.as_bytes());
        let headers = rows.headers().expect("the first row has names");
        let column = headers.iter().position(|name| name == COLUMN).expect("the prices are there");
        let price = |row: csv::Result<csv::StringRecord>| {
            row.expect("all rows are as long")[column].parse::<f64>().expect("prices are numbers")
        };
        let prices: Vec<f64> = rows.records().map(price).collect();
        prices.windows(2).map(|pair| (pair[1] / pair[0]).ln()).collect()
    })
}

/// The return that stands at `place` of a series of blocks of `days`, `random` giving a number for every block: the moving
/// block bootstrap (Künsch 1989), every start as likely.
pub fn resampled(place: usize, days: usize, random: impl Fn(u64) -> u64) -> f64 {
    let returns = of_the_index();
    let (block, day) = (place / days, place % days);
    let starts = returns.len() - days + 1;
    returns[random(block as u64) as usize % starts + day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_are_those_of_the_index() {
        let returns = of_the_index();
        assert_eq!(returns.len(), 5030);
        assert_eq!(returns[0], (1_244.780_029_f64 / 1_228.099_976).ln());
        let worst = returns.iter().copied().fold(0.0, f64::min);
        assert!((worst - -0.0947).abs() < 1e-4, "15 October 2008: {worst}");
    }

    #[test]
    fn blocks_are_pieces_of_the_history() {
        let returns = of_the_index();
        let starts = [0, 5030 - 21, 77];
        let series: Vec<f64> =
            (0..63).map(|i| resampled(i, 21, |block| starts[block as usize] as u64)).collect();
        for (block, start) in series.chunks(21).zip(starts) {
            assert_eq!(block, &returns[start..start + 21]);
        }
    }
}
