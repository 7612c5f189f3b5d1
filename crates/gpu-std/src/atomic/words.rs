//! The modifiers of memory instructions, as types without size.

/// Which modifier a type stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OrderWord {
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ScopeWord {
    Cta,
    Cluster,
    Gpu,
    Sys,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SpaceWord {
    Generic,
    Global,
    Shared,
}

/// A memory order.
pub trait Order: Copy + sealed::Sealed {
    #[doc(hidden)]
    const WORD: OrderWord;
}

/// The threads an operation is atomic or ordered for.
pub trait Scope: Copy + sealed::Sealed {
    #[doc(hidden)]
    const WORD: ScopeWord;

    /// Refuses a scope that the target architecture lacks.
    #[doc(hidden)]
    #[cfg(target_arch = "nvptx64")]
    fn check();
}

/// The state space of an address. A generic address is compared with the windows of all spaces at run time; where the
/// space is known, naming it makes atomics much cheaper.
pub trait Space: Copy + sealed::Sealed {
    #[doc(hidden)]
    const WORD: SpaceWord;

    /// The address in this space of a generic address.
    #[doc(hidden)]
    #[cfg(target_arch = "nvptx64")]
    fn address<T>(ptr: *const T) -> u64;
}

/// Orders of `atom`: [`Relaxed`], [`Acquire`], [`Release`], [`AcqRel`].
pub trait AtomOrder: Order {}
/// Orders of `ld`: [`Relaxed`], [`Acquire`].
pub trait LoadOrder: Order {}
/// Orders of `st` and `red`: [`Relaxed`], [`Release`].
pub trait StoreOrder: Order {}
/// Orders of `fence`: [`AcqRel`], [`SeqCst`].
pub trait FenceOrder: Order {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! orders {
    ($($(#[$doc:meta])* $name:ident: $($allowed:ident),*;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl Order for $name {
            const WORD: OrderWord = OrderWord::$name;
        }
        $(impl $allowed for $name {})*
    )*};
}

orders! {
    /// `.relaxed`: atomic, orders nothing else.
    Relaxed: AtomOrder, LoadOrder, StoreOrder;
    /// `.acquire`: what follows is not done before.
    Acquire: AtomOrder, LoadOrder;
    /// `.release`: what precedes is done before.
    Release: AtomOrder, StoreOrder;
    /// `.acq_rel`: both.
    AcqRel: AtomOrder, FenceOrder;
    /// `.sc`: one order of all such fences.
    SeqCst: FenceOrder;
}

macro_rules! scopes {
    ($($(#[$doc:meta])* $name:ident $(sm $sm:tt)?;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl Scope for $name {
            const WORD: ScopeWord = ScopeWord::$name;

            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            fn check() {
                $(requires_sm!($sm, $name);)?
            }
        }
    )*};
}

scopes! {
    /// `.cta`: the threads of the block.
    Cta;
    /// `.cluster`: the threads of the cluster; sm_90 and up.
    Cluster sm 90;
    /// `.gpu`: the threads of the device.
    Gpu;
    /// `.sys`: the threads of all devices and of the host.
    Sys;
}

macro_rules! spaces {
    ($($(#[$doc:meta])* $name:ident, $ptr:ident => $address:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl sealed::Sealed for $name {}
        impl Space for $name {
            const WORD: SpaceWord = SpaceWord::$name;

            #[cfg(target_arch = "nvptx64")]
            #[inline(always)]
            fn address<T>($ptr: *const T) -> u64 {
                $address
            }
        }
    )*};
}

spaces! {
    /// No state space: any address.
    Generic, ptr => ptr as u64;
    /// `.global`: the address lies in global memory, as all that a kernel gets passed. There it equals the generic one.
    Global, ptr => ptr as u64;
    /// `.shared`: the address lies in the block's shared memory.
    Shared, ptr => crate::mem::cvta_to_shared(ptr);
}

/// `asm!` of an instruction whose order, scope and space come from types: `[allowed orders] "opcode" ["suffix" "operands"] O S P
/// (asm operands)`. One instruction per combination stands in the text; constant conditions leave one.
#[cfg(target_arch = "nvptx64")]
macro_rules! ordered_asm {
    (@asm [$($text:literal)*] ($($operands:tt)*)) => { core::arch::asm!(concat!($($text),*), $($operands)*, options(nostack)) };
    (@space [$($text:literal)*] [$($tail:literal)*] $P:ident $operands:tt) => {
        match <$P as $crate::atomic::Space>::WORD {
            $crate::atomic::words::SpaceWord::Generic => ordered_asm!(@asm [$($text)* $($tail)*] $operands),
            $crate::atomic::words::SpaceWord::Global => ordered_asm!(@asm [$($text)* ".global" $($tail)*] $operands),
            $crate::atomic::words::SpaceWord::Shared => ordered_asm!(@asm [$($text)* ".shared" $($tail)*] $operands),
        }
    };
    (@scope [$($text:literal)*] $tail:tt $S:ident $P:ident $operands:tt) => {
        match <$S as $crate::atomic::Scope>::WORD {
            $crate::atomic::words::ScopeWord::Cta => ordered_asm!(@space [$($text)* ".cta"] $tail $P $operands),
            $crate::atomic::words::ScopeWord::Cluster => ordered_asm!(@space [$($text)* ".cluster"] $tail $P $operands),
            $crate::atomic::words::ScopeWord::Gpu => ordered_asm!(@space [$($text)* ".gpu"] $tail $P $operands),
            $crate::atomic::words::ScopeWord::Sys => ordered_asm!(@space [$($text)* ".sys"] $tail $P $operands),
        }
    };
    (@order [$($order:ident $word:literal),*] $op:literal $tail:tt $O:ident $S:ident $P:ident $operands:tt) => {{
        <$S as $crate::atomic::Scope>::check();
        match <$O as $crate::atomic::Order>::WORD {
            $($crate::atomic::words::OrderWord::$order => ordered_asm!(@scope [$op $word] $tail $S $P $operands),)*
            // The bound on the order's type admits the others alone.
            _ => core::hint::unreachable_unchecked(),
        }
    }};
    (atom $($rest:tt)*) => {
        ordered_asm!(@order [Relaxed ".relaxed", Acquire ".acquire", Release ".release", AcqRel ".acq_rel"] "atom" $($rest)*)
    };
    (red $($rest:tt)*) => { ordered_asm!(@order [Relaxed ".relaxed", Release ".release"] "red" $($rest)*) };
    (ld $($rest:tt)*) => { ordered_asm!(@order [Relaxed ".relaxed", Acquire ".acquire"] "ld" $($rest)*) };
    (st $($rest:tt)*) => { ordered_asm!(@order [Relaxed ".relaxed", Release ".release"] "st" $($rest)*) };
}

#[cfg(target_arch = "nvptx64")]
pub(super) use ordered_asm;
