//! The instructions with code of their own against what `arith` says of the same text, on all lanes.

use std::collections::{BTreeSet, HashMap};

use ptx_parse::ast::{Instruction, Statement};

use super::*;
use crate::arith::{self, Class, compare};
use crate::program::{Kernel, compile};

/// Every operation with code of its own.
const KINDS: [&str; 18] = [
    "Bin32", "Bin64", "Cmp32", "Cmp64", "Fma32", "LogicP", "Lop3", "Mad32", "Mad64", "MadWide", "Mov32",
    "Mov64", "MovP", "MulWide", "Narrow", "Sel32", "Sel64", "Shift64",
];
/// With the three of `Widen`.
const WIDENED: [&str; 3] = ["Sign", "Zero", "Zero16"];

const INTEGERS: [&str; 4] = ["u32", "s32", "u64", "s64"];

/// The names of the instructions that have a path of their own.
fn names() -> Vec<String> {
    let mut names = Vec::new();
    let mut all = |opcodes: &[&str], types: &[&str]| {
        let each = opcodes.iter().flat_map(|opcode| types.iter().map(move |ty| format!("{opcode}.{ty}")));
        names.extend(each);
    };
    all(&["add", "sub", "min", "max", "mul.lo", "mad.lo"], &INTEGERS);
    all(&["mul.wide", "mad.wide"], &["u32", "s32"]);
    all(&["and", "or", "xor"], &["b32", "b64", "pred"]);
    all(&["not"], &["pred"]);
    all(&["lop3.and", "lop3.or"], &["b32"]);
    all(&["shl", "shr"], &["b32", "b64"]);
    all(&["shr"], &INTEGERS);
    all(&["add", "sub", "mul", "add.rn", "sub.rn", "mul.rn", "fma.rn"], &["f32"]);
    all(&["selp"], &["b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"]);
    all(&["cvt.u64", "cvt.s64"], &["u32", "s32", "u16"]);
    all(&["cvt.u32", "cvt.s32"], &["u64", "s64", "u16"]);
    all(&["mov"], &["b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64", "pred"]);
    for combine in ["", ".and", ".or", ".xor"] {
        let compare = |operator: &str| format!("setp.{operator}{combine}");
        all(
            &["eq", "ne", "lt", "le", "gt", "ge"].map(compare).each_ref().map(|name| name.as_str()),
            &INTEGERS,
        );
        all(&["lo", "ls", "hi", "hs"].map(compare).each_ref().map(|name| name.as_str()), &["u32", "u64"]);
        all(&["eq", "ne"].map(compare).each_ref().map(|name| name.as_str()), &["b32", "b64"]);
    }
    names
}

/// What an instruction computes: of its operands, the value of each destination.
type Want = Box<dyn Fn(&[u64]) -> Vec<u64>>;

/// The classes of destinations and operands, and what they become.
fn meaning(name: &str) -> (Vec<Class>, Vec<Class>, Want) {
    let (opcode, ty) =
        (name.split('.').next().unwrap_or_default(), name.rsplit('.').next().unwrap_or_default());
    match opcode {
        "mov" => {
            let class = match ty {
                "pred" => Class::Pred,
                _ if ty.ends_with("16") => Class::B16,
                _ if ty.ends_with("32") => Class::B32,
                _ => Class::B64,
            };
            (vec![class], vec![class], Box::new(|x| vec![x[0]]))
        }
        "setp" => {
            let comparison = compare::comparison(&named(name, 3)).unwrap_or_else(|| panic!("{name}"));
            let combine = move |holds: bool, x: &[u64]| match comparison.combine {
                None => u64::from(holds),
                Some(how) => how.apply(holds.into(), x[2] as u32).into(),
            };
            let mut src = vec![comparison.class; 2];
            src.extend(comparison.combine.map(|_| Class::Pred));
            let want: Want = Box::new(move |x| {
                let holds = (comparison.holds)(x[0], x[1]);
                vec![combine(holds, x), combine(!holds, x)]
            });
            (vec![Class::Pred; 2], src, want)
        }
        "lop3" => {
            let how = bits::lop3_combine(&named(name, 6)).unwrap_or_else(|| panic!("{name}"));
            let want: Want = Box::new(move |x| {
                let d = bits::lop3(x[0], x[1], x[2], x[3]);
                vec![d, how.apply(u32::from(d != 0), x[4] as u32).into()]
            });
            (vec![Class::B32, Class::Pred], [vec![Class::B32; 4], vec![Class::Pred]].concat(), want)
        }
        _ => {
            let found = (2..=4).find_map(|operands| arith::find(&named(name, operands)));
            let arith = found.unwrap_or_else(|| panic!("{name}"));
            let want: Want = Box::new(move |x| match arith.f {
                Fun::F1(f) => vec![f(x[0])],
                Fun::F2(f) => vec![f(x[0], x[1])],
                Fun::F3(f) => vec![f(x[0], x[1], x[2])],
                Fun::F4(f) => vec![f(x[0], x[1], x[2], x[3])],
            });
            (vec![arith.dst], arith.src.to_vec(), want)
        }
    }
}

/// The instruction of this name with so many operands.
fn named(name: &str, operands: usize) -> Instruction {
    let text = format!("{name} {};", vec!["%x"; operands].join(", "));
    instructions(&text).remove(0)
}

fn module(body: &str) -> ptx_parse::ast::Module {
    let text = format!(
        ".version 8.8 .target sm_90 .address_size 64 .visible .entry k() {{
        .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>; {body} ret; }}"
    );
    ptx_parse::parse(&text).unwrap_or_else(|e| panic!("{body}: {e}"))
}

