//! Outputs of approximate instructions against the bounds of these.

use super::approximate::Scalar;
use super::compare::{operands, result};
use super::inputs;
use super::table::Case;

/// The table whose instructions are compared within bounds.
pub const FAMILY: &str = "approx";

/// Checks every result of an approximate instruction against the exact value.
///
/// # Errors
/// The first result outside its bound, with operands and exact value.
pub fn within_bounds(case: &Case, output: &[u8]) -> Result<(), String> {
    let name = case.body.split_whitespace().next().unwrap_or_default();
    let scalar = Scalar::new(name).ok_or_else(|| format!("{}: no bound is known", case.name))?;
    let slots = inputs::draw(case);
    for (thread, operands_of) in slots.chunks(case.args.len()).enumerate() {
        let got = result(case, output, 0, thread);
        for half in 0..scalar.per_register {
            let part = |bits: u64| (bits >> (16 * half)) & scalar.mask();
            let parts: Vec<u64> = operands_of.iter().map(|bits| part(*bits)).collect();
            scalar.check(&parts, part(got)).map_err(|why| {
                format!("{}: thread {thread}: {}: {why}", case.name, operands(case, thread))
            })?;
        }
    }
    Ok(())
}
