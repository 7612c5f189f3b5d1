//! The instructions' text, once for each number of columns, since the registers are listed one by one: a table, and macros
//! that lay it out.

use super::acc::{Columns, Registers};

/// `D = A * B (+ D)`: `$a` is the text of operand A, `$operands` A, B and what `$tail` names.
macro_rules! mma {
    ($regs:ident, $scale_d:ident, $head:expr, $a:literal, [$($operands:tt)*], $tail:literal; $first:literal $($i:literal)*) => {
        core::arch::asm!(
            concat!("{{ .reg .pred p; setp.ne.b32 p, {scale_d}, 0; wgmma.mma_async.sync.aligned.m64n", $head, " {{{", $first, "}",
                $(", {", $i, "}",)* "}}, ", $a, ", {b}, p", $tail, "; }}"),
            inout(reg32) $regs[$first], $(inout(reg32) $regs[$i],)* $($operands)* scale_d = in(reg32) u32::from($scale_d),
            options(nostack)
        )
    };
}

/// One pair of integer types: A from shared memory, and from registers.
macro_rules! integers {
    ($ss:ident, $rs:ident, $n:literal, $types:literal; $($i:literal)*) => {
        #[inline(always)]
        unsafe fn $ss(acc: &mut Self::Array, a: u64, b: u64, scale_d: bool) {
            // SAFETY: promised by the caller.
            unsafe {
                mma!(acc, scale_d, concat!($n, "k32.s32.", $types), "{a}", [a = in(reg64) a, b = in(reg64) b,], ""; $($i)*);
            }
        }

        #[inline(always)]
        unsafe fn $rs(acc: &mut Self::Array, a: [u32; 4], b: u64, scale_d: bool) {
            // SAFETY: promised by the caller.
            unsafe {
                mma!(acc, scale_d, concat!($n, "k32.s32.", $types), "{{{a0}, {a1}, {a2}, {a3}}}", [
                    a0 = in(reg32) a[0], a1 = in(reg32) a[1], a2 = in(reg32) a[2], a3 = in(reg32) a[3], b = in(reg64) b,
                ], ""; $($i)*);
            }
        }
    };
}

/// One type of floats, likewise: the signs of A and B (1 or -1), and whether they are MN-major.
macro_rules! floats {
    ($ss:ident, $rs:ident, $n:literal, $types:literal; $($i:literal)*) => {
        #[inline(always)]
        unsafe fn $ss<const SA: i32, const SB: i32, const TA: bool, const TB: bool>(
            acc: &mut Self::Array, a: u64, b: u64, scale_d: bool,
        ) {
            // SAFETY: promised by the caller.
            unsafe {
                mma!(acc, scale_d, concat!($n, "k16.f32.", $types), "{a}", [
                    a = in(reg64) a, b = in(reg64) b, sa = const SA, sb = const SB, ta = const TA as i32, tb = const TB as i32,
                ], ", {sa}, {sb}, {ta}, {tb}"; $($i)*);
            }
        }

        #[inline(always)]
        unsafe fn $rs<const SA: i32, const SB: i32, const TB: bool>(
            acc: &mut Self::Array, a: [u32; 4], b: u64, scale_d: bool,
        ) {
            // SAFETY: promised by the caller.
            unsafe {
                mma!(acc, scale_d, concat!($n, "k16.f32.", $types), "{{{a0}, {a1}, {a2}, {a3}}}", [
                    a0 = in(reg32) a[0], a1 = in(reg32) a[1], a2 = in(reg32) a[2], a3 = in(reg32) a[3], b = in(reg64) b,
                    sa = const SA, sb = const SB, tb = const TB as i32,
                ], ", {sa}, {sb}, {tb}"; $($i)*);
            }
        }
    };
}

/// Keeps registers in their place: no instruction, but the compiler takes it for one that changes them.
macro_rules! pin {
    ($($i:literal)*) => {
        #[inline(always)]
        fn pin(acc: &mut Self::Array) {
            // SAFETY: no instruction.
            unsafe {
                core::arch::asm!(concat!("/*", $(" {", $i, "}",)* " */"), $(inout(reg32) acc[$i],)* options(nostack));
            }
        }
    };
}

