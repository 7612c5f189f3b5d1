// What the host of stable Rust lacks, or gives another result by design: both back ends give the same.
rows! {
    half_arithmetic: |x, y, z| {
        let (a, b, c) = (f16::from_bits(x as u16), f16::from_bits(y as u16), f16::from_bits(z as u16));
        r((a * b + c - a / b) as f32)
    };
    half_negate: |x, y, z| u64::from((-f16::from_bits(x as u16)).to_bits());
    half_compare: |x, y, z| {
        let (a, b) = (f16::from_bits(x as u16), f16::from_bits(y as u16));
        u64::from(a < b) | u64::from(a >= b) << 1 | u64::from(a != b) << 2
    };
    half_convert: |x, y, z| {
        let a = f16::from_bits(x as u16);
        (a as i32 as u64) ^ u64::from(a as u8) << 32 ^ u64::from((f(y) as f16).to_bits()) << 40
    };
    half_from_f64: |x, y, z| u64::from((d(x) as f16).to_bits() & if d(x).is_nan() { 0 } else { 0xffff });
    half_from_integers: |x, y, z| u64::from((x as i32 as f16).to_bits()) ^ u64::from((y as f16).to_bits()) << 16;
    half_abs: |x, y, z| u64::from(f16::from_bits(x as u16).abs().to_bits());
    remainder_f32: |x, y, z| r((x as i32 as f32) % (y as i16 as f32));
    remainder_f64: |x, y, z| rd((x as i32 as f64) % (y as i16 as f64));
    minimum_f32: |x, y, z| r(f(x).minimum(f(y)));
    maximum_f64: |x, y, z| rd(d(x).maximum(d(y)));
    vectors: |x, y, z| {
        let mut sum = [0u32; 4];
        let a = [x as u32, y as u32, z as u32, (x >> 32) as u32];
        for (s, a) in sum.iter_mut().zip(a) { *s = a.max(17).wrapping_mul(3) }
        u64::from(sum[0] ^ sum[1]) << 32 | u64::from(sum[2] ^ sum[3])
    };
}
