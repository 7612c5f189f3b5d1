//! Shared memory: statics of section `.shared` become `.shared` arrays, those of `.shared.dynamic` the one
//! `.extern .shared` array whose size the launch decides.

use crate::error::LinkError;
use crate::llvm::module::Module;
use crate::llvm::value::Value;
use crate::passes::used;

const STATIC: &str = ".shared";
const DYNAMIC: &str = ".shared.dynamic";
const DYNAMIC_NAME: &str = "warpsmith_dynamic_shared";
/// Alignment of dynamic shared memory: what a TMA copy asks for.
const DYNAMIC_ALIGN: u32 = 128;
/// The address space of shared memory.
const SPACE: u32 = 3;

/// Moves all shared statics into their address space. What used them gets a cast to the generic address, which
/// LLVM's address space inference removes again.
pub(crate) fn lower(module: &Module<'_>) -> Result<(), LinkError> {
    let of = |name: &str| -> Vec<Value<'_>> {
        let inside = |global: &Value<'_>| global.section().is_some_and(|section| section == name);
        module.globals().into_iter().filter(inside).collect()
    };
    let (fixed, dynamic) = (of(STATIC), of(DYNAMIC));
    used::forget(module, &[&*fixed, &*dynamic].concat());
    for old in fixed {
        lower_static(module, old)?;
    }
    lower_dynamic(module, &dynamic);
    Ok(())
}

fn lower_static<'c>(module: &Module<'c>, old: Value<'c>) -> Result<(), LinkError> {
    let kind = old.value_type();
    let (size, natural) = module.layout(kind);
    if size > 0 && old.initializer().is_some_and(|value| !value.is_undefined()) {
        return Err(LinkError::SharedValue { name: old.name() });
    }
    let name = old.name();
    old.set_name(&format!("{name}.generic"));
    let new = module.add_global(kind, &name, SPACE);
    new.make_internal();
    new.set_undefined();
    new.set_alignment(if old.alignment() == 0 { natural } else { old.alignment() });
    module.replace(old, new);
    Ok(())
}

fn lower_dynamic<'c>(module: &Module<'c>, olds: &[Value<'c>]) {
    let Some(align) = olds.iter().map(|old| old.alignment().max(DYNAMIC_ALIGN)).max() else { return };
    let new = module.add_global(module.bytes_type(0), DYNAMIC_NAME, SPACE);
    new.make_external();
    new.set_alignment(align);
    for &old in olds {
        module.replace(old, new);
    }
}

/// Is this the dynamic array, which is declared and never defined?
pub(crate) fn is_dynamic(global: Value<'_>) -> bool {
    global.address_space() == SPACE && global.name() == DYNAMIC_NAME
}

/// No static may hold the address of shared memory: the address is no constant.
pub(crate) fn check_addresses(module: &Module<'_>) -> Result<(), LinkError> {
    for shared in module.globals().into_iter().filter(|global| global.address_space() == SPACE) {
        let holders = used::holders(shared);
        let constant = |holder: &&Value<'_>| !holder.is_function() && !holder.name().starts_with("llvm.");
        let Some(holder) = holders.iter().find(constant) else { continue };
        return Err(LinkError::SharedAddress { name: shared.name(), holder: holder.name() });
    }
    Ok(())
}
