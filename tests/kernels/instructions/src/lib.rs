//! One kernel per instruction wrapper of `gpu-std`: `k_<row>`, written from the rows of `pure.rs`,
//! `together.rs`, `matrix.rs`, `wgmma.rs`, `flights.rs`, `maps.rs` and `table.rs`, which `tests/instructions.rs` reads too.

#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, f16))]

#[cfg(target_arch = "nvptx64")]
#[path = "../flying.rs"]
mod flying;

#[cfg(target_arch = "nvptx64")]
#[allow(non_snake_case, reason = "`wrapper__variant` tells a variant from a wrapper")]
mod kernels {
    #[cfg(target_feature = "sm_90")]
    use gpu_std::atomic::Cluster;
    #[cfg(target_feature = "sm_90")]
    use gpu_std::cluster::{self, ClusterPtr};
    #[cfg(target_feature = "sm_90")]
    use gpu_std::bulk;
    use gpu_std::atomic::{
        self, AcqRel, Acquire, Cta, Generic, Global, Gpu, Relaxed, Release, SeqCst, Shared, Sys,
    };
    use gpu_std::mbarrier;
    use gpu_std::mma::{FragA, FragB, FragC};
    use gpu_std::packed::{bf16x2, f16x2};
    use gpu_std::shared::SharedCell;
    #[cfg(target_feature = "sm_90")]
    use gpu_std::tma::{self, TensorMap};
    #[cfg(target_feature = "sm_90a")]
    use gpu_std::swizzle::{MatrixDescriptor, Swizzle, Tile, TileLayout};
    #[cfg(target_feature = "sm_90")]
    use gpu_std::wgmma;
    #[cfg(target_feature = "sm_90a")]
    use gpu_std::wgmma::{A8, A16, Acc, Number};
    use gpu_std::{
        DeviceRepr, Real, Vec16, async_copy, bf16, block, clock, control, convert, f16, int, math, mem, mma,
        packed, thread, unroll, warp,
    };

    use crate::flying::*;

