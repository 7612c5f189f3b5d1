//! Feature cross: element-wise products of feature matrices.

use gpu_std::launch::{SafeKernel, launch};
use kernels_gpu::cross::BLOCK;
use kernels_gpu::cross::hadamard::{Hadamard, HadamardArgs};
use kernels_gpu::cross::hadamard_assign::{HadamardAssign, HadamardAssignArgs};
use kernels_gpu::cross::hadamard_bwd::{HadamardBwd, HadamardBwdArgs};

use super::{
    Elementwise, HostMut, HostRef, MatrixMut, MatrixRef, Op, OpError, RowKernel, RowOp, RowProblem, Scalar,
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
{
    let (la, lb, ly) = (a.layout(), b.layout(), y.layout());
    let problem = RowProblem::new::<T>("hadamard", &[("a", la), ("b", lb), ("y", ly)], BLOCK)?;
    if problem.is_empty() {
        return Ok(());
    }
    let config = problem.choose();
    let args = HadamardArgs {
        a: a.data(),
        b: b.data(),
        y: y.into_data(),
        stride_a: config.stride(la),
        stride_b: config.stride(lb),
        stride_y: config.stride(ly),
        extent: config.extent,
    };
    launch::<Hadamard<T>, D>(device, config.shape(), &args)
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
{
    let (lb, ly) = (b.layout(), y.layout());
    let problem = RowProblem::new::<T>("hadamard_assign", &[("b", lb), ("y", ly)], BLOCK)?;
    if problem.is_empty() {
        return Ok(());
    }
    let config = problem.choose();
    let args = HadamardAssignArgs {
        b: b.data(),
        y: y.into_data(),
        stride_b: config.stride(lb),
        stride_y: config.stride(ly),
        extent: config.extent,
    };
    launch::<HadamardAssign<T>, D>(device, config.shape(), &args)
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
{
    let layouts = [dy.layout(), a.layout(), b.layout(), da.layout(), db.layout()];
    let names = ["dy", "a", "b", "da", "db"];
    let operands: [_; 5] = std::array::from_fn(|i| (names[i], layouts[i]));
    let problem = RowProblem::new::<T>("hadamard_bwd", &operands, BLOCK)?;
    if problem.is_empty() {
        return Ok(());
    }
    let config = problem.choose();
    let [stride_dy, stride_a, stride_b, stride_da, stride_db] = layouts.map(|l| config.stride(l));
    let args = HadamardBwdArgs {
        dy: dy.data(),
        a: a.data(),
        b: b.data(),
        da: da.into_data(),
        db: db.into_data(),
        stride_dy,
        stride_a,
        stride_b,
        stride_da,
        stride_db,
        extent: config.extent,
    };
    launch::<HadamardBwd<T>, D>(device, config.shape(), &args)
}

/// [`hadamard`] as an [`Op`].
pub struct HadamardOp;

impl RowKernel<2, 1> for HadamardOp {
    const NAME: &'static str = "hadamard";
    const FAMILY: &'static str = "cross";
    const FORMULA: &'static str = "y = a * b";
    const STEMS: &'static [&'static str] = &["hadamard"];
    const INPUTS: [&'static str; 2] = ["a", "b"];
    const OUTPUTS: [&'static str; 1] = ["y"];
    const IN_PLACE: bool = false;
    const FLOPS: u64 = 1;
    const TOLERANCE: Tolerance = ONE_ROUNDING;
}

impl<T: CpuScalar> Elementwise<T, 2, 1> for HadamardOp
where
    Hadamard<T>: for<'k> SafeKernel<Args<'k> = HadamardArgs<'k, T>>,
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
    const STEMS: &'static [&'static str] = &["hadamard_assign"];
    const INPUTS: [&'static str; 1] = ["b"];
    const OUTPUTS: [&'static str; 1] = ["y"];
    const IN_PLACE: bool = true;
    const FLOPS: u64 = 1;
    const TOLERANCE: Tolerance = ONE_ROUNDING;
}

impl<T: CpuScalar> Elementwise<T, 1, 1> for HadamardAssignOp
where
    HadamardAssign<T>: for<'k> SafeKernel<Args<'k> = HadamardAssignArgs<'k, T>>,
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
    const STEMS: &'static [&'static str] = &["hadamard_bwd"];
    const INPUTS: [&'static str; 3] = ["dy", "a", "b"];
    const OUTPUTS: [&'static str; 2] = ["da", "db"];
    const IN_PLACE: bool = false;
    const FLOPS: u64 = 2;
    const TOLERANCE: Tolerance = ONE_ROUNDING;
}

impl<T: CpuScalar> Elementwise<T, 3, 2> for HadamardBwdOp
where
    HadamardBwd<T>: for<'k> SafeKernel<Args<'k> = HadamardBwdArgs<'k, T>>,
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
