//! I4: Maxwell's material by itself, on one element with prescribed displacements.
//!
//! * Relaxation of an oedometer (strain ε₀ put on at once, none across): σ/(E ε₀) = K/E + 4/3 G/E e^{−t/τ}; ν = 0.25 gives 1.2 at once, 0.862869
//!   after τ = η/G, 2/3 in the end. Exact for any step.
//! * Creep under σ along one axis: ε E/σ = 1 + E t/(3η), 1.833333 after τ. The stress rises within the first step, which counts as half
//!   of it: times are taken from its middle.
//! * Simple shear at the rate 1/τ up to 5: σ_xy/(η γ̇) = 0.495814 with Jaumann's rate, 0.938626 with that of Green and Naghdi; without flow, up
//!   to a shear of 4, σ_xy/G = sin 4 and 2.317944. The error is that of the step, squared.
//! * A turn about itself in eight steps of 45° leaves the stress as it is, seen from the body: 1e-10.

use super::{Findings, Size};
use cairn_fem::Mat;
use cairn_fem::continuum::{Advance, Continuum, Options};
use cairn_fem::generate::{Flat, even, rectangle};
use cairn_fem::material::{Isotropic, Law, Material, Maxwell, StressRate};
use cairn_fem::section::{Kinematics, Section};
use miette::IntoDiagnostic;

/// G = 1 with ν = 0.25.
const ELASTIC: Isotropic = Isotropic { young: 2.5, poisson: 0.25 };

/// One element on its way.
struct Point {
    body: Continuum<2>,
    history: Vec<f64>,
    at: Vec<f64>,
}

impl Point {
    fn new(viscosity: f64, rate: StressRate, kinematics: Kinematics) -> miette::Result<Self> {
        let law = Law::Maxwell(Maxwell { elastic: ELASTIC, viscosity, rate });
        let (material, section) = (Material { density: 1.0, law }, Section::PlaneStrain { thickness: 1.0 });
        let mesh = rectangle(&even(0.0, 1.0, 1), &even(0.0, 1.0, 1), Flat::Q4);
        let options = Options { kinematics, ..Options::default() };
        let body = Continuum::new(mesh, vec![material], section, options).into_diagnostic()?;
        let (history, at) = (body.initial_history(), vec![0.0; body.dofs()]);
        Ok(Point { body, history, at })
    }

    /// Goes to the displacement gradient in a time; Cauchy's stress there.
    fn go(&mut self, gradient: &Mat<2>, h: f64) -> Mat<3> {
        let after: Vec<f64> =
            self.body.mesh().nodes.iter().flat_map(|x| (gradient * x).iter().copied().collect::<Vec<_>>()).collect();
        let mut new = self.history.clone();
        let step = Advance { before: &self.at, after: &after, history: &self.history, h, xi: 1.0 };
        self.body.advance(&step, &mut vec![0.0; after.len()], [None, None], &mut new);
        (self.at, self.history) = (after, new);
        self.body.samples(&self.at, &self.history)[0].stress
    }
}

/// Runs the case.
pub fn run(findings: &mut Findings, _: Size) -> miette::Result<()> {
    relaxation(findings)?;
    creep(findings)?;
    for (name, rate, flowing, elastic) in [
        ("Jaumann", StressRate::Jaumann, 0.495814, -0.756802),
        ("Green–Naghdi", StressRate::GreenNaghdi, 0.938626, 2.317944),
    ] {
        let found = shear(1.0, rate, 5.0)?;
        findings.relative(&format!("{name}: shear stress after 5 τ"), "ηγ̇", found, flowing, 1e-6);
        let found = shear(1e15, rate, 4.0)?;
        findings.relative(&format!("{name}: shear stress without flow at 4"), "G", found, elastic, 1e-6);
    }
    turn(findings)
}

