//! Programs of `wgmma`, made here: every number of columns, every pair of types, layout and swizzle, A from registers, special
//! values. Each with what a naive product gives, so that the simulator is right before a GPU has said so.
//!
//! The tiles lie where `gpu_std::swizzle` says, and the fragments of A and D as `gpu_std::wgmma` says.

#[path = "wgmma/naive.rs"]
mod naive;
#[path = "wgmma/text.rs"]
mod text;
#[path = "wgmma/values.rs"]
mod values;

use std::collections::BTreeSet;

use gpu_std::swizzle::{Swizzle, TileLayout};

use super::compare;
use super::inputs::Random;
use super::program::Program;
use super::simulator;
use super::store::Record;

/// The family.
pub const FAMILY: &str = "wgmma";

/// What A and B are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Types {
    /// 8 bits, signed or not: A, B.
    Integers(bool, bool),
    F16,
    Bf16,
}

/// What values they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    /// Any bytes; floats: small integers. The sum is exact.
    Exact,
    /// Floats of some six orders of magnitude.
    Reals,
    /// Infinities, NaNs, zeros, subnormal and largest numbers among them.
    Specials,
}

/// Where an operand lies.
#[derive(Clone, Copy, Debug)]
struct Place {
    swizzle: Swizzle,
    mn_major: bool,
    /// Which k of the tile the instruction takes, in steps of one instruction.
    step: usize,
}

/// A program before it is text.
#[derive(Clone, Copy, Debug)]
struct Spec {
    n: usize,
    types: Types,
    /// `None`: in registers.
    a: Option<Place>,
    b: Place,
    /// Signs of A and B.
    negated: [bool; 2],
    adds: bool,
    values: Values,
    /// One word for each thread instead of the whole result.
    folded: bool,
}

const PLAIN: Place = Place { swizzle: Swizzle::None, mn_major: false, step: 0 };
const SWIZZLES: [Swizzle; 4] = [Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128];

impl Types {
    fn bytes(self) -> usize {
        if matches!(self, Types::Integers(..)) { 1 } else { 2 }
    }

    /// k of one instruction.
    fn depth(self) -> usize {
        32 / self.bytes()
    }

    fn words(self) -> &'static str {
        match self {
            Types::Integers(true, true) => "s8.s8",
            Types::Integers(true, false) => "s8.u8",
            Types::Integers(false, true) => "u8.s8",
            Types::Integers(false, false) => "u8.u8",
            Types::F16 => "f16.f16",
            Types::Bf16 => "bf16.bf16",
        }
    }
}

impl Place {
    /// The smallest tile that has `mn` rows and this step.
    fn layout(self, types: Types, mn: usize) -> TileLayout {
        let line = self.swizzle.line_bytes() / types.bytes();
        let k = types.depth() * (self.step + 1);
        match (types.bytes(), self.mn_major) {
            (1, _) => TileLayout::k_major::<u8>(mn, k.next_multiple_of(line), self.swizzle),
            (_, false) => TileLayout::k_major::<u16>(mn, k.next_multiple_of(line), self.swizzle),
            (_, true) => TileLayout::mn_major::<u16>(mn.next_multiple_of(line), k, self.swizzle),
        }
    }

    fn name(self) -> String {
        format!("{}{}{}", if self.mn_major { "m" } else { "k" }, self.swizzle.line_bytes(), self.step)
    }
}

impl Spec {
    fn new(types: Types, n: usize) -> Self {
        let (negated, adds, values, folded) = ([false; 2], true, Values::Exact, true);
        Self { n, types, a: Some(PLAIN), b: PLAIN, negated, adds, values, folded }
    }

    /// A name for PTX too: the entry's, where the texts are written out.
    fn name(&self) -> String {
        let sign = |negated| if negated { "neg_" } else { "" };
        let a = self.a.map_or("registers".to_owned(), Place::name);
        let [sa, sb] = self.negated.map(sign);
        let adds = if self.adds { "" } else { "_first" };
        let (n, types, b) = (self.n, self.types.words().replace('.', "_"), self.b.name());
        let values = format!("{:?}", self.values).to_lowercase();
        format!("n{n}_{types}_{sa}{a}_{sb}{b}_{values}{adds}")
    }
}

