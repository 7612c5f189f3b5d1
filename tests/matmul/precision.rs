//! What the hybrid scheme loses: weights of 16 bits by channel, activations of 8 bits by token.

use host::ops::matmul::{HostHpq, matmul_hpq_on};
use host::ops::quantize::{OnNonFinite, quantize_rows_i16_on, quantize_rows_on};
use host::ops::{Executor, HostRef, Layout, mix};

/// Normal numbers, by Box and Muller.
fn normal(seed: u64, count: u64) -> Vec<f32> {
    let unit = |at: u64| ((mix(seed << 40 | at) >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    let angle = |at: u64| (std::f64::consts::TAU * unit(2 * at + 1)).cos();
    (0..count).map(|at| ((-2.0 * unit(2 * at).ln()).sqrt() * angle(at)) as f32).collect()
}

fn view<T>(data: &[T], rows: u64, cols: u64) -> HostRef<'_, T> {
    HostRef::new(data, Layout::new(rows, cols, cols).expect("it fits")).expect("it fits")
}

fn deviation(row: &[f32]) -> f64 {
    let (count, row) = (row.len() as f64, row.iter().copied().map(f64::from));
    let mean = row.clone().sum::<f64>() / count;
    (row.map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt()
}

const CHANNELS: u64 = 48;
const TOKENS: u64 = 32;
const K: u64 = 4096;

/// A channel of normal weights is some 8 deviations wide: a step is 0.012 % of a deviation, an error at most half of it.
#[test]
fn weights_are_within_0_012_percent_of_their_deviation() {
    let weights = normal(1, CHANNELS * K);
    let planes = quantize_rows_i16_on(&Executor::Cpu, view(&weights, CHANNELS, K), OnNonFinite::Refuse);
    let planes = planes.expect("they are finite");
    let mut largest: f64 = 0.0;
    for channel in 0..CHANNELS as usize {
        let at = channel * K as usize;
        let row = &weights[at..][..K as usize];
        let (deviation, scale) = (deviation(row), f64::from(planes.scales[channel]));
        assert!(scale / deviation < 1.45e-4, "channel {channel}: a step is {:e}", scale / deviation);
        for (j, weight) in row.iter().enumerate() {
            let code = i32::from(planes.high[at + j]) << 8 | i32::from(planes.low[at + j]);
            let back = f64::from(code - planes.zeros[channel]) * scale;
            largest = largest.max((back - f64::from(*weight)).abs() / deviation);
        }
    }
    println!("largest error of a weight: {:.5} % of its channel's deviation", 100.0 * largest);
    assert!(largest > 0.0 && largest < 1.2e-4, "{largest:e}");
}

#[test]
fn activations_are_within_0_4_percent_of_the_largest_of_their_row() {
    let activations = normal(2, TOKENS * K);
    let rows = quantize_rows_on(&Executor::Cpu, view(&activations, TOKENS, K), false, OnNonFinite::Refuse);
    let rows = rows.expect("they are finite");
    let mut largest: f64 = 0.0;
    for (token, row) in activations.chunks(K as usize).enumerate() {
        let absmax = row.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        for (x, code) in row.iter().zip(&rows.codes[token * K as usize..]) {
            let back = f64::from(*code) * f64::from(rows.scales[token]);
            largest = largest.max((back - f64::from(*x)).abs() / f64::from(absmax));
        }
    }
    println!("largest error of an activation: {:.3} % of its row's largest", 100.0 * largest);
    assert!(largest > 0.0 && largest < 4e-3, "{largest:e}");
}

/// The product loses what the activations lose, and nothing more: with 8 bits in their place the weights would double it.
#[test]
fn products_lose_what_their_activations_lose() {
    let (activations, weights) = (normal(3, TOKENS * K), normal(4, CHANNELS * K));
    let rows = quantize_rows_on(&Executor::Cpu, view(&activations, TOKENS, K), false, OnNonFinite::Refuse);
    let rows = rows.expect("they are finite");
    let planes = quantize_rows_i16_on(&Executor::Cpu, view(&weights, CHANNELS, K), OnNonFinite::Refuse);
    let planes = planes.expect("they are finite");
    let halves = planes.high.iter().zip(&planes.low);
    let codes: Vec<i16> = halves.map(|(high, low)| i16::from(*high) << 8 | i16::from(*low)).collect();
    let asked = HostHpq {
        row_scales: Some(&rows.scales),
        col_scales: Some(&planes.scales),
        col_zeros: Some(&planes.zeros),
        ..HostHpq::new(view(&rows.codes, TOKENS, K), view(&codes, CHANNELS, K))
    };
    let got: Vec<f32> = matmul_hpq_on(&Executor::Cpu, &asked).expect("it is right");
    let (mut off, mut lost, mut all) = (0.0, 0.0, 0.0);
    for (token, row) in activations.chunks(K as usize).enumerate() {
        let back: Vec<f64> = rows.codes[token * K as usize..][..K as usize]
            .iter()
            .map(|code| f64::from(*code) * f64::from(rows.scales[token]))
            .collect();
        for (channel, weights) in weights.chunks(K as usize).enumerate() {
            let sum = |x: &mut dyn Iterator<Item = f64>| -> f64 {
                x.zip(weights).map(|(x, w)| x * f64::from(*w)).sum()
            };
            let exact = sum(&mut row.iter().copied().map(f64::from));
            let rounded = sum(&mut back.iter().copied());
            off += (f64::from(got[token * CHANNELS as usize + channel]) - exact).powi(2);
            lost += (rounded - exact).powi(2);
            all += exact.powi(2);
        }
    }
    let (off, lost) = ((off / all).sqrt(), (lost / all).sqrt());
    println!("error of the product {:.4} %, of the activations alone {:.4} %", 100.0 * off, 100.0 * lost);
    assert!(off < 1.001 * lost + 1e-6 && off < 1e-2, "{off:e}, of the activations {lost:e}");
}
