//! What a simulated device is opened with.

use std::str::FromStr;

use crate::artefacts::{Arch, Options, variable};
use crate::error::Error;

/// Environment variable that names the architecture of the PTX, such as `sm_80`.
pub const ARCH_VARIABLE: &str = "WARPSMITH_SIM_ARCH";

/// Environment variable that holds the seed of the scheduling order.
pub const SEED_VARIABLE: &str = "WARPSMITH_SIM_SEED";

/// Environment variable that turns statistics on: `1`.
pub const STATS_VARIABLE: &str = "WARPSMITH_SIM_STATS";

/// Which PTX runs, and how.
#[derive(Clone, Debug, Default)]
pub struct SimOptions {
    /// Which PTX. Where no architecture is given: `sm_90a`, or what a device of that capability takes where a place has no
    /// PTX for `sm_90a` itself.
    pub ptx: Options,
    /// How the simulator runs it: scheduling seed, step limit, threads, statistics.
    pub run: ptx_sim::Options,
}

impl SimOptions {
    /// The defaults, with what the environment says: [`ARCH_VARIABLE`], [`SEED_VARIABLE`], [`STATS_VARIABLE`].
    ///
    /// # Errors
    /// [`Error::Variable`] for a value that means nothing.
    pub fn from_environment() -> Result<Self, Error> {
        Self::from_variables(variable)
    }

    pub(super) fn from_variables(get: impl Fn(&'static str) -> Option<String>) -> Result<Self, Error> {
        let mut options = Self::default();
        options.ptx.arch = read::<Arch>(&get, ARCH_VARIABLE, "an architecture such as sm_80")?;
        if let Some(seed) = read(&get, SEED_VARIABLE, "a number")? {
            options.run.seed = seed;
        }
        options.run.stats = read::<u8>(&get, STATS_VARIABLE, "0 or 1")?.is_some_and(|on| on != 0);
        Ok(options)
    }
}

/// The variable's value; an empty one counts as absent.
fn read<T: FromStr>(
    get: impl Fn(&'static str) -> Option<String>,
    name: &'static str,
    want: &'static str,
) -> Result<Option<T>, Error> {
    let Some(value) = get(name).filter(|value| !value.is_empty()) else { return Ok(None) };
    value.parse().map(Some).map_err(|_| Error::Variable { name, value, want })
}
