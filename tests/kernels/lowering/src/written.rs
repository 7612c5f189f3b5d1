// Kernels whose PTX is looked at, not run.

/// A value that no register holds.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Big {
    words: [u32; 16],
    last: u64,
}

macro_rules! written {
    ($($name:ident($($arg:ident: $ty:ty),*) $body:block)*) => {$(
        /// See `tests/lowering/written.rs`.
        ///
        /// # Safety
        /// Never launched.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name($($arg: $ty),*) {
            // SAFETY: never launched.
            unsafe { $body }
        }
    )*};
}

written! {
    by_value(out: *mut u64, big: Big) {
        out.write(big.last + u64::from(big.words[3]));
    }

    stores_around_a_fence(p: *mut u32) {
        p.write(1);
        gpu_std::atomic::fence(gpu_std::atomic::AcqRel, gpu_std::atomic::Gpu);
        p.write(2);
        gpu_std::atomic::fence(gpu_std::atomic::SeqCst, gpu_std::atomic::Sys);
        p.write(3);
        fence(AcqRel);
        p.write(4);
    }

    loads_around_a_fence(p: *const u32, out: *mut u32) {
        let a = p.read();
        gpu_std::atomic::fence(gpu_std::atomic::AcqRel, gpu_std::atomic::Cta);
        let b = p.read();
        fence(SeqCst);
        out.write(a ^ b ^ p.read());
    }

    loads_around_a_barrier(p: *const u32, out: *mut u32) {
        let a = p.read();
        gpu_std::block::bar_sync();
        let b = p.read();
        gpu_std::block::barrier_sync(1, 64);
        out.write(a ^ b ^ p.read());
    }

    stores_around_a_barrier(p: *mut u32) {
        p.write(1);
        gpu_std::block::bar_sync();
        p.write(2);
        gpu_std::warp::bar_warp_sync(u32::MAX);
        p.write(3);
    }

    accesses_around_an_atomic(p: *mut u32, q: *mut u32) {
        p.write(1);
        let before = gpu_std::atomic::atom_add(
            q, 1, gpu_std::atomic::AcqRel, gpu_std::atomic::Gpu, gpu_std::atomic::Global);
        p.write(before);
        AtomicU32::from_ptr(q).fetch_or(2, Release);
        p.write(before ^ AtomicU32::from_ptr(q).load(Acquire));
    }

    atomics_in_shared_memory(p: *const u32, out: *mut u32) {
        #[unsafe(link_section = ".shared")]
        static BINS: gpu_std::shared::SharedCell<[u32; 32]> = gpu_std::shared::SharedCell::new();
        let bins = BINS.as_mut_ptr().cast::<u32>();
        let at = gpu_std::thread::thread_idx_x() as usize & 31;
        AtomicU32::from_ptr(bins.add(at)).store(0, Relaxed);
        gpu_std::block::bar_sync();
        AtomicU32::from_ptr(bins.add(p.add(at).read() as usize & 31)).fetch_add(1, AcqRel);
        gpu_std::block::bar_sync();
        out.add(at).write(bins.add(at).read());
    }
}
