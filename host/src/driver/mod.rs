//! The CUDA driver: the only place that names cust or calls the driver.
//!
//! Owned objects ([`Gpu`], [`Stream`], [`Event`], [`DeviceBuffer`], [`PinnedBuffer`], [`Module`], [`PreparedLaunch`]) over
//! calls with `Result`, over two bindings to one driver:
//!
//! | what | through | why |
//! |---|---|---|
//! | initialisation, devices and most attributes | cust | sound as it is |
//! | primary context, retained and released | cust | sound once nothing outlives it, which the types here see to |
//! | modules and functions by name, function attributes | cust | sound once the module outlives the function |
//! | making a context current | loader | cust ignores the result |
//! | log of a failed compile | loader | cust has no log buffers; the compile is repeated to get it |
//! | streams, waits | loader | cust drops the non-blocking flag and destroys the event it waits for |
//! | events | loader | cust's record on cust's streams only |
//! | device memory, pools, copies, fills | loader | cust frees stream-ordered memory synchronously and has no pools |
//! | pinned memory | loader | cust's has no flags |
//! | launches, parameter sizes, tensor maps, more than 48 KiB of shared memory | loader | cust launches on its streams only, lacks the rest |
//!
//! What holds everywhere here:
//!
//! - **The context is current.** Every path to the driver begins with `Context::enter`, which compares the thread's
//!   current context with ours (a few nanoseconds) and sets it where they differ. A cached answer would go stale when
//!   another library in the process changes the context.
//! - **Sticky errors end it.** A code after which the context is of no use marks the context lost, with the kernels launched
//!   last. From then on `enter` fails at once, without a call of the driver, and drops leave everything as it is.
//! - **Owners outlive what they own.** Buffers hold their stream, streams and modules their context, all by `Arc`.
//! - **Nothing is freed under a running launch.** Device memory is freed in the order of its stream, after waits for every
//!   other stream that used it; pinned memory after the copies that use it; modules after all work of the context.

mod buffer;
mod call;
mod context;
mod copy;
mod device;
mod entry;
mod event;
mod gpu;
mod launch;
mod module;
mod pack;
mod pinned;
mod recent;
mod stream;
mod tensor;

pub use buffer::DeviceBuffer;
pub use context::MemoryUse;
pub use entry::FunctionAttributes;
pub use event::Event;
pub use gpu::Gpu;
pub use launch::PreparedLaunch;
pub use module::Module;
pub use pinned::{HostAccess, PinnedBuffer};
pub use stream::Stream;
