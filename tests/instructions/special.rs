//! What no family covers: fences, barriers, cache hints, clocks, the ends of threads, whole programs.

use crate::built::{Built, Target, built};
use crate::rows::Row;

/// Runs a wrapper and checks what can be seen of it.
///
/// # Errors
/// What is seen instead, or that nothing is known of the row.
pub fn special(row: &Row, target: Target) -> Result<(), String> {
    let built = built(target)?;
    let wrapper = row.wrapper();
    let ran = match wrapper {
        "fence"
        | "nanosleep"
        | "bar_sync"
        | "barrier_sync"
        | "barrier_arrive"
        | "bar_sync_id"
        | "bar_arrive"
        | "barrier_cluster_arrive"
        | "clock"
        | "clock_hi"
        | "clock64"
        | "globaltimer" => runs(row, built),
        "barrier_cluster_wait" => ends_with(row, built, "without having arrived"),
        "trap" => ends_with(row, built, "trap"),
        "brkpt" => ends_with(row, built, "brkpt"),
        "exit" | "assume" => ends_or_goes_on(row, built),
        "prefetch_global_l1"
        | "prefetch_global_l2"
        | "prefetch_global_l2_evict_last"
        | "prefetch_global_l2_evict_normal"
        | "prefetchu_l1"
        | "prefetch_tensormap"
        | "applypriority_global_l2_evict_normal" => changes_nothing(row, built),
        "discard_global_l2" => discards(built),
        "isspacep_global" | "isspacep_shared" | "isspacep_local" => asks_for_the_space(row, built),
        "unroll" => unrolls(built),
        "convergence" => converges(built),
        "in_shared" => in_shared(built),
        "compares_bytes" => compares(built),
        _ => Err("nothing is known of it".to_owned()),
    };
    ran.map_err(|why| format!("{target}: {}: {why}", row.name))
}

fn word(value: u32) -> Vec<u8> {
    value.to_le_bytes().to_vec()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn equal<T: PartialEq + std::fmt::Debug>(got: T, want: T) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("got {got:?}, want {want:?}")) }
}

/// Its kernel with a result and numbers, as far as it takes them: barrier 1 of 64 threads.
fn launch(row: &Row, built: &Built) -> Result<(), String> {
    let out = built.alloc(8)?;
    let numbers = if row.args.len() == 2 { vec![word(1), word(64)] } else { vec![word(40); row.args.len()] };
    let params: Vec<Vec<u8>> = row.ret.iter().map(|_| out.param()).chain(numbers).collect();
    // Threads that write the same place are one too many.
    built.launch(&row.entry(), if row.ret.is_some() { 1 } else { 64 }, &params)
}

fn runs(row: &Row, built: &Built) -> Result<(), String> {
    launch(row, built)
}

fn ends_with(row: &Row, built: &Built, message: &str) -> Result<(), String> {
    match launch(row, built) {
        Err(why) if why.contains(message) => Ok(()),
        Err(why) => Err(format!("{why}, not {message}")),
        Ok(()) => Err("it went on".to_owned()),
    }
}

/// `exit` for 3 and less; `assume` of less than 8.
fn ends_or_goes_on(row: &Row, built: &Built) -> Result<(), String> {
    for x in 0..8 {
        let out = built.upload(&word(99))?;
        built.launch(&row.entry(), 1, &[out.param(), word(x)])?;
        equal(words(&out.read()?)[0], if row.name == "exit" && x <= 3 { 99 } else { x })?;
    }
    Ok(())
}

fn changes_nothing(row: &Row, built: &Built) -> Result<(), String> {
    let memory = built.upload(&[7; 256])?;
    built.launch(&row.entry(), 1, &[memory.param()])?;
    equal(memory.read()?, vec![7; 256])
}

/// What was discarded is undefined for the next launch, until it is written; its neighbours are not.
fn discards(built: &Built) -> Result<(), String> {
    let (memory, out) = (built.upload(&[7; 384])?, built.alloc(4)?);
    let at = |offset: u64| (memory.addr() + offset).to_le_bytes().to_vec();
    let load = |offset: u64| built.launch("k_ld_global_ca__f32", 1, &[out.param(), at(offset)]);
    built.launch("k_discard_global_l2", 1, &[at(128)])?;
    for inside in [128, 252] {
        match load(inside) {
            Err(why) if why.contains("undefined") => {}
            other => return Err(format!("reading byte {inside}: {other:?}")),
        }
    }
    load(124)?;
    load(256)?;
    built.launch("k_st_global_wb__f32", 1, &[at(128), 1.0_f32.to_le_bytes().to_vec()])?;
    load(128)
}

fn asks_for_the_space(row: &Row, built: &Built) -> Result<(), String> {
    let (memory, out) = (built.upload(&[7; 4])?, built.alloc(1)?);
    built.launch(&row.entry(), 1, &[out.param(), memory.param()])?;
    equal(out.read()?[0], u8::from(row.name.ends_with("global")))
}

fn unrolls(built: &Built) -> Result<(), String> {
    let x: Vec<f32> = (0..18).map(|i| i as f32 + 0.5).collect();
    let bytes: Vec<u8> = x.iter().flat_map(|x| x.to_le_bytes()).collect();
    let (input, y) = (built.upload(&bytes)?, built.alloc(64)?);
    built.launch("k_unroll", 1, &[input.param(), y.param()])?;
    let want: Vec<u32> = (0..16).rev().map(|i| x[i].mul_add(x[16], x[17]).to_bits()).collect();
    equal(words(&y.read()?), want)
}

fn converges(built: &Built) -> Result<(), String> {
    let out = built.alloc(128)?;
    built.launch("k_convergence", 32, &[out.param(), word(5)])?;
    equal(words(&out.read()?), (0..32).map(|lane| 15 + u32::from(lane >= 16)).collect())
}

fn in_shared(built: &Built) -> Result<(), String> {
    let x: Vec<u32> = (0..32).map(|i| 40 * i).collect();
    let (input, out) =
        (built.upload(&x.iter().flat_map(|x| word(*x)).collect::<Vec<u8>>())?, built.alloc(128)?);
    built.launch("k_in_shared", 32, &[out.param(), input.param()])?;
    // `inc` wraps at 1000, then 500 is the most.
    let after = |x: u32| if x >= 1000 { 0 } else { (x + 1).min(500) };
    equal(words(&out.read()?), x.iter().map(|x| x ^ after(*x) << 16).collect())
}

fn compares(built: &Built) -> Result<(), String> {
    let bytes: Vec<u8> = (0..37).collect();
    // Where they differ, how many are compared, and whether these are the same.
    for (at, len, same) in [(36, 37, false), (36, 36, true), (0, 0, true), (0, 1, false), (17, 37, false)] {
        let mut other = bytes.clone();
        other[at] ^= 1;
        let (a, b, out) = (built.upload(&bytes)?, built.upload(&other)?, built.alloc(1)?);
        built.launch(
            "k_compares_bytes",
            1,
            &[out.param(), a.param(), b.param(), (len as u64).to_le_bytes().to_vec()],
        )?;
        equal(out.read()?[0], u8::from(same))?;
    }
    Ok(())
}
