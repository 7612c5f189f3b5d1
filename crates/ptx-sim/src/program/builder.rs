//! Puts a kernel together: collects the functions it reaches, names and labels, then turns instruction after instruction.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ptx_parse::analysis::Param;
use ptx_parse::ast::{Function, Instruction, Linkage, Loc, Module, RegDecl, Space, Statement, Variable};

use super::ir::{Access, Bulk, Inst, Op, Place, Reduction, Site, Strength, Window};
use super::kernel::{FunctionInfo, Kernel};
use super::names::{
    MAX_LOCAL_BYTES, MAX_PARAM_BYTES, MAX_SHARED_BYTES, Meaning, Places, Reg2, Rows, Scope, checked_align,
    code_address, extent, resolved,
};
use crate::error::CodeError;
use crate::finding::RustLine;
use crate::memory::{FIRST_OFFSET, Scope as MemoryScope};

/// A fault in a line.
pub(crate) type Fault = (u32, CodeError);

/// An instruction with the scope it stands in.
pub(super) struct Flat<'m> {
    /// `None` at the end of a body, which may come without `ret`.
    pub(super) instruction: Option<&'m Instruction>,
    scope: usize,
    source: u32,
}

/// What is known while a kernel is put together.
pub(super) struct Builder<'m> {
    pub(super) module: &'m Module,
    pub(super) globals: &'m HashMap<String, u64>,
    pub(super) flat: Vec<Flat<'m>>,
    pub(super) scopes: Vec<Scope>,
    pub(super) rows: Rows,
    shared: Places,
    local: Places,
    dynamic_shared: Option<u64>,
    /// The alignment of the dynamic shared array: the largest of all its names.
    dynamic_align: u64,
    /// Shared variables of the module.
    pub(super) shared_names: HashMap<String, u64>,
    /// Names that instructions and tables use, and whose meaning was looked for.
    pub(super) reached: HashSet<String>,
    pub(super) functions: Vec<FunctionInfo>,
    pub(super) function_scopes: Vec<usize>,
    names: HashMap<String, u32>,
    name_list: Vec<String>,
    sources: HashMap<(u64, u64), u32>,
    source_list: Vec<RustLine>,
}

/// Makes `entry` ready to run; `globals` are the addresses of the module's variables.
///
/// # Errors
/// The line and what is wrong with it.
pub(crate) fn compile(
    module: &Module,
    globals: &HashMap<String, u64>,
    entry: &Function,
) -> Result<Kernel, Fault> {
    let mut builder = Builder::new(module, globals);
    builder.collect(entry)?;
    let code = builder.code()?;
    builder.note_recursion(entry.pos.line)?;
    let params = params_of(entry).map_err(|error| (entry.pos.line, error))?;
    let (grain, coupled) = (grain(&code), code.iter().any(couples));
    let maps_shared = code.iter().any(|inst| matches!(inst.op, Op::Mapa(..)));
    let async_proxy = code.iter().any(uses_async_proxy);
    let wgmma = code.iter().any(|inst| matches!(inst.op, Op::Wgmma(_)));
    let words = if wgmma { super::words::of_code(&code) } else { Vec::new() };
    let Builder { rows, shared, local, dynamic_shared, functions, name_list, source_list, .. } = builder;
    Ok(Kernel {
        name: Arc::from(entry.name.as_str()),
        code,
        names: name_list,
        sources: source_list,
        functions,
        params,
        bounds: entry.bounds.clone(),
        rows: rows.counts,
        consts: rows.consts.into_iter().map(|((_, value), reg)| (reg, value)).collect(),
        specials: rows.specials.into_iter().collect(),
        shared_bytes: shared.packed_bytes,
        shared: shared.layout(),
        dynamic_shared,
        local: local.layout(),
        grain,
        coupled,
        maps_shared,
        async_proxy,
        words,
    })
}

