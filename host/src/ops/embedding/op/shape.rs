//! What a case asks for, from its numbers.

use crate::ops::{Case, Layout, OpError, Placement, mix};

/// The seed of every named case.
pub const SEED: u64 = 20_261_201;

/// A case's numbers; see [`EmbedOp`](super::EmbedOp).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub batch: u64,
    pub features: u64,
    pub width: u64,
    pub dense: u64,
    pub rows: u64,
    pub table: u64,
    pub bits: u64,
    pub pool: u64,
    pub bag: u64,
    pub ragged: bool,
    pub padding: bool,
    pub bad: u64,
    pub policy: u64,
    pub widths: bool,
    pub shared: bool,
    pub dense_type: u64,
    /// Whether bags hold large rows that take each other away, which leaves how the others were rounded.
    pub cancel: bool,
    /// Elements between the rows of tables, of dense features and of the output.
    pub gaps: [u64; 3],
    /// Elements in front of each of these.
    pub offsets: [u64; 3],
}

impl Shape {
    /// One index each into tables of 50 rows of f32.
    pub const fn new(batch: u64, features: u64, width: u64, dense: u64) -> Self {
        Self {
            batch,
            features,
            width,
            dense,
            rows: 50,
            table: 0,
            bits: 0,
            pool: 0,
            bag: 5,
            ragged: true,
            padding: false,
            bad: 0,
            policy: 0,
            widths: false,
            shared: false,
            dense_type: 0,
            cancel: false,
            gaps: [0; 3],
            offsets: [0; 3],
        }
    }

    /// The numbers of a case.
    ///
    /// # Errors
    /// [`OpError::CaseShape`].
    pub fn of(case: &Case) -> Result<Self, OpError> {
        let error = |what, got, want| OpError::CaseShape {
            op: super::super::OP,
            case: case.name.clone(),
            what,
            got,
            want,
        };
        let &[batch, features, width, dense] = case.dims.as_slice() else {
            return Err(error("extents", case.dims.len(), 4));
        };
        let operands = case.operands.as_slice();
        let [tables, rows, y] = operands else { return Err(error("operands", operands.len(), 3)) };
        Ok(Self {
            rows: case.option("rows"),
            table: case.option("table"),
            bits: case.option("bits"),
            pool: case.option("pool"),
            bag: case.option("bag"),
            ragged: case.option("ragged") == 1,
            padding: case.option("padding") == 1,
            bad: case.option("bad"),
            policy: case.option("policy"),
            widths: case.option("widths") == 1,
            shared: case.option("shared") == 1,
            dense_type: case.option("dense_type"),
            cancel: case.option("cancel") == 1,
            gaps: [tables, rows, y].map(|place| place.stride.unwrap_or(0)),
            offsets: [tables, rows, y].map(|place| place.offset),
            ..Self::new(batch, features, width, dense)
        })
    }

    /// As a case.
    pub fn case(self) -> Case {
        let Self { batch, features, width, dense, .. } = self;
        let plain = Self::new(batch, features, width, dense);
        let mut name = format!("b_{batch}_f_{features}_e_{width}_d_{dense}");
        let options = [
            ("rows", self.rows, plain.rows),
            ("table", self.table, 0),
            ("bits", self.bits, 0),
            ("pool", self.pool, 0),
            ("bag", self.bag, plain.bag),
            ("ragged", self.ragged.into(), plain.ragged.into()),
            ("padding", self.padding.into(), 0),
            ("bad", self.bad, 0),
            ("policy", self.policy, 0),
            ("widths", self.widths.into(), 0),
            ("shared", self.shared.into(), 0),
            ("dense_type", self.dense_type, 0),
            ("cancel", self.cancel.into(), 0),
        ];
        for (option, value, usual) in options {
            if value != usual {
                name.push_str(&format!("_{option}_{value}"));
            }
        }
        for (what, values) in [("gaps", self.gaps), ("offsets", self.offsets)] {
            if values != [0; 3] {
                name.push_str(&format!("_{what}_{}_{}_{}", values[0], values[1], values[2]));
            }
        }
        let place = |at: usize| {
            let gap = self.gaps[at];
            Placement { stride: (gap > 0).then_some(gap), offset: self.offsets[at] }
        };
        Case {
            name,
            dims: vec![batch, features, width, dense],
            operands: (0..3).map(place).collect(),
            values: crate::ops::Values::Uniform,
            seed: SEED,
            options: options.map(|(option, value, _)| (option, value)).to_vec(),
        }
    }

