//! The form of an access: the fast paths depend on it.

use super::access::{Access, lanes};

/// What the addresses of an access look like together. `low` and `high` bound the first bytes of the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// All 32 lanes take part, and each starts where the one before ends.
    pub(crate) contiguous: bool,
    /// All lanes that take part have the same address.
    pub(crate) uniform: bool,
    /// The lowest address.
    pub(crate) low: u64,
    /// The highest address.
    pub(crate) high: u64,
    /// Whether every address is a multiple of the access's size.
    pub(crate) aligned: bool,
}

impl Shape {
    /// The form of `access`, whose mask is not 0.
    #[inline]
    pub(crate) fn of(access: &Access) -> Shape {
        let first = access.addr[0];
        let high = access.addr[31];
        // Lanes that go on past the end of the address space are no run.
        if access.mask == u32::MAX && high > first && is_contiguous(access.addr, u64::from(access.bytes)) {
            let aligned = first & u64::from(access.bytes - 1) == 0;
            return Shape { contiguous: true, uniform: false, low: first, high, aligned };
        }
        general(access)
    }
}

#[inline]
fn is_contiguous(addr: &[u64; 32], bytes: u64) -> bool {
    let mut different = 0;
    let mut want = addr[0];
    for &address in addr {
        different |= address ^ want;
        want = want.wrapping_add(bytes);
    }
    different == 0
}

fn general(access: &Access) -> Shape {
    let mut bits = 0;
    let (mut low, mut high) = (u64::MAX, 0);
    for lane in lanes(access.mask) {
        let address = access.addr[lane];
        bits |= address;
        low = low.min(address);
        high = high.max(address);
    }
    Shape {
        contiguous: false,
        uniform: low == high,
        low,
        high,
        aligned: bits & u64::from(access.bytes - 1) == 0,
    }
}
