//! The entries launched last, for the error that names the kernel.

use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

const SLOTS: usize = 4;

/// The last few entries launched, written with two relaxed stores per launch.
#[derive(Debug, Default)]
pub(super) struct Recent {
    next: AtomicUsize,
    /// Null, or a `&'static &'static str`.
    names: [AtomicPtr<&'static str>; SLOTS],
}

impl Recent {
    /// Notes a launch.
    #[inline]
    pub fn note(&self, entry: &'static &'static str) {
        let at = self.next.fetch_add(1, Ordering::Relaxed) % SLOTS;
        self.names[at].store(ptr::from_ref(entry).cast_mut(), Ordering::Relaxed);
    }

    /// The entries noted last, newest first. One that another thread is just noting may be missing.
    pub fn newest_first(&self) -> Vec<&'static str> {
        let next = self.next.load(Ordering::Relaxed);
        (1..=SLOTS)
            .filter_map(|back| {
                let name = self.names[next.wrapping_sub(back) % SLOTS].load(Ordering::Relaxed);
                // SAFETY: null, or stored by `note` from a `&'static &'static str`; never written through.
                unsafe { name.cast_const().as_ref() }.copied()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_come_first_and_old_ones_fall_out() {
        let recent = Recent::default();
        assert!(recent.newest_first().is_empty());
        for name in [&"a", &"b", &"c"] {
            recent.note(name);
        }
        assert_eq!(recent.newest_first(), ["c", "b", "a"]);
        for name in [&"d", &"e"] {
            recent.note(name);
        }
        assert_eq!(recent.newest_first(), ["e", "d", "c", "b"]);
    }
}
