//! `unroll!`: a `for` loop over a range as its turns, one after the other.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Error, Expr, ExprForLoop, ExprRange, Lifetime, Lit, LitInt, RangeLimits, Result};

/// Turns written out at most; as `gpu_std::unroll::MAX_TURNS`.
const MAX_TURNS: u64 = 256;

pub fn expand(input: TokenStream) -> Result<TokenStream> {
    let looped: ExprForLoop = syn::parse2(input)?;
    let Expr::Range(range) = peel(&looped.expr).clone() else {
        return Err(Error::new_spanned(&looped.expr, "`unroll!` takes a range: `for i in 0..8 { … }`"));
    };
    let (Some(start), Some(end)) = (&range.start, &range.end) else {
        return Err(Error::new_spanned(&range, "`unroll!` needs both ends of the range: `0..8`"));
    };
    match (literal(start), literal(end)) {
        (Some(first), Some(last)) => literal_turns(looped, &range, &first, &last),
        _ => constant_turns(looped, &range, start, end),
    }
}

fn peel(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => peel(&inner.expr),
        Expr::Group(inner) => peel(&inner.expr),
        other => other,
    }
}

fn literal(expr: &Expr) -> Option<LitInt> {
    match peel(expr) {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) => Some(int.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn is_closed(range: &ExprRange) -> bool {
    matches!(range.limits, RangeLimits::Closed(_))
}

/// Both ends are literals: the body once per turn, in labelled blocks that `break` and `continue` leave.
fn literal_turns(
    mut looped: ExprForLoop,
    range: &ExprRange,
    start: &LitInt,
    end: &LitInt,
) -> Result<TokenStream> {
    let first: u64 = start.base10_parse()?;
    let last = end.base10_parse::<u64>()?.saturating_add(u64::from(is_closed(range)));
    let turns = last.saturating_sub(first);
    if turns > MAX_TURNS {
        let message = format!("`unroll!` repeats at most {MAX_TURNS} times, this is {turns}; nest two loops");
        return Err(Error::new_spanned(range, message));
    }
    let (whole, turn) = (label("'unroll"), label("'turn"));
    let jumps = Jumps::new(&looped, Exit::Labels { whole: whole.clone(), turn: turn.clone() });
    jumps.rewrite(&mut looped)?;
    let suffix = if start.suffix().is_empty() { end.suffix() } else { start.suffix() };
    let counters = (first..last).map(|i| LitInt::new(&format!("{i}{suffix}"), Span::mixed_site()));
    let (pat, statements) = (&looped.pat, &looped.body.stmts);
    let values = hidden("counters");
    let bodies = (0..turns as usize).map(|place| {
        quote! {
            #turn: {
                let #pat = #values[#place];
                #(#statements)*
            }
        }
    });
    // The counters stand in one array so that they have one type, as those of a range.
    Ok(quote! {
        #[allow(unused_labels, unreachable_code, reason = "written by unroll!")]
        #whole: {
            let #values = [#(#counters),*];
            #(#bodies)*
        }
    })
}

fn label(name: &str) -> Lifetime {
    Lifetime::new(name, Span::mixed_site())
}

/// A name that the body cannot see.
fn hidden(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// An end is a constant that only the compiler knows: a closure, inlined into the turns of `gpu_std::unroll`.
fn constant_turns(
    mut looped: ExprForLoop,
    range: &ExprRange,
    start: &Expr,
    end: &Expr,
) -> Result<TokenStream> {
    Jumps::new(&looped, Exit::Return).rewrite(&mut looped)?;
    let (pat, body) = (&looped.pat, &looped.body);
    let turns = match (is_closed(range), peel(end)) {
        (false, Expr::Path(path)) => quote! { #path },
        (false, end) => quote! { { #end } },
        (true, end) => quote! { { (#end) + 1 } },
    };
    let turn = hidden("turn");
    let run = match literal(start).map(|start| start.base10_digits() == "0") {
        Some(true) => quote! { { let #pat = #turn; #body } },
        _ => quote! { if #turn >= #start { let #pat = #turn; #body } },
    };
    Ok(quote! {
        ::gpu_std::unroll::unroll::<#turns>(#[inline(always)] |#turn: usize| #run)
    })
}

/// What becomes of `break` and `continue` of the loop itself.
enum Exit {
    Labels { whole: Lifetime, turn: Lifetime },
    Return,
}

struct Jumps {
    exit: Exit,
    own_label: Option<Lifetime>,
    inner_loops: usize,
    error: Option<Error>,
}

impl Jumps {
    fn new(looped: &ExprForLoop, exit: Exit) -> Self {
        Self { exit, own_label: looped.label.as_ref().map(|l| l.name.clone()), inner_loops: 0, error: None }
    }

    fn rewrite(mut self, looped: &mut ExprForLoop) -> Result<()> {
        self.visit_block_mut(&mut looped.body);
        self.error.map_or(Ok(()), Err)
    }

    fn is_ours(&self, label: Option<&Lifetime>) -> bool {
        match label {
            None => self.inner_loops == 0,
            Some(label) => self.own_label.as_ref().is_some_and(|own| own.ident == label.ident),
        }
    }

    fn refuse(&mut self, expr: &Expr, what: &str) {
        let message =
            format!("`unroll!` over a constant cannot {what}: its turns are calls; use a range of literals");
        self.error.get_or_insert_with(|| Error::new_spanned(expr, message));
    }

    fn replace(&mut self, expr: &mut Expr) {
        match (&*expr, &self.exit) {
            (Expr::Break(jump), Exit::Labels { whole, .. }) if self.is_ours(jump.label.as_ref()) => {
                *expr = syn::parse_quote! { break #whole };
            }
            (Expr::Continue(jump), Exit::Labels { turn, .. }) if self.is_ours(jump.label.as_ref()) => {
                *expr = syn::parse_quote! { break #turn };
            }
            (Expr::Continue(jump), Exit::Return) if self.is_ours(jump.label.as_ref()) => {
                *expr = syn::parse_quote! { return };
            }
            (Expr::Break(jump), Exit::Return) if self.is_ours(jump.label.as_ref()) => {
                self.refuse(&expr.clone(), "break");
            }
            (Expr::Return(_), Exit::Return) => self.refuse(&expr.clone(), "return from the function"),
            (Expr::Try(_), Exit::Return) => self.refuse(&expr.clone(), "return by `?`"),
            _ => {}
        }
    }
}

impl VisitMut for Jumps {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            // Jumps inside are their own.
            Expr::Closure(_) | Expr::Async(_) | Expr::Const(_) => {}
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                self.inner_loops += 1;
                visit_mut::visit_expr_mut(self, expr);
                self.inner_loops -= 1;
            }
            _ => {
                visit_mut::visit_expr_mut(self, expr);
                self.replace(expr);
            }
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
