//! The product in plain loops.

use gpu_std::wgmma::Acc;

use super::values::Operands;
use super::{Spec, Types};

/// Results by thread and index, and by how much a GPU's may differ.
pub fn product(spec: &Spec, operands: &Operands) -> (Vec<u32>, Vec<f64>) {
    let places = (0..128).flat_map(|thread| (0..spec.n / 2).map(move |index| (thread, index)));
    places.map(|(thread, index)| element(spec, operands, Acc::<i32, 8>::element(thread, index))).unzip()
}

fn element(spec: &Spec, operands: &Operands, (row, column): (usize, usize)) -> (u32, f64) {
    let (a, b, c) = (&operands.a[row], &operands.b[column], operands.c[row][column]);
    if let Types::Integers(signed_a, signed_b) = spec.types {
        let number =
            |bits: u16, signed: bool| if signed { i64::from(bits as u8 as i8) } else { i64::from(bits) };
        let sum: i64 = a.iter().zip(b).map(|(a, b)| number(*a, signed_a) * number(*b, signed_b)).sum();
        let before = if spec.adds { i64::from(c) } else { 0 };
        return ((sum + before) as u32, 0.0);
    }
    let number = |bits: u16| match spec.types {
        Types::Bf16 => half::bf16::from_bits(bits).to_f64(),
        _ => half::f16::from_bits(bits).to_f64(),
    };
    let sign = if spec.negated[0] == spec.negated[1] { 1.0 } else { -1.0 };
    let mut terms: Vec<f64> = a.iter().zip(b).map(|(a, b)| sign * number(*a) * number(*b)).collect();
    if spec.adds {
        terms.push(f32::from_bits(c).into());
    }
    let sum: f64 = terms.iter().sum();
    let magnitudes = terms.iter().map(|term| term.abs()).sum();
    ((sum as f32).to_bits(), ptx_sim::MatrixBound { k: a.len() as u32 }.tolerance(magnitudes))
}
