//! What bodies look like: their shapes as points and cells, fixed to the bodies.
//!
//! | shape            | 2D                                  | 3D                                                   |
//! |------------------|-------------------------------------|------------------------------------------------------|
//! | ball             | a polygon                           | meridian strips (few cells, since data are per cell) |
//! | convex           | a polygon; a segment is a line      | its faces                                            |
//! | surface          | lines                               | triangles                                            |
//! | half-space       | a band behind the face              | a grid of lines, which hides nothing                 |
//! | hollow           | a ring outside the circle           | circles and generators, which hide nothing           |
//!
//! Unbounded shapes are drawn as large as the scene. Thousands of balls are drawn as single points with a radius.

use crate::scene::Scene;
use crate::shape::{ConvexShape, Shape};
use crate::space::{Ambient, Placement, Space, Vect};
use std::f64::consts::TAU;

/// Most balls that are drawn as surfaces: in space, and as fine and coarse polygons in the plane.
const MOST_SPHERES: usize = 5000;
const MOST_FINE_DISKS: usize = 5000;
const MOST_DISKS: usize = 50_000;

const MERIDIANS: usize = 8;
const PARALLELS: usize = 5;
const RING_SIDES: usize = 64;
const GRID_LINES: usize = 11;

/// Index of a kind of cells, as in [`super::arrays::KINDS`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Vertex = 0,
    Line = 1,
    Polygon = 2,
    Strip = 3,
}

/// Cells of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Cells {
    /// Point numbers, cell by cell.
    pub(super) connectivity: Vec<i64>,
    /// Where each cell begins, and the end.
    pub(super) offsets: Vec<i64>,
    /// The body of each cell.
    pub(super) owners: Vec<u32>,
}

/// The bodies of a scene, in their own frames.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Outline<const D: usize> {
    /// Points in the frame of their body.
    pub(super) points: Vec<Vect<D>>,
    /// The points of body i are `ranges[i]..ranges[i + 1]`.
    pub(super) ranges: Vec<usize>,
    /// Cells by [`Kind`].
    pub(super) cells: [Cells; 4],
}

/// How large unbounded shapes are drawn: the box of all bounded parts at the start.
struct Extent<const D: usize> {
    centre: Vect<D>,
    radius: f64,
}

impl<const D: usize> Outline<D>
where
    Space<D>: Ambient<D>,
{
    /// Draws all bodies of the scene.
    pub(super) fn of(scene: &Scene<D>) -> Self {
        let empty = || Cells { offsets: vec![0], ..Cells::default() };
        let mut outline = Self { points: Vec::new(), ranges: vec![0], cells: [empty(), empty(), empty(), empty()] };
        let extent = Extent::of(scene);
        let balls = scene.parts.iter().filter(|p| matches!(p.shape, Shape::Ball(_))).count();
        for (k, body) in scene.bodies.iter().enumerate() {
            let (first, count) = body.parts;
            for part in &scene.parts[first as usize..(first + count) as usize] {
                let seen_from_part = scene.start[k].place.then(&part.local).local_point(&extent.centre);
                let mut pen = Pen { outline: &mut outline, place: &part.local, body: k as u32 };
                match &part.shape {
                    Shape::Ball(ball) => pen.ball(ball.radius, balls),
                    Shape::Convex(convex) => pen.rings(convex.vertices(), &convex.rings()),
                    Shape::Surface(surface) => {
                        let facets: Vec<Vec<u32>> = surface.facets.iter().map(|f| f.to_vec()).collect();
                        pen.rings(&surface.vertices, &facets);
                    }
                    Shape::HalfSpace(half) => pen.half_space(&half.normal, &seen_from_part, extent.radius),
                    Shape::Hollow(hollow) => pen.hollow(hollow.radius, &seen_from_part, extent.radius),
                }
            }
            outline.ranges.push(outline.points.len());
        }
        outline
    }

    /// The body of each cell: vertices, lines, polygons, strips.
    pub(super) fn owners(&self) -> Vec<u32> {
        self.cells.iter().flat_map(|c| c.owners.iter().copied()).collect()
    }

    /// Are balls drawn as single points?
    pub(super) fn has_vertices(&self) -> bool {
        !self.cells[Kind::Vertex as usize].owners.is_empty()
    }
}

