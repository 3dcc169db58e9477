//! C1: compression of geologic layers with a fault (Jean 1995, §5.1), implicit and quasi-static; in full size also by explicit steps with
//! fictitious masses.
//!
//! Two layers of Maxwell's rock (Green–Naghdi rate), 20 km long, 5 km each, pushed from the left by v₀ = 0.33e-10 m/s for a million years, v₀T = 1041.4 m; a
//! fault with a dip of 60° through the middle, friction 0.2. Not printed in the paper and chosen here: plane strain, ρ = 2700 kg/m³, lithostatic prestress,
//! two mapped blocks of 20 × 24 cells, each cut in two triangles. The paper has curves without numbers (no sliding on the lower part, sliding fast in the upper
//! layer); the numbers are those of an independent trial, updated Lagrangian, and hold within 3 %: slip over v₀T against depth, mean sliding velocity in the
//! second half, heights of the surface. Von Mises' stress is singular where the fault crosses the layers: its place is tested, not its value.
//!
//! Slip is what a point of the foot wall has slid along the hanging wall, ∫ ṡ dt. (Where the fault crosses the layers it is less than the distance from where
//! it started: the face that passes by is stretched there.)
//!
//! Without the fault every layer is in a homogeneous state. With σ the excess over the lithostatic stress, and σ_yy = 0,
//!
//! ```text
//!   σ̇_xx = 2G D_x + λ (D_x + D_y) − (σ_xx − m)/τ,   σ̇_zz = λ (D_x + D_y) − (σ_zz − m)/τ,   m = (σ_xx + σ_zz)/3,   D_y = −(λ D_x + m/τ)/(λ + 2G)
//! ```
//!
//! with D_x = −v₀/L at small strain, which gives −367.81 MPa above and −6.600 MPa below, and −v₀/(L − v₀t) at finite strain (there without gravity: the weight
//! above would be spread over less and less length). Both to 1e-6 by 4000 steps.

use super::scene::{example, run_to, written_plane};
use super::{Findings, Size};
use cairn::contact::Contact;
use cairn::measure::{balance_error, slips};
use cairn::scene::AnyScene;
use cairn::simulation::Simulation;
use cairn::space::Vect;
use cairn::step::contacts_at_start;
use cairn_fem::tensor::von_mises;
use miette::{IntoDiagnostic, miette};

const YEAR: f64 = 365.25 * 86400.0;
const SPEED: f64 = 0.33e-10;
const END: f64 = 1e6 * YEAR;
const DEPTH: f64 = 10e3;
const LENGTH: f64 = 20e3;
const WAY: f64 = SPEED * END;
const UNCUT: &str = include_str!("scenes/uncut-layers.toml");

/// Runs the case.
pub fn run(findings: &mut Findings, size: Size) -> miette::Result<()> {
    uncut(findings)?;
    let step = if size == Size::Full { 5e3 } else { 1e4 };
    let implicit = Faulted::run("geologic-layers", step)?;
    compare(findings, &implicit);
    if size == Size::Full {
        let explicit = Faulted::run("geologic-layers/scene-explicit", 1e6 / 3000.0)?;
        for depth in [0.0, 2e3, 4e3, 5e3] {
            let (found, reference) = (explicit.slip(depth), implicit.slip(depth));
            findings.relative(&format!("explicit: slip at {} km", 1e-3 * depth), "v₀T", found, reference, 0.005);
        }
        findings.at_most("explicit: inertia over internal forces", "-", explicit.inertia, 0.05);
        let unconverged = explicit.simulation.state.ledger.unconverged as f64;
        findings.at_most("explicit: steps above that, or not converged", "-", unconverged, 0.0);
    }
    Ok(())
}

/// A run, and what slides along its fault.
struct Faulted {
    simulation: Simulation<2>,
    /// Depth, way slid, way slid in the second half [m].
    slid: Vec<[f64; 3]>,
    /// The worst of its steps.
    inertia: f64,
}

