//! Reading `joint` of a `[[contact]]`, and `[[bond]]`: what bonds do, where they are and from when.

use super::BondRule;
use super::build::Numbers;
use super::document::{Ask, Kind, Table, Value, Variant};
use super::names::Names;
use super::spec::{BondSpec, Selection};
use crate::law::{
    Bilinear, Brittle, Capillary, Cohesion, Elastic, ElasticCoulomb, Exponential, Friction, MixedMode, MohrCoulomb,
    RaousCangemiCocou, Springs, Strength,
};

/// `joint`, with a law of friction for what is left of a bond.
pub fn joint(t: &Table) -> Option<Cohesion> {
    let variants = [
        Variant { name: "brittle", doc: "rigid up to a threshold in tension and shear", only: None, read: brittle },
        Variant {
            name: "mohr_coulomb",
            doc: "rigid up to Mohr–Coulomb's envelope with tension cut-off",
            only: None,
            read: mohr_coulomb,
        },
        Variant { name: "elastic", doc: "springs, for ever or up to a threshold", only: None, read: elastic },
        Variant {
            name: "elastic_coulomb",
            doc: "springs in series with Coulomb's friction, as in distinct elements; whole up to Mohr–Coulomb's envelope",
            only: None,
            read: elastic_coulomb,
        },
        Variant {
            name: "raous_cangemi_cocou",
            doc: "springs with an intensity of adhesion, with or without viscosity",
            only: None,
            read: raous_cangemi_cocou,
        },
        Variant {
            name: "bilinear",
            doc: "cohesive zone that softens on a straight line",
            only: None,
            read: |t| modes(t).map(|modes| Cohesion::Bilinear(Bilinear { modes })),
        },
        Variant {
            name: "exponential",
            doc: "cohesive zone that softens exponentially",
            only: None,
            read: |t| modes(t).map(|modes| Cohesion::Exponential(Exponential { modes })),
        },
        Variant { name: "capillary", doc: "constant pull within a range, of wet grains", only: None, read: capillary },
    ];
    t.variants("law", "what bonds do; see docs/laws.md", &variants)
}

/// A strength per area or per contact, one of them.
fn strength(t: &Table, [stress, force]: [&'static str; 2], docs: [&'static str; 2]) -> Option<Option<Strength>> {
    let per_area = t.number(stress, docs[0]).not_negative().optional();
    let per_contact = t.number(force, docs[1]).not_negative().optional();
    if t.has(stress) && t.has(force) {
        t.wrong(force, format!("`{stress}` and `{force}` are given, one of them is enough"), "one too many");
        return None;
    }
    Some(per_area.map(Strength::Stress).or(per_contact.map(Strength::Force)))
}

fn required_strength(t: &Table, keys: [&'static str; 2], docs: [&'static str; 2]) -> Option<Strength> {
    let strength = strength(t, keys, docs)?;
    if strength.is_none() && !keys.iter().any(|key| t.has(key)) {
        let message = format!("one of `{}` and `{}` must be given", keys[0], keys[1]);
        t.reader.report(super::document::Problem::new(t.place, message, "no strength"));
    }
    strength
}

const TENSION: [&str; 2] = ["tensile_strength", "tensile_force"];
const TENSION_DOCS: [&str; 2] = ["tension that a bond stands, per area [Pa]", "the same per contact [N]"];

fn brittle(t: &Table) -> Option<Cohesion> {
    let tension = required_strength(t, TENSION, TENSION_DOCS);
    let docs = [
        "shear that a bond stands without pressure, per area [Pa] [default: as in tension]",
        "the same per contact [N] [default: as in tension]",
    ];
    let shear = strength(t, ["shear_strength", "shear_force"], docs);
    let tension = tension?;
    Some(Cohesion::Brittle(Brittle { tension, shear: shear?.unwrap_or(tension) }))
}

