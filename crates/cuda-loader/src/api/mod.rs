//! The driver's functions with raw result codes, for a host layer that must not lose one.
//!
//! Each function has the name that the driver exports (`cuMemcpyHtoDAsync_v2`, where the header's macro says
//! `cuMemcpyHtoDAsync`), takes plain integers and pointers, and returns a [`RawResult`](crate::RawResult):
//! without a driver library `NO_DEVICE`, where the driver is too old to have the function `NOT_FOUND`
//! ([`last_missing_function`](crate::last_missing_function) names it).
//!
//! They share the library and the contexts with cust: a stream that cust made is a valid [`CUstream`] here,
//! after `.cast()`. Flags and attributes are integers with constants beside them, because a driver may return
//! numbers that this crate does not list.

#![allow(non_camel_case_types, non_snake_case, reason = "names as the driver's header has them")]

mod constants;
mod functions;
mod handles;
mod types;

pub use constants::*;
pub use functions::*;
pub use handles::*;
pub use types::*;
