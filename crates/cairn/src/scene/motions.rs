//! Reading what moves the bodies: `[gravity]`, `[ground_acceleration]`, `[[fix]]`, `[[drive]]`, `[[load]]`,
//! `[[membrane]]`.

use super::bodies::{component, held};
use super::document::{Ask, Kind, Place, Problem, Table};
use super::histories::history;
use super::shapes::unit;
use super::spec::{DriveSpec, FixSpec, GravitySpec, LoadSpec, LoadSpecKind, MembraneSpec, Selection};
use super::stages::{Beginning, beginning, stage_named};
use super::{DriveKind, History, Span};

/// `[gravity]`.
pub fn gravity(t: &Table) -> Option<GravitySpec> {
    let beginning = beginning(t);
    gravity_from(t, beginning?)
}

/// The same in a stage: from its start on.
pub fn gravity_of_stage(t: &Table, stage: usize) -> Option<GravitySpec> {
    gravity_from(t, Beginning::of_stage(stage))
}

fn gravity_from(t: &Table, beginning: Beginning) -> Option<GravitySpec> {
    let acceleration = t.vector("acceleration", "acceleration of gravity [m/s²], e.g. [0, -9.81]").required();
    let factor = history(t, "history", "factor in time [-]").or_as("1", History::Constant(1.0));
    let doc = "angle in time by which the whole scene is tilted, counter-clockwise: gravity turns the other way [°]";
    let angle = history(t, "tilt", doc).optional();
    let axis = t.vector("tilt_axis", "with tilt: axis of the rotation").only(3, "in 2D it is z").optional();
    if angle.is_some() && t.has("history") {
        t.wrong("history", "gravity of a tilted scene is steady".into(), "not with `tilt`");
        return None;
    }
    let axis = match axis {
        Some(axis) if angle.is_some() => unit(t, "tilt_axis", axis)?,
        Some(_) => {
            t.wrong("tilt_axis", format!("`{}` needs a `tilt`", t.path_of("tilt_axis")), "by which angle?");
            return None;
        }
        None if angle.is_some() && t.reader.dimension.get() == 3 => {
            let message = format!("missing key `{}`: about which axis is it tilted?", t.path_of("tilt_axis"));
            t.reader.report(Problem::new(t.place, message, "which axis?"));
            return None;
        }
        None => [0.0, 0.0, 1.0],
    };
    // What does not change needs no start, and keeps its potential.
    let history = if factor == History::Constant(1.0) && !t.has("stage") { factor } else { beginning.of(factor) };
    let tilt = angle.map(|angle| (axis, beginning.of(angle)));
    Some(GravitySpec { acceleration: acceleration?, history, tilt })
}

/// `[ground_acceleration]`.
pub fn ground_acceleration(t: &Table) -> Vec<(usize, History)> {
    let doc = "acceleration of the ground in this direction [m/s²]; the scene is described in the ground's frame";
    let x = history(t, "x", doc).optional();
    let y = history(t, "y", doc).optional();
    let z = history(t, "z", doc).only(3, "in 2D there are x and y").optional();
    let Some(beginning) = beginning(t) else { return vec![] };
    [x, y, z].into_iter().enumerate().filter_map(|(k, h)| Some((k, beginning.of(h?)))).collect()
}

pub(super) fn selection(t: &Table) -> Option<Selection> {
    let doc = "bodies: a group, \"group#3\", \"group#3-7\" or \"group#last\" (numbers from 0)";
    Some((t.text("bodies", doc).required()?, t.place_of("bodies")))
}

fn name(t: &Table) -> String {
    t.text("name", "name by which a program can set it while the scene runs").or_as("none", String::new())
}

fn boundary(t: &Table) -> Option<(String, Place)> {
    let doc = "deformable bodies: a boundary (or set of nodes) of the mesh by name [default: all nodes]";
    t.text("boundary", doc).optional().map(|name| (name, t.place_of("boundary")))
}

/// `until = NAME`: from stage `first` to the beginning of that one.
pub(super) fn span(t: &Table, first: usize, doc: &'static str) -> Option<Span> {
    let until = stage_named(t, "until", doc)?.unwrap_or(usize::MAX);
    if until <= first {
        t.wrong("until", format!("`{}` must be a later stage", t.path_of("until")), "it would never begin");
        return None;
    }
    Some(Span { from: first, until })
}

/// `[[fix]]`.
pub fn fix(t: &Table) -> Option<FixSpec> {
    let bodies = selection(t);
    let held = held(t, "components", "true, or a list of components, as in `fixed` of a body").or_as("true", [true; 6]);
    let boundary = boundary(t);
    let first = stage_named(t, "stage", "they are held from this stage on, and free before [default: from the start]");
    let doc = "they are free again from this stage on [default: held to the end]";
    let span = span(t, first.flatten().unwrap_or(0), doc).filter(|_| first.is_some());
    Some(FixSpec { span: span?, bodies: bodies?, boundary, held })
}

