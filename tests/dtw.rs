//! Dynamic time warping on the host: the plain references against what other libraries say, and what must hold for any input.
//!
//! `golden::…`: `golden/dtw` holds the libraries' numbers, and says which they are. `properties::…`: the CPU twin.

#[path = "dtw/golden.rs"]
mod golden;
#[path = "dtw/properties.rs"]
mod properties;
