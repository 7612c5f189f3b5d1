//! Words that do not belong in the repository.

use super::{Check, Tree};

pub const CHECKS: &[Check] = &[
    Check {
        name: "machine path",
        find: machine_paths,
        plant: || Tree::of("README.md", &format!("see /{}/x\n", "home")),
    },
    Check {
        name: "registry host",
        find: registry_hosts,
        plant: || Tree::of("README.md", &format!("https://{}.io\n", "crates")),
    },
    Check {
        name: "switched off",
        find: switched_off,
        plant: || Tree::of("tests/x.rs", &format!("#[{}]\n", "ignore")),
    },
];

/// Folders that exist on one machine.
const FOLDERS: [&str; 4] = ["root", "work", "home", "tmp"];
/// Hosts of package registries.
const HOSTS: [&str; 5] = ["crates", "pypi", "pythonhosted", "npmjs", "deb."];

/// Places of every file but the lock file, whose lines cargo writes, and licences, which are what they are.
fn lines(tree: &Tree) -> impl Iterator<Item = (&str, usize, &str)> {
    let files = tree.iter().filter(|(path, _)| *path != "Cargo.lock" && !path.starts_with("LICENSE-"));
    files.flat_map(|(path, text)| text.lines().enumerate().map(move |(i, line)| (path, i + 1, line)))
}

fn all(tree: &Tree, is: fn(&str) -> bool, what: &str) -> Vec<String> {
    lines(tree)
        .filter(|(_, _, line)| is(line))
        .map(|(path, number, _)| format!("{path}:{number}: {what}"))
        .collect()
}

fn machine_paths(tree: &Tree) -> Vec<String> {
    all(tree, has_machine_path, "the path of one machine")
}

/// Whether a path below one of [`FOLDERS`] stands in the line, not as the end of a longer path.
fn has_machine_path(line: &str) -> bool {
    let follows = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '.');
    FOLDERS.iter().any(|folder| {
        let pattern = format!("/{folder}/");
        let starts =
            |at: usize| !line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.');
        line.match_indices(&pattern).any(|(at, _)| starts(at) && follows(&line[at + pattern.len()..]))
    })
}

fn registry_hosts(tree: &Tree) -> Vec<String> {
    all(tree, has_registry_host, "the host of a registry; name the package alone")
}

fn has_registry_host(line: &str) -> bool {
    let urls = line.split("://").skip(1);
    let hosts = urls.map(|rest| rest.split(['/', ' ', '"', '>', ')']).next().unwrap_or(rest));
    hosts.into_iter().any(|host| HOSTS.iter().any(|registry| host.contains(registry)))
}

fn switched_off(tree: &Tree) -> Vec<String> {
    let patterns = ["#[ignore", "FIXME", "XXX"];
    let files = lines(tree).filter(|(path, ..)| !path.starts_with("xtask/src/tidy/"));
    let found = files.filter(|(.., line)| {
        patterns.iter().any(|p| line.trim_start().starts_with(p)) || line.ends_with("|| true")
    });
    found
        .map(|(path, number, _)| {
            format!("{path}:{number}: a test, check or piece of work that is switched off")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_longer_path_is_no_machine_path() {
        let root = FOLDERS[0];
        assert!(has_machine_path(&format!("cd /{root}/x")));
        assert!(!has_machine_path(&format!("src/{root}/x")));
        assert!(!has_machine_path(&format!("a /{root}/ b")));
    }

    #[test]
    fn a_word_without_address_is_no_host() {
        assert!(has_registry_host(&format!("https://static.{}.io/x", HOSTS[0])));
        assert!(!has_registry_host("crates/gpu-std, from https://example.org/crates"));
    }
}
