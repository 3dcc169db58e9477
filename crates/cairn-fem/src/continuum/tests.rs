//! The suite that every element passes in every formulation, on distorted meshes.

use cairn_sparse::{Analysis, Factor, Ordering, Symmetric};
use nalgebra::DMatrix;

use super::testing::*;
use super::*;
use crate::material::{Isotropic, Law, NeoHookean, SaintVenantKirchhoff};
use crate::tensor::von_mises;
use crate::{Mat, Vect};

const FORMULATIONS: [Formulation; 3] = [Formulation::Standard, Formulation::BBar, Formulation::Incompatible];

fn options(kinematics: Kinematics, formulation: Formulation) -> Options {
    Options { kinematics, formulation, ..Options::default() }
}

/// K x = f with some unknowns prescribed.
pub fn solve<const D: usize>(k: &Symmetric, f: &[f64], held: &[bool], prescribed: &[f64]) -> Vec<f64> {
    let mut k = k.clone();
    let values: Vec<f64> = prescribed.iter().zip(held).map(|(u, h)| if *h { *u } else { 0.0 }).collect();
    let mut right = f.to_vec();
    k.multiply_add(-1.0, &values, &mut right);
    (0..right.len()).filter(|&i| held[i]).for_each(|i| right[i] = values[i]);
    k.fix(held);
    let analysis = Analysis::new(k.pattern(), Ordering::Automatic).unwrap();
    Factor::new(&analysis, &k).unwrap().solve(&mut right);
    right
}

/// Newton's method with the displacements of some unknowns prescribed.
fn newton<const D: usize>(body: &Continuum<D>, load: &[f64], held: &[bool], u: &mut [f64]) -> usize {
    let mut k = Symmetric::zero(body.pattern());
    let mut f = vec![0.0; body.dofs()];
    for iteration in 0..30 {
        body.force_and_tangent(u, &mut f, &mut k);
        let residual: Vec<f64> = load.iter().zip(&f).map(|(l, f)| l - f).collect();
        let change = solve::<D>(&k, &residual, held, &vec![0.0; u.len()]);
        u.iter_mut().zip(&change).for_each(|(u, c)| *u += c);
        if largest(&change) < 1e-13 * largest(u).max(1e-300) {
            return iteration;
        }
    }
    panic!("Newton's method does not converge");
}

/// With the displacements of the boundary affine, those inside are affine too, and the stress is constant.
fn patch<const D: usize>(kind: Kind, kinematics: Kinematics, formulation: Formulation) {
    let body = body::<D>(kind, steel(0.3), options(kinematics, formulation));
    let size = if kinematics == Kinematics::Small { 1e-3 } else { 0.1 };
    let exact = affine(body.mesh(), &some_gradient::<D>(size));
    let held = mark(body.mesh(), is_outside);
    assert!(held.iter().any(|h| !h), "{kind:?}: no node is free");
    let mut u: Vec<f64> = exact.iter().zip(&held).map(|(u, h)| if *h { *u } else { 0.0 }).collect();
    newton(&body, &vec![0.0; body.dofs()], &held, &mut u);
    let error = u.iter().zip(&exact).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(error < 1e-13 * size * 10.0, "{kind:?} {kinematics:?} {formulation:?}: patch test off by {error:e}");
    let samples = body.samples(&u, &[]);
    let first = samples[0].stress;
    let spread = samples.iter().map(|s| (s.stress - first).norm()).fold(0.0, f64::max);
    assert!(spread < 1e-11 * first.norm(), "{kind:?} {formulation:?}: stress varies by {spread:e}");
    let nodal = body.nodal_stresses(&samples);
    assert!(nodal.iter().all(|s| (s - first).norm() < 1e-10 * first.norm()), "{kind:?}: nodal stress");
}

#[test]
fn the_patch_test_is_passed_to_round_off_by_all_kinds_and_formulations() {
    for formulation in FORMULATIONS {
        for kinematics in [Kinematics::Small, Kinematics::Finite] {
            PLANE.iter().for_each(|&kind| patch::<2>(kind, kinematics, formulation));
            SOLID.iter().for_each(|&kind| patch::<3>(kind, kinematics, formulation));
        }
    }
}

