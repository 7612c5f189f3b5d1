#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{GridMut, kernel};

#[kernel(block = 128, cluster = 16, target = "sm_90")]
pub fn sixteen(y: GridMut<f32>) {}

fn main() {}
