//! The NVVM back end: an optimised module of LLVM 22 written in the dialect that libNVVM reads for compute_75 to
//! compute_90a, which is LLVM 7's, and libNVVM itself.
//!
//! - [`types`], [`constant`]: text of types and constants. Every pointer value is an `i8 addrspace(n)*` and is cast
//!   where it is used, because LLVM 22 does not say what a pointer points to.
//! - [`module`]: globals, functions, annotations. A global of the generic address space lies in space 1.
//! - [`function`] walks blocks; [`instruction`], [`memory`], [`call`], [`assembly`] write instructions.
//! - [`intrinsic`] has the list of what may be called; [`integer`], [`wide`] and [`float`] lower what LLVM 7 lacks;
//!   [`freeze`] pins values that may be undefined.
//! - [`library`] opens libNVVM and compiles; [`log`] finds the function that it refuses.
//!
//! What none of these expresses is an error that names function and instruction: libNVVM would make an undefined
//! external call of some of it and report success. That is: aliases; calls with an argument `byval`; vectors of pointers;
//! `bfloat` and `fp128`; conversions between floats and 128 bits, vectors that are converted with saturation, remainders
//! and `vector.reduce` of vectors; sines, exponentials and the like; integers of odd widths where they are counted,
//! shifted through or multiplied with overflow. Atomics of `core` do not come here: `passes::atomics` has made assembly of
//! them.

mod assembly;
mod call;
mod class;
mod constant;
mod float;
mod freeze;
mod function;
mod instruction;
mod integer;
mod intrinsic;
pub(crate) mod library;
mod log;
mod memory;
pub(crate) mod module;
mod types;
mod wide;

use crate::target_options::architecture_number;

/// The text of something, or why it has none.
type Text = Result<String, String>;

/// How libNVVM reads typed pointers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// With an LLVM 7, up to `sm_90a`.
    Legacy,
    /// With a newer one, from `sm_100` on: it takes the same text, but `byval` names its type.
    Modern,
}

impl Dialect {
    /// The one for an architecture such as `sm_90a`.
    fn of(arch: &str) -> Self {
        if architecture_number(arch) < 100 { Self::Legacy } else { Self::Modern }
    }
}
