//! Feature cross: element-wise products of feature matrices.

use gpu_std::launch::{LaunchShape, SafeKernel, launch};
use kernels_gpu::cross::BLOCK;
use kernels_gpu::cross::hadamard::{Hadamard, HadamardArgs};
use kernels_gpu::cross::hadamard_assign::{HadamardAssign, HadamardAssignArgs};
use kernels_gpu::cross::hadamard_assign_rows::{HadamardAssignRows, HadamardAssignRowsArgs};
use kernels_gpu::cross::hadamard_bwd::{HadamardBwd, HadamardBwdArgs};
use kernels_gpu::cross::hadamard_bwd_rows::{HadamardBwdRows, HadamardBwdRowsArgs};
use kernels_gpu::cross::hadamard_rows::{HadamardRows, HadamardRowsArgs};

use super::{
    Elementwise, HostMut, HostRef, MatrixMut, MatrixRef, Op, OpError, RowConfig, RowKernel, RowOp,
    RowProblem, Scalar,
};
use crate::backend::Device;
use crate::cpu::{CpuScalar, cross as cpu};
use crate::error::Error;
use crate::reference::cross as reference;
use crate::validate::Tolerance;

/// The family's ops.
pub const OPS: &[&dyn Op] = &[
    &RowOp::<HadamardOp, 2, 1>::OP,
    &RowOp::<HadamardAssignOp, 1, 1>::OP,
    &RowOp::<HadamardBwdOp, 3, 2>::OP,
];

const ONE_ROUNDING: Tolerance = Tolerance::exact("one multiplication, exact in f64 and rounded once");

/// `y[r, c] = a[r, c] * b[r, c]`
///
/// Shapes `a`, `b`, `y`: one shape, each with a row stride of its own; no rows or no columns launches nothing. Types f32,
/// f16, bf16. One rounding: the bits of the f64 product, rounded.
///
/// # Errors
/// Shapes that differ, `y` sharing memory with an input (for in place there is [`hadamard_assign`]), or the back end's
/// error; nothing has been written then.
pub fn hadamard<T, D>(
    device: &D,
    a: MatrixRef<'_, T>,
    b: MatrixRef<'_, T>,
    y: MatrixMut<'_, T>,
) -> Result<(), Error>
where
    T: Scalar,
    D: Device,
    Hadamard<T>: for<'k> SafeKernel<Args<'k> = HadamardArgs<'k, T>>,
    HadamardRows<T>: for<'k> SafeKernel<Args<'k> = HadamardRowsArgs<'k, T>>,
{
    let (la, lb, ly) = (a.layout(), b.layout(), y.layout());
    let problem = RowProblem::new::<T>("hadamard", &[("a", la), ("b", lb), ("y", ly)], BLOCK)?;
    if problem.is_empty() {
        return Ok(());
    }
    let (a, b, y) = (a.data(), b.data(), y.into_data());
    match problem.choose() {
        RowConfig::Slices { blocks } => {
            launch::<Hadamard<T>, D>(device, LaunchShape::grid(blocks), &HadamardArgs { a, b, y })
        }
        RowConfig::Rows { extent, grid } => {
            let (stride_a, stride_b, stride_y) = (la.stride(), lb.stride(), ly.stride());
            let args = HadamardRowsArgs { a, b, y, stride_a, stride_b, stride_y, extent };
            launch::<HadamardRows<T>, D>(device, LaunchShape::grid(grid), &args)
        }
    }
}