/// Zero eigenvalues of the stiffness: the rigid motions and no others.
pub fn rigid_modes<const D: usize>(kind: Kind, formulation: Formulation) {
    let cells = grid::<D>(kind, [1; D], 0.0);
    let body =
        Continuum::new(cells, vec![steel(0.3)], section::<D>(), options(Kinematics::Small, formulation)).unwrap();
    let mut k = Symmetric::zero(body.pattern());
    body.tangent(&vec![0.0; body.dofs()], &mut k);
    let dense = DMatrix::from_fn(body.dofs(), body.dofs(), |i, j| k.get(i, j));
    let mut values: Vec<f64> = dense.symmetric_eigen().eigenvalues.iter().copied().collect();
    values.sort_by(f64::total_cmp);
    let (rigid, top) = (if D == 2 { 3 } else { 6 }, values[values.len() - 1]);
    assert!(values[..rigid].iter().all(|v| v.abs() < 1e-12 * top), "{kind:?} {formulation:?}: {values:?}");
    assert!(values[rigid] > 1e-4 * top, "{kind:?} {formulation:?} has a mode without energy: {values:?}");
}

#[test]
fn only_rigid_motions_have_no_energy() {
    for formulation in FORMULATIONS {
        PLANE.iter().for_each(|&kind| rigid_modes::<2>(kind, formulation));
        SOLID.iter().for_each(|&kind| rigid_modes::<3>(kind, formulation));
    }
}

/// Force is the gradient of the energy, tangent that of the force, both by central differences.
pub fn derivatives<const D: usize>(body: &Continuum<D>, size: f64, name: &str) {
    let u = some_displacement(body.dofs(), size);
    let n = body.dofs();
    let mut k = Symmetric::zero(body.pattern());
    let mut f = vec![0.0; n];
    let energy = body.force_and_tangent(&u, &mut f, &mut k);
    assert!((energy - body.strain_energy(&u)).abs() <= 1e-14 * energy.abs(), "{name}: two energies");
    let direction = some_displacement(n + 7, 1.0)[7..].to_vec();
    let step = 1e-6 * size;
    let moved = |s: f64| u.iter().zip(&direction).map(|(u, d)| u + s * step * d).collect::<Vec<_>>();
    let (mut ahead, mut behind) = (vec![0.0; n], vec![0.0; n]);
    let more = body.internal_force(&moved(1.0), &mut ahead);
    let less = body.internal_force(&moved(-1.0), &mut behind);
    let power: f64 = f.iter().zip(&direction).map(|(f, d)| f * d).sum();
    let scale = energy / size;
    assert!((power - (more - less) / (2.0 * step)).abs() < 1e-7 * scale, "{name}: force and energy");
    let mut product = vec![0.0; n];
    k.multiply(&direction, &mut product);
    let top = largest(&product);
    for i in 0..n {
        let difference = (ahead[i] - behind[i]) / (2.0 * step);
        assert!((product[i] - difference).abs() < 1e-7 * top, "{name}: tangent row {i}: {} {difference}", product[i]);
    }
}

fn laws() -> [Law; 3] {
    let law = Isotropic { young: 100.0, poisson: 0.3 };
    [Law::Isotropic(law), Law::SaintVenantKirchhoff(SaintVenantKirchhoff(law)), Law::NeoHookean(NeoHookean(law))]
}

#[test]
fn force_and_tangent_derive_from_the_energy() {
    for formulation in FORMULATIONS {
        for kinematics in [Kinematics::Small, Kinematics::Finite] {
            for law in laws() {
                let material = Material { density: 1.0, law };
                let name = format!("{law:?} {kinematics:?} {formulation:?}");
                for kind in PLANE {
                    derivatives(&body::<2>(kind, material, options(kinematics, formulation)), 0.02, &name);
                }
                for kind in [Kind::Tet4, Kind::Tet10, Kind::H8] {
                    derivatives(&body::<3>(kind, material, options(kinematics, formulation)), 0.02, &name);
                }
            }
        }
    }
}

#[test]
fn plane_stress_axisymmetry_and_bars_derive_from_their_energy() {
    for kinematics in [Kinematics::Small, Kinematics::Finite] {
        for law in laws() {
            let material = Material { density: 1.0, law };
            for kind in PLANE {
                let mesh = grid::<2>(kind, [2; 2], 0.2);
                let plate = Section::PlaneStress { thickness: 0.3 };
                for formulation in [Formulation::Standard, Formulation::Incompatible] {
                    let options = options(kinematics, formulation);
                    let body = Continuum::new(mesh.clone(), vec![material], plate, options).unwrap();
                    derivatives(&body, 0.02, &format!("plane stress {kind:?} {law:?}"));
                }
                for formulation in [Formulation::Standard, Formulation::BBar] {
                    let options = options(kinematics, formulation);
                    let body = Continuum::new(mesh.clone(), vec![material], Section::Axisymmetric, options).unwrap();
                    derivatives(&body, 0.02, &format!("axisymmetric {kind:?} {law:?}"));
                }
            }
        }
        let mut mesh = grid::<3>(Kind::H8, [1; 3], 0.0);
        mesh.cells = vec![crate::mesh::Cells { kind: Kind::Bar2, region: 0, nodes: vec![0, 1, 1, 3, 0, 7, 2, 5] }];
        let options = options(kinematics, Formulation::Standard);
        let truss = Continuum::new(mesh, vec![steel(0.3)], Section::Solid, options).unwrap();
        derivatives(&truss, 0.05, "bars");
    }
}

