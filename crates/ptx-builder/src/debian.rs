//! Debian's `rust-src` package, for machines where rustup cannot fetch it.
//!
//! Everything happens in a folder of our own: apt's state, its cache and the unpacked files. Needs no root and
//! changes nothing on the system. The mirror is the one that the machine's own apt sources name.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Suites that carry a rustc new enough.
const SUITES: [&str; 1] = ["trixie-backports"];
const KEYRINGS: [&str; 2] =
    ["/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp"];

/// Where [`fetch`] leaves the library folder.
pub(crate) fn library(version: &str, tools: &Path) -> PathBuf {
    tools.join(format!("rust-src-{version}/usr/src/rustc-{version}/library"))
}

/// Downloads and unpacks the package of exactly `version`; the answer is the library folder. The error is a
/// sentence with the next step.
pub(crate) fn fetch(version: &str, tools: &Path) -> Result<PathBuf, String> {
    let mirror = mirror(Path::new("/etc/apt"))
        .ok_or("no Debian mirror in /etc/apt; this way needs a Debian system (apt-get, dpkg-deb)")?;
    let keyring = KEYRINGS.iter().find(|path| Path::new(path).is_file());
    let keyring = keyring.ok_or("no Debian keyring; install debian-archive-keyring")?;
    let state = tools.join("apt");
    let text = |error: std::io::Error| format!("{}: {error}", state.display());
    for folder in ["lists/partial", "cache/archives/partial", "download"] {
        fs::create_dir_all(state.join(folder)).map_err(text)?;
    }
    let sources: String =
        SUITES.iter().map(|suite| format!("deb [signed-by={keyring}] {mirror} {suite} main\n")).collect();
    fs::write(state.join("sources.list"), sources).map_err(text)?;
    fs::write(state.join("status"), "").map_err(text)?;
    let apt = Apt { state: &state };

    apt.run("apt-get", &["update"])?;
    let listing = apt.run("apt-cache", &["madison", "rust-src"])?;
    let package = matching_version(&listing, version).ok_or_else(|| {
        format!("{} has no rust-src {version}; it has: {}", SUITES.join(", "), listing.trim())
    })?;
    apt.run("apt-get", &["download", &format!("rust-src={package}")])?;
    let deb = fs::read_dir(state.join("download"))
        .map_err(text)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|e| e == "deb") && is_version(path, version))
        .ok_or("apt-get download left no package")?;

    // Unpacked beside its place and moved there, so that a broken unpacking is never taken for a whole one.
    let (place, partial) =
        (tools.join(format!("rust-src-{version}")), tools.join(format!("rust-src-{version}.part")));
    for old in [&place, &partial] {
        if old.exists() {
            fs::remove_dir_all(old).map_err(text)?;
        }
    }
    let mut unpack = Command::new("dpkg-deb");
    unpack.arg("-x").arg(&deb).arg(&partial);
    run(unpack)?;
    fs::rename(&partial, &place).map_err(text)?;
    let library = library(version, tools);
    if crate::core_source::has_core(&library) {
        Ok(library)
    } else {
        Err(format!("the package holds no {}", library.display()))
    }
}

/// Runs apt's programs with all their state in a folder of ours.
struct Apt<'a> {
    state: &'a Path,
}

impl Apt<'_> {
    fn run(&self, program: &str, args: &[&str]) -> Result<String, String> {
        let path = |name: &str| self.state.join(name).display().to_string();
        let settings = [
            format!("Dir::Etc::sourcelist={}", path("sources.list")),
            "Dir::Etc::sourceparts=-".to_owned(),
            "Dir::Etc::preferencesparts=-".to_owned(),
            "Dir::Etc::preferences=-".to_owned(),
            format!("Dir::State={}", self.state.display()),
            format!("Dir::State::lists={}", path("lists")),
            format!("Dir::State::status={}", path("status")),
            format!("Dir::Cache={}", path("cache")),
            format!("Dir::Cache::archives={}", path("cache/archives")),
            "APT::Sandbox::User=".to_owned(),
            "Acquire::Languages=none".to_owned(),
        ];
        let mut command = Command::new(program);
        command.current_dir(self.state.join("download")).env("LC_ALL", "C");
        command.args(settings.iter().flat_map(|setting| ["-o", setting.as_str()])).args(args);
        run(command)
    }
}

fn run(mut command: Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot start {program}: {error}"))?;
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{program} failed: {}", log.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The package version of `apt-cache madison` whose upstream part is `version`: `1.95.0+dfsg1-1~bpo13+1`.
fn matching_version(listing: &str, version: &str) -> Option<String> {
    listing
        .lines()
        .filter_map(|line| line.split('|').nth(1))
        .map(str::trim)
        .find(|found| {
            let rest = found.strip_prefix(version);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
        })
        .map(str::to_owned)
}

fn is_version(deb: &Path, version: &str) -> bool {
    let name = deb.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(&format!("rust-src_{version}"))
}

/// The first URI whose path ends in `/debian`, from `sources.list` and `sources.list.d/*.{list,sources}`.
fn mirror(etc_apt: &Path) -> Option<String> {
    let mut files = vec![etc_apt.join("sources.list")];
    let mut parts: Vec<PathBuf> = fs::read_dir(etc_apt.join("sources.list.d"))
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    parts.sort();
    files.extend(parts);
    files.iter().filter_map(|file| fs::read_to_string(file).ok()).find_map(|text| mirror_in(&text))
}

fn mirror_in(text: &str) -> Option<String> {
    text.lines()
        .map(str::trim)
        .filter(|line| line.starts_with("deb ") || line.starts_with("URIs:"))
        .flat_map(str::split_whitespace)
        .map(|word| word.trim_end_matches('/'))
        .find(|word| word.contains("://") && word.ends_with("/debian"))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirror_comes_from_either_form_of_sources() {
        let deb822 =
            "Types: deb\n# URIs: http://old/debian\nURIs: http://sec/debian-security http://m/debian/\n";
        assert_eq!(mirror_in(deb822).as_deref(), Some("http://m/debian"));
        let one_line = "# deb http://x/debian a\ndeb [arch=amd64] https://n/debian bookworm main\n";
        assert_eq!(mirror_in(one_line).as_deref(), Some("https://n/debian"));
        assert_eq!(mirror_in("deb http://n/ubuntu noble main"), None);
    }

    #[test]
    fn only_exactly_the_same_version_matches() {
        let listing = " rust-src | 1.95.01-1 | m\n rust-src | 1.95.0+dfsg1-1~bpo13+1 | m suite\n";
        assert_eq!(matching_version(listing, "1.95.0").as_deref(), Some("1.95.0+dfsg1-1~bpo13+1"));
        assert_eq!(matching_version(listing, "1.94.0"), None);
        assert_eq!(matching_version(listing, "1.9"), None);
    }
}
