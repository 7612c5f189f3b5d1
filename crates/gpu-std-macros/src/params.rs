//! The parameters of a kernel: which kinds there are, and what is refused.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;
use syn::{
    Error, FnArg, GenericArgument, Ident, Pat, PathArguments, PathSegment, Result, Type, TypePath,
    TypeReference,
};

/// What a parameter is.
pub enum Kind {
    Slice(Type),
    GridMut(Type),
    Ptr(Type),
    Value(Type),
    TensorMap { writable: bool, ty: Type },
    Shared { dynamic: bool, ty: Type },
}

/// A parameter.
pub struct Param {
    pub name: Ident,
    pub kind: Kind,
}

impl Param {
    /// Reads one parameter and takes `#[shared]` off it.
    pub fn parse(arg: &mut FnArg, kernel_is_unsafe: bool) -> Result<Self> {
        let FnArg::Typed(arg) = arg else {
            return Err(Error::new(arg.span(), "a kernel is a free function: it has no `self`"));
        };
        let Pat::Ident(pat) = &*arg.pat else {
            return Err(Error::new(arg.pat.span(), "a kernel parameter is a plain name, not a pattern"));
        };
        let name = pat.ident.clone();
        let before = arg.attrs.len();
        arg.attrs.retain(|a| !a.path().is_ident("shared"));
        let kind =
            if arg.attrs.len() < before { shared(&arg.ty)? } else { classify(&arg.ty, kernel_is_unsafe)? };
        if let Some(attr) = arg.attrs.first() {
            return Err(Error::new(attr.span(), "the only attribute of a kernel parameter is `#[shared]`"));
        }
        Ok(Self { name, kind })
    }

    /// The name without `r#`.
    pub fn text(&self) -> String {
        self.name.unraw().to_string()
    }

    /// Type whose size and alignment the record states, for parameters that are passed at launch.
    pub fn passed(&self) -> Option<(&'static str, &Type)> {
        match &self.kind {
            Kind::Slice(ty) => Some(("slice", ty)),
            Kind::GridMut(ty) => Some(("grid_mut", ty)),
            Kind::Ptr(ty) => Some(("ptr", ty)),
            Kind::Value(ty) => Some(("value", ty)),
            Kind::TensorMap { writable: false, ty } => Some(("tensor_map", ty)),
            Kind::TensorMap { writable: true, ty } => Some(("tensor_map_mut", ty)),
            Kind::Shared { .. } => None,
        }
    }

    /// Whether it is a view with a length.
    pub fn is_slice(&self) -> bool {
        matches!(self.kind, Kind::Slice(_) | Kind::GridMut(_))
    }

    /// Whether its argument is borrowed for the launch.
    pub fn is_borrowed(&self) -> bool {
        self.is_slice() || matches!(self.kind, Kind::TensorMap { .. })
    }

