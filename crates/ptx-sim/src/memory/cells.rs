//! Who last accessed each byte: the race cells of one allocation or of a shared memory.
//!
//! Memory is divided into grains (the smallest access of the kernel) and runs of 32 grains. A run that warps only
//! ever accessed as a whole, each lane where the one before ends, has one cell whose stamps are runs
//! (see [`super::stamp`]); the first access of another form, or the first conflict, gives each of its
//! grains a cell of its own.
//!
//! A cell keeps the last write and two reads, of different threads and of different warps where possible. Missed
//! can be: a race with a reader that two later ones replaced (the writer being ordered after both), and one with
//! a weak access that a strong one of another thread replaced.

use std::sync::{Arc, Mutex, PoisonError};

use super::stamp::Stamp;

/// Runs in a page.
const PAGE: usize = 64;
/// Grains in a run.
pub(crate) const RUN: u32 = 32;

/// The last accesses of a grain or of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cell {
    pub(crate) write: Stamp,
    pub(crate) read: Stamp,
    pub(crate) read2: Stamp,
    pub(crate) write_line: u32,
    pub(crate) read_line: u32,
    pub(crate) read2_line: u32,
}

/// The cell of a run, or where its grains have their own, their place.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    /// The last accesses, where `cells` is 0.
    pub(crate) all: Cell,
    /// The grains that were read through `.nc`.
    pub(crate) nc: u32,
    /// 1 + the index of the grains' own cells.
    cells: u32,
}

/// Pages kept for the next launch: memory that is touched for the first time costs more than the checks.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    free: Mutex<Vec<Page>>,
}

/// The most pages in a pool: 64 MiB.
const POOLED: usize = (64 << 20) / size_of::<[Run; PAGE]>();

impl Pool {
    fn take(&self) -> Page {
        let page = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let Some(mut page) = page else {
            return Box::new([Run::default(); PAGE]);
        };
        page.fill(Run::default());
        page
    }

    fn put(&self, pages: impl Iterator<Item = Page>) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let room = POOLED.saturating_sub(free.len());
        free.extend(pages.take(room));
    }
}

type Page = Box<[Run; PAGE]>;

/// The race cells of a stretch of memory, made when first touched.
#[derive(Debug)]
pub(crate) struct Cells {
    /// log2 of the grain's bytes.
    pub(crate) grain: u32,
    pages: Vec<Option<Page>>,
    grains: Vec<[Cell; RUN as usize]>,
    used: usize,
    pool: Arc<Pool>,
}

impl Drop for Cells {
    fn drop(&mut self) {
        self.pool.put(self.pages.drain(..).flatten());
    }
}

impl Cell {
    /// The cell of grain `index` of a run.
    pub(crate) fn at(&self, index: u32, grain: u32) -> Cell {
        let byte = index << grain;
        Cell { write: self.write.at(byte), read: self.read.at(byte), read2: self.read2.at(byte), ..*self }
    }
}

impl Run {
    /// Whether nothing accessed the run.
    pub(crate) fn is_untouched(&self) -> bool {
        let never = self.all.write.is_never() && self.all.read.is_never();
        never && self.cells == 0
    }

    /// Whether the run has one cell.
    #[inline]
    pub(crate) fn is_whole(&self) -> bool {
        self.cells == 0
    }
}

impl Cells {
    /// Cells for `bytes` bytes, in grains of `grain` bytes (1, 2 or 4).
    pub(crate) fn new(bytes: u64, grain: u32, pool: &Arc<Pool>) -> Cells {
        let grain = grain.trailing_zeros();
        let page = (PAGE as u64 * u64::from(RUN)) << grain;
        Cells {
            grain,
            pages: vec![None; bytes.div_ceil(page) as usize],
            grains: Vec::new(),
            used: 0,
            pool: Arc::clone(pool),
        }
    }

    /// Forgets everything.
    pub(crate) fn reset(&mut self) {
        self.used = 0;
        for page in self.pages.iter_mut().flatten() {
            page.fill(Run::default());
        }
    }

    /// A run.
    #[inline]
    pub(crate) fn run(&mut self, index: u64) -> &mut Run {
        let page = &mut self.pages[index as usize / PAGE];
        let page = page.get_or_insert_with(|| self.pool.take());
        &mut page[index as usize % PAGE]
    }

    /// The cells of a run's grains, each with a cell of its own, and the run's grains read through `.nc`.
    #[inline]
    pub(crate) fn own(&mut self, index: u64) -> (&mut [Cell; RUN as usize], &mut u32) {
        let page = &mut self.pages[index as usize / PAGE];
        let run = &mut page.get_or_insert_with(|| self.pool.take())[index as usize % PAGE];
        if run.is_whole() {
            split(run, self.grain, &mut self.grains, self.used);
            self.used += 1;
        }
        (&mut self.grains[run.cells as usize - 1], &mut run.nc)
    }

    /// The runs of the pages that both have touched, by index of the run.
    pub(crate) fn common<'a>(&'a self, other: &'a Cells) -> impl Iterator<Item = (u64, &'a Run, &'a Run)> {
        let pages = self.pages.iter().zip(&other.pages).enumerate();
        let pages = pages.filter_map(|(page, (ours, theirs))| Some((page, ours.as_ref()?, theirs.as_ref()?)));
        pages.flat_map(|(page, ours, theirs)| {
            let runs = ours.iter().zip(&**theirs).enumerate();
            runs.map(move |(run, (a, b))| ((page * PAGE + run) as u64, a, b))
        })
    }

    /// The cell of a grain of a run of these cells.
    pub(crate) fn cell(&self, run: &Run, index: u32) -> Cell {
        match run.cells {
            0 => run.all.at(index, self.grain),
            cells => self.grains[cells as usize - 1][index as usize],
        }
    }
}

/// Gives each grain of a run its own cell, at `place`.
#[cold]
fn split(run: &mut Run, grain: u32, grains: &mut Vec<[Cell; RUN as usize]>, place: usize) {
    if grains.len() == place {
        grains.push([Cell::default(); RUN as usize]);
    }
    let all = run.all;
    if all.write.is_never() && all.read.is_never() {
        grains[place].fill(Cell::default());
    } else {
        grains[place] = std::array::from_fn(|index| all.at(index as u32, grain));
    }
    run.cells = place as u32 + 1;
}
