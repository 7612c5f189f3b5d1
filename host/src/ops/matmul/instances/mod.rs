//! The kernels' instances: from a type and a tile to a launch.

mod float;
mod hpq;
mod q8;

pub use float::{FloatArgs, FloatInput, FloatMapArgs, FloatOutput};
pub use hpq::{HpqArgs, HpqMapArgs, HpqOutput};
pub use q8::{Q8Args, Q8MapArgs, Q8Output};
