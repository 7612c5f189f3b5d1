//! ptx-linker
