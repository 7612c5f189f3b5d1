//! Which vector instructions there are.

/// The vector instructions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// AVX-512 F and BW, with all that [`Isa::Avx2`] means.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AVX2, FMA and F16C.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// What the target has without asking.
    Portable,
}

impl Isa {
    /// The widest this processor has. The standard library remembers the answer.
    pub fn detect() -> Self {
        *Self::available().last().unwrap_or(&Self::Portable)
    }

    /// All that this processor has, the widest last.
    pub fn available() -> &'static [Self] {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("f16c");
            if avx2 && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                return &[Self::Portable, Self::Avx2, Self::Avx512];
            }
            if avx2 {
                return &[Self::Portable, Self::Avx2];
            }
        }
        &[Self::Portable]
    }
}

/// The vector instructions that the CPU twins use on this processor.
pub fn vector_instructions() -> &'static str {
    match Isa::detect() {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => "AVX-512",
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => "AVX2",
        Isa::Portable => "no vector instructions of its own",
    }
}
