//! Loops that are unrolled for certain.
//!
//! `unroll!(for i in 0..8 { … })` repeats the body; `unroll!(for i in 0..N { … })` does so for constants and const generics.
//! Arrays indexed by the counter then stay in registers; a loop that is merely likely to be unrolled puts them into local
//! memory when it is not.

use core::mem::{self, MaybeUninit};

/// The largest number of turns of [`unroll()`].
pub const MAX_TURNS: usize = 256;

/// Sixteen turns from `16 * $block`, those below `N`. The conditions are constants to rustc, which then makes no code of the
/// turns that are not there.
macro_rules! sixteen {
    ($N:ident, $f:ident, $block:literal: $($i:literal)*) => {
        if const { $N > 16 * $block } {
            $(if const { $N > 16 * $block + $i } { $f(16 * $block + $i); })*
        }
    };
}

macro_rules! blocks {
    ($N:ident, $f:ident: $($block:literal)*) => {
        $(sixteen!($N, $f, $block: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);)*
    };
}

/// `f(0)`, `f(1)`, … `f(N - 1)`, one call after the other, `N` at most 256.
///
/// A closure is inlined into all its calls only where it says so: write `#[inline(always)] |i| …`, as the macro `unroll!`
/// does.
#[inline(always)]
pub fn unroll<const N: usize>(mut f: impl FnMut(usize)) {
    const { assert!(N <= MAX_TURNS, "gpu_std: `unroll` repeats at most 256 times; nest two loops for more") }
    blocks!(N, f: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
}

/// `[value; N]`, `N` at most 256, in registers for certain.
///
/// `[value; N]` itself is a loop to rustc, and stays one in long arrays: LLVM unrolls some 70 turns. The array is then in
/// local memory.
#[inline(always)]
pub fn filled<T: Copy, const N: usize>(value: T) -> [T; N] {
    let mut array = [const { MaybeUninit::uninit() }; N];
    crate::unroll!(for i in 0..N {
        array[i].write(value);
    });
    // SAFETY: every element was written; an array of `MaybeUninit<T>` has the layout of one of `T`.
    unsafe { mem::transmute_copy(&array) }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;
    use crate::unroll;

    #[test]
    fn turns_come_in_order_and_number() {
        fn turns<const N: usize>() -> Vec<usize> {
            let mut seen = Vec::new();
            unroll::<N>(|i| seen.push(i));
            seen
        }
        assert_eq!(turns::<0>(), []);
        assert_eq!(turns::<1>(), [0]);
        assert_eq!(turns::<17>(), (0..17).collect::<Vec<_>>());
        assert_eq!(turns::<256>(), (0..256).collect::<Vec<_>>());
    }

    #[test]
    fn an_array_is_filled_to_its_end() {
        assert_eq!(filled::<u8, 0>(1), []);
        assert_eq!(filled::<f32, 105>(2.5), [2.5; 105]);
        assert_eq!(filled::<_, 256>((1_u8, 'a')), [(1, 'a'); 256]);
    }

    #[test]
    fn the_macro_takes_literals_constants_and_generics() {
        fn sum<const N: usize>() -> usize {
            let mut sum = 0;
            unroll!(for i in 2..N {
                sum += i;
            });
            sum
        }
        assert_eq!([sum::<0>(), sum::<5>()], [0, 9]);
        const END: u32 = 4;
        let mut seen = Vec::new();
        unroll!(for i in 1..=END as usize {
            seen.push(i);
        });
        unroll!(for i in 0_u8..2 {
            seen.push(usize::from(i));
        });
        unroll!(for _ in 0..2 {
            seen.push(7);
        });
        assert_eq!(seen, [1, 2, 3, 4, 0, 1, 7, 7]);
    }

    #[test]
    fn literal_loops_break_and_continue_like_loops() {
        let mut seen = Vec::new();
        unroll!(for i in 0..9 {
            if i == 2 {
                continue;
            }
            if i == 5 {
                break;
            }
            for j in 0..3 {
                if j == 1 {
                    break;
                }
                seen.push(10 * i + j);
            }
        });
        assert_eq!(seen, [0, 10, 30, 40]);
    }
}
