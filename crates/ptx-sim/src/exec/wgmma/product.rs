//! The product of a warp: 16 rows of A, all columns of B.

use super::operands::Matrix;
use crate::arith::matrix::{Element, ExactSum};
use crate::exec::regs::Regs;
use crate::program::ir::{Reg, Wgmma};
use crate::program::wgmma::Elements;

/// D = A · B, or D += A · B. Register i of lane l has row l / 4 + 8 (i / 2 % 2) and column 8 (i / 4) + 2 (l % 4) + i % 2.
pub(super) fn accumulate(regs: &mut Regs, op: &Wgmma, adds: bool, a: &Matrix, b: &Matrix) {
    let product = Product::new(op, a, b);
    for (index, row) in op.d.iter().enumerate() {
        let reg = Reg::W(*row);
        for lane in 0..32 {
            let (i, j) = (lane / 4 + index / 2 % 2 * 8, index / 4 * 8 + lane % 4 * 2 + index % 2);
            let undefined = a.undefined[i] | b.undefined[j] != 0 || adds && regs.shadow(reg, lane) != 0;
            let old = adds.then(|| regs.get(reg, lane) as u32);
            regs.set(reg, lane, product.element(i, j, old).into());
            if undefined {
                regs.set_shadow(reg, lane, u64::MAX);
            }
        }
    }
}

/// Both operands as numbers.
enum Product {
    Integers(Vec<[i32; 32]>, Vec<[i32; 32]>),
    Floats(Vec<[f64; 16]>, Vec<[f64; 16]>),
}

impl Product {
    fn new(op: &Wgmma, a: &Matrix, b: &Matrix) -> Self {
        let floats = |matrix: &Matrix, element: Element, negated: bool| {
            let sign = if negated { -1.0 } else { 1.0 };
            let row = |bytes: &[u8; 32]| {
                std::array::from_fn(|k| {
                    let bits = u16::from_le_bytes([bytes[2 * k], bytes[2 * k + 1]]);
                    sign * element.float(bits.into(), 0)
                })
            };
            matrix.rows.iter().map(row).collect()
        };
        let integers = |matrix: &Matrix, signed: bool| {
            let number = |byte: u8| if signed { i32::from(byte as i8) } else { i32::from(byte) };
            matrix.rows.iter().map(|bytes| bytes.map(number)).collect()
        };
        match op.elements {
            Elements::Integers(s, t) => Product::Integers(integers(a, s), integers(b, t)),
            elements => {
                let element = if elements == Elements::Bf16 { Element::Bf16 } else { Element::F16 };
                Product::Floats(floats(a, element, op.negated), floats(b, element, false))
            }
        }
    }

    /// The sum over k, with what it is added to.
    fn element(&self, i: usize, j: usize, old: Option<u32>) -> u32 {
        match self {
            Product::Integers(a, b) => {
                let sum: i32 = a[i].iter().zip(&b[j]).map(|(a, b)| a * b).sum();
                (sum as u32).wrapping_add(old.unwrap_or(0))
            }
            Product::Floats(a, b) => {
                let mut sum = ExactSum::new(f32::from_bits(old.unwrap_or(0)).into());
                a[i].iter().zip(&b[j]).for_each(|(a, b)| sum.add(a * b));
                sum.to_f32().to_bits()
            }
        }
    }
}
