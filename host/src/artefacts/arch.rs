//! Architectures: their names, their order, what runs on what.

use std::fmt;
use std::str::FromStr;

use super::ArtefactError;

/// What follows the number of an architecture. In the order of preference for one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Suffix {
    /// `sm_90`: runs on this and every newer device.
    None,
    /// `sm_100f`: runs on this and newer devices of the same major number.
    Family,
    /// `sm_90a`: runs on devices of exactly this number.
    Exact,
}

/// An architecture that PTX can be written for, such as `sm_90` or `sm_90a`. Ordered from old to new; of one number,
/// the more special is the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arch {
    major: u32,
    minor: u32,
    suffix: Suffix,
}

impl Arch {
    /// The plain architecture of a compute capability: (9, 0) is `sm_90`.
    #[must_use]
    pub const fn of_device(compute: (u32, u32)) -> Self {
        Self { major: compute.0, minor: compute.1, suffix: Suffix::None }
    }

    /// What runs on devices of exactly a compute capability: (9, 0) is `sm_90a`.
    #[must_use]
    pub const fn of_exact_device(compute: (u32, u32)) -> Self {
        Self { major: compute.0, minor: compute.1, suffix: Suffix::Exact }
    }

    /// The compute capability it is named for: `sm_90a` is (9, 0).
    #[must_use]
    pub const fn compute(self) -> (u32, u32) {
        (self.major, self.minor)
    }

    /// Whether PTX for this architecture runs on a device of this compute capability (PTX ISA, `.target`).
    #[must_use]
    pub fn runs_on(self, compute: (u32, u32)) -> bool {
        let own = (self.major, self.minor);
        match self.suffix {
            Suffix::None => own <= compute,
            Suffix::Family => self.major == compute.0 && self.minor <= compute.1,
            Suffix::Exact => own == compute,
        }
    }
}

impl fmt::Display for Arch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.suffix {
            Suffix::None => "",
            Suffix::Family => "f",
            Suffix::Exact => "a",
        };
        write!(f, "sm_{}{}{suffix}", self.major, self.minor)
    }
}

impl FromStr for Arch {
    type Err = ArtefactError;

    fn from_str(text: &str) -> Result<Self, ArtefactError> {
        let unknown = || ArtefactError::UnknownArch { text: text.to_owned() };
        let number = text.strip_prefix("sm_").ok_or_else(unknown)?;
        let (digits, suffix) = match number.as_bytes().last() {
            Some(b'a') => (&number[..number.len() - 1], Suffix::Exact),
            Some(b'f') => (&number[..number.len() - 1], Suffix::Family),
            _ => (number, Suffix::None),
        };
        if !(2..=4).contains(&digits.len()) || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(unknown());
        }
        let value: u32 = digits.parse().map_err(|_| unknown())?;
        Ok(Self { major: value / 10, minor: value % 10, suffix })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arch(text: &str) -> Arch {
        text.parse().expect("a valid architecture")
    }

    #[test]
    fn names_are_read_and_written() {
        for name in ["sm_80", "sm_90", "sm_90a", "sm_100f", "sm_121a"] {
            assert_eq!(arch(name).to_string(), name);
        }
        for wrong in ["", "sm_", "90", "sm_9", "sm_9x", "compute_90", "sm_90b", "sm_a", "sm_+90"] {
            assert!(Arch::from_str(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn newer_and_more_special_is_greater() {
        let mut all = ["sm_90a", "sm_80", "sm_100", "sm_90", "sm_89"].map(arch);
        all.sort();
        assert_eq!(all.map(|a| a.to_string()), ["sm_80", "sm_89", "sm_90", "sm_90a", "sm_100"]);
    }

    #[test]
    fn plain_runs_forward_family_within_it_exact_nowhere_else() {
        assert!(
            arch("sm_80").runs_on((9, 0)) && arch("sm_90").runs_on((9, 0)) && !arch("sm_90").runs_on((8, 9))
        );
        assert!(
            arch("sm_90a").runs_on((9, 0))
                && !arch("sm_90a").runs_on((10, 0))
                && !arch("sm_90a").runs_on((8, 0))
        );
        assert!(arch("sm_100f").runs_on((10, 3)) && !arch("sm_100f").runs_on((12, 0)));
    }
}
