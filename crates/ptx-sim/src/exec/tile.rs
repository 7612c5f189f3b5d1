//! A box of a tensor: where its elements are in global memory and in shared memory (PTX ISA, "Tensors").
//!
//! Elements of the box are numbered innermost dimension first. In shared memory its rows follow one another, pieces of 16 bytes
//! exchanged as the swizzle says: by bits of the address, whatever the row.

use crate::{TensorFill, TensorMap, TensorSpec, TensorSwizzle};

/// Bytes of the pieces that swizzles exchange.
pub(super) const PIECE: u64 = 16;

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    spec: TensorSpec,
    /// The coordinates of the first element.
    first: Vec<i32>,
    /// Elements along each dimension.
    extent: Vec<u32>,
}

/// The NaN that a load of tf32 gives.
const TF32_NAN: u64 = 0x7fff_e000;

impl Tile {
    pub fn new(map: &TensorMap, first: Vec<i32>) -> Self {
        let spec = map.spec().clone();
        let along = |(at, size): (usize, &u32)| match at {
            0 => *size,
            _ => size.div_ceil(spec.element_strides[at]),
        };
        let extent = spec.box_dims.iter().enumerate().map(along).collect();
        Self { spec, first, extent }
    }

    /// Bytes of an element.
    pub fn element_bytes(&self) -> u32 {
        self.spec.element.bytes()
    }

    /// The type of the elements.
    pub fn spec(&self) -> &TensorSpec {
        &self.spec
    }

    /// Elements of the box.
    pub fn len(&self) -> u32 {
        self.extent.iter().fold(1, |all: u32, extent| all.saturating_mul(*extent))
    }

    /// Bytes of the box.
    pub fn bytes(&self) -> u32 {
        self.len().saturating_mul(self.element_bytes())
    }

    fn row_bytes(&self) -> u64 {
        u64::from(self.extent[0] * self.element_bytes())
    }

    /// Bytes from one row to the next in shared memory: a swizzle needs its whole width.
    fn pitch(&self) -> u64 {
        self.spec.swizzle.span().map_or(self.row_bytes(), u64::from)
    }

    /// The coordinates of its first element.
    pub fn first(&self) -> &[i32] {
        &self.first
    }

    /// Bytes that the box takes in shared memory.
    pub fn footprint(&self) -> u64 {
        u64::from(self.bytes()) / self.row_bytes() * self.pitch()
    }

    /// Where a piece of the box is in shared memory, the box starting at `base`.
    pub fn piece(&self, base: u64, number: u64) -> u64 {
        let byte = number * PIECE;
        let at = base.wrapping_add(byte / self.row_bytes() * self.pitch() + byte % self.row_bytes());
        let bits = match self.spec.swizzle {
            TensorSwizzle::None => 0,
            TensorSwizzle::B32 => 1,
            TensorSwizzle::B64 => 3,
            TensorSwizzle::B128 => 7,
        };
        at ^ (at >> 7 & bits) << 4
    }

    /// The address of an element of the box; `None` outside the tensor.
    pub fn element(&self, number: u32) -> Option<u64> {
        self.place(number, self.spec.dims[0])
    }

    /// The same for a copy to the tensor: an H200 writes pieces of 16 bytes of which the first lies inside, so that a tensor whose
    /// rows are no multiple of them is written past their ends.
    pub fn stored_element(&self, number: u32) -> Option<u64> {
        let in_a_piece = PIECE / u64::from(self.element_bytes());
        self.place(number, self.spec.dims[0].next_multiple_of(in_a_piece))
    }

    /// The address of an element where the innermost dimension ends at `innermost`.
    fn place(&self, number: u32, innermost: u64) -> Option<u64> {
        let (mut left, mut address) = (number, self.spec.address);
        for (at, &extent) in self.extent.iter().enumerate() {
            let step = if at == 0 { 1 } else { self.spec.element_strides[at] };
            let coordinate = i64::from(self.first[at]) + i64::from(left % extent * step);
            left /= extent;
            let end = if at == 0 { innermost } else { self.spec.dims[at] };
            let inside = u64::try_from(coordinate).ok().filter(|c| *c < end)?;
            let stride = if at == 0 { self.element_bytes().into() } else { self.spec.strides[at - 1] };
            address = address.wrapping_add(inside.wrapping_mul(stride));
        }
        Some(address)
    }

    /// The bits of an element outside the tensor. The NaN is the one that an H200 writes, 16 bits at a time whatever the type.
    pub fn fill(&self) -> u64 {
        match self.spec.fill {
            TensorFill::Zero => 0,
            TensorFill::Nan => 0x7ff7_7ff7_7ff7_7ff7 >> (64 - 8 * self.element_bytes()),
        }
    }

    /// What a load makes of the bits of an element: those of a tf32 are rounded to nearest, as by `cvt.rna.tf32.f32`, and a NaN is
    /// 0x7fffe000. Nothing else changes, the `ftz` types' subnormals neither (all recorded on an H200).
    pub fn loaded(&self, bits: u64) -> u64 {
        use crate::TensorElement::{Tf32, Tf32Ftz};
        if !matches!(self.spec.element, Tf32 | Tf32Ftz) {
            return bits;
        }
        let is_nan = bits & 0x7fff_ffff > 0x7f80_0000;
        if is_nan { TF32_NAN } else { (bits + 0x1000) & !0x1fff }
    }
}

#[cfg(test)]
mod tests;
