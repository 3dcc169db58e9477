//! Volumes and centres of cells and of meshes, areas and normals of facets.
//!
//! Volumes are taken from the facets by the divergence theorem, which is exact for curved cells too:
//!
//! ```text
//!   V = (1/D) ∮ x·n dA          ∫ x_i dV = ½ ∮ x_i² n_i dA
//! ```
//!
//! with n dA = (x_ξ × x_η) dξ dη on surfaces and (y_ξ, −x_ξ) dξ on lines. Cells in the plane have unit depth.

use super::{FacetKind, Kind, Mesh};
use crate::Vect;

/// Gauss points and weights on [0, 1], exact to degree 7.
const GAUSS: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

impl FacetKind {
    /// Shape functions and their derivatives at (ξ, η), one entry (N, N_ξ, N_η) a node.
    ///
    /// Lines and quadrangles have −1 ≤ ξ, η ≤ 1, triangles 0 ≤ ξ, η, ξ + η ≤ 1.
    pub fn shape(self, xi: f64, eta: f64) -> Vec<[f64; 3]> {
        match self {
            FacetKind::Line2 => vec![[0.5 * (1.0 - xi), -0.5, 0.0], [0.5 * (1.0 + xi), 0.5, 0.0]],
            FacetKind::Line3 => vec![
                [0.5 * xi * (xi - 1.0), xi - 0.5, 0.0],
                [0.5 * xi * (xi + 1.0), xi + 0.5, 0.0],
                [1.0 - xi * xi, -2.0 * xi, 0.0],
            ],
            FacetKind::T3 => vec![[1.0 - xi - eta, -1.0, -1.0], [xi, 1.0, 0.0], [eta, 0.0, 1.0]],
            FacetKind::T6 => {
                let l = [[1.0 - xi - eta, -1.0, -1.0], [xi, 1.0, 0.0], [eta, 0.0, 1.0]];
                let corner = |a: [f64; 3]| {
                    let slope = 4.0 * a[0] - 1.0;
                    [a[0] * (2.0 * a[0] - 1.0), slope * a[1], slope * a[2]]
                };
                let side = |a: [f64; 3], b: [f64; 3]| {
                    [4.0 * a[0] * b[0], 4.0 * (a[1] * b[0] + a[0] * b[1]), 4.0 * (a[2] * b[0] + a[0] * b[2])]
                };
                vec![corner(l[0]), corner(l[1]), corner(l[2]), side(l[0], l[1]), side(l[1], l[2]), side(l[2], l[0])]
            }
            FacetKind::Q4 => CORNERS
                .iter()
                .map(|&(a, b)| {
                    let (f, g) = (1.0 + a * xi, 1.0 + b * eta);
                    [0.25 * f * g, 0.25 * a * g, 0.25 * b * f]
                })
                .collect(),
            FacetKind::Q8 => {
                let corner = |&(a, b): &(f64, f64)| {
                    let (f, g, s) = (1.0 + a * xi, 1.0 + b * eta, a * xi + b * eta - 1.0);
                    [0.25 * f * g * s, 0.25 * a * g * (s + f), 0.25 * b * f * (s + g)]
                };
                let along_xi = |b: f64| {
                    let (f, g) = (1.0 - xi * xi, 1.0 + b * eta);
                    [0.5 * f * g, -xi * g, 0.5 * f * b]
                };
                let along_eta = |a: f64| {
                    let (f, g) = (1.0 + a * xi, 1.0 - eta * eta);
                    [0.5 * f * g, 0.5 * a * g, -eta * f]
                };
                let sides = [along_xi(-1.0), along_eta(1.0), along_xi(1.0), along_eta(-1.0)];
                CORNERS.iter().map(corner).chain(sides).collect()
            }
        }
    }

