//! Wrappers whose result differs by thread or comes of several, against naive models.

use gpu_std::{bf16, math, packed};

use crate::built::{Built, Target, built};
use crate::rows::Row;
use crate::values::{Draw, Kind, Typed, Value};

/// Launches of each wrapper.
const CASES: usize = 20;

/// One element of a parameter or result, as bytes, for each thread.
type Array = Vec<Vec<u8>>;

/// Runs a wrapper of a target.
///
/// # Errors
/// The first thread whose result is another than the model's.
pub fn agrees_with_its_model(row: &Row, target: Target) -> Result<(), String> {
    let built = built(target)?;
    let mut draw = Draw::new(row.name);
    for _ in 0..CASES {
        // Shuffles read any lane, so that all are there; the others also run with a warp that is not full.
        let threads = if row.name.starts_with("shfl") || row.name.starts_with("warp_reduce") {
            64
        } else {
            [64, 52, 1][draw.below(3) as usize]
        };
        one(row, built, &mut draw, threads)
            .map_err(|why| format!("{target}: {} of {threads} threads: {why}", row.name))?;
    }
    Ok(())
}

fn one(row: &Row, built: &Built, draw: &mut Draw, threads: usize) -> Result<(), String> {
    let found = built.upload(&vec![2; threads])?;
    let args: Vec<Array> =
        (0..row.args.len()).map(|at| argument(row, at, draw, threads, found.addr())).collect();
    let want = Model { row, threads, args: &args }.results();
    let out = match row.ret {
        Some(ty) => Some(built.alloc(threads * size(ty)?)?),
        None => None,
    };
    let memory = args.iter().map(|array| built.upload(&array.concat())).collect::<Result<Vec<_>, _>>()?;
    let params: Vec<Vec<u8>> = out.iter().chain(&memory).map(|memory| memory.param()).collect();
    built.launch(&row.entry(), threads as u32, &params)?;
    let got = out.map(|out| out.read()).transpose()?.unwrap_or_default();
    for (place, read) in [(&want.out, got), (&want.found, found.read()?)] {
        let Some(want) = place else { continue };
        let bytes = want[0].len();
        for (thread, want) in want.iter().enumerate() {
            let got = &read[thread * bytes..][..bytes];
            if !same(row, got, want) {
                let args: Vec<&Vec<u8>> = args.iter().map(|array| &array[thread]).collect();
                return Err(format!("thread {thread}, {args:x?}: got {got:x?}, want {want:x?}"));
            }
        }
    }
    Ok(())
}

fn size(ty: &str) -> Result<usize, String> {
    match ty {
        "Vec16<f32>" => Ok(16),
        ty => Kind::of(ty).map(Kind::bytes).ok_or_else(|| format!("the type {ty} is not known")),
    }
}

/// Bytes as they are, floats up to the payload of a NaN.
fn same(row: &Row, got: &[u8], want: &[u8]) -> bool {
    match row.ret.and_then(Kind::of) {
        Some(kind) if got.len() == kind.bytes() => kind.read(got).is_same(kind.read(want)),
        _ => got == want,
    }
}

/// Where the operands of a shuffle stand: the value, the lane and the clamp.
fn shuffle_operands(row: &Row) -> (usize, Option<usize>, Option<usize>) {
    match row.args.len() {
        1 => (0, None, None),
        3 => (1, Some(2), None),
        _ => (2, Some(3), Some(4)),
    }
}

/// The elements of a parameter.
fn argument(row: &Row, at: usize, draw: &mut Draw, threads: usize, found: u64) -> Array {
    let shuffles = row.name.starts_with("shfl");
    let (_, lane, clamp) = shuffle_operands(row);
    let is_mask = row.args.len() > 1 && at == usize::from(row.args.len() == 5) || row.name == "bar_warp_sync";
    let width = 1_u32 << draw.below(6);
    let mut element = |thread: usize| -> Vec<u8> {
        match row.args[at] {
            "*mut bool" => (found + thread as u64).to_le_bytes().to_vec(),
            "u32" if is_mask => lanes_there(threads, thread / 32).to_le_bytes().to_vec(),
            "u32" if shuffles && lane == Some(at) => (draw.below(40) as u32).to_le_bytes().to_vec(),
            "u32" if shuffles && clamp == Some(at) => {
                let last = if row.name.contains("_up_") { 0 } else { 31 };
                ((32 - width) << 8 | last).to_le_bytes().to_vec()
            }
            "Vec16<f32>" => (0..16).map(|_| draw.next() as u8).collect(),
            ty if row.name.starts_with("match") => {
                let kind = Kind::of(ty).unwrap_or(Kind::Int(4));
                Value { kind, bits: draw.below(2) * 0x5555 }.to_bytes()
            }
            "u32" if !shuffles && !row.name.starts_with("redux") && !row.name.starts_with("warp") => {
                (draw.below(6) as u32).to_le_bytes().to_vec()
            }
            ty => draw.value(Kind::of(ty).unwrap_or(Kind::Int(4))).to_bytes(),
        }
    };
    (0..threads).map(&mut element).collect()
}

