//! The kernels of sm_90a: which tile, how large a grid, which tensor maps.

use gpu_std::launch::{
    ContractError, DeviceSlice, DeviceSliceMut, LaunchShape, TensorElement, TensorMapDesc, TensorMapDescMut,
    TensorSwizzle, TensorTiles,
};
use kernels_gpu::matmul::sm90_plan::{CLUSTER, K_BYTES, Plan};
use kernels_gpu::matmul::sm90_staged::{BOX_ROW, BOX_ROWS};

use super::{Problem, Product};
use crate::backend::DeviceInfo;
use crate::ops::DType;

/// The tile of an `sm_90a` kernel, by rows and columns of c.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sm90Tile {
    /// 128 × 256.
    M128N256,
    /// 128 × 128.
    M128N128,
    /// 128 × 64.
    M128N64,
    /// Up to 16 × 64, a and b exchanged: for few rows. So are those that follow.
    M16,
    /// Up to 32 × 64.
    M32,
    /// Up to 64 × 64.
    M64,
    /// Up to 128 × 64.
    M128,
    /// Up to 160 × 64.
    M160,
    /// Up to 192 × 64.
    M192,
    /// Up to 224 × 64.
    M224,
    /// Up to 256 × 64.
    M256,
    /// Up to 128 × 128, b's rows by two warpgroups.
    M128Wide,
    /// Up to 160 × 128, likewise.
    M160Wide,
}

impl Sm90Tile {
    /// All of them; of two that cost the same the first is taken.
    pub const ALL: [Self; 13] = [
        Self::M128N256,
        Self::M128Wide,
        Self::M128N128,
        Self::M128N64,
        Self::M16,
        Self::M32,
        Self::M64,
        Self::M128,
        Self::M160,
        Self::M192,
        Self::M224,
        Self::M256,
        Self::M160Wide,
    ];

    /// The name in cases and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::M128N256 => "sm90_128x256",
            Self::M128N128 => "sm90_128x128",
            Self::M128N64 => "sm90_128x64",
            Self::M16 => "sm90_16",
            Self::M32 => "sm90_32",
            Self::M64 => "sm90_64",
            Self::M128 => "sm90_128",
            Self::M160 => "sm90_160",
            Self::M192 => "sm90_192",
            Self::M224 => "sm90_224",
            Self::M256 => "sm90_256",
            Self::M128Wide => "sm90_128_wide",
            Self::M160Wide => "sm90_160_wide",
        }
    }

    /// Warpgroups that multiply, columns of the kernel's tile, and whether these are rows of a.
    const fn shape(self) -> (usize, usize, bool) {
        match self {
            Self::M128N256 => (2, 256, false),
            Self::M128N128 => (2, 128, false),
            Self::M128N64 => (2, 64, false),
            Self::M16 => (1, 16, true),
            Self::M32 => (1, 32, true),
            Self::M64 => (1, 64, true),
            Self::M128 => (1, 128, true),
            Self::M160 => (1, 160, true),
            Self::M192 => (1, 192, true),
            Self::M224 => (1, 224, true),
            Self::M256 => (1, 256, true),
            Self::M128Wide => (2, 128, true),
            Self::M160Wide => (2, 160, true),
        }
    }

    /// Whether rows of tiles are rows of b.
    pub const fn is_turned(self) -> bool {
        self.shape().2
    }

    /// Rows and columns of c in a cluster's tile.
    pub const fn extent(self) -> (u32, u32) {
        let (consumers, columns, turned) = self.shape();
        let (rows, columns) = (CLUSTER * 64 * consumers as u32, columns as u32);
        if turned { (columns, rows) } else { (rows, columns) }
    }

    /// Whether there is an instance of it for a product and an output.
    pub const fn is_instance(self, product: Product, output: DType) -> bool {
        let half = matches!(output, DType::F16 | DType::Bf16);
        match product {
            Product::Q8 => {
                half || matches!(
                    self,
                    Self::M128N256 | Self::M128N128 | Self::M128N64 | Self::M16 | Self::M64 | Self::M128
                )
            }
            Product::Hpq => matches!(self, Self::M128N128 | Self::M128N64) && !matches!(output, DType::I64),
            Product::Float => {
                matches!(self, Self::M128N256 | Self::M128N128 | Self::M128N64 | Self::M64)
            }
        }
    }

    /// The plan of its kernel.
    const fn plan(self, product: Product) -> Plan {
        let (consumers, columns, _) = self.shape();
        Plan::new(consumers, columns, if matches!(product, Product::Hpq) { 2 } else { 1 })
    }
}

/// Bytes of a row of a and of b.
fn row_bytes(problem: &Problem) -> u64 {
    u64::from(problem.k) * if problem.product == Product::Float { 2 } else { 1 }
}