/// A rotation about a skew axis, or in the plane.
fn rotation<const D: usize>(angle: f64) -> Mat<D> {
    let axis = if D == 2 { nalgebra::Vector3::z() } else { nalgebra::Vector3::new(1.0, 2.0, -0.5).normalize() };
    let full = nalgebra::Rotation3::from_scaled_axis(axis * angle);
    Mat::from_fn(|i, j| full[(i, j)])
}

/// Turning a strained body by Q turns its forces by Q and leaves its energy.
pub fn objective<const D: usize>(kind: Kind, law: Law, formulation: Formulation) {
    let body = body::<D>(kind, Material { density: 1.0, law }, options(Kinematics::Finite, formulation));
    let u = some_displacement(body.dofs(), 0.03);
    let q = rotation::<D>(2.1);
    let turned: Vec<f64> = u
        .chunks_exact(D)
        .zip(&body.mesh().nodes)
        .flat_map(|(u, x)| {
            let moved = q * (x + Vect::<D>::from_column_slice(u)) - x;
            (0..D).map(|i| moved[i]).collect::<Vec<_>>()
        })
        .collect();
    let (mut f, mut g) = (vec![0.0; u.len()], vec![0.0; u.len()]);
    let (energy, same) = (body.internal_force(&u, &mut f), body.internal_force(&turned, &mut g));
    assert!((energy - same).abs() < 1e-11 * energy, "{kind:?} {law:?}: energy {energy} becomes {same}");
    for (f, g) in f.chunks_exact(D).zip(g.chunks_exact(D)) {
        let difference = q * Vect::<D>::from_column_slice(f) - Vect::<D>::from_column_slice(g);
        assert!(difference.norm() < 1e-10 * largest(f).max(1.0), "{kind:?} {law:?}: force does not turn along");
    }
}

#[test]
fn finite_kinematics_are_objective() {
    for law in laws() {
        for formulation in FORMULATIONS {
            PLANE.iter().for_each(|&kind| objective::<2>(kind, law, formulation));
            [Kind::Tet10, Kind::H8].iter().for_each(|&kind| objective::<3>(kind, law, formulation));
        }
    }
}

fn masses<const D: usize>(kind: Kind) {
    let mesh = grid::<D>(kind, [2; D], 0.2);
    for mass in [MassKind::Lumped, MassKind::Consistent] {
        let options = Options { mass, ..Options::default() };
        let body = Continuum::new(mesh.clone(), vec![steel(0.3)], section::<D>(), options).unwrap();
        assert!((body.total_mass() - 7.0).abs() < 1e-13 && (body.volume() - 1.0).abs() < 1e-14);
        let lumped = body.lumped_masses();
        assert!(lumped.iter().all(|m| *m > 0.0), "{kind:?}: a lumped mass is not positive");
        assert!((lumped.iter().sum::<f64>() - 7.0).abs() < 1e-13);
        let mut m = Symmetric::zero(body.pattern());
        body.mass(&mut m);
        // Kinetic energy of a translation; gravity; for the consistent mass also of a rotation about the origin.
        let translation: Vec<f64> = (0..body.dofs()).map(|i| if i % D == 1 { 2.0 } else { 0.0 }).collect();
        let spin = affine(body.mesh(), &Mat::from_fn(|i, j| if i + j == 1 { i as f64 - j as f64 } else { 0.0 }));
        let energy = |v: &[f64]| {
            let mut product = vec![0.0; v.len()];
            m.multiply(v, &mut product);
            0.5 * v.iter().zip(&product).map(|(a, b)| a * b).sum::<f64>()
        };
        assert!((energy(&translation) - 14.0).abs() < 1e-12);
        if mass == MassKind::Consistent {
            // ½ ρ ∫ x² + y² over the unit square.
            assert!((energy(&spin) - 3.5 * 2.0 / 3.0).abs() < 1e-12, "{kind:?}: moment of inertia");
        }
        let mut weight = vec![0.0; body.dofs()];
        body.body_force(&Vect::from_fn(|i, _| if i == 1 { -10.0 } else { 0.0 }), &mut weight);
        assert!((weight.iter().sum::<f64>() + 70.0).abs() < 1e-12);
    }
}

