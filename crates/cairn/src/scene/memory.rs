//! Reading what makes materials remember: one table a law, of which a material has at most one.

use super::csv;
use super::document::Table;
use cairn_fem::material::{
    Arm, ConeFit, Damage, DamageCriterion, DruckerPrager, Frictional, Hardening, Hill, Isotropic, KelvinVoigt,
    Kinematic, Law, Material, MaterialError, Maxwell, MohrCoulomb, Plastic, Prony, Rate, StressRate, Table as Curve,
};

/// A law with memory, to be made with elastic constants.
type Made = Box<dyn Fn(Isotropic) -> Result<Law, MaterialError>>;

/// The law with memory that a material has, with its key.
pub struct Memory {
    key: &'static str,
    made: Made,
}

impl Memory {
    /// The law; what is wrong with its constants is reported at its key.
    pub fn law(&self, t: &Table, elastic: Isotropic) -> Option<Law> {
        let made = (self.made)(elastic).and_then(|law| Material { density: 1.0, law }.check().map(|()| law));
        made.map_err(|why| t.wrong(self.key, format!("`{}`: {why}", t.path_of(self.key)), "in here")).ok()
    }

    /// It cannot be with what the material is else.
    pub fn refuse(&self, t: &Table) {
        let path = t.path_of(self.key);
        let message = format!("`{path}` needs elasticity = \"linear\" or \"saint_venant_kirchhoff\"");
        t.wrong(self.key, message, "not with this elasticity");
    }
}

/// Asks for all laws with memory; an error if there is more than one.
pub fn memory(t: &Table) -> Option<Memory> {
    let viscosity = t.number("viscosity", "Kelvin–Voigt: shear viscosity η of σ = C ε + 2η dev ε̇ [Pa·s]");
    let viscosity = viscosity.positive().optional();
    let damage =
        t.table("damage", "isotropic damage: stiffness is lost where strain passes a limit", damage).optional();
    let plasticity =
        t.table("plasticity", "J2 plasticity: it flows where Von Mises' stress reaches the yield stress", plasticity);
    let plasticity = plasticity.optional();
    let maxwell = t.table("maxwell", "Maxwell: it flows in shear as a liquid does, with τ = η/G", maxwell).optional();
    let prony = t.table("prony", "Prony's series: it relaxes in shear, by several times", prony).optional();
    let cone = t.table("drucker_prager", "Drucker–Prager: soils and rocks, a cone", drucker_prager).optional();
    let pyramid = t.table("mohr_coulomb", "Mohr–Coulomb: soils and rocks, a pyramid", mohr_coulomb).optional();

    let viscosity: Option<Made> = viscosity
        .map(|viscosity| -> Made { Box::new(move |elastic| Ok(Law::KelvinVoigt(KelvinVoigt { elastic, viscosity }))) });
    let given = [
        ("viscosity", viscosity),
        ("damage", damage),
        ("plasticity", plasticity),
        ("maxwell", maxwell),
        ("prony", prony),
        ("drucker_prager", cone),
        ("mohr_coulomb", pyramid),
    ];
    let mut given = given.into_iter().filter_map(|(key, made)| made.map(|made| Memory { key, made }));
    let (first, second) = (given.next(), given.next());
    if let (Some(first), Some(second)) = (&first, &second) {
        let message = format!("`{}` and `{}` exclude each other", t.path_of(second.key), first.key);
        t.wrong(second.key, message, "one of the two");
    }
    first
}

/// Strength and fracture energy.
fn damage(t: &Table) -> Option<Made> {
    let strength = t.number("strength", "strength in a pull along one axis [Pa]").positive().required();
    let energy = t.number("fracture_energy", "energy that a crack takes per area [J/m²]").positive().required();
    let ways = [
        ("tension", "principal stresses that pull: stone, concrete, masonry", DamageCriterion::Tension),
        ("energy", "all of the strain energy, pushed or pulled", DamageCriterion::Energy),
    ];
    let criterion = t.choice("criterion", "what damages", &ways).or_as("\"tension\"", DamageCriterion::Tension);
    let (strength, fracture_energy) = (strength?, energy?);
    Some(Box::new(move |elastic| Ok(Law::Damage(Damage { elastic, strength, fracture_energy, criterion }))))
}

