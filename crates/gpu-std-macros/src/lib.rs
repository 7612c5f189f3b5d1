//! The attributes of `gpu-std`. Use them from there; their contract is documented here.

mod attrs;
mod device;
mod device_repr;
mod host;
mod kernel;
mod params;
mod unroll;

use proc_macro::TokenStream;

/// Makes a function a kernel: one PTX entry per instance, and a typed launch for each.
///
/// ```text
/// #[kernel(block = 256, max_registers = 64, instances(f32, f16, bf16))] // hadamard_f32, hadamard_f16, hadamard_bf16
/// pub fn hadamard<T: Real>(a: &[T], b: &[T], y: GridMut<T>) { … }
/// ```
///
/// # Options
/// | option | meaning |
/// |---|---|
/// | `block = N`, `block = (X, Y, Z)` | the block; any other is refused (`.reqntid`) |
/// | `max_block = N` | at most so many threads (`.maxntid`); not together with `block` |
/// | `min_blocks = N` | blocks that must fit on a multiprocessor (`.minnctapersm`) |
/// | `max_registers = N` | registers per thread (`.maxnreg`) |
/// | `cluster = N` | blocks per cluster in x, 1 to 8; needs a `target` that has clusters (sm_90 and up) |
/// | `target = "sm_90a"` | the entry exists only there |
/// | `local_bytes = N`, `spill_bytes = N` | what the kernel may use of local memory; 0 otherwise, and the build fails above |
/// | `same_len(a, b, …)` | slices that must be of one length; checked before each launch |
/// | `instances(f32, f16_128 = (f16, 128))` | the instances of a generic kernel; entries are named stem + `_` + instance |
///
/// # Parameters
/// | in the signature | in PTX | at launch |
/// |---|---|---|
/// | `a: &[T]` | address, length; `noalias readonly`, so `ld.global.nc` | `DeviceSlice<T>` |
/// | `y: GridMut<T>` | address, length; `noalias` | `DeviceSliceMut<T>` |
/// | `p: DevicePtr<T>` | address; the kernel must be an `unsafe fn` | `u64` |
/// | `map: &TensorMap` | 128 bytes aligned to 64, `grid_constant`: used where the launch put them | `TensorMapDesc` |
/// | `map: &TensorMapMut` | the same | `TensorMapDescMut` |
/// | `x: S` | `S`, by value; `S: DeviceRepr` | `S` |
/// | `#[shared] tile: SharedArray<T, N>` | none; static shared memory of the instance | none |
/// | `#[shared] tile: DynamicShared<T>` | none | `LaunchShape::with_shared_bytes` |
///
/// # What is written
/// For a kernel `stem` with generics `<T>`: `Stem<T>`, which implements `gpu_std::launch::Kernel` for each instance;
/// `StemArgs<'a, T>`, its arguments; and for each entry a module of its name with `Entry`, `Args` and `launch`.
/// The crate needs `#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]`.
#[proc_macro_attribute]
pub fn kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    kernel::expand(attr.into(), item.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Implements `DeviceRepr` for a `#[repr(C)]` struct whose fields all have it, with an alignment of at most 16 and without
/// padding bytes.
#[proc_macro_derive(DeviceRepr)]
pub fn derive_device_repr(item: TokenStream) -> TokenStream {
    device_repr::expand(item.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// A `for` loop over a range, unrolled for certain: at most 256 turns.
///
/// ```text
/// unroll!(for i in 0..8 { acc[i] += x[i]; });
/// unroll!(for i in 0..N { acc[i] += x[i]; }); // N a constant or a const generic
/// ```
///
/// Between literals the body is written out; `break` and `continue` work. Where an end is a constant, the counter is a
/// `usize`, `continue` works, and `break`, `return` and `?` are refused.
#[proc_macro]
pub fn unroll(input: TokenStream) -> TokenStream {
    unroll::expand(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}
