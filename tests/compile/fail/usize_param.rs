#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{GridMut, kernel};

#[kernel(block = 256)]
pub fn fill(y: GridMut<f32>, stride: usize) {}

fn main() {}
