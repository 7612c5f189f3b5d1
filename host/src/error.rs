//! The one error of the crate: what failed, with names, values and limits, and what to do next.

use std::fmt;
use std::path::PathBuf;

use cuda_loader::LoadError;
use gpu_std::launch::{ContractError, Dim3};

use crate::artefacts::{ArtefactError, CudaVersion, PtxVersion};

/// Whatever can go wrong between a call of this crate and its result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum Error {
    /// The launch breaks the kernel's contract; nothing has been enqueued or written.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// No PTX for this GPU, or not the PTX that belongs to this program.
    #[error(transparent)]
    Artefact(#[from] ArtefactError),
    /// An op refuses its operands; nothing has been launched or written.
    #[error(transparent)]
    Op(#[from] crate::ops::OpError),

    /// A data file that cannot be used.
    #[error(transparent)]
    Data(#[from] crate::data::DataError),
    /// A DTW call refuses what is in a file.
    #[error("{}: {source}", file.display())]
    File { file: PathBuf, source: crate::ops::dtw::DtwError },
    /// A file could not be written.
    #[error("cannot write {}: {source}", file.display())]
    Write { file: PathBuf, source: std::io::Error },
    /// A file to write that is read, or written in another way, too.
    #[error("{output} {} is the file of {other}; it would be lost", file.display())]
    SameFile { output: &'static str, file: PathBuf, other: &'static str },
    /// What was to be printed could not be.
    #[error("cannot write to standard output: {source}")]
    Output { source: std::io::Error },
    /// The driver library could not be opened; `tried` names every attempt.
    #[error("{tried}")]
    NoDriver { tried: LoadError },
    /// A driver, and no device it can use.
    #[error(
        "the CUDA driver{} finds no device; `nvidia-smi -L` lists what there is, and CUDA_VISIBLE_DEVICES may hide it",
        version_of(*driver)
    )]
    NoDevice { driver: Option<u32> },
    /// No device of this number.
    #[error("device {ordinal} does not exist: this machine has {count}, counted from 0")]
    OrdinalTooLarge { ordinal: u32, count: u32 },
    /// The driver is older than anything this crate can load.
    #[error(
        "the driver serves CUDA {}; install one for CUDA {} or newer",
        CudaVersion(*driver),
        CudaVersion(*needed)
    )]
    DriverTooOld { driver: u32, needed: u32 },
    /// A call of the driver failed.
    #[error("{what}: `{call}` failed with {code}")]
    Driver { what: String, call: &'static str, code: DriverCode },
    /// The GPU cannot be used by this process any more.
    #[error("{0}")]
    GpuLost(Box<GpuLost>),
    /// The device has no room for an allocation.
    #[error("no room for {bytes} bytes on device {ordinal}: {free_bytes} of {total_bytes} bytes are free")]
    OutOfMemory { ordinal: u32, bytes: u64, free_bytes: u64, total_bytes: u64 },
    /// The size of an allocation does not fit its counter.
    #[error("{len} elements of {elem_bytes} bytes are more bytes than an address space holds")]
    SizeOverflow { len: u64, elem_bytes: usize },
    /// A copy between pieces of different length.
    #[error("copy of {src_len} elements to a place for {dst_len}; they must be equal")]
    CopyLength { src_len: u64, dst_len: u64 },
    /// A copy of memory onto itself.
    #[error("copy within the device: {len} elements at {src:#x} and {dst:#x} share memory")]
    CopyOverlap { src: u64, dst: u64, len: u64 },
    /// A copy or fill of memory that another stream owns.
    #[error(
        "`{call}`: the memory belongs to stream {got} and the call goes to stream {want}; use `buf.on(&stream)`"
    )]
    CopySpace { call: &'static str, got: u64, want: u64 },
    /// Memory, streams or events of two devices in one call.
    #[error("this belongs to device {got} and the stream to device {want}")]
    OtherDevice { got: u32, want: u32 },
    /// The driver's compiler refused the PTX.
    #[error("the driver cannot compile {artefact}: {code}{}", Log(log))]
    PtxRejected { artefact: String, code: DriverCode, log: String },
    /// The PTX is newer than the driver, which says so only when it loads it.
    #[error(
        "{artefact} is {} and too new for the driver (CUDA {}): install a newer driver, or run `cargo xtask build-ptx --arch \
         sm_80`, whose PTX is older",
        ptx.map_or_else(|| "PTX without a version".to_owned(), |v| format!("PTX {v}")),
        CudaVersion(*driver)
    )]
    PtxTooNew { artefact: String, ptx: Option<PtxVersion>, driver: u32 },
    /// The loaded image's parameters are not those the program packs.
    #[error(
        "{entry}: parameter {index} has offset {got_offset} and {got_bytes} bytes in the loaded image, and offset \
         {want_offset} and {want_bytes} bytes in this program; run `cargo xtask build-ptx`"
    )]
    ParamMismatch {
        entry: &'static str,
        index: usize,
        got_offset: usize,
        got_bytes: usize,
        want_offset: usize,
        want_bytes: usize,
    },
    /// The loaded image has another number of parameters than the program packs.
    #[error(
        "{entry}: the loaded image has {got} parameters and this program packs {want}; run `cargo xtask build-ptx`"
    )]
    ParamCount { entry: &'static str, got: CountOf, want: usize },
    /// More bytes or more parameters than a launch takes.
    #[error("{entry}: its parameters need {value} {unit}; the limit is {limit}")]
    ParamsTooLarge { entry: &'static str, value: usize, unit: &'static str, limit: usize },
    /// More dynamic shared memory than a block may have.
    #[error(
        "{entry}: {asked} bytes of dynamic shared memory and {fixed} of static; a block of this device may have {limit}"
    )]
    SharedTooLarge { entry: &'static str, asked: u32, fixed: u32, limit: u32 },
    /// The block needs more registers than the multiprocessor has.
    #[error(
        "{entry}: a block of {block} threads may have at most {limit} threads with {registers} registers each"
    )]
    BlockDoesNotFit { entry: &'static str, block: Dim3, limit: u32, registers: u32 },
    /// A kernel that runs in clusters, on a device or driver without them.
    #[error("{entry}: runs in clusters of {cluster}; device {ordinal} ({arch}) has none")]
    NoClusters { entry: &'static str, cluster: u32, ordinal: u32, arch: String },
    /// A kernel that takes a tensor map, and a driver that cannot encode one.
    #[error(
        "{entry}: `{param}` is a tensor map, and the driver has no `{call}`; install one for CUDA {} or newer",
        CudaVersion(*needed)
    )]
    NoTensorMaps { entry: &'static str, param: &'static str, call: &'static str, needed: u32 },
    /// A tensor map that the simulator refuses.
    #[cfg(feature = "sim")]
    #[error("{entry}: the simulator cannot encode the tensor map `{param}`: {source}")]
    SimTensorMap { entry: &'static str, param: &'static str, source: Box<ptx_sim::TensorMapError> },
    /// An environment variable whose value means nothing.
    #[error("{name}={value}: it must be {want}")]
    Variable { name: &'static str, value: String, want: &'static str },
    /// The simulator found faults in a kernel. What the launch wrote before stays written.
    #[cfg(feature = "sim")]
    #[error("{findings}\nin {artefact}")]
    SimFindings { artefact: String, findings: Box<ptx_sim::Findings> },
    /// The simulator could not run a launch.
    #[cfg(feature = "sim")]
    #[error(transparent)]
    SimLaunch(Box<ptx_sim::LaunchError>),
    /// The simulator cannot load the PTX.
    #[cfg(feature = "sim")]
    #[error("the simulator cannot load {0}")]
    SimLoad(Box<ptx_sim::LoadError>),
    /// The simulator's memory.
    #[cfg(feature = "sim")]
    #[error("simulator: {0}")]
    SimMemory(#[from] ptx_sim::MemoryError),
    /// An event that measures no time was asked for it.
    #[error("the event was made without timing; make it with `Event::timed`")]
    EventWithoutTiming,
    /// An event was asked before it was recorded.
    #[error("the event has not been recorded; call `event.record(&stream)` first")]
    EventNotRecorded,
    /// An event was asked for the time before the work ahead of it was done.
    #[error("the event is not done; call `event.synchronize()` first")]
    EventNotDone,
}

/// A device that a sticky error took from this process, and what is known of the cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuLost {
    /// The device.
    pub ordinal: u32,
    /// The entry launched last on the stream that reported the error (on the device, where no stream did).
    pub kernel: Option<&'static str>,
    /// The entries launched before it, newest first; the error may be theirs.
    pub before: Vec<&'static str>,
    /// What the driver said.
    pub cause: DriverCode,
}

