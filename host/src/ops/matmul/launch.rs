//! What the launches of all products have in common.

use gpu_std::DeviceRepr;
use gpu_std::launch::{ContractError, DeviceSlice, DeviceSliceMut, LaunchShape, SpaceId};
use kernels_gpu::matmul::epilogue::{Bias, Extent};

use super::{BiasRef, Config, Lengths, Problem, Scales, Sm80Tile, Workspace, ZeroPoints};
use crate::backend::Device;
use crate::error::Error;

/// What a call gives beside the matrices.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    pub row_scales: Option<Scales<'a>>,
    pub col_scales: Option<Scales<'a>>,
    pub row_zeros: Option<ZeroPoints<'a>>,
    pub col_zeros: Option<ZeroPoints<'a>>,
    pub bias: Option<BiasRef<'a>>,
}

impl<'a> Given<'a> {
    /// How long each is.
    pub fn lengths(&self) -> Lengths {
        let zeros = |zeros: ZeroPoints<'_>| (zeros.values().len(), zeros.sums().len());
        Lengths {
            row_scales: self.row_scales.map(|scales| scales.data().len()),
            col_scales: self.col_scales.map(|scales| scales.data().len()),
            row_zeros: self.row_zeros.map(zeros),
            col_zeros: self.col_zeros.map(zeros),
            bias: self.bias.map(|bias| bias.len()),
        }
    }

    /// As kernels that write `c` take it.
    ///
    /// # Errors
    /// A bias in another space than `c`, or that shares memory with it.
    pub fn arguments<T: DeviceRepr>(
        &self,
        problem: &Problem,
        config: Config,
        c: &DeviceSliceMut<'_, T>,
    ) -> Result<BesideArgs<'a>, ContractError> {
        let space = c.space();
        Ok(BesideArgs {
            row_scales: or_empty(self.row_scales.map(|scales| scales.data()), space),
            col_scales: or_empty(self.col_scales.map(|scales| scales.data()), space),
            row_zeros: or_empty(self.row_zeros.map(|zeros| zeros.values()), space),
            col_zeros: or_empty(self.col_zeros.map(|zeros| zeros.values()), space),
            // The zero points of one side go with the sums of the other.
            row_sums: or_empty(self.col_zeros.map(|zeros| zeros.sums()), space),
            col_sums: or_empty(self.row_zeros.map(|zeros| zeros.sums()), space),
            bias: bias_argument(problem, self.bias, c)?,
            extent: extent(problem, config),
        })
    }
}

/// What kernels take beside the matrices; empty where a call gives nothing.
#[doc(hidden)]
#[allow(missing_docs, reason = "they are the kernels'")]
#[derive(Debug)]
pub struct BesideArgs<'a> {
    pub row_scales: DeviceSlice<'a, f32>,
    pub col_scales: DeviceSlice<'a, f32>,
    pub row_zeros: DeviceSlice<'a, i32>,
    pub col_zeros: DeviceSlice<'a, i32>,
    pub row_sums: DeviceSlice<'a, i32>,
    pub col_sums: DeviceSlice<'a, i32>,
    pub bias: Bias,
    pub extent: Extent,
}

/// Grid and shared memory of a launch on sm_80, and what its parts of k leave to the last of them.
pub struct Sm80Launch<'w, S> {
    pub shape: LaunchShape,
    pub parts: DeviceSliceMut<'w, S>,
    pub arrived: DeviceSliceMut<'w, u32>,
}

impl<'w, S: DeviceRepr> Sm80Launch<'w, S> {
    /// That of `tile`, with its memory from the workspace.
    ///
    /// # Errors
    /// A grid that is too large, or the device's.
    pub fn new<D: Device>(
        device: &D,
        workspace: &'w mut Workspace<D>,
        problem: &Problem,
        (tile, splits): (Sm80Tile, u32),
        space: SpaceId,
    ) -> Result<Self, Error> {
        let Problem { product, m, n, .. } = *problem;
        let plan = tile.tile(product);
        let shape = LaunchShape::cover(plan.blocks(m, n, splits), 1)?.with_shared_bytes(plan.shared_bytes());
        let (sums, counters) = (plan.parts_len(m, n, splits), plan.arrived_len(m, n, splits));
        let (parts, arrived) = workspace.views(device, space, sums, counters)?;
        Ok(Self { shape, parts, arrived })
    }
}

fn or_empty<T: DeviceRepr>(view: Option<DeviceSlice<'_, T>>, space: SpaceId) -> DeviceSlice<'_, T> {
    view.unwrap_or(DeviceSlice::empty(space))
}

fn extent(problem: &Problem, config: Config) -> Extent {
    let Problem { m, n, k, strides: [stride_a, stride_b, stride_c], .. } = *problem;
    Extent { m, n, k, splits: config.splits, stride_a, stride_b, stride_c }
}

/// The bias as kernels take it, by its address: whether it may be used, and lies apart from the output, is looked after here.
fn bias_argument<T: DeviceRepr>(
    problem: &Problem,
    bias: Option<BiasRef<'_>>,
    c: &DeviceSliceMut<'_, T>,
) -> Result<Bias, ContractError> {
    let Some(bias) = bias else { return Ok(Bias::ABSENT) };
    let entry = problem.product.op();
    if bias.space() != c.space() {
        let (got, want) = (bias.space().get(), c.space().get());
        return Err(ContractError::WrongSpace { entry, param: "bias", got, want });
    }
    let (first, last) = bias.bounds();
    if first < c.addr() + c.len() * size_of::<T>() as u64 && c.addr() < last {
        return Err(ContractError::Overlap { entry, left: "bias", right: "c" });
    }
    Ok(bias.argument())
}
