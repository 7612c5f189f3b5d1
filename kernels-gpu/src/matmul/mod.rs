//! Products of matrices on the tensor cores, `c = epilogue(a · bᵀ)`: a is [m, k], b is [n, k], k contiguous in both.
//!
//! | kernel | operands | sums |
//! |---|---|---|
//! | [`matmul_q8`] | i8, i8 | i32 |
//! | [`matmul_hpq`] | i8, i16 as two planes | two of i32, together i64 |
//! | [`matmul`] | f16 or bf16 | f32 |
//! | [`sm90_matmul_q8`], [`sm90_matmul_hpq`], [`sm90_matmul`] | the same | the same |
//!
//! The first three run on sm_80 and up, by `mma.sync`, and share everything but their types ([`products`]) and what becomes of the
//! sums ([`finish`]): [`tiling`] says who makes what, [`copies`] brings operands to shared memory, [`warp_tile`] multiplies them,
//! [`splits`] adds up parts of k, [`block_tile`] puts it together.
//!
//! The others run on sm_90a, by `wgmma`: [`sm90_plan`] divides shared memory, [`sm90_schedule`] says which cluster makes which tile,
//! [`sm90_engine`] fills the stages of [`sm90_ring`] by tensor copies and multiplies them ([`sm90_product`]), [`sm90_columns`] looks up
//! what columns bring along, and results leave through the boxes of [`sm90_staged`].

pub mod block_tile;
pub mod copies;
pub mod epilogue;
pub mod epilogue_hpq;
pub mod finish;
#[allow(
    clippy::module_inception,
    reason = "a kernel file has the kernel's name, and the plain product is the family's"
)]
pub mod matmul;
pub mod matmul_hpq;
pub mod matmul_q8;
pub mod products;
pub mod sm90_columns;
pub mod sm90_engine;
pub mod sm90_matmul;
pub mod sm90_matmul_hpq;
pub mod sm90_matmul_q8;
pub mod sm90_plan;
pub mod sm90_product;
pub mod sm90_ring;
pub mod sm90_schedule;
pub mod sm90_staged;
pub mod splits;
pub mod tiling;
pub mod warp_tile;
