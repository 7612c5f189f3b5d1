//! What an op is checked by on a back end: its named cases, random ones, other grids than it would choose, and what its family
//! adds. The mutation check runs the same list on kernels with planted faults.

/// The check by a function that is generic over the device, on whatever device there is.
macro_rules! on_device {
    ($name:literal, $test:path) => {
        Check::on_device($name, |executor| {
            match executor {
                Executor::Cuda(stream) => $test(stream),
                Executor::Sim(sim) => $test(sim),
                _ => fail("this is no device"),
            }
            .map(|()| 1)
        })
    };
}

#[path = "cross.rs"]
mod cross;
#[path = "dtw.rs"]
mod dtw;
#[path = "dtw_search.rs"]
mod dtw_search;
#[path = "dtw_sequences.rs"]
mod dtw_sequences;
#[path = "dtw_stream.rs"]
mod dtw_stream;
#[path = "embedding.rs"]
mod embedding;
#[path = "embedding_faults.rs"]
mod embedding_faults;
#[path = "matmul.rs"]
mod matmul;
#[path = "quantize.rs"]
mod quantize;
#[path = "random.rs"]
mod random;
#[path = "refusals.rs"]
mod refusals;

use host::ops::{self, Case, DType, Executor, Op};
use host::runtime::Dim3;
use tests::{SIM_ELEMENTS, elements};

use crate::harness::{Stop, fail};

/// Elements of a case above which it is not run on other grids.
const GRID_ELEMENTS: u64 = 20_000;

/// Grids that no op chooses for such cases: one block, fewer than needed, more than needed, every axis.
const GRIDS: [(u32, u32, u32); 6] = [(1, 1, 1), (3, 1, 1), (1, 2, 1), (1, 1, 3), (5, 7, 1), (2, 3, 4)];

/// How many cases were compared.
pub type Checked = Result<u64, Stop>;

/// A check of one op and element type.
pub struct Check {
    /// `hadamard_f32::n_257`: op and element type, and what is checked.
    pub name: String,
    /// Whether the CPU twin has a part in it.
    #[allow(dead_code, reason = "`mutation.rs` has no CPU twin")]
    pub on_cpu: bool,
    body: Box<dyn Fn(&Executor) -> Checked + Send + Sync>,
}

impl Check {
    /// A check for every back end.
    fn everywhere(name: String, body: impl Fn(&Executor) -> Checked + Send + Sync + 'static) -> Self {
        Self { name, on_cpu: true, body: Box::new(body) }
    }

    /// A check for back ends with a device.
    fn on_device(
        name: impl Into<String>,
        body: impl Fn(&Executor) -> Checked + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), on_cpu: false, body: Box::new(body) }
    }

    /// Runs it.
    pub fn run(&self, executor: &Executor) -> Checked {
        (self.body)(executor)
    }

    /// Op and element type, such as `hadamard_f32`.
    #[allow(dead_code, reason = "`differential.rs` runs them all")]
    pub fn subject(&self) -> &str {
        self.name.split("::").next().unwrap_or_default()
    }
}

/// All checks. `explain`: whether a random case that fails is made smaller.
pub fn all(explain: bool) -> Vec<Check> {
    let mut checks = Vec::new();
    for op in ops::all() {
        for &dtype in op.dtypes() {
            checks.extend(checks_of(op, dtype, explain));
        }
    }
    checks.extend(cross::checks());
    checks.extend(dtw::checks());
    checks.extend(dtw_sequences::checks());
    checks.extend(dtw_stream::checks());
    checks.extend(dtw_search::checks());
    checks.extend(embedding::checks());
    checks.extend(embedding_faults::checks());
    checks.extend(matmul::checks());
    checks.extend(quantize::checks());
    checks.extend(refusals::checks());
    checks
}

fn checks_of(op: &'static dyn Op, dtype: DType, explain: bool) -> Vec<Check> {
    let prefix = format!("{}_{dtype}", op.name());
    let named = op.cases().into_iter().map(|case| {
        Check::everywhere(format!("{prefix}::{}", case.name), move |executor| {
            named(op, dtype, &case, executor)
        })
    });
    let mut checks: Vec<Check> = named.collect();
    if op.any_grid() {
        checks.extend(GRIDS.map(|(x, y, z)| {
            Check::on_device(format!("{prefix}::grid_{x}x{y}x{z}"), move |executor| {
                on_grid(op, dtype, (x, y, z).into(), executor)
            })
        }));
    }
    let random = move |executor: &Executor| random::check(op, dtype, executor, explain);
    checks.push(Check::everywhere(format!("{prefix}::random"), random));
    checks
}

/// Runs a named case where the back end can.
fn named(op: &dyn Op, dtype: DType, case: &Case, executor: &Executor) -> Checked {
    let elements = elements(case);
    if executor.is_simulated() && elements > SIM_ELEMENTS {
        return Err(Stop::Elsewhere(format!(
            "{elements} elements, and the simulator takes cases of at most {SIM_ELEMENTS}"
        )));
    }
    compare_case(op, dtype, case, executor)
}

/// Runs the smaller cases on another grid than the op's.
fn on_grid(op: &dyn Op, dtype: DType, grid: Dim3, executor: &Executor) -> Checked {
    let Executor::Sim(sim) = executor else {
        return Err(Stop::Elsewhere("only the simulator takes another grid than the op's".to_owned()));
    };
    let executor = Executor::Sim(sim.on_grid(grid));
    let mut compared = 0;
    for case in op.cases().iter().filter(|case| elements(case) <= GRID_ELEMENTS) {
        compared += compare_case(op, dtype, case, &executor)?;
    }
    if compared == 0 {
        return fail(format!("no case has at most {GRID_ELEMENTS} elements"));
    }
    Ok(compared)
}

/// Runs one case and compares every output.
fn compare_case(op: &dyn Op, dtype: DType, case: &Case, executor: &Executor) -> Checked {
    let mut run = op.prepare(executor, dtype, case)?;
    run.launch()?;
    let comparisons = run.verify()?;
    if comparisons.is_empty() {
        return fail("nothing was compared");
    }
    match comparisons.iter().find(|c| !c.passed()) {
        Some(wrong) => fail(format!("{wrong}\n{case:?}")),
        None => Ok(1),
    }
}
