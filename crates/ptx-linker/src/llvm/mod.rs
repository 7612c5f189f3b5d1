//! The only place with unsafe code: a thin layer over LLVM's C interface.
//!
//! - [`load`] opens the library, [`api`] is the table of its functions.
//! - [`context`] owns contexts, memory buffers and diagnostics.
//! - [`module`] owns modules: parse, link, clone, verify, write.
//! - [`value`] is a borrowed handle to a function, global, instruction or constant.
//! - [`kind`] reads types, [`constant`] constants, [`instruction`] functions, blocks and instructions, for the NVVM writer.
//! - [`atomic`] reads atomic instructions, [`build`] writes what takes their place.
//! - [`target`] owns a target machine: passes and code generation.
//!
//! Lifetimes tie every handle to its [`context::Context`]. LLVM frees a value only when the module it belongs
//! to is dropped or linked into another, or through `Module::erase` and `Module::replace`; a handle to a value must not be
//! used after that. The passes keep to this by collecting handles anew after every change of the module's lists.

mod api;
pub(crate) mod atomic;
pub(crate) mod build;
pub(crate) mod constant;
pub(crate) mod context;
pub(crate) mod crash;
pub(crate) mod fatal;
pub(crate) mod instruction;
pub(crate) mod kind;
pub(crate) mod load;
pub(crate) mod module;
pub(crate) mod target;
pub(crate) mod value;
