//! The tables that instruction wrappers are written in: one row per instruction, no algorithms.

/// Refuses an instruction that the target architecture lacks: a kernel that uses it nevertheless needs a function that
/// nobody has, which the linker reports with its name, `gpu_std_<wrapper>_needs_sm_90`, and the kernel's. An assertion in a
/// constant would fail without any user.
#[cfg(target_arch = "nvptx64")]
macro_rules! requires_sm {
    (90, $name:ident) => {
        #[cfg(not(target_feature = "sm_90"))]
        {
            unsafe extern "C" {
                #[link_name = concat!("gpu_std_", stringify!($name), "_needs_sm_90")]
                safe fn missing();
            }
            missing();
        }
    };
}

/// Likewise for what only sm_90a has: `gpu_std_<wrapper>_needs_sm_90a`.
#[cfg(target_arch = "nvptx64")]
macro_rules! requires_sm_90a {
    ($name:ident) => {
        #[cfg(not(target_feature = "sm_90a"))]
        {
            unsafe extern "C" {
                #[link_name = concat!("gpu_std_", stringify!($name), "_needs_sm_90a")]
                safe fn missing();
            }
            missing();
        }
    };
}

/// Pure arithmetic: `isa "section", class => class;` (register classes of the operands and of the result), then rows
/// `pub fn name(a: T, …) -> R = "opcode"[, sm 90][, by device expression] => host expression;`. Without `by`, the device
/// half is `opcode result, a, …;` on registers.
macro_rules! instructions {
    (@device [] $class:ident $out:ident $op:literal $ret:ty, $($arg:ident)*) => {{
        $(let $arg = $crate::reg::Reg::to_raw($arg);)*
        let out: <$ret as $crate::reg::Reg>::Raw;
        // SAFETY: arithmetic on registers.
        unsafe {
            core::arch::asm!(concat!($op, " {out}", $(", {", stringify!($arg), "}",)* ";"), out = out($out) out,
                $($arg = in($class) $arg,)* options(pure, nomem, nostack));
        }
        <$ret as $crate::reg::Reg>::from_raw(out)
    }};
    (@device [$by:expr] $class:ident $out:ident $op:literal $ret:ty, $($arg:ident)*) => { $by };
    (@sm) => { "sm_80" };
    (@sm $sm:tt) => { concat!("sm_", $sm) };
    (
        isa $isa:literal, $class:ident => $out:ident;
        $(
            $(#[$meta:meta])*
            pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) -> $ret:ty = $op:literal $(, sm $sm:tt)? $(, by $by:expr)?
                => $host:expr;
        )*
    ) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, ", instructions!(@sm $($sm)?), " and up; ISA, “", $isa, "”.")]
        #[inline(always)]
        pub fn $name($($arg: $ty),*) -> $ret {
            #[cfg(target_arch = "nvptx64")]
            {
                $(requires_sm!($sm, $name);)?
                instructions!(@device [$($by)?] $class $out $op $ret, $($arg)*)
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                $host
            }
        }
    )*};
}
