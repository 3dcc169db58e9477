//! Reading meshes: `mesh = { kind = "…", … }`.

use super::document::{Problem, Table, Variant, suggest};
use super::spec::MeshSpec;
use crate::space::{Ambient, Space, Vect};
use cairn_fem::generate::{self, Flat, Solid, even, graded};
use cairn_fem::mesh::{Boundary, Mesh};
use std::path::Path;
use std::rc::Rc;

/// Most cells in one direction.
const MOST: i64 = 100_000;

/// What differs between meshes in the plane and in space.
pub trait OfMesh<const D: usize>: Ambient<D> {
    /// The mesh, if it is of this dimension.
    fn given(spec: &MeshSpec) -> Option<Mesh<D>>;
    /// A block with these corners, divided into cells along its edges.
    fn of_block(vertices: &[[f64; 3]], cells: [usize; 3], cut: Cut) -> Result<Mesh<D>, String>;
}

impl OfMesh<2> for Space<2> {
    fn given(spec: &MeshSpec) -> Option<Mesh<2>> {
        match spec {
            MeshSpec::Plane(mesh) => Some((**mesh).clone()),
            _ => None,
        }
    }

    fn of_block(vertices: &[[f64; 3]], cells: [usize; 3], cut: Cut) -> Result<Mesh<2>, String> {
        let &[a, b, c, d] = vertices else {
            return Err(format!("a block to be meshed has 4 corners, not {}", vertices.len()));
        };
        let mut mesh = flat(cut, &even(0.0, 1.0, cells[0]), &even(0.0, 1.0, cells[1]))?;
        mesh.map(|x| {
            let weights = [(1.0 - x[0]) * (1.0 - x[1]), x[0] * (1.0 - x[1]), x[0] * x[1], (1.0 - x[0]) * x[1]];
            Vect::<2>::from_fn(|i, _| [a, b, c, d].iter().zip(weights).map(|(p, w)| p[i] * w).sum())
        });
        Ok(mesh)
    }
}

impl OfMesh<3> for Space<3> {
    fn given(spec: &MeshSpec) -> Option<Mesh<3>> {
        match spec {
            MeshSpec::Solid(mesh) => Some((**mesh).clone()),
            _ => None,
        }
    }

    fn of_block(vertices: &[[f64; 3]], cells: [usize; 3], cut: Cut) -> Result<Mesh<3>, String> {
        let given: &[[f64; 3]; 8] =
            vertices.try_into().map_err(|_| format!("a block to be meshed has 8 corners, not {}", vertices.len()))?;
        // An arch lists its rings from front to back: seen from the first ring the second must be to the left.
        let [a, b, d, up] = [0, 1, 3, 4].map(|k| nalgebra::Vector3::from(given[k]));
        let mirrored = (b - a).cross(&(d - a)).dot(&(up - a)) < 0.0;
        let corners: [[f64; 3]; 8] = std::array::from_fn(|k| given[if mirrored { (k + 4) % 8 } else { k }]);
        if !is_block(&corners) {
            return Err(
                "the 8 corners of a block to be meshed must be a ring of four and the same ring on the other side"
                    .into(),
            );
        }
        let [xs, ys, zs] = cells.map(|n| even(0.0, 1.0, n));
        let mut mesh = solid(cut, &xs, &ys, &zs)?;
        mesh.map(|x| {
            // Corners as a box has them: a ring below, the same ring above.
            let ring = [(1.0 - x[0]) * (1.0 - x[1]), x[0] * (1.0 - x[1]), x[0] * x[1], (1.0 - x[0]) * x[1]];
            let weight = |k: usize| ring[k % 4] * if k < 4 { 1.0 - x[2] } else { x[2] };
            Vect::<3>::from_fn(|i, _| (0..8).map(|k| corners[k][i] * weight(k)).sum())
        });
        Ok(mesh)
    }
}

