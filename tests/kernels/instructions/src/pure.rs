// One row per wrapper of pure arithmetic, or per variant of one (`wrapper__variant`): scalars in, a scalar out. Host and
// simulator are compared on each.
// `[@ "architecture"] name(parameters) -> result = call => "what its PTX must contain" [* how often, else once], …;`
wrappers! {
    // math
    add_rn_f32(a: f32, b: f32) -> f32 = math::add_rn_f32(a, b) => "add.rn.f32";
    add_rz_f32(a: f32, b: f32) -> f32 = math::add_rz_f32(a, b) => "add.rz.f32";
    add_rm_f32(a: f32, b: f32) -> f32 = math::add_rm_f32(a, b) => "add.rm.f32";
    add_rp_f32(a: f32, b: f32) -> f32 = math::add_rp_f32(a, b) => "add.rp.f32";
    add_rn_ftz_f32(a: f32, b: f32) -> f32 = math::add_rn_ftz_f32(a, b) => "add.rn.ftz.f32";
    add_rn_sat_f32(a: f32, b: f32) -> f32 = math::add_rn_sat_f32(a, b) => "add.rn.sat.f32";
    sub_rn_f32(a: f32, b: f32) -> f32 = math::sub_rn_f32(a, b) => "sub.rn.f32";
    sub_rz_f32(a: f32, b: f32) -> f32 = math::sub_rz_f32(a, b) => "sub.rz.f32";
    sub_rm_f32(a: f32, b: f32) -> f32 = math::sub_rm_f32(a, b) => "sub.rm.f32";
    sub_rp_f32(a: f32, b: f32) -> f32 = math::sub_rp_f32(a, b) => "sub.rp.f32";
    mul_rn_f32(a: f32, b: f32) -> f32 = math::mul_rn_f32(a, b) => "mul.rn.f32";
    mul_rz_f32(a: f32, b: f32) -> f32 = math::mul_rz_f32(a, b) => "mul.rz.f32";
    mul_rm_f32(a: f32, b: f32) -> f32 = math::mul_rm_f32(a, b) => "mul.rm.f32";
    mul_rp_f32(a: f32, b: f32) -> f32 = math::mul_rp_f32(a, b) => "mul.rp.f32";
    mul_rn_ftz_f32(a: f32, b: f32) -> f32 = math::mul_rn_ftz_f32(a, b) => "mul.rn.ftz.f32";
    mul_rn_sat_f32(a: f32, b: f32) -> f32 = math::mul_rn_sat_f32(a, b) => "mul.rn.sat.f32";
    fma_rn_f32(a: f32, b: f32, c: f32) -> f32 = math::fma_rn_f32(a, b, c) => "fma.rn.f32";
    fma_rz_f32(a: f32, b: f32, c: f32) -> f32 = math::fma_rz_f32(a, b, c) => "fma.rz.f32";
    fma_rm_f32(a: f32, b: f32, c: f32) -> f32 = math::fma_rm_f32(a, b, c) => "fma.rm.f32";
    fma_rp_f32(a: f32, b: f32, c: f32) -> f32 = math::fma_rp_f32(a, b, c) => "fma.rp.f32";
    fma_rn_ftz_f32(a: f32, b: f32, c: f32) -> f32 = math::fma_rn_ftz_f32(a, b, c) => "fma.rn.ftz.f32";
    fma_rn_sat_f32(a: f32, b: f32, c: f32) -> f32 = math::fma_rn_sat_f32(a, b, c) => "fma.rn.sat.f32";
    div_rn_f32(a: f32, b: f32) -> f32 = math::div_rn_f32(a, b) => "div.rn.f32";
    div_rz_f32(a: f32, b: f32) -> f32 = math::div_rz_f32(a, b) => "div.rz.f32";
    div_rm_f32(a: f32, b: f32) -> f32 = math::div_rm_f32(a, b) => "div.rm.f32";
    div_rp_f32(a: f32, b: f32) -> f32 = math::div_rp_f32(a, b) => "div.rp.f32";
    div_full_f32(a: f32, b: f32) -> f32 = math::div_full_f32(a, b) => "div.full.f32";
    div_approx_f32(a: f32, b: f32) -> f32 = math::div_approx_f32(a, b) => "div.approx.f32";
    div_approx_ftz_f32(a: f32, b: f32) -> f32 = math::div_approx_ftz_f32(a, b) => "div.approx.ftz.f32";
    rcp_rn_f32(x: f32) -> f32 = math::rcp_rn_f32(x) => "rcp.rn.f32";
    rcp_rz_f32(x: f32) -> f32 = math::rcp_rz_f32(x) => "rcp.rz.f32";
    rcp_rm_f32(x: f32) -> f32 = math::rcp_rm_f32(x) => "rcp.rm.f32";
    rcp_rp_f32(x: f32) -> f32 = math::rcp_rp_f32(x) => "rcp.rp.f32";
    rcp_approx_f32(x: f32) -> f32 = math::rcp_approx_f32(x) => "rcp.approx.f32";
    rcp_approx_ftz_f32(x: f32) -> f32 = math::rcp_approx_ftz_f32(x) => "rcp.approx.ftz.f32";
    sqrt_rn_f32(x: f32) -> f32 = math::sqrt_rn_f32(x) => "sqrt.rn.f32";
    sqrt_rz_f32(x: f32) -> f32 = math::sqrt_rz_f32(x) => "sqrt.rz.f32";
    sqrt_rm_f32(x: f32) -> f32 = math::sqrt_rm_f32(x) => "sqrt.rm.f32";
    sqrt_rp_f32(x: f32) -> f32 = math::sqrt_rp_f32(x) => "sqrt.rp.f32";
    sqrt_approx_f32(x: f32) -> f32 = math::sqrt_approx_f32(x) => "sqrt.approx.f32";
    sqrt_approx_ftz_f32(x: f32) -> f32 = math::sqrt_approx_ftz_f32(x) => "sqrt.approx.ftz.f32";
    rsqrt_approx_f32(x: f32) -> f32 = math::rsqrt_approx_f32(x) => "rsqrt.approx.f32";
    rsqrt_approx_ftz_f32(x: f32) -> f32 = math::rsqrt_approx_ftz_f32(x) => "rsqrt.approx.ftz.f32";
    min_f32(a: f32, b: f32) -> f32 = math::min_f32(a, b) => "min.f32";
    max_f32(a: f32, b: f32) -> f32 = math::max_f32(a, b) => "max.f32";
    min_nan_f32(a: f32, b: f32) -> f32 = math::min_nan_f32(a, b) => "min.NaN.f32";
    max_nan_f32(a: f32, b: f32) -> f32 = math::max_nan_f32(a, b) => "max.NaN.f32";
    abs_f32(x: f32) -> f32 = math::abs_f32(x) => "abs.f32";
    neg_f32(x: f32) -> f32 = math::neg_f32(x) => "neg.f32";
    copysign_f32(sign: f32, magnitude: f32) -> f32 = math::copysign_f32(sign, magnitude) => "copysign.f32";
    ex2_approx_f32(x: f32) -> f32 = math::ex2_approx_f32(x) => "ex2.approx.f32";
    ex2_approx_ftz_f32(x: f32) -> f32 = math::ex2_approx_ftz_f32(x) => "ex2.approx.ftz.f32";
    lg2_approx_f32(x: f32) -> f32 = math::lg2_approx_f32(x) => "lg2.approx.f32";
    lg2_approx_ftz_f32(x: f32) -> f32 = math::lg2_approx_ftz_f32(x) => "lg2.approx.ftz.f32";
    tanh_approx_f32(x: f32) -> f32 = math::tanh_approx_f32(x) => "tanh.approx.f32";
    sin_approx_f32(x: f32) -> f32 = math::sin_approx_f32(x) => "sin.approx.f32";
    cos_approx_f32(x: f32) -> f32 = math::cos_approx_f32(x) => "cos.approx.f32";
    sin_approx_ftz_f32(x: f32) -> f32 = math::sin_approx_ftz_f32(x) => "sin.approx.ftz.f32";
    cos_approx_ftz_f32(x: f32) -> f32 = math::cos_approx_ftz_f32(x) => "cos.approx.ftz.f32";
    floor_f32(x: f32) -> f32 = math::floor_f32(x) => "cvt.rmi.f32.f32";
    ceil_f32(x: f32) -> f32 = math::ceil_f32(x) => "cvt.rpi.f32.f32";
    trunc_f32(x: f32) -> f32 = math::trunc_f32(x) => "cvt.rzi.f32.f32";
    rint_f32(x: f32) -> f32 = math::rint_f32(x) => "cvt.rni.f32.f32";
    saturate_f32(x: f32) -> f32 = math::saturate_f32(x) => "cvt.sat.f32.f32";
    rsqrt_f32(x: f32) -> f32 = math::rsqrt_f32(x) => "sqrt.rn.f32", "rcp.rn.f32";

    // math
    add_rn_f64(a: f64, b: f64) -> f64 = math::add_rn_f64(a, b) => "add.rn.f64";
    sub_rn_f64(a: f64, b: f64) -> f64 = math::sub_rn_f64(a, b) => "sub.rn.f64";
    mul_rn_f64(a: f64, b: f64) -> f64 = math::mul_rn_f64(a, b) => "mul.rn.f64";
    fma_rn_f64(a: f64, b: f64, c: f64) -> f64 = math::fma_rn_f64(a, b, c) => "fma.rn.f64";
    div_rn_f64(a: f64, b: f64) -> f64 = math::div_rn_f64(a, b) => "div.rn.f64";
    rcp_rn_f64(x: f64) -> f64 = math::rcp_rn_f64(x) => "rcp.rn.f64";
    rcp_approx_ftz_f64(x: f64) -> f64 = math::rcp_approx_ftz_f64(x) => "rcp.approx.ftz.f64";
    sqrt_rn_f64(x: f64) -> f64 = math::sqrt_rn_f64(x) => "sqrt.rn.f64";
    rsqrt_approx_f64(x: f64) -> f64 = math::rsqrt_approx_f64(x) => "rsqrt.approx.f64";
    rsqrt_approx_ftz_f64(x: f64) -> f64 = math::rsqrt_approx_ftz_f64(x) => "rsqrt.approx.ftz.f64";
    min_f64(a: f64, b: f64) -> f64 = math::min_f64(a, b) => "min.f64";
    max_f64(a: f64, b: f64) -> f64 = math::max_f64(a, b) => "max.f64";
    abs_f64(x: f64) -> f64 = math::abs_f64(x) => "abs.f64";
    neg_f64(x: f64) -> f64 = math::neg_f64(x) => "neg.f64";
    copysign_f64(sign: f64, magnitude: f64) -> f64 = math::copysign_f64(sign, magnitude) => "copysign.f64";
    floor_f64(x: f64) -> f64 = math::floor_f64(x) => "cvt.rmi.f64.f64";
    ceil_f64(x: f64) -> f64 = math::ceil_f64(x) => "cvt.rpi.f64.f64";
    trunc_f64(x: f64) -> f64 = math::trunc_f64(x) => "cvt.rzi.f64.f64";
    rint_f64(x: f64) -> f64 = math::rint_f64(x) => "cvt.rni.f64.f64";

    // math
    add_rn_f16(x: f16, y: f16) -> f16 = math::add_rn_f16(x, y) => "add.rn.f16";
    sub_rn_f16(x: f16, y: f16) -> f16 = math::sub_rn_f16(x, y) => "sub.rn.f16";
    mul_rn_f16(x: f16, y: f16) -> f16 = math::mul_rn_f16(x, y) => "mul.rn.f16";
    add_rn_sat_f16(x: f16, y: f16) -> f16 = math::add_rn_sat_f16(x, y) => "add.rn.sat.f16";
    mul_rn_sat_f16(x: f16, y: f16) -> f16 = math::mul_rn_sat_f16(x, y) => "mul.rn.sat.f16";
    fma_rn_f16(x: f16, y: f16, z: f16) -> f16 = math::fma_rn_f16(x, y, z) => "fma.rn.f16";
    fma_rn_ftz_f16(x: f16, y: f16, z: f16) -> f16 = math::fma_rn_ftz_f16(x, y, z) => "fma.rn.ftz.f16";
    fma_rn_sat_f16(x: f16, y: f16, z: f16) -> f16 = math::fma_rn_sat_f16(x, y, z) => "fma.rn.sat.f16";
    fma_rn_relu_f16(x: f16, y: f16, z: f16) -> f16 = math::fma_rn_relu_f16(x, y, z) => "fma.rn.relu.f16";
    abs_f16(x: f16) -> f16 = math::abs_f16(x) => "abs.f16";
    neg_f16(x: f16) -> f16 = math::neg_f16(x) => "neg.f16";
    min_f16(x: f16, y: f16) -> f16 = math::min_f16(x, y) => "min.f16";
    max_f16(x: f16, y: f16) -> f16 = math::max_f16(x, y) => "max.f16";
    min_nan_f16(x: f16, y: f16) -> f16 = math::min_nan_f16(x, y) => "min.NaN.f16";
    max_nan_f16(x: f16, y: f16) -> f16 = math::max_nan_f16(x, y) => "max.NaN.f16";
    tanh_approx_f16(x: f16) -> f16 = math::tanh_approx_f16(x) => "tanh.approx.f16";
    ex2_approx_f16(x: f16) -> f16 = math::ex2_approx_f16(x) => "ex2.approx.f16";
    fma_rn_bf16(x: bf16, y: bf16, z: bf16) -> bf16 = math::fma_rn_bf16(x, y, z) => "fma.rn.bf16";
    fma_rn_relu_bf16(x: bf16, y: bf16, z: bf16) -> bf16
        = math::fma_rn_relu_bf16(x, y, z) => "fma.rn.relu.bf16";
    @ "sm_90" add_rn_bf16(x: bf16, y: bf16) -> bf16 = math::add_rn_bf16(x, y) => "add.rn.bf16";
    @ "sm_90" sub_rn_bf16(x: bf16, y: bf16) -> bf16 = math::sub_rn_bf16(x, y) => "sub.rn.bf16";
    @ "sm_90" mul_rn_bf16(x: bf16, y: bf16) -> bf16 = math::mul_rn_bf16(x, y) => "mul.rn.bf16";
    abs_bf16(x: bf16) -> bf16 = math::abs_bf16(x) => "abs.bf16";
    neg_bf16(x: bf16) -> bf16 = math::neg_bf16(x) => "neg.bf16";
    min_bf16(x: bf16, y: bf16) -> bf16 = math::min_bf16(x, y) => "min.bf16";
    max_bf16(x: bf16, y: bf16) -> bf16 = math::max_bf16(x, y) => "max.bf16";
    min_nan_bf16(x: bf16, y: bf16) -> bf16 = math::min_nan_bf16(x, y) => "min.NaN.bf16";
    max_nan_bf16(x: bf16, y: bf16) -> bf16 = math::max_nan_bf16(x, y) => "max.NaN.bf16";
    @ "sm_90" tanh_approx_bf16(x: bf16) -> bf16 = math::tanh_approx_bf16(x) => "tanh.approx.bf16";
    @ "sm_90" ex2_approx_ftz_bf16(x: bf16) -> bf16 = math::ex2_approx_ftz_bf16(x) => "ex2.approx.ftz.bf16";

    // packed
    add_rn_f16x2(x: f16x2, y: f16x2) -> f16x2 = packed::add_rn_f16x2(x, y) => "add.rn.f16x2";
    sub_rn_f16x2(x: f16x2, y: f16x2) -> f16x2 = packed::sub_rn_f16x2(x, y) => "sub.rn.f16x2";
    mul_rn_f16x2(x: f16x2, y: f16x2) -> f16x2 = packed::mul_rn_f16x2(x, y) => "mul.rn.f16x2";
    add_rn_sat_f16x2(x: f16x2, y: f16x2) -> f16x2 = packed::add_rn_sat_f16x2(x, y) => "add.rn.sat.f16x2";
    mul_rn_sat_f16x2(x: f16x2, y: f16x2) -> f16x2 = packed::mul_rn_sat_f16x2(x, y) => "mul.rn.sat.f16x2";
    fma_rn_f16x2(x: f16x2, y: f16x2, z: f16x2) -> f16x2 = packed::fma_rn_f16x2(x, y, z) => "fma.rn.f16x2";
    fma_rn_ftz_f16x2(x: f16x2, y: f16x2, z: f16x2) -> f16x2
        = packed::fma_rn_ftz_f16x2(x, y, z) => "fma.rn.ftz.f16x2";
    fma_rn_sat_f16x2(x: f16x2, y: f16x2, z: f16x2) -> f16x2
        = packed::fma_rn_sat_f16x2(x, y, z) => "fma.rn.sat.f16x2";
    fma_rn_relu_f16x2(x: f16x2, y: f16x2, z: f16x2) -> f16x2
        = packed::fma_rn_relu_f16x2(x, y, z) => "fma.rn.relu.f16x2";
    abs_f16x2(x: f16x2) -> f16x2 = packed::abs_f16x2(x) => "abs.f16x2";
    neg_f16x2(x: f16x2) -> f16x2 = packed::neg_f16x2(x) => "neg.f16x2";
    min_f16x2(x: f16x2, y: f16x2) -> f16x2 = packed::min_f16x2(x, y) => "min.f16x2";
    max_f16x2(x: f16x2, y: f16x2) -> f16x2 = packed::max_f16x2(x, y) => "max.f16x2";
    min_nan_f16x2(x: f16x2, y: f16x2) -> f16x2 = packed::min_nan_f16x2(x, y) => "min.NaN.f16x2";
    max_nan_f16x2(x: f16x2, y: f16x2) -> f16x2 = packed::max_nan_f16x2(x, y) => "max.NaN.f16x2";
    tanh_approx_f16x2(x: f16x2) -> f16x2 = packed::tanh_approx_f16x2(x) => "tanh.approx.f16x2";
    ex2_approx_f16x2(x: f16x2) -> f16x2 = packed::ex2_approx_f16x2(x) => "ex2.approx.f16x2";
    fma_rn_bf16x2(x: bf16x2, y: bf16x2, z: bf16x2) -> bf16x2
        = packed::fma_rn_bf16x2(x, y, z) => "fma.rn.bf16x2";
    fma_rn_relu_bf16x2(x: bf16x2, y: bf16x2, z: bf16x2) -> bf16x2
        = packed::fma_rn_relu_bf16x2(x, y, z) => "fma.rn.relu.bf16x2";
    @ "sm_90" add_rn_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = packed::add_rn_bf16x2(x, y) => "add.rn.bf16x2";
    @ "sm_90" sub_rn_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = packed::sub_rn_bf16x2(x, y) => "sub.rn.bf16x2";
    @ "sm_90" mul_rn_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = packed::mul_rn_bf16x2(x, y) => "mul.rn.bf16x2";
    abs_bf16x2(x: bf16x2) -> bf16x2 = packed::abs_bf16x2(x) => "abs.bf16x2";
    neg_bf16x2(x: bf16x2) -> bf16x2 = packed::neg_bf16x2(x) => "neg.bf16x2";
    min_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = packed::min_bf16x2(x, y) => "min.bf16x2";
    max_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = packed::max_bf16x2(x, y) => "max.bf16x2";
    min_nan_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = packed::min_nan_bf16x2(x, y) => "min.NaN.bf16x2";
    max_nan_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = packed::max_nan_bf16x2(x, y) => "max.NaN.bf16x2";
    @ "sm_90" tanh_approx_bf16x2(x: bf16x2) -> bf16x2 = packed::tanh_approx_bf16x2(x) => "tanh.approx.bf16x2";
    @ "sm_90" ex2_approx_ftz_bf16x2(x: bf16x2) -> bf16x2
        = packed::ex2_approx_ftz_bf16x2(x) => "ex2.approx.ftz.bf16x2";

    // convert
    cvt_rn_f16_f32(x: f32) -> f16 = convert::cvt_rn_f16_f32(x) => "cvt.rn.f16.f32";
    cvt_rz_f16_f32(x: f32) -> f16 = convert::cvt_rz_f16_f32(x) => "cvt.rz.f16.f32";
    cvt_rm_f16_f32(x: f32) -> f16 = convert::cvt_rm_f16_f32(x) => "cvt.rm.f16.f32";
    cvt_rp_f16_f32(x: f32) -> f16 = convert::cvt_rp_f16_f32(x) => "cvt.rp.f16.f32";
    cvt_rn_relu_f16_f32(x: f32) -> f16 = convert::cvt_rn_relu_f16_f32(x) => "cvt.rn.relu.f16.f32";
    cvt_rn_sat_f16_f32(x: f32) -> f16 = convert::cvt_rn_sat_f16_f32(x) => "cvt.rn.sat.f16.f32";
    cvt_rn_bf16_f32(x: f32) -> bf16 = convert::cvt_rn_bf16_f32(x) => "cvt.rn.bf16.f32";
    cvt_rz_bf16_f32(x: f32) -> bf16 = convert::cvt_rz_bf16_f32(x) => "cvt.rz.bf16.f32";
    cvt_rn_relu_bf16_f32(x: f32) -> bf16 = convert::cvt_rn_relu_bf16_f32(x) => "cvt.rn.relu.bf16.f32";
    cvt_rz_relu_bf16_f32(x: f32) -> bf16 = convert::cvt_rz_relu_bf16_f32(x) => "cvt.rz.relu.bf16.f32";
    cvt_rn_f16_s32(x: i32) -> f16 = convert::cvt_rn_f16_s32(x) => "cvt.rn.f16.s32";
    cvt_rn_f16_u32(x: u32) -> f16 = convert::cvt_rn_f16_u32(x) => "cvt.rn.f16.u32";
    cvt_sat_s16_s32(x: i32) -> i16 = convert::cvt_sat_s16_s32(x) => "cvt.sat.s16.s32";
    cvt_sat_u16_s32(x: i32) -> u16 = convert::cvt_sat_u16_s32(x) => "cvt.sat.u16.s32";
    cvt_f32_f16(x: f16) -> f32 = convert::cvt_f32_f16(x) => "cvt.f32.f16";
    @ "sm_90" cvt_f32_bf16(x: bf16) -> f32 = convert::cvt_f32_bf16(x) => "cvt.f32.bf16";
    cvt_rni_s32_f16(x: f16) -> i32 = convert::cvt_rni_s32_f16(x) => "cvt.rni.s32.f16";
    cvt_rzi_s32_f16(x: f16) -> i32 = convert::cvt_rzi_s32_f16(x) => "cvt.rzi.s32.f16";
    cvt_rni_u32_f16(x: f16) -> u32 = convert::cvt_rni_u32_f16(x) => "cvt.rni.u32.f16";
    cvt_rzi_u32_f16(x: f16) -> u32 = convert::cvt_rzi_u32_f16(x) => "cvt.rzi.u32.f16";
    cvt_rn_f16_f64(x: f64) -> f16 = convert::cvt_rn_f16_f64(x) => "cvt.rn.f16.f64";
    cvt_f64_f16(x: f16) -> f64 = convert::cvt_f64_f16(x) => "cvt.f64.f16";
    floor_f16(x: f16) -> f16 = convert::floor_f16(x) => "cvt.rmi.f16.f16";
    ceil_f16(x: f16) -> f16 = convert::ceil_f16(x) => "cvt.rpi.f16.f16";
    trunc_f16(x: f16) -> f16 = convert::trunc_f16(x) => "cvt.rzi.f16.f16";
    rint_f16(x: f16) -> f16 = convert::rint_f16(x) => "cvt.rni.f16.f16";
    cvt_rn_f16x2_f32(hi: f32, lo: f32) -> f16x2 = convert::cvt_rn_f16x2_f32(hi, lo) => "cvt.rn.f16x2.f32";
    cvt_rz_f16x2_f32(hi: f32, lo: f32) -> f16x2 = convert::cvt_rz_f16x2_f32(hi, lo) => "cvt.rz.f16x2.f32";
    cvt_rn_relu_f16x2_f32(hi: f32, lo: f32) -> f16x2
        = convert::cvt_rn_relu_f16x2_f32(hi, lo) => "cvt.rn.relu.f16x2.f32";
    cvt_rn_bf16x2_f32(hi: f32, lo: f32) -> bf16x2 = convert::cvt_rn_bf16x2_f32(hi, lo) => "cvt.rn.bf16x2.f32";
    cvt_rz_bf16x2_f32(hi: f32, lo: f32) -> bf16x2 = convert::cvt_rz_bf16x2_f32(hi, lo) => "cvt.rz.bf16x2.f32";
    cvt_rn_relu_bf16x2_f32(hi: f32, lo: f32) -> bf16x2
        = convert::cvt_rn_relu_bf16x2_f32(hi, lo) => "cvt.rn.relu.bf16x2.f32";
    cvt_rna_tf32_f32(x: f32) -> u32 = convert::cvt_rna_tf32_f32(x) => "cvt.rna.tf32.f32";
    @ "sm_90" cvt_rn_tf32_f32(x: f32) -> u32 = convert::cvt_rn_tf32_f32(x) => "cvt.rn.tf32.f32";
    cvt_rni_s32_f32(x: f32) -> i32 = convert::cvt_rni_s32_f32(x) => "cvt.rni.s32.f32";
    cvt_rzi_s32_f32(x: f32) -> i32 = convert::cvt_rzi_s32_f32(x) => "cvt.rzi.s32.f32";
    cvt_rmi_s32_f32(x: f32) -> i32 = convert::cvt_rmi_s32_f32(x) => "cvt.rmi.s32.f32";
    cvt_rpi_s32_f32(x: f32) -> i32 = convert::cvt_rpi_s32_f32(x) => "cvt.rpi.s32.f32";
    cvt_rni_u32_f32(x: f32) -> u32 = convert::cvt_rni_u32_f32(x) => "cvt.rni.u32.f32";
    cvt_rzi_u32_f32(x: f32) -> u32 = convert::cvt_rzi_u32_f32(x) => "cvt.rzi.u32.f32";
    cvt_rmi_u32_f32(x: f32) -> u32 = convert::cvt_rmi_u32_f32(x) => "cvt.rmi.u32.f32";
    cvt_rpi_u32_f32(x: f32) -> u32 = convert::cvt_rpi_u32_f32(x) => "cvt.rpi.u32.f32";
    cvt_rni_sat_s8_f32(x: f32) -> i32 = convert::cvt_rni_sat_s8_f32(x) => "cvt.rni.sat.s8.f32";
    cvt_rni_sat_u8_f32(x: f32) -> u32 = convert::cvt_rni_sat_u8_f32(x) => "cvt.rni.sat.u8.f32";
    cvt_rn_f32_s32(x: i32) -> f32 = convert::cvt_rn_f32_s32(x) => "cvt.rn.f32.s32";
    cvt_rz_f32_s32(x: i32) -> f32 = convert::cvt_rz_f32_s32(x) => "cvt.rz.f32.s32";
    cvt_rm_f32_s32(x: i32) -> f32 = convert::cvt_rm_f32_s32(x) => "cvt.rm.f32.s32";
    cvt_rp_f32_s32(x: i32) -> f32 = convert::cvt_rp_f32_s32(x) => "cvt.rp.f32.s32";
    cvt_rn_f32_u32(x: u32) -> f32 = convert::cvt_rn_f32_u32(x) => "cvt.rn.f32.u32";
    cvt_rz_f32_u32(x: u32) -> f32 = convert::cvt_rz_f32_u32(x) => "cvt.rz.f32.u32";
    cvt_rm_f32_u32(x: u32) -> f32 = convert::cvt_rm_f32_u32(x) => "cvt.rm.f32.u32";
    cvt_rp_f32_u32(x: u32) -> f32 = convert::cvt_rp_f32_u32(x) => "cvt.rp.f32.u32";
    cvt_sat_s8_s32(x: i32) -> i32 = convert::cvt_sat_s8_s32(x) => "cvt.sat.s8.s32";
    cvt_sat_u8_s32(x: i32) -> u32 = convert::cvt_sat_u8_s32(x) => "cvt.sat.u8.s32";
    cvt_sat_u32_s32(x: i32) -> u32 = convert::cvt_sat_u32_s32(x) => "cvt.sat.u32.s32";
    cvt_sat_s32_u32(x: u32) -> i32 = convert::cvt_sat_s32_u32(x) => "cvt.sat.s32.u32";
    cvt_f64_f32(x: f32) -> f64 = convert::cvt_f64_f32(x) => "cvt.f64.f32";
    cvt_rni_s64_f32(x: f32) -> i64 = convert::cvt_rni_s64_f32(x) => "cvt.rni.s64.f32";
    cvt_rzi_s64_f32(x: f32) -> i64 = convert::cvt_rzi_s64_f32(x) => "cvt.rzi.s64.f32";
    cvt_rni_u64_f32(x: f32) -> u64 = convert::cvt_rni_u64_f32(x) => "cvt.rni.u64.f32";
    cvt_rzi_u64_f32(x: f32) -> u64 = convert::cvt_rzi_u64_f32(x) => "cvt.rzi.u64.f32";
    cvt_rn_f32_f64(x: f64) -> f32 = convert::cvt_rn_f32_f64(x) => "cvt.rn.f32.f64";
    cvt_rz_f32_f64(x: f64) -> f32 = convert::cvt_rz_f32_f64(x) => "cvt.rz.f32.f64";
    cvt_rm_f32_f64(x: f64) -> f32 = convert::cvt_rm_f32_f64(x) => "cvt.rm.f32.f64";
    cvt_rp_f32_f64(x: f64) -> f32 = convert::cvt_rp_f32_f64(x) => "cvt.rp.f32.f64";
    cvt_rni_s32_f64(x: f64) -> i32 = convert::cvt_rni_s32_f64(x) => "cvt.rni.s32.f64";
    cvt_rzi_s32_f64(x: f64) -> i32 = convert::cvt_rzi_s32_f64(x) => "cvt.rzi.s32.f64";
    cvt_rni_u32_f64(x: f64) -> u32 = convert::cvt_rni_u32_f64(x) => "cvt.rni.u32.f64";
    cvt_rzi_u32_f64(x: f64) -> u32 = convert::cvt_rzi_u32_f64(x) => "cvt.rzi.u32.f64";
    cvt_rn_f32_s64(x: i64) -> f32 = convert::cvt_rn_f32_s64(x) => "cvt.rn.f32.s64";
    cvt_rz_f32_s64(x: i64) -> f32 = convert::cvt_rz_f32_s64(x) => "cvt.rz.f32.s64";
    cvt_rn_f32_u64(x: u64) -> f32 = convert::cvt_rn_f32_u64(x) => "cvt.rn.f32.u64";
    cvt_rz_f32_u64(x: u64) -> f32 = convert::cvt_rz_f32_u64(x) => "cvt.rz.f32.u64";
    cvt_sat_s32_s64(x: i64) -> i32 = convert::cvt_sat_s32_s64(x) => "cvt.sat.s32.s64";
    cvt_sat_u32_s64(x: i64) -> u32 = convert::cvt_sat_u32_s64(x) => "cvt.sat.u32.s64";
    cvt_rni_s64_f64(x: f64) -> i64 = convert::cvt_rni_s64_f64(x) => "cvt.rni.s64.f64";
    cvt_rzi_s64_f64(x: f64) -> i64 = convert::cvt_rzi_s64_f64(x) => "cvt.rzi.s64.f64";
    cvt_rni_u64_f64(x: f64) -> u64 = convert::cvt_rni_u64_f64(x) => "cvt.rni.u64.f64";
    cvt_rzi_u64_f64(x: f64) -> u64 = convert::cvt_rzi_u64_f64(x) => "cvt.rzi.u64.f64";
    cvt_rn_f64_s64(x: i64) -> f64 = convert::cvt_rn_f64_s64(x) => "cvt.rn.f64.s64";
    cvt_rz_f64_s64(x: i64) -> f64 = convert::cvt_rz_f64_s64(x) => "cvt.rz.f64.s64";
    cvt_rn_f64_u64(x: u64) -> f64 = convert::cvt_rn_f64_u64(x) => "cvt.rn.f64.u64";
    cvt_rm_f64_u64(x: u64) -> f64 = convert::cvt_rm_f64_u64(x) => "cvt.rm.f64.u64";
    cvt_pack_sat_s16_s32(a: i32, b: i32) -> u32
        = convert::cvt_pack_sat_s16_s32(a, b) => "cvt.pack.sat.s16.s32";
    cvt_pack_sat_u16_s32(a: i32, b: i32) -> u32
        = convert::cvt_pack_sat_u16_s32(a, b) => "cvt.pack.sat.u16.s32";
    cvt_pack_sat_s8_s32(a: i32, b: i32, rest: u32) -> u32
        = convert::cvt_pack_sat_s8_s32(a, b, rest) => "cvt.pack.sat.s8.s32.b32";
    cvt_pack_sat_u8_s32(a: i32, b: i32, rest: u32) -> u32
        = convert::cvt_pack_sat_u8_s32(a, b, rest) => "cvt.pack.sat.u8.s32.b32";

    // int
    dp4a_s32_s32(a: u32, b: u32, c: i32) -> i32 = int::dp4a_s32_s32(a, b, c) => "dp4a.s32.s32";
    dp4a_s32_u32(a: u32, b: u32, c: i32) -> i32 = int::dp4a_s32_u32(a, b, c) => "dp4a.s32.u32";
    dp4a_u32_s32(a: u32, b: u32, c: i32) -> i32 = int::dp4a_u32_s32(a, b, c) => "dp4a.u32.s32";
    dp4a_u32_u32(a: u32, b: u32, c: u32) -> u32 = int::dp4a_u32_u32(a, b, c) => "dp4a.u32.u32";
    dp2a_lo_s32_s32(a: u32, b: u32, c: i32) -> i32 = int::dp2a_lo_s32_s32(a, b, c) => "dp2a.lo.s32.s32";
    dp2a_lo_s32_u32(a: u32, b: u32, c: i32) -> i32 = int::dp2a_lo_s32_u32(a, b, c) => "dp2a.lo.s32.u32";
    dp2a_lo_u32_s32(a: u32, b: u32, c: i32) -> i32 = int::dp2a_lo_u32_s32(a, b, c) => "dp2a.lo.u32.s32";
    dp2a_lo_u32_u32(a: u32, b: u32, c: u32) -> u32 = int::dp2a_lo_u32_u32(a, b, c) => "dp2a.lo.u32.u32";
    dp2a_hi_s32_s32(a: u32, b: u32, c: i32) -> i32 = int::dp2a_hi_s32_s32(a, b, c) => "dp2a.hi.s32.s32";
    dp2a_hi_s32_u32(a: u32, b: u32, c: i32) -> i32 = int::dp2a_hi_s32_u32(a, b, c) => "dp2a.hi.s32.u32";
    dp2a_hi_u32_s32(a: u32, b: u32, c: i32) -> i32 = int::dp2a_hi_u32_s32(a, b, c) => "dp2a.hi.u32.s32";
    dp2a_hi_u32_u32(a: u32, b: u32, c: u32) -> u32 = int::dp2a_hi_u32_u32(a, b, c) => "dp2a.hi.u32.u32";
    mul_hi_u32(a: u32, b: u32) -> u32 = int::mul_hi_u32(a, b) => "mul.hi.u32";
    mul_hi_s32(a: i32, b: i32) -> i32 = int::mul_hi_s32(a, b) => "mul.hi.s32";
    mad_hi_u32(a: u32, b: u32, c: u32) -> u32 = int::mad_hi_u32(a, b, c) => "mad.hi.u32";
    mad_hi_s32(a: i32, b: i32, c: i32) -> i32 = int::mad_hi_s32(a, b, c) => "mad.hi.s32";
    mad_hi_sat_s32(a: i32, b: i32, c: i32) -> i32 = int::mad_hi_sat_s32(a, b, c) => "mad.hi.sat.s32";
    mad_lo_u32(a: u32, b: u32, c: u32) -> u32 = int::mad_lo_u32(a, b, c) => "mad.lo.u32";
    mad_lo_s32(a: i32, b: i32, c: i32) -> i32 = int::mad_lo_s32(a, b, c) => "mad.lo.s32";
    add_sat_s32(a: i32, b: i32) -> i32 = int::add_sat_s32(a, b) => "add.sat.s32";
    sub_sat_s32(a: i32, b: i32) -> i32 = int::sub_sat_s32(a, b) => "sub.sat.s32";
    sad_u32(a: u32, b: u32, c: u32) -> u32 = int::sad_u32(a, b, c) => "sad.u32";
    sad_s32(a: i32, b: i32, c: i32) -> i32 = int::sad_s32(a, b, c) => "sad.s32";
    clz_b32(x: u32) -> u32 = int::clz_b32(x) => "clz.b32";
    popc_b32(x: u32) -> u32 = int::popc_b32(x) => "popc.b32";
    brev_b32(x: u32) -> u32 = int::brev_b32(x) => "brev.b32";
    bfind_u32(x: u32) -> u32 = int::bfind_u32(x) => "bfind.u32";
    bfind_s32(x: i32) -> u32 = int::bfind_s32(x) => "bfind.s32";
    bfind_shiftamt_u32(x: u32) -> u32 = int::bfind_shiftamt_u32(x) => "bfind.shiftamt.u32";
    bfind_shiftamt_s32(x: i32) -> u32 = int::bfind_shiftamt_s32(x) => "bfind.shiftamt.s32";
    fns_b32(mask: u32, base: u32, n: i32) -> u32 = int::fns_b32(mask, base, n) => "fns.b32";
    bfe_u32(x: u32, pos: u32, len: u32) -> u32 = int::bfe_u32(x, pos, len) => "bfe.u32";
    bfe_s32(x: i32, pos: u32, len: u32) -> i32 = int::bfe_s32(x, pos, len) => "bfe.s32";
    bfi_b32(field: u32, base: u32, pos: u32, len: u32) -> u32
        = int::bfi_b32(field, base, pos, len) => "bfi.b32";
    mul_hi_u64(a: u64, b: u64) -> u64 = int::mul_hi_u64(a, b) => "mul.hi.u64";
    mul_hi_s64(a: i64, b: i64) -> i64 = int::mul_hi_s64(a, b) => "mul.hi.s64";
    mad_hi_u64(a: u64, b: u64, c: u64) -> u64 = int::mad_hi_u64(a, b, c) => "mad.hi.u64";
    mad_hi_s64(a: i64, b: i64, c: i64) -> i64 = int::mad_hi_s64(a, b, c) => "mad.hi.s64";
    brev_b64(x: u64) -> u64 = int::brev_b64(x) => "brev.b64";
    sad_u64(a: u64, b: u64, c: u64) -> u64 = int::sad_u64(a, b, c) => "sad.u64";
    sad_s64(a: i64, b: i64, c: i64) -> i64 = int::sad_s64(a, b, c) => "sad.s64";
    clz_b64(x: u64) -> u32 = int::clz_b64(x) => "clz.b64";
    popc_b64(x: u64) -> u32 = int::popc_b64(x) => "popc.b64";
    bfind_u64(x: u64) -> u32 = int::bfind_u64(x) => "bfind.u64";
    bfind_s64(x: i64) -> u32 = int::bfind_s64(x) => "bfind.s64";
    mul_wide_u32(a: u32, b: u32) -> u64 = int::mul_wide_u32(a, b) => "mul.wide.u32";
    mul_wide_s32(a: i32, b: i32) -> i64 = int::mul_wide_s32(a, b) => "mul.wide.s32";
    mad_wide_u32(a: u32, b: u32, c: u64) -> u64 = int::mad_wide_u32(a, b, c) => "mad.wide.u32";
    mad_wide_s32(a: i32, b: i32, c: i64) -> i64 = int::mad_wide_s32(a, b, c) => "mad.wide.s32";
    bfe_u64(x: u64, pos: u32, len: u32) -> u64 = int::bfe_u64(x, pos, len) => "bfe.u64";
    bfe_s64(x: i64, pos: u32, len: u32) -> i64 = int::bfe_s64(x, pos, len) => "bfe.s64";
    bfi_b64(field: u64, base: u64, pos: u32, len: u32) -> u64
        = int::bfi_b64(field, base, pos, len) => "bfi.b64";
    prmt_b32(a: u32, b: u32, selector: u32) -> u32 = int::prmt_b32(a, b, selector) => "prmt.b32";
    prmt_b32_f4e(a: u32, b: u32, n: u32) -> u32 = int::prmt_b32_f4e(a, b, n) => "prmt.b32.f4e";
    prmt_b32_b4e(a: u32, b: u32, n: u32) -> u32 = int::prmt_b32_b4e(a, b, n) => "prmt.b32.b4e";
    prmt_b32_rc8(a: u32, b: u32, n: u32) -> u32 = int::prmt_b32_rc8(a, b, n) => "prmt.b32.rc8";
    prmt_b32_ecl(a: u32, b: u32, n: u32) -> u32 = int::prmt_b32_ecl(a, b, n) => "prmt.b32.ecl";
    prmt_b32_ecr(a: u32, b: u32, n: u32) -> u32 = int::prmt_b32_ecr(a, b, n) => "prmt.b32.ecr";
    prmt_b32_rc16(a: u32, b: u32, n: u32) -> u32 = int::prmt_b32_rc16(a, b, n) => "prmt.b32.rc16";
    shf_l_wrap_b32(lo: u32, hi: u32, n: u32) -> u32 = int::shf_l_wrap_b32(lo, hi, n) => "shf.l.wrap.b32";
    shf_l_clamp_b32(lo: u32, hi: u32, n: u32) -> u32 = int::shf_l_clamp_b32(lo, hi, n) => "shf.l.clamp.b32";
    shf_r_wrap_b32(lo: u32, hi: u32, n: u32) -> u32 = int::shf_r_wrap_b32(lo, hi, n) => "shf.r.wrap.b32";
    shf_r_clamp_b32(lo: u32, hi: u32, n: u32) -> u32 = int::shf_r_clamp_b32(lo, hi, n) => "shf.r.clamp.b32";
    lop3_b32(a: u32, b: u32, c: u32) -> u32 = int::lop3_b32::<0x6a>(a, b, c) => "lop3.b32";

    // Operators and conversions of the halves
    f16_mul(x: f16, y: f16) -> f16 = x * y => "mul.rn.f16";
    f16_add(x: f16, y: f16) -> f16 = x + y => "add.rn.f16";
    f16_sub(x: f16, y: f16) -> f16 = x - y => "sub.rn.f16";
    f16_from_f32(x: f32) -> f16 = f16::from_f32(x) => "cvt.rn.f16.f32";
    f16_to_f32(x: f16) -> f32 = x.to_f32() => "cvt.f32.f16";
    bf16_mul(x: bf16, y: bf16) -> bf16 = x * y => "fma.rn.bf16";
    bf16_add(x: bf16, y: bf16) -> bf16 = x + y => "fma.rn.bf16";
    bf16_sub(x: bf16, y: bf16) -> bf16 = x - y => "fma.rn.bf16";
    bf16_from_f32(x: f32) -> bf16 = bf16::from_f32(x) => "cvt.rn.bf16.f32";
    f16x2_mul(x: f16x2, y: f16x2) -> f16x2 = x * y => "mul.rn.f16x2";
    f16x2_add(x: f16x2, y: f16x2) -> f16x2 = x + y => "add.rn.f16x2";
    f16x2_sub(x: f16x2, y: f16x2) -> f16x2 = x - y => "sub.rn.f16x2";
    bf16x2_mul(x: bf16x2, y: bf16x2) -> bf16x2 = x * y => "fma.rn.bf16x2";
    bf16x2_add(x: bf16x2, y: bf16x2) -> bf16x2 = x + y => "fma.rn.bf16x2";
    bf16x2_sub(x: bf16x2, y: bf16x2) -> bf16x2 = x - y => "fma.rn.bf16x2";
    f16x2_new(lo: f16, hi: f16) -> f16x2 = f16x2::new(lo, hi) => ;

    // unroll
    unroll__literals(x: f32) -> f32 = { let mut y = x; unroll!(for _ in 0..32 { y = y * y; }); y } => "mul.rn.f32" * 32;
}
