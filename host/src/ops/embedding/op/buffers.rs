//! Matrices and lists of any type, in host memory and on a device.

use gpu_std::{DeviceRepr, bf16, f16};

use crate::backend::{Buffer, Device};
use crate::error::Error;
use crate::ops::embedding::{HostIndices, Indices};
use crate::ops::{HostRef, Layout, MatrixRef, OpError};

/// A matrix with elements in front of it.
#[derive(Clone, Debug)]
pub struct Matrix<T> {
    pub data: Vec<T>,
    pub layout: Layout,
    pub offset: u64,
}

impl<T: DeviceRepr> Matrix<T> {
    /// Elements of the buffer.
    pub fn len(&self) -> u64 {
        self.offset + self.layout.span()
    }

    pub fn host(&self) -> Result<HostRef<'_, T>, OpError> {
        HostRef::new(&self.data[self.offset as usize..], self.layout)
    }

    pub fn view<'b, D: Device>(&self, buffer: &'b D::Buffer<T>) -> Result<MatrixRef<'b, T>, Error> {
        let view = buffer.as_slice().slice(self.offset..self.len())?;
        MatrixRef::with_stride(view, self.layout.rows(), self.layout.cols(), self.layout.stride())
    }
}

/// A list of numbers.
#[derive(Clone, Debug)]
pub struct List<T> {
    pub data: Vec<T>,
    pub len: u64,
}

/// Puts data on a device: its values, or only room for them where there are none.
pub fn put<T: DeviceRepr, D: Device>(device: &D, data: &[T], len: u64) -> Result<D::Buffer<T>, Error> {
    if data.len() as u64 == len { device.upload(data) } else { device.alloc(len) }
}

/// Whether both have the same bytes.
pub fn same<T: DeviceRepr>(left: &[T], right: &[T]) -> bool {
    // SAFETY: plain numbers without padding, as many bytes as the slice has.
    let bytes =
        |list: &[T]| unsafe { std::slice::from_raw_parts(list.as_ptr().cast::<u8>(), size_of_val(list)) };
    bytes(left) == bytes(right)
}

/// Writes an enum of several types, and what is done with each of them.
macro_rules! kinds {
    ($(#[$meta:meta])* $kind:ident, $on_device:ident: $($variant:ident($holder:ident<$ty:ty>);)*) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        pub enum $kind {
            $(#[allow(missing_docs, reason = "the type says it")] $variant($holder<$ty>),)*
        }

        #[allow(missing_docs, reason = "its buffers on a device")]
        pub enum $on_device<D: Device> {
            $(#[allow(missing_docs, reason = "the type says it")] $variant(D::Buffer<$ty>),)*
        }

        impl $kind {
            pub fn upload<D: Device>(&self, device: &D) -> Result<$on_device<D>, Error> {
                Ok(match self {
                    $(Self::$variant(one) => $on_device::$variant(put(device, &one.data, one.buffer_len())?),)*
                })
            }

            pub fn is_unchanged<D: Device>(&self, device: &D, on: &$on_device<D>) -> Result<bool, Error> {
                Ok(match (self, on) {
                    $((Self::$variant(one), $on_device::$variant(buffer)) => {
                        same(&device.download(buffer.as_slice())?, &one.data)
                    })*
                    _ => false,
                })
            }
        }
    };
}

impl<T: DeviceRepr> Matrix<T> {
    fn buffer_len(&self) -> u64 {
        self.len()
    }
}

impl<T> List<T> {
    fn buffer_len(&self) -> u64 {
        self.len
    }
}

kinds! {
    /// Rows of a table, or dense features.
    Rows, DeviceRows: F32(Matrix<f32>); F16(Matrix<f16>); Bf16(Matrix<bf16>); Codes(Matrix<u8>); Fused(Matrix<u8>);
}

kinds! {
    /// Indices or offsets.
    Numbers, DeviceNumbers: U32(List<u32>); I32(List<i32>); I64(List<i64>);
}

impl Numbers {
    pub fn host(&self) -> HostIndices<'_> {
        match self {
            Self::U32(list) => HostIndices::U32(&list.data),
            Self::I32(list) => HostIndices::I32(&list.data),
            Self::I64(list) => HostIndices::I64(&list.data),
        }
    }
}

impl<D: Device> DeviceNumbers<D> {
    pub fn view(&self) -> Indices<'_> {
        match self {
            Self::U32(buffer) => Indices::U32(buffer.as_slice()),
            Self::I32(buffer) => Indices::I32(buffer.as_slice()),
            Self::I64(buffer) => Indices::I64(buffer.as_slice()),
        }
    }
}
