//! Questions about a parsed module: parameters, reachable code, shared and local bytes, unresolved externs.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::ast::{Function, Init, Instruction, Linkage, Module, Space, Statement, Variable};

/// Functions that the driver provides to every module.
pub const DRIVER_FUNCTIONS: &[&str] = &["__assertfail", "free", "malloc", "vprintf"];

/// A kernel parameter as the driver lays it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// The PTX name.
    pub name: String,
    /// Its type, with lanes and extents: `u64`, `b8[16]`.
    pub ty: String,
    /// Byte offset in the parameter space.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
}

/// What a kernel and all functions it reaches use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// `.local` bytes of one thread: every reachable function's, added up.
    pub local_bytes: u64,
    /// Static shared bytes of one block, with padding.
    pub static_shared_bytes: u64,
    /// Whether it refers to an `.extern .shared` array.
    pub dynamic_shared: bool,
    /// Functions and variables that nothing defines, except [`DRIVER_FUNCTIONS`].
    pub unresolved: BTreeSet<String>,
}

impl Module {
    /// The kernels, in order.
    pub fn entries(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(|f| f.is_entry && f.body.is_some())
    }

    /// The kernel with this name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Function> {
        self.entries().find(|f| f.name == name)
    }

    /// What `entry` and all it reaches use.
    #[must_use]
    pub fn usage(&self, entry: &Function) -> Usage {
        Reach::of(self, entry).usage()
    }
}

impl Function {
    /// The parameters with the offsets of the parameter space; `None` when one has no fixed size.
    #[must_use]
    pub fn layout(&self) -> Option<Vec<Param>> {
        let mut offset = 0_u64;
        let mut params = Vec::with_capacity(self.params.len());
        for param in &self.params {
            let (size, align) = (param.size_bytes()?, param.align_bytes());
            offset = offset.checked_next_multiple_of(align)?;
            params.push(Param { name: param.name.clone(), ty: type_name(param), offset, size, align });
            offset = offset.checked_add(size)?;
        }
        Some(params)
    }

    /// Every instruction, in order, through all scopes.
    #[must_use]
    pub fn instructions(&self) -> Vec<&Instruction> {
        let mut found = Vec::new();
        each_statement(self.body.as_deref().unwrap_or_default(), &mut |statement| {
            if let Statement::Instruction(instruction) = statement {
                found.push(instruction);
            }
        });
        found
    }

    /// Variables declared in its body, through all scopes.
    #[must_use]
    pub fn variables(&self) -> Vec<&Variable> {
        let mut found = Vec::new();
        each_statement(self.body.as_deref().unwrap_or_default(), &mut |statement| {
            if let Statement::Variable(variable) = statement {
                found.push(variable);
            }
        });
        found
    }
}

fn type_name(variable: &Variable) -> String {
    let mut name = String::new();
    if variable.lanes > 1 {
        name.push_str(&format!("v{}.", variable.lanes));
    }
    name.push_str(variable.ty.name());
    for extent in variable.extents.iter().flatten() {
        name.push_str(&format!("[{extent}]"));
    }
    name
}

/// Calls `visit` with every statement, through all scopes.
pub fn each_statement<'a>(statements: &'a [Statement], visit: &mut impl FnMut(&'a Statement)) {
    for statement in statements {
        visit(statement);
        if let Statement::Block(inner) = statement {
            each_statement(inner, visit);
        }
    }
}

/// Whether `name` is an identifier that PTX and every driver take: a letter or one of `_ $ %` (and then at least
/// one more character), then letters, digits, `_` and `$`.
///
/// ```
/// use ptx_parse::analysis::is_identifier;
/// assert!(is_identifier("hadamard_f32"));
/// assert!(!is_identifier("hadamard.f32"));
/// ```
#[must_use]
pub fn is_identifier(name: &str) -> bool {
    let Some(first) = name.bytes().next() else { return false };
    let starts = first.is_ascii_alphabetic() || (matches!(first, b'_' | b'$' | b'%') && name.len() > 1);
    starts && name.bytes().skip(1).all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$')
}

/// The functions and module variables that a kernel reaches by name.
struct Reach<'a> {
    functions: Vec<&'a Function>,
    variables: Vec<&'a Variable>,
}

impl<'a> Reach<'a> {
    fn of(module: &'a Module, entry: &'a Function) -> Self {
        // A definition hides the declaration of the same name.
        let mut functions: HashMap<&str, &Function> = HashMap::new();
        for function in &module.functions {
            let known = functions.entry(&function.name).or_insert(function);
            if function.body.is_some() {
                *known = function;
            }
        }
        for (name, aliasee) in &module.aliases {
            if let Some(function) = functions.get(aliasee.as_str()).copied() {
                functions.insert(name, function);
            }
        }
        let variables: HashMap<&str, &Variable> =
            module.variables.iter().map(|v| (v.name.as_str(), v)).collect();

        let mut reach = Self { functions: vec![entry], variables: Vec::new() };
        let mut seen: HashSet<&str> = HashSet::from([entry.name.as_str()]);
        let (mut next_function, mut next_variable) = (0, 0);
        loop {
            let names = if let Some(function) = reach.functions.get(next_function) {
                next_function += 1;
                names_of_function(function)
            } else if let Some(variable) = reach.variables.get(next_variable) {
                next_variable += 1;
                let mut names = Vec::new();
                names_of_init(variable.init.as_ref(), &mut names);
                names
            } else {
                return reach;
            };
            for name in names {
                if !seen.insert(name) {
                    continue;
                }
                reach.functions.extend(functions.get(name));
                reach.variables.extend(variables.get(name));
            }
        }
    }

