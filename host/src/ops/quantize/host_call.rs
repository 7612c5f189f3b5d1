//! The calls on host memory, on whatever back end there is.

use super::rows::{NonFinite, RowSteps, hadamard_quantize, quantize_rows, quantize_rows_i16};
use super::{Affine, CodeType, Quantizable, QuantizeError, quantize_affine};
#[cfg(feature = "sim")]
use crate::backend::Buffer as _;
use crate::backend::Device;
use crate::cpu::quantize as cpu;
use crate::error::Error;
use crate::host_memory;
use crate::ops::{Executor, HostMut, HostRef, Layout, MatrixMut, MatrixRef, OpError};

/// What becomes of NaN and infinities in host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnNonFinite {
    /// They are an error with their number, [`QuantizeError::NotFinite`].
    Refuse,
    /// A row that has one gets scale NaN, zero point 0 and codes 0.
    Propagate,
}

impl OnNonFinite {
    fn on_device(self) -> NonFinite<'static> {
        match self {
            Self::Refuse => NonFinite::Refuse,
            Self::Propagate => NonFinite::Propagate,
        }
    }

    fn check(self, op: &'static str, count: u64, elements: u64) -> Result<(), QuantizeError> {
        match self {
            Self::Refuse if count > 0 => Err(QuantizeError::NotFinite { op, count, elements }),
            _ => Ok(()),
        }
    }
}

/// Rows as codes of 8 bits, without gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizedRows {
    /// `[rows, cols]`
    pub codes: Vec<i8>,
    /// `[rows]`
    pub scales: Vec<f32>,
    /// `[rows]`, where codes are asymmetric; else none.
    pub zeros: Vec<i32>,
    /// Sums of the codes of each row, modulo 2^32.
    pub sums: Vec<i32>,
}

/// Rows as codes of 16 bits, in two planes without gaps.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizedPlanes {
    /// `code >> 8`: `[rows, cols]`
    pub high: Vec<i8>,
    /// `code & 255`: `[rows, cols]`
    pub low: Vec<u8>,
    /// `[rows]`
    pub scales: Vec<f32>,
    /// `[rows]`
    pub zeros: Vec<i32>,
}

/// Calls `$body` with a device, or evaluates `$cpu`.
macro_rules! on {
    ($executor:ident, |$device:ident| $body:expr, $cpu:expr) => {
        match $executor {
            Executor::Cuda($device) => $body,
            #[cfg(feature = "sim")]
            Executor::Sim($device) => $body,
            Executor::Cpu => $cpu,
        }
    };
}

/// [`quantize_rows`] of host memory: `asymmetric` or not. Returns when all is computed; the same bits on every back end.
///
/// # Errors
/// As [`quantize_rows`], and [`OpError::HostMemory`].
pub fn quantize_rows_on<T: Quantizable>(
    executor: &Executor,
    x: HostRef<'_, T>,
    asymmetric: bool,
    non_finite: OnNonFinite,
) -> Result<QuantizedRows, Error> {
    let layout = plain(x.layout())?;
    let mut out = QuantizedRows::new(layout, asymmetric)?;
    on!(
        executor,
        |device| {
            let input = device.upload(x.data())?;
            let (mut codes, rows) = (device.alloc::<i8>(layout.elements())?, layout.rows());
            let (mut scales, mut sums) = (device.alloc::<f32>(rows)?, device.alloc::<i32>(rows)?);
            let mut zeros = device.alloc::<i32>(out.zeros.len() as u64)?;
            let steps = RowSteps {
                scales: scales.as_mut_slice(),
                zeros: asymmetric.then(|| zeros.as_mut_slice()),
                sums: Some(sums.as_mut_slice()),
            };
            let (x, target) = (matrix(&input, x.layout())?, target(&mut codes, layout)?);
            quantize_rows(device, x, target, steps, non_finite.on_device())?;
            out.codes = device.download(codes.as_slice())?;
            out.scales = device.download(scales.as_slice())?;
            out.zeros = device.download(zeros.as_slice())?;
            out.sums = device.download(sums.as_slice())?;
            Ok(out)
        },
        {
            let (mut codes, steps) = out.views(layout, asymmetric)?;
            let count = cpu::quantize_rows(x, &mut codes, steps)?;
            non_finite.check("quantize_rows", count, layout.elements())?;
            Ok(out)
        }
    )
}

