//! `#[kernel]`: reads the function, refuses what cannot be a kernel, and puts the parts together.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Error, GenericArgument, GenericParam, Generics, ItemFn, Result, ReturnType, Type, Visibility};

use crate::attrs::{Instance, Options};
use crate::params::{Kind, Param};
use crate::{device, host};

/// Everything the two halves are written from.
pub struct Kernel {
    pub options: Options,
    pub vis: Visibility,
    pub stem: Ident,
    pub generics: Generics,
    pub is_unsafe: bool,
    pub params: Vec<Param>,
    pub instances: Vec<Entry>,
}

/// One PTX entry.
pub struct Entry {
    pub name: Ident,
    pub instance: String,
    pub args: Vec<GenericArgument>,
}

pub fn expand(attr: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let options: Options = syn::parse2(attr)?;
    let mut function: ItemFn = syn::parse2(item)?;
    check_signature(&function)?;
    let kernel = Kernel::new(options, &mut function)?;
    let host = host::expand(&kernel);
    let device = device::expand(&kernel);
    Ok(quote! {
        #[inline(always)]
        #[allow(clippy::too_many_arguments, reason = "the parameters are the kernel's interface")]
        #function
        #host
        #device
    })
}

impl Kernel {
    fn new(options: Options, function: &mut ItemFn) -> Result<Self> {
        let is_unsafe = function.sig.unsafety.is_some();
        let params = function
            .sig
            .inputs
            .iter_mut()
            .map(|arg| Param::parse(arg, is_unsafe))
            .collect::<Result<Vec<_>>>()?;
        let stem = function.sig.ident.clone();
        let generics = function.sig.generics.clone();
        let instances = entries(&stem, &generics, options.instances.as_ref())?;
        check_same_len(&options, &params)?;
        Ok(Self { options, vis: function.vis.clone(), stem, generics, is_unsafe, params, instances })
    }

    /// `HadamardRows` for `hadamard_rows`.
    pub fn marker(&self) -> Ident {
        let camel: String = self.stem.to_string().split('_').map(capitalise).collect();
        format_ident!("{camel}", span = self.stem.span())
    }

    /// `HadamardRowsArgs` for `hadamard_rows`.
    pub fn args_struct(&self) -> Ident {
        format_ident!("{}Args", self.marker(), span = self.stem.span())
    }

