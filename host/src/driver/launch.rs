//! Launches.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use cuda_loader::{RawResult, api};
use gpu_std::launch::{CheckedShape, Kernel, KernelArgs, Launcher, SafeKernel};

use super::call::INVALID_VALUE;
use super::entry::{Entry, FunctionAttributes};
use super::pack::Packer;
use super::stream::{Stream, StreamInner};
use crate::error::{DriverCode, Error};

/// A launch with all that can be done ahead done: the entry found, loaded and checked, the shape checked, shared memory
/// granted. What is left packs the arguments on the stack and calls the driver once; nothing is allocated or looked up.
pub struct PreparedLaunch<K: Kernel> {
    entry: Arc<Entry>,
    shape: CheckedShape,
    kernel: PhantomData<fn() -> K>,
}

impl<K: Kernel> PreparedLaunch<K> {
    pub(super) fn new(entry: Arc<Entry>, shape: CheckedShape) -> Result<Self, Error> {
        entry.check_shape(&shape)?;
        Ok(Self { entry, shape, kernel: PhantomData })
    }

    /// What the driver's compiler made of the entry.
    #[must_use]
    pub fn attributes(&self) -> FunctionAttributes {
        self.entry.attributes()
    }

    /// Its shape.
    #[must_use]
    pub fn shape(&self) -> CheckedShape {
        self.shape
    }

    /// Enqueues it on `stream`. Does not wait.
    ///
    /// # Errors
    /// Arguments that break the contract or belong to another stream, a stream of another device, or a device that is lost.
    #[inline]
    pub fn launch(&self, stream: &Stream, args: &K::Args<'_>) -> Result<(), Error>
    where
        K: SafeKernel,
    {
        // SAFETY: the kernel is a safe function.
        unsafe { self.launch_unsafe(stream, args) }
    }

    /// Enqueues it on `stream`, of a kernel that is an `unsafe fn`. Does not wait.
    ///
    /// # Errors
    /// As [`launch`](Self::launch).
    ///
    /// # Safety
    /// - What the kernel's own documentation asks of its caller.
    pub unsafe fn launch_unsafe(&self, stream: &Stream, args: &K::Args<'_>) -> Result<(), Error> {
        args.check()?;
        stream.inner.check_same_device(self.entry.context())?;
        // SAFETY: shape, arguments and device are checked; the kernel's own contract is the caller's promise.
        unsafe { enqueue::<K>(&stream.inner, &self.entry, &self.shape, args) }
    }
}

impl<K: Kernel> Clone for PreparedLaunch<K> {
    fn clone(&self) -> Self {
        Self { entry: self.entry.clone(), shape: self.shape, kernel: PhantomData }
    }
}

impl<K: Kernel> fmt::Debug for PreparedLaunch<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (grid, block, shared) = (self.shape.grid(), self.shape.block(), self.shape.shared_bytes());
        write!(f, "{} grid {grid} block {block} shared {shared}", K::ENTRY)
    }
}

impl Launcher for Stream {
    type Error = Error;

    unsafe fn launch_checked<K: Kernel>(&self, shape: CheckedShape, args: &K::Args<'_>) -> Result<(), Error> {
        self.inner.context().alive()?;
        let entry = self.inner.gpu().entry::<K>()?;
        entry.check_shape(&shape)?;
        // SAFETY: the entry is checked and of this stream's device; shape and arguments are checked, and the kernel's own
        // contract kept, by the caller's promise.
        unsafe { enqueue::<K>(&self.inner, &entry, &shape, args) }
    }
}

/// Packs and enqueues.
///
/// # Safety
/// - `entry` is `K`'s, of the device of `stream`, and takes `shape`; `args` pass their own check.
/// - The kernel's own contract.
unsafe fn enqueue<K: Kernel>(
    stream: &StreamInner,
    entry: &Entry,
    shape: &CheckedShape,
    args: &K::Args<'_>,
) -> Result<(), Error> {
    let mut packer = Packer::new(K::ENTRY, stream.space());
    args.pack(&mut packer)?;
    stream.enter()?;
    let (grid, block) = (shape.grid(), shape.block());
    let result = packer.with_params(|params| {
        // SAFETY: the function is alive with its module and of the current context, as is the stream; `params` points to
        // one value per parameter, with the sizes that `Entry::resolve` compared with the image or that the manifest's
        // signature vouches for; the driver copies them in this call. Slices lie in memory that lives in this stream's
        // order (their space was compared while packing).
        unsafe {
            api::cuLaunchKernel(
                entry.raw(),
                grid.x,
                grid.y,
                grid.z,
                block.x,
                block.y,
                block.z,
                shape.shared_bytes(),
                stream.raw(),
                params,
                std::ptr::null_mut(),
            )
        }
    });
    if !result.is_success() {
        return Err(failure(stream, entry, shape, result));
    }
    let name: &'static &'static str = const { &K::ENTRY };
    stream.recent().note(name);
    stream.context().recent().note(name);
    Ok(())
}

#[cold]
fn failure(stream: &StreamInner, entry: &Entry, shape: &CheckedShape, result: RawResult) -> Error {
    let code = DriverCode(result.code());
    stream.context().failure("cuLaunchKernel", code, stream.recent(), || {
        let asked = format!(
            "grid {}, block {}, {} bytes of dynamic shared memory",
            shape.grid(),
            shape.block(),
            shape.shared_bytes()
        );
        let registers = entry.attributes().registers;
        let hint = if code.0 == INVALID_VALUE { "; is the entry compiled for another block?" } else { "" };
        format!("launch of {} ({asked}, {registers} registers per thread){hint}", entry.name())
    })
}