/// Viscosity and the rate of the stress.
fn maxwell(t: &Table) -> Option<Made> {
    let viscosity = t.number("viscosity", "shear viscosity η [Pa·s]").positive().required();
    let ways = [
        ("green_naghdi", "of Green and Naghdi: in the axes of R, F = R U", StressRate::GreenNaghdi),
        ("jaumann", "of Jaumann: in axes that turn with the spin", StressRate::Jaumann),
    ];
    let rate = t.choice("rate", "finite deformations: rate of the stress", &ways);
    let rate = rate.or_as("\"green_naghdi\"", StressRate::GreenNaghdi);
    let viscosity = viscosity?;
    Some(Box::new(move |elastic| Ok(Law::Maxwell(Maxwell { elastic, viscosity, rate }))))
}

/// Shares of the shear modulus and times.
fn prony(t: &Table) -> Option<Made> {
    let doc = "g_i: shares of the shear modulus that relax; `young` is that of the first instant [-]";
    let shares = t.numbers("shares", doc).required();
    let times = t.numbers("times", "τ_i: times of relaxation [s]").required();
    let (shares, times) = (shares?, times?);
    if shares.len() != times.len() {
        let message = format!("`{}` has {} numbers, `shares` {}", t.path_of("times"), times.len(), shares.len());
        t.wrong("times", message, "as many as shares");
        return None;
    }
    let arms: Vec<Arm> = shares.iter().zip(&times).map(|(&share, &time)| Arm { share, time }).collect();
    Some(Box::new(move |elastic| Prony::new(elastic, &arms).map(Law::Prony)))
}

/// Cohesion and angles.
fn frictional(t: &Table) -> Option<Frictional> {
    let cohesion = t.number("cohesion", "cohesion c [Pa]").not_negative().required();
    let friction = t.number("friction_angle", "angle of internal friction φ [°]").or(0.0);
    let dilatancy = t.number("dilatancy_angle", "angle of dilatancy ψ, at most φ [°]").or(0.0);
    let doc = "largest tension [Pa]; default: that of the apex, c/tan φ; none for φ = 0";
    let tension = t.number("tension", doc).not_negative().optional();
    Some(Frictional {
        cohesion: cohesion?,
        friction: friction.to_radians(),
        dilatancy: dilatancy.to_radians(),
        tension: tension.unwrap_or(f64::INFINITY),
    })
}

fn drucker_prager(t: &Table) -> Option<Made> {
    let strength = frictional(t);
    let ways = [
        ("plane_strain", "same limit loads in plane strain", ConeFit::PlaneStrain),
        ("compression", "same strength in triaxial compression: outer edges", ConeFit::Compression),
        ("extension", "same strength in triaxial extension: inner edges", ConeFit::Extension),
    ];
    let fit = t.choice("fit", "how the cone is fitted to Mohr–Coulomb's pyramid", &ways);
    let fit = fit.or_as("\"plane_strain\"", ConeFit::PlaneStrain);
    let strength = strength?;
    Some(Box::new(move |elastic| Ok(Law::DruckerPrager(DruckerPrager { elastic, strength, fit }))))
}

fn mohr_coulomb(t: &Table) -> Option<Made> {
    let strength = frictional(t)?;
    Some(Box::new(move |elastic| Ok(Law::MohrCoulomb(MohrCoulomb { elastic, strength }))))
}

#[derive(Clone, Copy, PartialEq)]
enum Curves {
    Linear,
    Voce,
    Swift,
    Table,
}

/// The yield stress and how it changes.
fn plasticity(t: &Table) -> Option<Made> {
    let hardening = hardening(t);
    let kinematic =
        t.table("kinematic", "hardening that moves the yield surface: β̇ = ⅔ C ε̇_p − γ β ṗ", kinematic).optional();
    let rate =
        t.table("rate", "flow takes time (Perzyna): the stress stands K ṗⁿ above the yield stress", rate).optional();
    let doc = "r₀, r₄₅, r₉₀ of a rolled sheet (Hill): plastic strain across over that through the sheet in a pull [-]";
    let ratios = t.numbers("r_values", doc).optional();
    let angle =
        t.number("rolling_angle", "with `r_values`: direction of rolling, from x about z [°]").or(0.0).to_radians();
    let hardening = hardening?;
    let Some(ratios) = ratios else {
        return Some(Box::new(move |elastic| Ok(Law::Plastic(Plastic { elastic, hardening, kinematic, rate }))));
    };
    let Ok(ratios) = <[f64; 3]>::try_from(ratios) else {
        t.wrong("r_values", format!("`{}` must be three numbers: r₀, r₄₅, r₉₀", t.path_of("r_values")), "three");
        return None;
    };
    if kinematic.is_some() || rate.is_some() {
        let message =
            format!("`{}` goes with isotropic hardening alone, without `kinematic` and `rate`", t.path_of("r_values"));
        t.wrong("r_values", message, "not with these");
        return None;
    }
    Some(Box::new(move |elastic| Ok(Law::Hill(Hill { elastic, hardening, ratios, angle }))))
}

