//! Tables on a device.

use gpu_std::launch::SliceArg;
use gpu_std::{bf16, f16};
use kernels_gpu::embedding::feature as kind;

use super::{EmbeddingError, STEPS_BYTES};
use crate::error::Error;
use crate::ops::{Layout, MatrixRef, OpError};

/// A table: a row for each index.
#[derive(Clone, Copy, Debug)]
pub enum Table<'a> {
    /// Of f32.
    F32(MatrixRef<'a, f32>),
    /// Of f16.
    F16(MatrixRef<'a, f16>),
    /// Of bf16.
    Bf16(MatrixRef<'a, bf16>),
    /// Of codes of 8 bits with a scale and a bias for each row.
    Codes(CodedRows<'a>),
}

/// Rows of unsigned codes: `value = scale * code + bias` with the scale and the bias of the row, the meaning FBGEMM gives its
/// rowwise quantized tables.
#[derive(Clone, Copy, Debug)]
pub struct CodedRows<'a> {
    codes: MatrixRef<'a, u8>,
    width: u64,
    /// `None`: behind the codes of each row.
    steps: Option<MatrixRef<'a, f32>>,
}

impl<'a> CodedRows<'a> {
    /// Codes, and a scale and a bias for each row, in this order.
    ///
    /// # Errors
    /// [`EmbeddingError::StepsShape`].
    pub fn new(codes: MatrixRef<'a, u8>, steps: MatrixRef<'a, f32>) -> Result<Self, Error> {
        let (layout, at) = (codes.layout(), steps.layout());
        if (at.rows(), at.cols()) != (layout.rows(), 2) {
            let shape = EmbeddingError::StepsShape { rows: at.rows(), cols: at.cols(), codes: layout.rows() };
            return Err(OpError::from(shape).into());
        }
        Ok(Self { codes, width: layout.cols(), steps: Some(steps) })
    }

    /// Rows that end with their scale and their bias, 4 bytes each, least significant byte first: FBGEMM's fused 8-bit rows.
    ///
    /// # Errors
    /// [`EmbeddingError::FusedWidth`] for rows of no more than 8 bytes.
    pub fn fused(rows: MatrixRef<'a, u8>) -> Result<Self, Error> {
        let got = rows.layout().cols();
        match got.checked_sub(STEPS_BYTES) {
            Some(width) if width > 0 => Ok(Self { codes: rows, width, steps: None }),
            _ => Err(OpError::from(EmbeddingError::FusedWidth { got, steps: STEPS_BYTES }).into()),
        }
    }
}

/// Where the rows of a table lie, whatever they hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// What the kernels call the element type.
    pub kind: u32,
    /// Bytes of an element.
    pub elem_bytes: u64,
    pub addr: u64,
    /// Rows and distances, in elements; columns that are looked up may be fewer.
    pub layout: Layout,
    /// Elements of a row.
    pub width: u64,
    /// Address of the first scale, and bytes to the next.
    pub steps: (u64, u64),
}

impl<'a> Table<'a> {
    pub(super) fn place(&self) -> Place {
        fn of<T: gpu_std::DeviceRepr>(kind: u32, rows: &MatrixRef<'_, T>) -> Place {
            let (layout, elem_bytes) = (rows.layout(), size_of::<T>() as u64);
            let (addr, width) = (rows.data().addr(), layout.cols());
            Place { kind, elem_bytes, addr, layout, width, steps: (0, 0) }
        }
        match self {
            Self::F32(rows) => of(kind::F32, rows),
            Self::F16(rows) => of(kind::F16, rows),
            Self::Bf16(rows) => of(kind::BF16, rows),
            Self::Codes(CodedRows { codes, width, steps }) => {
                let place = of(kind::CODES, codes);
                let steps = match steps {
                    Some(steps) => (steps.data().addr(), 4 * steps.layout().stride()),
                    None => (place.addr + width, place.layout.stride()),
                };
                Place { width: *width, steps, ..place }
            }
        }
    }

    /// What a launch reads of it.
    pub(super) fn reads(&self) -> impl Iterator<Item = SliceArg> {
        let (rows, steps) = match self {
            Self::F32(rows) => (SliceArg::read("table", &rows.data()), None),
            Self::F16(rows) => (SliceArg::read("table", &rows.data()), None),
            Self::Bf16(rows) => (SliceArg::read("table", &rows.data()), None),
            Self::Codes(CodedRows { codes, steps, .. }) => {
                let steps = steps.map(|steps| SliceArg::read("scales and biases", &steps.data()));
                (SliceArg::read("table", &codes.data()), steps)
            }
        };
        [Some(rows), steps].into_iter().flatten()
    }
}
