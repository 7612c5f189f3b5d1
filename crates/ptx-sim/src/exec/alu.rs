//! Arithmetic on all lanes of a warp at once.

use super::lanes::{bin32, bin64, cmp32, cmp64, map32, map64};
use super::regs::{BIT, Lanes32, Lanes64, Regs, lanes, put32, put64, width_mask};
use crate::arith::compare::Combine;
use crate::arith::{Fun, bits, single};
use crate::program::ir::{Bin, Carry, CmpTo, Lop3, Op, Operand, PredSrc, Reg, Row, Widen};

/// How undefined bits of the operands go on to the result.
#[derive(Clone, Copy)]
enum Spread {
    /// One undefined bit makes all undefined.
    All,
    And,
    Or,
    Xor,
    Shl,
    ShrU,
    ShrS,
    /// A copy, cut or extended with zeros.
    Copy,
    /// A copy, extended with the sign of 32 bits.
    CopySigned,
}

fn spread_of(bin: Bin) -> Spread {
    match bin {
        Bin::And => Spread::And,
        Bin::Or => Spread::Or,
        Bin::Xor => Spread::Xor,
        Bin::Shl => Spread::Shl,
        Bin::ShrU => Spread::ShrU,
        Bin::ShrS => Spread::ShrS,
        _ => Spread::All,
    }
}

impl Regs {
    /// Executes `op` in the lanes of `mask` if it is arithmetic; `false` if it is not.
    #[inline]
    pub fn arithmetic(&mut self, op: &Op, mask: u32) -> bool {
        match op {
            Op::Bin32(bin, d, a, b) => {
                let value = bin32(*bin, &self.w[*a as usize], &self.w[*b as usize]);
                self.finish32(spread_of(*bin), *d, &[*a, *b], &value, mask);
            }
            Op::Bin64(bin, d, a, b) => {
                let value = bin64(*bin, &self.d[*a as usize], &self.d[*b as usize]);
                self.finish64(spread_of(*bin), *d, &[Reg::D(*a), Reg::D(*b)], &value, mask);
            }
            Op::Shift64(bin, d, a, b) => {
                let amount = self.w[*b as usize].map(u64::from);
                let value = bin64(*bin, &self.d[*a as usize], &amount);
                self.finish64(spread_of(*bin), *d, &[Reg::D(*a), Reg::W(*b)], &value, mask);
            }
            Op::Mad32(d, a, b, c) => {
                let (a, b, c) = (*a as usize, *b as usize, *c as usize);
                let mut value = map32(&self.w[a], &self.w[b], u32::wrapping_mul);
                value = map32(&value, &self.w[c], u32::wrapping_add);
                self.finish32(Spread::All, *d, &[a as Row, b as Row, c as Row], &value, mask);
            }
            Op::Mad64(d, a, b, c) => {
                let mut value = map64(&self.d[*a as usize], &self.d[*b as usize], u64::wrapping_mul);
                value = map64(&value, &self.d[*c as usize], u64::wrapping_add);
                self.finish64(Spread::All, *d, &[Reg::D(*a), Reg::D(*b), Reg::D(*c)], &value, mask);
            }
            Op::Fma32(d, a, b, c) => {
                let (x, y, z) = (&self.w[*a as usize], &self.w[*b as usize], &self.w[*c as usize]);
                let mut value = [0; 32];
                for lane in 0..32 {
                    value[lane] = single::fma_nearest(x[lane], y[lane], z[lane]);
                }
                self.finish32(Spread::All, *d, &[*a, *b, *c], &value, mask);
            }
            Op::MulWide(signed, d, a, b) => {
                let value = self.wide(*signed, *a, *b);
                self.finish64(Spread::All, *d, &[Reg::W(*a), Reg::W(*b)], &value, mask);
            }
            Op::MadWide(signed, d, a, b, c) => {
                let value = map64(&self.wide(*signed, *a, *b), &self.d[*c as usize], u64::wrapping_add);
                self.finish64(Spread::All, *d, &[Reg::W(*a), Reg::W(*b), Reg::D(*c)], &value, mask);
            }
            Op::Cmp32(cmp, to, a, b) => {
                let holds = cmp32(*cmp, &self.w[*a as usize], &self.w[*b as usize]);
                self.compared(
                    to,
                    holds,
                    !holds,
                    self.undefined_w[*a as usize] | self.undefined_w[*b as usize],
                    mask,
                );
            }
            Op::Cmp64(cmp, to, a, b) => {
                let holds = cmp64(*cmp, &self.d[*a as usize], &self.d[*b as usize]);
                self.compared(
                    to,
                    holds,
                    !holds,
                    self.undefined_d[*a as usize] | self.undefined_d[*b as usize],
                    mask,
                );
            }
            Op::Mov32(d, a) => {
                let value = self.w[*a as usize];
                self.finish32(Spread::Copy, *d, &[*a], &value, mask);
            }
            Op::Mov64(d, a) => {
                let value = self.d[*a as usize];
                self.finish64(Spread::Copy, *d, &[Reg::D(*a)], &value, mask);
            }
            Op::Widen(kind, d, a) => {
                let source = &self.w[*a as usize];
                let value = match kind {
                    Widen::Zero => source.map(u64::from),
                    Widen::Zero16 => source.map(|a| u64::from(a & 0xffff)),
                    Widen::Sign => source.map(|a| i64::from(a as i32) as u64),
                };
                let spread = if *kind == Widen::Sign { Spread::CopySigned } else { Spread::Copy };
                self.finish64(spread, *d, &[Reg::W(*a)], &value, mask);
            }
            Op::Narrow(d, a) => {
                let value = self.d[*a as usize].map(|a| a as u32);
                put32(&mut self.w[*d as usize], &value, mask);
                if self.undefined_d[*a as usize] & mask != 0 {
                    self.spread(Spread::Copy, Reg::W(*d), &[Reg::D(*a)], mask);
                } else {
                    self.undefined_w[*d as usize] &= !mask;
                }
            }
            other => return self.more_arithmetic(other, mask),
        }
        true
    }