/// `y[r, c] = y[r, c] * b[r, c]`
///
/// Shapes, types and rounding as [`hadamard`].
///
/// # Errors
/// Shapes that differ, `y` sharing memory with `b`, or the back end's error; nothing has been written then.
pub fn hadamard_assign<T, D>(device: &D, b: MatrixRef<'_, T>, y: MatrixMut<'_, T>) -> Result<(), Error>
where
    T: Scalar,
    D: Device,
    HadamardAssign<T>: for<'k> SafeKernel<Args<'k> = HadamardAssignArgs<'k, T>>,
    HadamardAssignRows<T>: for<'k> SafeKernel<Args<'k> = HadamardAssignRowsArgs<'k, T>>,
{
    let (lb, ly) = (b.layout(), y.layout());
    let problem = RowProblem::new::<T>("hadamard_assign", &[("b", lb), ("y", ly)], BLOCK)?;
    if problem.is_empty() {
        return Ok(());
    }
    let (b, y) = (b.data(), y.into_data());
    match problem.choose() {
        RowConfig::Slices { blocks } => {
            launch::<HadamardAssign<T>, D>(device, LaunchShape::grid(blocks), &HadamardAssignArgs { b, y })
        }
        RowConfig::Rows { extent, grid } => {
            let args = HadamardAssignRowsArgs { b, y, stride_b: lb.stride(), stride_y: ly.stride(), extent };
            launch::<HadamardAssignRows<T>, D>(device, LaunchShape::grid(grid), &args)
        }
    }
}

/// `da[r, c] = dy[r, c] * b[r, c]` and `db[r, c] = dy[r, c] * a[r, c]`, in one pass.
///
/// Shapes, types and rounding as [`hadamard`].
///
/// # Errors
/// Shapes that differ, an output sharing memory with another operand, or the back end's error; nothing has been written
/// then.
pub fn hadamard_bwd<T, D>(
    device: &D,
    dy: MatrixRef<'_, T>,
    a: MatrixRef<'_, T>,
    b: MatrixRef<'_, T>,
    da: MatrixMut<'_, T>,
    db: MatrixMut<'_, T>,
) -> Result<(), Error>
where
    T: Scalar,
    D: Device,
    HadamardBwd<T>: for<'k> SafeKernel<Args<'k> = HadamardBwdArgs<'k, T>>,
    HadamardBwdRows<T>: for<'k> SafeKernel<Args<'k> = HadamardBwdRowsArgs<'k, T>>,
{
    let layouts = [dy.layout(), a.layout(), b.layout(), da.layout(), db.layout()];
    let names = ["dy", "a", "b", "da", "db"];
    let operands: [_; 5] = std::array::from_fn(|i| (names[i], layouts[i]));
    let problem = RowProblem::new::<T>("hadamard_bwd", &operands, BLOCK)?;
    if problem.is_empty() {
        return Ok(());
    }
    let (dy, a, b) = (dy.data(), a.data(), b.data());
    let (da, db) = (da.into_data(), db.into_data());
    match problem.choose() {
        RowConfig::Slices { blocks } => {
            let args = HadamardBwdArgs { dy, a, b, da, db };
            launch::<HadamardBwd<T>, D>(device, LaunchShape::grid(blocks), &args)
        }
        RowConfig::Rows { extent, grid } => {
            let [stride_dy, stride_a, stride_b, stride_da, stride_db] = layouts.map(|l| l.stride());
            let args = HadamardBwdRowsArgs {
                dy,
                a,
                b,
                da,
                db,
                stride_dy,
                stride_a,
                stride_b,
                stride_da,
                stride_db,
                extent,
            };
            launch::<HadamardBwdRows<T>, D>(device, LaunchShape::grid(grid), &args)
        }
    }
}

/// [`hadamard`] as an [`Op`].
pub struct HadamardOp;

