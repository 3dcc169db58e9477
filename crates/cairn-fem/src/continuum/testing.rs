//! Meshes of the unit square and cube in every kind, for tests.

use std::collections::BTreeMap;

use super::{Continuum, Options};
use crate::material::{Isotropic, Law, Material};
use crate::mesh::{Boundary, Cells, FacetKind, Kind, Mesh};
use crate::section::Section;
use crate::{Mat, Vect};

pub const PLANE: [Kind; 4] = [Kind::T3, Kind::T6, Kind::Q4, Kind::Q8];
pub const SOLID: [Kind; 4] = [Kind::Tet4, Kind::Tet10, Kind::H8, Kind::H20];
pub const PLATE: Section = Section::PlaneStrain { thickness: 1.0 };

/// Numbers between −1 and 1 that look random.
pub fn random(seed: usize) -> f64 {
    let mut x = seed as u64 ^ 0x9e37_79b9_7f4a_7c15;
    for _ in 0..3 {
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^= x >> 27;
    }
    (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

pub fn steel(poisson: f64) -> Material {
    Material { density: 7.0, law: Law::Isotropic(Isotropic { young: 100.0, poisson }) }
}

/// Corners at the ends of the mid-side nodes of a quadratic kind, in their order.
fn edges(kind: Kind) -> &'static [[usize; 2]] {
    match kind {
        Kind::T6 => &[[0, 1], [1, 2], [2, 0]],
        Kind::Q8 => &[[0, 1], [1, 2], [2, 3], [3, 0]],
        Kind::Tet10 => &[[0, 1], [1, 2], [0, 2], [0, 3], [2, 3], [1, 3]],
        Kind::H20 => &[[0, 1], [0, 3], [0, 4], [1, 2], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 7], [5, 6], [6, 7]],
        _ => &[],
    }
}

/// Corners of the facets of a linear kind, seen from outside.
fn facets(kind: Kind) -> &'static [&'static [usize]] {
    match kind {
        Kind::T3 => &[&[0, 1], &[1, 2], &[2, 0]],
        Kind::Q4 => &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]],
        Kind::Tet4 => &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[0, 3, 2]],
        _ => &[&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]],
    }
}

