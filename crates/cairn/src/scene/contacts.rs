//! Reading `[materials]`, `[[contact]]`, `[[ignore]]`, and choosing the law of each pair of materials.

use super::deformable::elasticity;
use super::document::{Ask, Kind, Place, Problem, Table, Value};
use super::joints;
use super::spec::{ContactSpec, MaterialSpec, SceneSpec};
use crate::law::{Cohesion, Compliant, Friction, Law, Moreau, Restitution, Rolling, Unilateral};
use cairn_solvers::report::Method;

/// Stands for every material or group.
pub const ANY: &str = "any";

/// `[materials.NAME]`.
pub fn material(name: &str, t: &Table) -> MaterialSpec {
    let before = t.reader.problems.borrow().len();
    let density = t.number("density", "mass per volume [kg/m³]").positive().required();
    if name == ANY {
        t.reader.report(Problem::new(t.place, "a material cannot be called `any`", "reserved"));
    }
    let elasticity = elasticity(t);
    let whole = t.reader.problems.borrow().len() == before;
    MaterialSpec { name: name.to_string(), density, elasticity, whole, place: t.place }
}

/// Two names, or one for both.
fn between<'t>(t: &'t Table, doc: &'static str) -> Ask<'t, [String; 2]> {
    let kind = Kind::Either(vec![Kind::List(Box::new(Kind::Text)), Kind::Text]);
    Ask::new(t, "between", doc, kind, |t, node| match &node.value {
        Value::Text(name) => Some([name.clone(), name.clone()]),
        Value::List(items) if items.len() == 2 => Some([t.word("between", &items[0])?, t.word("between", &items[1])?]),
        _ => t.mismatch("between", node, "two names"),
    })
}

/// `[[ignore]]`.
pub fn ignore(t: &Table) -> Option<([String; 2], Place)> {
    let names =
        between(t, "two groups of bodies that never touch each other (one name: within itself); or \"any\"").required();
    Some((names?, t.place_of("between")))
}

/// `[[contact]]`.
pub fn contact(t: &Table) -> Option<ContactSpec> {
    let doc = "two materials; \"any\" stands for each. An entry for two named materials beats one with \"any\", \
               later beats earlier";
    let between = between(t, doc).required();
    let laws = [("coulomb", "Coulomb friction", true), ("frictionless", "no friction", false)];
    let coulomb = t.choice("law", "law of the tangential reaction", &laws).or_as("\"coulomb\"", true);
    let friction = t.number_or_table(
        "friction",
        "friction coefficient μ [-]; required with `law = \"coulomb\"`",
        Friction::constant,
        two,
    );
    let friction = friction.not_negative_number();
    let friction = if coulomb && !t.recording() { friction.required() } else { friction.optional() };
    let rolling = rolling(t);
    let unilateral = unilateral(t);
    let doc = "bonds that hold until they break; those that touch at the start, or as [[bond]] says";
    let cohesion = t.table("joint", doc, joints::joint);
    let cohesion = if t.has("joint") { cohesion.required() } else { Some(cohesion.optional().unwrap_or_default()) };
    let friction = match (coulomb, friction) {
        (true, friction) => friction?,
        (false, None) => Friction::constant(0.0),
        (false, Some(_)) => {
            t.wrong("friction", "`law = \"frictionless\"` takes no `friction`".into(), "remove it");
            return None;
        }
    };
    if friction.at_rest < 0.0 {
        t.wrong(
            "friction",
            format!("`{}` must be zero or positive, found {}", t.path_of("friction"), friction.at_rest),
            "negative",
        );
        return None;
    }
    let cohesion = cohesion?;
    joints::check(t, &cohesion, &friction)?;
    let (between, place, unilateral, rolling) = (between?, t.place_of("between"), unilateral?, rolling?);
    Some(ContactSpec { between, place, unilateral, friction, rolling, cohesion })
}

