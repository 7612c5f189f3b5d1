//! The tables of the wrappers: what the PTX of each must hold, and its parameters and result by the names of their types.

/// A wrapper, and the kernel around it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The wrapper, `__` and a variant behind it; the kernel is called `k_` and this.
    pub name: &'static str,
    /// The architecture from which on the wrapper exists; `None`: all.
    pub since: Option<&'static str>,
    /// The types of the parameters, after `out`.
    pub args: &'static [&'static str],
    /// The type of the result.
    pub ret: Option<&'static str>,
    /// What its PTX holds, and how often.
    pub expected: &'static [(&'static str, usize)],
}

impl Row {
    /// Whether the wrapper exists on an architecture.
    pub fn is_on(&self, arch: &str) -> bool {
        self.since.is_none_or(|since| since <= arch)
    }

    /// The name of its kernel.
    pub fn entry(&self) -> String {
        format!("k_{}", self.name)
    }

    /// The wrapper, without a variant.
    pub fn wrapper(&self) -> &'static str {
        self.name.split_once("__").map_or(self.name, |(wrapper, _)| wrapper)
    }

    /// Whether its instruction names a state space, scope or the like.
    pub fn has_word(&self, word: &str) -> bool {
        self.expected.iter().any(|(name, _)| name.split('.').any(|part| part == word))
    }
}

macro_rules! wrappers {
    ($(
        $(@ $sm:literal)? $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)? = $body:expr
            => $($expected:literal $(* $times:literal)?),*;
    )*) => {
        &[$(Row {
            name: stringify!($name),
            since: wrappers!(@option $($sm)?),
            args: &[$(stringify!($ty)),*],
            ret: wrappers!(@option $(stringify!($ret))?),
            expected: &[$(($expected, wrappers!(@times $($times)?))),*],
        }),*]
    };
    (@option) => { None };
    (@option $value:expr) => { Some($value) };
    (@times) => { 1 };
    (@times $times:literal) => { $times };
}

/// Scalars in, a scalar out.
pub const PURE: &[Row] = include!("../kernels/instructions/src/pure.rs");
/// Parameters and result are arrays by thread.
pub const TOGETHER: &[Row] = include!("../kernels/instructions/src/together.rs");
/// The same, of one whole warp.
pub const MATRIX: &[Row] = include!("../kernels/instructions/src/matrix.rs");
/// Barrier objects, bulk and tensor copies, clusters.
pub const FLIGHTS: &[Row] = include!("../kernels/instructions/src/flights.rs");
/// Matrix instructions of a warpgroup.
pub const WGMMA: &[Row] = include!("../kernels/instructions/src/wgmma.rs");
/// Of tensor maps.
pub const MAPS: &[Row] = include!("../kernels/instructions/src/maps.rs");
/// The others.
pub const OTHERS: &[Row] = include!("../kernels/instructions/src/table.rs");

/// All.
pub fn all() -> impl Iterator<Item = &'static Row> {
    PURE.iter().chain(TOGETHER).chain(MATRIX).chain(WGMMA).chain(FLIGHTS).chain(MAPS).chain(OTHERS)
}
