//! Tests that cross crates. Each file beside this one is a test program; what several of them need is here.

pub mod described;
pub mod ulp;

use host::ops::Case;

/// Elements of a case above which the simulator does not run it: some seconds in an unoptimised build.
pub const SIM_ELEMENTS: u64 = 1 << 22;

/// Elements of a case, as its extents count them.
pub fn elements(case: &Case) -> u64 {
    case.dims.iter().product()
}
