//! Patch tests of membrane and bending, derivatives, objectivity, what a sheet may not be.

use cairn_sparse::Symmetric;
use nalgebra::{Matrix3, Vector3};

use crate::continuum::testing::{body, grid, largest, mark, random, steel};
use crate::continuum::tests::{derivatives, objective, rigid_modes, solve};
use crate::continuum::{Continuum, Formulation, Options};
use crate::material::{Isotropic, Law, Material, NeoHookean, Orthotropic};
use crate::mesh::{Kind, Mesh};
use crate::section::{Kinematics, Section};

const SHEET: Formulation = Formulation::SolidShell { points: 3 };
const KINEMATICS: [Kinematics; 2] = [Kinematics::Small, Kinematics::Finite];
const POISSON: f64 = 0.3;
const THICKNESS: f64 = 0.01;

fn options(kinematics: Kinematics) -> Options {
    Options { kinematics, formulation: SHEET, ..Options::default() }
}

/// A plate of 1 × 1 m about the plane z = 0, in 4 × 4 quadrangles of any shape.
fn plate(thickness: f64) -> Mesh<3> {
    let mut mesh = grid::<3>(Kind::H8, [4, 4, 1], 0.0);
    let mut number = 0;
    let mut moved: Vec<([f64; 2], [f64; 2])> = Vec::new();
    for x in &mut mesh.nodes {
        let at = [x[0], x[1]];
        let is_inside = at.iter().all(|c| (1e-9..1.0 - 1e-9).contains(c));
        let known = moved.iter().find(|(from, _)| *from == at).map(|(_, to)| *to);
        let to = known.unwrap_or_else(|| {
            number += 2;
            let shift = if is_inside { 0.08 } else { 0.0 };
            [at[0] + shift * random(number), at[1] + shift * random(number + 1)]
        });
        moved.push((at, to));
        *x = Vector3::new(to[0], to[1], (x[2] - 0.5) * thickness);
    }
    mesh
}

fn sheet(mesh: Mesh<3>, law: Law, kinematics: Kinematics) -> Continuum<3> {
    Continuum::new(mesh, vec![Material { density: 1.0, law }], Section::Solid, options(kinematics)).unwrap()
}

/// The displacement that a function of the place gives.
fn field(body: &Continuum<3>, u: impl Fn(&Vector3<f64>) -> Vector3<f64>) -> Vec<f64> {
    body.mesh().nodes.iter().flat_map(|x| u(x).iter().copied().collect::<Vec<_>>()).collect()
}

fn is_edge(x: &Vector3<f64>) -> bool {
    (0..2).any(|c| !(1e-9..=1.0 - 1e-9).contains(&x[c]))
}

/// Nodes inside find their places, and the stress is that at each point.
fn solved(
    body: &Continuum<3>,
    exact: &[f64],
    stress: impl Fn(&Vector3<f64>) -> Matrix3<f64>,
    round_off: f64,
    name: &str,
) {
    let held = mark(body.mesh(), is_edge);
    let mut u: Vec<f64> = exact.iter().zip(&held).map(|(u, h)| if *h { *u } else { 0.0 }).collect();
    let (mut k, mut f) = (Symmetric::zero(body.pattern()), vec![0.0; u.len()]);
    for _ in 0..8 {
        body.force_and_tangent(&u, &mut f, &mut k);
        f.iter_mut().for_each(|f| *f = -*f);
        let change = solve::<3>(&k, &f, &held, &vec![0.0; u.len()]);
        u.iter_mut().zip(&change).for_each(|(u, c)| *u += c);
    }
    let apart = u.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(apart < round_off * largest(exact), "{name}: {apart:e} of {:e}", largest(exact));
    let samples = body.samples(&u, &[]);
    let top = samples.iter().map(|s| s.stress.norm()).fold(0.0, f64::max);
    for s in samples {
        let apart = (s.stress - stress(&s.place)).norm();
        assert!(apart < round_off * top, "{name}: stress off by {apart:e} of {top:e} at {}", s.place);
    }
}

