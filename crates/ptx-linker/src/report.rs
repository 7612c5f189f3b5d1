//! What a link made, as Rust values and as `link.json`.

use serde::Serialize;

/// The result of a link.
#[derive(Clone, Debug, Serialize)]
pub struct LinkReport {
    /// Version of this description.
    pub version: u32,
    /// Version of the LLVM that did the work.
    pub llvm: String,
    /// The PTX files, sorted by family.
    pub families: Vec<FamilyReport>,
    /// Names of symbols that nothing defines; the link fails when there are any.
    pub undefined: Vec<String>,
}

/// One PTX file.
#[derive(Clone, Debug, Serialize)]
pub struct FamilyReport {
    /// The kernel family, or the name of the output file where no kernel has a record.
    pub family: String,
    /// The file's name inside the output folder, or the output file where there is no such folder.
    pub file: String,
    /// The kernel records, each with its `signature` added.
    pub records: Vec<serde_json::Value>,
}

/// A symbol that nothing defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// Its name.
    pub name: String,
    /// The functions and statics that use it.
    pub users: Vec<String>,
}