/// [`quantize_rows_i16`] of host memory. Returns when all is computed; the same bits on every back end.
///
/// # Errors
/// As [`quantize_rows_i16`], and [`OpError::HostMemory`].
pub fn quantize_rows_i16_on<T: Quantizable>(
    executor: &Executor,
    x: HostRef<'_, T>,
    non_finite: OnNonFinite,
) -> Result<QuantizedPlanes, Error> {
    let layout = plain(x.layout())?;
    let (elements, rows) = (layout.elements(), layout.rows());
    on!(
        executor,
        |device| {
            let input = device.upload(x.data())?;
            let (mut high, mut low) = (device.alloc::<i8>(elements)?, device.alloc::<u8>(elements)?);
            let (mut scales, mut zeros) = (device.alloc::<f32>(rows)?, device.alloc::<i32>(rows)?);
            quantize_rows_i16(
                device,
                matrix(&input, x.layout())?,
                target(&mut high, layout)?,
                target(&mut low, layout)?,
                scales.as_mut_slice(),
                zeros.as_mut_slice(),
                non_finite.on_device(),
            )?;
            Ok(QuantizedPlanes {
                high: device.download(high.as_slice())?,
                low: device.download(low.as_slice())?,
                scales: device.download(scales.as_slice())?,
                zeros: device.download(zeros.as_slice())?,
            })
        },
        {
            let mut out = QuantizedPlanes {
                high: host_memory::filled(0, elements as usize)?,
                low: host_memory::filled(0, elements as usize)?,
                scales: host_memory::filled(0.0, rows as usize)?,
                zeros: host_memory::filled(0, rows as usize)?,
            };
            let mut high = HostMut::new(&mut out.high, layout)?;
            let mut low = HostMut::new(&mut out.low, layout)?;
            let count = cpu::quantize_rows_i16(x, &mut high, &mut low, &mut out.scales, &mut out.zeros)?;
            non_finite.check("quantize_rows_i16", count, elements)?;
            Ok(out)
        }
    )
}

/// [`hadamard_quantize`] of host memory. Returns when all is computed; the same bits on every back end.
///
/// # Errors
/// As [`hadamard_quantize`], and [`OpError::HostMemory`].
pub fn hadamard_quantize_on<T: Quantizable>(
    executor: &Executor,
    a: HostRef<'_, T>,
    b: HostRef<'_, T>,
    non_finite: OnNonFinite,
) -> Result<QuantizedRows, Error> {
    let layout = plain(a.layout())?;
    let mut out = QuantizedRows::new(layout, false)?;
    on!(
        executor,
        |device| {
            let (left, right) = (device.upload(a.data())?, device.upload(b.data())?);
            let (mut codes, rows) = (device.alloc::<i8>(layout.elements())?, layout.rows());
            let (mut scales, mut sums) = (device.alloc::<f32>(rows)?, device.alloc::<i32>(rows)?);
            hadamard_quantize(
                device,
                matrix(&left, a.layout())?,
                matrix(&right, b.layout())?,
                target(&mut codes, layout)?,
                scales.as_mut_slice(),
                Some(sums.as_mut_slice()),
                non_finite.on_device(),
            )?;
            out.codes = device.download(codes.as_slice())?;
            out.scales = device.download(scales.as_slice())?;
            out.sums = device.download(sums.as_slice())?;
            Ok(out)
        },
        {
            let (mut codes, steps) = out.views(layout, false)?;
            let count = cpu::hadamard_quantize(a, b, &mut codes, steps)?;
            non_finite.check("hadamard_quantize", count, layout.elements())?;
            Ok(out)
        }
    )
}

/// [`quantize_affine`] of host memory, codes without gaps. Returns when all is computed; the same bits on every back end.
///
/// # Errors
/// As [`quantize_affine`], and [`OpError::HostMemory`].
pub fn quantize_affine_on<T: Quantizable, C: CodeType>(
    executor: &Executor,
    x: HostRef<'_, T>,
    affine: Affine<C>,
    non_finite: OnNonFinite,
) -> Result<Vec<C>, Error> {
    let layout = plain(x.layout())?;
    on!(
        executor,
        |device| {
            let input = device.upload(x.data())?;
            let mut codes = device.alloc::<C>(layout.elements())?;
            let (x, target) = (matrix(&input, x.layout())?, target(&mut codes, layout)?);
            quantize_affine(device, x, target, affine, non_finite.on_device())?;
            device.download(codes.as_slice())
        },
        {
            let mut codes = host_memory::filled(C::of(0), layout.elements() as usize)?;
            let count = cpu::quantize_affine(x, &mut HostMut::new(&mut codes, layout)?, affine)?;
            non_finite.check("quantize_affine", count, layout.elements())?;
            Ok(codes)
        }
    )
}

impl QuantizedRows {
    fn new(layout: Layout, asymmetric: bool) -> Result<Self, OpError> {
        let rows = layout.rows() as usize;
        Ok(Self {
            codes: host_memory::filled(0, layout.elements() as usize)?,
            scales: host_memory::filled(0.0, rows)?,
            zeros: host_memory::filled(0, if asymmetric { rows } else { 0 })?,
            sums: host_memory::filled(0, rows)?,
        })
    }