/// What keeps all tiles from a problem; that the device has the kernels is asked elsewhere.
pub fn refusal(problem: &Problem) -> Option<&'static str> {
    let Problem { m, n, k, strides: [stride_a, stride_b, _], alignment, .. } = *problem;
    let limit = i32::MAX as u64;
    // Coordinates of copies are 32-bit and signed, and tiles reach past the end.
    let is_large =
        [u64::from(m), u64::from(n), row_bytes(problem)].iter().any(|extent| *extent > limit - 512);
    let overlap = |rows: u32, stride: u64| rows > 1 && stride < u64::from(k);
    if alignment.inputs < 16 || alignment.output < 16 {
        Some("every row of the inputs and of the output must start at a multiple of 16 bytes")
    } else if !(u64::from(n) * problem.output.size_bytes()).is_multiple_of(16) {
        // Copies to a tensor write whole pieces of 16 bytes.
        Some("rows of the output must be multiples of 16 bytes")
    } else if m == 0 || n == 0 || k == 0 {
        Some("m, n and k must not be 0")
    } else if is_large {
        Some("m, n and the bytes of a row must stay below 2^31 - 512")
    } else if overlap(m, stride_a) || overlap(n, stride_b) {
        Some("rows must not overlap")
    } else {
        None
    }
}

/// How a problem is divided by a tile: a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    plan: Plan,
    /// Whether rows of tiles are rows of b.
    turned: bool,
    /// Columns of a tile that are used.
    pub width: u32,
    /// Tiles of clusters.
    tiles: u64,
}

impl Division {
    /// The problem in such tiles.
    pub fn new(problem: &Problem, tile: Sm90Tile) -> Self {
        let (plan, turned) = (tile.plan(problem.product), tile.shape().2);
        let (rows, columns) = if turned { (problem.n, problem.m) } else { (problem.m, problem.n) };
        let width = if turned { plan.width(columns) } else { plan.columns };
        let tiles = u64::from(rows.div_ceil(CLUSTER * plan.rows())) * u64::from(columns.div_ceil(width));
        Self { plan, turned, width, tiles }
    }

    /// About how many cycles it takes a device of so many multiprocessors, beyond what every division costs.
    ///
    /// A line of 128 bytes of k costs what the tensor cores need, or shared memory: it is written once and each warpgroup reads its
    /// rows and all columns, 128 bytes a cycle. Rows that lie outside cost about 4 cycles each.
    fn cycles(&self, problem: &Problem, sm_count: u32) -> u64 {
        let Plan { consumers, columns, planes, .. } = self.plan;
        let tensor = 2 * planes * consumers * columns;
        let shared = self.plan.rows() + planes * columns + consumers * planes * (64 + columns);
        let (rows, all) = if self.turned { (problem.n, problem.m) } else { (problem.m, problem.n) };
        let past = |extent: u32, tile: u32| extent.div_ceil(tile) * tile - extent;
        let outside = past(rows, CLUSTER * self.plan.rows()) / CLUSTER + planes * past(all, self.width);
        let line = u64::from(tensor.max(shared) + 4 * outside);
        let lines = row_bytes(problem).div_ceil(K_BYTES.into());
        let waves = self.tiles.div_ceil(u64::from(sm_count / CLUSTER).max(1));
        waves * (lines * line + 12 * u64::from(columns * planes))
    }

    /// Grid and shared memory.
    ///
    /// # Errors
    /// None: there are no more blocks than multiprocessors.
    pub fn shape(&self, info: &DeviceInfo) -> Result<LaunchShape, ContractError> {
        let most = u64::from((info.sm_count / CLUSTER).max(1));
        let clusters = self.tiles.min(most);
        Ok(LaunchShape::cover(clusters * u64::from(CLUSTER), 1)?.with_shared_bytes(self.plan.shared_bytes()))
    }

    /// Rows of the boxes of a and of b.
    fn box_rows(&self) -> [u32; 2] {
        let (rows, columns) = (self.plan.rows(), self.width / CLUSTER);
        if self.turned { [columns, rows] } else { [rows, columns] }
    }

