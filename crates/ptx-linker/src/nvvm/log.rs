//! The function that libNVVM's log speaks of.

/// Symbol of the function, as far as the log says which: by name, by line and column of the text, or by a line of it.
pub(super) fn function(ir: &str, log: &str) -> Option<String> {
    named(log).or_else(|| at_line(ir, log)).or_else(|| with_line(ir, log))
}

/// ``Function `name'``, as the check of NVIDIA's own rules has it.
fn named(log: &str) -> Option<String> {
    let (_, rest) = log.split_once("Function `")?;
    let (name, _) = rest.split_once('\'')?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// `module (line, column): parse …`, as the reader has it.
fn at_line(ir: &str, log: &str) -> Option<String> {
    let numbers = log.split('(').skip(1).find_map(|part| part.split_once(')').map(|(numbers, _)| numbers))?;
    let (line, column) = numbers.split_once(", ")?;
    column.parse::<usize>().ok()?;
    enclosing(ir, line.parse::<usize>().ok()?)
}

/// The instruction itself, as LLVM's verifier has it.
fn with_line(ir: &str, log: &str) -> Option<String> {
    let is_told = |line: &str| line.len() > 8 && log.lines().any(|told| told.trim() == line);
    let place = ir.lines().position(|line| is_told(line.trim()))?;
    enclosing(ir, place + 1)
}

/// The function whose definition holds line `number`, counted from 1.
fn enclosing(ir: &str, number: usize) -> Option<String> {
    let head = ir.lines().take(number).filter(|line| line.starts_with("define ") || *line == "}").last()?;
    let (_, rest) = head.split_once('@')?;
    let name = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split('(').next(),
    };
    name.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const IR: &str = "\
define internal i32 @first(i32 %a0) nounwind {
b0:
  %v0 = add i32 %a0, 17
  ret i32 %v0
}
declare void @llvm.trap()
define void @\"quoted name\"(i8* %a0) {
b0:
  %v0 = load i8, i8* %a0, align 1
  ret void
}
!0 = !{i32 2, i32 0}
";

    #[test]
    fn a_log_speaks_of_a_function_in_three_ways() {
        let of = |log: &str| function(IR, log);
        let named = "error: Error: :  Function `_ZN1k5countE' Basic Block `': \n  context:   fence seq_cst\n";
        assert_eq!(of(named).as_deref(), Some("_ZN1k5countE"));
        assert_eq!(of("k (3, 9): parse expected type").as_deref(), Some("first"));
        assert_eq!(of("k (9, 3): parse expected type").as_deref(), Some("quoted name"));
        assert_eq!(of("Wrong!\n  %v0 = add i32 %a0, 17\n").as_deref(), Some("first"));
    }

    #[test]
    fn a_log_that_names_no_function_gives_none() {
        for log in
            ["", "out of memory", "k (12, 3): parse expected type", "k (6, 1): x", "k (99999, 1): x", "f(x)"]
        {
            assert_eq!(function(IR, log), None, "{log}");
        }
    }
}
