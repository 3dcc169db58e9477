//! Reading meshes: `mesh = { kind = "…", … }`.

use super::document::{Problem, Table, Variant, suggest};
use super::spec::MeshSpec;
use crate::space::{Ambient, Space, Vect};
use cairn_fem::generate::{self, Flat, Solid, even, graded};
use cairn_fem::mesh::{Boundary, Kind, Mesh};
use std::rc::Rc;

/// Most cells in one direction.
const MOST: i64 = 100_000;

/// What differs between meshes in the plane and in space.
pub trait OfMesh<const D: usize>: Ambient<D> {
    /// The mesh, if it is of this dimension.
    fn given(spec: &MeshSpec) -> Option<Mesh<D>>;
    /// A block with these corners, divided into cells along its edges.
    fn of_block(vertices: &[[f64; 3]], cells: [usize; 3], kind: Kind) -> Result<Mesh<D>, String>;
}

impl OfMesh<2> for Space<2> {
    fn given(spec: &MeshSpec) -> Option<Mesh<2>> {
        match spec {
            MeshSpec::Plane(mesh) => Some((**mesh).clone()),
            _ => None,
        }
    }

    fn of_block(vertices: &[[f64; 3]], cells: [usize; 3], kind: Kind) -> Result<Mesh<2>, String> {
        let &[a, b, c, d] = vertices else {
            return Err(format!("a block to be meshed has 4 corners, not {}", vertices.len()));
        };
        let mut mesh = flat(kind, &even(0.0, 1.0, cells[0]), &even(0.0, 1.0, cells[1]))?;
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

    fn of_block(vertices: &[[f64; 3]], cells: [usize; 3], kind: Kind) -> Result<Mesh<3>, String> {
        let given: &[[f64; 3]; 8] =
            vertices.try_into().map_err(|_| format!("a block to be meshed has 8 corners, not {}", vertices.len()))?;
        // An arch lists its rings from front to back: seen from the first ring the second must be to the left.
        let [a, b, d, up] = [0, 1, 3, 4].map(|k| nalgebra::Vector3::from(given[k]));
        let mirrored = (b - a).cross(&(d - a)).dot(&(up - a)) < 0.0;
        let corners: [[f64; 3]; 8] = std::array::from_fn(|k| given[if mirrored { (k + 4) % 8 } else { k }]);
        let [xs, ys, zs] = cells.map(|n| even(0.0, 1.0, n));
        let mut mesh = solid(kind, &xs, &ys, &zs)?;
        mesh.map(|x| {
            // Corners as a box has them: a ring below, the same ring above.
            let ring = [(1.0 - x[0]) * (1.0 - x[1]), x[0] * (1.0 - x[1]), x[0] * x[1], (1.0 - x[0]) * x[1]];
            let weight = |k: usize| ring[k % 4] * if k < 4 { 1.0 - x[2] } else { x[2] };
            Vect::<3>::from_fn(|i, _| (0..8).map(|k| corners[k][i] * weight(k)).sum())
        });
        Ok(mesh)
    }
}

fn flat(kind: Kind, xs: &[f64], ys: &[f64]) -> Result<Mesh<2>, String> {
    match kind {
        Kind::T3 => Ok(generate::rectangle(xs, ys, Flat::T3)),
        Kind::T6 => Ok(generate::rectangle(xs, ys, Flat::T3).quadratic()),
        Kind::Q4 => Ok(generate::rectangle(xs, ys, Flat::Q4)),
        Kind::Q8 => Ok(generate::rectangle(xs, ys, Flat::Q4).quadratic()),
        _ => Err(format!("elements of kind {kind:?} do not fit the plane: T3, T6, Q4, Q8 do")),
    }
}

fn solid(kind: Kind, xs: &[f64], ys: &[f64], zs: &[f64]) -> Result<Mesh<3>, String> {
    match kind {
        Kind::Tet4 => Ok(generate::block(xs, ys, zs, Solid::Tet4)),
        Kind::Tet10 => Ok(generate::block(xs, ys, zs, Solid::Tet4).quadratic()),
        Kind::H8 => Ok(generate::block(xs, ys, zs, Solid::H8)),
        Kind::H20 => Ok(generate::block(xs, ys, zs, Solid::H8).quadratic()),
        _ => Err(format!("elements of kind {kind:?} do not fit space: Tet4, Tet10, H8, H20 do")),
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

const FLAT: &[(&str, &str, Kind)] = &[
    ("T3", "linear triangles, two to a cell", Kind::T3),
    ("T6", "quadratic triangles", Kind::T6),
    ("Q4", "bilinear quadrangles", Kind::Q4),
    ("Q8", "quadratic quadrangles", Kind::Q8),
];

const SOLID: &[(&str, &str, Kind)] = &[
    ("Tet4", "linear tetrahedra, six to a cell", Kind::Tet4),
    ("Tet10", "quadratic tetrahedra", Kind::Tet10),
    ("H8", "trilinear hexahedra", Kind::H8),
    ("H20", "quadratic hexahedra", Kind::H20),
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
        v("disc", "disc about the origin; boundary `arc`", Some(2), disc),
        v("half_disc", "lower half of a disc, fine where it touches first; boundaries arc, top", Some(2), half_disc),
        v(
            "impact_plate",
            "plate with a round lower edge, lowest at the origin; boundaries arc, …",
            Some(2),
            impact_plate,
        ),
        v("block", "box about the origin; boundaries left, right, front, back, bottom, top", Some(3), block),
        v("eighth_sphere", "eighth of a sphere, fine where it touches first", Some(3), eighth_sphere),
    ];
    t.variants("kind", "which mesh", &kinds)
}

fn file(t: &Table) -> Option<MeshSpec> {
    let name = t.file("file", "name of the file next to the scene").required();
    let scale = t.number("scale", "factor on its coordinates, e.g. 0.001 for a file in mm").positive().or(1.0);
    if t.recording() {
        return None;
    }
    let path = t.reader.find(&name?, t.place_of("file"))?;
    t.reader.meshes.borrow_mut().push(path.clone());
    let wrong = |message: String| {
        t.reader.report(Problem::new(t.place_of("file"), message, "this file"));
        None
    };
    if t.reader.dimension.get() == 2 {
        match cairn_fem::gmsh::read::<2>(&path) {
            Ok(mut mesh) => {
                mesh.map(|x| x * scale);
                Some(MeshSpec::Plane(Rc::new(mesh)))
            }
            Err(e) => wrong(e.to_string()),
        }
    } else {
        match cairn_fem::gmsh::read::<3>(&path) {
            Ok(mut mesh) => {
                mesh.map(|x| x * scale);
                Some(MeshSpec::Solid(Rc::new(mesh)))
            }
            Err(e) => wrong(e.to_string()),
        }
    }
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
    let kind = t.choice("element", "elements", FLAT).or_as("\"Q4\"", Kind::Q4);
    let (size, cells) = (size?, cells?);
    let line = |k: usize| lines(size[k], cells[k], grading[k]);
    made(t, flat(kind, &line(0), &line(1)), MeshSpec::Plane)
}

fn block(t: &Table) -> Option<MeshSpec> {
    let size = super::shapes::size(t, "size", "lengths of the sides [m]");
    let cells = cells(t, "cells along x, y and z");
    let grading = grading(t);
    let kind = t.choice("element", "elements", SOLID).or_as("\"H8\"", Kind::H8);
    let (size, cells) = (size?, cells?);
    let line = |k: usize| lines(size[k], cells[k], grading[k]);
    made(t, solid(kind, &line(0), &line(1), &line(2)), MeshSpec::Solid)
}

/// Quadratic if asked for.
fn order(t: &Table) -> bool {
    let ways = [("linear", "Q4 or H8", false), ("quadratic", "Q8 or H20", true)];
    t.choice("order", "order of the elements", &ways).or_as("\"linear\"", false)
}

fn raised<const D: usize>(mesh: Mesh<D>, quadratic: bool) -> Mesh<D> {
    if quadratic { mesh.quadratic() } else { mesh }
}

fn disc(t: &Table) -> Option<MeshSpec> {
    let radius = t.number("radius", "radius [m]").positive().required();
    let core = t.integer("core", "cells along a side of the square core", 1, MOST).or(10);
    let layers = t.integer("layers", "layers of cells from the core to the rim", 1, MOST).or(15);
    let quadratic = order(t);
    Some(MeshSpec::Plane(Rc::new(raised(generate::disc(radius?, core as usize, layers as usize), quadratic))))
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
