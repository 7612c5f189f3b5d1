//! One kernel per instruction wrapper of `gpu-std`: `k_<row>`, written from the rows of `pure.rs`,
//! `together.rs` and `table.rs`, which `tests/instructions.rs` reads too.

#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, f16))]

#[cfg(target_arch = "nvptx64")]
#[allow(non_snake_case, reason = "`wrapper__variant` tells a variant from a wrapper")]
mod kernels {
    #[cfg(target_feature = "sm_90")]
    use gpu_std::atomic::Cluster;
    use gpu_std::atomic::{
        self, AcqRel, Acquire, Cta, Generic, Global, Gpu, Relaxed, Release, SeqCst, Shared, Sys,
    };
    use gpu_std::packed::{bf16x2, f16x2};
    use gpu_std::shared::SharedCell;
    use gpu_std::{
        Real, Vec16, bf16, block, clock, control, convert, f16, int, math, mem, packed, thread, unroll, warp,
    };

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
    include!("table.rs");

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
