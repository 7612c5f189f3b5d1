//! The modifiers of a `cvt` in front of its types, and how they become types and constants.

use super::super::soft::Round;

/// How a conversion rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    /// No modifier.
    Absent,
    /// `rn`, `rz`, `rm`, `rp`, `rna`: to the precision of the destination.
    Float(Round),
    /// `rni`, `rzi`, `rmi`, `rpi`: to a whole number.
    Whole(Round),
}

/// The bit of `.ftz` in [`Options::flags`].
pub(super) const FTZ: u8 = 1;
/// The bit of `.sat`.
pub(super) const SAT: u8 = 2;
/// The bit of `.relu`.
pub(super) const RELU: u8 = 4;
/// The bit of `.satfinite`.
pub(super) const SATFINITE: u8 = 8;

/// The modifiers of a conversion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Options {
    /// How it rounds.
    pub rounding: Rounding,
    /// A sum of [`FTZ`], [`SAT`], [`RELU`], [`SATFINITE`].
    pub flags: u8,
}

impl Options {
    /// Reads `{.rounding}{.ftz}{.sat}` or `.rounding{.relu}{.satfinite}`; the last two in either order. `None` for anything else.
    pub(super) fn read(words: &[&str]) -> Option<Self> {
        let rounding = words.first().map_or(Rounding::Absent, |word| rounding(word));
        let rest = if rounding == Rounding::Absent { words } else { &words[1..] };
        let flags = match rest {
            [] => 0,
            ["ftz"] => FTZ,
            ["sat"] => SAT,
            ["ftz", "sat"] => FTZ | SAT,
            ["relu"] => RELU,
            ["satfinite"] => SATFINITE,
            ["relu", "satfinite"] | ["satfinite", "relu"] => RELU | SATFINITE,
            _ => return None,
        };
        Some(Self { rounding, flags })
    }

    /// The flags, if none is outside `allowed`.
    pub(super) fn flags_within(self, allowed: u8) -> Option<u8> {
        (self.flags & !allowed == 0).then_some(self.flags)
    }
}

fn rounding(word: &str) -> Rounding {
    match word {
        "rn" => Rounding::Float(Round::Nearest),
        "rz" => Rounding::Float(Round::Zero),
        "rm" => Rounding::Float(Round::Down),
        "rp" => Rounding::Float(Round::Up),
        "rna" => Rounding::Float(Round::NearestAway),
        "rni" => Rounding::Whole(Round::Nearest),
        "rzi" => Rounding::Whole(Round::Zero),
        "rmi" => Rounding::Whole(Round::Down),
        "rpi" => Rounding::Whole(Round::Up),
        _ => Rounding::Absent,
    }
}

/// A rounding mode as a type.
pub(super) trait Mode {
    /// The mode.
    const ROUND: Round;
}

macro_rules! modes {
    ($($name:ident)*) => {$(
        #[doc = concat!("[`Round::", stringify!($name), "`]")]
        pub(super) enum $name {}
        impl Mode for $name {
            const ROUND: Round = Round::$name;
        }
    )*};
}
modes! { Nearest Zero Down Up }

/// `$f`, in which `$mode` names the type of the mode `$round`; `None` from the calling function for `rna`.
macro_rules! by_round {
    ($round:expr, $mode:ident => $f:expr) => {
        match $round {
            Round::Nearest => by_round!(@ $mode Nearest $f),
            Round::Zero => by_round!(@ $mode Zero $f),
            Round::Down => by_round!(@ $mode Down $f),
            Round::Up => by_round!(@ $mode Up $f),
            Round::NearestAway => return None,
        }
    };
    (@ $mode:ident $name:ident $f:expr) => {{
        type $mode = super::options::$name;
        $f
    }};
}
pub(super) use by_round;
