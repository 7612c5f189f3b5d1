//! The files of the workspace, in memory.

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::Error;

/// Text files by their path below the workspace's folder. What is no text is left out.
#[derive(Debug, Default)]
pub struct Tree {
    files: BTreeMap<String, String>,
}

impl Tree {
    /// Reads every file but build results and git's own.
    pub fn read(root: &Path) -> Result<Self, Error> {
        let mut tree = Self::default();
        tree.read_folder(root, "")?;
        Ok(tree)
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> Result<(), Error> {
        for entry in std::fs::read_dir(folder).map_err(Error::io("read", folder))? {
            let entry = entry.map_err(Error::io("read", folder))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // `.git` is a file in a further worktree of a repository.
            if matches!(name.as_str(), ".git" | "target") {
                continue;
            }
            let (path, key) = (entry.path(), format!("{prefix}{name}"));
            if path.is_dir() {
                self.read_folder(&path, &format!("{key}/"))?;
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                self.files.insert(key, text);
            }
        }
        Ok(())
    }

    /// A tree of one file.
    pub fn of(path: &str, text: &str) -> Self {
        Self::default().with(path, text)
    }

    /// The same with one more file.
    pub fn with(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.to_owned(), text.to_owned());
        self
    }

    /// The text of a file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Every file, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Files of Rust code.
    pub fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.iter().filter(|(path, _)| path.ends_with(".rs"))
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gits_own_is_left_out_whether_file_or_folder() {
        let root = std::env::temp_dir().join(format!("warpsmith-tidy-{}", std::process::id()));
        for folder in ["a/.git", "b"] {
            std::fs::create_dir_all(root.join(folder)).expect("it is writable");
        }
        for file in ["a/.git/config", "b/.git", "b/kept"] {
            std::fs::write(root.join(file), "text").expect("it is writable");
        }
        let tree = Tree::read(&root);
        std::fs::remove_dir_all(&root).expect("it is ours");
        let names: Vec<String> = tree.expect("it is readable").files.into_keys().collect();
        assert_eq!(names, ["b/kept"]);
    }
}
