//! A product, and its operands in buffers that are larger.

use gpu_std::DeviceRepr;
use gpu_std::launch::{DeviceSlice, DeviceSliceMut};
use host::runtime::{Buffer as _, Device as _, Sim, SimBuffer};
use kernels_gpu::matmul::epilogue::{Bias, Extent};

/// Extents, and where the operands lie: elements in front of a, b and c, and behind each row.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub m: u32,
    pub n: u32,
    pub k: u32,
    pub splits: u32,
    pub front: [u32; 3],
    pub behind: [u32; 3],
    pub seed: u64,
}

/// A number that looks random.
pub fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

impl Case {
    /// A product whose operands lie one row behind the other.
    pub const fn new(m: u32, n: u32, k: u32) -> Self {
        Self { m, n, k, splits: 1, front: [0; 3], behind: [0; 3], seed: 0 }
    }

    pub const fn splits(self, splits: u32) -> Self {
        Self { splits, ..self }
    }

    pub const fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    pub const fn placed(self, front: [u32; 3], behind: [u32; 3]) -> Self {
        Self { front, behind, ..self }
    }

    /// The same with rows of a and b that start at multiples of 16 bytes.
    pub fn aligned(self, size: u32) -> Self {
        let chunk = 16 / size;
        let up = self.k.next_multiple_of(chunk) - self.k;
        let behind =
            [up + self.behind[0] / chunk * chunk, up + self.behind[1] / chunk * chunk, self.behind[2]];
        let front = [self.front[0] / chunk * chunk, self.front[1] / chunk * chunk, self.front[2]];
        Self { front, behind, ..self }
    }

    /// From row to row.
    pub const fn stride(&self, operand: usize) -> usize {
        ([self.k, self.k, self.n][operand] + self.behind[operand]) as usize
    }

    pub const fn rows(&self, operand: usize) -> usize {
        [self.m, self.n, self.m][operand] as usize
    }

    /// Where element (row, column) of an operand lies in its buffer.
    pub const fn at(&self, operand: usize, row: usize, column: usize) -> usize {
        self.front[operand] as usize + row * self.stride(operand) + column
    }

    /// Elements of an operand's buffer.
    pub const fn len(&self, operand: usize) -> usize {
        self.front[operand] as usize + self.rows(operand) * self.stride(operand) + 5
    }

    /// The elements of a buffer that belong to the operand, the rows' ends included.
    pub fn view<'a, T: DeviceRepr>(&self, operand: usize, buffer: &'a SimBuffer<T>) -> DeviceSlice<'a, T> {
        let (first, end) = self.range(operand);
        buffer.as_slice().slice(first..end).expect("it is inside")
    }

    pub fn view_mut<'a, T: DeviceRepr>(
        &self,
        operand: usize,
        buffer: &'a mut SimBuffer<T>,
    ) -> DeviceSliceMut<'a, T> {
        let (first, end) = self.range(operand);
        buffer.as_mut_slice().slice(first..end).expect("it is inside")
    }

    fn range(&self, operand: usize) -> (u64, u64) {
        let first = self.front[operand] as usize;
        let columns = [self.k, self.k, self.n][operand] as usize;
        (first as u64, (first + (self.rows(operand) - 1) * self.stride(operand) + columns) as u64)
    }

    pub fn extent(&self) -> Extent {
        let [stride_a, stride_b, stride_c] = [0, 1, 2].map(|operand| self.stride(operand) as u64);
        Extent { m: self.m, n: self.n, k: self.k, splits: self.splits, stride_a, stride_b, stride_c }
    }

    /// A vector of `len` elements.
    pub fn vector<T>(&self, salt: u64, len: usize, f: impl Fn(u64) -> T) -> Vec<T> {
        (0..len as u64).map(|i| f(mix(self.seed << 40 ^ salt << 32 ^ i))).collect()
    }
}

/// A bias of f32 on the device, in the type that `ty` names.
pub enum BiasBuffer {
    None,
    Single(SimBuffer<f32>),
    Half(SimBuffer<gpu_std::f16>),
    Brain(SimBuffer<gpu_std::bf16>),
}

/// Type number `ty` of a bias: the buffer, and what it holds; -0 where there is none.
pub fn bias(sim: &Sim, ty: u32, values: &[f32]) -> (BiasBuffer, Vec<f32>) {
    let half: Vec<_> = values.iter().map(|x| half::f16::from_f32(*x)).collect();
    let brain: Vec<_> = values.iter().map(|x| half::bf16::from_f32(*x)).collect();
    match ty {
        Bias::F32 => (BiasBuffer::Single(sim.upload(values).expect("uploaded")), values.to_vec()),
        Bias::F16 => {
            let seen = half.iter().map(|x| x.to_f32()).collect();
            (BiasBuffer::Half(sim.upload(&half).expect("uploaded")), seen)
        }
        Bias::BF16 => {
            let seen = brain.iter().map(|x| x.to_f32()).collect();
            (BiasBuffer::Brain(sim.upload(&brain).expect("uploaded")), seen)
        }
        _ => (BiasBuffer::None, vec![-0.0; values.len()]),
    }
}

impl BiasBuffer {
    pub fn of(&self) -> Bias {
        let (address, ty) = match self {
            Self::None => return Bias::ABSENT,
            Self::Single(buffer) => (buffer.as_slice().addr(), Bias::F32),
            Self::Half(buffer) => (buffer.as_slice().addr(), Bias::F16),
            Self::Brain(buffer) => (buffer.as_slice().addr(), Bias::BF16),
        };
        Bias { address, ty, reserved: 0 }
    }
}

/// An element of C: how it is compared.
pub trait Element: DeviceRepr + std::fmt::Debug + PartialEq {
    /// What lies in C before a launch.
    const BEFORE: Self;

    /// The bits that must agree.
    fn bits(self) -> u64;
}

macro_rules! elements {
    ($($ty:ty = $before:expr, |$x:ident| $bits:expr;)*) => {$(
        impl Element for $ty {
            const BEFORE: Self = $before;

            fn bits(self) -> u64 {
                let $x = self;
                $bits
            }
        }
    )*};
}
elements! {
    f32 = -1.5e30, |x| x.to_bits().into();
    half::f16 = half::f16::from_bits(0xfbcd), |x| x.to_bits().into();
    half::bf16 = half::bf16::from_bits(0xfbcd), |x| x.to_bits().into();
    i8 = 0x5a, |x| x as u64;
    i32 = 0x5a5a_5a5a, |x| x as u64;
    i64 = 0x5a5a_5a5a_5a5a_5a5a, |x| x as u64;
}

/// Compares a buffer of C: `want` inside, what was there before outside.
pub fn compare<T: Element>(what: &str, case: &Case, got: &[T], want: impl Fn(usize, usize) -> T) {
    let mut expected = vec![T::BEFORE; case.len(2)];
    for i in 0..case.m as usize {
        for j in 0..case.n as usize {
            expected[case.at(2, i, j)] = want(i, j);
        }
    }
    let wrong = |at: &usize| got[*at].bits() != expected[*at].bits();
    let faults = (0..expected.len()).filter(wrong).count();
    if let Some(at) = (0..expected.len()).find(wrong) {
        let (row, column) = (at.wrapping_sub(case.front[2] as usize) / case.stride(2), at % case.stride(2));
        panic!(
            "{what} {case:?}: {faults} elements differ, the first at {at} (row {row}, {column}): got {:?}, want {:?}",
            got[at], expected[at]
        );
    }
}
