//! PTX of libNVVM: it parses, its names are declared, and what the source asks for is there.

use ptx_parse::Module;
use ptx_parse::ast::{Const, Function, Init, Linkage, ScalarType, Space, Statement};

fn read(text: &str) -> Module {
    let module = ptx_parse::parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(module.name_errors(), []);
    assert_eq!((module.version, module.address_size), ((9, 0), 64));
    module
}

fn entry<'a>(module: &'a Module, name: &str) -> &'a Function {
    module.entry(name).unwrap_or_else(|| panic!("there is no entry {name}"))
}

/// Offset and size of each parameter.
fn layout(function: &Function) -> Vec<(u64, u64)> {
    let params = function.layout().expect("every size is fixed");
    params.iter().map(|param| (param.offset, param.size)).collect()
}

fn count(function: &Function, name: &str) -> usize {
    function.instructions().iter().filter(|instruction| instruction.full_name() == name).count()
}

#[test]
fn memory() {
    let module = read(include_str!("nvvm/memory_sm80.ptx"));
    assert_eq!(module.target, ["sm_80"]);
    let spaces = entry(&module, "spaces");
    assert_eq!(layout(spaces), [(0, 8), (8, 8), (16, 4)]);
    assert_eq!(spaces.instructions().len(), 37);
    assert_eq!(count(spaces, "shfl.sync.bfly.b32") + count(spaces, "atom.global.cas.b32"), 2);
    let usage = module.usage(spaces);
    assert_eq!((usage.static_shared_bytes, usage.dynamic_shared, usage.local_bytes), (256, true, 0));
    assert_eq!(usage.unresolved.into_iter().collect::<Vec<_>>(), ["counter"]);
    assert_eq!(module.usage(entry(&module, "local_array")).local_bytes, 32);

    let find = |name: &str| module.variables.iter().find(|v| v.name == name).expect("it is there");
    assert_eq!((find("dyn").linkage, find("dyn").size_bytes()), (Linkage::Extern, None));
    assert_eq!((find("weights").space, find("weights").size_bytes()), (Space::Const, Some(16)));
    let Some(Init::List(values)) = &find("pair").init else { panic!("pair has no list") };
    assert_eq!((values.len(), &values[12]), (13, &Init::Value(Const::Int(1))));
    let address = Init::Symbol { name: "bytes".to_owned(), offset: 2, generic: true, mask: None };
    assert_eq!(find("address").init, Some(address));
}

#[test]
fn control_flow() {
    let module = read(include_str!("nvvm/control_sm80.ptx"));
    let control = entry(&module, "control");
    assert_eq!(layout(control), [(0, 8), (8, 4), (16, 32)]);
    assert_eq!(count(control, "call.uni") + count(control, "call"), 5);
    let mut prototypes = 0;
    let mut scopes = 0;
    ptx_parse::analysis::each_statement(control.body.as_deref().unwrap_or_default(), &mut |s| match s {
        Statement::Prototype { params, returns, .. } => prototypes += params.len() + returns.len(),
        Statement::Block(_) => scopes += 1,
        _ => {}
    });
    // Five call sequences, the inline assembly five times: unrolled by four, and the rest.
    assert_eq!((prototypes, scopes), (2, 10));
    let usage = module.usage(control);
    assert_eq!((usage.local_bytes, usage.unresolved.len()), (16, 0));
    let functions = module.functions.iter().filter(|f| f.body.is_some() && !f.is_entry);
    assert_eq!(functions.map(|f| f.name.as_str()).collect::<Vec<_>>(), ["twice", "fact", "sum"]);
    let table = module.variables.iter().find(|v| v.name == "table").expect("it is there");
    assert!(matches!(&table.init, Some(Init::List(list)) if list.len() == 2));
}

#[test]
fn types_and_bounds() {
    let module = read(include_str!("nvvm/types_sm90.ptx"));
    let types = entry(&module, "types");
    let bounds = &types.bounds;
    assert_eq!((bounds.maxntid, bounds.minnctapersm, bounds.maxnreg), (Some([128, 1, 1]), Some(2), Some(64)));
    let registers = |ty| {
        let body = types.body.as_deref().unwrap_or_default();
        let decls = body.iter().filter_map(|s| if let Statement::Reg(r) = s { Some(r) } else { None });
        decls.filter(|r| r.ty == ty).flat_map(|r| r.names.clone()).collect::<Vec<_>>()
    };
    assert_eq!(registers(ScalarType::B16), [("%h".to_owned(), Some(5)), ("%rs".to_owned(), Some(3))]);
    assert_eq!(count(types, "fma.rn.bf16") + count(types, "vote.sync.ballot.b32"), 2);
    let tensor = entry(&module, "tensor");
    let bounds = &tensor.bounds;
    assert_eq!((bounds.reqntid, bounds.reqnctapercluster), (Some([32, 2, 1]), Some([2, 1, 1])));
    assert!(bounds.explicitcluster);
    assert_eq!(count(tensor, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), 1);
    assert_eq!(tensor.instructions().iter().filter(|i| i.guard.is_some()).count(), 1);
}

#[test]
fn source_lines() {
    let text = include_str!("nvvm/lines_sm90.ptx");
    let module = read(text);
    let located = entry(&module, "lines").located_instructions();
    let lines: Vec<_> = located
        .iter()
        .map(|(instruction, loc)| (instruction.opcode.as_str(), loc.map_or(0, |loc| loc.line)))
        .collect();
    let want = [("ld", 10), ("ld", 10), ("mov", 4), ("div", 4), ("add", 12), ("st", 13), ("ret", 14)];
    assert_eq!(lines, want);
    let (divide, loc) = located[3];
    let loc = loc.expect("it has a line");
    assert_eq!(loc.inlined.as_ref().map(|(_, at)| *at), Some([1, 11, 7]));
    assert_eq!(module.inlined_function(loc).as_deref(), Some("square"));
    assert_eq!(module.file(loc.file), Some("/src/lines.cu"));
    let line = text.lines().nth(divide.pos.line as usize - 1).expect("the line is there");
    assert_eq!(&line[divide.pos.column as usize - 1..][..7], "div.u32");
}

#[test]
fn debug_sections() {
    let module = read(include_str!("nvvm/debug_sm80.ptx"));
    assert_eq!(module.target, ["sm_80", "debug"]);
    let names: Vec<_> = module.sections.iter().map(|section| section.name.as_str()).collect();
    assert_eq!(names, [".debug_abbrev", ".debug_info", ".debug_macinfo"]);
    assert!(entry(&module, "lines").located_instructions().iter().all(|(_, loc)| loc.is_some()));
}
