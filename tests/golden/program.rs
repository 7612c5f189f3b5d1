//! A program with all that a run needs: from a table's row, or from a file of programs written by hand.

use std::fmt::Write as _;

use super::flights;
use super::inputs::{self, Random};
use super::map::Map;
use super::table::{self, Case};
use super::types::Ty;
use super::wgmma;

/// Name of the entry in every text: each program is a module of its own, so that one that is refused fails alone.
pub const ENTRY: &str = "golden";

/// Bytes of memory of each thread behind `$global`, `$shared`, `$local`.
const MEMORY: usize = 32;

/// Files of programs written by hand: family and text.
pub const FILES: [(&str, &str); 7] = [
    ("block", include_str!("sim/block.ptx")),
    ("control", include_str!("sim/control.ptx")),
    ("special", include_str!("sim/special.ptx")),
    ("contended", include_str!("sim/contended.ptx")),
    ("spaces", include_str!("sim/spaces.ptx")),
    ("copy", include_str!("sim/copy.ptx")),
    ("tensor_map", include_str!("sim/tensor_map.ptx")),
];

/// A program and its launch: `golden(.param .u64 input, .param .u64 output)`, and behind them
/// `.param .align 64 .b8 map[128]` where it has a map.
#[derive(Clone, Debug)]
pub struct Program {
    /// The golden file it belongs to.
    pub family: &'static str,
    /// Unique in the family.
    pub name: String,
    /// PTX with the one entry [`ENTRY`].
    pub text: String,
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared_bytes: u32,
    /// What lies at `input`.
    pub input: Vec<u8>,
    /// Bytes of `output` that are compared; it is zero before the run.
    pub output_bytes: usize,
    /// Bytes behind them, zero before the run and not compared.
    pub scratch_bytes: usize,
    /// Blocks of a cluster, as the text requires them.
    pub cluster: [u32; 3],
    /// The tensor map, where it has one.
    pub map: Option<Map>,
    /// By how much each word of the output, an f32, may differ; empty: not at all.
    pub tolerances: Vec<f64>,
    /// The row it was made from, for programs of one instruction.
    pub case: Option<Case>,
}

impl Program {
    /// Identifies text, launch and input: what a stored output was made from.
    pub fn check(&self) -> u32 {
        let mut bytes = self.text.clone().into_bytes();
        let launch = format!("{:?} {:?} {} {}", self.grid, self.block, self.shared_bytes, self.output_bytes);
        bytes.extend(launch.into_bytes());
        bytes.extend(&self.input);
        if let Some(map) = &self.map {
            bytes.extend(format!("{map:?}").into_bytes());
        }
        let hash = gpu_std::record::fnv1a(&bytes);
        (hash ^ (hash >> 32)) as u32
    }

    /// What the programs of a test have in common: the first word of the instruction, or the whole name.
    pub fn group(&self) -> &str {
        match &self.case {
            Some(_) => self.name.split(['.', '_']).next().unwrap_or_default(),
            None => &self.name,
        }
    }

    /// What it is there for: the row's instructions, or the whole text.
    pub fn body(&self) -> &str {
        self.case.as_ref().map_or(&self.text, |case| &case.body)
    }

    /// The least compute capability that runs it.
    pub fn compute(&self) -> (u32, u32) {
        if self.text.contains(".target sm_80\n") { (8, 0) } else { (9, 0) }
    }
}

/// Every program, family by family.
///
/// # Errors
/// A table or a file that is not understood.
pub fn all() -> Result<Vec<Program>, String> {
    let mut programs = Vec::new();
    for (family, rows, threads) in table::TABLES {
        programs.extend(table::cases(family, rows, threads)?.into_iter().map(of_case));
    }
    for (family, text) in FILES {
        programs.extend(of_file(family, text)?);
    }
    programs.extend(wgmma::programs());
    programs.extend(of_file(flights::FAMILY, &flights::text())?);
    Ok(programs)
}

/// The names of the families.
pub fn families() -> impl Iterator<Item = &'static str> {
    let written = FILES.iter().map(|(family, _)| *family).chain([wgmma::FAMILY, flights::FAMILY]);
    table::TABLES.iter().map(|(family, ..)| *family).chain(written)
}