fn hardening(t: &Table) -> Option<Hardening> {
    let ways = [
        ("linear", "σ_y = σ₀ + H p", Curves::Linear),
        ("voce", "σ_y = σ₀ + Q (1 − exp(−b p))", Curves::Voce),
        ("swift", "σ_y = K (ε₀ + p)ⁿ", Curves::Swift),
        ("table", "straight lines between the points of a table", Curves::Table),
    ];
    let curve = t.choice("hardening", "how the yield stress grows with the equivalent plastic strain p", &ways);
    let curve = curve.or_as("\"linear\"", Curves::Linear);
    let start = t.number("yield_stress", "linear, Voce: yield stress σ₀ at the start [Pa]").positive().optional();
    let modulus = t.number("modulus", "linear: hardening modulus H; 0 is perfect plasticity [Pa]").or(0.0);
    let gain = t.number("gain", "Voce: what the yield stress gains in the end, Q [Pa]").optional();
    let speed = t.number("saturation", "Voce: how soon, b [-]").positive().optional();
    let strength = t.number("strength", "Swift: K [Pa]").positive().optional();
    let offset = t.number("offset", "Swift: ε₀ [-]").positive().optional();
    let exponent = t.number("exponent", "Swift: n [-]").optional();
    let file = t.file("table", "table: CSV file with rows p, σ_y [-, Pa], from p = 0").optional();
    if t.recording() {
        return None;
    }
    let needed = |key: &'static str, value: Option<f64>| {
        if value.is_none() {
            t.wrong(key, format!("`{}` is missing: this hardening needs it", t.path_of(key)), "a number");
        }
        value
    };
    match curve {
        Curves::Linear => Some(Hardening::Linear { start: needed("yield_stress", start)?, modulus }),
        Curves::Voce => {
            let [start, gain, rate] =
                [("yield_stress", start), ("gain", gain), ("saturation", speed)].map(|(k, v)| needed(k, v));
            Some(Hardening::Voce { start: start?, gain: gain?, rate: rate? })
        }
        Curves::Swift => {
            let all = [("strength", strength), ("offset", offset), ("exponent", exponent)];
            let [strength, offset, exponent] = all.map(|(k, v)| needed(k, v));
            Some(Hardening::Swift { strength: strength?, offset: offset?, exponent: exponent? })
        }
        Curves::Table => {
            let Some(file) = file else {
                t.wrong("table", format!("`{}` is missing: a CSV file", t.path_of("table")), "a file");
                return None;
            };
            table(t, &file).map(Hardening::Table)
        }
    }
}

/// The points of a CSV file.
fn table(t: &Table, file: &str) -> Option<Curve> {
    let csv = csv::read(t.reader, file, t.place_of("table"))?;
    if csv.rows[0].len() != 2 {
        t.wrong(
            "table",
            format!("`{file}` has {} columns: two are expected, p and σ_y", csv.rows[0].len()),
            "this file",
        );
        return None;
    }
    let points: Vec<[f64; 2]> = csv.rows.iter().map(|row| [row[0], row[1]]).collect();
    Some(Curve::new(&points))
}

fn kinematic(t: &Table) -> Option<Kinematic> {
    let modulus = t.number("modulus", "C [Pa]").positive().required();
    let recall = t.number("recall", "γ; the back stress tends to C/γ, 0 is linear [-]").not_negative().or(0.0);
    Some(Kinematic { modulus: modulus?, recall })
}

fn rate(t: &Table) -> Option<Rate> {
    let stress = t.number("stress", "overstress K at a rate of 1/s [Pa]").positive().required();
    let exponent = t.number("exponent", "n [-]").positive().or(1.0);
    Some(Rate { stress: stress?, exponent })
}
