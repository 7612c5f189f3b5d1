//! Floating-point operations that libNVVM's dialect lacks, in terms of what it has.

use super::function::Writer;
use super::integer::Integers;
use super::intrinsic::base;
use super::{Text, constant, types};
use crate::llvm::kind::Kind;
use crate::llvm::value::{Type, Value};

/// A floating-point type.
#[derive(Clone, Copy, PartialEq)]
enum Format {
    Half,
    Float,
    Double,
}

impl Format {
    fn of(value: Value<'_>) -> Option<Self> {
        Self::of_type(value.type_of())
    }

    fn of_type(ty: Type<'_>) -> Option<Self> {
        match ty.kind() {
            Kind::Half => Some(Self::Half),
            Kind::Float => Some(Self::Float),
            Kind::Double => Some(Self::Double),
            _ => None,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// The integer that carries the bits, and all of them but the sign.
    fn bits(self) -> (&'static str, u64) {
        match self {
            Self::Half => ("i16", 0x7fff),
            Self::Float => ("i32", 0x7fff_ffff),
            Self::Double => ("i64", 0x7fff_ffff_ffff_ffff),
        }
    }

    /// The suffix of overloaded intrinsics.
    fn suffix(self) -> &'static str {
        match self {
            Self::Half => "f16",
            Self::Float => "f32",
            Self::Double => "f64",
        }
    }

    fn constant(self, value: f64) -> String {
        match self {
            Self::Half | Self::Float => constant::float(&Kind::Float, u64::from((value as f32).to_bits())),
            Self::Double => constant::float(&Kind::Double, value.to_bits()),
        }
    }
}

impl<'c> Writer<'c, '_> {
    /// `fneg`. `-0.0 - x` becomes `neg` for 32 and 64 bits, which is what LLVM 22 writes too (PTX leaves the sign of
    /// a NaN open); for 16 it would stay a subtraction, so the sign bit is flipped there.
    pub(super) fn negate(&mut self, value: Value<'c>) -> Text {
        let operand = self.operand(value)?;
        match Format::of(value) {
            Some(Format::Half) => {
                let bits = self.temp(&format!("bitcast half {operand} to i16"));
                let flipped = self.temp(&format!("xor i16 {bits}, -32768"));
                Ok(format!("bitcast i16 {flipped} to half"))
            }
            Some(format) => Ok(format!("fsub {} -0.0, {operand}", format.text())),
            None => self.negate_vector(value, &operand),
        }
    }

    fn negate_vector(&mut self, value: Value<'c>, operand: &str) -> Text {
        let Kind::Vector(lanes, element) = value.kind() else { return Err("not a number".to_owned()) };
        let (width, sign) = match element.kind() {
            Kind::Half => (16, 1u64 << 15),
            Kind::Float => (32, 1 << 31),
            Kind::Double => (64, 1 << 63),
            _ => return Err("not a vector of numbers".to_owned()),
        };
        let (own, carrier) = (types::text(value.type_of())?, format!("<{lanes} x i{width}>"));
        let signs = vec![format!("i{width} {sign}"); lanes as usize].join(", ");
        let bits = self.temp(&format!("bitcast {own} {operand} to {carrier}"));
        let flipped = self.temp(&format!("xor {carrier} {bits}, <{signs}>"));
        Ok(format!("bitcast {carrier} {flipped} to {own}"))
    }

    /// `frem` as LLVM 22 expands it for this target: `x - trunc(x / y) * y` with one rounding, and `x` where `y` is infinite.
    /// libNVVM's own expansion rounds the quotient down instead.
    pub(super) fn float_remainder(&mut self, a: Value<'c>, b: Value<'c>) -> Text {
        let format = Format::of(a).ok_or("a remainder of vectors")?;
        let (a, b) = (self.operand(a)?, self.operand(b)?);
        if format != Format::Half {
            return self.remainder(format, &a, &b);
        }
        let a = self.temp(&format!("fpext half {a} to float"));
        let b = self.temp(&format!("fpext half {b} to float"));
        let result = self.remainder(Format::Float, &a, &b)?;
        let result = self.temp(&result);
        Ok(format!("fptrunc float {result} to half"))
    }

    fn remainder(&mut self, format: Format, a: &str, b: &str) -> Text {
        let ty = format.text();
        let quotient = self.temp(&format!("fdiv {ty} {a}, {b}"));
        let whole = self.rounded(format, "trunc", &quotient);
        let whole = self.temp(&whole);
        let minus = self.temp(&format!("fsub {ty} -0.0, {whole}"));
        let rest = self.by_name(format, "fma", &[minus, b.to_owned(), a.to_owned()]);
        let rest = self.temp(&rest);
        let size = self.absolute(format, b);
        let size = self.temp(&size);
        let infinite = format.constant(f64::INFINITY);
        let infinite = self.temp(&format!("fcmp oeq {ty} {size}, {infinite}"));
        Ok(format!("select i1 {infinite}, {ty} {a}, {ty} {rest}"))
    }

