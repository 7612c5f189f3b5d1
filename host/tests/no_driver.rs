//! A machine without a driver, or one whose driver cannot be opened: typed errors, and the CPU with a reason.

use std::sync::Once;

use host::error::Error;
use host::runtime::{Backend, Gpu};

/// The loader opens the driver once per process and reads the variable then.
fn hide_the_driver() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: every test that opens the driver, which is what reads the environment here, comes by this `Once` first.
        unsafe { std::env::set_var(cuda_loader::LIBRARY_VARIABLE, "/nonexistent/libcuda.so.1") };
    });
}

#[test]
fn opening_a_device_names_what_was_tried() {
    hide_the_driver();
    let error = Gpu::open(0).expect_err("there is no driver");
    assert!(matches!(error, Error::NoDriver { .. }), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("no CUDA driver") && text.contains("/nonexistent/libcuda.so.1"), "{text}");
    assert!(matches!(Gpu::count(), Err(Error::NoDriver { .. })));
}

#[test]
fn the_best_back_end_is_the_cpu_and_says_why() {
    hide_the_driver();
    let selection = Backend::auto();
    assert!(matches!(selection.backend, Backend::Cpu));
    assert!(matches!(selection.reason, Some(Error::NoDriver { .. })));
    let text = selection.to_string();
    assert!(text.starts_with("CPU, because: no CUDA driver found"), "{text}");
}

#[test]
fn handles_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Gpu>();
    crosses::<host::runtime::Stream>();
    crosses::<host::runtime::Event>();
    crosses::<host::runtime::Module>();
    crosses::<host::runtime::DeviceBuffer<f32>>();
    crosses::<host::runtime::PinnedBuffer<f32>>();
    crosses::<Error>();
}
