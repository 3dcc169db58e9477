//! Cracks between glued beams, computed and by theory: shared by the tests and by the program that draws the plots
//! (`examples/delamination.rs`).

use cairn::scene::{AnyScene, read};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space, Vect};
use std::path::{Path, PathBuf};

/// The force that the joints exert on a body, counted among rigid and deformable ones [N].
pub fn force_on<const D: usize>(s: &Simulation<D>, body: u32) -> Vect<D>
where
    Space<D>: Ambient<D>,
{
    let mut force = Vect::zeros();
    for r in &s.state.reactions {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            if r.contact.bodies[side] == body {
                force += r.impulse * (sign / s.state.last_step);
            }
        }
    }
    force
}

/// Where the examples are.
pub fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// An example in the plane, with other values.
pub fn example(name: &str, changes: &[(&str, &str)]) -> Simulation<2> {
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    match read(&examples().join(name).join("scene.toml"), &changes).unwrap_or_else(|e| panic!("{}", e.plain())).scene {
        AnyScene::Plane(scene) => Simulation::new(scene),
        AnyScene::Solid(_) => unreachable!(),
    }
}

/// A test of a glued specimen.
pub struct Specimen {
    /// Name of the example.
    pub name: &'static str,
    /// Displacement per time [m/s].
    rate: f64,
    /// The body on which the load is measured.
    body: u32,
    /// Displacement from which on the load is compared: the crack has begun to grow [m].
    grown: f64,
    /// What beam theory says at a displacement.
    pub theory: fn(f64) -> Beam,
}

/// Arms that are pulled apart.
pub const DOUBLE_CANTILEVER: Specimen =
    Specimen { name: "double-cantilever", rate: 6e-3, body: 0, grown: 3.6e-3, theory: double_cantilever };
/// Beams that slide on each other in bending.
pub const END_NOTCHED: Specimen =
    Specimen { name: "end-notched-flexure", rate: 4e-3, body: 2, grown: 3.1e-3, theory: end_notched };

/// A state on the way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Point {
    /// Opening or deflection [m].
    pub displacement: f64,
    /// Load per width [N/m].
    pub load: f64,
    /// Dissipated by damage [J/m].
    pub dissipated: f64,
    /// Stored in the joints [J/m].
    pub stored: f64,
}

/// Errors relative to theory: of the largest load; of the load while the crack grows, on the average; of the energy at
/// the end, dissipated alone and with what is stored in the bonds that soften, which theory counts as spent.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    pub peak: f64,
    pub load: f64,
    pub dissipated: f64,
    pub spent: f64,
}

impl Specimen {
    /// Runs to the end; `look` sees every step.
    pub fn run(&self, changes: &[(&str, &str)], mut look: impl FnMut(&Simulation<2>, bool)) -> Vec<Point> {
        let mut s = example(self.name, changes);
        let mut points = vec![Point::default()];
        while s.state.time < s.scene.time.end - 0.5 * s.scene.time.step {
            let report = s.step().unwrap_or_else(|e| panic!("{e}"));
            look(&s, report.solver.converged);
            let load = force_on(&s, self.body)[1];
            let (dissipated, stored) = (s.state.ledger.damage, s.state.ledger.joints);
            points.push(Point { displacement: self.rate * s.state.time, load, dissipated, stored });
        }
        points
    }

    /// How far a run is from theory.
    pub fn errors(&self, points: &[Point]) -> Errors {
        let last = points[points.len() - 1];
        let beam = (self.theory)(last.displacement);
        let peak = points.iter().map(|p| p.load).fold(0.0, f64::max);
        let grown: Vec<&Point> = points.iter().filter(|p| p.displacement > self.grown).collect();
        let load = grown.iter().map(|p| p.load / (self.theory)(p.displacement).load - 1.0).sum::<f64>();
        Errors {
            peak: peak / beam.peak - 1.0,
            load: load / grown.len() as f64,
            dissipated: last.dissipated / beam.spent - 1.0,
            spent: (last.dissipated + last.stored) / beam.spent - 1.0,
        }
    }
}

const YOUNG: f64 = 70e9;
const TOUGHNESS: f64 = 300.0;

/// χ of Williams' correction: a crack in an isotropic beam, ν = 0.3, is longer by χ h, as the beam turns at its root.
fn chi() -> f64 {
    let shear: f64 = 2.0 * 1.3;
    let gamma = 1.18 * shear;
    let part = gamma / (1.0 + gamma);
    (shear / 11.0 * (3.0 - 2.0 * part * part)).sqrt()
}

/// The equilibrium of a beam with a crack at a displacement: load, energy spent, both per width, and the load at which
/// the crack begins to grow.
pub struct Beam {
    /// [N/m].
    pub load: f64,
    /// [J/m].
    pub spent: f64,
    /// [N/m].
    pub peak: f64,
}

/// A crack from `start` on, with compliance C(a) and the load P(a) at which G = G_c: the displacement C P grows with a.
fn cracked(start: f64, displacement: f64, compliance: impl Fn(f64) -> f64, load: impl Fn(f64) -> f64) -> Beam {
    let peak = load(start);
    if compliance(start) * peak > displacement {
        return Beam { load: displacement / compliance(start), spent: 0.0, peak };
    }
    let (mut low, mut high) = (start, 2.0 * start);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if compliance(middle) * load(middle) < displacement { low = middle } else { high = middle }
    }
    Beam { load: load(low), spent: TOUGHNESS * (low - start), peak }
}

/// Arms of 1.5 mm, crack of 30 mm: G = 12 P² a²/(E h³), opening 8 P a³/(E h³).
fn double_cantilever(opening: f64) -> Beam {
    let h: f64 = 1.5e-3;
    let stiffness = YOUNG * h.powi(3);
    cracked(0.03 + chi() * h, opening, |a| 8.0 * a.powi(3) / stiffness, |a| (TOUGHNESS * stiffness / 12.0).sqrt() / a)
}

/// Beams of 3 mm on half a span of 100 mm, crack of 75 mm: G = 9 P² a²/(16 E h³), deflection P (3 a³ + 2 L³)/(8 E h³).
fn end_notched(deflection: f64) -> Beam {
    let (h, half): (f64, f64) = (3e-3, 0.1);
    let stiffness = YOUNG * h.powi(3);
    let compliance = |a: f64| (3.0 * a.powi(3) + 2.0 * half.powi(3)) / (8.0 * stiffness);
    cracked(0.075 + 0.42 * chi() * h, deflection, compliance, |a| 4.0 / (3.0 * a) * (TOUGHNESS * stiffness).sqrt())
}
