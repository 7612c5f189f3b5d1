//! [`Op`] for everything that works row by row on matrices of one shape.

use std::marker::PhantomData;

use gpu_std::{bf16, f16};
use rayon::iter::{IndexedParallelIterator as _, ParallelIterator as _};

use super::run::{Place, all_ok, entries};
use super::{
    Case, DType, Elementwise, Executor, HostOperand, Layout, Op, OpError, Operands, Placement, Prepared,
    Scalar, Unit, fill, prepare, prepare_each,
};
use crate::backend::DeviceInfo;
use crate::error::Error;
use crate::validate::{Tolerance, poison};

/// Elements behind the last row of a test's buffer, which nothing may touch.
const GUARD: usize = 8;

/// Elements that one thread fills at least.
const IN_PARALLEL_ABOVE: usize = 1 << 14;

/// The facts of a row-wise op of `I` inputs and `O` outputs. Its implementations are [`Elementwise`].
pub trait RowKernel<const I: usize, const O: usize>: Sync + 'static {
    /// Name of the safe call.
    const NAME: &'static str;
    /// The module of its kernels.
    const FAMILY: &'static str;
    /// The formula.
    const FORMULA: &'static str;
    /// The kernels that compute it.
    const STEMS: &'static [&'static str];
    /// Names of the inputs.
    const INPUTS: [&'static str; I];
    /// Names of the outputs.
    const OUTPUTS: [&'static str; O];
    /// Whether the outputs' old values are inputs too.
    const IN_PLACE: bool;
    /// Arithmetic operations per element.
    const FLOPS: u64;
    /// How far a result may be from the reference.
    const TOLERANCE: Tolerance;
}

/// A row-wise op.
pub struct RowOp<K, const I: usize, const O: usize>(PhantomData<fn() -> K>);

impl<K, const I: usize, const O: usize> RowOp<K, I, O> {
    /// The op.
    pub const OP: Self = Self(PhantomData);
}

impl<K, const I: usize, const O: usize> Op for RowOp<K, I, O>
where
    K: RowKernel<I, O> + Elementwise<f32, I, O> + Elementwise<f16, I, O> + Elementwise<bf16, I, O>,
{
    fn name(&self) -> &'static str {
        K::NAME
    }

    fn family(&self) -> &'static str {
        K::FAMILY
    }

    fn formula(&self) -> &'static str {
        K::FORMULA
    }

    fn stems(&self) -> &'static [&'static str] {
        K::STEMS
    }

    fn dtypes(&self) -> &'static [DType] {
        &[DType::F32, DType::F16, DType::Bf16]
    }

    fn operands(&self) -> Vec<&'static str> {
        K::INPUTS.into_iter().chain(K::OUTPUTS).collect()
    }

    fn cases(&self) -> Vec<Case> {
        super::row_cases::cases(I, O)
    }

    fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
        super::row_cases::random(I, O, draw)
    }

    fn bench_cases(&self) -> Vec<Case> {
        super::row_cases::bench(I, O)
    }

    fn tolerance(&self, _dtype: DType, _case: &Case) -> Tolerance {
        K::TOLERANCE
    }

    fn bytes(&self, dtype: DType, case: &Case) -> u64 {
        let &[rows, cols] = case.dims.as_slice() else { return 0 };
        let distinct = |p: &Placement| match p.stride {
            Some(stride) if rows > 0 && cols > 0 && stride < cols => (rows - 1) * stride + cols,
            _ => rows * cols,
        };
        let passes = if K::IN_PLACE { 2 } else { 1 };
        let read: u64 = case.operands.iter().take(I).map(distinct).sum();
        (read + passes * O as u64 * rows * cols) * dtype.size_bytes()
    }

    fn flops(&self, case: &Case) -> u64 {
        case.dims.iter().product::<u64>() * K::FLOPS
    }

    fn unit(&self) -> Unit {
        Unit::GigabytesPerSecond
    }

    fn any_grid(&self) -> bool {
        true
    }

    fn prepare<'e>(
        &self,
        executor: &'e Executor,
        dtype: DType,
        case: &Case,
    ) -> Result<Box<dyn Prepared + 'e>, Error> {
        match dtype {
            DType::F32 => prepare::<f32, K, I, O>(executor, case_operands::<f32, K, I, O>(case)?),
            DType::F16 => prepare::<f16, K, I, O>(executor, case_operands::<f16, K, I, O>(case)?),
            DType::Bf16 => prepare::<bf16, K, I, O>(executor, case_operands::<bf16, K, I, O>(case)?),
            _ => Err(no_instance::<K, I, O>(dtype).into()),
        }
    }

    fn prepare_each<'e>(
        &self,
        executors: &[&'e Executor],
        dtype: DType,
        case: &Case,
    ) -> Result<Vec<Box<dyn Prepared + 'e>>, Error> {
        match dtype {
            DType::F32 => prepare_each::<f32, K, I, O>(executors, case_operands::<f32, K, I, O>(case)?),
            DType::F16 => prepare_each::<f16, K, I, O>(executors, case_operands::<f16, K, I, O>(case)?),
            DType::Bf16 => prepare_each::<bf16, K, I, O>(executors, case_operands::<bf16, K, I, O>(case)?),
            _ => Err(no_instance::<K, I, O>(dtype).into()),
        }
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        let (inputs, outputs) = case_places::<K, I, O>(case)?;
        match dtype {
            DType::F32 => entries::<f32, K, I, O>(info, inputs, outputs),
            DType::F16 => entries::<f16, K, I, O>(info, inputs, outputs),
            DType::Bf16 => entries::<bf16, K, I, O>(info, inputs, outputs),
            _ => Err(no_instance::<K, I, O>(dtype).into()),
        }
    }
}

