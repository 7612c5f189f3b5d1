//! z[i] = f(x[i], y[i]), f an accurate function of `gpu_std::math`
//!
//! Shapes     x, y, z: [n], contiguous, of one length; n may be 0
//! Types      f32; functions of one argument take x and do not read y
//! Launch     1-D, block 256; any grid covers everything
//! Traffic    8 n bytes, 12 n for functions of two arguments
//! Tolerance  the same bits as on the host, NaN as NaN

use gpu_std::{GridMut, kernel, math};

use super::BLOCK;

/// A function that the kernel computes.
pub trait Function: 'static {
    /// Its value.
    fn of(x: f32, y: f32) -> f32;
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident = |$x:ident, $y:pat_param| $value:expr;)*) => {$(
        $(#[$doc])*
        pub struct $name;

        impl Function for $name {
            #[inline(always)]
            fn of($x: f32, $y: f32) -> f32 {
                $value
            }
        }
    )*};
}

functions! {
    /// [`math::exp`].
    Exp = |x, _| math::exp(x);
    /// [`math::exp2`].
    Exp2 = |x, _| math::exp2(x);
    /// [`math::log`].
    Log = |x, _| math::log(x);
    /// [`math::log2`].
    Log2 = |x, _| math::log2(x);
    /// [`math::tanh`].
    Tanh = |x, _| math::tanh(x);
    /// [`math::sigmoid`].
    Sigmoid = |x, _| math::sigmoid(x);
    /// [`math::sin`].
    Sin = |x, _| math::sin(x);
    /// [`math::cos`].
    Cos = |x, _| math::cos(x);
    /// [`math::erf`].
    Erf = |x, _| math::erf(x);
    /// [`math::pow`].
    Pow = |x, y| math::pow(x, y);
}

/// Applies `F` element by element.
#[kernel(
    block = BLOCK,
    same_len(x, y, z),
    instances(
        exp = (Exp), exp2 = (Exp2), log = (Log), log2 = (Log2), tanh = (Tanh), sigmoid = (Sigmoid),
        sin = (Sin), cos = (Cos), erf = (Erf), pow = (Pow)
    )
)]
pub fn math_f32<F: Function>(x: &[f32], y: &[f32], z: GridMut<f32>) {
    z.for_each(|i, value| {
        // SAFETY: `i` is below the length that x, y and z share.
        let (x, y) = unsafe { (*x.get_unchecked(i as usize), *y.get_unchecked(i as usize)) };
        *value = F::of(x, y);
    });
}
