//! The variables of a module: where they lie and what they hold at the start.

use std::collections::HashMap;

use ptx_parse::ast::{Const, Init, Linkage, Module, ScalarType, Space, Variable};

use crate::device::{bad_variable, is_global};
use crate::error::{CodeError, LoadError};
use crate::memory::Global;
use crate::program::code_address;

/// Bytes of a module's variables in global and constant memory, at most: the simulator holds them all.
const MAX_BYTES: u64 = 1 << 30;

/// Gives every variable of a module in global or constant memory a place, and its initial value.
pub(crate) fn place(global: &Global, name: &str, module: &Module) -> Result<HashMap<String, u64>, LoadError> {
    let bodies = module.functions.iter().flat_map(|f| f.variables());
    let variables: Vec<&Variable> =
        module.variables.iter().chain(bodies).filter(|v| is_global(v.space)).collect();
    let mut places = HashMap::new();
    let mut total = 0_u64;
    for variable in &variables {
        if variable.linkage == Linkage::Extern {
            continue;
        }
        let Some(bytes) = variable.size_bytes() else {
            let what = format!("the size of `{}`", variable.name);
            return Err(bad_variable(name, variable.pos.line, what));
        };
        total = total.saturating_add(bytes);
        if total > MAX_BYTES {
            let (what, got, limit) = ("global memory", total, MAX_BYTES);
            let kind = CodeError::TooLarge { name: variable.name.clone(), what, got, limit };
            return Err(LoadError::Code { name: name.to_owned(), line: variable.pos.line, kind });
        }
        let read_only = variable.space == Space::Const;
        let placed = global.alloc_init(bytes, &[], &variable.name, read_only).map_err(|error| {
            LoadError::Variable { name: name.to_owned(), variable: variable.name.clone(), error }
        })?;
        places.insert(variable.name.clone(), placed);
    }
    for variable in variables {
        let (Some(init), Some(addr)) = (&variable.init, places.get(&variable.name)) else { continue };
        let mut bytes = Vec::new();
        lay_out(init, variable.ty, &places, module, &mut bytes)
            .map_err(|what| bad_variable(name, variable.pos.line, what))?;
        let size = variable.size_bytes().unwrap_or(0);
        if bytes.len() as u64 > size {
            let what = format!("{} initial bytes of `{}`, which has {size}", bytes.len(), variable.name);
            return Err(bad_variable(name, variable.pos.line, what));
        }
        global.write(*addr, &bytes).map_err(|error| LoadError::Variable {
            name: name.to_owned(),
            variable: variable.name.clone(),
            error,
        })?;
    }
    Ok(places)
}

/// Appends the bytes of an initial value.
fn lay_out(
    init: &Init,
    ty: ScalarType,
    places: &HashMap<String, u64>,
    module: &Module,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let size = ty.size_bytes().clamp(1, 16) as usize;
    let bits: u128 = match init {
        Init::List(list) => {
            for inner in list {
                lay_out(inner, ty, places, module, out)?;
            }
            return Ok(());
        }
        Init::Value(Const::Int(int)) => *int as u128,
        Init::Value(Const::F32(bits)) => u128::from(*bits),
        Init::Value(Const::F64(bits)) => u128::from(*bits),
        Init::Value(Const::Decimal(value)) if size == 4 => u128::from((*value as f32).to_bits()),
        Init::Value(Const::Decimal(value)) => u128::from(value.to_bits()),
        Init::Symbol { name, offset, mask, .. } => {
            let addr = address(name, places, module).ok_or_else(|| format!("the initial value `{name}`"))?;
            let addr = addr.wrapping_add(*offset as u64);
            match mask {
                // A byte of the address: the mask says which.
                Some(mask) if *mask != 0 => u128::from((addr & mask) >> mask.trailing_zeros()),
                _ => u128::from(addr),
            }
        }
    };
    out.extend_from_slice(&bits.to_le_bytes()[..size]);
    Ok(())
}

fn address(name: &str, places: &HashMap<String, u64>, module: &Module) -> Option<u64> {
    places.get(name).copied().or_else(|| code_address(module, name))
}
