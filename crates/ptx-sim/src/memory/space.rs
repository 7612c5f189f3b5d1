//! The address space: where each memory's window lies, and the variables inside a window.

use std::sync::Arc;

/// The generic address of offset 0 of the parameter window.
pub(crate) const PARAM: u64 = 0x7b00_0000_0000_0000;
/// The generic address of offset 0 of the code window.
pub(crate) const CODE: u64 = 0x7c00_0000_0000_0000;
/// The generic address of offset 0 of the local window.
pub(crate) const LOCAL: u64 = 0x7d00_0000_0000_0000;
/// The generic address of offset 0 of the shared window.
pub(crate) const SHARED: u64 = 0x7e00_0000_0000_0000;
/// The first offset in the shared and local windows that a variable can have; 0 is no variable's address.
pub(crate) const FIRST_OFFSET: u64 = 1024;

/// Global allocation `k` starts at `(k << ALLOCATION_SHIFT) + ALLOCATION_OFFSET`.
pub(crate) const ALLOCATION_SHIFT: u32 = 40;
/// See [`ALLOCATION_SHIFT`]; makes a base a multiple of 256 bytes and of nothing more.
pub(crate) const ALLOCATION_OFFSET: u64 = 0x100;
/// The largest allocation, in bytes.
pub(crate) const MAX_ALLOCATION: u64 = (1 << ALLOCATION_SHIFT) - 2 * ALLOCATION_OFFSET;
/// One past the largest allocation number.
pub(crate) const MAX_ALLOCATIONS: u64 = PARAM >> ALLOCATION_SHIFT;

/// A state space of PTX that has addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Global memory; constant memory lies in it too.
    Global,
    /// The shared memory of a block.
    Shared,
    /// The local memory of a thread.
    Local,
    /// Kernel parameters.
    Param,
    /// Functions.
    Code,
}

impl Space {
    /// The generic address of offset 0 of this space; 0 for global.
    pub(crate) fn window(self) -> u64 {
        match self {
            Space::Global => 0,
            Space::Shared => SHARED,
            Space::Local => LOCAL,
            Space::Param => PARAM,
            Space::Code => CODE,
        }
    }

    /// The name, as in "shared memory".
    pub(crate) fn name(self) -> &'static str {
        match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Param => "parameter",
            Space::Code => "code",
        }
    }
}

/// The space that a generic address lies in.
#[inline]
pub(crate) fn space_of(address: u64) -> Space {
    match address >> 56 {
        0x7b => Space::Param,
        0x7c => Space::Code,
        0x7d => Space::Local,
        0x7e => Space::Shared,
        _ => Space::Global,
    }
}

/// The lanes of `mask` whose generic address lies in the same space as the lowest lane's, and that space.
/// `mask` must not be 0. Called again with the lanes left over, it splits an access by space.
pub(crate) fn lanes_of_first_space(mask: u32, address: &[u64; 32]) -> (Space, u32) {
    let space = space_of(address[mask.trailing_zeros() as usize & 31]);
    let mut lanes = 0;
    for (lane, &address) in address.iter().enumerate() {
        lanes |= u32::from(space_of(address) == space) << lane;
    }
    (space, lanes & mask)
}

/// Generic addresses as offsets in the window of `space`; one below the window wraps, and lies in no variable.
#[inline]
pub(crate) fn offsets(address: &[u64; 32], space: Space) -> [u64; 32] {
    address.map(|address| address.wrapping_sub(space.window()))
}

/// A variable inside a window: offsets `start..end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// The first offset.
    pub(crate) start: u64,
    /// One past the last offset.
    pub(crate) end: u64,
    /// The variable's name.
    pub(crate) name: Arc<str>,
    /// The declared alignment in bytes.
    pub(crate) align: u32,
}

/// The variables of a window, sorted by offset and apart from one another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The variables.
    pub(crate) regions: Vec<Region>,
}

impl Layout {
    /// One past the last offset of the last region.
    pub(crate) fn end(&self) -> u64 {
        self.regions.last().map_or(0, |region| region.end)
    }

    /// The region to name for an access at `offset`: the one it lies in, else the last one below it, else the first.
    pub(crate) fn nearest(&self, offset: u64) -> Option<&Region> {
        let above = self.regions.partition_point(|region| region.start <= offset);
        self.regions.get(above.saturating_sub(1))
    }

    /// The index of the region that holds `start..end`, tried at `hint` first.
    #[inline]
    pub(crate) fn find(&self, start: u64, end: u64, hint: usize) -> Option<usize> {
        let holds = |region: &Region| region.start <= start && end <= region.end;
        if self.regions.get(hint).is_some_and(holds) {
            return Some(hint);
        }
        let above = self.regions.partition_point(|region| region.start <= start);
        let index = above.checked_sub(1)?;
        holds(&self.regions[index]).then_some(index)
    }
}
