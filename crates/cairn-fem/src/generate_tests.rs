use super::*;
use crate::mesh::FacetKind;
use std::f64::consts::PI;

/// Every mesh passes all checks, fills the given volume, and its named boundaries cover the skin once.
fn sound<const D: usize>(mesh: &Mesh<D>, volume: f64, tolerance: f64) {
    assert_eq!(mesh.check(), Ok(()));
    assert!((mesh.volume() / volume - 1.0).abs() < tolerance, "{} instead of {volume}", mesh.volume());
    let area = |boundaries: &[crate::mesh::Boundary]| -> f64 {
        let facets = boundaries.iter().flat_map(|b| b.nodes.chunks_exact(b.kind.nodes()).map(|n| (b.kind, n)));
        facets.map(|(kind, nodes)| mesh.facet_area(kind, nodes).0).sum()
    };
    let (named, skin) = (area(&mesh.boundaries), area(&mesh.skin()));
    assert!((named / skin - 1.0).abs() < 1e-12, "named boundaries {named}, skin {skin}");
    assert_eq!(mesh.check_closed("skin"), Ok(()));
    // Boundaries look outwards: the divergence theorem with them gives the volume again.
    let mut flux = 0.0;
    for b in &mesh.boundaries {
        for nodes in b.nodes.chunks_exact(b.kind.nodes()) {
            mesh.integrate_facet(b.kind, nodes, |x, normal| flux += x.dot(normal) / D as f64);
        }
    }
    assert!((flux / mesh.volume() - 1.0).abs() < 1e-12);
}

#[test]
fn rectangles_in_all_layouts_linear_and_quadratic() {
    let (xs, ys) = (graded(0.0, 3.0, 5, 4.0), even(-1.0, 1.0, 3));
    for (layout, cells) in [(Flat::Q4, 15), (Flat::T3, 30), (Flat::T3Alternating, 30), (Flat::T3Crossed, 60)] {
        let mesh = rectangle(&xs, &ys, layout);
        assert_eq!(mesh.cell_count(), cells);
        sound(&mesh, 6.0, 1e-14);
        sound(&mesh.quadratic(), 6.0, 1e-14);
    }
    let quadratic = rectangle(&xs, &ys, Flat::Q4).quadratic();
    assert_eq!(quadratic.nodes.len(), 24 + 5 * 4 + 6 * 3);
    assert_eq!(quadratic.boundaries[0].kind, FacetKind::Line3);
}

#[test]
fn quadrilaterals_and_rings_are_mapped_rectangles() {
    let (us, vs) = (even(0.0, 1.0, 4), graded(0.0, 1.0, 6, 2.0));
    let corners = [[0.0, 0.0], [4.0, 0.0], [3.0, 2.0], [0.0, 2.0]];
    let mesh = quadrilateral(&corners, &us, &vs, Flat::T3);
    sound(&mesh, 7.0, 1e-13);
    assert!(mesh.nodes_of("right").unwrap().iter().all(|&n| mesh.nodes[n as usize][0] >= 3.0));
    let ring = quarter_ring([1.0, 2.0], &even(0.0, 1.0, 8), &even(0.0, 1.0, 64), Flat::Q4);
    sound(&ring, 0.75 * PI, 1e-3);
    assert!(ring.nodes_of("inner").unwrap().iter().all(|&n| (ring.nodes[n as usize].norm() - 1.0).abs() < 1e-12));
    assert!(ring.nodes_of("left").unwrap().iter().all(|&n| ring.nodes[n as usize][0] == 0.0));
    assert!(ring.nodes_of("bottom").unwrap().iter().all(|&n| ring.nodes[n as usize][1] == 0.0));
}

#[test]
fn cells_are_painted_by_where_they_are() {
    let mut mesh = rectangle(&even(0.0, 1.0, 3), &even(0.0, 1.0, 4), Flat::T3);
    mesh.paint(&["low", "high"], |x| usize::from(x[1] > 0.5));
    assert_eq!(mesh.regions, ["low", "high"]);
    assert_eq!(mesh.cells.iter().map(|c| (c.region, c.nodes.len())).collect::<Vec<_>>(), [(0, 36), (1, 36)]);
    sound(&mesh, 1.0, 1e-13);
}

#[test]
fn blocks_in_all_layouts_linear_and_quadratic() {
    let (xs, ys, zs) = (even(0.0, 2.0, 2), even(0.0, 1.0, 2), graded(0.0, 1.5, 3, 2.0));
    for (layout, cells) in [(Solid::H8, 12), (Solid::Tet4, 72)] {
        let mesh = block(&xs, &ys, &zs, layout);
        assert_eq!(mesh.cell_count(), cells);
        sound(&mesh, 3.0, 1e-13);
        sound(&mesh.quadratic(), 3.0, 1e-13);
    }
    let rod = rod(1.0, 0.02, 100, 1);
    assert_eq!((rod.cell_count(), rod.nodes.len()), (100, 404));
    sound(&rod, 4e-4, 1e-12);
    assert!(rod.nodes_of("left").unwrap().iter().all(|&n| rod.nodes[n as usize][0] == 0.0));
}

#[test]
fn discs_have_the_area_of_their_polygon_and_curved_ones_nearly_that_of_the_circle() {
    let mesh = disc(1.0, 14, 10);
    assert_eq!(mesh.cell_count(), 756);
    let polygon = 28.0 * (2.0 * PI / 56.0).sin();
    sound(&mesh, polygon, 1e-12);
    assert!(mesh.centroid().norm() < 1e-14);
    let curved = mesh.clone().quadratic_on(|a, b, middle| {
        if a.norm() > 1.0 - 1e-9 && b.norm() > 1.0 - 1e-9 { middle / middle.norm() } else { middle }
    });
    sound(&curved, PI, 1e-5);
    let triangles = mesh.triangles();
    assert_eq!(triangles.cell_count(), 1512);
    sound(&triangles, polygon, 1e-12);
}

