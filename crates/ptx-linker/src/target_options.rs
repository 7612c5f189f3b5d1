//! Architecture and PTX version, from the options to LLVM. LLVM only warns about one that it does not know, so the
//! lists of LLVM 22 stand here; `tests/targets.rs` compares them with the library.

use crate::args::LinkOptions;
use crate::error::{LinkError, one_line};
use crate::llvm::fatal::set_step;
use crate::llvm::load::Llvm;
use crate::llvm::target::TargetMachine;

/// The code generator that the options ask for.
pub(crate) fn machine<'c>(
    llvm: Llvm,
    triple: &str,
    options: &LinkOptions,
) -> Result<TargetMachine<'c>, LinkError> {
    let cpu = &options.target_cpu;
    if !is_architecture(cpu) {
        return Err(LinkError::Architecture { cpu: cpu.clone(), llvm: llvm.version() });
    }
    let features = features(options, &llvm.version())?;
    set_step(format!("making a code generator for `{cpu}`"));
    TargetMachine::new(llvm, triple, cpu, &features).map_err(|reason| LinkError::Codegen {
        step: format!("making a code generator for `{cpu}`"),
        reason: one_line(&reason),
    })
}

/// The architectures of LLVM 22: each plain one, those with `a` (this architecture only) and with `f` (its family).
const PLAIN: [u32; 27] = [
    20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110,
    120, 121,
];
const FIRST_A: u32 = 90;
const FIRST_F: u32 = 100;

/// First and last PTX version of each run that LLVM 22 knows.
const PTX_VERSIONS: [(u32, u32); 7] = [(32, 32), (40, 43), (50, 50), (60, 65), (70, 78), (80, 88), (90, 90)];

/// Does LLVM know this `sm_NN`?
fn is_architecture(cpu: &str) -> bool {
    let Some(rest) = cpu.strip_prefix("sm_") else { return false };
    let (digits, first) = match rest.as_bytes().last() {
        Some(b'a') => (&rest[..rest.len() - 1], FIRST_A),
        Some(b'f') => (&rest[..rest.len() - 1], FIRST_F),
        _ => (rest, 0),
    };
    number(digits).is_some_and(|number| number >= first && PLAIN.contains(&number))
}

/// The number in the name of an architecture: 90 in `sm_90a`; 0 where it is none.
pub(crate) fn architecture_number(cpu: &str) -> u32 {
    let digits = cpu.strip_prefix("sm_").map(|rest| rest.trim_end_matches(['a', 'f']));
    digits.and_then(number).unwrap_or_default()
}

/// A number of two or three digits.
fn number(digits: &str) -> Option<u32> {
    let plain = matches!(digits.len(), 2..=3) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain && !digits.starts_with('0') { digits.parse().ok() } else { None }
}

/// rustc's features; a PTX version of the options takes the place of those among them.
fn features(options: &LinkOptions, llvm: &str) -> Result<String, LinkError> {
    let Some(version) = &options.ptx_version else { return Ok(options.target_features.clone()) };
    let known = |number| PTX_VERSIONS.iter().any(|&(first, last)| (first..=last).contains(&number));
    if !number(version).is_some_and(known) {
        return Err(LinkError::PtxVersion { version: version.clone(), llvm: llvm.to_owned() });
    }
    let others =
        options.target_features.split(',').filter(|feature| !feature.is_empty() && !feature.contains("ptx"));
    Ok(others.map(str::to_owned).chain([format!("+ptx{version}")]).collect::<Vec<_>>().join(","))
}