impl Faulted {
    fn run(scene: &str, step: f64) -> miette::Result<Self> {
        let AnyScene::Plane(scene) = example(scene, &[("time.step", step.to_string())])? else {
            return Err(miette!("the layers are in the plane"));
        };
        let start = contacts_at_start(&scene);
        let mut run = Self { simulation: Simulation::new(scene), slid: Vec::new(), inertia: 0.0 };
        while !run.simulation.is_over() {
            let report = run.simulation.step().into_diagnostic()?;
            run.inertia = run.inertia.max(report.inertia.ratio);
            run.slide(&start);
        }
        Ok(run)
    }

    /// Adds the last step.
    fn slide(&mut self, start: &[Contact<2>]) {
        let state = &self.simulation.state;
        let last_step = state.last_step;
        let points = slips(&self.simulation.scene, start, state);
        self.slid.resize(points.len(), [0.0; 3]);
        for (slid, point) in self.slid.iter_mut().zip(points) {
            let way = last_step * point.rate.unwrap_or(0.0);
            let is_late = f64::from(u8::from(state.time > 0.5001 * END));
            *slid = [point.depth, slid[1] + way, slid[2] + is_late * way];
        }
    }

    /// A column of `slid`, straight between the points.
    fn at(&self, depth: f64, column: usize) -> f64 {
        let pair = self.slid.windows(2).find(|pair| pair[0][0] <= depth && depth <= pair[1][0]);
        let between = |p: &[[f64; 3]]| (depth - p[0][0]) / (p[1][0] - p[0][0]);
        pair.map_or(f64::NAN, |p| p[0][column] + (p[1][column] - p[0][column]) * between(p))
    }

    fn slip(&self, depth: f64) -> f64 {
        self.at(depth, 1) / WAY
    }
}

fn compare(findings: &mut Findings, run: &Faulted) {
    for (depth, reference) in [(0.0, 0.882), (2e3, 0.867), (4e3, 0.790), (5e3, 0.613)] {
        findings.relative(&format!("slip at {} km", 1e-3 * depth), "v₀T", run.slip(depth), reference, 0.03);
    }
    for (depth, reference) in [(0.0, 1.06), (2e3, 1.07), (3e3, 1.05), (4e3, 0.99), (5e3, 0.75)] {
        let velocity = run.at(depth, 2) / (0.5 * WAY);
        findings.relative(&format!("mean sliding velocity at {} km", 1e-3 * depth), "v₀", velocity, reference, 0.03);
    }
    let deep = run.slid.iter().filter(|point| point[0] > 6.3e3).map(|point| point[1].abs()).fold(0.0, f64::max);
    findings.at_most("largest slip below 6.3 km", "v₀T", deep / WAY, 0.001);
    surface(findings, &run.simulation);
    stresses(findings, &run.simulation);
    let (scene, state) = (&run.simulation.scene, &run.simulation.state);
    // In steps of centuries a fall would be faster than light: the scale of the account is the work of the drive.
    let open = (balance_error(scene, state) * state.ledger.throughput / state.ledger.work_drives).abs();
    findings.at_most("energy balance over the work of the drive", "-", open, 1e-6);
    findings.at_most("steps not converged", "-", state.ledger.unconverged as f64, 0.0);
}

fn surface(findings: &mut Findings, simulation: &Simulation<2>) {
    let rise = |k: usize, x: f64| {
        let (body, field) = (&simulation.scene.flexibles[k], &simulation.state.fields[k]);
        let nodes = body.model.nodes().iter().zip(field.displacement.chunks_exact(2));
        nodes.filter(|(p, _)| (p[1] - DEPTH).abs() < 1.0 && (p[0] - x).abs() < 1.0).map(|(_, u)| u[1]).sum::<f64>()
    };
    let lip = 12886.7513;
    for (name, k, x, reference, tolerance) in [
        ("lip of the hanging wall", 1, lip, 865.0, 0.03),
        ("lip of the foot wall", 0, lip, 56.0, 0.03),
        ("left edge", 1, 0.0, 454.0, 0.03),
        ("right edge", 0, LENGTH, 243.0, 0.03),
    ] {
        findings.relative(&format!("rise of the {name}"), "m", rise(k, x), reference, tolerance);
    }
}