/// The parameters of a kernel, with their places.
fn params_of(entry: &Function) -> Result<Vec<Param>, CodeError> {
    let Some(params) = entry.layout() else {
        return Err(CodeError::Declaration("a parameter of open size".to_owned()));
    };
    let got = params.last().map_or(0, |last| last.offset.saturating_add(last.size));
    if got > MAX_PARAM_BYTES {
        let (name, what, limit) = (entry.name.clone(), "parameters", MAX_PARAM_BYTES);
        return Err(CodeError::TooLarge { name, what, got, limit });
    }
    Ok(params)
}

/// The narrowest element that goes to or from memory that other threads see.
fn grain(code: &[Inst]) -> u32 {
    let narrowest = |access: &Access| match access.window {
        Window::Local | Window::Param => 4,
        _ => access.elem_bytes * access.regs.len() as u32,
    };
    code.iter()
        .map(|inst| match &inst.op {
            Op::Load(access) | Op::Store(access) => narrowest(access),
            Op::Atom(atom) => atom.bytes,
            Op::StAsync(store) => store.bytes,
            Op::Bulk(bulk) => bulk_grain(bulk),
            Op::Warp(warp) => warp.0.narrowest(),
            _ => 4,
        })
        .min()
        .unwrap_or(4)
        .clamp(1, 4)
}

/// The narrowest element of a bulk copy: those to tensors may be cut off at any element.
fn bulk_grain(bulk: &Bulk) -> u32 {
    match (&bulk.to, &bulk.reduction) {
        (Site::Tensor(..), _) => 1,
        (_, Some(Reduction::Typed(reduce))) => reduce.bytes,
        _ => 4,
    }
}

/// Whether an instruction lets a block see what another one does, before the launch is over.
fn couples(inst: &Inst) -> bool {
    let outside = |window: Window| matches!(window, Window::Generic | Window::Global);
    match &inst.op {
        Op::Atom(atom) => outside(atom.window),
        Op::Load(access) | Op::Store(access) => {
            outside(access.window) && matches!(access.strength, Strength::Strong(..))
        }
        Op::Fence(scope) => !matches!(scope, MemoryScope::Cta | MemoryScope::Cluster),
        Op::Bulk(bulk) => bulk.reduction.is_some() && !matches!(bulk.to, Site::Shared(..)),
        _ => false,
    }
}

/// Whether an instruction has to do with the async proxy.
fn uses_async_proxy(inst: &Inst) -> bool {
    matches!(inst.op, Op::ProxyFence(_) | Op::Wgmma(_) | Op::Bulk(_))
}

impl<'m> Builder<'m> {
    fn new(module: &'m Module, globals: &'m HashMap<String, u64>) -> Self {
        let extern_shared = |v: &Variable| v.space == Space::Shared && v.linkage == Linkage::Extern;
        let bodies = module.functions.iter().flat_map(Function::variables);
        let dynamic = module.variables.iter().chain(bodies).filter(|v| extern_shared(v));
        let dynamic_align = dynamic.map(|v| v.align_bytes().clamp(128, MAX_SHARED_BYTES)).max();
        let skip = |align: u64| MAX_SHARED_BYTES + (2 * FIRST_OFFSET).max(FIRST_OFFSET + 3 * align);
        let mut rows = Rows::default();
        // Predicate 0 is the carry flag of extended-precision arithmetic.
        rows.take(Reg2::P, 1);
        Self {
            module,
            globals,
            flat: Vec::new(),
            scopes: Vec::new(),
            rows,
            shared: Places::after(dynamic_align.map_or(0, skip), "shared memory", MAX_SHARED_BYTES),
            local: Places::after(0, "local memory", MAX_LOCAL_BYTES),
            dynamic_align: dynamic_align.unwrap_or(128),
            dynamic_shared: None,
            shared_names: HashMap::new(),
            reached: HashSet::new(),
            functions: Vec::new(),
            function_scopes: Vec::new(),
            names: HashMap::new(),
            name_list: Vec::new(),
            sources: HashMap::new(),
            source_list: Vec::new(),
        }
    }

