//! `mma.sync`: a warp multiplies two matrices that lie in its registers and adds a third (PTX ISA 9.7.14.5).
//!
//! D = A * B + C with A of 16 x k, B of k x 8, C and D of 16 x 8 elements. A row of A and a column of B are 256 bits, whatever
//! the type, so that A has four registers of 32 bits, B two, C and D four.

mod bound;
mod exact_sum;
#[cfg(test)]
mod tests;

use ptx_parse::ast::Instruction;

pub use bound::{MatrixBound, matrix_bound};
pub(crate) use exact_sum::ExactSum;

/// A register of 32 bits in every lane.
type Lanes = [u32; 32];

/// The rows of A, C and D.
const ROWS: usize = 16;
/// The columns of B, C and D.
const COLUMNS: usize = 8;
/// The most elements of a row of A.
const MOST: usize = 32;

/// The type of the elements of A or B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the type of that name")]
pub(crate) enum Element {
    S8,
    U8,
    F16,
    Bf16,
    Tf32,
}

impl Element {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "s8" => Self::S8,
            "u8" => Self::U8,
            "f16" => Self::F16,
            "bf16" => Self::Bf16,
            "tf32" => Self::Tf32,
            _ => return None,
        })
    }

    fn is_integer(self) -> bool {
        matches!(self, Self::S8 | Self::U8)
    }

    /// Elements in a register.
    fn per_register(self) -> usize {
        match self {
            Self::S8 | Self::U8 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::Tf32 => 1,
        }
    }

    /// Element `index` of a register, where it is an integer.
    fn integer(self, register: u32, index: usize) -> i32 {
        let bits = register >> (8 * index);
        if self == Self::S8 { i32::from(bits as i8) } else { i32::from(bits as u8) }
    }

    /// Element `index` of a register, where it is a float. Of a tf32 the upper 19 bits count.
    pub fn float(self, register: u32, index: usize) -> f64 {
        let bits = register >> (16 * index);
        match self {
            Self::F16 => half::f16::from_bits(bits as u16).to_f64(),
            Self::Bf16 => half::bf16::from_bits(bits as u16).to_f64(),
            _ => f64::from(f32::from_bits(bits & !0x1fff)),
        }
    }
}

/// A form of `mma.sync`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatrixProduct {
    a: Element,
    b: Element,
    /// Whether sums that an `s32` cannot hold become the nearest that it can.
    satfinite: bool,
}

/// The registers of a warp that hold A, B and C, or where each has undefined bits (bit `lane` of a register).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragments<T> {
    pub a: [T; 4],
    pub b: [T; 2],
    pub c: [T; 4],
}

impl MatrixProduct {
    /// The form that the modifiers of `mma` name; `None` for one that is not executed here.
    pub fn from_modifiers(modifiers: &[&str]) -> Option<Self> {
        let ["sync", "aligned", shape, "row", "col", rest @ ..] = modifiers else { return None };
        let (satfinite, types) = match rest {
            ["satfinite", types @ ..] => (true, types),
            types => (false, types),
        };
        let [d, a, b, c] = types else { return None };
        let (a, b) = (Element::from_name(a)?, Element::from_name(b)?);
        let (k, sums) = if a.is_integer() { ("m16n8k32", "s32") } else { ("", "f32") };
        let k = match a {
            Element::F16 | Element::Bf16 => "m16n8k16",
            Element::Tf32 => "m16n8k8",
            _ => k,
        };
        let fits = if a.is_integer() { b.is_integer() } else { a == b && !satfinite };
        (fits && *shape == k && [*d, *c] == [sums; 2]).then_some(Self { a, b, satfinite })
    }

    /// Elements of a row of A.
    pub fn k(self) -> usize {
        8 * self.a.per_register()
    }

