//! The description of a kernel entry, and who launches it.

use super::{CheckedShape, ContractError, Dim3, KernelArgs, LaunchShape};

/// Which blocks a kernel may be launched with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockRule {
    /// `block = …`: this one and no other (`.reqntid`).
    Exact(Dim3),
    /// `max_block = …`: at most so many threads (`.maxntid`).
    AtMost(u32),
    /// Neither given.
    Any,
}

/// What a source-level parameter of a kernel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// `&[T]`: address and length, two 64-bit PTX parameters; never written in the launch.
    Slice,
    /// `GridMut<T>`: address and length, two 64-bit PTX parameters.
    GridMut,
    /// `DevicePtr<T>`: one 64-bit PTX parameter.
    Ptr,
    /// A scalar or plain data by value: one PTX parameter.
    Value,
    /// `&TensorMap`: one PTX parameter of 128 bytes; the tensor is never written in the launch.
    TensorMap,
    /// `&TensorMapMut`: one PTX parameter of 128 bytes.
    TensorMapMut,
}

/// One source-level parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamDesc {
    /// Its name in the source.
    pub name: &'static str,
    /// Its kind.
    pub kind: ParamKind,
    /// The element type of slices and pointers, the type itself of values and tensor maps, as written.
    pub ty: &'static str,
    /// Size in bytes of that type.
    pub size: usize,
    /// Alignment in bytes of that type.
    pub align: usize,
}

/// A kernel entry: one instance of one `#[kernel]` function. Implemented by `#[kernel]` alone.
///
/// # Safety
/// `ENTRY` must name an entry whose PTX parameters are those of `PARAMS`, in order, and `Args` must pack exactly these.
pub unsafe trait Kernel: Sized + 'static {
    /// Name of the PTX entry: stem, and `_instance` where the kernel is generic.
    const ENTRY: &'static str;
    /// Name of the function in the source.
    const STEM: &'static str;
    /// Name of the instance; empty where the kernel is not generic.
    const INSTANCE: &'static str;
    /// The first module below the kernel crate: the PTX file the entry lies in.
    const FAMILY: &'static str;
    /// Which blocks it may be launched with.
    const BLOCK: BlockRule;
    /// Blocks per cluster in x, where the kernel needs clusters.
    const CLUSTER: Option<u32>;
    /// The architecture the entry is limited to, such as `sm_90a`.
    const TARGET: Option<&'static str>;
    /// Whether it uses dynamic shared memory.
    const DYNAMIC_SHARED: bool;
    /// Source-level parameters, in order.
    const PARAMS: &'static [ParamDesc];
    /// The record as it stands in the section `.warpsmith.kernels`: JSON, see [`crate::record`].
    const RECORD: &'static str;
    /// FNV-1a of `RECORD`: what the manifest is compared with.
    const SIGNATURE_HASH: u64 = crate::record::fnv1a(Self::RECORD.as_bytes());
    /// Arguments of one launch.
    type Args<'a>: KernelArgs;
}

/// A kernel whose `fn` is safe: no launch that passes the checks can break anything.
///
/// # Safety
/// The function is not `unsafe`. Implemented by `#[kernel]` alone.
pub unsafe trait SafeKernel: Kernel {}

/// Launches one entry with everything checked first.
///
/// # Errors
/// The [`ContractError`] or the back end's error; nothing has been written then.
pub fn launch<K: SafeKernel, L: Launcher>(
    launcher: &L,
    shape: LaunchShape,
    args: &K::Args<'_>,
) -> Result<(), L::Error> {
    // SAFETY: the kernel is a safe function.
    unsafe { launch_unsafe::<K, L>(launcher, shape, args) }
}

/// Launches one entry of an `unsafe` kernel, with everything checked that can be.
///
/// # Errors
/// The [`ContractError`] or the back end's error; nothing has been written then.
///
/// # Safety
/// What the kernel's own documentation asks of its caller.
pub unsafe fn launch_unsafe<K: Kernel, L: Launcher>(
    launcher: &L,
    shape: LaunchShape,
    args: &K::Args<'_>,
) -> Result<(), L::Error> {
    let shape = shape.check::<K>()?;
    args.check()?;
    // SAFETY: promised by the caller.
    unsafe { launcher.launch_checked::<K>(shape, args) }
}

/// A back end that runs kernels: a CUDA stream, the simulator.
pub trait Launcher {
    /// The back end's error.
    type Error: From<ContractError>;

    /// Enqueues one launch. The shape has been checked; the arguments still have to be checked against the back end
    /// (that each belongs to its [`SpaceId`](super::SpaceId)).
    ///
    /// # Errors
    /// Whatever kept the launch from being enqueued; nothing has been written then.
    ///
    /// # Safety
    /// The kernel's own contract, where it is an `unsafe fn`; for others the generated `launch` discharges it.
    unsafe fn launch_checked<K: Kernel>(
        &self,
        shape: CheckedShape,
        args: &K::Args<'_>,
    ) -> Result<(), Self::Error>;
}
