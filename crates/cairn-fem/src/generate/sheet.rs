//! Sheets in hexahedra, numbered through the thickness: patches of a ring, a tube, a sphere, and any surface of quadrangles.
//!
//! Flat rectangles and discs are a [`block`](super::block()) and a [`cylinder`](super::cylinder()) of one layer.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use crate::Vect;
use crate::mesh::{Boundary, FacetKind, Kind, Mesh};

use super::{cylinder, even, quarter_cylinder};

/// Sides of H8 seen from outside, by the direction of the lattice that they close: u, v, w, first and last.
const SIDES: [[usize; 4]; 6] = [[3, 0, 4, 7], [1, 2, 6, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 3, 2, 1], [4, 5, 6, 7]];

/// Coordinates of a lattice; with `is_closed` the last of `us` is the first again.
struct Lattice<'a> {
    us: &'a [f64],
    vs: &'a [f64],
    ws: &'a [f64],
    is_closed: bool,
}

impl Lattice<'_> {
    /// Hexahedra with ζ along w, with the nodes put where a function of (u, v, w) says. It must not mirror. `names` are those of the sides: first and last
    /// in u (which a closed lattice has not), v, w.
    fn mesh(&self, names: [&str; 6], place: impl Fn([f64; 3]) -> [f64; 3]) -> Mesh<3> {
        let mut mesh = Mesh { regions: vec!["body".to_string()], ..Default::default() };
        let columns = self.us.len() - usize::from(self.is_closed);
        for (&w, &v) in self.ws.iter().flat_map(|w| self.vs.iter().map(move |v| (w, v))) {
            mesh.nodes.extend(self.us[..columns].iter().map(|&u| Vect::from(place([u, v, w]))));
        }
        let number = |[i, j, k]: [usize; 3]| ((k * self.vs.len() + j) * columns + i % columns) as u32;
        let counts = [self.us.len() - 1, self.vs.len() - 1, self.ws.len() - 1];
        let (mut cells, mut sides) = (Vec::new(), [const { Vec::new() }; 6]);
        for (k, j) in (0..counts[2]).flat_map(|k| (0..counts[1]).map(move |j| (k, j))) {
            for i in 0..counts[0] {
                let base = [[0, 0], [1, 0], [1, 1], [0, 1]];
                let corner = |a: usize| number([i + base[a % 4][0], j + base[a % 4][1], k + a / 4]);
                let cell: [u32; 8] = std::array::from_fn(corner);
                cells.extend(cell);
                for (side, corners) in SIDES.iter().enumerate() {
                    let at = [i, j, k][side / 2];
                    let is_side = at == if side % 2 == 0 { 0 } else { counts[side / 2] - 1 };
                    if is_side && !(self.is_closed && side < 2) {
                        sides[side].extend(corners.map(|a| cell[a]));
                    }
                }
            }
        }
        mesh.add_cells(Kind::H8, 0, &cells);
        let named = sides.into_iter().zip(names).filter(|(nodes, _)| !nodes.is_empty());
        mesh.boundaries =
            named.map(|(nodes, name)| Boundary { name: name.into(), kind: FacetKind::Q4, nodes }).collect();
        mesh
    }
}

/// Is that all around?
fn closes([from, to]: [f64; 2]) -> bool {
    (to - from - TAU).abs() < 1e-9
}

/// How a sheet is cut into cells: along its two directions, and through its thickness.
pub type Cells = [usize; 3];

/// A patch of any surface: the point of the coordinates u, v at the height w above it; `place` must not mirror. Boundaries `left` and `right` (u), `front` and
/// `back` (v), `bottom` and `top` (w).
pub fn shell(us: &[f64], vs: &[f64], ws: &[f64], place: impl Fn([f64; 3]) -> [f64; 3]) -> Mesh<3> {
    Lattice { us, vs, ws, is_closed: false }.mesh(["left", "right", "front", "back", "bottom", "top"], place)
}

