//! `cairn solve`: problems from files, solved, and judged apart from the solver.

use crate::args;
use crate::print::out;
use crate::{FAILURE, SUCCESS};
use cairn_solvers::answer::{self, Answer, Wanted};
use cairn_solvers::discrete::AnyProblem;
use cairn_solvers::format;
use cairn_solvers::solver::Solver;
use miette::{IntoDiagnostic, WrapErr, miette};
use serde::Serialize;
use std::path::Path;

/// What is said of a problem. The fields that are written are a promise to scripts.
#[derive(Debug, Serialize)]
struct Outcome {
    file: String,
    contacts: usize,
    solver: String,
    iterations: usize,
    residual_q: f64,
    residual_max: f64,
    seconds: f64,
    converged: bool,
    #[serde(skip)]
    kind: &'static str,
    #[serde(skip)]
    story: String,
}

/// Runs `cairn solve`.
pub fn command(args: &args::Solve) -> miette::Result<u8> {
    let solver = Solver::named(&args.solver).ok_or_else(|| miette!("there is no solver {:?}", args.solver))?;
    crate::run::use_threads(Some(args.threads))?;
    if let Some(dir) = &args.output {
        std::fs::create_dir_all(dir).into_diagnostic().wrap_err_with(|| format!("cannot make {}", dir.display()))?;
    }
    if !args.json {
        out(&heading());
    }
    let (mut outcomes, mut all_good) = (Vec::new(), true);
    for path in &args.files {
        let outcome = match format::read(path) {
            Ok(problem) => one(path, &problem, solver, args)?,
            Err(error) => {
                eprintln!("error: {error}");
                all_good = false;
                continue;
            }
        };
        all_good &= outcome.converged;
        if !args.json {
            out(&row(&outcome));
        }
        outcomes.push(outcome);
    }
    if args.json {
        out(&(serde_json::to_string_pretty(&outcomes).into_diagnostic()? + "\n"));
    } else {
        let solved = outcomes.iter().filter(|o| o.converged).count();
        let seconds: f64 = outcomes.iter().map(|o| o.seconds).sum();
        out(&format!("{solved} of {} solved to {:e} in {}\n", args.files.len(), args.tol, time(seconds)));
    }
    Ok(if all_good { SUCCESS } else { FAILURE })
}

fn one(path: &Path, problem: &AnyProblem, solver: Solver, args: &args::Solve) -> miette::Result<Outcome> {
    let (answer, solver) = match answer::solve(problem, solver, Wanted::to(args.tol)) {
        Ok(answer) => (answer, args.solver.as_str()),
        Err(error) => {
            eprintln!("error: {}: {error}", path.display());
            (unanswered(), "none")
        }
    };
    if let (Some(dir), false) = (&args.output, solver == "none") {
        write(dir, path, &answer)?;
    }
    let verdict = answer.verdict;
    Ok(Outcome {
        file: path.display().to_string(),
        contacts: problem.contacts(),
        solver: solver.to_string(),
        iterations: answer.iterations,
        residual_q: verdict.residual_q,
        residual_max: verdict.residual_max,
        seconds: answer.seconds,
        converged: verdict.accepts(args.tol),
        kind: problem.kind(),
        story: answer.story,
    })
}

/// Nothing: no number that could be taken for a result.
fn unanswered() -> Answer {
    let mut answer = Answer::default();
    (answer.verdict.residual_q, answer.verdict.residual_max) = (f64::NAN, f64::NAN);
    answer
}

fn write(dir: &Path, path: &Path, answer: &Answer) -> miette::Result<()> {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let target = dir.join(format!("{name}.solution.json"));
    let text = serde_json::json!({ "r": answer.r, "u": answer.u }).to_string() + "\n";
    std::fs::write(&target, text).into_diagnostic().wrap_err_with(|| format!("cannot write {}", target.display()))
}

fn heading() -> String {
    format!(
        "{:<44} {:<14} {:>8} {:<14} {:>10} {:>10} {:>12} {:>10}  verdict\n",
        "file", "kind", "contacts", "solver", "iterations", "residual_q", "residual_max", "time"
    )
}

fn row(o: &Outcome) -> String {
    let name = Path::new(&o.file).file_name().map_or(o.file.clone(), |n| n.to_string_lossy().into_owned());
    let verdict = if o.converged { "solved" } else { "NOT SOLVED" };
    let mut text = format!(
        "{:<44} {:<14} {:>8} {:<14} {:>10} {:>10.1e} {:>12.1e} {:>10}  {verdict}\n",
        name,
        o.kind,
        o.contacts,
        o.solver,
        o.iterations,
        o.residual_q,
        o.residual_max,
        time(o.seconds)
    );
    if !o.story.is_empty() {
        text += &format!("    {}\n", o.story);
    }
    text
}

/// A time as people read it.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", 1e6 * s),
        s if s < 1.0 => format!("{:.1} ms", 1e3 * s),
        s => format!("{s:.2} s"),
    }
}
