//! Profiles of tools: straight pieces and the fillets between them, solid on the left-hand side, and what is swept by them in space.
//!
//! ```text
//!   corner P between the directions d₀ and d₁, which turn by φ:     fillet of radius r, from P − ℓ d₀ to P + ℓ d₁,  ℓ = r tan(|φ|/2)
//!   piece     foot p and outward normal n of a point x of the plane, g = n·(x − p)
//! ```
//!
//! In space the plane of the profile is that of x and z, and a point (x, y, z) is taken into it as (ρ, z):
//!
//! ```text
//!   extruded along y     ρ = x,                                        e = (1, 0)
//!   about a core         ρ = distance of (x, y) to |x| ≤ a, |y| ≤ b,   e = ∇ρ     (a = b = 0: revolved about z)
//! ```
//!
//! ρ changes by no more than the way of a point, and by just that along e: distances in the plane of the profile are distances in space, and the
//! normal is n_ρ e + n_z e_z, exactly. Planes, cylinders, cones, spheres and the fillets of dies and punches, round or with rounded corners, are all of this.

use crate::space::Vect;

type Plane = nalgebra::Vector2<f64>;

/// Corners that turn by less have no fillet and need none.
const STRAIGHT: f64 = 1e-12;
/// Round-off beside the ends of a piece, as a part of its size.
const ROUND_OFF: f64 = 1e-12;
/// Angle of a fillet that one piece of a chain stands for [rad].
const CHORD: f64 = std::f64::consts::PI / 36.0;
/// Points on the way around a core.
const AROUND: usize = 72;

/// How a profile becomes a solid of space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sweep {
    /// Along y, as far as this on both sides [m].
    Extruded(f64),
    /// About a rectangle with these half sides along x and y [m].
    Around([f64; 2]),
}

/// A profile. Made by [`Profile::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    pieces: Vec<Piece>,
    sweep: Sweep,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    /// Start, direction, length.
    Line { from: Plane, along: Plane, length: f64 },
    /// Centre, direction to its middle, angle, radius; +1 where the solid is inside, −1 where it is outside.
    Arc { centre: Plane, middle: Plane, angle: f64, radius: f64, side: f64 },
}

impl Piece {
    /// Outward normal and signed distance of a point whose foot is on this piece.
    fn distance(&self, x: &Plane) -> Option<(Plane, f64)> {
        match *self {
            Piece::Line { from, along, length } => {
                let arm = x - from;
                let at = arm.dot(&along);
                let slack = ROUND_OFF * (length + arm.norm());
                let normal = Plane::new(along.y, -along.x);
                (at >= -slack && at <= length + slack).then(|| (normal, normal.dot(&arm)))
            }
            Piece::Arc { centre, middle, angle, radius, side } => {
                let arm = x - centre;
                let size = arm.norm();
                if size <= ROUND_OFF * (radius + centre.norm()) {
                    return Some((middle * side, -side * radius));
                }
                let cosine = arm.dot(&middle) / size;
                (cosine >= (0.5 * angle).cos() - ROUND_OFF).then(|| (arm * (side / size), side * (size - radius)))
            }
        }
    }

    /// Points along it, from its start to its end.
    fn points(&self) -> Vec<Plane> {
        match *self {
            Piece::Line { from, along, length } => vec![from, from + along * length],
            Piece::Arc { centre, middle, angle, radius, side } => {
                let count = (angle / CHORD).ceil().max(1.0) as usize;
                let turned = |k: usize| {
                    let by = side * angle * (k as f64 / count as f64 - 0.5);
                    centre + nalgebra::Rotation2::new(by) * middle * radius
                };
                (0..=count).map(turned).collect()
            }
        }
    }
}

