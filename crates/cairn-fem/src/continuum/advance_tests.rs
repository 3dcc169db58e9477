//! Bodies with memory: the suite that every law with memory passes (those of `material::every`), in every kinematics, formulation, section and
//! element; then the laws one by one.

use cairn_sparse::Symmetric;
use nalgebra::Rotation3;

use super::testing::*;
use super::*;
use crate::material::every::{ELASTIC, Entry, every};
use crate::material::{Damage, DamageCriterion, KelvinVoigt, Law};
use crate::mesh::Kind;
use crate::{Mat, Vect};

const SHEET: Formulation = Formulation::SolidShell { points: 3 };
const FORMULATIONS: [Formulation; 4] = [Formulation::Standard, Formulation::BBar, Formulation::Incompatible, SHEET];
const KINEMATICS: [Kinematics; 2] = [Kinematics::Small, Kinematics::Finite];
/// A plate in plane stress, a slice in plane strain, a ring.
const SECTIONS: [Section; 3] = [Section::PlaneStress { thickness: 0.5 }, PLATE, Section::Axisymmetric];

const VISCOUS: Law = Law::KelvinVoigt(KelvinVoigt { elastic: ELASTIC, viscosity: 30.0 });
/// Strains of the tests are some hundredths: damage sets in at 0.02, flow at 0.01.
const BRITTLE: Law =
    Law::Damage(Damage { elastic: ELASTIC, strength: 2.0, fracture_energy: 2.0, criterion: DamageCriterion::Energy });
