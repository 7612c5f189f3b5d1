//! A CSV file in memory.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{DataError, Shown, ShownColumns};

/// The rows of a CSV file with a header.
#[derive(Debug)]
pub struct Table {
    file: PathBuf,
    header: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    line: u64,
    cells: csv::StringRecord,
}

impl Table {
    /// Reads `file`.
    ///
    /// # Errors
    /// A file that is missing, unreadable, empty, without rows, ragged or malformed; with the line where there is one.
    pub fn read(file: &Path) -> Result<Self, DataError> {
        let bytes = std::fs::read(file).map_err(|source| match source.kind() {
            ErrorKind::NotFound => DataError::Missing { file: file.to_owned() },
            _ => DataError::Unreadable { file: file.to_owned(), source },
        })?;
        Self::parse(file, &bytes)
    }

    fn parse(file: &Path, bytes: &[u8]) -> Result<Self, DataError> {
        if let Some(line) = open_quote(bytes) {
            let what = "a quote begins a cell and none ends it".to_owned();
            return Err(DataError::Malformed { file: file.to_owned(), line, what });
        }
        let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
        let header = reader.headers().map_err(|e| csv_error(file, bytes, &e))?;
        let header: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
        if header.iter().all(String::is_empty) {
            return Err(DataError::Empty { file: file.to_owned() });
        }
        let (mut rows, mut lines) = (Vec::new(), Lines::new(bytes));
        for record in reader.records() {
            let cells = record.map_err(|e| csv_error(file, bytes, &e))?;
            rows.push(Row { line: lines.of(cells.position()), cells });
        }
        if rows.is_empty() {
            return Err(DataError::NoRows { file: file.to_owned() });
        }
        Ok(Self { file: file.to_owned(), header, rows })
    }

    /// Where it was read from.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The numbers of one column.
    ///
    /// # Errors
    /// [`DataError::MissingColumn`], [`DataError::AmbiguousColumn`], [`DataError::NotANumber`] with the first such cell.
    pub fn numbers(&self, column: &str) -> Result<Vec<f64>, DataError> {
        let index = self.column(column)?;
        self.rows.iter().map(|row| self.number(row, index)).collect()
    }

    /// The f32 next to each number of column number `index`.
    ///
    /// # Errors
    /// As [`Table::numbers`], and [`DataError::BeyondF32`] with the first such cell.
    pub fn floats(&self, index: usize) -> Result<Vec<f32>, DataError> {
        let float = |row: &Row| {
            let float = self.number(row, index)? as f32;
            if float.is_finite() { Ok(float) } else { Err(self.beyond_f32(row, index)) }
        };
        self.rows.iter().map(float).collect()
    }

    /// The numbers of one column, all above zero: prices.
    ///
    /// # Errors
    /// As [`Table::numbers`], and [`DataError::NotPositive`] with the first cell that is not.
    pub fn positive_numbers(&self, column: &str) -> Result<Vec<f64>, DataError> {
        let numbers = self.numbers(column)?;
        match self.rows.iter().zip(&numbers).find(|(_, value)| **value <= 0.0) {
            None => Ok(numbers),
            Some((row, &value)) => Err(DataError::NotPositive {
                file: self.file.clone(),
                line: row.line,
                column: column.into(),
                value,
            }),
        }
    }

    /// The names of the columns.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The text of one cell, without spaces around it; empty where there is none.
    pub fn text(&self, row: usize, column: usize) -> &str {
        self.rows.get(row).and_then(|row| row.cells.get(column)).unwrap_or_default().trim()
    }

    /// One column as a series with gaps: the f32 next to each number, NaN where a cell is empty or says NaN. An empty line is
    /// no row; in a file of one column a gap is written `""`.
    ///
    /// # Errors
    /// [`DataError::MissingColumn`], [`DataError::AmbiguousColumn`]; [`DataError::NotANumber`] or [`DataError::BeyondF32`] with
    /// the first such cell.
    pub fn series(&self, column: &str) -> Result<Vec<f32>, DataError> {
        let index = self.column(column)?;
        self.rows.iter().map(|row| self.point(row, index)).collect()
    }