/// A plate that is stretched and sheared in its plane gets thinner and is in a state of plane stress.
#[test]
fn a_membrane_of_any_quadrangles_has_its_constant_stress() {
    for (kinematics, size) in [(Kinematics::Small, 1e-4), (Kinematics::Finite, 0.1)] {
        let law = Law::Isotropic(Isotropic { young: 100.0, poisson: POISSON });
        let body = sheet(plate(THICKNESS), law, kinematics);
        let mut gradient = Matrix3::new(0.7, 0.4, 0.0, -0.3, -0.5, 0.0, 0.0, 0.0, 0.0) * size;
        // The thickness at which nothing acts across: E₃₃ = −ν/(1−ν)(E₁₁ + E₂₂).
        let strain: Matrix3<f64> = match kinematics {
            Kinematics::Small => 0.5 * (gradient + gradient.transpose()),
            Kinematics::Finite => 0.5 * (gradient + gradient.transpose() + gradient.tr_mul(&gradient)),
        };
        let across = -POISSON / (1.0 - POISSON) * (strain[(0, 0)] + strain[(1, 1)]);
        gradient[(2, 2)] = match kinematics {
            Kinematics::Small => across,
            Kinematics::Finite => (1.0 + 2.0 * across).sqrt() - 1.0,
        };
        let exact = field(&body, |x| gradient * x);
        let (shear, lambda) = (100.0 / 2.6, 100.0 * 0.3 / (1.3 * 0.4));
        let mut strain = strain;
        strain[(2, 2)] = across;
        let mut stress = strain * (2.0 * shear) + Matrix3::identity() * (lambda * strain.trace());
        if kinematics == Kinematics::Finite {
            let f = Matrix3::identity() + gradient;
            stress = f * stress * f.transpose() / f.determinant();
        }
        solved(&body, &exact, |_| stress, 1e-11, &format!("membrane {kinematics:?}"));
    }
}

/// With a constant curvature of any direction, w = ½ κ x·x, stresses are those of Kirchhoff's plate at every point of the thickness, on any quadrangles.
#[test]
fn a_bent_plate_of_any_quadrangles_has_its_constant_moment() {
    for thickness in [0.1, THICKNESS, 1e-4] {
        let law = Law::Isotropic(Isotropic { young: 100.0, poisson: POISSON });
        let body = sheet(plate(thickness), law, Kinematics::Small);
        let k = [[0.8e-3, 0.3e-3], [0.3e-3, -0.5e-3]];
        let slope = |x: &Vector3<f64>, i: usize| k[i][0] * x[0] + k[i][1] * x[1];
        let exact = field(&body, |x| {
            let w = 0.5 * (x[0] * slope(x, 0) + x[1] * slope(x, 1));
            Vector3::new(-x[2] * slope(x, 0), -x[2] * slope(x, 1), w)
        });
        let stiffness = 100.0 / (1.0 - POISSON * POISSON);
        let stress = |x: &Vector3<f64>| {
            let z = -x[2] * stiffness;
            let (a, b) = (z * (k[0][0] + POISSON * k[1][1]), z * (k[1][1] + POISSON * k[0][0]));
            let c = z * (1.0 - POISSON) * k[0][1];
            Matrix3::new(a, c, 0.0, c, b, 0.0, 0.0, 0.0, 0.0)
        };
        // Strains across are differences of w over the thickness, so that round-off grows with the square of the slenderness, and with the cube where stresses
        // across are compared with forces of bending.
        let round_off = 1e-13 / (thickness * thickness);
        let held = mark(body.mesh(), is_edge);
        let mut force = vec![0.0; exact.len()];
        body.internal_force(&exact, &mut force);
        let free = force.iter().zip(&held).filter(|(_, h)| !**h).map(|(f, _)| f.abs()).fold(0.0, f64::max);
        assert!(free < 0.1 * round_off / thickness * largest(&force), "{thickness}: {free:e} of {:e}", largest(&force));
        let samples = body.samples(&exact, &[]);
        let top = samples.iter().map(|s| s.stress.norm()).fold(0.0, f64::max);
        let apart = samples.iter().map(|s| (s.stress - stress(&s.place)).norm()).fold(0.0, f64::max);
        assert!(apart < round_off * top, "{thickness}: {apart:e} of {top:e}");
        if thickness >= THICKNESS {
            solved(&body, &exact, stress, 10.0 * round_off, &format!("bending {thickness}"));
        }
    }
}

