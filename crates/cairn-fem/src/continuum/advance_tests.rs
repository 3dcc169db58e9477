//! Bodies with memory: the suite that every law with memory passes, in every kinematics and formulation; then the laws one by one.

use cairn_sparse::Symmetric;
use nalgebra::Rotation3;

use super::testing::*;
use super::*;
use crate::material::{Damage, Hardening, Isotropic, KelvinVoigt, Kinematic, Law, Plastic};
use crate::mesh::Kind;
use crate::{Mat, Vect};

const ELASTIC: Isotropic = Isotropic { young: 100.0, poisson: 0.3 };
const FORMULATIONS: [Formulation; 3] = [Formulation::Standard, Formulation::BBar, Formulation::Incompatible];
const KINEMATICS: [Kinematics; 2] = [Kinematics::Small, Kinematics::Finite];
/// A plate in plane stress, a slice in plane strain, a ring.
const SECTIONS: [Section; 3] = [Section::PlaneStress { thickness: 0.5 }, PLATE, Section::Axisymmetric];

const VISCOUS: Law = Law::KelvinVoigt(KelvinVoigt { elastic: ELASTIC, viscosity: 30.0 });
/// Strains of the tests are some hundredths: damage sets in at 0.02, flow at 0.01.
const BRITTLE: Law = Law::Damage(Damage { elastic: ELASTIC, strength: 2.0, fracture_energy: 2.0 });
const DUCTILE: Plastic = Plastic {
    elastic: ELASTIC,
    hardening: Hardening::Voce { start: 1.0, gain: 1.0, rate: 8.0 },
    kinematic: None,
    rate: None,
};

fn laws() -> [Law; 4] {
    let prager = Plastic { kinematic: Some(Kinematic { modulus: 20.0, recall: 0.0 }), ..DUCTILE };
    [VISCOUS, BRITTLE, Law::Plastic(DUCTILE), Law::Plastic(prager)]
}

