//! What the family tells of itself: its ops, the cases they are tested and timed by.

mod affine;
mod cases;
mod content;
mod product;
mod rows;
mod run;
mod task;
mod wide;

pub use affine::AffineOp;
pub use product::ProductOp;
pub use rows::RowsOp;
pub use wide::WideOp;

use crate::ops::scalar::with_type;
use crate::ops::{Case, DType, Op, OpError, Placement};

/// The family's ops.
pub const OPS: &[&dyn Op] = &[&RowsOp, &WideOp, &AffineOp, &ProductOp];

/// Element types of the inputs.
const DTYPES: &[DType] = &[DType::F32, DType::F16, DType::Bf16];

/// Rows and columns of a case, and its operands as far as they are `N`.
fn shape_of<const N: usize>(op: &'static str, case: &Case) -> Result<([u64; 2], [Placement; N]), OpError> {
    let error = |what, got, want| OpError::CaseShape { op, case: case.name.clone(), what, got, want };
    let &[rows, cols] = case.dims.as_slice() else { return Err(error("extents", case.dims.len(), 2)) };
    let places = case.operands.clone().try_into();
    Ok(([rows, cols], places.map_err(|_| error("operands", case.operands.len(), N))?))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ops::recorder::h200;

    /// One launch where there are rows.
    fn is_plausible(op: &dyn Op, case: &Case, entries: &[&str]) -> bool {
        let launches = match op.name() {
            "quantize_affine" => case.dims.iter().all(|extent| *extent > 0),
            _ => case.dims[0] > 0,
        };
        let is_known = |entry: &&str| op.stems().iter().any(|stem| entry.starts_with(stem));
        entries.iter().all(is_known) && entries.len() == usize::from(launches)
    }

    #[test]
    fn every_case_has_a_name_of_its_own_and_is_taken() {
        for op in OPS {
            for cases in [op.cases(), op.bench_cases()] {
                let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
                assert_eq!(names.len(), cases.len(), "{op:?}");
                for (case, dtype) in cases.iter().flat_map(|case| DTYPES.iter().map(move |d| (case, *d))) {
                    let entries = op.entries(&h200(), dtype, case);
                    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", case.name));
                    assert!(is_plausible(*op, case, &entries), "{op:?} {}: {entries:?}", case.name);
                }
            }
        }
    }

    #[test]
    fn random_cases_are_taken() {
        for op in OPS {
            for seed in 0..300_u64 {
                let mut state = seed;
                let case = op.random_case(&mut |below| {
                    state = crate::ops::inputs::mix(state);
                    if seed == 0 { 0 } else { state % below.max(1) }
                });
                let entries = op.entries(&h200(), DType::F16, &case);
                assert!(entries.is_ok_and(|entries| is_plausible(*op, &case, &entries)), "{case:?}");
            }
        }
    }

    #[test]
    fn other_element_types_and_shapes_are_refused() {
        for op in OPS {
            let case = op.cases().remove(0);
            let error = op.entries(&h200(), DType::I8, &case).expect_err("there is no i8");
            assert!(error.to_string().ends_with("has no instance for i8; it has f32, f16, bf16"), "{error}");
            let flat = Case { dims: vec![7], ..case.clone() };
            let error = op.entries(&h200(), DType::F32, &flat).expect_err("one extent");
            assert!(error.to_string().contains("has 1 extents; it needs 2"), "{error}");
            let few = Case { operands: Vec::new(), ..case };
            let error = op.prepare_each(&[], DType::F32, &few).err().expect("no operands");
            assert!(error.to_string().contains("has 0 operands; it needs"), "{error}");
        }
    }

    #[test]
    fn bytes_are_counted_from_the_shape() {
        let cases = RowsOp.bench_cases();
        let case = cases.iter().find(|case| case.name == "rows_8192x8192").expect("there is such a case");
        assert_eq!(RowsOp.bytes(DType::F16, case), (1 << 26) * 3 + 8192 * 4);
        assert_eq!(WideOp.bytes(DType::F32, case), (1 << 26) * 6 + 8192 * 8);
        assert_eq!(AffineOp.bytes(DType::F16, case), (1 << 26) * 3);
        assert_eq!(ProductOp.bytes(DType::F16, case), (1 << 26) * 5 + 8192 * 4);
    }
}
