//! From the sums of a tile to C: what rows and columns bring along, and stores of 16 bytes through shared memory.

use gpu_std::unroll::filled;
use gpu_std::{DeviceRepr, Vec16, thread, unroll, warp};

use super::epilogue::Place;
use super::products::Product;
use super::tiling::{CHUNK, RECORD, THREADS, Tile, WARPS_M, WARPS_N, patch_pitch};
use super::warp_tile::Sums;

/// What becomes of the totals of a product.
pub trait Finish<Total> {
    /// What a row brings along.
    type Row: Copy;
    /// What a column brings along.
    type Column: Copy;
    /// An element of C.
    type Out: DeviceRepr;

    /// What row `i` brings along.
    ///
    /// # Safety
    /// `i` is a row of the product.
    unsafe fn row(&self, i: usize) -> Self::Row;

    /// What column `j` brings along.
    ///
    /// # Safety
    /// `j` is a column of the product.
    unsafe fn column(&self, j: usize) -> Self::Column;

    /// The element of C with this total.
    fn element(&self, total: Total, row: Self::Row, column: Self::Column) -> Self::Out;
}

/// C, and the tile that is made of it.
#[derive(Clone, Copy, Debug)]
pub struct Target<T> {
    /// C.
    pub place: Place<T>,
    /// Rows of C.
    pub m: u32,
    /// Columns of C.
    pub n: u32,
    /// First row of the tile.
    pub row: u32,
    /// First column of the tile.
    pub column: u32,
}

/// What the rows and columns of a tile bring along, in shared memory: a [`RECORD`] each.
#[derive(Clone, Copy, Debug)]
pub struct Records {
    rows: *mut u8,
    columns: *mut u8,
}

impl Records {
    /// Writes them for a tile of `tile_m` × `tile_n`; those past the end of C are the last's. Others read them after a barrier.
    ///
    /// # Safety
    /// All threads of the block are here; `smem` has a record for each row and column, and nobody uses it. C is not empty.
    #[inline(always)]
    pub unsafe fn write<Total, F: Finish<Total>>(
        smem: *mut u8,
        finish: &F,
        target: &Target<F::Out>,
        (tile_m, tile_n): (u32, u32),
    ) -> Self {
        const {
            assert!(
                size_of::<F::Row>() <= RECORD && size_of::<F::Column>() <= RECORD,
                "a record is too large"
            )
        }
        let thread = thread::thread_idx_x();
        let last = |at: u32, len: u32| if at < len { at as usize } else { len as usize - 1 };
        let records = Self { rows: smem, columns: smem.wrapping_add(tile_m as usize * RECORD) };
        // SAFETY: promised by the caller; tiles have at most as many rows, and as many columns, as the block has threads.
        unsafe {
            if thread < tile_m {
                let row = finish.row(last(target.row + thread, target.m));
                records.rows.add(thread as usize * RECORD).cast::<F::Row>().write(row);
            }
            if thread < tile_n {
                let column = finish.column(last(target.column + thread, target.n));
                records.columns.add(thread as usize * RECORD).cast::<F::Column>().write(column);
            }
        }
        records
    }
}

/// Two neighbours of a row as one store.
///
/// # Safety
/// `to` is a multiple of the size of both, in shared memory that nobody uses.
#[inline(always)]
unsafe fn write_pair<T: Copy>(to: *mut u8, pair: [T; 2]) {
    // SAFETY: promised by the caller; the integers have the size of the pair.
    unsafe {
        match size_of::<T>() {
            1 => to.cast::<u16>().write(core::mem::transmute_copy(&pair)),
            2 => to.cast::<u32>().write(core::mem::transmute_copy(&pair)),
            4 => to.cast::<u64>().write(core::mem::transmute_copy(&pair)),
            _ => to.cast::<[T; 2]>().write(pair),
        }
    }
}

/// The warp's part of a tile on its way to C: `16 MT` rows of `8 NT / PLANES` elements in shared memory.
#[derive(Clone, Copy)]
struct Patch {
    start: *mut u8,
    pitch: usize,
    /// First row and column of the warp in the tile.
    row: usize,
    column: usize,
}

/// Finishes the sums and writes them to C.
///
/// # Safety
/// - All threads of the block are here; nobody uses the stages at `smem` any more, and the records were written before a barrier.
/// - C has m rows of n elements, which no other block writes in this tile.
#[inline(always)]
pub unsafe fn store<
    P: Product,
    F: Finish<P::Total>,
    const MT: usize,
    const NT: usize,
    const STAGES: usize,
