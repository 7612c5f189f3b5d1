#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{GridMut, kernel};

#[kernel(blocks = 256)]
pub fn fill(y: GridMut<f32>) {}

fn main() {}