fn instructions(body: &str) -> Vec<Instruction> {
    let module = module(body);
    let statements = module.functions[0].body.as_ref().expect("the entry has a body").iter();
    let found = statements.filter_map(|statement| match statement {
        Statement::Instruction(instruction) => Some(instruction.clone()),
        _ => None,
    });
    found.collect()
}

fn kernel(body: &str) -> Kernel {
    let module = module(body);
    let entry = &module.functions[0];
    compile(&module, &HashMap::new(), entry).unwrap_or_else(|(_, error)| panic!("{body}: {error}"))
}

/// Name and copy instruction of a register.
fn register(class: Class, index: usize) -> (String, &'static str) {
    let (letter, copy) = match class {
        Class::Pred => ("p", "mov.pred"),
        Class::B16 => ("h", "mov.b16"),
        Class::B32 => ("r", "mov.b32"),
        Class::B64 => ("d", "mov.b64"),
    };
    (format!("%{letter}{index}"), copy)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Bits of any kind: few, many, ends of integer types, special numbers of f32.
    fn operand(&mut self) -> u64 {
        const SPECIAL: [u64; 12] = [
            0,
            0x3f80_0000,
            0xbf80_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0x7f80_0001,
            0xffff_ffff,
            1,
            0x0080_0000,
            0x807f_ffff,
            0x8000_0000,
        ];
        let (bits, pick) = (self.next(), self.next());
        let end = |at: u64| (1_u64 << (at & 63)).wrapping_add(pick >> 8 & 3).wrapping_sub(1);
        match pick & 7 {
            0 | 1 => bits,
            2 => bits & 0x7f,
            3 => end(bits),
            4 => !end(bits),
            5 => bits >> 32 << 32,
            6 => (bits & 0x807f_ffff) | 0x3f00_0000 | (pick >> 8 & 3) << 23,
            _ => SPECIAL[(bits % 12) as usize],
        }
    }
}

/// Executes `op` on 32 lanes with random operands, in some of them, and compares.
fn check(
    name: &str,
    (dst, src): (&[Reg], &[Reg]),
    op: &Op,
    regs: &mut Regs,
    want: &Want,
    random: &mut Random,
) {
    let mask = if random.next() & 1 == 0 { u32::MAX } else { random.next() as u32 };
    let operands: Vec<Vec<u64>> =
        (0..32).map(|_| src.iter().map(|reg| random.operand() & width_mask(*reg)).collect()).collect();
    for (lane, x) in operands.iter().enumerate() {
        src.iter().zip(x).for_each(|(reg, x)| regs.set(*reg, lane, *x));
    }
    let before: Vec<Vec<u64>> =
        dst.iter().map(|d| (0..32).map(|lane| regs.get(*d, lane)).collect()).collect();
    assert!(regs.arithmetic(op, mask), "{name}: {op:?} is none");
    for (lane, x) in operands.iter().enumerate() {
        let new = want(x);
        for (i, d) in dst.iter().enumerate() {
            let want = if mask & BIT[lane] == 0 { before[i][lane] } else { new[i] & width_mask(*d) };
            assert_eq!(regs.get(*d, lane), want, "{name}: destination {i} of {x:x?} by {op:?}");
        }
    }
}

#[test]
fn paths_of_their_own_compute_what_arith_says() {
    let mut random = Random(1);
    let mut kinds = BTreeSet::new();
    for name in names() {
        let (dst, src, want) = meaning(&name);
        let classes: Vec<Class> = dst.iter().chain(&src).copied().collect();
        let registers: Vec<_> = classes.iter().enumerate().map(|(i, class)| register(*class, i)).collect();
        // Copies in front tell the rows.
        let copies: String =
            registers.iter().map(|(name, copy)| format!("{copy} {name}, {name}; ")).collect();
        let list: Vec<&str> = registers.iter().map(|(name, _)| name.as_str()).collect();
        let (results, operands) = list.split_at(dst.len());
        let kernel = kernel(&format!("{copies} {name} {}, {};", results.join("|"), operands.join(", ")));
        let rows: Vec<Reg> =
            kernel.code.iter().zip(&classes).map(|(inst, class)| row(&inst.op, *class)).collect();
        let op = &kernel.code[classes.len()].op;
        let text = format!("{op:?}");
        let mut words = text.split(['(', ',', ' ']);
        let kind = words.next().unwrap_or_default();
        assert!(kind != "Scalar" && kind != "CmpFun", "{name} has no path of its own: {text}");
        kinds.insert(if kind == "Widen" { words.next().unwrap_or_default() } else { kind }.to_owned());
        let mut regs = Regs::new(&kernel);
        rows.iter().for_each(|reg| regs.fill(*reg, 0));
        for _ in 0..60 {
            check(&name, rows.split_at(dst.len()), op, &mut regs, &want, &mut random);
        }
    }
    assert_eq!(kinds, KINDS.iter().chain(&WIDENED).map(|kind| (*kind).to_owned()).collect());
}

/// The register that a copy writes.
fn row(copy: &Op, class: Class) -> Reg {
    match (copy, class) {
        (Op::MovP(d, _), Class::Pred) => Reg::P(*d),
        (Op::Mov32(d, _), Class::B16) => Reg::H(*d),
        (Op::Mov32(d, _), Class::B32) => Reg::W(*d),
        (Op::Mov64(d, _), Class::B64) => Reg::D(*d),
        _ => panic!("{copy:?} is no copy of a {class:?}"),
    }
}
