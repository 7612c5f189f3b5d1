//! The stored outputs: one compressed file per family, `sim/<family>.bin`.
//!
//! A zlib stream of records: length of the name (u16), the name, the check of the program (u32), length of the output
//! (u32), the output. Numbers are little-endian.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

/// What was recorded of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// [`Program::check`](super::program::Program::check) of what ran.
    pub check: u32,
    /// What it wrote.
    pub output: Vec<u8>,
}

/// The records of a family, by program.
pub type Family = BTreeMap<String, Record>;

/// Packs the records of a family.
pub fn pack(family: &Family) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    for (name, record) in family {
        encoder.write_all(&(name.len() as u16).to_le_bytes())?;
        encoder.write_all(name.as_bytes())?;
        encoder.write_all(&record.check.to_le_bytes())?;
        encoder.write_all(&(record.output.len() as u32).to_le_bytes())?;
        encoder.write_all(&record.output)?;
    }
    encoder.finish()
}

/// Reads them back.
///
/// # Errors
/// A file that is cut off or no such file at all.
pub fn unpack(packed: &[u8]) -> Result<Family, String> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(packed).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let (mut family, mut rest) = (Family::new(), bytes.as_slice());
    while !rest.is_empty() {
        let (name, record) = next(&mut rest).ok_or("a record is cut off")?;
        family.insert(name, record);
    }
    Ok(family)
}

fn next(rest: &mut &[u8]) -> Option<(String, Record)> {
    let length = u16::from_le_bytes(*rest.split_off(..2)?.first_chunk()?);
    let name = String::from_utf8(rest.split_off(..usize::from(length))?.to_vec()).ok()?;
    let check = u32::from_le_bytes(*rest.split_off(..4)?.first_chunk()?);
    let length = u32::from_le_bytes(*rest.split_off(..4)?.first_chunk()?);
    let output = rest.split_off(..usize::try_from(length).ok()?)?.to_vec();
    Some((name, Record { check, output }))
}
