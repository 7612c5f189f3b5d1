//! `cargo xtask tidy`: arrows between crates, where things may stand, sizes, text, documents.
//!
//! Every check is tried first on a tree with a planted violation, so that one that has gone blind is an error itself.

mod arrows;
pub mod docs;
mod places;
mod sizes;
mod text;
mod tree;

use crate::error::Error;
use crate::workspace;
use tree::Tree;

/// A check: what it is called, what it looks for, and a tree in which it must find something.
pub struct Check {
    name: &'static str,
    find: fn(&Tree) -> Vec<String>,
    plant: fn() -> Tree,
}

const CHECKS: [&[Check]; 5] = [arrows::CHECKS, places::CHECKS, sizes::CHECKS, text::CHECKS, docs::CHECKS];

/// Runs every check and lists all that is broken.
pub fn run() -> Result<(), Error> {
    let checks: Vec<&Check> = CHECKS.iter().copied().flatten().collect();
    for check in &checks {
        see_it_fail(check)?;
    }
    let tree = Tree::read(workspace::root())?;
    let faults: Vec<String> = checks.iter().flat_map(|check| named(check, (check.find)(&tree))).collect();
    faults.iter().for_each(|fault| println!("{fault}"));
    println!("{} checks over {} files: {} faults", checks.len(), tree.len(), faults.len());
    if faults.is_empty() { Ok(()) } else { Err(Error::Tidy { count: faults.len() }) }
}

fn see_it_fail(check: &Check) -> Result<(), Error> {
    if (check.find)(&(check.plant)()).is_empty() {
        Err(Error::BlindCheck { check: check.name })
    } else {
        Ok(())
    }
}

fn named(check: &Check, faults: Vec<String>) -> Vec<String> {
    faults.into_iter().map(|fault| format!("{}: {fault}", check.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_finds_what_is_planted_for_it() {
        for check in CHECKS.iter().copied().flatten() {
            see_it_fail(check).expect("it finds the planted violation");
        }
    }

    #[test]
    fn a_check_that_finds_nothing_is_an_error() {
        let blind = Check { name: "blind", find: |_| Vec::new(), plant: Tree::default };
        assert!(matches!(see_it_fail(&blind), Err(Error::BlindCheck { check: "blind" })));
    }
}
