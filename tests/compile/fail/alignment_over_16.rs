#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{DeviceRepr, GridMut, kernel};

#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub struct Tile([f32; 8]);

// SAFETY: fixed layout, every bit pattern valid; the alignment is what the kernel below refuses.
unsafe impl DeviceRepr for Tile {
    const NAME: &'static str = "Tile";
}

#[kernel(block = 256)]
pub fn fill(y: GridMut<f32>, tile: Tile) {}

fn main() {}