    /// The registers of D.
    pub fn warp(self, from: &Fragments<&Lanes>) -> [Lanes; 4] {
        if self.a.is_integer() {
            let (a, b) = self.operands(from, Element::integer);
            // At most 32 * 2^15: no sum of products overflows.
            self.each(from, |row, column, c| {
                let sum: i32 = a[row].iter().zip(&b[column]).map(|(a, b)| a * b).sum();
                let sum = i64::from(sum) + i64::from(c as i32);
                let stays = sum.clamp(i32::MIN.into(), i32::MAX.into());
                (if self.satfinite { stays } else { sum }) as u32
            })
        } else {
            let (a, b) = self.operands(from, Element::float);
            let k = self.k();
            self.each(from, |row, column, c| {
                let mut sum = ExactSum::new(f32::from_bits(c).into());
                a[row][..k].iter().zip(&b[column]).for_each(|(a, b)| sum.add(a * b));
                sum.to_f32().to_bits()
            })
        }
    }

    /// The rows of A and the columns of B, zeros behind their ends.
    fn operands<N: Copy + Default>(
        self,
        from: &Fragments<&Lanes>,
        element: impl Fn(Element, u32, usize) -> N,
    ) -> ([[N; MOST]; ROWS], [[N; MOST]; COLUMNS]) {
        let (mut a, mut b) = ([[N::default(); MOST]; ROWS], [[N::default(); MOST]; COLUMNS]);
        let per_register = self.a.per_register();
        let spread = |to: &mut [N; MOST], first: usize, ty: Element, register: u32| {
            for (index, to) in to[first..first + per_register].iter_mut().enumerate() {
                *to = element(ty, register, index);
            }
        };
        for (register, lanes) in from.a.iter().enumerate() {
            for (lane, bits) in lanes.iter().enumerate() {
                let first = column(per_register, lane, register / 2);
                spread(&mut a[lane / 4 + 8 * (register % 2)], first, self.a, *bits);
            }
        }
        for (register, lanes) in from.b.iter().enumerate() {
            for (lane, bits) in lanes.iter().enumerate() {
                spread(&mut b[lane / 4], column(per_register, lane, register), self.b, *bits);
            }
        }
        (a, b)
    }

    /// D, each of whose elements is a function of its row, its column and the element of C.
    fn each(self, from: &Fragments<&Lanes>, element: impl Fn(usize, usize, u32) -> u32) -> [Lanes; 4] {
        std::array::from_fn(|register| {
            std::array::from_fn(|lane| {
                let (row, column) = place(register, lane);
                element(row, column, from.c[register][lane])
            })
        })
    }

    /// The lanes in which each register of D is undefined: an element is where one of its row of A, of its column of B, or of
    /// C is.
    pub fn undefined(from: &Fragments<u32>) -> [u32; 4] {
        // Four lanes hold a row of A or a column of B.
        let quad = |lanes: u32, index: usize| lanes >> (4 * index) & 15 != 0;
        std::array::from_fn(|register| {
            let mut undefined = from.c[register];
            for lane in 0..32 {
                let (row, column) = place(register, lane);
                let [low, high] = [from.a[row / 8], from.a[row / 8 + 2]];
                let touched = quad(low | high, row % 8) || quad(from.b[0] | from.b[1], column);
                undefined |= u32::from(touched) << lane;
            }
            undefined
        })
    }
}

/// The first element, along k, of a lane's register in half `half` of a row of A or a column of B.
fn column(per_register: usize, lane: usize, half: usize) -> usize {
    lane % 4 * per_register + 4 * per_register * half
}

/// Row and column of a lane's register of C and D.
fn place(register: usize, lane: usize) -> (usize, usize) {
    (lane / 4 + 8 * (register / 2), lane % 4 * 2 + register % 2)
}

/// The form of an instruction, if it is an `mma` that is executed here.
pub(crate) fn find(instruction: &Instruction) -> Option<MatrixProduct> {
    let modifiers: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
    (instruction.opcode == "mma").then(|| MatrixProduct::from_modifiers(&modifiers))?
}
