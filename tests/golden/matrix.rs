//! The matrix instructions against naive models: products of a warp, and matrices from and to shared memory.

use super::compare;
use super::inputs;
use super::matrices;
use super::program::Program;
use super::simulator;
use super::table::Case;

/// The table whose results are compared within a bound.
pub const FLOATS: &str = "mma_float";
/// The tables that have a model.
pub const FAMILIES: [&str; 3] = ["mma", FLOATS, "tile"];

/// Checks that the simulator, with warps in order and in an order of its own, gives what the model does, and that the model takes
/// nothing else: not the last result with its two highest bits flipped.
///
/// # Errors
/// What it finds wrong, or the first difference.
pub fn simulator_agrees(program: &Program) -> Result<(), String> {
    let case = program.case.as_ref().ok_or_else(|| format!("{}: not of a table", program.name))?;
    for seed in [0, 7] {
        let mut output = simulator::run(program, seed)?;
        agrees(case, &output)?;
        if let Some(byte) = output.last_mut() {
            *byte ^= 0xc0;
        }
        if agrees(case, &output).is_ok() {
            return Err(format!("{}: flipped bits are not found", case.name));
        }
    }
    Ok(())
}

/// Checks an output against the model.
///
/// # Errors
/// The first difference.
pub fn agrees(case: &Case, output: &[u8]) -> Result<(), String> {
    let slots = inputs::draw(case);
    let threads: Vec<&[u64]> = slots.chunks(case.args.len()).collect();
    for (warp, operands) in threads.chunks(32).enumerate() {
        let results: Vec<Vec<u64>> = (0..operands.len())
            .map(|lane| {
                let result = |index| compare::result(case, output, index, 32 * warp + lane);
                (0..case.results.len()).map(result).collect()
            })
            .collect();
        let agreed = match case.name.split('.').next().unwrap_or_default() {
            "mma" => product(case, operands, &results),
            "ldmatrix" => same(&results, &loaded(case, operands)),
            "stmatrix" => same(&results, &stored(case, operands)),
            _ => same(&results, &copied(case, operands)),
        };
        agreed.map_err(|why| format!("{}: warp {warp}: {why}", case.name))?;
    }
    Ok(())
}

fn same(got: &[Vec<u64>], want: &[Vec<u64>]) -> Result<(), String> {
    match got.iter().zip(want).position(|(got, want)| got != want) {
        Some(lane) => Err(format!("lane {lane}: got {:x?}, want {:x?}", got[lane], want[lane])),
        None if got.len() == want.len() => Ok(()),
        None => Err(format!("{} lanes, want {}", got.len(), want.len())),
    }
}

fn product(case: &Case, operands: &[&[u64]], results: &[Vec<u64>]) -> Result<(), String> {
    let instruction = case.body.split_whitespace().next().unwrap_or_default();
    let form = matrices::form(instruction).ok_or("no product")?;
    let lanes: Vec<[u32; 10]> =
        operands.iter().map(|lane| std::array::from_fn(|at| lane[at] as u32)).collect();
    let got: Vec<[u32; 4]> = results.iter().map(|lane| std::array::from_fn(|at| lane[at] as u32)).collect();
    matrices::check(form, &lanes, &got)
}

/// The words of two results of 64 bits.
fn words(pair: &[u64]) -> [u32; 4] {
    std::array::from_fn(|at| (pair[at / 2] >> (32 * (at % 2))) as u32)
}

fn pair(words: [u32; 4]) -> Vec<u64> {
    words.chunks(2).map(|two| u64::from(two[1]) << 32 | u64::from(two[0])).collect()
}

fn loaded(case: &Case, operands: &[&[u64]]) -> Vec<Vec<u64>> {
    let tile: Vec<[u32; 4]> = operands.iter().map(|lane| words(lane)).collect();
    let rows: Vec<u32> = operands.iter().map(|lane| lane[2] as u32).collect();
    let transposed = case.name.contains(".trans");
    let registers = matrices::loaded(&tile, &rows, case.results.len(), transposed);
    registers.into_iter().map(|lane| lane.into_iter().map(u64::from).collect()).collect()
}

fn stored(case: &Case, operands: &[&[u64]]) -> Vec<Vec<u64>> {
    let mut tile = [[0; 4]; 32];
    let rows: Vec<u32> = (0..32).map(|lane| (5 * lane + 3) % 32).collect();
    let registers: Vec<Vec<u32>> =
        operands.iter().map(|lane| lane.iter().map(|word| *word as u32).collect()).collect();
    matrices::store(&mut tile, &rows, &registers, case.name.contains(".trans"));
    tile.map(pair).to_vec()
}

/// `…_of_<read>` copies so many bytes and fills up with zeros what the last number before says, 16 without one.
fn copied(case: &Case, operands: &[&[u64]]) -> Vec<Vec<u64>> {
    let (whole, read) = match case.name.split_once("_of_") {
        Some((whole, read)) => (whole, read.parse().ok()),
        None => (case.name.as_str(), None),
    };
    let bytes: usize = whole.rsplit_once('_').and_then(|(_, bytes)| bytes.parse().ok()).unwrap_or(16);
    let read: usize = read.unwrap_or(bytes);
    let one = |lane: &&[u64]| {
        let source: Vec<u8> = lane.iter().flat_map(|slot| slot.to_le_bytes()).collect();
        let byte = |at: usize| match at {
            _ if at < read => source[at],
            _ if at < bytes => 0,
            _ => 0xff,
        };
        let word = |first: usize| (0..8).rev().fold(0, |word, at| word << 8 | u64::from(byte(first + at)));
        vec![word(0), word(8)]
    };
    operands.iter().map(one).collect()
}
