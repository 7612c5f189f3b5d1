//! Integers of 128 bits in terms of 64: LLVM 7 calls functions for these operations, which nothing defines.

use super::function::Writer;

impl Writer<'_, '_> {
    /// The upper and the lower half of an `i128`.
    fn halves(&mut self, a: &str) -> [String; 2] {
        let high = self.temp(&format!("lshr i128 {a}, 64"));
        [high, a.to_owned()].map(|half| self.temp(&format!("trunc i128 {half} to i64")))
    }

    /// The `i128` of two halves.
    fn whole(&mut self, high: &str, low: &str) -> String {
        let [high, low] = [high, low].map(|half| self.temp(&format!("zext i64 {half} to i128")));
        let high = self.temp(&format!("shl i128 {high}, 64"));
        format!("or i128 {high}, {low}")
    }

    /// `ctpop`, `ctlz`, `cttz`, `bitreverse` or `bswap`.
    pub(super) fn bits_of_128(&mut self, word: &str, a: &str) -> String {
        let [high, low] = self.halves(a);
        let [of_high, of_low] = [&high, &low].map(|half| {
            let result = self.wide_bits(64, word, half);
            self.temp(&result)
        });
        let count = match word {
            "ctpop" => self.temp(&format!("add i64 {of_high}, {of_low}")),
            "ctlz" => self.counted(&high, &of_high, &of_low),
            "cttz" => self.counted(&low, &of_low, &of_high),
            // The halves change places.
            _ => return self.whole(&of_low, &of_high),
        };
        format!("zext i64 {count} to i128")
    }

    /// Zeros of the half where the count begins, and of the other where that one is zero.
    fn counted(&mut self, first: &str, of_first: &str, of_second: &str) -> String {
        let longer = self.temp(&format!("add i64 {of_second}, 64"));
        let zero = self.temp(&format!("icmp eq i64 {first}, 0"));
        self.temp(&format!("select i1 {zero}, i64 {longer}, i64 {of_first}"))
    }

    /// Product, wrapped, and whether it is another than the exact one.
    pub(super) fn product_of_128(&mut self, signed: bool, a: &str, b: &str) -> (String, String) {
        if !signed {
            return self.unsigned_product(a, b);
        }
        let [(size_a, negative_a), (size_b, negative_b)] = [a, b].map(|x| self.size(x));
        let (size, over) = self.unsigned_product(&size_a, &size_b);
        let negative = self.temp(&format!("xor i1 {negative_a}, {negative_b}"));
        let minus = self.temp(&format!("sub i128 0, {size}"));
        let product = self.temp(&format!("select i1 {negative}, i128 {minus}, i128 {size}"));
        // The sign of a product that is not 0 must be the one that the signs of the factors make.
        let below = self.temp(&format!("icmp slt i128 {product}, 0"));
        let wrong = self.temp(&format!("xor i1 {below}, {negative}"));
        let some = self.temp(&format!("icmp ne i128 {size}, 0"));
        let wrong = self.temp(&format!("and i1 {wrong}, {some}"));
        (product, self.temp(&format!("or i1 {over}, {wrong}")))
    }

    /// The number without its sign, and whether it has one.
    fn size(&mut self, x: &str) -> (String, String) {
        let negative = self.temp(&format!("icmp slt i128 {x}, 0"));
        let minus = self.temp(&format!("sub i128 0, {x}"));
        (self.temp(&format!("select i1 {negative}, i128 {minus}, i128 {x}")), negative)
    }

    /// With `a = a1·2^64 + a0` and `b` likewise, what lies above 128 bits is `a1·b1`, and what the sum of the other
    /// products carries out. Where `a1·b1` is 0, one of these is too, and their sum fits.
    fn unsigned_product(&mut self, a: &str, b: &str) -> (String, String) {
        let [[a1, a0], [b1, b0]] = [a, b].map(|x| {
            let high = self.temp(&format!("lshr i128 {x}, 64"));
            [high, self.temp(&format!("and i128 {x}, 18446744073709551615"))]
        });
        let [low, left, right] =
            [(&a0, &b0), (&a1, &b0), (&a0, &b1)].map(|(a, b)| self.temp(&format!("mul i128 {a}, {b}")));
        let cross = self.temp(&format!("add i128 {left}, {right}"));
        let carried = self.temp(&format!("lshr i128 {low}, 64"));
        let upper = self.temp(&format!("add i128 {cross}, {carried}"));
        let shifted = self.temp(&format!("shl i128 {cross}, 64"));
        let product = self.temp(&format!("add i128 {low}, {shifted}"));
        let beyond = self.temp(&format!("lshr i128 {upper}, 64"));
        let [beyond, some_a, some_b] =
            [beyond, a1, b1].map(|value| self.temp(&format!("icmp ne i128 {value}, 0")));
        let both = self.temp(&format!("and i1 {some_a}, {some_b}"));
        (product, self.temp(&format!("or i1 {both}, {beyond}")))
    }
}
