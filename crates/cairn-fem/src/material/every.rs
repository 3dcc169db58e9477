//! Every law with memory, for the suites that all of them pass: a new law, or a new option of one, is a line here.
//!
//! E = 100, ν = 0.3, and strengths such that a strain of a hundredth sets off what a law does, in steps of some tenths of a second.

use super::*;

/// Elastic constants of all of them.
pub(crate) const ELASTIC: Isotropic = Isotropic { young: 100.0, poisson: 0.3 };

/// A law and what the suites have to know of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub name: &'static str,
    pub law: Law,
    /// Does something go on in a body that is held still?
    pub creeps: bool,
    /// Is ∂S̄/∂E symmetric, in small and in finite kinematics? Matrices of bodies are made of its symmetric part.
    pub symmetric: [bool; 2],
}

const fn law(name: &'static str, law: Law) -> Entry {
    Entry { name, law, creeps: false, symmetric: [true, true] }
}

impl Entry {
    /// Does it know directions of its own, beside those of the strain?
    pub fn has_axes(&self) -> bool {
        matches!(self.law, Law::Hill(_) | Law::Plastic(Plastic { kinematic: Some(_), .. }))
    }

    const fn creeping(self) -> Self {
        Entry { creeps: true, ..self }
    }

    const fn unsymmetric(self) -> Self {
        Entry { symmetric: [false, false], ..self }
    }

    const fn unsymmetric_when_finite(self) -> Self {
        Entry { symmetric: [true, false], ..self }
    }
}

/// The table.
pub(crate) fn every() -> Vec<Entry> {
    let elastic = ELASTIC;
    let voce = Hardening::Voce { start: 1.0, gain: 1.0, rate: 8.0 };
    let curves = [
        Hardening::Linear { start: 1.0, modulus: 5.0 },
        Hardening::Swift { strength: 4.0, offset: 0.01, exponent: 0.3 },
        Hardening::Table(Table::new(&[[0.0, 1.0], [0.004, 1.2], [0.05, 1.6]])),
    ];
    let [linear, swift, table] =
        curves.map(|hardening| Law::Plastic(Plastic { elastic, hardening, kinematic: None, rate: None }));
    let j2 = Plastic { elastic, hardening: voce, kinematic: None, rate: None };
    let back = |modulus, recall| Some(Kinematic { modulus, recall });
    let rate = Some(Rate { stress: 0.5, exponent: 0.5 });
    let maxwell = |rate| Law::Maxwell(Maxwell { elastic, viscosity: 30.0, rate });
    let damage = |criterion| Law::Damage(Damage { elastic, strength: 2.0, fracture_energy: 2.0, criterion });
    let arms = [Arm { share: 0.3, time: 0.4 }, Arm { share: 0.4, time: 3.0 }];
    let soil = Frictional { cohesion: 0.5, friction: 0.5, dilatancy: 0.5, tension: f64::INFINITY };
    let cut = Frictional { tension: 0.4, ..soil };
    let loose = Frictional { dilatancy: 0.2, ..cut };
    let cone = |strength| Law::DruckerPrager(DruckerPrager { elastic, strength, fit: ConeFit::PlaneStrain });
    let pyramid = |strength| Law::MohrCoulomb(MohrCoulomb { elastic, strength });
    vec![
        law("Kelvin–Voigt", Law::KelvinVoigt(KelvinVoigt { elastic, viscosity: 30.0 })).creeping(),
        law("damage by energy", damage(DamageCriterion::Energy)),
        law("damage by tension", damage(DamageCriterion::Tension)).unsymmetric(),
        law("J2, linear", linear),
        law("J2, Voce", Law::Plastic(j2)),
        law("J2, Swift", swift),
        law("J2, table", table),
        law("J2, Prager", Law::Plastic(Plastic { kinematic: back(20.0, 0.0), ..j2 })),
        law("J2, Armstrong–Frederick", Law::Plastic(Plastic { kinematic: back(20.0, 8.0), ..j2 })).unsymmetric(),
        law("J2, rate", Law::Plastic(Plastic { rate, ..j2 })).creeping(),
        law("Hill", Law::Hill(Hill { elastic, hardening: voce, ratios: [1.8, 1.2, 2.3], angle: 0.4 })),
        law("Maxwell, Green–Naghdi", maxwell(StressRate::GreenNaghdi)).creeping().unsymmetric_when_finite(),
        law("Maxwell, Jaumann", maxwell(StressRate::Jaumann)).creeping().unsymmetric_when_finite(),
        law("Prony", Law::Prony(Prony::new(elastic, &arms).expect("two arms"))).creeping(),
        law("Drucker–Prager", cone(soil)),
        law("Drucker–Prager, cut", cone(cut)),
        law("Drucker–Prager, ψ < φ", cone(loose)).unsymmetric(),
        law("Mohr–Coulomb", pyramid(soil)),
        law("Mohr–Coulomb, cut", pyramid(cut)),
        law("Mohr–Coulomb, ψ < φ", pyramid(loose)).unsymmetric(),
    ]
}

/// The kinds of laws: a new one is counted here before anything compiles.
pub(crate) fn kind(law: &Law) -> Option<usize> {
    match law {
        Law::Isotropic(_) | Law::Orthotropic(_) | Law::SaintVenantKirchhoff(_) | Law::NeoHookean(_) => None,
        Law::KelvinVoigt(_) => Some(0),
        Law::Damage(_) => Some(1),
        Law::Maxwell(_) => Some(2),
        Law::Prony(_) => Some(3),
        Law::Plastic(_) => Some(4),
        Law::DruckerPrager(_) => Some(5),
        Law::MohrCoulomb(_) => Some(6),
        Law::Hill(_) => Some(7),
    }
}

pub(crate) const KINDS: usize = 8;
