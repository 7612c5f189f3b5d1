//! c = a · b by `wgmma`, one tile: a [64 w, k], b [n, k] (its columns contiguous), c [64 w, n], all row-major.
//!
//! Launch     one block of w warpgroups (128 w threads)
//! Types      i8 → i32 exact modulo 2^32, k = 128; f16 → f32, k = 64
//! Shared     the tiles of a and b, swizzled by 128 bytes, filled by ordinary stores

use gpu_std::shared::SharedCell;
use gpu_std::swizzle::{MatrixDescriptor, Swizzle, Tile, TileLayout};
use gpu_std::wgmma::{
    Acc, Columns, IntegerWidth, Number, Width, fence_proxy_async, wgmma_commit_group, wgmma_fence,
    wgmma_mma_async_f16, wgmma_mma_async_s8_s8, wgmma_wait_group,
};
use gpu_std::{Vec16, block, f16, mem, thread, unroll};

/// Bytes of k: one line of the swizzle.
const K_BYTES: usize = 128;
/// Rows of a warpgroup.
const ROWS: usize = 64;
/// Most warpgroups of a launch, and most columns.
const WARPGROUPS: usize = 2;
const COLUMNS: usize = 256;

const A: TileLayout = TileLayout::k_major::<i8>(ROWS * WARPGROUPS, K_BYTES, Swizzle::B128);
const B: TileLayout = TileLayout::k_major::<i8>(COLUMNS, K_BYTES, Swizzle::B128);
const _: () = assert!(Tile::<16384>::holds(A) && Tile::<32768>::holds(B));

#[unsafe(link_section = ".shared")]
static S_A: SharedCell<Tile<16384>> = SharedCell::new();
#[unsafe(link_section = ".shared")]
static S_B: SharedCell<Tile<32768>> = SharedCell::new();

/// Copies `rows` lines of 128 bytes to a tile, 16 bytes a thread at a time.
///
/// # Safety
/// `from` has the bytes, `to` is a tile of `layout` with as many rows, and nobody uses it.
#[inline(always)]
unsafe fn fill(to: *mut u8, from: *const u8, rows: usize, layout: TileLayout) {
    let mut piece = thread::thread_idx_x() as usize;
    while piece < rows * K_BYTES / 16 {
        let (row, byte) = (piece / (K_BYTES / 16), piece % (K_BYTES / 16) * 16);
        // SAFETY: the caller's; a piece of 16 bytes stays together in the layout.
        unsafe {
            let value = from.add(16 * piece).cast::<Vec16<u32>>().read();
            to.add(layout.line_offset(row, byte)).cast::<Vec16<u32>>().write(value);
        }
        piece += thread::block_dim_x() as usize;
    }
}

/// Fills both tiles, and gives the descriptors of the warpgroup's rows of a and of b.
///
/// # Safety
/// `a` has 64 rows of 128 bytes for each warpgroup, `b` has `columns`; at most two warpgroups and 256 columns.
#[inline(always)]
unsafe fn load(a: *const u8, b: *const u8, columns: usize) -> (MatrixDescriptor, MatrixDescriptor) {
    let (s_a, s_b) = (S_A.as_mut_ptr().cast::<u8>(), S_B.as_mut_ptr().cast::<u8>());
    let warpgroups = thread::block_dim_x() as usize / 128;
    // SAFETY: the caller's; all threads reach the barrier.
    unsafe {
        fill(s_a, a, ROWS * warpgroups, A);
        fill(s_b, b, columns, B);
        fence_proxy_async();
        block::bar_sync();
    }
    let first = ROWS * (thread::thread_idx_x() as usize / 128);
    let address = |tile: *const u8| mem::cvta_to_shared(tile) as u32;
    (A.descriptor(address(s_a)).advance(A.part(first, 0)), B.descriptor(address(s_b)))
}

/// Writes a thread's results to their places.
///
/// # Safety
/// `c` has 64 rows of `N` for each warpgroup.
#[inline(always)]
unsafe fn store<T: Number, const N: usize>(c: *mut T, acc: &Acc<T, N>)
where
    Columns<N>: Width,
{
    let (thread, group) = (thread::thread_idx_x() as usize % 128, thread::thread_idx_x() as usize / 128);
    Acc::<T, N>::each(
        #[inline(always)]
        |i| {
            let (row, column) = Acc::<T, N>::element(thread, i);
            // SAFETY: the caller's.
            unsafe { c.add((ROWS * group + row) * N + column).write(acc.get(i)) };
        },
    );
}

