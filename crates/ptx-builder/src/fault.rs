//! What the checks after the link can find.

use std::fmt;

use ptx_parse::manifest::Backend;
use serde::{Deserialize, Serialize};

/// Static shared memory of one block: 48 KiB on every architecture. More is only there as dynamic shared memory.
pub const SHARED_LIMIT_BYTES: u64 = 48 * 1024;

/// One finding: which kernel, where, what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Who wrote the PTX.
    #[serde(default)]
    pub backend: Backend,
    /// The architecture.
    pub arch: String,
    /// The kernel family or, for what the linker found, the Rust module; empty where it is not known.
    pub family: String,
    /// The kernel.
    pub entry: String,
    /// What is wrong.
    pub kind: FaultKind,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.family.is_empty() { "" } else { "/" };
        write!(f, "{} {}{slash}{} `{}`: {}", self.backend, self.arch, self.family, self.entry, self.kind)
    }
}

pub(crate) fn list_faults(faults: &[Fault]) -> String {
    faults.iter().map(|fault| format!("  {fault}")).collect::<Vec<_>>().join("\n")
}

/// What is wrong with a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// Something it needs is defined nowhere.
    #[error(
        "calls or reads `{symbol}`, which nothing defines: link the crate that has it, or do not declare it extern"
    )]
    UnresolvedExtern {
        /// The name.
        symbol: String,
    },
    /// A record without a kernel.
    #[error("has a record in `.warpsmith.kernels` and no entry in the PTX")]
    Missing,
    /// A kernel that other architectures have and this one lacks.
    #[error(
        "is built for {present} and missing here: give it `target = \"{present}\"` or build it everywhere"
    )]
    MissingOnArch {
        /// An architecture that has it.
        present: String,
    },
    /// Two kernels of one name.
    #[error("is there {count} times: entry names are unique over all families")]
    Duplicate {
        /// How often.
        count: usize,
    },
    /// A kernel without a record among kernels with one.
    #[error("is exported and has no record: declare it with #[kernel]")]
    NoRecord,
    /// A name that PTX does not take.
    #[error("is no PTX identifier: use ASCII letters, digits and `_`")]
    BadName,
    /// `.local` memory that the kernel does not declare.
    #[error(
        "uses {bytes} bytes of .local memory, {declared} declared: index arrays with constants, or declare `local_bytes = {bytes}`"
    )]
    LocalMemory {
        /// What the PTX has.
        bytes: u64,
        /// What the record allows.
        declared: u64,
    },
    /// Spills that the kernel does not declare.
    #[error(
        "spills {stores} bytes of stores and {loads} of loads (ptxas), {declared} declared: use fewer registers, or declare `spill_bytes = {}`",
        stores.max(loads)
    )]
    Spill {
        /// Bytes of spill stores.
        stores: u64,
        /// Bytes of spill loads.
        loads: u64,
        /// What the record allows.
        declared: u64,
    },
    /// Too much static shared memory.
    #[error(
        "has {bytes} bytes of static shared memory, the limit is {limit} on every architecture: use dynamic shared memory"
    )]
    SharedMemory {
        /// What the PTX has.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// Arithmetic without a rounding mode.
    #[error(
        "contains `{instruction}`, which ptxas may fuse with another instruction: give it a rounding mode, such as `.rn`"
    )]
    Fusable {
        /// The instruction.
        instruction: String,
    },
    /// Another number of parameters.
    #[error("has {ptx} PTX parameters, its record describes {record}")]
    ParamCount {
        /// In the PTX.
        ptx: usize,
        /// In the record.
        record: usize,
    },
    /// A parameter of another size or alignment.
    #[error(
        "parameter `{name}` has {size} bytes aligned to {align} in the PTX, its record says {record_size} aligned to {record_align}"
    )]
    Param {
        /// Its name in the record.
        name: String,
        /// Bytes in the PTX.
        size: u64,
        /// Alignment in the PTX.
        align: u64,
        /// Bytes in the record.
        record_size: u64,
        /// Alignment in the record.
        record_align: u64,
    },
}