#[test]
fn force_and_tangent_derive_from_the_energy() {
    let elastic = Isotropic { young: 100.0, poisson: POISSON };
    let orthotropic = Orthotropic {
        young: [100.0, 50.0, 30.0],
        poisson: [0.2, 0.3, 0.1],
        shear: [30.0, 20.0, 10.0],
        axes: Matrix3::identity(),
    };
    for law in [Law::Isotropic(elastic), Law::NeoHookean(NeoHookean(elastic)), Law::Orthotropic(orthotropic)] {
        for kinematics in KINEMATICS {
            let material = Material { density: 1.0, law };
            derivatives(&body::<3>(Kind::H8, material, options(kinematics)), 0.02, &format!("{law:?} {kinematics:?}"));
        }
        objective::<3>(Kind::H8, law, SHEET);
    }
    rigid_modes::<3>(Kind::H8, SHEET);
}

/// In a flat sheet under pressure in its plane the tangent without the part of pressure is positive where the whole one is not.
#[test]
fn the_definite_tangent_has_no_pressure() {
    let law = Law::Isotropic(Isotropic { young: 100.0, poisson: 0.0 });
    let body = sheet(plate(THICKNESS), law, Kinematics::Finite);
    let u = field(&body, |x| Vector3::new(-0.01 * x[0], 0.0, 0.0));
    let pi = std::f64::consts::PI;
    let bend = field(&body, |x| Vector3::new(-x[2] * pi * (pi * x[0]).cos(), 0.0, (pi * x[0]).sin()));
    let [mut whole, mut definite] = [(); 2].map(|()| Symmetric::zero(body.pattern()));
    body.tangent(&u, &mut whole);
    body.definite_tangent(&u, &mut definite);
    let along = |k: &Symmetric| {
        let mut product = vec![0.0; bend.len()];
        k.multiply(&bend, &mut product);
        product.iter().zip(&bend).map(|(a, b)| a * b).sum::<f64>()
    };
    assert!(along(&whole) < 0.0 && along(&definite) > 0.0, "{} {}", along(&whole), along(&definite));
}

#[test]
fn what_is_no_sheet_is_refused_with_the_cell() {
    let material = steel(0.3);
    let made = |mesh: Mesh<3>| Continuum::new(mesh, vec![material], Section::Solid, options(Kinematics::Small));
    let why = |mesh| made(mesh).unwrap_err().to_string();
    assert!(why(grid::<3>(Kind::Tet4, [1; 3], 0.0)).contains("hexahedra"));
    // Numbered along x: twenty times as thick as long.
    let mut along = plate(0.02);
    for cell in along.cells[0].nodes.chunks_exact_mut(8) {
        let old = cell.to_vec();
        [0, 4, 7, 3, 1, 5, 6, 2].iter().zip(cell).for_each(|(&from, to)| *to = old[from]);
    }
    let told = why(along);
    assert!(told.contains("m thick: through the thickness is from the first four nodes"), "{told}");
    // One of two cubes is numbered another way.
    let mut crossed = grid::<3>(Kind::H8, [2, 1, 1], 0.0);
    let cell = &mut crossed.cells[0].nodes[8..];
    let old = cell.to_vec();
    [0, 4, 7, 3, 1, 5, 6, 2].iter().zip(cell).for_each(|(&from, to)| *to = old[from]);
    assert!(why(crossed).contains("cells 0 and 1 of the sheet meet face to side"));
    let few = Options { formulation: Formulation::SolidShell { points: 1 }, ..options(Kinematics::Small) };
    assert!(Continuum::new(plate(0.1), vec![material], Section::Solid, few).is_err());
}