fn relaxation(findings: &mut Findings) -> miette::Result<()> {
    let mut point = Point::new(1.0, StressRate::GreenNaghdi, Kinematics::Small)?;
    let held = Mat::<2>::new(1e-3, 0.0, 0.0, 0.0);
    let scale = ELASTIC.young * 1e-3;
    let first = point.go(&held, 1e-9)[(0, 0)] / scale;
    findings.relative("oedometer: stress at once", "E ε₀", first, 1.2, 1e-6);
    for _ in 0..10 {
        point.go(&held, 0.1);
    }
    findings.relative("oedometer: stress after τ", "E ε₀", point.go(&held, 0.0)[(0, 0)] / scale, 0.862869, 1e-6);
    let last = point.go(&held, 50.0)[(0, 0)] / scale;
    findings.relative("oedometer: stress in the end", "E ε₀", last, 2.0 / 3.0, 1e-6);
    Ok(())
}

/// Creep, by the deviatoric part of the stress.
fn creep(findings: &mut Findings) -> miette::Result<()> {
    // Pure shear in the plane, σ_xx = −σ_yy = s, creeps as ε = s/(2G) (1 + t/τ). So does the deviatoric part of a pull:
    // ε E/σ = E/(9K) + E/(3G) (1 + t/τ).
    let mut point = Point::new(1.0, StressRate::GreenNaghdi, Kinematics::Small)?;
    let (steps, stress) = (400, 1e-3);
    let h = 1.0 / (steps as f64 + 0.5);
    let mut strain = 0.0;
    for _ in 0..=steps {
        let at = |e: f64| Mat::<2>::new(e, 0.0, 0.0, -e);
        let trial = |e: f64| {
            let mut trial = Point { body: point.body.clone(), history: point.history.clone(), at: point.at.clone() };
            trial.go(&at(e), h)[(0, 0)]
        };
        // The stress is linear in the strain: two trials give it.
        let (none, some) = (trial(strain), trial(strain + 1e-3));
        strain += 1e-3 * (stress - none) / (some - none);
        point.go(&at(strain), h);
    }
    let (young, shear) = (ELASTIC.young, 1.0);
    let bulk = young / (3.0 * (1.0 - 2.0 * ELASTIC.poisson));
    let creep = young / (9.0 * bulk) + young / (3.0 * shear) * (2.0 * shear * strain / stress);
    findings.relative("creep: strain after τ", "σ/E", creep, 1.833333, 1e-6);
    Ok(())
}

fn shear(viscosity: f64, rate: StressRate, end: f64) -> miette::Result<f64> {
    let mut point = Point::new(viscosity, rate, Kinematics::Finite)?;
    let steps = 4000;
    let mut stress = Mat::<3>::zeros();
    for i in 1..=steps {
        let k = end * i as f64 / steps as f64;
        stress = point.go(&Mat::<2>::new(0.0, k, 0.0, 0.0), end / steps as f64);
    }
    Ok(stress[(0, 1)])
}

fn turn(findings: &mut Findings) -> miette::Result<()> {
    for (name, rate) in [("Jaumann", StressRate::Jaumann), ("Green–Naghdi", StressRate::GreenNaghdi)] {
        let mut point = Point::new(1e15, rate, Kinematics::Finite)?;
        let stretch = Mat::<2>::new(1.1, 0.05, 0.05, 0.97);
        let start = point.go(&(stretch - Mat::<2>::identity()), 1.0);
        let mut worst = 0.0_f64;
        for k in 1..=8 {
            let (s, c) = (std::f64::consts::FRAC_PI_4 * f64::from(k)).sin_cos();
            let turn = Mat::<2>::new(c, -s, s, c);
            let stress = point.go(&(turn * stretch - Mat::<2>::identity()), 1.0);
            let whole = Mat::<3>::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0);
            worst = worst.max((whole.transpose() * stress * whole - start).norm() / start.norm());
        }
        findings.at_most(&format!("{name}: change of the stress in a whole turn"), "-", worst, 1e-10);
    }
    Ok(())
}
