//! Reading shapes: `shape = { kind = "…", … }`.

use super::document::{Problem, Table, Variant};
use super::mesh;
use super::spec::{Form, PartSpec, Pose};
use crate::shape::{Profile, Sweep};
use std::f64::consts::TAU;
use std::rc::Rc;

/// Most sides of a regular polygon or prism.
const MOST_SIDES: i64 = 1000;

/// The shape in a table: one primitive, or several in a union.
pub fn shape(t: &Table) -> Option<Vec<PartSpec>> {
    let mut all = primitives();
    all.push(Variant { name: "union", doc: "several primitives in one body", only: None, read: union });
    t.variants("kind", "which shape", &all)
}

type Parts = Option<Vec<PartSpec>>;

fn primitives() -> Vec<Variant<Vec<PartSpec>>> {
    let v = |name, doc, only, read| Variant { name, doc, only, read };
    vec![
        v("disk", "disk about `position`", Some(2), ball),
        v("sphere", "ball about `position`", Some(3), ball),
        v("rectangle", "rectangle centred at `position`", Some(2), cuboid),
        v("box", "box centred at `position`", Some(3), cuboid),
        v("polygon", "convex polygon by its vertices", Some(2), polygon),
        v("polyhedron", "convex hull of points", Some(3), polyhedron),
        v("regular_polygon", "regular polygon centred at `position`, a vertex on the x axis", Some(2), regular_polygon),
        v("prism", "regular prism centred at `position`, axis along z", Some(3), prism),
        v("segment", "segment without thickness", Some(2), segment),
        v("half_plane", "all that lies behind a line through `position`", Some(2), half_space),
        v("half_space", "all that lies behind a plane through `position`", Some(3), half_space),
        v("hollow_disk", "the outside of a circle about `position`: bodies are inside", Some(2), hollow),
        v("hollow_cylinder", "the outside of an endless cylinder about z through `position`", Some(3), hollow),
        v(
            "chain",
            "chain of segments, solid on the left-hand side when going along it (the boundary of a solid, counter-clockwise)",
            Some(2),
            chain,
        ),
        v(
            "profile",
            "tool with a rounded profile, solid on the left-hand side when going along it; in 3D extruded or revolved. Nodes of meshes meet it with its exact normals",
            None,
            profile,
        ),
        v("surface", "triangles from an OBJ or STL file, solid behind their normals", Some(3), surface),
    ]
}

/// Position and orientation, as bodies, parts and generators have them.
pub fn pose(t: &Table) -> Pose {
    let position = t.vector("position", "where its origin is [m]").or_as("origin", [0.0; 3]);
    let angle = t.number("angle", "rotation, counter-clockwise [°]").only(2, "use `rotation` in 3D").or(0.0);
    let read = |t: &Table| {
        let axis = t.vector("axis", "axis of the rotation").required();
        let angle = t.number("angle", "angle of the rotation [°]").required();
        let (axis, angle) = (unit(t, "axis", axis?)?, angle?);
        Some(axis.map(|x| x * angle.to_radians()))
    };
    let rotation = t.table("rotation", "rotation about an axis", read).only(3, "use `angle` in 2D").optional();
    Pose { position, rotation: rotation.unwrap_or([0.0, 0.0, angle.to_radians()]) }
}

/// A direction of length 1; a zero vector is reported.
pub fn unit(t: &Table, key: &str, x: [f64; 3]) -> Option<[f64; 3]> {
    let norm = x.iter().map(|c| c * c).sum::<f64>().sqrt();
    if norm > 0.0 && norm.is_finite() {
        return Some(x.map(|c| c / norm));
    }
    t.wrong(key, format!("`{}` must not be zero: it is a direction", t.path_of(key)), "a direction");
    None
}

/// A vector with positive components.
pub fn size(t: &Table, key: &'static str, doc: &'static str) -> Option<[f64; 3]> {
    let size = t.vector(key, doc).required()?;
    let dimension = t.reader.dimension.get();
    if size[..dimension].iter().all(|x| *x > 0.0) {
        return Some(size);
    }
    t.wrong(
        key,
        format!("`{}` must be positive in every direction, found {:?}", t.path_of(key), &size[..dimension]),
        "sizes",
    );
    None
}

/// The corners of a box (2D: rectangle, counter-clockwise) between two opposite ones.
pub fn corners(dimension: usize, low: [f64; 3], high: [f64; 3]) -> Rc<[[f64; 3]]> {
    let ring = |z: f64| [[low[0], low[1], z], [high[0], low[1], z], [high[0], high[1], z], [low[0], high[1], z]];
    match dimension {
        2 => ring(0.0).into(),
        _ => [ring(low[2]), ring(high[2])].concat().into(),
    }
}

