//! The host half: the kernel's description, its arguments, its typed launch.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, Generics};

use crate::kernel::{Entry, Kernel};
use crate::params::{Kind, Param};

pub fn expand(kernel: &Kernel) -> TokenStream {
    let args = args_struct(kernel);
    let marker = marker(kernel);
    let entries = kernel.instances.iter().map(|entry| {
        let description = description(kernel, entry);
        let module = module(kernel, entry);
        quote! { #description #module }
    });
    quote! {
        #args
        #marker
        #(#entries)*
    }
}

fn host_only() -> TokenStream {
    quote! { #[cfg(not(target_arch = "nvptx64"))] }
}

/// `<T, M>` for use, and the generics with `'a` in front for the arguments.
fn generics_of(kernel: &Kernel) -> (Generics, Generics) {
    let plain = kernel.generics.clone();
    let mut with_lifetime = plain.clone();
    with_lifetime.params.insert(0, syn::parse_quote!('a));
    (plain, with_lifetime)
}

fn args_struct(kernel: &Kernel) -> TokenStream {
    let (host_only, vis, name, stem) =
        (host_only(), &kernel.vis, kernel.args_struct(), kernel.stem.to_string());
    let (_, with_lifetime) = generics_of(kernel);
    let (impl_generics, ty_generics, where_clause) = with_lifetime.split_for_impl();
    let fields = kernel.passed().map(|p| {
        let (field, ty) = (&p.name, field_type(p));
        let doc = format!("Parameter `{field}`.");
        quote! { #[doc = #doc] pub #field: #ty, }
    });
    let packs = kernel.passed().map(pack);
    let checks = checks(kernel);
    let tie = tie(kernel);
    let doc = format!("Arguments of one launch of `{stem}`.");
    quote! {
        #host_only
        #[doc = #doc]
        #vis struct #name #impl_generics #where_clause {
            #(#fields)*
            #tie
        }

        #host_only
        impl #impl_generics ::gpu_std::launch::KernelArgs for #name #ty_generics #where_clause {
            fn pack<WarpsmithSink: ::gpu_std::launch::ArgSink>(
                &self,
                sink: &mut WarpsmithSink,
            ) -> ::core::result::Result<(), WarpsmithSink::Error> {
                #(#packs)*
                ::core::result::Result::Ok(())
            }

            fn check(&self) -> ::core::result::Result<(), ::gpu_std::launch::ContractError> {
                #checks
            }
        }
    }
}

/// A field that mentions `'a` and the type parameters, where no other field does.
fn tie(kernel: &Kernel) -> TokenStream {
    let types: String =
        kernel.passed().filter_map(Param::passed).map(|(_, ty)| quote!(#ty).to_string() + " ").collect();
    let mentioned =
        |name: &syn::Ident| types.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| name == w);
    if kernel.passed().any(Param::is_borrowed) && kernel.generics.type_params().all(|t| mentioned(&t.ident)) {
        return TokenStream::new();
    }
    let names = generic_names(kernel);
    quote! {
        #[doc = "Ties the arguments to a lifetime and to the instance: `PhantomData`."]
        pub instance: ::core::marker::PhantomData<(&'a (), #(#names,)*)>,
    }
}

/// Types that use the generic type parameters, for `PhantomData`; const parameters need no mention.
fn generic_names(kernel: &Kernel) -> Vec<TokenStream> {
    kernel.generics.type_params().map(|t| &t.ident).map(|name| quote! { #name }).collect()
}

fn field_type(param: &Param) -> TokenStream {
    match &param.kind {
        Kind::Slice(ty) => quote! { ::gpu_std::launch::DeviceSlice<'a, #ty> },
        Kind::GridMut(ty) => quote! { ::gpu_std::launch::DeviceSliceMut<'a, #ty> },
        Kind::Ptr(_) => quote! { u64 },
        Kind::Value(ty) => quote! { #ty },
        Kind::TensorMap { writable: false, .. } => quote! { ::gpu_std::launch::TensorMapDesc<'a> },
        Kind::TensorMap { writable: true, .. } => quote! { ::gpu_std::launch::TensorMapDescMut<'a> },
        Kind::Shared { .. } => TokenStream::new(),
    }
}

fn slice_arg(param: &Param) -> TokenStream {
    let (field, name) = (&param.name, param.text());
    let how = if matches!(param.kind, Kind::Slice(_)) {
        quote! { read }
    } else {
        quote! { write }
    };
    quote! { ::gpu_std::launch::SliceArg::#how(#name, &self.#field) }
}

fn tensor_map_arg(param: &Param) -> TokenStream {
    let (field, name) = (&param.name, param.text());
    let how = if matches!(param.kind, Kind::TensorMap { writable: true, .. }) {
        quote! { write }
    } else {
        quote! { read }
    };
    quote! { ::gpu_std::launch::TensorMapArg::#how(#name, &self.#field) }
}

fn pack(param: &Param) -> TokenStream {
    let (field, name) = (&param.name, param.text());
    match &param.kind {
        Kind::Slice(_) | Kind::GridMut(_) => {
            let arg = slice_arg(param);
            quote! { sink.slice(#arg)?; }
        }
        Kind::Ptr(_) => {
            quote! { sink.ptr(::gpu_std::launch::DevicePtrArg { name: #name, addr: self.#field })?; }
        }
        Kind::TensorMap { .. } => {
            let arg = tensor_map_arg(param);
            quote! { sink.tensor_map(&#arg)?; }
        }
        Kind::Value(_) => quote! { sink.value(#name, &self.#field)?; },
        Kind::Shared { .. } => TokenStream::new(),
    }
}

fn checks(kernel: &Kernel) -> TokenStream {
    let stem = kernel.stem.to_string();
    let same_len = kernel.options.same_len.iter().map(|names| {
        let args = names.iter().filter_map(|n| kernel.params.iter().find(|p| p.name == *n)).map(slice_arg);
        quote! { ::gpu_std::launch::SliceArg::check_same_len(#stem, &[#(#args),*])?; }
    });
    let slices = kernel.passed().filter_map(|param| match param.kind {
        Kind::Slice(_) | Kind::GridMut(_) => Some(slice_arg(param)),
        Kind::TensorMap { .. } => {
            let arg = tensor_map_arg(param);
            Some(quote! { #arg.memory })
        }
        _ => None,
    });
    quote! {
        #(#same_len)*
        ::gpu_std::launch::SliceArg::check_disjoint(#stem, &[#(#slices),*])
    }
}

fn marker(kernel: &Kernel) -> TokenStream {
    let (host_only, vis, name, stem) = (host_only(), &kernel.vis, kernel.marker(), kernel.stem.to_string());
    let (plain, _) = generics_of(kernel);
    let (impl_generics, _, where_clause) = plain.split_for_impl();
    let used = generic_names(kernel);
    let doc = format!("The kernel `{stem}`; implements `Kernel` for each of its instances.");
    quote! {
        #host_only
        #[doc = #doc]
        #vis struct #name #impl_generics (::core::marker::PhantomData<(#(#used,)*)>) #where_clause;
    }
}

fn description(kernel: &Kernel, entry: &Entry) -> TokenStream {
    let (host_only, marker, args_struct) = (host_only(), kernel.marker(), kernel.args_struct());
    let bindings = kernel.bindings(entry);
    let record = kernel.record(entry);
    let (entry_name, stem, instance) = (entry.name.to_string(), kernel.stem.to_string(), &entry.instance);
    let (of, with_lifetime) = (angle(&entry.args, false), angle(&entry.args, true));
    let block = block_rule(kernel);
    let cluster = match &kernel.options.cluster {
        Some(n) => quote! { ::core::option::Option::Some((#n) as u32) },
        None => quote! { ::core::option::Option::None },
    };
    let target = match &kernel.options.target {
        Some(target) => quote! { ::core::option::Option::Some(#target) },
        None => quote! { ::core::option::Option::None },
    };
    let dynamic = kernel.dynamic_shared();
    let params = kernel.passed().map(|p| param_desc(kernel, entry, p));
    let assertions = kernel.passed().map(Param::assertions);
    let cluster_size = kernel.options.cluster.as_ref().map(cluster_size);
    let safe = (!kernel.is_unsafe).then(|| {
        quote! {
            // SAFETY: the kernel is a safe function.
            unsafe impl ::gpu_std::launch::SafeKernel for #marker #of {}
        }
    });
    quote! {
        #host_only
        const _: () = {
            #bindings
            #(#assertions)*
            #cluster_size
            const WRITER: ::gpu_std::record::Writer = #record;
            const BYTES: [u8; WRITER.len()] = WRITER.bytes();
            // SAFETY: written from the same signature as the entry.
            unsafe impl ::gpu_std::launch::Kernel for #marker #of {
                const ENTRY: &'static str = #entry_name;
                const STEM: &'static str = #stem;
                const INSTANCE: &'static str = #instance;
                const FAMILY: &'static str = ::gpu_std::record::family(::core::module_path!());
                const BLOCK: ::gpu_std::launch::BlockRule = #block;
                const CLUSTER: ::core::option::Option<u32> = #cluster;
                const TARGET: ::core::option::Option<&'static str> = #target;
                const DYNAMIC_SHARED: bool = #dynamic;
                const PARAMS: &'static [::gpu_std::launch::ParamDesc] = &[#(#params),*];
                const RECORD: &'static str = match ::core::str::from_utf8(&BYTES) {
                    ::core::result::Result::Ok(text) => text,
                    ::core::result::Result::Err(_) => "",
                };
                type Args<'a> = #args_struct #with_lifetime;
            }
            #safe
        };
    }
}

/// CUDA C++ Programming Guide, "Thread Block Clusters": more than 8 blocks are not portable, and need leave of the driver.
fn cluster_size(blocks: &syn::Expr) -> TokenStream {
    quote! {
        const _: () = assert!(
            (#blocks) as u64 >= 1 && (#blocks) as u64 <= 8,
            "`cluster` is 1 to 8 blocks: not every device has room for more",
        );
    }
}

fn angle(args: &[GenericArgument], with_lifetime: bool) -> TokenStream {
    match (args.is_empty(), with_lifetime) {
        (true, false) => TokenStream::new(),
        (false, false) => quote! { <#(#args),*> },
        (_, true) => quote! { <'a, #(#args),*> },
    }
}

fn block_rule(kernel: &Kernel) -> TokenStream {
    match (&kernel.options.block, &kernel.options.max_block) {
        (Some([x, y, z]), _) => quote! {
            ::gpu_std::launch::BlockRule::Exact(::gpu_std::launch::Dim3::new((#x) as u32, (#y) as u32, (#z) as u32))
        },
        (None, Some(n)) => quote! { ::gpu_std::launch::BlockRule::AtMost((#n) as u32) },
        (None, None) => quote! { ::gpu_std::launch::BlockRule::Any },
    }
}

fn param_desc(kernel: &Kernel, entry: &Entry, param: &Param) -> TokenStream {
    let Some((_, ty)) = param.passed() else { return TokenStream::new() };
    let (name, type_name) = (param.text(), kernel.type_name(entry, ty));
    let kind = match &param.kind {
        Kind::Slice(_) => quote! { Slice },
        Kind::GridMut(_) => quote! { GridMut },
        Kind::Ptr(_) => quote! { Ptr },
        Kind::TensorMap { writable: false, .. } => quote! { TensorMap },
        Kind::TensorMap { writable: true, .. } => quote! { TensorMapMut },
        Kind::Value(_) | Kind::Shared { .. } => quote! { Value },
    };
    quote! {
        ::gpu_std::launch::ParamDesc {
            name: #name,
            kind: ::gpu_std::launch::ParamKind::#kind,
            ty: #type_name,
            size: ::core::mem::size_of::<#ty>(),
            align: ::core::mem::align_of::<#ty>(),
        }
    }
}

fn module(kernel: &Kernel, entry: &Entry) -> TokenStream {
    let (host_only, vis, name, marker, args_struct) =
        (host_only(), &kernel.vis, &entry.name, kernel.marker(), kernel.args_struct());
    let (of, with_lifetime) = (angle(&entry.args, false), angle(&entry.args, true));
    let doc = format!("The entry `{name}`.");
    let (unsafety, function) = if kernel.is_unsafe {
        (
            quote! {
                #[doc = "\n# Safety\nWhat the kernel's own documentation asks of its caller."]
            },
            quote! { pub unsafe fn launch },
        )
    } else {
        (TokenStream::new(), quote! { pub fn launch })
    };
    let call = if kernel.is_unsafe {
        quote! {
            // SAFETY: promised by the caller.
            unsafe { ::gpu_std::launch::launch_unsafe::<Entry, L>(launcher, shape, args) }
        }
    } else {
        quote! { ::gpu_std::launch::launch::<Entry, L>(launcher, shape, args) }
    };
    quote! {
        #host_only
        #[doc = #doc]
        #vis mod #name {
            #[allow(unused_imports, reason = "the instance's types may be named by any of the module's imports")]
            use super::*;

            /// The entry's description.
            pub type Entry = super::#marker #of;
            /// Its arguments.
            pub type Args<'a> = super::#args_struct #with_lifetime;

            /// Launches it.
            ///
            /// # Errors
            /// A broken contract or the back end's error; nothing has been written then.
            #unsafety
            #function<L: ::gpu_std::launch::Launcher>(
                launcher: &L,
                shape: ::gpu_std::launch::LaunchShape,
                args: &Args<'_>,
            ) -> ::core::result::Result<(), L::Error> {
                #call
            }
        }
    }
}
