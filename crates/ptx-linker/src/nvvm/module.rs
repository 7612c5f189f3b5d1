//! The module: head, globals, functions, annotations.

use std::collections::BTreeMap;

use super::function::Writer;
use super::{Dialect, Text, constant, types};
use crate::error::LinkError;
use crate::llvm::module::Module;
use crate::llvm::value::{Place, Value};

/// libNVVM's data layout and the one triple it takes.
const HEAD: &str = "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\ntarget triple = \"nvptx64-nvidia-cuda\"\n";

/// Writes the optimised module in the dialect that libNVVM reads for `arch`. `what` names it in errors.
pub(crate) fn write(module: &Module<'_>, what: &str, arch: &str) -> Result<String, LinkError> {
    let mut text = HEAD.to_owned();
    let mut declared = BTreeMap::new();
    let dialect = Dialect::of(arch);
    let place = |place: String| move |reason| LinkError::Inexpressible { place, code: String::new(), reason };
    if let Some(alias) = module.aliases().first() {
        let place = format!("the alias `{}` of `{what}`", alias.name());
        return Err(LinkError::Inexpressible {
            place,
            code: String::new(),
            reason: "aliases cannot be written".to_owned(),
        });
    }
    for global in module.globals().into_iter().filter(|global| !global.name().starts_with("llvm.")) {
        text += &self::global(global).map_err(place(format!("the static `{}`", global.name())))?;
    }
    let mut kernels = Vec::new();
    for function in module.functions() {
        let name = function.name();
        if function.is_declaration() {
            if !name.starts_with("llvm.") && !function.users().is_empty() {
                text += &declaration(function).map_err(place(format!("the function `{name}`")))?;
            }
            continue;
        }
        if function.is_kernel() {
            kernels.push(function);
        }
        text += &Writer::new(function, dialect, &mut declared).write()?;
    }
    text.extend(declared.into_values());
    text += &annotations(&kernels).map_err(place(format!("the kernels of `{what}`")))?;
    Ok(text)
}

fn global(global: Value<'_>) -> Text {
    if global.is_thread_local() {
        return Err("a thread-local static cannot be written".to_owned());
    }
    let ty = types::text(global.value_type())?;
    let space = constant::home(global);
    let word = if global.is_constant_global() { "constant" } else { "global" };
    let linkage = match (global.is_declaration(), global.is_local()) {
        (true, _) => "external ",
        (false, true) => "internal ",
        (false, false) => "",
    };
    let value = match global.initializer() {
        Some(value) => format!(" {}", constant::text(value)?),
        None => String::new(),
    };
    let align = match global.alignment() {
        0 => String::new(),
        bytes => format!(", align {bytes}"),
    };
    Ok(format!("@{} = {linkage}addrspace({space}) {word} {ty}{value}{align}\n", types::name(&global.name())))
}

fn declaration(function: Value<'_>) -> Text {
    let ty = types::function(function)?;
    let (result, parameters) = ty.split_once(" (").ok_or("a function type without parameters")?;
    Ok(format!("declare {result} @{}({parameters}\n", types::name(&function.name())))
}

/// `!nvvm.annotations` with kernels and launch bounds, and `!nvvmir.version`.
fn annotations(kernels: &[Value<'_>]) -> Text {
    let mut nodes = vec!["!{i32 2, i32 0}".to_owned(), "!{}".to_owned()];
    for &kernel in kernels {
        let address = format!("{}* @{}", types::function(kernel)?, types::name(&kernel.name()));
        let mut node = format!("!{{{address}, !\"kernel\", i32 1");
        for (key, value) in bounds(kernel)? {
            node += &format!(", !\"{key}\", i32 {value}");
        }
        let in_place = grid_constants(kernel);
        if !in_place.is_empty() {
            node += &format!(", !\"grid_constant\", !{{{}}}", in_place.join(", "));
        }
        nodes.push(node + "}");
    }
    let all: Vec<_> = (2..nodes.len()).map(|index| format!("!{index}")).collect();
    let mut text = format!("!nvvmir.version = !{{!0}}\n!nvvm.annotations = !{{{}}}\n", all.join(", "));
    for (index, node) in nodes.iter().enumerate() {
        text += &format!("!{index} = {node}\n");
    }
    Ok(text)
}

/// The `byval` parameters, counted from 1, that nothing writes, so that their addresses may be taken in place.
fn grid_constants(kernel: Value<'_>) -> Vec<String> {
    let is_one = |index: u32| {
        let place = Place::Parameter(index);
        kernel.by_value_type(index).is_some() && kernel.text_attribute(place, "nvvm.grid_constant").is_some()
    };
    (0..kernel.parameters().len())
        .filter(|&index| is_one(index as u32))
        .map(|index| format!("i32 {}", index + 1))
        .collect()
}

/// The launch bounds that `passes::attributes` has put on a kernel.
fn bounds(kernel: Value<'_>) -> Result<Vec<(String, u32)>, String> {
    let mut all = Vec::new();
    for (attribute, key, dimensions) in [
        ("nvvm.reqntid", "reqntid", true),
        ("nvvm.maxntid", "maxntid", true),
        ("nvvm.cluster_dim", "cluster_dim_", true),
        ("nvvm.minctasm", "minctasm", false),
        ("nvvm.maxnreg", "maxnreg", false),
    ] {
        let Some(text) = kernel.text_attribute(Place::Function, attribute) else { continue };
        for (value, axis) in text.split(',').zip(["x", "y", "z"]) {
            let number = value.trim().parse().map_err(|_| format!("`{attribute}` is `{text}`, no number"))?;
            all.push((if dimensions { format!("{key}{axis}") } else { key.to_owned() }, number));
        }
    }
    Ok(all)
}
