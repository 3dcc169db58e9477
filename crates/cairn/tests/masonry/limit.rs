//! Against limit analysis of rigid blocks, each within 1 %: at 0.99 of the limit it stands, at 1.01 it moves.
//!
//! The references are computed here, from geometry made here: horizontal load multipliers by linear programming over the forces
//! at the ends of all joints, and the spread of an arch's supports by the kinematics of its hinges.

use super::simplex::maximize;
use crate::support::plane;
use cairn::simulation::Simulation;
use cairn::space::Vect;

type Point = [f64; 2];
type Polygon = Vec<Point>;

/// Area and centroid.
fn area(p: &[Point]) -> (f64, Point) {
    let (mut a, mut c) = (0.0, [0.0; 2]);
    for (k, u) in p.iter().enumerate() {
        let v = p[(k + 1) % p.len()];
        let cross = u[0] * v[1] - v[0] * u[1];
        a += cross / 2.0;
        (0..2).for_each(|i| c[i] += (u[i] + v[i]) * cross / 6.0);
    }
    (a, [c[0] / a, c[1] / a])
}

/// A joint of the program: its two ends, the normal towards block `first`, the blocks (`None` is the ground).
struct Joint {
    ends: [Point; 2],
    normal: Point,
    first: usize,
    second: Option<usize>,
}

/// The largest horizontal acceleration over gravity that blocks (counter-clockwise) can bear with friction μ.
fn multiplier(blocks: &[Polygon], joints: &[Joint], friction: f64) -> f64 {
    let columns = 4 * joints.len() + 1;
    let mut rows = vec![vec![0.0; columns]; 3 * blocks.len()];
    let mut loads = vec![0.0; 3 * blocks.len()];
    for (b, block) in blocks.iter().enumerate() {
        let (weight, _) = area(block);
        rows[3 * b][columns - 1] = weight;
        loads[3 * b + 1] = weight;
    }
    for (k, joint) in joints.iter().enumerate() {
        for (e, end) in joint.ends.iter().enumerate() {
            for (s, side) in [-1.0, 1.0].into_iter().enumerate() {
                let [x, y] = joint.normal;
                let force = [x - side * friction * y, y + side * friction * x];
                let mut push = |b: usize, sign: f64| {
                    let (_, c) = area(&blocks[b]);
                    let arm = [end[0] - c[0], end[1] - c[1]];
                    let wrench = [force[0], force[1], arm[0] * force[1] - arm[1] * force[0]];
                    (0..3).for_each(|i| rows[3 * b + i][4 * k + 2 * e + s] += sign * wrench[i]);
                };
                push(joint.first, 1.0);
                joint.second.into_iter().for_each(|b| push(b, -1.0));
            }
        }
    }
    let mut gain = vec![0.0; columns];
    gain[columns - 1] = 1.0;
    maximize(rows, loads, &gain).expect("it stands without the acceleration")
}

/// Joints between rectangles that share a piece of an edge, and between rectangles and the ground y = 0.
fn rectangle_joints(blocks: &[Polygon]) -> Vec<Joint> {
    let range = |b: &Polygon, k: usize| {
        let xs = b.iter().map(|p| p[k]);
        (xs.clone().fold(f64::INFINITY, f64::min), xs.fold(f64::NEG_INFINITY, f64::max))
    };
    let mut joints = Vec::new();
    for (i, a) in blocks.iter().enumerate() {
        let (left, right) = range(a, 0);
        if range(a, 1).0.abs() < 1e-9 {
            joints.push(Joint { ends: [[left, 0.0], [right, 0.0]], normal: [0.0, 1.0], first: i, second: None });
        }
        for (j, b) in blocks.iter().enumerate() {
            for axis in 0..2 {
                // Block a beyond block b along this axis.
                let (touch, other) = (range(a, axis).0, 1 - axis);
                let low = range(a, other).0.max(range(b, other).0);
                let high = range(a, other).1.min(range(b, other).1);
                if (touch - range(b, axis).1).abs() < 1e-9 && high - low > 1e-9 {
                    let point = |x: f64| if axis == 0 { [touch, x] } else { [x, touch] };
                    let normal = if axis == 0 { [1.0, 0.0] } else { [0.0, 1.0] };
                    joints.push(Joint { ends: [point(low), point(high)], normal, first: i, second: Some(j) });
                }
            }
        }
    }
    joints
}

