//! `llvm.is.fpclass`, which libNVVM's dialect lacks, as comparisons of bits.

use super::Text;
use super::function::Writer;

/// Positions in the mask of `is.fpclass`, in the order of the bits of positive numbers: zero, subnormal, normal, infinite,
/// signalling NaN, quiet NaN; then those of negative numbers.
const CLASSES: [u32; 12] = [6, 7, 8, 9, 0, 1, 5, 4, 3, 2, 0, 1];

/// The first bit patterns of the [`CLASSES`] of a float of `width` bits, and the first one behind all.
fn starts(width: u32) -> Option<[u128; CLASSES.len() + 1]> {
    let mantissa = match width {
        16 => 10,
        32 => 23,
        64 => 52,
        _ => return None,
    };
    let (normal, sign) = (1 << mantissa, 1 << (width - 1));
    let infinite = sign - normal;
    let quiet = infinite + normal / 2;
    let positive = [0, 1, normal, infinite, infinite + 1, quiet];
    Some(std::array::from_fn(|at| positive[at % 6] + (at / 6) as u128 * sign))
}

/// Ranges of bit patterns, first and last, that a mask of `is.fpclass` names; those side by side as one.
fn ranges(width: u32, mask: u32) -> Option<Vec<(u128, u128)>> {
    let starts = starts(width)?;
    let mut ranges: Vec<(u128, u128)> = Vec::new();
    for (at, _) in CLASSES.iter().enumerate().filter(|(_, class)| mask >> **class & 1 == 1) {
        let (first, last) = (starts[at], starts[at + 1] - 1);
        match ranges.last_mut() {
            Some((_, end)) if *end + 1 == first => *end = last,
            _ => ranges.push((first, last)),
        }
    }
    Some(ranges)
}

impl Writer<'_, '_> {
    /// `is.fpclass` of a float whose bits `carrier` holds: an integer type.
    pub(super) fn is_of_class(&mut self, carrier: &str, ops: &[String]) -> Text {
        let [value, mask] = ops else { return Err("not two arguments".to_owned()) };
        let width = carrier.trim_start_matches('i').parse().map_err(|_| "no width")?;
        let mask = mask.parse().map_err(|_| "a class that is no constant")?;
        let ranges = ranges(width, mask).ok_or("a float of another width")?;
        let float = match width {
            16 => "half",
            32 => "float",
            _ => "double",
        };
        let bits = self.temp(&format!("bitcast {float} {value} to {carrier}"));
        let mut last = "or i1 false, false".to_owned();
        for (at, (first, end)) in ranges.iter().enumerate() {
            let above = self.temp(&format!("sub {carrier} {bits}, {first}"));
            let inside = format!("icmp ule {carrier} {above}, {}", end - first);
            last = if at == 0 {
                inside
            } else {
                let (one, other) = (self.temp(&last), self.temp(&inside));
                format!("or i1 {one}, {other}")
            };
        }
        Ok(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_in_one_class() {
        for width in [16, 32, 64] {
            let all = vec![(0, (1_u128 << width) - 1)];
            assert_eq!(ranges(width, 0x3ff), Some(all), "{width}");
            assert_eq!(ranges(width, 0), Some(Vec::new()));
        }
        assert_eq!(ranges(80, 1), None);
    }

    #[test]
    fn classes_lie_where_ieee_754_puts_them() {
        // Positive subnormal and normal numbers: what `0 < x < ∞` becomes.
        assert_eq!(ranges(32, 0x180), Some(vec![(1, 0x7f7f_ffff)]));
        assert_eq!(ranges(32, 0x60), Some(vec![(0, 0), (1 << 31, 1 << 31)]));
        assert_eq!(ranges(16, 0x2), Some(vec![(0x7e00, 0x7fff), (0xfe00, 0xffff)]));
        let infinite = f64::INFINITY.to_bits().into();
        let negative = f64::NEG_INFINITY.to_bits().into();
        assert_eq!(ranges(64, 0x204), Some(vec![(infinite, infinite), (negative, negative)]));
    }
}