impl RowKernel<2, 1> for HadamardOp {
    const NAME: &'static str = "hadamard";
    const FAMILY: &'static str = "cross";
    const FORMULA: &'static str = "y = a * b";
    const STEMS: &'static [&'static str] = &["hadamard", "hadamard_rows"];
    const INPUTS: [&'static str; 2] = ["a", "b"];
    const OUTPUTS: [&'static str; 1] = ["y"];
    const IN_PLACE: bool = false;
    const FLOPS: u64 = 1;
    const TOLERANCE: Tolerance = ONE_ROUNDING;
}

impl<T: CpuScalar> Elementwise<T, 2, 1> for HadamardOp
where
    Hadamard<T>: for<'k> SafeKernel<Args<'k> = HadamardArgs<'k, T>>,
    HadamardRows<T>: for<'k> SafeKernel<Args<'k> = HadamardRowsArgs<'k, T>>,
{
    fn launch<D: Device>(
        device: &D,
        [a, b]: [MatrixRef<'_, T>; 2],
        [y]: [MatrixMut<'_, T>; 1],
    ) -> Result<(), Error> {
        hadamard(device, a, b, y)
    }

    fn cpu([a, b]: [HostRef<'_, T>; 2], [mut y]: [HostMut<'_, T>; 1]) -> Result<(), OpError> {
        cpu::hadamard(a, b, &mut y)
    }

    fn reference([a, b]: [HostRef<'_, T>; 2], [mut y]: [HostMut<'_, T>; 1]) {
        reference::hadamard_cpu(a, b, &mut y);
    }
}

/// [`hadamard_assign`] as an [`Op`].
pub struct HadamardAssignOp;

impl RowKernel<1, 1> for HadamardAssignOp {
    const NAME: &'static str = "hadamard_assign";
    const FAMILY: &'static str = "cross";
    const FORMULA: &'static str = "y = y * b";
    const STEMS: &'static [&'static str] = &["hadamard_assign", "hadamard_assign_rows"];
    const INPUTS: [&'static str; 1] = ["b"];
    const OUTPUTS: [&'static str; 1] = ["y"];
    const IN_PLACE: bool = true;
    const FLOPS: u64 = 1;
    const TOLERANCE: Tolerance = ONE_ROUNDING;
}

impl<T: CpuScalar> Elementwise<T, 1, 1> for HadamardAssignOp
where
    HadamardAssign<T>: for<'k> SafeKernel<Args<'k> = HadamardAssignArgs<'k, T>>,
    HadamardAssignRows<T>: for<'k> SafeKernel<Args<'k> = HadamardAssignRowsArgs<'k, T>>,
{
    fn launch<D: Device>(
        device: &D,
        [b]: [MatrixRef<'_, T>; 1],
        [y]: [MatrixMut<'_, T>; 1],
    ) -> Result<(), Error> {
        hadamard_assign(device, b, y)
    }

    fn cpu([b]: [HostRef<'_, T>; 1], [mut y]: [HostMut<'_, T>; 1]) -> Result<(), OpError> {
        cpu::hadamard_assign(b, &mut y)
    }

    fn reference([b]: [HostRef<'_, T>; 1], [mut y]: [HostMut<'_, T>; 1]) {
        reference::hadamard_assign_cpu(b, &mut y);
    }
}

/// [`hadamard_bwd`] as an [`Op`].
pub struct HadamardBwdOp;

impl RowKernel<3, 2> for HadamardBwdOp {
    const NAME: &'static str = "hadamard_bwd";
    const FAMILY: &'static str = "cross";
    const FORMULA: &'static str = "da = dy * b, db = dy * a";
    const STEMS: &'static [&'static str] = &["hadamard_bwd", "hadamard_bwd_rows"];
    const INPUTS: [&'static str; 3] = ["dy", "a", "b"];
    const OUTPUTS: [&'static str; 2] = ["da", "db"];
    const IN_PLACE: bool = false;
    const FLOPS: u64 = 2;
    const TOLERANCE: Tolerance = ONE_ROUNDING;
}

impl<T: CpuScalar> Elementwise<T, 3, 2> for HadamardBwdOp
where
    HadamardBwd<T>: for<'k> SafeKernel<Args<'k> = HadamardBwdArgs<'k, T>>,
    HadamardBwdRows<T>: for<'k> SafeKernel<Args<'k> = HadamardBwdRowsArgs<'k, T>>,
{
    fn launch<D: Device>(
        device: &D,
        [dy, a, b]: [MatrixRef<'_, T>; 3],
        [da, db]: [MatrixMut<'_, T>; 2],
    ) -> Result<(), Error> {
        hadamard_bwd(device, dy, a, b, da, db)
    }

    fn cpu([dy, a, b]: [HostRef<'_, T>; 3], [mut da, mut db]: [HostMut<'_, T>; 2]) -> Result<(), OpError> {
        cpu::hadamard_bwd(dy, a, b, &mut da, &mut db)
    }

    fn reference([dy, a, b]: [HostRef<'_, T>; 3], [mut da, mut db]: [HostMut<'_, T>; 2]) {
        reference::hadamard_bwd_cpu(dy, a, b, &mut da, &mut db);
    }
}
