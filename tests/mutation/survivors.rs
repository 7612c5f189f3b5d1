//! Mutants that are known to survive, each with the reason: `mutation/survivors/`, a file per family of kernels.
//!
//! `cargo xtask mutants` fails on a line that fits no survivor or fits a mutant that is killed; one survivor in twenty may be
//! missing here. Names are `entry:instruction#number:change`, the number counting instructions of one name in the entry; `*` stands
//! for anything. What became of every mutant is in `target/tmp/mutants/<entry>.tsv` after a run.

use serde::Deserialize;

use crate::harness::{Stop, fail};

/// Families with what is known of them.
const FILES: [(&str, &str); 5] = [
    ("cross", include_str!("survivors/cross.toml")),
    ("dtw", include_str!("survivors/dtw.toml")),
    ("embedding", include_str!("survivors/embedding.toml")),
    ("matmul", include_str!("survivors/matmul.toml")),
    ("quantize", include_str!("survivors/quantize.toml")),
];

/// The known ones.
#[derive(Debug, Default, Deserialize)]
pub struct Survivors {
    /// Groups of one reason.
    #[serde(default)]
    survivor: Vec<Group>,
}

/// Mutants that survive for one reason.
#[derive(Debug, Deserialize)]
pub struct Group {
    /// Why no input can show the difference, or why none needs to.
    pub reason: String,
    /// Their names; `*` stands for anything.
    pub mutants: Vec<String>,
}

impl Survivors {
    /// The committed ones.
    ///
    /// # Errors
    /// A file that is no TOML, a group without reason or mutants.
    pub fn committed() -> Result<Self, Stop> {
        Self::of_families(|_| true)
    }

    /// Those of the kernels of a family.
    ///
    /// # Errors
    /// As [`committed`](Self::committed).
    pub fn of_family(family: &str) -> Result<Self, Stop> {
        Self::of_families(|known| known == family)
    }

    fn of_families(wanted: impl Fn(&str) -> bool) -> Result<Self, Stop> {
        let mut all = Self::default();
        for (family, text) in FILES.into_iter().filter(|(family, _)| wanted(family)) {
            all.survivor.extend(Self::parse(family, text)?.survivor);
        }
        Ok(all)
    }

    fn parse(family: &str, text: &str) -> Result<Self, Stop> {
        let survivors: Self = toml::from_str(text)?;
        match survivors
            .survivor
            .iter()
            .find(|group| group.reason.trim().is_empty() || group.mutants.is_empty())
        {
            Some(group) => {
                fail(format!("survivors of {family}: a group without reason or mutants: {group:?}"))
            }
            None => Ok(survivors),
        }
    }

    /// Why this mutant survives, where it is known.
    pub fn reason(&self, name: &str) -> Option<&str> {
        let known = |group: &&Group| group.mutants.iter().any(|pattern| matches(pattern, name));
        self.survivor.iter().find(known).map(|group| group.reason.as_str())
    }

    /// All patterns.
    pub fn patterns(&self) -> impl Iterator<Item = &str> {
        self.survivor.iter().flat_map(|group| group.mutants.iter().map(String::as_str))
    }
}

/// Whether `name` is what the pattern says, `*` being any text.
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(head) else { return false };
    let (between, tail) = rest.rsplit_once('*').unwrap_or(("", rest));
    // The first place where each part fits leaves the most for the others.
    for part in between.split('*') {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(tail)
}
