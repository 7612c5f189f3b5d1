//! A profile as a file.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use npyz::WriterBuilder as _;

use super::super::output;
use super::task::Task;
use crate::error::Error;
use crate::ops::dtw::Profile;

/// A file whose name says its format.
#[derive(Clone, Debug)]
pub struct OutFile {
    file: PathBuf,
    format: Format,
}

#[derive(Clone, Copy, Debug)]
enum Format {
    Csv,
    Npy,
}

/// A name that says no format.
#[derive(Debug, thiserror::Error)]
#[error("the name must end with .csv or .npy")]
pub struct FormatError;

impl TryFrom<PathBuf> for OutFile {
    type Error = FormatError;

    fn try_from(file: PathBuf) -> Result<Self, FormatError> {
        let format = match file.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Format::Csv,
            Some("npy") => Format::Npy,
            _ => return Err(FormatError),
        };
        Ok(Self { file, format })
    }
}

impl fmt::Display for OutFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.file.display().fmt(f)
    }
}

impl OutFile {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// Writes the file, over one that is there.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn write(&self, columns: &Columns<'_>) -> Result<(), Error> {
        output::write(&self.file, |out| match self.format {
            Format::Csv => columns.csv(out),
            Format::Npy => columns.npy(out),
        })
    }
}

/// Columns of the aggregates of the series.
const SERIES_NAMES: [&str; 4] = ["mean", "min", "max", "variance"];
/// Columns of those of the distances.
const DISTANCE_NAMES: [&str; 4] = ["distance_mean", "distance_min", "distance_max", "distance_variance"];

/// Distances, and aggregates where there are some.
pub struct Columns<'a> {
    /// What they are of.
    pub task: &'a Task,
    /// They.
    pub profile: &'a Profile,
}

impl Columns<'_> {
    /// Names and numbers of the columns.
    fn all(&self) -> Vec<(&'static str, &[f32])> {
        let mut all = vec![("distance", self.profile.distances.as_slice())];
        let Profile { aggregates, distance_aggregates, .. } = self.profile;
        for (of, names) in [(aggregates, SERIES_NAMES), (distance_aggregates, DISTANCE_NAMES)] {
            let Some(of) = of else { continue };
            let aggregates = [&of.mean, &of.min, &of.max, &of.variance].map(Vec::as_slice);
            all.extend(names.into_iter().zip(aggregates));
        }
        all
    }

    /// A header, then the row's number, its label where there is one, and the numbers.
    fn csv(&self, out: impl Write) -> io::Result<()> {
        let all = self.all();
        let mut writer = csv::Writer::from_writer(out);
        let names = ["row"].into_iter().chain(self.task.label_column());
        writer.write_record(names.chain(all.iter().map(|(name, _)| *name)))?;
        for row in 0..self.profile.distances.len() {
            writer.write_field(row.to_string())?;
            self.task.label(row).map_or(Ok(()), |label| writer.write_field(label))?;
            all.iter().try_for_each(|(_, numbers)| writer.write_field(numbers[row].to_string()))?;
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    }

    /// float32 of shape `[rows]`, or with aggregates `[rows, 5]`, with those of series and distances `[rows, 9]`.
    fn npy(&self, out: impl Write) -> io::Result<()> {
        let all = self.all();
        let rows = self.profile.distances.len();
        let shape = [rows as u64, all.len() as u64];
        let shape = if all.len() == 1 { &shape[..1] } else { &shape };
        let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(out).begin_nd()?;
        for row in 0..rows {
            writer.extend(all.iter().map(|(_, numbers)| numbers[row]))?;
        }
        writer.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn the_name_says_the_format() {
        let file = |name: &OsStr| OutFile::try_from(PathBuf::from(name));
        assert!(matches!(file("a/b.csv".as_ref()), Ok(OutFile { format: Format::Csv, .. })));
        assert!(matches!(file("b.npy".as_ref()), Ok(OutFile { format: Format::Npy, .. })));
        // A name need not be text.
        assert!(matches!(file(OsStr::from_bytes(b"\xff.npy")), Ok(OutFile { format: Format::Npy, .. })));
        for name in ["b", "b.txt", ".csv", "csv"] {
            let error = file(name.as_ref()).expect_err("it says none");
            assert_eq!(error.to_string(), "the name must end with .csv or .npy");
        }
    }
}
