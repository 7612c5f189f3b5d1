//! A matrix of a file.

use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use npyz::{NpyFile, Order};

use crate::data::{DataError, Table};
use crate::error::Error;
use crate::ops::{HostRef, Layout};

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
    /// [`DataError`].
    pub fn read(file: &Path) -> Result<Self, Error> {
        let is_npy = file.extension().is_some_and(|extension| extension == "npy");
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
        let columns: Result<Vec<Vec<f64>>, DataError> =
            table.header().iter().map(|name| table.numbers(name)).collect();
        let (columns, rows) = (columns?, table.rows());
        let data = (0..rows).flat_map(|row| columns.iter().map(move |column| column[row] as f32)).collect();
        Ok(Self { data, rows: rows as u64, cols: columns.len() as u64 })
    }

    fn npy(file: &Path) -> Result<Self, DataError> {
        let name = || PathBuf::from(file);
        let unreadable = |source: std::io::Error| match source.kind() {
            ErrorKind::NotFound => DataError::Missing { file: name() },
            _ => DataError::Unreadable { file: name(), source },
        };
        let reader = BufReader::new(std::fs::File::open(file).map_err(unreadable)?);
        let npy = NpyFile::new(reader).map_err(unreadable)?;
        let &[rows, cols] = npy.shape() else {
            return Err(DataError::NoMatrix { file: name(), dimensions: npy.shape().len() });
        };
        if npy.order() == Order::Fortran && rows > 1 && cols > 1 {
            return Err(DataError::FortranOrder { file: name() });
        }
        let dtype = npy.dtype().descr();
        let data: Result<Vec<f32>, std::io::Error> = match npy.try_data::<f32>() {
            Ok(data) => data.collect(),
            Err(npy) => match npy.try_data::<f64>() {
                Ok(data) => data.map(|value| value.map(|value| value as f32)).collect(),
                Err(_) => return Err(DataError::NpyType { file: name(), dtype }),
            },
        };
        Ok(Self { data: data.map_err(unreadable)?, rows, cols })
    }
}
