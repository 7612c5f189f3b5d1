//! Products of floats of 16 bits.

use super::instances::{FloatArgs, FloatMapArgs};
use super::launch::{BesideArgs, Given, Sm80Launch};
use super::sm90::Division;
use super::{
    Alignment, BiasRef, Config, FloatInput, FloatOutput, Kernel, Lengths, Problem, Product, Workspace,
};
use crate::backend::Device;
use crate::error::Error;
use crate::ops::{MatrixMut, MatrixRef};

/// Enqueues a product of floats, `c[i, j] = Σ a[i, k] b[j, k] + bias[j]`.
///
/// Shapes `a`: `[m, k]`, `b`: `[n, k]`, `c`: `[m, n]`, rows any number of elements apart; `bias`: n, or none. Any m, n and k from
/// 0: no rows or columns launch nothing, k = 0 gives the bias. Types f16 or bf16, c of the same or of f32. Products are exact,
/// sums in f32 by the tensor cores: off by at most (k / 16 + 24) 2^-23 Σ |a b|, then one rounding. The same bits again from the
/// same call on the same device; other tiles or parts of k may round otherwise.
///
/// # Errors
/// As [`Problem::new`]; `c` sharing memory with anything else; the device's error. Nothing has been written then.
pub fn matmul<I: FloatInput, T: FloatOutput<I>, D: Device>(
    device: &D,
    a: MatrixRef<'_, I>,
    b: MatrixRef<'_, I>,
    bias: Option<BiasRef<'_>>,
    c: MatrixMut<'_, T>,
) -> Result<(), Error> {
    matmul_in(device, &mut Workspace::new(), a, b, bias, c)
}

/// [`matmul`] with memory that it need not make anew: for calls that repeat.
///
/// # Errors
/// As [`matmul`].
pub fn matmul_in<I: FloatInput, T: FloatOutput<I>, D: Device>(
    device: &D,
    workspace: &mut Workspace<D>,
    a: MatrixRef<'_, I>,
    b: MatrixRef<'_, I>,
    bias: Option<BiasRef<'_>>,
    c: MatrixMut<'_, T>,
) -> Result<(), Error> {
    let problem = problem(a, b, bias, &c)?;
    let config = Config::choose(&problem, device);
    matmul_with(device, workspace, (a, b), bias, &problem, config, c)
}

/// The problem of a call.
pub(super) fn problem<I: FloatInput, T: FloatOutput<I>>(
    a: MatrixRef<'_, I>,
    b: MatrixRef<'_, I>,
    bias: Option<BiasRef<'_>>,
    c: &MatrixMut<'_, T>,
) -> Result<Problem, Error> {
    let layouts = [a.layout(), b.layout(), c.layout()];
    let inputs = [(a.data().addr(), layouts[0], 2), (b.data().addr(), layouts[1], 2)];
    let size = <T as super::Output>::DTYPE.size_bytes();
    let alignment = Alignment::of(&inputs, (c.addr(), layouts[2], size));
    let lengths = Lengths { bias: bias.map(|bias| bias.len()), ..Lengths::default() };
    Ok(Problem::new(Product::Float, layouts, <T as super::Output>::DTYPE, &lengths, alignment)?)
}

/// [`matmul`] by a configuration that need not be the fastest: for tests and benches.
///
/// # Errors
/// As [`matmul`].
pub(super) fn matmul_with<I: FloatInput, T: FloatOutput<I>, D: Device>(
    device: &D,
    workspace: &mut Workspace<D>,
    (a, b): (MatrixRef<'_, I>, MatrixRef<'_, I>),
    bias: Option<BiasRef<'_>>,
    problem: &Problem,
    config: Config,
    c: MatrixMut<'_, T>,
) -> Result<(), Error> {
    if problem.is_empty() {
        return Ok(());
    }
    let (space, a, b, c) = (a.data().space(), a.data(), b.data(), c.into_data());
    let given = Given { bias, ..Given::default() };
    let BesideArgs { bias, extent, .. } = given.arguments(problem, config, &c)?;
    let tile = match config.kernel {
        Kernel::Sm80(tile) => tile,
        Kernel::Sm90(tile) => {
            let division = Division::new(problem, tile);
            let (a, b) = (division.input(problem, 0, a)?, division.input(problem, 1, b)?);
            let (c, width) = (division.output(problem, c)?, division.width);
            let args = FloatMapArgs { a, b, c, bias, extent, width };
            let shape = division.shape(device.info())?;
            // SAFETY: the maps are those of the division, the problem checked every length, and grid and shared memory are the
            // division's.
            return unsafe { <T as FloatOutput<I>>::launch_sm90(device, tile, shape, args) };
        }
    };
    let launch = Sm80Launch::new(device, workspace, problem, (tile, config.splits), space)?;
    let Sm80Launch { shape, parts, arrived } = launch;
    let args = FloatArgs { a, b, c, bias, extent, parts, arrived };
    // SAFETY: the views hold the matrices, the problem has their layouts and checked every length, m and n are not 0, and grid,
    // shared memory and workspace are those of the configuration's tile, whose needs the problem's alignment meets.
    unsafe { <T as FloatOutput<I>>::launch(device, tile, shape, args) }
}
