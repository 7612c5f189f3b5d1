use super::super::oracle::{FORMATS, edges, exactly, operand};
use super::*;
use proptest::prelude::*;

const ALL: [Round; 5] = [Round::Nearest, Round::NearestAway, Round::Zero, Round::Down, Round::Up];

/// [`round`] by its definition, on the digits of the binary expansion: those from the last place up, and those below.
fn naive(format: Format, negative: bool, mantissa: u128, exponent: i32, sticky: bool, mode: Round) -> u64 {
    let sign = if negative { format.sign() } else { 0 };
    let digits: Vec<u8> = format!("{mantissa:b}").bytes().map(|d| d - b'0').collect();
    let top = exponent + digits.len() as i32 - 1;
    let last = (top - format.fraction_bits as i32).max(format.min_exponent());
    let digit = |place: i32| -> u64 {
        let at = top - place;
        if at < 0 { 0 } else { digits.get(at as usize).copied().unwrap_or(0).into() }
    };
    let mut kept = 0_u64;
    for place in (last..=top.max(last)).rev() {
        kept = kept * 2 + digit(place);
    }
    let half = digit(last - 1) == 1;
    let below = sticky || (exponent.min(last)..last - 1).any(|place| digit(place) == 1);
    let up = match mode {
        Round::Nearest => half && (below || kept % 2 == 1),
        Round::NearestAway => half,
        Round::Zero => false,
        Round::Down => negative && (half || below),
        Round::Up => !negative && (half || below),
    };
    let kept = kept + u64::from(up);
    let largest = (2_u64 << format.fraction_bits) - 1;
    let emax = (1 << (format.exponent_bits - 1)) - 1 - format.fraction_bits as i32;
    if last > emax || last == emax && kept > largest {
        let clipped = matches!((mode, negative), (Round::Zero, _) | (Round::Down, false) | (Round::Up, true));
        return sign | if clipped { format.largest() } else { format.infinity() };
    }
    if kept <= largest >> 1 {
        return sign | kept;
    }
    let (kept, last) = if kept > largest { (kept / 2, last + 1) } else { (kept, last) };
    let field = (last - format.min_exponent() + 1) as u64;
    sign | field << format.fraction_bits | kept & (largest >> 1)
}

#[test]
fn every_f16_and_bf16_survives() {
    for format in [Format::F16, Format::BF16] {
        for bits in 0..=0xffff_u64 {
            if let Unpacked::Finite { negative, mantissa, exponent } = unpack(format, bits) {
                for mode in ALL {
                    assert_eq!(round(format, negative, mantissa.into(), exponent, false, mode), bits);
                }
            }
        }
    }
}

#[test]
fn ends_of_the_formats() {
    assert_eq!(Format::F32.nan(), 0x7fff_ffff);
    assert_eq!((Format::F16.nan(), Format::BF16.nan()), (0x7fff, 0x7fff));
    assert_eq!(Format::F64.nan(), 0xfff8_0000_0000_0000);
    for format in FORMATS {
        assert!(format.is_nan(format.nan()));
        assert!(!format.is_nan(format.infinity() | format.sign()));
        assert_eq!(round(format, true, 0, 0, false, Round::Up), format.sign());
        for mode in ALL {
            let to_infinity = !matches!(mode, Round::Zero | Round::Down);
            let want = if to_infinity { format.infinity() } else { format.largest() };
            for exponent in [2000, 5000, 1_000_000] {
                assert_eq!(round(format, false, 1, exponent, false, mode), want, "{mode:?}");
            }
            let tiny = if mode == Round::Up { 1 } else { 0 };
            for exponent in [-1300, -5000, -1_000_000] {
                assert_eq!(round(format, false, u128::MAX, exponent, true, mode), tiny, "{mode:?}");
                assert_eq!(round(format, false, 0, exponent, true, mode), tiny, "{mode:?}");
            }
        }
    }
}

#[test]
fn flush_keeps_zeros_and_normal_numbers() {
    let format = Format::F32;
    assert_eq!(format.flush(0x8000_0001), 0x8000_0000);
    assert_eq!(format.flush(0x007f_ffff), 0);
    for bits in edges(format) {
        let subnormal = f32::from_bits(bits as u32).is_subnormal();
        assert_eq!(format.flush(bits), if subnormal { bits & format.sign() } else { bits });
    }
}

/// A mantissa of any width, with long runs of equal digits so that ties and near ties are common.
fn mantissa() -> impl Strategy<Value = u128> {
    let runs = (0..128_u32, 0..128_u32, 0..128_u32, any::<bool>()).prop_map(|(a, b, c, minus)| {
        let sum = (1_u128 << a).wrapping_add(1 << b);
        if minus { sum.wrapping_sub(1 << c) } else { sum.wrapping_add(1 << c) }
    });
    prop_oneof![runs, any::<u128>(), (any::<u128>(), 0..128_u32).prop_map(|(x, s)| x >> s)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8_000))]

    #[test]
    fn round_is_what_the_digits_say(
        which in 0..4_usize, negative: bool, mantissa in mantissa(), place in -160..160_i32, sticky: bool,
        near in 0..3_usize,
    ) {
        let format = FORMATS[which];
        let width = 128 - mantissa.leading_zeros() as i32;
        // Near the smallest numbers, near the largest, and near one.
        let base = [format.min_exponent(), (1 << (format.exponent_bits - 1)) - width, -width][near];
        let exponent = base + place;
        let enough = mantissa >> (format.fraction_bits + 1) != 0 || exponent < format.min_exponent();
        let sticky = sticky && enough;
        prop_assume!(mantissa != 0 || sticky);
        for mode in ALL {
            let got = round(format, negative, mantissa, exponent, sticky, mode);
            prop_assert_eq!(got, naive(format, negative, mantissa, exponent, sticky, mode), "{:?}", mode);
        }
    }

    #[test]
    fn f64_to_f32_rounds_as_the_processor_does(bits: u64, near_f32: bool) {
        let bits = if near_f32 { bits & 0x8fff_ffff_ffff_ffff | 0x3000_0000_0000_0000 } else { bits };
        if let Unpacked::Finite { negative, mantissa, exponent } = unpack(Format::F64, bits) {
            let got = round(Format::F32, negative, mantissa.into(), exponent, false, Round::Nearest);
            prop_assert_eq!(got, u64::from((f64::from_bits(bits) as f32).to_bits()));
        }
    }

    #[test]
    fn the_exact_operations_are_ieee(
        (which, a, b, c) in (0..4_usize).prop_flat_map(|which| {
            let x = || operand(FORMATS[which]);
            (Just(which), x(), x(), x())
        }),
    ) {
        use super::super::exact;
        let format = FORMATS[which];
        for mode in ALL {
            let want = |operation| exactly(format, operation, [a, b, c], mode);
            prop_assert_eq!(exact::add(format, a, b, mode), want("add"), "add {:?}", mode);
            prop_assert_eq!(exact::sub(format, a, b, mode), want("sub"), "sub {:?}", mode);
            prop_assert_eq!(exact::mul(format, a, b, mode), want("mul"), "mul {:?}", mode);
            prop_assert_eq!(exact::div(format, a, b, mode), want("div"), "div {:?}", mode);
            prop_assert_eq!(exact::fma(format, a, b, c, mode), want("fma"), "fma {:?}", mode);
        }
    }
}