/// The lanes of a warp that exist in a block of `threads`.
fn lanes_there(threads: usize, warp: usize) -> u32 {
    u32::MAX >> (32 - (threads - 32 * warp).min(32))
}

/// What a launch is to give.
struct Results {
    out: Option<Array>,
    found: Option<Array>,
}

/// A launch, computed naively.
struct Model<'a> {
    row: &'a Row,
    threads: usize,
    args: &'a [Array],
}

impl Model<'_> {
    fn results(&self) -> Results {
        let name = self.row.wrapper();
        let family = name.split('_').next().unwrap_or_default();
        let found = |bits: Vec<bool>| Some(bits.into_iter().map(|bit| vec![u8::from(bit)]).collect());
        match family {
            "shfl" => {
                let sources: Vec<(usize, bool)> =
                    (0..self.threads).map(|thread| self.source(thread)).collect();
                let x = &self.args[shuffle_operands(self.row).0];
                let out = sources.iter().map(|(from, _)| x[*from].clone()).collect();
                let inside = sources.iter().map(|(_, inside)| *inside).collect();
                let tells = name.ends_with("_pred");
                Results { out: Some(out), found: if tells { found(inside) } else { None } }
            }
            "warp" if name.starts_with("warp_reduce") => Results { out: Some(self.reduced()), found: None },
            _ => Results { out: self.by_thread(), found: None },
        }
    }

    /// The thread whose value a thread gets in a shuffle, and whether it lies in the segment (PTX ISA, `shfl.sync`).
    fn source(&self, thread: usize) -> (usize, bool) {
        let (_, lane_operand, clamp) = shuffle_operands(self.row);
        let name = self.row.name;
        let number =
            |at: usize| u32::from_le_bytes(self.args[at][thread][..4].try_into().unwrap_or_default());
        let b = lane_operand.map_or(u32::from(name.contains("xor")), number) & 31;
        let c = clamp.map_or(if name.contains("_up_") { 0 } else { 31 }, number);
        let (lane, segment) = (thread as u32 & 31, c >> 8 & 31);
        let last = lane & segment | c & 31 & !segment;
        let (from, inside) = match name.split('_').nth(1) {
            Some("up") => (lane.wrapping_sub(b), lane as i32 - b as i32 >= last as i32),
            Some("down") => (lane + b, lane + b <= last),
            Some("xor") => (lane ^ b, lane ^ b <= last),
            _ => {
                let from = lane & segment | b & !segment;
                (from, from <= last)
            }
        };
        let from = if inside { from } else { lane };
        (thread & !31 | from as usize, inside)
    }

    /// The values of a parameter in the warp of a thread, or in the block.
    fn values(&self, at: usize, of: std::ops::Range<usize>) -> Vec<u64> {
        of.map(|thread| Kind::Int(self.args[at][thread].len()).read(&self.args[at][thread]).bits).collect()
    }

    /// Pairs of lanes 16, 8, 4, 2, 1 apart in turn.
    fn reduced(&self) -> Array {
        let kind = self.row.ret.and_then(Kind::of).unwrap_or(Kind::Int(4));
        let mut all = Vec::new();
        for warp in 0..self.threads / 32 {
            let mut values = self.values(0, 32 * warp..32 * warp + 32);
            for apart in [16, 8, 4, 2, 1] {
                values =
                    (0..32).map(|lane| combine(self.row.name, values[lane], values[lane ^ apart])).collect();
            }
            all.extend(values.into_iter().map(|bits| Value { kind, bits }.to_bytes()));
        }
        all
    }

    fn by_thread(&self) -> Option<Array> {
        let ty = self.row.ret?;
        let kind = Kind::of(ty)?;
        let bits = (0..self.threads).map(|thread| self.of_thread(thread)).collect::<Option<Vec<u64>>>()?;
        Some(bits.into_iter().map(|bits| Value { kind, bits: bits & kind.mask() }.to_bytes()).collect())
    }

    /// The result of a thread; `None` where it is the machine's affair.
    fn of_thread(&self, thread: usize) -> Option<u64> {
        let name = self.row.wrapper();
        if self.row.args.is_empty() {
            return self.register(name, thread as u64);
        }
        let warp = thread / 32 * 32..(thread / 32 * 32 + 32).min(self.threads);
        let first = warp.start;
        let of = if name.starts_with("barrier") { 0..self.threads } else { warp };
        let all = self.values(self.row.args.len() - 1, of);
        let holds: Vec<bool> = all.iter().map(|x| *x > 3).collect();
        let own = all[thread - if name.starts_with("barrier") { 0 } else { first }];
        let bits = |chosen: &dyn Fn(usize) -> bool| {
            (0..all.len()).filter(|lane| chosen(*lane)).fold(0, |all, lane| all | 1 << lane)
        };
        let signed = || all.iter().map(|x| *x as u32 as i32);
        Some(match name {
            "all_sync" | "barrier_red_and" => holds.iter().all(|holds| *holds).into(),
            "any_sync" | "barrier_red_or" => holds.iter().any(|holds| *holds).into(),
            "uni_sync" => holds.iter().all(|other| *other == holds[0]).into(),
            "ballot_sync" => bits(&|lane| holds[lane]),
            "barrier_red_popc" => holds.iter().filter(|holds| **holds).count() as u64,
            "match_any_sync" => bits(&|lane| all[lane] == own),
            "match_all_sync" => all.iter().all(|x| *x == own).into(),
            "redux_sync_add_u32" | "redux_sync_add_s32" => all.iter().sum(),
            "redux_sync_min_u32" => *all.iter().min()?,
            "redux_sync_max_u32" => *all.iter().max()?,
            "redux_sync_min_s32" => signed().min()? as u32 as u64,
            "redux_sync_max_s32" => signed().max()? as u32 as u64,
            "redux_sync_and_b32" => all.iter().fold(u64::MAX, |all, x| all & x),
            "redux_sync_or_b32" => all.iter().fold(0, |all, x| all | x),
            "redux_sync_xor_b32" => all.iter().fold(0, |all, x| all ^ x),
            _ => return None,
        })
    }

    /// A special register, or what is computed of some, in a launch of one block without shared memory.
    fn register(&self, name: &str, thread: u64) -> Option<u64> {
        let (threads, lane) = (self.threads as u64, thread % 32);
        Some(match name {
            "thread_idx_x" | "thread_linear" | "grid_thread_linear" => thread,
            "block_dim_x" | "block_threads" | "grid_threads" => threads,
            "lane_idx" => lane,
            "lanemask_eq" => 1 << lane,
            "lanemask_lt" => (1 << lane) - 1,
            "lanemask_le" => (2 << lane) - 1,
            "lanemask_gt" => !((2 << lane) - 1),
            "lanemask_ge" => !((1 << lane) - 1),
            "warp_idx" => thread / 32,
            "num_warps" => threads.div_ceil(32),
            "activemask" => lanes_there(self.threads, thread as usize / 32).into(),
            "smid" | "nsmid" | "warpid" | "nwarpid" | "gridid" | "total_smem_size" => return None,
            "block_linear" | "cluster_block_rank" | "dynamic_smem_size" => 0,
            "grid_blocks" | "cluster_blocks" => 1,
            _ if name.contains("_idx_") => 0,
            _ if name.contains("_dim_") || name.contains("grid_clusters_") => 1,
            _ => return None,
        })
    }
}

