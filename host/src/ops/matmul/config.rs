//! How a product is computed: which kernel, which tile, how many parts of k. A pure function of problem and device.

use kernels_gpu::matmul::sm90_matmul_q8::sm90_matmul_q8_f16_128x256;
use kernels_gpu::matmul::tiling::{LINE, Tile};
use kernels_gpu::matmul::{matmul, matmul_hpq, matmul_q8};

use super::{MatmulError, Problem, Product, Sm90Tile, sm90};
use crate::backend::{Device, DeviceInfo};
use crate::ops::DType;

/// The tile of an `sm_80` kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sm80Tile {
    /// For large products.
    Large,
    /// For small ones.
    Small,
    /// For inputs whose rows do not all start at multiples of 16 bytes.
    Any,
}

/// A kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// `mma.sync`: on every device that has the shared memory. Compute capability 8.6, 8.9 and 12.0 have it for the small tile alone.
    Sm80(Sm80Tile),
    /// `wgmma` and tensor copies: on devices of compute capability 9.0 with PTX for sm_90a.
    Sm90(Sm90Tile),
}

impl Kernel {
    /// All of them.
    pub const ALL: [Self; 16] = {
        let mut all = [Self::Sm80(Sm80Tile::Large); 16];
        all[1] = Self::Sm80(Sm80Tile::Small);
        all[2] = Self::Sm80(Sm80Tile::Any);
        let mut at = 0;
        while at < Sm90Tile::ALL.len() {
            all[3 + at] = Self::Sm90(Sm90Tile::ALL[at]);
            at += 1;
        }
        all
    };

    /// Its name in cases and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sm80(Sm80Tile::Large) => "large",
            Self::Sm80(Sm80Tile::Small) => "small",
            Self::Sm80(Sm80Tile::Any) => "any",
            Self::Sm90(tile) => tile.name(),
        }
    }

    /// What keeps it from running a problem.
    pub(super) fn needs(self, problem: &Problem, device: &impl Device) -> Option<&'static str> {
        match self {
            Self::Sm90(_) if !has_sm90(device) => Some("there must be PTX for sm_90a"),
            Self::Sm90(tile) if !tile.is_instance(problem.product, problem.output) => {
                Some("it has no instance for this product and output")
            }
            Self::Sm90(_) => sm90::refusal(problem),
            Self::Sm80(tile) if !tile.fits(problem.product, device.info()) => {
                Some("its blocks need more shared memory than the device has")
            }
            Self::Sm80(Sm80Tile::Any) => None,
            Self::Sm80(_) => (problem.alignment.inputs < 16)
                .then_some("every row of both inputs must start at a multiple of 16 bytes"),
        }
    }
}

impl Sm80Tile {
    /// The tile of the kernel's instance for a product.
    pub const fn tile(self, product: Product) -> Tile {
        match (product, self) {
            (Product::Q8, Self::Large) => matmul_q8::LARGE,
            (Product::Q8, Self::Small) => matmul_q8::SMALL,
            (Product::Q8, Self::Any) => matmul_q8::ANY,
            (Product::Hpq, Self::Large) => matmul_hpq::LARGE,
            (Product::Hpq, Self::Small) => matmul_hpq::SMALL,
            (Product::Hpq, Self::Any) => matmul_hpq::ANY,
            (Product::Float, Self::Large) => matmul::LARGE,
            (Product::Float, Self::Small) => matmul::SMALL,
            (Product::Float, Self::Any) => matmul::ANY,
        }
    }
}

impl Sm80Tile {
    /// Whether a block of it may have its shared memory on such a device.
    fn fits(self, product: Product, info: &DeviceInfo) -> bool {
        self.tile(product).shared_bytes() <= info.shared_optin_bytes
    }
}

/// Whether a device has the kernels of sm_90a: a build has all or none of them.
fn has_sm90(device: &impl Device) -> bool {
    device.has_entry(<sm90_matmul_q8_f16_128x256::Entry as gpu_std::launch::Kernel>::ENTRY)
}

/// The most parts of k.
pub const MAX_SPLITS: u32 = 1 << 10;