    /// Points (ξ, η) and weights of a quadrature that is exact for all that is integrated here.
    fn quadrature(self) -> Vec<(f64, f64, f64)> {
        let pairs = || GAUSS.iter().flat_map(|&a| GAUSS.iter().map(move |&b| (a, b)));
        match self {
            FacetKind::Line2 | FacetKind::Line3 => GAUSS.iter().map(|(x, w)| (2.0 * x - 1.0, 0.0, 2.0 * w)).collect(),
            // A square folded into a triangle: (x, y) ↦ (x, y (1 − x)).
            FacetKind::T3 | FacetKind::T6 => {
                pairs().map(|((x, w), (y, v))| (x, y * (1.0 - x), w * v * (1.0 - x))).collect()
            }
            FacetKind::Q4 | FacetKind::Q8 => {
                pairs().map(|((x, w), (y, v))| (2.0 * x - 1.0, 2.0 * y - 1.0, 4.0 * w * v)).collect()
            }
        }
    }
}

const CORNERS: [(f64, f64); 4] = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];

impl<const D: usize> Mesh<D> {
    /// Calls a function at quadrature points of a facet with the position and n dA (outward, weighted).
    pub fn integrate_facet(&self, kind: FacetKind, nodes: &[u32], mut each: impl FnMut(&Vect<D>, &Vect<D>)) {
        for (xi, eta, weight) in kind.quadrature() {
            let shape = kind.shape(xi, eta);
            let sum =
                |k: usize| -> Vect<D> { nodes.iter().zip(&shape).map(|(&n, s)| self.nodes[n as usize] * s[k]).sum() };
            let (x, a, b) = (sum(0), sum(1), sum(2));
            let mut normal = Vect::<D>::zeros();
            match D {
                2 => (normal[0], normal[1]) = (a[1], -a[0]),
                3 => (0..3).for_each(|i| {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    normal[i] = a[j] * b[k] - a[k] * b[j];
                }),
                _ => {}
            }
            each(&x, &(normal * weight));
        }
    }

    /// Area of a facet [m²], or length of a line [m], and the mean outward normal times it.
    pub fn facet_area(&self, kind: FacetKind, nodes: &[u32]) -> (f64, Vect<D>) {
        let (mut area, mut total) = (0.0, Vect::zeros());
        self.integrate_facet(kind, nodes, |_, normal| {
            area += normal.norm();
            total += normal;
        });
        (area, total)
    }

    /// Volume of a cell [m³] (area in the plane [m²], length of a bar [m]) and ∫ x dV.
    pub fn cell_moments(&self, kind: Kind, nodes: &[u32]) -> (f64, Vect<D>) {
        if kind == Kind::Bar2 {
            let (a, b) = (self.nodes[nodes[0] as usize], self.nodes[nodes[1] as usize]);
            let length = (b - a).norm();
            return (length, (a + b) * (0.5 * length));
        }
        let (mut volume, mut moment) = (0.0, Vect::<D>::zeros());
        if let Some(facet_kind) = kind.facet_kind().filter(|_| kind.dimension() == D) {
            // About the first node, so that a cell far from the origin loses no digits.
            let origin = self.nodes[nodes[0] as usize];
            for local in kind.facets() {
                let own: Vec<u32> = local.iter().map(|&l| nodes[l as usize]).collect();
                self.integrate_facet(facet_kind, &own, |x, normal| {
                    let x = x - origin;
                    volume += x.dot(normal) / D as f64;
                    moment += x.component_mul(&x).component_mul(normal) * 0.5;
                });
            }
            moment += origin * volume;
        }
        (volume, moment)
    }

    /// Volume of the whole mesh [m³] (area in the plane [m²]).
    pub fn volume(&self) -> f64 {
        self.each_cell().map(|(_, kind, _, nodes)| self.cell_moments(kind, nodes).0).sum()
    }

    /// Centre of volume of the whole mesh [m].
    pub fn centroid(&self) -> Vect<D> {
        let (mut volume, mut moment) = (0.0, Vect::zeros());
        for (_, kind, _, nodes) in self.each_cell() {
            let (v, m) = self.cell_moments(kind, nodes);
            volume += v;
            moment += m;
        }
        moment / volume
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Cells;

    /// Corners of the reference cells; mid-side nodes are put half-way.
    fn cell<const D: usize>(kind: Kind, corners: &[[f64; D]]) -> Mesh<D> {
        let mut nodes: Vec<Vect<D>> = corners.iter().map(|c| Vect::from(*c)).collect();
        if kind.nodes() > kind.corners() {
            for [a, b] in kind.edges() {
                nodes.push((nodes[*a as usize] + nodes[*b as usize]) * 0.5);
            }
        }
        let cells = Cells { kind, region: 0, nodes: (0..nodes.len() as u32).collect() };
        Mesh { nodes, cells: vec![cells], regions: vec!["body".into()], ..Default::default() }
    }

    const CUBE: [[f64; 3]; 8] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [0.0, 1.0, 1.0],
    ];

