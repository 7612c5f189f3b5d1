//! The engine of the sm_90a kernels: tensor copies fill a ring of stages, warpgroups multiply them by `wgmma`, and results leave
//! through boxes while the next tile is already being filled.
//!
//! A block has one warpgroup that fills (one thread issues the copies, another warp looks up what the columns bring along) and
//! `C` that multiply, 64 rows of the tile each. The two blocks of a cluster have tiles below each other: each loads its own
//! rows, and half of what they multiply them by for both. Blocks are persistent: as many as there are multiprocessors.
//!
//! With `TURNED` the rows of a tile are those of b and its columns those of a: for products of few rows, which would leave most of
//! the 64 rows of an instruction empty.

use gpu_std::block::{barrier_cluster_arrive, barrier_cluster_wait};
use gpu_std::bulk::{cp_async_bulk_commit_group, cp_async_bulk_wait_group_read, fence_proxy_async};
use gpu_std::control::{setmaxnreg_dec, setmaxnreg_inc};
use gpu_std::mbarrier::{Mbarrier, fence_mbarrier_init, mbarrier_arrive_expect_tx};
use gpu_std::mem::createpolicy_l2_evict_first;
use gpu_std::shared::DynamicShared;
use gpu_std::swizzle::{MatrixDescriptor, Swizzle};
use gpu_std::tma::{
    TensorMap, TensorMapMut, cp_async_bulk_tensor_load_2d, cp_async_bulk_tensor_load_2d_l2_cache_hint,
    cp_async_bulk_tensor_load_2d_multicast, cp_async_bulk_tensor_store_2d, prefetch_tensormap,
};
use gpu_std::warp::{FULL_MASK, bar_warp_sync};
use gpu_std::{Vec16, mem, thread, unroll};

use super::epilogue::{Column, Epilogue, Row};
use super::sm90_columns::{Columns, Slot};
use super::sm90_plan::{ALIGN, CLUSTER, K_BYTES, Plan, ROWS};
use super::sm90_product::Product;
use super::sm90_ring::{Ring, Turn};
use super::sm90_schedule::Schedule;
use super::sm90_staged::{BOX_BYTES, BOXES, Written};

/// The operands of a launch, and how large they are.
#[derive(Clone, Copy)]
pub struct Operands<'a> {
    /// What the rows of tiles are rows of: bytes, boxes of 128 by the rows of a block.
    pub rows: &'a TensorMap,
    /// What the columns of tiles are rows of, plane by plane: bytes, boxes of 128 by half the width.
    pub columns: [&'a TensorMap; 2],
    /// The product.
    pub c: &'a TensorMapMut,
    /// Rows of `rows`.
    pub num_rows: u32,
    /// Rows of `columns`.
    pub num_columns: u32,
    /// Bytes of k.
    pub k_bytes: u32,
    /// Columns of a tile that are used, a multiple of 16; each block of a cluster loads half of them for both.
    pub width: u32,
}

/// A block at work: `C` warpgroups multiply, tiles have `N` columns.
pub struct Engine<'a, const C: usize, const N: usize, const TURNED: bool> {
    plan: Plan,
    operands: Operands<'a>,
    epilogue: Epilogue<'a>,
    schedule: Schedule,
    ring: Ring,
    boxes: *mut u8,
    columns: Columns<N>,
}

impl<'a, const C: usize, const N: usize, const TURNED: bool> Engine<'a, C, N, TURNED> {
    /// The block's part of the work.
    #[inline(always)]
    pub fn new(plan: Plan, operands: Operands<'a>, epilogue: Epilogue<'a>, smem: DynamicShared<u8>) -> Self {
        let start = smem.as_mut_ptr();
        let odd = mem::cvta_to_shared(start) as u32 % ALIGN;
        let stages = start.wrapping_add(((ALIGN - odd) % ALIGN) as usize);
        let boxes = stages.wrapping_add((plan.stages() * plan.stage_bytes()) as usize);
        let columns = boxes.wrapping_add(plan.boxes_bytes() as usize);
        let bars = columns.wrapping_add(plan.columns_bytes() as usize);
        let schedule =
            Schedule::new(operands.num_rows, operands.num_columns, plan.rows() * CLUSTER, operands.width);
        let ring = Ring::new(stages, bars, plan.stages(), plan.stage_bytes());
        Self { plan, operands, epilogue, schedule, ring, boxes, columns: Columns::new(columns) }
    }

