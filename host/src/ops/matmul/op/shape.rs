//! What a case is made of, and its name.

use crate::backend::Device;
use crate::ops::matmul::{Kernel, MatmulError, Problem};
use crate::ops::{Case, OpError, Placement, Values};

/// The seed of every named case.
pub const SEED: u64 = 20_261_130;

/// Scales, or zero points: of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vector {
    /// One for each row.
    Each,
    /// One for all.
    One,
    /// None.
    Absent,
}

/// Elements of a bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bias {
    /// None.
    Absent,
    F32,
    F16,
    Bf16,
}

/// What the codes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codes {
    /// Every code as often.
    Uniform,
    /// The lowest alone: the largest sums.
    Lowest,
    /// The lowest and the highest.
    Extreme,
    /// The highest, and scales of 1 and 1e-4: sums that are beyond f16 until both scales have been applied.
    BeyondF16,
    /// Products that lie a little below the middle between two outputs, by less than f32 shows: each rounding on the way decides.
    /// Of floats whole numbers, whose sums are exact: the output is rounded once.
    Ties,
}

const VECTORS: [Vector; 3] = [Vector::Each, Vector::One, Vector::Absent];
const BIASES: [Bias; 4] = [Bias::Absent, Bias::F32, Bias::F16, Bias::Bf16];
const CODES: [Codes; 5] = [Codes::Uniform, Codes::Lowest, Codes::Extreme, Codes::BeyondF16, Codes::Ties];

/// A product; [`Shape::new`] is the simplest of its extents.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub m: u64,
    pub n: u64,
    pub k: u64,
    /// Elements between the rows of a, b and c.
    pub gaps: [u64; 3],
    /// Elements in front of a, b and c.
    pub offsets: [u64; 3],
    pub row_scales: Vector,
    pub col_scales: Vector,
    pub row_zeros: Vector,
    pub col_zeros: Vector,
    pub bias: Bias,
    pub codes: Codes,
    /// Whether floats are bf16 where the output's type leaves that open.
    pub bf16: bool,
    /// The table's where there is none.
    pub kernel: Option<Kernel>,
    /// Parts of k; the table's where it is 0.
    pub splits: u64,
}

impl Shape {
    /// The kernel that is asked for; none where it is one of a newer architecture that does not compute the problem here, so
    /// that a case is one on every device. Cases named after such a kernel run it wherever it is: there is a test of that.
    pub fn kernel_on(&self, problem: &Problem, device: &impl Device) -> Option<Kernel> {
        self.kernel.filter(|kernel| match kernel {
            Kernel::Sm90(_) => kernel.needs(problem, device).is_none(),
            _ => true,
        })
    }

    /// A product with scales for each row and column.
    pub const fn new(m: u64, n: u64, k: u64) -> Self {
        Self {
            m,
            n,
            k,
            gaps: [0; 3],
            offsets: [0; 3],
            row_scales: Vector::Each,
            col_scales: Vector::Each,
            row_zeros: Vector::Absent,
            col_zeros: Vector::Absent,
            bias: Bias::Absent,
            codes: Codes::Uniform,
            bf16: false,
            kernel: None,
            splits: 0,
        }
    }

    /// The case, named by what is not as in [`Shape::new`].
    pub fn case(self) -> Case {
        let Self { m, n, k, gaps, offsets, .. } = self;
        let strides = [k + gaps[0], k + gaps[1], n + gaps[2]];
        let place =
            |at: usize| Placement { stride: (gaps[at] > 0).then_some(strides[at]), offset: offsets[at] };
        Case {
            name: self.name(),
            dims: vec![m, n, k],
            operands: (0..3).map(place).collect(),
            values: Values::Uniform,
            seed: SEED,
            options: self.options(),
        }
    }

    fn options(&self) -> Vec<(&'static str, u64)> {
        let kernel = self.kernel.map_or(0, |kernel| 1 + place(&Kernel::ALL, kernel));
        vec![
            ("row_scales", place(&VECTORS, self.row_scales)),
            ("col_scales", place(&VECTORS, self.col_scales)),
            ("row_zeros", 2 - place(&VECTORS, self.row_zeros)),
            ("col_zeros", 2 - place(&VECTORS, self.col_zeros)),
            ("bias", place(&BIASES, self.bias)),
            ("codes", place(&CODES, self.codes)),
            ("bf16", self.bf16.into()),
            ("kernel", kernel),
            ("splits", self.splits),
        ]
    }

