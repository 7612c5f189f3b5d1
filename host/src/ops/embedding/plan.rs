//! Features put on a device once, then looked up again and again.

use std::marker::PhantomData;

use gpu_std::launch::{ContractError, DeviceSlice, DeviceSliceMut, SliceArg, SpaceId, launch_unsafe};
use gpu_std::{bf16, f16};
use kernels_gpu::embedding::embed::{Embed, EmbedArgs};
use kernels_gpu::embedding::embed_bags::{EmbedBags, EmbedBagsArgs};
use kernels_gpu::embedding::embed_check::{EmbedCheck, EmbedCheckArgs};
use kernels_gpu::embedding::feature::{self as kind, EmbedExtent, fault_parts};

use super::call::Invalid;
use super::config::{Config, Target, is_bag, unit};
use super::feature::{Extents, Pooling, check_features};
use super::table::Place;
use super::{Dense, EmbeddingError, Feature, Lookup, OP};
use crate::backend::{Buffer as _, Device};
use crate::cpu::CpuScalar;
use crate::error::Error;
use crate::ops::{MatrixMut, OpError};

/// The features of a batch on one device, with their tables, indices and dense features where they lie: what is in them may
/// change between runs, where they are may not.
pub struct EmbedPlan<'a, T: Embeddable, D: Device> {
    features: Vec<Feature<'a>>,
    dense: Option<Dense<'a>>,
    batch: u64,
    columns: u64,
    has_bags: bool,
    bits: u32,
    /// All that a launch reads, but for the descriptions.
    reads: Vec<SliceArg>,
    space: SpaceId,
    /// By the output's alignment.
    units: Vec<(Target, Units<D>)>,
    output: PhantomData<fn() -> T>,
}

/// Descriptions on the device.
struct Units<D: Device> {
    features: D::Buffer<kind::Feature>,
    /// The feature of each unit.
    unit_features: D::Buffer<u32>,
    count: u32,
}

/// A launch that looks at indices and offsets first: what it finds is known when it is waited for.
#[must_use = "what was found is known once it is waited for"]
pub struct Check<'p, 'a, D: Device> {
    features: &'p [Feature<'a>],
    found: Option<D::Buffer<u64>>,
}

impl<'a, T: Embeddable, D: Device> EmbedPlan<'a, T, D> {
    /// Checks features and dense features for `batch` samples, and puts their descriptions on the device when they are first
    /// needed.
    ///
    /// # Errors
    /// All of [`EmbeddingError`] that extents tell, or memory of another space than the device's.
    pub fn new(
        device: &D,
        features: &[Feature<'a>],
        dense: Option<Dense<'a>>,
        batch: u64,
    ) -> Result<Self, Error> {
        let extents: Vec<Extents> = features.iter().map(Feature::extents).collect();
        let of_dense = dense.map(|dense| dense.table().place().layout);
        let columns = check_features(&extents, of_dense.map(|layout| (layout.rows(), layout.cols())), batch)
            .map_err(OpError::from)?;
        let bits = check_bits(features).map_err(OpError::from)?;
        let mut reads: Vec<SliceArg> = features.iter().flat_map(Feature::reads).collect();
        if let Some(dense) = dense {
            reads.extend(dense.table().reads());
        }
        let space = device.alloc::<u32>(0)?.as_slice().space();
        reads.iter().try_for_each(|arg| check_space(*arg, space))?;
        Ok(Self {
            features: features.to_vec(),
            dense,
            batch,
            columns,
            has_bags: features.iter().any(|feature| is_bag(feature.lookup.kind())),
            bits,
            reads,
            space,
            units: Vec::new(),
            output: PhantomData,
        })
    }

    /// Columns of the output.
    pub fn columns(&self) -> u64 {
        self.columns
    }

    /// Enqueues the features of every sample.
    ///
    /// # Errors
    /// [`EmbeddingError::Columns`], an output of another number of rows than samples, one that shares memory with what is read,
    /// or the device's error; nothing has been written then. With [`Invalid::Refuse`] it waits, and
    /// [`EmbeddingError::Index`] and [`EmbeddingError::Bag`] tell the first fault, of the first feature that has one: nothing
    /// has been written then, either.
    pub fn run(&mut self, device: &D, y: MatrixMut<'_, T>, invalid: Invalid<'_>) -> Result<(), Error> {
        match invalid {
            Invalid::Refuse => self.run_checked(device, y)?.wait(device),
            Invalid::Zero => {
                self.check_output(&y, None)?;
                self.launch(device, y, (None, None))
            }
            Invalid::Count(mut count) => {
                if count.len() != 1 {
                    return Err(OpError::from(EmbeddingError::Count { got: count.len() }).into());
                }
                self.check_output(&y, Some(&count))?;
                device.fill_bytes(count.reborrow(), 0)?;
                self.launch(device, y, (None, Some(count)))
            }
        }
    }

    /// Enqueues a look at all indices and offsets, and the features of every sample, which are written if nothing was found.
    ///
    /// # Errors
    /// As [`run`](Self::run), but for what is found: that is the error of [`Check::wait`].
    pub fn run_checked<'p>(&'p mut self, device: &D, y: MatrixMut<'_, T>) -> Result<Check<'p, 'a, D>, Error> {
        self.check_output(&y, None)?;
        if self.batch == 0 {
            return Ok(Check { features: &self.features, found: None });
        }
        let mut found = device.alloc::<u64>(1)?;
        device.fill_bytes(found.as_mut_slice(), 0xff)?;
        let at = self.units_for(device, &y)?;
        let shape = Config::check_shape(self.features.len(), self.batch, device.info().sm_count);
        let (features, batch) = (self.units[at].1.features.as_slice(), self.batch);
        let view = found.as_mut_slice();
        // SAFETY: the descriptions are of live memory with as many elements as they say, checked when the plan was made.
        unsafe {
            if self.bits == 64 {
                let args = EmbedCheckArgs { features, found: view, batch, instance: PhantomData };
                launch_unsafe::<EmbedCheck<u64>, D>(device, shape, &args)?;
            } else {
                let args = EmbedCheckArgs { features, found: view, batch, instance: PhantomData };
                launch_unsafe::<EmbedCheck<u32>, D>(device, shape, &args)?;
            }
        }
        self.launch(device, y, (Some(found.as_slice()), None))?;
        Ok(Check { features: &self.features, found: Some(found) })
    }