/// A wall: courses, blocks in a course, size of a block, width of the head joints.
#[derive(Clone, Copy)]
struct Wall {
    courses: usize,
    blocks: usize,
    size: Point,
    head: f64,
}

impl Wall {
    fn polygons(&self) -> Vec<Polygon> {
        let Wall { courses, blocks, size: [length, height], head } = *self;
        let pitch = length + head;
        let mut made = Vec::new();
        for course in 0..courses {
            let mut cuts: Vec<f64> = (0..=blocks).map(|k| k as f64 * pitch).collect();
            if course % 2 == 1 {
                cuts = (0..blocks).map(|k| (k as f64 + 0.5) * pitch).collect();
                cuts.insert(0, 0.0);
                cuts.push(blocks as f64 * pitch);
            }
            let (y0, y1) = (course as f64 * height, (course + 1) as f64 * height);
            let block = |x: &[f64]| vec![[x[0], y0], [x[1] - head, y0], [x[1] - head, y1], [x[0], y1]];
            made.extend(cuts.windows(2).map(block));
        }
        made
    }

    fn scene(&self) -> String {
        let Wall { courses, blocks, size: [length, height], head } = *self;
        format!(
            "{GROUND}[[generate]]\nname = \"wall\"\nmaterial = \"stone\"\nkind = \"wall\"\ncourses = {courses}\nblocks = {blocks}\n\
             size = [{length}, {height}]\nhead_joint = {head:?}\n"
        )
    }

    /// By linear programming.
    fn multiplier(&self, friction: f64) -> f64 {
        let blocks = self.polygons();
        multiplier(&blocks, &rectangle_joints(&blocks), friction)
    }
}

/// Joints of an arch: inner and outer ends from the right springing to the left one.
fn arch_joints(n: usize, thickness: f64) -> Vec<[Point; 2]> {
    let angle = |i: usize| std::f64::consts::PI * i as f64 / n as f64;
    let end = |i: usize, r: f64| [r * angle(i).cos(), r * angle(i).sin()];
    (0..=n).map(|i| [end(i, 1.0 - thickness / 2.0), end(i, 1.0 + thickness / 2.0)]).collect()
}

fn voussoirs(joints: &[[Point; 2]]) -> Vec<Polygon> {
    joints.windows(2).map(|w| vec![w[0][0], w[0][1], w[1][1], w[1][0]]).collect()
}

/// A scene under gravity and a horizontal acceleration that rises to `share` g and stays.
fn accelerated(assembly: &str, friction: f64, share: f64) -> Simulation<2> {
    let text = format!(
        r#"
dimension = 2
[time]
step = 2e-3
end = 2
[materials]
stone = {{ density = 2000 }}
[[contact]]
between = "any"
friction = {friction}
[gravity]
acceleration = [0, -9.81]
[ground_acceleration]
x = {{ ramp = {{ to = {}, end = 0.3 }} }}
{assembly}
[solver]
tolerance = 1e-7
max_sweeps = 100000
"#,
        -9.81 * share
    );
    plane(&text)
}

const GROUND: &str = "[[bodies]]\nname = \"ground\"\nmaterial = \"stone\"\nfixed = true\n\
                      shape = { kind = \"half_plane\", normal = [0, 1] }\n";

