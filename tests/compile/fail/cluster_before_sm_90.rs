#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{GridMut, kernel};

#[kernel(block = 128, cluster = 2, target = "sm_80")]
pub fn pairs(y: GridMut<f32>) {}

fn main() {}