/// A flat ring about z, or the sector of one between two angles [rad]: cells across, around, and through. Boundaries `inner`, `outer`, `bottom`, `top`, of a
/// sector `start` and `end`, too.
pub fn ring([inner, outer]: [f64; 2], angles: [f64; 2], thickness: f64, cells: Cells) -> Mesh<3> {
    let us = even(angles[0], angles[1], cells[1]);
    let vs = even(-outer, -inner, cells[0]);
    let ws = even(-0.5 * thickness, 0.5 * thickness, cells[2]);
    Lattice { us: &us, vs: &vs, ws: &ws, is_closed: closes(angles) }
        .mesh(["start", "end", "outer", "inner", "bottom", "top"], |[a, r, z]| [-r * a.cos(), -r * a.sin(), z])
}

/// A tube about z from z = 0 to `height`, or the sector of one between two angles [rad], with this radius of its middle: cells around, along, and through.
/// Boundaries `inner`, `outer`, `bottom`, `top`, of a sector `start` and `end`, too.
pub fn tube(radius: f64, height: f64, angles: [f64; 2], thickness: f64, cells: Cells) -> Mesh<3> {
    let us = even(angles[0], angles[1], cells[0]);
    let vs = even(0.0, height, cells[1]);
    let ws = even(radius - 0.5 * thickness, radius + 0.5 * thickness, cells[2]);
    Lattice { us: &us, vs: &vs, ws: &ws, is_closed: closes(angles) }
        .mesh(["start", "end", "bottom", "top", "inner", "outer"], |[a, z, r]| [r * a.cos(), r * a.sin(), z])
}

/// A cap of a sphere about z with this radius of its middle, from the pole to the polar angle `opening` [rad]: the cells of a disc, drawn over the sphere.
/// Boundaries `inner`, `outer`, `rim`; of a quarter (x, y ≥ 0) `left` (x = 0) and `front` (y = 0), too.
pub fn cap(radius: f64, opening: f64, thickness: f64, [core, layers, through]: Cells, is_quarter: bool) -> Mesh<3> {
    let zs = even(radius - 0.5 * thickness, radius + 0.5 * thickness, through);
    let mut mesh = match is_quarter {
        true => quarter_cylinder(1.0, core, layers, &zs),
        false => cylinder(1.0, core, layers, &zs),
    };
    for boundary in &mut mesh.boundaries {
        let name = match boundary.name.as_str() {
            "side" => "rim",
            "bottom" => "inner",
            "top" => "outer",
            other => other,
        };
        boundary.name = name.to_string();
    }
    for x in &mut mesh.nodes {
        let (share, height) = (x[0].hypot(x[1]), x[2]);
        let polar = share * opening;
        // On the axes exactly, so that symmetry can be asked for.
        let out = if share > 0.0 { height * polar.sin() / share } else { 0.0 };
        *x = Vect::from([x[0] * out, x[1] * out, height * polar.cos()]);
    }
    mesh
}

/// A surface of quadrangles in space, to be made a sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Its nodes [m].
    pub nodes: Vec<Vect<3>>,
    /// Quadrangles by region, four nodes each.
    pub cells: Vec<(String, Vec<u32>)>,
    /// Named lines along edges, two nodes each.
    pub lines: Vec<(String, Vec<u32>)>,
    /// Named nodes.
    pub points: Vec<(String, Vec<u32>)>,
}

/// Why a surface cannot be made a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SurfaceError {
    /// Neighbours that are seen from different sides.
    #[error("the quadrangles {0:?} and {1:?} of the surface look to different sides: turn one of the surfaces round")]
    Turned([u32; 4], [u32; 4]),
    /// A quadrangle without area.
    #[error("the quadrangle {0:?} of the surface has no area")]
    Flat([u32; 4]),
    /// A line that is no edge.
    #[error("the line {0:?} is no edge of the surface")]
    NoEdge([u32; 2]),
}