/// Does anything move by more than a five-hundredth of a metre within the run? What stands must not move by a tenth of that.
fn moves(mut simulation: Simulation<2>) -> bool {
    let end = simulation.scene.time.end;
    let mut moved = 0.0;
    while simulation.state.time < end - 1e-9 && moved < 2e-3 {
        simulation.step().unwrap();
        let pairs = simulation.state.motions.iter().zip(&simulation.scene.start);
        moved = pairs.map(|(now, start)| (now.place.centre - start.place.centre).norm()).fold(0.0, f64::max);
    }
    assert!(!(2e-4..2e-3).contains(&moved), "neither stands nor falls: moved by {moved}");
    moved >= 2e-3
}

fn brackets(assembly: &str, friction: f64, limit: f64) {
    assert!(!moves(accelerated(assembly, friction, 0.99 * limit)), "falls at 0.99 × {limit}");
    assert!(moves(accelerated(assembly, friction, 1.01 * limit)), "stands at 1.01 × {limit}");
}

#[test]
fn a_column_slides_at_mu_and_overturns_at_its_slenderness() {
    let column = format!(
        "{GROUND}[[generate]]\nname = \"column\"\nmaterial = \"stone\"\nkind = \"column\"\ndrums = 4\nradius = 0.25\nheight = 0.4\n"
    );
    // 0.5 m wide, 1.6 m high: it overturns at 0.3125; with less friction it slides before.
    brackets(&column, 0.2, 0.2);
    brackets(&column, 0.6, 0.5 / 1.6);
    let blocks: Vec<Polygon> = (0..4)
        .map(|k| f64::from(k) * 0.4)
        .map(|y| vec![[-0.25, y], [0.25, y], [0.25, y + 0.4], [-0.25, y + 0.4]])
        .collect();
    let joints = rectangle_joints(&blocks);
    assert!((multiplier(&blocks, &joints, 0.2) - 0.2).abs() < 1e-6);
    assert!((multiplier(&blocks, &joints, 0.6) - 0.3125).abs() < 1e-6);
}

/// This wall slides as a whole, and each of its joints must hold.
#[test]
fn a_wall_slides_at_the_multiplier_of_linear_programming() {
    let wall = Wall { courses: 4, blocks: 4, size: [0.4, 0.25], head: 0.0 };
    let limit = wall.multiplier(0.4);
    assert!((limit - 0.4).abs() < 1e-6, "{limit}");
    brackets(&wall.scene(), 0.4, limit);
}

/// A pier of whole courses and courses of two halves on a whole one rocks about its toe, 0.8/1.2: its mechanism slides nowhere (with
/// more friction the program has the same answer), and no part of it could turn at less: without the left half of the second
/// course, about the corner above the first, 0.694. Here the linear program is exact.
#[test]
fn a_pier_rocks_at_the_multiplier_of_linear_programming() {
    let pier = Wall { courses: 6, blocks: 1, size: [0.8, 0.2], head: 0.0 };
    let [limit, rough] = [0.8, 2.0].map(|friction| pier.multiplier(friction));
    assert!((limit - 2.0 / 3.0).abs() < 1e-6 && (rough - limit).abs() < 1e-6, "{limit} {rough}");
    brackets(&pier.scene(), 0.8, limit);
}

/// A wall of running bond, three blocks long, with open head joints. Its multiplier is the same for friction from 0.6 to 1: the
/// blocks turn on each other and slide nowhere, and whether sliding joints dilate is of no account. The linear program is exact.
#[test]
fn a_wall_with_open_head_joints_rocks_at_the_multiplier_of_linear_programming() {
    let wall = Wall { courses: 6, blocks: 3, size: [0.4, 0.2], head: 0.01 };
    let [smooth, limit, rough] = [0.6, 0.8, 1.0].map(|friction| wall.multiplier(friction));
    assert!((limit - 0.58707).abs() < 1e-5, "{limit}");
    assert!((smooth - limit).abs() < 1e-6 && (rough - limit).abs() < 1e-6, "{smooth} {limit} {rough}");
    brackets(&wall.scene(), 0.8, limit);
}