    /// Launches for an output that has been checked.
    fn launch(
        &mut self,
        device: &D,
        y: MatrixMut<'_, T>,
        (found, invalid): (Option<DeviceSlice<'_, u64>>, Option<DeviceSliceMut<'_, u64>>),
    ) -> Result<(), Error> {
        if self.batch == 0 {
            return Ok(());
        }
        let at = self.units_for(device, &y)?;
        let units = &self.units[at].1;
        let config = Config::choose(units.count, y.layout(), self.has_bags, device.info().sm_count);
        let y = y.into_data();
        let space = y.space();
        let args = Args {
            features: units.features.as_slice(),
            unit_features: units.unit_features.as_slice(),
            found: found.unwrap_or_else(|| DeviceSlice::empty(space)),
            y,
            invalid: invalid.unwrap_or_else(|| DeviceSliceMut::empty(space)),
            extent: config.extent,
        };
        // SAFETY: the descriptions are of live memory with as many elements as they say, and of units that fit both sides; nothing
        // that is read shares memory with the output.
        unsafe { T::launch(device, config, (self.bits, self.has_bags), args) }
    }

    /// Refuses an output of another shape, or memory that a launch may not write.
    fn check_output(
        &self,
        y: &MatrixMut<'_, T>,
        count: Option<&DeviceSliceMut<'_, u64>>,
    ) -> Result<(), Error> {
        let (rows, cols) = (y.layout().rows(), y.layout().cols());
        if rows != self.batch {
            return Err(OpError::from(EmbeddingError::Rows { got: rows, batch: self.batch }).into());
        }
        if cols != self.columns {
            return Err(OpError::from(EmbeddingError::Columns { got: cols, want: self.columns }).into());
        }
        let (y, count) = (y.arg("y"), count.map(|count| SliceArg::write("invalid", count)));
        if let Some(count) = count {
            SliceArg::check_disjoint(OP, &[y, count])?;
        }
        for target in [Some(y), count].into_iter().flatten() {
            check_space(target, self.space)?;
            self.reads.iter().try_for_each(|read| SliceArg::check_disjoint(OP, &[*read, target]))?;
        }
        Ok(())
    }