#[test]
fn cylinders_have_the_volume_of_their_prism_and_named_faces() {
    let mesh = cylinder(0.5, 6, 4, &even(-1.0, 1.0, 5));
    assert_eq!(mesh.cell_count(), 5 * (36 + 4 * 6 * 4));
    let polygon = 12.0 * (2.0 * PI / 24.0).sin() * 0.25;
    sound(&mesh, 2.0 * polygon, 1e-12);
    assert!(mesh.centroid().norm() < 1e-14);
    let area = |name: &str| {
        let facets = mesh.boundary(name).unwrap();
        facets.iter().flat_map(|b| b.nodes.chunks(4).map(|n| mesh.facet_area(b.kind, n).0)).sum::<f64>()
    };
    assert!((area("top") - polygon).abs() < 1e-12 && (area("bottom") - polygon).abs() < 1e-12);
    assert!((area("side") - 2.0 * 24.0 * (PI / 24.0).sin()).abs() < 1e-12, "{}", area("side"));
}

#[test]
fn a_quarter_of_a_cylinder_is_a_quarter_with_two_more_faces() {
    let mesh = quarter_cylinder(0.5, 3, 4, &even(-1.0, 1.0, 5));
    assert_eq!(mesh.cell_count(), 5 * (9 + 2 * 3 * 4));
    let polygon = 12.0 * (2.0 * PI / 24.0).sin() * 0.25;
    sound(&mesh, 0.5 * polygon, 1e-12);
    for (name, component) in [("left", 0), ("front", 1)] {
        let facets = mesh.boundary(name).unwrap();
        let area = facets.iter().flat_map(|b| b.nodes.chunks(4).map(|n| mesh.facet_area(b.kind, n).0)).sum::<f64>();
        assert!((area - 1.0).abs() < 1e-12, "{name}: {area}");
        let nodes = facets.iter().flat_map(|b| &b.nodes);
        assert!(nodes.into_iter().all(|&n| mesh.nodes[n as usize][component] == 0.0), "{name}");
    }
}

#[test]
fn half_discs_are_finest_at_the_lowest_point() {
    let mesh = half_disc(0.03, 12, 10, 8.0, 6.0);
    assert_eq!(mesh.cell_count(), 24 * 12 + 24 * 10 + 2 * 12 * 10);
    sound(&mesh, 0.5 * PI * 0.0009, 0.01);
    let lowest = mesh.node_sets[0].1[0] as usize;
    assert!((mesh.nodes[lowest] - Vect::from([0.0, -0.03])).norm() < 1e-15);
    let nearest = |at: Vect<2>| {
        let arc = mesh.nodes_of("arc").unwrap();
        let distances = arc.iter().map(|&n| (mesh.nodes[n as usize] - at).norm()).filter(|d| *d > 1e-9);
        distances.fold(f64::INFINITY, f64::min)
    };
    assert!(nearest(mesh.nodes[lowest]) < 0.4 * nearest(Vect::from([-0.03, 0.0])));
}

#[test]
fn the_plate_of_the_oblique_impact_has_its_measures() {
    let mesh = impact_plate(0.04, 0.08, 0.101, 10, 26, 4.0);
    assert_eq!(mesh.cell_count(), 260);
    // The area below the corners: w h minus what the arc leaves out.
    sound(&mesh, 0.04 * 0.08 - 0.04 * 0.002 / 3.0, 1e-3);
    let b = mesh.node_sets[0].1[0] as usize;
    assert_eq!(mesh.node_sets[0].1.len(), 1);
    assert!(mesh.nodes[b].norm() < 1e-17);
    let corner = mesh.nodes.iter().filter(|x| x[0] == 0.02).map(|x| x[1]).fold(1.0, f64::min);
    assert!((corner - 0.002).abs() < 1e-12);
    let column: Vec<f64> = (0..27).map(|j| mesh.nodes[11 * j + 5][1]).collect();
    assert!(((column[26] - column[25]) / (column[1] - column[0]) - 4.0).abs() < 1e-9);
}

#[test]
fn an_eighth_of_a_sphere_nearly_has_its_volume() {
    let mesh = eighth_sphere(0.1, 6, 5, 3.0, 3.0);
    assert_eq!(mesh.cell_count(), 216 + 3 * 36 * 5);
    sound(&mesh, PI / 6.0 * 1e-3, 0.02);
    let lowest = mesh.node_sets[0].1[0] as usize;
    assert!((mesh.nodes[lowest] - Vect::from([0.0, 0.0, -0.1])).norm() < 1e-15);
}

#[test]
fn meshes_can_be_turned_and_moved_without_change_of_volume() {
    let mut mesh = disc(1.0, 4, 2);
    let (volume, centre) = (mesh.volume(), Vect::from([3.0, -2.0]));
    mesh.translate(&centre);
    mesh.rotate(&crate::Mat::<2>::new(0.6, -0.8, 0.8, 0.6));
    assert_eq!(mesh.check(), Ok(()));
    assert!((mesh.volume() - volume).abs() < 1e-13);
    assert!((mesh.centroid() - Vect::from([0.6 * 3.0 + 0.8 * 2.0, 0.8 * 3.0 - 0.6 * 2.0])).norm() < 1e-13);
}
