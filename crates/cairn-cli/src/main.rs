//! The `cairn` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    cairn_cli::main()
}