impl Profile {
    /// From corners, and the radius of the fillet at each but the first and the last [m]; says what is wrong.
    pub fn new(corners: &[[f64; 2]], radii: &[f64], sweep: Sweep) -> Result<Profile, String> {
        let corners: Vec<Plane> = corners.iter().map(|&x| Plane::from(x)).collect();
        if corners.len() < 2 || corners.windows(2).any(|p| p[0] == p[1]) {
            return Err("must be at least 2 points, neighbours different".into());
        }
        if radii.len() != corners.len() - 2 {
            let expected = corners.len() - 2;
            return Err(format!("have {expected} corners between their ends, and `radii` are {}", radii.len()));
        }
        if matches!(sweep, Sweep::Around(_)) && corners.iter().any(|p| p.x < 0.0) {
            return Err("must not have x < 0: they go around the axis, x away from it".into());
        }
        let sides: Vec<(Plane, f64)> =
            corners.windows(2).map(|p| (p[1] - p[0], (p[1] - p[0]).norm())).map(|(d, l)| (d / l, l)).collect();
        // What fillets take of the straight pieces before and after each corner.
        let mut taken = vec![0.0; corners.len()];
        let mut fillets = Vec::new();
        for (k, &radius) in radii.iter().enumerate() {
            let (before, after) = (sides[k].0, sides[k + 1].0);
            let turn = before.perp(&after).atan2(before.dot(&after));
            if turn.abs() > 3.1 {
                return Err(format!("turn back at ({}, {})", corners[k + 1].x, corners[k + 1].y));
            }
            taken[k + 1] = radius * (0.5 * turn.abs()).tan();
            fillets.push(fillet(corners[k + 1], [before, after], turn, radius));
        }
        let mut pieces = Vec::new();
        for (k, (along, length)) in sides.iter().enumerate() {
            let left = length - taken[k] - taken[k + 1];
            if left < -ROUND_OFF * length {
                let (a, b) = (corners[k], corners[k + 1]);
                return Err(format!(
                    "leave no room for the fillets between ({}, {}) and ({}, {}): they take {:.6} of {length:.6} m",
                    a.x,
                    a.y,
                    b.x,
                    b.y,
                    taken[k] + taken[k + 1]
                ));
            }
            pieces.push(Piece::Line { from: corners[k] + along * taken[k], along: *along, length: left.max(0.0) });
            pieces.extend(fillets.get(k).copied().flatten());
        }
        Ok(Profile { pieces, sweep })
    }

    /// Outward normal and signed distance of a point, among the pieces whose normals are `faced`; none beyond the ends of the profile.
    pub fn distance<const D: usize>(&self, x: &Vect<D>, faced: &dyn Fn(&Vect<D>) -> bool) -> Option<(Vect<D>, f64)> {
        let (flat, out) = if D == 2 { (Plane::new(x[0], x[1]), Plane::x()) } else { self.in_plane(x)? };
        let in_space = |n: &Plane| {
            Vect::<D>::from_fn(|i, _| match i {
                _ if i == D - 1 => n.y,
                i => n.x * out[i],
            })
        };
        let mut best: Option<(Vect<D>, f64)> = None;
        for (normal, gap) in self.pieces.iter().filter_map(|piece| piece.distance(&flat)) {
            let normal = in_space(&normal);
            // On the core there is no way outwards.
            let is_unit = (normal.norm_squared() - 1.0).abs() < 1e-9;
            if is_unit && best.is_none_or(|(_, least)| gap.abs() < least.abs()) && faced(&normal) {
                best = Some((normal, gap));
            }
        }
        best
    }

    /// (ρ, z) and e of a point of space; none beside an extruded profile.
    fn in_plane<const D: usize>(&self, x: &Vect<D>) -> Option<(Plane, Plane)> {
        match self.sweep {
            Sweep::Extruded(half) => (x[1].abs() <= half).then(|| (Plane::new(x[0], x[2]), Plane::x())),
            Sweep::Around(core) => {
                let beyond = |k: usize| (x[k].abs() - core[k]).max(0.0).copysign(x[k]);
                let arm = Plane::new(beyond(0), beyond(1));
                let rho = arm.norm();
                let out = if rho > 0.0 { arm / rho } else { Plane::zeros() };
                Some((Plane::new(rho, x[2]), out))
            }
        }
    }

    /// Vertices and facets that stand for it where exactness is not asked for: in pictures, for rigid bodies. In the plane a chain.
    pub fn facets(&self, dimension: usize) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let mut chain: Vec<Plane> = self.pieces.iter().flat_map(Piece::points).collect();
        let size = chain.iter().map(|p| p.norm()).fold(0.0, f64::max);
        chain.dedup_by(|b, a| (*b - *a).norm() <= 1e-9 * size);
        if dimension == 2 {
            let count = chain.len() as u32;
            let vertices = chain.iter().map(|p| [p.x, p.y, 0.0]).collect();
            return (vertices, (1..count).map(|k| [k - 1, k, 0]).collect());
        }
        self.sheet(&chain, size)
    }

    /// Triangles between the chain at each station of the sweep and at the next.
    fn sheet(&self, chain: &[Plane], size: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let (stations, closed) = stations(self.sweep);
        let mut sheet = Sheet { near: 1e-9 * size, ..Sheet::default() };
        let count = stations.len();
        for k in 0..if closed { count } else { count - 1 } {
            let at = |s: usize, p: &Plane| {
                let (origin, out) = stations[s % count];
                [origin.x + p.x * out.x, origin.y + p.x * out.y, p.y]
            };
            for p in chain.windows(2) {
                let ring = [at(k, &p[0]), at(k, &p[1]), at(k + 1, &p[1]), at(k + 1, &p[0])].map(|x| sheet.vertex(x));
                sheet.triangle([ring[0], ring[3], ring[2]]);
                sheet.triangle([ring[0], ring[2], ring[1]]);
            }
        }
        // The face over the core, where the profile begins or ends there.
        if let Sweep::Around([a, b]) = self.sweep {
            for (end, down) in [(chain[0], true), (chain[chain.len() - 1], false)] {
                if end.x <= sheet.near && a > 0.0 && b > 0.0 {
                    let mut ring = [[a, b], [-a, b], [-a, -b], [a, -b]].map(|[x, y]| sheet.vertex([x, y, end.y]));
                    if down {
                        ring.reverse();
                    }
                    sheet.triangle([ring[0], ring[1], ring[2]]);
                    sheet.triangle([ring[0], ring[2], ring[3]]);
                }
            }
        }
        (sheet.vertices, sheet.facets)
    }
}