    /// Some rows of one column as a query: as [`Table::series`], without gaps.
    ///
    /// # Errors
    /// As [`Table::series`], [`DataError::RowsOutOfRange`], and [`DataError::QueryGap`] with the first gap.
    pub fn query(&self, column: &str, rows: Range<usize>) -> Result<Vec<f32>, DataError> {
        let index = self.column(column)?;
        let found = self.rows.get(rows.clone()).ok_or_else(|| DataError::RowsOutOfRange {
            file: self.file.clone(),
            from: rows.start,
            to: rows.end,
            rows: self.rows.len(),
        })?;
        let point = |row: &Row| match self.point(row, index) {
            Ok(point) if point.is_nan() => Err(self
                .at(row, index, |file, line, column, cell| DataError::QueryGap { file, line, column, cell })),
            other => other,
        };
        found.iter().map(point).collect()
    }

    /// The number of the column of this name.
    ///
    /// # Errors
    /// [`DataError::MissingColumn`], [`DataError::AmbiguousColumn`].
    pub fn column(&self, column: &str) -> Result<usize, DataError> {
        let mut named = (0..self.header.len()).filter(|index| self.header[*index] == column);
        let file = || self.file.clone();
        match (named.next(), named.next()) {
            (Some(index), None) => Ok(index),
            (Some(first), Some(second)) => {
                let (first, second) = (first + 1, second + 1);
                Err(DataError::AmbiguousColumn { file: file(), column: column.into(), first, second })
            }
            (None, _) => {
                let has = ShownColumns::from(&self.header[..]);
                Err(DataError::MissingColumn { file: file(), column: column.into(), has })
            }
        }
    }

    fn point(&self, row: &Row, index: usize) -> Result<f32, DataError> {
        let cell = row.cells.get(index).unwrap_or_default().trim();
        match cell.parse::<f32>() {
            _ if cell.is_empty() => Ok(f32::NAN),
            Ok(point) if !point.is_infinite() => Ok(point),
            // A number, and not the word.
            Ok(_) if cell.contains(|c: char| c.is_ascii_digit()) => Err(self.beyond_f32(row, index)),
            _ => Err(self.not_a_number(row, index)),
        }
    }

    fn number(&self, row: &Row, index: usize) -> Result<f64, DataError> {
        parse(row.cells.get(index)).ok_or_else(|| self.not_a_number(row, index))
    }

    fn beyond_f32(&self, row: &Row, index: usize) -> DataError {
        self.at(row, index, |file, line, column, cell| DataError::BeyondF32 { file, line, column, cell })
    }

    fn not_a_number(&self, row: &Row, index: usize) -> DataError {
        self.at(row, index, |file, line, column, cell| DataError::NotANumber { file, line, column, cell })
    }

    /// An error about one cell: from file, line, column and what is there.
    fn at(
        &self,
        row: &Row,
        index: usize,
        error: impl FnOnce(PathBuf, u64, Shown, Shown) -> DataError,
    ) -> DataError {
        let cell = row.cells.get(index).unwrap_or_default().into();
        error(self.file.clone(), row.line, self.header[index].as_str().into(), cell)
    }
}

/// A finite number.
fn parse(cell: Option<&str>) -> Option<f64> {
    cell?.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// The line of a quote that begins a cell and that the text does not end. The reader takes all behind it for the cell.
fn open_quote(bytes: &[u8]) -> Option<u64> {
    enum At {
        Start,
        Plain,
        Quoted,
        /// Behind a quote inside quotes: their end, unless it is followed by another.
        Closed,
    }
    let (mut at, mut line, mut begin) = (At::Start, 1, 1);
    for byte in bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) {
        at = match (at, byte) {
            (At::Start, b'"') => {
                begin = line;
                At::Quoted
            }
            (At::Quoted, b'"') => At::Closed,
            (At::Quoted, _) | (At::Closed, b'"') => At::Quoted,
            (_, b',' | b'\r' | b'\n') => At::Start,
            _ => At::Plain,
        };
        line += u64::from(*byte == b'\n');
    }
    matches!(at, At::Quoted).then_some(begin)
}

/// Counts lines up to places that come in order. The reader's own count is one short where lines end with `\r\n`: it has
/// not seen the `\n` when a record begins.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1 }
    }

    /// The line on which the record at `position` begins.
    fn of(&mut self, position: Option<&csv::Position>) -> u64 {
        let begin = position.map_or(self.at, |p| usize::try_from(p.byte()).unwrap_or(usize::MAX));
        let rest = self.bytes.get(begin..).unwrap_or_default();
        let ends = rest.iter().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let begin = (begin + ends).clamp(self.at, self.bytes.len());
        self.line += self.bytes[self.at..begin].iter().filter(|b| **b == b'\n').count() as u64;
        self.at = begin;
        self.line
    }
}

