//! What the ops tell of themselves.

use std::collections::BTreeSet;

use super::*;
use crate::ops::matmul::{Kernel, Product};
use crate::ops::recorder::h200;
use crate::ops::{Case, DType, OpError};

#[test]
fn every_case_has_a_name_of_its_own_and_is_taken() {
    for op in OPS {
        let cases = [op.cases(), op.bench_cases()];
        for cases in &cases {
            let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
            assert_eq!(names.len(), cases.len(), "{op:?}");
        }
        for case in cases.iter().flatten() {
            let dtype = op.dtypes()[0];
            let entries = op.entries(&h200(), dtype, case);
            let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", case.name));
            let launches = usize::from(case.dims[0] > 0 && case.dims[1] > 0);
            assert_eq!(entries.len(), launches, "{op:?} {}", case.name);
            let known = |entry: &&str| op.stems().iter().any(|stem| entry.starts_with(stem));
            assert!(entries.iter().all(known), "{op:?} {}: {entries:?}", case.name);
        }
    }
}

#[test]
fn random_cases_are_taken() {
    for op in OPS {
        for seed in 0..300_u64 {
            let mut state = seed;
            let case = op.random_case(&mut |below| {
                state = crate::ops::mix(state);
                if seed == 0 { 0 } else { state % below.max(1) }
            });
            let entries = op.entries(&h200(), op.dtypes()[0], &case);
            assert!(entries.as_ref().is_ok_and(|entries| entries.len() == 1), "{entries:?} {case:?}");
        }
    }
}

#[test]
fn a_case_is_what_its_shape_was() {
    for case in OPS.iter().flat_map(|op| op.cases()) {
        let again = shape::Shape::of("matmul_q8", &case).expect("it is right").case();
        assert_eq!(again, case);
    }
}

#[test]
fn every_kernel_is_forced_by_its_option() {
    let entries = |kernel: Kernel| {
        let shape = shape::Shape { kernel: Some(kernel), ..shape::Shape::new(64, 64, 64) };
        Q8Op.entries(&h200(), DType::F16, &shape.case()).expect("it is right")
    };
    let all: BTreeSet<_> = Kernel::ALL.into_iter().flat_map(entries).collect();
    assert_eq!(all.len(), Kernel::ALL.len(), "{all:?}");
}

#[test]
fn the_sweep_has_every_size_once() {
    let cases: Vec<Case> = sweep(Product::Q8, 17).collect();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!((cases.len(), names.len()), (900, 900));
    assert!(cases.iter().all(|case| Q8Op.entries(&h200(), DType::I8, case).is_ok()));
}

#[test]
fn other_element_types_and_shapes_are_refused() {
    let case = Q8Op.cases().remove(0);
    let error = Q8Op.entries(&h200(), DType::I64, &case).expect_err("there is no i64");
    assert!(
        error.to_string().ends_with("has no instance for i64; it has f16, bf16, f32, i32, i8"),
        "{error}"
    );
    let flat = Case { dims: vec![7], ..case.clone() };
    let error = Q8Op.entries(&h200(), DType::F16, &flat).expect_err("one extent");
    assert!(error.to_string().contains("has 1 extents; it needs 3"), "{error}");
    let few = Case { operands: Vec::new(), ..case };
    let error = Q8Op.entries(&h200(), DType::F16, &few).expect_err("no operands");
    assert!(matches!(error, crate::error::Error::Op(OpError::CaseShape { .. })), "{error}");
}

#[test]
fn bytes_and_operations_are_counted_from_the_shape() {
    let case = shape::Shape::new(4, 5, 6).case();
    assert_eq!(Q8Op.bytes(DType::F16, &case), 9 * 6 + 2 * 20 + 4 * 9);
    assert_eq!(Q8Op.bytes(DType::I32, &case), 9 * 6 + 4 * 20);
    assert_eq!(Q8Op.flops(&case), 2 * 120);
}

/// What a case asks for is what runs, wherever the kernel has an instance.
#[test]
fn cases_named_after_a_kernel_of_sm_90a_run_it() {
    let products: [(&dyn Op, Product); 3] =
        [(&Q8Op, Product::Q8), (&HpqOp, Product::Hpq), (&FloatOp, Product::Float)];
    let mut count = 0;
    for (op, product) in products {
        for case in op.cases().iter().chain(&op.bench_cases()) {
            let asked = shape::Shape::of(op.name(), case).expect("it is right").kernel;
            let Some(Kernel::Sm90(tile)) = asked else { continue };
            for &dtype in op.dtypes().iter().filter(|dtype| tile.is_instance(product, **dtype)) {
                let entries = op.entries(&h200(), dtype, case).expect("it is taken");
                let of_sm90a = entries.iter().all(|entry| entry.starts_with("sm90_"));
                assert!(of_sm90a && !entries.is_empty(), "{op:?} {dtype} {}: {entries:?}", case.name);
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}
