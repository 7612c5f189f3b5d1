//! The device half: one `ptx-kernel` function and one record per entry.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};

use crate::kernel::{Entry, Kernel};
use crate::params::{Kind, Param};

pub fn expand(kernel: &Kernel) -> TokenStream {
    kernel.instances.iter().map(|entry| expand_entry(kernel, entry)).collect()
}

fn expand_entry(kernel: &Kernel, entry: &Entry) -> TokenStream {
    let (symbol, stem) = (entry.name.to_string(), &kernel.stem);
    let bindings = kernel.bindings(entry);
    let record = kernel.record(entry);
    let declarations = kernel.params.iter().map(declaration);
    let arguments: Vec<_> = kernel.params.iter().map(argument).collect();
    let statics = kernel.params.iter().map(|p| shared_static(entry, p));
    let turbofish = (!entry.args.is_empty()).then(|| {
        let args = &entry.args;
        quote! { ::<#(#args),*> }
    });
    let target = kernel.options.target.as_ref().map(|target| quote! { , target_feature = #target });
    quote! {
        #[cfg(all(target_arch = "nvptx64" #target))]
        const _: () = {
            #bindings
            #(#statics)*
            const RECORD: ::gpu_std::record::Writer = #record;
            #[used]
            #[unsafe(link_section = ".warpsmith.kernels")]
            static BYTES: [u8; RECORD.len()] = RECORD.bytes();

            // Its Rust name is not the symbol's: that would hide the kernel's own function where it is not generic.
            #[unsafe(export_name = #symbol)]
            unsafe extern "ptx-kernel" fn warpsmith_ptx_entry(#(#declarations)*) {
                // SAFETY: the launch passes what the parameters' types promise: the typed launch checks it, an untyped one
                // vouches for it.
                unsafe { #stem #turbofish(#(#arguments),*) }
            }
        };
    }
}

/// Names for the two halves of a slice that no parameter of the user's can have: a slice `a` may stand beside an `a_len`.
fn names(param: &Param) -> (syn::Ident, syn::Ident) {
    let name = |half: &str| syn::Ident::new(&format!("{}_{half}", param.text()), Span::mixed_site());
    (name("addr"), name("len"))
}

fn declaration(param: &Param) -> TokenStream {
    let (addr, len) = names(param);
    let name = &param.name;
    match &param.kind {
        Kind::Slice(ty) => quote! { #addr: *const #ty, #len: u64, },
        Kind::GridMut(ty) => quote! { #addr: *mut #ty, #len: u64, },
        Kind::Ptr(ty) => quote! { #addr: *mut #ty, },
        Kind::Value(ty) => quote! { #name: #ty, },
        // The linker makes it the parameter itself.
        Kind::TensorMap { ty, .. } => quote! { #addr: *const #ty, },
        Kind::Shared { .. } => TokenStream::new(),
    }
}

fn argument(param: &Param) -> TokenStream {
    let (addr, len) = names(param);
    let name = &param.name;
    match &param.kind {
        Kind::Slice(_) => quote! { ::core::slice::from_raw_parts(#addr, #len as usize) },
        Kind::GridMut(_) => quote! { ::gpu_std::GridMut::from_raw(#addr, #len) },
        Kind::Ptr(_) => quote! { ::gpu_std::DevicePtr::from_raw(#addr) },
        Kind::Value(_) => quote! { #name },
        Kind::TensorMap { .. } => quote! { &*#addr },
        Kind::Shared { ty, .. } => {
            let cell = shared_name(param);
            quote! { <#ty as ::gpu_std::shared::SharedTile>::of(&#cell) }
        }
    }
}

fn shared_name(param: &Param) -> syn::Ident {
    format_ident!("SHARED_{}", param.text().to_uppercase())
}

fn shared_static(entry: &Entry, param: &Param) -> TokenStream {
    let Kind::Shared { dynamic, ty } = &param.kind else { return TokenStream::new() };
    let section = if *dynamic { ".shared.dynamic" } else { ".shared" };
    let cell = shared_name(param);
    let symbol = format!("{}_{}", entry.name, param.text());
    quote! {
        #[unsafe(link_section = #section)]
        #[unsafe(export_name = #symbol)]
        static #cell: ::gpu_std::shared::SharedCell<<#ty as ::gpu_std::shared::SharedTile>::Storage> =
            ::gpu_std::shared::SharedCell::new();
    }
}
