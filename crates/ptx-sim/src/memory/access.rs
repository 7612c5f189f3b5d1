//! What an access of a warp is, and the values it moves.

use super::clocks::Clocks;

/// The threads that a strong operation is strong for (PTX ISA 8.6, "Scope").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Scope {
    /// The block.
    Cta,
    /// The cluster.
    Cluster,
    /// The device.
    Gpu,
    /// The system.
    Sys,
}

/// How an access takes part in the memory order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A plain access.
    Weak,
    /// A read through the non-coherent path.
    Nc,
    /// A strong access: relaxed, acquire, release, volatile, or atomic.
    Strong(Scope),
}

/// One access of the lanes in `mask`, the same number of bytes each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access<'a> {
    /// The lanes that take part.
    pub(crate) mask: u32,
    /// Addresses by lane: generic for global memory, offsets in the window for shared and local memory.
    pub(crate) addr: &'a [u64; 32],
    /// Bytes of a lane: 1, 2, 4, 8, 16 or 32. The address must be a multiple of it.
    pub(crate) bytes: u32,
    /// How it is ordered.
    pub(crate) kind: Kind,
    /// The line of the PTX text.
    pub(crate) line: u32,
}

/// Who makes an access: a warp of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who<'a> {
    /// The warp's number in its block.
    pub(crate) warp: u32,
    /// The clocks of the block.
    pub(crate) clocks: &'a Clocks,
}

/// The values of an access, little-endian words by lane; 1 and 2 bytes are the low bits of word 0,
/// zero-extended when loaded.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    /// `word[w][lane]`.
    pub(crate) word: [[u32; 32]; 8],
    /// The lanes with an undefined byte.
    pub(crate) undefined: u32,
    /// One bit per undefined byte; says something for the lanes in `undefined` only.
    pub(crate) undefined_bytes: [u32; 32],
}

impl Words {
    /// All zero and defined.
    pub(crate) const ZERO: Words = Words { word: [[0; 32]; 8], undefined: 0, undefined_bytes: [0; 32] };

    /// All zero and defined.
    pub(crate) fn new() -> Words {
        Words::ZERO
    }

    /// The undefined bytes of a lane.
    #[inline]
    pub(crate) fn undefined_bytes(&self, lane: usize) -> u32 {
        if self.undefined >> lane & 1 == 1 { self.undefined_bytes[lane] } else { 0 }
    }
}

/// A bit for each of `bytes` bytes.
#[inline]
pub(crate) fn byte_mask(bytes: u32) -> u32 {
    if bytes >= 32 { u32::MAX } else { (1 << bytes) - 1 }
}

/// The lanes of a mask, lowest first.
#[inline]
pub(crate) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lane < 32).then_some(lane as usize)
    })
}

/// The target of an atomic operation of one lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The lane.
    pub(crate) lane: u32,
    /// The address: generic for global memory, an offset in the window else.
    pub(crate) address: u64,
    /// 2, 4, 8 or 16 bytes.
    pub(crate) bytes: u32,
    /// The scope.
    pub(crate) scope: Scope,
    /// The line of the PTX text.
    pub(crate) line: u32,
}
