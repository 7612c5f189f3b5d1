//! A parser for PTX text, and the manifest that travels beside it.
//!
//! [`parse`] reads a whole PTX file into a [`Module`]: every directive, variable and instruction with its line and
//! column. What it does not know is a [`ParseError`], never skipped. A module and all its parts print as PTX text
//! again (`Display`). [`Module::check_names`] finds names that nothing declares. [`analysis`] answers the questions of the
//! build checks and the host (parameters, launch bounds, shared and local bytes, unresolved externs), and
//! [`manifest`] holds the schema of `manifest.json`, which the builder writes and the host reads. [`PtxVersion`] knows which
//! driver takes which version.
//!
//! Any bytes are safe to parse: time and memory grow linearly with the text (a register count or an array size costs
//! nothing), and braces, brackets and operators nest 64 deep at most.
//!
//! Not read, thus an error: preprocessor lines, constant banks (`.const[2]`), initialisers of textures and samplers
//! (`{ addr_mode_0 = … }`), and array elements as operands (`a[3]`; `[a+12]` is read).
//!
//! ```
//! let module = ptx_parse::parse(
//!     ".version 7.8 .target sm_90 .address_size 64 .visible .entry k(.param .u64 k_param_0) { ret; }",
//! )?;
//! let entry = module.entry("k").expect("it is there");
//! assert_eq!(entry.params[0].size_bytes(), Some(8));
//! # Ok::<(), ptx_parse::ParseError>(())
//! ```

pub mod analysis;
pub mod ast;
mod error;
pub mod hash;
pub mod lexer;
mod lines;
pub mod manifest;
pub mod names;
pub mod opcodes;
mod parser;
mod positions;
mod print;
mod ptx_version;

pub use ast::Module;
pub use error::{ParseError, ParseErrorKind};
pub use names::{NameError, NameErrorKind};
pub use parser::{parse, parse_bytes};
pub use ptx_version::{CudaVersion, PtxVersion, UnknownPtxVersion};