impl Surface {
    /// The sheet with the surface in its middle, with `layers` cells through the thickness [m]. Boundaries `bottom` and `top`, where the surface is seen from,
    /// and a side for each named line.
    pub fn extruded(&self, thickness: f64, layers: usize) -> Result<Mesh<3>, SurfaceError> {
        let normals = self.normals()?;
        let count = self.nodes.len() as u32;
        let mut mesh = Mesh { regions: Vec::new(), ..Default::default() };
        for height in even(-0.5 * thickness, 0.5 * thickness, layers) {
            mesh.nodes.extend(self.nodes.iter().zip(&normals).map(|(x, n)| x + n * height));
        }
        let (mut bottom, mut top) = (Vec::new(), Vec::new());
        let raised = |nodes: &[u32], layer: usize| nodes.iter().map(|n| n + layer as u32 * count).collect::<Vec<u32>>();
        for (name, quads) in &self.cells {
            let region = mesh.region(name);
            for quad in quads.chunks_exact(4) {
                for layer in 0..layers {
                    mesh.add_cells(Kind::H8, region, &[raised(quad, layer), raised(quad, layer + 1)].concat());
                }
                bottom.extend([0, 3, 2, 1].map(|a| quad[a]));
                top.extend(raised(quad, layers));
            }
        }
        let mut add = |name: &str, nodes| {
            mesh.boundaries.push(Boundary { name: name.to_string(), kind: FacetKind::Q4, nodes });
        };
        add("bottom", bottom);
        add("top", top);
        let edges = self.edges();
        for (name, line) in &self.lines {
            let mut side = Vec::new();
            for ends in line.chunks_exact(2) {
                let [a, b] = [ends[0], ends[1]];
                let along = [[a, b], [b, a]].into_iter().find(|edge| edges.contains_key(edge));
                let [a, b] = along.ok_or(SurfaceError::NoEdge([a, b]))?;
                for layer in 0..layers {
                    let (below, above) = (raised(&[a, b], layer), raised(&[b, a], layer + 1));
                    side.extend(below.into_iter().chain(above));
                }
            }
            add(name, side);
        }
        for (name, nodes) in &self.points {
            let all = (0..=layers).flat_map(|layer| raised(nodes, layer)).collect();
            mesh.node_sets.push((name.clone(), all));
        }
        Ok(mesh)
    }

    fn quads(&self) -> impl Iterator<Item = [u32; 4]> {
        self.cells.iter().flat_map(|(_, nodes)| nodes.chunks_exact(4)).map(|q| [q[0], q[1], q[2], q[3]])
    }

    /// The quadrangle on the left of each edge.
    fn edges(&self) -> BTreeMap<[u32; 2], [u32; 4]> {
        self.quads().flat_map(|quad| (0..4).map(move |k| ([quad[k], quad[(k + 1) % 4]], quad))).collect()
    }

