//! Reads the inputs: objects whole, archive members where something still needs them.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::archive;
use crate::error::{LinkError, one_line};
use crate::llvm::context::Context;
use crate::llvm::module::Module;
use crate::passes::undefined;

/// A bitcode member of an archive.
struct Candidate<'a> {
    label: String,
    data: &'a [u8],
}

/// One module with all objects of `inputs`, and those archive members that define what it lacks.
pub(crate) fn load<'c>(context: &'c Context, inputs: &[PathBuf]) -> Result<Module<'c>, LinkError> {
    let mut files = Vec::new();
    for path in inputs {
        let bytes = std::fs::read(path).map_err(|source| LinkError::Read { path: path.clone(), source })?;
        files.push((path, bytes));
    }
    let mut whole: Option<Module<'c>> = None;
    let mut candidates = Vec::new();
    for (path, bytes) in &files {
        if bytes.starts_with(archive::MAGIC) {
            let members = archive::members(path, bytes)?.into_iter().filter(|member| is_bitcode(member.data));
            candidates.extend(members.map(|member| Candidate {
                label: format!("{}({})", path.display(), member.name),
                data: member.data,
            }));
            continue;
        }
        let module = read_object(context, path, bytes)?;
        match whole.as_mut() {
            None => whole = Some(module),
            Some(whole) => join(whole, module, &path.display().to_string())?,
        }
    }
    let mut whole = whole.ok_or(LinkError::NoInput)?;
    add_wanted(context, &mut whole, &candidates)?;
    Ok(whole)
}

/// Bitcode, bare or in its wrapper.
fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xc0\xde") || bytes.starts_with(&[0xde, 0xc0, 0x17, 0x0b])
}

fn read_object<'c>(context: &'c Context, path: &Path, bytes: &[u8]) -> Result<Module<'c>, LinkError> {
    if !is_bitcode(bytes) && path.extension().is_none_or(|extension| extension != "ll") {
        return Err(LinkError::NotBitcode { path: path.to_owned() });
    }
    parse(context, &path.display().to_string(), bytes)
}

fn parse<'c>(context: &'c Context, label: &str, bytes: &[u8]) -> Result<Module<'c>, LinkError> {
    let module = Module::parse(context, bytes, label)
        .map_err(|reason| LinkError::Parse { path: label.to_owned(), reason: one_line(&reason) })?;
    let triple = module.triple();
    if triple.starts_with("nvptx64") { Ok(module) } else { Err(LinkError::Target { target: triple }) }
}

fn join<'c>(whole: &mut Module<'c>, module: Module<'c>, label: &str) -> Result<(), LinkError> {
    whole.link(module).map_err(|reason| LinkError::Link { path: label.to_owned(), reason: one_line(&reason) })
}

/// Links members until none defines anything that is still wanted.
fn add_wanted<'c>(
    context: &'c Context,
    whole: &mut Module<'c>,
    candidates: &[Candidate<'_>],
) -> Result<(), LinkError> {
    if candidates.is_empty() || undefined::wanted(whole).is_empty() {
        return Ok(());
    }
    let index = index(context, candidates)?;
    let mut taken = BTreeSet::new();
    loop {
        let wanted = undefined::wanted(whole);
        let defining = wanted.iter().filter_map(|name| index.get(name).copied());
        let next: BTreeSet<usize> = defining.filter(|member| !taken.contains(member)).collect();
        if next.is_empty() {
            return Ok(());
        }
        for member in next {
            let Candidate { label, data } = &candidates[member];
            join(whole, parse(context, label, data)?, label)?;
            taken.insert(member);
        }
    }
}

/// Which member defines a symbol: the first one, as every linker has it.
fn index(context: &Context, candidates: &[Candidate<'_>]) -> Result<HashMap<String, usize>, LinkError> {
    let mut index = HashMap::new();
    for (member, Candidate { label, data }) in candidates.iter().enumerate() {
        let module = Module::parse_symbols(context, data, label)
            .map_err(|reason| LinkError::Parse { path: label.clone(), reason: one_line(&reason) })?;
        for value in module.functions().into_iter().chain(module.globals()).chain(module.aliases()) {
            if !value.is_declaration() && !value.is_local() && !value.is_available_externally() {
                index.entry(value.name()).or_insert(member);
            }
        }
    }
    Ok(index)
}
