//! Why a text cannot be loaded or a launch cannot start.

use std::path::PathBuf;

use crate::finding::Findings;
use crate::memory::MemoryError;

/// A PTX text cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is not PTX as the parser knows it.
    #[error("{name}: {error}")]
    Parse {
        /// The file or the name it was given.
        name: String,
        /// Where and what.
        error: ptx_parse::ParseError,
    },
    /// Something in it is not executed here, or makes no sense.
    #[error("{name}:{line}: {kind}")]
    Code {
        /// The file or the name it was given.
        name: String,
        /// Line of the PTX text.
        line: u32,
        /// What.
        kind: CodeError,
    },
    /// A variable of the module does not fit.
    #[error("{name}: variable `{variable}`: {error}")]
    Variable {
        /// The file or the name it was given.
        name: String,
        /// The variable.
        variable: String,
        /// Why.
        error: MemoryError,
    },
}

/// What is wrong with a line of PTX.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeError {
    /// An instruction, or a combination of its modifiers, that is not executed here.
    #[error("the simulator does not execute `{0}`")]
    Instruction(String),
    /// A name that nothing declares.
    #[error("`{0}` is not declared")]
    Undeclared(String),
    /// A label that does not exist.
    #[error("there is no label `{0}`")]
    NoLabel(String),
    /// An operand that does not belong there.
    #[error("`{instruction}`: operand {index} is not {expected}")]
    Operand {
        /// The instruction.
        instruction: String,
        /// Which operand, from 1.
        index: usize,
        /// What it must be.
        expected: &'static str,
    },
    /// Another number of operands.
    #[error("`{instruction}` has {got} operands, not {want}")]
    OperandCount {
        /// The instruction.
        instruction: String,
        /// How many it has.
        got: usize,
        /// How many it takes.
        want: usize,
    },
    /// A function without a body.
    #[error("function `{0}` has no body here")]
    NoBody(String),
    /// A function that calls itself and has local variables, whose addresses would be the same in every call.
    #[error("function `{0}` calls itself and has `.local` variables, which the simulator does not execute")]
    Recursion(String),
    /// A declaration that is not executed here.
    #[error("the simulator does not know {0}")]
    Declaration(String),
    /// A variable, or all of a memory's, larger or more aligned than the simulator has room for.
    #[error("`{name}`: {what} of {got}, at most {limit}")]
    TooLarge {
        /// The variable, or the kernel for all its parameters.
        name: String,
        /// Which quantity.
        what: &'static str,
        /// Its value in bytes.
        got: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// A special register that is not known here.
    #[error("the simulator does not know the special register `{0}`")]
    SpecialRegister(String),
}

/// A launch that did not start or did not end well.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// No kernel of that name.
    #[error("no kernel `{entry}` in {module}")]
    NoEntry {
        /// The kernel asked for.
        entry: String,
        /// The module.
        module: String,
    },
    /// The code of the kernel is not executed here.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Another number of parameters.
    #[error("`{entry}` takes {want} parameters, got {got}")]
    ParamCount {
        /// The kernel.
        entry: String,
        /// How many it takes.
        want: usize,
        /// How many there are.
        got: usize,
    },
    /// A parameter of another size.
    #[error("parameter {index} of `{entry}` has {want} bytes, got {got}")]
    ParamSize {
        /// The kernel.
        entry: String,
        /// Which, from 0.
        index: usize,
        /// Its size in the PTX.
        want: u64,
        /// The size given.
        got: u64,
    },
    /// A grid, block or cluster that the kernel or the simulator does not take.
    #[error("`{entry}`: {what} of {got:?}, {limit}")]
    Shape {
        /// The kernel.
        entry: String,
        /// Grid, block or cluster.
        what: &'static str,
        /// What was asked for.
        got: [u32; 3],
        /// What is allowed.
        limit: String,
    },
    /// More shared memory than a block may have.
    #[error("`{entry}`: {got} bytes of shared memory, at most {limit}")]
    SharedBytes {
        /// The kernel.
        entry: String,
        /// Static and dynamic bytes.
        got: u64,
        /// The limit.
        limit: u64,
    },
    /// More local memory than the simulator has room for.
    #[error("`{entry}`: {got} bytes of local memory for the threads of a block, at most {limit}")]
    LocalBytes {
        /// The kernel.
        entry: String,
        /// Bytes of all threads of a block, with the gaps between variables.
        got: u64,
        /// The limit.
        limit: u64,
    },
    /// The kernel ran and something was wrong.
    #[error(transparent)]
    Findings(#[from] Findings),
}