    /// The descriptions for an output like `y`: their place in the list.
    fn units_for(&mut self, device: &D, y: &MatrixMut<'_, T>) -> Result<usize, Error> {
        let elem_bytes = size_of::<T>() as u64;
        let target = Target { elem_bytes, alignment: y.layout().alignment(y.addr(), elem_bytes).into() };
        if let Some(at) = self.units.iter().position(|(known, _)| *known == target) {
            return Ok(at);
        }
        let mut features = Vec::with_capacity(self.features.len() + 1);
        let mut unit_features = Vec::new();
        let mut col = 0;
        for feature in self.features.iter().map(Feature::description).chain(self.dense.map(described)) {
            let (mut feature, place) = feature;
            feature.col = col;
            feature.unit = unit(&place, col, target);
            feature.first_unit = unit_features.len() as u32;
            let count = place.width / u64::from(feature.unit);
            unit_features.resize(unit_features.len() + count as usize, features.len() as u32);
            col += place.width;
            features.push(feature);
        }
        let count = unit_features.len() as u32;
        let units = Units {
            features: device.upload(&features)?,
            unit_features: device.upload(&unit_features)?,
            count,
        };
        self.units.push((target, units));
        Ok(self.units.len() - 1)
    }
}

impl<D: Device> Check<'_, '_, D> {
    /// Waits for the launch.
    ///
    /// # Errors
    /// [`EmbeddingError::Index`] or [`EmbeddingError::Bag`]: the first fault, of the first feature that has one. Nothing has been
    /// written then. Else the device's error.
    pub fn wait(self, device: &D) -> Result<(), Error> {
        let Some(found) = self.found else { return Ok(()) };
        match device.download(found.as_slice())?[..] {
            [kind::NOTHING] | [] => Ok(()),
            [fault, ..] => Err(OpError::from(explain(device, self.features, fault)?).into()),
        }
    }
}

/// What was found, in words.
fn explain<D: Device>(device: &D, features: &[Feature<'_>], fault: u64) -> Result<EmbeddingError, Error> {
    let (number, is_bag, position) = fault_parts(fault);
    let feature = number as usize;
    let Feature { table, lookup, .. } = features[feature];
    if let (true, Lookup::Bags { indices, offsets, .. }) = (is_bag, lookup) {
        let ends = offsets.values(device, position, 2)?;
        let len = indices.len();
        return Ok(EmbeddingError::Bag { feature, row: position, start: ends[0], end: ends[1], len });
    }
    let index = lookup.indices().values(device, position, 1)?[0];
    Ok(EmbeddingError::Index { feature, position, index, rows: table.place().layout.rows() })
}

/// Dense features as the kernels see them.
fn described(dense: Dense<'_>) -> (kind::Feature, Place) {
    let place = dense.table().place();
    let feature = kind::Feature { pooling: kind::DENSE, ..table_of(&place) };
    (feature, place)
}

/// A feature of a table without indices, columns and units.
fn table_of(place: &Place) -> kind::Feature {
    kind::Feature {
        rows_at: place.addr,
        row_bytes: place.layout.stride().wrapping_mul(place.elem_bytes),
        steps_at: place.steps.0,
        steps_bytes: place.steps.1,
        rows: place.layout.rows(),
        indices_at: 0,
        offsets_at: 0,
        weights_at: 0,
        len: 0,
        padding: kind::NO_PADDING,
        col: 0,
        first_unit: 0,
        unit: 1,
        table: place.kind,
        pooling: kind::ONE,
    }
}

impl Feature<'_> {
    /// Its extents.
    fn extents(&self) -> Extents {
        let place = self.table.place();
        let (offsets, weights) = match self.lookup {
            Lookup::One(_) => (None, None),
            Lookup::Bags { offsets, pooling: Pooling::Weighted(weights), .. } => {
                (Some(offsets.len()), Some(weights.len()))
            }
            Lookup::Bags { offsets, .. } => (Some(offsets.len()), None),
        };
        let indices = self.lookup.indices().len();
        Extents { rows: place.layout.rows(), width: place.width, indices, offsets, weights }
    }

    /// What a launch reads of it.
    fn reads(&self) -> Vec<SliceArg> {
        let mut reads: Vec<SliceArg> = self.table.reads().collect();
        reads.push(self.lookup.indices().read("indices"));
        if let Lookup::Bags { offsets, pooling, .. } = &self.lookup {
            reads.push(offsets.read("offsets"));
            if let Pooling::Weighted(weights) = pooling {
                reads.push(SliceArg::read("weights", weights));
            }
        }
        reads
    }

    /// As the kernels see it, but for columns and units; and where its table lies.
    fn description(&self) -> (kind::Feature, Place) {
        let place = self.table.place();
        let indices = self.lookup.indices();
        let (mut offsets_at, mut weights_at, mut end) = (0, 0, u64::MAX);
        if let Lookup::Bags { offsets, pooling, .. } = &self.lookup {
            (offsets_at, end) = (offsets.addr(), offsets.end());
            if let Pooling::Weighted(weights) = pooling {
                weights_at = weights.addr();
            }
        }
        let table = table_of(&place);
        let feature = kind::Feature {
            // What is negative is beyond these, read as unsigned.
            rows: table.rows.min(indices.end()),
            len: indices.len().min(end - 1),
            indices_at: indices.addr(),
            offsets_at,
            weights_at,
            padding: self.padding_idx.filter(|index| *index < indices.end()).unwrap_or(kind::NO_PADDING),
            pooling: self.lookup.kind(),
            ..table
        };
        (feature, place)
    }
}