fn mohr_coulomb(t: &Table) -> Option<Cohesion> {
    let docs = ["c, shear that a bond stands without pressure, per area [Pa]", "the same per contact [N]"];
    let cohesion = required_strength(t, ["cohesion", "cohesion_force"], docs);
    let docs = [
        "cut-off: tension that a bond stands, per area [Pa], at most c/μ [default: c/μ]",
        "the same per contact [N] [default: c/μ]",
    ];
    let tension = strength(t, TENSION, docs);
    let (cohesion, tension) = (cohesion?, tension?);
    Some(Cohesion::MohrCoulomb(MohrCoulomb { cohesion, tension: tension.unwrap_or(Strength::Force(f64::INFINITY)) }))
}

fn springs(t: &Table) -> Option<Springs> {
    let normal = t.number("normal_stiffness", "k_N of the bond, per area [Pa/m]").positive().required();
    let doc = "k_T of the bond, per area [Pa/m] [default: normal_stiffness]";
    let tangential = t.number("tangential_stiffness", doc).not_negative().optional();
    let normal = normal?;
    Some(Springs { normal, tangential: tangential.unwrap_or(normal) })
}

fn elastic(t: &Table) -> Option<Cohesion> {
    let springs = springs(t);
    let tension =
        strength(t, TENSION, ["tension that a bond stands, per area [Pa] [default: any]", "the same per contact [N]"]);
    let docs = ["shear that a bond stands, per area [Pa] [default: any]", "the same per contact [N]"];
    let shear = strength(t, ["shear_strength", "shear_force"], docs);
    let any = Strength::Force(f64::INFINITY);
    let (tension, shear) = (tension?, shear?);
    let limited = tension.is_some() || shear.is_some();
    let strength = limited.then(|| Brittle { tension: tension.unwrap_or(any), shear: shear.unwrap_or(any) });
    Some(Cohesion::Elastic(Elastic { springs: springs?, strength }))
}

fn elastic_coulomb(t: &Table) -> Option<Cohesion> {
    let normal = t.number("normal_stiffness", "k_N, also in compression, per area [Pa/m]").positive().required();
    let doc = "k_T, per area [Pa/m] [default: normal_stiffness]";
    let tangential = t.number("tangential_stiffness", doc).positive().optional();
    let cohesion =
        t.number("cohesion", "c, shear that a whole joint stands without pressure [Pa]").not_negative().or(0.0);
    let doc = "cut-off: tension that a whole joint stands [Pa], at most c/μ [default: c/μ]";
    let tension = t.number("tensile_strength", doc).not_negative().optional();
    let doc = "ψ: faces that slip ride up by tan ψ of their way, from the next step on [°]";
    let dilatancy = t.number("dilatancy", doc).between(0.0, 60.0).or(0.0);
    let normal = normal?;
    let springs = Springs { normal, tangential: tangential.unwrap_or(normal) };
    let tension = tension.map_or(Strength::Force(f64::INFINITY), Strength::Stress);
    let envelope = MohrCoulomb { cohesion: Strength::Stress(cohesion), tension };
    Some(Cohesion::ElasticCoulomb(ElasticCoulomb { springs, envelope, dilatancy: dilatancy.to_radians().tan() }))
}

fn raous_cangemi_cocou(t: &Table) -> Option<Cohesion> {
    let springs = springs(t);
    let energy = t.number("adhesion_energy", "w, energy of adhesion per area [J/m²]").positive().required();
    let viscosity = t.number("viscosity", "b, viscosity of the adhesion [J·s/m²]").not_negative().or(0.0);
    Some(Cohesion::RaousCangemiCocou(RaousCangemiCocou { springs: springs?, energy: energy?, viscosity }))
}

fn modes(t: &Table) -> Option<MixedMode> {
    let stiffness = t.number("stiffness", "K before damage, in all directions, per area [Pa/m]").positive().required();
    let tension = t.number("tensile_strength", "N, tension at which damage begins [Pa]").positive().required();
    let shear = t.number("shear_strength", "S, shear at which damage begins [Pa]").positive().required();
    let opening = t.number("opening_toughness", "G_I, work of complete opening [J/m²]").positive().required();
    let sliding = t.number("sliding_toughness", "G_II, work of complete sliding [J/m²]").positive().required();
    let doc = "η of Benzeggagh and Kenane's mixture of the two [-]";
    let exponent = t.number("mixing_exponent", doc).positive().or(2.0);
    let (stiffness, strength, toughness) = (stiffness?, [tension?, shear?], [opening?, sliding?]);
    for (k, key) in ["opening_toughness", "sliding_toughness"].into_iter().enumerate() {
        let least = 0.5 * strength[k] * strength[k] / stiffness;
        if toughness[k] <= least {
            let message = format!(
                "`{key}` = {} must exceed strength²/(2 stiffness) = {least}: it is spent before damage begins",
                toughness[k]
            );
            t.wrong(key, message, "too small");
            return None;
        }
    }
    Some(MixedMode { stiffness, strength, toughness, exponent })
}