/// A wall of three blocks a course overturns at 3L/(4H) by the linear program, whose joints dilate as they slide: a part beyond a
/// stair from the toe up cannot turn, because its joints would open by less than μ times their slip. Coulomb's joints do not
/// dilate: once they open nothing holds that part, and it turns at the multiplier of its own weight about the toe. Before they
/// open, friction may hold it to some more; how much, statics does not say. So these two are bounds, and it falls in between.
#[test]
fn a_wide_wall_falls_between_the_stair_and_the_linear_program() {
    let wall = Wall { courses: 4, blocks: 3, size: [0.4, 0.4], head: 0.0 };
    let upper = wall.multiplier(1.2);
    assert!((upper - 0.75).abs() < 1e-6, "{upper}");
    let (mut holds, mut turns) = (0.0, 0.0);
    for (course, width) in [0.4, 0.6, 0.8, 1.0].into_iter().enumerate() {
        holds += width * width / 2.0;
        turns += width * 0.4 * (course as f64 + 0.5);
    }
    let lower = holds / turns;
    let wall = wall.scene();
    assert!(!moves(accelerated(&wall, 1.2, 0.99 * lower)), "falls at 0.99 × {lower}");
    assert!(moves(accelerated(&wall, 1.2, 0.8 * upper)), "stands at 0.8 × {upper}");
}

#[test]
fn an_arch_falls_at_the_multiplier_of_linear_programming() {
    let (n, thickness) = (12, 0.18);
    let joints = arch_joints(n, thickness);
    let blocks = voussoirs(&joints);
    let last = blocks.len() - 1;
    let of = |i: usize| {
        let [a, b] = joints[i];
        let size = f64::hypot(b[0] - a[0], b[1] - a[1]);
        // Towards the next block, counter-clockwise.
        let normal = [-(b[1] - a[1]) / size, (b[0] - a[0]) / size];
        match i {
            0 => Joint { ends: [a, b], normal, first: 0, second: None },
            i if i == n => Joint { ends: [a, b], normal: normal.map(|x| -x), first: last, second: None },
            i => Joint { ends: [a, b], normal, first: i, second: Some(i - 1) },
        }
    };
    let limit = multiplier(&blocks, &(0..=n).map(of).collect::<Vec<_>>(), 0.8);
    assert!((limit - 0.2330).abs() < 1e-4, "{limit}");
    let arch = format!(
        "[[generate]]\nname = \"arch\"\nmaterial = \"stone\"\nkind = \"arch\"\nvoussoirs = {n}\nradius = 1\nthickness = {thickness}\n"
    );
    brackets(&arch, 0.8, limit);
}

/// The right half of an arch whose supports have spread by `spread`, hinged at the outer end of the crown and at the inner end of
/// joint `hinge`: where the line of thrust crosses each joint, from 0 (inner end) to 1 (outer end).
fn thrust_of_hinged_half(joints: &[[Point; 2]], hinge: usize, spread: f64) -> Option<Vec<f64>> {
    let m = joints.len() / 2;
    let (b, a) = (joints[hinge][0], joints[m][1]);
    let to = |p: Point, q: Point| [q[0] - p[0], q[1] - p[1]];
    let foot = [b[0] + spread / 2.0, b[1]];
    let [dx, dy] = to(b, a);
    let length = f64::hypot(dx, dy);
    let rise = (length * length - foot[0] * foot[0]).sqrt();
    if rise.is_nan() {
        return None;
    }
    let crown = [0.0, foot[1] + rise];
    let (s, c) = (rise.atan2(-foot[0]) - dy.atan2(dx)).sin_cos();
    let turned = |p: Point| {
        let [x, y] = to(b, p);
        [foot[0] + c * x - s * y, foot[1] + s * x + c * y]
    };
    let spread_by = |p: Point| [p[0] + spread / 2.0, p[1]];
    let blocks = voussoirs(&joints[..=m]);
    let masses: Vec<(f64, Point)> = blocks
        .iter()
        .map(|block| area(block))
        .enumerate()
        .map(|(i, (w, g))| (w, if i >= hinge { turned(g) } else { spread_by(g) }))
        .collect();
    let above = |i: usize| {
        let weight: f64 = masses[i..].iter().map(|m| m.0).sum();
        (weight, masses[i..].iter().map(|m| m.0 * m.1[0]).sum::<f64>() / weight)
    };
    let (weight, x) = above(hinge);
    let thrust = weight * (foot[0] - x) / rise;
    let crossing = |i: usize| {
        let [p, q] = joints[i].map(|end| if i > hinge { turned(end) } else { spread_by(end) });
        let (weight, x) = above(i);
        let [ex, ey] = to(p, q);
        (thrust * (crown[1] - p[1]) - weight * (p[0] - x)) / (thrust * ey + weight * ex)
    };
    Some((0..m).map(crossing).collect())
}