/// Do the three edges at each corner span a volume, all of the same sign?
fn is_block(corners: &[[f64; 3]; 8]) -> bool {
    let to = |from: usize, k: usize| nalgebra::Vector3::from(corners[k]) - nalgebra::Vector3::from(corners[from]);
    let volume = |k: usize| {
        let (ring, low) = (k % 4, k - k % 4);
        let along = to(k, low + (ring + 1) % 4).cross(&to(k, low + (ring + 3) % 4));
        along.dot(&to(k, (k + 4) % 8)) * if low == 0 { 1.0 } else { -1.0 }
    };
    (0..8).all(|k| volume(k) > 0.0)
}

/// How the cells of a lattice become elements, linear or quadratic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cut {
    /// In the plane.
    Flat(Flat, Order),
    /// In space.
    Solid(Solid, Order),
}

/// Order of the elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// T3, Q4, Tet4, H8.
    Linear,
    /// T6, Q8, Tet10, H20.
    Quadratic,
}

fn flat(cut: Cut, xs: &[f64], ys: &[f64]) -> Result<Mesh<2>, String> {
    of_flat(cut, |layout| generate::rectangle(xs, ys, layout))
}

fn of_flat(cut: Cut, mesh: impl FnOnce(Flat) -> Mesh<2>) -> Result<Mesh<2>, String> {
    match cut {
        Cut::Flat(layout, order) => Ok(raised(mesh(layout), order)),
        Cut::Solid(..) => Err("elements of space do not fit the plane: T3, T6, Q4, Q8 do".into()),
    }
}

fn solid(cut: Cut, xs: &[f64], ys: &[f64], zs: &[f64]) -> Result<Mesh<3>, String> {
    match cut {
        Cut::Solid(layout, order) => Ok(raised(generate::block(xs, ys, zs, layout), order)),
        Cut::Flat(..) => Err("elements of the plane do not fit space: Tet4, Tet10, H8, H20 do".into()),
    }
}

/// Asks for the number of cells in each direction.
pub fn cells(t: &Table, doc: &'static str) -> Option<[usize; 3]> {
    let numbers = t.numbers("cells", doc).required()?;
    let dimension = t.reader.dimension.get();
    let whole = numbers.iter().all(|x| *x >= 1.0 && *x <= MOST as f64 && x.fract() == 0.0);
    if numbers.len() != dimension || !whole {
        t.wrong("cells", format!("`{}` must be {dimension} whole numbers ≥ 1", t.path_of("cells")), "cells");
        return None;
    }
    let mut cells = [1; 3];
    cells.iter_mut().zip(&numbers).for_each(|(c, x)| *c = *x as usize);
    Some(cells)
}

/// Elements in the plane.
pub const FLAT: &[(&str, &str, Cut)] = &[
    ("Q4", "bilinear quadrangles", Cut::Flat(Flat::Q4, Order::Linear)),
    ("Q8", "quadratic quadrangles", Cut::Flat(Flat::Q4, Order::Quadratic)),
    ("T3", "linear triangles, two to a cell", Cut::Flat(Flat::T3, Order::Linear)),
    ("T3_alternating", "two to a cell, diagonals in turns", Cut::Flat(Flat::T3Alternating, Order::Linear)),
    ("T3_crossed", "four to a cell, around its middle", Cut::Flat(Flat::T3Crossed, Order::Linear)),
    ("T6", "quadratic triangles, two to a cell", Cut::Flat(Flat::T3, Order::Quadratic)),
    ("T6_alternating", "two to a cell, diagonals in turns", Cut::Flat(Flat::T3Alternating, Order::Quadratic)),
    ("T6_crossed", "four to a cell, around its middle", Cut::Flat(Flat::T3Crossed, Order::Quadratic)),
];

/// Elements in space.
pub const SOLID: &[(&str, &str, Cut)] = &[
    ("H8", "trilinear hexahedra", Cut::Solid(Solid::H8, Order::Linear)),
    ("H20", "quadratic hexahedra", Cut::Solid(Solid::H8, Order::Quadratic)),
    ("Tet4", "linear tetrahedra, six to a cell", Cut::Solid(Solid::Tet4, Order::Linear)),
    ("Tet10", "quadratic tetrahedra", Cut::Solid(Solid::Tet4, Order::Quadratic)),
];

