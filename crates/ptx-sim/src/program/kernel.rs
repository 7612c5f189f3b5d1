//! A kernel ready to run.

use std::sync::Arc;

use ptx_parse::analysis::Param;
use ptx_parse::ast::Bounds;

use super::ir::{Inst, Place, Reg, Row};
use crate::finding::RustLine;
use crate::memory::Layout;

/// A kernel with all the functions it reaches.
#[derive(Debug)]
pub(crate) struct Kernel {
    /// Its name.
    pub name: Arc<str>,
    /// Its instructions; the kernel starts at 0.
    pub code: Vec<Inst>,
    /// Full names of instructions, without doubles.
    pub names: Vec<String>,
    /// Source lines of instructions.
    pub sources: Vec<RustLine>,
    /// The functions it reaches.
    pub functions: Vec<FunctionInfo>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Launch bounds.
    pub bounds: Bounds,
    /// Rows of each register file.
    pub rows: RowCounts,
    /// Rows that hold a number, all lanes the same.
    pub consts: Vec<(Reg, u64)>,
    /// Rows that hold a special register.
    pub specials: Vec<(Special, Reg)>,
    /// The variables of shared memory.
    pub shared: Layout,
    /// Bytes of static shared memory, as the driver counts them.
    pub shared_bytes: u64,
    /// Start of the dynamic shared array, if the kernel refers to it.
    pub dynamic_shared: Option<u64>,
    /// The variables of local memory.
    pub local: Layout,
    /// The width in bytes of the narrowest access to memory that others see: 1, 2 or 4.
    pub grain: u32,
    /// Whether blocks may talk to one another: then they are run by one thread, turn by turn.
    pub coupled: bool,
    /// Whether addresses of shared memory may be those of other blocks.
    pub maps_shared: bool,
    /// Whether it uses the async proxy.
    pub async_proxy: bool,
    /// With `wgmma`: the registers of 32 bits that each instruction reads or writes; else empty.
    pub words: Vec<Box<[Row]>>,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionInfo {
    /// Its name.
    pub name: String,
    /// Its address, as calls by address know it.
    pub address: u64,
    /// Its first instruction.
    pub start: u32,
    /// Its parameters.
    pub params: Vec<Place>,
    /// Its results.
    pub returns: Vec<Place>,
    /// If it may call itself: all that a call must leave as it was.
    pub saved: Vec<Place>,
}

/// Rows of each register file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowCounts {
    /// Predicates.
    pub pred: Row,
    /// 32 bits (and 16).
    pub word: Row,
    /// 64 bits (and 128).
    pub double: Row,
}

/// A special register that does not change while a thread runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is the special register of that name")]
pub(crate) enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    ClusterId(u8),
    NclusterId(u8),
    ClusterCtaid(u8),
    ClusterNctaid(u8),
    ClusterCtarank,
    ClusterNctarank,
    IsExplicitCluster,
    Laneid,
    Warpid,
    Nwarpid,
    Smid,
    Nsmid,
    Gridid,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    DynamicSmemSize,
    TotalSmemSize,
    AggrSmemSize,
}

impl Special {
    /// The register of this name, and whether it has 64 bits.
    pub fn from_name(name: &str, component: Option<&str>) -> Option<Self> {
        let axis = match component {
            None => None,
            Some("x") => Some(0),
            Some("y") => Some(1),
            Some("z") => Some(2),
            Some(_) => return None,
        };
        Some(match (name, axis) {
            ("%tid", Some(a)) => Self::Tid(a),
            ("%ntid", Some(a)) => Self::Ntid(a),
            ("%ctaid", Some(a)) => Self::Ctaid(a),
            ("%nctaid", Some(a)) => Self::Nctaid(a),
            ("%clusterid", Some(a)) => Self::ClusterId(a),
            ("%nclusterid", Some(a)) => Self::NclusterId(a),
            ("%cluster_ctaid", Some(a)) => Self::ClusterCtaid(a),
            ("%cluster_nctaid", Some(a)) => Self::ClusterNctaid(a),
            ("%cluster_ctarank", None) => Self::ClusterCtarank,
            ("%cluster_nctarank", None) => Self::ClusterNctarank,
            ("%is_explicit_cluster", None) => Self::IsExplicitCluster,
            ("%laneid", None) => Self::Laneid,
            ("%warpid", None) => Self::Warpid,
            ("%nwarpid", None) => Self::Nwarpid,
            ("%smid", None) => Self::Smid,
            ("%nsmid", None) => Self::Nsmid,
            ("%gridid", None) => Self::Gridid,
            ("%lanemask_eq", None) => Self::LanemaskEq,
            ("%lanemask_le", None) => Self::LanemaskLe,
            ("%lanemask_lt", None) => Self::LanemaskLt,
            ("%lanemask_ge", None) => Self::LanemaskGe,
            ("%lanemask_gt", None) => Self::LanemaskGt,
            ("%dynamic_smem_size", None) => Self::DynamicSmemSize,
            ("%total_smem_size", None) => Self::TotalSmemSize,
            ("%aggr_smem_size", None) => Self::AggrSmemSize,
            _ => return None,
        })
    }
}