fn stresses(findings: &mut Findings, simulation: &Simulation<2>) {
    let mut layers = [Vec::new(), Vec::new()];
    let mut peak = (0.0, Vect::<2>::zeros());
    for (body, field) in simulation.scene.flexibles.iter().zip(&simulation.state.fields) {
        for sample in body.model.continuum.samples(&field.displacement, &field.history) {
            let value = von_mises(&sample.stress);
            layers[usize::from(sample.place[1] < 0.5 * DEPTH)].push(value);
            if value > peak.0 {
                peak = (value, sample.place);
            }
        }
    }
    let [upper, lower] = layers.map(|mut values| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    });
    findings.relative("median of Von Mises' stress, upper layer", "MPa", 1e-6 * upper, 190.0, 0.03);
    findings.relative("median of Von Mises' stress, lower layer", "MPa", 1e-6 * lower, 10.0, 0.05);
    let away = (peak.1 - Vect::<2>::new(10e3, 5e3)).norm();
    findings.at_most("distance of its peak from where the fault crosses the layers", "m", away, 1000.0);
    findings.holds("the peak is above twice the upper median", peak.0 > 2.0 * upper);
}

/// The layers without a fault.
fn uncut(findings: &mut Findings) -> miette::Result<()> {
    let weightless = UNCUT
        .replace("initial_stress = { surface = 10000 }\n", "")
        .replace("gravity = { acceleration = [0, -9.81] }\n", "")
        .replace("kinematics = \"small\"", "kinematics = \"finite\"");
    for (strain, text, is_finite) in [("small", UNCUT, false), ("finite", &weightless, true)] {
        let mut simulation = written_plane(text, &[])?;
        run_to(&mut simulation, END)?;
        let (body, field) = (&simulation.scene.flexibles[0], &simulation.state.fields[0]);
        let samples = body.model.continuum.samples(&field.displacement, &field.history);
        for (name, is_upper, viscosity, printed) in [("upper", true, 1e23, -367.81e6), ("lower", false, 1e21, -6.600e6)]
        {
            let exact = excess(viscosity, is_finite);
            let own = samples.iter().filter(|s| (s.place[1] > 0.5 * DEPTH) == is_upper);
            let worst =
                own.map(|s| s.stress[(0, 0)] - s.stress[(1, 1)]).map(|e| (e / exact - 1.0).abs()).fold(0.0, f64::max);
            let quantity = format!("uncut, {strain} strain: σ_xx − σ_yy, {name} layer, worst error");
            findings.at_most(&quantity, "-", worst, 1e-6);
            if !is_finite {
                let quantity = format!("uncut, exact: σ_xx + ρgz, {name} layer");
                findings.relative(&quantity, "MPa", 1e-6 * exact, 1e-6 * printed, 2e-5);
            }
        }
    }
    Ok(())
}

/// σ_xx at the end, by Runge and Kutta's rule.
fn excess(viscosity: f64, is_finite: bool) -> f64 {
    let (lambda, shear) = (4e9, 4e9);
    let tau = viscosity / shear;
    let rate = |t: f64, [x, z]: [f64; 2]| {
        let along = -SPEED / (LENGTH - if is_finite { SPEED * t } else { 0.0 });
        let mean = (x + z) / 3.0;
        let volume = along - (lambda * along + mean / tau) / (lambda + 2.0 * shear);
        [2.0 * shear * along + lambda * volume - (x - mean) / tau, lambda * volume - (z - mean) / tau]
    };
    let steps = 20_000;
    let h = END / f64::from(steps);
    let mut s = [0.0; 2];
    for i in 0..steps {
        let t = f64::from(i) * h;
        let moved = |k: [f64; 2], h: f64| [s[0] + h * k[0], s[1] + h * k[1]];
        let a = rate(t, s);
        let b = rate(t + 0.5 * h, moved(a, 0.5 * h));
        let c = rate(t + 0.5 * h, moved(b, 0.5 * h));
        let d = rate(t + h, moved(c, h));
        s = [0, 1].map(|i| s[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    s[0]
}
