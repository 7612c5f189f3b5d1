//! A sum of doubles without any rounding, in parts that do not overlap (Shewchuk).

/// The most terms, and so the most parts: an element of C and 32 products.
pub(crate) const TERMS: usize = 33;

/// What was added so far, at most [`TERMS`] terms. Sums must stay below 2^1023.
#[derive(Clone, Debug)]
pub(crate) struct ExactSum {
    /// Parts of the sum, by rising magnitude; no two have bits of the same weight.
    parts: [f64; TERMS],
    /// How many there are.
    len: usize,
    /// Infinities and NaNs, added as they come; 0 while there are none.
    special: f64,
}

impl ExactSum {
    /// The sum of one term.
    pub fn new(first: f64) -> Self {
        let mut sum = Self { parts: [0.0; TERMS], len: 0, special: 0.0 };
        sum.add(first);
        sum
    }

    /// Adds a term.
    pub fn add(&mut self, term: f64) {
        if !term.is_finite() {
            self.special += term;
            return;
        }
        let (mut upper, mut kept) = (term, 0);
        for at in 0..self.len {
            let part = self.parts[at];
            let sum = upper + part;
            let of_part = sum - upper;
            let rest = (upper - (sum - of_part)) + (part - of_part);
            upper = sum;
            if rest != 0.0 {
                self.parts[kept] = rest;
                kept += 1;
            }
        }
        self.parts[kept] = upper;
        self.len = kept + 1;
    }

    /// The sum, rounded once to nearest even. What is no number is the one that instructions give, 0x7fffffff.
    pub fn to_f32(&self) -> f32 {
        if self.special.is_nan() {
            return f32::from_bits(0x7fff_ffff);
        }
        if self.special != 0.0 {
            return self.special as f32;
        }
        let mut parts = self.parts[..self.len].iter().rev();
        let mut sum = parts.next().copied().unwrap_or(0.0);
        for part in parts {
            let upper = sum + part;
            let rest = part - (upper - sum);
            sum = upper;
            if rest != 0.0 {
                // An odd last bit stands for what is below: the second rounding cannot take it for a tie.
                let bits = sum.to_bits();
                let odd = if bits & 1 == 1 {
                    bits
                } else if (rest > 0.0) == (sum > 0.0) {
                    bits + 1
                } else {
                    bits - 1
                };
                return f64::from_bits(odd) as f32;
            }
        }
        sum as f32
    }
}
