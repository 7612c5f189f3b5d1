//! What can go wrong between the host and global memory.

/// An error of an allocation, a copy or a free.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// An allocation larger than an allocation can be.
    #[error("an allocation of {bytes} bytes; the largest is {limit} bytes")]
    TooLarge {
        /// The bytes asked for.
        bytes: u64,
        /// The most there can be.
        limit: u64,
    },
    /// The host cannot hold the allocation.
    #[error("the host has no memory for an allocation of {bytes} bytes")]
    HostMemory {
        /// The bytes asked for.
        bytes: u64,
    },
    /// All allocation numbers are used up.
    #[error("{limit} allocations were made; addresses are not used twice, and there are no more")]
    TooMany {
        /// The most there can be over the life of a device.
        limit: u64,
    },
    /// No allocation was ever at this address.
    #[error("{address:#x} is in no allocation")]
    Unknown {
        /// The address.
        address: u64,
    },
    /// The allocation was freed before.
    #[error("{address:#x} is in the allocation of {bytes} bytes at {base:#x}, which is freed")]
    Freed {
        /// The address.
        address: u64,
        /// The base of the allocation.
        base: u64,
        /// Its size.
        bytes: u64,
    },
    /// A range reaches out of its allocation.
    #[error("{len} bytes at {address:#x} do not lie inside the allocation of {bytes} bytes at {base:#x}")]
    OutOfBounds {
        /// The first address.
        address: u64,
        /// The length of the range.
        len: u64,
        /// The base of the allocation.
        base: u64,
        /// Its size.
        bytes: u64,
    },
    /// A free of an address that is not the base of an allocation.
    #[error("{address:#x} cannot be freed: its allocation starts at {base:#x}")]
    NotTheBase {
        /// The address.
        address: u64,
        /// The base of the allocation.
        base: u64,
    },
}
