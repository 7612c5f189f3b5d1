//! FNV-1a hashes: the signature of an entry (64 bits) and the content of a file (128 bits).
//!
//! They tell one build from another. They do not defend against somebody who wants a collision.

/// 64-bit FNV-1a of `bytes`.
///
/// ```
/// assert_eq!(ptx_parse::hash::fnv1a_64(b""), 0xcbf2_9ce4_8422_2325);
/// ```
#[must_use]
pub const fn fnv1a_64(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

/// A running 128-bit FNV-1a hash.
#[derive(Debug, Clone)]
pub struct Hasher(u128);

impl Default for Hasher {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Hasher {
    /// Adds raw bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(PRIME);
        }
        self
    }

    /// Adds one field, its length first, so that two fields never run into each other.
    pub fn field(&mut self, text: &str) -> &mut Self {
        self.bytes(&(text.len() as u64).to_le_bytes()).bytes(text.as_bytes())
    }

    /// 32 hexadecimal digits.
    #[must_use]
    pub fn finish(&self) -> String {
        format!("{:032x}", self.0)
    }
}

/// 128-bit FNV-1a of `bytes` as 32 hexadecimal digits.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> String {
    Hasher::default().bytes(bytes).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values_of_fnv1a() {
        assert_eq!(fnv1a_64(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(content_hash(b"a"), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn fields_do_not_run_into_each_other() {
        let ab_c = Hasher::default().field("ab").field("c").finish();
        let a_bc = Hasher::default().field("a").field("bc").finish();
        assert_ne!(ab_c, a_bc);
    }
}
