//! Clocks, and sleeping. On the host all of these panic with their name.

macro_rules! clocks {
    ($($(#[$meta:meta])* pub fn $name:ident() -> $ty:ty as $class:ident = $mov:literal, $register:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $mov, "` of `", $register, "`, sm_80 and up; ISA, “Special Registers”. On the host it panics.")]
        #[inline(always)]
        pub fn $name() -> $ty {
            #[cfg(target_arch = "nvptx64")]
            {
                let out: $ty;
                // SAFETY: reads a special register.
                unsafe {
                    core::arch::asm!(concat!($mov, " {}, ", $register, ";"), out($class) out, options(nostack));
                }
                out
            }
            #[cfg(not(target_arch = "nvptx64"))]
            crate::device_only(stringify!($name))
        }
    )*};
}

clocks! {
    /// The multiprocessor's cycle counter, lower 32 bits; wraps.
    pub fn clock() -> u32 as reg32 = "mov.u32", "%clock";
    /// The multiprocessor's cycle counter, upper 32 bits.
    pub fn clock_hi() -> u32 as reg32 = "mov.u32", "%clock_hi";
    /// The multiprocessor's cycle counter.
    pub fn clock64() -> u64 as reg64 = "mov.u64", "%clock64";
    /// The device's wall clock in nanoseconds; it may advance in steps of a microsecond or so.
    pub fn globaltimer() -> u64 as reg64 = "mov.u64", "%globaltimer";
}

/// Sleeps for about `ns` nanoseconds, at most 1,000,000; between 0 and twice that.
///
/// PTX: `nanosleep.u32`, sm_80 and up; ISA, “nanosleep”. On the host it panics.
#[inline(always)]
pub fn nanosleep(ns: u32) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: only waits.
    unsafe {
        core::arch::asm!("nanosleep.u32 {};", in(reg32) ns, options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = ns;
        crate::device_only("nanosleep")
    }
}
