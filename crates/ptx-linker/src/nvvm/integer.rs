//! Integer intrinsics that LLVM 7 lacks, in terms of what it has.

use super::function::Writer;
use super::intrinsic::base;
use super::types;
use crate::llvm::kind::Kind;
use crate::llvm::value::Value;

/// A type of integers, or of vectors of them.
pub(super) struct Integers {
    /// Its text.
    pub(super) ty: String,
    /// The text of the type with `i1` in place of the integer.
    bits: String,
    /// Bits of one element.
    pub(super) width: u32,
    /// Elements of a vector; `None` for a scalar.
    lanes: Option<u32>,
}

impl Integers {
    /// `None` for another type.
    pub(super) fn of(value: Value<'_>) -> Option<Self> {
        let (lanes, width) = match value.kind() {
            Kind::Int(width) => (None, width),
            Kind::Vector(lanes, element) => match element.kind() {
                Kind::Int(width) => (Some(lanes), width),
                _ => return None,
            },
            _ => return None,
        };
        let ty = types::text(value.type_of()).ok()?;
        let bits = lanes.map_or("i1".to_owned(), |lanes| format!("<{lanes} x i1>"));
        Some(Self { ty, bits, width, lanes })
    }

    /// The same number in every element.
    pub(super) fn constant(&self, number: i128) -> String {
        match self.lanes {
            None => number.to_string(),
            Some(lanes) => {
                let parts = vec![format!("i{} {number}", self.width); lanes as usize];
                format!("<{}>", parts.join(", "))
            }
        }
    }
}