/// Stages of k that a part has at least where the table chooses: fewer do not fill the pipeline.
const STAGES_OF_PART: u64 = 4;

/// Blocks of a tile that one multiprocessor runs at a time.
const fn residents(tile: Sm80Tile) -> u64 {
    match tile {
        Sm80Tile::Small => 2,
        Sm80Tile::Large | Sm80Tile::Any => 1,
    }
}

/// How a product is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// By which kernel.
    pub kernel: Kernel,
    /// In how many parts of k, which are added in order; 1 for the kernels of sm_90a.
    pub splits: u32,
}

impl Config {
    /// The configuration for a device: this is the place to tune.
    pub fn choose(problem: &Problem, device: &impl Device) -> Self {
        let info = device.info();
        let newest = if has_sm90(device) && sm90::refusal(problem).is_none() {
            sm90::choose(problem, info)
        } else {
            None
        };
        if let Some(tile) = newest {
            return Self { kernel: Kernel::Sm90(tile), splits: 1 };
        }
        let tiles = |tile: Sm80Tile| tile.tile(problem.product).tiles(problem.m, problem.n);
        let tile = if problem.alignment.inputs < 16 {
            Sm80Tile::Any
        } else if Sm80Tile::Large.fits(problem.product, info)
            && tiles(Sm80Tile::Large) >= u64::from(info.sm_count)
        {
            Sm80Tile::Large
        } else {
            Sm80Tile::Small
        };
        Self { kernel: Kernel::Sm80(tile), splits: splits(problem, tile, info) }
    }

    /// The configuration with this kernel and, unless they are 0, as many parts; those of sm_90a take k as a whole.
    ///
    /// # Errors
    /// [`MatmulError::KernelNeeds`], [`MatmulError::Splits`].
    pub fn with(
        problem: &Problem,
        device: &impl Device,
        kernel: Option<Kernel>,
        parts: u32,
    ) -> Result<Self, MatmulError> {
        let (op, info) = (problem.product.op(), device.info());
        let kernel = kernel.unwrap_or_else(|| Self::choose(problem, device).kernel);
        if let Some(needs) = kernel.needs(problem, device) {
            let (kernel, arch) = (kernel.name(), info.arch.clone());
            return Err(MatmulError::KernelNeeds { op, kernel, arch, needs });
        }
        if parts > MAX_SPLITS {
            return Err(MatmulError::Splits { op, splits: parts, limit: MAX_SPLITS });
        }
        let splits = match kernel {
            Kernel::Sm80(tile) if parts == 0 => splits(problem, tile, info),
            Kernel::Sm80(_) => parts,
            Kernel::Sm90(_) => 1,
        };
        Ok(Self { kernel, splits })
    }
}

/// Parts of k that give every multiprocessor a block, as far as k has stages for them.
fn splits(problem: &Problem, tile: Sm80Tile, info: &DeviceInfo) -> u32 {
    let tiles = tile.tile(problem.product).tiles(problem.m, problem.n).max(1);
    let bytes = if problem.product == Product::Float { DType::F16.size_bytes() } else { 1 };
    let stages = (u64::from(problem.k) * bytes).div_ceil(LINE as u64);
    let wanted = u64::from(info.sm_count) * residents(tile) / tiles;
    wanted.min(stages / STAGES_OF_PART).clamp(1, MAX_SPLITS.into()) as u32
}

#[cfg(test)]
mod tests {
    use super::super::{Alignment, Lengths};
    use super::*;
    use crate::backend::DeviceInfo;
    use crate::ops::Layout;
    use crate::ops::recorder::{Recorder, h200};

    /// A device without the kernels of sm_90a.
    fn old() -> Recorder {
        Recorder::new(&DeviceInfo { compute: (8, 0), arch: "sm_80".to_owned(), sm_count: 108, ..h200() })
    }

