//! Conflicts between blocks that different workers ran.

use super::cells::{Cell, Cells, RUN, Run};
use super::report::RaceReport;
use super::reports::{Later, Problem, Reports, earlier};
use super::space::Space;
use super::stamp::Stamp;
use super::view::View;

/// The races of a launch whose blocks several workers ran, one for each pair of lines: those the views found, and
/// those between the blocks of different views. The views are forks of one. The workers must not have run blocks that synchronise with
/// one another. The result depends on which blocks each view ran, and on nothing else.
pub(crate) fn merge(views: Vec<View>) -> Vec<RaceReport> {
    let mut all = Vec::new();
    for (later, view) in views.iter().enumerate() {
        for other in &views[..later] {
            let mut reports = Reports::default();
            between(other, view, &mut reports);
            all.append(&mut reports.take());
        }
    }
    for mut view in views {
        all.append(&mut view.take_reports());
    }
    let key = |report: &RaceReport| (report.line, report.earlier.line, std::mem::discriminant(&report.kind));
    let order = |report: &RaceReport| {
        let RaceReport { block, thread, line, earlier, .. } = *report;
        (line, earlier.line, block, thread, earlier.block, earlier.thread)
    };
    all.sort_by_key(order);
    let mut seen = std::collections::HashSet::new();
    all.retain(|report| seen.insert(key(report)));
    all
}

fn between(a: &View, b: &View, reports: &mut Reports) {
    for (index, (ours, theirs)) in a.cells.iter().zip(&b.cells).enumerate() {
        let (Some(ours), Some(theirs)) = (ours, theirs) else {
            continue;
        };
        let base = a.base(index);
        let both = ours.common(theirs).filter(|(_, a, b)| !a.is_untouched() && !b.is_untouched());
        for (run, ra, rb) in both.filter(|(_, a, b)| may_conflict(a, b)) {
            let place = base + ((run * u64::from(RUN)) << ours.grain);
            in_run((ours, ra), (theirs, rb), place, reports);
        }
    }
}

/// Whether one of the two may have writes.
fn may_conflict(a: &Run, b: &Run) -> bool {
    let writes = |run: &Run| !run.is_whole() || !run.all.write.is_never();
    writes(a) || writes(b)
}

fn in_run((a, run_a): (&Cells, &Run), (b, run_b): (&Cells, &Run), place: u64, reports: &mut Reports) {
    for index in 0..RUN {
        let (cell_a, cell_b) = (a.cell(run_a, index), b.cell(run_b, index));
        let address = place + (u64::from(index) << a.grain);
        let nc = (run_a.nc >> index & 1 == 1, run_b.nc >> index & 1 == 1);
        in_grain(&cell_a, &cell_b, nc, address, reports);
    }
}

fn in_grain(a: &Cell, b: &Cell, nc: (bool, bool), address: u64, reports: &mut Reports) {
    let write = |cell: &Cell| (cell.write, cell.write_line, true);
    let reads = |cell: &Cell| [(cell.read, cell.read_line, false), (cell.read2, cell.read2_line, false)];
    pair(Problem::Race, write(a), write(b), address, reports);
    for read in reads(a) {
        pair(if nc.0 { Problem::Nc } else { Problem::Race }, read, write(b), address, reports);
    }
    for read in reads(b) {
        pair(if nc.1 { Problem::Nc } else { Problem::Race }, write(a), read, address, reports);
    }
}

type One = (Stamp, u32, bool);

/// Two accesses, at least one a write, by different blocks: the lower block's counts as the earlier.
fn pair(problem: Problem, a: One, b: One, address: u64, reports: &mut Reports) {
    let harmless = problem == Problem::Race && a.0.both_strong(b.0);
    if a.0.is_never() || b.0.is_never() || harmless {
        return;
    }
    let (first, second) = if a.0.block() <= b.0.block() { (a, b) } else { (b, a) };
    let (stamp, line, write) = second;
    let (block, thread) = (stamp.block(), stamp.thread());
    let later = Later { block, thread, line, write, space: Space::Global, address };
    reports.add(problem, later, earlier(first.0, first.1, first.2));
}