    /// The number of a function that was added.
    pub(super) fn function_index(&self, name: &str) -> Option<usize> {
        let name = resolved(self.module, name);
        self.functions.iter().position(|f| f.name == name)
    }

    /// The address of a function.
    pub(super) fn code_address(&self, name: &str) -> Option<u64> {
        code_address(self.module, name)
    }

    pub(super) fn function(&mut self, function: &'m Function) -> Result<(), Fault> {
        let scope = self.new_scope(None);
        let mut params = Vec::new();
        let mut returns = Vec::new();
        if function.is_entry {
            for (param, at) in function.params.iter().zip(function.layout().unwrap_or_default()) {
                self.scopes[scope].names.insert(param.name.clone(), Meaning::KernelParam(at.offset));
            }
        } else {
            for (list, places) in [(&function.params, &mut params), (&function.returns, &mut returns)] {
                for variable in list {
                    let formal = self.formal(variable);
                    let (meaning, place) = formal.map_err(|error| (variable.pos.line, error))?;
                    self.scopes[scope].names.insert(variable.name.clone(), meaning);
                    places.push(place);
                }
            }
        }
        self.functions.push(FunctionInfo {
            name: function.name.clone(),
            address: code_address(self.module, &function.name).unwrap_or(0),
            start: self.flat.len() as u32,
            params,
            returns,
            saved: Vec::new(),
        });
        self.function_scopes.push(scope);
        let mut source = u32::MAX;
        self.statements(function.body.as_deref().unwrap_or_default(), scope, &mut source)?;
        self.flat.push(Flat { instruction: None, scope, source: u32::MAX });
        Ok(())
    }

    /// A parameter or result of a function.
    fn formal(&mut self, variable: &Variable) -> Result<(Meaning, Place), CodeError> {
        let (bytes, align) = extent(variable);
        if variable.space == Space::Reg {
            let reg = self.rows.take(Reg2::of(variable.ty), 1);
            return Ok((Meaning::Reg(reg), Place::Reg(reg)));
        }
        let at = self.local.take(&variable.name, bytes, align)?;
        Ok((Meaning::BodyParam(at, bytes), Place::Memory(at, bytes)))
    }

    fn new_scope(&mut self, parent: Option<usize>) -> usize {
        self.scopes.push(Scope { parent, ..Scope::default() });
        self.scopes.len() - 1
    }

    fn statements(&mut self, list: &'m [Statement], scope: usize, source: &mut u32) -> Result<(), Fault> {
        for statement in list {
            match statement {
                Statement::Reg(decl) => self.registers(decl, scope)?,
                Statement::Variable(variable) => self.variable(variable, scope)?,
                Statement::Label { name, .. } => {
                    let at = self.flat.len() as u32;
                    self.scopes[scope].labels.insert(name.clone(), at);
                }
                Statement::Instruction(instruction) => {
                    self.flat.push(Flat { instruction: Some(instruction), scope, source: *source });
                }
                Statement::Block(inner) => {
                    let inner_scope = self.new_scope(Some(scope));
                    self.statements(inner, inner_scope, source)?;
                }
                Statement::Loc(loc) => *source = self.source_line(loc),
                Statement::Targets { name, targets, .. } => {
                    self.scopes[scope].targets.insert(name.clone(), targets.clone());
                }
                Statement::Pragma(_) | Statement::Prototype { .. } => {}
            }
        }
        Ok(())
    }

    /// The number of a source line.
    fn source_line(&mut self, loc: &Loc) -> u32 {
        let next = self.source_list.len() as u32;
        let (files, list) = (&self.module.files, &mut self.source_list);
        *self.sources.entry((loc.file, loc.line)).or_insert_with(|| {
            let file =
                files.iter().find(|(index, _)| *index == loc.file).map_or("", |(_, path)| path.as_str());
            list.push(RustLine { file: file.to_owned(), line: loc.line as u32 });
            next
        })
    }