    /// Which of `all` a feature has, where each has its own.
    fn own(&self, feature: u64, what: u64, all: u64) -> u64 {
        mix(self.features << 32 ^ feature << 8 ^ what) % all
    }

    /// The number of the table of a feature.
    pub fn table_of(&self, feature: u64) -> u64 {
        if self.shared { feature / 2 } else { feature }
    }

    /// Element type of a table.
    pub fn kind(&self, table: u64) -> u64 {
        if self.table == 5 { (table + self.own(table, 1, 2)) % 5 } else { self.table }
    }

    /// Elements of a row of a table.
    pub fn width_of(&self, table: u64) -> u64 {
        if !self.widths {
            return self.width;
        }
        [self.width, 1 + self.own(table, 2, self.width), 16, 7, 4 * (1 + self.own(table, 3, 8))]
            [self.own(table, 4, 5) as usize]
    }

    /// Pooling of a feature.
    pub fn pool_of(&self, feature: u64) -> u64 {
        if self.pool == 4 { (feature + self.own(feature, 5, 2)) % 4 } else { self.pool }
    }

    /// Indices of a bag.
    pub fn bag_of(&self, feature: u64, sample: u64) -> u64 {
        match (self.pool_of(feature), self.ragged) {
            (0, _) => 1,
            (_, false) => self.bag,
            // Some are empty.
            (_, true) => mix(SEED ^ feature << 40 ^ sample) % (2 * self.bag + 1),
        }
    }

    /// All indices of a feature.
    pub fn indices_of(&self, feature: u64) -> u64 {
        match (self.pool_of(feature), self.ragged) {
            (0, _) => self.batch,
            (_, false) => self.bag * self.batch,
            (_, true) => (0..self.batch).map(|sample| self.bag_of(feature, sample)).sum(),
        }
    }

    /// Columns of the output.
    pub fn columns(&self) -> u64 {
        let widths: u64 = (0..self.features).map(|feature| self.width_of(self.table_of(feature))).sum();
        widths + self.dense
    }

    /// The output, and elements in front of it.
    pub fn output(&self) -> Result<(Layout, u64), OpError> {
        let cols = self.columns();
        Ok((Layout::new(self.batch, cols, cols + self.gaps[2])?, self.offsets[2]))
    }

    /// Bytes that must be moved: a row for each index, the index, weight and offsets, dense features, the output.
    pub fn bytes(&self, out_bytes: u64) -> u64 {
        let index = if self.bits == 0 { 8 } else { 4 };
        let of = |feature: u64| {
            let table = self.table_of(feature);
            let (cell, steps) = [(4, 0), (2, 0), (2, 0), (1, 8), (1, 8)][self.kind(table) as usize];
            let pool = self.pool_of(feature);
            let weight = if pool == 3 { 4 } else { 0 };
            let offsets = if pool == 0 { 0 } else { (self.batch + 1) * index };
            self.indices_of(feature) * (self.width_of(table) * cell + steps + index + weight) + offsets
        };
        let dense = self.dense * if self.dense_type == 0 { 4 } else { 2 };
        (0..self.features).map(of).sum::<u64>() + self.batch * (dense + self.columns() * out_bytes)
    }

    /// Additions of elements.
    pub fn additions(&self) -> u64 {
        let of = |feature| match self.pool_of(feature) {
            0 => 0,
            _ => self.indices_of(feature) * self.width_of(self.table_of(feature)),
        };
        (0..self.features).map(of).sum()
    }
}