    /// Computes the block's tiles.
    ///
    /// # Safety
    /// - All threads of the block call it, `128 · (1 + C)`; the grid is of whole clusters.
    /// - The maps describe the operands as [`Operands`] says; the vectors have the lengths that [`Epilogue`] says.
    /// - The launch has the plan's shared memory.
    #[inline(always)]
    pub unsafe fn run<P: Product<N>, T: Written<P::Sum>>(&self) {
        let thread = thread::thread_idx_x();
        // SAFETY: promised by the caller.
        unsafe {
            if thread == 0 {
                prefetch_tensormap(self.operands.rows);
                unroll!(for plane in 0..2 {
                    if plane < P::PLANES {
                        prefetch_tensormap(self.operands.columns[plane]);
                    }
                });
                prefetch_tensormap(self.operands.c);
                self.ring.init(4 * C as u32 * CLUSTER);
                self.columns.init(4 * C as u32);
                fence_mbarrier_init();
            }
            if self.operands.width < self.plan.columns {
                self.clear_unused();
            }
            barrier_cluster_arrive();
            barrier_cluster_wait();
            if thread < 128 {
                if C == 2 {
                    setmaxnreg_dec::<56>();
                }
                if thread::warp_idx() == 0 {
                    if thread == 0 {
                        self.fill::<P>();
                    }
                    bar_warp_sync(FULL_MASK);
                } else if thread::warp_idx() == 1 {
                    self.look_up();
                }
            } else {
                if C == 2 {
                    setmaxnreg_inc::<224>();
                }
                self.multiply::<P, T>();
            }
            // The other block of the cluster may still copy to this one's memory, or arrive at its objects.
            barrier_cluster_arrive();
            barrier_cluster_wait();
        }
    }

    /// Whether zero points are looked up. With two planes they always are: two ways to write so many wide sums would have the
    /// compiler make all of them before it chooses, and there are not so many registers.
    #[inline(always)]
    fn has_zeros(&self) -> bool {
        self.plan.planes == 2 || self.epilogue.has_zeros()
    }

    /// Columns of a tile that one block loads for the cluster.
    #[inline(always)]
    fn part(&self) -> u32 {
        self.operands.width / CLUSTER
    }

    /// Bytes that copies bring to a stage.
    #[inline(always)]
    fn filled_bytes(&self) -> u32 {
        let rows = self.plan.rows() + self.plan.planes * self.operands.width;
        self.plan.lines() * rows * K_BYTES
    }

    /// Sets to zero what no copy writes and products read all the same: the columns of a tile that are not used.
    ///
    /// # Safety
    /// All threads of the block call it, before the first copy.
    #[inline(always)]
    unsafe fn clear_unused(&self) {
        let (plan, used) = (self.plan, self.operands.width * K_BYTES);
        let pieces = (plan.plane_bytes() - used) / 16;
        let planes = plan.stages() * plan.lines() * plan.planes;
        let mut piece = thread::thread_idx_x();
        while piece < pieces * planes {
            let (plane, inside) = (piece / pieces, piece % pieces);
            let (line, plane) = (plane / plan.planes, plane % plan.planes);
            let at = line * plan.line_bytes()
                + plan.rows_bytes()
                + plane * plan.plane_bytes()
                + used
                + 16 * inside;
            // SAFETY: inside the stages, which nobody uses yet.
            unsafe {
                self.ring
                    .stage(Turn::START)
                    .add(at as usize)
                    .cast::<Vec16<u32>>()
                    .write(Vec16::from_fn(|_| 0));
            }
            piece += plan.threads();
        }
        fence_proxy_async();
    }

    /// Stages along k.
    #[inline(always)]
    fn steps(&self) -> u32 {
        self.operands.k_bytes.div_ceil(K_BYTES * self.plan.lines())
    }

    /// Fills stage after stage.
    ///
    /// # Safety
    /// One thread of each block of the cluster calls it.
    #[inline(always)]
    unsafe fn fill<P: Product<N>>(&self) {
        let (plan, ring) = (self.plan, self.ring);
        let rank = thread::cluster_block_rank();
        let mut turn = Turn::START;
        let mut tile = thread::cluster_idx_x();
        while tile < self.schedule.tiles() {
            let (row, column) = self.schedule.place(tile);
            let row = ((row * CLUSTER + rank) * plan.rows()) as i32;
            let column = (column * self.operands.width + rank * self.part()) as i32;
            for step in 0..self.steps() {
                // SAFETY: the stage is empty in both blocks when it is written.
                unsafe {
                    ring.wait_empty(turn);
                    mbarrier_arrive_expect_tx(ring.full(turn), self.filled_bytes());
                    for line in 0..plan.lines() {
                        let to = ring.stage(turn).add((line * plan.line_bytes()) as usize);
                        let at = ((step * plan.lines() + line) * K_BYTES) as i32;
                        self.fill_line::<P>(to, ring.full(turn), [at, row, column]);
                    }
                }
                turn = turn.next(ring);
            }
            tile += thread::grid_clusters_x();
        }
    }

