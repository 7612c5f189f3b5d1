//! The safe calls, one module per family, and what every op tells of itself ([`Op`]).
//!
//! A call goes three steps: the operands become a problem, the problem a configuration, the configuration a launch.

pub mod cross;
pub mod dtw;
pub mod embedding;
mod error;
mod executor;
#[cfg(test)]
mod fake;
mod inputs;
mod layout;
pub mod matmul;
mod op;
pub mod quantize;
mod recorder;
mod returns;
mod row_cases;
mod row_op;
mod rows;
mod run;
mod scalar;

pub use error::OpError;
pub use executor::Executor;
pub use inputs::{Values, fill, mix};
pub use layout::{HostMut, HostRef, Layout, MatrixMut, MatrixRef};
pub use op::{Case, Op, Placement, Prepared, Unit};
pub use row_op::{RowKernel, RowOp, case_operands};
pub use rows::{RowConfig, RowProblem, check_shapes};
pub use run::{Elementwise, HostOperand, Operands, prepare, prepare_each};
pub use scalar::{DType, Format, Scalar};

/// Every op, family by family.
pub fn all() -> Vec<&'static dyn Op> {
    [cross::OPS, dtw::OPS, embedding::OPS, matmul::OPS, quantize::OPS].concat()
}
