//! Embedding: for each sample, rows of tables, looked up or pooled, feature beside feature, and dense features behind them.
//!
//! `y[b, columns of s] = table_s[index_s[b]]` for a feature of one index per sample, and for one of bags the sum, the mean or
//! the weighted sum of the rows `index_s[offset_s[b]]`, …, `index_s[offset_s[b + 1] - 1]`. One launch for all features, whatever
//! their tables, widths and poolings.
//!
//! Arithmetic is f32: a row's elements are widened, exactly, or made of codes by one fused multiply-add, `scale * code + bias`;
//! rows are added in the order of their indices, each by one operation (`fma(weight, element, sum)` for weights); a mean is the
//! sum over the number of rows added. The result is rounded to the output's type. GPU, simulator and CPU give the same bits.
//!
//! An index that is `padding_idx` adds nothing and does not count in a mean; a bag without rows is zeros. What becomes of indices
//! below 0 or not below the table's rows, and of bags that are not within their list or not in order, the caller chooses:
//! [`Invalid`]. Nobody's arrays are changed but the output's.

mod call;
mod config;
mod error;
mod feature;
mod host;
mod op;
mod plan;
mod table;

pub use call::{Invalid, embed};
pub use error::EmbeddingError;
pub use feature::{Dense, Feature, Indices, Lookup, Pooling};
pub(crate) use host::check as check_host;
pub use host::{HostDense, HostFeature, HostIndices, HostLookup, HostPooling, HostTable};
pub use op::{EmbedOp, OPS};
pub use plan::{Check, EmbedPlan, Embeddable};
pub use table::{CodedRows, Table};

/// The most elements of a row of a table.
pub const MAX_WIDTH: u64 = 4096;

/// The most features of a call: their numbers have 24 bits on the device.
pub const MAX_FEATURES: usize = (1 << 24) - 1;

/// Bytes of scale and bias behind the codes of a fused row.
pub const STEPS_BYTES: u64 = 8;

/// The name in messages.
const OP: &str = "embed";
