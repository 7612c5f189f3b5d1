//! The generated parts of a document: what stands between `<!-- generated: NAME -->` and `<!-- end -->`.

use std::path::Path;

use crate::error::Error;

/// The line that ends a generated part.
const END: &str = "<!-- end -->";

fn start(name: &str) -> String {
    format!("<!-- generated: {name} -->")
}

/// The text of part `name`, without the markers.
pub fn part<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("{}\n", start(name)))?;
    rest.split_once(END).map(|(part, _)| part)
}

/// The document with part `name` replaced.
pub fn replace(path: &Path, text: &str, name: &str, new: &str) -> Result<String, Error> {
    let old =
        part(text, name).ok_or_else(|| Error::NoMarker { path: path.to_owned(), name: name.to_owned() })?;
    let marker = format!("{}\n", start(name));
    let new = format!("{}\n", new.trim_end());
    Ok(text.replacen(&format!("{marker}{old}{END}"), &format!("{marker}{new}{END}"), 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_part_is_replaced() {
        let text =
            "a\n<!-- generated: x -->\nold\n<!-- end -->\nb\n<!-- generated: y -->\nkept\n<!-- end -->\n";
        let new = replace(Path::new("R"), text, "x", "new\n\n").expect("the part is there");
        assert_eq!(new, text.replace("old", "new"));
        assert!(matches!(replace(Path::new("R"), text, "z", ""), Err(Error::NoMarker { .. })));
    }
}