    /// Starts the copies of a line: of the rows, and of the block's part of the columns for the cluster.
    ///
    /// # Safety
    /// The line is empty in both blocks.
    #[inline(always)]
    unsafe fn fill_line<P: Product<N>>(&self, to: *mut u8, full: *mut Mbarrier, [at, row, column]: [i32; 3]) {
        let (plan, rank) = (self.plan, thread::cluster_block_rank());
        // SAFETY: promised by the caller.
        unsafe {
            if TURNED {
                // Many rows by few columns: they are read once, and what else is in the L2 cache need not make room.
                let policy = createpolicy_l2_evict_first();
                cp_async_bulk_tensor_load_2d_l2_cache_hint(to, self.operands.rows, [at, row], full, policy);
            } else {
                cp_async_bulk_tensor_load_2d(to, self.operands.rows, [at, row], full);
            }
            unroll!(for plane in 0..2 {
                if plane < P::PLANES {
                    let offset =
                        plan.rows_bytes() + plane as u32 * plan.plane_bytes() + rank * self.part() * K_BYTES;
                    let (to, map) = (to.add(offset as usize), self.operands.columns[plane]);
                    cp_async_bulk_tensor_load_2d_multicast(to, map, [at, column], full, (1 << CLUSTER) - 1);
                }
            });
        }
    }

    /// Looks up what the columns of tile after tile bring along.
    ///
    /// # Safety
    /// One warp calls it.
    #[inline(always)]
    unsafe fn look_up(&self) {
        let (mut slot, mut tile) = (Slot::START, thread::cluster_idx_x());
        while tile < self.schedule.tiles() {
            let (_, column) = self.schedule.place(tile);
            let (first, end) = (column * self.operands.width, self.operands.num_columns);
            // SAFETY: the columns asked for are there.
            unsafe {
                self.columns.fill(
                    slot,
                    self.has_zeros(),
                    first,
                    end,
                    #[inline(always)]
                    |j| if TURNED { of_row(self.epilogue.row(j)) } else { self.epilogue.column(j) },
                );
            }
            slot = slot.next();
            tile += thread::grid_clusters_x();
        }
    }

    /// Multiplies stage after stage, and stores tile after tile.
    ///
    /// # Safety
    /// The warpgroups that multiply call it.
    #[inline(always)]
    unsafe fn multiply<P: Product<N>, T: Written<P::Sum>>(&self) {
        let (plan, ring) = (self.plan, self.ring);
        let group = thread::warp_idx() / 4 - 1;
        let address = mem::cvta_to_shared(ring.stage(Turn::START)) as u32;
        let rows = descriptor(address + group * ROWS * K_BYTES);
        let columns = descriptor(address + plan.rows_bytes());
        let (mut turn, mut slot) = (Turn::START, Slot::START);
        let mut tile = thread::cluster_idx_x();
        while tile < self.schedule.tiles() {
            let (row, column) = self.schedule.place(tile);
            let row = (row * CLUSTER + thread::cluster_block_rank()) * plan.rows() + group * ROWS;
            // SAFETY: a stage is full when it is read, and released when the products that read it are done.
            unsafe {
                let brought = self.rows_at(row);
                let mut sums = P::zero();
                let mut last = turn;
                for step in 0..self.steps() {
                    ring.wait_full(turn);
                    for line in 0..plan.lines() {
                        let at = turn.offset(ring) + (line * plan.line_bytes()) as usize;
                        sums.multiply(
                            rows.advance(at),
                            columns.advance(at),
                            plan.plane_bytes(),
                            step + line > 0,
                        );
                    }
                    sums.wait::<1>();
                    if step > 0 {
                        ring.release::<CLUSTER>(last);
                    }
                    (last, turn) = (turn, turn.next(ring));
                }
                sums.wait::<0>();
                if self.steps() > 0 {
                    ring.release::<CLUSTER>(last);
                }
                self.columns.wait(slot);
                let at = [row, column * self.operands.width];
                if self.has_zeros() {
                    self.store::<P, T, true>(slot, at, brought, &sums);
                } else {
                    self.store::<P, T, false>(slot, at, brought, &sums);
                }
                self.columns.release(slot);
            }
            slot = slot.next();
            tile += thread::grid_clusters_x();
        }
        if thread::lane_idx() == 0 {
            // The block's memory may go when the copies have read it; their writes are done when the launch is.
            cp_async_bulk_wait_group_read::<0>();
        }
    }

    /// What the thread's two rows of the warpgroup's rows from `at` on bring along.
    ///
    /// # Safety
    /// The vectors are there.
    #[inline(always)]
    unsafe fn rows_at(&self, at: u32) -> [Column; 2] {
        let thread = thread::thread_idx_x() % 128;
        let first = at + thread / 32 * 16 + thread % 32 / 4;
        // SAFETY: rows past the end are not looked up.
        let row = |i: u32| unsafe {
            match i < self.operands.num_rows {
                false => Column::NONE,
                true if TURNED => self.epilogue.column(i as usize),
                true => of_row(self.epilogue.row(i as usize)),
            }
        };
        [row(first), row(first + 8)]
    }