/// The fillet of a corner; a sharp one has radius 0. None where the profile goes straight on.
fn fillet(corner: Plane, [before, after]: [Plane; 2], turn: f64, radius: f64) -> Option<Piece> {
    if turn.abs() < STRAIGHT {
        return None;
    }
    let side = turn.signum();
    // Normals point to the right; a corner of the solid turns to the left, and its fillet has its centre inside.
    let normals = [before, after].map(|d| Plane::new(d.y, -d.x));
    let middle = (normals[0] + normals[1]).normalize() * side;
    let reach = radius / (0.5 * turn).cos();
    Some(Piece::Arc { centre: corner - middle * reach, middle, angle: turn.abs(), radius, side })
}

/// Where the chain stands along the sweep: where ρ = 0, and the direction of ρ; and whether the last is followed by the first.
fn stations(sweep: Sweep) -> (Vec<(Plane, Plane)>, bool) {
    match sweep {
        Sweep::Extruded(half) => ([-half, half].map(|y| (Plane::new(0.0, y), Plane::x())).to_vec(), false),
        Sweep::Around(core) => {
            let quarter = AROUND / 4;
            let station = |q: usize, k: usize| {
                let angle = std::f64::consts::FRAC_PI_2 * (q as f64 + k as f64 / quarter as f64);
                let signs = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]][q];
                (Plane::new(signs[0] * core[0], signs[1] * core[1]), Plane::new(angle.cos(), angle.sin()))
            };
            ((0..4).flat_map(|q| (0..=quarter).map(move |k| station(q, k))).collect(), true)
        }
    }
}

/// Triangles with common vertices.
#[derive(Default)]
struct Sheet {
    vertices: Vec<[f64; 3]>,
    facets: Vec<[u32; 3]>,
    numbers: std::collections::BTreeMap<[i64; 3], u32>,
    /// Points nearer to each other are one [m].
    near: f64,
}

impl Sheet {
    fn vertex(&mut self, x: [f64; 3]) -> u32 {
        // Rounding to a lattice that no coordinate of a profile is between by design: half a step aside.
        let key = x.map(|c| (c / (100.0 * self.near) + 0.25).floor() as i64);
        *self.numbers.entry(key).or_insert_with(|| {
            self.vertices.push(x);
            self.vertices.len() as u32 - 1
        })
    }