impl<const D: usize> Extent<D>
where
    Space<D>: Ambient<D>,
{
    fn of(scene: &Scene<D>) -> Self {
        let (mut low, mut high) = (Vect::<D>::repeat(f64::INFINITY), Vect::<D>::repeat(f64::NEG_INFINITY));
        for part in scene.parts.iter().filter(|p| p.radius.is_finite()) {
            let centre = scene.start[part.body as usize].place.point(&part.local.centre);
            low = low.inf(&centre.add_scalar(-part.radius));
            high = high.sup(&centre.add_scalar(part.radius));
        }
        if low.iter().chain(high.iter()).all(|x| x.is_finite()) {
            Self { centre: (low + high) * 0.5, radius: 0.5 * (high - low).norm() }
        } else {
            Self { centre: Vect::zeros(), radius: 1.0 }
        }
    }
}

/// Draws one part.
struct Pen<'a, const D: usize>
where
    Space<D>: Ambient<D>,
{
    outline: &'a mut Outline<D>,
    place: &'a Placement<D>,
    body: u32,
}

impl<const D: usize> Pen<'_, D>
where
    Space<D>: Ambient<D>,
{
    /// Adds a point given in the part's frame.
    fn point(&mut self, x: Vect<D>) -> i64 {
        self.outline.points.push(self.place.point(&x));
        self.outline.points.len() as i64 - 1
    }

    fn cell(&mut self, kind: Kind, points: &[i64]) {
        let cells = &mut self.outline.cells[kind as usize];
        cells.connectivity.extend_from_slice(points);
        cells.offsets.push(cells.connectivity.len() as i64);
        cells.owners.push(self.body);
    }

    /// Polygons over shared vertices; two vertices make a line.
    fn rings(&mut self, vertices: &[Vect<D>], rings: &[Vec<u32>]) {
        let points: Vec<i64> = vertices.iter().map(|&x| self.point(x)).collect();
        for ring in rings {
            let kind = if ring.len() == 2 { Kind::Line } else { Kind::Polygon };
            let ring: Vec<i64> = ring.iter().filter_map(|&v| points.get(v as usize).copied()).collect();
            self.cell(kind, &ring);
        }
    }

    fn ball(&mut self, radius: f64, balls: usize) {
        match D {
            2 if balls <= MOST_FINE_DISKS => self.disk(radius, 24),
            2 if balls <= MOST_DISKS => self.disk(radius, 12),
            3 if balls <= MOST_SPHERES => self.sphere(radius),
            _ => {
                let centre = self.point(Vect::zeros());
                self.cell(Kind::Vertex, &[centre]);
            }
        }
    }

    fn disk(&mut self, radius: f64, sides: usize) {
        let points: Vec<i64> = (0..sides).map(|k| self.point(on_circle(radius, k, sides))).collect();
        self.cell(Kind::Polygon, &points);
    }

    /// Strips from pole to pole between neighbouring meridians.
    fn sphere(&mut self, radius: f64) {
        let pole = |z: f64| space_point([0.0, 0.0, z]);
        let (south, north) = (self.point(pole(-radius)), self.point(pole(radius)));
        let meridians: Vec<Vec<i64>> = (0..MERIDIANS)
            .map(|k| {
                let points = (1..=PARALLELS).map(|j| {
                    let latitude = TAU * (j as f64 / (2 * (PARALLELS + 1)) as f64 - 0.25);
                    let circle = on_circle::<D>(radius * latitude.cos(), k, MERIDIANS);
                    circle + pole(radius * latitude.sin())
                });
                let points: Vec<Vect<D>> = points.collect();
                points.into_iter().map(|x| self.point(x)).collect()
            })
            .collect();
        for k in 0..MERIDIANS {
            let (here, next) = (&meridians[k], &meridians[(k + 1) % MERIDIANS]);
            let between = here.iter().zip(next).flat_map(|(&a, &b)| [a, b]);
            let strip: Vec<i64> = [south].into_iter().chain(between).chain([north]).collect();
            self.cell(Kind::Strip, &strip);
        }
    }

    /// The face through the part's origin, about the point of it that is nearest to `centre`.
    fn half_space(&mut self, normal: &Vect<D>, centre: &Vect<D>, size: f64) {
        let frame = Space::<D>::frame(normal);
        let middle = centre - normal * normal.dot(centre);
        let t: Vect<D> = frame.column(1).into_owned() * size;
        if D == 2 {
            let depth = normal * (-0.05 * size);
            let corners = [middle - t, middle - t + depth, middle + t + depth, middle + t];
            let corners = corners.map(|x| self.point(x));
            return self.cell(Kind::Polygon, &corners);
        }
        let s: Vect<D> = frame.column(2).into_owned() * size;
        for k in 0..GRID_LINES {
            let at = 2.0 * k as f64 / (GRID_LINES - 1) as f64 - 1.0;
            for (along, across) in [(t, s), (s, t)] {
                let ends = [middle + across * at - along, middle + across * at + along].map(|x| self.point(x));
                self.cell(Kind::Line, &ends);
            }
        }
    }

    fn hollow(&mut self, radius: f64, centre: &Vect<D>, size: f64) {
        if D == 2 {
            return self.ring(radius, 1.03 * radius);
        }
        let axis = space_point::<D>([0.0, 0.0, 1.0]);
        let levels = [-1.0, 0.0, 1.0].map(|side| axis * (axis.dot(centre) + side * size));
        let circles = levels.map(|level| {
            let mut circle: Vec<i64> =
                (0..RING_SIDES).map(|k| self.point(level + on_circle(radius, k, RING_SIDES))).collect();
            circle.push(circle[0]);
            self.cell(Kind::Line, &circle);
            circle
        });
        for k in (0..RING_SIDES).step_by(RING_SIDES / 16) {
            self.cell(Kind::Line, &[circles[0][k], circles[2][k]]);
        }
    }

    /// The band between two circles, in quadrangles.
    fn ring(&mut self, inner: f64, outer: f64) {
        let mut circle =
            |r: f64| -> Vec<i64> { (0..RING_SIDES).map(|k| self.point(on_circle(r, k, RING_SIDES))).collect() };
        let (a, b) = (circle(inner), circle(outer));
        for k in 0..RING_SIDES {
            let next = (k + 1) % RING_SIDES;
            self.cell(Kind::Polygon, &[a[k], b[k], b[next], a[next]]);
        }
    }
}

