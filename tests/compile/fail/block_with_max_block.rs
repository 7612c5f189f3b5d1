#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{GridMut, kernel};

#[kernel(block = 256, max_block = 512)]
pub fn fill(y: GridMut<f32>) {}

fn main() {}
