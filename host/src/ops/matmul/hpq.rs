//! Products of 8-bit codes and 16-bit weights.

use super::instances::{HpqArgs, HpqMapArgs};
use super::launch::{Given, Sm80Launch};
use super::sm90::Division;
use super::{
    Alignment, BiasRef, Config, HpqOutput, Kernel, Problem, Product, Scales, SplitRef, Workspace, ZeroPoints,
};
use crate::backend::Device;
use crate::error::Error;
use crate::ops::{MatrixMut, MatrixRef};

/// What a product of 8-bit codes and 16-bit weights is made of.
#[derive(Clone, Copy, Debug)]
pub struct Hpq<'a> {
    /// Activations, `[m, k]`.
    pub a: MatrixRef<'a, i8>,
    /// Weights, `[n, k]`, in two planes.
    pub weights: SplitRef<'a>,
    /// One, or one for each row of `a`; 1 where there is none.
    pub row_scales: Option<Scales<'a>>,
    /// One, or one for each row of the weights; 1 where there is none.
    pub col_scales: Option<Scales<'a>>,
    /// Of the weights: one, or one for each row, with the sums of the rows of `a`; 0 where there is none.
    pub col_zeros: Option<ZeroPoints<'a>>,
    /// One number for each row of the weights; 0 where there is none.
    pub bias: Option<BiasRef<'a>>,
}

impl<'a> Hpq<'a> {
    /// The product alone.
    pub const fn new(a: MatrixRef<'a, i8>, weights: SplitRef<'a>) -> Self {
        Self { a, weights, row_scales: None, col_scales: None, col_zeros: None, bias: None }
    }

    fn given(&self) -> Given<'a> {
        let Self { row_scales, col_scales, col_zeros, bias, .. } = *self;
        Given { row_scales, col_scales, row_zeros: None, col_zeros, bias }
    }

    /// The problem, its output in `c`.
    ///
    /// # Errors
    /// As [`Problem::new`].
    pub fn problem<T: HpqOutput>(&self, c: &MatrixMut<'_, T>) -> Result<Problem, Error> {
        let (hi, lo) = (self.weights.hi(), self.weights.lo());
        let layouts = [self.a.layout(), hi.layout(), c.layout()];
        let inputs = [
            (self.a.data().addr(), layouts[0], 1),
            (hi.data().addr(), layouts[1], 1),
            (lo.data().addr(), layouts[1], 1),
        ];
        let alignment = Alignment::of(&inputs, (c.addr(), layouts[2], T::DTYPE.size_bytes()));
        Ok(Problem::new(Product::Hpq, layouts, T::DTYPE, &self.given().lengths(), alignment)?)
    }
}

/// Enqueues a product of 8-bit activations and 16-bit weights, the hybrid scheme: with s in i64,
///
/// ```text
/// s[i, j] = Σ a[i, k] (w[j, k] - col_zero[j])
/// c[i, j] = s[i, j]                                                  as i64
/// c[i, j] = s[i, j] · row_scale[i] · col_scale[j] + bias[j]          as f16, bf16, f32
/// ```
///
/// The sums are exact: two products in i32, of the weights' high and low bytes, added in i64. What follows is as in
/// [`super::matmul_q8`], the bits as in [`crate::cpu::matmul::matmul_hpq`].
///
/// Shapes as in [`super::matmul_q8`]; k is at most 65793. Zero points are [`ZeroPoints::checked_i16`].
///
/// # Errors
/// As [`Problem::new`]; `c` sharing memory with anything else; the device's error. Nothing has been written then.
pub fn matmul_hpq<T: HpqOutput, D: Device>(
    device: &D,
    asked: &Hpq<'_>,
    c: MatrixMut<'_, T>,
) -> Result<(), Error> {
    matmul_hpq_in(device, &mut Workspace::new(), asked, c)
}

/// [`matmul_hpq`] with memory that it need not make anew: for calls that repeat.
///
/// # Errors
/// As [`matmul_hpq`].
pub fn matmul_hpq_in<T: HpqOutput, D: Device>(
    device: &D,
    workspace: &mut Workspace<D>,
    asked: &Hpq<'_>,
    c: MatrixMut<'_, T>,
) -> Result<(), Error> {
    let problem = asked.problem(&c)?;
    let config = Config::choose(&problem, device);
    matmul_hpq_with(device, workspace, asked, &problem, config, c)
}

/// [`matmul_hpq`] by a configuration that need not be the fastest: for tests and benches.
///
/// # Errors
/// As [`matmul_hpq`].
pub(super) fn matmul_hpq_with<T: HpqOutput, D: Device>(
    device: &D,
    workspace: &mut Workspace<D>,
    asked: &Hpq<'_>,
    problem: &Problem,
    config: Config,
    c: MatrixMut<'_, T>,
) -> Result<(), Error> {
    if problem.is_empty() {
        return Ok(());
    }
    let (space, a, c) = (asked.a.data().space(), asked.a.data(), c.into_data());
    let (b_hi, b_lo) = (asked.weights.hi().data(), asked.weights.lo().data());
    let beside = asked.given().arguments(problem, config, &c)?;
    let tile = match config.kernel {
        Kernel::Sm80(tile) => tile,
        Kernel::Sm90(tile) => {
            let division = Division::new(problem, tile);
            let (b_hi, b_lo) = (division.input(problem, 1, b_hi)?, division.input(problem, 1, b_lo)?);
            let (a, c) = (division.input(problem, 0, a)?, division.output(problem, c)?);
            let args = HpqMapArgs { a, b_hi, b_lo, c, beside };
            // SAFETY: the maps are those of the division, the problem checked every length, and grid and shared memory are the
            // division's.
            return unsafe { T::launch_sm90(device, tile, division.shape(device.info())?, args) };
        }
    };
    let launch = Sm80Launch::new(device, workspace, problem, (tile, config.splits), space)?;
    let Sm80Launch { shape, parts, arrived } = launch;
    let args = HpqArgs { a, b_hi, b_lo, c, beside, parts, arrived };
    // SAFETY: the views hold the matrices, the problem has their layouts and checked every length, m and n are not 0, and grid,
    // shared memory and workspace are those of the configuration's tile, whose needs the problem's alignment meets.
    unsafe { T::launch(device, tile, shape, args) }
}
