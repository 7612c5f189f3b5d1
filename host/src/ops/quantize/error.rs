//! What a quantizer refuses.

use crate::ops::dtw::ShownF32;

/// A call that is refused. But for [`QuantizeError::NotFinite`], nothing has been launched or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum QuantizeError {
    /// A vector with another number of elements than there are rows.
    #[error("{op}: `{name}` has {got} elements; it must have {want}")]
    Length { op: &'static str, name: &'static str, got: u64, want: u64 },
    /// A scale that cannot be divided by.
    #[error("the scale is {scale}; it and 1 / scale must be finite and above 0")]
    Scale { scale: ShownF32 },
    /// A zero point that is no code.
    #[error("the zero point is {zero}; it must be from {first} to {last}")]
    ZeroPoint { zero: i32, first: i32, last: i32 },
    /// Input with NaN or infinities, which the caller wants refused. The outputs have been written.
    #[error("{op}: {count} of {elements} values are not finite; every value must be")]
    NotFinite { op: &'static str, count: u64, elements: u64 },
}
