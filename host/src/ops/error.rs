//! What an op refuses before anything is launched.

/// A call that an op refuses. Nothing has been launched or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum OpError {
    /// The elements of a matrix cannot be counted in 64 bits.
    #[error(
        "a matrix of {rows} rows, {stride} elements apart, with {cols} columns has more than 2^64 - 1 elements"
    )]
    SizeOverflow { rows: u64, cols: u64, stride: u64 },
    /// Rows of an output would overlap.
    #[error(
        "an output of {rows} rows and {cols} columns has row stride {stride}; it must be at least {cols}"
    )]
    StrideTooSmall { rows: u64, cols: u64, stride: u64 },
    /// A view with fewer elements than the matrix over it.
    #[error(
        "a matrix of {rows} rows and {cols} columns with row stride {stride} needs {needed} elements; the view has {len}"
    )]
    ViewTooShort { rows: u64, cols: u64, stride: u64, needed: u64, len: u64 },
    /// Operands that must be of one shape are not.
    #[error(
        "{op}: `{left}` is {left_rows} x {left_cols} and `{right}` is {right_rows} x {right_cols}; they must be equal"
    )]
    ShapeMismatch {
        op: &'static str,
        left: &'static str,
        left_rows: u64,
        left_cols: u64,
        right: &'static str,
        right_rows: u64,
        right_cols: u64,
    },
    /// A case that does not describe what the op takes.
    #[error("{op}: case `{case}` has {got} {what}; it needs {want}")]
    CaseShape { op: &'static str, case: String, what: &'static str, got: usize, want: usize },
    /// An op has no instance for an element type.
    #[error("{op} has no instance for {dtype}; it has {has}")]
    NoInstance { op: &'static str, dtype: super::DType, has: String },
    /// The host has no memory for a result, or for what leads to it.
    #[error("the host has no memory for {elements} elements of {elem_bytes} bytes")]
    HostMemory { elements: u64, elem_bytes: usize },
    /// A DTW call.
    #[error(transparent)]
    Dtw(#[from] super::dtw::DtwError),
    /// An embedding.
    #[error(transparent)]
    Embedding(#[from] super::embedding::EmbeddingError),
    /// A matrix product.
    #[error(transparent)]
    Matmul(#[from] super::matmul::MatmulError),
    /// A quantizer's call.
    #[error(transparent)]
    Quantize(#[from] super::quantize::QuantizeError),
}