/// `[[drive]]`.
pub fn drive(t: &Table) -> Option<DriveSpec> {
    let name = name(t);
    let bodies = selection(t);
    let boundary = boundary(t);
    let doc = "x, y, rotation (2D); x, y, z, rx, ry, rz (3D); rotations about the body's centre";
    let component = Ask::new(t, "component", doc, Kind::Text, |t, node| component(t, "component", node)).required();
    let velocity = history(t, "velocity", "prescribed velocity in time [m/s, rad/s]").optional();
    let displacement = history(t, "displacement", "prescribed displacement from the start in time [m, rad]").optional();
    let beginning = beginning(t);
    let ways = [("held", "it does not move", false), ("free", "it moves as its loads and contacts want", true)];
    let doc = "what the component is before the stage that it is driven from";
    let is_free = t.choice("before", doc, &ways).or_as("\"held\"", false);
    let first = beginning.as_ref().and_then(Beginning::stage).filter(|_| is_free);
    let span = span(t, first.unwrap_or(0), "it is released when this stage begins [default: driven to the end]");
    if t.has("before") && !t.has("stage") {
        t.wrong("before", format!("`{}` needs a `stage`", t.path_of("before")), "before which stage?");
        return None;
    }
    one_of(t, &["velocity", "displacement"])?;
    let (kind, history) = match (velocity, displacement) {
        (Some(v), _) => (DriveKind::Velocity, v),
        (None, d) => (DriveKind::Displacement, d?),
    };
    if kind == DriveKind::Displacement && history.at(0.0) != 0.0 {
        let message = format!("`{}` must be 0 at t = 0: it counts from the start", t.path_of("displacement"));
        t.wrong("displacement", message, "a jump");
        return None;
    }
    let history = beginning?.of(history);
    Some(DriveSpec { name, bodies: bodies?, boundary, component: component?, kind, history, span: span? })
}

/// Complains unless exactly one of the keys is given.
fn one_of(t: &Table, keys: &[&str]) -> Option<()> {
    if keys.iter().filter(|key| t.has(key)).count() == 1 {
        return Some(());
    }
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    let message = format!("`{}` needs exactly one of {}", t.path, keys.join(", "));
    t.reader.report(Problem::new(t.place, message, "which one?"));
    None
}

/// `[[load]]`.
pub fn load(t: &Table) -> Option<LoadSpec> {
    let name = name(t);
    let bodies = selection(t);
    let boundary = boundary(t);
    let traction =
        t.vector("traction", "force per area on a `boundary` of a deformable body, world axes [Pa]").optional();
    let force = t.vector("force", "force at the centre of mass, world axes [N; 2D: N per m of depth]").optional();
    let torque = t.angular("torque", "moment, world axes [N·m]").optional();
    let pressure = history(t, "pressure", "pressure in time [Pa], pushing against `normal`").optional();
    let normal =
        t.vector("normal", "with pressure: outward normal of the loaded face at the start, any length").optional();
    let area = t.number("area", "with pressure: loaded area [m²; 2D: m]").positive().optional();
    let doc = "with pressure, in place of `area`: bodies between which the face reaches, one pair in 2D, two in 3D; the area follows them";
    let between = t.words("between", doc).or_as("none", Vec::new());
    let point = t
        .vector("point", "with pressure: where the resultant acts at the start [m]; default: centre of mass")
        .optional();
    let follower = t.flag("follower", "with pressure: does it turn with the body?").or(true);
    let factor =
        history(t, "history", "with force, torque, traction: factor in time [-]").or_as("1", History::Constant(1.0));
    let beginning = beginning(t);
    one_of(t, &["force", "torque", "traction", "pressure"])?;
    if traction.is_some() && boundary.is_none() {
        t.wrong("traction", format!("`{}` needs a `boundary`", t.path_of("traction")), "on which boundary?");
        return None;
    }
    let (kind, history) = match (force, torque) {
        _ if traction.is_some() => (LoadSpecKind::Traction(traction?), factor),
        _ if t.has("pressure") && boundary.is_some() => (LoadSpecKind::BoundaryPressure { follower }, pressure?),
        (Some(force), _) => (LoadSpecKind::Force(force), factor),
        (None, Some(torque)) => (LoadSpecKind::Torque(torque), factor),
        (None, None) => {
            let given = [("normal", t.has("normal")), ("area", t.has("area") || t.has("between"))];
            for (key, _) in given.into_iter().filter(|(_, given)| t.has("pressure") && !given) {
                let message =
                    format!("missing key `{}`: a pressure needs `normal`, and `area` or `between`", t.path_of(key));
                t.reader.report(Problem::new(t.place, message, "a pressure on what?"));
            }
            if t.has("area") && t.has("between") {
                t.wrong(
                    "between",
                    format!("`{}` says how large the face is: no `area`", t.path_of("between")),
                    "not both",
                );
                return None;
            }
            if area.is_none() && between.is_empty() {
                return None;
            }
            let (normal, place) = (unit(t, "normal", normal?)?, t.place_of("between"));
            let kind = LoadSpecKind::Pressure { normal, point, area, between, place, follower };
            (kind, pressure?)
        }
    };
    let history = beginning?.of(history);
    Some(LoadSpec { name, bodies: bodies?, boundary, kind, history })
}

/// `[[membrane]]`.
pub fn membrane(t: &Table) -> Option<MembraneSpec> {
    let bodies = selection(t);
    let pressure = history(t, "pressure", "pressure in time [Pa], inwards, along the segments between the centres");
    let pressure = pressure.only(2, "a membrane is a chain in the plane").required();
    let tension = t.number("tension", "tension of the chain, as of a soap film: it keeps it smooth [N per m of depth]");
    let tension = tension.not_negative().or(0.0);
    let doc = "spring that holds each body on the ray from the centre of all of them on which it started [N/m]";
    let stiffness = t.number("stiffness", doc).not_negative().or(0.0);
    Some(MembraneSpec { bodies: bodies?, pressure: pressure?, tension, stiffness })
}