    macro_rules! wrappers {
        ($(
            $(@ $sm:tt)? $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)? = $body:expr
                => $($expected:literal $(* $times:literal)?),*;
        )*) => {$(
            wrappers! { @kernel [$($sm)?] $name, ($($arg: $ty),*), [$($ret)?], $body }
        )*};
        (@kernel ["sm_90a"] $name:ident, $($rest:tt)*) => {
            #[cfg(target_feature = "sm_90a")]
            wrappers! { @kernel [] $name, $($rest)* }
        };
        (@kernel [$sm:literal] $name:ident, $($rest:tt)*) => {
            #[cfg(target_feature = "sm_90")]
            wrappers! { @kernel [] $name, $($rest)* }
        };
        (@kernel [] $name:ident, ($($arg:ident: $ty:ty),*), [$ret:ty], $body:expr) => {
            /// Writes the wrapper's result to `out`.
            ///
            /// # Safety
            /// The wrapper's, and `out` may be written.
            #[unsafe(export_name = concat!("k_", stringify!($name)))]
            #[allow(unused_unsafe, reason = "some wrappers are safe")]
            pub unsafe extern "ptx-kernel" fn $name(out: *mut $ret, $($arg: $ty),*) {
                // SAFETY: as the caller promises.
                unsafe {
                    let value: $ret = $body;
                    out.write(value);
                }
            }
        };
        (@kernel [] $name:ident, ($($arg:ident: $ty:ty),*), [], $body:expr) => {
            /// Calls the wrapper.
            ///
            /// # Safety
            /// The wrapper's.
            #[unsafe(export_name = concat!("k_", stringify!($name)))]
            #[allow(unused_unsafe, reason = "some wrappers are safe")]
            pub unsafe extern "ptx-kernel" fn $name($($arg: $ty),*) {
                // SAFETY: as the caller promises.
                unsafe { $body }
            }
        };
    }

    include!("pure.rs");
    include!("maps.rs");
    include!("table.rs");
    include!("flights.rs");

    macro_rules! wrappers {
        ($(
            $(@ $sm:literal)? $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)? = $body:expr
                => $($expected:literal $(* $times:literal)?),*;
        )*) => {$(
            wrappers! { @kernel [$($sm)?] $name, ($($arg: $ty),*), [$($ret)?], $body }
        )*};
        (@kernel [$sm:literal] $name:ident, $($rest:tt)*) => {
            #[cfg(target_feature = "sm_90")]
            wrappers! { @kernel [] $name, $($rest)* }
        };
        (@kernel [] $name:ident, ($($arg:ident: $ty:ty),*), [$($ret:ty)?], $body:expr) => {
            /// Writes the wrapper's result for this thread to its place in `out`, if there is one.
            ///
            /// # Safety
            /// The wrapper's; the arrays have an element for each thread, and `out` may be written.
            #[unsafe(export_name = concat!("k_", stringify!($name)))]
            #[allow(unused_unsafe, unused_variables, reason = "some wrappers are safe, some take and give nothing")]
            pub unsafe extern "ptx-kernel" fn $name($(out: *mut $ret,)? $($arg: *const $ty),*) {
                let place = thread::thread_idx_x() as usize;
                // SAFETY: promised by the caller.
                unsafe {
                    $(let $arg = $arg.add(place).read();)*
                    let value = $body;
                    $(let value: $ret = value;
                    out.add(place).write(value);)?
                }
            }
        };
    }

    include!("together.rs");
    include!("matrix.rs");

    /// A row of 16 bytes.
    #[derive(Clone, Copy)]
    #[repr(C, align(16))]
    struct Row([u32; 4]);

    /// 32 rows in shared memory, one of each lane, written and seen by all lanes.
    unsafe fn tile_of(row: [u32; 4]) -> *mut Row {
        #[unsafe(link_section = ".shared")]
        static TILE: SharedCell<[Row; 32]> = SharedCell::new();
        let tile = TILE.as_mut_ptr().cast::<Row>();
        // SAFETY: blocks are one warp.
        unsafe {
            tile.add(thread::lane_idx() as usize).write(Row(row));
            warp::bar_warp_sync(warp::FULL_MASK);
        }
        tile
    }

    /// The lane's row of zeros, after `store`.
    #[cfg(target_feature = "sm_90")]
    unsafe fn after(store: impl FnOnce(*mut Row)) -> [u32; 4] {
        // SAFETY: blocks are one warp.
        unsafe {
            let tile = tile_of([0; 4]);
            store(tile);
            warp::bar_warp_sync(warp::FULL_MASK);
            tile.add(thread::lane_idx() as usize).read().0
        }
    }

    /// What lies in the lane's place of shared memory, `u32::MAX` before, after the copies that `start` begins.
    unsafe fn copied<T: DeviceRepr>(start: impl FnOnce(*mut T)) -> T {
        // SAFETY: blocks are one warp; a T has at most 16 bytes.
        unsafe {
            let to = tile_of([u32::MAX; 4]).add(thread::lane_idx() as usize).cast::<T>();
            start(to);
            async_copy::cp_async_commit_group();
            async_copy::cp_async_wait_group::<0>();
            to.read()
        }
    }

    macro_rules! wrappers {
        ($(
            @ $sm:literal $name:ident($($arg:ident: $ty:ty),*) = $body:expr => $($expected:literal $(* $times:literal)?),*;
        )*) => {$(
            /// Calls the wrapper.
            ///
            /// # Safety
            /// As the table says.
            #[cfg(target_feature = $sm)]
            #[unsafe(export_name = concat!("k_", stringify!($name)))]
            #[allow(unused_unsafe, reason = "the fence is safe")]
            pub unsafe extern "ptx-kernel" fn $name($($arg: $ty),*) {
                // SAFETY: as the caller promises.
                unsafe { $body }
            }
        )*};
    }

    include!("wgmma.rs");

    /// Copies the tiles of `x` to shared memory, runs `f` on accumulators of zeros the descriptors of A and B and a fragment of A, and writes
    /// the accumulators to `out`.
    #[cfg(target_feature = "sm_90a")]
    #[inline(always)]
    unsafe fn on_tiles<T: Number>(
        out: *mut T,
        x: *const u32,
        f: impl FnOnce(&mut Acc<T, 16>, MatrixDescriptor, MatrixDescriptor, A8),
    ) {
        #[unsafe(link_section = ".shared")]
        static TILES: SharedCell<Tile<3072>> = SharedCell::new();
        const A: TileLayout = TileLayout::k_major::<u8>(64, 32, Swizzle::None);
        const B: TileLayout = TileLayout::k_major::<u8>(16, 32, Swizzle::None);
        let (place, tiles) = (thread::thread_idx_x() as usize, TILES.as_mut_ptr().cast::<u32>());
        let mut acc = Acc::<T, 16>::zero();
        // SAFETY: blocks have 128 threads, `x` 640 words, `out` 8 for each thread.
        unsafe {
            for word in 0..5 {
                tiles.add(128 * word + place).write(x.add(128 * word + place).read());
            }
            wgmma::fence_proxy_async();
            block::bar_sync();
            let address = mem::cvta_to_shared(tiles) as u32;
            let mut operand = A8(fragment(x));
            wgmma::wgmma_fence(&mut (&mut acc, &mut operand));
            f(&mut acc, A.descriptor(address), B.descriptor(address + A.bytes() as u32), operand);
            wgmma::wgmma_commit_group();
            wgmma::wgmma_wait_group::<0>(&mut acc);
            unroll!(for i in 0..8 {
                out.add(8 * place + i).write(acc.get(i));
            });
        }
    }

    /// A thread's four registers of A.
    #[cfg(target_feature = "sm_90a")]
    #[inline(always)]
    unsafe fn fragment(x: *const u32) -> [u32; 4] {
        let place = 4 * thread::thread_idx_x() as usize;
        // SAFETY: as in `on_tiles`.
        unsafe {
            [x.add(place).read(), x.add(place + 1).read(), x.add(place + 2).read(), x.add(place + 3).read()]
        }
    }

    /// Lanes that differ in a branch: the activemask and the shuffle of each arm must stay in it.
    unsafe fn in_both_arms(out: *mut u32, x: u32) {
        let lane = thread::lane_idx();
        // SAFETY: as the caller promises.
        unsafe {
            let value = if lane < 16 {
                warp::shfl_xor_sync(warp::activemask(), x.wrapping_mul(3), 1)
            } else {
                warp::shfl_xor_sync(warp::activemask(), x.wrapping_mul(3), 1).wrapping_add(1)
            };
            out.add(lane as usize).write(value);
        }
    }

    /// Atomic operations on a word of shared memory for each of 32 threads.
    unsafe fn shared_atomics(out: *mut u32, x: *const u32) {
        #[unsafe(link_section = ".shared")]
        static WORDS: SharedCell<[u32; 32]> = SharedCell::new();
        let place = thread::thread_idx_x() as usize;
        // SAFETY: blocks have at most 32 threads; the arrays have an element for each.
        unsafe {
            let word = WORDS.as_mut_ptr().cast::<u32>().add(place);
            let x = x.add(place).read();
            atomic::st(word, x, Relaxed, Cta, Shared);
            let before = atomic::atom_inc(word, 1000, AcqRel, Cta, Shared);
            atomic::red_min(word, 500, Release, Cta, Shared);
            out.add(place).write(before ^ atomic::ld(word, Relaxed, Cta, Shared) << 16);
        }
    }

    /// Whether two slices of bytes are equal: `memcmp` of compiler_builtins, linked from its rlib.
    unsafe fn equal_bytes(a: *const u8, b: *const u8, len: u64) -> bool {
        // SAFETY: as the caller promises.
        unsafe {
            core::slice::from_raw_parts(a, len as usize) == core::slice::from_raw_parts(b, len as usize)
        }
    }

    /// An array in registers, by unrolled loops over a const generic.
    unsafe fn in_registers<const N: usize>(x: *const f32, y: *mut f32) {
        let mut acc = [0.0_f32; N];
        // SAFETY: as the caller promises.
        unsafe {
            unroll!(for i in 0..N {
                acc[i] = math::fma_rn_f32(*x.add(i), *x.add(N), *x.add(N + 1));
            });
            unroll!(for i in 0..N {
                y.add(i).write(acc[N - 1 - i]);
            });
        }
    }
}
