//! Barrier objects, bulk copies and clusters: what kernels compute, and that each planted fault is found at its line, whatever
//! the order. In a body, `//tag` names a line.

#[path = "flights/clusters.rs"]
mod clusters;
mod common;
#[path = "flights/loads.rs"]
mod loads;
#[path = "flights/objects.rs"]
mod objects;
#[path = "flights/stores.rs"]
mod stores;
#[path = "flights/tensors.rs"]
mod tensors;

use common::{FIRST_LINE, kernel_with};
use ptx_sim::{Device, Finding, FindingKind, LaunchConfig, LaunchError, Options};

/// Scheduling orders: in that of seed 0 copies are as late as can be.
const SEEDS: std::ops::Range<u64> = 0..12;

/// A kernel with a body whose lines can be changed.
#[derive(Clone)]
struct Program {
    declarations: String,
    params: &'static str,
    body: String,
    config: LaunchConfig,
}

impl Program {
    fn new(declarations: &str, params: &'static str, threads: u32, body: &str) -> Self {
        let config = LaunchConfig { block: [threads, 1, 1], ..LaunchConfig::default() };
        Self { declarations: declarations.to_owned(), params, body: body.to_owned(), config }
    }

    fn grid(mut self, grid: u32, cluster: u32) -> Self {
        (self.config.grid, self.config.cluster) = ([grid, 1, 1], [cluster, 1, 1]);
        self
    }

    /// The same with another line in the place of the one that has the tag.
    fn with(&self, tag: &str, line: &str) -> Self {
        let change = |old: &str| if has(old, tag) { format!("{line} //{tag}") } else { old.to_owned() };
        assert!(self.body.lines().any(|line| has(line, tag)), "no line {tag}");
        let body: Vec<String> = self.body.lines().map(change).collect();
        Self { body: body.join("\n"), ..self.clone() }
    }

    fn without(&self, tag: &str) -> Self {
        self.with(tag, "")
    }

    fn line(&self, tag: &str) -> u32 {
        let at = self.body.lines().position(|line| has(line, tag));
        FIRST_LINE + at.unwrap_or_else(|| panic!("no line {tag}")) as u32
    }

    /// Runs it; `input` comes first, then an output of `out` words. The words, or what was found.
    fn run(&self, seed: u64, input: &[u32], out: usize) -> Result<Vec<u32>, Vec<Finding>> {
        self.run_with(seed, input, &vec![0; out], |_| Vec::new())
    }

    /// The same with words in the output, and a third parameter made of the input's address.
    fn run_with(
        &self,
        seed: u64,
        input: &[u32],
        output: &[u32],
        third: impl Fn([u64; 2]) -> Vec<u8>,
    ) -> Result<Vec<u32>, Vec<Finding>> {
        let device = Device::new(Options::default().seed(seed).step_limit(2_000_000));
        let text =
            kernel_with(&self.declarations, self.params, &self.body).replace(".version 8.0", ".version 8.6");
        let module = device.load_text("text", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let place = |words: &[u32]| {
            let at = device.alloc(4 * words.len() as u64).expect("there is room");
            device.write(at, &bytes(words)).expect("it is there");
            at
        };
        let (x, y) = (place(input), place(output));
        let mut params = vec![x.to_le_bytes().to_vec(), y.to_le_bytes().to_vec()];
        let more = third([x, y]);
        if !more.is_empty() {
            params.push(more);
        }
        match module.launch("k", &self.config, &params) {
            Ok(_) => {
                let mut got = vec![0; 4 * output.len()];
                device.read(y, &mut got).expect("it is there");
                Ok(got
                    .chunks(4)
                    .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
                    .collect())
            }
            Err(LaunchError::Findings(found)) => Err(found.0),
            Err(other) => panic!("{other}\n{text}"),
        }
    }

    /// Every order gives these words.
    fn gives(&self, input: &[u32], want: &[u32]) {
        for seed in SEEDS {
            match self.run(seed, input, want.len()) {
                Ok(got) => assert_eq!(got, want, "seed {seed}"),
                Err(found) => panic!("seed {seed}: {}", listed(&found)),
            }
        }
    }

    /// Every order finds something at the line of the tag.
    fn fails(&self, input: &[u32], out: usize, tag: &str, kind: impl Fn(&FindingKind) -> bool) {
        for seed in SEEDS {
            let found = self.run(seed, input, out).expect_err(&format!("seed {seed}: nothing is found"));
            let there = |f: &Finding| f.place.line == self.line(tag) && kind(&f.kind);
            assert!(found.iter().any(there), "seed {seed}, line {}: {}", self.line(tag), listed(&found));
        }
    }
}

fn has(line: &str, tag: &str) -> bool {
    line.rsplit_once("//").is_some_and(|(_, found)| found.trim() == tag)
}

fn listed(found: &[Finding]) -> String {
    found.iter().map(|f| format!("{f}\n")).collect()
}

fn is_early(kind: &FindingKind) -> bool {
    matches!(kind, FindingKind::EarlyAsyncRead(_))
}

fn is_object(kind: &FindingKind, part: &str) -> bool {
    matches!(kind, FindingKind::MBarrier { what, .. } if what.contains(part))
}

fn numbers(len: u32) -> Vec<u32> {
    (0..len).map(|i| i.wrapping_mul(0x9e37_79b9) ^ 5).collect()
}

/// `x` and `y` in `%rd1` and `%rd2`, the thread in `%r1`, its place in `y` in `%rd3`, whether it is the first in `%p1`.
const START: &str = "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd4, %r1, 4; \
     add.u64 %rd3, %rd2, %rd4; setp.eq.u32 %p1, %r1, 0;";

const PARAMS: &str = ".param .u64 x, .param .u64 y";