/// Refuses numbers of 32 bits beside others of 64; gives how many they have.
fn check_bits(features: &[Feature<'_>]) -> Result<u32, EmbeddingError> {
    let Some(first) = features.first() else { return Ok(64) };
    let want = first.lookup.indices().bits();
    for (feature, Feature { lookup, .. }) in features.iter().enumerate() {
        let check = |what, got| match got == want {
            true => Ok(()),
            false => Err(EmbeddingError::IndexBits { feature, what, got, want }),
        };
        check("indices", lookup.indices().bits())?;
        if let Lookup::Bags { offsets, .. } = lookup {
            check("offsets", offsets.bits())?;
        }
    }
    Ok(want)
}

fn check_space(arg: SliceArg, space: SpaceId) -> Result<(), ContractError> {
    if arg.space == space {
        return Ok(());
    }
    let (got, want) = (arg.space.get(), space.get());
    Err(ContractError::WrongSpace { entry: OP, param: arg.name, got, want })
}

/// Arguments of both kernels.
pub struct Args<'k, T> {
    features: DeviceSlice<'k, kind::Feature>,
    unit_features: DeviceSlice<'k, u32>,
    found: DeviceSlice<'k, u64>,
    y: DeviceSliceMut<'k, T>,
    invalid: DeviceSliceMut<'k, u64>,
    extent: EmbedExtent,
}

/// An element type of an output.
#[allow(private_interfaces, reason = "the launch is for this family alone")]
pub trait Embeddable: CpuScalar {
    /// Launches the instance for indices of so many bits, with bags or without.
    ///
    /// # Errors
    /// The launch's; nothing has been written then.
    ///
    /// # Safety
    /// What the kernels ask.
    #[doc(hidden)]
    unsafe fn launch<D: Device>(
        device: &D,
        config: Config,
        instance: (u32, bool),
        args: Args<'_, Self>,
    ) -> Result<(), Error>;
}

macro_rules! embeddable {
    ($($ty:ty)*) => {$(
        #[allow(private_interfaces, reason = "as in the trait")]
        impl Embeddable for $ty {
            unsafe fn launch<D: Device>(
                device: &D,
                config: Config,
                instance: (u32, bool),
                args: Args<'_, Self>,
            ) -> Result<(), Error> {
                let Args { features, unit_features, found, y, invalid, extent } = args;
                macro_rules! launch {
                    ($kernel:ty, $args:ident) => {{
                        let args = $args { features, unit_features, found, y, invalid, extent, instance: PhantomData };
                        // SAFETY: promised by the caller.
                        unsafe { launch_unsafe::<$kernel, D>(device, config.shape(), &args) }
                    }};
                }
                match instance {
                    (32, false) => launch!(Embed<u32, $ty>, EmbedArgs),
                    (32, true) => launch!(EmbedBags<u32, $ty>, EmbedBagsArgs),
                    (_, false) => launch!(Embed<u64, $ty>, EmbedArgs),
                    (_, true) => launch!(EmbedBags<u64, $ty>, EmbedBagsArgs),
                }
            }
        }
    )*};
}
embeddable! { f32 f16 bf16 }
