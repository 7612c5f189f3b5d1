//! The tensor map that a program may have as its third parameter, over its input or its output.
//!
//! In a launch line: `map=input:f32:64,10:32,4` is place, type, dimensions and box, innermost first; `strides=256` (bytes, one
//! less than dimensions), `every=1,2` (element strides), `swizzle=128` and `fill=nan` change it.

use gpu_std::DeviceRepr;
use gpu_std::launch::{
    ContractError, DeviceSlice, SpaceId, TensorFill, TensorMapDesc, TensorSwizzle, TensorTiles, TensorType,
};
use ptx_sim::TensorSpec;

/// What the map is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    Input,
    Output,
}

/// A map without its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    pub over: Over,
    ty: Type,
    spec: TensorSpec,
}

/// A type by the names of golden files, of the host and of the simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Type {
    name: &'static str,
    host: TensorType,
    sim: ptx_sim::TensorElement,
}

macro_rules! types {
    ($($name:literal $host:ident $sim:ident;)*) => {
        const TYPES: &[Type] = &[$(
            Type { name: $name, host: TensorType::$host, sim: ptx_sim::TensorElement::$sim },
        )*];
    };
}

types! {
    "u8" U8 U8; "u16" U16 U16; "u32" U32 U32; "s32" I32 S32; "u64" U64 U64; "s64" I64 S64; "f16" F16 F16; "f32" F32 F32;
    "f64" F64 F64; "bf16" Bf16 Bf16; "f32_ftz" F32Ftz F32Ftz; "tf32" Tf32 Tf32; "tf32_ftz" Tf32Ftz Tf32Ftz;
}

fn list<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
    text.split(',').map(|number| number.parse().ok()).collect()
}

impl Map {
    /// Of `input:f32:64,10:32,4`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let over = match parts.next()? {
            "input" => Over::Input,
            "output" => Over::Output,
            _ => return None,
        };
        let name = parts.next()?;
        let ty = *TYPES.iter().find(|ty| ty.name == name)?;
        let (dims, box_dims): (Vec<u64>, Vec<u32>) = (list(parts.next()?)?, list(parts.next()?)?);
        parts.next().is_none().then(|| Self {
            over,
            ty,
            spec: TensorSpec::packed(ty.sim, 0, &dims, &box_dims),
        })
    }

    /// Takes another word of the launch line; `None` where it is no word of a map, or means nothing.
    pub fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match (key, value) {
            ("strides", list_of) => self.spec.strides = list(list_of)?,
            ("every", list_of) => self.spec.element_strides = list(list_of)?,
            ("swizzle", "32") => self.spec.swizzle = ptx_sim::TensorSwizzle::B32,
            ("swizzle", "64") => self.spec.swizzle = ptx_sim::TensorSwizzle::B64,
            ("swizzle", "128") => self.spec.swizzle = ptx_sim::TensorSwizzle::B128,
            ("fill", "nan") => self.spec.fill = ptx_sim::TensorFill::Nan,
            _ => return None,
        }
        Some(())
    }

    /// The map of the simulator, over what lies at `address`.
    ///
    /// # Errors
    /// What no map can describe.
    pub fn simulated(&self, address: u64) -> Result<ptx_sim::TensorMap, ptx_sim::TensorMapError> {
        ptx_sim::TensorMap::new(TensorSpec { address, ..self.spec.clone() })
    }

    /// The argument of a launch, over `bytes` at `addr`.
    ///
    /// # Errors
    /// What no map can describe.
    pub fn argument(
        &self,
        addr: u64,
        bytes: u64,
        space: SpaceId,
    ) -> Result<TensorMapDesc<'static>, ContractError> {
        let tiles = self.tiles()?;
        match self.ty.host.bytes() {
            1 => TensorMapDesc::new(view::<u8>(addr, bytes, space), tiles),
            2 => TensorMapDesc::new(view::<u16>(addr, bytes, space), tiles),
            4 => TensorMapDesc::new(view::<u32>(addr, bytes, space), tiles),
            _ => TensorMapDesc::new(view::<u64>(addr, bytes, space), tiles),
        }
    }

    fn tiles(&self) -> Result<TensorTiles, ContractError> {
        let spec = &self.spec;
        let tiles = TensorTiles::new(&spec.dims, &spec.box_dims)?
            .with_strides(&spec.strides)?
            .with_element_strides(&spec.element_strides)?;
        let swizzle = match spec.swizzle {
            ptx_sim::TensorSwizzle::None => TensorSwizzle::None,
            ptx_sim::TensorSwizzle::B32 => TensorSwizzle::B32,
            ptx_sim::TensorSwizzle::B64 => TensorSwizzle::B64,
            ptx_sim::TensorSwizzle::B128 => TensorSwizzle::B128,
        };
        let fill = match spec.fill {
            ptx_sim::TensorFill::Zero => TensorFill::Zero,
            ptx_sim::TensorFill::Nan => TensorFill::Nan,
        };
        Ok(tiles.with_type(self.ty.host).with_swizzle(swizzle).with_fill(fill))
    }
}

/// `bytes` at `addr` as elements.
fn view<T: DeviceRepr>(addr: u64, bytes: u64, space: SpaceId) -> DeviceSlice<'static, T> {
    // SAFETY: `device::run`, which alone launches with it, keeps the buffer until the launch is over; the kernel is `unsafe` and
    // writes through the map what its text says.
    unsafe { DeviceSlice::from_raw(addr, bytes / size_of::<T>() as u64, space) }
}
