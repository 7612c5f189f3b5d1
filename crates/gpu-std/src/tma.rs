//! Tensor copies: boxes of a tensor in global memory, which a [`TensorMap`] describes, to shared memory and back.
//!
//! A kernel gets a map as a parameter, `&TensorMap` or `&TensorMapMut`, and hands its address to copies; the bytes mean nothing
//! to it. The parameter stays where the launch put it (`.param`, `nvvm.grid_constant`): the hardware does not read maps from
//! local memory. At launch the argument is a [`TensorMapDesc`](crate::launch::TensorMapDesc) or a
//! [`TensorMapDescMut`](crate::launch::TensorMapDescMut).

mod copies;

use core::ops::Deref;

pub use copies::*;

/// A tensor map that copies read through; `CUtensorMap`. Neither copied nor made on the device.
#[repr(C, align(64))]
pub struct TensorMap([u64; 16]);

/// A tensor map that copies may write through; as a map to read from, it is a [`TensorMap`].
#[repr(transparent)]
pub struct TensorMapMut(TensorMap);

const _: () = {
    assert!(size_of::<TensorMap>() == 128 && align_of::<TensorMap>() == 64);
    assert!(size_of::<TensorMapMut>() == 128 && align_of::<TensorMapMut>() == 64);
};

impl TensorMap {
    /// Its generic address, which is what instructions take.
    #[inline(always)]
    pub const fn as_ptr(&self) -> *const u64 {
        self.0.as_ptr()
    }
}

impl Deref for TensorMapMut {
    type Target = TensorMap;

    #[inline(always)]
    fn deref(&self) -> &TensorMap {
        &self.0
    }
}

/// Brings `map` into the cache that copies read maps from. A hint: one thread of the grid is enough, before the first copy.
///
/// PTX: `prefetch.tensormap`, sm_90 and up; ISA, “Data Movement and Conversion Instructions: prefetch, prefetchu”.
#[inline(always)]
pub fn prefetch_tensormap(map: &TensorMap) {
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm!(90, prefetch_tensormap);
        // SAFETY: the address is that of a map in parameter memory; nothing is written.
        unsafe {
            core::arch::asm!("prefetch.tensormap [{map}];", map = in(reg64) map.as_ptr(), options(nostack));
        }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = map;
        crate::device_only("prefetch_tensormap")
    }
}
