#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{GridMut, kernel};

#[kernel(block = 256)]
pub fn größe(y: GridMut<f32>) {}

fn main() {}
