#![allow(unused, reason = "only the refusal counts")]

use gpu_std::{GridMut, kernel};

pub struct Table<'a> {
    rows: &'a [f32],
}

#[kernel(block = 256)]
pub fn lookup(table: Table<'_>, y: GridMut<f32>) {}

fn main() {}
