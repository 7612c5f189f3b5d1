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

macro_rules! read_registers {
    ($(
        $(#[$doc:meta])*
        pub fn $name:ident() -> $ty:ty as $class:ident = $mov:literal, $register:literal $(, sm $sm:tt)? $([$pure:ident])?;
    )*) => {$(
        $(#[$doc])*
        ///
        #[doc = concat!("PTX: `", $mov, "` of `", $register, "`; ISA, “Special Registers”. On the host it panics.")]
        #[inline(always)]
        pub fn $name() -> $ty {
            #[cfg(target_arch = "nvptx64")]
            {
                $(requires_sm!($sm, $name);)?
                let out: $ty;
                // SAFETY: reads a special register.
                unsafe {
                    core::arch::asm!(concat!($mov, " {}, ", $register, ";"), out($class) out,
                        options($($pure, nomem,)? nostack));
                }
                out
            }
            #[cfg(not(target_arch = "nvptx64"))]
            crate::device_only(stringify!($name))
        }
    )*};
}

read_registers! {
    /// Index of the thread in its warp, below [`WARP_SIZE`].
    pub fn lane_idx() -> u32 as reg32 = "mov.u32", "%laneid" [pure];
    /// The own lane's bit.
    pub fn lanemask_eq() -> u32 as reg32 = "mov.u32", "%lanemask_eq" [pure];
    /// The bits of the lanes below the own.
    pub fn lanemask_lt() -> u32 as reg32 = "mov.u32", "%lanemask_lt" [pure];
    /// The bits of the lanes up to the own.
    pub fn lanemask_le() -> u32 as reg32 = "mov.u32", "%lanemask_le" [pure];
    /// The bits of the lanes above the own.
    pub fn lanemask_gt() -> u32 as reg32 = "mov.u32", "%lanemask_gt" [pure];
    /// The bits of the lanes from the own.
    pub fn lanemask_ge() -> u32 as reg32 = "mov.u32", "%lanemask_ge" [pure];
    /// The multiprocessor the thread runs on just now.
    pub fn smid() -> u32 as reg32 = "mov.u32", "%smid";
    /// Above every [`smid`].
    pub fn nsmid() -> u32 as reg32 = "mov.u32", "%nsmid" [pure];
    /// The hardware's number of the warp just now; use [`warp_idx`] to divide work.
    pub fn warpid() -> u32 as reg32 = "mov.u32", "%warpid";
    /// Above every [`warpid`].
    pub fn nwarpid() -> u32 as reg32 = "mov.u32", "%nwarpid" [pure];
    /// Number of the launch.
    pub fn gridid() -> u64 as reg64 = "mov.u64", "%gridid" [pure];
    /// Bytes of dynamic shared memory of the block.
    pub fn dynamic_smem_size() -> u32 as reg32 = "mov.u32", "%dynamic_smem_size" [pure];
    /// Bytes of shared memory of the block, static and dynamic, in the device's granularity.
    pub fn total_smem_size() -> u32 as reg32 = "mov.u32", "%total_smem_size" [pure];

    /// Index of the cluster in the grid, below [`grid_clusters_x`]; sm_90 and up.
    pub fn cluster_idx_x() -> u32 as reg32 = "mov.u32", "%clusterid.x", sm 90 [pure];
    /// As [`cluster_idx_x`], in y.
    pub fn cluster_idx_y() -> u32 as reg32 = "mov.u32", "%clusterid.y", sm 90 [pure];
    /// As [`cluster_idx_x`], in z.
    pub fn cluster_idx_z() -> u32 as reg32 = "mov.u32", "%clusterid.z", sm 90 [pure];
    /// Clusters in the grid in x; sm_90 and up.
    pub fn grid_clusters_x() -> u32 as reg32 = "mov.u32", "%nclusterid.x", sm 90 [pure];
    /// As [`grid_clusters_x`], in y.
    pub fn grid_clusters_y() -> u32 as reg32 = "mov.u32", "%nclusterid.y", sm 90 [pure];
    /// As [`grid_clusters_x`], in z.
    pub fn grid_clusters_z() -> u32 as reg32 = "mov.u32", "%nclusterid.z", sm 90 [pure];
    /// Index of the block in its cluster, below [`cluster_dim_x`]; sm_90 and up.
    pub fn cluster_block_idx_x() -> u32 as reg32 = "mov.u32", "%cluster_ctaid.x", sm 90 [pure];
    /// As [`cluster_block_idx_x`], in y.
    pub fn cluster_block_idx_y() -> u32 as reg32 = "mov.u32", "%cluster_ctaid.y", sm 90 [pure];
    /// As [`cluster_block_idx_x`], in z.
    pub fn cluster_block_idx_z() -> u32 as reg32 = "mov.u32", "%cluster_ctaid.z", sm 90 [pure];
    /// Blocks per cluster in x; sm_90 and up.
    pub fn cluster_dim_x() -> u32 as reg32 = "mov.u32", "%cluster_nctaid.x", sm 90 [pure];
    /// As [`cluster_dim_x`], in y.
    pub fn cluster_dim_y() -> u32 as reg32 = "mov.u32", "%cluster_nctaid.y", sm 90 [pure];
    /// As [`cluster_dim_x`], in z.
    pub fn cluster_dim_z() -> u32 as reg32 = "mov.u32", "%cluster_nctaid.z", sm 90 [pure];
    /// Rank of the block in its cluster, x fastest, below [`cluster_blocks`]; sm_90 and up.
    pub fn cluster_block_rank() -> u32 as reg32 = "mov.u32", "%cluster_ctarank", sm 90 [pure];
    /// Blocks per cluster; sm_90 and up.
    pub fn cluster_blocks() -> u32 as reg32 = "mov.u32", "%cluster_nctarank", sm 90 [pure];
}

/// Index of the warp in its block: [`thread_linear`] / 32, the same in all its lanes.
#[inline(always)]
pub fn warp_idx() -> u32 {
    thread_linear() / WARP_SIZE
}

/// Warps in the block, a last partial one included.
#[inline(always)]
pub fn num_warps() -> u32 {
    block_threads().div_ceil(WARP_SIZE)
}