    fn triangle(&mut self, [a, b, c]: [u32; 3]) {
        if a != b && b != c && c != a {
            self.facets.push([a, b, c]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Surface;

    const EVERY: fn(&Vect<3>) -> bool = |_| true;

    fn near(found: Option<(Vect<3>, f64)>, normal: [f64; 3], gap: f64) {
        let (n, g) = found.unwrap();
        assert!((n - Vect::<3>::from(normal).normalize()).norm() < 1e-12 && (g - gap).abs() < 1e-12, "{n} {g}");
    }

    /// A die: a plane with a hole of radius 2, its shoulder a quarter of a torus of radius 0.5.
    fn die(core: [f64; 2]) -> Profile {
        Profile::new(&[[5.0, 0.0], [2.0, 0.0], [2.0, -3.0]], &[0.5], Sweep::Around(core)).unwrap()
    }

    #[test]
    fn a_die_is_a_plane_a_torus_and_a_cylinder() {
        let die = die([0.0; 2]);
        near(die.distance(&Vect::<3>::new(0.0, 4.0, 0.25), &EVERY), [0.0, 0.0, 1.0], 0.25);
        near(die.distance(&Vect::<3>::new(0.0, 1.5, -2.0), &EVERY), [0.0, -1.0, 0.0], 0.5);
        // From the middle of the fillet, (2.5, −0.5), by 1 towards the axis and upwards.
        let out = Vect::<3>::new(-0.6, 0.0, 0.8);
        near(die.distance(&(Vect::<3>::new(2.5, 0.0, -0.5) + out), &EVERY), out.into(), 0.5);
        near(die.distance(&(Vect::<3>::new(2.5, 0.0, -0.5) + out * 0.4), &EVERY), out.into(), -0.1);
        assert!(die.distance(&Vect::<3>::new(6.0, 0.0, 0.1), &EVERY).is_none(), "beyond its end");
    }

    #[test]
    fn around_a_rectangle_it_has_rounded_corners() {
        let die = die([3.0, 1.0]);
        near(die.distance(&Vect::<3>::new(0.5, -2.5, -2.0), &EVERY), [0.0, 1.0, 0.0], 0.5);
        let out = Vect::<3>::new(0.6, 0.8, 0.0);
        near(die.distance(&(Vect::<3>::new(3.0, 1.0, -2.0) + out * 1.5), &EVERY), (-out).into(), 0.5);
        assert!(die.distance(&Vect::<3>::new(0.1, 0.2, -2.0), &EVERY).is_none(), "nothing is outwards on the core");
    }

    /// A step up and a step down: a convex fillet, a concave one, and sharp corners of both kinds.
    #[test]
    fn profiles_have_both_kinds_of_corners() {
        let corners = [[9.0, 0.0], [6.0, 0.0], [6.0, 4.0], [3.0, 4.0], [3.0, 0.0], [0.0, 0.0]];
        for radius in [0.0, 1.0] {
            let profile = Profile::new(&corners, &[radius; 4], Sweep::Extruded(1.0)).unwrap();
            let diagonal = 0.5_f64.sqrt();
            let gap = 2.0_f64.sqrt() - (2.0_f64.sqrt() - 1.0) * radius;
            // Off the corner at (6, 4), which belongs to the solid, by 1 in both directions.
            let outside = profile.distance(&Vect::<3>::new(7.0, 0.3, 5.0), &EVERY);
            near(outside, [diagonal, 0.0, diagonal], 2.0_f64.sqrt() + (2.0_f64.sqrt() - 1.0) * radius);
            // In the solid behind the corner at (6, 0), which does not.
            let inside = profile.distance(&Vect::<3>::new(5.0, 0.3, -1.0), &EVERY);
            near(inside, [diagonal, 0.0, diagonal], -gap - 2.0 * (2.0_f64.sqrt() - 1.0) * radius);
            assert!(profile.distance(&Vect::<3>::new(7.0, 1.1, 5.0), &EVERY).is_none(), "beside it");
        }
    }

    #[test]
    fn only_what_is_faced_counts() {
        let upright = |n: &Vect<3>| n.z > 0.5;
        let found = die([0.0; 2]).distance(&Vect::<3>::new(2.55, 0.0, -0.9), &upright);
        near(found, [0.0, 0.0, 1.0], -0.9);
    }

    #[test]
    fn facets_lie_on_it_and_are_oriented_as_it_is() {
        for sweep in [Sweep::Around([0.0; 2]), Sweep::Around([3.0, 1.0]), Sweep::Extruded(2.0)] {
            // A punch: flat below, a fillet, a wall.
            let profile = Profile::new(&[[0.0, 0.0], [2.0, 0.0], [2.0, 3.0]], &[0.5], sweep).unwrap();
            let (vertices, facets) = profile.facets(3);
            let points: Vec<Vect<3>> = vertices.iter().map(|&x| Vect::<3>::from(x)).collect();
            assert!(points.iter().all(|x| profile.distance(x, &EVERY).is_none_or(|(_, g)| g.abs() < 1e-9)));
            let surface = Surface::new(points, facets).unwrap();
            for f in 0..surface.facets.len() {
                let normal = surface.normals()[f];
                let middle = surface.corners(f as u32).iter().sum::<Vect<3>>() / 3.0;
                let (exact, _) = profile.distance(&(middle + normal * 0.01), &EVERY).unwrap();
                assert!(exact.dot(&normal) > 0.99, "{sweep:?}: {exact} {normal}");
            }
        }
    }

    #[test]
    fn what_is_no_profile_is_told() {
        let bad =
            |corners: &[[f64; 2]], radii: &[f64]| Profile::new(corners, radii, Sweep::Around([0.0; 2])).unwrap_err();
        assert!(bad(&[[1.0, 0.0]], &[]).contains("at least 2"));
        assert!(bad(&[[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]], &[]).contains("1 corners"));
        assert!(bad(&[[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]], &[2.0]).contains("no room"));
        assert!(bad(&[[1.0, 0.0], [-1.0, 0.0]], &[]).contains("x < 0"));
        assert!(bad(&[[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]], &[0.0]).contains("turn back"));
    }
}