/// Reads one mesh.
pub fn mesh(t: &Table) -> Option<MeshSpec> {
    let v = |name, doc, only, read| Variant { name, doc, only, read };
    let kinds = [
        v(
            "file",
            "a Gmsh file (.msh, version 2.2 or 4.1); physical groups give materials and boundaries",
            None,
            file as fn(&Table) -> Option<MeshSpec>,
        ),
        v("rectangle", "rectangle about the origin; boundaries left, right, bottom, top", Some(2), rectangle),
        v(
            "quadrilateral",
            "four corners anywhere: blocks beside a fault, a body of revolution; boundaries bottom, right, top, left",
            Some(2),
            quadrilateral,
        ),
        v("quarter_ring", "quarter of a ring, x, y ≥ 0; boundaries inner, outer, bottom, left", Some(2), quarter_ring),
        v("disc", "disc about the origin; boundary `arc`", Some(2), disc),
        v("half_disc", "lower half of a disc, fine where it touches first; boundaries arc, top", Some(2), half_disc),
        v(
            "impact_plate",
            "plate with a round lower edge, lowest at the origin; boundaries arc, …",
            Some(2),
            impact_plate,
        ),
        v(
            "block",
            "box about the origin, also a flat sheet across z; boundaries left, right, front, back, bottom, top",
            Some(3),
            block,
        ),
        v(
            "cylinder",
            "cylinder or disc about z, or a quarter of one, the origin in its middle; boundaries side, bottom, top",
            Some(3),
            cylinder,
        ),
        v(
            "ring",
            "flat ring about z, or a sector of one, for sheets; boundaries inner, outer, bottom, top, start, end",
            Some(3),
            ring,
        ),
        v(
            "tube",
            "tube about z from z = 0 up, or a sector of one, for sheets; boundaries inner, outer, bottom, top, start, end",
            Some(3),
            tube,
        ),
        v(
            "cap",
            "cap of a sphere about z, its pole up, for sheets; boundaries inner, outer, rim, of a quarter left, front",
            Some(3),
            cap,
        ),
        v("eighth_sphere", "eighth of a sphere, fine where it touches first", Some(3), eighth_sphere),
    ];
    t.variants("kind", "which mesh", &kinds)
}

fn file(t: &Table) -> Option<MeshSpec> {
    let name = t.file("file", "name of the file next to the scene").required();
    let scale = t.number("scale", "factor on its coordinates, e.g. 0.001 for a file in mm").positive().or(1.0);
    let doc = "groups inside the mesh along which it is cut: faults and cracks; each becomes two surfaces of that name";
    let cuts = t.words("cut", doc).optional().unwrap_or_default();
    let part = t.text("part", "with `cut`: only the piece that has this boundary [default: all of it]").optional();
    let doc = "3D: the file holds a surface of quadrangles, which becomes a sheet of this thickness, with boundaries bottom, top and its groups of lines [m]";
    let extrude = t.number("extrude", doc).positive().only(3, "a surface is extruded in space").optional();
    let layers = t.integer("layers", "with `extrude`: cells through the thickness", 1, MOST).or(1);
    if t.recording() {
        return None;
    }
    let name = name?;
    let contents = t.reader.contents(&name, t.place_of("file"))?;
    let wrong = |message: String| t.reader.report(Problem::new(t.place_of("file"), message, "this file"));
    if let Some(thickness) = extrude {
        let mesh = sheet(&name, &contents, scale, thickness, layers as usize).map_err(wrong).ok()?;
        return cut(t, mesh, &cuts, part.as_deref()).map(|mesh| MeshSpec::Solid(Rc::new(mesh)));
    }
    if t.reader.dimension.get() == 2 {
        let mesh = read(&name, &contents, scale).map_err(wrong).ok()?;
        cut(t, mesh, &cuts, part.as_deref()).map(|mesh| MeshSpec::Plane(Rc::new(mesh)))
    } else {
        let mesh = read(&name, &contents, scale).map_err(wrong).ok()?;
        cut(t, mesh, &cuts, part.as_deref()).map(|mesh| MeshSpec::Solid(Rc::new(mesh)))
    }
}

