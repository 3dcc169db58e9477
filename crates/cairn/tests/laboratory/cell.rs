//! Periodic cells: bodies meet across the faces as if there were no cell.

use crate::support::{go, plane, solid};
use cairn::contact::Image;
use cairn::measure::balance_error;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space, Vect};

/// Forces of all contacts with their points seen in the cell, in the order of the points.
fn forces<const D: usize>(s: &Simulation<D>) -> Vec<(Vect<D>, Vect<D>)>
where
    Space<D>: Ambient<D>,
{
    let h = s.state.last_step;
    let at = |x: &Vect<D>| s.scene.folded(x, &s.state.now());
    let mut all: Vec<_> = s
        .reactions()
        .iter()
        .map(|r| (at(&r.contact.touch.point), r.impulse / h))
        .filter(|(_, f)| f.norm() > 1e-6)
        .collect();
    let key = |x: &Vect<D>| x.iter().rev().map(|c| (c * 1e6).round() as i64).collect::<Vec<_>>();
    all.sort_by_key(|(x, _)| key(x));
    all
}

fn momentum<const D: usize>(s: &Simulation<D>) -> Vect<D>
where
    Space<D>: Ambient<D>,
{
    let bodies = s.scene.bodies.iter().zip(&s.state.motions).filter(|(b, _)| b.mass.is_finite());
    bodies.map(|(b, m)| m.velocity * b.mass).sum()
}

fn balance<const D: usize>(s: &Simulation<D>) -> f64
where
    Space<D>: Ambient<D>,
{
    balance_error(&s.scene, &s.state).abs()
}

fn across<const D: usize>(s: &Simulation<D>) -> usize
where
    Space<D>: Ambient<D>,
{
    s.reactions().iter().filter(|r| r.contact.key.image != Image::HOME && r.impulse.norm() > 0.0).count()
}

/// A square lattice of disks on a plane: between frictionless walls, or in a cell that cuts through the disks.
fn square(around: &str) -> Simulation<2> {
    plane(&format!(
        r#"
dimension = 2
gravity = {{ acceleration = [0, -10] }}
time = {{ step = 1e-3, end = 1 }}
solver = {{ tolerance = 1e-13 }}
materials.grain = {{ density = 1000 }}
materials.wall = {{ density = 1000 }}
[[contact]]
between = "grain"
friction = 0.5
[[contact]]
between = ["grain", "wall"]
law = "frictionless"
[[bodies]]
name = "ground"
material = "grain"
fixed = true
shape = {{ kind = "half_plane", normal = [0, 1] }}
[[generate]]
kind = "lattice"
name = "grains"
material = "grain"
pattern = "square"
radius = 0.5
counts = [4, 5]
position = [0.5, 0.5]
{around}
"#
    ))
}

