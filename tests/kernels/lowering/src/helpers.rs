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