fn of_case(case: Case) -> Program {
    let input = inputs::draw(&case).iter().flat_map(|slot| slot.to_le_bytes()).collect();
    let bytes: usize = case.results.iter().map(|ty| ty.stored_bytes()).sum();
    Program {
        family: case.family,
        name: case.name.clone(),
        text: text_of(&case),
        grid: [1; 3],
        block: [case.threads as u32, 1, 1],
        shared_bytes: 0,
        input,
        output_bytes: bytes * case.threads,
        scratch_bytes: if case.body.contains("$global") { MEMORY * case.threads } else { 0 },
        cluster: [1; 3],
        map: None,
        tolerances: Vec::new(),
        case: Some(case),
    }
}

/// Where in the output the results of one kind begin, by index.
pub fn result_offset(case: &Case, index: usize) -> usize {
    case.results[..index].iter().map(|ty| ty.stored_bytes() * case.threads).sum()
}

/// The first lines of a text.
fn header(target: &str) -> String {
    let version = if target == "sm_80" { "8.2" } else { "8.6" };
    format!(".version {version}\n.target {target}\n.address_size 64\n\n")
}

/// The PTX of a row: loads the operands, runs the body, stores the results.
fn text_of(case: &Case) -> String {
    let mut text = header(&case.target);
    let mut line = |indented: &str| {
        let _ = writeln!(text, "{indented}");
    };
    line(&format!(".visible .entry {ENTRY}(.param .u64 input, .param .u64 output)\n{{"));
    line("    .reg .b32 %thread, %wide;\n    .reg .b64 %in, %out, %at;");
    for (kind, types) in [("a", &case.args), ("d", &case.results)] {
        for (i, ty) in types.iter().enumerate() {
            line(&format!("    .reg .{} %{kind}{i};", register(*ty)));
        }
    }
    line("    ld.param.u64 %in, [input];\n    ld.param.u64 %out, [output];");
    line("    cvta.to.global.u64 %in, %in;\n    cvta.to.global.u64 %out, %out;");
    line("    mov.u32 %thread, %tid.x;");
    line(&format!("    mad.wide.u32 %in, %thread, {}, %in;", 8 * case.args.len()));
    for (i, ty) in case.args.iter().enumerate() {
        match ty.bits {
            1 => {
                line(&format!("    ld.global.u32 %wide, [%in+{}];\n    setp.ne.u32 %a{i}, %wide, 0;", 8 * i))
            }
            bits => line(&format!("    ld.global.b{bits} %a{i}, [%in+{}];", 8 * i)),
        }
    }
    memory(case, &mut line);
    line(&format!("    {}", body(case)));
    for (i, ty) in case.results.iter().enumerate() {
        let (bytes, offset) = (ty.stored_bytes(), result_offset(case, i));
        line(&format!("    mad.wide.u32 %at, %thread, {bytes}, %out;"));
        match ty.bits {
            1 => line(&format!("    selp.u32 %wide, 1, 0, %d{i};\n    st.global.u8 [%at+{offset}], %wide;")),
            bits => line(&format!("    st.global.b{bits} [%at+{offset}], %d{i};")),
        }
    }
    line("    ret;\n}");
    text
}

fn register(ty: Ty) -> String {
    if ty.bits == 1 { "pred".to_owned() } else { format!("b{}", ty.bits) }
}