    /// `llvm.<name>` of floating-point numbers, element by element for vectors; `None` where it is not in this list.
    pub(super) fn float_intrinsic(
        &mut self,
        i: Value<'c>,
        name: &str,
        args: &[Value<'c>],
    ) -> Result<Option<String>, String> {
        let Some(&first) = args.first() else { return Ok(None) };
        let ops = args.iter().map(|&arg| self.operand(arg)).collect::<Result<Vec<_>, _>>()?;
        if let Some(format) = Format::of(first) {
            return match base(name) {
                "fptosi.sat" => self.saturating(i, format, &ops[0], true).map(Some),
                "fptoui.sat" => self.saturating(i, format, &ops[0], false).map(Some),
                "is.fpclass" => self.is_of_class(format.bits().0, &ops).map(Some),
                base => Ok(self.float_operation(format, base, &ops)),
            };
        }
        let Kind::Vector(lanes, element) = first.kind() else { return Ok(None) };
        let Some(format) = Format::of_type(element) else { return Ok(None) };
        if args.iter().any(|arg| arg.type_of() != i.type_of()) {
            return Ok(None);
        }
        if (format, lanes, base(name)) == (Format::Half, 2, "fma") {
            return self.kept(i, name, args).map(Some);
        }
        self.each_lane(&types::text(i.type_of())?, lanes, format, base(name), &ops)
    }

    fn each_lane(
        &mut self,
        vector: &str,
        lanes: u32,
        format: Format,
        base: &str,
        ops: &[String],
    ) -> Result<Option<String>, String> {
        let mut whole = "undef".to_owned();
        let mut last = String::new();
        for lane in 0..lanes {
            let parts: Vec<_> = ops
                .iter()
                .map(|op| self.temp(&format!("extractelement {vector} {op}, i32 {lane}")))
                .collect();
            let Some(result) = self.float_operation(format, base, &parts) else { return Ok(None) };
            let result = self.temp(&result);
            last = format!("insertelement {vector} {whole}, {} {result}, i32 {lane}", format.text());
            if lane + 1 < lanes {
                whole = self.temp(&last);
            }
        }
        Ok(Some(last))
    }

    /// An operation of numbers of one format.
    fn float_operation(&mut self, format: Format, base: &str, ops: &[String]) -> Option<String> {
        let ty = format.text();
        let op = |index: usize| ops.get(index).map_or("undef", String::as_str);
        let a = op(0);
        Some(match base {
            "fma" | "sqrt" | "copysign" => self.by_name(format, base, ops),
            "fabs" => self.absolute(format, a),
            "floor" | "ceil" | "trunc" => self.rounded(format, base, a),
            "rint" | "nearbyint" | "roundeven" => self.rounded(format, "round", a),
            "round" => self.round_away(format, a),
            "minnum" | "minimumnum" => self.by_name(format, "minnum", ops),
            "maxnum" | "maximumnum" => self.by_name(format, "maxnum", ops),
            "minimum" => self.with_nan(format, "min", a, op(1)),
            "maximum" => self.with_nan(format, "max", a, op(1)),
            "canonicalize" => self.by_name(format, "maxnum", &[a.to_owned(), a.to_owned()]),
            "fmuladd" => {
                let product = self.temp(&format!("fmul {ty} {a}, {}", op(1)));
                format!("fadd {ty} {product}, {}", op(2))
            }
            _ => return None,
        })
    }

    /// The intrinsic that libNVVM has for every format under LLVM's name.
    fn by_name(&mut self, format: Format, word: &str, ops: &[String]) -> String {
        let ty = format.text();
        let arguments: Vec<_> = ops.iter().map(|op| format!("{ty} {op}")).collect();
        self.intrinsic(ty, &format!("llvm.{word}.{}", format.suffix()), &arguments)
    }

    /// The number without its sign bit.
    fn absolute(&mut self, format: Format, a: &str) -> String {
        let (carrier, mask) = format.bits();
        match format {
            Format::Float => self.intrinsic("float", "llvm.nvvm.fabs.f", &[format!("float {a}")]),
            Format::Double => self.intrinsic("double", "llvm.nvvm.fabs.d", &[format!("double {a}")]),
            Format::Half => {
                let bits = self.temp(&format!("bitcast half {a} to {carrier}"));
                let kept = self.temp(&format!("and {carrier} {bits}, {mask}"));
                format!("bitcast {carrier} {kept} to half")
            }
        }
    }

    /// `floor`, `ceil`, `trunc`, or `round` (to nearest, ties to even). A half goes through 32 bits, which is exact.
    fn rounded(&mut self, format: Format, word: &str, a: &str) -> String {
        match format {
            Format::Float => self.intrinsic("float", &format!("llvm.nvvm.{word}.f"), &[format!("float {a}")]),
            Format::Double => {
                self.intrinsic("double", &format!("llvm.nvvm.{word}.d"), &[format!("double {a}")])
            }
            Format::Half => {
                let wide = self.temp(&format!("fpext half {a} to float"));
                let result = self.rounded(Format::Float, word, &wide);
                let result = self.temp(&result);
                format!("fptrunc float {result} to half")
            }
        }
    }

    /// `round`: to nearest, ties away from zero. What is cut off is exact, so it alone decides.
    fn round_away(&mut self, format: Format, a: &str) -> String {
        if format == Format::Half {
            let wide = self.temp(&format!("fpext half {a} to float"));
            let result = self.round_away(Format::Float, &wide);
            let result = self.temp(&result);
            return format!("fptrunc float {result} to half");
        }
        let ty = format.text();
        let whole = self.rounded(format, "trunc", a);
        let whole = self.temp(&whole);
        let cut = self.temp(&format!("fsub {ty} {a}, {whole}"));
        let cut = self.absolute(format, &cut);
        let cut = self.temp(&cut);
        let half = format.constant(0.5);
        let up = self.temp(&format!("fcmp oge {ty} {cut}, {half}"));
        let (one, zero) = (format.constant(1.0), format.constant(0.0));
        let step = self.temp(&format!("select i1 {up}, {ty} {one}, {ty} {zero}"));
        let step = self.sign_of(format, &step, a);
        let step = self.temp(&step);
        let sum = self.temp(&format!("fadd {ty} {whole}, {step}"));
        self.sign_of(format, &sum, a)
    }

    fn sign_of(&mut self, format: Format, size: &str, sign: &str) -> String {
        self.by_name(format, "copysign", &[size.to_owned(), sign.to_owned()])
    }

    /// `minimum` and `maximum`: NaN where either is NaN, as `min.NaN` and `max.NaN` have it from sm_80 on.
    fn with_nan(&mut self, format: Format, word: &str, a: &str, b: &str) -> String {
        match format {
            Format::Float => {
                format!(
                    "call float asm \"{word}.NaN.f32 $0, $1, $2;\", \"=f,f,f\"(float {a}, float {b}) nounwind readnone"
                )
            }
            Format::Half => {
                let a = self.temp(&format!("bitcast half {a} to i16"));
                let b = self.temp(&format!("bitcast half {b} to i16"));
                let asm = format!(
                    "call i16 asm \"{word}.NaN.f16 $0, $1, $2;\", \"=h,h,h\"(i16 {a}, i16 {b}) nounwind readnone"
                );
                let bits = self.temp(&asm);
                format!("bitcast i16 {bits} to half")
            }
            Format::Double => {
                let number = self.by_name(format, &format!("{word}num"), &[a.to_owned(), b.to_owned()]);
                let number = self.temp(&number);
                let nan = self.temp(&format!("fadd double {a}, {b}"));
                let unordered = self.temp(&format!("fcmp uno double {a}, {b}"));
                format!("select i1 {unordered}, double {nan}, double {number}")
            }
        }
    }

    /// Rust's `as`: towards zero, the end of the range beyond it, 0 for NaN. PTX's `cvt` does that by itself from
    /// 32 to 32 bits; elsewhere the ends are compared, which are powers of two and so exact.
    fn saturating(&mut self, i: Value<'c>, format: Format, a: &str, signed: bool) -> Text {
        let n = Integers::of(i).filter(|n| n.ty == format!("i{}", n.width) && n.width <= 64);
        let n = n.ok_or("a saturating conversion to this type")?;
        if format == Format::Half {
            let wide = self.temp(&format!("fpext half {a} to float"));
            return self.saturating(i, Format::Float, &wide, signed);
        }
        if format == Format::Float && n.width == 32 {
            let name = if signed { "llvm.nvvm.f2i.rz" } else { "llvm.nvvm.f2ui.rz" };
            return Ok(self.intrinsic("i32", name, &[format!("float {a}")]));
        }
        let (ty, to) = (format.text(), n.ty.as_str());
        let bits = n.width - u32::from(signed);
        let end = 2f64.powi(bits as i32);
        let (low, high) = if signed { (-end, end) } else { (0.0, end) };
        let (least, most) = match (signed, n.width) {
            (true, width) => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            (false, _) => (0, -1),
        };
        let word = if signed { "fptosi" } else { "fptoui" };
        let inside = self.temp(&format!("{word} {ty} {a} to {to}"));
        let above = self.temp(&format!("fcmp oge {ty} {a}, {}", format.constant(high)));
        let capped = self.temp(&format!("select i1 {above}, {to} {most}, {to} {inside}"));
        let below = self.temp(&format!("fcmp ole {ty} {a}, {}", format.constant(low)));
        let bounded = self.temp(&format!("select i1 {below}, {to} {least}, {to} {capped}"));
        let nan = self.temp(&format!("fcmp uno {ty} {a}, {a}"));
        Ok(format!("select i1 {nan}, {to} 0, {to} {bounded}"))
    }
}