    /// The map of a, which is operand 0, or of b or a plane of it, operand 1.
    ///
    /// # Errors
    /// None for a problem that is not refused.
    pub fn input<'a, T: TensorElement>(
        &self,
        problem: &Problem,
        operand: usize,
        view: DeviceSlice<'a, T>,
    ) -> Result<TensorMapDesc<'a>, ContractError> {
        let rows = [problem.m, problem.n][operand];
        let bytes = row_bytes(problem);
        let stride = match problem.strides[operand] {
            0 => bytes.next_multiple_of(16),
            elements => elements * size_of::<T>() as u64,
        };
        let tiles = TensorTiles::new(&[bytes, rows.into()], &[K_BYTES, self.box_rows()[operand]])?
            .with_strides(&[stride])?
            .with_swizzle(TensorSwizzle::B128);
        let (addr, len, space) = (view.addr(), view.len() * size_of::<T>() as u64, view.space());
        // SAFETY: the same bytes, borrowed as long.
        TensorMapDesc::new(unsafe { DeviceSlice::<u8>::from_raw(addr, len, space) }, tiles)
    }

    /// The map of c.
    ///
    /// # Errors
    /// As [`input`](Self::input).
    pub fn output<'a, T: TensorElement>(
        &self,
        problem: &Problem,
        view: DeviceSliceMut<'a, T>,
    ) -> Result<TensorMapDescMut<'a>, ContractError> {
        let size = size_of::<T>() as u64;
        let stride = match problem.strides[2] {
            0 => (u64::from(problem.n) * size).next_multiple_of(16),
            elements => elements * size,
        };
        let (columns, swizzle) = if self.turned {
            (BOX_ROWS, TensorSwizzle::None)
        } else {
            (BOX_ROW / size_of::<T>() as u32, TensorSwizzle::B64)
        };
        let tiles = TensorTiles::new(&[problem.n.into(), problem.m.into()], &[columns, BOX_ROWS])?
            .with_strides(&[stride])?
            .with_swizzle(swizzle);
        TensorMapDescMut::new(view, tiles)
    }
}

/// The tile that takes the least time.
pub fn choose(problem: &Problem, info: &DeviceInfo) -> Option<Sm90Tile> {
    let there = Sm90Tile::ALL.into_iter().filter(|tile| tile.is_instance(problem.product, problem.output));
    there.min_by_key(|tile| Division::new(problem, *tile).cycles(problem, info.sm_count))
}

#[cfg(test)]
mod tests {
    use super::super::{Alignment, Lengths};
    use super::*;
    use crate::ops::Layout;
    use crate::ops::recorder::h200;

    fn problem(m: u64, n: u64, k: u64) -> Problem {
        let layout = |rows, cols| Layout::new(rows, cols, cols).expect("it is counted");
        let layouts = [layout(m, k), layout(n, k), layout(m, n)];
        Problem::new(Product::Q8, layouts, DType::F16, &Lengths::default(), Alignment::FULL)
            .expect("it is right")
    }

    fn chosen(m: u64, n: u64, k: u64) -> Option<Sm90Tile> {
        choose(&problem(m, n, k), &h200())
    }

    #[test]
    fn tiles_are_those_that_were_fastest_where_they_were_timed() {
        for size in [2048, 4096, 8192] {
            assert_eq!(chosen(size, size, size), Some(Sm90Tile::M128N256));
        }
        assert_eq!(chosen(1024, 1024, 1024), Some(Sm90Tile::M128N64));
        for (m, want) in [
            (1, Sm90Tile::M16),
            (16, Sm90Tile::M16),
            (17, Sm90Tile::M32),
            (33, Sm90Tile::M64),
            (64, Sm90Tile::M64),
            (65, Sm90Tile::M128),
            (128, Sm90Tile::M128),
            (129, Sm90Tile::M160),
            (161, Sm90Tile::M192),
            (193, Sm90Tile::M224),
            (225, Sm90Tile::M128N128),
            (256, Sm90Tile::M128Wide),
            (300, Sm90Tile::M160Wide),
        ] {
            assert_eq!(chosen(m, 8192, 8192), Some(want), "{m}");
        }
        assert_eq!(chosen(1, 8192, 21760), Some(Sm90Tile::M16));
    }

    #[test]
    fn what_tensor_copies_cannot_do_is_refused() {
        assert_eq!(refusal(&problem(4, 16, 16)), None);
        for (m, n, k) in [(0, 16, 16), (4, 0, 16), (4, 16, 0)] {
            assert!(refusal(&problem(m, n, k)).is_some_and(|why| why.ends_with("must not be 0")));
        }
        let odd = Problem { alignment: Alignment { inputs: 8, output: 16 }, ..problem(4, 16, 16) };
        assert!(refusal(&odd).is_some_and(|why| why.contains("multiple of 16 bytes")));
        assert!(refusal(&problem(4, 17, 16)).is_some_and(|why| why.contains("rows of the output")));
        let repeated = Problem { strides: [0, 16, 16], ..problem(4, 16, 16) };
        assert!(refusal(&repeated).is_some_and(|why| why.contains("overlap")));
        let long = Problem { m: i32::MAX as u32, ..problem(4, 16, 16) };
        assert!(refusal(&long).is_some_and(|why| why.contains("2^31")));
    }
}