>(
    smem: *mut u8,
    records: Records,
    finish: &F,
    target: &Target<F::Out>,
    sums: &Sums<P::Sum, MT, NT>,
) {
    let cols = const { 8 * NT / P::PLANES };
    let pitch = const { patch_pitch(8 * NT / P::PLANES, size_of::<F::Out>()) };
    const {
        let patches = WARPS_M * WARPS_N * 16 * MT * patch_pitch(8 * NT / P::PLANES, size_of::<F::Out>());
        let stages = STAGES * Tile::new(MT, NT, P::PLANES, STAGES).stage_bytes() as usize;
        assert!(patches <= stages, "results need more room than the stages have");
    }
    let warp = thread::warp_idx() as usize;
    let patch = Patch {
        start: smem.wrapping_add(warp * 16 * MT * pitch),
        pitch,
        row: warp / WARPS_N * 16 * MT,
        column: warp % WARPS_N * cols,
    };
    // SAFETY: promised by the caller; each warp has a patch of its own.
    unsafe {
        to_patch::<P, F, MT, NT>(patch, records, finish, sums);
        warp::bar_warp_sync(u32::MAX);
        from_patch::<F::Out, MT>(patch, cols, target);
    }
}

/// Finishes the sums of a warp.
///
/// # Safety
/// As [`store`].
#[inline(always)]
unsafe fn to_patch<P: Product, F: Finish<P::Total>, const MT: usize, const NT: usize>(
    patch: Patch,
    records: Records,
    finish: &F,
    sums: &Sums<P::Sum, MT, NT>,
) {
    let lane = thread::lane_idx() as usize;
    let (row, column) = (lane / 4, lane % 4 * 2);
    // SAFETY: promised by the caller; rows and columns are those of the warp.
    unsafe {
        let row_at = |i: usize| records.rows.add((patch.row + row + 8 * i) * RECORD).cast::<F::Row>().read();
        let column_at =
            |j: usize| records.columns.add((patch.column + column + j) * RECORD).cast::<F::Column>().read();
        let mut rows = filled::<_, MT>([row_at(0); 2]);
        unroll!(for i in 0..MT {
            rows[i] = [row_at(2 * i), row_at(2 * i + 1)];
        });
        let size = size_of::<F::Out>();
        unroll!(for j in 0..NT {
            if j.is_multiple_of(P::PLANES) {
                let first = 8 * (j / P::PLANES);
                let columns = [column_at(first), column_at(first + 1)];
                unroll!(for i in 0..MT {
                    unroll!(for half in 0..2 {
                        let at = |e: usize| {
                            let total =
                                P::total(sums[i][j][2 * half + e], sums[i][j + P::PLANES - 1][2 * half + e]);
                            finish.element(total, rows[i][half], columns[e])
                        };
                        let to = patch
                            .start
                            .add((16 * i + 8 * half + row) * patch.pitch + (first + column) * size);
                        write_pair(to, [at(0), at(1)]);
                    });
                });
            }
        });
    }
}

/// Copies the patch of a warp to C: 16 bytes per lane where C allows, else element by element.
///
/// # Safety
/// As [`store`]; the patch is written, for all lanes.
#[inline(always)]
unsafe fn from_patch<T: DeviceRepr, const MT: usize>(patch: Patch, cols: usize, target: &Target<T>) {
    let lane = thread::lane_idx() as usize;
    let each = const { CHUNK / size_of::<T>() };
    let chunks = cols / each;
    let pitch = target.place.stride * size_of::<T>() as u64;
    let aligned = (target.place.start as u64 | pitch).is_multiple_of(CHUNK as u64);
    let column = target.column as usize + patch.column + lane % chunks * each;
    let left = (target.n as usize).saturating_sub(column);
    for turn in 0..MT * chunks / 2 {
        let line = turn * (32 / chunks) + lane / chunks;
        let row = target.row as usize + patch.row + line;
        if row >= target.m as usize || left == 0 {
            continue;
        }
        // SAFETY: the element is in C and in the patch; where a chunk is written, all of it is in C.
        unsafe {
            let from = patch.start.add(line * patch.pitch + lane % chunks * CHUNK);
            let to = target.place.at(row, column);
            if aligned && left >= each {
                to.cast::<Vec16<u32>>().write(from.cast::<Vec16<u32>>().read());
            } else {
                for e in 0..if left < each { left } else { each } {
                    to.add(e).write(from.cast::<T>().add(e).read());
                }
            }
        }
    }
}

const _: () = assert!(THREADS >= 256, "a tile has up to 256 columns, one record to a thread");