#[test]
fn masses_sum_to_the_mass_and_turn_as_they_should() {
    PLANE.iter().for_each(|&kind| masses::<2>(kind));
    SOLID.iter().for_each(|&kind| masses::<3>(kind));
}

/// A bar pulled by a traction or pushed by a pressure at its end has the stress of the load.
fn pulled<const D: usize>(kind: Kind) {
    let body = body::<D>(kind, steel(0.0), Options::default());
    let mut load = vec![0.0; body.dofs()];
    body.traction("end", &Vect::from_fn(|i, _| if i == 0 { 3.0 } else { 0.0 }), &mut load).unwrap();
    let mut push = vec![0.0; body.dofs()];
    body.pressure("end", -3.0, &[], false, &mut push).unwrap();
    assert!(load.iter().zip(&push).all(|(a, b)| (a - b).abs() < 1e-14), "{kind:?}: pressure is normal traction");
    assert!((body.area("end").unwrap() - 1.0).abs() < 1e-14);
    assert!((body.tributary_areas("end").unwrap().iter().sum::<f64>() - 1.0).abs() < 1e-14);
    let positive = body.positive_areas("end").unwrap();
    assert!((positive.iter().sum::<f64>() - 1.0).abs() < 1e-14 && positive.iter().all(|a| *a >= 0.0));
    let mut k = Symmetric::zero(body.pattern());
    body.tangent(&vec![0.0; body.dofs()], &mut k);
    let held = mark(body.mesh(), |x| x[0] < 1e-12);
    let u = solve::<D>(&k, &load, &held, &vec![0.0; body.dofs()]);
    for sample in body.samples(&u, &[]) {
        assert!((sample.stress[(0, 0)] - 3.0).abs() < 1e-11, "{kind:?}: {}", sample.stress);
        assert!((von_mises(&sample.stress) - 3.0).abs() < 1e-11);
    }
    assert!(body.traction("top", &Vect::zeros(), &mut load).unwrap_err().to_string().contains("it has: end"));
}

#[test]
fn a_traction_gives_its_stress() {
    PLANE.iter().for_each(|&kind| pulled::<2>(kind));
    SOLID.iter().for_each(|&kind| pulled::<3>(kind));
}

#[test]
fn a_follower_pressure_stays_normal_to_the_turned_side() {
    let body = body::<2>(Kind::Q8, steel(0.3), options(Kinematics::Finite, Formulation::Standard));
    let u = affine(body.mesh(), &(rotation::<2>(0.5) - Mat::identity()));
    let mut f = vec![0.0; body.dofs()];
    body.pressure("end", 2.0, &u, true, &mut f).unwrap();
    let sum = |c: usize| f.iter().skip(c).step_by(2).sum::<f64>();
    assert!((sum(0) + 2.0 * 0.5_f64.cos()).abs() < 1e-13 && (sum(1) + 2.0 * 0.5_f64.sin()).abs() < 1e-13);
}

/// A thick ring under inner pressure p: u(r) = A r + B/r in plane strain (Lamé).
#[test]
fn a_thick_ring_swells_as_lame_says() {
    let (inner, outer, p) = (1.0, 2.0, 3.0);
    let mut mesh = grid::<2>(Kind::Q8, [16, 1], 0.0);
    mesh.nodes.iter_mut().for_each(|x| *x = Vect::<2>::new(outer - x[0] * (outer - inner), 0.2 * (1.0 - x[1])));
    let body = Continuum::new(mesh, vec![steel(0.3)], Section::Axisymmetric, Options::default()).unwrap();
    let mut load = vec![0.0; body.dofs()];
    body.pressure("end", p, &[], false, &mut load).unwrap();
    let mut k = Symmetric::zero(body.pattern());
    body.tangent(&vec![0.0; body.dofs()], &mut k);
    let held: Vec<bool> = (0..body.dofs()).map(|i| i % 2 == 1).collect();
    let u = solve::<2>(&k, &load, &held, &vec![0.0; body.dofs()]);
    let (lambda, mu) = body.materials()[0].law.lame().unwrap();
    let scale = p * inner * inner / (outer * outer - inner * inner);
    for (x, u) in body.mesh().nodes.iter().zip(u.chunks_exact(2)) {
        let exact = scale * (x[0] / (2.0 * (lambda + mu)) + outer * outer / (2.0 * mu * x[0]));
        assert!((u[0] - exact).abs() < 1e-5 * exact, "u({}) = {} instead of {exact}", x[0], u[0]);
    }
    assert!((body.volume() - std::f64::consts::PI * 3.0 * 0.2).abs() < 1e-12);
}

