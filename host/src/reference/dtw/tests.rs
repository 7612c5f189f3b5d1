//! Worked examples, and the faults that other libraries have had.

mod causal;
mod examples;
mod rolling;
mod windows;

use super::*;
use crate::ops::dtw::{Normalization, ProfileOptions, Queries};

const WHOLE: u32 = u32::MAX;

/// Profile of one query.
fn profile(series: &[f32], query: &[f32], options: &ProfileOptions) -> Vec<f32> {
    let queries = Queries::new(query, query.len(), options.normalization).expect("the query is right");
    profile_cpu(series, &queries, options)
}

fn raw(radius: u32) -> ProfileOptions {
    ProfileOptions::new(Normalization::None).radius(radius)
}

fn zscore(radius: u32) -> ProfileOptions {
    ProfileOptions::new(Normalization::ZScore).radius(radius)
}

/// A random walk.
fn walk(seed: u64, len: usize) -> Vec<f32> {
    let mut level = 0.0_f32;
    let points = (0..len as u64).map(|t| {
        level += (crate::ops::mix(crate::ops::mix(seed) ^ t) >> 40) as f32 / 16_777_216.0 - 0.5;
        level
    });
    points.collect()
}

/// Bits, with one NaN for all.
fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() }).collect()
}
