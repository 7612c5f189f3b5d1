//! Any bytes: an error with a place, or a module that prints as itself and answers every question.
//!
//! From `crates/ptx-parse`, with the fixtures as seeds:
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run parse fuzz/corpus/parse tests tests/nvvm -- -max_total_time=300 -timeout=5 -dict=fuzz/ptx.dict`

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut module = match ptx_parse::parse_bytes(bytes) {
        Ok(module) => module,
        Err(error) => return assert!(error.pos.line > 0 && error.pos.column > 0, "{error}"),
    };
    let names = module.name_errors();
    assert!(names.is_sorted_by_key(|error| error.pos));
    for function in &module.functions {
        let _ = (function.layout(), module.usage(function));
        for (_, loc) in function.located_instructions() {
            let _ = loc.and_then(|loc| module.inlined_function(loc));
        }
    }
    let printed = module.to_string();
    let mut again = ptx_parse::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    module.erase_positions();
    again.erase_positions();
    assert!(module == again, "prints as another module:\n{printed}");
});
