//! x
use host::ops::dtw::{Normalization, ProfileOptions, ProfilePlan, Queries, Rolling};
use host::reference::dtw::{profile_cpu, rolling_cpu};
use host::runtime::{Buffer, Device};

fn series(n: usize, seed: u32) -> Vec<f32> {
    let mut s = seed;
    let mut v = 100.0f32;
    let mut out: Vec<f32> = (0..n)
        .map(|_| {
            s = s.wrapping_mul(1664525).wrapping_add(1013904223);
            v += (s >> 8) as f32 / (1 << 24) as f32 - 0.5;
            v
        })
        .collect();
    if n > 160 {
        out[n / 2] = f32::NAN;
        let k = n / 4;
        for i in k..(k + 40).min(n / 2) {
            out[i] = 7.25;
        }
    }
    out
}
fn same(got: &[f32], want: &[f32], what: &str) {
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        assert!(g.to_bits() == w.to_bits() || g.is_nan() && w.is_nan(), "{what} at {i}: {g} want {w}");
    }
}
#[test]
fn scratch() {
    let sim = host::sim::Sim::open().unwrap();
    let from: usize = std::env::var("FROM").ok().and_then(|v| v.parse().ok()).unwrap_or(1);
    for m in (from..=70).chain([100, 127, 128, 129, 255, 256, 300, 511, 513]) {
        for r in [0, 1, 2, m / 10, m / 3, m - 1, u32::MAX as usize] {
            for z in [Normalization::None, Normalization::ZScore] {
                if m > 70 && z == Normalization::None {
                    continue;
                }
                let (n, rows, k) = (m + if m > 100 { 20 } else { 70 }, 2usize, 3usize);
                let smoothing = if m % 5 == 3 { 4 } else { 1 };
                let s: Vec<f32> = (0..rows).flat_map(|i| series(n, 5 + i as u32)).collect();
                let q: Vec<f32> = (0..k)
                    .flat_map(|i| series(m, 77 + i as u32))
                    .map(|v| if v.is_nan() { 3.0 } else { v })
                    .collect();
                let queries = Queries::new(&q, m, z).unwrap();
                let options = ProfileOptions { radius: r as u32, normalization: z, smoothing };
                let mut plan = ProfilePlan::new(&sim, rows as u64, n as u64, &queries, &options).unwrap();
                let sb = sim.upload(&s).unwrap();
                let mut ob = sim.alloc::<f32>((rows * k * n) as u64).unwrap();
                let mut ag: Vec<_> = (0..4).map(|_| sim.alloc::<f32>((rows * n) as u64).unwrap()).collect();
                let [a, b, c, d] = ag.as_mut_slice() else { panic!() };
                let rolling = Rolling {
                    window: 5,
                    mean: a.as_mut_slice(),
                    min: b.as_mut_slice(),
                    max: c.as_mut_slice(),
                    variance: d.as_mut_slice(),
                };
                let what = format!("m {m} r {r} {z:?} {:?}", plan.config());
                plan.run(&sim, sb.as_slice(), ob.as_mut_slice(), Some(rolling))
                    .unwrap_or_else(|e| panic!("{what}: {e}"));
                let got = sim.download(ob.as_slice()).unwrap();
                let means = sim.download(ag[0].as_slice()).unwrap();
                let vars = sim.download(ag[3].as_slice()).unwrap();
                for row in 0..rows {
                    let x = &s[row * n..(row + 1) * n];
                    same(&got[row * k * n..(row + 1) * k * n], &profile_cpu(x, &queries, &options), &what);
                    let want = rolling_cpu(x, 5);
                    same(&means[row * n..(row + 1) * n], &want.mean, &what);
                    same(&vars[row * n..(row + 1) * n], &want.variance, &what);
                }
            }
        }
        println!("{m}");
    }
}

/// Bands for lanes: windows 1, 2, 3 and odd numbers, one query and several.
#[test]
fn wider_bands() {
    let sim = host::sim::Sim::open().unwrap();
    for (m, r, windows, k) in [
        (35, 33, 1, 1),
        (36, 33, 2, 1),
        (40, 38, 3, 2),
        (41, 39, 37, 1),
        (63, 40, 5, 3),
        (70, 36, 7, 2),
        (71, 47, 3, 1),
        (79, 57, 9, 1),
        (100, 33, 4, 2),
        (101, 54, 4, 2),
        (128, 63, 6, 1),
        (200, 66, 19, 1),
        (256, 85, 5, 1),
        (301, 130, 3, 2),
        (390, 365, 3, 1),
        (391, 200, 70, 1),
        (600, 376, 3, 2),
        (777, 775, 4, 1),
        (1100, 700, 9, 1),
        (1300, 1200, 3, 1),
        (1600, 1590, 2, 1),
    ] {
        for z in [Normalization::ZScore, Normalization::None] {
            let n = m + windows - 1;
            let s = series(n + 200, 5 + m as u32)[..n].to_vec();
            let q: Vec<f32> = (0..k).flat_map(|i| series(m.min(160), 77 + i as u32)).collect();
            let q: Vec<f32> = (0..m * k).map(|i| q[i % q.len()] + i as f32 * 0.01).collect();
            let queries = Queries::new(&q, m, z).unwrap();
            let options = ProfileOptions { radius: r as u32, normalization: z, smoothing: 1 };
            let mut plan = ProfilePlan::new(&sim, 1, n as u64, &queries, &options).unwrap();
            let what = format!("m {m} r {r} {windows} windows {k} queries {z:?} {:?}", plan.config());
            println!("{what}");
            let sb = sim.upload(&s).unwrap();
            let mut ob = sim.alloc::<f32>((k * n) as u64).unwrap();
            plan.run(&sim, sb.as_slice(), ob.as_mut_slice(), None).unwrap_or_else(|e| panic!("{what}: {e}"));
            same(&sim.download(ob.as_slice()).unwrap(), &profile_cpu(&s, &queries, &options), &what);
        }
    }
}
