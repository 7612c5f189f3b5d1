//! What the family tells of itself: its ops, the cases they are tested and timed by.

mod cases;
mod pair_cases;
mod pairs;
mod profile;
mod rolling;
mod rolling_cases;
mod run;
mod search;
mod search_cases;
mod shape;
mod subsequence;
mod subsequence_cases;
mod task;

pub use pairs::PairsOp;
pub use profile::ProfileOp;
pub use rolling::RollingOp;
pub use search::{BelowOp, TopKOp};
pub use subsequence::SubsequenceOp;

use crate::ops::{Case, DType, Op, OpError};

/// The family's ops.
pub const OPS: &[&dyn Op] = &[&ProfileOp, &RollingOp, &TopKOp, &BelowOp, &PairsOp, &SubsequenceOp];

/// A case that does not describe what the op takes.
fn case_shape(op: &'static str, case: &Case, what: &'static str, got: usize, want: usize) -> OpError {
    OpError::CaseShape { op, case: case.name.clone(), what, got, want }
}

/// Refuses element types that there are no kernels for.
fn check_dtype(op: &'static str, dtype: DType) -> Result<(), OpError> {
    if dtype == DType::F32 { Ok(()) } else { Err(OpError::NoInstance { op, dtype, has: "f32".to_owned() }) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ops::recorder::h200;

    /// One launch; a search has several, or none where nothing is asked for.
    fn is_plausible(op: &dyn Op, case: &Case, entries: &[&str]) -> bool {
        let launches = usize::from(case.dims.iter().all(|extent| *extent > 0));
        let known = || op.stems().iter().chain(op.borrows_from().iter().flat_map(|other| other.stems()));
        let are_known = entries.iter().all(|entry| known().any(|stem| entry.starts_with(stem)));
        are_known && (matches!(op.name(), "dtw_top_k" | "dtw_below") || entries.len() == launches)
    }

    #[test]
    fn every_case_has_a_name_of_its_own_and_is_taken() {
        for op in OPS {
            let cases = [op.cases(), op.bench_cases()];
            for cases in &cases {
                let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
                assert_eq!(names.len(), cases.len(), "{op:?}");
            }
            for case in cases.iter().flatten() {
                let entries = op.entries(&h200(), DType::F32, case);
                let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", case.name));
                assert!(is_plausible(*op, case, &entries), "{op:?} {}: {entries:?}", case.name);
            }
        }
    }

    #[test]
    fn random_cases_are_taken() {
        for op in OPS {
            for seed in 0..500_u64 {
                let mut state = seed;
                let case = op.random_case(&mut |below| {
                    state = crate::ops::inputs::mix(state);
                    if seed == 0 { 0 } else { state % below.max(1) }
                });
                let entries = op.entries(&h200(), DType::F32, &case);
                assert!(entries.is_ok_and(|entries| is_plausible(*op, &case, &entries)), "{case:?}");
            }
        }
    }

    #[test]
    fn other_element_types_and_shapes_are_refused() {
        for op in OPS {
            let case = op.cases().remove(0);
            let error = op.entries(&h200(), DType::F16, &case).expect_err("there is no f16");
            assert!(error.to_string().ends_with("has no instance for f16; it has f32"), "{error}");
            let flat = Case { dims: vec![7], ..case.clone() };
            let error = op.entries(&h200(), DType::F32, &flat).expect_err("one extent");
            assert!(error.to_string().contains("has 1 extents; it needs"), "{error}");
            let few = Case { operands: Vec::new(), ..case };
            let error = op.prepare_each(&[], DType::F32, &few).err().expect("no operands");
            assert!(error.to_string().contains("has 0 operands; it needs"), "{error}");
        }
    }

    #[test]
    fn cells_and_bytes_are_counted_from_the_shape() {
        let case = ProfileOp.cases().into_iter().find(|case| case.name == "m_5_n_1104_queries_3_rolling_5");
        let case = case.expect("there is such a case");
        assert_eq!(ProfileOp.flops(&case), 3 * 1100 * 25);
        assert_eq!(ProfileOp.bytes(DType::F32, &case), 4 * (1104 + 15 + 3 * 1104 + 4 * 1104));
    }
}
