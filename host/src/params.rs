//! The parameters a program packs, against those a loaded image takes.

use gpu_std::launch::{ParamDesc, ParamKind};

use crate::error::{CountOf, Error};

/// The most PTX parameters of an entry.
pub(crate) const MAX_PARAMS: usize = 128;

/// The most bytes of parameters: what every architecture and driver takes (CUDA Programming Guide, "Function Parameters").
pub(crate) const MAX_BYTES: usize = 4096;

/// Why an image does not say what a parameter is.
pub(crate) enum ParamError {
    /// It cannot be asked.
    Unknown,
    /// It was asked, and failed.
    Failed(Error),
}

/// Size and alignment of the PTX parameters, in order.
fn ptx_params(params: &[ParamDesc]) -> impl Iterator<Item = (usize, usize)> + '_ {
    params.iter().flat_map(|param| {
        let (first, second) = match param.kind {
            ParamKind::Slice | ParamKind::GridMut => ((8, 8), Some((8, 8))),
            ParamKind::Ptr => ((8, 8), None),
            ParamKind::Value | ParamKind::TensorMap | ParamKind::TensorMapMut => {
                ((param.size, param.align), None)
            }
        };
        [Some(first), second].into_iter().flatten()
    })
}

/// The largest alignment that the place of parameters has on every architecture. A driver aligns the place in its constant bank:
/// behind a larger one, offsets depend on where parameters begin there (528 on sm_90, where 48 is a multiple of 64).
const MAX_ALIGN: usize = 16;

/// Compares what the program packs with what the image takes.
pub(crate) fn check_params(
    entry: &'static str,
    params: &[ParamDesc],
    image: impl Fn(usize) -> Result<Option<(usize, usize)>, ParamError>,
) -> Result<(), Error> {
    let (mut end, mut count, mut is_fixed) = (0_usize, 0, true);
    for (index, (want_bytes, align)) in ptx_params(params).enumerate() {
        if index == MAX_PARAMS {
            let (unit, value) = ("PTX parameters", ptx_params(params).count());
            return Err(Error::ParamsTooLarge { entry, value, unit, limit: MAX_PARAMS });
        }
        let want_offset = end.next_multiple_of(align.max(1));
        let (got_offset, got_bytes) = match image(index) {
            Ok(Some(found)) => found,
            Ok(None) => {
                let want = ptx_params(params).count();
                return Err(Error::ParamCount { entry, got: CountOf::Exactly(index), want });
            }
            Err(ParamError::Unknown) => return Ok(()),
            Err(ParamError::Failed(error)) => return Err(error),
        };
        is_fixed &= align <= MAX_ALIGN;
        if got_bytes != want_bytes || is_fixed && got_offset != want_offset {
            return Err(Error::ParamMismatch {
                entry,
                index,
                got_offset,
                got_bytes,
                want_offset,
                want_bytes,
            });
        }
        (end, count) = (want_offset + want_bytes, index + 1);
    }
    match image(count) {
        Ok(Some(_)) => Err(Error::ParamCount { entry, got: CountOf::AtLeast(count + 1), want: count }),
        Ok(None) | Err(ParamError::Unknown) => Ok(()),
        Err(ParamError::Failed(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn param(kind: ParamKind, size: usize, align: usize) -> ParamDesc {
        ParamDesc { name: "p", kind, ty: "T", size, align }
    }

    #[test]
    fn a_tensor_map_is_one_parameter_aligned_to_64() {
        let params = [param(ParamKind::Value, 4, 4), param(ParamKind::TensorMap, 128, 64)];
        let check = |image: [(usize, usize); 2]| check_params("k", &params, |i| Ok(image.get(i).copied()));
        check([(0, 4), (64, 128)]).expect("the same layout");
        check([(0, 4), (48, 128)]).expect("what an H200 says");
        let error = check([(0, 4), (64, 64)]).expect_err("half a map");
        assert!(matches!(error, Error::ParamMismatch { index: 1, want_bytes: 128, .. }), "{error}");
    }

    const PARAMS: [ParamDesc; 3] =
        [param(ParamKind::Slice, 4, 4), param(ParamKind::Value, 2, 2), param(ParamKind::Value, 24, 8)];

    fn check(image: &[(usize, usize)]) -> Result<(), Error> {
        check_params("k", &PARAMS, |index| Ok(image.get(index).copied()))
    }

    #[test]
    fn a_slice_is_two_parameters_and_values_are_aligned() {
        check(&[(0, 8), (8, 8), (16, 2), (24, 24)]).expect("the same layout");
    }

    #[test]
    fn another_size_offset_or_count_is_found() {
        let error = check(&[(0, 8), (8, 8), (16, 4), (24, 24)]).expect_err("another size");
        assert!(
            matches!(error, Error::ParamMismatch { index: 2, got_bytes: 4, want_bytes: 2, .. }),
            "{error}"
        );
        assert!(error.to_string().ends_with("run `cargo xtask build-ptx`"), "{error}");
        let error = check(&[(0, 8), (8, 8), (16, 2)]).expect_err("one less");
        assert!(matches!(error, Error::ParamCount { got: CountOf::Exactly(3), want: 4, .. }), "{error}");
        let error = check(&[(0, 8), (8, 8), (16, 2), (24, 24), (48, 8)]).expect_err("one more");
        assert!(matches!(error, Error::ParamCount { got: CountOf::AtLeast(5), want: 4, .. }), "{error}");
    }

    #[test]
    fn a_driver_that_cannot_say_is_not_an_error() {
        check_params("k", &PARAMS, |_| Err(ParamError::Unknown)).expect("nothing to compare with");
    }
}
