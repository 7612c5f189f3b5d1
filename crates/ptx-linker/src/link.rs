//! The order of the work.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use crate::args::{Backend, LinkOptions};
use crate::error::{LinkError, one_line};
use crate::inputs;
use crate::llvm::context::Context;
use crate::llvm::fatal::set_step;
use crate::llvm::load::Llvm;
use crate::llvm::module::Module;
use crate::llvm::target::TargetMachine;
use crate::names;
use crate::nvvm::library::NvvmLibrary;
use crate::nvvm::module as nvvm_module;
use crate::passes::undefined::{self, Undefined};
use crate::passes::{atomics, attributes, convergent, internalize, shared, wide};
use crate::records::{self, Record};
use crate::report::{FamilyReport, LinkReport, Unresolved};
use crate::target_options;

const REPORT_VERSION: u32 = 1;

/// One PTX file to make.
struct Family {
    name: String,
    entries: HashSet<String>,
    records: Vec<serde_json::Value>,
}

/// Links, optimises and writes PTX as `options` say.
///
/// # Errors
/// Unreadable or unfitting inputs, a libLLVM that is not the toolchain's, kernel records that do not fit their
/// functions, undefined symbols, or code that LLVM refuses. Nothing is written to the PTX files then; with
/// undefined symbols `link.json` is, and names them.
pub fn link(options: &LinkOptions) -> Result<LinkReport, LinkError> {
    let llvm = Llvm::open(&options.sysroot, &options.llvm_version)?;
    let context = Context::new(llvm);
    set_step("reading the input");
    let module = inputs::load(&context, &options.inputs)?;
    let machine = target_options::machine(llvm, &module.triple(), options)?;
    let families = prepare(&module, &machine, options)?;
    if let Some(path) = &options.keep_bitcode {
        write(path, &module.to_bitcode())?;
    }

    let mut undefined = Undefined::new();
    let mut optimised = Vec::new();
    for family in &families {
        let module = optimise(&module, &machine, family, options)?;
        undefined::collect(&module, &mut undefined);
        optimised.push(module);
    }
    let report = LinkReport {
        version: REPORT_VERSION,
        llvm: llvm.version(),
        families: families.iter().map(|family| family.report(options)).collect(),
        undefined: undefined.keys().cloned().collect(),
    };
    if !undefined.is_empty() {
        write_report(&report, options)?;
        return Err(LinkError::Undefined { symbols: unresolved(undefined) });
    }
    let texts = generate(&families, &optimised, &machine, options)?;
    for (family, text) in report.families.iter().zip(&texts) {
        match &options.out_dir {
            Some(folder) => write(&folder.join(&family.file), text)?,
            None => write(&options.output, text)?,
        }
    }
    write_report(&report, options)?;
    Ok(report)
}

/// The PTX of every family, by the back end asked for.
fn generate<'c>(
    families: &[Family],
    optimised: &[Module<'c>],
    machine: &TargetMachine<'c>,
    options: &LinkOptions,
) -> Result<Vec<Vec<u8>>, LinkError> {
    let both = families.iter().zip(optimised);
    let Backend::Nvvm { library } = &options.backend else {
        return both.map(|(family, module)| generate_llvm(family, module, machine)).collect();
    };
    let texts = both.map(|(family, module)| write_nvvm(family, module, options));
    let texts = texts.collect::<Result<Vec<_>, _>>()?;
    let library = NvvmLibrary::open(library)?;
    let compile =
        |(family, text): (&Family, &String)| library.compile(text, &options.target_cpu, &family.name);
    families.iter().zip(&texts).map(compile).collect()
}

fn generate_llvm<'c>(
    family: &Family,
    module: &Module<'c>,
    machine: &TargetMachine<'c>,
) -> Result<Vec<u8>, LinkError> {
    let step = format!("generating PTX of `{}`", family.name);
    set_step(step.clone());
    machine.emit(module).map_err(|reason| codegen(step, &reason))
}

/// The module as libNVVM reads it.
fn write_nvvm(family: &Family, module: &Module<'_>, options: &LinkOptions) -> Result<String, LinkError> {
    set_step(format!("writing NVVM IR of `{}`", family.name));
    let keep = |suffix: &str, text: &str| match &options.keep_nvvm {
        Some(folder) => write(&folder.join(format!("{}.{suffix}", family.name)), text.as_bytes()),
        None => Ok(()),
    };
    if options.keep_nvvm.is_some() {
        keep("ll", &module.text())?;
    }
    let text = nvvm_module::write(module, &family.name, &options.target_cpu)?;
    keep("nvvm.ll", &text)?;
    Ok(text)
}

