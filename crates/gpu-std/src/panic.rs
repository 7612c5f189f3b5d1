//! A panic on the device ends the kernel with a trap; the driver reports it to the host as a failed launch.

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: `trap` only ends the kernel.
    unsafe { core::arch::nvptx::trap() }
}