/// The unit square or cube with `n[i]` cells along each axis, corners inside moved by `distortion` times the cell size.
/// Boundary `end` is x = 1.
pub fn grid<const D: usize>(kind: Kind, n: [usize; D], distortion: f64) -> Mesh<D> {
    let count = |i: usize| n.get(i).map_or(1, |n| n + 1);
    let cells = |i: usize| n.get(i).copied().unwrap_or(1);
    let number = |i: [usize; 3]| (i[0] + count(0) * (i[1] + count(1) * i[2])) as u32;
    let mut mesh = Mesh { regions: vec!["body".into()], ..Mesh::default() };
    for k in 0..count(2) {
        for j in 0..count(1) {
            for i in 0..count(0) {
                let at = [i, j, k];
                mesh.nodes.push(Vect::from_fn(|c, _| {
                    let is_inside = (0..D).all(|d| at[d] > 0 && at[d] < n[d]);
                    let shift = if is_inside { distortion * random(3 * mesh.nodes.len() + c) } else { 0.0 };
                    (at[c] as f64 + shift) / n[c] as f64
                }));
            }
        }
    }
    let linear = kind.linear();
    let mut corners: Vec<Vec<u32>> = Vec::new();
    let layers = if D == 2 { 1 } else { cells(2) };
    for (k, j, i) in (0..layers)
        .flat_map(|k| (0..cells(1)).map(move |j| (k, j)))
        .flat_map(|(k, j)| (0..cells(0)).map(move |i| (k, j, i)))
    {
        let base = [[0, 0], [1, 0], [1, 1], [0, 1]];
        let mut hex: Vec<u32> = base.iter().map(|b| number([i + b[0], j + b[1], k])).collect();
        if D == 3 {
            hex.extend(base.iter().map(|b| number([i + b[0], j + b[1], k + 1])));
        }
        let split: &[&[usize]] = match linear {
            Kind::T3 => &[&[0, 1, 2], &[0, 2, 3]],
            Kind::Tet4 => &[&[0, 1, 2, 6], &[0, 2, 3, 6], &[0, 3, 7, 6], &[0, 7, 4, 6], &[0, 4, 5, 6], &[0, 5, 1, 6]],
            Kind::Q4 => &[&[0, 1, 2, 3]],
            _ => &[&[0, 1, 2, 3, 4, 5, 6, 7]],
        };
        corners.extend(split.iter().map(|s| s.iter().map(|&a| hex[a]).collect::<Vec<u32>>()));
    }
    // Mid-side nodes, one for each edge.
    let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    let mut all = Vec::new();
    for cell in &corners {
        all.extend_from_slice(cell);
        for &[a, b] in edges(kind) {
            let key = [cell[a].min(cell[b]), cell[a].max(cell[b])];
            let middle = (mesh.nodes[key[0] as usize] + mesh.nodes[key[1] as usize]) * 0.5;
            let new = mesh.nodes.len() as u32;
            let node = *middles.entry(key).or_insert(new);
            if node == new {
                mesh.nodes.push(middle);
            }
            all.push(node);
        }
    }
    mesh.cells.push(Cells { kind, region: 0, nodes: all });
    let is_quadratic = kind != linear;
    let mut end = Vec::new();
    let mut sides = 0;
    for facet in corners.iter().flat_map(|c| facets(linear).iter().map(|f| f.iter().map(|&a| c[a]).collect::<Vec<_>>()))
    {
        if facet.iter().all(|&node| mesh.nodes[node as usize][0] > 1.0 - 1e-12) {
            sides = facet.len();
            end.extend_from_slice(&facet);
            if is_quadratic {
                let ends = if sides == 2 { 1 } else { sides };
                end.extend((0..ends).map(|a| {
                    let (p, q) = (facet[a], facet[(a + 1) % sides]);
                    middles[&[p.min(q), p.max(q)]]
                }));
            }
        }
    }
    let facet = match (sides, is_quadratic) {
        (2, false) => FacetKind::Line2,
        (2, true) => FacetKind::Line3,
        (3, false) => FacetKind::T3,
        (3, true) => FacetKind::T6,
        (_, false) => FacetKind::Q4,
        (_, true) => FacetKind::Q8,
    };
    mesh.boundaries.push(Boundary { name: "end".into(), kind: facet, nodes: end });
    mesh
}

/// The section of a dimension.
pub fn section<const D: usize>() -> Section {
    if D == 2 { PLATE } else { Section::Solid }
}

/// A body on a distorted mesh of two cells each way.
pub fn body<const D: usize>(kind: Kind, material: Material, options: Options) -> Continuum<D> {
    Continuum::new(grid(kind, [2; D], 0.2), vec![material], section::<D>(), options).unwrap()
}

/// The displacement u = A X of all nodes.
pub fn affine<const D: usize>(mesh: &Mesh<D>, gradient: &Mat<D>) -> Vec<f64> {
    mesh.nodes.iter().flat_map(|x| (gradient * x).iter().copied().collect::<Vec<_>>()).collect()
}

/// Some displacement gradient.
pub fn some_gradient<const D: usize>(size: f64) -> Mat<D> {
    Mat::from_fn(|i, j| size * random(17 + 5 * i + 11 * j))
}

/// Some displacement of every unknown.
pub fn some_displacement(dofs: usize, size: f64) -> Vec<f64> {
    (0..dofs).map(|i| size * random(1000 + i)).collect()
}

pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| m.max(v.abs()))
}

/// Marks the unknowns of nodes for which a test holds.
pub fn mark<const D: usize>(mesh: &Mesh<D>, is_held: impl Fn(&Vect<D>) -> bool) -> Vec<bool> {
    mesh.nodes.iter().flat_map(|x| [is_held(x); D]).collect()
}

/// Is a node on the boundary of the unit cube?
pub fn is_outside<const D: usize>(x: &Vect<D>) -> bool {
    x.iter().any(|&c| !(1e-12..=1.0 - 1e-12).contains(&c))
}
