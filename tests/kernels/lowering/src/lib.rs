//! One kernel per construct that a back end lowers: `k_<row>`, written from the rows of `rows.rs`, which
//! `tests/lowering.rs` compiles for the host too, of `device.rs`, which only a device has;
//! and the kernels of `written.rs`, whose PTX is looked at.

#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, f16, core_float_math, float_minimum_maximum))]

#[cfg(target_arch = "nvptx64")]
mod kernels {
    use core::f32::math as math32;
    use core::f64::math as math64;
    use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    use core::sync::atomic::{
        AtomicBool, AtomicI64, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, compiler_fence, fence,
    };

    macro_rules! rows {
        ($($name:ident: |$x:ident, $y:ident, $z:ident| $body:expr;)*) => {$(
            /// Writes the row's result for this thread to its place in `out`.
            ///
            /// # Safety
            /// The arrays have an element for each thread, and `out` may be written.
            #[unsafe(export_name = concat!("k_", stringify!($name)))]
            pub unsafe extern "ptx-kernel" fn $name(
                out: *mut u64,
                x: *const u64,
                y: *const u64,
                z: *const u64,
            ) {
                let at = gpu_std::thread::thread_idx_x() as usize;
                // SAFETY: promised by the caller.
                let ($x, $y, $z) = unsafe { (x.add(at).read(), y.add(at).read(), z.add(at).read()) };
                let _ = ($x, $y, $z);
                let value: u64 = $body;
                // SAFETY: promised by the caller.
                unsafe { out.add(at).write(value) }
            }
        )*};
    }

    static CELLS: [[AtomicU64; 256]; 5] = [const { [const { AtomicU64::new(0) }; 256] }; 5];

    /// The word of a row and thread.
    fn cell(row: usize) -> &'static AtomicU64 {
        &CELLS[row][gpu_std::thread::thread_idx_x() as usize & 255]
    }

    include!("helpers.rs");
    include!("rows.rs");
    include!("device.rs");
    include!("written.rs");
}
