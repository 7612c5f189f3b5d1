//! `atom` and `red`: read, compute and write in one step, with and without the value that was there.

use super::words::*;
use crate::packed::{bf16x2, f16x2};
use crate::{DeviceRepr, bf16, f16};

#[cfg(target_arch = "nvptx64")]
use super::words::ordered_asm;
#[cfg(target_arch = "nvptx64")]
use crate::reg::Reg;

/// Traits of operations with one operand: for each type the register class, the suffix of the instruction and, where it is
/// not sm_80, the architecture.
macro_rules! operations {
    ($(
        $(#[$doc:meta])*
        pub trait $trait:ident [$($atom:ident $red:ident),*] {
            $($ty:ident $class:ident [$($op:literal),*] $(sm $sm:tt)?;)*
        }
    )*) => {$(
        $(#[$doc])*
        pub trait $trait: DeviceRepr {
            $(
                #[doc(hidden)]
                unsafe fn $atom<O: AtomOrder, S: Scope, P: Space>(ptr: *mut Self, value: Self) -> Self;
                #[doc(hidden)]
                unsafe fn $red<O: StoreOrder, S: Scope, P: Space>(ptr: *mut Self, value: Self);
            )*
        }
        operations!(@types $trait [$($atom $red),*] $($ty $class [$($op),*] ($($sm)?);)*);
    )*};
    (@types $trait:ident $names:tt $($ty:ident $class:ident $ops:tt $sm:tt;)*) => {
        $(operations!(@impl $trait $names $ty $class $ops $sm);)*
    };
    (@impl $trait:ident [$($atom:ident $red:ident),*] $ty:ident $class:ident [$($op:literal),*] $sm:tt) => {
        impl $trait for $ty {
            $(operations!(@method $atom $red $ty $class $op $sm);)*
        }
    };
    (@method $atom:ident $red:ident $ty:ident $class:ident $op:literal ($($sm:tt)?)) => {
        #[inline(always)]
        unsafe fn $atom<O: AtomOrder, S: Scope, P: Space>(ptr: *mut Self, value: Self) -> Self {
            #[cfg(target_arch = "nvptx64")]
            {
                $(requires_sm!($sm, $atom);)?
                let out: <Self as Reg>::Raw;
                // SAFETY: promised by the caller.
                unsafe {
                    ordered_asm!(atom [$op " {}, [{}], {};"] O S P
                        (out($class) out, in(reg64) P::address(ptr), in($class) value.to_raw()));
                }
                Self::from_raw(out)
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (ptr, value);
                crate::device_only(stringify!($atom))
            }
        }

        #[inline(always)]
        unsafe fn $red<O: StoreOrder, S: Scope, P: Space>(ptr: *mut Self, value: Self) {
            #[cfg(target_arch = "nvptx64")]
            {
                $(requires_sm!($sm, $red);)?
                // SAFETY: promised by the caller.
                unsafe {
                    ordered_asm!(red [$op " [{}], {};"] O S P
                        (in(reg64) P::address(ptr), in($class) value.to_raw()));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (ptr, value);
                crate::device_only(stringify!($red))
            }
        }
    };
}

operations! {
    /// Types `atom.add` and `red.add` take: u32, i32, u64, i64, f32, f64, f16, [`f16x2`]; bf16 and [`bf16x2`] from sm_90.
    pub trait AtomAdd [atom_add red_add] {
        u32 reg32 [".add.u32"];
        i32 reg32 [".add.s32"];
        u64 reg64 [".add.u64"];
        i64 reg64 [".add.u64"];
        f32 reg32 [".add.f32"];
        f64 reg64 [".add.f64"];
        f16 reg16 [".add.noftz.f16"];
        f16x2 reg32 [".add.noftz.f16x2"];
        bf16 reg16 [".add.noftz.bf16"] sm 90;
        bf16x2 reg32 [".add.noftz.bf16x2"] sm 90;
    }
    /// Types `min` and `max` take: u32, i32, u64, i64.
    pub trait AtomMinMax [atom_min red_min, atom_max red_max] {
        u32 reg32 [".min.u32", ".max.u32"];
        i32 reg32 [".min.s32", ".max.s32"];
        u64 reg64 [".min.u64", ".max.u64"];
        i64 reg64 [".min.s64", ".max.s64"];
    }
    /// Types `and`, `or` and `xor` take: 32 and 64 bits.
    pub trait AtomBits [atom_and red_and, atom_or red_or, atom_xor red_xor] {
        u32 reg32 [".and.b32", ".or.b32", ".xor.b32"];
        i32 reg32 [".and.b32", ".or.b32", ".xor.b32"];
        u64 reg64 [".and.b64", ".or.b64", ".xor.b64"];
        i64 reg64 [".and.b64", ".or.b64", ".xor.b64"];
    }
}

mod wrapping {
    use super::*;

    operations! {
        /// `inc` and `dec` take u32 alone.
        pub trait IncDec [atom_inc red_inc, atom_dec red_dec] {
            u32 reg32 [".inc.u32", ".dec.u32"];
        }
    }
}
use wrapping::IncDec;

macro_rules! exchanges {
    ($($ty:ident $class:ident $op:literal;)*) => {$(
        impl AtomExch for $ty {
            #[inline(always)]
            unsafe fn atom_exch<O: AtomOrder, S: Scope, P: Space>(ptr: *mut Self, value: Self) -> Self {
                #[cfg(target_arch = "nvptx64")]
                {
                    let out: <Self as Reg>::Raw;
                    // SAFETY: promised by the caller.
                    unsafe {
                        ordered_asm!(atom [".exch" $op " {}, [{}], {};"] O S P
                            (out($class) out, in(reg64) P::address(ptr), in($class) value.to_raw()));
                    }
                    Self::from_raw(out)
                }
                #[cfg(not(target_arch = "nvptx64"))]
                {
                    let _ = (ptr, value);
                    crate::device_only("atom_exch")
                }
            }
        }
    )*};
}

macro_rules! compares {
    ($($ty:ident $class:ident $op:literal;)*) => {$(
        impl AtomCas for $ty {
            #[inline(always)]
            unsafe fn atom_cas<O: AtomOrder, S: Scope, P: Space>(ptr: *mut Self, compare: Self, new: Self) -> Self {
                #[cfg(target_arch = "nvptx64")]
                {
                    let out: <Self as Reg>::Raw;
                    // SAFETY: promised by the caller.
                    unsafe {
                        ordered_asm!(atom [".cas" $op " {}, [{}], {}, {};"] O S P
                            (out($class) out, in(reg64) P::address(ptr), in($class) compare.to_raw(), in($class) new.to_raw()));
                    }
                    Self::from_raw(out)
                }
                #[cfg(not(target_arch = "nvptx64"))]
                {
                    let _ = (ptr, compare, new);
                    crate::device_only("atom_cas")
                }
            }
        }
    )*};
}

/// Types `atom.exch` takes: 32 and 64 bits.
pub trait AtomExch: DeviceRepr {
    #[doc(hidden)]
    unsafe fn atom_exch<O: AtomOrder, S: Scope, P: Space>(ptr: *mut Self, value: Self) -> Self;
}

/// Types `atom.cas` takes: 16, 32 and 64 bits.
pub trait AtomCas: DeviceRepr {
    #[doc(hidden)]
    unsafe fn atom_cas<O: AtomOrder, S: Scope, P: Space>(ptr: *mut Self, compare: Self, new: Self) -> Self;
}

exchanges! {
    u32 reg32 ".b32"; i32 reg32 ".b32"; f32 reg32 ".b32"; f16x2 reg32 ".b32"; bf16x2 reg32 ".b32";
    u64 reg64 ".b64"; i64 reg64 ".b64"; f64 reg64 ".b64";
}
compares! {
    u16 reg16 ".b16"; i16 reg16 ".b16"; f16 reg16 ".b16"; bf16 reg16 ".b16";
    u32 reg32 ".b32"; i32 reg32 ".b32"; f32 reg32 ".b32"; f16x2 reg32 ".b32"; bf16x2 reg32 ".b32";
    u64 reg64 ".b64"; i64 reg64 ".b64"; f64 reg64 ".b64";
}

/// The functions users call: one pair per operation.
macro_rules! functions {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident<$T:ident: $trait:ident, $O:ident>($ty:ty) $(-> $ret:ident)? = $op:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "` with order, scope and space, sm_80 and up; ISA, “Parallel Synchronization and ")]
        /// Communication Instructions”. On the host it panics.
        ///
        /// # Safety
        /// - `ptr` is aligned to its size and addresses a value in the named space (global or shared) that lives and may be
        ///   written.
        /// - Whoever else uses the value meanwhile does so by operations that are atomic in a scope covering both.
        #[inline(always)]
        #[allow(unused_variables, reason = "the words are types")]
        pub unsafe fn $name<$T: $trait, O: $O, S: Scope, P: Space>(
            ptr: *mut $ty, value: $ty, order: O, scope: S, space: P,
        ) $(-> $ret)? {
            // SAFETY: promised by the caller.
            unsafe { <$ty as $trait>::$name::<O, S, P>(ptr, value) }
        }
    )*};
}

