//! The approximate functions: exact values in f64, compared within the bounds that the simulator states.

use half::{bf16, f16};
use ptx_parse::ast::{Instruction, Pos};
use ptx_sim::{ApproxBound, ApproxError};

/// The exact value of an instruction, by its first word, of its first and its last operand.
fn exact(opcode: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match opcode {
        "div" => |a, b| a / b,
        "rcp" => |a, _| 1.0 / a,
        "sqrt" => |a, _| a.sqrt(),
        "rsqrt" => |a, _| 1.0 / a.sqrt(),
        "sin" => |a, _| a.sin(),
        "cos" => |a, _| a.cos(),
        "ex2" => |a, _| a.exp2(),
        "lg2" => |a, _| a.log2(),
        "tanh" => |a, _| a.tanh(),
        _ => return None,
    })
}

/// An instruction on one value of its type.
pub struct Scalar {
    exact: fn(f64, f64) -> f64,
    bound: ApproxBound,
    ty: &'static str,
    flushes: bool,
    /// Values in a register: 2 for pairs.
    pub per_register: u32,
}

impl Scalar {
    /// `None` if `name` is no approximate instruction.
    pub fn new(name: &str) -> Option<Self> {
        let (ty, per_register) = match name.rsplit('.').next()? {
            "f16" => ("f16", 1),
            "bf16" => ("bf16", 1),
            "f32" => ("f32", 1),
            "f64" => ("f64", 1),
            "f16x2" => ("f16", 2),
            "bf16x2" => ("bf16", 2),
            _ => return None,
        };
        let mut words = name.split('.').map(str::to_owned);
        let (opcode, modifiers) = (words.next()?, words.collect());
        let instruction =
            Instruction { guard: None, opcode, modifiers, operands: Vec::new(), pos: Pos::default() };
        let (bound, flushes) = (ptx_sim::bound(&instruction)?, instruction.has("ftz"));
        Some(Self { exact: exact(&instruction.opcode)?, bound, ty, flushes, per_register })
    }

    /// The errors that the documentation must name, as it writes them: in what, and how large.
    pub fn stated(&self) -> Vec<(&'static str, String)> {
        let error = |operand| match self.bound.error(operand) {
            ApproxError::Ulps(n) => Some(("within", format!("{n} ulp"))),
            ApproxError::Relative(power) => Some(("relative", format!("2^{power}"))),
            // An error of 2 is what the range of the function allows anyway.
            ApproxError::Absolute(power) if power >= 0.0 => None,
            ApproxError::Absolute(power) => Some(("absolute", format!("2^{power}"))),
            ApproxError::Vanishes => None,
        };
        let mut stated: Vec<_> = [1.0, 10.0, 1000.0].into_iter().filter_map(error).collect();
        stated.dedup();
        stated
    }

    /// The bits of one value.
    pub fn mask(&self) -> u64 {
        match self.ty {
            "f64" => u64::MAX,
            "f32" => u64::from(u32::MAX),
            _ => u64::from(u16::MAX),
        }
    }

    /// The value of these bits.
    fn value(&self, bits: u64) -> f64 {
        match self.ty {
            // The ftz forms look at the upper 32 bits alone.
            "f64" if self.flushes => f64::from_bits(bits & !0xffff_ffff),
            "f64" => f64::from_bits(bits),
            "f32" => f64::from(f32::from_bits(bits as u32)),
            "f16" => f16::from_bits(bits as u16).to_f64(),
            _ => bf16::from_bits(bits as u16).to_f64(),
        }
    }

    /// The value of an operand: zero for a subnormal one where the instruction flushes.
    fn operand(&self, bits: u64) -> f64 {
        let (value, least) = (self.value(bits), self.least_normal());
        if self.flushes && value.abs() < least { value * 0.0 } else { value }
    }

    fn least_normal(&self) -> f64 {
        match self.ty {
            "f64" => f64::MIN_POSITIVE,
            "f16" => f16::MIN_POSITIVE.to_f64(),
            // Of bf16 too.
            _ => f64::from(f32::MIN_POSITIVE),
        }
    }

    /// Checks a result; operands and result as bits.
    ///
    /// # Errors
    /// The exact value and the error allowed.
    pub fn check(&self, operands: &[u64], got: u64) -> Result<(), String> {
        let values: Vec<f64> = operands.iter().map(|bits| self.operand(*bits)).collect();
        let (Some(&a), Some(&last)) = (values.first(), values.last()) else {
            return Err("no operands".to_owned());
        };
        let exact = (self.exact)(a, last);
        if self.bound.allows(last, exact, got) {
            return Ok(());
        }
        let (got, allowed) = (self.value(got), self.bound.tolerance(last, exact));
        Err(format!("got {got:e}, exact {exact:e}, allowed error {allowed:e}"))
    }
}
