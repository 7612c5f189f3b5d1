#![allow(unused, reason = "only the refusal counts")]

use gpu_std::kernel;

#[kernel(block = 256)]
pub fn sum(x: &[f32]) -> f32 {
    0.0
}

fn main() {}
