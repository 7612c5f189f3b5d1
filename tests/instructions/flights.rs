//! Wrappers of barrier objects, bulk and tensor copies, and clusters, against naive models.

use gpu_std::{bf16, f16, math};
use ptx_sim::{TensorElement, TensorMap, TensorSpec};

use crate::built::{Built, Memory, Target, built};
use crate::rows::Row;
use crate::values::Draw;

/// Launches of each wrapper.
const CASES: usize = 8;
/// Words of each block.
const WORDS: usize = 32;
/// Elements of the tensor along each dimension, and of its box.
const DIMS: [u64; 5] = [24, 4, 3, 2, 3];
const BOX: [u32; 5] = [16, 2, 1, 1, 1];
/// The first element of the box.
const FIRST: [u64; 5] = [4, 1, 1, 1, 1];

/// Runs a wrapper of a target.
///
/// # Errors
/// What differs from the model.
pub fn agrees_with_its_model(row: &Row, target: Target) -> Result<(), String> {
    let built = built(target)?;
    let mut draw = Draw::new(row.name);
    for _ in 0..CASES {
        let ran = if row.args.is_empty() {
            // Registers belong to warpgroups.
            built.launch(&row.entry(), if row.name.starts_with("setmaxnreg") { 128 } else { 32 }, &[])
        } else if row.args.contains(&"*const TensorMap") {
            tensor(row, built, &mut draw)
        } else {
            words(row, built, &mut draw)
        };
        ran.map_err(|why| format!("{target}: {}: {why}", row.name))?;
    }
    Ok(())
}

fn random(draw: &mut Draw, count: usize) -> Vec<u32> {
    (0..count).map(|_| draw.next() as u32).collect()
}