    /// Mean normals at the nodes, weighted by the areas around them.
    fn normals(&self) -> Result<Vec<Vect<3>>, SurfaceError> {
        let mut known = BTreeMap::new();
        let mut normals = vec![Vect::<3>::zeros(); self.nodes.len()];
        for quad in self.quads() {
            let corners = quad.map(|n| self.nodes[n as usize]);
            let twice = (corners[2] - corners[0]).cross(&(corners[3] - corners[1]));
            if twice.norm() <= 0.0 {
                return Err(SurfaceError::Flat(quad));
            }
            quad.iter().for_each(|&n| normals[n as usize] += twice);
            for k in 0..4 {
                if let Some(other) = known.insert([quad[k], quad[(k + 1) % 4]], quad) {
                    return Err(SurfaceError::Turned(other, quad));
                }
            }
        }
        Ok(normals.into_iter().map(|n| n.try_normalize(0.0).unwrap_or_default()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::continuum::{Continuum, Formulation, Options};
    use crate::material::{Isotropic, Law, Material};
    use crate::section::Section;
    use std::f64::consts::PI;

    /// Volume and skin of a sheet; it can be a solid-shell.
    fn is_sheet(mesh: Mesh<3>, volume: f64, names: &[&str], tolerance: f64) {
        mesh.check().unwrap();
        let mut own: Vec<&str> = mesh.boundaries.iter().map(|b| b.name.as_str()).collect();
        own.sort_unstable();
        assert_eq!(own, names);
        let named: usize = mesh.boundaries.iter().map(|b| b.nodes.len()).sum();
        let skin: usize = mesh.skin().iter().map(|b| b.nodes.len()).sum();
        assert_eq!(named, skin, "all of the skin has a name");
        for boundary in &mesh.boundaries {
            let facets = mesh.facets();
            for facet in boundary.nodes.chunks_exact(4) {
                let found = facets.find(facet).unwrap();
                let start = found.nodes.iter().position(|n| *n == facet[0]).unwrap();
                assert_eq!(found.nodes[(start + 1) % 4], facet[1], "`{}` is seen from inside", boundary.name);
            }
        }
        let material = Material { density: 1.0, law: Law::Isotropic(Isotropic { young: 1.0, poisson: 0.3 }) };
        let options = Options { formulation: Formulation::SolidShell { points: 2 }, ..Options::default() };
        let body = Continuum::new(mesh, vec![material], Section::Solid, options).unwrap();
        assert!((body.volume() / volume - 1.0).abs() < tolerance, "{} {volume}", body.volume());
    }

    #[test]
    fn generated_sheets_have_their_volume_and_names() {
        let (all, half) = ([0.0, TAU], [0.0, PI]);
        let flat = PI * (4.0 - 1.0) * 0.1;
        is_sheet(ring([1.0, 2.0], all, 0.1, [3, 60, 1]), flat, &["bottom", "inner", "outer", "top"], 2e-3);
        let names = ["bottom", "end", "inner", "outer", "start", "top"];
        is_sheet(ring([1.0, 2.0], half, 0.1, [3, 30, 2]), 0.5 * flat, &names, 2e-3);
        is_sheet(tube(1.0, 2.0, all, 0.1, [60, 4, 1]), TAU * 0.2, &["bottom", "inner", "outer", "top"], 2e-3);
        is_sheet(tube(1.0, 2.0, half, 0.1, [30, 4, 1]), PI * 0.2, &names, 2e-3);
        let cut = TAU * 0.1 * (1.0 - 1.0_f64.cos());
        is_sheet(cap(1.0, 1.0, 0.1, [8, 6, 1], false), cut, &["inner", "outer", "rim"], 1e-2);
        let quarter = ["front", "inner", "left", "outer", "rim"];
        is_sheet(cap(1.0, 1.0, 0.1, [6, 6, 1], true), 0.25 * cut, &quarter, 1e-2);
    }

    /// Two quadrangles over a fold of a right angle.
    fn fold() -> Surface {
        let nodes = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]];
        Surface {
            nodes: nodes.map(|x| Vect::from(x.map(f64::from))).to_vec(),
            cells: vec![("floor".into(), vec![0, 1, 2, 3]), ("wall".into(), vec![4, 0, 3, 5])],
            lines: vec![("rim".into(), vec![1, 2])],
            points: vec![("corner".into(), vec![0])],
        }
    }

    #[test]
    fn a_surface_is_extruded_along_its_normals() {
        let mesh = fold().extruded(0.1, 2).unwrap();
        mesh.check().unwrap();
        assert_eq!(mesh.nodes.len(), 18);
        assert_eq!(mesh.regions, ["floor", "wall"]);
        // At the fold the normal is the mean one.
        let lean = 0.05 * 0.5_f64.sqrt();
        assert!((mesh.nodes[0] - Vect::from([-lean, 0.0, -lean])).norm() < 1e-15);
        assert_eq!(mesh.nodes[13], Vect::from([1.0, 0.0, 0.05]));
        let side = mesh.boundaries.iter().find(|b| b.name == "rim").unwrap();
        assert_eq!(side.nodes, [1, 2, 8, 7, 7, 8, 14, 13]);
        assert_eq!(mesh.node_sets, [("corner".to_string(), vec![0, 6, 12])]);
    }

    #[test]
    fn surfaces_that_cannot_be_sheets_are_refused() {
        let mut turned = fold();
        turned.cells[1].1.reverse();
        assert_eq!(turned.extruded(0.1, 1), Err(SurfaceError::Turned([0, 1, 2, 3], [5, 3, 0, 4])));
        let mut flat = fold();
        flat.nodes[2] = flat.nodes[0];
        flat.nodes[3] = flat.nodes[1];
        assert_eq!(flat.extruded(0.1, 1), Err(SurfaceError::Flat([0, 1, 2, 3])));
        let mut away = fold();
        away.lines[0].1 = vec![1, 3];
        assert_eq!(away.extruded(0.1, 1), Err(SurfaceError::NoEdge([1, 3])));
    }
}