fn capillary(t: &Table) -> Option<Cohesion> {
    let force = t.number("force", "pull of a bridge [N]").positive().required();
    let range = t.number("range", "gap at which a bridge breaks [m]").not_negative().required();
    Some(Cohesion::Capillary(Capillary { force: force?, range: range? }))
}

/// What can be judged only when the friction is known, too.
pub fn check(t: &Table, cohesion: &Cohesion, friction: &Friction) -> Option<()> {
    let law = match cohesion {
        Cohesion::MohrCoulomb(law) => law,
        Cohesion::ElasticCoulomb(law) => &law.envelope,
        _ => return Some(()),
    };
    let apex = |c: f64| c / friction.at_rest;
    let (limit, tension) = match (law.cohesion, law.tension) {
        (Strength::Stress(c), Strength::Stress(f)) | (Strength::Force(c), Strength::Force(f)) => (apex(c), f),
        _ => return Some(()),
    };
    if tension.is_finite() && tension > limit {
        let message = format!("the cut-off {tension} lies beyond the tip of the cone, c/μ = {limit}");
        t.wrong("joint", message, "never reached");
        return None;
    }
    Some(())
}

/// `[[bond]]`.
pub fn bond(t: &Table) -> Option<BondSpec> {
    let kind = Kind::Either(vec![Kind::List(Box::new(Kind::Text)), Kind::Text]);
    let doc = "two selections of bodies (one: within itself): \"any\", a group, \"group#3\", \"group#3-7\"; contacts \
               between them that touch are bonded, if their law has a `joint`";
    let between = Ask::new(t, "between", doc, kind, |t, node| match &node.value {
        Value::Text(name) => Some([(name.clone(), node.place), (name.clone(), node.place)]),
        Value::List(items) if items.len() == 2 => {
            let side = |k: usize| -> Option<Selection> { Some((t.word("between", &items[k])?, items[k].place)) };
            Some([side(0)?, side(1)?])
        }
        _ => t.mismatch("between", node, "two selections of bodies"),
    });
    let between = between.required();
    let from = t.number("from", "time from which on they are bonded [s]").not_negative().time().or(0.0);
    let within = t.table("within", "bonds are made in this box only: a notch is where it is not", |t| {
        let low = t.vector("low", "lowest corner [m]").required();
        let high = t.vector("high", "highest corner [m]").required();
        let (low, high) = (low?, high?);
        if (0..t.reader.dimension.get()).any(|k| low[k] >= high[k]) {
            t.wrong("high", format!("`{}` must lie above `low` in all directions", t.path_of("high")), "no box");
            return None;
        }
        Some([low, high])
    });
    let within = if t.has("within") { Some(within.required()?) } else { within.optional() };
    Some(BondSpec { between: between?, within, from })
}

/// Where bonds are made: where the scene says, or everywhere at the start.
pub fn rules(names: &Names, numbers: &Numbers, bonds: &[BondSpec], step: f64) -> Vec<BondRule> {
    if bonds.is_empty() {
        return vec![BondRule { between: None, within: None, step: 0 }];
    }
    let side = |(name, place): &Selection| {
        let mut bodies = numbers.select(names, name, *place)?;
        bodies.sort_unstable();
        Some(bodies)
    };
    let rule = |bond: &BondSpec| {
        let between = Some([side(&bond.between[0])?, side(&bond.between[1])?]);
        // Of times between two steps the later one, of rounded times the step that is meant.
        Some(BondRule { between, within: bond.within, step: (bond.from / step - 1e-9).ceil().max(0.0) as u64 })
    };
    bonds.iter().filter_map(rule).collect()
}