    fn views(
        &mut self,
        layout: Layout,
        asymmetric: bool,
    ) -> Result<(HostMut<'_, i8>, cpu::RowSteps<'_>), OpError> {
        let steps = cpu::RowSteps {
            scales: &mut self.scales,
            zeros: asymmetric.then_some(&mut self.zeros[..]),
            sums: Some(&mut self.sums),
        };
        Ok((HostMut::new(&mut self.codes, layout)?, steps))
    }
}

/// The layout of as many rows and columns without gaps.
fn plain(layout: Layout) -> Result<Layout, OpError> {
    Layout::new_mut(layout.rows(), layout.cols(), layout.cols())
}

fn matrix<'a, T: Quantizable, B: crate::backend::Buffer<T>>(
    buffer: &'a B,
    layout: Layout,
) -> Result<MatrixRef<'a, T>, Error> {
    MatrixRef::with_stride(buffer.as_slice(), layout.rows(), layout.cols(), layout.stride())
}

fn target<'a, C: gpu_std::DeviceRepr, B: crate::backend::Buffer<C>>(
    buffer: &'a mut B,
    layout: Layout,
) -> Result<MatrixMut<'a, C>, Error> {
    MatrixMut::new(buffer.as_mut_slice(), layout.rows(), layout.cols())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(data: &[f32], cols: u64) -> HostRef<'_, f32> {
        let layout = Layout::new(data.len() as u64 / cols, cols, cols).expect("it fits");
        HostRef::new(data, layout).expect("it fits")
    }

    #[test]
    fn values_come_back_within_half_a_step() {
        let data = [1.0, -2.0, 0.5, 127.0, 3.0, 3.0, 3.0, 3.0];
        for asymmetric in [false, true] {
            let out = quantize_rows_on(&Executor::Cpu, rows(&data, 4), asymmetric, OnNonFinite::Refuse);
            let out = out.expect("it is finite");
            for (i, x) in data.iter().enumerate() {
                let zero = out.zeros.get(i / 4).copied().unwrap_or(0);
                let back = (i32::from(out.codes[i]) - zero) as f32 * out.scales[i / 4];
                assert!((back - x).abs() <= 0.51 * out.scales[i / 4], "{asymmetric} {x}: {back}");
            }
            let sum = |row: &[i8]| row.iter().map(|code| i32::from(*code)).sum::<i32>();
            assert_eq!(out.sums, [sum(&out.codes[..4]), sum(&out.codes[4..])]);
        }
    }

    #[test]
    fn values_that_are_not_finite_are_refused_with_their_number() {
        let data = [1.0, f32::NAN, f32::INFINITY, 2.0];
        let refused = |error: Error| error.to_string();
        let cpu = Executor::Cpu;
        let error = quantize_rows_on(&cpu, rows(&data, 2), false, OnNonFinite::Refuse).expect_err("NaN");
        let want = "quantize_rows: 2 of 4 values are not finite; every value must be";
        assert_eq!(refused(error), want);
        let error = quantize_rows_i16_on(&cpu, rows(&data, 2), OnNonFinite::Refuse).expect_err("NaN");
        assert_eq!(refused(error), want.replace("rows", "rows_i16"));
        let (a, b) = (rows(&data, 2), rows(&data, 2));
        assert!(hadamard_quantize_on(&cpu, a, b, OnNonFinite::Refuse).is_err());
        let affine = Affine::<u8>::new(0.02, 128).expect("it is right");
        assert!(quantize_affine_on(&cpu, a, affine, OnNonFinite::Refuse).is_err());
        let out = quantize_affine_on(&cpu, a, affine, OnNonFinite::Propagate).expect("it is asked for");
        assert_eq!(out, [178, 128, 255, 228]);
        let out = quantize_rows_on(&cpu, a, true, OnNonFinite::Propagate).expect("it is asked for");
        assert!(out.scales.iter().all(|scale| scale.is_nan()) && out.codes == [0; 4]);
    }

    #[test]
    fn planes_hold_the_upper_and_the_lower_byte() {
        let data = [-1.0, 2.0, 0.0, 1.0];
        let out = quantize_rows_i16_on(&Executor::Cpu, rows(&data, 4), OnNonFinite::Refuse);
        let out = out.expect("it is finite");
        let codes: Vec<i32> = out
            .high
            .iter()
            .zip(&out.low)
            .map(|(high, low)| i32::from(*high) * 256 + i32::from(*low))
            .collect();
        assert_eq!(codes, [-32_768, 32_767, out.zeros[0], 10_922]);
    }
}
