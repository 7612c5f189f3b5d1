//! Names and instances of a user's that could meet those `#[kernel]` writes.

use gpu_std::{DeviceRepr, Element, GridMut, kernel};

/// `S` is a generic parameter like any other.
#[kernel(instances(f32))]
pub fn sink<S: Element>(mut scale: S, x: &[S], y: GridMut<S>) {
    let _ = (&mut scale, x, y);
}

/// One constant needs no parentheses; an expression is in braces.
#[kernel(instances(n128 = 128, n256 = { 2 * 128 }))]
pub fn constant<const N: usize>(y: GridMut<f32>) {
    let _ = y;
}

/// `bool` is a constant of the kernel, not a parameter.
#[kernel(instances(yes = true, no = false))]
pub fn switched<const ON: bool>(y: GridMut<f32>) {
    let _ = y;
}

/// The names of a slice's two PTX parameters, taken; a keyword; the name of the entry's own function.
#[kernel]
pub fn entry(x: &[u32], x_len: u64, x_addr: u64, r#type: u32) {
    let _ = (x, x_len, x_addr, r#type);
}

/// Nothing is passed.
#[kernel]
pub fn nothing() {}

/// Bounds in a `where` clause.
#[kernel(instances(u32))]
pub fn bounded<T>(y: GridMut<T>)
where
    T: DeviceRepr + Copy,
{
    let _ = y;
}

fn main() {
    use gpu_std::launch::Kernel;
    assert_eq!(<constant_n256::Entry as Kernel>::ENTRY, "constant_n256");
    assert_eq!(<entry::Entry as Kernel>::PARAMS[3].name, "type");
    assert!(<nothing::Entry as Kernel>::PARAMS.is_empty());
    assert_eq!(<switched_no::Entry as Kernel>::INSTANCE, "no");
    assert_eq!(<sink_f32::Entry as Kernel>::PARAMS[0].ty, "f32");
    assert_eq!(<bounded_u32::Entry as Kernel>::PARAMS.len(), 1);
}