fn no_instance<K: RowKernel<I, O>, const I: usize, const O: usize>(dtype: DType) -> OpError {
    OpError::NoInstance { op: K::NAME, dtype, has: "f32, f16, bf16".to_owned() }
}

/// Where the operands of a case lie: the inputs', the outputs'.
fn case_places<K: RowKernel<I, O>, const I: usize, const O: usize>(
    case: &Case,
) -> Result<([Place; I], [Place; O]), OpError> {
    let shape_error =
        |what, got, want| OpError::CaseShape { op: K::NAME, case: case.name.clone(), what, got, want };
    let &[rows, cols] = case.dims.as_slice() else { return Err(shape_error("extents", case.dims.len(), 2)) };
    if case.operands.len() != I + O {
        return Err(shape_error("operands", case.operands.len(), I + O));
    }
    let place = |index: usize| {
        let Placement { stride, offset } = case.operands[index];
        let layout = if index < I { Layout::new } else { Layout::new_mut };
        Ok::<_, OpError>((offset, layout(rows, cols, stride.unwrap_or(cols))?))
    };
    Ok((all_ok(std::array::from_fn(place))?, all_ok(std::array::from_fn(|o| place(I + o)))?))
}

/// The operands a case describes, in host memory.
///
/// # Errors
/// [`OpError::CaseShape`] for a case of another op; what [`Layout`] refuses.
pub fn case_operands<T: Scalar, K: RowKernel<I, O>, const I: usize, const O: usize>(
    case: &Case,
) -> Result<Operands<T, I, O>, OpError> {
    let (inputs, outputs) = case_places::<K, I, O>(case)?;
    let operand = |index: usize, name, (offset, layout): Place| {
        let len = offset as usize + layout.span() as usize + GUARD;
        let reads = index < I || K::IN_PLACE;
        let mut data = if reads {
            fill(case.values, case.seed_of(index), len)
        } else {
            rayon::iter::repeat_n(poison(), len).with_min_len(IN_PARALLEL_ABOVE).collect()
        };
        if index >= I && reads {
            poison_outside(&mut data, offset, layout);
        }
        HostOperand { name, data, offset, layout }
    };
    let inputs = std::array::from_fn(|i| operand(i, K::INPUTS[i], inputs[i]));
    let outputs = std::array::from_fn(|o| operand(I + o, K::OUTPUTS[o], outputs[o]));
    Ok(Operands { inputs, outputs, tolerance: K::TOLERANCE })
}

/// Poisons what lies in front of, between and behind the rows.
fn poison_outside<T: Scalar>(data: &mut [T], offset: u64, layout: Layout) {
    let (start, end) = (offset as usize, (offset + layout.span()) as usize);
    data[..start].fill(poison());
    data[end..].fill(poison());
    if layout.rows() > 1 && layout.cols() > 0 {
        for row in data[start..end].chunks_mut(layout.stride() as usize) {
            row[layout.cols() as usize..].fill(poison());
        }
    }
}