/// Every kind of place for 16 bits; K-major ones alone for 8.
fn places(types: Types) -> Vec<Place> {
    let mut places = Vec::new();
    for swizzle in SWIZZLES {
        for step in 0..(swizzle.line_bytes() / 32).max(2) {
            places.push(Place { swizzle, mn_major: false, step });
        }
        if types.bytes() == 2 {
            places.extend([0, 1].map(|step| Place { swizzle, mn_major: true, step }));
        }
    }
    places
}

fn specs() -> Vec<Spec> {
    let s8 = Types::Integers(true, true);
    let mut specs = Vec::new();
    for n in (8..=256).step_by(8) {
        if n <= 32 || n % 16 == 0 {
            specs.push(Spec::new(s8, n));
        }
        specs.push(Spec::new(Types::F16, n));
    }
    for (a, b) in [(true, true), (true, false), (false, true), (false, false)] {
        let whole = Spec { folded: false, ..Spec::new(Types::Integers(a, b), 16) };
        specs.extend([Spec { adds: false, ..whole }, Spec { a: None, ..whole }]);
    }
    for types in [s8, Types::F16, Types::Bf16] {
        for place in places(types) {
            let one = Spec::new(types, 64);
            specs.push(Spec { a: Some(place), ..one });
            specs.push(Spec { b: place, n: 72 + 8 * place.step, ..one }.legal());
            specs.push(Spec { a: Some(place), b: place, n: 32, ..one });
            specs.push(Spec { a: None, b: place, n: 24, ..one });
        }
    }
    for types in [Types::F16, Types::Bf16] {
        for values in [Values::Reals, Values::Specials] {
            let whole = Spec { folded: false, values, ..Spec::new(types, 16) };
            specs.extend([whole, Spec { adds: false, ..whole }, Spec { a: None, ..whole }]);
            for negated in [[true, false], [false, true], [true, true]] {
                specs.extend([Spec { negated, ..whole }, Spec { negated, a: None, ..whole }]);
            }
        }
    }
    let mut names = BTreeSet::new();
    specs.retain(|spec| names.insert(spec.name()));
    specs
}

impl Spec {
    /// Integers have no odd multiples of 8 columns above 24.
    fn legal(self) -> Self {
        let n = if self.types.bytes() == 1 { self.n.next_multiple_of(16) } else { self.n };
        Self { n, ..self }
    }
}

/// The programs, each with what a naive product gives.
fn made() -> Vec<(Program, Vec<u32>)> {
    specs().iter().map(one).collect()
}

/// The programs.
pub fn programs() -> Vec<Program> {
    made().into_iter().map(|(program, _)| program).collect()
}

fn one(spec: &Spec) -> (Program, Vec<u32>) {
    let mut random = Random::of(&spec.name());
    let operands = values::draw(spec, &mut random);
    let (results, tolerances) = naive::product(spec, &operands);
    let (results, tolerances) = if spec.folded {
        (results.chunks(spec.n / 2).map(fold).collect(), Vec::new())
    } else {
        (results, if spec.values == Values::Exact { Vec::new() } else { tolerances })
    };
    let program = Program {
        family: FAMILY,
        name: spec.name(),
        text: text::of(spec),
        grid: [1; 3],
        block: [128, 1, 1],
        shared_bytes: 0,
        input: values::input(spec, &operands, &mut random),
        output_bytes: 4 * results.len(),
        scratch_bytes: 0,
        cluster: [1; 3],
        map: None,
        tolerances,
        case: None,
    };
    (program, results)
}

/// What [`text::of`] makes of the results of a thread: `Σ d[i] · (2 i + 1)`.
fn fold(results: &[u32]) -> u32 {
    let odd = (1_u32..).step_by(2);
    results.iter().zip(odd).fold(0, |sum, (d, odd)| d.wrapping_mul(odd).wrapping_add(sum))
}

/// The simulator gives what the naive product gives, whatever the order of warps.
///
/// # Errors
/// The programs that differ.
pub fn the_simulator_agrees() -> Result<(), String> {
    let mut wrong = Vec::new();
    for (program, results) in made() {
        let output = results.iter().flat_map(|word| word.to_le_bytes()).collect();
        let want = Record { check: program.check(), output };
        for seed in [0, 7] {
            let checked =
                simulator::run(&program, seed).and_then(|got| compare::outputs(&program, &got, &want));
            wrong.extend(checked.err());
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
