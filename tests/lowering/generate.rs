//! Random expressions as Rust source.

use std::fmt::Write as _;

/// SplitMix64.
pub struct Random(u64);

impl Random {
    /// A sequence that depends on the name alone.
    pub fn new(name: &str) -> Self {
        Self(name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }))
    }

    /// The sequence of this number.
    pub fn of_seed(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len() as u64) as usize]
    }
}

const INTEGERS: [&str; 8] = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"];
const FLOATS: [&str; 2] = ["f32", "f64"];

/// A crate of `count` kernels `k_g<n>`, each one expression with a loop around it.
pub fn source(random: &mut Random, count: usize) -> String {
    let mut text = String::from(HEAD);
    for index in 0..count {
        let ty = if random.below(3) == 0 { random.of(&FLOATS) } else { random.of(&INTEGERS) };
        let (first, next) = (expression(random, ty, 4), expression(random, ty, 3));
        let condition = condition(random, 2);
        let _ = writeln!(
            text,
            "kernel! {{ g{index}, |x, y, z, n| {{ let mut acc: {ty} = {first}; for n in 0..(x & 7) {{ \
             if {condition} {{ acc = op!({ty}, acc, {next}); }} else {{ acc = op!({ty}, {next}, acc); }} }} word!({ty}, acc) }} }}"
        );
    }
    text
}

const HEAD: &str = r#"#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]
#![allow(unused, arithmetic_overflow, unconditional_recursion)]
macro_rules! kernel {
    ($name:ident, |$x:ident, $y:ident, $z:ident, $n:ident| $body:expr) => {
        #[cfg(target_arch = "nvptx64")]
        #[unsafe(export_name = concat!("k_", stringify!($name)))]
        pub unsafe extern "ptx-kernel" fn $name(out: *mut u64, x: *const u64, y: *const u64, z: *const u64) {
            let at = gpu_std::thread::thread_idx_x() as usize;
            let ($x, $y, $z, $n) = unsafe { (x.add(at).read(), y.add(at).read(), z.add(at).read(), 0u64) };
            let value: u64 = $body;
            unsafe { out.add(at).write(value) }
        }
    };
}
macro_rules! word {
    (f32, $e:expr) => {{ let e: f32 = $e; if e.is_nan() { 0x7fc0_0000 } else { e.to_bits() as u64 } }};
    (f64, $e:expr) => {{ let e: f64 = $e; if e.is_nan() { 0x7ff8_0000_0000_0000 } else { e.to_bits() } }};
    ($ty:ty, $e:expr) => {{ let e: $ty = $e; e as u64 }};
}
macro_rules! op {
    (f32, $a:expr, $b:expr) => { ($a) + ($b) };
    (f64, $a:expr, $b:expr) => { ($a) - ($b) };
    ($ty:ty, $a:expr, $b:expr) => { <$ty>::wrapping_add($a, $b) ^ ($b) };
}
"#;

fn leaf(random: &mut Random, ty: &str) -> String {
    let name = random.of(&["x", "y", "z", "n"]);
    match ty {
        "f32" if random.below(2) == 0 => format!("f32::from_bits({name} as u32)"),
        "f64" if random.below(2) == 0 => format!("f64::from_bits({name})"),
        "f32" | "f64" if random.below(3) == 0 => format!("{}.5{ty}", random.below(100)),
        _ if random.below(4) == 0 && !ty.starts_with('f') => format!("({}i64 as {ty})", random.next() as i32),
        _ => format!("({name} as {ty})"),
    }
}

fn condition(random: &mut Random, depth: u32) -> String {
    let ty = if random.below(3) == 0 { random.of(&FLOATS) } else { random.of(&INTEGERS) };
    let word = random.of(&["<", "<=", ">", ">=", "==", "!="]);
    format!("({} {word} {})", expression(random, ty, depth), expression(random, ty, depth))
}

fn expression(random: &mut Random, ty: &str, depth: u32) -> String {
    if depth == 0 || random.below(12) == 0 {
        return leaf(random, ty);
    }
    let part = |random: &mut Random| expression(random, ty, depth - 1);
    match random.below(10) {
        0 => {
            let (condition, yes, no) = (condition(random, depth - 1), part(random), part(random));
            format!("(if {condition} {{ {yes} }} else {{ {no} }})")
        }
        1 => {
            let from = if random.below(3) == 0 { random.of(&FLOATS) } else { random.of(&INTEGERS) };
            format!("({} as {ty})", expression(random, from, depth - 1))
        }
        _ if ty.starts_with('f') => float(random, ty, depth),
        _ => integer(random, ty, depth),
    }
}

fn float(random: &mut Random, ty: &str, depth: u32) -> String {
    let (a, b) = (expression(random, ty, depth - 1), expression(random, ty, depth - 1));
    match random.below(7) {
        0 => format!("(-{a})"),
        1 => format!("<{ty}>::abs({a})"),
        // PTX leaves the sign of a NaN open: `neg` and `abs` need not treat it as a bit.
        2 => {
            format!("{{ let sign = {b}; <{ty}>::copysign({a}, if sign.is_nan() {{ 1.0 }} else {{ sign }}) }}")
        }
        _ => format!("({a} {} {b})", random.of(&["+", "-", "*", "/"])),
    }
}

fn integer(random: &mut Random, ty: &str, depth: u32) -> String {
    let (a, b) = (expression(random, ty, depth - 1), expression(random, ty, depth - 1));
    let count = |random: &mut Random| expression(random, "u32", depth - 1);
    match random.below(8) {
        0 => format!("({a} {} {b})", random.of(&["&", "|", "^"])),
        1 => format!("(!{a})"),
        2 => format!("<{ty}>::{}({a}, {b})", random.of(&["saturating_add", "saturating_sub", "max", "min"])),
        3 => {
            let words = ["wrapping_shl", "wrapping_shr", "rotate_left", "rotate_right"];
            format!("<{ty}>::{}({a}, {})", random.of(&words), count(random))
        }
        4 => {
            let words = ["leading_zeros", "trailing_zeros", "count_ones"];
            format!("(<{ty}>::{}({a}) as {ty})", random.of(&words))
        }
        5 => format!("<{ty}>::{}({a})", random.of(&["swap_bytes", "reverse_bits", "wrapping_neg"])),
        6 => format!("<{ty}>::{}({a}, {b} | 1)", random.of(&["wrapping_div", "wrapping_rem"])),
        _ => format!("<{ty}>::{}({a}, {b})", random.of(&["wrapping_add", "wrapping_sub", "wrapping_mul"])),
    }
}
