//! What a launch knows of each feature, and how output rows are cut into units.

use gpu_std::DeviceRepr;

/// Elements of a table: f32.
pub const F32: u32 = 0;
/// Elements of a table: f16.
pub const F16: u32 = 1;
/// Elements of a table: bf16.
pub const BF16: u32 = 2;
/// Elements of a table: unsigned codes of 8 bits; each row has a scale and a bias, which are f32.
pub const CODES: u32 = 3;

/// One index per output row.
pub const ONE: u32 = 0;
/// The sum of a bag of rows.
pub const SUM: u32 = 1;
/// The mean of a bag of rows.
pub const MEAN: u32 = 2;
/// The sum of a bag of rows, each times its weight.
pub const WEIGHTED: u32 = 3;
/// No index: output row b has row b of the table.
pub const DENSE: u32 = 4;

/// The padding of a feature without one: no index is it, for no table has so many rows.
pub const NO_PADDING: u64 = u64::MAX;

/// What [`embed_check`](super::embed_check) has found where all is well.
pub const NOTHING: u64 = u64::MAX;

/// Bits of a position in what is found.
pub const POSITION_BITS: u32 = 39;

/// A feature: its table, its indices, its columns of the output. Addresses are those of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceRepr)]
#[repr(C)]
pub struct Feature {
    /// Row 0 of the table.
    pub rows_at: u64,
    /// Bytes from a row to the next.
    pub row_bytes: u64,
    /// Scale and bias of row 0, two f32; for [`CODES`].
    pub steps_at: u64,
    /// Bytes from the scale of a row to that of the next.
    pub steps_bytes: u64,
    /// Rows of the table.
    pub rows: u64,
    /// The indices.
    pub indices_at: u64,
    /// Where bags begin and end, one more than there are output rows.
    pub offsets_at: u64,
    /// A weight for each index, f32; for [`WEIGHTED`].
    pub weights_at: u64,
    /// How many indices there are.
    pub len: u64,
    /// The index that stands for no row, or [`NO_PADDING`].
    pub padding: u64,
    /// The first column.
    pub col: u64,
    /// The first unit.
    pub first_unit: u32,
    /// Elements of a unit: 1, or as many as 16 bytes of the wider of table and output have.
    pub unit: u32,
    /// [`F32`], [`F16`], [`BF16`] or [`CODES`].
    pub table: u32,
    /// [`ONE`], [`SUM`], [`MEAN`], [`WEIGHTED`] or [`DENSE`].
    pub pooling: u32,
}

/// What all features share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceRepr)]
#[repr(C)]
pub struct EmbedExtent {
    /// Output rows.
    pub batch: u64,
    /// Elements from an output row to the next.
    pub stride: u64,
    /// Units of an output row.
    pub units: u32,
    /// Groups of threads that go through the output rows side by side, a thread of each group for every unit.
    pub groups: u32,
}

/// An index or an offset of 32 or 64 bits.
///
/// Signed ones are read as unsigned: what is negative is then beyond every table and every list, which have fewer than 2^31
/// elements for 32-bit numbers.
pub trait Index: DeviceRepr {
    /// The number.
    fn widen(self) -> u64;
}

impl Index for u32 {
    #[inline(always)]
    fn widen(self) -> u64 {
        self as u64
    }
}

impl Index for u64 {
    #[inline(always)]
    fn widen(self) -> u64 {
        self
    }
}

/// A fault, so that the least of several is that of the first feature and the first position: of an index, or of the bag of a
/// row.
///
/// `feature` is below 2^24, `position` below 2^39.
#[inline(always)]
pub const fn fault(feature: u64, is_bag: bool, position: u64) -> u64 {
    feature << (POSITION_BITS + 1) | (is_bag as u64) << POSITION_BITS | position
}

/// Feature, whether it is a bag, and position of a [`fault`].
pub const fn fault_parts(fault: u64) -> (u64, bool, u64) {
    (fault >> (POSITION_BITS + 1), fault >> POSITION_BITS & 1 == 1, fault & ((1 << POSITION_BITS) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_order_by_feature_and_keep_their_parts() {
        let faults =
            [(0, false, 7), (0, false, 8), (0, true, 0), (1, false, 0), ((1 << 24) - 1, true, (1 << 39) - 2)];
        for (feature, is_bag, position) in faults {
            let fault = fault(feature, is_bag, position);
            assert_eq!(fault_parts(fault), (feature, is_bag, position));
            assert!(fault < NOTHING);
        }
        assert!(faults.windows(2).all(|pair| {
            let of = |(feature, is_bag, position)| fault(feature, is_bag, position);
            of(pair[0]) < of(pair[1])
        }));
    }

    #[test]
    fn negative_indices_are_beyond_every_table() {
        assert_eq!((-1_i32 as u32).widen(), (1 << 32) - 1);
        assert!((i32::MIN as u32).widen() >= 1 << 31);
        assert_eq!((-1_i64 as u64).widen(), u64::MAX);
    }
}
