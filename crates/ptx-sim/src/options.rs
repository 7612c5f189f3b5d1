//! How launches are run.

/// How launches are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// 0: blocks and warps run in the order of their numbers, and bulk copies are done as late as can be: when nobody can go on
    /// without them. Another number: in an order that is random, and the same for the same number; it brings out what depends on
    /// the order.
    pub seed: u64,
    /// Instructions that a warp may execute before it counts as an endless loop.
    pub step_limit: u64,
    /// Threads of the host that run blocks; 0 is as many as rayon has, 1 the calling thread alone.
    pub threads: usize,
    /// Whether instructions, bank conflicts and sectors are counted.
    pub stats: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 0, step_limit: 50_000_000, threads: 0, stats: false }
    }
}

impl Options {
    /// The same with another scheduling order.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The same with another limit on instructions.
    #[must_use]
    pub fn step_limit(mut self, limit: u64) -> Self {
        self.step_limit = limit;
        self
    }

    /// The same with so many threads of the host.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// The same, counting or not.
    #[must_use]
    pub fn stats(mut self, stats: bool) -> Self {
        self.stats = stats;
        self
    }
}
