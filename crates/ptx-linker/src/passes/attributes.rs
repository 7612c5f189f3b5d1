//! Launch bounds and parameter facts from the kernel records.

use crate::error::LinkError;
use crate::llvm::module::Module;
use crate::llvm::value::{Place, Value};
use crate::records::{Kind, Parameter, Record, TENSOR_MAP_BYTES};

/// Puts the facts of every record on its kernel.
pub(crate) fn apply(module: &Module<'_>, records: &[Record]) -> Result<(), LinkError> {
    for record in records {
        let function = module.function(&record.entry).ok_or_else(|| LinkError::MissingEntry {
            entry: record.entry.clone(),
            module: record.module.clone(),
        })?;
        bounds(module, function, record);
        parameters(module, function, record)?;
    }
    Ok(())
}

fn bounds(module: &Module<'_>, function: Value<'_>, record: &Record) {
    let set = |key: &str, text: Option<String>| {
        if let Some(text) = text {
            function.add_text_attribute(module.context(), Place::Function, key, &text);
        }
    };
    // `.reqntid`, `.maxntid`, `.minnctapersm`, `.maxnreg`, `.reqnctapercluster`
    set("nvvm.reqntid", record.block.map(|[x, y, z]| format!("{x},{y},{z}")));
    set("nvvm.maxntid", record.max_block.map(|threads| threads.to_string()));
    set("nvvm.minctasm", record.min_blocks.map(|blocks| blocks.to_string()));
    set("nvvm.maxnreg", record.max_registers.map(|registers| registers.to_string()));
    set("nvvm.cluster_dim", record.cluster.map(|blocks| format!("{blocks},1,1")));
}

fn parameters(module: &Module<'_>, function: Value<'_>, record: &Record) -> Result<(), LinkError> {
    let values = function.parameters();
    let expected: usize = record.params.iter().map(Parameter::ptx_count).sum();
    if expected != values.len() {
        let described: Vec<_> = record.params.iter().map(|param| param.name.as_str()).collect();
        return Err(LinkError::ParameterCount {
            entry: record.entry.clone(),
            expected,
            described: described.join(", "),
            found: values.len(),
        });
    }
    let mut index = 0;
    for param in &record.params {
        if param.kind != Kind::Value {
            if !values[index].is_pointer() {
                return Err(LinkError::ParameterKind {
                    entry: record.entry.clone(),
                    parameter: param.name.clone(),
                    kind: param.kind.name().to_owned(),
                });
            }
            if param.kind.is_tensor_map() {
                in_place(module, function, index as u32, param);
            } else {
                address(module, function, index as u32, param);
            }
        }
        index += param.ptx_count();
    }
    Ok(())
}

/// `noalias` and `readonly` together let LLVM read through the non-coherent cache (`ld.global.nc`).
fn address(module: &Module<'_>, function: Value<'_>, index: u32, param: &Parameter) {
    let add = |attribute, number| {
        function.add_attribute(module.context(), Place::Parameter(index), attribute, number);
    };
    add("align", param.align);
    if matches!(param.kind, Kind::Slice | Kind::GridMut) {
        add("noalias", 0);
    }
    if param.kind == Kind::Slice {
        add("readonly", 0);
    }
}

/// The pointer becomes the parameter itself, whose bytes stay where the launch put them: a copy in local memory could not be
/// used as a tensor map.
fn in_place(module: &Module<'_>, function: Value<'_>, index: u32, param: &Parameter) {
    let (context, place) = (module.context(), Place::Parameter(index));
    function.add_type_attribute(context, place, "byval", module.bytes_type(TENSOR_MAP_BYTES));
    for (attribute, number) in [("align", param.align), ("noalias", 0), ("readonly", 0)] {
        function.add_attribute(context, place, attribute, number);
    }
    function.add_text_attribute(context, place, "nvvm.grid_constant", "");
}
