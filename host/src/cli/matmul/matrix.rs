//! A matrix of a file.

use std::io::{BufReader, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};

use npyz::{NpyFile, Order};

use crate::data::{DataError, Table};
use crate::error::Error;
use crate::host_memory;
use crate::ops::{HostRef, Layout};

/// Bytes of a .npy header at most: that of a matrix has some hundred.
const MOST_HEADER: u64 = 1 << 16;

/// A matrix in f32, without gaps.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// Rows after rows.
    pub data: Vec<f32>,
    /// Number of rows.
    pub rows: u64,
    /// Elements of a row.
    pub cols: u64,
}

impl Matrix {
    /// Reads a .npy file of two dimensions, float32 or float64 in C order, or a CSV file with a header.
    ///
    /// # Errors
    /// [`DataError`]: also for a number that is not finite, or beyond f32.
    pub fn read(file: &Path) -> Result<Self, Error> {
        let is_npy = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"));
        Ok(if is_npy { Self::npy(file)? } else { Self::csv(file)? })
    }

    /// As a view.
    ///
    /// # Errors
    /// None: there are as many elements.
    pub fn view(&self) -> Result<HostRef<'_, f32>, Error> {
        Ok(HostRef::new(&self.data, Layout::new(self.rows, self.cols, self.cols)?)?)
    }

    fn csv(file: &Path) -> Result<Self, DataError> {
        let table = Table::read(file)?;
        let columns: Result<Vec<Vec<f32>>, DataError> =
            (0..table.header().len()).map(|index| table.floats(index)).collect();
        let (columns, rows) = (columns?, table.rows());
        let data = (0..rows).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        Ok(Self { data, rows: rows as u64, cols: columns.len() as u64 })
    }

    fn npy(file: &Path) -> Result<Self, Error> {
        let unreadable = |source: std::io::Error| match source.kind() {
            ErrorKind::NotFound => DataError::Missing { file: file.to_owned() },
            _ => DataError::Unreadable { file: file.to_owned(), source },
        };
        let mut reader = BufReader::new(std::fs::File::open(file).map_err(unreadable)?);
        let header = header(file, &mut reader)?;
        let npy = NpyFile::new(Cursor::new(header).chain(reader)).map_err(|error| match error.kind() {
            ErrorKind::InvalidData => wrong_header(file, &error.to_string()),
            _ => unreadable(error),
        })?;
        let &[rows, cols] = npy.shape() else {
            return Err(DataError::NoMatrix { file: file.to_owned(), dimensions: npy.shape().len() }.into());
        };
        if npy.order() == Order::Fortran && rows > 1 && cols > 1 {
            return Err(DataError::FortranOrder { file: file.to_owned() }.into());
        }
        let dtype = npy.dtype().descr();
        let mut data = host_memory::room((rows * cols) as usize)?;
        let read = match npy.try_data::<f32>() {
            Ok(values) => fill(file, cols, &mut data, values.map(|value| value.map(f64::from))),
            Err(npy) => match npy.try_data::<f64>() {
                Ok(values) => fill(file, cols, &mut data, values),
                Err(_) => Err(DataError::NpyType { file: file.to_owned(), dtype: dtype.as_str().into() }),
            },
        };
        read.map_err(|error| match error {
            DataError::Unreadable { file, source } if source.kind() == ErrorKind::UnexpectedEof => {
                DataError::NpyCutOff { file, rows, cols }
            }
            other => other,
        })?;
        Ok(Self { data, rows, cols })
    }
}

/// Adds the f32 next to each value.
fn fill(
    file: &Path,
    cols: u64,
    data: &mut Vec<f32>,
    values: impl Iterator<Item = std::io::Result<f64>>,
) -> Result<(), DataError> {
    for (at, value) in (0_u64..).zip(values) {
        let value = value.map_err(|source| DataError::Unreadable { file: file.to_owned(), source })?;
        if !(value as f32).is_finite() {
            let (row, col) = (at / cols, at % cols);
            return Err(DataError::NotFinite { file: file.to_owned(), row, col, value });
        }
        data.push(value as f32);
    }
    Ok(())
}

fn wrong_header(file: &Path, what: &str) -> DataError {
    DataError::NpyHeader { file: PathBuf::from(file), what: what.into() }
}

/// The bytes in front of an array's data: magic string, version, length, and a text whose shape can be counted. What else is wrong
/// with it the library finds, which reads it again.
fn header(file: &Path, reader: &mut impl Read) -> Result<Vec<u8>, DataError> {
    let unreadable = |source: std::io::Error| match source.kind() {
        ErrorKind::UnexpectedEof => wrong_header(file, "it ends within its header"),
        _ => DataError::Unreadable { file: file.to_owned(), source },
    };
    let mut bytes = vec![0; 8];
    reader.read_exact(&mut bytes).map_err(unreadable)?;
    if !bytes.starts_with(b"\x93NUMPY") {
        return Err(wrong_header(file, "it does not begin with the magic string"));
    }
    let mut length = vec![0; if bytes[6] < 2 { 2 } else { 4 }];
    reader.read_exact(&mut length).map_err(unreadable)?;
    let text_len = length.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
    if text_len > MOST_HEADER {
        return Err(DataError::NpyHeaderBytes { file: file.to_owned(), bytes: text_len, limit: MOST_HEADER });
    }
    let mut text = vec![0; text_len as usize];
    reader.read_exact(&mut text).map_err(unreadable)?;
    let shown = String::from_utf8_lossy(&text);
    let shape = shown.split_once("'shape':").and_then(|(_, rest)| rest.split_once('(')?.1.split_once(')'));
    if let Some((shape, _)) = shape {
        let mut extents = shape.split(',').filter_map(|extent| extent.trim().parse::<u64>().ok());
        // An extent of 0 makes none of the others smaller.
        let count = extents.try_fold(1_u64, |all, extent| all.checked_mul(extent.max(1)));
        if count.is_none_or(|count| count >= 1 << 63) {
            return Err(DataError::NpyShape { file: file.to_owned(), shape: shape.into() });
        }
    }
    Ok([bytes, length, text].concat())
}
