//! What `#[kernel]` and `#[derive(DeviceRepr)]` refuse, with the message a user reads.
//!
//! Each file in `fail/` has one mistake; the `.stderr` file beside it is the whole answer of the compiler.
//! `cargo xtask bless` rewrites those; read the difference before you commit it.

#[test]
fn refusals_say_what_to_write_instead() {
    trybuild::TestCases::new().compile_fail("fail/*.rs");
}

#[test]
fn what_the_refusals_ask_for_compiles() {
    trybuild::TestCases::new().pass("pass/*.rs");
}