    fn problem(m: u64, n: u64, k: u64, inputs: u32) -> Problem {
        let layout = |rows, cols| Layout::new(rows, cols, cols).expect("it is counted");
        let layouts = [layout(m, k), layout(n, k), layout(m, n)];
        let alignment = Alignment { inputs, ..Alignment::FULL };
        Problem::new(Product::Q8, layouts, DType::F16, &Lengths::default(), alignment).expect("it is right")
    }

    #[test]
    fn large_products_take_large_tiles_and_narrow_ones_parts_of_k() {
        let choose = |m, n, k| Config::choose(&problem(m, n, k, 16), &old());
        let large = Kernel::Sm80(Sm80Tile::Large);
        assert_eq!(choose(4096, 4096, 4096), Config { kernel: large, splits: 1 });
        let skinny = choose(16, 4096, 21760);
        assert!(skinny.kernel == Kernel::Sm80(Sm80Tile::Small) && skinny.splits > 1, "{skinny:?}");
        assert_eq!(choose(1, 1, 0).splits, 1);
        assert_eq!(format!("{skinny:?}").lines().count(), 1);
    }

    /// Compute capability 8.6, 8.9 and 12.0 have 99 KiB.
    #[test]
    fn devices_of_less_shared_memory_take_smaller_tiles() {
        let less = Recorder::new(&DeviceInfo {
            compute: (8, 9),
            arch: "sm_80".to_owned(),
            shared_optin_bytes: 99 << 10,
            ..h200()
        });
        let large = problem(4096, 4096, 4096, 16);
        assert_eq!(Config::choose(&large, &less).kernel, Kernel::Sm80(Sm80Tile::Small));
        let error = Config::with(&large, &less, Some(Kernel::Sm80(Sm80Tile::Large)), 1);
        assert_eq!(
            error.expect_err("it does not fit").to_string(),
            "matmul_q8: kernel large does not run this on sm_80: its blocks need more shared memory than the device has"
        );
        let products = [Product::Q8, Product::Hpq, Product::Float];
        assert!(products.iter().all(|product| Sm80Tile::Small.fits(*product, less.info())));
    }

    #[test]
    fn rows_between_16_bytes_take_the_kernel_for_any() {
        for inputs in [1, 2, 4, 8] {
            let problem = problem(4096, 4096, 4096, inputs);
            assert_eq!(Config::choose(&problem, &old()).kernel, Kernel::Sm80(Sm80Tile::Any));
            let error = Config::with(&problem, &old(), Some(Kernel::Sm80(Sm80Tile::Large)), 1);
            assert_eq!(
                error.expect_err("it is refused").to_string(),
                "matmul_q8: kernel large does not run this on sm_80: every row of both inputs must start at a multiple of 16 \
                 bytes"
            );
        }
    }

    #[test]
    fn newer_devices_take_newer_kernels_where_they_can() {
        let new = Recorder::new(&h200());
        let choose = |m, n, k, inputs| Config::choose(&problem(m, n, k, inputs), &new);
        assert!(matches!(choose(4096, 4096, 4096, 16), Config { kernel: Kernel::Sm90(_), splits: 1 }));
        assert_eq!(choose(4096, 4096, 4096, 8).kernel, Kernel::Sm80(Sm80Tile::Any));
        assert!(matches!(choose(64, 64, 0, 16).kernel, Kernel::Sm80(_)));
        let tile = Kernel::Sm90(Sm90Tile::M16);
        let error = Config::with(&problem(64, 64, 64, 16), &old(), Some(tile), 0).expect_err("it has none");
        assert_eq!(
            error.to_string(),
            "matmul_q8: kernel sm90_16 does not run this on sm_80: there must be PTX for sm_90a"
        );
    }

    #[test]
    fn parts_beyond_the_limit_are_refused() {
        let problem = problem(64, 64, 64, 16);
        let error = Config::with(&problem, &old(), None, MAX_SPLITS + 1).expect_err("too many");
        let want = MatmulError::Splits { op: "matmul_q8", splits: MAX_SPLITS + 1, limit: MAX_SPLITS };
        assert_eq!(error, want);
        assert_eq!(Config::with(&problem, &old(), None, 7).map(|config| config.splits), Ok(7));
    }
}
