#![allow(unused, reason = "only the refusal counts")]

use gpu_std::DeviceRepr;

#[derive(Clone, Copy, DeviceRepr)]
#[repr(C)]
pub struct Table {
    rows: &'static [f32],
}

fn main() {}
