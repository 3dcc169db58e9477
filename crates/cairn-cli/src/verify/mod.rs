//! `cairn verify`: the cases with known answers. One file a case: physics, reference, tolerance and why.

mod a1;
mod a10;
mod a11;
mod a12;
mod a2;
mod a3;
mod a4;
mod a5;
mod a6;
mod a7;
mod a8;
mod a9;
mod b1;
mod b2;
mod b3;
pub mod biaxial;
mod c1;
mod c2_biaxial;
mod c3_temple;
mod c4;
mod couette;
mod d1;
mod d2;
mod d3;
mod deformable;
mod e1;
mod e2;
mod f1;
mod f2;
mod h1;
mod h2;
mod h3;
mod h4;
mod h5;
mod h6;
mod i1;
mod i2;
mod i3;
mod i4;
mod i5;
mod i6;
mod j1;
mod j2;
mod j3;
mod j4;
mod l1;
mod l2;
mod newmark;
mod rocking;
pub(crate) mod scene;
mod shells;
mod table;
mod thrust;

use crate::args;
use crate::print::out;
use crate::progress::duration;
use crate::{FAILURE, SUCCESS};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use cairn::state::Margin;
use miette::miette;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// One comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// Case id, e.g. "A1".
    pub case: String,
    /// What is compared.
    pub quantity: String,
    /// Unit, "-" for a pure number.
    pub unit: String,
    /// Our value.
    pub computed: f64,
    /// The known one.
    pub reference: f64,
    /// Error as the tolerance measures it: relative where the reference is not 0 and the check says so.
    pub error: f64,
    /// Largest error that passes.
    pub tolerance: f64,
    /// Within the tolerance?
    pub pass: bool,
    /// Seconds that the case took so far.
    pub seconds: f64,
}

/// Size at which a case is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Seconds.
    Quick,
    /// As in the papers.
    Full,
}

/// What a case writes its comparisons to.
pub struct Findings {
    case: &'static str,
    start: Instant,
    /// Comparisons so far.
    pub checks: Vec<Check>,
    /// Folder for the plots of the case, if they are wanted.
    pub plots: Option<PathBuf>,
}

impl Findings {
    fn new(case: &'static str, plots: Option<PathBuf>) -> Self {
        Self { case, start: Instant::now(), checks: Vec::new(), plots }
    }

    fn push(&mut self, quantity: &str, unit: &str, values: (f64, f64), error: f64, tolerance: f64) {
        self.checks.push(Check {
            case: self.case.to_string(),
            quantity: quantity.to_string(),
            unit: unit.to_string(),
            computed: values.0,
            reference: values.1,
            error,
            tolerance,
            pass: error <= tolerance,
            seconds: self.start.elapsed().as_secs_f64(),
        });
    }

    /// |computed − reference| / |reference| ≤ tolerance.
    pub fn relative(&mut self, quantity: &str, unit: &str, computed: f64, reference: f64, tolerance: f64) {
        self.push(quantity, unit, (computed, reference), ((computed - reference) / reference).abs(), tolerance);
    }

    /// |computed − reference| ≤ tolerance, in the unit of the quantity.
    pub fn absolute(&mut self, quantity: &str, unit: &str, computed: f64, reference: f64, tolerance: f64) {
        self.push(quantity, unit, (computed, reference), (computed - reference).abs(), tolerance);
    }

    /// computed ≤ limit: the reference is 0, the tolerance the limit.
    pub fn at_most(&mut self, quantity: &str, unit: &str, computed: f64, limit: f64) {
        self.push(quantity, unit, (computed, 0.0), computed, limit);
    }

    /// What every case asks of a run: the energy account closes to round-off, and no step was left unconverged.
    pub fn sound<const D: usize>(&mut self, run: &str, simulation: &Simulation<D>)
    where
        Space<D>: Ambient<D>,
    {
        let balance = cairn::measure::balance_error(&simulation.scene, &simulation.state).abs();
        self.at_most(&format!("{run}: energy balance error"), "-", balance, 1e-10);
        self.at_most(&format!("{run}: steps not converged"), "-", simulation.state.ledger.unconverged as f64, 0.0);
    }