    fn more_arithmetic(&mut self, op: &Op, mask: u32) -> bool {
        match op {
            Op::CmpFun(holds, to, a, b) => {
                let undefined = self.undefined(*a) | self.undefined(*b);
                let mut value = 0;
                for lane in lanes(mask) {
                    value |= u32::from(holds(self.get(*a, lane), self.get(*b, lane))) << lane;
                }
                self.compared(to, value, !value, undefined, mask);
            }
            Op::CmpX2(holds, to, a, b) => {
                let undefined = self.undefined(*a) | self.undefined(*b);
                let (mut first, mut second) = (0, 0);
                for lane in lanes(mask) {
                    let [low, high] = holds(self.get(*a, lane), self.get(*b, lane));
                    first |= u32::from(low) << lane;
                    second |= u32::from(high) << lane;
                }
                self.compared(to, first, second, undefined, mask);
            }
            Op::Sel32(d, a, b, p) => {
                let chosen = self.pred(*p);
                let mut value = self.w[*b as usize];
                put32(&mut value, &self.w[*a as usize], chosen);
                put32(&mut self.w[*d as usize], &value, mask);
                self.selected(Reg::W(*d), Reg::W(*a), Reg::W(*b), *p, mask);
            }
            Op::Sel64(d, a, b, p) => {
                let chosen = self.pred(*p);
                let mut value = self.d[*b as usize];
                put64(&mut value, &self.d[*a as usize], chosen);
                put64(&mut self.d[*d as usize], &value, mask);
                self.selected(Reg::D(*d), Reg::D(*a), Reg::D(*b), *p, mask);
            }
            Op::Mov128(d, a) => {
                for half in 0..2 {
                    let value = self.d[(*a + half) as usize];
                    self.finish64(Spread::Copy, *d + half, &[Reg::D(*a + half)], &value, mask);
                }
            }
            Op::MovMany(moves) => {
                for (d, a) in moves {
                    let value = self.w[*a as usize];
                    self.finish32(Spread::Copy, *d, &[*a], &value, mask);
                }
            }
            Op::MovP(d, a) => self.set_pred(*d, mask, self.pred(*a), self.undefined_p[a.row as usize]),
            Op::LogicP(how, d, a, b) => {
                let (value, undefined) = self.combined(*how, *a, *b);
                self.set_pred(*d, mask, value, undefined);
            }
            Op::Pack(d, parts) => self.pack(*d, parts, mask),
            Op::Unpack(parts, a) => self.unpack(parts, *a, mask),
            Op::Scalar(scalar) => self.scalar(&scalar.0.f, scalar.1, &scalar.2, mask),
            Op::Lop3(lop3) => self.lop3(lop3, mask),
            Op::Carry(carry) => self.carry(carry, mask),
            _ => return false,
        }
        true
    }

    fn lop3(&mut self, lop3: &Lop3, mask: u32) {
        let from = lop3.from.map(|row| self.w[row as usize]);
        let value: Lanes32 = std::array::from_fn(|lane| {
            let [a, b, c, table] = from.map(|of| of[lane].into());
            bits::lop3(a, b, c, table) as u32
        });
        let holds =
            lanes(u32::MAX).fold(0, |holds, lane| holds | if value[lane] != 0 { BIT[lane] } else { 0 });
        let undefined = lop3.from.iter().fold(0, |all, row| all | self.undefined_w[*row as usize]);
        self.compared(&lop3.to, holds, !holds, undefined, mask);
        if let Some(d) = lop3.d {
            self.finish32(Spread::All, d, &lop3.from, &value, mask);
        }
    }

