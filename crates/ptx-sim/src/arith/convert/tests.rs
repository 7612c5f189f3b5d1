//! Conversions against `half`, Rust's casts, and definitions that search among all numbers of a format.

mod between_floats;
mod integers;
mod legal;
mod packed;
mod quick;
mod reference;
