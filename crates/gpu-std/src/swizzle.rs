//! How the tiles that `wgmma` and the tensor copies work on lie in shared memory: swizzles, canonical layouts and matrix
//! descriptors, all pure functions of numbers.
//!
//! A tile is made of columns, each dense: its lines one after the other, `W` bytes each, `W` the swizzle's 128, 64 or 32
//! bytes, or 16 without one. The swizzle then exchanges the 16-byte pieces inside of 8 lines (the atom), so that neither the
//! rows nor the columns of an 8 × 16-byte core matrix meet a bank twice. It works on the address: bits 4 and up are XORed with
//! bits 7 and up, one, two or three of them. A tile therefore starts at a multiple of the atom, [`Swizzle::atom_bytes`];
//! [`Tile`] does. It is also what a tensor copy with this swizzle writes from a box of `W` bytes times the lines.
//!
//! Which is the line: for a K-major operand (`[mn, k]` with k contiguous) a row of A, or a column of B; for an MN-major one
//! (`[k, mn]` with mn contiguous) a k. Operands of 8 bits are K-major only.
//!
//! PTX ISA, “Asynchronous warpgroup level matrix shared memory layout”, “Matrix descriptor format”.

/// Lines of an atom, rows of a core matrix.
const LINES: usize = 8;

/// Bytes along K of one instruction: 16 elements of 16 bits, 32 of 8 bits.
const STEP_BYTES: usize = 32;

/// Elements along K of one instruction, of 16 bits.
const STEP_LINES: usize = 16;

/// The most bytes of an offset of a descriptor: 14 bits of 16-byte units.
const MAX_OFFSET: usize = ((1 << 14) - 1) * 16;

/// Which 16-byte pieces of a line lie where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swizzle {
    /// In order: core matrices of 128 bytes.
    None,
    /// Lines of 32 bytes, atoms of 256.
    B32,
    /// Lines of 64 bytes, atoms of 512.
    B64,
    /// Lines of 128 bytes, atoms of 1024.
    B128,
}

impl Swizzle {
    /// Bytes of a line, `W`: 16, 32, 64 or 128.
    pub const fn line_bytes(self) -> usize {
        match self {
            Swizzle::None => 16,
            Swizzle::B32 => 32,
            Swizzle::B64 => 64,
            Swizzle::B128 => 128,
        }
    }

    /// Bytes of 8 lines, after which the pattern repeats: what a tile is aligned to.
    pub const fn atom_bytes(self) -> usize {
        LINES * self.line_bytes()
    }

    /// Where the byte of an address lies: `address ^ (address >> 3 & mask)`, `mask` 0, 0x10, 0x30 or 0x70. It is its own
    /// inverse, and leaves the low four bits and those from bit 7 on as they are.
    pub const fn apply(self, address: usize) -> usize {
        address ^ (address >> 3 & (self.line_bytes() - 16))
    }

    /// Bits 62 and 63 of a matrix descriptor: 0, or 1, 2, 3 for 128, 64, 32 bytes.
    pub const fn mode(self) -> u64 {
        match self {
            Swizzle::None => 0,
            Swizzle::B128 => 1,
            Swizzle::B64 => 2,
            Swizzle::B32 => 3,
        }
    }
}

/// Which dimension of an operand is contiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Major {
    /// K: A is `[m, k]` row-major, B `[n, k]` row-major.
    K,
    /// M or N: A is `[k, m]` row-major, B `[k, n]` row-major.
    Mn,
}

/// The layout of a tile of an operand: `mn` × `k` elements.
///
/// Made in a constant, a tile that no instruction can read does not compile:
///
/// ```
/// use gpu_std::swizzle::{Swizzle, TileLayout};
///
/// const A: TileLayout = TileLayout::k_major::<i8>(64, 128, Swizzle::B128);
/// assert_eq!(A.bytes(), 8192);
/// // Row 3, k 16: the second piece of the line lies where the fourth would.
/// assert_eq!(A.offset(3, 16), 3 * 128 + (1 ^ 3) * 16);
/// ```
///
/// ```compile_fail
/// use gpu_std::swizzle::{Swizzle, TileLayout};
///
/// const A: TileLayout = TileLayout::k_major::<i8>(64, 64, Swizzle::B128);
/// # let _ = A;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileLayout {
    major: Major,
    swizzle: Swizzle,
    element_bytes: usize,
    lines: usize,
    columns: usize,
}

