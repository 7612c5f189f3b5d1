//! PTX versions, and which driver takes which.

use std::fmt;
use std::str::FromStr;

/// No PTX version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no PTX version; a manifest has it as `7.8`: run `cargo xtask build-ptx`")]
pub struct UnknownPtxVersion {
    /// What was read.
    pub text: String,
}

/// A PTX version, such as 7.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PtxVersion {
    major: u32,
    minor: u32,
}

/// A CUDA version as drivers write it, 1000 * major + 10 * minor; printed as `13.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CudaVersion(pub u32);

impl fmt::Display for CudaVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 1000, self.0 % 1000 / 10)
    }
}

/// The first CUDA release whose driver takes a PTX version, oldest first. Source: PTX ISA, "Release Notes", table "PTX
/// Release History".
const FIRST_DRIVER: [(u32, PtxVersion); 22] = [
    (11_000, PtxVersion::new(7, 0)),
    (11_010, PtxVersion::new(7, 1)),
    (11_020, PtxVersion::new(7, 2)),
    (11_030, PtxVersion::new(7, 3)),
    (11_040, PtxVersion::new(7, 4)),
    (11_050, PtxVersion::new(7, 5)),
    (11_060, PtxVersion::new(7, 6)),
    (11_070, PtxVersion::new(7, 7)),
    (11_080, PtxVersion::new(7, 8)),
    (12_000, PtxVersion::new(8, 0)),
    (12_010, PtxVersion::new(8, 1)),
    (12_020, PtxVersion::new(8, 2)),
    (12_030, PtxVersion::new(8, 3)),
    (12_040, PtxVersion::new(8, 4)),
    (12_050, PtxVersion::new(8, 5)),
    (12_070, PtxVersion::new(8, 6)),
    (12_080, PtxVersion::new(8, 7)),
    (12_090, PtxVersion::new(8, 8)),
    (13_000, PtxVersion::new(9, 0)),
    (13_010, PtxVersion::new(9, 1)),
    (13_020, PtxVersion::new(9, 2)),
    (13_030, PtxVersion::new(9, 3)),
];

impl PtxVersion {
    /// `major.minor`.
    #[must_use]
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }

    /// The newest version that a driver of this CUDA version (1000 * major + 10 * minor) takes; `None` for drivers older
    /// than CUDA 11.0, which know no device that Warpsmith compiles for. A driver newer than the table takes at least the
    /// table's newest.
    #[must_use]
    pub fn newest_for(driver: u32) -> Option<Self> {
        FIRST_DRIVER.iter().rev().find(|(first, _)| *first <= driver).map(|(_, version)| *version)
    }

    /// The CUDA version of the oldest driver that takes this PTX version; `None` where the table does not know it.
    #[must_use]
    pub fn oldest_driver(self) -> Option<u32> {
        FIRST_DRIVER.iter().find(|(_, version)| *version >= self).map(|(first, _)| *first)
    }
}

impl fmt::Display for PtxVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for PtxVersion {
    type Err = UnknownPtxVersion;

    fn from_str(text: &str) -> Result<Self, UnknownPtxVersion> {
        let parsed =
            text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        let (major, minor) = parsed.ok_or_else(|| UnknownPtxVersion { text: text.to_owned() })?;
        Ok(Self { major, minor })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_takes_the_newest_version_of_its_release() {
        assert_eq!(PtxVersion::newest_for(13_000), Some(PtxVersion::new(9, 0)));
        assert_eq!(PtxVersion::newest_for(12_060), Some(PtxVersion::new(8, 5)));
        assert_eq!(PtxVersion::newest_for(11_040), Some(PtxVersion::new(7, 4)));
        assert_eq!(PtxVersion::newest_for(10_020), None);
        assert_eq!(PtxVersion::newest_for(99_000), Some(PtxVersion::new(9, 3)));
    }

    #[test]
    fn a_version_names_the_oldest_driver_that_takes_it() {
        assert_eq!(PtxVersion::new(7, 8).oldest_driver(), Some(11_080));
        assert_eq!(PtxVersion::new(8, 6).oldest_driver(), Some(12_070));
        assert_eq!(PtxVersion::new(6, 0).oldest_driver(), Some(11_000));
        assert_eq!(PtxVersion::new(10, 0).oldest_driver(), None);
    }

    #[test]
    fn a_cuda_version_is_printed_with_its_two_parts() {
        assert_eq!([12_060, 13_000].map(|version| CudaVersion(version).to_string()), ["12.6", "13.0"]);
    }

    #[test]
    fn the_table_grows() {
        assert!(FIRST_DRIVER.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    }

    #[test]
    fn versions_compare_by_number_not_by_text() {
        let read = |text: &str| PtxVersion::from_str(text).expect("a valid version");
        assert!(read("7.10") > read("7.8"));
        assert!(PtxVersion::from_str("7").is_err() && PtxVersion::from_str("7.x").is_err());
    }
}
