//! Where a thread stands: indices and extents of grid, block and thread (PTX ISA, "Special Registers").

macro_rules! special_registers {
    ($($(#[$doc:meta])* $name:ident = $intrinsic:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name() -> u32 {
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: reads a special register.
            unsafe { core::arch::nvptx::$intrinsic() as u32 }
            #[cfg(not(target_arch = "nvptx64"))]
            crate::device_only(stringify!($name))
        }
    )*};
}

special_registers! {
    /// `%tid.x`: index of the thread in its block, below [`block_dim_x`].
    thread_idx_x = _thread_idx_x;
    /// `%tid.y`.
    thread_idx_y = _thread_idx_y;
    /// `%tid.z`.
    thread_idx_z = _thread_idx_z;
    /// `%ntid.x`: threads per block in x.
    block_dim_x = _block_dim_x;
    /// `%ntid.y`.
    block_dim_y = _block_dim_y;
    /// `%ntid.z`.
    block_dim_z = _block_dim_z;
    /// `%ctaid.x`: index of the block in the grid, below [`grid_dim_x`].
    block_idx_x = _block_idx_x;
    /// `%ctaid.y`.
    block_idx_y = _block_idx_y;
    /// `%ctaid.z`.
    block_idx_z = _block_idx_z;
    /// `%nctaid.x`: blocks in the grid in x.
    grid_dim_x = _grid_dim_x;
    /// `%nctaid.y`.
    grid_dim_y = _grid_dim_y;
    /// `%nctaid.z`.
    grid_dim_z = _grid_dim_z;
}

/// Threads in a warp on every architecture PTX has had.
pub const WARP_SIZE: u32 = 32;

/// Index of the thread in its block, x fastest: `tid.x + ntid.x * (tid.y + ntid.y * tid.z)`.
#[inline(always)]
pub fn thread_linear() -> u32 {
    thread_idx_x() + block_dim_x() * (thread_idx_y() + block_dim_y() * thread_idx_z())
}

/// Threads in the block.
#[inline(always)]
pub fn block_threads() -> u32 {
    block_dim_x() * block_dim_y() * block_dim_z()
}

/// Index of the block in the grid, x fastest.
#[inline(always)]
pub fn block_linear() -> u64 {
    let row = u64::from(block_idx_y()) + u64::from(grid_dim_y()) * u64::from(block_idx_z());
    u64::from(block_idx_x()) + u64::from(grid_dim_x()) * row
}

/// Blocks in the grid.
#[inline(always)]
pub fn grid_blocks() -> u64 {
    u64::from(grid_dim_x()) * u64::from(grid_dim_y()) * u64::from(grid_dim_z())
}

/// Index of the thread among all of the launch: block by block, x fastest. No two threads share one.
#[inline(always)]
pub fn grid_thread_linear() -> u64 {
    block_linear() * u64::from(block_threads()) + u64::from(thread_linear())
}

/// Threads of the launch.
#[inline(always)]
pub fn grid_threads() -> u64 {
    grid_blocks() * u64::from(block_threads())
}
