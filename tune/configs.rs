//! x
use host::ops::dtw::*;
#[test]
fn print() {
    let mut list: Vec<(usize, u32)> = [1, 2, 5, 8, 16, 17, 20, 24, 31, 32, 33, 34, 36, 37, 40, 41, 48, 49, 56, 63, 64, 65, 72, 73, 96, 97, 127, 128, 129, 144, 145, 192, 193, 255, 256, 257, 288, 289, 384, 385, 511, 512, 513, 576, 577, 768, 769, 1000, 1023, 1024, 1025, 1152, 1153, 1536, 1537, 1600, 1800, 2047, 2048, 2049, 3000, 4096].iter().map(|m| (*m, u32::MAX >> 1)).collect();
    list.extend([(128, 0), (128, 1), (128, 5), (128, 12), (128, 32), (128, 42), (1024, 10), (1024, 32), (1024, 34), (1024, 102), (1024, 200), (1024, 341), (1024, 600), (256, 25), (256, 48), (256, 85), (512, 51), (512, 100), (512, 170), (64, 6), (64, 21), (64, 40), (2048, 204), (2048, 682), (4096, 409), (4096, 1365), (32, 3), (32, 10), (100, 10), (200, 40), (200, 66)]);
    for (m, r) in list {
        let cells = cells(m, r);
        let windows = (120_000_000_000u64 / cells).clamp(4000, 100_000_000);
        let n = windows + m as u64 - 1;
        let options = ProfileOptions::new(Normalization::ZScore).radius(r);
        let p = Problem::new(1, n, 1, m, options).unwrap();
        let c = Config::choose(&p, 132);
        let s = c.shape(&p).unwrap();
        let e = c.extent(&p);
        let entry = match c.kernel {
            Kernel::Small => format!("dtw_small_m{m}"),
            Kernel::Lanes { columns, .. } if columns > 32 => format!("dtw_profile_broad_c{columns}"),
            Kernel::Lanes { columns, rows, .. } => format!("dtw_profile_c{columns}r{rows}"),
            Kernel::Strips { columns, .. } => format!("dtw_strips_c{columns}"),
            Kernel::Band { radius } => format!("dtw_band_r{radius}"),
            Kernel::BandLanes { columns, .. } => format!("dtw_band_lanes_c{columns}"),
            Kernel::BandWarps { columns, .. } => format!("dtw_band_warps_c{columns}"),
            Kernel::BandWide { columns, .. } => format!("dtw_band_wide_c{columns}"),
        };
        println!("CFG {{\"entry\":\"{entry}\",\"m\":{m},\"r\":{},\"n\":{n},\"windows\":{windows},\"cells\":{cells},\"grid\":[{},{},{}],\"smem\":{},\"width\":{},\"tile\":{},\"qt\":{},\"log2\":{}}}", e.radius, s.grid.x, s.grid.y, s.grid.z, s.shared_bytes, c.kernel.query_floats(m as u32), e.tile, e.query_tile, e.log2_lanes);
    }
}
