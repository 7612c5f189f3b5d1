//! What a matrix product refuses.

use crate::ops::DType;
use crate::ops::dtw::ShownF32;

/// A call that is refused. Nothing has been launched or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum MatmulError {
    /// Rows that are not of one length.
    #[error("{op}: `a` has rows of {a} elements and `b` of {b}; they must be equal")]
    InnerExtents { op: &'static str, a: u64, b: u64 },
    /// An output of another shape than the product.
    #[error("{op}: `c` is {rows} x {cols}; the product of {m} and {n} rows is {m} x {n}")]
    OutputShape { op: &'static str, rows: u64, cols: u64, m: u64, n: u64 },
    /// An extent that the kernels do not count.
    #[error("{op}: {extent} is {value}; at most {limit} is possible")]
    ExtentTooLarge { op: &'static str, extent: char, value: u64, limit: u64 },
    /// A sum of so many products that may not fit its accumulator.
    #[error(
        "{op}: k is {k}; sums of products of up to {product} are exact in i32 up to k = {limit} (2^31 - 1 over {product})"
    )]
    SumTooLong { op: &'static str, k: u64, limit: u64, product: u64 },
    /// A vector of another length than the side of the product it belongs to.
    #[error("{op}: there are {got} {vector}; there must be {}{want}", if *one { "1 or " } else { "" })]
    VectorLength { op: &'static str, vector: &'static str, got: u64, want: u64, one: bool },
    /// A vector that an output of sums has no use for.
    #[error("{op}: an {dtype} output holds the sums themselves; it takes no {vector}")]
    NotScaled { op: &'static str, dtype: DType, vector: &'static str },
    /// A scale that no quantizer gives.
    #[error("scale {index} is {value}; every scale must be finite and above 0")]
    Scale { index: u64, value: ShownF32 },
    /// A zero point that no code can have.
    #[error("zero point {index} is {value}; every zero point must be from {min} to {max}")]
    ZeroPoint { index: u64, value: i32, min: i32, max: i32 },
    /// Zero points of 16-bit codes, for which the limits of k of 8-bit codes do not hold.
    #[error(
        "{op}: zero points of {vector} are those of 16-bit codes; they must be checked as those of 8-bit codes"
    )]
    WideZeroPoints { op: &'static str, vector: &'static str },
    /// A product whose elements, or what they are computed by, are beyond f32.
    #[error("{op}: {count} of {elements} elements of the product are beyond f32: scale `a` or `b` down")]
    BeyondF32 { op: &'static str, count: u64, elements: u64 },
    /// Planes of weights that do not lie alike.
    #[error("matmul_hpq: rows of `hi` are {hi} elements apart and rows of `lo` {lo}; they must be equal")]
    PlaneStrides { hi: u64, lo: u64 },
    /// A kernel that does not compute the problem, or is not there on the device.
    #[error("{op}: kernel {kernel} does not run this on {arch}: {needs}")]
    KernelNeeds { op: &'static str, kernel: &'static str, arch: String, needs: &'static str },
    /// More parts of a sum than there can be.
    #[error("{op}: k is to be split into {splits} parts; it must be 1 to {limit}")]
    Splits { op: &'static str, splits: u32, limit: u32 },
}