fn csv_error(file: &Path, bytes: &[u8], error: &csv::Error) -> DataError {
    let file = file.to_owned();
    let line = Lines::new(bytes).of(error.position());
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            DataError::Ragged { file, line, got: *len, want: *expected_len }
        }
        csv::ErrorKind::Utf8 { err, .. } => DataError::Malformed { file, line, what: err.to_string() },
        _ => DataError::Malformed { file, line, what: error.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<Table, DataError> {
        Table::parse(Path::new("d.csv"), text.as_bytes())
    }

    fn message<T>(result: Result<T, DataError>) -> String {
        result.err().map_or_else(|| "no error".to_owned(), |e| e.to_string())
    }

    #[test]
    fn a_missing_file_is_named() {
        let text = message(Table::read(Path::new("no/such.csv")));
        assert_eq!(text, "no/such.csv does not exist");
    }

    #[test]
    fn a_folder_is_unreadable_and_not_missing() {
        let dir = tempfile::tempdir().expect("a folder");
        assert!(matches!(Table::read(dir.path()), Err(DataError::Unreadable { .. })));
    }

    #[test]
    fn an_empty_file_is_refused() {
        assert_eq!(message(table("")), "d.csv is empty; its first line must name the columns");
        assert!(matches!(table("\n\n"), Err(DataError::Empty { .. })));
    }

    #[test]
    fn a_header_alone_is_refused() {
        assert_eq!(message(table("a,b\n")), "d.csv has a header and no rows");
    }

    #[test]
    fn a_price_of_zero_is_refused_with_its_line() {
        let prices = |text| table(text).and_then(|t| t.positive_numbers("p"));
        assert_eq!(message(prices("p\n3\n0\n")), "d.csv, line 3, column `p`: 0 is not above 0");
        assert_eq!(prices("p\n3\n4\n").ok(), Some(vec![3.0, 4.0]));
    }

    #[test]
    fn a_ragged_row_is_refused_with_its_line() {
        assert_eq!(message(table("a,b\n1,2\n3\n")), "d.csv, line 3: 1 columns; the header has 2");
        assert_eq!(message(table("a,b\n1,2,3\n")), "d.csv, line 2: 3 columns; the header has 2");
    }

    #[test]
    fn the_line_is_right_whatever_lines_end_with() {
        let ragged = message(table("a,b\r\n1,2\r\n\r\n3\r\n"));
        assert_eq!(ragged, "d.csv, line 4: 1 columns; the header has 2");
        let text = message(
            table("\u{feff}a,b\r\n1,\"2\r\n2\"\r\n3,x\r\n").and_then(|t| t.numbers("a").and(t.numbers("b"))),
        );
        assert_eq!(text, "d.csv, line 2, column `b`: `2\\r\\n2` is no number");
        let text = message(table("a,b\r\n1,2\r\n3,x\r\n").and_then(|t| t.numbers("b")));
        assert_eq!(text, "d.csv, line 3, column `b`: `x` is no number");
    }

    #[test]
    fn text_that_is_not_utf8_is_refused_with_its_line() {
        let error = Table::parse(Path::new("d.csv"), b"a\n\xff\n").expect_err("it is not UTF-8");
        assert!(matches!(error, DataError::Malformed { line: 2, .. }), "{error}");
    }

    #[test]
    fn a_missing_column_is_named_with_those_there_are() {
        let text = message(table("a,b\n1,2\n").and_then(|t| t.numbers("c")));
        assert_eq!(text, "d.csv, line 1: no column `c`; it has `a`, `b`");
    }

    #[test]
    fn a_name_of_two_columns_is_refused_where_it_is_asked_for() {
        let table = table("x,y,x\n1,2,3\n").expect("it is right");
        let want = "d.csv, line 1: columns 1 and 3 are both named `x`; the name must be of one";
        assert_eq!(message(table.series("x")), want);
        assert_eq!(
            (message(table.numbers("x")), message(table.query("x", 0..1))),
            (want.into(), want.into())
        );
        assert_eq!(table.series("y").ok(), Some(vec![2.0]));
    }

    #[test]
    fn a_quote_that_does_not_end_is_told_with_its_line_and_not_with_all_behind_it() {
        let refusal = |line| format!("d.csv, line {line}: a quote begins a cell and none ends it");
        let rest = "3,4\n".repeat(1000);
        for (text, line) in [
            (format!("a,b\n1,2\n5,\"6\n{rest}"), 3),
            (format!("a,b\n\"1,2\n{rest}"), 2),
            (format!("\u{feff}\"a,b\n{rest}"), 1),
            ("a\n\"1\n2\"\r\n\"x\"\"".to_owned(), 4),
        ] {
            assert_eq!(message(table(&text)), refusal(line), "{text:.20}");
        }
        for text in ["a\n\"1\"", "a\n\"\"", "a\n\"1\"\"\"\n", "a\n1\"\n", "a\n\"1\"2\"3\n", "a\n \"1\n"] {
            assert!(table(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn messages_stay_short_whatever_the_file_holds() {
        let long = "7".repeat(2_000_000);
        let text = message(table(&format!("a,b\n1,{long}\n")).and_then(|t| t.series("b")));
        assert!(
            text.ends_with("7…` (2000000 characters) is beyond f32, which ends at 3.4028235e38"),
            "{text:.300}"
        );
        let text = message(table(&format!("a,b\n1,{long}x\n")).and_then(|t| t.numbers("b")));
        assert!(text.ends_with("7…` (2000001 characters) is no number") && text.len() < 300, "{text:.300}");
        let header: Vec<String> = (0..20_000).map(|i| format!("c{i}")).collect();
        let file = format!("{}\n{}\n", header.join(","), vec!["1"; 20_000].join(","));
        let text = message(table(&file).and_then(|t| t.series("c")));
        assert!(text.ends_with("`c9` and 19990 more") && text.len() < 300, "{text:.300}");
        let text = message(table(&format!("{long}\n1\n")).and_then(|t| t.series("c")));
        assert!(text.len() < 300, "{text:.300}");
    }

    #[test]
    fn a_cell_without_number_is_named_with_line_and_column() {
        let text = message(table("a,b\n1,2\n\"3\n3\",x\n").and_then(|t| t.numbers("b")));
        assert_eq!(text, "d.csv, line 3, column `b`: `x` is no number");
        assert!(table("a\nNaN\n").is_ok_and(|t| t.numbers("a").is_err()));
        assert!(table("a,b\n,1\n").is_ok_and(|t| t.numbers("a").is_err()));
    }

    #[test]
    fn an_empty_cell_or_nan_is_a_gap_of_a_series_and_refused_in_a_query() {
        let gaps = table("a,b\n1,2\n,3\n nan ,4\n-5e-1,5\n").expect("it is right");
        let bits = |all: Vec<f32>| all.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        let want = bits(vec![1.0, f32::NAN, f32::NAN, -0.5]);
        assert_eq!(gaps.series("a").map(bits).ok(), Some(want));
        let text = message(gaps.query("a", 0..4));
        assert_eq!(text, "d.csv, line 3, column `a`: `` is no number; a query has no gaps");
        let text = message(gaps.query("a", 2..4));
        assert_eq!(text, "d.csv, line 4, column `a`: ` nan ` is no number; a query has no gaps");
        assert_eq!(gaps.query("a", 3..4).ok(), Some(vec![-0.5]));
    }

    #[test]
    fn a_cell_that_is_no_f32_is_refused_with_its_place() {
        let series =
            |cell: &str| message(table(&format!("a,b\n1,0\n2,{cell}\n")).and_then(|t| t.series("b")));
        assert_eq!(series("1.5x"), "d.csv, line 3, column `b`: `1.5x` is no number");
        assert_eq!(series("inf"), "d.csv, line 3, column `b`: `inf` is no number");
        assert_eq!(
            series("-1e39"),
            "d.csv, line 3, column `b`: `-1e39` is beyond f32, which ends at 3.4028235e38"
        );
        assert_eq!(series("1e-60"), "no error");
    }

    #[test]
    fn rows_beyond_the_file_are_refused_with_their_number() {
        let file = table("a\n1\n2\n3\n").expect("it is right");
        assert_eq!(message(file.query("a", 1..4)), "d.csv has 3 rows, counted from 0; 1..4 goes beyond them");
        assert_eq!(message(file.query("b", 1..4)), "d.csv, line 1: no column `b`; it has `a`");
        assert_eq!(file.query("a", 1..3).ok(), Some(vec![2.0, 3.0]));
    }

    #[test]
    fn quoted_commas_and_spaces_are_read() {
        let table = table("name,x\n\"a, b\", 1.5\nc,-2e3\n").expect("it is right");
        assert_eq!(table.numbers("x").ok(), Some(vec![1.5, -2000.0]));
        assert_eq!(table.rows(), 2);
    }
}
