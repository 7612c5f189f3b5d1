// One row per wrapper, or per variant of one (`wrapper__variant`):
// `[@ "architecture"] name(parameters) [-> result] = call => "what its PTX must contain" [* how often, else once], …;`
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

    // thread
    thread_idx_x() -> u32 = thread::thread_idx_x() => "%tid.x";
    thread_idx_y() -> u32 = thread::thread_idx_y() => "%tid.y";
    thread_idx_z() -> u32 = thread::thread_idx_z() => "%tid.z";
    block_dim_x() -> u32 = thread::block_dim_x() => "%ntid.x";
    block_dim_y() -> u32 = thread::block_dim_y() => "%ntid.y";
    block_dim_z() -> u32 = thread::block_dim_z() => "%ntid.z";
    block_idx_x() -> u32 = thread::block_idx_x() => "%ctaid.x";
    block_idx_y() -> u32 = thread::block_idx_y() => "%ctaid.y";
    block_idx_z() -> u32 = thread::block_idx_z() => "%ctaid.z";
    grid_dim_x() -> u32 = thread::grid_dim_x() => "%nctaid.x";
    grid_dim_y() -> u32 = thread::grid_dim_y() => "%nctaid.y";
    grid_dim_z() -> u32 = thread::grid_dim_z() => "%nctaid.z";
    lane_idx() -> u32 = thread::lane_idx() => "%laneid";
    lanemask_eq() -> u32 = thread::lanemask_eq() => "%lanemask_eq";
    lanemask_lt() -> u32 = thread::lanemask_lt() => "%lanemask_lt";
    lanemask_le() -> u32 = thread::lanemask_le() => "%lanemask_le";
    lanemask_gt() -> u32 = thread::lanemask_gt() => "%lanemask_gt";
    lanemask_ge() -> u32 = thread::lanemask_ge() => "%lanemask_ge";
    smid() -> u32 = thread::smid() => "%smid";
    nsmid() -> u32 = thread::nsmid() => "%nsmid";
    warpid() -> u32 = thread::warpid() => "%warpid";
    nwarpid() -> u32 = thread::nwarpid() => "%nwarpid";
    gridid() -> u64 = thread::gridid() => "%gridid";
    dynamic_smem_size() -> u32 = thread::dynamic_smem_size() => "%dynamic_smem_size";
    total_smem_size() -> u32 = thread::total_smem_size() => "%total_smem_size";
    @ "sm_90" cluster_idx_x() -> u32 = thread::cluster_idx_x() => "%clusterid.x";
    @ "sm_90" cluster_idx_y() -> u32 = thread::cluster_idx_y() => "%clusterid.y";
    @ "sm_90" cluster_idx_z() -> u32 = thread::cluster_idx_z() => "%clusterid.z";
    @ "sm_90" grid_clusters_x() -> u32 = thread::grid_clusters_x() => "%nclusterid.x";
    @ "sm_90" grid_clusters_y() -> u32 = thread::grid_clusters_y() => "%nclusterid.y";
    @ "sm_90" grid_clusters_z() -> u32 = thread::grid_clusters_z() => "%nclusterid.z";
    @ "sm_90" cluster_block_idx_x() -> u32 = thread::cluster_block_idx_x() => "%cluster_ctaid.x";
    @ "sm_90" cluster_block_idx_y() -> u32 = thread::cluster_block_idx_y() => "%cluster_ctaid.y";
    @ "sm_90" cluster_block_idx_z() -> u32 = thread::cluster_block_idx_z() => "%cluster_ctaid.z";
    @ "sm_90" cluster_dim_x() -> u32 = thread::cluster_dim_x() => "%cluster_nctaid.x";
    @ "sm_90" cluster_dim_y() -> u32 = thread::cluster_dim_y() => "%cluster_nctaid.y";
    @ "sm_90" cluster_dim_z() -> u32 = thread::cluster_dim_z() => "%cluster_nctaid.z";
    @ "sm_90" cluster_block_rank() -> u32 = thread::cluster_block_rank() => "%cluster_ctarank";
    @ "sm_90" cluster_blocks() -> u32 = thread::cluster_blocks() => "%cluster_nctarank";
    thread_linear() -> u32 = thread::thread_linear() => "%tid.x", "%tid.y", "%tid.z";
    block_threads() -> u32 = thread::block_threads() => "%ntid.x", "%ntid.y", "%ntid.z";
    block_linear() -> u64 = thread::block_linear() => "%ctaid.x", "%ctaid.y", "%ctaid.z";
    grid_blocks() -> u64 = thread::grid_blocks() => "%nctaid.x", "%nctaid.y", "%nctaid.z";
    grid_thread_linear() -> u64 = thread::grid_thread_linear() => "%ctaid.x", "%tid.x";
    grid_threads() -> u64 = thread::grid_threads() => "%nctaid.x", "%ntid.x";
    warp_idx() -> u32 = thread::warp_idx() => "%tid.x", "shr.u32";
    num_warps() -> u32 = thread::num_warps() => "%ntid.x", "shr.u32";

    // warp
    shfl_idx_sync(mask: u32, x: u32, lane: u32) -> u32 = warp::shfl_idx_sync(mask, x, lane) => "shfl.sync.idx.b32";
    shfl_idx_sync_pred(found: *mut bool, mask: u32, x: f32, lane: u32, clamp: u32) -> f32 = {
        let (value, inside) = warp::shfl_idx_sync_pred(mask, x, lane, clamp);
        found.write(inside);
        value
    } => "shfl.sync.idx.b32", "selp.u32";
    shfl_up_sync(mask: u32, x: u32, delta: u32) -> u32 = warp::shfl_up_sync(mask, x, delta) => "shfl.sync.up.b32";
    shfl_up_sync_pred(found: *mut bool, mask: u32, x: f32, delta: u32, clamp: u32) -> f32 = {
        let (value, inside) = warp::shfl_up_sync_pred(mask, x, delta, clamp);
        found.write(inside);
        value
    } => "shfl.sync.up.b32", "selp.u32";
    shfl_down_sync(mask: u32, x: u32, delta: u32) -> u32 = warp::shfl_down_sync(mask, x, delta) => "shfl.sync.down.b32";
    shfl_down_sync_pred(found: *mut bool, mask: u32, x: f32, delta: u32, clamp: u32) -> f32 = {
        let (value, inside) = warp::shfl_down_sync_pred(mask, x, delta, clamp);
        found.write(inside);
        value
    } => "shfl.sync.down.b32", "selp.u32";
    shfl_xor_sync(mask: u32, x: u32, bits: u32) -> u32 = warp::shfl_xor_sync(mask, x, bits) => "shfl.sync.bfly.b32";
    shfl_xor_sync_pred(found: *mut bool, mask: u32, x: f32, bits: u32, clamp: u32) -> f32 = {
        let (value, inside) = warp::shfl_xor_sync_pred(mask, x, bits, clamp);
        found.write(inside);
        value
    } => "shfl.sync.bfly.b32", "selp.u32";
    shfl_xor_sync__f32(x: f32) -> f32 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32";
    shfl_xor_sync__f16(x: f16) -> f16 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32";
    shfl_xor_sync__bf16(x: bf16) -> bf16 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32";
    shfl_xor_sync__u8(x: u8) -> u8 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32";
    shfl_xor_sync__f16x2(x: f16x2) -> f16x2 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32";
    shfl_xor_sync__f64(x: f64) -> f64 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32" * 2;
    shfl_idx_sync__u64(x: u64) -> u64 = warp::shfl_idx_sync(warp::FULL_MASK, x, 0) => "shfl.sync.idx.b32" * 2;
    shfl_idx_sync__vec16(x: *const Vec16<f32>) -> Vec16<f32> = warp::shfl_idx_sync(warp::FULL_MASK, x.read(), 0)
        => "shfl.sync.idx.b32" * 4;
    all_sync(mask: u32, x: u32) -> bool = warp::all_sync(mask, x > 3) => "vote.sync.all.pred";
    any_sync(mask: u32, x: u32) -> bool = warp::any_sync(mask, x > 3) => "vote.sync.any.pred";
    uni_sync(mask: u32, x: u32) -> bool = warp::uni_sync(mask, x > 3) => "vote.sync.uni.pred";
    ballot_sync(mask: u32, x: u32) -> u32 = warp::ballot_sync(mask, x > 3) => "vote.sync.ballot.b32";
    match_any_sync(mask: u32, x: f32) -> u32 = warp::match_any_sync(mask, x) => "match.any.sync.b32";
    match_any_sync__64(mask: u32, x: f64) -> u32 = warp::match_any_sync(mask, x) => "match.any.sync.b64";
    match_all_sync(mask: u32, x: f32) -> bool = warp::match_all_sync(mask, x) => "match.all.sync.b32";
    match_all_sync__64(mask: u32, x: f64) -> bool = warp::match_all_sync(mask, x) => "match.all.sync.b64";
    redux_sync_add_u32(mask: u32, x: u32) -> u32 = warp::redux_sync_add_u32(mask, x) => "redux.sync.add.u32";
    redux_sync_add_s32(mask: u32, x: i32) -> i32 = warp::redux_sync_add_s32(mask, x) => "redux.sync.add.s32";
    redux_sync_min_u32(mask: u32, x: u32) -> u32 = warp::redux_sync_min_u32(mask, x) => "redux.sync.min.u32";
    redux_sync_min_s32(mask: u32, x: i32) -> i32 = warp::redux_sync_min_s32(mask, x) => "redux.sync.min.s32";
    redux_sync_max_u32(mask: u32, x: u32) -> u32 = warp::redux_sync_max_u32(mask, x) => "redux.sync.max.u32";
    redux_sync_max_s32(mask: u32, x: i32) -> i32 = warp::redux_sync_max_s32(mask, x) => "redux.sync.max.s32";
    redux_sync_and_b32(mask: u32, x: u32) -> u32 = warp::redux_sync_and_b32(mask, x) => "redux.sync.and.b32";
    redux_sync_or_b32(mask: u32, x: u32) -> u32 = warp::redux_sync_or_b32(mask, x) => "redux.sync.or.b32";
    redux_sync_xor_b32(mask: u32, x: u32) -> u32 = warp::redux_sync_xor_b32(mask, x) => "redux.sync.xor.b32";
    warp_reduce(x: u32) -> u32 = warp::warp_reduce(x, |x, y| x ^ y) => "shfl.sync.bfly.b32" * 5;
    warp_reduce_sum(x: f32) -> f32 = warp::warp_reduce_sum(x) => "shfl.sync.bfly.b32" * 5, "add.rn.f32" * 5;
    warp_reduce_sum__f64(x: f64) -> f64 = warp::warp_reduce_sum(x) => "shfl.sync.bfly.b32" * 10, "add.rn.f64" * 5;
    warp_reduce_sum__bf16x2(x: bf16x2) -> bf16x2 = warp::warp_reduce_sum(x)
        => "shfl.sync.bfly.b32" * 5, "fma.rn.bf16x2" * 5;
    warp_reduce_min(x: f32) -> f32 = warp::warp_reduce_min(x) => "shfl.sync.bfly.b32" * 5, "min.f32" * 5;
    warp_reduce_max(x: f16) -> f16 = warp::warp_reduce_max(x) => "shfl.sync.bfly.b32" * 5, "max.f16" * 5;
    activemask() -> u32 = warp::activemask() => "activemask.b32";
    bar_warp_sync(mask: u32) = warp::bar_warp_sync(mask) => "bar.warp.sync";

    // block
    bar_sync() = block::bar_sync() => "bar.sync";
    barrier_sync(id: u32, count: u32) = block::barrier_sync(id, count) => "barrier.sync";
    barrier_arrive(id: u32, count: u32) = block::barrier_arrive(id, count) => "barrier.arrive";
    bar_sync_id(id: u32, count: u32) = block::bar_sync_id(id, count) => "bar.sync";
    bar_arrive(id: u32, count: u32) = block::bar_arrive(id, count) => "bar.arrive";
    barrier_red_popc(x: u32) -> u32 = block::barrier_red_popc(x > 3) => "barrier.red.popc.u32";
    barrier_red_and(x: u32) -> bool = block::barrier_red_and(x > 3) => "barrier.red.and.pred";
    barrier_red_or(x: u32) -> bool = block::barrier_red_or(x > 3) => "barrier.red.or.pred";
    @ "sm_90" barrier_cluster_arrive() = block::barrier_cluster_arrive() => "barrier.cluster.arrive";
    @ "sm_90" barrier_cluster_wait() = block::barrier_cluster_wait() => "barrier.cluster.wait";

    // atomic
    atom_add(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.u32";
    red_add(p: *mut u32, x: u32)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.u32";
    atom_add__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.s32";
    red_add__i32(p: *mut i32, x: i32)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.s32";
    atom_add__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.u64";
    red_add__u64(p: *mut u64, x: u64)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.u64";
    atom_add__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.u64";
    red_add__i64(p: *mut i64, x: i64)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.u64";
    atom_add__f32(p: *mut f32, x: f32) -> f32
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.f32";
    red_add__f32(p: *mut f32, x: f32)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.f32";
    atom_add__f64(p: *mut f64, x: f64) -> f64
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.f64";
    red_add__f64(p: *mut f64, x: f64)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.f64";
    atom_add__f16(p: *mut f16, x: f16) -> f16
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.noftz.f16";
    red_add__f16(p: *mut f16, x: f16)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.noftz.f16";
    atom_add__f16x2(p: *mut f16x2, x: f16x2) -> f16x2
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.noftz.f16x2";
    red_add__f16x2(p: *mut f16x2, x: f16x2)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.noftz.f16x2";
    @ "sm_90" atom_add__bf16(p: *mut bf16, x: bf16) -> bf16
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.noftz.bf16";
    @ "sm_90" red_add__bf16(p: *mut bf16, x: bf16)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.noftz.bf16";
    @ "sm_90" atom_add__bf16x2(p: *mut bf16x2, x: bf16x2) -> bf16x2
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.noftz.bf16x2";
    @ "sm_90" red_add__bf16x2(p: *mut bf16x2, x: bf16x2)
        = atomic::red_add(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.noftz.bf16x2";
    atom_min(p: *mut u32, x: u32) -> u32
        = atomic::atom_min(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.min.u32";
    red_min(p: *mut u32, x: u32)
        = atomic::red_min(p, x, Release, Cta, Shared) => "red.release.cta.shared.min.u32";
    atom_min__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_min(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.min.s32";
    red_min__i32(p: *mut i32, x: i32)
        = atomic::red_min(p, x, Release, Cta, Shared) => "red.release.cta.shared.min.s32";
    atom_min__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_min(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.min.u64";
    red_min__u64(p: *mut u64, x: u64)
        = atomic::red_min(p, x, Release, Cta, Shared) => "red.release.cta.shared.min.u64";
    atom_min__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_min(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.min.s64";
    red_min__i64(p: *mut i64, x: i64)
        = atomic::red_min(p, x, Release, Cta, Shared) => "red.release.cta.shared.min.s64";
    atom_max(p: *mut u32, x: u32) -> u32
        = atomic::atom_max(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.max.u32";
    red_max(p: *mut u32, x: u32)
        = atomic::red_max(p, x, Release, Cta, Shared) => "red.release.cta.shared.max.u32";
    atom_max__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_max(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.max.s32";
    red_max__i32(p: *mut i32, x: i32)
        = atomic::red_max(p, x, Release, Cta, Shared) => "red.release.cta.shared.max.s32";
    atom_max__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_max(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.max.u64";
    red_max__u64(p: *mut u64, x: u64)
        = atomic::red_max(p, x, Release, Cta, Shared) => "red.release.cta.shared.max.u64";
    atom_max__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_max(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.max.s64";
    red_max__i64(p: *mut i64, x: i64)
        = atomic::red_max(p, x, Release, Cta, Shared) => "red.release.cta.shared.max.s64";
    atom_and(p: *mut u32, x: u32) -> u32
        = atomic::atom_and(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.and.b32";
    red_and(p: *mut u32, x: u32)
        = atomic::red_and(p, x, Release, Cta, Shared) => "red.release.cta.shared.and.b32";
    atom_and__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_and(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.and.b32";
    red_and__i32(p: *mut i32, x: i32)
        = atomic::red_and(p, x, Release, Cta, Shared) => "red.release.cta.shared.and.b32";
    atom_and__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_and(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.and.b64";
    red_and__u64(p: *mut u64, x: u64)
        = atomic::red_and(p, x, Release, Cta, Shared) => "red.release.cta.shared.and.b64";
    atom_and__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_and(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.and.b64";
    red_and__i64(p: *mut i64, x: i64)
        = atomic::red_and(p, x, Release, Cta, Shared) => "red.release.cta.shared.and.b64";
    atom_or(p: *mut u32, x: u32) -> u32
        = atomic::atom_or(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.or.b32";
    red_or(p: *mut u32, x: u32)
        = atomic::red_or(p, x, Release, Cta, Shared) => "red.release.cta.shared.or.b32";
    atom_or__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_or(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.or.b32";
    red_or__i32(p: *mut i32, x: i32)
        = atomic::red_or(p, x, Release, Cta, Shared) => "red.release.cta.shared.or.b32";
    atom_or__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_or(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.or.b64";
    red_or__u64(p: *mut u64, x: u64)
        = atomic::red_or(p, x, Release, Cta, Shared) => "red.release.cta.shared.or.b64";
    atom_or__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_or(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.or.b64";
    red_or__i64(p: *mut i64, x: i64)
        = atomic::red_or(p, x, Release, Cta, Shared) => "red.release.cta.shared.or.b64";
    atom_xor(p: *mut u32, x: u32) -> u32
        = atomic::atom_xor(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.xor.b32";
    red_xor(p: *mut u32, x: u32)
        = atomic::red_xor(p, x, Release, Cta, Shared) => "red.release.cta.shared.xor.b32";
    atom_xor__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_xor(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.xor.b32";
    red_xor__i32(p: *mut i32, x: i32)
        = atomic::red_xor(p, x, Release, Cta, Shared) => "red.release.cta.shared.xor.b32";
    atom_xor__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_xor(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.xor.b64";
    red_xor__u64(p: *mut u64, x: u64)
        = atomic::red_xor(p, x, Release, Cta, Shared) => "red.release.cta.shared.xor.b64";
    atom_xor__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_xor(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.xor.b64";
    red_xor__i64(p: *mut i64, x: i64)
        = atomic::red_xor(p, x, Release, Cta, Shared) => "red.release.cta.shared.xor.b64";
    atom_inc(p: *mut u32, x: u32) -> u32
        = atomic::atom_inc(p, x, AcqRel, Cta, Shared) => "atom.acq_rel.cta.shared.inc.u32";
    red_inc(p: *mut u32, x: u32)
        = atomic::red_inc(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.inc.u32";
    atom_dec(p: *mut u32, x: u32) -> u32
        = atomic::atom_dec(p, x, AcqRel, Cta, Shared) => "atom.acq_rel.cta.shared.dec.u32";
    red_dec(p: *mut u32, x: u32)
        = atomic::red_dec(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.dec.u32";
    atom_exch(p: *mut u32, x: u32) -> u32
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b32";
    atom_exch__i32(p: *mut i32, x: i32) -> i32
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b32";
    atom_exch__f32(p: *mut f32, x: f32) -> f32
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b32";
    atom_exch__f16x2(p: *mut f16x2, x: f16x2) -> f16x2
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b32";
    atom_exch__bf16x2(p: *mut bf16x2, x: bf16x2) -> bf16x2
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b32";
    atom_exch__u64(p: *mut u64, x: u64) -> u64
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b64";
    atom_exch__i64(p: *mut i64, x: i64) -> i64
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b64";
    atom_exch__f64(p: *mut f64, x: f64) -> f64
        = atomic::atom_exch(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.exch.b64";
    atom_cas(p: *mut u32, x: u32, y: u32) -> u32
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b32";
    atom_cas__i32(p: *mut i32, x: i32, y: i32) -> i32
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b32";
    atom_cas__f32(p: *mut f32, x: f32, y: f32) -> f32
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b32";
    atom_cas__f16x2(p: *mut f16x2, x: f16x2, y: f16x2) -> f16x2
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b32";
    atom_cas__bf16x2(p: *mut bf16x2, x: bf16x2, y: bf16x2) -> bf16x2
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b32";
    atom_cas__u64(p: *mut u64, x: u64, y: u64) -> u64
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b64";
    atom_cas__i64(p: *mut i64, x: i64, y: i64) -> i64
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b64";
    atom_cas__f64(p: *mut f64, x: f64, y: f64) -> f64
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b64";
    atom_cas__u16(p: *mut u16, x: u16, y: u16) -> u16
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b16";
    atom_cas__i16(p: *mut i16, x: i16, y: i16) -> i16
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b16";
    atom_cas__f16(p: *mut f16, x: f16, y: f16) -> f16
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b16";
    atom_cas__bf16(p: *mut bf16, x: bf16, y: bf16) -> bf16
        = atomic::atom_cas(p, x, y, AcqRel, Sys, Generic) => "atom.acq_rel.sys.cas.b16";
    atom_sub(p: *mut u32, x: u32) -> u32
        = atomic::atom_sub(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.u32";
    red_sub(p: *mut f32, x: f32)
        = atomic::red_sub(p, x, Relaxed, Gpu, Global) => "red.relaxed.gpu.global.add.f32";

    // Every order, scope and space of one operation
    atom_add__relaxed_cta_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cta, Generic) => "atom.relaxed.cta.add.u32";
    atom_add__relaxed_cta_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cta, Global) => "atom.relaxed.cta.global.add.u32";
    atom_add__relaxed_cta_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cta, Shared) => "atom.relaxed.cta.shared.add.u32";
    @ "sm_90" atom_add__relaxed_cluster_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cluster, Generic) => "atom.relaxed.cluster.add.u32";
    @ "sm_90" atom_add__relaxed_cluster_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cluster, Global) => "atom.relaxed.cluster.global.add.u32";
    @ "sm_90" atom_add__relaxed_cluster_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Cluster, Shared) => "atom.relaxed.cluster.shared.add.u32";
    atom_add__relaxed_gpu_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Gpu, Generic) => "atom.relaxed.gpu.add.u32";
    atom_add__relaxed_gpu_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Gpu, Global) => "atom.relaxed.gpu.global.add.u32";
    atom_add__relaxed_gpu_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Gpu, Shared) => "atom.relaxed.gpu.shared.add.u32";
    atom_add__relaxed_sys_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Sys, Generic) => "atom.relaxed.sys.add.u32";
    atom_add__relaxed_sys_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Sys, Global) => "atom.relaxed.sys.global.add.u32";
    atom_add__relaxed_sys_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Relaxed, Sys, Shared) => "atom.relaxed.sys.shared.add.u32";
    atom_add__acquire_cta_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cta, Generic) => "atom.acquire.cta.add.u32";
    atom_add__acquire_cta_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cta, Global) => "atom.acquire.cta.global.add.u32";
    atom_add__acquire_cta_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cta, Shared) => "atom.acquire.cta.shared.add.u32";
    @ "sm_90" atom_add__acquire_cluster_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cluster, Generic) => "atom.acquire.cluster.add.u32";
    @ "sm_90" atom_add__acquire_cluster_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cluster, Global) => "atom.acquire.cluster.global.add.u32";
    @ "sm_90" atom_add__acquire_cluster_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Cluster, Shared) => "atom.acquire.cluster.shared.add.u32";
    atom_add__acquire_gpu_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Gpu, Generic) => "atom.acquire.gpu.add.u32";
    atom_add__acquire_gpu_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Gpu, Global) => "atom.acquire.gpu.global.add.u32";
    atom_add__acquire_gpu_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Gpu, Shared) => "atom.acquire.gpu.shared.add.u32";
    atom_add__acquire_sys_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Sys, Generic) => "atom.acquire.sys.add.u32";
    atom_add__acquire_sys_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Sys, Global) => "atom.acquire.sys.global.add.u32";
    atom_add__acquire_sys_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Acquire, Sys, Shared) => "atom.acquire.sys.shared.add.u32";
    atom_add__release_cta_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cta, Generic) => "atom.release.cta.add.u32";
    atom_add__release_cta_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cta, Global) => "atom.release.cta.global.add.u32";
    atom_add__release_cta_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cta, Shared) => "atom.release.cta.shared.add.u32";
    @ "sm_90" atom_add__release_cluster_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cluster, Generic) => "atom.release.cluster.add.u32";
    @ "sm_90" atom_add__release_cluster_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cluster, Global) => "atom.release.cluster.global.add.u32";
    @ "sm_90" atom_add__release_cluster_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Cluster, Shared) => "atom.release.cluster.shared.add.u32";
    atom_add__release_gpu_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Gpu, Generic) => "atom.release.gpu.add.u32";
    atom_add__release_gpu_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Gpu, Global) => "atom.release.gpu.global.add.u32";
    atom_add__release_gpu_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Gpu, Shared) => "atom.release.gpu.shared.add.u32";
    atom_add__release_sys_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Sys, Generic) => "atom.release.sys.add.u32";
    atom_add__release_sys_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Sys, Global) => "atom.release.sys.global.add.u32";
    atom_add__release_sys_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, Release, Sys, Shared) => "atom.release.sys.shared.add.u32";
    atom_add__acq_rel_cta_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cta, Generic) => "atom.acq_rel.cta.add.u32";
    atom_add__acq_rel_cta_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cta, Global) => "atom.acq_rel.cta.global.add.u32";
    atom_add__acq_rel_cta_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cta, Shared) => "atom.acq_rel.cta.shared.add.u32";
    @ "sm_90" atom_add__acq_rel_cluster_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cluster, Generic) => "atom.acq_rel.cluster.add.u32";
    @ "sm_90" atom_add__acq_rel_cluster_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cluster, Global) => "atom.acq_rel.cluster.global.add.u32";
    @ "sm_90" atom_add__acq_rel_cluster_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Cluster, Shared) => "atom.acq_rel.cluster.shared.add.u32";
    atom_add__acq_rel_gpu_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Gpu, Generic) => "atom.acq_rel.gpu.add.u32";
    atom_add__acq_rel_gpu_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Gpu, Global) => "atom.acq_rel.gpu.global.add.u32";
    atom_add__acq_rel_gpu_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Gpu, Shared) => "atom.acq_rel.gpu.shared.add.u32";
    atom_add__acq_rel_sys_generic(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Sys, Generic) => "atom.acq_rel.sys.add.u32";
    atom_add__acq_rel_sys_global(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Sys, Global) => "atom.acq_rel.sys.global.add.u32";
    atom_add__acq_rel_sys_shared(p: *mut u32, x: u32) -> u32
        = atomic::atom_add(p, x, AcqRel, Sys, Shared) => "atom.acq_rel.sys.shared.add.u32";
    ld(p: *const f32) -> f32 = atomic::ld(p, Relaxed, Cta, Generic) => "ld.relaxed.cta.b32";
    @ "sm_90" ld__relaxed_cluster_f32(p: *const f32) -> f32 = atomic::ld(p, Relaxed, Cluster, Generic) => "ld.relaxed.cluster.b32";
    ld__relaxed_gpu_u8(p: *const u8) -> u8 = atomic::ld(p, Relaxed, Gpu, Global) => "ld.relaxed.gpu.global.b8";
    ld__relaxed_gpu_f16(p: *const f16) -> f16 = atomic::ld(p, Relaxed, Gpu, Shared) => "ld.relaxed.gpu.shared.b16";
    ld__relaxed_gpu_f32(p: *const f32) -> f32 = atomic::ld(p, Relaxed, Gpu, Generic) => "ld.relaxed.gpu.b32";
    ld__relaxed_gpu_u64(p: *const u64) -> u64 = atomic::ld(p, Relaxed, Gpu, Global) => "ld.relaxed.gpu.global.b64";
    ld__relaxed_sys_f32(p: *const f32) -> f32 = atomic::ld(p, Relaxed, Sys, Generic) => "ld.relaxed.sys.b32";
    ld__acquire_cta_f32(p: *const f32) -> f32 = atomic::ld(p, Acquire, Cta, Generic) => "ld.acquire.cta.b32";
    @ "sm_90" ld__acquire_cluster_f32(p: *const f32) -> f32 = atomic::ld(p, Acquire, Cluster, Generic) => "ld.acquire.cluster.b32";
    ld__acquire_gpu_u8(p: *const u8) -> u8 = atomic::ld(p, Acquire, Gpu, Global) => "ld.acquire.gpu.global.b8";
    ld__acquire_gpu_f16(p: *const f16) -> f16 = atomic::ld(p, Acquire, Gpu, Shared) => "ld.acquire.gpu.shared.b16";
    ld__acquire_gpu_f32(p: *const f32) -> f32 = atomic::ld(p, Acquire, Gpu, Generic) => "ld.acquire.gpu.b32";
    ld__acquire_gpu_u64(p: *const u64) -> u64 = atomic::ld(p, Acquire, Gpu, Global) => "ld.acquire.gpu.global.b64";
    ld__acquire_sys_f32(p: *const f32) -> f32 = atomic::ld(p, Acquire, Sys, Generic) => "ld.acquire.sys.b32";
    st(p: *mut f32, x: f32) = atomic::st(p, x, Relaxed, Cta, Generic) => "st.relaxed.cta.b32";
    @ "sm_90" st__relaxed_cluster_f32(p: *mut f32, x: f32) = atomic::st(p, x, Relaxed, Cluster, Generic) => "st.relaxed.cluster.b32";
    st__relaxed_gpu_u8(p: *mut u8, x: u8) = atomic::st(p, x, Relaxed, Gpu, Global) => "st.relaxed.gpu.global.b8";
    st__relaxed_gpu_f16(p: *mut f16, x: f16) = atomic::st(p, x, Relaxed, Gpu, Shared) => "st.relaxed.gpu.shared.b16";
    st__relaxed_gpu_f32(p: *mut f32, x: f32) = atomic::st(p, x, Relaxed, Gpu, Generic) => "st.relaxed.gpu.b32";
    st__relaxed_gpu_u64(p: *mut u64, x: u64) = atomic::st(p, x, Relaxed, Gpu, Global) => "st.relaxed.gpu.global.b64";
    st__relaxed_sys_f32(p: *mut f32, x: f32) = atomic::st(p, x, Relaxed, Sys, Generic) => "st.relaxed.sys.b32";
    st__release_cta_f32(p: *mut f32, x: f32) = atomic::st(p, x, Release, Cta, Generic) => "st.release.cta.b32";
    @ "sm_90" st__release_cluster_f32(p: *mut f32, x: f32) = atomic::st(p, x, Release, Cluster, Generic) => "st.release.cluster.b32";
    st__release_gpu_u8(p: *mut u8, x: u8) = atomic::st(p, x, Release, Gpu, Global) => "st.release.gpu.global.b8";
    st__release_gpu_f16(p: *mut f16, x: f16) = atomic::st(p, x, Release, Gpu, Shared) => "st.release.gpu.shared.b16";
    st__release_gpu_f32(p: *mut f32, x: f32) = atomic::st(p, x, Release, Gpu, Generic) => "st.release.gpu.b32";
    st__release_gpu_u64(p: *mut u64, x: u64) = atomic::st(p, x, Release, Gpu, Global) => "st.release.gpu.global.b64";
    st__release_sys_f32(p: *mut f32, x: f32) = atomic::st(p, x, Release, Sys, Generic) => "st.release.sys.b32";
    fence__acq_rel_cta() = atomic::fence(AcqRel, Cta) => "fence.acq_rel.cta";
    @ "sm_90" fence__acq_rel_cluster() = atomic::fence(AcqRel, Cluster) => "fence.acq_rel.cluster";
    fence() = atomic::fence(AcqRel, Gpu) => "fence.acq_rel.gpu";
    fence__acq_rel_sys() = atomic::fence(AcqRel, Sys) => "fence.acq_rel.sys";
    fence__sc_cta() = atomic::fence(SeqCst, Cta) => "fence.sc.cta";
    @ "sm_90" fence__sc_cluster() = atomic::fence(SeqCst, Cluster) => "fence.sc.cluster";
    fence__sc_gpu() = atomic::fence(SeqCst, Gpu) => "fence.sc.gpu";
    fence__sc_sys() = atomic::fence(SeqCst, Sys) => "fence.sc.sys";

    // mem
    ld_global_nc(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc(p) => "ld.global.nc.v4.b32";
    ld_global_nc__u8(p: *const u8) -> u8
        = mem::ld_global_nc(p) => "ld.global.nc.b8";
    ld_global_nc__f16(p: *const f16) -> f16
        = mem::ld_global_nc(p) => "ld.global.nc.b16";
    ld_global_nc__f32(p: *const f32) -> f32
        = mem::ld_global_nc(p) => "ld.global.nc.b32";
    ld_global_nc__f64(p: *const f64) -> f64
        = mem::ld_global_nc(p) => "ld.global.nc.b64";
    ld_global_nc_l1_no_allocate(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l1_no_allocate(p) => "ld.global.nc.L1::no_allocate.v4.b32";
    ld_global_nc_l1_no_allocate__u8(p: *const u8) -> u8
        = mem::ld_global_nc_l1_no_allocate(p) => "ld.global.nc.L1::no_allocate.b8";
    ld_global_nc_l1_no_allocate__f16(p: *const f16) -> f16
        = mem::ld_global_nc_l1_no_allocate(p) => "ld.global.nc.L1::no_allocate.b16";
    ld_global_nc_l1_no_allocate__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l1_no_allocate(p) => "ld.global.nc.L1::no_allocate.b32";
    ld_global_nc_l1_no_allocate__f64(p: *const f64) -> f64
        = mem::ld_global_nc_l1_no_allocate(p) => "ld.global.nc.L1::no_allocate.b64";
    ld_global_nc_l1_evict_first(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l1_evict_first(p) => "ld.global.nc.L1::evict_first.v4.b32";
    ld_global_nc_l1_evict_first__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l1_evict_first(p) => "ld.global.nc.L1::evict_first.b32";
    ld_global_nc_l1_evict_last(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l1_evict_last(p) => "ld.global.nc.L1::evict_last.v4.b32";
    ld_global_nc_l1_evict_last__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l1_evict_last(p) => "ld.global.nc.L1::evict_last.b32";
    ld_global_nc_l2_128b(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l2_128b(p) => "ld.global.nc.L2::128B.v4.b32";
    ld_global_nc_l2_128b__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l2_128b(p) => "ld.global.nc.L2::128B.b32";
    ld_global_nc_l2_256b(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l2_256b(p) => "ld.global.nc.L2::256B.v4.b32";
    ld_global_nc_l2_256b__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l2_256b(p) => "ld.global.nc.L2::256B.b32";
    ld_global_nc_l1_no_allocate_l2_256b(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l1_no_allocate_l2_256b(p) => "ld.global.nc.L1::no_allocate.L2::256B.v4.b32";
    ld_global_nc_l1_no_allocate_l2_256b__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l1_no_allocate_l2_256b(p) => "ld.global.nc.L1::no_allocate.L2::256B.b32";
    ld_global_nc_l2_cache_hint(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.nc.L2::cache_hint.v4.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_global_nc_l2_cache_hint__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.nc.L2::cache_hint.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_global_nc_l1_no_allocate_l2_cache_hint(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_nc_l1_no_allocate_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.nc.L1::no_allocate.L2::cache_hint.v4.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_global_nc_l1_no_allocate_l2_cache_hint__f32(p: *const f32) -> f32
        = mem::ld_global_nc_l1_no_allocate_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.nc.L1::no_allocate.L2::cache_hint.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_global_ca(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_ca(p) => "ld.global.ca.v4.b32";
    ld_global_ca__f32(p: *const f32) -> f32
        = mem::ld_global_ca(p) => "ld.global.ca.b32";
    ld_global_cg(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_cg(p) => "ld.global.cg.v4.b32";
    ld_global_cg__u8(p: *const u8) -> u8
        = mem::ld_global_cg(p) => "ld.global.cg.b8";
    ld_global_cg__f16(p: *const f16) -> f16
        = mem::ld_global_cg(p) => "ld.global.cg.b16";
    ld_global_cg__f32(p: *const f32) -> f32
        = mem::ld_global_cg(p) => "ld.global.cg.b32";
    ld_global_cg__f64(p: *const f64) -> f64
        = mem::ld_global_cg(p) => "ld.global.cg.b64";
    ld_global_cs(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_cs(p) => "ld.global.cs.v4.b32";
    ld_global_cs__f32(p: *const f32) -> f32
        = mem::ld_global_cs(p) => "ld.global.cs.b32";
    ld_global_lu(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_lu(p) => "ld.global.lu.v4.b32";
    ld_global_lu__f32(p: *const f32) -> f32
        = mem::ld_global_lu(p) => "ld.global.lu.b32";
    ld_global_l1_no_allocate(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_l1_no_allocate(p) => "ld.global.L1::no_allocate.v4.b32";
    ld_global_l1_no_allocate__f32(p: *const f32) -> f32
        = mem::ld_global_l1_no_allocate(p) => "ld.global.L1::no_allocate.b32";
    ld_global_l1_evict_first(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_l1_evict_first(p) => "ld.global.L1::evict_first.v4.b32";
    ld_global_l1_evict_first__f32(p: *const f32) -> f32
        = mem::ld_global_l1_evict_first(p) => "ld.global.L1::evict_first.b32";
    ld_global_l1_evict_last(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_l1_evict_last(p) => "ld.global.L1::evict_last.v4.b32";
    ld_global_l1_evict_last__f32(p: *const f32) -> f32
        = mem::ld_global_l1_evict_last(p) => "ld.global.L1::evict_last.b32";
    ld_global_l2_cache_hint(p: *const Vec16<f32>) -> Vec16<f32>
        = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.L2::cache_hint.v4.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_global_l2_cache_hint__f32(p: *const f32) -> f32
        = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_last()) => "ld.global.L2::cache_hint.b32", "createpolicy.fractional.L2::evict_last.b64";
    st_global_wb(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_wb(p, x.read()) => "st.global.wb.v4.b32";
    st_global_wb__f32(p: *mut f32, x: f32)
        = mem::st_global_wb(p, x) => "st.global.wb.b32";
    st_global_cg(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_cg(p, x.read()) => "st.global.cg.v4.b32";
    st_global_cg__f32(p: *mut f32, x: f32)
        = mem::st_global_cg(p, x) => "st.global.cg.b32";
    st_global_cs(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_cs(p, x.read()) => "st.global.cs.v4.b32";
    st_global_cs__u8(p: *mut u8, x: u8)
        = mem::st_global_cs(p, x) => "st.global.cs.b8";
    st_global_cs__f16(p: *mut f16, x: f16)
        = mem::st_global_cs(p, x) => "st.global.cs.b16";
    st_global_cs__f32(p: *mut f32, x: f32)
        = mem::st_global_cs(p, x) => "st.global.cs.b32";
    st_global_cs__f64(p: *mut f64, x: f64)
        = mem::st_global_cs(p, x) => "st.global.cs.b64";
    st_global_wt(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_wt(p, x.read()) => "st.global.wt.v4.b32";
    st_global_wt__f32(p: *mut f32, x: f32)
        = mem::st_global_wt(p, x) => "st.global.wt.b32";
    st_global_l1_no_allocate(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_l1_no_allocate(p, x.read()) => "st.global.L1::no_allocate.v4.b32";
    st_global_l1_no_allocate__f32(p: *mut f32, x: f32)
        = mem::st_global_l1_no_allocate(p, x) => "st.global.L1::no_allocate.b32";
    st_global_l1_evict_first(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_l1_evict_first(p, x.read()) => "st.global.L1::evict_first.v4.b32";
    st_global_l1_evict_first__f32(p: *mut f32, x: f32)
        = mem::st_global_l1_evict_first(p, x) => "st.global.L1::evict_first.b32";
    st_global_l1_evict_last(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_l1_evict_last(p, x.read()) => "st.global.L1::evict_last.v4.b32";
    st_global_l1_evict_last__f32(p: *mut f32, x: f32)
        = mem::st_global_l1_evict_last(p, x) => "st.global.L1::evict_last.b32";
    st_global_l2_cache_hint(p: *mut Vec16<f32>, x: *const Vec16<f32>)
        = mem::st_global_l2_cache_hint(p, x.read(), mem::createpolicy_l2_evict_last()) => "st.global.L2::cache_hint.v4.b32", "createpolicy.fractional.L2::evict_last.b64";
    st_global_l2_cache_hint__f32(p: *mut f32, x: f32)
        = mem::st_global_l2_cache_hint(p, x, mem::createpolicy_l2_evict_last()) => "st.global.L2::cache_hint.b32", "createpolicy.fractional.L2::evict_last.b64";
    ld_volatile(p: *const Vec16<f32>) -> Vec16<f32> = mem::ld_volatile(p) => "ld.volatile.v4.b32";
    st_volatile(p: *mut Vec16<f32>, x: *const Vec16<f32>) = mem::st_volatile(p, x.read()) => "st.volatile.v4.b32";
    ld_volatile__u8(p: *const u8) -> u8 = mem::ld_volatile(p) => "ld.volatile.b8";
    st_volatile__u8(p: *mut u8, x: u8) = mem::st_volatile(p, x) => "st.volatile.b8";
    ld_volatile__f16(p: *const f16) -> f16 = mem::ld_volatile(p) => "ld.volatile.b16";
    st_volatile__f16(p: *mut f16, x: f16) = mem::st_volatile(p, x) => "st.volatile.b16";
    ld_volatile__f32(p: *const f32) -> f32 = mem::ld_volatile(p) => "ld.volatile.b32";
    st_volatile__f32(p: *mut f32, x: f32) = mem::st_volatile(p, x) => "st.volatile.b32";
    ld_volatile__f64(p: *const f64) -> f64 = mem::ld_volatile(p) => "ld.volatile.b64";
    st_volatile__f64(p: *mut f64, x: f64) = mem::st_volatile(p, x) => "st.volatile.b64";
    createpolicy_l2_evict_last(p: *const f32) -> f32 = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_last())
        => "createpolicy.fractional.L2::evict_last.b64", "ld.global.L2::cache_hint.b32";
    createpolicy_l2_evict_first(p: *const f32) -> f32 = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_first())
        => "createpolicy.fractional.L2::evict_first.b64", "ld.global.L2::cache_hint.b32";
    createpolicy_l2_evict_normal(p: *const f32) -> f32 = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_normal())
        => "createpolicy.fractional.L2::evict_normal.b64", "ld.global.L2::cache_hint.b32";
    createpolicy_l2_evict_unchanged(p: *const f32) -> f32 = mem::ld_global_l2_cache_hint(p, mem::createpolicy_l2_evict_unchanged())
        => "createpolicy.fractional.L2::evict_unchanged.b64", "ld.global.L2::cache_hint.b32";
    createpolicy_fractional_l2_evict_last(p: *const f32, share: f32) -> f32
        = mem::ld_global_l2_cache_hint(p, mem::createpolicy_fractional_l2_evict_last(share))
        => "createpolicy.fractional.L2::evict_last.L2::evict_first.b64", "ld.global.L2::cache_hint.b32";
    prefetch_global_l1(p: *const f32) = mem::prefetch_global_l1(p) => "prefetch.global.L1";
    prefetch_global_l2(p: *const f32) = mem::prefetch_global_l2(p) => "prefetch.global.L2";
    prefetch_global_l2_evict_last(p: *const f32) = mem::prefetch_global_l2_evict_last(p) => "prefetch.global.L2::evict_last";
    prefetch_global_l2_evict_normal(p: *const f32) = mem::prefetch_global_l2_evict_normal(p) => "prefetch.global.L2::evict_normal";
    prefetchu_l1(p: *const f32) = mem::prefetchu_l1(p) => "prefetchu.L1";
    applypriority_global_l2_evict_normal(p: *const f32) = mem::applypriority_global_l2_evict_normal(p) => "applypriority.global.L2::evict_normal";
    discard_global_l2(p: *mut f32) = mem::discard_global_l2(p) => "discard.global.L2";
    cvta_to_shared(p: *const f32) -> u64 = mem::cvta_to_shared(p) => "cvta.to.shared.u64";
    isspacep_global(p: *const f32) -> bool = mem::isspacep_global(p) => "isspacep.global";
    isspacep_shared(p: *const f32) -> bool = mem::isspacep_shared(p) => "isspacep.shared";
    isspacep_local(p: *const f32) -> bool = mem::isspacep_local(p) => "isspacep.local";

    // clock
    clock() -> u32 = clock::clock() => "%clock";
    clock_hi() -> u32 = clock::clock_hi() => "%clock_hi";
    clock64() -> u64 = clock::clock64() => "%clock64";
    clock64__twice() -> u64 = { let start = clock::clock64(); clock::clock64() - start } => "%clock64" * 2;
    globaltimer() -> u64 = clock::globaltimer() => "%globaltimer";
    nanosleep(ns: u32) = clock::nanosleep(ns) => "nanosleep.u32";

    // control
    trap() = control::trap() => "trap";
    brkpt() = control::brkpt() => "brkpt";
    exit(x: u32) -> u32 = if x > 3 { x } else { control::exit() } => "exit" * 2;
    assume(x: u32) -> u32 = { control::assume(x < 8); x & 7 } => "and.b32" * 0;

    // unroll
    unroll(x: *const f32, y: *mut f32) = in_registers::<16>(x, y) => "fma.rn.f32" * 16;
    unroll__literals(x: f32) -> f32 = { let mut y = x; unroll!(for _ in 0..32 { y = y * y; }); y } => "mul.rn.f32" * 32;

    // Whole programs
    convergence(out: *mut u32, x: u32) = in_both_arms(out, x) => "activemask.b32" * 2, "shfl.sync.bfly.b32" * 2;
    compares_bytes(a: *const u8, b: *const u8, len: u64) -> bool = equal_bytes(a, b, len) => ;
}
