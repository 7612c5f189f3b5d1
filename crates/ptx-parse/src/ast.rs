//! The parts of a PTX module.

mod instruction;

use std::fmt;

pub use instruction::{Guard, Instruction, Operand};

/// A place in the text: line and column, both from 1. The column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Hash)]
pub struct Pos {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// A whole PTX file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Module {
    /// `.version`: major and minor.
    pub version: (u32, u32),
    /// `.target`: the architecture and its options.
    pub target: Vec<String>,
    /// `.address_size`: 32 or 64.
    pub address_size: u32,
    /// Module-scope variables, in order.
    pub variables: Vec<Variable>,
    /// Entries and functions, in order; a declaration has no body.
    pub functions: Vec<Function>,
    /// `.file`: index and path.
    pub files: Vec<(u64, String)>,
    /// `.alias`: name and aliasee.
    pub aliases: Vec<(String, String)>,
    /// Module-scope `.pragma` strings.
    pub pragmas: Vec<String>,
    /// `.section`: debug data, by name.
    pub sections: Vec<Section>,
}

/// A `.section` of debug data.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its name, with the dot.
    pub name: String,
    /// Its labels and data, in order.
    pub items: Vec<SectionItem>,
    /// Where it starts.
    pub pos: Pos,
}

/// A part of a [`Section`].
#[derive(Debug, Clone, PartialEq)]
pub enum SectionItem {
    /// `name:`
    Label(String),
    /// `.b8 1, 2`: the type (`.b8` to `.b64`) and the values.
    Data(ScalarType, Vec<SectionValue>),
}

/// A value of a [`Section`].
#[derive(Debug, Clone, PartialEq)]
pub enum SectionValue {
    /// A number.
    Const(Const),
    /// `label+4`, `.debug_str+4`: a label or a section, and bytes added to it.
    Symbol(String, i64),
    /// `end-start`: bytes between two labels.
    Difference(String, String),
}

/// How a name is seen by other modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Linkage {
    /// Only in this module.
    #[default]
    Internal,
    /// `.visible`
    Visible,
    /// `.extern`: defined elsewhere.
    Extern,
    /// `.weak`
    Weak,
    /// `.common`
    Common,
}

/// A state space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// Registers.
    Reg,
    /// Constant memory.
    Const,
    /// Global memory.
    Global,
    /// Memory of one thread.
    Local,
    /// Parameters.
    Param,
    /// Memory of one block.
    Shared,
    /// Textures (old spelling).
    Tex,
}

impl Space {
    /// The space with this name (no dot).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "reg" => Self::Reg,
            "const" => Self::Const,
            "global" => Self::Global,
            "local" => Self::Local,
            "param" | "param::entry" | "param::func" => Self::Param,
            "shared" | "shared::cta" | "shared::cluster" => Self::Shared,
            "tex" => Self::Tex,
            _ => return None,
        })
    }

    /// The PTX name, without the dot.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reg => "reg",
            Self::Const => "const",
            Self::Global => "global",
            Self::Local => "local",
            Self::Param => "param",
            Self::Shared => "shared",
            Self::Tex => "tex",
        }
    }
}

macro_rules! scalar_types {
    ($($variant:ident $name:literal $size:literal;)*) => {
        /// A type of registers, variables and parameters.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each variant is the PTX type of that name")]
        pub enum ScalarType { $($variant),* }

        impl ScalarType {
            /// The type with this name (no dot).
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }

            /// The PTX name, without the dot.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// Bytes of one value in memory; 0 for a predicate, which has none.
            #[must_use]
            pub fn size_bytes(self) -> u64 {
                match self { $(Self::$variant => $size),* }
            }
        }
    };
}

scalar_types! {
    Pred "pred" 0;
    B8 "b8" 1; B16 "b16" 2; B32 "b32" 4; B64 "b64" 8; B128 "b128" 16;
    U8 "u8" 1; U16 "u16" 2; U32 "u32" 4; U64 "u64" 8;
    S8 "s8" 1; S16 "s16" 2; S32 "s32" 4; S64 "s64" 8;
    F16 "f16" 2; F16x2 "f16x2" 4; Bf16 "bf16" 2; Bf16x2 "bf16x2" 4; F32 "f32" 4; F32x2 "f32x2" 8; F64 "f64" 8;
    TexRef "texref" 8; SamplerRef "samplerref" 8; SurfRef "surfref" 8;
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The `.ptr` facts of a kernel parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PtrInfo {
    /// The space it points to, where the text says so.
    pub space: Option<Space>,
    /// The alignment of what it points to.
    pub align: Option<u64>,
}

/// A variable, a parameter, or a `.param`/`.local` declaration inside a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// How other modules see it.
    pub linkage: Linkage,
    /// Where it lives.
    pub space: Space,
    /// `.align`, in bytes.
    pub align: Option<u64>,
    /// `.v2`, `.v4`, `.v8`: lanes of a vector; 1 otherwise.
    pub lanes: u64,
    /// The type of one element.
    pub ty: ScalarType,
    /// `.ptr`, on parameters.
    pub ptr: Option<PtrInfo>,
    /// Attributes as written: `managed`, `unified(..)`.
    pub attributes: Vec<String>,
    /// Its name; `_` in prototypes.
    pub name: String,
    /// Array extents; `None` for `[]`. Empty for a scalar.
    pub extents: Vec<Option<u64>>,
    /// What it holds at the start.
    pub init: Option<Init>,
    /// Where its name is.
    pub pos: Pos,
}