    fn closed<const D: usize>(mesh: &Mesh<D>, volume: f64, centre: [f64; D]) {
        assert!((mesh.volume() - volume).abs() < 1e-14, "{}", mesh.volume());
        assert!((mesh.centroid() - Vect::from(centre)).norm() < 1e-14);
        let mut total = Vect::<D>::zeros();
        for boundary in mesh.skin() {
            for nodes in boundary.nodes.chunks_exact(boundary.kind.nodes()) {
                let (area, normal) = mesh.facet_area(boundary.kind, nodes);
                let to_facet: Vect<D> = nodes.iter().map(|&n| mesh.nodes[n as usize]).sum::<Vect<D>>()
                    / nodes.len() as f64
                    - Vect::from(centre);
                assert!(area > 0.0 && normal.dot(&to_facet) > 0.0, "a facet looks inwards");
                total += normal;
            }
        }
        assert!(total.norm() < 1e-14, "the skin is not closed");
    }

    #[test]
    fn every_kind_has_its_volume_its_centre_and_outward_facets() {
        let triangle = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let tetrahedron = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for kind in [Kind::T3, Kind::T6] {
            closed(&cell(kind, &triangle), 0.5, [1.0 / 3.0; 2]);
        }
        for kind in [Kind::Q4, Kind::Q8] {
            closed(&cell(kind, &square), 1.0, [0.5; 2]);
        }
        for kind in [Kind::Tet4, Kind::Tet10] {
            closed(&cell(kind, &tetrahedron), 1.0 / 6.0, [0.25; 3]);
        }
        for kind in [Kind::H8, Kind::H20] {
            closed(&cell(kind, &CUBE), 1.0, [0.5; 3]);
        }
    }

    #[test]
    fn a_curved_side_adds_the_area_of_its_parabola() {
        let mut mesh = cell(Kind::Q8, &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        mesh.nodes[4][1] -= 0.1;
        assert!((mesh.volume() - (1.0 + 2.0 / 3.0 * 0.1)).abs() < 1e-14);
    }

    #[test]
    fn shape_functions_of_facets_are_one_at_their_nodes_and_sum_to_one() {
        let square = [(-1., -1.), (1., -1.), (1., 1.), (-1., 1.), (0., -1.), (1., 0.), (0., 1.), (-1., 0.)];
        let triangle = [(0., 0.), (1., 0.), (0., 1.), (0.5, 0.), (0.5, 0.5), (0., 0.5)];
        let line = [(-1., 0.), (1., 0.), (0., 0.)];
        use FacetKind::*;
        for (kind, points) in [
            (Line2, &line[..2]),
            (Line3, &line[..]),
            (T3, &triangle[..3]),
            (T6, &triangle[..]),
            (Q4, &square[..4]),
            (Q8, &square[..]),
        ] {
            for (i, &(xi, eta)) in points.iter().enumerate() {
                for (j, n) in kind.shape(xi, eta).iter().enumerate() {
                    assert!((n[0] - f64::from(u8::from(i == j))).abs() < 1e-15, "{kind:?} {i} {j}");
                }
            }
            let (xi, eta, d) = (0.2, 0.3, 1e-6);
            let at = kind.shape(xi, eta);
            assert!((at.iter().map(|n| n[0]).sum::<f64>() - 1.0).abs() < 1e-15);
            let (next, above) = (kind.shape(xi + d, eta), kind.shape(xi, eta + d));
            for i in 0..at.len() {
                assert!(((next[i][0] - at[i][0]) / d - at[i][1]).abs() < 1e-5);
                assert!(((above[i][0] - at[i][0]) / d - at[i][2]).abs() < 1e-5 || kind.corners() == 2);
            }
        }
    }
}