    fn registers(&mut self, decl: &RegDecl, scope: usize) -> Result<(), Fault> {
        if decl.lanes > 1 {
            return Err((decl.pos.line, CodeError::Declaration("vector registers".to_owned())));
        }
        let file = Reg2::of(decl.ty);
        for (name, count) in &decl.names {
            match count {
                None => {
                    let reg = self.rows.take(file, 1);
                    self.scopes[scope].names.insert(name.clone(), Meaning::Reg(reg));
                }
                // Rows are taken when a register is first named: declared counts cost nothing.
                Some(count) => {
                    self.scopes[scope].ranges.insert(name.clone(), (*count, decl.ty, 0));
                }
            }
        }
        Ok(())
    }

    fn variable(&mut self, variable: &Variable, scope: usize) -> Result<(), Fault> {
        let (bytes, align) = extent(variable);
        let at_line = |error| (variable.pos.line, error);
        let mut local = || self.local.take(&variable.name, bytes, align).map_err(at_line);
        let meaning = match variable.space {
            Space::Local => Meaning::Local(local()?),
            Space::Param => Meaning::BodyParam(local()?, bytes),
            Space::Shared => Meaning::Shared(self.shared_variable(variable).map_err(at_line)?),
            _ => match self.globals.get(&variable.name) {
                Some(addr) => Meaning::Global(*addr),
                None => {
                    let what = format!("the variable `{}` in this place", variable.name);
                    return Err((variable.pos.line, CodeError::Declaration(what)));
                }
            },
        };
        self.scopes[scope].names.insert(variable.name.clone(), meaning);
        Ok(())
    }

    /// The offset of a shared variable: that of the dynamic array is the same for every name of it.
    pub(super) fn shared_variable(&mut self, variable: &Variable) -> Result<u64, CodeError> {
        let dynamic = variable.linkage == Linkage::Extern;
        if dynamic && let Some(at) = self.dynamic_shared {
            return Ok(at);
        }
        if !dynamic {
            let (bytes, align) = extent(variable);
            return self.shared.take(&variable.name, bytes, align);
        }
        // In front of everything else: its size is known at the launch.
        let align = checked_align(&variable.name, self.dynamic_align)?;
        let at = FIRST_OFFSET.next_multiple_of(2 * align) + align;
        self.dynamic_shared = Some(at);
        Ok(at)
    }

    fn code(&mut self) -> Result<Vec<Inst>, Fault> {
        let mut code: Vec<Inst> = Vec::with_capacity(self.flat.len());
        for at in 0..self.flat.len() {
            let Flat { instruction, scope, source } = self.flat[at];
            let Some(instruction) = instruction else {
                let line = code.last().map_or(0, |inst| inst.line);
                code.push(Inst { op: Op::Ret, guard: None, line, source, name: u32::MAX });
                continue;
            };
            let line = instruction.pos.line;
            let guard = match &instruction.guard {
                None => None,
                Some(guard) => Some(self.guard(guard, scope).map_err(|error| (line, error))?),
            };
            let op = self.op(instruction, scope).map_err(|error| (line, error))?;
            let name = self.name(instruction);
            code.push(Inst { op, guard, line, source, name });
        }
        Ok(code)
    }

    fn name(&mut self, instruction: &Instruction) -> u32 {
        let next = self.name_list.len() as u32;
        let list = &mut self.name_list;
        *self.names.entry(instruction.full_name()).or_insert_with_key(|name| {
            list.push(name.clone());
            next
        })
    }

    fn op(&mut self, instruction: &Instruction, scope: usize) -> Result<Op, CodeError> {
        let families = [
            Self::control,
            Self::warp_op,
            Self::matrix_op,
            Self::wgmma,
            Self::memory,
            Self::flight,
            Self::atomic,
            Self::fast_alu,
            Self::any_alu,
        ];
        for family in families {
            if let Some(op) = family(self, instruction, scope)? {
                return Ok(op);
            }
        }
        Err(CodeError::Instruction(instruction.full_name()))
    }
}