/// Point k of n on a circle about the third axis.
fn on_circle<const D: usize>(radius: f64, k: usize, n: usize) -> Vect<D> {
    let angle = TAU * k as f64 / n as f64;
    space_point([radius * angle.cos(), radius * angle.sin(), 0.0])
}

/// The first D of three coordinates.
fn space_point<const D: usize>(x: [f64; 3]) -> Vect<D> {
    Vect::from_fn(|i, _| x[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::testing::{flat_scene, solid_scene};

    fn check_cells<const D: usize>(outline: &Outline<D>) {
        for cells in &outline.cells {
            assert_eq!(cells.offsets.len(), cells.owners.len() + 1);
            for (k, &owner) in cells.owners.iter().enumerate() {
                let range = outline.ranges[owner as usize] as i64..outline.ranges[owner as usize + 1] as i64;
                let points = &cells.connectivity[cells.offsets[k] as usize..cells.offsets[k + 1] as usize];
                assert!(points.iter().all(|p| range.contains(p)), "cell {k} uses points of another body");
            }
        }
    }

    #[test]
    fn every_body_is_drawn_with_its_own_points() {
        let (flat, solid) = (Outline::of(&flat_scene()), Outline::of(&solid_scene()));
        check_cells(&flat);
        check_cells(&solid);
        assert_eq!(flat.ranges.len(), flat_scene().bodies.len() + 1);
        assert!(flat.ranges.windows(2).all(|w| w[0] < w[1]) && solid.ranges.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn a_sphere_is_closed_and_round() {
        let outline = Outline::of(&solid_scene());
        let strips = &outline.cells[Kind::Strip as usize];
        assert_eq!(strips.owners.len() % MERIDIANS, 0);
        let body = strips.owners[0] as usize;
        let points = &outline.points[outline.ranges[body]..outline.ranges[body + 1]];
        let radius = points[0].norm();
        assert!(points.iter().all(|x| (x.norm() - radius).abs() < 1e-12 * radius));
    }

    #[test]
    fn a_cuboid_has_six_faces_of_four_points() {
        let outline = Outline::of(&solid_scene());
        let polygons = &outline.cells[Kind::Polygon as usize];
        let cuboid = solid_scene().bodies.len() as u32 - 1;
        let corners = |k: usize| polygons.offsets[k + 1] - polygons.offsets[k];
        let faces = (0..polygons.owners.len()).filter(|&k| polygons.owners[k] == cuboid).map(corners);
        assert_eq!(faces.collect::<Vec<_>>(), [4; 6]);
    }

    #[test]
    fn the_patch_of_a_half_space_lies_in_its_face() {
        let scene = solid_scene();
        let outline = Outline::of(&scene);
        for (k, body) in scene.bodies.iter().enumerate() {
            if let Shape::HalfSpace(half) = &scene.parts[body.parts.0 as usize].shape {
                for x in &outline.points[outline.ranges[k]..outline.ranges[k + 1]] {
                    assert!(half.normal.dot(x).abs() < 1e-12);
                }
            }
        }
    }
}