fn upload(built: &Built, words: &[u32]) -> Result<Memory, String> {
    built.upload(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
}

fn words_of(memory: &Memory) -> Result<Vec<u32>, String> {
    let word = |four: &[u8]| four.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    Ok(memory.read()?.chunks(4).map(word).collect())
}

fn equal(got: &[u32], want: &[u32]) -> Result<(), String> {
    match got.iter().zip(want).position(|(got, want)| got != want) {
        Some(at) => Err(format!("word {at}: got {:#x}, want {:#x}", got[at], want[at])),
        None => Ok(()),
    }
}

/// Whether blocks of a cluster talk to one another.
fn is_for_clusters(name: &str) -> bool {
    ["cluster", "multicast", "mapa", "getctarank", "st_async", "red_async"]
        .iter()
        .any(|part| name.contains(part))
        && !name.starts_with("mbarrier_try_wait")
        && !name.starts_with("fence")
}

/// Two arrays of words, or a result alone.
fn words(row: &Row, built: &Built, draw: &mut Draw) -> Result<(), String> {
    let blocks = if is_for_clusters(row.name) { 2 } else { 1 };
    let (x, y) = (random(draw, 2 * WORDS), random(draw, 2 * WORDS));
    let (x_at, y_at) = (upload(built, &x)?, upload(built, &y)?);
    let params = if row.args.len() == 1 { vec![y_at.param()] } else { vec![x_at.param(), y_at.param()] };
    built.launch_cluster(&row.entry(), blocks, 32, &params)?;
    let mut want = y.clone();
    for (at, want) in want.iter_mut().enumerate().take(WORDS * blocks as usize) {
        *want = model(row, &x, &y, at).ok_or("no model")?;
    }
    let got = words_of(&y_at)?;
    if row.wrapper() == "elect_sync" {
        let chosen = got[..32].iter().filter(|word| **word == 1).count();
        return if chosen == 1 { Ok(()) } else { Err(format!("{chosen} lanes are chosen")) };
    }
    equal(&got, &want)
}

/// Word `at` of the result.
fn model(row: &Row, x: &[u32], y: &[u32], at: usize) -> Option<u32> {
    let name = row.wrapper();
    let other = at ^ WORDS;
    Some(match name {
        "mbarrier_pending_count" => 40 - at as u32,
        "elect_sync" => 0,
        _ if name.contains("multicast") => x[at % WORDS],
        "cp_async_bulk_to_cluster" => x[other],
        _ if name.starts_with("cp_reduce_async_bulk_to_cluster") || name.starts_with("red_async") => {
            combined(name, x, y, at, other)?
        }
        _ if is_for_clusters(name) => x[other],
        _ if name.starts_with("mbarrier") || name.starts_with("cp_async_mbarrier") => x[at ^ 1],
        "fence_mbarrier_init" => x[at ^ 1],
        _ if name.starts_with("cp_reduce") => combined(name, x, y, at, at)?,
        _ if name.starts_with("cp_async_bulk") || name == "fence_proxy_async_all" => x[at],
        _ => return None,
    })
}

/// Word `at` of `y`, combined with word `from` of `x` as the name says.
fn combined(name: &str, x: &[u32], y: &[u32], at: usize, from: usize) -> Option<u32> {
    let parts: Vec<&str> = name.split('_').collect();
    let [.., op, ty] = parts.as_slice() else { return None };
    let wide = |words: &[u32], at: usize| u64::from(words[at & !1]) | u64::from(words[at | 1]) << 32;
    if ty.ends_with("64") {
        let both = combine_64(op, ty, wide(y, at), wide(x, from))?;
        return Some((both >> (32 * (at & 1))) as u32);
    }
    let (old, new) = (y[at], x[from]);
    if ty.ends_with("16") {
        let half = |shift: u32| combine_16(op, ty, (old >> shift) as u16, (new >> shift) as u16);
        return Some(u32::from(half(0)?) | u32::from(half(16)?) << 16);
    }
    Some(match (*op, *ty) {
        ("add", "f32") => {
            let sum = math::add_rn_ftz_f32(f32::from_bits(new), f32::from_bits(old));
            if sum.is_nan() { 0x7fff_ffff } else { sum.to_bits() }
        }
        ("add", _) => old.wrapping_add(new),
        ("min", "s32") => (old as i32).min(new as i32) as u32,
        ("max", "s32") => (old as i32).max(new as i32) as u32,
        ("min", _) => old.min(new),
        ("max", _) => old.max(new),
        ("inc", _) => {
            if old >= new {
                0
            } else {
                old + 1
            }
        }
        ("dec", _) => {
            if old == 0 || old > new {
                new
            } else {
                old - 1
            }
        }
        ("and", _) => old & new,
        ("or", _) => old | new,
        ("xor", _) => old ^ new,
        _ => return None,
    })
}

fn combine_64(op: &str, ty: &str, old: u64, new: u64) -> Option<u64> {
    Some(match (op, ty) {
        ("add", "f64") => math::add_rn_f64(f64::from_bits(old), f64::from_bits(new)).to_bits(),
        ("add", _) => old.wrapping_add(new),
        ("min", "s64") => (old as i64).min(new as i64) as u64,
        ("max", "s64") => (old as i64).max(new as i64) as u64,
        ("min", _) => old.min(new),
        ("max", _) => old.max(new),
        ("and", _) => old & new,
        ("or", _) => old | new,
        ("xor", _) => old ^ new,
        _ => return None,
    })
}

/// Every NaN is the device's.
fn combine_16(op: &str, ty: &str, old: u16, new: u16) -> Option<u16> {
    let half = |value: f16| if value.is_nan() { 0x7fff } else { value.to_bits() };
    let brain = |value: bf16| if value.is_nan() { 0x7fff } else { value.to_bits() };
    let (a, b) = (f16::from_bits(old), f16::from_bits(new));
    let (c, d) = (bf16::from_bits(old), bf16::from_bits(new));
    Some(match (op, ty) {
        ("add", "f16") => half(math::add_rn_f16(a, b)),
        ("min", "f16") => half(math::min_f16(a, b)),
        ("max", "f16") => half(math::max_f16(a, b)),
        ("add", "bf16") => brain(math::add_rn_bf16(c, d)),
        ("min", "bf16") => brain(math::min_bf16(c, d)),
        ("max", "bf16") => brain(math::max_bf16(c, d)),
        _ => return None,
    })
}

/// The number of dimensions that a name ends with.
fn rank(name: &str) -> usize {
    (1..=5).find(|rank| name.contains(&format!("{rank}d"))).unwrap_or(2)
}

/// A tensor, and a box that is loaded, stored or combined.
fn tensor(row: &Row, built: &Built, draw: &mut Draw) -> Result<(), String> {
    let rank = rank(row.name);
    let count = DIMS[..rank].iter().product::<u64>() as usize;
    let (elements, x) = (random(draw, count), random(draw, 2 * WORDS));
    let memory = upload(built, &elements)?;
    let spec = TensorSpec::packed(TensorElement::U32, memory.addr(), &DIMS[..rank], &BOX[..rank]);
    let map = TensorMap::new(spec).map_err(|error| error.to_string())?;
    let map = built.upload(&map.to_bytes())?;
    let other = upload(built, &x)?;
    let loads = row.args.first() == Some(&"*const TensorMap");
    let params = match (loads, row.args.len()) {
        (_, 1) => vec![map.param()],
        (true, _) => vec![map.param(), other.param()],
        (false, _) => vec![other.param(), map.param()],
    };
    let blocks = if row.name.contains("multicast") { 2 } else { 1 };
    built.launch_cluster(&row.entry(), blocks, 32, &params)?;
    let inside = BOX[..rank].iter().product::<u32>() as usize;
    let place = |number: usize| {
        let (mut left, mut at, mut stride) = (number as u64, 0, 1);
        for axis in 0..rank {
            at += (FIRST[axis] + left % u64::from(BOX[axis])) * stride;
            left /= u64::from(BOX[axis]);
            stride *= DIMS[axis];
        }
        at as usize
    };
    if row.args.len() == 1 {
        return equal(&words_of(&memory)?, &elements);
    }
    if loads {
        let mut want = x;
        for block in 0..blocks as usize {
            (0..inside).for_each(|number| want[WORDS * block + number] = elements[place(number)]);
        }
        return equal(&words_of(&other)?, &want);
    }
    let mut want = elements;
    for (number, value) in x.iter().enumerate().take(inside) {
        let old = &mut want[place(number)];
        *old = match row.name {
            name if name.contains("_add_") => old.wrapping_add(*value),
            name if name.contains("_min_") => (*old).min(*value),
            name if name.contains("_max_") => (*old).max(*value),
            _ => *value,
        };
    }
    equal(&words_of(&memory)?, &want)
}