#[test]
fn bad_models_are_refused_with_the_cell_or_the_reason() {
    let mut mesh = grid::<2>(Kind::Q4, [2; 2], 0.0);
    mesh.cells[0].nodes.swap(4, 6);
    let error = |mesh, material, section, options| {
        Continuum::<2>::new(mesh, material, section, options).unwrap_err().to_string()
    };
    let plain = Options::default();
    assert!(error(mesh.clone(), vec![steel(0.3)], PLATE, plain).contains("cell 1"));
    mesh.cells[0].nodes[9] = 99;
    assert!(error(mesh, vec![steel(0.3)], PLATE, plain).contains("node 99"));
    let mesh = grid::<2>(Kind::Q4, [2; 2], 0.0);
    assert!(error(mesh.clone(), vec![], PLATE, plain).contains("`body`"));
    assert!(error(mesh.clone(), vec![steel(0.5)], PLATE, plain).contains("Poisson"));
    assert!(error(mesh.clone(), vec![steel(0.3)], Section::Solid, plain).contains("plane mesh"));
    let b_bar = options(Kinematics::Small, Formulation::BBar);
    assert!(error(mesh, vec![steel(0.3)], Section::PlaneStress { thickness: 1.0 }, b_bar).contains("plane stress"));
}

#[test]
fn plane_stress_has_no_stress_across_and_the_thickness_strain() {
    for law in laws() {
        for kinematics in [Kinematics::Small, Kinematics::Finite] {
            let mesh = grid::<2>(Kind::Q4, [1; 2], 0.0);
            let plate = Section::PlaneStress { thickness: 1.0 };
            let material = Material { density: 1.0, law };
            let options = options(kinematics, Formulation::Standard);
            let body = Continuum::new(mesh, vec![material], plate, options).unwrap();
            let u = affine(body.mesh(), &Mat::<2>::new(1e-4, 0.0, 0.0, 2e-4));
            let sample = body.samples(&u, &[])[0];
            assert!(sample.stress[(2, 2)].abs() < 1e-12);
            let expected = -0.3 / 0.7 * 3e-4;
            assert!((sample.strain[(2, 2)] - expected).abs() < 1e-3 * expected.abs());
            let exact = 100.0 / 0.91 * (1e-4 + 0.3 * 2e-4);
            assert!((sample.stress[(0, 0)] - exact).abs() < 1e-3 * exact);
        }
    }
}

/// F = R U with U = 1 + a e⊗e: the strain that is shown is ln(1 + a) along R e, in every kinematics that knows rotations, and ε in the other.
#[test]
fn the_strain_that_is_shown_is_logarithmic_and_turned_with_the_body() {
    let along = Vect::<3>::new(2.0, -1.0, 2.0) / 3.0;
    let turn = nalgebra::Rotation3::from_euler_angles(0.4, -1.1, 0.7).into_inner();
    let stretch = Mat::<3>::identity() + along * along.transpose() * 0.3;
    let law = Law::SaintVenantKirchhoff(SaintVenantKirchhoff(Isotropic { young: 1.0, poisson: 0.2 }));
    let material = Material { density: 1.0, law };
    let finite = body::<3>(Kind::H8, material, options(Kinematics::Finite, Formulation::Standard));
    let u = affine(finite.mesh(), &(turn * stretch - Mat::<3>::identity()));
    let expected = (turn * along) * (turn * along).transpose() * 1.3_f64.ln();
    let samples = finite.samples(&u, &[]);
    assert!(samples.iter().all(|s| (s.strain - expected).norm() < 1e-13));
    assert!(finite.nodal_strains(&samples).iter().all(|e| (e - expected).norm() < 1e-12));
    let small = body::<3>(Kind::H8, material, options(Kinematics::Small, Formulation::Standard));
    let u = affine(small.mesh(), &(stretch - Mat::<3>::identity()));
    let expected = along * along.transpose() * 0.3;
    assert!(small.samples(&u, &[]).iter().all(|s| (s.strain - expected).norm() < 1e-13));
    // √(2/3 e : e) of a pull without change of volume is the pull.
    let pull = Mat::<3>::from_diagonal(&Vect::<3>::new(0.2, -0.1, -0.1));
    assert!((crate::tensor::equivalent_strain(&pull) - 0.2).abs() < 1e-15);
}
