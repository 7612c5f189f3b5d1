//! References, CPU twins and kernels against PyTorch: `golden/matmul/matmul.json`.

use std::sync::OnceLock;

use gpu_std::{bf16, f16};
use host::error::Error;
use host::ops::matmul::{HostFloat, HostHpq, HostQ8, Q8Output, matmul_hpq_on, matmul_on, matmul_q8_on};
use host::ops::quantize::{Affine, OnNonFinite, quantize_affine_on, quantize_rows_on};
use host::ops::{Executor, HostMut, HostRef, Layout};
use host::reference::matmul as reference;
use host::reference::quantize::{affine_cpu, symmetric_cpu};
use serde::Deserialize;

use crate::devices;

#[derive(Deserialize)]
struct Golden {
    q8: Vec<Codes>,
    hpq: Vec<Wide>,
    floats: Vec<Floats>,
    affine: Vec<AffineCodes>,
    rows: Vec<Rows>,
}

#[derive(Deserialize)]
struct Codes {
    m: u64,
    n: u64,
    k: u64,
    a: Vec<i8>,
    b: Vec<i8>,
    row_scales: Vec<i32>,
    col_scales: Vec<i32>,
    row_zeros: Vec<i32>,
    col_zeros: Vec<i32>,
    sums: Vec<i32>,
    centred: Vec<i32>,
    f32: Vec<i64>,
    f16: Vec<i64>,
    bf16: Vec<i64>,
    i8: Vec<i64>,
}

#[derive(Deserialize)]
struct Wide {
    m: u64,
    n: u64,
    k: u64,
    a: Vec<i8>,
    weights: Vec<i16>,
    zeros: Vec<i32>,
    sums: Vec<i64>,
}

#[derive(Deserialize)]
struct Floats {
    #[serde(rename = "type")]
    dtype: String,
    m: u64,
    n: u64,
    k: u64,
    a: Vec<i16>,
    b: Vec<i16>,
    f32: Vec<i32>,
}

#[derive(Deserialize)]
struct AffineCodes {
    scale: i32,
    zero: i32,
    #[serde(rename = "type")]
    dtype: String,
    x: Vec<i32>,
    codes: Vec<i32>,
}

#[derive(Deserialize)]
struct Rows {
    rows: u64,
    cols: u64,
    x: Vec<i32>,
    scales: Vec<i32>,
    codes: Vec<i32>,
    near_a_tie: Vec<bool>,
}

fn golden() -> &'static Golden {
    static GOLDEN: OnceLock<Golden> = OnceLock::new();
    GOLDEN.get_or_init(|| {
        let text = include_str!("../golden/matmul/matmul.json");
        let golden: Golden = serde_json::from_str(text).expect("generate.py wrote it");
        assert!(!golden.q8.is_empty() && !golden.hpq.is_empty() && !golden.floats.is_empty());
        assert!(!golden.affine.is_empty() && !golden.rows.is_empty());
        golden
    })
}

fn floats(bits: &[i32]) -> Vec<f32> {
    bits.iter().map(|bits| f32::from_bits(*bits as u32)).collect()
}

/// The CPU twin, and the PTX of each kind in the simulator.
fn executors() -> Vec<Executor> {
    std::iter::once(Executor::Cpu).chain(devices().into_iter().map(Executor::Sim)).collect()
}

fn layout(rows: u64, cols: u64) -> Layout {
    Layout::new(rows, cols, cols).expect("it fits")
}

fn view<T>(data: &[T], rows: u64, cols: u64) -> HostRef<'_, T> {
    HostRef::new(data, layout(rows, cols)).expect("it fits")
}

