//! What the kernels are given, written out.

use gpu_std::tma::{TensorMap, TensorMapMut, prefetch_tensormap};
use gpu_std::{GridMut, kernel, thread};

/// 64-bit words of a map.
const WORDS: u64 = 16;

/// words[i] = word i of `map`; the map is prefetched.
#[kernel(block = 16, target = "sm_90")]
pub fn map_words(plus: u32, map: &TensorMap, words: GridMut<u64>) {
    prefetch_tensormap(map);
    words.for_each(|i, word| *word = word_of(map, i) + u64::from(plus));
}

/// words[i] = word i of `from`, behind them those of `to`; both are prefetched by one instruction.
#[kernel(block = 32, target = "sm_90")]
pub fn two_maps(from: &TensorMap, to: &TensorMapMut, words: GridMut<u64>) {
    words.for_each(|i, word| {
        let map = if i < WORDS { from } else { &**to };
        prefetch_tensormap(map);
        *word = word_of(map, i % WORDS);
    });
}

/// Word `i`, 0 behind the last.
fn word_of(map: &TensorMap, i: u64) -> u64 {
    if i >= WORDS {
        return 0;
    }
    // SAFETY: a map has so many words, which the launch wrote.
    unsafe { map.as_ptr().add(i as usize).read() }
}

/// ids[block] = 100 * number of clusters + the cluster's index
#[kernel(block = 1, cluster = 2, target = "sm_90")]
pub fn cluster_ids(ids: GridMut<u32>) {
    ids.for_each(|_, id| *id = 100 * thread::grid_clusters_x() + thread::cluster_idx_x());
}

/// y = 1, on every architecture.
#[kernel(block = 32)]
pub fn ones(y: GridMut<u32>) {
    y.for_each(|_, y| *y = 1);
}