/// The mesh cut along groups, and the part of it that is wanted; what is wrong is reported at its key.
fn cut<const D: usize>(t: &Table, mut mesh: Mesh<D>, along: &[String], part: Option<&str>) -> Option<Mesh<D>> {
    for name in along {
        let done = boundary(&mesh, name).and_then(|_| mesh.cut(name).map_err(|e| e.to_string()));
        if let Err(why) = done {
            t.wrong("cut", format!("`{}`: {why}", t.path_of("cut")), "cannot be cut here");
            return None;
        }
    }
    let Some(part) = part else { return Some(mesh) };
    let found = mesh.part(part).map_err(|e| match boundary(&mesh, part) {
        Err(unknown) => unknown,
        Ok(_) if along.is_empty() => format!("{e}; `cut` makes pieces"),
        Ok(_) => e.to_string(),
    });
    found.map_err(|why| t.wrong("part", format!("`{}`: {why}", t.path_of("part")), "not one piece")).ok()
}

/// Reads a Gmsh file and checks what it holds.
fn read<const D: usize>(path: &str, contents: &[u8], scale: f64) -> Result<Mesh<D>, String> {
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    let mut mesh = cairn_fem::gmsh::parse::<D>(contents).map_err(|e| format!("`{name}`, {}: {}", e.place, e.what))?;
    mesh.check().map_err(|e| format!("`{name}`: {e}"))?;
    mesh.map(|x| x * scale);
    Ok(mesh)
}

/// Reads a surface from a Gmsh file and makes it a sheet.
fn sheet(path: &str, contents: &[u8], scale: f64, thickness: f64, layers: usize) -> Result<Mesh<3>, String> {
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    let parsed = cairn_fem::gmsh::parse_surface(contents);
    let mut surface = parsed.map_err(|e| format!("`{name}`, {}: {}", e.place, e.what))?;
    surface.nodes.iter_mut().for_each(|x| *x *= scale);
    let mesh = surface.extruded(thickness, layers).map_err(|e| format!("`{name}`: {e}"))?;
    mesh.check().map_err(|e| format!("`{name}`, made {thickness} m thick: {e}"))?;
    Ok(mesh)
}

/// Coordinates of the lines of a grid of this length about the origin; cells grow by `ratio` from the first to the last.
fn lines(length: f64, cells: usize, ratio: f64) -> Vec<f64> {
    graded(-0.5 * length, 0.5 * length, cells, ratio)
}

fn grading(t: &Table) -> [f64; 3] {
    let doc = "size of the last cell over that of the first, in each direction";
    let numbers = t.numbers("grading", doc).optional().unwrap_or_default();
    let mut grading = [1.0; 3];
    grading.iter_mut().zip(numbers).filter(|(_, x)| *x > 0.0).for_each(|(g, x)| *g = x);
    grading
}

fn made<const D: usize>(
    t: &Table,
    mesh: Result<Mesh<D>, String>,
    wrap: fn(Rc<Mesh<D>>) -> MeshSpec,
) -> Option<MeshSpec> {
    match mesh {
        Ok(mesh) => Some(wrap(Rc::new(mesh))),
        Err(why) => {
            t.wrong("element", why, "this element");
            None
        }
    }
}

fn rectangle(t: &Table) -> Option<MeshSpec> {
    let size = super::shapes::size(t, "size", "lengths of the sides [m]");
    let cells = cells(t, "cells along x and y");
    let grading = grading(t);
    let cut = t.choice("element", "elements", FLAT).or_as("\"Q4\"", FLAT[0].2);
    let (size, cells) = (size?, cells?);
    let line = |k: usize| lines(size[k], cells[k], grading[k]);
    made(t, flat(cut, &line(0), &line(1)), MeshSpec::Plane)
}

