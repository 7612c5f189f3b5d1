//! Products of matrices on the tensor cores, `c = a · bᵀ`: of 8-bit codes with scales, zero points and bias ([`matmul_q8`]), of
//! 8-bit codes and 16-bit weights ([`matmul_hpq`]), of floats ([`matmul`]).
//!
//! A call goes three steps, [`Problem`] → [`Config`] → launch, and all choices are in the middle one.

mod beside;
mod config;
mod error;
mod float;
mod host;
mod host_call;
mod hpq;
mod instances;
mod launch;
mod op;
mod output;
mod problem;
mod q8;
mod sm90;
mod split;
mod sums;
mod vectors;
mod workspace;

pub use config::{Config, Kernel, MAX_SPLITS, Sm80Tile};
pub use error::MatmulError;
pub use float::{matmul, matmul_in};
pub use host::{HostFloat, HostHpq, HostQ8};
pub use host_call::{
    matmul_hpq_on, matmul_hpq_timed_on, matmul_on, matmul_q8_on, matmul_q8_timed_on, matmul_timed_on,
};
pub use hpq::{Hpq, matmul_hpq, matmul_hpq_in};
pub use instances::{
    FloatArgs, FloatInput, FloatMapArgs, FloatOutput, HpqArgs, HpqMapArgs, HpqOutput, Q8Args, Q8MapArgs,
    Q8Output,
};
pub(crate) use op::tolerance_of_sums;
pub use op::{FloatOp, HpqOp, OPS, Q8Op, SWEEP_SIZES, sweep};
pub use output::Output;
pub use problem::{Alignment, Lengths, MAX_EXTENT, Problem, Product};
pub use q8::{Q8, matmul_q8, matmul_q8_in};
pub use sm90::Sm90Tile;
pub use split::{HostSplitWeights, SplitRef, SplitWeights, split};
pub use sums::row_sums;
pub use vectors::{
    BiasRef, HostBias, Scales, ZERO_POINTS_I8, ZERO_POINTS_I16, ZeroPoints, check_scales, check_zero_points,
};
pub use workspace::Workspace;
