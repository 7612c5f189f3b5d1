#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{DevicePtr, kernel};

#[kernel(block = 256)]
pub fn count(bins: DevicePtr<u32>) {}

fn main() {}
