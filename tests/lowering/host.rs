//! The rows as functions of the host.

#![allow(unused_variables, reason = "most rows use fewer than three operands")]
#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "a row compares with it")]

use std::sync::LazyLock;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, compiler_fence, fence,
};

/// A row and what it computes.
pub struct Row {
    pub name: &'static str,
    pub run: fn(u64, u64, u64) -> u64,
}

macro_rules! rows {
    ($($name:ident: |$x:ident, $y:ident, $z:ident| $body:expr;)*) => {
        /// The rows that the host computes too.
        pub const ROWS: &[Row] = &[$(Row { name: stringify!($name), run: |$x, $y, $z| $body }),*];
    };
}

macro_rules! math {
    ($name:ident, $float:ty) => {
        /// `core`'s functions of this name, which stable Rust has as methods.
        mod $name {
            pub fn floor(x: $float) -> $float {
                x.floor()
            }
            pub fn ceil(x: $float) -> $float {
                x.ceil()
            }
            pub fn trunc(x: $float) -> $float {
                x.trunc()
            }
            pub fn round(x: $float) -> $float {
                x.round()
            }
            pub fn round_ties_even(x: $float) -> $float {
                x.round_ties_even()
            }
            pub fn sqrt(x: $float) -> $float {
                x.sqrt()
            }
            pub fn mul_add(x: $float, y: $float, z: $float) -> $float {
                x.mul_add(y, z)
            }
        }
    };
}

math!(math32, f32);
math!(math64, f64);

/// A word of the thread's own; a thread runs one row at a time.
fn cell(_row: usize) -> &'static AtomicU64 {
    std::thread_local! {
        static CELL: &'static AtomicU64 = Box::leak(Box::new(AtomicU64::new(0)));
    }
    CELL.with(|cell| *cell)
}

include!("../kernels/lowering/src/helpers.rs");
include!("../kernels/lowering/src/rows.rs");

/// Names of the rows that only a device has.
pub static DEVICE: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    include_str!("../kernels/lowering/src/device.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split_once(": |x, y, z|").map(|(name, _)| name))
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect()
});
