//! w
fn main() {}
