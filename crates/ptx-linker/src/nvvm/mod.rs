//! The NVVM back end: an optimised module of LLVM 22 written in the dialect that libNVVM reads for compute_75 to
//! compute_90a, which is LLVM 7's, and libNVVM itself.
//!
//! - [`types`], [`constant`]: text of types and constants. Every pointer value is an `i8 addrspace(n)*` and is cast
//!   where it is used, because LLVM 22 does not say what a pointer points to.
//! - [`module`]: globals, functions, annotations. A global of the generic address space lies in space 1.
//! - [`function`] walks blocks; [`instruction`], [`memory`], [`call`], [`assembly`] write instructions.
//! - [`intrinsic`] has the list of what may be called; [`integer`] and [`float`] lower what LLVM 7 lacks; [`freeze`]
//!   pins values that may be undefined.
//! - [`library`] opens libNVVM and compiles.
//!
//! What none of these expresses is an error that names function and instruction: libNVVM would make an undefined
//! external call of some of it and report success.

mod assembly;
mod call;
mod constant;
mod float;
mod freeze;
mod function;
mod instruction;
mod integer;
mod intrinsic;
pub(crate) mod library;
mod memory;
pub(crate) mod module;
mod types;

/// The text of something, or why it has none.
type Text = Result<String, String>;
