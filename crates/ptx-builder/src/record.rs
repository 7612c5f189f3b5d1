//! The linker's report and the kernel records in it.

use std::path::Path;

use ptx_parse::manifest::ParamInfo;
use serde::Deserialize;

use crate::error::BuildError;

/// `link.json`
#[derive(Debug, Deserialize)]
pub(crate) struct LinkReport {
    pub families: Vec<LinkFamily>,
    #[serde(default)]
    pub undefined: Vec<String>,
}

/// One PTX file of a link.
#[derive(Debug, Deserialize)]
pub(crate) struct LinkFamily {
    pub family: String,
    pub file: String,
    #[serde(default)]
    pub records: Vec<Record>,
}

/// What `#[kernel]` says of an entry.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Record {
    pub entry: String,
    pub stem: String,
    pub instance: String,
    pub signature: String,
    pub block: Option<[u32; 3]>,
    pub max_block: Option<u32>,
    pub max_registers: Option<u32>,
    pub cluster: Option<u32>,
    pub target: Option<String>,
    #[serde(default)]
    pub local_bytes: u64,
    #[serde(default)]
    pub spill_bytes: u64,
    #[serde(default)]
    pub dynamic_shared: bool,
    pub params: Vec<RecordParam>,
}

/// A parameter as the Rust signature has it.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct RecordParam {
    pub name: String,
    pub kind: ParamKind,
    #[serde(rename = "type")]
    pub ty: String,
    pub size: u64,
    pub align: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ParamKind {
    Slice,
    GridMut,
    Ptr,
    Value,
    TensorMap,
    TensorMapMut,
}

impl Record {
    /// The PTX parameters: a slice is address and length, a pointer is one address, an empty value is nothing.
    pub fn flat_params(&self) -> Vec<ParamInfo> {
        let mut flat = Vec::new();
        let mut offset = 0_u64;
        let mut push = |name: String, size: u64, align: u64, ty: &str| {
            let align = align.max(1);
            offset = offset.next_multiple_of(align);
            flat.push(ParamInfo { name, offset, size, align, ty: ty.to_owned() });
            offset += size;
        };
        for param in &self.params {
            match param.kind {
                ParamKind::Slice | ParamKind::GridMut => {
                    push(format!("{}.addr", param.name), 8, 8, "u64");
                    push(format!("{}.len", param.name), 8, 8, "u64");
                }
                ParamKind::Ptr => push(param.name.clone(), 8, 8, "u64"),
                ParamKind::Value if param.size == 0 => {}
                ParamKind::Value | ParamKind::TensorMap | ParamKind::TensorMapMut => {
                    push(param.name.clone(), param.size, param.align, &param.ty);
                }
            }
        }
        flat
    }
}

impl LinkReport {
    /// Reads the report that the linker left in `dir`.
    pub fn read(dir: &Path) -> Result<Self, BuildError> {
        let path = dir.join("link.json");
        let report = |reason: String| BuildError::LinkReport { path: path.clone(), reason };
        let text = std::fs::read_to_string(&path).map_err(|error| report(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| report(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_flatten_as_the_macro_splits_them() {
        let json = r#"{"version":1,"entry":"k_f32","stem":"k","instance":"f32","module":"m","family":"m",
            "block":null,"max_block":256,"min_blocks":null,"max_registers":null,"cluster":null,"target":null,
            "signature":"0123456789abcdef","params":[
            {"name":"n","kind":"value","type":"u32","size":4,"align":4},
            {"name":"none","kind":"value","type":"()","size":0,"align":1},
            {"name":"a","kind":"slice","type":"f32","size":4,"align":4},
            {"name":"p","kind":"ptr","type":"f32","size":4,"align":4},
            {"name":"m","kind":"tensor_map","type":"TensorMap","size":128,"align":64}]}"#;
        let record: Record = serde_json::from_str(json).expect("it is a record");
        let got: Vec<_> =
            record.flat_params().into_iter().map(|p| (p.name, p.offset, p.size, p.align)).collect();
        let want =
            [("n", 0, 4, 4), ("a.addr", 8, 8, 8), ("a.len", 16, 8, 8), ("p", 24, 8, 8), ("m", 64, 128, 64)];
        assert_eq!(got, want.map(|(name, o, s, a)| (name.to_owned(), o, s, a)));
    }
}
