#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{GridMut, kernel};

#[derive(Clone, Copy)]
pub struct Range {
    from: f32,
    to: f32,
}

#[kernel(block = 256)]
pub fn fill(y: GridMut<f32>, range: Range) {}

fn main() {}
