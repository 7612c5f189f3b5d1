//! How far a result may be from the reference.

use std::fmt;

/// How far a result may be from the reference, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Units in the last place of the reference's value.
    pub ulps: f64,
    /// Part of the reference's magnitude.
    pub rtol: f64,
    /// Absolute difference.
    pub atol: f64,
    /// Why so much and no more.
    pub reason: &'static str,
}

impl Tolerance {
    /// The very bits of the reference, except that any NaN stands for another.
    pub const fn exact(reason: &'static str) -> Self {
        Self { ulps: 0.0, rtol: 0.0, atol: 0.0, reason }
    }

    /// At most `ulps` units in the last place.
    pub const fn ulps(ulps: f64, reason: &'static str) -> Self {
        Self { ulps, rtol: 0.0, atol: 0.0, reason }
    }

    /// Whether only the very bits will do.
    pub fn is_exact(&self) -> bool {
        self.ulps == 0.0 && self.rtol == 0.0 && self.atol == 0.0
    }

    /// The largest difference allowed at `want`, of which one unit in the last place is `ulp`.
    pub fn limit(&self, want: f64, ulp: f64) -> f64 {
        self.atol.max(self.rtol * want.abs()).max(self.ulps * ulp)
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_exact() {
            return f.write_str("0 ulp");
        }
        let parts = [("ulp", self.ulps), ("relative", self.rtol), ("absolute", self.atol)];
        let mut separator = "";
        for (unit, value) in parts.into_iter().filter(|(_, value)| *value != 0.0) {
            write!(f, "{separator}{value} {unit}")?;
            separator = " or ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_of_the_three_counts() {
        let tolerance = Tolerance { ulps: 2.0, rtol: 0.5, atol: 0.25, reason: "a test" };
        assert_eq!(tolerance.limit(0.0, 0.0), 0.25);
        assert_eq!(tolerance.limit(-8.0, 0.0), 4.0);
        assert_eq!(tolerance.limit(0.0, 1.0), 2.0);
        assert_eq!(tolerance.to_string(), "2 ulp or 0.5 relative or 0.25 absolute");
        assert_eq!(Tolerance::exact("a test").to_string(), "0 ulp");
    }
}
