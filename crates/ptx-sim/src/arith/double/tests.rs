use super::super::oracle::{MODES, edges, exactly, f1, f2, f3, operand};
use super::*;
use proptest::prelude::*;
use rustc_apfloat::ieee::{Double, Quad};
use rustc_apfloat::{Float, FloatConvert};

/// The quiet form of the first NaN of `operands`, or the NaN of an invalid operation.
fn handed_on(operands: &[u64]) -> u64 {
    let nan = operands.iter().find(|a| value(**a).is_nan());
    nan.map_or(0xfff8_0000_0000_0000, |a| a | 1 << 51)
}

/// The IEEE result, or the NaN of the first of `order` that is one.
fn want(operation: &str, x: [u64; 3], mode: Round, order: &[usize]) -> u64 {
    let result = exactly(F64, operation, x, mode);
    let order: Vec<u64> = order.iter().map(|i| x[*i]).collect();
    if value(result).is_nan() { handed_on(&order) } else { result }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn arithmetic_is_ieee(a in operand(F64), b in operand(F64), c in operand(F64)) {
        let one = 1.0_f64.to_bits();
        for (word, mode) in MODES {
            for (operation, order) in [("add", [1, 0]), ("sub", [1, 0]), ("mul", [1, 0]), ("div", [0, 1])] {
                let got = f2(&format!("{operation}.{word}.f64"))(a, b);
                prop_assert_eq!(got, want(operation, [a, b, c], mode, &order), "{} {}", operation, word);
            }
            for operation in ["fma", "mad"] {
                let got = f3(&format!("{operation}.{word}.f64"))(a, b, c);
                prop_assert_eq!(got, want("fma", [a, b, c], mode, &[1, 2, 0]), "{} {}", operation, word);
            }
            let got = f1(&format!("rcp.{word}.f64"))(a);
            prop_assert_eq!(got, want("div", [one, a, 0], mode, &[1]), "rcp {}", word);
        }
    }

    #[test]
    fn roots_bracket_the_true_root(a in operand(F64)) {
        let [near, zero, down, up] =
            ["rn", "rz", "rm", "rp"].map(|mode| f1(&format!("sqrt.{mode}.f64"))(a));
        let x = value(a);
        if x.is_nan() || x < 0.0 {
            prop_assert_eq!([near, zero, down, up], [handed_on(&[a]); 4]);
            return Ok(());
        }
        prop_assert_eq!(near, x.sqrt().to_bits());
        let quad = |bits: u64| -> Quad { Double::from_bits(bits.into()).convert(&mut false).value };
        let square = |bits: u64| (quad(bits) * quad(bits)).value;
        prop_assert!(zero == down && square(down) <= quad(a) && quad(a) <= square(up));
        let exact = square(down) == quad(a);
        prop_assert_eq!(up, if exact { down } else { down + 1 });
    }
}

#[test]
fn signs_tests_and_extrema_of_edges() {
    for a in edges(F64) {
        let x = value(a);
        let or_nan = |bits: u64| if x.is_nan() { handed_on(&[a]) } else { bits };
        assert_eq!(f1("abs.f64")(a), or_nan(a & !F64.sign()));
        assert_eq!(f1("neg.f64")(a), or_nan(a ^ F64.sign()));
        assert_eq!(f1("testp.normal.f64")(a), u64::from(x.is_finite() && !x.is_subnormal()));
        assert_eq!(f1("testp.notanumber.f64")(a), u64::from(x.is_nan()));
        for b in edges(F64) {
            let y = value(b);
            let least = match (x.is_nan(), y.is_nan()) {
                (true, true) => handed_on(&[b]),
                (true, false) => b,
                (false, true) => a,
                _ if x < y || x == y && a > b => a,
                _ => b,
            };
            assert_eq!(f2("min.f64")(a, b), least, "{x:e} {y:e}");
            let any_nan = x.is_nan() || y.is_nan();
            let greatest = if any_nan { least } else { a ^ b ^ least };
            assert_eq!(f2("max.f64")(a, b), greatest, "{x:e} {y:e}");
        }
    }
    assert_eq!(
        f2("sub.rn.f64")(1.0_f64.to_bits(), 0x7ff0_0000_0000_0001),
        0x7ff8_0000_0000_0001,
        "no sign turned"
    );
    assert_eq!(f2("copysign.f64")((-0.0_f64).to_bits(), 2.0_f64.to_bits()), (-2.0_f64).to_bits());
}
