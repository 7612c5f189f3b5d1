//! Ending a thread or the launch, and promises to the compiler.

/// Ends the launch with an error, as a panic does.
///
/// PTX: `trap`, sm_80 and up; ISA, “trap”. On the host it panics.
#[inline(always)]
pub fn trap() -> ! {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: ends the launch.
    unsafe {
        core::arch::asm!("trap;", options(noreturn, nostack))
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("trap")
}

/// Stops in the debugger; an error without one.
///
/// PTX: `brkpt`, sm_80 and up; ISA, “brkpt”. On the host it panics.
#[inline(always)]
pub fn brkpt() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: suspends the thread.
    unsafe {
        core::arch::asm!("brkpt;", options(nostack))
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("brkpt")
}

/// Ends this thread; barriers no longer wait for it. Values that live are not dropped.
///
/// PTX: `exit` (LLVM puts one of its own behind it), sm_80 and up; ISA, “exit”. On the host it panics.
#[inline(always)]
pub fn exit() -> ! {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: ends the thread.
    unsafe {
        core::arch::asm!("exit;", options(noreturn, nostack))
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("exit")
}

/// Tells the optimiser that `condition` holds: no instruction remains.
///
/// # Safety
/// It holds.
#[inline(always)]
pub const unsafe fn assume(condition: bool) {
    // SAFETY: promised by the caller.
    unsafe { core::hint::assert_unchecked(condition) }
}

/// `x`, of which the optimiser knows nothing: what is computed from it stays where it is written, and is not moved out of a
/// loop to occupy registers there.
///
/// PTX: none but a move, which ptxas drops.
#[inline(always)]
pub fn opaque(x: u32) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let mut x = x;
        // SAFETY: it does nothing.
        unsafe { core::arch::asm!("// {0}", inout(reg32) x, options(nomem, nostack, preserves_flags)) };
        x
    }
    #[cfg(not(target_arch = "nvptx64"))]
    core::hint::black_box(x)
}

macro_rules! dependent {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident = $op:literal, $section:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90 and up; ISA, “", $section, "”. On the host it panics.")]
        #[inline(always)]
        pub unsafe fn $name() {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm!(90, $name);
                // SAFETY: promised by the caller.
                unsafe { core::arch::asm!(concat!($op, ";"), options(nostack)) }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            crate::device_only(stringify!($name))
        }
    )*};
}

dependent! {
    /// Lets the launches that depend on this one begin, once all blocks have called it or ended.
    ///
    /// # Safety
    /// What they read before their own [`griddepcontrol_wait`] is written already.
    pub unsafe fn griddepcontrol_launch_dependents = "griddepcontrol.launch_dependents", "griddepcontrol";
    /// Waits until the launches that this one depends on are over and their writes seen.
    ///
    /// # Safety
    /// None; it is one of a pair whose other half has some.
    pub unsafe fn griddepcontrol_wait = "griddepcontrol.wait", "griddepcontrol";
}

macro_rules! registers {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident = $op:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90a; ISA, “setmaxnreg”. On the host it panics.")]
        ///
        /// # Safety
        /// - All warps of the warpgroup call it.
        /// - `inc`: `N` is at least what each thread has, `dec`: at most. What a block can hand out is what it was launched with: an `inc`
        ///   beyond that waits until others have given back.
        /// - The kernel has a limit on registers (`max_registers` or launch bounds), as ptxas asks for.
        #[inline(always)]
        pub unsafe fn $name<const N: u32>() {
            const { assert!(N >= 24 && N <= 256 && N % 8 == 0, "gpu_std: `setmaxnreg` takes multiples of 8 from 24 to 256") }
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm_90a!($name);
                // SAFETY: promised by the caller.
                unsafe { core::arch::asm!(concat!($op, " {};"), const N, options(nostack)) }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            crate::device_only(stringify!($name))
        }
    )*};
}

registers! {
    /// Waits until the warp has `N` registers for each thread.
    pub unsafe fn setmaxnreg_inc = "setmaxnreg.inc.sync.aligned.u32";
    /// Gives registers back, down to `N` for each thread.
    pub unsafe fn setmaxnreg_dec = "setmaxnreg.dec.sync.aligned.u32";
}
