#![allow(unused, reason = "only the refusal counts")]

use gpu_std::kernel;

#[kernel(block = 256)]
pub fn scale(y: &mut [f32], alpha: f32) {}

fn main() {}
