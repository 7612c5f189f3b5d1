#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{GridMut, kernel};

#[kernel(block = 128, cluster = 2)]
pub fn pairs(y: GridMut<f32>) {
    y.for_each(|_, y| *y = 1.0);
}

fn main() {}