    /// The run has kept to what its scene asks for: every margin, in parts of its limit.
    pub fn kept<const D: usize>(&mut self, run: &str, simulation: &Simulation<D>)
    where
        Space<D>: Ambient<D>,
    {
        let limits = simulation.scene.accuracy.limits;
        for (margin, limit) in Margin::ALL.into_iter().zip(limits) {
            let worst = simulation.state.ledger.margins[margin as usize].value;
            self.at_most(&format!("{run}: {margin:?} / limit"), "-", worst / limit, 1.0);
        }
    }

    /// Something that is or is not so: 1 against 1.
    pub fn holds(&mut self, quantity: &str, is_so: bool) {
        self.absolute(quantity, "yes/no", f64::from(u8::from(is_so)), 1.0, 0.0);
    }
}

/// A verification case.
pub struct Case {
    /// Id as in the documentation.
    pub id: &'static str,
    /// What it is.
    pub title: &'static str,
    /// About how long its full size takes, in seconds of one processor.
    pub full_seconds: u32,
    /// Runs it.
    pub run: fn(&mut Findings, Size) -> miette::Result<()>,
}

/// All cases: a new one is one file and one line here.
pub const CASES: &[Case] = &[
    Case { id: "A1", title: "blocks on an incline", full_seconds: 1, run: a1::run },
    Case { id: "A2", title: "disk and ball on an incline", full_seconds: 1, run: a2::run },
    Case { id: "A3", title: "bouncing ball", full_seconds: 1, run: a3::run },
    Case { id: "A4", title: "freely spinning bodies", full_seconds: 1, run: a4::run },
    Case { id: "A5", title: "thinnest voussoir arch", full_seconds: 20, run: a5::run },
    Case { id: "A6", title: "rocking block", full_seconds: 1, run: a6::run },
    Case { id: "A7", title: "blocks on a shaken table", full_seconds: 1, run: a7::run },
    Case { id: "A8", title: "elastic bar", full_seconds: 5, run: a8::run },
    Case { id: "A9", title: "Hertz' contact", full_seconds: 5, run: a9::run },
    Case { id: "A10", title: "Painlevé's rod", full_seconds: 1, run: a10::run },
    Case { id: "A11", title: "cracks between glued beams", full_seconds: 15, run: a11::run },
    Case { id: "A12", title: "stack with a heavy top", full_seconds: 4, run: a12::run },
    Case { id: "B1", title: "granular Couette flow", full_seconds: 1000, run: b1::run },
    Case { id: "B2", title: "sweeps that an accuracy of 0.15 % takes", full_seconds: 400, run: b2::run },
    Case { id: "B3", title: "wall of soft elastic blocks", full_seconds: 90, run: b3::run },
    Case { id: "C1", title: "compression of geologic layers", full_seconds: 60, run: c1::run },
    Case { id: "C4", title: "block under a sine ground motion", full_seconds: 1, run: c4::run },
    Case { id: "C2", title: "biaxial test of a Schneebeli material", full_seconds: 900, run: c2_biaxial::run },
    Case { id: "C3", title: "temple on a moving ground", full_seconds: 20, run: c3_temple::run },
    Case { id: "E1", title: "oblique impact of an elastic plate", full_seconds: 3, run: e1::run },
    Case { id: "E2", title: "elastic disc between two plates", full_seconds: 350, run: e2::run },
    Case { id: "F1", title: "collision of two equal rods", full_seconds: 2, run: f1::run },
    Case { id: "F2", title: "impact of a cylinder on a wall", full_seconds: 10, run: f2::run },
    Case { id: "D1", title: "masonry wall under gravity, three ways", full_seconds: 40, run: d1::run },
    Case { id: "D2", title: "masonry wall on settling ground", full_seconds: 100, run: d2::run },
    Case { id: "D3", title: "dome, bonded and dry", full_seconds: 2, run: d3::run },
    Case { id: "H1", title: "pressed lattice", full_seconds: 10, run: h1::run },
    Case { id: "H2", title: "triaxial compression of spheres", full_seconds: 600, run: h2::run },
    Case { id: "H3", title: "grains wedged in a rough drum", full_seconds: 5, run: h3::run },
    Case { id: "H4", title: "rubber between plates", full_seconds: 30, run: h4::run },
    Case { id: "H5", title: "bonds of a face at their strength", full_seconds: 5, run: h5::run },
    Case { id: "H6", title: "arch under a load at its quarter", full_seconds: 10, run: h6::run },
    Case { id: "I1", title: "tensile test of a plastic cube", full_seconds: 1, run: i1::run },
    Case { id: "I2", title: "thick sphere under internal pressure", full_seconds: 10, run: i2::run },
    Case { id: "I3", title: "Taylor bar", full_seconds: 60, run: i3::run },
    Case { id: "I4", title: "Maxwell's material", full_seconds: 1, run: i4::run },
    Case { id: "I5", title: "springback of a bent sheet", full_seconds: 1, run: i5::run },
    Case { id: "I6", title: "limit load of a strip footing", full_seconds: 60, run: i6::run },
    Case { id: "J1", title: "shells: roof, hemisphere, cylinder, twisted beam", full_seconds: 1, run: j1::run },
    Case { id: "J2", title: "shells that turn far", full_seconds: 10, run: j2::run },
    Case { id: "J3", title: "hydraulic bulge of a steel sheet", full_seconds: 10, run: j3::run },
    Case { id: "J4", title: "wrinkles of an annular flange", full_seconds: 10, run: j4::run },
    Case { id: "L1", title: "simple shear of disks in a periodic cell", full_seconds: 600, run: l1::run },
    Case { id: "L2", title: "biaxial tests in a cell and between walls", full_seconds: 40, run: l2::run },
];