    fn usage(&self) -> Usage {
        let mut usage = Usage::default();
        for function in &self.functions {
            if function.body.is_none() && !DRIVER_FUNCTIONS.contains(&function.name.as_str()) {
                usage.unresolved.insert(function.name.clone());
            }
        }
        let inner = self.functions.iter().flat_map(|f| f.variables());
        for variable in self.variables.iter().copied().chain(inner) {
            let size = variable.size_bytes().unwrap_or(0);
            let pad = |bytes: u64| bytes.checked_next_multiple_of(variable.align_bytes()).unwrap_or(u64::MAX);
            match (variable.space, variable.linkage) {
                (Space::Shared, Linkage::Extern) => usage.dynamic_shared = true,
                (_, Linkage::Extern) => {
                    usage.unresolved.insert(variable.name.clone());
                }
                (Space::Shared, _) => {
                    usage.static_shared_bytes = pad(usage.static_shared_bytes).saturating_add(size);
                }
                (Space::Local, _) => usage.local_bytes = pad(usage.local_bytes).saturating_add(size),
                _ => {}
            }
        }
        usage
    }
}

fn names_of_function(function: &Function) -> Vec<&str> {
    let mut names = Vec::new();
    each_statement(function.body.as_deref().unwrap_or_default(), &mut |statement| match statement {
        Statement::Instruction(instruction) => {
            for operand in &instruction.operands {
                operand.names(&mut |name| names.push(name));
            }
        }
        Statement::Targets { targets, .. } => names.extend(targets.iter().map(String::as_str)),
        Statement::Variable(variable) => names_of_init(variable.init.as_ref(), &mut names),
        _ => {}
    });
    names
}

fn names_of_init<'a>(init: Option<&'a Init>, names: &mut Vec<&'a str>) {
    match init {
        Some(Init::Symbol { name, .. }) => names.push(name),
        Some(Init::List(list)) => {
            for init in list {
                names_of_init(Some(init), names);
            }
        }
        Some(Init::Value(_)) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    const HEAD: &str = ".version 7.8 .target sm_90 .address_size 64\n";

    #[test]
    fn offsets_follow_the_alignment_of_each_parameter() {
        let text = format!(
            "{HEAD}.visible .entry k(.param .u8 a, .param .u64 .ptr .global .align 4 b, .param .f32 c,
             .param .align 16 .b8 d[32], .param .u16 e) {{ ret; }}"
        );
        let module = parse(&text).expect("it parses");
        let layout = module.entry("k").and_then(|k| k.layout()).expect("every size is fixed");
        let got: Vec<_> = layout.iter().map(|p| (p.offset, p.size, p.align)).collect();
        assert_eq!(got, [(0, 1, 1), (8, 8, 8), (16, 4, 4), (32, 32, 16), (64, 2, 2)]);
        assert_eq!(layout[3].ty, "b8[32]");
    }

    #[test]
    fn usage_follows_calls_and_names_what_is_missing() {
        let text = format!(
            "{HEAD}.extern .func gone (.param .b32 x);
             .extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
             .extern .shared .align 128 .b8 dyn[];
             .shared .align 4 .b8 tile[5];
             .shared .align 16 .b8 tile2[16];
             .shared .align 16 .b8 unused[4096];
             .func helper() {{ .local .align 8 .b8 __local_depot1[24]; call gone, (1); ret; }}
             .visible .entry other() {{ ret; }}
             .visible .entry k() {{
               .local .align 8 .b8 __local_depot0[16];
               .reg .b64 %rd<3>;
               {{ call.uni helper, (); }}
               call.uni vprintf, (%rd1, %rd2);
               mov.b64 %rd1, tile;
               ld.shared.b32 %r1, [tile2+4];
               st.shared.b32 [dyn], %r1;
               ret; }}"
        );
        let module = parse(&text).expect("it parses");
        let k = module.usage(module.entry("k").expect("it is there"));
        assert_eq!((k.local_bytes, k.static_shared_bytes, k.dynamic_shared), (40, 32, true));
        assert_eq!(k.unresolved.into_iter().collect::<Vec<_>>(), ["gone"]);
        let other = module.usage(module.entry("other").expect("it is there"));
        assert_eq!(other, super::Usage::default());
    }

    #[test]
    fn identifiers() {
        for name in ["a", "_a", "$L1", "a$b", "%r1"] {
            assert!(super::is_identifier(name), "{name}");
        }
        for name in ["", "_", "1a", "a.b", "a-b", "é"] {
            assert!(!super::is_identifier(name), "{name}");
        }
    }
}