functions! {
    /// Adds `value`; gives the value before. Integers wrap; floats round to nearest even, halves keep subnormals; f32 in
    /// global memory flushes subnormals.
    pub unsafe fn atom_add<T: AtomAdd, AtomOrder>(T) -> T = "atom.add";
    /// The smaller of `value` and what is there; gives the value before.
    pub unsafe fn atom_min<T: AtomMinMax, AtomOrder>(T) -> T = "atom.min";
    /// The larger of `value` and what is there; gives the value before.
    pub unsafe fn atom_max<T: AtomMinMax, AtomOrder>(T) -> T = "atom.max";
    /// Bitwise and; gives the value before.
    pub unsafe fn atom_and<T: AtomBits, AtomOrder>(T) -> T = "atom.and";
    /// Bitwise or; gives the value before.
    pub unsafe fn atom_or<T: AtomBits, AtomOrder>(T) -> T = "atom.or";
    /// Bitwise exclusive or; gives the value before.
    pub unsafe fn atom_xor<T: AtomBits, AtomOrder>(T) -> T = "atom.xor";
    /// Stores `value`; gives the value before.
    pub unsafe fn atom_exch<T: AtomExch, AtomOrder>(T) -> T = "atom.exch";
    /// Adds `value`, as [`atom_add`], and gives nothing back: cheaper.
    pub unsafe fn red_add<T: AtomAdd, StoreOrder>(T) = "red.add";
    /// The smaller of `value` and what is there.
    pub unsafe fn red_min<T: AtomMinMax, StoreOrder>(T) = "red.min";
    /// The larger of `value` and what is there.
    pub unsafe fn red_max<T: AtomMinMax, StoreOrder>(T) = "red.max";
    /// Bitwise and.
    pub unsafe fn red_and<T: AtomBits, StoreOrder>(T) = "red.and";
    /// Bitwise or.
    pub unsafe fn red_or<T: AtomBits, StoreOrder>(T) = "red.or";
    /// Bitwise exclusive or.
    pub unsafe fn red_xor<T: AtomBits, StoreOrder>(T) = "red.xor";
}