impl Variable {
    /// Its size in bytes; `None` when an extent is open (`[]`) or the size does not fit in 64 bits.
    #[must_use]
    pub fn size_bytes(&self) -> Option<u64> {
        let one = self.ty.size_bytes().checked_mul(self.lanes)?;
        self.extents.iter().try_fold(one, |size, extent| size.checked_mul((*extent)?))
    }

    /// Its alignment in bytes: `.align`, or the size of one element (of the whole vector when it is one).
    #[must_use]
    pub fn align_bytes(&self) -> u64 {
        self.align.unwrap_or_else(|| self.ty.size_bytes().saturating_mul(self.lanes)).max(1)
    }
}

/// The value of a variable at the start.
#[derive(Debug, Clone, PartialEq)]
pub enum Init {
    /// A number.
    Value(Const),
    /// `name`, `name+4`, `generic(name)+4`, `0xFF00(name)`.
    Symbol {
        /// The name.
        name: String,
        /// Bytes added to its address.
        offset: i64,
        /// Whether the generic address is taken.
        generic: bool,
        /// The byte mask in front, as LLVM writes addresses inside byte arrays.
        mask: Option<u64>,
    },
    /// `{ a, b, … }`
    List(Vec<Init>),
}

/// A number as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Const {
    /// A whole number, in two's complement.
    Int(i128),
    /// `0f…`, as bits.
    F32(u32),
    /// `0d…`, as bits.
    F64(u64),
    /// `1.5`.
    Decimal(f64),
}

/// Launch bounds and the like, written between the parameters and the body.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounds {
    /// `.reqntid`: the block that must be launched.
    pub reqntid: Option<[u32; 3]>,
    /// `.maxntid`: the largest block.
    pub maxntid: Option<[u32; 3]>,
    /// `.minnctapersm`
    pub minnctapersm: Option<u32>,
    /// `.maxnreg`
    pub maxnreg: Option<u32>,
    /// `.reqnctapercluster`
    pub reqnctapercluster: Option<[u32; 3]>,
    /// `.maxclusterrank`
    pub maxclusterrank: Option<u32>,
    /// `.explicitcluster`
    pub explicitcluster: bool,
    /// `.blocksareclusters`
    pub blocksareclusters: bool,
    /// `.noreturn`
    pub noreturn: bool,
    /// `.abi_preserve`: data registers that a call keeps.
    pub abi_preserve: Option<u32>,
    /// `.abi_preserve_control`: predicate registers that a call keeps.
    pub abi_preserve_control: Option<u32>,
    /// `.pragma` strings.
    pub pragmas: Vec<String>,
}

/// An entry (`.entry`) or a function (`.func`).
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Whether it is a kernel.
    pub is_entry: bool,
    /// How other modules see it.
    pub linkage: Linkage,
    /// Attributes as written: `unified(1, 2)`.
    pub attributes: Vec<String>,
    /// Its name.
    pub name: String,
    /// Return values (`.func` only).
    pub returns: Vec<Variable>,
    /// Parameters, in order.
    pub params: Vec<Variable>,
    /// Launch bounds.
    pub bounds: Bounds,
    /// Its statements; `None` for a declaration.
    pub body: Option<Vec<Statement>>,
    /// Where its name is.
    pub pos: Pos,
}

/// One statement of a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// `.reg .b32 %r<14>;` or `.reg .b32 a, b;`
    Reg(RegDecl),
    /// A `.local`, `.shared`, `.param`, `.global`, `.const` declaration.
    Variable(Variable),
    /// `name:`
    Label {
        /// The label.
        name: String,
        /// Where.
        pos: Pos,
    },
    /// An instruction.
    Instruction(Instruction),
    /// `{ … }`: a scope of its own, as inline assembly opens.
    Block(Vec<Statement>),
    /// `.loc`: where the following instructions come from.
    Loc(Loc),
    /// `.pragma "…";`
    Pragma(String),
    /// `name: .branchtargets a, b;` or `name: .calltargets f, g;`
    Targets {
        /// Branches or calls.
        kind: TargetKind,
        /// The label.
        name: String,
        /// What it lists.
        targets: Vec<String>,
        /// Where.
        pos: Pos,
    },
    /// `name: .callprototype (…) _ (…);`
    Prototype {
        /// The label.
        name: String,
        /// Return values.
        returns: Vec<Variable>,
        /// Parameters.
        params: Vec<Variable>,
        /// `.noreturn`
        noreturn: bool,
        /// Where.
        pos: Pos,
    },
}

/// What a list of targets is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// `.branchtargets`: labels, for `brx.idx`.
    Branch,
    /// `.calltargets`: functions, for an indirect `call`.
    Call,
}

impl TargetKind {
    /// The directive, without its dot.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Branch => "branchtargets",
            Self::Call => "calltargets",
        }
    }
}

/// A register declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct RegDecl {
    /// The type of each.
    pub ty: ScalarType,
    /// Lanes of a vector register; 1 otherwise.
    pub lanes: u64,
    /// Names; with a count, `name` stands for `name0 … name(count-1)`.
    pub names: Vec<(String, Option<u64>)>,
    /// Where.
    pub pos: Pos,
}

/// A `.loc` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loc {
    /// The `.file` index.
    pub file: u64,
    /// Source line.
    pub line: u64,
    /// Source column.
    pub column: u64,
    /// `function_name` label and `inlined_at` file, line, column.
    pub inlined: Option<(String, [u64; 3])>,
    /// Bytes added to the `function_name` label.
    pub name_offset: i64,
    /// Where it is in the PTX text.
    pub pos: Pos,
}
