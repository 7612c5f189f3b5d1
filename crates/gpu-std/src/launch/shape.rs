//! Grid, block and dynamic shared memory of one launch.

use super::{BlockRule, ContractError, Kernel};

/// Extents in x, y and z. A `u32` is `(n, 1, 1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dim3 {
    /// Extent in x, the fastest dimension.
    pub x: u32,
    /// Extent in y.
    pub y: u32,
    /// Extent in z, the slowest dimension.
    pub z: u32,
}

impl Dim3 {
    /// `(x, y, z)`.
    pub const fn new(x: u32, y: u32, z: u32) -> Self {
        Self { x, y, z }
    }

    /// `x * y * z`, at most 2^96, hence `u128`.
    pub const fn count(self) -> u128 {
        self.x as u128 * self.y as u128 * self.z as u128
    }
}

impl From<u32> for Dim3 {
    fn from(x: u32) -> Self {
        Self::new(x, 1, 1)
    }
}

impl From<(u32, u32)> for Dim3 {
    fn from((x, y): (u32, u32)) -> Self {
        Self::new(x, y, 1)
    }
}

impl From<(u32, u32, u32)> for Dim3 {
    fn from((x, y, z): (u32, u32, u32)) -> Self {
        Self::new(x, y, z)
    }
}

impl core::fmt::Display for Dim3 {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "({}, {}, {})", self.x, self.y, self.z)
    }
}

/// What the caller asks for: blocks, threads per block where the kernel leaves them open, dynamic shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaunchShape {
    /// Blocks.
    pub grid: Dim3,
    /// Threads per block; `None` takes the kernel's own, which a kernel without `block = …` does not have.
    pub block: Option<Dim3>,
    /// Dynamic shared memory in bytes.
    pub shared_bytes: u32,
}

impl LaunchShape {
    /// `grid` blocks of the kernel's own size, no dynamic shared memory.
    pub fn grid(grid: impl Into<Dim3>) -> Self {
        Self { grid: grid.into(), block: None, shared_bytes: 0 }
    }

    /// As many one-dimensional blocks of `block` threads as `threads` need, at least one.
    ///
    /// # Errors
    /// [`ContractError::GridTooLarge`] where that is more than 2^31 − 1 blocks.
    pub fn cover(threads: u64, block: u32) -> Result<Self, ContractError> {
        let blocks = threads.div_ceil(u64::from(block.max(1))).max(1);
        match u32::try_from(blocks) {
            Ok(x) if x <= MAX_GRID[0] => Ok(Self::grid(x)),
            _ => Err(ContractError::GridTooLarge { axis: 'x', blocks, limit: MAX_GRID[0] }),
        }
    }

    /// The same with `block` threads per block.
    pub fn with_block(mut self, block: impl Into<Dim3>) -> Self {
        self.block = Some(block.into());
        self
    }

    /// The same with `bytes` of dynamic shared memory.
    pub fn with_shared_bytes(mut self, bytes: u32) -> Self {
        self.shared_bytes = bytes;
        self
    }

    /// Checks the shape against the kernel's launch rule and the limits every supported architecture has.
    ///
    /// # Errors
    /// The [`ContractError`] that names the quantity, its value and the limit.
    pub fn check<K: Kernel>(&self) -> Result<CheckedShape, ContractError> {
        check_grid(self.grid)?;
        let block = check_block::<K>(self.block)?;
        if self.shared_bytes > 0 && !K::DYNAMIC_SHARED {
            return Err(ContractError::NoDynamicShared { entry: K::ENTRY, bytes: self.shared_bytes });
        }
        if let Some(cluster) = K::CLUSTER
            && !self.grid.x.is_multiple_of(cluster)
        {
            return Err(ContractError::GridNotMultipleOfCluster {
                entry: K::ENTRY,
                blocks: self.grid.x,
                cluster,
            });
        }
        Ok(CheckedShape { grid: self.grid, block, shared_bytes: self.shared_bytes })
    }
}

/// A [`LaunchShape`] that satisfied the rule of one kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CheckedShape {
    grid: Dim3,
    block: Dim3,
    shared_bytes: u32,
}

impl CheckedShape {
    /// Blocks.
    pub fn grid(&self) -> Dim3 {
        self.grid
    }

    /// Threads per block.
    pub fn block(&self) -> Dim3 {
        self.block
    }

    /// Dynamic shared memory in bytes.
    pub fn shared_bytes(&self) -> u32 {
        self.shared_bytes
    }
}

/// Most blocks along x, y and z: CUDA C++ Programming Guide, "Compute Capabilities", the same for 8.0 and 9.0.
pub const MAX_GRID: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];
/// Most threads of a block along x, y and z. Source: as [`MAX_GRID`].
const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
const MAX_BLOCK_THREADS: u32 = 1024;

fn check_grid(grid: Dim3) -> Result<(), ContractError> {
    for (axis, blocks, limit) in
        [('x', grid.x, MAX_GRID[0]), ('y', grid.y, MAX_GRID[1]), ('z', grid.z, MAX_GRID[2])]
    {
        if blocks == 0 {
            return Err(ContractError::EmptyGrid { axis });
        }
        if blocks > limit {
            return Err(ContractError::GridTooLarge { axis, blocks: u64::from(blocks), limit });
        }
    }
    Ok(())
}

fn check_block<K: Kernel>(asked: Option<Dim3>) -> Result<Dim3, ContractError> {
    match (K::BLOCK, asked) {
        (BlockRule::Exact(block), None) => Ok(block),
        (BlockRule::Exact(block), Some(asked)) if asked == block => Ok(block),
        (BlockRule::Exact(block), Some(asked)) => {
            Err(ContractError::BlockNotAllowed { entry: K::ENTRY, asked, required: block })
        }
        (BlockRule::AtMost(_) | BlockRule::Any, None) => Err(ContractError::BlockMissing { entry: K::ENTRY }),
        (BlockRule::AtMost(limit), Some(asked)) => check_block_size(K::ENTRY, asked, limit),
        (BlockRule::Any, Some(asked)) => check_block_size(K::ENTRY, asked, MAX_BLOCK_THREADS),
    }
}

fn check_block_size(entry: &'static str, asked: Dim3, limit: u32) -> Result<Dim3, ContractError> {
    let fits = [asked.x, asked.y, asked.z].iter().zip(MAX_BLOCK).all(|(&n, max)| (1..=max).contains(&n));
    if !fits || asked.count() > u128::from(limit) {
        return Err(ContractError::BlockTooLarge { entry, asked, limit });
    }
    Ok(asked)
}
