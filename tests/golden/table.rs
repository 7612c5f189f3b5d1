//! The tables of one-instruction programs: `table/<family>.txt`, one row per instruction and its variants.
//!
//! `[@architecture] name | operand types | result types [| body]`. The body is the instruction itself where it is left out (a name
//! may end in `_corners` then); in it `$a0`… are operands, `$d0`… results, `$p0`… the addresses of operands, `$global`, `$shared` and `$local` the
//! addresses of 32 bytes of each thread, zero at first. `<x:a,b>` makes one row for each of `a` and `b`, `<x>` repeats the
//! choice, `<x:a/b,…>` and `<x.1>` give a choice further fields, `<,a>` needs no name.

use super::types::Ty;

/// Every table: family, rows, threads.
pub const TABLES: [(&str, &str, usize); 16] = [
    ("int", include_str!("table/int.txt"), 192),
    ("bits", include_str!("table/bits.txt"), 192),
    ("carry", include_str!("table/carry.txt"), 128),
    ("f32", include_str!("table/f32.txt"), 256),
    ("f64", include_str!("table/f64.txt"), 192),
    ("half", include_str!("table/half.txt"), 256),
    ("approx", include_str!("table/approx.txt"), 256),
    ("convert", include_str!("table/convert.txt"), 96),
    ("compare", include_str!("table/compare.txt"), 128),
    ("move", include_str!("table/move.txt"), 64),
    ("memory", include_str!("table/memory.txt"), 32),
    ("atomic", include_str!("table/atomic.txt"), 64),
    ("warp", include_str!("table/warp.txt"), 128),
    ("mma", include_str!("table/mma.txt"), 128),
    ("mma_float", include_str!("table/mma_float.txt"), 128),
    ("tile", include_str!("table/tile.txt"), 64),
];

/// One instruction with its operands.
#[derive(Clone, Debug)]
pub struct Case {
    /// The table.
    pub family: &'static str,
    /// Unique in the family: the instruction, or more.
    pub name: String,
    /// The architecture of the PTX.
    pub target: String,
    /// Operands.
    pub args: Vec<Ty>,
    /// Results.
    pub results: Vec<Ty>,
    /// The instructions, with `$` names.
    pub body: String,
    /// Threads, each with operands of its own.
    pub threads: usize,
}

/// Every case of a table.
///
/// # Errors
/// The row that is not understood.
pub fn cases(family: &'static str, rows: &str, threads: usize) -> Result<Vec<Case>, String> {
    let rows = rows.lines().filter(|row| !row.is_empty() && !row.starts_with('#'));
    let mut cases = Vec::new();
    for row in rows {
        for text in expand(row)? {
            let case =
                parse(family, &text, threads).ok_or_else(|| format!("{family}: {text:?} is no row"))?;
            cases.push(case);
        }
    }
    Ok(cases)
}

fn parse(family: &'static str, row: &str, threads: usize) -> Option<Case> {
    let mut columns = row.splitn(4, " | ");
    let (name, args, results) = (columns.next()?, columns.next()?, columns.next()?);
    let (target, name) = match name.strip_prefix('@') {
        Some(rest) => rest.split_once(' ')?,
        None => ("sm_80", name),
    };
    let types = |list: &str| list.split_whitespace().map(Ty::parse).collect::<Option<Vec<Ty>>>();
    let (args, results) = (types(args)?, types(results)?);
    let body = match columns.next() {
        Some(body) => body.to_owned(),
        None => {
            let operands = (0..args.len()).map(|i| format!(", $a{i}")).collect::<String>();
            let instruction = name.strip_suffix("_corners").unwrap_or(name);
            format!("{instruction} $d0{operands};")
        }
    };
    Some(Case { family, name: name.to_owned(), target: target.to_owned(), args, results, body, threads })
}

/// The rows that a row with choices stands for.
fn expand(row: &str) -> Result<Vec<String>, String> {
    let Some((before, rest)) = row.split_once('<') else { return Ok(vec![row.to_owned()]) };
    let (choice, after) = rest.split_once('>').ok_or_else(|| format!("no `>` in {row:?}"))?;
    let (name, alternatives) = match choice.split_once(':') {
        Some((name, alternatives)) if name.chars().all(|c| c.is_ascii_lowercase()) => (name, alternatives),
        _ => ("", choice),
    };
    if name.is_empty() && !alternatives.contains(',') {
        return Err(format!("<{choice}> is not defined in {row:?}"));
    }
    let mut rows = Vec::new();
    for alternative in alternatives.split(',') {
        let mut after = after.to_owned();
        for (i, field) in alternative.split('/').enumerate() {
            after = after.replace(&format!("<{name}.{i}>"), field);
            if i == 0 {
                after = after.replace(&format!("<{name}>"), field);
            }
        }
        let first = alternative.split('/').next().unwrap_or_default();
        rows.extend(expand(&format!("{before}{first}{after}"))?);
    }
    Ok(rows)
}
