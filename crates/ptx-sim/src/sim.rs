//! One file, one device: the shortest way to run a kernel.

use std::path::Path;

use crate::device::{Device, LaunchConfig, Module, Report};
use crate::error::{LaunchError, LoadError};
use crate::memory::MemoryError;
use crate::options::Options;

mod sealed {
    pub trait Sealed {}
}

/// A value of a buffer or parameter: numbers without padding.
pub trait Value: Copy + sealed::Sealed {
    /// Its bytes, little-endian.
    fn to_bytes(self) -> Vec<u8>;
    /// The value of these bytes; missing ones are 0.
    fn from_bytes(bytes: &[u8]) -> Self;
}

macro_rules! values {
    ($($ty:ty, $bytes:literal;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Value for $ty {
            fn to_bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
            fn from_bytes(bytes: &[u8]) -> Self {
                let mut all = [0; $bytes];
                let len = bytes.len().min($bytes);
                all[..len].copy_from_slice(&bytes[..len]);
                Self::from_le_bytes(all)
            }
        }
    )*};
}

values! {
    u8, 1; i8, 1; u16, 2; i16, 2; u32, 4; i32, 4; u64, 8; i64, 8; f32, 4; f64, 8;
    half::f16, 2; half::bf16, 2;
}

/// An argument of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg(Vec<u8>);

impl<T: Value> From<T> for Arg {
    fn from(value: T) -> Self {
        Self(value.to_bytes())
    }
}

impl<T: Value> From<&Buffer<T>> for Arg {
    fn from(buffer: &Buffer<T>) -> Self {
        Self(buffer.addr.to_bytes())
    }
}

impl Arg {
    /// A parameter of these bytes, for plain structs.
    #[must_use]
    pub fn bytes(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

/// Elements in the memory of a device; freed when it goes out of scope.
#[derive(Debug)]
pub struct Buffer<T: Value> {
    device: Device,
    addr: u64,
    len: usize,
    element: std::marker::PhantomData<T>,
}

impl<T: Value> Buffer<T> {
    /// Its address.
    #[must_use]
    pub fn addr(&self) -> u64 {
        self.addr
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Its elements, undefined ones too.
    ///
    /// # Errors
    /// The device's.
    pub fn to_vec(&self) -> Result<Vec<T>, MemoryError> {
        let mut bytes = vec![0; self.len * size_of::<T>()];
        self.device.read(self.addr, &mut bytes)?;
        Ok(bytes.chunks(size_of::<T>()).map(T::from_bytes).collect())
    }
}

impl<T: Value> Drop for Buffer<T> {
    fn drop(&mut self) {
        // It was allocated by this type and is freed once; there is nobody to tell of anything else.
        let _ = self.device.free(self.addr);
    }
}

/// A PTX file on a device of its own.
///
/// ```
/// # let dir = std::env::temp_dir().join("ptx-sim-doc");
/// # std::fs::create_dir_all(&dir)?;
/// # let path = dir.join("twice.ptx");
/// # std::fs::write(&path, "
/// # .version 7.8 .target sm_90 .address_size 64
/// # .visible .entry twice(.param .u64 x, .param .u64 y) {
/// #   .reg .b32 %r<3>; .reg .b64 %rd<6>;
/// #   ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];
/// #   mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;
/// #   add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
/// #   ld.global.u32 %r2, [%rd4]; add.u32 %r2, %r2, %r2; st.global.u32 [%rd5], %r2; ret;
/// # }")?;
/// use ptx_sim::Sim;
///
/// let sim = Sim::load(&path)?;
/// let (x, y) = (sim.upload(&[1_u32, 2, 3, 4])?, sim.alloc::<u32>(4)?);
/// sim.launch("twice", [1, 1, 1], [4, 1, 1], 0, &[(&x).into(), (&y).into()])?;
/// assert_eq!(y.to_vec()?, [2, 4, 6, 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sim {
    module: Module,
}

impl Sim {
    /// Loads a PTX file, with the usual options.
    ///
    /// # Errors
    /// A file that cannot be read or is not PTX.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::load_with(path, Options::default())
    }

    /// Loads a PTX file.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_with(path: impl AsRef<Path>, options: Options) -> Result<Self, LoadError> {
        Ok(Self { module: Device::new(options).load(path.as_ref())? })
    }

    /// The same from text.
    ///
    /// # Errors
    /// Text that is not PTX.
    pub fn from_text(text: &str, options: Options) -> Result<Self, LoadError> {
        Ok(Self { module: Device::new(options).load_text("text", text)? })
    }

    /// The module, for all that is not here.
    #[must_use]
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// `len` elements that are undefined until a kernel or the host writes them.
    ///
    /// # Errors
    /// No room.
    pub fn alloc<T: Value>(&self, len: usize) -> Result<Buffer<T>, MemoryError> {
        let device = self.module.device().clone();
        let addr = device.alloc((len * size_of::<T>()) as u64)?;
        Ok(Buffer { device, addr, len, element: std::marker::PhantomData })
    }

    /// A copy of `data`.
    ///
    /// # Errors
    /// No room.
    pub fn upload<T: Value>(&self, data: &[T]) -> Result<Buffer<T>, MemoryError> {
        let buffer = self.alloc(data.len())?;
        let bytes: Vec<u8> = data.iter().flat_map(|value| value.to_bytes()).collect();
        buffer.device.write(buffer.addr, &bytes)?;
        Ok(buffer)
    }

    /// Runs a kernel to its end.
    ///
    /// # Errors
    /// As [`Module::launch`].
    pub fn launch(
        &self,
        entry: &str,
        grid: [u32; 3],
        block: [u32; 3],
        shared_bytes: u32,
        args: &[Arg],
    ) -> Result<Report, LaunchError> {
        let config = LaunchConfig { grid, block, shared_bytes, ..LaunchConfig::default() };
        let params: Vec<Vec<u8>> = args.iter().map(|arg| arg.0.clone()).collect();
        self.module.launch(entry, &config, &params)
    }
}
