//! How far a product is from that of the numbers in the files.

use rayon::prelude::*;

use super::matrix::Matrix;
use crate::ops::mix;

/// Elements that are compared with sums in f64.
const SAMPLES: u64 = 4096;

/// How far `c` is from sums in f64: the root of the squared differences over that of the squares, of all elements or of
/// [`SAMPLES`]. `None` where all sums are zero or there are none.
pub fn relative_error(a: &Matrix, b: &Matrix, bias: Option<&[f32]>, c: &[f32]) -> Option<f64> {
    let elements = c.len() as u64;
    let (count, k) = (elements.min(SAMPLES), a.cols as usize);
    let sums = (0..count).into_par_iter().map(|sample| {
        let at = if elements > SAMPLES { mix(sample) % elements } else { sample } as usize;
        let (i, j) = (at / b.rows as usize, at % b.rows as usize);
        let pairs = a.data[i * k..][..k].iter().zip(&b.data[j * k..][..k]);
        let sum: f64 = pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        let want = sum + bias.map_or(0.0, |bias| f64::from(bias[j]));
        ((f64::from(c[at]) - want).powi(2), want.powi(2))
    });
    let (off, all) = sums.reduce(|| (0.0, 0.0), |x, y| (x.0 + y.0, x.1 + y.1));
    (all > 0.0).then(|| (off / all).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::matmul::{Operands, Precision};
    use crate::ops::Executor;

    fn matrix(seed: u64, rows: u64, cols: u64) -> Matrix {
        let unit = |at: u64| (mix(seed + at) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        Matrix { data: (0..rows * cols).map(unit).collect(), rows, cols }
    }

    #[test]
    fn each_precision_is_as_far_off_as_its_bits_say() {
        let (a, b) = (matrix(1, 20, 300), matrix(1 << 40, 30, 300));
        let bias = vec![0.5; 30];
        for (precision, limit) in [
            (Precision::Int8, 1e-2),
            (Precision::Hybrid, 6e-3),
            (Precision::F16, 5e-4),
            (Precision::Bf16, 4e-3),
        ] {
            let operands = Operands::new(&Executor::Cpu, precision, &a, &b).expect("they are finite");
            let (c, _) = operands.product(&Executor::Cpu, Some(&bias)).expect("they fit");
            assert!(operands.compare(Some(&bias), &c).expect("they fit").passed(), "{precision:?}");
            let error = relative_error(&a, &b, Some(&bias), &c).expect("sums are not 0");
            assert!(error > 0.0 && error < limit, "{precision:?}: {error:e}");
        }
        assert_eq!(relative_error(&a, &b, None, &[]), None);
    }
}