    /// What a case asks for.
    pub fn of(op: &'static str, case: &Case) -> Result<Self, OpError> {
        let wrong = |what, got, want| OpError::CaseShape { op, case: case.name.clone(), what, got, want };
        let &[m, n, k] = case.dims.as_slice() else { return Err(wrong("extents", case.dims.len(), 3)) };
        let places: [Placement; 3] =
            case.operands.as_slice().try_into().map_err(|_| wrong("operands", case.operands.len(), 3))?;
        let widths = [k, k, n];
        let gap = |at: usize| {
            let stride = places[at].stride.unwrap_or(widths[at]);
            stride
                .checked_sub(widths[at])
                .ok_or_else(|| wrong("elements between rows", stride as usize, widths[at] as usize))
        };
        let pick = |name| case.option(name) as usize;
        let vector = |at: usize| VECTORS[at.min(VECTORS.len() - 1)];
        let kernel = pick("kernel").checked_sub(1);
        Ok(Self {
            m,
            n,
            k,
            gaps: [gap(0)?, gap(1)?, gap(2)?],
            offsets: places.map(|place| place.offset),
            row_scales: vector(pick("row_scales")),
            col_scales: vector(pick("col_scales")),
            row_zeros: vector(2 - pick("row_zeros").min(2)),
            col_zeros: vector(2 - pick("col_zeros").min(2)),
            bias: BIASES[pick("bias").min(BIASES.len() - 1)],
            codes: CODES[pick("codes").min(CODES.len() - 1)],
            bf16: case.option("bf16") == 1,
            kernel: kernel.and_then(|at| Kernel::ALL.get(at).copied()),
            splits: case.option("splits"),
        })
    }

    fn name(&self) -> String {
        let Self { m, n, k, gaps, offsets, splits, .. } = *self;
        let mut name = format!("{m}x{n}x{k}");
        let mut add = |differs: bool, text: String| {
            if differs {
                name.push_str(&format!("_{text}"));
            }
        };
        let three = |[a, b, c]: [u64; 3]| format!("{a}_{b}_{c}");
        let vector = |vector: Vector| format!("{vector:?}").to_lowercase();
        add(gaps != [0; 3], format!("gaps_{}", three(gaps)));
        add(offsets != [0; 3], format!("offsets_{}", three(offsets)));
        add(self.row_scales != Vector::Each, format!("row_scales_{}", vector(self.row_scales)));
        add(self.col_scales != Vector::Each, format!("col_scales_{}", vector(self.col_scales)));
        add(self.row_zeros != Vector::Absent, format!("row_zeros_{}", vector(self.row_zeros)));
        add(self.col_zeros != Vector::Absent, format!("col_zeros_{}", vector(self.col_zeros)));
        add(self.bias != Bias::Absent, format!("bias_{:?}", self.bias).to_lowercase());
        add(self.codes != Codes::Uniform, format!("{:?}", self.codes).to_lowercase());
        add(self.bf16, "of_bf16".to_owned());
        if let Some(kernel) = self.kernel {
            add(true, kernel.name().to_owned());
        }
        add(splits != 0, format!("splits_{splits}"));
        name
    }

    /// Multiplications, where they can be counted.
    pub fn terms(&self) -> u64 {
        self.m.saturating_mul(self.n).saturating_mul(self.k)
    }

    /// Parts of k as calls take them.
    pub fn parts(&self, op: &'static str) -> Result<u32, MatmulError> {
        let limit = crate::ops::matmul::MAX_SPLITS;
        u32::try_from(self.splits).map_err(|_| MatmulError::Splits { op, splits: u32::MAX, limit })
    }
}

fn place<T: PartialEq>(all: &[T], one: T) -> u64 {
    all.iter().position(|known| *known == one).unwrap_or(0) as u64
}