fn quadrilateral(t: &Table) -> Option<MeshSpec> {
    let corners =
        t.points("corners", "its corners, counter-clockwise; the first two are the ends of `bottom` [m]").required();
    let cells = cells(t, "cells along the first side and along the second");
    let grading = grading(t);
    let cut = t.choice("element", "elements", FLAT).or_as("\"Q4\"", FLAT[0].2);
    let split = t.table("split", "two materials, one above the other", split).optional();
    let (corners, cells) = (corners?, cells?);
    let Ok(corners) = <[[f64; 3]; 4]>::try_from(corners) else {
        t.wrong("corners", format!("`{}` must be four points", t.path_of("corners")), "four");
        return None;
    };
    let corners = corners.map(|[x, y, _]| [x, y]);
    let [us, vs] = [0, 1].map(|k| graded(0.0, 1.0, cells[k], grading[k]));
    let mesh = of_flat(cut, |layout| generate::quadrilateral(&corners, &us, &vs, layout)).map(|mut mesh| {
        if let Some((height, names)) = &split {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            mesh.paint(&names, |x| usize::from(x[1] > *height));
        }
        mesh
    });
    if mesh.as_ref().is_ok_and(|mesh| mesh.check().is_err()) {
        t.wrong(
            "corners",
            format!("`{}` must go round counter-clockwise and be convex", t.path_of("corners")),
            "these",
        );
        return None;
    }
    made(t, mesh, MeshSpec::Plane)
}

/// A height, and the names below and above it.
fn split(t: &Table) -> Option<(f64, [String; 2])> {
    let height = t.number("height", "y where the one begins and the other ends, in the mesh [m]").required();
    let below = t.text("below", "material below").required();
    let above = t.text("above", "material above").required();
    Some((height?, [below?, above?]))
}

fn quarter_ring(t: &Table) -> Option<MeshSpec> {
    let radii = t.numbers("radii", "inner and outer radius [m]").required();
    let cells = cells(t, "cells across and along the arc");
    let grading = grading(t);
    let cut = t.choice("element", "elements", FLAT).or_as("\"Q4\"", FLAT[0].2);
    let (radii, cells) = (radii?, cells?);
    let &[inner, outer] = radii.as_slice() else {
        t.wrong("radii", format!("`{}` must be two numbers", t.path_of("radii")), "two");
        return None;
    };
    if !(inner > 0.0 && outer > inner) {
        t.wrong("radii", format!("`{}` must be positive, the outer one larger", t.path_of("radii")), "these");
        return None;
    }
    let [us, vs] = [0, 1].map(|k| graded(0.0, 1.0, cells[k], grading[k]));
    made(t, of_flat(cut, |layout| generate::quarter_ring([inner, outer], &us, &vs, layout)), MeshSpec::Plane)
}

fn block(t: &Table) -> Option<MeshSpec> {
    let size = super::shapes::size(t, "size", "lengths of the sides [m]");
    let cells = cells(t, "cells along x, y and z");
    let grading = grading(t);
    let cut = t.choice("element", "elements", SOLID).or_as("\"H8\"", SOLID[0].2);
    let (size, cells) = (size?, cells?);
    let line = |k: usize| lines(size[k], cells[k], grading[k]);
    made(t, solid(cut, &line(0), &line(1), &line(2)), MeshSpec::Solid)
}

/// Quadratic if asked for.
fn order(t: &Table) -> Order {
    let ways = [("linear", "Q4 or H8", Order::Linear), ("quadratic", "Q8 or H20", Order::Quadratic)];
    t.choice("order", "order of the elements", &ways).or_as("\"linear\"", Order::Linear)
}

fn raised<const D: usize>(mesh: Mesh<D>, order: Order) -> Mesh<D> {
    if order == Order::Quadratic { mesh.quadratic() } else { mesh }
}