impl<'c> Writer<'c, '_> {
    /// `llvm.<name>` lowered; `None` where it is no integer intrinsic of this list.
    pub(super) fn integer_intrinsic(
        &mut self,
        i: Value<'c>,
        name: &str,
        args: &[Value<'c>],
    ) -> Result<Option<String>, String> {
        let Some(n) = args.first().and_then(|&arg| Integers::of(arg)) else { return Ok(None) };
        let ops = args.iter().map(|&arg| self.operand(arg)).collect::<Result<Vec<_>, _>>()?;
        let op = |index: usize| ops.get(index).map(String::as_str).ok_or("an argument is missing");
        let text = match base(name) {
            "smax" => self.choose(&n, "sgt", op(0)?, op(1)?),
            "smin" => self.choose(&n, "slt", op(0)?, op(1)?),
            "umax" => self.choose(&n, "ugt", op(0)?, op(1)?),
            "umin" => self.choose(&n, "ult", op(0)?, op(1)?),
            "abs" => {
                let minus = self.arithmetic(&n, "sub", &n.constant(0), op(0)?);
                let negative = self.compare(&n, "slt", op(0)?, &n.constant(0));
                n.select(&negative, &minus, op(0)?)
            }
            "uadd.sat" => {
                let sum = self.arithmetic(&n, "add", op(0)?, op(1)?);
                let over = self.compare(&n, "ult", &sum, op(0)?);
                n.select(&over, &n.constant(-1), &sum)
            }
            "usub.sat" => {
                let difference = self.arithmetic(&n, "sub", op(0)?, op(1)?);
                let fits = self.compare(&n, "ugt", op(0)?, op(1)?);
                n.select(&fits, &difference, &n.constant(0))
            }
            "sadd.sat" => self.signed_saturating(&n, "add", op(0)?, op(1)?)?,
            "ssub.sat" => self.signed_saturating(&n, "sub", op(0)?, op(1)?)?,
            "fshl" => self.funnel(&n, true, [op(0)?, op(1)?, op(2)?])?,
            "fshr" => self.funnel(&n, false, [op(0)?, op(1)?, op(2)?])?,
            "ucmp" => self.three_way(i, &n, ["ugt", "ult"], op(0)?, op(1)?)?,
            "scmp" => self.three_way(i, &n, ["sgt", "slt"], op(0)?, op(1)?)?,
            "sadd.with.overflow" | "ssub.with.overflow" | "smul.with.overflow" | "uadd.with.overflow"
            | "usub.with.overflow" | "umul.with.overflow" => {
                if n.lanes.is_none() && matches!(n.width, 16 | 32 | 64) {
                    return self.kept(i, name, args).map(Some);
                }
                let (signed, word) = base(name).split_at(1);
                self.overflowing(i, &n, signed == "s", &word[..3], [op(0)?, op(1)?])?
            }
            "ctpop" | "ctlz" | "cttz" | "bitreverse" | "bswap" => self.bits(&n, base(name), op(0)?)?,
            _ => return Ok(None),
        };
        Ok(Some(text))
    }

    fn arithmetic(&mut self, n: &Integers, word: &str, a: &str, b: &str) -> String {
        self.temp(&format!("{word} {} {a}, {b}", n.ty))
    }

    fn compare(&mut self, n: &Integers, predicate: &str, a: &str, b: &str) -> String {
        self.temp(&format!("icmp {predicate} {} {a}, {b}", n.ty))
    }

    fn choose(&mut self, n: &Integers, predicate: &str, a: &str, b: &str) -> String {
        let first = self.compare(n, predicate, a, b);
        n.select(&first, a, b)
    }

    /// The sum or difference, or the end of the range beyond which it lies: an overflow has the sign opposite to
    /// that of `a`.
    fn signed_saturating(&mut self, n: &Integers, word: &str, a: &str, b: &str) -> Result<String, String> {
        if n.width > 128 {
            return Err(format!("saturating arithmetic of {} bits", n.width));
        }
        let result = self.arithmetic(n, word, a, b);
        let with_result = self.arithmetic(n, "xor", a, &result);
        let other = if word == "add" { &result } else { a };
        let with_b = self.arithmetic(n, "xor", b, other);
        let signs = self.arithmetic(n, "and", &with_result, &with_b);
        let over = self.compare(n, "slt", &signs, &n.constant(0));
        let sign = self.arithmetic(n, "ashr", a, &n.constant(i128::from(n.width) - 1));
        let end = self.arithmetic(n, "xor", &sign, &n.constant((1i128 << (n.width - 1)).wrapping_sub(1)));
        Ok(n.select(&over, &end, &result))
    }

    /// `fshl` and `fshr`. The amount is taken modulo the width, so both shifts stay below it; libNVVM knows the
    /// first by name for 32 bits, and makes one instruction of it.
    fn funnel(&mut self, n: &Integers, left: bool, [a, b, amount]: [&str; 3]) -> Result<String, String> {
        if !n.width.is_power_of_two() {
            return Err(format!("a funnel shift of {} bits", n.width));
        }
        if n.width == 32 && n.lanes.is_none() {
            let name = if left { "llvm.fshl.i32" } else { "llvm.fshr.i32" };
            let args = [a, b, amount].map(|arg| format!("i32 {arg}"));
            return Ok(self.intrinsic("i32", name, &args));
        }
        let mask = n.constant(i128::from(n.width) - 1);
        let amount = self.arithmetic(n, "and", amount, &mask);
        let rest = self.arithmetic(n, "xor", &amount, &mask);
        let one = n.constant(1);
        let (high, low) = if left {
            let half = self.arithmetic(n, "lshr", b, &one);
            (self.arithmetic(n, "shl", a, &amount), self.arithmetic(n, "lshr", &half, &rest))
        } else {
            let half = self.arithmetic(n, "shl", a, &one);
            (self.arithmetic(n, "shl", &half, &rest), self.arithmetic(n, "lshr", b, &amount))
        };
        Ok(format!("or {} {high}, {low}", n.ty))
    }

    /// Arithmetic with a word on overflow for a width that libNVVM does not take: exact in twice the width, and an
    /// overflow where the result, cut and extended again, is another number.
    fn overflowing(
        &mut self,
        i: Value<'c>,
        n: &Integers,
        signed: bool,
        word: &str,
        [a, b]: [&str; 2],
    ) -> Result<String, String> {
        if n.lanes.is_some() || n.width > 128 || (word == "mul" && (65..128).contains(&n.width)) {
            return Err(format!("`{word}` with overflow of {}", n.ty));
        }
        if word == "mul" && n.width == 128 {
            let (product, over) = self.product_of_128(signed, a, b);
            return self.with_overflow(i, n, &product, &over);
        }
        let (ty, extend) = (&n.ty, if signed { "sext" } else { "zext" });
        let wide = format!("i{}", n.width * 2);
        let [wide_a, wide_b] = [a, b].map(|x| self.temp(&format!("{extend} {ty} {x} to {wide}")));
        let exact = self.temp(&format!("{word} {wide} {wide_a}, {wide_b}"));
        let cut = self.temp(&format!("trunc {wide} {exact} to {ty}"));
        let again = self.temp(&format!("{extend} {ty} {cut} to {wide}"));
        let over = self.temp(&format!("icmp ne {wide} {exact}, {again}"));
        self.with_overflow(i, n, &cut, &over)
    }

    /// The structure that an operation with overflow returns.
    fn with_overflow(
        &mut self,
        i: Value<'c>,
        n: &Integers,
        result: &str,
        over: &str,
    ) -> Result<String, String> {
        let pair = types::text(i.type_of())?;
        let half = self.temp(&format!("insertvalue {pair} undef, {} {result}, 0", n.ty));
        Ok(format!("insertvalue {pair} {half}, i1 {over}, 1"))
    }

    /// 1, 0 or -1.
    fn three_way(
        &mut self,
        i: Value<'c>,
        n: &Integers,
        words: [&str; 2],
        a: &str,
        b: &str,
    ) -> Result<String, String> {
        let ty = types::text(i.type_of())?;
        let [above, below] = words.map(|word| self.compare(n, word, a, b));
        let above = self.temp(&format!("zext {} {above} to {ty}", n.bits));
        let below = self.temp(&format!("zext {} {below} to {ty}", n.bits));
        Ok(format!("sub {ty} {above}, {below}"))
    }

    /// Counting and reordering bits: by libNVVM's own for 32 and 64 bits, in 32 bits for less, in halves for
    /// 128.
    fn bits(&mut self, n: &Integers, word: &str, a: &str) -> Result<String, String> {
        if n.lanes.is_none() && n.width == 128 {
            return Ok(self.bits_of_128(word, a));
        }
        if n.lanes.is_some() || !matches!(n.width, 8 | 16 | 32 | 64) {
            return Err(format!("`{word}` of {}", n.ty));
        }
        if n.width >= 32 {
            return Ok(self.wide_bits(n.width, word, a));
        }
        let (shift, ty) = (32 - n.width, &n.ty);
        let wide = self.temp(&format!("zext {ty} {a} to i32"));
        // The value at the low end for a count, at the high end where the first bit counts from there.
        let wide = match word {
            "ctlz" => {
                let high = self.temp(&format!("shl i32 {wide}, {shift}"));
                self.temp(&format!("or i32 {high}, {}", (1u64 << shift) >> 1))
            }
            "cttz" => self.temp(&format!("or i32 {wide}, {}", 1u32 << n.width)),
            _ => wide,
        };
        let result = self.wide_bits(32, word, &wide);
        let mut result = self.temp(&result);
        if matches!(word, "bitreverse" | "bswap") {
            result = self.temp(&format!("lshr i32 {result}, {shift}"));
        }
        Ok(format!("trunc i32 {result} to {ty}"))
    }

    pub(super) fn wide_bits(&mut self, width: u32, word: &str, a: &str) -> String {
        let ty = format!("i{width}");
        let argument = format!("{ty} {a}");
        match word {
            // libNVVM branches around a count of zeros at the low end of 0.
            "cttz" => {
                let reversed = self.wide_bits(width, "bitreverse", a);
                let reversed = self.temp(&reversed);
                self.wide_bits(width, "ctlz", &reversed)
            }
            "ctlz" => {
                let arguments = [argument, "i1 false".to_owned()];
                self.intrinsic(&ty, &format!("llvm.ctlz.{ty}"), &arguments)
            }
            // One instruction instead of shifts.
            "bswap" if width == 32 => {
                let arguments = [argument, "i32 0".to_owned(), "i32 291".to_owned()];
                self.intrinsic("i32", "llvm.nvvm.prmt", &arguments)
            }
            _ => self.intrinsic(&ty, &format!("llvm.{word}.{ty}"), &[argument]),
        }
    }
}

impl Integers {
    fn select(&self, condition: &str, yes: &str, no: &str) -> String {
        format!("select {} {condition}, {ty} {yes}, {ty} {no}", self.bits, ty = self.ty)
    }
}
