//! `#[derive(DeviceRepr)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, Result, Type};

pub fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(
            input.ident.span(),
            "only structs cross to the device; pass an enum as a `u32`",
        ));
    };
    if !is_repr_c(&input)? {
        return Err(Error::new(
            input.ident.span(),
            "add `#[repr(C)]`: host and device are compiled apart, and only it fixes the order of the fields",
        ));
    }
    if let Some(param) = input.generics.params.first() {
        let message = match param {
            syn::GenericParam::Lifetime(_) => {
                "a struct with references cannot cross to the device: pass each `&[T]` by itself"
            }
            _ => "a generic struct has no one layout; write one struct per instance",
        };
        return Err(Error::new_spanned(param, message));
    }
    let fields: Vec<&Type> = match &data.fields {
        Fields::Named(fields) => fields.named.iter().map(|f| &f.ty).collect(),
        Fields::Unnamed(fields) => fields.unnamed.iter().map(|f| &f.ty).collect(),
        Fields::Unit => Vec::new(),
    };
    if let Some(reference) = fields.iter().find(|ty| matches!(ty, Type::Reference(_) | Type::Ptr(_))) {
        return Err(Error::new_spanned(
            reference,
            "a host reference means nothing on the device: pass a `u64` address or a slice",
        ));
    }
    let name = &input.ident;
    let text = name.to_string();
    let padding = format!("`{name}` has padding bytes, which are not initialised; add fields that fill them");
    let align = format!("`{name}` has an alignment over 16, which by-value parameters cannot have");
    Ok(quote! {
        const _: () = {
            const fn crosses<T: ::gpu_std::DeviceRepr>() {}
            #(crosses::<#fields>();)*
            assert!(::core::mem::size_of::<#name>() == 0 #(+ ::core::mem::size_of::<#fields>())*, #padding);
            assert!(::core::mem::align_of::<#name>() <= 16, #align);
        };
        // SAFETY: repr(C), every field crosses, no padding, alignment at most 16: all checked above.
        unsafe impl ::gpu_std::DeviceRepr for #name {
            const NAME: &'static str = #text;
        }
    })
}

fn is_repr_c(input: &DeriveInput) -> Result<bool> {
    let mut found = false;
    for attr in input.attrs.iter().filter(|a| a.path().is_ident("repr")) {
        attr.parse_nested_meta(|meta| {
            found |= meta.path.is_ident("C") || meta.path.is_ident("transparent");
            if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                content.parse::<proc_macro2::TokenStream>()?;
            }
            Ok(())
        })?;
    }
    Ok(found)
}
