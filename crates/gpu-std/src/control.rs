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
