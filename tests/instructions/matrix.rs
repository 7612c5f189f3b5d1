//! Wrappers of matrix instructions and of copies to shared memory: one warp, against naive models.

use crate::built::{Built, Memory, Target, built};
use crate::matrices;
use crate::rows::Row;
use crate::values::Draw;

/// Launches of each wrapper.
const CASES: usize = 20;

/// The words of a parameter or result, lane by lane.
type Array = Vec<Vec<u32>>;

/// Runs a wrapper of a target.
///
/// # Errors
/// What differs from the model.
pub fn agrees_with_its_model(row: &Row, target: Target) -> Result<(), String> {
    let built = built(target)?;
    let mut draw = Draw::new(row.name);
    for _ in 0..CASES {
        let ran = match row.name.split('_').next().unwrap_or_default() {
            "mma" => product(row, built, &mut draw),
            "cp" => copy(row, built, &mut draw),
            _ => matrices_of_rows(row, built, &mut draw),
        };
        ran.map_err(|why| format!("{target}: {}: {why}", row.name))?;
    }
    Ok(())
}

/// 32 lanes of `words` random words.
fn random(draw: &mut Draw, words: usize) -> Array {
    (0..32).map(|_| (0..words).map(|_| draw.next() as u32).collect()).collect()
}

fn upload(built: &Built, array: &Array) -> Result<Memory, String> {
    let bytes: Vec<u8> = array.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    built.upload(&bytes)
}

/// Launches the row's kernel; the words of its result by lane.
fn run(row: &Row, built: &Built, args: &[Memory], words: usize) -> Result<Array, String> {
    let out = built.alloc(32 * 4 * words)?;
    let params: Vec<Vec<u8>> = std::iter::once(&out).chain(args).map(Memory::param).collect();
    built.launch(&row.entry(), 32, &params)?;
    let bytes = out.read()?;
    let word = |four: &[u8]| four.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    Ok(bytes.chunks(4 * words).map(|lane| lane.chunks(4).map(word).collect()).collect())
}

fn product(row: &Row, built: &Built, draw: &mut Draw) -> Result<(), String> {
    let instruction = row.expected.first().map_or("", |(instruction, _)| instruction);
    let form = matrices::form(instruction).ok_or("no `mma` is expected")?;
    let mut lanes = random(draw, 10);
    // Random bits are mostly numbers of every size; some are made neighbours of 1, of which sums have digits in common.
    let near = |words: &mut [u32], keep: u32, one: u32| words.iter_mut().for_each(|w| *w = *w & keep | one);
    if draw.below(2) == 0 {
        for words in &mut lanes {
            match form.a {
                "f16" => near(&mut words[..6], 0x87ff_87ff, 0x3800_3800),
                "bf16" => near(&mut words[..6], 0x80ff_80ff, 0x3f00_3f00),
                "tf32" => near(&mut words[..6], 0x80ff_ffff, 0x3f00_0000),
                _ => {}
            }
            if !matches!(form.a, "s8" | "u8") {
                near(&mut words[6..], 0x80ff_ffff, 0x3f00_0000);
            }
        }
    }
    let part =
        |range: std::ops::Range<usize>| lanes.iter().map(|words| words[range.clone()].to_vec()).collect();
    let args = [part(0..4), part(4..6), part(6..10)].map(|array: Array| upload(built, &array));
    let got = run(row, built, &args.into_iter().collect::<Result<Vec<_>, _>>()?, 4)?;
    matrices::check(form, &fixed(&lanes), &fixed(&got))
}

/// The words of each lane as an array.
fn fixed<const N: usize>(array: &Array) -> Vec<[u32; N]> {
    array.iter().map(|words| std::array::from_fn(|at| words[at])).collect()
}

fn matrices_of_rows(row: &Row, built: &Built, draw: &mut Draw) -> Result<(), String> {
    let transposed = row.name.ends_with("_trans");
    let count = ["_x1", "_x2", "_x4"].iter().position(|word| row.name.contains(word)).map_or(0, |at| 1 << at);
    let loads = row.name.starts_with("ld");
    let x = random(draw, if loads { 4 } else { count });
    let mut rows: Vec<u32> = (0..32).collect();
    for at in (1..32).rev() {
        rows.swap(at, draw.below(at as u64 + 1) as usize);
    }
    let args = [upload(built, &x)?, upload(built, &vec![rows.clone()])?];
    let got = run(row, built, &args, if loads { count } else { 4 })?;
    let want = if loads {
        matrices::loaded(&fixed(&x), &rows, count, transposed)
    } else {
        let mut tile = [[0; 4]; 32];
        matrices::store(&mut tile, &rows, &x, transposed);
        tile.iter().map(|words| words.to_vec()).collect()
    };
    differs_in_no_lane(&got, &want)
}

fn differs_in_no_lane(got: &Array, want: &Array) -> Result<(), String> {
    match got.iter().zip(want).position(|(got, want)| got != want) {
        Some(lane) => Err(format!("lane {lane}: got {:x?}, want {:x?}", got[lane], want[lane])),
        None if got.len() == want.len() => Ok(()),
        None => Err(format!("{} lanes, want {}", got.len(), want.len())),
    }
}

fn copy(row: &Row, built: &Built, draw: &mut Draw) -> Result<(), String> {
    let words = match row.ret {
        Some("u32") => 1,
        Some("u64") => 2,
        _ => 4,
    };
    let source = random(draw, words);
    let memory = upload(built, &source)?;
    let mut from: Vec<usize> = (0..32).collect();
    from.iter_mut().for_each(|from| *from = draw.below(32) as usize);
    let address = |from: &usize| memory.addr() + (4 * words * from) as u64;
    let addresses =
        from.iter().map(|from| vec![address(from) as u32, (address(from) >> 32) as u32]).collect();
    let sizes: Vec<u32> = (0..32).map(|_| draw.below(4 * words as u64 + 1) as u32).collect();
    let mut args = vec![upload(built, &addresses)?];
    let fills = row.args.len() == 2;
    if fills {
        args.push(upload(built, &vec![sizes.clone()])?);
    }
    let got = run(row, built, &args, words)?;
    let word = |lane: usize, at: usize| {
        let there = if fills { sizes[lane].saturating_sub(4 * at as u32).min(4) } else { 4 };
        let kept = 1_u64.checked_shl(8 * there).map_or(u64::MAX, |bit| bit - 1);
        source[from[lane]][at] & kept as u32
    };
    let want = (0..32).map(|lane| (0..words).map(|at| word(lane, at)).collect()).collect();
    differs_in_no_lane(&got, &want)
}
