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
mod view;

pub mod bench;
pub mod memory;
pub mod verify;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

/// Parses the command line and runs the command. 0: done; 1: it failed, or a verification missed its reference;
/// 2: the command line is wrong; 130: stopped by Ctrl-C after a checkpoint.
pub fn main() -> ExitCode {
    let args = Args::parse();
    let outcome = match args.command {
        Command::Run(run) => run::run(&run),
        Command::Resume(resume) => run::resume(&resume),
        Command::Check(check) => check::check(&check),
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
        ExitCode::FAILURE
    })
}
