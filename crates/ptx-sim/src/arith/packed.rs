//! f16x2 and bf16x2: the functions of one value, on the low and on the high half of 32 bits.

use super::half::{Lanes, Op1, Op2, Op3};
use super::{Class, Fun};

/// Two values.
pub(super) struct Pair;

impl Lanes for Pair {
    const CLASS: Class = Class::B32;
    fn one<O: Op1>() -> Fun {
        Fun::F1(|a| O::at(a & 0xffff) | O::at(a >> 16 & 0xffff) << 16)
    }
    fn two<O: Op2>() -> Fun {
        Fun::F2(|a, b| O::at(a & 0xffff, b & 0xffff) | O::at(a >> 16 & 0xffff, b >> 16 & 0xffff) << 16)
    }
    fn three<O: Op3>() -> Fun {
        Fun::F3(|a, b, c| {
            let low = O::at(a & 0xffff, b & 0xffff, c & 0xffff);
            low | O::at(a >> 16 & 0xffff, b >> 16 & 0xffff, c >> 16 & 0xffff) << 16
        })
    }
}