/// As [`Floats::pin`], for the registers of A.
#[inline(always)]
pub fn pin_a(a: &mut [u32; 4]) {
    // SAFETY: no instruction.
    unsafe {
        core::arch::asm!("/* {} {} {} {} */", inout(reg32) a[0], inout(reg32) a[1], inout(reg32) a[2], inout(reg32) a[3],
            options(nostack));
    }
}

/// Declares a pair of methods for each type.
macro_rules! declared {
    (integers $($ss:ident $rs:ident),*) => {$(
        unsafe fn $ss(acc: &mut Self::Array, a: u64, b: u64, scale_d: bool);
        unsafe fn $rs(acc: &mut Self::Array, a: [u32; 4], b: u64, scale_d: bool);
    )*};
    (floats $($ss:ident $rs:ident),*) => {$(
        unsafe fn $ss<const SA: i32, const SB: i32, const TA: bool, const TB: bool>(
            acc: &mut Self::Array, a: u64, b: u64, scale_d: bool,
        );
        unsafe fn $rs<const SA: i32, const SB: i32, const TB: bool>(
            acc: &mut Self::Array, a: [u32; 4], b: u64, scale_d: bool,
        );
    )*};
}

/// The instructions of floats of a number of columns, and what keeps its registers in place.
pub trait Floats: Registers {
    declared! { floats f16 f16_ra, bf16 bf16_ra }
    fn pin(acc: &mut Self::Array);
}

/// Those of integers.
pub trait Integers: Registers {
    declared! { integers s8_s8 s8_s8_ra, s8_u8 s8_u8_ra, u8_s8 u8_s8_ra, u8_u8 u8_u8_ra }
}

/// What there is for a number of columns: `any` has instructions of integers, `floats` has not.
macro_rules! width {
    (any $n:literal: $($i:literal)*) => {
        width!(floats $n: $($i)*);

        impl Integers for Columns<$n> {
            integers!(s8_s8, s8_s8_ra, $n, "s8.s8"; $($i)*);
            integers!(s8_u8, s8_u8_ra, $n, "s8.u8"; $($i)*);
            integers!(u8_s8, u8_s8_ra, $n, "u8.s8"; $($i)*);
            integers!(u8_u8, u8_u8_ra, $n, "u8.u8"; $($i)*);
        }
    };
    (floats $n:literal: $($i:literal)*) => {
        impl Floats for Columns<$n> {
            floats!(f16, f16_ra, $n, "f16.f16"; $($i)*);
            floats!(bf16, bf16_ra, $n, "bf16.bf16"; $($i)*);
            pin!($($i)*);
        }
    };
}

/// Each number of columns with four registers more than the one before.
macro_rules! widths {
    ([$($before:literal)*]) => {};
    ([$($before:literal)*] $kind:ident $n:literal: $($more:literal)*; $($rest:tt)*) => {
        width!($kind $n: $($before)* $($more)*);
        widths!([$($before)* $($more)*] $($rest)*);
    };
}

widths! {
    []
    any 8: 0 1 2 3;
    any 16: 4 5 6 7;
    any 24: 8 9 10 11;
    any 32: 12 13 14 15;
    floats 40: 16 17 18 19;
    any 48: 20 21 22 23;
    floats 56: 24 25 26 27;
    any 64: 28 29 30 31;
    floats 72: 32 33 34 35;
    any 80: 36 37 38 39;
    floats 88: 40 41 42 43;
    any 96: 44 45 46 47;
    floats 104: 48 49 50 51;
    any 112: 52 53 54 55;
    floats 120: 56 57 58 59;
    any 128: 60 61 62 63;
    floats 136: 64 65 66 67;
    any 144: 68 69 70 71;
    floats 152: 72 73 74 75;
    any 160: 76 77 78 79;
    floats 168: 80 81 82 83;
    any 176: 84 85 86 87;
    floats 184: 88 89 90 91;
    any 192: 92 93 94 95;
    floats 200: 96 97 98 99;
    any 208: 100 101 102 103;
    floats 216: 104 105 106 107;
    any 224: 108 109 110 111;
    floats 232: 112 113 114 115;
    any 240: 116 117 118 119;
    floats 248: 120 121 122 123;
    any 256: 124 125 126 127;
}
