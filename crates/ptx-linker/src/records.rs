//! The section `.warpsmith.kernels`: one JSON object per entry, written by `#[kernel]`.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value as Json;

use crate::error::LinkError;
use crate::llvm::module::Module;
use crate::llvm::value::Value;
use crate::names::is_identifier;
use crate::passes::used;

const SECTION: &str = ".warpsmith.kernels";
const VERSION: u64 = 1;
/// Bytes of a tensor map (CUDA Driver API, `CUtensorMap`).
pub(crate) const TENSOR_MAP_BYTES: u64 = 128;

/// What the linker reads of a record.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Record {
    /// Name of the PTX entry.
    pub(crate) entry: String,
    /// Path of the module that defines it.
    pub(crate) module: String,
    /// The PTX file it goes to.
    pub(crate) family: String,
    /// Exact block.
    pub(crate) block: Option<[u32; 3]>,
    /// Largest block.
    pub(crate) max_block: Option<u32>,
    /// Blocks per multiprocessor to leave room for.
    pub(crate) min_blocks: Option<u32>,
    /// Registers per thread at most.
    pub(crate) max_registers: Option<u32>,
    /// Blocks per cluster.
    pub(crate) cluster: Option<u32>,
    /// Parameters in source order.
    pub(crate) params: Vec<Parameter>,
    /// The whole object, for the report.
    #[serde(skip)]
    pub(crate) json: Json,
}

/// One parameter of a kernel.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Parameter {
    /// Its name.
    pub(crate) name: String,
    /// How it is passed.
    pub(crate) kind: Kind,
    /// Bytes of a value, or of one element.
    pub(crate) size: u64,
    /// Alignment of a value, or of one element.
    pub(crate) align: u64,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// Address and length; read only.
    Slice,
    /// Address and length; written.
    GridMut,
    /// Address.
    Ptr,
    /// The bytes themselves.
    Value,
    /// A tensor map, in place; read only.
    TensorMap,
    /// A tensor map, in place; its tensor may be written.
    TensorMapMut,
}

impl Kind {
    /// The word in the record.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Slice => "slice",
            Self::GridMut => "grid_mut",
            Self::Ptr => "ptr",
            Self::Value => "value",
            Self::TensorMap => "tensor_map",
            Self::TensorMapMut => "tensor_map_mut",
        }
    }

    /// Is it a tensor map?
    pub(crate) fn is_tensor_map(self) -> bool {
        matches!(self, Self::TensorMap | Self::TensorMapMut)
    }
}

impl Parameter {
    /// How many PTX parameters it becomes; a value without bytes is not passed at all.
    pub(crate) fn ptx_count(&self) -> usize {
        match self.kind {
            Kind::Slice | Kind::GridMut => 2,
            Kind::Ptr | Kind::TensorMap | Kind::TensorMapMut => 1,
            Kind::Value => usize::from(self.size > 0),
        }
    }
}

/// Reads all records, removes their section from the module, and checks them against the module's kernels.
pub(crate) fn take(module: &Module<'_>) -> Result<Vec<Record>, LinkError> {
    let in_section = |global: &Value<'_>| global.section().is_some_and(|section| section == SECTION);
    let globals: Vec<_> = module.globals().into_iter().filter(in_section).collect();
    let mut records = Vec::new();
    for global in &globals {
        let symbol = global.name();
        let bytes = global.initializer().and_then(Value::bytes).ok_or_else(|| LinkError::Record {
            symbol: symbol.clone(),
            reason: "the static is not an array of bytes".to_owned(),
        })?;
        records.push(parse(&symbol, &bytes)?);
    }
    used::forget(module, &globals);
    for global in globals {
        module.erase(global);
    }
    records.sort_by(|a, b| a.entry.cmp(&b.entry));
    check(module, &records)?;
    Ok(records)
}

