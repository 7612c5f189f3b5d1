//! The options in `#[kernel(…)]`.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, Expr, GenericArgument, Ident, LitStr, Result, Token, parenthesized};

/// One entry of `instances(…)`.
pub struct Instance {
    pub name: Ident,
    pub args: Vec<GenericArgument>,
}

/// The options, not yet checked against the function.
#[derive(Default)]
pub struct Options {
    pub block: Option<[Expr; 3]>,
    pub max_block: Option<Expr>,
    pub min_blocks: Option<Expr>,
    pub max_registers: Option<Expr>,
    pub cluster: Option<Expr>,
    pub target: Option<LitStr>,
    pub local_bytes: Option<Expr>,
    pub spill_bytes: Option<Expr>,
    pub same_len: Vec<Vec<Ident>>,
    pub instances: Option<(Span, Vec<Instance>)>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut options = Self::default();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            options.parse_one(&name, input)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        options.check()?;
        Ok(options)
    }
}

impl Options {
    fn parse_one(&mut self, name: &Ident, input: ParseStream<'_>) -> Result<()> {
        match name.to_string().as_str() {
            "block" => set(&mut self.block, name, block(value(input)?)?),
            "max_block" => set(&mut self.max_block, name, value(input)?),
            "min_blocks" => set(&mut self.min_blocks, name, value(input)?),
            "max_registers" => set(&mut self.max_registers, name, value(input)?),
            "cluster" => set(&mut self.cluster, name, value(input)?),
            "local_bytes" => set(&mut self.local_bytes, name, value(input)?),
            "spill_bytes" => set(&mut self.spill_bytes, name, value(input)?),
            "target" => {
                input.parse::<Token![=]>()?;
                set(&mut self.target, name, target(input.parse()?)?)
            }
            "same_len" => {
                self.same_len.push(list(input)?.into_iter().collect());
                Ok(())
            }
            "instances" => {
                let instances = list(input)?.into_iter().collect();
                set(&mut self.instances, name, (name.span(), instances))
            }
            other => Err(Error::new(
                name.span(),
                format!(
                    "#[kernel] has no option `{other}`; it has block, max_block, min_blocks, max_registers, cluster, target, \
                     local_bytes, spill_bytes, same_len and instances"
                ),
            )),
        }
    }

    fn check(&self) -> Result<()> {
        if let (Some(_), Some(max)) = (&self.block, &self.max_block) {
            return Err(Error::new(
                max.span(),
                "`block` and `max_block` exclude each other: keep `block` for one fixed size, `max_block` for any up to it",
            ));
        }
        if let Some(cluster) = &self.cluster
            && self.target.as_ref().is_none_or(|target| sm(&target.value()) < 90)
        {
            return Err(Error::new(
                cluster.span(),
                "clusters begin with sm_90, and PTX for sm_80 would run without: add `target = \"sm_90\"`",
            ));
        }
        Ok(())
    }
}

/// The number of an architecture: 90 of `sm_90a`.
fn sm(target: &str) -> u32 {
    let digits = target.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.trim_end_matches(|c: char| c.is_ascii_lowercase()).parse().unwrap_or(0)
}

fn set<T>(slot: &mut Option<T>, name: &Ident, value: T) -> Result<()> {
    if slot.replace(value).is_some() {
        return Err(Error::new(name.span(), format!("`{name}` is given twice")));
    }
    Ok(())
}

fn value(input: ParseStream<'_>) -> Result<Expr> {
    input.parse::<Token![=]>()?;
    input.parse()
}

fn list<T: Parse>(input: ParseStream<'_>) -> Result<Punctuated<T, Token![,]>> {
    let content;
    parenthesized!(content in input);
    Punctuated::parse_terminated(&content)
}

fn block(value: Expr) -> Result<[Expr; 3]> {
    let one = || syn::parse_quote!(1);
    let Expr::Tuple(tuple) = value else { return Ok([value, one(), one()]) };
    let mut dims = tuple.elems.clone().into_iter();
    match (dims.next(), dims.next(), dims.next(), dims.next()) {
        (Some(x), y, z, None) => Ok([x, y.unwrap_or_else(one), z.unwrap_or_else(one)]),
        _ => Err(Error::new(tuple.span(), "a block is `N`, `(X, Y)` or `(X, Y, Z)`")),
    }
}

fn target(name: LitStr) -> Result<LitStr> {
    let value = name.value();
    let digits =
        value.strip_prefix("sm_").map(|rest| rest.trim_end_matches(|c: char| c.is_ascii_lowercase()));
    match digits {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => Ok(name),
        _ => Err(Error::new(
            name.span(),
            format!("`{value}` is no architecture; write one such as \"sm_90a\""),
        )),
    }
}

impl Parse for Instance {
    /// `f32`, or `name = T`, or `name = 128`, or `name = (T, 128, …)`.
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: Ident = input.parse()?;
        if !input.peek(Token![=]) {
            let args = vec![GenericArgument::Type(syn::parse_quote!(#name))];
            return Ok(Self { name, args });
        }
        input.parse::<Token![=]>()?;
        let args = if input.peek(syn::token::Paren) {
            list::<GenericArgument>(input)?.into_iter().collect()
        } else {
            vec![input.parse::<GenericArgument>()?]
        };
        Ok(Self { name, args })
    }
}