/// # Safety
/// As [`load`] and [`store`] say.
#[inline(always)]
unsafe fn int8<const N: usize>(c: *mut i32, a: *const u8, b: *const u8)
where
    Columns<N>: IntegerWidth,
{
    let mut acc = Acc::<i32, N>::zero();
    // SAFETY: the caller's; the operands are fenced in `load`, and the accumulators are waited for.
    unsafe {
        let (d_a, d_b) = load(a, b, N);
        wgmma_fence(&mut acc);
        unroll!(for step in 0..4 {
            wgmma_mma_async_s8_s8(&mut acc, d_a.advance(32 * step), d_b.advance(32 * step), step > 0);
        });
        wgmma_commit_group();
        wgmma_wait_group::<0>(&mut acc);
        store(c, &acc);
    }
}

/// # Safety
/// As [`load`] and [`store`] say.
#[inline(always)]
unsafe fn half<const N: usize>(c: *mut f32, a: *const f16, b: *const f16)
where
    Columns<N>: Width,
{
    let mut acc = Acc::<f32, N>::zero();
    // SAFETY: as in `int8`.
    unsafe {
        let (d_a, d_b) = load(a.cast(), b.cast(), N);
        wgmma_fence(&mut acc);
        unroll!(for step in 0..4 {
            let (d_a, d_b) = (d_a.advance(32 * step), d_b.advance(32 * step));
            wgmma_mma_async_f16::<N, 1, 1, false, false>(&mut acc, d_a, d_b, step > 0);
        });
        wgmma_commit_group();
        wgmma_wait_group::<0>(&mut acc);
        store(c, &acc);
    }
}

macro_rules! entries {
    ($($name:ident = $f:ident::<$n:literal>, $a:ty, $c:ty;)*) => {$(
        /// # Safety
        /// `a` has 64 rows for each warpgroup, `b` and the rows of `c` have the columns of the name; at most two warpgroups.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(c: *mut $c, a: *const $a, b: *const $a) {
            // SAFETY: promised by the caller.
            unsafe { $f::<$n>(c, a, b) }
        }
    )*};
}

entries! {
    wgmma_s8_n64 = int8::<64>, u8, i32;
    wgmma_s8_n256 = int8::<256>, u8, i32;
    wgmma_f16_n8 = half::<8>, f16, f32;
    wgmma_f16_n128 = half::<128>, f16, f32;
}

/// The rate of the instruction: `iters` times four m64n256k32 on whatever lies in shared memory, one result a thread.
///
/// Ops: 2 · 64 · 256 · 128 · `iters` for each warpgroup.
///
/// # Safety
/// `out` has a number for each thread of the grid.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn wgmma_rate_s8_n256(out: *mut i32, iters: u32) {
    let mut acc = Acc::<i32, 256>::zero();
    // SAFETY: the tiles are zero, and fenced; `out` is the caller's.
    unsafe {
        let zero = Vec16::from_fn(|_| 0_u32);
        let (s_a, s_b) = (S_A.as_mut_ptr().cast::<Vec16<u32>>(), S_B.as_mut_ptr().cast::<Vec16<u32>>());
        let threads = thread::block_dim_x() as usize;
        let mut piece = thread::thread_idx_x() as usize;
        while piece < B.bytes() / 16 {
            if piece < A.bytes() / 16 {
                s_a.add(piece).write(zero);
            }
            s_b.add(piece).write(zero);
            piece += threads;
        }
        fence_proxy_async();
        block::bar_sync();
        let address = |tile: *const Vec16<u32>| mem::cvta_to_shared(tile) as u32;
        let first = ROWS * (thread::thread_idx_x() as usize / 128);
        let d_a = A.descriptor(address(s_a)).advance(A.part(first, 0));
        let d_b = B.descriptor(address(s_b));
        for _ in 0..iters {
            wgmma_fence(&mut acc);
            unroll!(for step in 0..4 {
                wgmma_mma_async_s8_s8(&mut acc, d_a.advance(32 * step), d_b.advance(32 * step), true);
            });
            wgmma_commit_group();
            wgmma_wait_group::<0>(&mut acc);
        }
        let mut sum = 0_i32;
        unroll!(for i in 0..128 {
            sum = sum.wrapping_add(acc.get(i));
        });
        out.add(thread::grid_thread_linear() as usize).write(sum);
    }
}