/// The vertices of a regular polygon at height z.
pub fn ring(sides: usize, radius: f64, z: f64) -> Vec<[f64; 3]> {
    let angle = |i: usize| TAU * i as f64 / sides as f64;
    (0..sides).map(|i| [radius * angle(i).cos(), radius * angle(i).sin(), z]).collect()
}

/// The vertices of a regular prism about z.
pub fn prism_vertices(sides: usize, radius: f64, height: f64) -> Vec<[f64; 3]> {
    [ring(sides, radius, -height / 2.0), ring(sides, radius, height / 2.0)].concat()
}

fn one(form: Form) -> Parts {
    Some(vec![form.into()])
}

fn ball(t: &Table) -> Parts {
    one(Form::Ball(t.number("radius", "radius [m]").positive().required()?))
}

fn hollow(t: &Table) -> Parts {
    one(Form::Hollow(t.number("radius", "inner radius [m]").positive().required()?))
}

fn cuboid(t: &Table) -> Parts {
    let size = size(t, "size", "lengths of the sides [m]")?;
    one(Form::Convex(corners(t.reader.dimension.get(), size.map(|x| -x / 2.0), size.map(|x| x / 2.0))))
}

fn half_space(t: &Table) -> Parts {
    let normal = t.vector("normal", "outward normal, any length").required()?;
    one(Form::HalfSpace(unit(t, "normal", normal)?))
}

fn regular_polygon(t: &Table) -> Parts {
    let sides = t.integer("sides", "number of sides", 3, MOST_SIDES).required();
    let radius = t.number("radius", "radius of the circumscribed circle [m]").positive().required();
    one(Form::Convex(ring(sides? as usize, radius?, 0.0).into()))
}

fn prism(t: &Table) -> Parts {
    let sides = t.integer("sides", "number of sides", 3, MOST_SIDES).required();
    let radius = t.number("radius", "radius of the circumscribed circle [m]").positive().required();
    let height = t.number("height", "height [m]").positive().required();
    one(Form::Convex(prism_vertices(sides? as usize, radius?, height?).into()))
}

fn segment(t: &Table) -> Parts {
    let ends = t.points("ends", "the two ends [m]").required()?;
    if ends.len() != 2 || ends[0] == ends[1] {
        t.wrong("ends", format!("`{}` must be two different points", t.path_of("ends")), "two points");
        return None;
    }
    one(Form::Convex(ends.into()))
}

fn polygon(t: &Table) -> Parts {
    let vertices = t.points("vertices", "vertices in order, either sense [m]").required()?;
    match convex_polygon(vertices) {
        Ok(vertices) => one(Form::Convex(vertices.into())),
        Err(why) => {
            let message = format!("`{}` {why}", t.path_of("vertices"));
            let help = "a polygon is convex, its vertices in order; a union of convex parts can be anything";
            t.reader.report(Problem::new(t.place_of("vertices"), message, "vertices").help(help));
            None
        }
    }
}

/// The same vertices counter-clockwise, if they make a convex polygon.
pub fn convex_polygon(mut v: Vec<[f64; 3]>) -> Result<Vec<[f64; 3]>, String> {
    let n = v.len();
    if n < 3 {
        return Err(format!("must be at least 3 points, found {n}"));
    }
    let cross = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
    let length = |a: [f64; 3], b: [f64; 3]| (b[0] - a[0]).hypot(b[1] - a[1]);
    let area: f64 = (1..n - 1).map(|i| cross(v[0], v[i], v[i + 1])).sum();
    let extent = (0..n).map(|i| length(v[0], v[i])).fold(0.0, f64::max);
    if area.abs() <= 1e-12 * extent * extent {
        return Err("enclose no area".into());
    }
    if area < 0.0 {
        v.reverse();
    }
    let mut turned = 0.0;
    for i in 0..n {
        let (a, b, c) = (v[i], v[(i + 1) % n], v[(i + 2) % n]);
        let (sine, scale) = (cross(a, b, c), length(a, b) * length(b, c));
        if sine < -1e-12 * scale || scale == 0.0 {
            return Err(format!("are not convex at ({}, {})", b[0], b[1]));
        }
        let cosine = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
        turned += sine.atan2(cosine);
    }
    if turned > 1.5 * TAU {
        return Err("wind round more than once".into());
    }
    Ok(v)
}

fn polyhedron(t: &Table) -> Parts {
    let vertices = t.points("vertices", "points whose convex hull it is [m]").required()?;
    if vertices.len() < 4 {
        let message = format!("`{}` must be at least 4 points, found {}", t.path_of("vertices"), vertices.len());
        t.wrong("vertices", message, "too few");
        return None;
    }
    one(Form::Convex(vertices.into()))
}