fn rolling(t: &Table) -> Option<Rolling> {
    let doc = "arm of rolling resistance: the moment is at most this times the normal reaction [m]";
    let rolling = t.number("rolling_resistance", doc).not_negative().or(0.0);
    let doc = "the same for twisting about the normal (3D) [m]";
    let twisting = t.number("twisting_resistance", doc).not_negative().or(0.0);
    if t.has("twisting_resistance") && t.reader.dimension.get() == 2 {
        t.wrong("twisting_resistance", "in the plane nothing twists about the normal".into(), "3D only");
        return None;
    }
    Some(Rolling { rolling, twisting })
}

fn two(t: &Table) -> Option<Friction> {
    let static_ = t.number("static", "coefficient while the contact sticks [-]").not_negative().required();
    let dynamic = t.number("dynamic", "coefficient while it slips [-]").not_negative().required();
    let doc =
        "velocity over which friction falls smoothly from static to dynamic [m/s] [default: a jump at the first slip]";
    let transition = t.number("transition", doc).positive().optional();
    let doc = "slip over which friction falls from static to dynamic, until the contact opens [m] [default: a jump at the first slip]";
    let weakening = t.number("weakening_distance", doc).positive().optional();
    let (static_, dynamic) = (static_?, dynamic?);
    if dynamic > static_ {
        let path = t.path_of("dynamic");
        t.wrong("dynamic", format!("`{path}` = {dynamic} must not exceed `static` = {static_}"), "too large");
        return None;
    }
    if transition.is_some() && weakening.is_some() {
        let message =
            "`transition` and `weakening_distance` exclude each other: friction falls with velocity or with slip";
        t.wrong("weakening_distance", message.into(), "remove one of them");
        return None;
    }
    let [transition, weakening] = [transition, weakening].map(Option::unwrap_or_default);
    Some(Friction { at_rest: static_, sliding: dynamic, transition, weakening })
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Natural,
    QuasiInelastic,
    Gap,
    Velocity,
    Moreau,
    Compliant,
}

fn unilateral(t: &Table) -> Option<Unilateral> {
    let forms = [
        ("natural", "gap where a deformable body takes part, else quasi_inelastic", Form::Natural),
        (
            "quasi_inelastic",
            "no penetration velocity once the gap is closed: rigid collections without restitution",
            Form::QuasiInelastic,
        ),
        ("gap", "no penetration: corrects overlaps, may add energy to rigid collections", Form::Gap),
        ("velocity", "Newton's restitution where contact is forecast", Form::Velocity),
        ("moreau", "Moreau's dissipation coefficient: dissipative by construction", Form::Moreau),
        ("compliant", "elastic in compression", Form::Compliant),
    ];
    let form = t.choice("unilateral", "discrete form of the unilateral condition", &forms);
    let form = form.or_as("\"natural\"", Form::Natural);
    let restitution =
        t.number("restitution", "Newton's e, with `unilateral = \"velocity\"` [-]").between(0.0, 1.0).or(0.0);
    let doc = "the same for the tangential velocity, with `unilateral = \"velocity\"` [-]";
    let tangential_restitution = t.number("tangential_restitution", doc).between(0.0, 1.0).or(0.0);
    let doc = "δ, with `unilateral = \"moreau\"`: 1 is fully inelastic, 0 conserves energy [-]";
    let dissipation = t.number("dissipation", doc).between(0.0, 1.0).or(1.0);
    let doc = "stiffness in compression, with `unilateral = \"compliant\"`, per area [Pa/m]";
    let per_area = t.number("compression_stiffness", doc).positive().optional();
    let doc = "the same per contact [N/m]: for balls, corners and edges, which have no area";
    let per_contact = t.number("contact_stiffness", doc).positive().optional();
    let belongs = [
        ("compression_stiffness", Form::Compliant, "compliant"),
        ("contact_stiffness", Form::Compliant, "compliant"),
        ("restitution", Form::Velocity, "velocity"),
        ("tangential_restitution", Form::Velocity, "velocity"),
        ("dissipation", Form::Moreau, "moreau"),
    ];
    for (key, needs, name) in belongs {
        if t.has(key) && form != needs {
            t.wrong(key, format!("`{key}` has a meaning with `unilateral = \"{name}\"` only"), "no meaning here");
            return None;
        }
    }
    Some(match form {
        Form::Natural => Unilateral::Natural,
        Form::QuasiInelastic => Unilateral::QuasiInelastic,
        Form::Gap => Unilateral::Gap,
        Form::Velocity => Unilateral::Velocity(Restitution { normal: restitution, tangential: tangential_restitution }),
        Form::Moreau => Unilateral::Moreau(Moreau { dissipation }),
        Form::Compliant => match (per_area, per_contact) {
            (Some(k), None) => Unilateral::Compliant(Compliant::PerArea(k)),
            (None, Some(k)) => Unilateral::Compliant(Compliant::PerContact(k)),
            _ if t.recording() => return None,
            _ => {
                let message =
                    "`unilateral = \"compliant\"` needs one of `compression_stiffness` and `contact_stiffness`";
                t.wrong("unilateral", message.into(), "how stiff?");
                return None;
            }
        },
    })
}

