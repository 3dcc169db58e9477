//! The mean force does the work of the strain energy; its tangent matches differences; a free flight keeps its energy.

use cairn_sparse::{General, LuAnalysis, LuFactor, Symmetric};

use super::testing::*;
use super::*;
use crate::material::{Isotropic, Law, NeoHookean, SaintVenantKirchhoff};
use crate::mesh::Cells;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn laws() -> [Law; 2] {
    let law = Isotropic { young: 100.0, poisson: 0.45 };
    [Law::SaintVenantKirchhoff(SaintVenantKirchhoff(law)), Law::NeoHookean(NeoHookean(law))]
}

fn finite(formulation: Formulation) -> Options {
    Options { kinematics: Kinematics::Finite, formulation, ..Options::default() }
}

/// Work of the mean force, and its tangent where it is exact.
fn conserves<const D: usize>(body: &Continuum<D>, is_exact: bool, name: &str) {
    let n = body.dofs();
    let (u0, u1) = (some_displacement(n, 0.04), some_displacement(n + 3, 0.04)[3..].to_vec());
    let mut f = vec![0.0; n];
    let mut k = Symmetric::zero(body.pattern());
    let mut general = General::from_symmetric(&k).unwrap();
    let change = body.mean_force_and_full_tangent(&u0, &u1, &mut f, &mut general).unwrap();
    let step: Vec<f64> = u1.iter().zip(&u0).map(|(a, b)| a - b).collect();
    let energies = [&u0, &u1].map(|u| body.strain_energy(u));
    let scale = energies[0] + energies[1];
    assert!((change - (energies[1] - energies[0])).abs() < 1e-13 * scale, "{name}: change of the energy");
    assert!((dot(&f, &step) - change).abs() < 1e-13 * scale, "{name}: work is {} for {change}", dot(&f, &step));
    // Momentum: no net force.
    (0..D).for_each(|c| assert!(f.iter().skip(c).step_by(D).sum::<f64>().abs() < 1e-11));
    let mut g = vec![0.0; n];
    body.mean_force_and_tangent(&u0, &u1, &mut g, &mut k).unwrap();
    for i in 0..n {
        for j in 0..n {
            let half = 0.5 * (general.get(i, j) + general.get(j, i));
            assert!((half - k.get(i, j)).abs() < 1e-10, "{name}: symmetric part");
        }
    }
    if is_exact {
        let direction = some_displacement(n + 9, 1.0)[9..].to_vec();
        let moved = |s: f64| u1.iter().zip(&direction).map(|(u, d)| u + s * d).collect::<Vec<_>>();
        let (mut ahead, mut behind, mut product) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        body.mean_force(&u0, &moved(1e-7), &mut ahead).unwrap();
        body.mean_force(&u0, &moved(-1e-7), &mut behind).unwrap();
        general.multiply(&direction, &mut product);
        for i in 0..n {
            let difference = (ahead[i] - behind[i]) / 2e-7;
            assert!((product[i] - difference).abs() < 1e-6 * largest(&product), "{name}: tangent row {i}");
        }
    }
}

#[test]
fn the_mean_force_does_the_work_of_the_strain_energy() {
    for law in laws() {
        let material = Material { density: 1.0, law };
        let is_exact = matches!(law, Law::SaintVenantKirchhoff(_));
        for formulation in [Formulation::Standard, Formulation::BBar] {
            let name = format!("{law:?} {formulation:?}");
            for kind in PLANE {
                conserves(&body::<2>(kind, material, finite(formulation)), is_exact, &name);
            }
            conserves(&body::<3>(Kind::H8, material, finite(formulation)), is_exact, &name);
            let mesh = grid::<2>(Kind::Q4, [2; 2], 0.2);
            let ring = Continuum::new(mesh, vec![material], Section::Axisymmetric, finite(formulation)).unwrap();
            let (mut f, u0, u1) =
                (vec![0.0; 18], some_displacement(18, 0.04), some_displacement(21, 0.04)[3..].to_vec());
            let change = ring.mean_force(&u0, &u1, &mut f).unwrap();
            let work = dot(&f, &u1) - dot(&f, &u0);
            assert!((work - change).abs() < 1e-12 * ring.strain_energy(&u1), "{name}: ring");
        }
    }
    let mut mesh = grid::<3>(Kind::H8, [1; 3], 0.0);
    mesh.cells = vec![Cells { kind: Kind::Bar2, region: 0, nodes: vec![0, 1, 1, 3, 0, 7, 2, 5] }];
    let truss = Continuum::new(mesh, vec![steel(0.3)], Section::Solid, finite(Formulation::Standard)).unwrap();
    conserves(&truss, true, "bars");
}

