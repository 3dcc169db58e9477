//! Prints what a sweep costs: `cargo run --release --example sweep_cost [threads]`.

mod packing;

use std::time::Instant;

use cairn_solvers::matrix_free::MatrixFree;
use cairn_solvers::problem::{Link, Mass};
use cairn_solvers::report::{Order, Settings};

/// Processor seconds of this thread where the system tells (a busy machine then matters less), else of the clock.
fn now(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split(' ').next().and_then(|word| word.parse::<f64>().ok()));
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |x| 1e-9 * x)
}

/// Least seconds of a solve with exactly `sweeps` sweeps.
fn seconds<const D: usize>(masses: &[Mass<D>], links: &[Link<D>], sweeps: usize, order: Order) -> f64 {
    let settings = Settings { tolerance: 0.0, max_sweeps: sweeps, order, ..Settings::default() };
    let mut matrix_free = MatrixFree::new();
    (0..5)
        .map(|_| {
            let (mut masses, mut links) = (masses.to_vec(), links.to_vec());
            let clock = Instant::now();
            let start = now(clock);
            matrix_free.solve(&mut masses, &mut links, &mut [], &settings);
            now(clock) - start
        })
        .fold(f64::INFINITY, f64::min)
}

fn row<const D: usize>(name: &str, (masses, links): (Vec<Mass<D>>, Vec<Link<D>>)) {
    let contacts = links.len() as f64;
    let sweeps = (4e6 / contacts).ceil().clamp(20.0, 400.0) as usize;
    let passes = if links.len() > 1 && links[0].masses == links[1].masses { Settings::default().passes } else { 1 };
    let cost = |order| {
        let (short, long) = (seconds(&masses, &links, 1, order), seconds(&masses, &links, 1 + sweeps, order));
        (1e9 * (long - short) / ((passes * sweeps) as f64 * contacts), 1e9 * short / contacts)
    };
    let (coloured, once) = cost(Order::Coloured);
    let (listed, _) = cost(Order::Listed);
    let mut solved = (masses.clone(), links.clone());
    let settings = Settings { tolerance: 1e-6, max_sweeps: 3000, ..Settings::default() };
    let report = MatrixFree::new().solve(&mut solved.0, &mut solved.1, &mut [], &settings);
    println!(
        "{name:<14} {:>8} {:>9} {coloured:>9.1} {listed:>9.1} {once:>11.0} {:>8} {:>10.1e}",
        masses.len(),
        links.len(),
        report.sweeps,
        report.residual
    );
}

fn main() {
    let threads = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    println!("ns per contact relaxation; 'once' is everything else: packing, first sweep, residual, results");
    println!(
        "{:<14} {:>8} {:>9} {:>9} {:>9} {:>11} {:>8} {:>10}",
        "", "bodies", "contacts", "coloured", "listed", "once", "sweeps", "residual"
    );
    pool.install(|| {
        row("disks", packing::balls::<2>([40, 50, 1]));
        row("spheres", packing::balls::<3>([17, 17, 17]));
        row("more spheres", packing::balls::<3>([37, 37, 36]));
        row("wall", packing::wall(20, 20));
    });
}
