//! What devices can do at best: the one table of peaks.

/// Part of the device's name, unit, element type, peak without sparsity. From NVIDIA's data sheets (SXM parts); for cells of
/// DTW three instructions each, subtraction, minimum of three and fused multiply-add, at 128 lanes a clock and
/// multiprocessor and the boost clock of 1.98 GHz.
const PEAKS: &[(&str, &str, &str, f64)] = &[
    ("H200", "TOPS", "f32", 67.0),
    ("H200", "TOPS", "tf32", 494.7),
    ("H200", "TOPS", "f16", 989.4),
    ("H200", "TOPS", "bf16", 989.4),
    ("H200", "TOPS", "e4m3", 1978.9),
    ("H200", "TOPS", "e5m2", 1978.9),
    ("H200", "TOPS", "i8", 1978.9),
    ("H200", "GCUPS", "f32", 11_151.0),
    ("H100", "TOPS", "f32", 67.0),
    ("H100", "TOPS", "f16", 989.4),
    ("H100", "TOPS", "bf16", 989.4),
    ("H100", "TOPS", "i8", 1978.9),
    ("A100", "TOPS", "f32", 19.5),
    ("A100", "TOPS", "f16", 312.0),
    ("A100", "TOPS", "bf16", 312.0),
    ("A100", "TOPS", "i8", 624.0),
];

/// The peak of a device in a unit for an element type, if it is known. For bytes it is the copy bandwidth measured in the
/// same run, `copy_gbps`.
pub fn peak(gpu: &str, unit: &str, dtype: &str, copy_gbps: f64) -> Option<f64> {
    if unit == "GB/s" {
        return (copy_gbps > 0.0).then_some(copy_gbps);
    }
    let row = PEAKS.iter().find(|(name, u, d, _)| gpu.contains(name) && *u == unit && *d == dtype);
    row.map(|(.., peak)| *peak)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_measured_against_the_copy_of_the_run() {
        assert_eq!(peak("anything", "GB/s", "f32", 4284.0), Some(4284.0));
        assert_eq!(peak("anything", "GB/s", "f32", 0.0), None);
    }

    #[test]
    fn what_is_not_in_the_table_is_unknown() {
        assert_eq!(peak("NVIDIA H200", "TOPS", "i8", 0.0), Some(1978.9));
        assert_eq!(peak("NVIDIA H200", "GCUPS", "f16", 0.0), None);
        assert_eq!(peak("Some GPU", "TOPS", "i8", 0.0), None);
    }
}
