//! Atomic operations, ordered loads and stores, and fences, each with its order, scope and state space spelled out.
//!
//! ```text
//! let before = unsafe { atom_add(counter, 1_u32, Relaxed, Gpu, Global) }; // atom.relaxed.gpu.global.add.u32
//! unsafe { red_add(histogram, 1_u32, Relaxed, Cta, Shared) };             // red.relaxed.cta.shared.add.u32
//! fence(AcqRel, Gpu);                                                     // fence.acq_rel.gpu
//! ```
//!
//! The words are types without size: they vanish, and exactly one instruction remains. A combination the ISA lacks does not
//! compile: `ld` takes [`Relaxed`] or [`Acquire`], `st` and `red_*` [`Relaxed`] or [`Release`], `fence` [`AcqRel`] or
//! [`SeqCst`].
//!
//! `core::sync::atomic` works on the device too, but always with the scope of the whole system, and its sequentially
//! consistent operations cost a fence each.
//!
//! On the host all of these panic with their name.

mod fetch;
mod ordered;
mod words;

pub use fetch::{
    AtomAdd, AtomBits, AtomCas, AtomExch, AtomMinMax, AtomSub, atom_add, atom_and, atom_cas, atom_dec,
    atom_exch, atom_inc, atom_max, atom_min, atom_or, atom_sub, atom_xor, red_add, red_and, red_dec, red_inc,
    red_max, red_min, red_or, red_sub, red_xor,
};
pub use ordered::{fence, ld, st};
pub use words::{
    AcqRel, Acquire, AtomOrder, Cluster, Cta, FenceOrder, Generic, Global, Gpu, LoadOrder, Order, Relaxed,
    Release, Scope, SeqCst, Shared, Space, StoreOrder, Sys,
};