macro_rules! counters {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident<$O:ident>($bound:ident) $(-> $ret:ident)? = $op:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "` with order, scope and space, sm_80 and up; ISA, “Parallel Synchronization and ")]
        /// Communication Instructions”. On the host it panics.
        ///
        /// # Safety
        /// As [`atom_add`].
        #[inline(always)]
        #[allow(unused_variables, reason = "the words are types")]
        pub unsafe fn $name<O: $O, S: Scope, P: Space>(
            ptr: *mut u32, $bound: u32, order: O, scope: S, space: P,
        ) $(-> $ret)? {
            // SAFETY: promised by the caller.
            unsafe { <u32 as IncDec>::$name::<O, S, P>(ptr, $bound) }
        }
    )*};
}

counters! {
    /// x becomes 0 where x ≥ bound, else x + 1; gives the value before.
    pub unsafe fn atom_inc<AtomOrder>(bound) -> u32 = "atom.inc.u32";
    /// x becomes bound where x = 0 or x > bound, else x − 1; gives the value before.
    pub unsafe fn atom_dec<AtomOrder>(bound) -> u32 = "atom.dec.u32";
    /// x becomes 0 where x ≥ bound, else x + 1.
    pub unsafe fn red_inc<StoreOrder>(bound) = "red.inc.u32";
    /// x becomes bound where x = 0 or x > bound, else x − 1.
    pub unsafe fn red_dec<StoreOrder>(bound) = "red.dec.u32";
}

/// Stores `new` where the value is `compare`, bit by bit; gives the value before.
///
/// PTX: `atom.cas` with order, scope and space, sm_80 and up; ISA, “Parallel Synchronization and Communication
/// Instructions”. On the host it panics.
///
/// # Safety
/// As [`atom_add`].
#[inline(always)]
#[allow(unused_variables, reason = "the words are types")]
pub unsafe fn atom_cas<T: AtomCas, O: AtomOrder, S: Scope, P: Space>(
    ptr: *mut T,
    compare: T,
    new: T,
    order: O,
    scope: S,
    space: P,
) -> T {
    // SAFETY: promised by the caller.
    unsafe { T::atom_cas::<O, S, P>(ptr, compare, new) }
}

/// A number with its negative, for [`atom_sub`] and [`red_sub`].
pub trait AtomSub: AtomAdd {
    #[doc(hidden)]
    fn negated(self) -> Self;
}

macro_rules! negated {
    ($($ty:ident = $negate:path;)*) => {$(
        impl AtomSub for $ty {
            #[inline(always)]
            fn negated(self) -> Self {
                $negate(self)
            }
        }
    )*};
}
negated! {
    u32 = u32::wrapping_neg; i32 = i32::wrapping_neg; u64 = u64::wrapping_neg; i64 = i64::wrapping_neg;
    f32 = core::ops::Neg::neg; f64 = core::ops::Neg::neg; f16 = core::ops::Neg::neg; bf16 = core::ops::Neg::neg;
    f16x2 = core::ops::Neg::neg; bf16x2 = core::ops::Neg::neg;
}

/// Subtracts `value`; gives the value before. PTX has no such instruction: it is `atom.add` of −`value`.
///
/// # Safety
/// As [`atom_add`].
#[inline(always)]
pub unsafe fn atom_sub<T: AtomSub, O: AtomOrder, S: Scope, P: Space>(
    ptr: *mut T,
    value: T,
    order: O,
    scope: S,
    space: P,
) -> T {
    // SAFETY: promised by the caller.
    unsafe { atom_add(ptr, value.negated(), order, scope, space) }
}

/// Subtracts `value`: `red.add` of −`value`.
///
/// # Safety
/// As [`atom_add`].
#[inline(always)]
pub unsafe fn red_sub<T: AtomSub, O: StoreOrder, S: Scope, P: Space>(
    ptr: *mut T,
    value: T,
    order: O,
    scope: S,
    space: P,
) {
    // SAFETY: promised by the caller.
    unsafe { red_add(ptr, value.negated(), order, scope, space) }
}
