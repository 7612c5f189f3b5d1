//! What a thread knows of the clocks of others.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::stamp::FIRST_AGENT;

/// Agents of a block.
pub(crate) const AGENTS: u32 = 32;
/// Marks the entry of a block's agents.
const OF_AGENTS: u32 = 1 << 31;

/// For each block known of, the clock up to which each of its threads is known; 0 is "not at all". In an entry of its own the
/// same of its agents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    of: BTreeMap<u32, Arc<[u32]>>,
}

impl Known {
    /// The clock up to which a thread is known.
    pub(crate) fn clock(&self, block: u32, thread: u32) -> u32 {
        let agent = (thread / 32).checked_sub(FIRST_AGENT);
        let (entry, index) = agent.map_or((block, thread), |agent| (block | OF_AGENTS, agent));
        let clocks = self.of.get(&entry);
        clocks.and_then(|clocks| clocks.get(index as usize)).map_or(0, |&clock| clock)
    }

    /// The clocks known of a block's threads.
    pub(crate) fn block(&self, block: u32) -> Option<&[u32]> {
        self.of.get(&block).map(|clocks| &**clocks)
    }

    /// Sets what is known of a block.
    pub(crate) fn set(&mut self, block: u32, clocks: Vec<u32>) {
        self.of.insert(block, clocks.into());
    }

    /// Of one agent of a block, up to its clock.
    pub(crate) fn of_agent(block: u32, agent: u32, clock: u32) -> Known {
        let mut clocks = vec![0; AGENTS as usize];
        clocks[agent as usize] = clock;
        let mut known = Known::default();
        known.set(block | OF_AGENTS, clocks);
        known
    }

    /// Forgets a block's threads.
    pub(crate) fn forget(&mut self, block: u32) {
        self.of.remove(&block);
    }
    /// Whether `other` knows nothing more.
    pub(crate) fn covers(&self, other: &Known) -> bool {
        other.of.iter().all(|(block, theirs)| {
            let ours = self.of.get(block);
            ours.is_some_and(|ours| {
                Arc::ptr_eq(ours, theirs) || ours.iter().zip(&**theirs).all(|(a, b)| a >= b)
            })
        })
    }

    /// Learns what `other` knows.
    pub(crate) fn join(&mut self, other: &Known) {
        for (&block, theirs) in &other.of {
            let Some(ours) = self.of.get_mut(&block) else {
                self.of.insert(block, Arc::clone(theirs));
                continue;
            };
            let news = |(ours, theirs): (&u32, &u32)| theirs > ours;
            if Arc::ptr_eq(ours, theirs) || !ours.iter().zip(&**theirs).any(news) {
                continue;
            }
            *ours = ours.iter().zip(&**theirs).map(|(a, b)| *a.max(b)).collect();
        }
    }
}

/// Learns `more`; the knowledge stays shared where nothing is new.
pub(crate) fn learn(known: &mut Option<Arc<Known>>, more: &Arc<Known>) {
    match known {
        None => *known = Some(Arc::clone(more)),
        Some(ours) if Arc::ptr_eq(ours, more) => (),
        Some(ours) if more.covers(ours) => *ours = Arc::clone(more),
        Some(ours) => Arc::make_mut(ours).join(more),
    }
}

/// The same for several lanes; those that shared their knowledge before share it afterwards.
pub(crate) fn learn_all<'a>(lanes: impl Iterator<Item = &'a mut Option<Arc<Known>>>, more: &Arc<Known>) {
    let mut last: Option<(Arc<Known>, Arc<Known>)> = None;
    for known in lanes {
        let Some(before) = known.clone() else {
            *known = Some(Arc::clone(more));
            continue;
        };
        let after = match &last {
            Some((old, new)) if Arc::ptr_eq(old, &before) => Arc::clone(new),
            _ => {
                let mut after = Some(Arc::clone(&before));
                learn(&mut after, more);
                after.unwrap_or_else(|| Arc::clone(more))
            }
        };
        last = Some((before, Arc::clone(&after)));
        *known = Some(after);
    }
}