#[test]
fn a_lattice_has_the_same_forces_between_walls_and_in_a_cell() {
    let walls = r#"
[[bodies]]
name = "left"
material = "wall"
fixed = true
shape = { kind = "half_plane", normal = [1, 0] }
[[bodies]]
name = "right"
material = "wall"
fixed = true
position = [4, 0]
shape = { kind = "half_plane", normal = [-1, 0] }
"#;
    let (mut walled, mut periodic) =
        (square(walls), square("[cell]\nlow = [0.3, 0]\nhigh = [4.3, 6]\nperiodic = [\"x\"]"));
    go(&mut walled, 20);
    go(&mut periodic, 20);
    let is_vertical = |(_, f): &(Vect<2>, Vect<2>)| f.y.abs() > 1e-6;
    let weight = 1000.0 * std::f64::consts::PI * 0.25 * 10.0;
    let [of_walls, of_cell] = [&walled, &periodic].map(|s| {
        let mut sizes: Vec<f64> = forces(s).into_iter().filter(is_vertical).map(|(_, f)| f.y.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        sizes
    });
    assert_eq!((of_walls.len(), of_cell.len()), (20, 20));
    for (k, (a, b)) in of_walls.iter().zip(&of_cell).enumerate() {
        assert!((a - b).abs() < 1e-10 * weight && (a - weight * (1 + k / 4) as f64).abs() < 1e-9 * weight, "{a} {b}");
    }
    // The neighbours across the faces are there, whether they press or not.
    assert_eq!(periodic.reactions().iter().filter(|r| r.contact.key.image != Image::HOME).count(), 5);
}

/// Rows of disks of radius ½ at a distance s, each on two of the row below, the lowest fixed: under its weight and that of the rows above,
/// a disk presses each of the two with k m g/(2 cos α), sin α = s/2. Without walls that can only be so for ever, or in a cell.
fn rows(low: f64, counts: usize) -> Simulation<2> {
    let (s, rise) = (1.2_f64, (1.0 - 0.36_f64).sqrt());
    let mut text = format!(
        r#"
dimension = 2
gravity = {{ acceleration = [0, -10] }}
time = {{ step = 1e-3, end = 1 }}
solver = {{ tolerance = 1e-13 }}
materials.grain = {{ density = 1000 }}
contact = [{{ between = "grain", law = "frictionless" }}]
[cell]
low = [{low}, 0]
high = [{}, 9]
periodic = ["x"]
"#,
        low + s * counts as f64
    );
    for row in 0..4 {
        let (x, y, fixed) = (0.5 * s * f64::from(row % 2), rise * f64::from(row), row == 0);
        text += &format!(
            r#"
[[bodies]]
name = "row{row}"
material = "grain"
fixed = {fixed}
shape = {{ kind = "disk", radius = 0.5 }}
position = [{x}, {y}]
copies = {{ count = {counts}, step = [{s}, 0] }}
"#
        );
    }
    plane(&text)
}

#[test]
fn inclined_forces_cross_the_faces() {
    for (low, counts) in [(-0.3, 3), (0.25, 3), (100.0, 5), (-7.1, 2)] {
        let mut simulation = rows(low, counts);
        go(&mut simulation, 10);
        assert!(across(&simulation) >= 3);
        let weight = 1000.0 * std::f64::consts::PI * 0.25 * 10.0;
        let found = forces(&simulation);
        assert_eq!(found.len(), 6 * counts);
        for (at, force) in found {
            let rows_above = 3 - (at.y / 0.8).floor() as i32;
            let expected = weight * f64::from(rows_above) / (2.0 * 0.8);
            assert!((force.norm() / expected - 1.0).abs() < 1e-10, "{} instead of {expected} at {at}", force.norm());
        }
    }
}

/// Disks and polygons that fly about in a cell.
fn gas(low: [f64; 2], strain: &str) -> Simulation<2> {
    let mut text = format!(
        r#"
dimension = 2
time = {{ step = 2e-3, end = 4 }}
solver = {{ tolerance = 1e-12 }}
materials.grain = {{ density = 1000 }}
contact = [{{ between = "any", friction = 0.4, unilateral = "velocity", restitution = 0.5 }}]
[cell]
low = [{}, {}]
high = [{}, {}]
{strain}
"#,
        low[0],
        low[1],
        low[0] + 4.0,
        low[1] + 3.0
    );
    for k in 0..12 {
        let (x, y) = (0.5 + f64::from(k % 4), 0.5 + f64::from(k / 4));
        let (u, v) = ((f64::from(k) * 2.4).cos() * 2.0, (f64::from(k) * 2.4).sin() * 2.0);
        let shape = match k % 3 {
            0 => "kind = \"disk\", radius = 0.4",
            1 => "kind = \"rectangle\", size = [0.6, 0.5]",
            _ => "kind = \"regular_polygon\", sides = 5, radius = 0.42",
        };
        text += &format!(
            "[[bodies]]\nname = \"b{k}\"\nmaterial = \"grain\"\nshape = {{ {shape} }}\nposition = [{x}, {y}]\nvelocity = [{u}, {v}]\nspin = {}\n",
            f64::from(k % 5) - 2.0
        );
    }
    plane(&text)
}

#[test]
fn a_gas_in_a_cell_keeps_its_momentum_and_its_account() {
    let mut simulation = gas([0.0, 0.0], "");
    let before = momentum(&simulation);
    let mut met = 0;
    for _ in 0..1000 {
        simulation.step().unwrap();
        met += across(&simulation);
        assert!(simulation.state.ledger.worst_penetration < 0.01);
    }
    let scale: f64 = simulation.scene.bodies.iter().map(|b| 2.0 * b.mass).sum();
    assert!(met > 20, "{met} meetings across the faces");
    assert!((momentum(&simulation) - before).norm() < 1e-12 * scale, "{:?}", momentum(&simulation) - before);
    assert!(balance(&simulation) < 1e-12, "{}", balance(&simulation));
}

/// Contacts are named by how the bodies are numbered and by what they have passed, not by where the cell begins.
#[test]
fn where_the_cell_begins_makes_no_difference_to_the_last_bit() {
    let [mut here, mut there] = [gas([0.0, 0.0], ""), gas([-1.37, 0.81], "")];
    go(&mut here, 300);
    go(&mut there, 300);
    assert!(across(&here) + across(&there) > 0 || here.state.ledger.shocks > 0.0);
    assert_eq!(here.state.motions, there.state.motions);
    assert_eq!(here.state.reactions, there.state.reactions);
}

const SHEAR: &str = "strain = [{ component = \"xy\", strain = { ramp = { to = 8, end = 4 } } }]";

/// Without contacts bodies follow the cell: x = x₀ + γ y, and l = l₀ eᵋ.
#[test]
fn what_touches_nothing_moves_with_the_cell() {
    let strains = r#"
[[cell.strain]]
component = "xy"
strain = { ramp = { to = 2, end = 1 } }
[[cell.strain]]
component = "zz"
strain = { ramp = { to = -0.1, end = 1 } }
[[cell.strain]]
component = "yz"
strain = { ramp = { to = 0.5, start = 0.3, end = 1 } }
"#;
    let at = [[0.5, 1.0, 1.5], [2.0, 3.0, 3.0], [3.0, 0.5, 0.2]];
    let bodies: String = at
        .iter()
        .map(|[x, y, z]| format!("[[bodies]]\nmaterial = \"grain\"\nposition = [{x}, {y}, {z}]\nshape = {{ kind = \"sphere\", radius = 0.05 }}\n"))
        .collect();
    let mut simulation = solid(&format!(
        "dimension = 3\ntime = {{ step = 1e-3, end = 1 }}\nmaterials.grain = {{ density = 1000 }}\n\
         contact = [{{ between = \"any\", friction = 0.4 }}]\n[cell]\nlow = [0, 0, 0]\nhigh = [4, 4, 4]\n{strains}\n{bodies}"
    ));
    go(&mut simulation, 200);
    let t = simulation.state.time;
    for (motion, [x, y, z]) in simulation.state.motions.iter().zip(at) {
        let expected = [x + 2.0 * t * y, y, z * (-0.1 * t).exp()];
        let error = (0..3).map(|k| (motion.place.centre[k] - expected[k]).abs()).fold(0.0, f64::max);
        // An exponential is followed to the second order of the step.
        assert!(error < 1e-8, "{:?} instead of {expected:?}", motion.place.centre);
        assert!((motion.place.centre.x - expected[0]).abs() < 1e-12);
    }
}

#[test]
fn in_a_sheared_cell_the_account_is_closed_and_it_does_not_matter_which_image_a_body_is() {
    let mut here = gas([0.0, 0.0], SHEAR);
    // The same body two cells up and one to the left, moving as the lattice does there.
    let mut there = gas([0.0, 0.0], SHEAR);
    for (place, start) in there.state.motions.iter_mut().zip(&mut there.scene.start).step_by(3) {
        let moved = Vect::<2>::new(-4.0, 6.0);
        place.place.centre += moved;
        start.place.centre += moved;
    }
    let mut met = 0;
    for _ in 0..250 {
        here.step().unwrap();
        there.step().unwrap();
        met += across(&here);
    }
    assert!(met > 2 && here.state.ledger.work_drives != 0.0, "{met}");
    assert!(balance(&here) < 1e-12 && balance(&there) < 1e-12, "{} {}", balance(&here), balance(&there));
    let t = here.state.time;
    for (k, (a, b)) in here.state.motions.iter().zip(&there.state.motions).enumerate() {
        let image = if k % 3 == 0 { [-4.0 + 6.0 * 2.0 * t, 6.0] } else { [0.0, 0.0] };
        let carried = if k % 3 == 0 { [12.0, 0.0] } else { [0.0, 0.0] };
        for c in 0..2 {
            let (x, v) = (b.place.centre[c] - a.place.centre[c] - image[c], b.velocity[c] - a.velocity[c] - carried[c]);
            assert!(x.abs() < 1e-7 && v.abs() < 1e-6, "body {k}: {x} {v}");
        }
    }
}

#[test]
fn a_sheared_cell_resumed_has_the_same_bits() {
    let mut whole = gas([0.0, 0.0], SHEAR);
    go(&mut whole, 400);
    let mut first = gas([0.0, 0.0], SHEAR);
    go(&mut first, 173);
    let mut second = Simulation::resume(gas([0.0, 0.0], SHEAR).scene, first.state);
    go(&mut second, 400 - 173);
    assert_eq!(second.state, whole.state);
}

/// Spheres and boxes poured together in a cell that is periodic in x and y, on a plane: each stands on what is below it, none falls out.
#[test]
fn a_bed_in_space_rests_in_a_cell() {
    let mut text = String::from(
        r#"
dimension = 3
gravity = { acceleration = [0, 0, -10] }
time = { step = 2e-3, end = 4 }
materials.grain = { density = 1000 }
contact = [{ between = "any", friction = 0.4, rolling_resistance = 0.03 }]
cell = { low = [0, 0, 0], high = [2.1, 2, 9], periodic = ["x", "y"] }
[[bodies]]
name = "ground"
material = "grain"
fixed = true
shape = { kind = "half_space", normal = [0, 0, 1] }
"#,
    );
    for k in 0..12 {
        let (x, y, z) = (0.7 * f64::from(k % 3), 0.95 * f64::from(k / 3 % 2), 0.5 + 0.9 * f64::from(k / 6));
        let shape =
            if k % 2 == 0 { "kind = \"sphere\", radius = 0.33" } else { "kind = \"box\", size = [0.5, 0.4, 0.4]" };
        text += &format!(
            "[[bodies]]\nname = \"b{k}\"\nmaterial = \"grain\"\nshape = {{ {shape} }}\nposition = [{x}, {y}, {z}]\nvelocity = [{}, 0.4, 0]\n",
            0.2 * f64::from(k)
        );
    }
    let mut simulation = solid(&text);
    let mut met = 0;
    for _ in 0..1500 {
        simulation.step().unwrap();
        met += across(&simulation);
    }
    let s = &simulation;
    let fastest = s.state.motions.iter().map(|m| m.velocity.norm()).fold(0.0, f64::max);
    let weight: f64 = s.scene.bodies.iter().filter(|b| b.mass.is_finite()).map(|b| 10.0 * b.mass).sum();
    assert!((s.resultant(&[0]).z / weight + 1.0).abs() < 0.02, "{:?} of {weight}", s.resultant(&[0]));
    assert!(fastest < 0.05 && met > 20 && balance(s) < 1e-9, "{fastest} {met} {}", balance(s));
    assert!(s.state.ledger.worst_penetration < 0.002, "{}", s.state.ledger.worst_penetration);
}

/// More pairs than one task of the detection takes.
#[test]
fn a_large_cell_has_the_same_bits_for_any_number_of_threads() {
    let scene = r#"
dimension = 2
time = { step = 1e-3, end = 1 }
materials.grain = { density = 1000 }
contact = [{ between = "any", friction = 0.4 }]
[cell]
low = [3.3, -2]
high = [63.3, 58]
strain = [{ component = "xy", strain = { ramp = { to = 1, end = 1 } } }]
[[generate]]
kind = "lattice"
name = "grains"
material = "grain"
pattern = "square"
radius = 0.5
counts = [60, 60]
"#;
    let run = |threads: usize| {
        let mut simulation = plane(scene);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| go(&mut simulation, 5));
        simulation.state
    };
    let [one, two] = [run(1), run(2)];
    assert!(one.reactions.len() >= 7200);
    assert_eq!(one, two);
}