impl TileLayout {
    /// `mn` × `k` elements of `T` (8 or 16 bits), k contiguous.
    ///
    /// # Panics
    /// When compiled, in a constant: `mn` is no multiple of 8; `k` elements are no multiple of the swizzle's line and of the 32
    /// bytes of an instruction; a column is larger than a descriptor can say.
    pub const fn k_major<T>(mn: usize, k: usize, swizzle: Swizzle) -> Self {
        let bytes = k * size_of::<T>();
        assert!(matches!(size_of::<T>(), 1 | 2), "gpu_std: elements of a tile have 8 or 16 bits");
        assert!(mn > 0 && mn.is_multiple_of(LINES), "gpu_std: a K-major tile has a multiple of 8 rows");
        assert!(
            k > 0 && bytes.is_multiple_of(STEP_BYTES),
            "gpu_std: the k of a tile are a multiple of 32 bytes"
        );
        assert!(
            bytes.is_multiple_of(swizzle.line_bytes()),
            "gpu_std: the k of a tile are whole lines of its swizzle"
        );
        Self::new(Major::K, swizzle, size_of::<T>(), mn, bytes)
    }

    /// `mn` × `k` elements of `T` (16 bits), mn contiguous.
    ///
    /// # Panics
    /// When compiled, in a constant: `T` has not 16 bits; `k` is no multiple of 16; `mn` elements are no multiple of the
    /// swizzle's line; a column is larger than a descriptor can say.
    pub const fn mn_major<T>(mn: usize, k: usize, swizzle: Swizzle) -> Self {
        let bytes = mn * size_of::<T>();
        assert!(size_of::<T>() == 2, "gpu_std: only elements of 16 bits can be MN-major");
        assert!(k > 0 && k.is_multiple_of(STEP_LINES), "gpu_std: an MN-major tile has a multiple of 16 k");
        assert!(
            mn > 0 && bytes.is_multiple_of(swizzle.line_bytes()),
            "gpu_std: the rows of an MN-major tile are whole lines of its swizzle"
        );
        Self::new(Major::Mn, swizzle, size_of::<T>(), k, bytes)
    }

    const fn new(
        major: Major,
        swizzle: Swizzle,
        element_bytes: usize,
        lines: usize,
        contiguous_bytes: usize,
    ) -> Self {
        let columns = contiguous_bytes / swizzle.line_bytes();
        let tile = Self { major, swizzle, element_bytes, lines, columns };
        assert!(tile.column_bytes() <= MAX_OFFSET, "gpu_std: a column of a tile has at most 262128 bytes");
        tile
    }

    /// The contiguous dimension.
    pub const fn major(self) -> Major {
        self.major
    }

    /// The swizzle.
    pub const fn swizzle(self) -> Swizzle {
        self.swizzle
    }

    /// Bytes of the tile.
    pub const fn bytes(self) -> usize {
        self.columns * self.column_bytes()
    }

    /// Lines of a column: rows of a K-major tile, ks of an MN-major one.
    pub const fn lines(self) -> usize {
        self.lines
    }

    /// Columns of lines, one behind the other.
    pub const fn columns(self) -> usize {
        self.columns
    }

    const fn column_bytes(self) -> usize {
        self.lines * self.swizzle.line_bytes()
    }

    /// Where byte `byte` of line `line` would lie without a swizzle: `(byte / W · lines + line) · W + byte % W`.
    const fn plain_offset(self, line: usize, byte: usize) -> usize {
        let width = self.swizzle.line_bytes();
        (byte / width * self.lines + line) * width + byte % width
    }

    /// Where byte `byte` of line `line` lies in a tile that starts at a multiple of the atom. For copies: 16 bytes at a
    /// multiple of 16 stay together.
    pub const fn line_offset(self, line: usize, byte: usize) -> usize {
        self.swizzle.apply(self.plain_offset(line, byte))
    }

    /// Where element (`mn`, `k`) lies, in bytes.
    pub const fn offset(self, mn: usize, k: usize) -> usize {
        match self.major {
            Major::K => self.line_offset(mn, k * self.element_bytes),
            Major::Mn => self.line_offset(k, mn * self.element_bytes),
        }
    }