impl fmt::Display for GpuLost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "device {} is lost to this process: {}", self.ordinal, self.cause)?;
        match self.kernel {
            Some(kernel) => write!(f, "; last launched: `{kernel}`")?,
            None => f.write_str("; no kernel had been launched")?,
        }
        for (index, kernel) in self.before.iter().enumerate() {
            f.write_str(if index == 0 { " (before it: " } else { ", " })?;
            write!(f, "`{kernel}`")?;
        }
        if !self.before.is_empty() {
            f.write_str(")")?;
        }
        f.write_str("; only a new process gets the device back, the CPU back end works on")
    }
}

/// A result code of the driver, with its name and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverCode(pub u32);

impl DriverCode {
    /// NVIDIA's name of the code, such as `CUDA_ERROR_LAUNCH_FAILED`.
    #[must_use]
    pub fn name(self) -> &'static str {
        cuda_loader::error_name(self.0)
    }

    /// What the driver says it means.
    #[must_use]
    pub fn text(self) -> &'static str {
        cuda_loader::error_string(self.0)
    }
}

impl fmt::Display for DriverCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.name(), self.0, self.text())
    }
}

/// How many parameters an image has, as far as it was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountOf {
    /// So many.
    Exactly(usize),
    /// At least so many.
    AtLeast(usize),
}

impl fmt::Display for CountOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(n) => write!(f, "{n}"),
            Self::AtLeast(n) => write!(f, "at least {n}"),
        }
    }
}

struct Log<'a>(&'a str);

impl fmt::Display for Log<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("; it gave no log") } else { write!(f, "; its log:\n{}", self.0) }
    }
}

fn version_of(driver: Option<u32>) -> String {
    driver.map_or_else(String::new, |v| format!(" (CUDA {})", CudaVersion(v)))
}

impl From<crate::ops::dtw::DtwError> for Error {
    fn from(error: crate::ops::dtw::DtwError) -> Self {
        Self::Op(error.into())
    }
}

impl From<crate::ops::matmul::MatmulError> for Error {
    fn from(error: crate::ops::matmul::MatmulError) -> Self {
        Self::Op(error.into())
    }
}

impl From<crate::ops::quantize::QuantizeError> for Error {
    fn from(error: crate::ops::quantize::QuantizeError) -> Self {
        Self::Op(error.into())
    }
}
