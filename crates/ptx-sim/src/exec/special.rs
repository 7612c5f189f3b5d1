//! The special registers of a warp.

use super::grid::Job;
use super::regs::Regs;
use crate::program::Special;
use crate::program::ir::Reg;

/// Multiprocessors of the simulated device.
pub(super) const SM_COUNT: u64 = 132;

/// Writes the special registers that the kernel reads.
pub(super) fn set(regs: &mut Regs, job: &Job, index: u64, at: [u32; 3], warp: u32) {
    for (special, reg) in &job.kernel.specials {
        match special {
            Special::Tid(axis) => {
                for lane in 0..32 {
                    let thread = job.thread_at(warp * 32 + lane);
                    regs.set(*reg, lane as usize, u64::from(thread[usize::from(*axis)]));
                }
                regs.define(*reg, u32::MAX);
            }
            Special::Laneid => by_lane(regs, *reg, |lane| lane),
            Special::LanemaskEq => by_lane(regs, *reg, |lane| 1 << lane),
            Special::LanemaskLt => by_lane(regs, *reg, |lane| (1 << lane) - 1),
            Special::LanemaskLe => by_lane(regs, *reg, |lane| u32::MAX >> (31 - lane)),
            Special::LanemaskGt => by_lane(regs, *reg, |lane| !(u32::MAX >> (31 - lane))),
            Special::LanemaskGe => by_lane(regs, *reg, |lane| u32::MAX << lane),
            other => regs.fill(*reg, uniform(*other, job, index, at, warp)),
        }
    }
}

fn by_lane(regs: &mut Regs, reg: Reg, value: impl Fn(u32) -> u32) {
    for lane in 0..32 {
        regs.set(reg, lane as usize, u64::from(value(lane)));
    }
}

/// The value of a register that is the same for all lanes.
fn uniform(special: Special, job: &Job, index: u64, at: [u32; 3], warp: u32) -> u64 {
    let (grid, cluster) = (job.grid, job.cluster);
    let axis = |values: [u32; 3], axis: u8| u64::from(values[usize::from(axis)]);
    let in_cluster: [u32; 3] = std::array::from_fn(|i| at[i] % cluster[i]);
    match special {
        Special::Ntid(a) => axis(job.block, a),
        Special::Ctaid(a) => axis(at, a),
        Special::Nctaid(a) => axis(grid, a),
        Special::ClusterId(a) => axis(at, a) / axis(cluster, a),
        Special::NclusterId(a) => axis(grid, a) / axis(cluster, a),
        Special::ClusterCtaid(a) => axis(in_cluster, a),
        Special::ClusterNctaid(a) => axis(cluster, a),
        Special::ClusterCtarank => {
            u64::from(in_cluster[0] + cluster[0] * (in_cluster[1] + cluster[1] * in_cluster[2]))
        }
        Special::ClusterNctarank => u64::from(cluster.iter().product::<u32>()),
        Special::IsExplicitCluster => u64::from(cluster != [1; 3]),
        Special::Warpid => u64::from(warp),
        Special::Nwarpid => 64,
        Special::Smid => index % SM_COUNT,
        Special::Nsmid => SM_COUNT,
        Special::Gridid => job.grid_id,
        Special::DynamicSmemSize => u64::from(job.shared_bytes),
        Special::TotalSmemSize | Special::AggrSmemSize => {
            (job.kernel.shared_bytes + u64::from(job.shared_bytes)).next_multiple_of(128)
        }
        _ => 0,
    }
}