/// Runs one case.
pub fn run(case: &Case, size: Size, plots: Option<&Path>) -> miette::Result<Vec<Check>> {
    let mut findings = Findings::new(case.id, plots.map(Path::to_path_buf));
    (case.run)(&mut findings, size)?;
    Ok(findings.checks)
}

/// Runs `cairn verify`.
pub fn command(args: &args::Verify) -> miette::Result<u8> {
    if args.list {
        let time = |c: &Case| duration(f64::from(c.full_seconds));
        CASES.iter().for_each(|c| out(&format!("{:<4} {:<44} --full: {}\n", c.id, c.title, time(c))));
        return Ok(SUCCESS);
    }
    crate::run::use_threads(args.threads)?;
    if let Some(folder) = &args.output {
        std::fs::create_dir_all(folder).map_err(|e| miette!("{}: {e}", folder.display()))?;
    }
    let size = if args.full { Size::Full } else { Size::Quick };
    let mut checks = Vec::new();
    let cases = selected(&args.cases)?;
    for (k, case) in cases.iter().enumerate() {
        if args.full {
            let time = duration(f64::from(case.full_seconds));
            eprintln!("[{}/{}] {} {}: about {time}", k + 1, cases.len(), case.id, case.title);
        }
        let found = run(case, size, args.output.as_deref())?;
        if !args.json {
            out(&table::rows(case, &found));
        }
        checks.extend(found);
    }
    let failed = checks.iter().filter(|c| !c.pass).count();
    if args.json {
        out(&(serde_json::to_string_pretty(&checks).expect("numbers and strings") + "\n"));
    } else {
        out(&format!("\n{} passed, {failed} failed\n", checks.len() - failed));
    }
    Ok(if failed == 0 { SUCCESS } else { FAILURE })
}

fn selected(names: &[String]) -> miette::Result<Vec<&'static Case>> {
    if names.is_empty() {
        return Ok(CASES.iter().collect());
    }
    let find = |name: &String| {
        CASES.iter().find(|c| c.id.eq_ignore_ascii_case(name)).ok_or_else(|| {
            let known: Vec<_> = CASES.iter().map(|c| c.id).collect();
            miette!(help = format!("known cases: {}", known.join(", ")), "there is no case {name:?}")
        })
    };
    names.iter().map(find).collect()
}
