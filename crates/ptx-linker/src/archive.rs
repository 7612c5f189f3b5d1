//! Reads `ar` archives (GNU and BSD names), which is what an rlib is.

use std::path::Path;

use crate::error::LinkError;

/// First bytes of every archive.
pub(crate) const MAGIC: &[u8] = b"!<arch>\n";
const HEADER: usize = 60;

/// One file of an archive.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Member<'a> {
    /// Its name.
    pub(crate) name: String,
    /// Its content.
    pub(crate) data: &'a [u8],
}

/// The members of an archive, without its symbol and name tables.
pub(crate) fn members<'a>(path: &Path, bytes: &'a [u8]) -> Result<Vec<Member<'a>>, LinkError> {
    let damaged = |offset, reason| LinkError::Archive { path: path.to_owned(), offset, reason };
    if !bytes.starts_with(MAGIC) {
        return Err(damaged(0, "no archive signature"));
    }
    let mut all = Vec::new();
    let mut long_names: &[u8] = &[];
    let mut at = MAGIC.len();
    while at < bytes.len() {
        let header = bytes.get(at..at + HEADER).ok_or_else(|| damaged(at, "a member's header is cut off"))?;
        if &header[58..60] != b"`\n" {
            return Err(damaged(at, "no end mark in a member's header"));
        }
        let size = number(&header[48..58]).ok_or_else(|| damaged(at, "a member's size is no number"))?;
        let start = at + HEADER;
        let end = start.checked_add(size).filter(|&end| end <= bytes.len());
        let data = &bytes[start..end.ok_or_else(|| damaged(at, "a member's content is cut off"))?];
        match trimmed(&header[..16]) {
            b"/" | b"/SYM64/" | b"__.SYMDEF" => {}
            b"//" => long_names = data,
            name => {
                let member = named(name, data, long_names)
                    .ok_or_else(|| damaged(at, "a member's name is unreadable"))?;
                all.push(member);
            }
        }
        at = start + size + size % 2;
    }
    Ok(all)
}

fn named<'a>(name: &[u8], data: &'a [u8], long_names: &[u8]) -> Option<Member<'a>> {
    let (name, data) = if let Some(len) = name.strip_prefix(b"#1/") {
        let (name, data) = data.split_at_checked(number(len)?)?;
        (name.split(|&byte| byte == 0).next().unwrap_or(name), data)
    } else if let Some(offset) = name.strip_prefix(b"/") {
        let rest = long_names.get(number(offset)?..)?;
        (rest.split(|&byte| byte == b'/' || byte == b'\n').next().unwrap_or(rest), data)
    } else {
        (name.strip_suffix(b"/").unwrap_or(name), data)
    };
    Some(Member { name: String::from_utf8_lossy(name).into_owned(), data })
}

fn number(text: &[u8]) -> Option<usize> {
    std::str::from_utf8(trimmed(text)).ok()?.parse().ok()
}

fn trimmed(text: &[u8]) -> &[u8] {
    text.trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for (name, data) in files {
            bytes.extend(
                format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, data.len()).bytes(),
            );
            bytes.extend(*data);
            bytes.extend((data.len() % 2 == 1).then_some(b'\n'));
        }
        bytes
    }

    #[test]
    fn reads_short_long_and_bsd_names() {
        let bytes = archive(&[
            ("/", b"symbols"),
            ("//", b"a_very_long_member_name.o/\nanother_long_name.o/\n"),
            ("short.o/", b"one"),
            ("/27", b"two!"),
            ("#1/8", b"bsd.o\0\0\0three"),
        ]);
        let members = members(Path::new("x.rlib"), &bytes).unwrap();
        let got: Vec<_> = members.iter().map(|m| (m.name.as_str(), m.data)).collect();
        let want: [(&str, &[u8]); 3] =
            [("short.o", b"one"), ("another_long_name.o", b"two!"), ("bsd.o", b"three")];
        assert_eq!(got, want);
    }

    #[test]
    fn damage_is_an_error_at_every_cut() {
        let bytes = archive(&[("a.o/", b"one"), ("b.o/", b"four")]);
        let whole = members(Path::new("x.rlib"), &bytes).unwrap().len();
        for cut in 0..bytes.len() {
            if let Ok(part) = members(Path::new("x.rlib"), &bytes[..cut]) {
                assert!(part.len() < whole, "cut at {cut} went unnoticed");
            }
        }
        let error = members(Path::new("x.rlib"), &archive(&[("/99", b"one")])).unwrap_err();
        assert!(error.to_string().contains("name is unreadable"));
    }
}
