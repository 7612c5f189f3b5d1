use super::super::profile::profile_by;
use super::super::rolling::rolling_by;
use crate::cpu::isa::Isa;
use crate::ops::dtw::{Aggregates, Normalization, ProfileOptions, Queries, cells};
use crate::ops::{HostRef, Layout};
fn cpu_ns() -> f64 {
    std::fs::read_dir("/proc/self/task")
        .unwrap()
        .map(|t| {
            std::fs::read_to_string(t.unwrap().path().join("schedstat"))
                .unwrap()
                .split(' ')
                .next()
                .unwrap()
                .parse::<f64>()
                .unwrap()
        })
        .sum()
}
#[test]
fn throughput() {
    let mut state = 1_u64;
    let mut level = 0.0_f32;
    let series: Vec<f32> = (0..200_000)
        .map(|_| {
            state = crate::ops::mix(state);
            level += (state >> 40) as f32 / 16777216.0 - 0.5;
            level
        })
        .collect();
    for isa in Isa::available() {
        let portable = matches!(isa, Isa::Portable);
        for (m, r) in [
            (5, u32::MAX),
            (32, u32::MAX),
            (128, u32::MAX),
            (1024, u32::MAX),
            (4096, u32::MAX),
            (1024, 102),
            (128, 12),
            (128, 5),
            (128, 1),
            (128, 0),
        ] {
            if portable && m != 128 {
                continue;
            }
            let normalization = Normalization::ZScore;
            let budget: f64 = if portable { 5e7 } else { 4e8 };
            let n = ((budget / cells(m, r) as f64) as usize + m).min(series.len());
            let queries = Queries::new(&series[..m], m, normalization).unwrap();
            let options = ProfileOptions::new(normalization).radius(r);
            let s = HostRef::new(&series[..n], Layout::new(1, n as u64, n as u64).unwrap()).unwrap();
            let mut out = vec![0.0; n];
            let mut best = f64::INFINITY;
            for _ in 0..5 {
                let t = cpu_ns();
                profile_by(*isa, s, &queries, &options, &mut out).unwrap();
                best = best.min((cpu_ns() - t) * 1e-9);
            }
            println!(
                "{isa:?} m={m} r={r}: {:.2} GCUPS ({n} points)",
                (n - m + 1) as f64 * cells(m, r) as f64 / best / 1e9
            );
        }
        let s = HostRef::new(&series[..], Layout::new(1, 200_000, 200_000).unwrap()).unwrap();
        let mut all = Aggregates::nan(200_000);
        let t = cpu_ns();
        rolling_by(*isa, s, 5, all.as_mut()).unwrap();
        println!("{isa:?} rolling w=5 GCUPS {:.2} ns/point", (cpu_ns() - t) / 2e5);
        let queries = Queries::new(&series[..64 * 128], 128, Normalization::ZScore).unwrap();
        let one = HostRef::new(&series[10_000..10_128], Layout::new(1, 128, 128).unwrap()).unwrap();
        let mut out = vec![0.0; 64 * 128];
        let mut best = f64::INFINITY;
        for _ in 0..50 {
            let t = std::time::Instant::now();
            profile_by(*isa, one, &queries, &ProfileOptions::new(Normalization::ZScore), &mut out).unwrap();
            best = best.min(t.elapsed().as_secs_f64() * 1e6);
        }
        println!("{isa:?} append GCUPS {best:.1} us");
    }
}