fn options(kinematics: Kinematics, formulation: Formulation) -> Options {
    Options { kinematics, formulation, ..Options::default() }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A body after one step, of which a second one is to be made: from `u0` to `u1`.
struct Trial<const D: usize> {
    body: Continuum<D>,
    name: String,
    u0: Vec<f64>,
    history: Vec<f64>,
}

impl<const D: usize> Trial<D> {
    fn new(body: Continuum<D>, name: String) -> Self {
        let n = body.dofs();
        let u0 = some_displacement(n, 0.01);
        let start = body.initial_history();
        let mut history = start.clone();
        let first = Advance { before: &vec![0.0; n], after: &u0, history: &start, h: 0.5, xi: 1.0 };
        body.advance(&first, &mut vec![0.0; n], None, &mut history);
        Trial { body, name, u0, history }
    }

    fn step(&self, after: &[f64], xi: f64) -> (Vec<f64>, Vec<f64>, Work, Symmetric) {
        let (mut f, mut history) = (vec![0.0; self.u0.len()], self.history.clone());
        let mut k = Symmetric::zero(self.body.pattern());
        let step = Advance { before: &self.u0, after, history: &self.history, h: 0.2, xi };
        let work = self.body.advance(&step, &mut f, Some(&mut k), &mut history);
        (f, history, work, k)
    }

    /// Forward (`factor` > 1: more strain than ever) or back.
    fn end(&self, factor: f64) -> Vec<f64> {
        let other = some_displacement(self.u0.len() + 5, 0.001);
        self.u0.iter().zip(&other[5..]).map(|(u, d)| factor * u + d).collect()
    }
}

/// Calls with bodies of all laws, kinematics, formulations and sections.
fn every(
    mut planes: impl FnMut(&Trial<2>, Kinematics, Formulation),
    mut solids: impl FnMut(&Trial<3>, Kinematics, Formulation),
) {
    let mut count = 0;
    for law in laws() {
        let material = Material { density: 1.0, law };
        for kinematics in KINEMATICS {
            for formulation in FORMULATIONS {
                let options = options(kinematics, formulation);
                let name = |what: &str| format!("{law:?} {what} {kinematics:?} {formulation:?}");
                for (kind, section) in PLANE.iter().flat_map(|kind| SECTIONS.map(|section| (*kind, section))) {
                    // What the model refuses: B-bar in plane stress, incompatible modes in axisymmetry and with damage.
                    let mesh = grid(kind, [2; 2], 0.2);
                    let Ok(body) = Continuum::new(mesh, vec![material], section, options) else { continue };
                    planes(&Trial::new(body, name(&format!("{kind:?} {section:?}"))), kinematics, formulation);
                    count += 1;
                }
                for kind in [Kind::Tet10, Kind::H8] {
                    let mesh = grid(kind, [2; 3], 0.2);
                    let Ok(body) = Continuum::new(mesh, vec![material], Section::Solid, options) else { continue };
                    solids(&Trial::new(body, name(&format!("{kind:?}"))), kinematics, formulation);
                    count += 1;
                }
            }
        }
    }
    // In each kinematics 12 + 8 plane and 4 solid bodies of each law, and with modes 8 and 2 of those that do not soften.
    let count_of_laws = laws().len();
    assert_eq!(count, 2 * (count_of_laws * (12 + 8 + 4) + (count_of_laws - 1) * (8 + 2)));
}

fn tangent_matches<const D: usize>(trial: &Trial<D>, kinematics: Kinematics) {
    let n = trial.u0.len();
    let direction = some_displacement(n + 7, 1.0)[7..].to_vec();
    // Small kinematics: exact for any ξ.
    let schemes: &[f64] = if kinematics == Kinematics::Small { &[0.5, 1.0] } else { &[1.0] };
    for (&xi, factor) in schemes.iter().flat_map(|xi| [1.3, 0.6].map(|factor| (xi, factor))) {
        let u1 = trial.end(factor);
        let moved = |s: f64| u1.iter().zip(&direction).map(|(u, d)| u + s * d).collect::<Vec<_>>();
        let (.., k) = trial.step(&u1, xi);
        let (ahead, behind) = (trial.step(&moved(1e-7), xi).0, trial.step(&moved(-1e-7), xi).0);
        let mut product = vec![0.0; n];
        k.multiply(&direction, &mut product);
        let top = largest(&product);
        for i in 0..n {
            let slope = (ahead[i] - behind[i]) / 2e-7 / xi;
            assert!((product[i] - slope).abs() < 2e-6 * top, "{} ×{factor} ξ {xi}: {} {slope}", trial.name, product[i]);
        }
    }
}

#[test]
fn the_tangent_is_the_derivative_of_the_force_loading_and_unloading() {
    every(|t, kinematics, _| tangent_matches(t, kinematics), |t, kinematics, _| tangent_matches(t, kinematics));
}

fn loses<const D: usize>(trial: &Trial<D>) {
    for factor in [1.5, 1.01, 0.7, 0.0, -1.0, -2.0] {
        let (.., work, _) = trial.step(&trial.end(factor), 0.5);
        assert!(work.lost.total() >= 0.0, "{}: gains {} at ×{factor}", trial.name, -work.lost.total());
        assert!(work.stored > 0.0, "{}", trial.name);
    }
    // To stand still costs nothing, unless something creeps (the thickness of a plate, the modes of a cell).
    let (.., work, _) = trial.step(&trial.u0, 0.5);
    assert!(
        work.lost.total() <= 1e-12 * work.stored || trial.name.contains("Kelvin"),
        "{}: {}",
        trial.name,
        work.lost.total()
    );
}

#[test]
fn nothing_gains_energy() {
    every(|t, _, _| loses(t), |t, _, _| loses(t));
}

/// f·Δu = ΔW + D at ξ = ½: exact but for damage, whose loss is exact while the work is that of the trapezium, and for mean dilatation at
/// finite strain.
fn balances<const D: usize>(trial: &Trial<D>, kinematics: Kinematics, formulation: Formulation) {
    let u1 = trial.end(1.2);
    let before = trial.body.stored_energy(&trial.u0, &trial.history);
    let (f, _, work, _) = trial.step(&u1, 0.5);
    let step: Vec<f64> = u1.iter().zip(&trial.u0).map(|(a, b)| a - b).collect();
    let error = dot(&f, &step) - (work.stored - before) - work.lost.total();
    let is_exact =
        trial.name.contains("KelvinVoigt") && (kinematics == Kinematics::Small || formulation != Formulation::BBar);
    let most = if is_exact { 1e-12 } else { 2e-2 };
    assert!(error.abs() < most * work.stored, "{}: {error:e} of {}", trial.name, work.stored);
}

#[test]
fn the_work_of_a_step_is_stored_or_lost() {
    every(balances, balances);
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
            let work = body.advance(&step, &mut f, None, &mut new);
            worked += f.iter().zip(after.iter().zip(&at)).map(|(f, (a, b))| f * (a - b)).sum::<f64>();
            (lost, stored) = (lost + work.lost.total(), work.stored);
            (at, history) = (after, new);
        }
        (worked - lost - stored).abs() / worked
    };
    let (coarse, fine) = (error(50), error(100));
    assert!(fine < 1e-4 && coarse / fine > 3.5, "{coarse:e} {fine:e}");
}

