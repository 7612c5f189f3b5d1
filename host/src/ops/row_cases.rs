//! Cases of row-wise ops: the shapes, strides and alignments at which kernels go wrong.

use super::{Case, Placement, Values};

/// The seed of every named case.
const SEED: u64 = 20_261_129;

/// Elements that a block of 256 covers at once: one each, and 16 bytes each of 4- and of 2-byte elements.
const BLOCK_SPANS: [u64; 3] = [256, 1024, 2048];

/// A case of `operands` operands, each placed by its number.
fn case(name: String, rows: u64, cols: u64, operands: usize, place: impl Fn(usize) -> Placement) -> Case {
    Case {
        name,
        dims: vec![rows, cols],
        operands: (0..operands).map(place).collect(),
        values: Values::Uniform,
        seed: SEED,
        options: Vec::new(),
    }
}

fn flat(n: u64, operands: usize) -> Case {
    case(format!("n_{n}"), 1, n, operands, |_| Placement::PLAIN)
}

fn strided(rows: u64, cols: u64, stride: u64, operands: usize) -> Case {
    let place = Placement { stride: Some(stride), offset: 0 };
    case(format!("rows_{rows}x{cols}_stride_{stride}"), rows, cols, operands, |_| place)
}

/// The cases every implementation must pass.
pub fn cases(inputs: usize, outputs: usize) -> Vec<Case> {
    let operands = inputs + outputs;
    let mut cases = vec![
        flat(0, operands),
        case("rows_0x7".to_owned(), 0, 7, operands, |_| Placement::PLAIN),
        case("rows_7x0".to_owned(), 7, 0, operands, |_| Placement::PLAIN),
    ];
    cases.extend([1, 7, 8, 9].map(|n| flat(n, operands)));
    cases.extend(BLOCK_SPANS.iter().flat_map(|n| [n - 1, *n, n + 1]).map(|n| flat(n, operands)));
    cases.push(flat(1_000_003, operands));
    cases.extend(strided_cases(operands));
    cases.extend(unaligned_cases(operands));
    cases.extend(overlapping_inputs(inputs, operands));
    for (name, values) in [("special", Values::Special), ("bits", Values::Bits), ("tiny", Values::Tiny)] {
        cases.push(Case { name: format!("{name}_n_10007"), values, ..flat(10_007, operands) });
    }
    cases
}

fn strided_cases(operands: usize) -> Vec<Case> {
    let mut cases = vec![
        case("rows_33x129".to_owned(), 33, 129, operands, |_| Placement::PLAIN),
        strided(3, 129, 140, operands),
        strided(5, 64, 72, operands),
        strided(3000, 1, 2, operands),
        strided(1000, 3, 5, operands),
        strided(2, 5000, 5008, operands),
        // The last chunk of a row is cut off, and on small grids not the first of its thread.
        strided(2, 5001, 5008, operands),
        strided(2, 5007, 5008, operands),
    ];
    // Rows of one operand alone that start between 16-byte boundaries; seen with one bit less they would not.
    for (odd, by) in (0..operands).flat_map(|odd| [1, 2, 4].map(|by| (odd, by))) {
        let place =
            move |operand| Placement { stride: Some(if operand == odd { 64 + by } else { 64 }), offset: 0 };
        cases.push(case(format!("rows_9x64_stride_{}_operand_{odd}", 64 + by), 9, 64, operands, place));
    }
    let mixed = |operand| Placement { stride: Some(257 + operand as u64), offset: 0 };
    cases.push(case("rows_33x257_strides_differ".to_owned(), 33, 257, operands, mixed));
    cases
}

