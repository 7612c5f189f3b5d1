//! Which files a build compiled, from cargo's dep-info, and what is in them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use ptx_parse::hash::content_hash;

use crate::error::BuildError;

/// The files behind an output: those in its `.d` file and the `Cargo.toml` of every crate they belong to. Paths
/// are relative to `workspace`, with `..` where they lie beside it. A file that was written after `start`, when the
/// compiler may have read it already, gets a hash that no content has: the next build compiles it.
pub(crate) fn sources(
    dep_info: &Path,
    workspace: &Path,
    start: SystemTime,
) -> Result<BTreeMap<String, String>, BuildError> {
    let text = std::fs::read_to_string(dep_info).map_err(BuildError::io("read", dep_info))?;
    let mut paths: BTreeSet<PathBuf> = BTreeSet::new();
    for path in prerequisites(&text) {
        let path = workspace.join(path);
        if let Some(manifest) = path.ancestors().map(|dir| dir.join("Cargo.toml")).find(|file| file.is_file())
        {
            paths.insert(manifest);
        }
        paths.insert(path);
    }
    let mut sources = BTreeMap::new();
    for path in paths {
        let bytes = std::fs::read(&path).map_err(BuildError::io("read", &path))?;
        let written = std::fs::metadata(&path).and_then(|metadata| metadata.modified());
        let late = written.is_ok_and(|time| time >= start);
        let hash = if late { "changed during the build".to_owned() } else { content_hash(&bytes) };
        sources.insert(relative(&path, workspace), hash);
    }
    Ok(sources)
}

/// The paths after the first colon of a make rule; a space inside a path is `\ `.
fn prerequisites(text: &str) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for line in text.lines() {
        let Some((_, list)) = line.split_once(": ") else { continue };
        let mut path = String::new();
        let mut chars = list.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\\' if chars.peek() == Some(&' ') => path.extend(chars.next()),
                ' ' if !path.is_empty() => paths.push(PathBuf::from(std::mem::take(&mut path))),
                ' ' => {}
                _ => path.push(c),
            }
        }
        if !path.is_empty() {
            paths.push(PathBuf::from(path));
        }
    }
    paths
}

fn relative(path: &Path, base: &Path) -> String {
    let (path_parts, base_parts): (Vec<_>, Vec<_>) =
        (path.components().collect(), base.components().collect());
    let common = path_parts.iter().zip(&base_parts).take_while(|(a, b)| a == b).count();
    // Only the root in common: another disk or another home, where `..` would mean nothing.
    if common <= 1 {
        return path.display().to_string();
    }
    let up = base_parts[common..].iter().map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(path_parts[common..].iter().copied()).collect();
    relative.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_in_paths_survive() {
        let text = "/t/out.ptx: /w/a\\ b.rs /w/c.rs\n";
        assert_eq!(prerequisites(text), [PathBuf::from("/w/a b.rs"), PathBuf::from("/w/c.rs")]);
    }

    #[test]
    fn paths_are_relative_to_the_workspace() {
        let base = Path::new("/u/w");
        assert_eq!(relative(Path::new("/u/w/k/src/lib.rs"), base), "k/src/lib.rs");
        assert_eq!(relative(Path::new("/u/dep/src/lib.rs"), base), "../dep/src/lib.rs");
        assert_eq!(relative(Path::new("/opt/dep/src/lib.rs"), base), "/opt/dep/src/lib.rs");
    }
}