    /// Compile-time checks of the parameter's type, for the device and the host alike.
    pub fn assertions(&self) -> TokenStream {
        let Some((_, ty)) = self.passed() else { return TokenStream::new() };
        if let Kind::TensorMap { writable, .. } = self.kind {
            let known = tensor_map(writable);
            return quote! {
                // By value: a reference to a type of one's own could become one to a map on its way.
                const _: fn(#ty) -> #known = |map| map;
            };
        }
        let empty = format!(
            "kernel parameter `{}`: its type has no bytes, so the device would not see it; leave it out",
            self.name
        );
        let message = format!(
            "kernel parameter `{}`: its alignment is over 16; pass a pointer to it instead",
            self.name
        );
        quote! {
            const _: () = {
                const fn crosses<T: ::gpu_std::DeviceRepr>() {}
                crosses::<#ty>();
                assert!(::core::mem::align_of::<#ty>() <= 16, #message);
                assert!(::core::mem::size_of::<#ty>() > 0, #empty);
            };
        }
    }
}

/// The type of a tensor map in full.
pub fn tensor_map(writable: bool) -> TokenStream {
    if writable {
        quote! { ::gpu_std::tma::TensorMapMut }
    } else {
        quote! { ::gpu_std::tma::TensorMap }
    }
}

fn last_segment(path: &TypePath) -> Option<&PathSegment> {
    path.path.segments.last()
}

fn only_argument(segment: &PathSegment) -> Option<Type> {
    let PathArguments::AngleBracketed(args) = &segment.arguments else { return None };
    match (args.args.first(), args.args.len()) {
        (Some(GenericArgument::Type(ty)), 1) => Some(ty.clone()),
        _ => None,
    }
}

fn shared(ty: &Type) -> Result<Kind> {
    let name = match ty {
        Type::Path(path) => last_segment(path).map(|s| s.ident.to_string()),
        _ => None,
    };
    match name.as_deref() {
        Some("SharedArray") => Ok(Kind::Shared { dynamic: false, ty: ty.clone() }),
        Some("DynamicShared") => Ok(Kind::Shared { dynamic: true, ty: ty.clone() }),
        _ => Err(Error::new(
            ty.span(),
            "a `#[shared]` parameter is a `SharedArray<T, N>` or a `DynamicShared<T>`",
        )),
    }
}

fn classify(ty: &Type, kernel_is_unsafe: bool) -> Result<Kind> {
    match ty {
        Type::Reference(reference) => classify_reference(reference),
        Type::Path(path) => classify_path(path, kernel_is_unsafe),
        Type::Tuple(_) => Err(Error::new(
            ty.span(),
            "a tuple has no fixed layout; use a `#[repr(C)]` struct that derives `DeviceRepr`",
        )),
        Type::Array(_) => Ok(Kind::Value(ty.clone())),
        Type::Ptr(_) => {
            Err(Error::new(ty.span(), "use `DevicePtr<T>` for a bare address, in an `unsafe fn`"))
        }
        Type::ImplTrait(_) => {
            Err(Error::new(ty.span(), "use a named generic parameter and list its instances: `instances(…)`"))
        }
        _ => Err(Error::new(
            ty.span(),
            "a kernel takes `&[T]`, `GridMut<T>`, `DevicePtr<T>` and plain data that implements `DeviceRepr`",
        )),
    }
}

fn classify_reference(reference: &TypeReference) -> Result<Kind> {
    let span = reference.span();
    match (&*reference.elem, reference.mutability) {
        (Type::Slice(_), Some(_)) => Err(Error::new(
            span,
            "`&mut [T]` would be held by every thread of the launch at once; use `GridMut<T>`, which gives each element to \
             one thread",
        )),
        (Type::Slice(slice), None) => Ok(Kind::Slice((*slice.elem).clone())),
        (_, Some(_)) => Err(Error::new(
            span,
            "`&mut T` would be held by every thread of the launch at once; use `GridMut<T>` of one element, or a \
             `DevicePtr<T>` with atomics in an `unsafe fn`",
        )),
        (ty, None) => match tensor_map_kind(ty) {
            Some(kind) => Ok(kind),
            None => Err(Error::new(
                span,
                "a single `&T` is not passed to kernels; use `&[T]`, or the value itself",
            )),
        },
    }
}

fn tensor_map_kind(ty: &Type) -> Option<Kind> {
    let Type::Path(path) = ty else { return None };
    match last_segment(path)?.ident.to_string().as_str() {
        "TensorMap" => Some(Kind::TensorMap { writable: false, ty: ty.clone() }),
        "TensorMapMut" => Some(Kind::TensorMap { writable: true, ty: ty.clone() }),
        _ => None,
    }
}

fn classify_path(path: &TypePath, kernel_is_unsafe: bool) -> Result<Kind> {
    let Some(segment) = last_segment(path) else { return Ok(Kind::Value(Type::Path(path.clone()))) };
    let span = path.span();
    match segment.ident.to_string().as_str() {
        "bool" => Err(Error::new(
            span,
            "`bool` does not cross to the device: not every byte is one; use `u32`, 0 or 1",
        )),
        "usize" => Err(Error::new(span, "`usize` depends on the target; use `u64` or `u32`")),
        "isize" => Err(Error::new(span, "`isize` depends on the target; use `i64` or `i32`")),
        "char" => {
            Err(Error::new(span, "`char` does not cross to the device: not every word is one; use `u32`"))
        }
        "Option" => Err(Error::new(
            span,
            "`Option` has no fixed layout; pass the value and a `u32` that says whether it counts",
        )),
        "GridMut" => {
            only_argument(segment).map(Kind::GridMut).ok_or_else(|| Error::new(span, "write `GridMut<T>`"))
        }
        "DevicePtr" if kernel_is_unsafe => {
            only_argument(segment).map(Kind::Ptr).ok_or_else(|| Error::new(span, "write `DevicePtr<T>`"))
        }
        "DevicePtr" => Err(Error::new(
            span,
            "nothing is known of what a `DevicePtr` points to: make the kernel an `unsafe fn` whose `# Safety` says what it \
             needs, or use `&[T]` or `GridMut<T>`",
        )),
        "TensorMap" | "TensorMapMut" => {
            Err(Error::new(span, "a tensor map is used where the launch put it: write `&TensorMap`"))
        }
        "SharedArray" | "DynamicShared" => {
            Err(Error::new(span, "shared memory is marked: write `#[shared]` before it"))
        }
        _ if has_lifetime(segment) => Err(Error::new(
            span,
            "a struct with references cannot cross to the device: pass each `&[T]` as a parameter of its own",
        )),
        _ => Ok(Kind::Value(Type::Path(path.clone()))),
    }
}

fn has_lifetime(segment: &PathSegment) -> bool {
    match &segment.arguments {
        PathArguments::AngleBracketed(args) => {
            args.args.iter().any(|a| matches!(a, GenericArgument::Lifetime(_)))
        }
        _ => false,
    }
}
