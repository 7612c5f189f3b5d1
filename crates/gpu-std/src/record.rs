//! The record of a kernel: JSON that travels in the section `.warpsmith.kernels` of the device code and, word for word,
//! in the host program. It is built while compiling, so sizes and alignments are the compiler's own.

/// Longest record in bytes.
const CAPACITY: usize = 8192;

/// Version of the format.
pub const VERSION: u64 = 1;

/// 64-bit FNV-1a (Fowler, Noll, Vo).
pub const fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

/// The first module below the crate, or the crate itself where there is none.
pub const fn family(path: &'static str) -> &'static str {
    let bytes = path.as_bytes();
    let mut start = 0;
    let mut i = 0;
    while i + 1 < bytes.len() {
        if bytes[i] == b':' && bytes[i + 1] == b':' {
            if start > 0 {
                return path.split_at(i).0.split_at(start).1;
            }
            start = i + 2;
            i += 1;
        }
        i += 1;
    }
    path.split_at(start).1
}

/// Builds a record at compile time.
#[derive(Clone, Copy)]
pub struct Writer {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl Writer {
    /// An empty record.
    #[allow(
        clippy::new_without_default,
        reason = "only ever used in constants, where Default cannot be called"
    )]
    pub const fn new() -> Self {
        Self { bytes: [0; CAPACITY], len: 0 }
    }

    /// Appends `text` as it is.
    ///
    /// # Panics
    /// At compile time, where the record grows past 8192 bytes.
    pub const fn text(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        assert!(self.len + bytes.len() <= CAPACITY, "kernel record over 8192 bytes: too many parameters");
        let mut i = 0;
        while i < bytes.len() {
            self.bytes[self.len] = bytes[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    /// Appends a number.
    pub const fn number(mut self, value: u64) -> Self {
        let mut digits = [0; 20];
        let mut at = digits.len();
        let mut rest = value;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        assert!(
            self.len + digits.len() - at <= CAPACITY,
            "kernel record over 8192 bytes: too many parameters"
        );
        while at < digits.len() {
            self.bytes[self.len] = digits[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    /// Length in bytes.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing has been appended.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The record.
    ///
    /// # Panics
    /// At compile time, where `N` is not [`len`](Self::len).
    pub const fn bytes<const N: usize>(&self) -> [u8; N] {
        assert!(N == self.len, "N must be the record's length");
        let mut out = [0; N];
        let mut i = 0;
        while i < N {
            out[i] = self.bytes[i];
            i += 1;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv1a_matches_published_vectors() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn family_is_the_first_module_below_the_crate() {
        assert_eq!(family("kernels_gpu::cross::hadamard"), "cross");
        assert_eq!(family("kernels_gpu::cross"), "cross");
        assert_eq!(family("kernels_gpu"), "kernels_gpu");
    }

    #[test]
    fn writer_builds_text_and_numbers() {
        const W: Writer = Writer::new().text("{\"n\":").number(0).text(",\"m\":").number(u64::MAX).text("}");
        const BYTES: [u8; W.len()] = W.bytes();
        assert_eq!(&BYTES, b"{\"n\":0,\"m\":18446744073709551615}");
    }
}
