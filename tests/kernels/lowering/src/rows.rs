rows! {
    // integers: choice, sign, saturation
    max_min_u8: |x, y, z| u64::from((x as u8).max(y as u8).min(z as u8));
    max_min_i8: |x, y, z| (x as i8).max(y as i8).min(z as i8) as u64;
    max_min_u16: |x, y, z| u64::from((x as u16).max(y as u16).min(z as u16));
    max_min_i32: |x, y, z| (x as i32).max(y as i32).min(z as i32) as u64;
    max_min_u32: |x, y, z| u64::from((x as u32).max(y as u32).min(z as u32));
    max_min_i64: |x, y, z| (x as i64).max(y as i64).min(z as i64) as u64;
    max_min_u64: |x, y, z| x.max(y).min(z);
    max_u128: |x, y, z| fold(wide(x, y).max(wide(y, z)));
    min_i128: |x, y, z| fold((wide(x, y) as i128).min(wide(y, z) as i128) as u128);
    abs_i8: |x, y, z| (x as i8).wrapping_abs() as u64;
    abs_i32: |x, y, z| (x as i32).wrapping_abs() as u64;
    abs_i64: |x, y, z| (x as i64).wrapping_abs() as u64;
    abs_diff_u32: |x, y, z| u64::from((x as u32).abs_diff(y as u32));
    abs_diff_i64: |x, y, z| (x as i64).abs_diff(y as i64);
    signum_i32: |x, y, z| (x as i32).signum() as u64;
    cmp_u32: |x, y, z| (x as u32).cmp(&(y as u32)) as i8 as u64;
    cmp_i64: |x, y, z| (x as i64).cmp(&(y as i64)) as i8 as u64;
    saturating_add_u8: |x, y, z| u64::from((x as u8).saturating_add(y as u8));
    saturating_add_u32: |x, y, z| u64::from((x as u32).saturating_add(y as u32));
    saturating_add_u64: |x, y, z| x.saturating_add(y);
    saturating_sub_u16: |x, y, z| u64::from((x as u16).saturating_sub(y as u16));
    saturating_sub_u64: |x, y, z| x.saturating_sub(y);
    saturating_add_i8: |x, y, z| (x as i8).saturating_add(y as i8) as u64;
    saturating_add_i32: |x, y, z| (x as i32).saturating_add(y as i32) as u64;
    saturating_add_i64: |x, y, z| (x as i64).saturating_add(y as i64) as u64;
    saturating_sub_i8: |x, y, z| (x as i8).saturating_sub(y as i8) as u64;
    saturating_sub_i32: |x, y, z| (x as i32).saturating_sub(y as i32) as u64;
    saturating_sub_i64: |x, y, z| (x as i64).saturating_sub(y as i64) as u64;

    // integers: overflow
    overflow_add_u32: |x, y, z| { let (v, o) = (x as u32).overflowing_add(y as u32); u64::from(v) << 1 | u64::from(o) };
    overflow_sub_i32: |x, y, z| { let (v, o) = (x as i32).overflowing_sub(y as i32); (v as u64) << 1 | u64::from(o) };
    overflow_mul_u32: |x, y, z| { let (v, o) = (x as u32).overflowing_mul(y as u32); u64::from(v) << 1 | u64::from(o) };
    overflow_mul_i32: |x, y, z| { let (v, o) = (x as i32).overflowing_mul(y as i32); (v as u64) << 1 | u64::from(o) };
    overflow_mul_u64: |x, y, z| { let (v, o) = x.overflowing_mul(y); v << 1 | u64::from(o) };
    overflow_mul_i64: |x, y, z| { let (v, o) = (x as i64).overflowing_mul(y as i64); (v as u64) << 1 | u64::from(o) };
    overflow_add_i64: |x, y, z| { let (v, o) = (x as i64).overflowing_add(y as i64); (v as u64) << 1 | u64::from(o) };
    overflow_add_u8: |x, y, z| { let (v, o) = (x as u8).overflowing_add(y as u8); u64::from(v) << 1 | u64::from(o) };
    overflow_sub_i8: |x, y, z| { let (v, o) = (x as i8).overflowing_sub(y as i8); (v as u64) << 1 | u64::from(o) };
    overflow_mul_u8: |x, y, z| { let (v, o) = (x as u8).overflowing_mul(y as u8); u64::from(v) << 1 | u64::from(o) };
    overflow_mul_i8: |x, y, z| { let (v, o) = (x as i8).overflowing_mul(y as i8); (v as u64) << 1 | u64::from(o) };
    overflow_mul_i16: |x, y, z| { let (v, o) = (x as i16).overflowing_mul(y as i16); (v as u64) << 1 | u64::from(o) };
    overflow_add_u128: |x, y, z| { let (v, o) = wide(x, y).overflowing_add(wide(y, z)); fold(v) << 1 | u64::from(o) };
    overflow_sub_i128: |x, y, z| { let (v, o) = (wide(x, y) as i128).overflowing_sub(wide(y, z) as i128); fold(v as u128) << 1 | u64::from(o) };
    checked_sub_u64: |x, y, z| x.checked_sub(y).unwrap_or(z);
    carrying: |x, y, z| { let (low, c) = x.overflowing_add(y); low ^ z.wrapping_add(u64::from(c)) };

    // integers: bits
    count_ones: |x, y, z| u64::from((x as u8).count_ones() + (y as u32).count_ones() * 64 + z.count_ones() * 4096);
    leading_u8: |x, y, z| u64::from((x as u8).leading_zeros());
    leading_u16: |x, y, z| u64::from((x as u16).leading_zeros());
    leading_u32: |x, y, z| u64::from((x as u32).leading_zeros());
    leading_u64: |x, y, z| u64::from(x.leading_zeros());
    trailing_u8: |x, y, z| u64::from((x as u8).trailing_zeros());
    trailing_u16: |x, y, z| u64::from((x as u16).trailing_zeros());
    trailing_u32: |x, y, z| u64::from((x as u32).trailing_zeros());
    trailing_u64: |x, y, z| u64::from(x.trailing_zeros());
    leading_ones: |x, y, z| u64::from((x as i32).leading_ones());
    ilog2: |x, y, z| u64::from((x | 1).ilog2());
    next_power: |x, y, z| u64::from((x as u32 >> 1).next_power_of_two());
    swap_u16: |x, y, z| u64::from((x as u16).swap_bytes());
    swap_u32: |x, y, z| u64::from((x as u32).swap_bytes());
    swap_u64: |x, y, z| x.swap_bytes();
    reverse_u8: |x, y, z| u64::from((x as u8).reverse_bits());
    reverse_u16: |x, y, z| u64::from((x as u16).reverse_bits());
    reverse_u32: |x, y, z| u64::from((x as u32).reverse_bits());
    reverse_u64: |x, y, z| x.reverse_bits();
    rotate_u8: |x, y, z| u64::from((x as u8).rotate_left(y as u32));
    rotate_u16: |x, y, z| u64::from((x as u16).rotate_right(y as u32));
    rotate_u32: |x, y, z| u64::from((x as u32).rotate_left(y as u32));
    rotate_right_u32: |x, y, z| u64::from((x as u32).rotate_right(y as u32));
    rotate_u64: |x, y, z| x.rotate_left(y as u32);
    rotate_right_u64: |x, y, z| x.rotate_right(y as u32);
    funnel_u64: |x, y, z| { let n = z as u32 % 63 + 1; x << n | y >> (64 - n) };
    shifts: |x, y, z| x.wrapping_shl(y as u32) ^ ((x as i64).wrapping_shr(z as u32) as u64) ^ u64::from((x as u32).wrapping_shr(y as u32));
    midpoint: |x, y, z| u64::from(u32::midpoint(x as u32, y as u32));

    // integers: division and width
    divide_u32: |x, y, z| u64::from((x as u32) / (y as u32).max(1)) << 32 | u64::from((x as u32) % (y as u32).max(1));
    divide_i32: |x, y, z| (x as i32).wrapping_div(y as i32 | 1) as u64 ^ (x as i32).wrapping_rem(y as i32 | 1) as u64;
    divide_u64: |x, y, z| (x / y.max(1)) ^ (x % z.max(1));
    divide_i64: |x, y, z| (x as i64).wrapping_div(y as i64 | 1) as u64;
    divide_u8: |x, y, z| u64::from((x as u8) / (y as u8).max(1));
    divide_constant: |x, y, z| (x / 7 + u64::from(x as u32 / 10)).wrapping_add((x as i32 / 13) as u64);
    euclid: |x, y, z| (x as i32).rem_euclid((y as i32 | 1).wrapping_abs().max(1)) as u64;
    multiply_high: |x, y, z| ((u128::from(x) * u128::from(y)) >> 64) as u64;
    multiply_high_i32: |x, y, z| ((i64::from(x as i32) * i64::from(y as i32)) >> 32) as u64;
    add_u128: |x, y, z| fold(wide(x, y).wrapping_add(wide(z, x)));
    multiply_u128: |x, y, z| fold(wide(x, y).wrapping_mul(wide(y, z)));
    divide_u128: |x, y, z| fold(wide(x, y) / wide(z & 0xffff, y | 1)) ^ fold(wide(x, y) % wide(z & 0xffff, y | 1));
    shift_u128: |x, y, z| fold(wide(x, y) << (z % 128)) ^ fold(wide(x, y) >> (z % 128));
    shift_i128: |x, y, z| fold((wide(x, y) as i128 >> (z % 128)) as u128);
    compare_u128: |x, y, z| u64::from(wide(x & 3, y) < wide(z & 3, x));
    extend: |x, y, z| i64::from(x as i8) as u64 ^ u64::from(y as u16) ^ (i64::from(z as i16) as u64) << 20;
    booleans: |x, y, z| u64::from((x > y) & (y > z) | (x as u8 == z as u8) ^ (x as i32 > y as i32));

    // floating point
    arithmetic_f32: |x, y, z| r((f(x) + f(y)) * f(z) - f(x) / f(y));
    arithmetic_f64: |x, y, z| rd((d(x) + d(y)) * d(z) - d(x) / d(y));
    not_fused_f32: |x, y, z| r(f(x) * f(y) + f(z));
    not_fused_f64: |x, y, z| rd(d(x) * d(y) + d(z));
    fused_f32: |x, y, z| r(math32::mul_add(f(x), f(y), f(z)));
    fused_f64: |x, y, z| rd(math64::mul_add(d(x), d(y), d(z)));
    negate_f32: |x, y, z| u64::from((-f(x)).to_bits() & if f(x).is_nan() { 0 } else { u32::MAX });
    negate_f64: |x, y, z| rd(-d(x));
    negate_zero: |x, y, z| u64::from((-f(x & 0x8000_0000)).to_bits());
    positive_and_finite_f32: |x, y, z| u64::from(f(x) > 0.0 && f(x) < f32::INFINITY);
    positive_and_finite_f64: |x, y, z| u64::from(d(x) > 0.0 && d(x) < f64::INFINITY);
    classes_f32: |x, y, z| u64::from(f(x).is_normal()) | u64::from(f(x).is_subnormal()) << 1 | u64::from(f(x).is_infinite()) << 2 | u64::from(f(x) == 0.0 || f(x) == f32::INFINITY) << 3;
    classes_f64: |x, y, z| u64::from(d(x).is_normal()) | u64::from(d(x).is_subnormal()) << 1 | u64::from(d(x).is_infinite()) << 2 | u64::from(d(x) == 0.0 || d(x) == f64::INFINITY) << 3;
    abs_f32: |x, y, z| r(f(x).abs());
    abs_f64: |x, y, z| rd(d(x).abs());
    copysign_f32: |x, y, z| r(f(x).copysign(f(y)));
    copysign_f64: |x, y, z| rd(d(x).copysign(d(y)));
    min_f32: |x, y, z| r(f(x).min(f(y)) + 0.0);
    max_f32: |x, y, z| r(f(x).max(f(y)) + 0.0);
    min_f64: |x, y, z| rd(d(x).min(d(y)) + 0.0);
    max_f64: |x, y, z| rd(d(x).max(d(y)) + 0.0);
    clamp_f32: |x, y, z| r(f(x).clamp(-2.5, 1e9));
    sqrt_f32: |x, y, z| r(math32::sqrt(f(x)));
    sqrt_f64: |x, y, z| rd(math64::sqrt(d(x)));
    floor_f32: |x, y, z| r(math32::floor(f(x)));
    ceil_f32: |x, y, z| r(math32::ceil(f(x)));
    trunc_f32: |x, y, z| r(math32::trunc(f(x)));
    round_f32: |x, y, z| r(math32::round(f(x)));
    round_even_f32: |x, y, z| r(math32::round_ties_even(f(x)));
    round_small_f32: |x, y, z| r(math32::round((x as i16) as f32 * 0.25));
    round_even_small_f32: |x, y, z| r(math32::round_ties_even((x as i16) as f32 * 0.25));
    floor_f64: |x, y, z| rd(math64::floor(d(x)));
    ceil_f64: |x, y, z| rd(math64::ceil(d(x)));
    trunc_f64: |x, y, z| rd(math64::trunc(d(x)));
    round_f64: |x, y, z| rd(math64::round(d(x)));
    round_even_f64: |x, y, z| rd(math64::round_ties_even(d(x)));
    compare_f32: |x, y, z| u64::from(f(x) < f(y)) | u64::from(f(x) >= f(z)) << 1 | u64::from(f(x) != f(y)) << 2 | u64::from(f(x) == f(x)) << 3;
    compare_f64: |x, y, z| u64::from(d(x) < d(y)) | u64::from(!(d(x) >= d(z))) << 1 | u64::from(d(x) == d(y)) << 2;
    total_cmp: |x, y, z| f(x).total_cmp(&f(y)) as i8 as u64;
    select_f32: |x, y, z| r(if f(x) > f(y) { f(z) } else { -f(x) });
    constants_f32: |x, y, z| r(if x & 1 == 0 { f32::MIN_POSITIVE / 4.0 } else { 0.1 }) ^ r(if y & 1 == 0 { f32::INFINITY } else { -0.0 });
    constants_f64: |x, y, z| rd(if x & 1 == 0 { f64::MIN_POSITIVE / 4.0 } else { 0.1 });

    // conversions
    f32_as_i8: |x, y, z| f(x) as i8 as u64;
    f32_as_u8: |x, y, z| u64::from(f(x) as u8);
    f32_as_i16: |x, y, z| f(x) as i16 as u64;
    f32_as_u16: |x, y, z| u64::from(f(x) as u16);
    f32_as_i32: |x, y, z| f(x) as i32 as u64;
    f32_as_u32: |x, y, z| u64::from(f(x) as u32);
    f32_as_i64: |x, y, z| f(x) as i64 as u64;
    f32_as_u64: |x, y, z| f(x) as u64;
    f64_as_i8: |x, y, z| d(x) as i8 as u64;
    f64_as_i32: |x, y, z| d(x) as i32 as u64;
    f64_as_u32: |x, y, z| u64::from(d(x) as u32);
    f64_as_i64: |x, y, z| d(x) as i64 as u64;
    f64_as_u64: |x, y, z| d(x) as u64;
    integers_as_f32: |x, y, z| r(x as u8 as f32) ^ r(x as i32 as f32) ^ r(y as u32 as f32) ^ r(z as i64 as f32) ^ r(x as f32);
    integers_as_f64: |x, y, z| rd(x as i16 as f64) ^ rd(x as i32 as f64) ^ rd(y as u32 as f64) ^ rd(z as i64 as f64) ^ rd(x as f64);
    f64_as_f32: |x, y, z| r(d(x) as f32) ^ rd(f(y) as f64);

    // memory and control
    table: |x, y, z| u64::from(TABLE[x as usize % 11]) + u64::from(TABLE[y as usize % 11]);
    pointers_in_statics: |x, y, z| {
        let node = &NODES[x as usize & 1];
        u64::from(node.value) + u64::from(node.table[y as usize % 11]) + r(node.scale)
    };
    local_array: |x, y, z| {
        let mut array = [x as u32; 9];
        for i in 0..9 {
            array[(y as u32 as usize + i * 4) % 9] ^= (z >> i) as u32;
        }
        u64::from(array[x as usize % 9]) << 32 | u64::from(array[z as usize % 9])
    };
    structures: |x, y, z| {
        let a = mixed(x, y);
        let mut all = [a, mixed(y, z), a];
        all[z as usize % 3].b ^= 5;
        all.swap(0, x as usize % 3);
        sum_of(&all[y as usize % 3], z as usize) ^ sum_of(&all[0], 1)
    };
    pairs: |x, y, z| { let (a, b) = pair(x as u32, f(y)); r(a) ^ u64::from(b) << 32 };
    function_pointers: |x, y, z| {
        let functions: [fn(u64) -> u64; 2] = [add_one, triple];
        functions[x as usize & 1](functions[y as usize & 1](z))
    };
    matching: |x, y, z| match x % 9 {
        0 => y,
        1 => z.wrapping_mul(5),
        2 => y ^ z,
        3 => u64::from(y as u32),
        4 => 17,
        5 => y.count_ones().into(),
        6 => z >> 3,
        7 => y.wrapping_sub(z),
        _ => x,
    };
    loops: |x, y, z| {
        let (mut a, mut b) = (x | 1, y);
        let mut n = z % 40;
        while n > 0 {
            if a & 3 == 1 { a = a.wrapping_mul(b | 1) } else { b = b.rotate_left(5) ^ a; a >>= 1 }
            n -= 1;
        }
        a ^ b
    };
    collatz: |x, y, z| {
        let mut value = x & 0xff | 1;
        let mut steps = 0u64;
        while value != 1 && steps < 200 {
            value = if value & 1 == 0 { value / 2 } else { value * 3 + 1 };
            steps += 1;
        }
        steps
    };
    gcd: |x, y, z| { let (mut a, mut b) = (x & 0xffff, y & 0xffff | 1); while b != 0 { (a, b) = (b, a % b) } a };
    options: |x, y, z| {
        let first = (x & 1 == 0).then_some(y as u32);
        let second = (y & 1 == 0).then(|| first.map_or(3, |v| v / 3));
        u64::from(first.unwrap_or(9)) ^ u64::from(second.unwrap_or(11)) << 32
    };
    sorting: |x, y, z| {
        let mut a = [x, y, z, x ^ y];
        for i in 0..4 {
            for j in 0..3 {
                if a[j] > a[j + 1] { a.swap(j, j + 1) }
            }
            a[3] ^= i;
        }
        a[0] ^ a[1].rotate_left(7) ^ a[2].rotate_left(19) ^ a[3]
    };
    bytes: |x, y, z| {
        let mut bytes = [0u8; 24];
        bytes[..8].copy_from_slice(&x.to_be_bytes());
        bytes[8..16].copy_from_slice(&y.to_le_bytes());
        bytes[16..].fill(z as u8);
        bytes.copy_within(3..14, 9);
        let at = z as usize % 17;
        let mut word = [0u8; 8];
        word.copy_from_slice(&bytes[at..at + 8]);
        u64::from_le_bytes(word)
    };
    equal_bytes: |x, y, z| {
        let (a, b) = ((x & 0x0101).to_le_bytes(), (y & 0x0101).to_le_bytes());
        let len = z as usize % 9;
        u64::from(a[..len] == b[..len])
    };

    // integers of 128 bits
    signed_divide_i128: |x, y, z| {
        let (a, b) = (wide(x, y) as i128, wide(z & 0xff, x | 1) as i128);
        fold(a.wrapping_div(b) as u128) ^ fold(a.wrapping_rem(b) as u128)
    };
    checked_multiply_u128: |x, y, z| wide(x & 0xffff, y).checked_mul(wide(0, z)).map_or(7, fold);
    checked_multiply_i128: |x, y, z| (wide(x & 0xffff, y) as i128).checked_mul(z as i64 as i128).map_or(7, |v| fold(v as u128));
    saturating_u128: |x, y, z| fold(wide(x, y).saturating_add(wide(y, z))) ^ fold(wide(x, y).saturating_sub(wide(y, z)));
    saturating_i128: |x, y, z| {
        let (a, b) = (wide(x, y) as i128, wide(y, z) as i128);
        fold(a.saturating_add(b) as u128) ^ fold(a.saturating_sub(b) as u128)
    };
    bits_u128: |x, y, z| {
        let a = wide(x, y) >> (z % 128);
        u64::from(a.leading_zeros()) | u64::from(a.trailing_zeros()) << 8 | u64::from(a.count_ones()) << 16
    };
    reverse_u128: |x, y, z| fold(wide(x, y).reverse_bits()) ^ fold(wide(y, z).swap_bytes()).rotate_left(9);
    rotate_u128: |x, y, z| fold(wide(x, y).rotate_left(z as u32)) ^ fold(wide(x, y).rotate_right(y as u32));
    abs_i128: |x, y, z| fold((wide(x, y) as i128).wrapping_abs() as u128);

    // code as it is written
    iterators: |x, y, z| {
        let a = [x, y, z, x ^ y, y ^ z, x.wrapping_add(z)];
        let odd: u64 = a.iter().filter(|v| *v & 1 == 1).map(|v| v.rotate_left(3)).fold(0, u64::wrapping_add);
        let last = a.iter().rev().zip(a.iter().skip(1)).take(4).map(|(l, r)| l ^ r).max().unwrap_or(0);
        let windows = a.windows(2).filter(|w| w[0] < w[1]).count() as u64;
        let chunks = a.chunks(4).map(|c| (c.len() as u64).wrapping_mul(c[0])).fold(0, |s, v| s ^ v);
        let place = a.iter().position(|v| *v == y ^ z).map_or(99, |at| at as u64);
        odd ^ last ^ windows << 40 ^ chunks ^ place << 50
    };
    slice_sort: |x, y, z| {
        let mut a = [x, y, z, x ^ y, x >> 7, y >> 9, z >> 3, !x, !y, x.wrapping_mul(y), 5, y ^ z];
        a.sort_unstable();
        let found = a.binary_search(&z).map_or_else(|at| at as u64, |_| 77);
        a.iter().fold(found, |s, v| s.rotate_left(5) ^ v)
    };
    characters: |x, y, z| {
        let c = char::from_u32(x as u32 % 0x11_0000).unwrap_or('\u{fffd}');
        let mut buffer = [0; 4];
        let len = c.encode_utf8(&mut buffer).len() as u64;
        let digit = char::from(y as u8 & 0x7f).to_digit(16).map_or(99, u64::from);
        let kind = u64::from(c.is_alphabetic()) | u64::from(c.is_ascii_digit()) << 1 | u64::from(c.is_whitespace()) << 2;
        len ^ digit << 8 ^ kind << 16 ^ u64::from(u32::from_le_bytes(buffer)) << 24
    };
    strings: |x, y, z| {
        let bytes = [b'0' + (x % 10) as u8, b'0' + (y % 10) as u8, b'0' + (z % 12) as u8, 0xc3, 0x80 | (x & 0x3f) as u8];
        let text = core::str::from_utf8(&bytes[..(y % 6) as usize]).unwrap_or("77");
        let number = text.parse::<u32>().map_or(12_345, u64::from);
        text.chars().rev().fold(number, |s, c| s.wrapping_mul(31) ^ u64::from(c as u32)) ^ u64::from(text.contains('7')) << 60
    };
    formatting: |x, y, z| {
        use core::fmt::Write as _;
        let mut text = Text { bytes: [0; 40], len: 0 };
        let _ = write!(text, "{} {:#x} {:?}", x as u32, y as u16, z as i8);
        text.bytes[..text.len].iter().fold(text.len as u64, |s, b| s.wrapping_mul(257) ^ u64::from(*b))
    };
    arrays_by_value: |x, y, z| {
        let a = [x as u32, y as u32, z as u32, (x >> 32) as u32, 5, 6, (y >> 32) as u32, 8, (z >> 32) as u32];
        let reversed = reversed(a);
        u64::from(nth(reversed, x as usize)) << 32 | u64::from(nth(a, y as usize))
    };
    questions: |x, y, z| match halves(x, y) {
        Ok(v) => v,
        Err(Wrong::Odd(v)) => v ^ 0xf0f0,
        Err(Wrong::Large { by }) => u64::from(by),
    };
    trait_objects: |x, y, z| {
        let (square, circle) = (Square(x as u32), Circle { r: y as u16, k: z as u8 });
        let shapes: [&dyn Shape; 3] = [&square, &circle, &square];
        let first = shapes[x as usize % 3].area();
        first ^ shapes.iter().map(|shape| shape.area().wrapping_mul(shape.sides())).fold(0, u64::wrapping_add)
    };
    closures: |x, y, z| {
        let mut calls = 0;
        let mut count = |v: u64| { calls += 1; v ^ x };
        let first = apply(&mut count, y);
        let second = apply(&mut count, z);
        first.wrapping_mul(3) ^ second ^ calls << 32
    };
    recursion: |x, y, z| fibonacci(x % 12) ^ u64::from(ackermann((y % 3) as u32, (z % 4) as u32)) << 32;
    generics: |x, y, z| u64::from(largest(&[x as u8, y as u8, z as u8])) ^ largest(&[x, y, z]).rotate_left(11);
    wrappers: |x, y, z| {
        use core::num::Wrapping;
        let a = Wrapping(x) * Wrapping(y) + Wrapping(z);
        let shared = core::cell::Cell::new(a.0);
        shared.set(shared.get() ^ core::hint::black_box(y));
        shared.get()
    };
    powers: |x, y, z| u64::from((x as u32).wrapping_pow(y as u32 % 9)) ^ (z as u32).isqrt() as u64 ^ u64::from((y as u32 >> 3).checked_pow(3).unwrap_or(1)) << 32;
    converted_lanes: |x, y, z| {
        let lanes = [f(x), f(y), f(z), f(x >> 32)].map(|v| v as i16);
        let bytes = [f(x), f(y), f(z), f(x >> 32)].map(|v| v as u8);
        lanes.iter().zip(bytes).fold(0, |s, (l, b)| s.rotate_left(16) ^ *l as u16 as u64 ^ u64::from(b) << 40)
    };
    reduced_lanes: |x, y, z| {
        let a = [x as u32, y as u32, z as u32, (x >> 32) as u32, (y >> 32) as u32, (z >> 32) as u32, 7, 9];
        let sum = a.iter().fold(0u32, |s, v| s.wrapping_add(*v));
        let (most, least) = (a.iter().max().copied().unwrap_or(0), a.iter().min().copied().unwrap_or(0));
        u64::from(sum ^ most) << 32 | u64::from(least ^ a.iter().fold(0, |s, v| s ^ v))
    };

    // core's atomics, each row on words of its own: rows run at the same time
    atomic_u32: |x, y, z| {
        let c = word_of_thread(0);
        c.store(x as u32, SeqCst);
        let mut r = u64::from(c.fetch_add(y as u32, SeqCst));
        r = r.rotate_left(7) ^ u64::from(c.fetch_sub(z as u32, AcqRel));
        r = r.rotate_left(7) ^ u64::from(c.fetch_and(!(y as u32), Acquire));
        r = r.rotate_left(7) ^ u64::from(c.fetch_or(z as u32, Release));
        r = r.rotate_left(7) ^ u64::from(c.fetch_xor(x as u32, Relaxed));
        r = r.rotate_left(7) ^ u64::from(c.fetch_nand(y as u32, Relaxed));
        r = r.rotate_left(7) ^ u64::from(c.fetch_max(z as u32, SeqCst));
        r = r.rotate_left(7) ^ u64::from(c.fetch_min(x as u32, SeqCst));
        r = r.rotate_left(7) ^ u64::from(c.swap(y as u32, AcqRel));
        r ^ u64::from(c.load(Acquire)) << 32
    };
    atomic_i64: |x, y, z| {
        let c = signed_of_thread(1);
        c.store(x as i64, Release);
        fence(SeqCst);
        let mut r = c.fetch_add(y as i64, Relaxed) as u64;
        r = r.rotate_left(7) ^ c.fetch_max(z as i64, AcqRel) as u64;
        r = r.rotate_left(7) ^ c.fetch_min(y as i64, Acquire) as u64;
        compiler_fence(SeqCst);
        r = r.rotate_left(7) ^ c.swap(z as i64, SeqCst) as u64;
        fence(AcqRel);
        r ^ c.load(SeqCst) as u64
    };
    atomic_exchange: |x, y, z| {
        let c = word_of_thread(2);
        c.store(x as u32 & 3, Relaxed);
        let first = c.compare_exchange(y as u32 & 3, z as u32, AcqRel, Acquire);
        let second = c.compare_exchange_weak(z as u32, 17, SeqCst, SeqCst);
        let third = c.fetch_update(Release, Relaxed, |v| v.checked_add(y as u32));
        let word = |r: Result<u32, u32>| r.map_or_else(|v| u64::from(v) | 1 << 40, u64::from);
        word(first) ^ word(second).rotate_left(9) ^ word(third).rotate_left(21) ^ u64::from(c.load(Relaxed)) << 32
    };
    atomic_small: |x, y, z| {
        let (flag, byte, half) = small_of_thread(3);
        flag.store(x & 1 == 1, Relaxed);
        byte.store(y as u8, Release);
        half.store(z as u16, SeqCst);
        let a = u64::from(flag.swap(y & 1 == 1, AcqRel)) | u64::from(flag.fetch_xor(z & 1 == 1, Relaxed)) << 1;
        let b = u64::from(byte.fetch_add(x as u8, SeqCst)) ^ u64::from(byte.compare_exchange(y as u8, 9, AcqRel, Acquire).is_ok()) << 9;
        let c = u64::from(half.fetch_max(y as u16, Relaxed)) ^ u64::from(half.fetch_sub(x as u16, AcqRel)) << 20;
        a ^ b << 2 ^ c << 14 ^ u64::from(flag.load(Acquire)) << 60 ^ u64::from(byte.load(Relaxed)) << 50 ^ u64::from(half.load(SeqCst)) << 40
    };
    atomic_pointer: |x, y, z| {
        let c = pointer_of_thread(4);
        let place = |at: u64| (&raw const TABLE[at as usize % 11]).cast_mut();
        c.store(place(x), Release);
        let first = c.swap(place(y), AcqRel);
        let second = c.compare_exchange(place(z), place(x), SeqCst, Relaxed).unwrap_or_else(|v| v);
        let last = c.load(Acquire);
        // SAFETY: all three point into the table.
        unsafe { u64::from(*first) << 32 ^ u64::from(*second) << 16 ^ u64::from(*last) }
    };
    // In the thread's own memory, for which PTX has no atomics.
    atomic_local: |x, y, z| {
        let (word, half) = (AtomicU32::new(x as u32), AtomicU16::new(y as u16));
        let mut r = u64::from(word.fetch_add(y as u32, SeqCst));
        r = r.rotate_left(7) ^ u64::from(word.fetch_nand(z as u32, AcqRel));
        r = r.rotate_left(7) ^ u64::from(word.fetch_max(y as u32, Relaxed));
        r = r.rotate_left(7) ^ u64::from(word.compare_exchange(y as u32, 9, AcqRel, Acquire).is_ok());
        r = r.rotate_left(7) ^ u64::from(half.fetch_sub(z as u16, Release)) << 9;
        r = r.rotate_left(7) ^ u64::from(half.fetch_min(x as u16, SeqCst));
        r = r.rotate_left(7) ^ u64::from(half.swap(x as u16 | 3, SeqCst));
        r ^ u64::from(word.load(Acquire)) << 32 ^ u64::from(half.load(SeqCst))
    };
}
