//! The tensor cores of sm_90a: products of tiles in shared memory, made by a warpgroup of four warps while it goes on.
//!
//! `D = A · B + D`, 64 × N, A 64 × K from shared memory or registers, B K × N from shared memory, D in the registers of the
//! warpgroup ([`Acc`]). K is 32 bytes: 32 elements of 8 bits, 16 of 16. How operands lie in shared memory is
//! [`swizzle`](crate::swizzle)'s matter.
//!
//! The order of things, by all 128 threads of the warpgroup together:
//!
//! 1. What the operands were written with: by ordinary stores, each writer's
//!    [`fence_proxy_async`] follows, then a barrier; by a bulk copy, the wait for its mbarrier is enough.
//! 2. [`wgmma_fence`]: before the first instruction, and again whenever registers of D or A were written by anything else.
//! 3. `wgmma_mma_async_…`, any number of them. One after the other may accumulate into the same registers.
//! 4. [`wgmma_commit_group`].
//! 5. [`wgmma_wait_group`]`::<0>` before the registers, or the operands' memory, are used for anything else.
//!
//! PTX ISA, “Asynchronous warpgroup level matrix instructions”.

mod acc;
mod multiply;
mod sync;
#[cfg(all(target_arch = "nvptx64", target_feature = "sm_90a"))]
mod text;
#[cfg(not(all(target_arch = "nvptx64", target_feature = "sm_90a")))]
#[path = "no_text.rs"]
mod text;

pub use crate::bulk::fence_proxy_async;
pub use acc::{A8, A16, Acc, Columns, Fragments, IntegerWidth, Number, Width};
pub use multiply::*;
pub use sync::{wgmma_commit_group, wgmma_fence, wgmma_wait_group};

#[cfg(test)]
mod tests;