    #[inline]
    fn wide(&self, signed: bool, a: Row, b: Row) -> Lanes64 {
        let (a, b) = (&self.w[a as usize], &self.w[b as usize]);
        let mut out = [0; 32];
        for lane in 0..32 {
            out[lane] = if signed {
                (i64::from(a[lane] as i32) * i64::from(b[lane] as i32)) as u64
            } else {
                u64::from(a[lane]) * u64::from(b[lane])
            };
        }
        out
    }

    #[inline]
    fn finish32(&mut self, spread: Spread, d: Row, from: &[Row], value: &Lanes32, mask: u32) {
        let undefined = from.iter().fold(0, |all, row| all | self.undefined_w[*row as usize]);
        if undefined & mask != 0 {
            let from: Vec<Reg> = from.iter().map(|row| Reg::W(*row)).collect();
            self.spread(spread, Reg::W(d), &from, mask);
        } else {
            self.undefined_w[d as usize] &= !mask;
        }
        put32(&mut self.w[d as usize], value, mask);
    }

    #[inline]
    fn finish64(&mut self, spread: Spread, d: Row, from: &[Reg], value: &Lanes64, mask: u32) {
        let undefined = from.iter().fold(0, |all, reg| all | self.undefined(*reg));
        if undefined & mask != 0 {
            self.spread(spread, Reg::D(d), from, mask);
        } else {
            self.undefined_d[d as usize] &= !mask;
        }
        put64(&mut self.d[d as usize], value, mask);
    }

    /// Works out the undefined bits of a result from the operands, before it is written.
    #[cold]
    fn spread(&mut self, spread: Spread, d: Reg, from: &[Reg], mask: u32) {
        for lane in lanes(mask) {
            let shadow = |i: usize| from.get(i).map_or(0, |reg| self.shadow(*reg, lane));
            let value = |i: usize| from.get(i).map_or(0, |reg| self.get(*reg, lane));
            let any = (0..from.len()).any(|i| shadow(i) != 0);
            let all = if any { u64::MAX } else { 0 };
            let amount = value(1).min(63) as u32;
            let bits = match spread {
                Spread::All => all,
                Spread::And => shadow(0) & shadow(1) | shadow(0) & value(1) | shadow(1) & value(0),
                Spread::Or => shadow(0) & shadow(1) | shadow(0) & !value(1) | shadow(1) & !value(0),
                Spread::Xor => shadow(0) | shadow(1),
                Spread::Shl | Spread::ShrU | Spread::ShrS if shadow(1) != 0 => all,
                Spread::Shl => shadow(0) << amount,
                Spread::ShrU => shadow(0) >> amount,
                Spread::ShrS if matches!(d, Reg::D(_)) => (shadow(0) as i64 >> amount) as u64,
                Spread::ShrS => (i64::from(shadow(0) as u32 as i32) >> amount) as u64,
                Spread::Copy => shadow(0),
                Spread::CopySigned => i64::from(shadow(0) as u32 as i32) as u64,
            };
            self.set_shadow(d, lane, bits);
        }
    }

    /// Both predicates put together, and the lanes where that is undefined.
    fn combined(&self, how: Combine, a: PredSrc, b: PredSrc) -> (u32, u32) {
        let (x, y) = (self.pred(a), self.pred(b));
        let (ux, uy) = (self.undefined_p[a.row as usize], self.undefined_p[b.row as usize]);
        combine(how, (x, ux), (y, uy))
    }

    fn compared(&mut self, to: &CmpTo, holds: u32, opposite: u32, undefined: u32, mask: u32) {
        for (row, value) in [(to.p, holds), (to.q, opposite)] {
            let Some(row) = row else { continue };
            let (value, undefined) = match to.combine {
                None => (value, undefined),
                Some((how, c)) => {
                    let with = (self.pred(c), self.undefined_p[c.row as usize]);
                    combine(how, (value, undefined), with)
                }
            };
            self.set_pred(row, mask, value, undefined);
        }
    }

    /// The undefined bits of a selection.
    fn selected(&mut self, d: Reg, a: Reg, b: Reg, p: PredSrc, mask: u32) {
        let unsure = self.undefined_p[p.row as usize];
        if (self.undefined(a) | self.undefined(b) | unsure) & mask == 0 {
            self.define(d, mask);
            return;
        }
        let chosen = self.pred(p);
        for lane in lanes(mask) {
            let bits = if unsure & BIT[lane] != 0 {
                u64::MAX
            } else if chosen & BIT[lane] != 0 {
                self.shadow(a, lane)
            } else {
                self.shadow(b, lane)
            };
            self.set_shadow(d, lane, bits);
        }
    }

