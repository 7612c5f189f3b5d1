#![allow(unused, reason = "only the refusal counts")]

use gpu_std::DeviceRepr;

#[derive(Clone, Copy, DeviceRepr)]
#[repr(C, align(32))]
pub struct Tile([f32; 8]);

fn main() {}
