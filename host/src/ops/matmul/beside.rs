//! What stands beside the matrices of a product, copied from host memory to a device.

use gpu_std::{bf16, f16};

use super::host::Beside;
use super::{BiasRef, HostBias, Hpq, Q8, Scales, SplitRef, ZeroPoints};
use crate::backend::{Buffer as _, Device};
use crate::error::Error;
use crate::ops::MatrixRef;

/// A bias on a device.
pub(super) enum DeviceBias<D: Device> {
    F32(D::Buffer<f32>),
    F16(D::Buffer<f16>),
    Bf16(D::Buffer<bf16>),
}

impl<D: Device> DeviceBias<D> {
    pub fn new(device: &D, bias: HostBias<'_>) -> Result<Self, Error> {
        Ok(match bias {
            HostBias::F32(bias) => Self::F32(device.upload(bias)?),
            HostBias::F16(bias) => Self::F16(device.upload(bias)?),
            HostBias::Bf16(bias) => Self::Bf16(device.upload(bias)?),
        })
    }

    pub fn view(&self) -> BiasRef<'_> {
        match self {
            Self::F32(bias) => BiasRef::F32(bias.as_slice()),
            Self::F16(bias) => BiasRef::F16(bias.as_slice()),
            Self::Bf16(bias) => BiasRef::Bf16(bias.as_slice()),
        }
    }
}

/// Zero points on a device, and the sums of the other side's rows.
type DeviceZeros<D> = (<D as Device>::Buffer<i32>, <D as Device>::Buffer<i32>);

/// What stands beside the matrices of a product, on a device.
pub(super) struct DeviceVectors<D: Device> {
    row_scales: Option<D::Buffer<f32>>,
    col_scales: Option<D::Buffer<f32>>,
    row_zeros: Option<DeviceZeros<D>>,
    col_zeros: Option<DeviceZeros<D>>,
    bias: Option<DeviceBias<D>>,
}

impl<D: Device> DeviceVectors<D> {
    /// Copies them.
    pub fn new(device: &D, asked: &Beside<'_>) -> Result<Self, Error> {
        let scales = |scales: Option<&[f32]>| scales.map(|scales| device.upload(scales)).transpose();
        let zeros = |zeros: &Option<(&[i32], Vec<i32>)>| -> Result<_, Error> {
            zeros.as_ref().map(|(zeros, sums)| Ok((device.upload(zeros)?, device.upload(sums)?))).transpose()
        };
        Ok(Self {
            row_scales: scales(asked.row_scales)?,
            col_scales: scales(asked.col_scales)?,
            row_zeros: zeros(&asked.row_zeros)?,
            col_zeros: zeros(&asked.col_zeros)?,
            bias: asked.bias.map(|bias| DeviceBias::new(device, bias)).transpose()?,
        })
    }

    /// The product of codes with them.
    pub fn q8<'a>(&'a self, a: MatrixRef<'a, i8>, b: MatrixRef<'a, i8>) -> Q8<'a> {
        Q8 {
            a,
            b,
            row_scales: scales::<D>(&self.row_scales),
            col_scales: scales::<D>(&self.col_scales),
            row_zeros: zeros::<D>(&self.row_zeros),
            col_zeros: zeros::<D>(&self.col_zeros),
            bias: self.bias.as_ref().map(DeviceBias::view),
        }
    }

    /// The product with 16-bit weights with them.
    pub fn hpq<'a>(&'a self, a: MatrixRef<'a, i8>, weights: SplitRef<'a>) -> Hpq<'a> {
        Hpq {
            a,
            weights,
            row_scales: scales::<D>(&self.row_scales),
            col_scales: scales::<D>(&self.col_scales),
            col_zeros: zeros::<D>(&self.col_zeros),
            bias: self.bias.as_ref().map(DeviceBias::view),
        }
    }
}

fn scales<D: Device>(buffer: &Option<D::Buffer<f32>>) -> Option<Scales<'_>> {
    buffer.as_ref().map(|buffer| Scales::trusted(buffer.as_slice()))
}

fn zeros<D: Device>(buffers: &Option<DeviceZeros<D>>) -> Option<ZeroPoints<'_>> {
    buffers.as_ref().map(|(zeros, sums)| ZeroPoints::trusted(zeros.as_slice(), sums.as_slice()))
}