    fn pack(&mut self, d: Reg, parts: &[Reg], mask: u32) {
        if let Reg::Q(row) = d {
            for (half, part) in parts.chunks(parts.len().div_ceil(2)).enumerate() {
                self.pack(Reg::D(row + half as Row), part, mask);
            }
            return;
        }
        let bits = (width_mask(d).count_ones() as usize / parts.len()) as u32;
        let low = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let unsure = parts.iter().fold(0, |all, part| all | self.undefined(*part)) & mask;
        for lane in lanes(mask) {
            let (mut value, mut shadow) = (0, 0);
            for (at, part) in parts.iter().enumerate() {
                value |= (self.get(*part, lane) & low) << (at as u32 * bits);
                if unsure != 0 {
                    shadow |= (self.shadow(*part, lane) & low) << (at as u32 * bits);
                }
            }
            self.set(d, lane, value);
            if unsure != 0 {
                self.set_shadow(d, lane, shadow);
            }
        }
    }

    fn unpack(&mut self, parts: &[Option<Reg>], a: Reg, mask: u32) {
        if let Reg::Q(row) = a {
            for (half, part) in parts.chunks(parts.len().div_ceil(2)).enumerate() {
                self.unpack(part, Reg::D(row + half as Row), mask);
            }
            return;
        }
        let bits = (width_mask(a).count_ones() as usize / parts.len()) as u32;
        let unsure = self.undefined(a) & mask;
        for lane in lanes(mask) {
            let (value, shadow) = (self.get(a, lane), if unsure == 0 { 0 } else { self.shadow(a, lane) });
            for (at, part) in parts.iter().enumerate() {
                let Some(part) = part else { continue };
                let shift = at as u32 * bits;
                let low = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
                self.set(*part, lane, value >> shift & low);
                if unsure != 0 {
                    self.set_shadow(*part, lane, shadow >> shift & low);
                }
            }
        }
    }

    fn operand(&self, operand: Operand, lane: usize) -> u64 {
        match operand {
            Operand::Reg(reg) => self.get(reg, lane),
            Operand::Pred(src) => u64::from(self.pred(src) >> lane & 1),
        }
    }

    fn operand_undefined(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Reg(reg) => self.undefined(reg),
            Operand::Pred(src) => self.undefined_p[src.row as usize],
        }
    }

    /// Executes lane-by-lane arithmetic.
    pub fn scalar(&mut self, f: &Fun, d: Reg, from: &[Operand], mask: u32) {
        let undefined = from.iter().fold(0, |all, operand| all | self.operand_undefined(*operand)) & mask;
        for lane in lanes(mask) {
            let value = |i: usize| self.operand(from[i], lane);
            let result = match f {
                Fun::F1(f) => f(value(0)),
                Fun::F2(f) => f(value(0), value(1)),
                Fun::F3(f) => f(value(0), value(1), value(2)),
                Fun::F4(f) => f(value(0), value(1), value(2), value(3)),
            };
            self.set(d, lane, result);
        }
        for lane in lanes(undefined) {
            self.set_shadow(d, lane, u64::MAX);
        }
    }

    fn carry(&mut self, carry: &Carry, mask: u32) {
        let bits = width_mask(carry.d);
        let mut from = vec![carry.a, carry.b];
        from.extend(carry.mad.map(|(_, c)| c));
        if carry.reads {
            from.push(Reg::P(0));
        }
        let undefined = from.iter().fold(0, |all, reg| all | self.undefined(*reg)) & mask;
        for lane in lanes(mask) {
            let (mut a, mut b) = (self.get(carry.a, lane), self.get(carry.b, lane));
            if let Some((arith, c)) = &carry.mad {
                a = match arith.f {
                    Fun::F2(f) => f(a, b) & bits,
                    _ => a,
                };
                b = self.get(*c, lane);
            }
            // A subtraction adds the complement: the flag after it, and for it, is "no borrow".
            let flag = if carry.reads { self.p[0] & BIT[lane] != 0 } else { carry.sub };
            let b = if carry.sub { !b & bits } else { b };
            let wide = u128::from(a) + u128::from(b) + u128::from(flag);
            self.set(carry.d, lane, wide as u64 & bits);
            if carry.writes {
                let out = wide >> bits.count_ones() & 1;
                self.set(Reg::P(0), lane, out as u64);
            }
        }
        for lane in lanes(undefined) {
            self.set_shadow(carry.d, lane, u64::MAX);
            if carry.writes {
                self.set_shadow(Reg::P(0), lane, 1);
            }
        }
    }
}

/// Two predicates put together: values and the lanes where they are undefined.
fn combine(how: Combine, (x, ux): (u32, u32), (y, uy): (u32, u32)) -> (u32, u32) {
    let undefined = match how {
        Combine::And => ux & uy | ux & y | uy & x,
        Combine::Or => ux & uy | ux & !y | uy & !x,
        Combine::Xor => ux | uy,
    };
    (how.apply(x, y), undefined)
}

#[cfg(test)]
mod tests;
