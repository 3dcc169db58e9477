//! The suite that every material passes.

use nalgebra::{Matrix3, Rotation3, SVector, Vector3, Vector6};

use super::*;
use crate::section::{Kinematics, Reduced, Section};
use crate::tensor::{VOIGT, from_strain, from_stress};

const PLATE: Section = Section::PlaneStress { thickness: 1.0 };

fn orthotropic() -> Orthotropic {
    let axes = Rotation3::from_scaled_axis(Vector3::new(0.3, -0.8, 0.5)).into_inner();
    Orthotropic { young: [10.0, 4.0, 2.0], poisson: [0.3, 0.2, 0.05], shear: [3.0, 1.5, 0.8], axes }
}

fn laws() -> [Law; 4] {
    let law = Isotropic { young: 5.0, poisson: 0.35 };
    [
        Law::Isotropic(law),
        Law::Orthotropic(orthotropic()),
        Law::SaintVenantKirchhoff(SaintVenantKirchhoff(law)),
        Law::NeoHookean(NeoHookean(law)),
    ]
}

fn derivatives<const V: usize>(law: &Reduced, strain: SVector<f64, V>, free: &[usize], name: &str) {
    let answer = law.respond(&strain);
    let step = 1e-6;
    for &k in free {
        let moved = |s: f64| {
            let mut strain = strain;
            strain[k] += s;
            law.respond(&strain)
        };
        let (ahead, behind) = (moved(step), moved(-step));
        let stress = (ahead.energy - behind.energy) / (2.0 * step);
        assert!((stress - answer.stress[k]).abs() < 1e-8, "{name}: stress {k}");
        for &l in free {
            let slope = (ahead.stress[l] - behind.stress[l]) / (2.0 * step);
            assert!((slope - answer.tangent[(l, k)]).abs() < 1e-7, "{name}: tangent {l} {k}");
            assert!((answer.tangent[(l, k)] - answer.tangent[(k, l)]).abs() < 1e-13, "{name}: symmetry");
        }
    }
}

#[test]
fn stress_and_tangent_are_derivatives_of_the_energy() {
    for law in laws() {
        let solid = Reduced::new(&law, Section::Solid, Kinematics::Finite);
        let strain = Vector6::new(0.1, -0.05, 0.07, 0.12, -0.08, 0.04);
        derivatives(&solid, strain, &[0, 1, 2, 3, 4, 5], &format!("{law:?}"));
        let flat = Reduced::new(&law, PLATE, Kinematics::Finite);
        derivatives(&flat, SVector::<f64, 4>::new(0.1, -0.05, 0.0, 0.12), &[0, 1, 3], &format!("plate {law:?}"));
    }
}

#[test]
fn every_law_is_linear_elasticity_at_small_strain() {
    for law in laws() {
        let (small, finite) = (
            Reduced::new(&law, Section::Solid, Kinematics::Small),
            Reduced::new(&law, Section::Solid, Kinematics::Finite),
        );
        let strain = Vector6::new(1.0, -0.5, 0.7, 1.2, -0.8, 0.4) * 1e-7;
        let (a, b) = (small.respond(&strain), finite.respond(&strain));
        assert!((a.stress - b.stress).norm() < 1e-5 * a.stress.norm(), "{law:?}");
        assert!((a.tangent - b.tangent).norm() < 1e-5 * a.tangent.norm(), "{law:?}");
        assert!((a.energy - b.energy).abs() < 1e-5 * a.energy.abs() + 1e-15, "{law:?}");
    }
}

#[test]
fn isotropic_laws_do_not_see_a_rotation_of_the_reference() {
    let q = Rotation3::from_scaled_axis(Vector3::new(0.4, 1.1, -0.7)).into_inner();
    let voigt = |m: &Matrix3<f64>| Vector6::from_fn(|k, _| if k < 3 { m[VOIGT[k]] } else { 2.0 * m[VOIGT[k]] });
    let strain = Vector6::new(0.1, -0.05, 0.07, 0.12, -0.08, 0.04);
    let turned = voigt(&(q * from_strain(&strain) * q.transpose()));
    for law in laws().into_iter().filter(|l| l.lame().is_some()) {
        let law = Reduced::new(&law, Section::Solid, Kinematics::Finite);
        let (a, b) = (law.respond(&strain), law.respond(&turned));
        assert!((a.energy - b.energy).abs() < 1e-14);
        assert!((q * from_stress(&a.stress) * q.transpose() - from_stress(&b.stress)).norm() < 1e-13);
    }
}

#[test]
fn an_orthotropic_law_has_its_moduli_along_its_axes() {
    let law = orthotropic();
    let compliance = law.stiffness().try_inverse().unwrap();
    for axis in 0..3 {
        // A unit pull along an axis of the material stretches it by 1/E.
        let n = law.axes.column(axis).into_owned();
        let pull = n * n.transpose();
        let strain = from_strain(&(compliance * Vector6::from_fn(|k, _| pull[VOIGT[k]])));
        assert!((n.dot(&(strain * n)) - 1.0 / law.young[axis]).abs() < 1e-14);
        let across = law.axes.column((axis + 1) % 3).into_owned();
        let ratio = -across.dot(&(strain * across)) * law.young[axis];
        assert!((ratio - law.poisson[axis]).abs() < 1e-13, "ratio {axis}: {ratio}");
    }
    let isotropic = Isotropic { young: 5.0, poisson: 0.35 };
    let shear = isotropic.lame().1;
    let same = Orthotropic { young: [5.0; 3], poisson: [0.35; 3], shear: [shear; 3], axes: law.axes };
    assert!((same.stiffness() - isotropic.stiffness()).norm() < 1e-13);
}

#[test]
fn the_split_into_shape_and_volume_sums_to_the_law() {
    let strain = Vector6::new(0.1, -0.05, 0.07, 0.12, -0.08, 0.04);
    for law in laws().into_iter().filter(|l| l.lame().is_some()) {
        let law = Reduced::new(&law, Section::Solid, Kinematics::Finite);
        let (whole, shape, theta) = (law.respond(&strain), law.respond_isochoric(&strain), law.dilatation(&strain));
        let [energy, first, second] = law.volumetric(theta.value);
        assert!((whole.energy - shape.energy - energy).abs() < 1e-14);
        assert!((whole.stress - shape.stress - first * theta.gradient).norm() < 1e-13);
        let rest = first * theta.hessian + second * theta.gradient * theta.gradient.transpose();
        assert!((whole.tangent - shape.tangent - rest).norm() < 1e-12);
    }
}

#[test]
fn impossible_constants_are_refused() {
    let material = |law| Material { density: 1.0, law }.check();
    assert!(material(Law::Isotropic(Isotropic { young: -1.0, poisson: 0.3 })).is_err());
    assert!(material(Law::Isotropic(Isotropic { young: 1.0, poisson: 0.5 })).is_err());
    assert!(material(Law::Isotropic(Isotropic { young: 1.0, poisson: f64::NAN })).is_err());
    assert!(material(Law::Orthotropic(orthotropic())).is_ok());
    assert!(material(Law::Orthotropic(Orthotropic { poisson: [2.0; 3], ..orthotropic() })).is_err());
    assert!(Material { density: 0.0, ..Material { density: 1.0, law: laws()[0] } }.check().is_err());
}
