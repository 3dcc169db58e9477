//! Time per relaxation with a stored W, on a problem file: `stored_cost PROBLEM [START] [TOLERANCE]`.
use cairn_solvers::discrete::{AnyProblem, Problem};
use cairn_solvers::format::{self, fclib};
use cairn_solvers::nlgs;
use cairn_solvers::problem::Vect;
use cairn_solvers::report::Settings;
use std::path::Path;

fn run<const D: usize>(problem: &Problem<D>, start: Option<Vec<f64>>, tolerance: f64) {
    let mut links = problem.links();
    if let Some(r) = &start {
        links.iter_mut().enumerate().for_each(|(a, l)| l.impulse = Vect::from_fn(|i, _| r[D * a + i]));
    }
    let settings = Settings { tolerance, max_sweeps: 20000, ..Settings::default() };
    let mut best = (f64::INFINITY, f64::INFINITY);
    let mut report = Default::default();
    let mut end = links.clone();
    for _ in 0..20 {
        end = links.clone();
        let t = std::time::Instant::now();
        report = nlgs::solve(&problem.w, &mut end, &settings);
        let all = t.elapsed().as_secs_f64();
        best = (best.0.min(1e9 * report.seconds_sweeping / report.relaxations as f64), best.1.min(1e3 * all));
    }
    let (mut open, mut stick, mut slip) = (0, 0, 0);
    for l in &end {
        let t: f64 = (1..D).map(|i| l.impulse[i].powi(2)).sum::<f64>().sqrt();
        if l.impulse[0] <= 0.0 {
            open += 1
        } else if t < l.form.friction * l.impulse[0] * (1.0 - 1e-9) {
            stick += 1
        } else {
            slip += 1
        }
    }
    println!(
        "{} contacts, {:.1} neighbours, {} sweeps, residual {:.1e}, {:.1} ns, {:.2} ms in all; open {open} stick {stick} slip {slip}",
        end.len(),
        problem.w.couplings() as f64 / end.len() as f64,
        report.sweeps,
        report.residual,
        best.0,
        best.1
    );
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let start = args.get(2).filter(|f| *f != "-").and_then(|f| fclib::read_solution(Path::new(f)).ok().flatten());
    let tolerance = args.get(3).map_or(1e-6, |t| t.parse().unwrap());
    match format::read(Path::new(&args[1])).unwrap() {
        AnyProblem::Plane(p) => run(&p, start, tolerance),
        AnyProblem::Solid(p) => run(&p, start, tolerance),
        _ => panic!("local problems only"),
    }
}
