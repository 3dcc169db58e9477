//! The `cairn` program as a library: its commands, the verification cases and the benchmarks, so that tests can call
//! what users call.

mod args;
mod check;
mod dump;
mod examples;
mod film;
mod picture;
mod plot;
mod print;
mod progress;
mod results;
mod run;
mod solve;
mod study;
mod view;

pub mod bench;
pub mod memory;
pub mod verify;

use args::{Args, Command};
use clap::Parser;
use std::ffi::OsString;

/// Exit code of a command that did what it was told.
pub const SUCCESS: u8 = 0;
/// Exit code of a command that failed, or of a verification that missed its reference.
pub const FAILURE: u8 = 1;
/// Exit code of a run that Ctrl-C stopped after its checkpoint.
pub const INTERRUPTED: u8 = 130;

/// Runs the command of a command line, the name of the program first, and gives the exit code: [`SUCCESS`], [`FAILURE`],
/// [`INTERRUPTED`], or 2 if the command line is wrong.
pub fn main_from<A: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = A>) -> u8 {
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(said) => {
            // Help and version come this way, too. Where even this cannot be printed, the exit code is left.
            let _ = said.print();
            return u8::try_from(said.exit_code()).unwrap_or(FAILURE);
        }
    };
    let outcome = match args.command {
        Command::Run(run) => run::run(&run),
        Command::Resume(resume) => run::resume(&resume),
        Command::Check(check) => check::check(&check),
        Command::Study(of) => study::study(&of),
        Command::Picture(picture) => picture::picture(&picture),
        Command::Film(film) => film::film(&film),
        Command::View(view) => view::view(&view),
        Command::Plot(plot) => plot::plot(&plot),
        Command::Verify(verify) => verify::command(&verify),
        Command::Bench(bench) => bench::command(&bench),
        Command::Solve(solve) => solve::command(&solve),
        Command::DumpProblem(dump) => dump::command(&dump),
        Command::Schema => check::schema(),
        Command::Examples(examples) => examples::command(&examples),
    };
    outcome.unwrap_or_else(|report| {
        eprintln!("{report:?}");
        FAILURE
    })
}