    /// Parameters passed at launch.
    pub fn passed(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|p| p.passed().is_some())
    }

    /// Whether it uses dynamic shared memory.
    pub fn dynamic_shared(&self) -> bool {
        self.params.iter().any(|p| matches!(p.kind, Kind::Shared { dynamic: true, .. }))
    }

    /// `type T = f32; const M: usize = 128;`: the instance's arguments under the names of the generic parameters.
    pub fn bindings(&self, entry: &Entry) -> TokenStream {
        let binding = |(param, arg): (&GenericParam, &GenericArgument)| match param {
            GenericParam::Const(c) => {
                let (name, ty) = (&c.ident, &c.ty);
                quote! {
                    #[allow(dead_code, unused_braces, reason = "not every instance names it; `{ 2 * N }` needs its braces")]
                    const #name: #ty = #arg;
                }
            }
            GenericParam::Type(t) => {
                let name = &t.ident;
                quote! { #[allow(dead_code, reason = "not every instance names it")] type #name = #arg; }
            }
            GenericParam::Lifetime(_) => TokenStream::new(),
        };
        self.generics.params.iter().zip(&entry.args).map(binding).collect()
    }

    /// The record of an entry as an expression of type `Writer`.
    pub fn record(&self, entry: &Entry) -> TokenStream {
        let (entry_name, stem, instance) = (entry.name.to_string(), self.stem.to_string(), &entry.instance);
        let head = format!(
            "{{\"version\":1,\"entry\":\"{entry_name}\",\"stem\":\"{stem}\",\"instance\":\"{instance}\",\"module\":\""
        );
        let block = match &self.options.block {
            Some([x, y, z]) => quote! {
                .text("[").number((#x) as u64).text(",").number((#y) as u64).text(",").number((#z) as u64).text("]")
            },
            None => quote! { .text("null") },
        };
        let optional = |key: &str, value: &Option<syn::Expr>| {
            let key = format!(",\"{key}\":");
            match value {
                Some(value) => quote! { .text(#key).number((#value) as u64) },
                None => quote! { .text(#key).text("null") },
            }
        };
        let counted = |key: &str, value: &Option<syn::Expr>| {
            let key = format!(",\"{key}\":");
            match value {
                Some(value) => quote! { .text(#key).number((#value) as u64) },
                None => quote! { .text(#key).number(0) },
            }
        };
        let limits = [
            optional("max_block", &self.options.max_block),
            optional("min_blocks", &self.options.min_blocks),
            optional("max_registers", &self.options.max_registers),
            optional("cluster", &self.options.cluster),
        ];
        let target = match &self.options.target {
            Some(target) => format!(",\"target\":\"{}\"", target.value()),
            None => ",\"target\":null".to_owned(),
        };
        let budgets = [
            counted("local_bytes", &self.options.local_bytes),
            counted("spill_bytes", &self.options.spill_bytes),
        ];
        let dynamic = format!(",\"dynamic_shared\":{},\"params\":[", self.dynamic_shared());
        let params = self.passed().enumerate().map(|(i, p)| self.record_param(entry, i, p));
        quote! {
            ::gpu_std::record::Writer::new()
                .text(#head)
                .text(::core::module_path!())
                .text("\",\"family\":\"")
                .text(::gpu_std::record::family(::core::module_path!()))
                .text("\",\"block\":")
                #block
                #(#limits)*
                .text(#target)
                #(#budgets)*
                .text(#dynamic)
                #(#params)*
                .text("]}")
        }
    }

    fn record_param(&self, entry: &Entry, index: usize, param: &Param) -> TokenStream {
        let Some((kind, ty)) = param.passed() else { return TokenStream::new() };
        let comma = if index == 0 { "" } else { "," };
        let type_name = self.type_name(entry, ty);
        let head = format!(
            "{comma}{{\"name\":\"{}\",\"kind\":\"{kind}\",\"type\":\"{type_name}\",\"size\":",
            param.text()
        );
        quote! {
            .text(#head)
            .number(::core::mem::size_of::<#ty>() as u64)
            .text(",\"align\":")
            .number(::core::mem::align_of::<#ty>() as u64)
            .text("}")
        }
    }

    /// A type as written, the instance's arguments in place of generic parameters, without spaces.
    pub fn type_name(&self, entry: &Entry, ty: &Type) -> String {
        let replace = |token: proc_macro2::TokenTree| {
            let found =
                self.generics.params.iter().zip(&entry.args).find(|(param, _)| match (&token, param) {
                    (proc_macro2::TokenTree::Ident(i), GenericParam::Type(t)) => *i == t.ident,
                    (proc_macro2::TokenTree::Ident(i), GenericParam::Const(c)) => *i == c.ident,
                    _ => false,
                });
            found.map_or_else(|| token.to_string(), |(_, arg)| quote!(#arg).to_string())
        };
        let text: String = quote!(#ty).into_iter().map(replace).collect();
        text.chars().filter(|c| !c.is_whitespace() && *c != '"' && *c != '\\').collect()
    }
}

fn capitalise(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn check_signature(function: &ItemFn) -> Result<()> {
    let sig = &function.sig;
    let refuse = |span, message: &str| Err(Error::new(span, message));
    if let ReturnType::Type(_, ty) = &sig.output {
        return refuse(
            ty.span(),
            "a kernel returns nothing: every thread would return a value; write it through a `GridMut<T>`",
        );
    }
    if let Some(token) = &sig.constness {
        return refuse(token.span(), "a kernel is not `const`; put what the host needs in a helper");
    }
    if let Some(token) = &sig.asyncness {
        return refuse(token.span(), "a kernel is not `async`");
    }
    if let Some(abi) = &sig.abi {
        return refuse(abi.span(), "leave the ABI to #[kernel]: write `pub fn`");
    }
    if let Some(variadic) = &sig.variadic {
        return refuse(variadic.span(), "a kernel has a fixed list of parameters");
    }
    check_identifier(&sig.ident)?;
    for param in &sig.generics.params {
        if let GenericParam::Lifetime(lifetime) = param {
            return refuse(
                lifetime.span(),
                "a kernel needs no lifetimes: write `&[T]`; every parameter lives for the launch",
            );
        }
    }
    Ok(())
}

/// PTX ISA, "Identifiers", without `$` and `%`, which Rust has not either.
fn check_identifier(name: &Ident) -> Result<()> {
    let text = name.to_string();
    let starts = text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic());
    if starts && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Ok(());
    }
    Err(Error::new(
        name.span(),
        format!(
            "`{text}` is no PTX identifier: begin with an ASCII letter, go on with ASCII letters, digits and `_`"
        ),
    ))
}

fn entries(
    stem: &Ident,
    generics: &Generics,
    instances: Option<&(proc_macro2::Span, Vec<Instance>)>,
) -> Result<Vec<Entry>> {
    let wanted = generics.params.len();
    let Some((span, instances)) = instances else {
        if wanted == 0 {
            return Ok(vec![Entry { name: stem.clone(), instance: String::new(), args: Vec::new() }]);
        }
        return Err(Error::new(
            generics.span(),
            "a generic kernel needs the list of its instances: `#[kernel(instances(f32, f16))]`, or \
             `instances(f16_128 = (f16, 128))` for several parameters",
        ));
    };
    if wanted == 0 {
        return Err(Error::new(
            *span,
            "a kernel without generic parameters has one entry; leave `instances` out",
        ));
    }
    if instances.is_empty() {
        return Err(Error::new(*span, "`instances` is empty: the kernel would have no entry"));
    }
    let mut entries: Vec<Entry> = Vec::new();
    for instance in instances {
        if instance.args.len() != wanted {
            let message = format!(
                "`{stem}` has {wanted} generic parameters, this instance gives {}",
                instance.args.len()
            );
            return Err(Error::new(instance.name.span(), message));
        }
        let name = format_ident!("{stem}_{}", instance.name, span = instance.name.span());
        check_identifier(&name)?;
        if entries.iter().any(|e| e.name == name) {
            return Err(Error::new(
                instance.name.span(),
                format!("two instances would have the entry `{name}`"),
            ));
        }
        entries.push(Entry { name, instance: instance.name.to_string(), args: instance.args.clone() });
    }
    Ok(entries)
}

fn check_same_len(options: &Options, params: &[Param]) -> Result<()> {
    for name in options.same_len.iter().flatten() {
        if !params.iter().any(|p| p.name == *name && p.is_slice()) {
            return Err(Error::new(
                name.span(),
                format!("`{name}` is no `&[T]` or `GridMut<T>` parameter of this kernel"),
            ));
        }
    }
    Ok(())
}