/// The spread at which the line of thrust of the hinged arch reaches the outer end of the springing: a fourth hinge, and it falls.
/// Until then the hinges stay where they are, which is checked.
fn spread_at_which_it_falls(joints: &[[Point; 2]]) -> f64 {
    let inside = |line: &[f64]| line.iter().all(|s| (-1e-9..=1.0 + 1e-9).contains(s));
    let stands = |hinge: usize, spread: f64| thrust_of_hinged_half(joints, hinge, spread).is_some_and(|l| inside(&l));
    let hinge = (1..joints.len() / 2).find(|&j| stands(j, 1e-9)).expect("it stands at first");
    let (mut low, mut high) = (0.0, 0.0);
    while stands(hinge, high) {
        (low, high) = (high, high + 1e-3);
    }
    while high - low > 1e-9 {
        let middle = 0.5 * (low + high);
        if stands(hinge, middle) { low = middle } else { high = middle }
    }
    let line = thrust_of_hinged_half(joints, hinge, high).unwrap();
    assert!(line[0] > 1.0 && inside(&line[1..]), "the fourth hinge is at the springing: {line:?}");
    low
}

#[test]
fn an_arch_on_spreading_supports_falls_where_its_hinges_say() {
    let (n, thickness) = (16, 0.15);
    let limit = spread_at_which_it_falls(&arch_joints(n, thickness));
    assert!((limit - 0.1177).abs() < 1e-4, "{limit}");
    let ended = |share: f64| {
        let spread = share * limit / 2.0;
        let text = format!(
            r#"
dimension = 2
[time]
step = 0.01
theta = 1
quasi_static = "velocity_cancelling"
[[stage]]
name = "spread"
duration = 2
[[stage]]
name = "hold"
until = "equilibrium"
tolerance = 1e-4
duration = 1
[materials]
stone = {{ density = 2000 }}
[[contact]]
between = "any"
friction = 0.8
unilateral = "gap"
[gravity]
acceleration = [0, -9.81]
[[generate]]
name = "arch"
material = "stone"
kind = "arch"
voussoirs = {n}
radius = 1
thickness = {thickness}
[[drive]]
bodies = "arch.supports#0"
component = "x"
displacement = {{ ramp = {{ to = {spread}, end = 1.8 }} }}
[[drive]]
bodies = "arch.supports#1"
component = "x"
displacement = {{ ramp = {{ to = {}, end = 1.8 }} }}
[solver]
tolerance = 1e-7
max_sweeps = 100000
"#,
            -spread
        );
        let mut arch = plane(&text);
        arch.run_to_end().unwrap();
        let crown: Vect<2> = arch.state.motions[n / 2].place.centre;
        (arch.state.time < 2.99, crown.y)
    };
    let (stands, high) = ended(0.99);
    assert!(stands, "falls at 0.99 of the spread, crown at {high}");
    let (stands, low) = ended(1.01);
    assert!(!stands, "stands at 1.01 of the spread, crown at {low}");
}