fn chain(t: &Table) -> Parts {
    let points = t.points("points", "points along the chain [m]").required();
    let closed = t.flag("closed", "join the last point to the first?").or(false);
    let points = points?;
    let n = points.len() as u32;
    if n < 2 || points.windows(2).any(|p| p[0] == p[1]) {
        t.wrong(
            "points",
            format!("`{}` must be at least 2 points, neighbours different", t.path_of("points")),
            "points",
        );
        return None;
    }
    let mut facets: Vec<[u32; 3]> = (1..n).map(|i| [i - 1, i, 0]).collect();
    if closed && n > 2 {
        facets.push([n - 1, 0, 0]);
    }
    one(Form::Surface(Rc::new((points, facets))))
}

/// Corners in the plane of the scene, or in that of x and z.
fn profile(t: &Table) -> Parts {
    let points = t.points("points", "corners of the profile in order; 3D: in the plane y = 0 [m]").required();
    let radii = t.numbers("radii", "radii of the fillets at the corners between the first and the last point [m]");
    let radii = radii.or_as("sharp corners", Vec::new());
    let flat = t.reader.is_dimension(2);
    let sweep = sweep(t);
    let points = points?;
    let refuse = |key: &'static str, why: String| {
        t.wrong(key, format!("`{}` {why}", t.path_of(key)), "a profile");
        None
    };
    if radii.iter().any(|r| *r < 0.0) {
        return refuse("radii", "must not be negative".into());
    }
    if !flat && points.iter().any(|p| p[1] != 0.0) {
        return refuse("points", "must have y = 0: a profile lies in the plane of x and z".into());
    }
    let corners: Vec<[f64; 2]> = points.iter().map(|p| [p[0], p[if flat { 1 } else { 2 }]]).collect();
    let radii = if radii.is_empty() { vec![0.0; corners.len().saturating_sub(2)] } else { radii };
    match Profile::new(&corners, &radii, sweep?) {
        Ok(profile) => one(Form::Profile(Rc::new(profile))),
        Err(why) => refuse("points", why),
    }
}

/// How a profile goes on in space; in the plane it does not.
fn sweep(t: &Table) -> Option<Sweep> {
    let ways = [("revolved", "about z, or about a core", true), ("extruded", "along y", false)];
    let flat = "in 2D a profile is in the plane of the scene";
    let revolved = t.choice("sweep", "how it goes on in space", &ways).only(3, flat).or_as("\"revolved\"", true);
    let doc = "revolved: half sides along x and y of a rectangle from which x of the profile is measured, so that the tool is one with \
               rounded corners [m]";
    let core = t.numbers("core", doc).only(3, flat).or_as("[0, 0]", vec![0.0; 2]);
    let doc = "extruded: width along y, the origin in its middle [m]";
    let width = t.number("width", doc).positive().only(3, flat).optional();
    if t.reader.is_dimension(2) {
        return Some(Sweep::Extruded(f64::INFINITY));
    }
    match (revolved, &core[..], width) {
        (true, &[a, b], _) if a >= 0.0 && b >= 0.0 => return Some(Sweep::Around([a, b])),
        (true, ..) => t.wrong("core", format!("`{}` must be two numbers ≥ 0", t.path_of("core")), "half sides"),
        (false, _, Some(width)) => return Some(Sweep::Extruded(0.5 * width)),
        (false, ..) => t.wrong("sweep", format!("`{}` needs a `width`", t.path_of("sweep")), "how wide is it?"),
    }
    None
}

fn surface(t: &Table) -> Parts {
    let file = t.file("file", "OBJ or STL file next to the scene").required();
    let scale = t.number("scale", "factor on its coordinates, e.g. 0.001 for a file in mm").positive().or(1.0);
    let (vertices, facets) = mesh::read(t, "file", &file?, scale)?;
    one(Form::Surface(Rc::new((vertices, facets))))
}

fn union(t: &Table) -> Parts {
    let read = |t: &Table| {
        let pose = pose(t);
        let parts = t.variants("kind", "which shape", &primitives())?;
        Some(parts.into_iter().map(|p| PartSpec { form: p.form, pose }).collect::<Vec<_>>())
    };
    let parts = t.list("parts", "the primitives, each with its place in the body", read);
    if parts.is_empty() && !t.recording() {
        t.wrong("parts", format!("`{}` must list at least one part", t.path_of("parts")), "no parts");
        return None;
    }
    Some(parts.into_iter().collect::<Option<Vec<_>>>()?.concat())
}