/// A block thrown spinning and stretched: the mid-point rule with the mean force keeps energy and angular momentum over
/// long steps.
#[test]
fn a_tumbling_block_keeps_energy_and_angular_momentum() {
    let material = Material { density: 1.0, law: laws()[0] };
    let body = body::<2>(Kind::Q4, material, finite(Formulation::BBar));
    let n = body.dofs();
    let mut general = General::from_symmetric(&Symmetric::zero(body.pattern())).unwrap();
    let analysis = LuAnalysis::new(general.pattern()).unwrap();
    let h = 0.05;
    let mut u = vec![0.0; n];
    let mut v: Vec<f64> = body.mesh().nodes.iter().flat_map(|x| [4.0 * x[0] - 4.0 * x[1], 4.0 * x[0]]).collect();
    let momentum = |u: &[f64], v: &[f64], masses: &[f64]| -> f64 {
        let place = |a: usize, c: usize| body.mesh().nodes[a][c] + u[2 * a + c];
        (0..masses.len()).map(|a| masses[a] * (place(a, 0) * v[2 * a + 1] - place(a, 1) * v[2 * a])).sum()
    };
    let masses = body.lumped_masses();
    let energy = |u: &[f64], v: &[f64]| {
        let kinetic: f64 = v.iter().enumerate().map(|(i, v)| 0.5 * masses[i / 2] * v * v).sum();
        kinetic + body.strain_energy(u)
    };
    let (start, spin) = (energy(&u, &v), momentum(&u, &v, &masses));
    let mut most_strain = 0.0_f64;
    for _ in 0..60 {
        let mut next: Vec<f64> = u.iter().zip(&v).map(|(u, v)| u + h * v).collect();
        let mut converged = false;
        for _ in 0..30 {
            let mut f = vec![0.0; n];
            body.mean_force_and_full_tangent(&u, &next, &mut f, &mut general).unwrap();
            // M (v₁ − v₀)/h + f̄ = 0 with v₁ = 2 (u₁ − u₀)/h − v₀.
            let residual = |i: usize| masses[i / 2] * 2.0 * ((next[i] - u[i]) / h - v[i]) / h + f[i];
            let mut change: Vec<f64> = (0..n).map(|i| -residual(i)).collect();
            (0..n).for_each(|i| general.add(i, i, masses[i / 2] * 2.0 / (h * h)).unwrap());
            LuFactor::new(&analysis, &general).unwrap().solve(&mut change);
            next.iter_mut().zip(&change).for_each(|(u, c)| *u += c);
            if largest(&change) < 1e-14 {
                converged = true;
                break;
            }
        }
        assert!(converged, "Newton's method does not converge");
        (0..n).for_each(|i| v[i] = 2.0 * (next[i] - u[i]) / h - v[i]);
        u = next;
        most_strain = most_strain.max(body.strain_energy(&u));
        assert!((energy(&u, &v) - start).abs() < 1e-12 * start);
        assert!((momentum(&u, &v, &masses) - spin).abs() < 1e-12 * spin);
    }
    assert!(most_strain > 0.05 * start, "the block hardly strains: {most_strain} of {start}");
}