#[test]
fn a_turned_body_answers_with_turned_forces() {
    let turn = Rotation3::from_euler_angles(0.4, -1.1, 0.7).into_inner();
    for law in laws() {
        let softens = matches!(law, Law::Damage(_));
        for formulation in FORMULATIONS.into_iter().filter(|f| !softens || *f != Formulation::Incompatible) {
            let material = Material { density: 1.0, law };
            let trial =
                Trial::new(body::<3>(Kind::H8, material, options(Kinematics::Finite, formulation)), String::new());
            let u1 = trial.end(1.3);
            // The whole step seen by somebody who turns between its ends: u ↦ Q (X + u) − X at the end alone.
            let turned: Vec<f64> = trial
                .body
                .mesh()
                .nodes
                .iter()
                .zip(u1.chunks_exact(3))
                .flat_map(|(x, u)| {
                    (turn * (x + Vect::<3>::from_column_slice(u)) - x).iter().copied().collect::<Vec<_>>()
                })
                .collect();
            let (f, history, work, _) = trial.step(&u1, 1.0);
            let (g, other, same, _) = trial.step(&turned, 1.0);
            assert!((work.stored - same.stored).abs() < 1e-11 * work.stored, "{law:?} {formulation:?}");
            assert!((work.lost.total() - same.lost.total()).abs() < 1e-11 * (work.lost.total() + 1e-3), "{law:?}");
            for quantity in trial.body.quantities() {
                let [a, b] = [&history, &other].map(|kept| trial.body.nodal_history(kept, quantity.name).unwrap());
                assert!(a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-11 * largest(&a).max(1.0)), "{quantity:?}");
            }
            for (f, g) in f.chunks_exact(3).zip(g.chunks_exact(3)) {
                let expected = turn * Vect::<3>::from_column_slice(f);
                assert!((expected - Vect::<3>::from_column_slice(g)).norm() < 1e-10, "{law:?} {formulation:?}");
            }
        }
    }
}

/// Below its strength a body with damage is elastic, and so is one that is hardly viscous: the two ways of computing say the same.
#[test]
fn a_body_to_which_nothing_happens_is_the_elastic_one() {
    for (kinematics, formulation) in KINEMATICS.iter().flat_map(|k| FORMULATIONS.map(|f| (*k, f))) {
        let strong = Law::Damage(Damage { elastic: ELASTIC, strength: 50.0, fracture_energy: 1e3 });
        let thin = Law::KelvinVoigt(KelvinVoigt { elastic: ELASTIC, viscosity: 1e-30 });
        let inert = if formulation == Formulation::Incompatible { thin } else { strong };
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
        let work = body.advance(&step, &mut g, Some(&mut l), &mut history);
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
            let work = body.advance(&step, &mut f, None, &mut new);
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
        let law = Law::Damage(Damage { elastic: ELASTIC, strength, fracture_energy });
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
            lost += body.advance(&step, &mut f, None, &mut new).lost.total();
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
    body.advance(&step, &mut vec![0.0; u.len()], None, &mut history);
    let damage = body.nodal_history(&history, "damage").unwrap()[0];
    let sample = body.samples(&u, &history)[0];
    assert!((sample.stress[(0, 0)] - (1.0 - damage) * ELASTIC.young * strain).abs() < 1e-12);
    assert!(sample.stress[(1, 1)].abs() + sample.stress[(2, 2)].abs() < 1e-12);
    assert!((sample.strain[(2, 2)] + ELASTIC.poisson * strain).abs() < 1e-14);
    assert!(damage > 0.5, "{damage}");
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
