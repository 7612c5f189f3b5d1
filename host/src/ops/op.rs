//! What every op tells of itself, so that one runner tests and times them all.

use std::fmt;

use super::{DType, Executor, Values, inputs};
use crate::backend::DeviceInfo;
use crate::error::Error;
use crate::validate::{Comparison, Tolerance};

/// An op: what it is called, what runs it, how it is checked, what it costs.
pub trait Op: Sync {
    /// Its name, that of its safe call.
    fn name(&self) -> &'static str;

    /// Its family: the module of its kernels.
    fn family(&self) -> &'static str;

    /// The formula.
    fn formula(&self) -> &'static str;

    /// The kernels that compute it.
    fn stems(&self) -> &'static [&'static str];

    /// Other ops whose kernels it may launch, too.
    fn borrows_from(&self) -> &'static [&'static dyn Op] {
        &[]
    }

    /// Element types it has instances for.
    fn dtypes(&self) -> &'static [DType];

    /// Names of its operands in the order of [`Case::operands`]: inputs, then outputs.
    fn operands(&self) -> Vec<&'static str>;

    /// The cases every implementation must pass, named by shape.
    fn cases(&self) -> Vec<Case>;

    /// A random case. `draw(n)` gives a number below `n`; zeros give the simplest case.
    fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case;

    /// Shapes to time.
    fn bench_cases(&self) -> Vec<Case>;

    /// How far a result may be from the reference.
    fn tolerance(&self, dtype: DType, case: &Case) -> Tolerance;

    /// Bytes that must be moved: every input once, every output once.
    fn bytes(&self, dtype: DType, case: &Case) -> u64;

    /// Arithmetic operations.
    fn flops(&self, case: &Case) -> u64;

    /// The unit its rate is given in.
    fn unit(&self) -> Unit;

    /// Whether its kernels cover everything on whatever grid they are launched.
    fn any_grid(&self) -> bool {
        false
    }

    /// Makes the case's inputs and outputs where `executor` computes, with the outputs poisoned.
    ///
    /// # Errors
    /// A case the op refuses, an element type it has no instance for, or the back end's error.
    fn prepare<'e>(
        &self,
        executor: &'e Executor,
        dtype: DType,
        case: &Case,
    ) -> Result<Box<dyn Prepared + 'e>, Error> {
        let mut prepared = self.prepare_each(&[executor], dtype, case)?;
        Ok(prepared.remove(0))
    }

    /// The same where each of `executors` computes, from one set of values in host memory.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare).
    fn prepare_each<'e>(
        &self,
        executors: &[&'e Executor],
        dtype: DType,
        case: &Case,
    ) -> Result<Vec<Box<dyn Prepared + 'e>>, Error>;

    /// The PTX entries that one run of the case launches on a device like `info`, in order. Needs neither device nor memory.
    ///
    /// # Errors
    /// A case the op refuses, or an element type it has no instance for.
    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error>;
}

/// Unit of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 10^9 bytes a second, of [`Op::bytes`].
    GigabytesPerSecond,
    /// 10^12 operations a second, of [`Op::flops`].
    TeraOps,
    /// 10^9 cell updates a second, of [`Op::flops`] as cells.
    GigaCells,
}

impl Unit {
    /// The unit as records have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::GigabytesPerSecond => "GB/s",
            Self::TeraOps => "TOPS",
            Self::GigaCells => "GCUPS",
        }
    }

    /// The rate of a run over `bytes` and `ops` that took `us` microseconds.
    pub fn rate(self, bytes: u64, ops: u64, us: f64) -> f64 {
        match self {
            Self::GigabytesPerSecond => bytes as f64 / us / 1e3,
            Self::TeraOps => ops as f64 / us / 1e6,
            Self::GigaCells => ops as f64 / us / 1e3,
        }
    }
}

impl fmt::Debug for dyn Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Op({})", self.name())
    }
}

/// An op with its operands in place.
pub trait Prepared {
    /// Runs the op once; on a device it is enqueued.
    ///
    /// # Errors
    /// What the op refuses, or the back end's error.
    fn launch(&mut self) -> Result<(), Error>;

    /// Poisons the outputs again and puts back what the op has overwritten.
    ///
    /// # Errors
    /// The back end's.
    fn reset(&mut self) -> Result<(), Error>;

    /// Compares every output with the naive reference, as after one launch.
    ///
    /// # Errors
    /// The back end's. A wrong result is no error: see [`Comparison::passed`].
    fn verify(&mut self) -> Result<Vec<Comparison>, Error>;

    /// Waits until the launches are done.
    ///
    /// # Errors
    /// What they ran into.
    fn synchronize(&self) -> Result<(), Error>;
}

/// One shape of an op, with where each operand lies and what the inputs hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its name, from its shape, such as `rows_3x129_stride_140`.
    pub name: String,
    /// The extents, as the op's family counts them: rows and columns for feature cross.
    pub dims: Vec<u64>,
    /// Where each operand lies, in the order of [`Op::operands`].
    pub operands: Vec<Placement>,
    /// What the inputs hold.
    pub values: Values,
    /// Seed of the inputs.
    pub seed: u64,
    /// What else the op is told, by name. An op says which it knows; one that is not there is 0.
    pub options: Vec<(&'static str, u64)>,
}

impl Case {
    /// The extents as in `4096x128`, the strides where operands have gaps, the offsets where one has some, the options that are not
    /// 0, and what the values are unless they are [`Values::Uniform`]: `4096x4096 stride 4104`, `8x8x64 offset 1/1/0`,
    /// `1x1000x1x32 radius 3`, `1x1000x1x32 of walk`.
    pub fn shape(&self) -> String {
        let text =
            |numbers: Vec<u64>, between| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(between);
        let mut strides: Vec<u64> = self.operands.iter().filter_map(|operand| operand.stride).collect();
        strides.dedup();
        let mut shape = text(self.dims.clone(), "x");
        if !strides.is_empty() {
            shape.push_str(&format!(" stride {}", text(strides, "/")));
        }
        let offsets: Vec<u64> = self.operands.iter().map(|operand| operand.offset).collect();
        if offsets.iter().any(|offset| *offset != 0) {
            shape.push_str(&format!(" offset {}", text(offsets, "/")));
        }
        let options = self.options.iter().filter(|(_, value)| *value != 0);
        options.for_each(|(name, value)| shape.push_str(&format!(" {name} {value}")));
        if self.values != Values::Uniform {
            shape.push_str(&format!(" of {:?}", self.values).to_lowercase());
        }
        shape
    }

    /// The option of this name; 0 where there is none.
    pub fn option(&self, name: &str) -> u64 {
        self.options.iter().find(|(known, _)| *known == name).map_or(0, |(_, value)| *value)
    }

    /// Seed of operand number `operand`.
    pub fn seed_of(&self, operand: usize) -> u64 {
        inputs::mix(self.seed ^ (operand as u64) << 56)
    }
}

/// Where an operand lies in its buffer, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// From the start of a row to the start of the next; `None` leaves no gap.
    pub stride: Option<u64>,
    /// In front of the first element. A buffer starts at a 16-byte boundary at least.
    pub offset: u64,
}

impl Placement {
    /// At the start of the buffer, without gaps.
    pub const PLAIN: Self = Self { stride: None, offset: 0 };
}