fn parse(symbol: &str, bytes: &[u8]) -> Result<Record, LinkError> {
    let unreadable = |reason: String| LinkError::Record { symbol: symbol.to_owned(), reason };
    let mut json: Json = serde_json::from_slice(bytes).map_err(|error| unreadable(error.to_string()))?;
    let version = &json["version"];
    if version.as_u64() != Some(VERSION) {
        let (symbol, version) = (symbol.to_owned(), version.to_string());
        return Err(LinkError::RecordVersion { symbol, version, known: VERSION });
    }
    let mut record = Record::deserialize(&json).map_err(|error| unreadable(error.to_string()))?;
    json["signature"] = format!("{:016x}", fnv1a(bytes)).into();
    record.json = json;
    for (what, name) in [("entry", &record.entry), ("family", &record.family)] {
        if !is_identifier(name) {
            return Err(LinkError::Name { what, name: name.clone() });
        }
    }
    check_numbers(&record)?;
    Ok(record)
}

fn check_numbers(record: &Record) -> Result<(), LinkError> {
    let refuse = |field, value: String, limit| {
        Err(LinkError::RecordValue { entry: record.entry.clone(), field, value, limit })
    };
    for param in &record.params {
        if !param.align.is_power_of_two() {
            return refuse("align", param.align.to_string(), "a power of two");
        }
        if param.kind.is_tensor_map() && param.size != TENSOR_MAP_BYTES {
            return refuse("size", param.size.to_string(), "128, the bytes of a tensor map");
        }
    }
    let limits = [record.max_block, record.min_blocks, record.max_registers, record.cluster];
    for (field, value) in ["max_block", "min_blocks", "max_registers", "cluster"].into_iter().zip(limits) {
        if value == Some(0) {
            return refuse(field, "0".to_owned(), "at least 1");
        }
    }
    match record.block {
        Some(block) if block.contains(&0) => refuse("block", format!("{block:?}"), "at least 1 each"),
        Some(_) if record.max_block.is_some() => {
            refuse("max_block", format!("{:?}", record.max_block), "absent where `block` is given")
        }
        _ => Ok(()),
    }
}

/// Every record has its kernel, every kernel its record (unless there is none at all), every entry one record.
fn check(module: &Module<'_>, records: &[Record]) -> Result<(), LinkError> {
    if records.is_empty() {
        return Ok(());
    }
    let kernels: Vec<String> = kernels(module).into_iter().map(Value::name).collect();
    let mut seen: HashMap<&str, &Record> = HashMap::new();
    for record in records {
        if let Some(first) = seen.insert(&record.entry, record) {
            return Err(LinkError::DuplicateEntry {
                entry: record.entry.clone(),
                first: first.module.clone(),
                second: record.module.clone(),
            });
        }
        if !kernels.contains(&record.entry) {
            return Err(LinkError::MissingEntry {
                entry: record.entry.clone(),
                module: record.module.clone(),
            });
        }
    }
    match kernels.into_iter().find(|name| !seen.contains_key(name.as_str())) {
        Some(entry) => Err(LinkError::UnrecordedEntry { entry }),
        None => Ok(()),
    }
}

/// The kernels that the module defines and that others can see.
pub(crate) fn kernels<'c>(module: &Module<'c>) -> Vec<Value<'c>> {
    let is_entry = |f: &Value<'_>| f.is_kernel() && !f.is_declaration() && !f.is_local();
    module.functions().into_iter().filter(is_entry).collect()
}

/// 64-bit FNV-1a, the hash that `#[kernel]` compiles into the host program.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn bad_records_are_refused_with_the_reason() {
        let with = |entry: &str, extra: &str| {
            let text = format!(
                r#"{{"version":1,"entry":"{entry}","module":"k","family":"k","block":null,"max_block":null,"min_blocks":null,"max_registers":null,"cluster":null,"params":[]{extra}}}"#
            );
            parse("RECORD", text.as_bytes()).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(with("k_f32", ""), Ok(()));
        assert!(with("9k", "").unwrap_err().contains("`9k`"));
        let version = parse("RECORD", br#"{"version":2}"#).unwrap_err().to_string();
        assert!(version.contains("version 2") && version.contains("RECORD"), "{version}");
        assert!(parse("RECORD", b"{").unwrap_err().to_string().contains("unreadable"));
        assert!(parse("RECORD", br#"{"version":1}"#).unwrap_err().to_string().contains("entry"));
    }
}