/// What the reference writes into an output of `m` × `n`.
fn referred<T: Copy>(m: u64, n: u64, zero: T, write: impl FnOnce(&mut HostMut<'_, T>)) -> Vec<T> {
    let mut out = vec![zero; (m * n) as usize];
    write(&mut HostMut::new(&mut out, layout(m, n)).expect("it fits"));
    out
}

#[test]
fn sums_of_codes_are_those_of_torch() {
    for Codes { m, n, k, a, b, row_zeros, col_zeros, sums, centred, .. } in &golden().q8 {
        let plain = HostQ8::new(view(a, *m, *k), view(b, *n, *k));
        let with_zeros = HostQ8 { row_zeros: Some(row_zeros), col_zeros: Some(col_zeros), ..plain };
        for (asked, want) in [(plain, sums), (with_zeros, centred)] {
            assert_eq!(&referred(*m, *n, 0_i32, |c| reference::matmul_q8_cpu(&asked, c)), want);
            for executor in executors() {
                let got: Vec<i32> = matmul_q8_on(&executor, &asked).expect("it is right");
                assert_eq!(&got, want, "{m}x{n}x{k} on {executor}");
            }
        }
    }
}

/// Outputs of a type have the bits that torch gives.
fn dequantised<T: Q8Output + reference::Stored>(
    want: impl Fn(&Codes) -> &Vec<i64>,
    zero: T,
    raw: fn(T) -> i64,
) {
    for codes in &golden().q8 {
        let Codes { m, n, k, a, b, .. } = codes;
        let (row_scales, col_scales) = (floats(&codes.row_scales), floats(&codes.col_scales));
        let asked = HostQ8 {
            row_scales: Some(&row_scales),
            col_scales: Some(&col_scales),
            ..HostQ8::new(view(a, *m, *k), view(b, *n, *k))
        };
        let raws = |values: Vec<T>| values.into_iter().map(raw).collect::<Vec<i64>>();
        assert_eq!(&raws(referred(*m, *n, zero, |c| reference::matmul_q8_cpu(&asked, c))), want(codes));
        for executor in executors() {
            let got: Vec<T> = matmul_q8_on(&executor, &asked).expect("it is right");
            assert_eq!(&raws(got), want(codes), "{m}x{n}x{k} on {executor}");
        }
    }
}

#[test]
fn dequantised_sums_have_the_bits_of_torch() {
    dequantised::<f32>(|codes| &codes.f32, 0.0, |x| i64::from(x.to_bits() as i32));
    dequantised::<f16>(|codes| &codes.f16, f16::ZERO, |x| i64::from(x.to_bits() as i16));
    dequantised::<bf16>(|codes| &codes.bf16, bf16::ZERO, |x| i64::from(x.to_bits() as i16));
    dequantised::<i8>(|codes| &codes.i8, 0, i64::from);
}

#[test]
fn sums_with_wide_weights_are_those_of_torch() {
    for Wide { m, n, k, a, weights, zeros, sums } in &golden().hpq {
        let asked =
            HostHpq { col_zeros: Some(zeros), ..HostHpq::new(view(a, *m, *k), view(weights, *n, *k)) };
        assert_eq!(&referred(*m, *n, 0_i64, |c| reference::matmul_hpq_cpu(&asked, c)), sums);
        for executor in executors() {
            let got: Vec<i64> = matmul_hpq_on(&executor, &asked).expect("it is right");
            assert_eq!(&got, sums, "{m}x{n}x{k} on {executor}");
        }
    }
}

/// Sums of floats on every back end, against those of torch in f64; `bound(Σ |a b|)` is how far they may be.
fn float_products<I: host::ops::matmul::FloatInput>(dtype: &str, of: fn(u16) -> I)
where
    f32: host::ops::matmul::FloatOutput<I>,
{
    for Floats { m, n, k, a, b, f32: want, .. } in golden().floats.iter().filter(|f| f.dtype == dtype) {
        let [a, b] = [a, b].map(|bits| bits.iter().map(|bits| of(*bits as u16)).collect::<Vec<I>>());
        let asked = HostFloat { a: view(&a, *m, *k), b: view(&b, *n, *k), bias: None };
        let want = floats(want);
        assert_eq!(referred(*m, *n, 0.0_f32, |c| reference::matmul_cpu(&asked, c)), want, "{m}x{n}x{k}");
        for executor in executors() {
            let got: Vec<f32> = matmul_on(&executor, &asked).expect("it is right");
            for (at, (got, want)) in got.iter().zip(&want).enumerate() {
                let (i, j) = ((at as u64 / n) as usize, (at as u64 % n) as usize);
                let pairs = a[i * *k as usize..][..*k as usize].iter().zip(&b[j * *k as usize..]);
                let magnitudes: f64 = pairs.map(|(a, b)| f64::from((a.to_f32() * b.to_f32()).abs())).sum();
                let bound = (*k as f64 / 16.0 + 24.0) * f64::powi(2.0, -23) * magnitudes;
                let off = (f64::from(*got) - f64::from(*want)).abs();
                assert!(off <= bound, "({i}, {j}) of {m}x{n}x{k} on {executor}: {got}, want {want}");
            }
        }
    }
}

#[test]
fn sums_of_floats_are_as_near_to_those_of_torch_as_documented() {
    float_products::<f16>("f16", f16::from_bits);
    float_products::<bf16>("bf16", bf16::from_bits);
}

#[test]
fn codes_by_a_given_scale_are_those_of_torch() {
    for AffineCodes { scale, zero, dtype, x, codes } in &golden().affine {
        let (scale, x) = (f32::from_bits(*scale as u32), floats(x));
        let (first, last) = if dtype == "u8" { (0, 255) } else { (-128, 127) };
        let by_hand: Vec<i32> =
            x.iter().map(|x| affine_cpu(f64::from(*x), scale, *zero, first, last)).collect();
        assert_eq!(&by_hand, codes, "{scale} {zero} {dtype}");
        let (x, refuse) = (view(&x, 1, x.len() as u64), OnNonFinite::Refuse);
        for executor in executors() {
            let on = |executor: &Executor| -> Result<Vec<i32>, Error> {
                Ok(if dtype == "u8" {
                    let affine = Affine::<u8>::new(scale, *zero)?;
                    quantize_affine_on(executor, x, affine, refuse)?.into_iter().map(i32::from).collect()
                } else {
                    let affine = Affine::<i8>::new(scale, *zero)?;
                    quantize_affine_on(executor, x, affine, refuse)?.into_iter().map(i32::from).collect()
                })
            };
            assert_eq!(&on(&executor).expect("it is right"), codes, "{scale} {zero} {dtype} on {executor}");
        }
    }
}

#[test]
fn codes_of_rows_are_those_of_their_definition_in_torch() {
    for Rows { rows, cols, x, scales, codes, near_a_tie } in &golden().rows {
        let x = floats(x);
        // Of zeros, any scale will do.
        let want: Vec<f32> =
            floats(scales).iter().map(|scale| if *scale == 0.0 { 1.0 } else { *scale }).collect();
        let check = |got_scales: &[f32], got: &[i32], by: &str| {
            assert_eq!(got_scales, want, "{by}");
            for (at, ((got, want), near)) in got.iter().zip(codes).zip(near_a_tie).enumerate() {
                let allowed = i32::from(*near);
                assert!((got - want).abs() <= allowed, "{by}: element {at}: {got}, want {want}");
            }
        };
        let wide: Vec<f64> = x.iter().copied().map(f64::from).collect();
        let by_hand: Vec<_> = wide.chunks(*cols as usize).map(symmetric_cpu).collect();
        let (scales, codes): (Vec<f32>, Vec<Vec<i32>>) =
            by_hand.into_iter().map(|row| (row.scale, row.codes)).unzip();
        check(&scales, &codes.concat(), "the reference");
        for executor in executors() {
            let got = quantize_rows_on(&executor, view(&x, *rows, *cols), false, OnNonFinite::Refuse);
            let got = got.expect("it is finite");
            let codes: Vec<i32> = got.codes.iter().copied().map(i32::from).collect();
            check(&got.scales, &codes, &executor.to_string());
        }
    }
}
