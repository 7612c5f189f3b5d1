// What the rows use, for device and host.

fn f(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

fn d(x: u64) -> f64 {
    f64::from_bits(x)
}

/// The bits; every NaN gives the same.
fn r(x: f32) -> u64 {
    if x.is_nan() { 0x7fff_ffff } else { u64::from(x.to_bits()) }
}

/// The bits; every NaN gives the same.
fn rd(x: f64) -> u64 {
    if x.is_nan() { 0x7fff_ffff_ffff_ffff } else { x.to_bits() }
}

fn wide(x: u64, y: u64) -> u128 {
    u128::from(x) << 64 | u128::from(y)
}

/// Both halves in one word.
fn fold(x: u128) -> u64 {
    (x >> 64) as u64 ^ (x as u64).rotate_left(17)
}

static TABLE: [u16; 11] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 8979];

#[repr(C)]
#[derive(Clone, Copy)]
struct Node {
    value: u32,
    table: &'static [u16; 11],
    scale: f32,
}

static NODES: [Node; 2] =
    [Node { value: 7, table: &TABLE, scale: 1.5 }, Node { value: 9, table: &TABLE, scale: -0.25 }];

#[repr(C)]
#[derive(Clone, Copy)]
struct Mixed {
    a: u8,
    b: u32,
    c: [u16; 5],
    d: u64,
}

#[inline(never)]
fn mixed(x: u64, y: u64) -> Mixed {
    let c = [x as u16, y as u16, (x >> 16) as u16, (y >> 16) as u16, (x ^ y) as u16];
    Mixed { a: x as u8, b: y as u32, c, d: x.wrapping_mul(y) }
}

#[inline(never)]
fn sum_of(mixed: &Mixed, place: usize) -> u64 {
    (u64::from(mixed.a) + u64::from(mixed.b) + u64::from(mixed.c[place % 5])) ^ mixed.d
}

#[inline(never)]
fn pair(x: u32, y: f32) -> (f32, u32) {
    (y * 2.0 - x as f32, x ^ y.to_bits())
}

fn add_one(x: u64) -> u64 {
    x.wrapping_add(1)
}

fn triple(x: u64) -> u64 {
    x.wrapping_mul(3)
}

/// What is written to it, as far as there is room.
struct Text {
    bytes: [u8; 40],
    len: usize,
}

impl core::fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        for &byte in text.as_bytes() {
            *self.bytes.get_mut(self.len).ok_or(core::fmt::Error)? = byte;
            self.len += 1;
        }
        Ok(())
    }
}

#[inline(never)]
fn reversed(mut array: [u32; 9]) -> [u32; 9] {
    array.reverse();
    array
}

#[inline(never)]
fn nth(array: [u32; 9], place: usize) -> u32 {
    array[place % 9]
}

enum Wrong {
    Odd(u64),
    Large { by: u32 },
}

#[inline(never)]
fn half(x: u64) -> Result<u64, Wrong> {
    if x & 1 == 1 { Err(Wrong::Odd(x)) } else { Ok(x / 2) }
}

#[inline(never)]
fn halves(x: u64, y: u64) -> Result<u64, Wrong> {
    let sum = half(x)?.wrapping_add(half(y)?);
    if sum > 1 << 40 { Err(Wrong::Large { by: (sum >> 40) as u32 }) } else { Ok(sum) }
}

trait Shape {
    fn area(&self) -> u64;
    fn sides(&self) -> u64 {
        1
    }
}

struct Square(u32);

impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> u64 {
        u64::from(self.0) * u64::from(self.0)
    }
    fn sides(&self) -> u64 {
        4
    }
}

struct Circle {
    r: u16,
    k: u8,
}

impl Shape for Circle {
    fn area(&self) -> u64 {
        u64::from(self.r) * u64::from(self.r) * u64::from(self.k)
    }
}

#[inline(never)]
fn apply(function: &mut dyn FnMut(u64) -> u64, x: u64) -> u64 {
    function(x).wrapping_add(function(x >> 1))
}

#[inline(never)]
fn fibonacci(n: u64) -> u64 {
    if n < 2 { n } else { fibonacci(n - 1) + fibonacci(n - 2) }
}

#[inline(never)]
fn ackermann(m: u32, n: u32) -> u32 {
    match (m, n) {
        (0, n) => n + 1,
        (m, 0) => ackermann(m - 1, 1),
        (m, n) => ackermann(m - 1, ackermann(m, n - 1)),
    }
}

#[inline(never)]
fn largest<T: PartialOrd + Copy>(all: &[T; 3]) -> T {
    let mut most = all[0];
    for &one in all {
        if one > most {
            most = one;
        }
    }
    most
}

fn word_of_thread(row: usize) -> &'static AtomicU32 {
    // SAFETY: the lower half of the thread's own word.
    unsafe { AtomicU32::from_ptr(cell(row).as_ptr().cast()) }
}

fn signed_of_thread(row: usize) -> &'static AtomicI64 {
    // SAFETY: the thread's own word.
    unsafe { AtomicI64::from_ptr(cell(row).as_ptr().cast()) }
}

fn small_of_thread(row: usize) -> (&'static AtomicBool, &'static AtomicU8, &'static AtomicU16) {
    let start = cell(row).as_ptr().cast::<u8>();
    cell(row).store(0, Relaxed);
    // SAFETY: parts of the thread's own word, which holds 0: no flag is another number.
    unsafe {
        (
            AtomicBool::from_ptr(start.cast()),
            AtomicU8::from_ptr(start.add(3)),
            AtomicU16::from_ptr(start.add(6).cast()),
        )
    }
}

fn pointer_of_thread(row: usize) -> &'static AtomicPtr<u16> {
    // SAFETY: the thread's own word.
    unsafe { AtomicPtr::from_ptr(cell(row).as_ptr().cast()) }
}
