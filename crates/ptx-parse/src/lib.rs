//! A parser for PTX text, and the manifest that travels beside it.
//!
//! [`parse`] reads a whole PTX file into a [`Module`]: every directive, variable and instruction with its line and
//! column. What it does not know is a [`ParseError`], never skipped. [`analysis`] answers the questions of the
//! build checks and the host (parameters, launch bounds, shared and local bytes, unresolved externs), and
//! [`manifest`] holds the schema of `manifest.json`, which the builder writes and the host reads. [`PtxVersion`] knows which
//! driver takes which version.
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
pub mod manifest;
pub mod opcodes;
mod parser;
mod ptx_version;

pub use ast::Module;
pub use error::{ParseError, ParseErrorKind};
pub use parser::{parse, parse_bytes};
pub use ptx_version::{PtxVersion, UnknownPtxVersion};
