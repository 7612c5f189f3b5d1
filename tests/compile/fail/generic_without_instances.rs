#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{GridMut, Real, kernel};

#[kernel(block = 256)]
pub fn square<T: Real>(x: &[T], y: GridMut<T>) {}

fn main() {}
