//! What the linker does to a module before and after LLVM's own pipeline.

pub(crate) mod atomics;
pub(crate) mod attributes;
pub(crate) mod convergent;
pub(crate) mod internalize;
mod local;
pub(crate) mod shared;
pub(crate) mod undefined;
pub(crate) mod used;
pub(crate) mod wide;
