//! For kernels that were written with rust-cuda's `cuda_std`: what stands for what.
//!
//! | `cuda_std` | here | note |
//! |---|---|---|
//! | `#[kernel] pub unsafe fn f(…)` | [`kernel`](crate::kernel)` pub fn f(…)` | `unsafe` only with [`DevicePtr`](crate::DevicePtr) parameters |
//! | `a: &[T]` | `a: &[T]` | two PTX parameters there and here |
//! | `y: *mut T` | `y: GridMut<T>`, or `DevicePtr<T>` | [`GridMut`](crate::GridMut) needs no `unsafe` |
//! | `&[UnsafeCell<T>]` | `GridMut<T>` | |
//! | `DeviceCopy` | [`DeviceRepr`](crate::DeviceRepr) | derive it for `#[repr(C)]` structs |
//! | `thread::thread_idx_x()` and the like | [`thread`](crate::thread), same names | `thread_idx()` as a vector: by its parts |
//! | `thread::index()`, `index_1d()` | [`thread::grid_thread_linear`](crate::thread::grid_thread_linear) | 64 bits |
//! | `thread::sync_threads()` | [`block::bar_sync`](crate::block::bar_sync) | `unsafe`: all threads must arrive |
//! | `thread::sync_threads_count/and/or` | [`block::barrier_red_popc`](crate::block::barrier_red_popc), `_and`, `_or` | |
//! | `thread::device_fence()`, `grid_fence`, `system_fence` | [`fence`](crate::atomic::fence)`(SeqCst, Cta)`, `(SeqCst, Gpu)`, `(SeqCst, Sys)` | `AcqRel` is cheaper and mostly enough |
//! | `thread::nanosleep` | [`clock::nanosleep`](crate::clock::nanosleep) | |
//! | `warp::lane_id()` | [`thread::lane_idx`](crate::thread::lane_idx) | |
//! | `warp::activemask()` | [`warp::activemask`](crate::warp::activemask) | |
//! | `warp::sync_warp(mask)` | [`warp::bar_warp_sync`](crate::warp::bar_warp_sync) | |
//! | `warp::warp_shuffle_idx/up/down/xor` | [`warp::shfl_idx_sync`](crate::warp::shfl_idx_sync), `shfl_up_sync`, `shfl_down_sync`, `shfl_xor_sync` | `width` and the predicate: the forms `_pred` |
//! | `warp::warp_vote_all/any/ballot` | [`warp::all_sync`](crate::warp::all_sync), `any_sync`, `ballot_sync` | theirs were inverted until 2026 |
//! | `warp::warp_match_any/all_32/64` | [`warp::match_any_sync`](crate::warp::match_any_sync), `match_all_sync` | by the type's size |
//! | `warp::warp_reduce_32` | [`warp::redux_sync_add_u32`](crate::warp::redux_sync_add_u32) and its kin; [`warp::warp_reduce_sum`](crate::warp::warp_reduce_sum) for floats | |
//! | `#[address_space(shared)] static mut`, `shared_array!` | a parameter `#[shared] tile: `[`SharedArray<T, N>`](crate::shared::SharedArray) | per kernel instance, size may be generic |
//! | `shared::dynamic_shared_mem()` | a parameter `#[shared] tile: `[`DynamicShared<T>`](crate::shared::DynamicShared) | |
//! | `atomic::AtomicF32::fetch_add` and the like | [`atomic::atom_add`](crate::atomic::atom_add)`(ptr, x, Relaxed, Gpu, Global)` | order, scope and space always spelled out |
//! | `atomic::mid::atomic_load_…`, `_store_…` | [`atomic::ld`](crate::atomic::ld), [`atomic::st`](crate::atomic::st) | |
//! | `GpuFloat::exp/exp2/ln/log2/sin/cos/tanh/powf` (libdevice), f32 | [`math::exp`](crate::math::exp), `exp2`, `log`, `log2`, `sin`, `cos`, `tanh`, `pow`; [`math::sigmoid`](crate::math::sigmoid), `erf` besides | the same bits on the host; [`math::sin_approx_f32`](crate::math::sin_approx_f32) and its kin are the hardware's approximations |
//! | the other functions of libdevice, and all of them for f64 | not yet | |
//! | `GpuFloat::sqrt`, `mul_add`, `floor`, … | [`math`](crate::math): `sqrt_rn_f32`, `fma_rn_f32`, `floor_f32`, … | |
//! | `FloatExt` intrinsics (`rsqrt`, `__expf` style) | [`math::rsqrt_approx_f32`](crate::math::rsqrt_approx_f32), `ex2_approx_f32`, … | |
//! | `half::f16` in kernels | [`f16`](crate::f16), [`bf16`](crate::bf16), [`packed`](mod@crate::packed) | native on the device |
//! | `ptr::…` address-space tests and conversions | [`mem::isspacep_shared`](crate::mem::isspacep_shared) and its kin, [`mem::cvta_to_shared`](crate::mem::cvta_to_shared) | |
//! | `wmma::fill_fragment(c, x)` | [`FragC::filled`](crate::mma::FragC::filled) | `wmma` is CUDA C++'s; tiles are 16 × 8 here, two for one of 16 × 16 |
//! | `wmma::load_matrix_sync(a, ptr, ldm)` | [`FragA::ldmatrix`](crate::mma::FragA::ldmatrix), [`FragB::ldmatrix_pair`](crate::mma::FragB::ldmatrix_pair) from shared memory; [`FragA::from_fn`](crate::mma::FragA::from_fn) from anywhere | each lane gives the address of a row; `col_major` A, `row_major` B: the forms `_trans` |
//! | `wmma::mma_sync(d, a, b, c)` | [`mma::mma_sync`](crate::mma::mma_sync)`(a, b, c)` | which lane holds which element is known |
//! | `wmma::store_matrix_sync(ptr, c, ldm)` | [`FragC::for_each`](crate::mma::FragC::for_each), or [`FragC::pairs`](crate::mma::FragC::pairs) and [`stmatrix_x2`](crate::mma::stmatrix_x2) to shared memory | |
//! | `__pipeline_memcpy_async`, `_commit`, `_wait_prior(n)` | [`cp_async_ca`](crate::async_copy::cp_async_ca), [`cp_async_commit_group`](crate::async_copy::cp_async_commit_group), [`cp_async_wait_group`](crate::async_copy::cp_async_wait_group)`::<n>()` | CUDA C++'s too |
//! | `misc::…`, `assume` | [`control`](crate::control), [`clock`](crate::clock) | |
//! | `io::print!`, `println!` | not yet | |
//! | `alloc` on the device | no: memory comes from the host | |
//! | `launch!(…)` of `cust` | `kernels::<entry>::launch(&launcher, shape, args)` | typed and checked, see [`launch`](crate::launch) |
//! | `cuda_builder` in `build.rs` | `ptx_builder::PtxBuilder` | stock rustc instead of one nightly with LLVM 7 |
//!
//! What `cuda_std` lacks and is here: cache hints and 16-byte accesses ([`mem`](crate::mem)), packed halves, integer dot
//! products and bit instructions ([`int`](crate::int)), every rounding mode ([`convert`](crate::convert)),
//! [`unroll!`](macro@crate::unroll). For the tensor cores and
//! asynchronous copies of sm_90: [`wgmma`](crate::wgmma), [`swizzle`](crate::swizzle), [`mbarrier`](crate::mbarrier),
//! [`bulk`](crate::bulk), [`tma`](crate::tma), [`cluster`](crate::cluster).
