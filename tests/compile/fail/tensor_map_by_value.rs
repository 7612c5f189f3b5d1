#![allow(unused, reason = "only the refusal counts")]

use gpu_std::kernel;
use gpu_std::tma::TensorMap;

#[kernel(block = 128, target = "sm_90")]
pub fn tiles(from: TensorMap) {
    let _ = from;
}

fn main() {}
