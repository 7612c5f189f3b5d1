#![allow(unused, reason = "only the refusal counts")]

use gpu_std::kernel;

#[repr(C, align(64))]
pub struct TensorMap([u64; 16]);

#[kernel(block = 128, target = "sm_90")]
pub fn tiles(from: &TensorMap) {
    let _ = from;
}

fn main() {}
