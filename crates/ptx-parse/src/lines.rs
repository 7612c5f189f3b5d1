//! From instructions to source lines.

use crate::analysis::each_statement;
use crate::ast::{Const, Function, Instruction, Loc, Module, SectionItem, SectionValue, Statement};

impl Function {
    /// Every instruction, in order, with the `.loc` that holds for it: the last one above it in the text.
    #[must_use]
    pub fn located_instructions(&self) -> Vec<(&Instruction, Option<&Loc>)> {
        let (mut found, mut current) = (Vec::new(), None);
        each_statement(self.body.as_deref().unwrap_or_default(), &mut |statement| match statement {
            Statement::Loc(loc) => current = Some(loc),
            Statement::Instruction(instruction) => found.push((instruction, current)),
            _ => {}
        });
        found
    }
}

impl Module {
    /// The path of this `.file`.
    #[must_use]
    pub fn file(&self, index: u64) -> Option<&str> {
        self.files.iter().find(|(found, _)| *found == index).map(|(_, path)| path.as_str())
    }

    /// The name of the function that `loc` is inlined from, as the debug strings tell it.
    #[must_use]
    pub fn inlined_function(&self, loc: &Loc) -> Option<String> {
        let (label, _) = loc.inlined.as_ref()?;
        let is_label = |item: &SectionItem| matches!(item, SectionItem::Label(name) if name == label);
        let items = self.sections.iter().find_map(|section| {
            let at = section.items.iter().position(is_label)?;
            Some(&section.items[at..])
        })?;
        let values = items.iter().filter_map(|item| match item {
            SectionItem::Data(_, values) => Some(values),
            SectionItem::Label(_) => None,
        });
        let bytes = values.flatten().map_while(|value| match value {
            SectionValue::Const(Const::Int(byte)) => u8::try_from(*byte).ok(),
            _ => None,
        });
        let skip = usize::try_from(loc.name_offset).ok()?;
        String::from_utf8(bytes.skip(skip).take_while(|byte| *byte != 0).collect()).ok()
    }
}
