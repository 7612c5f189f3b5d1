//! `ldmatrix` and `stmatrix`: matrices of 8 × 8 elements of 16 bits between shared memory and the registers of a warp.

#[cfg(target_arch = "nvptx64")]
use crate::mem::cvta_to_shared;

macro_rules! loads {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident -> $count:literal ($($out:ident)*) = $op:literal, $braces:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_80 and up; ISA, “ldmatrix”. On the host it panics.")]
        ///
        /// # Safety
        /// - All 32 lanes of the warp execute this same call together, and none has returned.
        /// - In the lanes whose address counts, `row` is a multiple of 16 and addresses 16 bytes of the block's shared memory that
        ///   were written; a barrier lies between a write by another thread and this call.
        #[inline(always)]
        pub unsafe fn $name<T>(row: *const T) -> [u32; $count] {
            #[cfg(target_arch = "nvptx64")]
            {
                let ($($out,)*): ($(loads!(@word $out),)*);
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(concat!($op, " ", $braces, ", [{row}];"), $($out = out(reg32) $out,)*
                        row = in(reg64) cvta_to_shared(row), options(nostack));
                }
                [$($out),*]
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = row;
                crate::device_only(stringify!($name))
            }
        }
    )*};
    (@word $out:ident) => { u32 };
}

loads! {
    /// One matrix: `row` of lanes 0 to 7 are the addresses of its rows; the lane gets the elements of
    /// [`matrix_element`](super::matrix_element).
    pub unsafe fn ldmatrix_x1 -> 1 (a) = "ldmatrix.sync.aligned.m8n8.x1.shared.b16", "{{{a}}}";
    /// Two matrices, a register each: `row` of lanes 0 to 15 ([`matrix_row`](super::matrix_row)).
    pub unsafe fn ldmatrix_x2 -> 2 (a b) = "ldmatrix.sync.aligned.m8n8.x2.shared.b16", "{{{a}, {b}}}";
    /// Four matrices, a register each: `row` of all lanes ([`matrix_row`](super::matrix_row)).
    pub unsafe fn ldmatrix_x4 -> 4 (a b c d) = "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "{{{a}, {b}, {c}, {d}}}";
    /// As [`ldmatrix_x1`]; the lane gets the elements of [`matrix_element_trans`](super::matrix_element_trans).
    pub unsafe fn ldmatrix_x1_trans -> 1 (a) = "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16", "{{{a}}}";
    /// As [`ldmatrix_x2`], each matrix transposed.
    pub unsafe fn ldmatrix_x2_trans -> 2 (a b) = "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "{{{a}, {b}}}";
    /// As [`ldmatrix_x4`], each matrix transposed.
    pub unsafe fn ldmatrix_x4_trans -> 4 (a b c d) = "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
        "{{{a}, {b}, {c}, {d}}}";
}

macro_rules! stores {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident($count:literal: $($in:ident)*) = $op:literal, $braces:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90 and up; ISA, “stmatrix”. On the host it panics.")]
        ///
        /// # Safety
        /// - All 32 lanes of the warp execute this same call together, and none has returned.
        /// - In the lanes whose address counts, `row` is a multiple of 16 and addresses 16 bytes of the block's shared memory that
        ///   no other row covers and no other thread uses before the next barrier.
        #[inline(always)]
        pub unsafe fn $name<T>(row: *mut T, registers: [u32; $count]) {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm!(90, $name);
                let [$($in),*] = registers;
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(concat!($op, " [{row}], ", $braces, ";"), row = in(reg64) cvta_to_shared(row),
                        $($in = in(reg32) $in,)* options(nostack));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (row, registers);
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

stores! {
    /// One matrix: `row` of lanes 0 to 7 are the addresses of its rows; the lane's register holds the elements of
    /// [`matrix_element`](super::matrix_element).
    pub unsafe fn stmatrix_x1(1: a) = "stmatrix.sync.aligned.m8n8.x1.shared.b16", "{{{a}}}";
    /// Two matrices, a register each: `row` of lanes 0 to 15 ([`matrix_row`](super::matrix_row)).
    pub unsafe fn stmatrix_x2(2: a b) = "stmatrix.sync.aligned.m8n8.x2.shared.b16", "{{{a}, {b}}}";
    /// Four matrices, a register each: `row` of all lanes ([`matrix_row`](super::matrix_row)).
    pub unsafe fn stmatrix_x4(4: a b c d) = "stmatrix.sync.aligned.m8n8.x4.shared.b16", "{{{a}, {b}, {c}, {d}}}";
    /// As [`stmatrix_x1`]; the register holds the elements of [`matrix_element_trans`](super::matrix_element_trans).
    pub unsafe fn stmatrix_x1_trans(1: a) = "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16", "{{{a}}}";
    /// As [`stmatrix_x2`], each matrix transposed.
    pub unsafe fn stmatrix_x2_trans(2: a b) = "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "{{{a}, {b}}}";
    /// As [`stmatrix_x4`], each matrix transposed.
    pub unsafe fn stmatrix_x4_trans(4: a b c d) = "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16",
        "{{{a}, {b}, {c}, {d}}}";
}
