//! `cairn bench`: what a step costs. Ratios within one run mean something; absolute figures depend on the machine.

mod cold;
mod elastic;
mod picture;
mod plastic;
mod profile;
mod solvers;
mod states;
mod table;

use crate::SUCCESS;
use crate::args;
use crate::print::out;
use miette::miette;
use serde::Serialize;

/// What a benchmark measured. Times are means per step.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Measurement {
    /// Name.
    pub name: String,
    /// Bodies with an equation of motion.
    pub bodies: usize,
    /// Contacts, mean per step.
    pub contacts: f64,
    /// Sweeps, mean per step.
    pub sweeps: f64,
    /// Detection [s].
    pub seconds_detect: f64,
    /// Contact solver [s].
    pub seconds_solve: f64,
    /// Whole step [s].
    pub seconds_total: f64,
    /// Time in sweeps, all that a sweep does included, per contact and sweep [ns].
    pub ns_per_contact_iteration: f64,
    /// Worst natural-map residual of the steps.
    pub residual: f64,
    /// Threads.
    pub threads: usize,
    /// Everything but the solver's iterations, per contact [µs].
    pub us_outside_sweeps_per_contact: f64,
    /// Change-based measure of other codes in the last step (see `cairn_solvers::residual`).
    pub change: f64,
    /// Further figures of this benchmark: name, value, unit.
    pub extra: Vec<(String, f64, String)>,
}

/// A benchmark.
pub struct Benchmark {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Run only when named: takes long.
    pub long: bool,
    /// Measures it.
    pub run: fn(&'static str) -> miette::Result<Measurement>,
}

/// All benchmarks: a new one is one line here.
pub const BENCHMARKS: &[Benchmark] = &[
    Benchmark { name: "disks", title: "2000 disks at rest in a box", long: false, run: states::disks },
    Benchmark { name: "spheres", title: "4993 spheres at rest in a box", long: false, run: states::spheres },
    Benchmark {
        name: "mixed",
        title: "the same under an elastic lid of 300 elements",
        long: false,
        run: states::mixed,
    },
    Benchmark {
        name: "rolling",
        title: "the same spheres, resisting rolling and twisting",
        long: false,
        run: states::rolling,
    },
    Benchmark { name: "wall", title: "wall of 410 bricks from rest", long: false, run: states::wall },
    Benchmark { name: "pile", title: "1000 spheres poured, then at rest for 1 s", long: false, run: states::pile },
    Benchmark { name: "blocks", title: "wall of 150 elastic blocks in 2D", long: false, run: states::blocks },
    Benchmark {
        name: "masonry",
        title: "wall of 150 blocks of 8 hexahedra from rest",
        long: false,
        run: states::masonry,
    },
    Benchmark {
        name: "elastic-block",
        title: "one block of 50 000 degrees of freedom: assembly, factorization, solution",
        long: false,
        run: elastic::block_of_50k,
    },
    Benchmark {
        name: "plastic-block",
        title: "force and tangent of a block at finite strain: elastic, and J2 while all of it flows",
        long: false,
        run: plastic::cube,
    },
    Benchmark { name: "picture", title: "picture of 4993 spheres with force chains", long: false, run: picture::few },
    Benchmark {
        name: "picture-100k",
        title: "picture of 100 000 spheres with force chains",
        long: true,
        run: picture::many,
    },
    Benchmark {
        name: "cold",
        title: "residuals 1e-4 and 1e-6 from zero impulses, method by method",
        long: true,
        run: cold::cold,
    },
    Benchmark { name: "stacks", title: "stacks, a column and a pyramid at 1e-8", long: true, run: cold::stacks },
    Benchmark {
        name: "spheres-100k",
        title: "100 000 spheres, 20 copies of `spheres`",
        long: true,
        run: states::many_spheres,
    },
];

/// Runs `cairn bench`.
pub fn command(args: &args::Bench) -> miette::Result<u8> {
    if args.list {
        BENCHMARKS.iter().for_each(|b| out(&format!("{:<14} {}\n", b.name, b.title)));
        out(&format!("{:<14} all solvers on all problem files of a folder\n", "solvers FOLDER"));
        return Ok(SUCCESS);
    }
    crate::run::use_threads(Some(args.threads))?;
    if args.names.first().is_some_and(|name| name == "solvers") {
        return solvers::command(args);
    }
    let mut measured = Vec::new();
    if !args.json {
        out(&table::heading());
    }
    for benchmark in selected(&args.names)? {
        let measurement = (benchmark.run)(benchmark.name)?;
        if !args.json {
            out(&table::row(&measurement));
        }
        measured.push(measurement);
    }
    if args.json {
        out(&(serde_json::to_string_pretty(&measured).expect("numbers and strings") + "\n"));
    }
    Ok(SUCCESS)
}

fn selected(names: &[String]) -> miette::Result<Vec<&'static Benchmark>> {
    if names.is_empty() {
        return Ok(BENCHMARKS.iter().filter(|b| !b.long).collect());
    }
    let find = |name: &String| {
        BENCHMARKS.iter().find(|b| b.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
            let known: Vec<_> = BENCHMARKS.iter().map(|b| b.name).collect();
            miette!(help = format!("known benchmarks: {}", known.join(", ")), "there is no benchmark {name:?}")
        })
    };
    names.iter().map(find).collect()
}