fn options(kinematics: Kinematics, formulation: Formulation) -> Options {
    Options { kinematics, formulation, ..Options::default() }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A body after one step, of which a second one is to be made: from `u0` to `u1`.
struct Trial<const D: usize> {
    body: Continuum<D>,
    entry: Entry,
    name: String,
    u0: Vec<f64>,
    history: Vec<f64>,
}

impl<const D: usize> Trial<D> {
    fn new(body: Continuum<D>, entry: Entry, what: &str) -> Self {
        let n = body.dofs();
        let u0 = some_displacement(n, 0.006);
        let start = body.initial_history();
        let mut history = start.clone();
        let first = Advance { before: &vec![0.0; n], after: &u0, history: &start, h: 0.5, xi: 1.0 };
        let work = body.advance(&first, &mut vec![0.0; n], [None, None], &mut history);
        let Options { kinematics, formulation, .. } = *body.options();
        let name = format!("{} {what} {:?} {kinematics:?} {formulation:?}", entry.name, body.section());
        assert!(work.stored > 0.0, "{name}: no answer");
        Trial { body, entry, name, u0, history }
    }

    /// Force, numbers kept, work, and the symmetric and the skew part of the tangent.
    fn step(&self, after: &[f64], xi: f64) -> (Vec<f64>, Vec<f64>, Work, [Symmetric; 2]) {
        let (mut f, mut history) = (vec![0.0; self.u0.len()], self.history.clone());
        let mut k = [(); 2].map(|()| Symmetric::zero(self.body.pattern()));
        let step = Advance { before: &self.u0, after, history: &self.history, h: 0.2, xi };
        let work = self.body.advance(&step, &mut f, k.each_mut().map(Some), &mut history);
        (f, history, work, k)
    }

    fn has_modes_at_finite_strain(&self) -> bool {
        let Options { kinematics, formulation, .. } = *self.body.options();
        kinematics == Kinematics::Finite && matches!(formulation, Formulation::Incompatible | SHEET)
    }

    /// Forward (`factor` > 1: more strain than ever) or back.
    fn end(&self, factor: f64) -> Vec<f64> {
        let other = some_displacement(self.u0.len() + 5, 0.001);
        self.u0.iter().zip(&other[5..]).map(|(u, d)| factor * u + d).collect()
    }
}

/// Calls with bodies of all laws, kinematics, formulations, sections and elements.
fn in_every_body(mut planes: impl FnMut(&Trial<2>), mut solids: impl FnMut(&Trial<3>)) {
    let (mut count, mut count_that_soften) = (0, 0);
    for entry in every() {
        let material = Material { density: 1.0, law: entry.law };
        count_that_soften += usize::from(entry.law.inelastic().unwrap().may_soften());
        for (kinematics, formulation) in KINEMATICS.iter().flat_map(|k| FORMULATIONS.map(|f| (*k, f))) {
            let options = options(kinematics, formulation);
            for (kind, section) in PLANE.iter().flat_map(|kind| SECTIONS.map(|section| (*kind, section))) {
                // What the model refuses: B-bar in plane stress, incompatible modes in axisymmetry, modes
                // where a material softens.
                let mesh = grid(kind, [2; 2], 0.2);
                let Ok(body) = Continuum::new(mesh, vec![material], section, options) else { continue };
                planes(&Trial::new(body, entry, &format!("{kind:?}")));
                count += 1;
            }
            for kind in SOLID {
                // Cells of twenty nodes have points enough in one.
                let cells = if kind == Kind::H20 { [1, 1, 2] } else { [2, 2, 1] };
                let mesh = grid(kind, cells, 0.2);
                let Ok(body) = Continuum::new(mesh, vec![material], Section::Solid, options) else { continue };
                solids(&Trial::new(body, entry, &format!("{kind:?}")));
                count += 1;
            }
        }
    }
    // In each kinematics 12 + 8 plane and 4 + 4 solid bodies of each law, and with modes 8 and 4 of those that do not soften,
    // and a sheet.
    let all = every().len();
    assert_eq!(count, 2 * (all * (12 + 8 + 4 + 4) + (all - count_that_soften) * (8 + 4 + 1)));
}

/// a·K b + b·K a against differences of the force along a and b: that is the symmetric part, and all of it where the law's tangent is symmetric or
/// the skew part comes with it. Condensed modes mix both parts: there only for laws with a symmetric one.
fn tangent_matches<const D: usize>(trial: &Trial<D>) {
    let Options { kinematics, formulation, .. } = *trial.body.options();
    let is_finite = kinematics == Kinematics::Finite;
    let has_modes =
        matches!(formulation, Formulation::Incompatible | SHEET) && trial.body.mesh().cells[0].kind.may_lock();
    if has_modes && !trial.entry.symmetric[usize::from(is_finite)] {
        return;
    }
    let n = trial.u0.len();
    let [a, b] = [7, 11].map(|seed| some_displacement(n + seed, 1.0)[seed..].to_vec());
    // Small kinematics: exact for any ξ.
    let schemes: &[f64] = if is_finite { &[1.0] } else { &[0.5, 1.0] };
    for (&xi, factor) in schemes.iter().flat_map(|xi| [1.3, 0.6].map(|factor| (xi, factor))) {
        let u1 = trial.end(factor);
        let (.., [k, skew]) = trial.step(&u1, xi);
        let along = |d: &[f64]| {
            let moved = |s: f64| u1.iter().zip(d).map(|(u, d)| u + s * d).collect::<Vec<_>>();
            let (ahead, behind) = (trial.step(&moved(1e-7), xi).0, trial.step(&moved(-1e-7), xi).0);
            let slope: Vec<f64> = ahead.iter().zip(&behind).map(|(x, y)| (x - y) / 2e-7 / xi).collect();
            let mut product = vec![0.0; n];
            k.multiply(d, &mut product);
            skew.visit(|i, j, entry| product[i] += if i > j { entry * d[j] } else { -entry * d[j] });
            (slope, product)
        };
        let ((slope_a, product_a), (slope_b, product_b)) = (along(&a), along(&b));
        let top = largest(&product_a).max(largest(&product_b));
        for ((x, y), (slope, product)) in [
            ((&a, &b), (dot(&slope_a, &b) + dot(&slope_b, &a), dot(&product_a, &b) + dot(&product_b, &a))),
            ((&a, &a), (dot(&slope_a, &a), dot(&product_a, &a))),
            ((&b, &b), (dot(&slope_b, &b), dot(&product_b, &b))),
        ] {
            let scale = top * (dot(x, x) * dot(y, y)).sqrt().sqrt();
            assert!((slope - product).abs() < 2e-6 * scale, "{} ×{factor} ξ {xi}: {product} {slope}", trial.name);
        }
        if trial.entry.symmetric[usize::from(is_finite)] || trial.body.has_skew_tangent() {
            let apart = slope_a.iter().zip(&product_a).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
            assert!(apart < 2e-6 * top, "{} ×{factor} ξ {xi}: {apart:e} of {top:e}", trial.name);
        }
    }
}

#[test]
fn the_tangent_is_the_derivative_of_the_force_loading_and_unloading() {
    in_every_body(tangent_matches, tangent_matches);
}

fn loses<const D: usize>(trial: &Trial<D>) {
    for factor in [1.5, 1.01, 0.7, 0.0, -1.0, -2.0] {
        let (.., work, _) = trial.step(&trial.end(factor), 0.5);
        // Turned over in one step, modes may have no balance: that is told.
        if factor < 0.0 && trial.has_modes_at_finite_strain() && work.stored.is_nan() {
            continue;
        }
        assert!(work.lost.total() >= 0.0, "{}: gains {} at ×{factor}", trial.name, -work.lost.total());
        assert!(work.stored > 0.0, "{}", trial.name);
    }
    // To stand still costs nothing, unless something creeps. (The stress of a finite step whose flow is not along the axes of the strain is that of its
    // start, up to the square of the step: what is left moves a little.)
    let (.., work, _) = trial.step(&trial.u0, 0.5);
    let lost = work.lost.total();
    let is_finite = trial.body.options().kinematics == Kinematics::Finite;
    let most = if is_finite && trial.entry.has_axes() { 1e-5 } else { 1e-12 };
    assert!(lost <= most * work.stored || trial.entry.creeps, "{}: {lost} of {}", trial.name, work.stored);
}

#[test]
fn nothing_gains_energy() {
    in_every_body(loses, loses);
}

/// f·Δu = ΔW + D at ξ = ½: exact for the dashpot (but for mean dilatation at finite strain). Laws that flow or lose stiffness lose exactly what they
/// say, and the work is that of the trapezium: what is left falls with the step, here a sixteenth of that of the other tests. A law of rates (Maxwell's) has no
/// energy at finite strain: what it stores and loses is its work up to a share of the order of the elastic strain.
fn balances<const D: usize>(trial: &Trial<D>) {
    let Options { kinematics, formulation, .. } = *trial.body.options();
    let is_exact = matches!(trial.entry.law, Law::KelvinVoigt(_))
        && (kinematics == Kinematics::Small || formulation != Formulation::BBar);
    let end = trial.end(1.2);
    let error = |steps: usize| {
        let (mut at, mut history) = (trial.u0.clone(), trial.history.clone());
        let before = trial.body.stored_energy(&at, &history);
        let (mut worked, mut stored, mut lost) = (0.0, 0.0, 0.0);
        for i in 1..=steps {
            let share = i as f64 / steps as f64;
            let after: Vec<f64> = trial.u0.iter().zip(&end).map(|(a, b)| a + (b - a) * share).collect();
            let (mut f, mut new) = (vec![0.0; at.len()], history.clone());
            let step = Advance { before: &at, after: &after, history: &history, h: 0.2 / steps as f64, xi: 0.5 };
            let work = trial.body.advance(&step, &mut f, [None, None], &mut new);
            let moved: Vec<f64> = after.iter().zip(&at).map(|(a, b)| a - b).collect();
            worked += dot(&f, &moved);
            lost += work.lost.total();
            (at, history, stored) = (after, new, work.stored);
        }
        ((worked - (stored - before) - lost) / (stored + lost)).abs()
    };
    let (steps, most) = match trial.entry.law {
        _ if is_exact => (1, 1e-12),
        Law::Maxwell(_) if kinematics == Kinematics::Finite => (16, 2e-2),
        _ => (16, 1e-3),
    };
    let found = error(steps);
    assert!(found < most, "{}: {found:e}", trial.name);
}

#[test]
fn the_work_of_a_step_is_stored_or_lost() {
    in_every_body(balances, balances);
}

/// What the trapezium misses of a damaging path falls with the square of the step.
#[test]
fn the_work_of_damage_converges_to_what_is_stored_and_lost() {
    let law = BRITTLE;
    let body = body::<2>(Kind::Q4, Material { density: 1.0, law }, options(Kinematics::Finite, Formulation::Standard));
    let end = affine(body.mesh(), &Mat::<2>::new(0.05, 0.01, -0.01, -0.01));
    let error = |steps: usize| {
        let mut history = body.initial_history();
        let (mut at, mut worked, mut lost, mut stored) = (vec![0.0; end.len()], 0.0, 0.0, 0.0);
        for i in 1..=steps {
            let after: Vec<f64> = end.iter().map(|u| u * i as f64 / steps as f64).collect();
            let (mut f, mut new) = (vec![0.0; end.len()], history.clone());
            let step = Advance { before: &at, after: &after, history: &history, h: 1.0, xi: 0.5 };
            let work = body.advance(&step, &mut f, [None, None], &mut new);
            worked += f.iter().zip(after.iter().zip(&at)).map(|(f, (a, b))| f * (a - b)).sum::<f64>();
            (lost, stored) = (lost + work.lost.total(), work.stored);
            (at, history) = (after, new);
        }
        (worked - lost - stored).abs() / worked
    };
    let (coarse, fine) = (error(50), error(100));
    assert!(fine < 1e-4 && coarse / fine > 3.5, "{coarse:e} {fine:e}");
}

/// The whole step seen by somebody who turns between its ends: u ↦ Q (X + u) − X at the end alone.
fn turns<const D: usize>(trial: &Trial<D>, turn: &Mat<D>) {
    let mesh = trial.body.mesh();
    if trial.body.options().kinematics == Kinematics::Small || trial.body.section() == Section::Axisymmetric {
        return;
    }
    let u1 = trial.end(1.3);
    let nodes = mesh.nodes.iter().zip(u1.chunks_exact(D));
    let turned =
        nodes.flat_map(|(x, u)| (turn * (x + Vect::<D>::from_column_slice(u)) - x).iter().copied().collect::<Vec<_>>());
    let turned: Vec<f64> = turned.collect();
    let (f, history, work, _) = trial.step(&u1, 1.0);
    let (g, other, same, _) = trial.step(&turned, 1.0);
    assert!((work.stored - same.stored).abs() < 1e-10 * work.stored, "{}", trial.name);
    let lost = [&work, &same].map(|w| w.lost.total());
    assert!((lost[0] - lost[1]).abs() < 1e-10 * (lost[0] + 1e-3), "{}: {lost:?}", trial.name);
    for quantity in trial.body.quantities() {
        let [a, b] = [&history, &other].map(|kept| trial.body.nodal_history(kept, quantity.name).unwrap());
        let apart = a.iter().zip(&b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        // Modes are found to 1e-13 of displacements, which a turn makes large; dashpots divide by the step.
        assert!(apart < 1e-9 * largest(&a).max(1.0), "{} {}: {apart:e}", trial.name, quantity.name);
    }
    let top = largest(&f);
    for (f, g) in f.chunks_exact(D).zip(g.chunks_exact(D)) {
        let expected = turn * Vect::<D>::from_column_slice(f);
        let apart = (expected - Vect::<D>::from_column_slice(g)).norm();
        assert!(apart < 1e-10 * top.max(1.0), "{}: {apart:e}", trial.name);
    }
}

#[test]
fn a_turned_body_answers_with_turned_forces() {
    let in_space = Rotation3::from_euler_angles(0.4, -1.1, 0.7).into_inner();
    let in_plane = nalgebra::Rotation2::new(2.0).into_inner();
    in_every_body(|t| turns(t, &in_plane), |t| turns(t, &in_space));
}

/// Cells are computed by any number of threads and summed in their order.
#[test]
fn threads_change_no_bit() {
    for entry in every() {
        // More cells than are computed at a time; strains as in the other tests.
        let mut mesh = grid::<2>(Kind::Q4, [17, 17], 0.2);
        mesh.map(|x| x * 8.0);
        let material = Material { density: 1.0, law: entry.law };
        let body = Continuum::new(mesh, vec![material], PLATE, options(Kinematics::Finite, Formulation::BBar)).unwrap();
        let trial = Trial::new(body, entry, "Q4");
        let end = trial.end(1.2);
        let by = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (f, history, work, [k, _]) = pool.install(|| trial.step(&end, 0.5));
            let mut product = vec![0.0; f.len()];
            k.multiply(&end, &mut product);
            (f, history, work, product)
        };
        let alone = by(1);
        assert!(by(2) == alone && by(5) == alone, "{}", entry.name);
    }
}

/// Below its strength a body with damage is elastic, and so is one that is hardly viscous: the two ways of computing say the same.
#[test]
fn a_body_to_which_nothing_happens_is_the_elastic_one() {
    for (kinematics, formulation) in KINEMATICS.iter().flat_map(|k| FORMULATIONS.map(|f| (*k, f))) {
        let criterion = DamageCriterion::Energy;
        let strong = Law::Damage(Damage { elastic: ELASTIC, strength: 50.0, fracture_energy: 1e3, criterion });
        let thin = Law::KelvinVoigt(KelvinVoigt { elastic: ELASTIC, viscosity: 1e-30 });
        let inert = if matches!(formulation, Formulation::Incompatible | SHEET) { thin } else { strong };
        let [plain, body] = [Law::Isotropic(ELASTIC), inert]
            .map(|law| body::<3>(Kind::H8, Material { density: 1.0, law }, options(kinematics, formulation)));
        let n = body.dofs();
        // The mean dilatation of elastic laws is that of the term in λ alone: it is the same in a homogeneous strain.
        let u = match formulation {
            Formulation::BBar => affine(body.mesh(), &some_gradient::<3>(1e-4)),
            _ => some_displacement(n, 1e-4),
        };
        let (mut f, mut g) = (vec![0.0; n], vec![0.0; n]);
        let [mut k, mut l] = [(); 2].map(|()| Symmetric::zero(body.pattern()));
        let energy = plain.force_and_tangent(&u, &mut f, &mut k);
        let (start, mut history) = (body.initial_history(), body.initial_history());
        let step = Advance { before: &vec![0.0; n], after: &u, history: &start, h: 1.0, xi: 1.0 };
        let work = body.advance(&step, &mut g, [Some(&mut l), None], &mut history);
        let most = 1e-11;
        assert!((work.stored - energy).abs() < most * energy, "{kinematics:?} {formulation:?}");
        assert!(work.lost.total() < 1e-30);
        let top = largest(&f);
        assert!(f.iter().zip(&g).all(|(a, b)| (a - b).abs() < most * top), "{kinematics:?} {formulation:?}");
        let (mut x, mut y) = (vec![0.0; n], vec![0.0; n]);
        k.multiply(&u, &mut x);
        l.multiply(&u, &mut y);
        assert!(
            x.iter().zip(&y).all(|(a, b)| (a - b).abs() < 10.0 * most * largest(&x)),
            "{kinematics:?} {formulation:?}"
        );
        let (samples, others) = (plain.samples(&u, &[]), body.samples(&u, &history));
        let stress = samples.iter().map(|s| s.stress.norm()).fold(0.0, f64::max);
        assert!(samples.iter().zip(&others).all(|(a, b)| (a.stress - b.stress).norm() < 10.0 * most * stress));
    }
}

/// Creep in pure shear under a constant stress: γ(t) = τ/μ (1 − exp(−t μ/η)), by the trapezoidal rule of the law itself.
#[test]
fn a_kelvin_voigt_body_creeps_as_the_textbook_says() {
    let law = VISCOUS;
    let body = Continuum::new(
        grid::<2>(Kind::Q4, [1, 1], 0.0),
        vec![Material { density: 1.0, law }],
        Section::PlaneStrain { thickness: 1.0 },
        Options::default(),
    )
    .unwrap();
    let (shear, viscosity) = (ELASTIC.lame().1, 30.0);
    let (pull, steps) = (2.0, 2000);
    let h = 3.0 * viscosity / shear / steps as f64;
    let at = |gamma: f64| affine(body.mesh(), &Mat::<2>::new(0.0, gamma, 0.0, 0.0));
    let (mut gamma, mut history, mut lost) = (0.0, body.initial_history(), 0.0);
    for _ in 0..steps {
        // The force is linear in the shear: two trials give it.
        let trial = |end: f64| {
            let (mut f, mut new) = (vec![0.0; body.dofs()], history.clone());
            let (before, after) = (at(gamma), at(end));
            let step = Advance { before: &before, after: &after, history: &history, h, xi: 0.5 };
            let work = body.advance(&step, &mut f, [None, None], &mut new);
            // Shear force on the upper side, y = 1, of area 1.
            let top = body.mesh().nodes.iter().enumerate().filter(|(_, x)| x[1] > 0.5);
            (top.map(|(n, _)| f[2 * n]).sum::<f64>(), new, work)
        };
        let (none, some) = (trial(gamma).0, trial(gamma + 1e-3).0);
        let end = gamma + 1e-3 * (pull - none) / (some - none);
        let (force, new, work) = trial(end);
        assert!((force - pull).abs() < 1e-9);
        (gamma, history, lost) = (end, new, lost + work.lost.total());
    }
    let exact = pull / shear * (1.0 - (-3.0_f64).exp());
    assert!((gamma / exact - 1.0).abs() < 1e-6, "{gamma} for {exact}");
    // τ γ went in, ½ μ γ² is stored.
    let expected = pull * gamma - 0.5 * shear * gamma * gamma;
    assert!((lost / expected - 1.0).abs() < 1e-9, "{lost} for {expected}");
    // The viscous part of the stress is drawn with the elastic one, and kept under its name; as a whole it is the load.
    let viscous = body.nodal_history(&history, "viscous_stress_xy").unwrap();
    let stress = body.samples(&at(gamma), &history)[0].stress[(0, 1)];
    assert!((stress - shear * gamma - viscous[0]).abs() < 1e-12 && (stress - pull).abs() < 1e-3 * pull);
}

/// A row of cells pulled apart: σ = f exp(−(ε − κ₀)/κ_f), and the crack takes G per area on any mesh and with any steps.
#[test]
fn a_crack_takes_its_energy_on_every_mesh() {
    for (size, kind, steps) in [(0.1, Kind::H8, 60), (0.05, Kind::H8, 37), (0.1, Kind::H20, 60)] {
        let (strength, fracture_energy) = (0.5, 0.02);
        let criterion = DamageCriterion::Tension;
        let law = Law::Damage(Damage { elastic: ELASTIC, strength, fracture_energy, criterion });
        let mut mesh = grid::<3>(kind, [1; 3], 0.0);
        mesh.map(|x| x * size);
        let body =
            Continuum::new(mesh, vec![Material { density: 1.0, law }], Section::Solid, Options::default()).unwrap();
        let width = if kind == Kind::H20 { 0.5 * size } else { size };
        let onset = strength / ELASTIC.young;
        let decay = fracture_energy / (strength * width) - 0.5 * onset;
        let far = onset + 60.0 * decay;
        let at = |strain: f64| {
            let across = -ELASTIC.poisson * strain;
            affine(body.mesh(), &Mat::<3>::from_diagonal(&Vect::<3>::new(strain, across, across)))
        };
        let (mut history, mut before, mut lost) = (body.initial_history(), at(0.0), 0.0);
        for i in 1..=steps {
            let strain = far * (i as f64 / steps as f64).powi(3);
            let (mut f, mut new, after) = (vec![0.0; body.dofs()], history.clone(), at(strain));
            let step = Advance { before: &before, after: &after, history: &history, h: 1.0, xi: 1.0 };
            lost += body.advance(&step, &mut f, [None, None], &mut new).lost.total();
            let nodes = body.mesh().nodes.iter().enumerate().filter(|(_, x)| x[0] > 0.999 * size);
            let force: f64 = nodes.map(|(n, _)| f[3 * n]).sum();
            // A billionth of the stiffness is never lost.
            let left = (strength * (-(strain - onset) / decay).exp()).max(1e-9 * 100.0 * strain);
            let exact = if strain < onset { 100.0 * strain } else { left };
            assert!((force / (size * size) - exact).abs() < 1e-10 * strength, "{force} at {strain}");
            (before, history) = (after, new);
        }
        // As many bands as the crack-band width goes into the length of the specimen.
        let expected = fracture_energy * size * size * (size / width);
        assert!((lost / expected - 1.0).abs() < 1e-9, "{kind:?} {size}: {lost} for {expected}");
        let damage = body.nodal_history(&history, "damage").unwrap();
        assert!(damage.iter().all(|d| (d - 1.0).abs() < 1e-6));
    }
}

/// In plane stress the plate gets thinner so that nothing pulls at its faces: a pull along x meets Young's modulus.
#[test]
fn a_plate_with_memory_has_no_stress_across() {
    let law = BRITTLE;
    let section = Section::PlaneStress { thickness: 1.0 };
    let material = Material { density: 1.0, law };
    let body = Continuum::new(grid::<2>(Kind::Q4, [1, 1], 0.0), vec![material], section, Options::default()).unwrap();
    let strain = 0.06;
    let u = affine(body.mesh(), &Mat::<2>::new(strain, 0.0, 0.0, -ELASTIC.poisson * strain));
    let (start, mut history) = (body.initial_history(), body.initial_history());
    let step = Advance { before: &vec![0.0; u.len()], after: &u, history: &start, h: 1.0, xi: 1.0 };
    body.advance(&step, &mut vec![0.0; u.len()], [None, None], &mut history);
    let damage = body.nodal_history(&history, "damage").unwrap()[0];
    let sample = body.samples(&u, &history)[0];
    assert!((sample.stress[(0, 0)] - (1.0 - damage) * ELASTIC.young * strain).abs() < 1e-12);
    assert!(sample.stress[(1, 1)].abs() + sample.stress[(2, 2)].abs() < 1e-12);
    assert!((sample.strain[(2, 2)] + ELASTIC.poisson * strain).abs() < 1e-14);
    assert!(damage > 0.5, "{damage}");
}

/// An elastic region beside one that flows: it keeps nothing, and answers as it does alone.
#[test]
fn regions_without_memory_go_with_others() {
    let flows = every().into_iter().find(|e| e.name == "J2, linear").unwrap().law;
    let mut mesh = grid::<2>(Kind::Q4, [2, 1], 0.0);
    mesh.paint(&["left", "right"], |x| usize::from(x[0] > 0.5));
    let materials = [flows, Law::Isotropic(ELASTIC)].map(|law| Material { density: 1.0, law }).to_vec();
    let body = Continuum::new(mesh, materials, PLATE, Options::default()).unwrap();
    let u = affine(body.mesh(), &Mat::<2>::new(0.05, 0.0, 0.01, 0.0));
    let (start, mut history) = (body.initial_history(), body.initial_history());
    let step = Advance { before: &vec![0.0; u.len()], after: &u, history: &start, h: 1.0, xi: 1.0 };
    let work = body.advance(&step, &mut vec![0.0; u.len()], [None, None], &mut history);
    assert!(work.lost.plastic > 0.0);
    let samples = body.samples(&u, &history);
    let elastic =
        Continuum::new(grid::<2>(Kind::Q4, [1, 1], 0.0), vec![body.materials()[1]], PLATE, Options::default());
    let alone = elastic
        .unwrap()
        .samples(&affine(&grid::<2>(Kind::Q4, [1, 1], 0.0), &Mat::<2>::new(0.05, 0.0, 0.01, 0.0)), &[])[0];
    let of = |right: bool| samples.iter().filter(move |s| (s.place[0] > 0.5) == right);
    assert!(of(true).count() == 4 && of(true).all(|s| (s.stress - alone.stress).norm() < 1e-12));
    assert!(of(false).all(|s| (s.stress - alone.stress).norm() > 1.0));
}

#[test]
fn elastic_bodies_keep_nothing() {
    let body = body::<2>(Kind::Q4, steel(0.3), Options::default());
    assert!(!body.has_memory() && body.initial_history().is_empty() && body.quantities().is_empty());
}

#[test]
fn what_cannot_be_is_refused() {
    let law = BRITTLE;
    let material = Material { density: 1.0, law };
    let mut mesh = grid::<2>(Kind::Q4, [1, 1], 0.0);
    mesh.map(|x| x * 100.0);
    let made = |mesh| Continuum::new(mesh, vec![material], PLATE, Options::default());
    let why = made(mesh).unwrap_err().to_string();
    assert!(why.contains("smaller than 100"), "{why}");
    let modes = options(Kinematics::Small, Formulation::Incompatible);
    let why = Continuum::new(grid::<2>(Kind::Q4, [1, 1], 0.0), vec![material], PLATE, modes).unwrap_err();
    assert!(why.to_string().contains("softens"), "{why}");
    let mut mesh = grid::<2>(Kind::Q4, [1, 1], 0.0);
    mesh.cells.push(crate::mesh::Cells { kind: Kind::Bar2, region: 0, nodes: vec![0, 3] });
    assert!(made(mesh).unwrap_err().to_string().contains("bars"));
}

/// Where a cell flows at a stress that stands still, its nominal stress falls while it grows, and modes that run away take less and less force: far
/// out they seem to be in balance. That is no answer: what there is of answers has modes of the size of the displacements.
#[test]
fn modes_that_nothing_holds_are_no_answer() {
    let (mut answers, mut none) = (0, 0);
    for entry in every().into_iter().filter(|entry| !entry.law.inelastic().unwrap().may_soften()) {
        let material = Material { density: 1.0, law: entry.law };
        for (section, amplitude) in SECTIONS[..2].iter().flat_map(|s| [0.004, 0.01, 0.012, 0.016].map(|a| (*s, a))) {
            let options = options(Kinematics::Finite, Formulation::Incompatible);
            let body = Continuum::new(grid(Kind::Q4, [2; 2], 0.2), vec![material], section, options).unwrap();
            let n = body.dofs();
            let (u, start) = (some_displacement(n, amplitude), body.initial_history());
            let mut history = start.clone();
            let step = Advance { before: &vec![0.0; n], after: &u, history: &start, h: 0.5, xi: 1.0 };
            if body.advance(&step, &mut vec![0.0; n], [None, None], &mut history).stored.is_nan() {
                none += 1;
                continue;
            }
            answers += 1;
            for cell in history.chunks_exact(history.len() / body.mesh().cell_count()) {
                let modes = &cell[cell.len() - 4..];
                assert!(largest(modes) < 4.0 * amplitude, "{} {section:?} {amplitude}: {modes:?}", entry.name);
            }
        }
    }
    assert!(answers > 10 * none && none > 0, "{answers} answers, {none} times none");
}
