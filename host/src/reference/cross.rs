//! Feature cross: element-wise products.

use super::round::{round, widen};
use crate::ops::{HostMut, HostRef, Scalar};

/// `y[r, c] = a[r, c] * b[r, c]`
pub fn hadamard_cpu<T: Scalar>(a: HostRef<'_, T>, b: HostRef<'_, T>, y: &mut HostMut<'_, T>) {
    for r in 0..y.layout().rows() {
        for c in 0..y.layout().cols() as usize {
            y.row_mut(r)[c] = round(widen(a.row(r)[c]) * widen(b.row(r)[c]));
        }
    }
}

/// `y[r, c] = y[r, c] * b[r, c]`
pub fn hadamard_assign_cpu<T: Scalar>(b: HostRef<'_, T>, y: &mut HostMut<'_, T>) {
    for r in 0..y.layout().rows() {
        for c in 0..y.layout().cols() as usize {
            let old = y.row_mut(r)[c];
            y.row_mut(r)[c] = round(widen(old) * widen(b.row(r)[c]));
        }
    }
}

/// `da[r, c] = dy[r, c] * b[r, c]` and `db[r, c] = dy[r, c] * a[r, c]`
pub fn hadamard_bwd_cpu<T: Scalar>(
    dy: HostRef<'_, T>,
    a: HostRef<'_, T>,
    b: HostRef<'_, T>,
    da: &mut HostMut<'_, T>,
    db: &mut HostMut<'_, T>,
) {
    hadamard_cpu(dy, b, da);
    hadamard_cpu(dy, a, db);
}
