//! Kernels written out in tests.

#![allow(dead_code, reason = "each test program uses a part of it")]

use ptx_sim::{Arg, Finding, LaunchError, Options, Report, Sim};

/// A kernel `k` with the usual registers; its body starts at line [`FIRST_LINE`] of the text.
pub fn kernel(params: &str, body: &str) -> String {
    kernel_with("", params, body)
}

/// As [`kernel`], with declarations in front, all on one line.
pub fn kernel_with(declarations: &str, params: &str, body: &str) -> String {
    assert!(!declarations.contains('\n'), "lines are counted");
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n{declarations}\n.visible .entry k({params})\n{{\n\
         .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .f32 %f<9>; .reg .b64 %rd<20>;\n{body}\n}}\n"
    )
}

/// The line of the first line of a body.
pub const FIRST_LINE: u32 = 8;

/// The simulator with that text.
pub fn sim(text: &str, options: Options) -> Sim {
    match Sim::from_text(text, options) {
        Ok(sim) => sim,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// Runs `k` and gives back what was found.
pub fn findings(sim: &Sim, grid: u32, block: u32, shared: u32, args: &[Arg]) -> Vec<Finding> {
    match sim.launch("k", [grid, 1, 1], [block, 1, 1], shared, args) {
        Ok(_) => Vec::new(),
        Err(LaunchError::Findings(found)) => found.0,
        Err(other) => panic!("{other}"),
    }
}

/// Runs `k`, which must have no findings.
pub fn run(sim: &Sim, grid: u32, block: u32, args: &[Arg]) -> Report {
    match sim.launch("k", [grid, 1, 1], [block, 1, 1], 0, args) {
        Ok(report) => report,
        Err(error) => panic!("{error}"),
    }
}