fn disc(t: &Table) -> Option<MeshSpec> {
    let radius = t.number("radius", "radius [m]").positive().required();
    let core = t.integer("core", "cells along a side of the square core", 1, MOST).or(10);
    let layers = t.integer("layers", "layers of cells from the core to the rim", 1, MOST).or(15);
    let order = order(t);
    Some(MeshSpec::Plane(Rc::new(raised(generate::disc(radius?, core as usize, layers as usize), order))))
}

fn half_disc(t: &Table) -> Option<MeshSpec> {
    let radius = t.number("radius", "radius [m]").positive().required();
    let half = t.integer("half", "cells along the arc on each side of the lowest point", 1, MOST).or(20);
    let layers = t.integer("layers", "layers of cells from the arc inwards", 1, MOST).or(20);
    let across = t.number("across", "size of the last cell over the first, along the arc").positive().or(4.0);
    let radial = t.number("radial", "the same, inwards").positive().or(4.0);
    let mesh = generate::half_disc(radius?, half as usize, layers as usize, across, radial);
    Some(MeshSpec::Plane(Rc::new(mesh)))
}

fn impact_plate(t: &Table) -> Option<MeshSpec> {
    let width = t.number("width", "width [m]").positive().required();
    let height = t.number("height", "height [m]").positive().required();
    let radius = t.number("radius", "radius of the lower edge [m]").positive().required();
    let cells = cells(t, "cells across and along the height");
    let ratio = t.number("ratio", "height of the uppermost cell over the lowest").positive().or(4.0);
    let (width, height, radius, cells) = (width?, height?, radius?, cells?);
    if radius < 0.5 * width {
        t.wrong("radius", format!("`{}` must be at least half of the width", t.path_of("radius")), "too small");
        return None;
    }
    let mesh = generate::impact_plate(width, height, radius, cells[0], cells[1], ratio);
    Some(MeshSpec::Plane(Rc::new(mesh)))
}

fn cylinder(t: &Table) -> Option<MeshSpec> {
    let radius = t.number("radius", "radius [m]").positive().required();
    let height = t.number("height", "height [m]").positive().required();
    let core = t.integer("core", "cells along a side of the square core, or of its quarter", 1, 1000).or(4);
    let layers = t.integer("layers", "layers of cells from the core to the side", 1, 1000).or(3);
    let along = t.integer("along", "cells along the axis", 1, MOST).or(8);
    let ratio = t.number("ratio", "height of the uppermost cell over the lowest").positive().or(1.0);
    let doc = "the quarter with x, y ≥ 0 alone, with boundaries `left` (x = 0) and `front` (y = 0) to hold by symmetry";
    let is_quarter = t.flag("quarter", doc).or(false);
    let order = order(t);
    let zs = lines(height?, along as usize, ratio);
    let (radius, core, layers) = (radius?, core as usize, layers as usize);
    let mesh = match is_quarter {
        true => generate::quarter_cylinder(radius, core, layers, &zs),
        false => generate::cylinder(radius, core, layers, &zs),
    };
    Some(MeshSpec::Solid(Rc::new(raised(mesh, order))))
}

/// Two angles, in radians; all around by default.
fn angles(t: &Table) -> Option<[f64; 2]> {
    let doc = "angles from x, about z, where the sector starts and ends [°]";
    let given = t.numbers("angles", doc).or_as("[0, 360]", vec![0.0, 360.0]);
    let &[from, to] = given.as_slice() else {
        t.wrong("angles", format!("`{}` must be two numbers", t.path_of("angles")), "two");
        return None;
    };
    if !(to > from && to <= from + 360.0) {
        let message = format!("`{}` must grow, by at most 360", t.path_of("angles"));
        t.wrong("angles", message, "these");
        return None;
    }
    Some([from.to_radians(), to.to_radians()])
}