    /// Where the part that begins at (`mn`, `k`) lies, as [`MatrixDescriptor::advance`] takes it: `mn` a multiple of 8, `k` of
    /// one instruction's (16 elements of 16 bits, 32 of 8). In an MN-major tile a part of more than one column starts with
    /// one: `mn` is then a multiple of its elements.
    pub const fn part(self, mn: usize, k: usize) -> usize {
        match self.major {
            Major::K => self.plain_offset(mn, k * self.element_bytes),
            Major::Mn => self.plain_offset(k, mn * self.element_bytes),
        }
    }

    /// What a descriptor calls the leading and the stride byte offset.
    ///
    /// | | leading | stride |
    /// |---|---|---|
    /// | K-major, no swizzle | from 16 bytes of k to the next 16 | from 8 rows to the next 8 |
    /// | K-major, swizzled | not used | from 8 rows to the next 8 |
    /// | MN-major, no swizzle | from 8 k to the next 8 | from 8 elements of mn to the next 8 |
    /// | MN-major, swizzled | from a line's elements of mn to the next | from 8 k to the next 8 |
    pub const fn byte_offsets(self) -> (usize, usize) {
        let (atom, column) = (self.swizzle.atom_bytes(), self.column_bytes());
        match (self.major, self.swizzle) {
            (Major::K, Swizzle::None) => (column, atom),
            (Major::K, _) => (16, atom),
            (Major::Mn, Swizzle::None) => (atom, column),
            (Major::Mn, _) => (column, atom),
        }
    }

    /// The descriptor of the tile at `address` of shared memory (`shared::address`), a multiple of the atom.
    pub const fn descriptor(self, address: u32) -> MatrixDescriptor {
        let (leading, stride) = self.byte_offsets();
        MatrixDescriptor::new(address, leading as u32, stride as u32, self.swizzle)
    }
}

/// Where `wgmma` finds an operand in shared memory, in 64 bits.
///
/// | bits | |
/// |---|---|
/// | 0–13 | start address, in units of 16 bytes |
/// | 16–29 | leading byte offset, likewise |
/// | 32–45 | stride byte offset, likewise |
/// | 49–51 | base offset: 0 where the pattern of the swizzle starts at a multiple of the atom |
/// | 62–63 | [`Swizzle::mode`] |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixDescriptor(u64);

impl MatrixDescriptor {
    /// From its parts, in bytes; `address` below 2^18, all multiples of 16. For [`TileLayout`]s, use
    /// [`TileLayout::descriptor`].
    #[inline(always)]
    pub const fn new(address: u32, leading: u32, stride: u32, swizzle: Swizzle) -> Self {
        Self(encode(address) | encode(leading) << 16 | encode(stride) << 32 | swizzle.mode() << 62)
    }

    /// From the bits.
    #[inline(always)]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits.
    #[inline(always)]
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The same `bytes` further on, a multiple of 16 and inside the tile: see [`TileLayout::part`].
    #[inline(always)]
    pub const fn advance(self, bytes: usize) -> Self {
        Self(self.0 + (bytes as u64 >> 4))
    }

    /// Start address in bytes.
    pub const fn address(self) -> u32 {
        decode(self.0)
    }

    /// Leading byte offset.
    pub const fn leading(self) -> u32 {
        decode(self.0 >> 16)
    }

    /// Stride byte offset.
    pub const fn stride(self) -> u32 {
        decode(self.0 >> 32)
    }
}

#[inline(always)]
const fn encode(bytes: u32) -> u64 {
    (bytes >> 4 & 0x3fff) as u64
}

const fn decode(bits: u64) -> u32 {
    (bits as u32 & 0x3fff) << 4
}

/// `BYTES` bytes of shared memory that start at a multiple of 1024, what every swizzle asks for: the element type of a
/// [`SharedArray`](crate::shared::SharedArray) of tiles.
#[repr(C, align(1024))]
#[derive(Clone, Copy)]
pub struct Tile<const BYTES: usize>([u8; BYTES]);

impl<const BYTES: usize> Tile<BYTES> {
    /// Whether a layout fills it: for `const` assertions.
    pub const fn holds(layout: TileLayout) -> bool {
        layout.bytes() <= BYTES && BYTES.is_multiple_of(1024)
    }

    /// The bytes.
    pub const fn bytes(&self) -> &[u8; BYTES] {
        &self.0
    }
}

#[cfg(test)]
#[path = "swizzle/tests.rs"]
mod tests;
