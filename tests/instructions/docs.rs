//! The documentation of an approximate function names the error that is checked.

use std::fs;

use crate::here;
use crate::pure::scalar_of;
use crate::rows::PURE;

/// Every bound stands in the documentation of its function.
///
/// # Errors
/// The functions whose documentation says something else.
pub fn bounds_are_documented() -> Result<(), String> {
    let sources = ["math/single.rs", "math/double.rs", "math/half.rs", "packed.rs"];
    let text = sources
        .iter()
        .map(|file| fs::read_to_string(here().join("../crates/gpu-std/src").join(file)))
        .collect::<Result<String, _>>()
        .map_err(|error| error.to_string())?;
    let mut wrong = Vec::new();
    for row in PURE {
        let Some(scalar) = scalar_of(row) else { continue };
        let doc = documentation(&text, row.wrapper());
        // A longer number that begins alike is another one.
        let ends = |rest: &str| {
            let rest = rest.strip_prefix('.').unwrap_or(rest);
            !rest.starts_with(|c: char| c.is_ascii_digit())
        };
        let says = |(word, number): &(&str, String)| {
            let mut places = doc.match_indices(number.as_str());
            doc.contains(word) && places.any(|(at, _)| ends(&doc[at + number.len()..]))
        };
        for stated in scalar.stated().iter().filter(|stated| !says(stated)) {
            wrong.push(format!("{}: {} {} is not in “{doc}”", row.name, stated.0, stated.1));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The documentation of a function, followed by that of the one it refers to with “As”.
fn documentation(text: &str, function: &str) -> String {
    let Some(at) = text.find(&format!("pub fn {function}(")) else { return String::new() };
    let above: Vec<&str> = text[..at].lines().rev().skip(1).take_while(|line| line.contains("///")).collect();
    let mut doc: String =
        above.into_iter().rev().map(|line| format!("{} ", line.trim().trim_start_matches("/// "))).collect();
    if let Some(other) = doc.strip_prefix("As [`").and_then(|rest| rest.split('`').next()) {
        doc += &documentation(text, other);
    }
    doc
}
