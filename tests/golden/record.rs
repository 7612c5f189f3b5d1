//! Writes the stored outputs anew, or the texts alone.

use std::fs;
use std::path::Path;

use host::runtime::Gpu;

use super::compare;
use super::device;
use super::program::{self, Program};
use super::store::{self, Family, Record};

/// The stored outputs of each family.
pub const STORED: [(&str, &[u8]); 25] = [
    ("int", include_bytes!("sim/int.bin")),
    ("bits", include_bytes!("sim/bits.bin")),
    ("carry", include_bytes!("sim/carry.bin")),
    ("f32", include_bytes!("sim/f32.bin")),
    ("f64", include_bytes!("sim/f64.bin")),
    ("half", include_bytes!("sim/half.bin")),
    ("approx", include_bytes!("sim/approx.bin")),
    ("convert", include_bytes!("sim/convert.bin")),
    ("compare", include_bytes!("sim/compare.bin")),
    ("move", include_bytes!("sim/move.bin")),
    ("memory", include_bytes!("sim/memory.bin")),
    ("atomic", include_bytes!("sim/atomic.bin")),
    ("warp", include_bytes!("sim/warp.bin")),
    ("mma", include_bytes!("sim/mma.bin")),
    ("mma_float", include_bytes!("sim/mma_float.bin")),
    ("tile", include_bytes!("sim/tile.bin")),
    ("block", include_bytes!("sim/block.bin")),
    ("control", include_bytes!("sim/control.bin")),
    ("special", include_bytes!("sim/special.bin")),
    ("contended", include_bytes!("sim/contended.bin")),
    ("spaces", include_bytes!("sim/spaces.bin")),
    ("copy", include_bytes!("sim/copy.bin")),
    ("tensor_map", include_bytes!("sim/tensor_map.bin")),
    ("wgmma", include_bytes!("sim/wgmma.bin")),
    ("flights", include_bytes!("sim/flights.bin")),
];

/// Programs without a stored output, by family: new ones, or changed after the last recording. They run in the simulator alone. A
/// recording empties the list.
pub const NOT_RECORDED: &[(&str, &[&str])] = &[];

/// Whether nothing is stored of a program yet.
pub fn is_pending(program: &Program) -> bool {
    let of_family = |(family, names): &(&str, &[&str])| {
        *family == program.family && names.contains(&program.name.as_str())
    };
    NOT_RECORDED.iter().any(of_family)
}

/// Runs every program of the families `only` (none: of all; `family::name`: one program) on GPU 0 and writes `<family>.bin` of each, and `device.txt`, to
/// `folder`; says which it runs. A program that gives something else when it runs again is an error, and so is one that is
/// refused.
///
/// # Errors
/// The first of each program, line by line.
pub fn outputs(folder: &Path, only: &[&str]) -> Result<String, String> {
    let said = |error: &dyn std::error::Error| error.to_string();
    let gpu = Gpu::open(0).map_err(|e| said(&e))?;
    let stream = gpu.stream().map_err(|e| said(&e))?;
    let programs = program::all()?;
    fs::create_dir_all(folder).map_err(|e| said(&e))?;
    let (mut failures, mut bytes) = (Vec::new(), 0);
    let is_asked = |program: &&Program| {
        let whole = format!("{}::{}", program.family, program.name);
        only.is_empty() || only.contains(&program.family) || only.contains(&whole.as_str())
    };
    for family in program::families() {
        let mut records = Family::new();
        let ours = programs.iter().filter(|program| program.family == family).filter(is_asked);
        for program in ours {
            // One that does not end is the last that is named.
            eprintln!("{family}: {}", program.name);
            let twice = device::run(&gpu, &stream, program)
                .and_then(|first| Ok((first, device::run(&gpu, &stream, program)?)));
            match twice {
                Ok((first, second)) if first == second => {
                    let record = Record { check: program.check(), output: first };
                    records.insert(program.name.clone(), record);
                }
                Ok(_) => failures.push(format!("{family}: {}: another output the second time", program.name)),
                Err(error) => failures.push(format!("{family}: {}: {error}", program.name)),
            }
        }
        if records.is_empty() {
            continue;
        }
        let packed = store::pack(&records).map_err(|e| said(&e))?;
        bytes += packed.len();
        println!("{family}: {} programs, {} bytes", records.len(), packed.len());
        fs::write(folder.join(format!("{family}.bin")), packed).map_err(|e| said(&e))?;
    }
    let info = gpu.info();
    let device = format!("{info:?}\n");
    fs::write(folder.join("device.txt"), device).map_err(|e| said(&e))?;
    if failures.is_empty() {
        Ok(format!("{} programs, {bytes} bytes", programs.len()))
    } else {
        Err(failures.join("\n"))
    }
}

/// Writes the text of every program to `folder`; those of a table's rows as the entries of one text for each architecture,
/// which a compiler takes at once.
///
/// # Errors
/// The file that cannot be written.
pub fn texts(folder: &Path) -> Result<String, String> {
    let programs = program::all()?;
    fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let mut files = std::collections::BTreeMap::<String, String>::new();
    for (i, program) in programs.iter().enumerate() {
        let (name, entry) = match &program.case {
            Some(case) => (format!("{}-{}", case.family, case.target), format!("golden_{i}")),
            None => (format!("{}-{}", program.family, program.name), program.name.clone()),
        };
        append(files.entry(name).or_default(), program, &entry);
    }
    for (name, text) in &files {
        fs::write(folder.join(format!("{name}.ptx")), text).map_err(|error| error.to_string())?;
    }
    Ok(format!("{} programs in {} files", programs.len(), files.len()))
}

fn append(file: &mut String, program: &Program, entry: &str) {
    let text = program.text.replacen(program::ENTRY, entry, 1);
    let start = if file.is_empty() { 0 } else { text.find(".visible").unwrap_or(0) };
    file.push_str(&format!("{}// {}\n", &text[start..], program.name));
}

/// Operands and stored results of every thread of a program of one instruction.
///
/// # Errors
/// No such program, or none stored.
pub fn show(family: &str, name: &str) -> Result<String, String> {
    let programs = program::all()?;
    let program = programs.iter().find(|program| program.family == family && program.name == name);
    let program = program.ok_or_else(|| format!("no program {name} in {family}"))?;
    let packed = STORED.iter().find(|(stored, _)| *stored == family).map_or(&[][..], |(_, packed)| packed);
    let records = store::unpack(packed)?;
    let output = &compare::stored(&records, program)?.output;
    let Some(case) = &program.case else { return Ok(format!("{:02x?}\n-> {output:02x?}", program.input)) };
    let line = |thread| {
        let results =
            (0..case.results.len()).map(|i| format!(" {:#x}", compare::result(case, output, i, thread)));
        format!("{} ->{}", compare::operands(case, thread), results.collect::<String>())
    };
    Ok((0..case.threads).map(line).collect::<Vec<_>>().join("\n"))
}
