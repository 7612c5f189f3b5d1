//! `warpsmith matmul`: the product of two matrices from files, at a precision.

mod accuracy;
mod matrix;
mod operands;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use npyz::WriterBuilder as _;

use super::dtw::Place;
use super::find::BackendArguments;
use super::output;
use crate::error::Error;
use crate::ops::matmul::{Alignment, Lengths, MatmulError, Problem};
use crate::ops::{DType, Layout};
use accuracy::relative_error;
pub use matrix::Matrix;
pub use operands::{Operands, Precision};

/// Options of the command.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Matrix A, [m, k]: .npy (float32 or float64, C order), else CSV with a header
    #[arg(long, value_name = "FILE")]
    a: PathBuf,
    /// Matrix B, [n, k], such as weights with a row for each output: as A
    #[arg(long, value_name = "FILE")]
    b: PathBuf,
    /// Numbers to add to each row of the product, [1, n]: as A
    #[arg(long, value_name = "FILE")]
    bias: Option<PathBuf>,
    /// What the matrices become before they are multiplied
    #[arg(long, value_enum, default_value = "int8")]
    precision: Precision,
    /// File to write, .npy: the product of A and the rows of B, [m, n], float32
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    backend: BackendArguments,
}

impl Arguments {
    fn inputs(&self) -> Vec<(&'static str, &Path)> {
        let bias = self.bias.as_deref().map(|file| ("--bias", file));
        [("--a", self.a.as_path()), ("--b", self.b.as_path())].into_iter().chain(bias).collect()
    }
}

/// Multiplies and writes.
///
/// # Errors
/// Files that cannot be used, matrices that do not fit, a back end that was asked for and is not there, or the back end's error.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    output::check_is_another("--out", &arguments.out, &arguments.inputs())?;
    output::check_writable(&arguments.out)?;
    let (a, b) = (Matrix::read(&arguments.a)?, Matrix::read(&arguments.b)?);
    let bias = arguments.bias.as_deref().map(Matrix::read).transpose()?;
    check(arguments.precision, &a, &b, bias.as_ref())?;
    let bias = bias.as_ref().map(|bias| bias.data.as_slice());
    let place = Place::open(&arguments.backend)?;
    let operands = Operands::new(&place.executor, arguments.precision, &a, &b)?;
    let (c, time) = operands.product(&place.executor, bias)?;
    let count = c.iter().filter(|element| !element.is_finite()).count() as u64;
    if count > 0 {
        let (op, elements) = (arguments.precision.op(), c.len() as u64);
        return Err(MatmulError::BeyondF32 { op, count, elements }.into());
    }
    output::write(&arguments.out, |out| npy(&c, [a.rows, b.rows], out))?;
    let (m, n, k) = (a.rows, b.rows, a.cols);
    let tops = 2.0 * (m * n * k) as f64 / time.as_secs_f64() / 1e12;
    let error = relative_error(&a, &b, bias, &c);
    let error =
        error.map_or_else(|| "no relative error".to_owned(), |error| format!("relative error {error:.2e}"));
    output::print(&format!(
        "matmul: {m}x{n}x{k} {} in {}: {tops:.3} TOPS, {error}, {}\n",
        arguments.precision.name(),
        arguments.out.display(),
        place.words()
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses what does not fit before a back end is opened.
fn check(precision: Precision, a: &Matrix, b: &Matrix, bias: Option<&Matrix>) -> Result<(), Error> {
    let c = Layout::new(a.rows, b.rows, b.rows)?;
    let layouts = [a.view()?.layout(), b.view()?.layout(), c];
    Problem::new(precision.product(), layouts, DType::F32, &Lengths::default(), Alignment::FULL)?;
    let op = precision.op();
    match bias {
        Some(bias) if bias.rows != 1 => {
            let (vector, got) = ("rows in the bias", bias.rows);
            Err(MatmulError::VectorLength { op, vector, got, want: 1, one: false }.into())
        }
        Some(bias) if bias.cols != b.rows => {
            let (vector, got) = ("elements in the bias", bias.cols);
            Err(MatmulError::VectorLength { op, vector, got, want: b.rows, one: false }.into())
        }
        _ => Ok(()),
    }
}

fn npy(c: &[f32], shape: [u64; 2], out: impl Write) -> io::Result<()> {
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(&shape).writer(out).begin_nd()?;
    writer.extend(c.iter().copied())?;
    writer.finish()
}
