//! How far a long computation is.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is done before shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar on standard error. It shows where that is a terminal, once the work takes longer than half a second, and leaves
/// nothing behind.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    /// Nothing done of `points`.
    pub fn new(points: usize) -> Self {
        let bar = ProgressBar::with_draw_target(Some(points as u64), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{wide_bar} {percent} % of {len} points, {eta} left");
        Self {
            bar: bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())),
            started: Instant::now(),
        }
    }

    /// So many points more are done.
    pub fn advance(&self, points: usize) {
        if self.bar.is_hidden() && self.started.elapsed() >= PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(points as u64);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