/// The operation of a reduction on two values.
fn combine(name: &str, a: u64, b: u64) -> u64 {
    fn two<T: Typed>(a: u64, b: u64, f: impl Fn(T, T) -> T) -> u64 {
        f(T::from_bits(a), T::from_bits(b)).value().bits
    }
    match name {
        "warp_reduce_sum" => two(a, b, math::add_rn_f32),
        "warp_reduce_sum__f64" => two(a, b, math::add_rn_f64),
        "warp_reduce_sum__bf16x2" => {
            two(a, b, |a, b| packed::fma_rn_bf16x2(a, packed::bf16x2::splat(bf16::from_f32(1.0)), b))
        }
        "warp_reduce_min" => two(a, b, math::min_f32),
        "warp_reduce_max" => two(a, b, math::max_f16),
        _ => a ^ b,
    }
}

/// Rows whose result no model gives must be those that are the machine's affair, or give none.
///
/// # Errors
/// The rows without a model.
pub fn every_row_has_a_model(rows: &[Row]) -> Result<(), String> {
    const OPEN: [&str; 7] =
        ["smid", "nsmid", "warpid", "nwarpid", "gridid", "total_smem_size", "bar_warp_sync"];
    let mut draw = Draw::new("models");
    let without: Vec<&str> = rows
        .iter()
        .filter(|row| {
            let args: Vec<Array> =
                (0..row.args.len()).map(|at| argument(row, at, &mut draw, 64, 0)).collect();
            Model { row, threads: 64, args: &args }.results().out.is_none() != OPEN.contains(&row.name)
        })
        .map(|row| row.name)
        .collect();
    if without.is_empty() { Ok(()) } else { Err(format!("no model for {without:?}, or one too many")) }
}
