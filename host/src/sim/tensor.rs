//! Tensor maps in the simulator's words.

use gpu_std::launch::{TensorFill, TensorMapArg, TensorPromotion, TensorSwizzle, TensorType};
use ptx_sim::TensorSpec;

/// The simulator's description of a tensor map.
pub(super) fn spec(arg: &TensorMapArg) -> TensorSpec {
    let shape = &arg.shape;
    TensorSpec {
        element: element(shape.ty()),
        address: arg.memory.addr,
        dims: shape.dims().to_vec(),
        strides: shape.strides().to_vec(),
        box_dims: shape.box_dims().to_vec(),
        element_strides: shape.element_strides().to_vec(),
        swizzle: match shape.swizzle() {
            TensorSwizzle::None => ptx_sim::TensorSwizzle::None,
            TensorSwizzle::B32 => ptx_sim::TensorSwizzle::B32,
            TensorSwizzle::B64 => ptx_sim::TensorSwizzle::B64,
            TensorSwizzle::B128 => ptx_sim::TensorSwizzle::B128,
        },
        fill: match shape.fill() {
            TensorFill::Zero => ptx_sim::TensorFill::Zero,
            TensorFill::Nan => ptx_sim::TensorFill::Nan,
        },
        promotion: match shape.promotion() {
            TensorPromotion::None => ptx_sim::TensorPromotion::None,
            TensorPromotion::B64 => ptx_sim::TensorPromotion::B64,
            TensorPromotion::B128 => ptx_sim::TensorPromotion::B128,
            TensorPromotion::B256 => ptx_sim::TensorPromotion::B256,
        },
    }
}

fn element(ty: TensorType) -> ptx_sim::TensorElement {
    use ptx_sim::TensorElement as Element;
    match ty {
        TensorType::U8 => Element::U8,
        TensorType::U16 => Element::U16,
        TensorType::U32 => Element::U32,
        TensorType::I32 => Element::S32,
        TensorType::U64 => Element::U64,
        TensorType::I64 => Element::S64,
        TensorType::F16 => Element::F16,
        TensorType::F32 => Element::F32,
        TensorType::F64 => Element::F64,
        TensorType::Bf16 => Element::Bf16,
        TensorType::F32Ftz => Element::F32Ftz,
        TensorType::Tf32 => Element::Tf32,
        TensorType::Tf32Ftz => Element::Tf32Ftz,
    }
}

#[cfg(test)]
mod tests {
    use gpu_std::launch::{ArgSink as _, ContractError, DeviceSlice, SpaceId, TensorMapDesc, TensorTiles};
    use ptx_sim::TensorMap;

    use super::*;
    use crate::error::Error;
    use crate::sim::pack::Packer;

    const SPACE: SpaceId = SpaceId::new(3);

    fn map(space: SpaceId, change: fn(TensorTiles) -> TensorTiles) -> TensorMapArg {
        // SAFETY: nothing behind the address is ever touched.
        let view = unsafe { DeviceSlice::<f32>::from_raw(0x1000, 1 << 20, space) };
        let tiles = TensorTiles::new(&[64, 9, 5], &[16, 4, 2]).expect("within the limits");
        let tiles = tiles.with_element_strides(&[1, 2, 1]).expect("within the limits");
        TensorMapArg::read("tile", &TensorMapDesc::new(view, change(tiles)).expect("it fits"))
    }

    #[test]
    fn the_simulator_reads_what_was_described() {
        let mut packer = Packer::new("k", SPACE);
        packer.value("n", &7_u32).expect("room");
        let change = |tiles: TensorTiles| {
            let tiles = tiles.with_swizzle(TensorSwizzle::B64).with_fill(TensorFill::Nan);
            tiles.with_promotion(TensorPromotion::B256).with_type(TensorType::F32Ftz)
        };
        packer.tensor_map(&map(SPACE, change)).expect("within the limits");
        let params = packer.into_params();
        let bytes: [u8; 128] = params[1].as_slice().try_into().expect("128 bytes");
        let got = TensorMap::from_bytes(&bytes).expect("its own encoding");
        let want = TensorSpec {
            element_strides: vec![1, 2, 1],
            swizzle: ptx_sim::TensorSwizzle::B64,
            fill: ptx_sim::TensorFill::Nan,
            promotion: ptx_sim::TensorPromotion::B256,
            ..TensorSpec::packed(ptx_sim::TensorElement::F32Ftz, 0x1000, &[64, 9, 5], &[16, 4, 2])
        };
        assert_eq!(got.spec(), &want);
    }

    #[test]
    fn elements_keep_their_size() {
        for ty in TYPES {
            assert_eq!(u64::from(element(ty).bytes()), ty.bytes(), "{ty:?}");
            assert_eq!(element(ty).is_float(), ty.is_float(), "{ty:?}");
        }
    }

    const TYPES: [TensorType; 13] = [
        TensorType::U8,
        TensorType::U16,
        TensorType::U32,
        TensorType::I32,
        TensorType::U64,
        TensorType::I64,
        TensorType::F16,
        TensorType::F32,
        TensorType::F64,
        TensorType::Bf16,
        TensorType::F32Ftz,
        TensorType::Tf32,
        TensorType::Tf32Ftz,
    ];

    #[test]
    fn memory_of_another_space_is_refused_by_name() {
        let other = map(SpaceId::new(4), |tiles| tiles);
        let error = Packer::new("k", SPACE).tensor_map(&other).expect_err("another space");
        assert!(
            matches!(
                error,
                Error::Contract(ContractError::WrongSpace { param: "tile", got: 4, want: 3, .. })
            ),
            "{error}"
        );
    }
}
