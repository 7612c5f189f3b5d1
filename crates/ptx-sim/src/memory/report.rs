//! The texts of what is wrong with an access.

use std::fmt;
use std::sync::Arc;

use super::space::Space;
use crate::FindingKind;

/// An access that does not lie inside one allocation or variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    /// Whether it writes.
    pub write: bool,
    /// The bytes of one lane.
    pub bytes: u32,
    /// The space.
    pub space: Space,
    /// The address: generic for global memory, an offset in the window else.
    pub address: u64,
    /// What lies nearest.
    pub nearest: Option<Object>,
}

/// An allocation or a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// The first address.
    pub base: u64,
    /// The size in bytes.
    pub bytes: u64,
    /// The name, for variables.
    pub name: Option<Arc<str>>,
    /// Whether it was freed.
    pub freed: bool,
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (freed, bytes, base) = (if self.freed { "freed " } else { "" }, self.bytes, self.base);
        match &self.name {
            Some(name) => write!(f, "the {freed}variable {name} of {bytes} bytes at {base:#x}"),
            None => write!(f, "the {freed}allocation of {bytes} bytes at {base:#x}"),
        }
    }
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.write { "writes" } else { "reads" };
        let (bytes, space, address) = (self.bytes, self.space.name(), self.address);
        write!(f, "{verb} {bytes} bytes of {space} memory at {address:#x}: ")?;
        let Some(object) = &self.nearest else {
            return f.write_str("nothing is there");
        };
        let past = (u128::from(address) + u128::from(bytes))
            .saturating_sub(u128::from(object.base) + u128::from(object.bytes));
        if let before @ 1.. = object.base.saturating_sub(address) {
            write!(f, "{before} bytes before {object}")
        } else if past > 0 {
            write!(f, "{past} bytes past the end of {object}")
        } else {
            write!(f, "inside {object}")
        }
    }
}

/// The earlier of two accesses that are in conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Earlier {
    /// The block's number: x fastest, then y, then z.
    pub block: u32,
    /// The thread's number in its block: x fastest, then y, then z.
    pub thread: u32,
    /// The line of the PTX text.
    pub line: u32,
    /// Whether it wrote.
    pub write: bool,
    /// Whether it was an atomic operation.
    pub atomic: bool,
}

impl fmt::Display for Earlier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match (self.atomic, self.write) {
            (true, _) => "updated atomically",
            (false, true) => "wrote",
            (false, false) => "read",
        };
        let Earlier { block, thread, line, .. } = self;
        write!(f, "thread {thread} of block {block} {verb} at PTX line {line}")
    }
}

/// Two accesses in conflict: the later one, and with whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Whether the later access writes.
    pub write: bool,
    /// The space.
    pub space: Space,
    /// The first address in conflict: generic for global memory, an offset in the window else.
    pub address: u64,
    /// The earlier access.
    pub earlier: Earlier,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.write { "writes" } else { "reads" };
        let (space, address) = (self.space.name(), self.address);
        write!(f, "{verb} {space} memory at {address:#x}, which {}", self.earlier)
    }
}

/// An access that cannot be carried out: the lowest lane concerned, and why. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The lane.
    pub(crate) lane: u32,
    /// What is wrong.
    pub(crate) kind: FindingKind,
}

/// Something wrong with an access that was carried out all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RaceReport {
    /// What is wrong.
    pub(crate) kind: FindingKind,
    /// The block of the later access.
    pub(crate) block: u32,
    /// The thread of the later access, numbered in its block.
    pub(crate) thread: u32,
    /// The line of the later access.
    pub(crate) line: u32,
    /// The earlier access.
    pub(crate) earlier: Earlier,
}
