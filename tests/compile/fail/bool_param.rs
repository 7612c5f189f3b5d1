#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{GridMut, kernel};

#[kernel(block = 256)]
pub fn clamp(x: &[f32], y: GridMut<f32>, saturate: bool) {}

fn main() {}