/// Everything that happens to the module as a whole, and which files it is for.
fn prepare<'c>(
    module: &Module<'c>,
    machine: &TargetMachine<'c>,
    options: &LinkOptions,
) -> Result<Vec<Family>, LinkError> {
    let records = records::take(module)?;
    shared::lower(module)?;
    if options.mark_convergent {
        convergent::mark(module);
    }
    attributes::apply(module, &records)?;
    let families = families(module, records, options)?;
    let entries = families.iter().flat_map(|family| family.entries.iter().cloned()).collect();
    internalize::keep_only(module, &entries);
    let step = "preparing the module";
    module.verify().map_err(|reason| invalid("before optimisation", &reason))?;
    set_step(step);
    machine.run_passes(module, "globaldce").map_err(|reason| codegen(step.to_owned(), &reason))?;
    Ok(families)
}

fn families(
    module: &Module<'_>,
    records: Vec<Record>,
    options: &LinkOptions,
) -> Result<Vec<Family>, LinkError> {
    if records.is_empty() || options.out_dir.is_none() {
        let name =
            options.output.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let entries = entries(module, &records, options)?;
        let records = records.into_iter().map(|record| record.json).collect();
        return Ok(vec![Family { name, entries, records }]);
    }
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    for record in records {
        let family = families.entry(record.family.clone()).or_insert_with(|| Family {
            name: record.family.clone(),
            entries: HashSet::new(),
            records: Vec::new(),
        });
        family.entries.insert(record.entry);
        family.records.push(record.json);
    }
    Ok(families.into_values().collect())
}

/// The symbols to keep: the recorded entries, else what rustc exports, else all kernels.
fn entries(
    module: &Module<'_>,
    records: &[Record],
    options: &LinkOptions,
) -> Result<HashSet<String>, LinkError> {
    if !records.is_empty() {
        return Ok(records.iter().map(|record| record.entry.clone()).collect());
    }
    let kernels = records::kernels(module).into_iter().map(|kernel| kernel.name());
    let entries: HashSet<String> = if options.exported.is_empty() {
        kernels.collect()
    } else {
        options.exported.iter().cloned().collect()
    };
    if entries.is_empty() { Err(LinkError::NoEntry) } else { Ok(entries) }
}

/// A copy of the module with one family's entries, optimised and with names that PTX takes.
fn optimise<'c>(
    module: &Module<'c>,
    machine: &TargetMachine<'c>,
    family: &Family,
    options: &LinkOptions,
) -> Result<Module<'c>, LinkError> {
    let module = module.duplicate();
    internalize::keep_only(&module, &family.entries);
    let step = format!("optimising `{}`", family.name);
    set_step(step.clone());
    machine.run_passes(&module, "globaldce,default<O3>").map_err(|reason| codegen(step, &reason))?;
    let errors = module.context().take_errors();
    if !errors.is_empty() {
        return Err(codegen(format!("optimising `{}`", family.name), &errors.join("; ")));
    }
    wide::refuse_conversions(&module)?;
    atomics::lower(&module, machine, &options.target_cpu)?;
    shared::check_addresses(&module)?;
    names::make_legal(&module).map_err(|name| LinkError::Name { what: "symbol", name })?;
    module.verify().map_err(|reason| invalid("after optimisation", &reason))?;
    Ok(module)
}

impl Family {
    fn report(&self, options: &LinkOptions) -> FamilyReport {
        let file = match &options.out_dir {
            Some(_) => format!("{}.ptx", self.name),
            None => options.output.to_string_lossy().into_owned(),
        };
        FamilyReport { family: self.name.clone(), file, records: self.records.clone() }
    }
}

fn write_report(report: &LinkReport, options: &LinkOptions) -> Result<(), LinkError> {
    let Some(folder) = &options.out_dir else { return Ok(()) };
    let json = serde_json::to_vec(report).unwrap_or_default();
    write(&folder.join("link.json"), &json)?;
    write(&options.output, &json)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), LinkError> {
    let fail = |source| LinkError::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(fail)?;
    }
    std::fs::write(path, bytes).map_err(fail)
}

fn unresolved(undefined: Undefined) -> Vec<Unresolved> {
    let one = |(name, users): (String, std::collections::BTreeSet<String>)| Unresolved {
        name,
        users: users.into_iter().collect(),
    };
    undefined.into_iter().map(one).collect()
}

fn invalid(step: &str, reason: &str) -> LinkError {
    LinkError::Invalid { step: step.to_owned(), reason: one_line(reason) }
}

fn codegen(step: String, reason: &str) -> LinkError {
    LinkError::Codegen { step, reason: one_line(reason) }
}
