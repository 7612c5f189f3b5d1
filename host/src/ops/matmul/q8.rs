//! Products of 8-bit codes.

use super::instances::{Q8Args, Q8MapArgs};
use super::launch::{Given, Sm80Launch};
use super::sm90::Division;
use super::{
    Alignment, BiasRef, Config, Kernel, MatmulError, Problem, Product, Q8Output, Scales, Workspace,
    ZeroPoints,
};
use crate::backend::Device;
use crate::error::Error;
use crate::ops::{MatrixMut, MatrixRef};

/// What a product of 8-bit codes is made of.
#[derive(Clone, Copy, Debug)]
pub struct Q8<'a> {
    /// `[m, k]`, such as activations.
    pub a: MatrixRef<'a, i8>,
    /// `[n, k]`, such as weights.
    pub b: MatrixRef<'a, i8>,
    /// One, or one for each row of `a`; 1 where there is none.
    pub row_scales: Option<Scales<'a>>,
    /// One, or one for each row of `b`; 1 where there is none.
    pub col_scales: Option<Scales<'a>>,
    /// One, or one for each row of `a`, with the sums of the rows of `b`; 0 where there is none.
    pub row_zeros: Option<ZeroPoints<'a>>,
    /// One, or one for each row of `b`, with the sums of the rows of `a`; 0 where there is none.
    pub col_zeros: Option<ZeroPoints<'a>>,
    /// One number for each row of `b`; 0 where there is none.
    pub bias: Option<BiasRef<'a>>,
}

impl<'a> Q8<'a> {
    /// The product alone.
    pub const fn new(a: MatrixRef<'a, i8>, b: MatrixRef<'a, i8>) -> Self {
        Self { a, b, row_scales: None, col_scales: None, row_zeros: None, col_zeros: None, bias: None }
    }

    fn given(&self) -> Given<'a> {
        let Self { row_scales, col_scales, row_zeros, col_zeros, bias, .. } = *self;
        Given { row_scales, col_scales, row_zeros, col_zeros, bias }
    }

    /// The problem, its output in `c`.
    ///
    /// # Errors
    /// As [`Problem::new`], and [`MatmulError::WideZeroPoints`].
    pub fn problem<T: Q8Output>(&self, c: &MatrixMut<'_, T>) -> Result<Problem, Error> {
        for (vector, zeros) in [("rows", self.row_zeros), ("columns", self.col_zeros)] {
            if zeros.is_some_and(|zeros| zeros.is_wide()) {
                return Err(MatmulError::WideZeroPoints { op: Product::Q8.op(), vector }.into());
            }
        }
        let layouts = [self.a.layout(), self.b.layout(), c.layout()];
        let inputs = [(self.a.data().addr(), layouts[0], 1), (self.b.data().addr(), layouts[1], 1)];
        let alignment = Alignment::of(&inputs, (c.addr(), layouts[2], T::DTYPE.size_bytes()));
        Ok(Problem::new(Product::Q8, layouts, T::DTYPE, &self.given().lengths(), alignment)?)
    }
}

/// Enqueues a product of 8-bit codes: with s the zero-point-corrected sums in i32,
///
/// ```text
/// s[i, j] = Σ (a[i, k] - row_zero[i]) (b[j, k] - col_zero[j])
/// c[i, j] = s[i, j]                                                  as i32
/// c[i, j] = s[i, j] · row_scale[i] · col_scale[j] + bias[j]          as f16, bf16, f32, or i8, saturated
/// ```
///
/// The sums are exact, the value is in f32: the sum rounded, the product with the row's scale rounded, and one fused
/// multiply-add; then one rounding to the output's type, ties to even. The same bits from every kernel, tile, number of parts
/// and architecture, and from [`crate::cpu::matmul::matmul_q8`].
///
/// Shapes `a`: `[m, k]`, `b`: `[n, k]`, `c`: `[m, n]`, rows any number of elements apart. Any m, n and k from 0: no rows or
/// columns launch nothing, k = 0 gives the bias. k is at most [`Product::max_k`]: 131071, with zero points on one side 65793, on
/// both 33025. Slower kernels compute what does not lie in pieces of 16 bytes: inputs whose rows do not all start at multiples of
/// them, and, on devices with kernels of sm_90a, outputs whose rows do not, or are no multiples of them.
///
/// # Errors
/// As [`Problem::new`]; `c` sharing memory with anything else; the device's error. Nothing has been written then.
pub fn matmul_q8<T: Q8Output, D: Device>(
    device: &D,
    asked: &Q8<'_>,
    c: MatrixMut<'_, T>,
) -> Result<(), Error> {
    matmul_q8_in(device, &mut Workspace::new(), asked, c)
}

/// [`matmul_q8`] with memory that it need not make anew: for calls that repeat.
///
/// # Errors
/// As [`matmul_q8`].
pub fn matmul_q8_in<T: Q8Output, D: Device>(
    device: &D,
    workspace: &mut Workspace<D>,
    asked: &Q8<'_>,
    c: MatrixMut<'_, T>,
) -> Result<(), Error> {
    let problem = asked.problem(&c)?;
    let config = Config::choose(&problem, device);
    matmul_q8_with(device, workspace, asked, &problem, config, c)
}

/// [`matmul_q8`] by a configuration that need not be the fastest: for tests and benches.
///
/// # Errors
/// As [`matmul_q8`].
pub(super) fn matmul_q8_with<T: Q8Output, D: Device>(
    device: &D,
    workspace: &mut Workspace<D>,
    asked: &Q8<'_>,
    problem: &Problem,
    config: Config,
    c: MatrixMut<'_, T>,
) -> Result<(), Error> {
    if problem.is_empty() {
        return Ok(());
    }
    let (space, a, b, c) = (asked.a.data().space(), asked.a.data(), asked.b.data(), c.into_data());
    let beside = asked.given().arguments(problem, config, &c)?;
    let tile = match config.kernel {
        Kernel::Sm80(tile) => tile,
        Kernel::Sm90(tile) => {
            let division = Division::new(problem, tile);
            let (a, b) = (division.input(problem, 0, a)?, division.input(problem, 1, b)?);
            let (c, width) = (division.output(problem, c)?, division.width);
            let args = Q8MapArgs { a, b, c, beside, width };
            // SAFETY: the maps are those of the division, the problem checked every length, and grid and shared memory are the
            // division's.
            return unsafe { T::launch_sm90(device, tile, division.shape(device.info())?, args) };
        }
    };
    let launch = Sm80Launch::new(device, workspace, problem, (tile, config.splits), space)?;
    let Sm80Launch { shape, parts, arrived } = launch;
    let args = Q8Args { a, b, c, beside, parts, arrived };
    // SAFETY: the views hold the matrices, the problem has their layouts and checked every length, m and n are not 0, and grid,
    // shared memory and workspace are those of the configuration's tile, whose needs the problem's alignment meets.
    unsafe { T::launch(device, tile, shape, args) }
}
