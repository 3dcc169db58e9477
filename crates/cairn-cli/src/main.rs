//! The `cairn` program.

use std::process::ExitCode;

#[global_allocator]
static MEMORY: cairn_cli::memory::LargePages = cairn_cli::memory::LargePages;

fn main() -> ExitCode {
    ExitCode::from(cairn_cli::main_from(std::env::args_os()))
}