/// Sets up the memory that the body names.
fn memory(case: &Case, line: &mut impl FnMut(&str)) {
    if case.body.contains("$global") {
        let bytes: usize = case.results.iter().map(|ty| ty.stored_bytes() * case.threads).sum();
        line("    .reg .b64 %global;");
        line(&format!(
            "    mad.wide.u32 %global, %thread, {MEMORY}, %out;\n    add.u64 %global, %global, {};",
            bytes.next_multiple_of(MEMORY)
        ));
    }
    if case.body.contains("$shared") {
        line(&format!(
            "    .reg .b64 %shared;\n    .shared .align 16 .b8 in_shared[{}];",
            MEMORY * case.threads
        ));
        line(&format!(
            "    mov.u64 %shared, in_shared;\n    mad.wide.u32 %shared, %thread, {MEMORY}, %shared;"
        ));
    }
    if case.body.contains("$local") {
        line(&format!("    .reg .b64 %local;\n    .local .align 16 .b8 in_local[{MEMORY}];"));
        line("    mov.u64 %local, in_local;");
    }
    for space in ["shared", "local"] {
        if case.body.contains(&format!("${space}")) {
            line(&format!(
                "    st.{space}.v2.b64 [%{space}], {{0, 0}};\n    st.{space}.v2.b64 [%{space}+16], {{0, 0}};"
            ));
        }
    }
    for i in 0..case.args.len() {
        if case.body.contains(&format!("$p{i}")) {
            line(&format!("    .reg .b64 %p{i};\n    add.u64 %p{i}, %in, {};", 8 * i));
        }
    }
}

fn body(case: &Case) -> String {
    case.body.replace('$', "%")
}

/// The programs of a file: what stands before the first entry belongs to each. Before each entry stands its launch:
/// `// launch: [target=sm_90] grid=2,1,1 block=64,1,1 shared=0 input=u32*64 output=512`.
fn of_file(family: &'static str, text: &str) -> Result<Vec<Program>, String> {
    let mut parts = text.split("// launch: ");
    let shared = parts.next().unwrap_or_default();
    let declarations: String =
        shared.lines().filter(|line| !line.starts_with("//")).collect::<Vec<_>>().join("\n");
    let programs = parts.map(|part| {
        let (launch, code) = part.split_once('\n').unwrap_or((part, ""));
        written(family, launch, &declarations, code)
            .ok_or_else(|| format!("{family}: {launch:?} is no launch"))
    });
    programs.collect()
}

fn written(family: &'static str, launch: &str, declarations: &str, code: &str) -> Option<Program> {
    let name = code.split_once(".entry ")?.1.split('(').next()?.trim().to_owned();
    let mut program = Program {
        family,
        name: name.clone(),
        text: String::new(),
        grid: [1; 3],
        block: [32, 1, 1],
        shared_bytes: 0,
        input: Vec::new(),
        output_bytes: 0,
        scratch_bytes: 0,
        cluster: [1; 3],
        map: None,
        tolerances: Vec::new(),
        case: None,
    };
    let mut target = "sm_80";
    for word in launch.split_whitespace() {
        let (key, value) = word.split_once('=')?;
        match key {
            "target" => target = value,
            "grid" => program.grid = three(value)?,
            "block" => program.block = three(value)?,
            "shared" => program.shared_bytes = value.parse().ok()?,
            "input" => program.input = drawn(&format!("{family} {name}"), value)?,
            "output" => program.output_bytes = value.parse().ok()?,
            "scratch" => program.scratch_bytes = value.parse().ok()?,
            "cluster" => program.cluster = three(value)?,
            "map" => program.map = Some(Map::parse(value)?),
            _ => program.map.as_mut()?.set(key, value)?,
        }
    }
    let code = code.trim_end().replacen(&format!(".entry {name}("), &format!(".entry {ENTRY}("), 1);
    program.text = format!("{}{}\n\n{code}\n", header(target), declarations.trim());
    Some(program)
}

fn three(value: &str) -> Option<[u32; 3]> {
    let numbers = value.split(',').map(str::parse).collect::<Result<Vec<u32>, _>>().ok()?;
    numbers.try_into().ok()
}

/// `u32*64`: so many values of the type, packed.
fn drawn(name: &str, what: &str) -> Option<Vec<u8>> {
    let (ty, count) = what.split_once('*')?;
    let (ty, count): (Ty, usize) = (Ty::parse(ty)?, count.parse().ok()?);
    let mut random = Random::of(name);
    let values = (0..count).flat_map(|_| {
        let bytes = inputs::value(&mut random, ty.draw).to_le_bytes();
        bytes.into_iter().take(ty.stored_bytes())
    });
    Some(values.collect())
}
