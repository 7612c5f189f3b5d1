use super::*;

/// A map near the limits in everything.
fn full() -> TensorSpec {
    TensorSpec {
        element: TensorElement::F32,
        address: 0x7f00_1234_5670,
        dims: vec![1 << 32, 3, 5, 7, 11],
        strides: vec![MAX_STRIDE, 32, 48, 64],
        box_dims: vec![32, 256, 1, 2, 3],
        element_strides: vec![1, 8, 1, 2, 3],
        swizzle: TensorSwizzle::B128,
        fill: TensorFill::Nan,
        promotion: TensorPromotion::B256,
    }
}

#[test]
fn bytes_keep_every_field() {
    let row = TensorSpec::packed(TensorElement::U8, 0x1000, &[100], &[16]);
    let matrix = TensorSpec {
        swizzle: TensorSwizzle::B64,
        promotion: TensorPromotion::B64,
        ..TensorSpec::packed(TensorElement::Bf16, 0x2000, &[64, 100], &[32, 256])
    };
    for spec in [full(), row, matrix] {
        let map = TensorMap::new(spec.clone()).expect("within the limits");
        assert_eq!(map.spec(), &spec);
        assert_eq!(TensorMap::from_bytes(&map.to_bytes()), Some(map));
    }
    for element in TensorElement::ALL {
        let map = TensorMap::new(TensorSpec::packed(element, 0, &[64], &[16])).expect("within the limits");
        assert_eq!(TensorMap::from_bytes(&map.to_bytes()), Some(map));
    }
}

#[test]
fn a_packed_tensor_has_no_gaps() {
    let spec = TensorSpec::packed(TensorElement::F16, 0, &[8, 3, 5], &[8, 1, 1]);
    assert_eq!(spec.strides, [16, 48]);
}

#[test]
fn other_bytes_are_no_map() {
    let good = TensorMap::new(full()).expect("within the limits").to_bytes();
    assert_eq!(TensorMap::from_bytes(&[0; 128]), None);
    for (at, value) in [(0, b'p'), (8, 13), (9, 0), (9, 6), (10, 4), (11, 2), (12, 4), (13, 1), (127, 1)] {
        let mut bytes = good;
        bytes[at] = value;
        assert_eq!(TensorMap::from_bytes(&bytes), None, "byte {at}");
    }
}

#[test]
fn each_limit_is_refused_by_name() {
    let refused = |change: fn(&mut TensorSpec)| {
        let mut spec = full();
        change(&mut spec);
        TensorMap::new(spec).expect_err("over a limit").to_string()
    };
    type Change = fn(&mut TensorSpec);
    let cases: [(Change, &str); 15] = [
        (|s| s.dims.clear(), "a tensor of 0 dimensions; 1 to 5 are possible"),
        (|s| s.dims.push(1), "a tensor of 6 dimensions; 1 to 5 are possible"),
        (|s| s.strides.clear(), "strides has 0 numbers; a tensor of this rank needs 4"),
        (|s| s.box_dims.push(1), "box_dims has 6 numbers; a tensor of this rank needs 5"),
        (|s| s.element_strides.clear(), "element_strides has 0 numbers; a tensor of this rank needs 5"),
        (|s| s.address += 8, "address 0x7f0012345678 is no multiple of 16"),
        (|s| s.dims[1] = 0, "dims[1] is 0; it must be 1 to 4294967296"),
        (|s| s.dims[0] += 1, "dims[0] is 4294967297; it must be 1 to 4294967296"),
        (|s| s.strides[0] = 1 << 40, "strides[0] is 1099511627776; it must be 0 to 1099511627760"),
        (|s| s.strides[2] = 8, "strides[2] is 8 bytes, no multiple of 16"),
        (|s| s.box_dims[1] = 257, "box_dims[1] is 257; it must be 1 to 256"),
        (|s| s.element_strides[1] = 9, "element_strides[1] is 9; it must be 1 to 8"),
        (|s| s.box_dims[0] = 5, "a row of the box has 20 bytes, no multiple of 16"),
        (|s| s.box_dims[0] = 36, "a row of the box has 144 bytes; the swizzle takes at most 128"),
        (|s| s.element = TensorElement::U32, "NaN outside a tensor of U32, which is no floating-point type"),
    ];
    for (change, want) in cases {
        assert_eq!(refused(change), want);
    }
}