fn unaligned_cases(operands: usize) -> Vec<Case> {
    let mut cases: Vec<Case> = [1, 3, 5]
        .into_iter()
        .map(|offset| {
            let place = Placement { stride: None, offset };
            case(format!("unaligned_{offset}"), 1, 4099, operands, |_| place)
        })
        .collect();
    let by_number = |operand| Placement { stride: None, offset: operand as u64 };
    cases.push(case("unaligned_each_its_own".to_owned(), 1, 4099, operands, by_number));
    // Fewer elements than a block has threads, and than lie before the first 16-byte boundary.
    for n in [2, 100] {
        let place = Placement { stride: None, offset: 1 };
        cases.push(case(format!("n_{n}_unaligned_1"), 1, n, operands, |_| place));
        cases.push(case(format!("n_{n}_unaligned_each_its_own"), 1, n, operands, by_number));
    }
    // One operand alone that starts between 16-byte boundaries.
    for (odd, offset) in (0..operands).flat_map(|odd| [1, 2, 4].map(|offset| (odd, offset))) {
        let place =
            move |operand| Placement { stride: None, offset: if operand == odd { offset } else { 0 } };
        cases.push(case(format!("n_100_unaligned_{offset}_operand_{odd}"), 1, 100, operands, place));
    }
    // Every number of elements in front of the first 16-byte boundary of a row, and behind the last.
    for (offset, cols) in (1..8).flat_map(|offset| [93, 96].map(|cols| (offset, cols))) {
        let place = move |_| Placement { stride: Some(104), offset };
        cases.push(case(format!("rows_3x{cols}_stride_104_unaligned_{offset}"), 3, cols, operands, place));
    }
    let long = Placement { stride: Some(5008), offset: 2 };
    cases.push(case("rows_2x5001_stride_5008_unaligned_2".to_owned(), 2, 5001, operands, |_| long));
    let rows = Placement { stride: Some(104), offset: 1 };
    cases.push(case("rows_17x100_stride_104_unaligned_1".to_owned(), 17, 100, operands, |_| rows));
    let odd = Placement { stride: Some(101), offset: 3 };
    cases.push(case("rows_17x100_stride_101_unaligned_3".to_owned(), 17, 100, operands, |_| odd));
    cases
}

/// Inputs whose rows are one row, or sliding windows.
fn overlapping_inputs(inputs: usize, operands: usize) -> Vec<Case> {
    let last_repeats = move |operand| Placement { stride: (operand + 1 == inputs).then_some(0), offset: 0 };
    let first_slides = move |operand| Placement { stride: (operand == 0).then_some(1), offset: 0 };
    vec![
        case("rows_65x128_broadcast".to_owned(), 65, 128, operands, last_repeats),
        case("rows_300x128_windows".to_owned(), 300, 128, operands, first_slides),
    ]
}

/// Shapes to time: the roofline, and a small one where the launch dominates; and rows with gaps between them, 2^24 and 2^26
/// elements.
pub fn bench(inputs: usize, outputs: usize) -> Vec<Case> {
    let operands = inputs + outputs;
    let small = case("rows_4096x128".to_owned(), 4096, 128, operands, |_| Placement::PLAIN);
    vec![
        flat(1 << 28, operands),
        small,
        strided(4096, 4096, 4104, operands),
        strided(8192, 8192, 8200, operands),
    ]
}

/// A random case; zeros drawn give one element, no gaps, ordinary values.
pub fn random(inputs: usize, outputs: usize, draw: &mut dyn FnMut(u64) -> u64) -> Case {
    let (rows, cols) = match draw(3) {
        0 => (1, draw(5000)),
        1 => (draw(70), draw(300)),
        _ => (draw(2000), draw(9)),
    };
    let values = Values::ALL[draw(Values::ALL.len() as u64) as usize];
    let same_place = draw(2) == 0;
    let mut place = |is_input: bool| {
        let gap = cols + draw(9) * draw(9);
        let stride = match draw(6) {
            0 | 1 => None,
            2 if is_input => Some(draw(cols + 1)),
            _ => Some(gap),
        };
        Placement { stride, offset: draw(9) }
    };
    let first = place(false);
    let mut operands = Vec::new();
    for operand in 0..inputs + outputs {
        operands.push(if same_place { first } else { place(operand < inputs) });
    }
    let seed = draw(u64::MAX);
    Case {
        name: format!("random_{rows}x{cols}"),
        dims: vec![rows, cols],
        operands,
        values,
        seed,
        options: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_say_the_shape() {
        let cases = cases(2, 1);
        let names: HashSet<_> = cases.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names.len(), cases.len());
        for name in ["n_0", "n_1", "n_255", "n_256", "n_257", "rows_3x129_stride_140", "unaligned_1"] {
            assert!(names.contains(name), "{name}");
        }
    }

    #[test]
    fn zeros_drawn_give_the_simplest_case() {
        let simplest = random(2, 1, &mut |_| 0);
        assert_eq!(simplest.dims, [1, 0]);
        assert_eq!(simplest.operands, [Placement::PLAIN; 3]);
    }
}