fn ring(t: &Table) -> Option<MeshSpec> {
    let radii = t.numbers("radii", "inner and outer radius [m]").required();
    let angles = angles(t);
    let thickness = t.number("thickness", "thickness [m]").positive().required();
    let cells = cells(t, "cells across, around, and through the thickness");
    let (radii, angles, thickness, cells) = (radii?, angles?, thickness?, cells?);
    match radii.as_slice() {
        &[inner, outer] if inner > 0.0 && outer > inner => {
            Some(MeshSpec::Solid(Rc::new(generate::ring([inner, outer], angles, thickness, cells))))
        }
        _ => {
            t.wrong(
                "radii",
                format!("`{}` must be two numbers, positive, the outer one larger", t.path_of("radii")),
                "these",
            );
            None
        }
    }
}

/// Is a sheet thin enough to be one about this radius?
fn is_thin(t: &Table, radius: f64, thickness: f64) -> Option<()> {
    if thickness < 2.0 * radius {
        return Some(());
    }
    t.wrong("thickness", format!("`{}` must be less than twice the radius", t.path_of("thickness")), "too thick");
    None
}

fn tube(t: &Table) -> Option<MeshSpec> {
    let radius = t.number("radius", "radius of the middle of the wall [m]").positive().required();
    let height = t.number("height", "height [m]").positive().required();
    let angles = angles(t);
    let thickness = t.number("thickness", "thickness [m]").positive().required();
    let cells = cells(t, "cells around, along the axis, and through the thickness");
    let (radius, thickness) = (radius?, thickness?);
    is_thin(t, radius, thickness)?;
    Some(MeshSpec::Solid(Rc::new(generate::tube(radius, height?, angles?, thickness, cells?))))
}

fn cap(t: &Table) -> Option<MeshSpec> {
    let radius = t.number("radius", "radius of the middle of the wall [m]").positive().required();
    let opening = t.number("opening", "angle between the axis and the rim [°]").positive();
    let opening = opening.check(|x| *x < 180.0, "below 180").or(90.0);
    let thickness = t.number("thickness", "thickness [m]").positive().required();
    let core = t.integer("core", "cells along a side of the square core, or of its quarter", 1, 1000).or(6);
    let layers = t.integer("layers", "layers of cells from the core to the rim", 1, 1000).or(6);
    let through = t.integer("through", "cells through the thickness", 1, 1000).or(1);
    let doc = "the quarter with x, y ≥ 0 alone, with boundaries `left` (x = 0) and `front` (y = 0) to hold by symmetry";
    let is_quarter = t.flag("quarter", doc).or(false);
    let (radius, thickness) = (radius?, thickness?);
    is_thin(t, radius, thickness)?;
    let cells = [core, layers, through].map(|n| n as usize);
    Some(MeshSpec::Solid(Rc::new(generate::cap(radius, opening.to_radians(), thickness, cells, is_quarter))))
}

fn eighth_sphere(t: &Table) -> Option<MeshSpec> {
    let radius = t.number("radius", "radius [m]").positive().required();
    let core = t.integer("core", "cells along a side of the core", 1, 1000).or(6);
    let layers = t.integer("layers", "layers of cells from the core to the surface", 1, 1000).or(8);
    let across = t.number("across", "size of the last cell over the first, along the surface").positive().or(4.0);
    let radial = t.number("radial", "the same, inwards").positive().or(4.0);
    let mesh = generate::eighth_sphere(radius?, core as usize, layers as usize, across, radial);
    Some(MeshSpec::Solid(Rc::new(mesh)))
}

/// The facets of the boundary of this name.
pub fn boundary<const D: usize>(mesh: &Mesh<D>, name: &str) -> Result<Vec<Boundary>, String> {
    mesh.boundary(name).map_err(|_| {
        let known: Vec<&str> = mesh.boundaries.iter().map(|b| b.name.as_str()).collect();
        format!("the mesh has no boundary `{name}`: {}", suggest(name, "boundaries", &known))
    })
}

/// All of the boundary.
pub fn whole_skin<const D: usize>(mesh: &Mesh<D>) -> Vec<Boundary> {
    mesh.skin()
}