    /// The warp's 16 × `N` results, box by box.
    ///
    /// # Safety
    /// The warp calls it together; the columns are those of the tile.
    #[inline(always)]
    unsafe fn store<P: Product<N>, T: Written<P::Sum>, const ZEROS: bool>(
        &self,
        slot: Slot,
        at: [u32; 2],
        rows: [Column; 2],
        sums: &P,
    ) {
        let (lane, warp) = (thread::lane_idx(), thread::warp_idx() - 4);
        let row = at[0] + 16 * (warp % 4);
        let boxes = self.boxes.wrapping_add((warp * BOXES * BOX_BYTES) as usize);
        let width = if TURNED { 16 } else { T::COLUMNS };
        each_sixteen::<N>(
            #[inline(always)]
            |sixteen| {
                let first = 16 * sixteen as u32;
                if TURNED && first >= self.operands.width {
                    return;
                }
                let (number, inside) = (first / width, first % width);
                let to = boxes.wrapping_add((number % BOXES * BOX_BYTES) as usize);
                // SAFETY: the columns are there; a box is written when it has been read, by the whole warp.
                unsafe {
                    let columns = [0, 4].map(
                        #[inline(always)]
                        |block| self.columns.get(slot, first / 2 + block + lane % 4, ZEROS),
                    );
                    let part = [0, 1].map(
                        #[inline(always)]
                        |block: usize| {
                            [0, 1].map(
                                #[inline(always)]
                                |half: usize| {
                                    [0, 1].map(
                                        #[inline(always)]
                                        |side: usize| {
                                            let sum = sums.sum(8 * sixteen + 4 * block + 2 * half + side);
                                            let (row, column) = (rows[half], columns[block][side]);
                                            if TURNED {
                                                T::wide::<ZEROS>(sum, as_row(column), row)
                                            } else {
                                                T::wide::<ZEROS>(sum, as_row(row), column)
                                            }
                                        },
                                    )
                                },
                            )
                        },
                    );
                    if inside == 0 {
                        self.wait_for_box(number);
                    }
                    if TURNED {
                        T::put_turned(to, part);
                    } else {
                        T::put(to, inside, part);
                    }
                    if inside + 16 == width {
                        fence_proxy_async();
                        bar_warp_sync(FULL_MASK);
                        if lane == 0 {
                            self.send(to, [row, at[1] + first - inside]);
                        }
                    }
                }
            },
        );
    }

    /// Waits until the box of the tile's boxes `number` has been read. Of a tile, the box's last use lies `BOXES` boxes back; of the
    /// tile before, which box was used last is not known.
    ///
    /// # Safety
    /// The warp calls it together, for box after box.
    #[inline(always)]
    unsafe fn wait_for_box(&self, number: u32) {
        if thread::lane_idx() == 0 {
            if number == 0 {
                cp_async_bulk_wait_group_read::<0>();
            } else {
                cp_async_bulk_wait_group_read::<{ BOXES - 1 }>();
            }
        }
        // SAFETY: promised by the caller.
        unsafe { bar_warp_sync(FULL_MASK) }
    }

    /// Stores a box of the tile's rows and columns from `at` on.
    ///
    /// # Safety
    /// The box is full, and left alone until it has been read.
    #[inline(always)]
    unsafe fn send(&self, from: *const u8, at: [u32; 2]) {
        let [row, column] = at;
        if row < self.operands.num_rows && column < self.operands.num_columns {
            let at = if TURNED { [row, column] } else { [column, row] };
            // SAFETY: the box begins inside the product.
            unsafe {
                cp_async_bulk_tensor_store_2d(&raw const **self.operands.c, at.map(|x| x as i32), from)
            };
        }
        cp_async_bulk_commit_group();
    }
}

/// `f` of each 16 of `N` columns, at most 256, unrolled.
#[inline(always)]
fn each_sixteen<const N: usize>(mut f: impl FnMut(usize)) {
    gpu_std::unroll::unroll::<16>(
        #[inline(always)]
        |sixteen| {
            if 16 * sixteen < N {
                f(sixteen);
            }
        },
    );
}

/// The descriptor of 128 bytes of k of rows at `address`, swizzled as the copies leave them.
#[inline(always)]
fn descriptor(address: u32) -> MatrixDescriptor {
    MatrixDescriptor::new(address, 16, Swizzle::B128.atom_bytes() as u32, Swizzle::B128)
}

#[inline(always)]
fn of_row(row: Row) -> Column {
    Column { scale: row.scale, bias: -0.0, zero: row.zero, sum: row.sum }
}

#[inline(always)]
fn as_row(column: Column) -> Row {
    Row { scale: column.scale, zero: column.zero, sum: column.sum }
}
