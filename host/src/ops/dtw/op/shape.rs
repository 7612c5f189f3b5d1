//! One shape of a profile, from which its case and the case's name are made.

use crate::ops::dtw::{Kernel, Normalization, Problem, ProfileOptions};
use crate::ops::{Case, Placement, Values};

/// The seed of every named case.
pub const SEED: u64 = 20_261_130;

/// A radius that no query is long enough for.
pub const FULL: u64 = i32::MAX as u64;

/// The shape of a profile; [`Shape::new`] is the simplest of a length.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub m: u64,
    pub points: u64,
    pub rows: u64,
    pub queries: u64,
    pub radius: u64,
    pub z_norm: bool,
    /// Points of a mean; 1 for none.
    pub smoothing: u64,
    /// Points of the aggregates; 0 for none.
    pub rolling: u64,
    /// From 1; 0 for the fastest.
    pub kernel: usize,
    pub values: Values,
    /// Whether query 0 is the piece in the middle of the first series, with windows around it that begin sooner and later: their
    /// paths follow every diagonal up to the band's edges.
    pub planted: bool,
    /// Elements between a row of the series and the next.
    pub gap: u64,
    /// Elements in front of operand 0; each that follows has one more.
    pub offset: Option<u64>,
}

impl Shape {
    /// `windows` normalised windows of one series, one query of `m` points, no band.
    pub const fn new(m: u64, windows: u64) -> Self {
        Self {
            m,
            points: windows + m - 1,
            rows: 1,
            queries: 1,
            radius: FULL,
            z_norm: true,
            smoothing: 1,
            rolling: 0,
            kernel: 0,
            values: Values::Uniform,
            planted: false,
            gap: 0,
            offset: None,
        }
    }

    fn problem(&self) -> Option<Problem> {
        let normalization = if self.z_norm { Normalization::ZScore } else { Normalization::None };
        let (radius, smoothing) = (self.radius as u32, self.smoothing as usize);
        let options = ProfileOptions { radius, normalization, smoothing };
        Problem::new(self.rows, self.points, self.queries as usize, self.m as usize, options).ok()
    }

    /// Every kernel that computes the shape.
    pub fn kernels(&self) -> Vec<Kernel> {
        self.problem().map(|problem| Kernel::candidates(&problem)).unwrap_or_default()
    }

    /// The shape on one kernel, where that computes it.
    pub fn on(self, kernel: Kernel) -> Option<Self> {
        let at = self.kernels().iter().position(|known| *known == kernel)?;
        Some(Self { kernel: at + 1, ..self })
    }

    /// The case, named by what is not as in [`Shape::new`].
    pub fn case(self) -> Case {
        let Self { m, points, rows, queries, radius, z_norm, smoothing, rolling, .. } = self;
        let Self { kernel, values, planted, gap, offset, .. } = self;
        let mut name = format!("m_{m}_n_{points}");
        let mut add = |differs: bool, text: String| {
            if differs {
                name.push_str(&format!("_{text}"));
            }
        };
        add(rows != 1, format!("rows_{rows}"));
        add(queries != 1, format!("queries_{queries}"));
        add(radius != FULL, format!("r_{radius}"));
        add(!z_norm, "raw".to_owned());
        add(smoothing != 1, format!("smoothing_{smoothing}"));
        add(rolling != 0, format!("rolling_{rolling}"));
        add(values != Values::Uniform, format!("{values:?}").to_lowercase());
        add(gap != 0, format!("stride_{}", points + gap));
        add(offset.is_some(), format!("unaligned_{}", offset.unwrap_or(0)));
        if let Some(kernel) = kernel.checked_sub(1).and_then(|at| self.kernels().get(at).copied()) {
            add(true, kernel_name(kernel));
        }
        let stride = |operand| (operand == 0 && gap != 0).then_some(points + gap);
        let place = |operand| Placement {
            stride: stride(operand),
            offset: offset.map_or(0, |offset| offset + operand),
        };
        Case {
            name,
            dims: vec![rows, points, queries, m],
            operands: (0..7).map(place).collect(),
            values,
            seed: SEED,
            options: vec![
                ("radius", radius),
                ("z_norm", z_norm.into()),
                ("smoothing", smoothing - 1),
                ("rolling", rolling),
                ("kernel", kernel as u64),
                ("planted", planted.into()),
            ],
        }
    }
}

fn kernel_name(kernel: Kernel) -> String {
    match kernel {
        Kernel::Small => "small".to_owned(),
        Kernel::Lanes { lanes, columns, rows } => format!("lanes_{lanes}_c{columns}r{rows}"),
        Kernel::Strips { strips, columns } => format!("strips_{strips}_c{columns}"),
        Kernel::Band { radius } => format!("band_{radius}"),
        Kernel::BandLanes { lanes, columns } => format!("band_lanes_{lanes}_c{columns}"),
        Kernel::BandWarps { lanes, columns } => format!("band_warps_{lanes}_c{columns}"),
        Kernel::BandWide { lanes, columns } => format!("band_wide_{lanes}_c{columns}"),
    }
}
