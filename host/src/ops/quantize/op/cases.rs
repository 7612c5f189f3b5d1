//! Cases: the shapes, strides, alignments and rows at which quantizers go wrong.

use super::content::{Content, KINDS};
use crate::ops::{Case, Placement, Values};

/// The seed of every named case.
const SEED: u64 = 20_261_130;

/// What an op's cases are made of.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Matrices: inputs, then codes; the first operands of the op.
    pub matrices: usize,
    /// Operands in all; those that are no matrices lie behind.
    pub operands: usize,
    /// Options that every case is also run with.
    pub variants: &'static [&'static [(&'static str, u64)]],
}

/// A shape before it is a case.
#[derive(Clone, Copy, Debug)]
struct Shape {
    rows: u64,
    cols: u64,
    values: Values,
    content: usize,
    /// Elements between rows, of every matrix, and one more for matrix number `odd`.
    gap: u64,
    odd: Option<usize>,
    /// Elements in front of every matrix, and one more for each one before it where they are `mixed`.
    offset: u64,
    mixed: bool,
}

impl Shape {
    const fn new(rows: u64, cols: u64) -> Self {
        Self { rows, cols, values: Values::Uniform, content: 0, gap: 0, odd: None, offset: 0, mixed: false }
    }

    /// With as many elements between rows as make every row begin at a multiple of 16 bytes.
    const fn padded(self) -> Self {
        Self { gap: self.cols.next_multiple_of(8) - self.cols, ..self }
    }

    fn case(self, family: &Family, options: &[(&'static str, u64)]) -> Case {
        let Self { rows, cols, values, content, gap, odd, offset, mixed } = self;
        let mut name = format!("rows_{rows}x{cols}");
        let mut add = |differs: bool, text: String| {
            if differs {
                name.push_str(&format!("_{text}"));
            }
        };
        add(gap != 0, format!("stride_{}", cols + gap));
        add(odd.is_some(), format!("operand_{}_odd", odd.unwrap_or(0)));
        add(offset != 0, format!("unaligned_{offset}"));
        add(mixed, "each_its_own".to_owned());
        add(values != Values::Uniform, format!("{values:?}").to_lowercase());
        add(content != 0, format!("{:?}", Content::ALL[content]).to_lowercase());
        options.iter().for_each(|(option, value)| match value {
            1 => add(true, (*option).to_owned()),
            _ => add(true, format!("{option}_{value}")),
        });
        let place = |operand: usize| {
            let stride = cols + gap + u64::from(odd == Some(operand));
            let own = if mixed { operand as u64 } else { 0 };
            Placement {
                stride: (operand < family.matrices && stride != cols).then_some(stride),
                offset: offset + own,
            }
        };
        let mut all = vec![("content", content as u64)];
        all.extend(options);
        Case {
            name,
            dims: vec![rows, cols],
            operands: (0..family.operands).map(place).collect(),
            values,
            seed: SEED,
            options: all,
        }
    }
}

impl Family {
    /// The cases every implementation must pass: all shapes plainly, and those with contents of their own in each variant.
    pub fn cases(&self) -> Vec<Case> {
        let mut cases: Vec<Case> = Vec::new();
        for (number, options) in self.variants.iter().enumerate() {
            let mut shapes = contents();
            shapes.extend(lengths());
            shapes.extend(strides(self.matrices));
            if number == 0 {
                shapes.push(Shape::new(600, 1000));
            }
            cases.extend(shapes.into_iter().map(|shape| shape.case(self, options)));
        }
        cases
    }

    /// A random case; zeros drawn give no columns, no gaps, ordinary values, the first variant.
    pub fn random(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
        let (rows, cols) = match draw(4) {
            0 => (1 + draw(3), draw(5000)),
            1 => (draw(40), draw(300)),
            2 => (draw(300), draw(20)),
            _ => (1 + draw(2), draw(11_000)),
        };
        let shape = Shape {
            values: [Values::Uniform, KINDS[draw(4) as usize]][draw(2) as usize],
            content: draw(Content::ALL.len() as u64) as usize,
            gap: [0, 8 * draw(5), draw(9)][draw(3) as usize],
            odd: [None, Some(draw(self.matrices as u64) as usize)][draw(2) as usize],
            offset: [0, 16, draw(9)][draw(3) as usize],
            mixed: draw(4) == 3,
            ..Shape::new(rows, cols)
        };
        let options = self.variants[draw(self.variants.len() as u64) as usize];
        Case { seed: SEED ^ draw(1 << 32), ..shape.case(self, options) }
    }

    /// Shapes to time: the roofline, half of it, few rows, and what takes the other instances.
    pub fn bench(&self) -> Vec<Case> {
        let mut cases = Vec::new();
        for options in self.variants {
            let shapes = [
                Shape::new(8192, 8192),
                Shape::new(8192, 4096),
                Shape::new(64, 8192),
                Shape::new(1, 4096),
                Shape::new(2048, 32_768),
                Shape { odd: Some(0), ..Shape::new(8192, 8192) },
            ];
            cases.extend(shapes.map(|shape| shape.case(self, options)));
        }
        cases
    }
}

/// Around the chunks of a thread, of a warp, of a block, and of all that a block holds; none, one, and odd ones.
fn lengths() -> Vec<Shape> {
    let mut shapes: Vec<Shape> = [(0, 0), (0, 7), (3, 0), (1, 1), (5, 1), (5, 2), (9, 13), (300, 13), (2, 3)]
        .map(|(rows, cols)| Shape::new(rows, cols))
        .into();
    let ends = [4, 8, 16, 64, 128, 256, 1024, 2048, 4096];
    shapes.extend(
        ends.into_iter().flat_map(|end| [end - 1, end, end + 1].map(|cols| Shape::new(3, cols).padded())),
    );
    // The most that stays in registers, and more; whole turns of all threads, and more.
    shapes.extend([8191, 8192, 8193, 8199, 8200, 12_288, 12_305].map(|cols| Shape::new(2, cols).padded()));
    // More rows than a block has room for, with groups of every size.
    shapes.extend([24, 100, 200, 500].map(|cols| Shape::new(37, cols).padded()));
    shapes
}

/// Rows that go wrong, in registers, read twice and element by element.
fn contents() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for content in 1..Content::ALL.len() {
        let of = |rows, cols| Shape { content, ..Shape::new(rows, cols) };
        shapes.extend([of(9, 13).padded(), of(40, 72), of(7, 257).padded(), of(4, 8300).padded()]);
        shapes.push(Shape { gap: 1, ..of(9, 72) });
    }
    // A peak in each lane, with all the chunks that a thread may hold of f32 and of the others, and read twice.
    let peaks = Content::ALL.iter().position(|content| *content == Content::Peaks).unwrap_or(0);
    shapes.extend([4096, 8192, 8300].map(|cols| Shape { content: peaks, ..Shape::new(16, cols).padded() }));
    // Fewer elements than threads in a last row that is not finite.
    let odd = Content::ALL.iter().position(|content| *content == Content::Odd).unwrap_or(0);
    shapes.extend([Shape::new(3, 5), Shape::new(3, 5).padded()].map(|shape| Shape { content: odd, ..shape }));
    for values in KINDS {
        let of = |rows, cols| Shape { values, ..Shape::new(rows, cols) };
        shapes.extend([of(40, 7), of(9, 301).padded()]);
    }
    shapes
}

/// Strides and places that leave rows aligned, or one operand's alone not.
fn strides(matrices: usize) -> Vec<Shape> {
    let mut shapes = vec![
        Shape { gap: 8, ..Shape::new(9, 64) },
        Shape { gap: 11, ..Shape::new(3, 129) },
        Shape { gap: 3, ..Shape::new(5, 8201) },
        Shape { gap: 24, offset: 16, ..Shape::new(5, 1000) },
        Shape { offset: 1, ..Shape::new(1, 4099) },
        Shape { offset: 3, ..Shape::new(7, 64) },
        Shape { mixed: true, ..Shape::new(4, 100) },
        // More rows of one element than a block has threads.
        Shape { gap: 1, ..Shape::new(300, 1) },
    ];
    shapes.extend((0..matrices).map(|odd| Shape { odd: Some(odd), ..Shape::new(9, 64) }));
    shapes.extend([2, 4, 8].map(|offset| Shape { offset, ..Shape::new(1, 96) }));
    shapes
}
