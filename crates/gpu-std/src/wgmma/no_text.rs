//! In place of the instructions' text, where no target has them.

use super::acc::Registers;

/// Nothing.
pub trait Floats: Registers {
    fn pin(_acc: &mut Self::Array) {}
}

/// Nothing.
pub fn pin_a(_a: &mut [u32; 4]) {}

/// Nothing.
pub trait Integers {}

impl<T: Registers> Floats for T {}
impl<T> Integers for T {}