/// Not all methods know rolling, nor do those on a stored W beside bonds that spring or hold.
pub fn check_rolling(t: &Table, spec: &SceneSpec) {
    let laws = || spec.contacts.iter().chain(spec.changes.iter().flat_map(|change| &change.contacts));
    if !laws().any(|c| c.rolling.resists()) {
        return;
    }
    if let Method::Stored(solver) = spec.solver.method {
        let bonds = |c: &ContactSpec| !matches!(c.cohesion, Cohesion::None | Cohesion::Capillary(_));
        let trouble = match (solver.knows_rolling(), laws().any(bonds)) {
            (false, _) => Some("this method does not know rolling resistance"),
            (true, true) => Some("this method does not know rolling resistance beside bonds that spring or hold"),
            (true, false) => None,
        };
        if let Some(message) = trouble {
            let message = format!("{message}: take \"auto\" or \"nlgs\"");
            let given = t.node("solver").and_then(|node| match &node.value {
                Value::Table(entries) => entries.iter().find(|(key, ..)| key == "method"),
                _ => None,
            });
            let place = given.map_or(t.place_of("solver"), |(_, _, node)| node.place);
            t.reader.report(Problem::new(place, message, "asked for here"));
        }
    }
}

/// The law of each pair of materials, `law_of[a * n + b]`; `u16::MAX` where there is none.
pub fn laws(contacts: &[ContactSpec], materials: &[MaterialSpec]) -> (Vec<Law>, Vec<u16>) {
    let n = materials.len();
    let (mut laws, mut law_of) = (Vec::new(), vec![u16::MAX; n * n]);
    replace_laws(contacts, materials, &mut laws, &mut law_of);
    (laws, law_of)
}

/// Adds laws, and puts them in place of those that pairs of materials have.
pub fn replace_laws(contacts: &[ContactSpec], materials: &[MaterialSpec], laws: &mut Vec<Law>, law_of: &mut [u16]) {
    let n = materials.len();
    let mut rank = vec![0; n * n];
    let matches = |pattern: &str, material: &MaterialSpec| pattern == ANY || pattern == material.name;
    for contact in contacts {
        let [p, q] = &contact.between;
        let specific = 1 + [p, q].iter().filter(|name| name.as_str() != ANY).count();
        for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))) {
            let (ma, mb) = (&materials[a], &materials[b]);
            let fits = matches(p, ma) && matches(q, mb) || matches(q, ma) && matches(p, mb);
            if fits && specific >= rank[a * n + b] {
                rank[a * n + b] = specific;
                law_of[a * n + b] = laws.len() as u16;
            }
        }
        let name = if p == q { p.clone() } else { format!("{p}-{q}") };
        let ContactSpec { unilateral, friction, rolling, cohesion, .. } = *contact;
        laws.push(Law { name, unilateral, friction, rolling, cohesion });
    }
}
