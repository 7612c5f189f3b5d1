//! Compares what a program wrote with what is stored, and says where they differ.

use super::approx;
use super::inputs;
use super::matrix;
use super::program::{Program, result_offset};
use super::store::{Family, Record};
use super::table::Case;

/// What to do where stored outputs and programs do not belong together.
const NEXT_STEP: &str =
    "record anew on an H200 with `run-gpu.sh golden` of the bundle, see tests/golden/sim/README.md";

/// The stored output of `program`.
///
/// # Errors
/// There is none, or it was made from another text, launch or input.
pub fn stored<'a>(family: &'a Family, program: &Program) -> Result<&'a Record, String> {
    let name = &program.name;
    let record = family.get(name).ok_or_else(|| format!("{name}: nothing stored; {NEXT_STEP}"))?;
    if record.check != program.check() {
        return Err(format!("{name}: stored of another text or input; {NEXT_STEP}"));
    }
    if record.output.len() != program.output_bytes {
        return Err(format!(
            "{name}: {} bytes stored, {} wanted; {NEXT_STEP}",
            record.output.len(),
            program.output_bytes
        ));
    }
    Ok(record)
}

/// Checks `got` against the stored output: bit for bit, approximate functions and sums of float products within their bounds.
///
/// # Errors
/// The first difference with the program, the thread, its operands and both values.
pub fn outputs(program: &Program, got: &[u8], want: &Record) -> Result<(), String> {
    match &program.case {
        Some(case) if case.family == approx::FAMILY => approx::within_bounds(case, got),
        Some(case) if case.family == matrix::FLOATS => matrix::agrees(case, got),
        Some(case) => same_results(case, got, &want.output),
        None if program.tolerances.is_empty() => same_words(program, got, &want.output),
        None => near_words(program, got, &want.output),
    }
}

fn same_results(case: &Case, got: &[u8], want: &[u8]) -> Result<(), String> {
    for thread in 0..case.threads {
        for index in 0..case.results.len() {
            let (got, want) = (result(case, got, index, thread), result(case, want, index, thread));
            if got != want {
                let (instruction, operands) = (&case.body, operands(case, thread));
                return Err(format!(
                    "{}: thread {thread}: {instruction} of {operands}: $d{index}: got {got:#x}, want {want:#x}",
                    case.name
                ));
            }
        }
    }
    Ok(())
}

fn same_words(program: &Program, got: &[u8], want: &[u8]) -> Result<(), String> {
    let words = |bytes: &[u8]| bytes.chunks(4).map(number).collect::<Vec<_>>();
    let (got, want) = (words(got), words(want));
    if got.len() != want.len() {
        return Err(format!("{}: {} words, want {}", program.name, got.len(), want.len()));
    }
    match got.iter().zip(&want).position(|(got, want)| got != want) {
        Some(at) => {
            let (name, count) = (&program.name, got.iter().zip(&want).filter(|(g, w)| g != w).count());
            let (got, want) = (got[at], want[at]);
            Err(format!(
                "{name}: word {at} of the output: got {got:#x}, want {want:#x}; {count} words differ"
            ))
        }
        None => Ok(()),
    }
}

fn near_words(program: &Program, got: &[u8], want: &[u8]) -> Result<(), String> {
    let floats =
        |bytes: &[u8]| bytes.chunks(4).map(|word| f32::from_bits(number(word) as u32)).collect::<Vec<_>>();
    let (name, got, want) = (&program.name, floats(got), floats(want));
    if [got.len(), want.len()] != [program.tolerances.len(); 2] {
        return Err(format!("{name}: {} words, want {}", got.len(), program.tolerances.len()));
    }
    for (at, tolerance) in program.tolerances.iter().enumerate() {
        let (got, want) = (got[at], want[at]);
        let same = got == want || got.is_nan() && want.is_nan();
        let difference = (f64::from(got) - f64::from(want)).abs();
        let near = difference.is_finite() && difference <= *tolerance;
        if !same && !near {
            return Err(format!(
                "{name}: word {at} of the output: got {got:e}, want {want:e} within {tolerance:e}"
            ));
        }
    }
    Ok(())
}

/// A result of a thread; zero where the output is too short.
pub fn result(case: &Case, output: &[u8], index: usize, thread: usize) -> u64 {
    let bytes = case.results[index].stored_bytes();
    let start = result_offset(case, index) + thread * bytes;
    number(output.get(start..start + bytes).unwrap_or_default())
}

/// The operands of a thread, for people.
pub fn operands(case: &Case, thread: usize) -> String {
    let slots = inputs::draw(case);
    let mine = slots.chunks(case.args.len()).nth(thread).unwrap_or_default();
    let words: Vec<String> =
        mine.iter().zip(&case.args).map(|(x, ty)| format!("{} {x:#x}", ty.name)).collect();
    words.join(", ")
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| (value << 8) | u64::from(*byte))
}
