//! `cairn bench solvers`: every problem file of a folder by every solver, to a loose and to a sharp tolerance.

use super::profile::Times;
use crate::SUCCESS;
use crate::args;
use crate::print::out;
use crate::solve::time;
use cairn_solvers::answer::{self, Wanted};
use cairn_solvers::discrete::AnyProblem;
use cairn_solvers::format;
use cairn_solvers::solver::Solver;
use miette::{IntoDiagnostic, WrapErr, miette};
use serde::Serialize;
use std::path::{Path, PathBuf};

const TOLERANCES: [f64; 2] = [1e-4, 1e-8];

/// Who has not solved a problem by then does not count as solving it.
const MOST_ITERATIONS: usize = 10_000;

/// One solution.
#[derive(Debug, Serialize)]
struct Trial {
    problem: String,
    kind: &'static str,
    contacts: usize,
    tolerance: f64,
    solver: &'static str,
    iterations: usize,
    residual_q: f64,
    residual_max: f64,
    seconds: f64,
    solved: bool,
}

/// Runs `cairn bench solvers FOLDER`.
pub fn command(args: &args::Bench) -> miette::Result<u8> {
    let named = args.names.get(1).map(PathBuf::from);
    let folder = named.or_else(|| std::env::var_os("CAIRN_FC_PROBLEMS").map(PathBuf::from));
    let folder = folder.ok_or_else(|| miette!("which problems? cairn bench solvers FOLDER"))?;
    let problems = problems(&folder)?;
    let mut trials = Vec::new();
    for tolerance in TOLERANCES {
        for (name, problem) in &problems {
            trials.extend(Solver::NAMES.iter().map(|solver| best_of_some(name, problem, solver, tolerance)));
        }
        if !args.json {
            out(&format!("{}\n", table(&trials, tolerance)));
        }
    }
    if args.json {
        out(&(serde_json::to_string_pretty(&trials).into_diagnostic()? + "\n"));
    }
    if let Some(dir) = &args.output {
        write(dir, &trials).wrap_err_with(|| format!("cannot write to {}", dir.display()))?;
    }
    Ok(SUCCESS)
}

/// The problems of a folder by name, without those that no solver takes.
fn problems(folder: &Path) -> miette::Result<Vec<(String, AnyProblem)>> {
    let entries = std::fs::read_dir(folder).into_diagnostic().wrap_err_with(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| ["dat", "hdf5", "h5"].iter().any(|k| e == *k)));
    paths.sort();
    let mut problems = Vec::new();
    for path in paths {
        match format::read(&path).into_diagnostic()? {
            AnyProblem::Rolling(_) => eprintln!("left out: {} (rolling friction)", path.display()),
            problem => problems.push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), problem)),
        }
    }
    Ok(problems)
}

/// The least of some times, as many as a tenth of a second allows: other programs only ever make it longer.
fn best_of_some(name: &str, problem: &AnyProblem, name_of_solver: &'static str, tolerance: f64) -> Trial {
    let solver = Solver::named(name_of_solver).unwrap_or_default();
    let wanted = Wanted { tolerance, iterations: MOST_ITERATIONS };
    let mut answer = answer::solve(problem, solver, wanted).unwrap_or_default();
    let mut spent = answer.seconds;
    for _ in 0..4 {
        if spent > 0.1 {
            break;
        }
        let again = answer::solve(problem, solver, wanted).unwrap_or_default();
        spent += again.seconds;
        answer.seconds = answer.seconds.min(again.seconds);
    }
    Trial {
        problem: name.into(),
        kind: problem.kind(),
        contacts: problem.contacts(),
        tolerance,
        solver: name_of_solver,
        iterations: answer.iterations,
        residual_q: answer.verdict.residual_q,
        residual_max: answer.verdict.residual_max,
        seconds: answer.seconds,
        solved: answer.r.len() >= problem.contacts() && answer.verdict.accepts(tolerance),
    }
}

/// The trials to a tolerance, one row per problem.
fn rows(trials: &[Trial], tolerance: f64) -> Vec<&[Trial]> {
    trials.chunks(Solver::NAMES.len()).filter(|row| row[0].tolerance == tolerance).collect()
}

/// A table in the way of Markdown: times where solved, a dash where not, and sums below.
fn table(trials: &[Trial], tolerance: f64) -> String {
    let rows = rows(trials, tolerance);
    let names = Solver::NAMES;
    let mut text = format!("| problem, to {tolerance:e} | contacts | {} |\n", names.join(" | "));
    text += &format!("| --- | ---: |{}\n", " ---: |".repeat(names.len()));
    let cell = |t: &Trial| if t.solved { time(t.seconds) } else { "–".into() };
    for row in &rows {
        let cells: Vec<_> = row.iter().map(cell).collect();
        text += &format!("| {} | {} | {} |\n", row[0].problem, row[0].contacts, cells.join(" | "));
    }
    let column = |k: usize| rows.iter().map(move |row| &row[k]);
    let solved: Vec<_> = (0..names.len()).map(|k| column(k).filter(|t| t.solved).count().to_string()).collect();
    let total: Vec<_> = (0..names.len()).map(|k| time(column(k).map(|t| t.seconds).sum())).collect();
    text += &format!("| **solved of {}** | | {} |\n", rows.len(), solved.join(" | "));
    text + &format!("| **time in all, failures too** | | {} |\n", total.join(" | "))
}

fn write(dir: &Path, trials: &[Trial]) -> miette::Result<()> {
    std::fs::create_dir_all(dir).into_diagnostic()?;
    let put = |name: &str, text: String| std::fs::write(dir.join(name), text).into_diagnostic();
    put("solvers.json", serde_json::to_string(trials).into_diagnostic()? + "\n")?;
    let mut csv =
        "problem,kind,contacts,tolerance,solver,iterations,residual_q,residual_max,seconds,solved\n".to_string();
    for t in trials {
        csv += &format!(
            "{},{},{},{:e},{},{},{:.3e},{:.3e},{:.3e},{}\n",
            t.problem,
            t.kind,
            t.contacts,
            t.tolerance,
            t.solver,
            t.iterations,
            t.residual_q,
            t.residual_max,
            t.seconds,
            t.solved
        );
    }
    put("solvers.csv", csv)?;
    for tolerance in TOLERANCES {
        let rows = rows(trials, tolerance);
        let seconds = |row: &&[Trial]| row.iter().map(|t| t.solved.then_some(t.seconds)).collect();
        let solvers = Solver::NAMES.to_vec();
        let title = format!("{} problems to {tolerance:e}", rows.len());
        let times = Times { solvers, rows: rows.iter().map(seconds).collect() };
        times.plot(&title).write(&dir.join(format!("profile-{tolerance:e}.svg"))).into_diagnostic()?;
    }
    Ok(())
}
