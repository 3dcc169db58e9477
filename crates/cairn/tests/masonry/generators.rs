//! Assemblies of masonry: volumes by formula, neighbours that fit, rigid and meshed by one switch.

use crate::support::{plane, plane_with, solid, solid_with};
use cairn::measure::joints;
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use cairn::state::State;
use cairn::step::contacts_at_start;

fn scene(dimension: usize, generator: &str) -> String {
    let gravity = if dimension == 2 { "[0, -10]" } else { "[0, 0, -10]" };
    format!(
        "dimension = {dimension}\n[time]\nstep = 1e-3\nend = 1\n[materials]\nstone = {{ density = 1000, young = 1e9 }}\n\
         [[contact]]\nbetween = \"any\"\nfriction = 0.7\n[gravity]\nacceleration = {gravity}\n\
         [[generate]]\nname = \"it\"\nmaterial = \"stone\"\n{generator}\n"
    )
}

/// Volume of what moves, number of these bodies, number of joints; nothing overlaps.
fn looked_at<const D: usize>(s: &Simulation<D>) -> (f64, usize, usize)
where
    Space<D>: Ambient<D>,
{
    let start = contacts_at_start(&s.scene);
    let deepest = start.iter().map(|c| c.touch.gap).fold(0.0, f64::min);
    assert!(deepest > -1e-9, "blocks overlap by {}", -deepest);
    let rigid: Vec<f64> = s.scene.bodies.iter().map(|b| b.mass).filter(|m| m.is_finite()).collect();
    let meshed: Vec<f64> = s.scene.flexibles.iter().map(|f| f.model.total_mass()).collect();
    let joints = joints(&s.scene, &start, &State::start(&s.scene));
    let volume = (rigid.iter().sum::<f64>() + meshed.iter().sum::<f64>()) / 1000.0;
    (volume, rigid.len() + meshed.len(), joints.len())
}

fn near(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-9, "volume {found}, expected {expected}");
}

/// Area of a ring sector cut into n quadrangles with corners on both circles.
fn faceted(n: usize, radius: f64, thickness: f64, angle: f64) -> f64 {
    n as f64 * radius * thickness * (angle / n as f64).sin()
}

#[test]
fn arches_have_their_volume_and_all_their_joints() {
    let pi = std::f64::consts::PI;
    let (volume, count, joints) =
        looked_at(&plane(&scene(2, "kind = \"arch\"\nvoussoirs = 9\nradius = 2\nthickness = 0.3")));
    near(volume, faceted(9, 2.0, 0.3, pi));
    assert_eq!((count, joints), (9, 10));
    // Span 3 and rise 0.75 have the radius 1.875.
    let text = "kind = \"segmental_arch\"\nvoussoirs = 8\nspan = 3\nrise = 0.75\nthickness = 0.25";
    let (volume, count, joints) = looked_at(&plane(&scene(2, text)));
    near(volume, faceted(8, 1.875, 0.25, 2.0 * (1.5f64 / 1.875).asin()));
    assert_eq!((count, joints), (8, 9));
    let text =
        "kind = \"pointed_arch\"\nvoussoirs = 10\nspan = 2\nrise = 1.7320508075688772\nthickness = 0.2\ndepth = 0.5";
    let pointed = solid(&scene(3, text));
    let (volume, count, joints) = looked_at(&pointed);
    assert_eq!((count, joints), (10, 11));
    // Equilateral: each side is a sixth of a circle of radius 2; beyond the last radial joints it is cut upright.
    assert!((volume / (2.0 * 0.5 * 0.2 * 2.0 * pi / 3.0) - 1.0).abs() < 0.03, "{volume}");
}

#[test]
fn a_dome_and_a_vault_fit_together_and_have_their_volume() {
    let pi = std::f64::consts::PI;
    let text = "kind = \"dome\"\nrings = 5\nblocks = 12\nradius = 3\nthickness = 0.4\noculus = 12\nkeystone = true";
    let (volume, count, joints) = looked_at(&solid(&scene(3, text)));
    assert_eq!(count, 5 * 12 + 1);
    // Head joints, bed joints, feet, and the keystone with the ring below it.
    assert_eq!(joints, 5 * 12 + 4 * 12 + 12 + 12);
    let smooth = 2.0 * pi / 3.0 * (3.2f64.powi(3) - 2.8f64.powi(3));
    assert!((0.93..1.0).contains(&(volume / smooth)), "{}", volume / smooth);
    let text = "kind = \"vault\"\ncourses = 7\nblocks = 3\nradius = 2\nthickness = 0.3\nlength = 3";
    let (volume, count, joints) = looked_at(&solid(&scene(3, text)));
    near(volume, 3.0 * faceted(7, 2.0, 0.3, pi));
    assert_eq!(count, 4 * 3 + 3 * 4);
    // Within courses 4·2 + 3·3; each of six bed joints has 2·3 pieces; the first and the last course are whole.
    assert_eq!(joints, 17 + 36 + 6);
}

#[test]
fn walls_have_bonds_openings_and_lintels() {
    let whole = "kind = \"wall\"\ncourses = 6\nblocks = 4\nsize = [0.5, 0.2]";
    let (volume, count, _) = looked_at(&plane(&scene(2, &format!("{whole}\nbond = \"stack\""))));
    near(volume, 2.4);
    assert_eq!(count, 24);
    let (volume, count, _) = looked_at(&plane(&scene(2, &format!("{whole}\nbond = \"english\""))));
    near(volume, 2.4);
    assert_eq!(count, 3 * 4 + 3 * 9);
    let thick = "kind = \"wall\"\ncourses = 4\nblocks = 3\nsize = [0.4, 0.2, 0.1]\nbond = \"english\"";
    let (volume, count, _) = looked_at(&solid(&scene(3, thick)));
    near(volume, 1.2 * 0.4 * 0.4);
    assert_eq!(count, 2 * 6 + 2 * 7);
    let window = "openings = [{ x = 0.75, sill = 0.4, width = 0.5, height = 0.4, lintel = 0.25 }]";
    let wall = plane(&scene(2, &format!("{whole}\n{window}")));
    let (volume, _, _) = looked_at(&wall);
    near(volume, 2.4 - 0.5 * 0.4);
    let lintels = wall.scene.groups.iter().position(|g| g == "it.lintels").unwrap() as u32;
    let lintel: Vec<f64> = wall.scene.bodies.iter().filter(|b| b.group == lintels).map(|b| b.mass).collect();
    assert_eq!(lintel.len(), 1);
    near(lintel[0], 1000.0 * 0.2);
}

#[test]
fn a_buttress_is_battered() {
    let text = "kind = \"buttress\"\ncourses = 5\nblocks = 2\nheight = 4\nbase = 1.5\ntop = 0.6";
    let (volume, count, _) = looked_at(&plane(&scene(2, text)));
    near(volume, 4.0 * 0.5 * (1.5 + 0.6));
    assert_eq!(count, 10);
}

#[test]
fn one_switch_meshes_the_blocks_and_leaves_the_supports_rigid() {
    let pi = std::f64::consts::PI;
    for (text, count, volume) in [
        ("kind = \"arch\"\nvoussoirs = 7\nradius = 2\nthickness = 0.3\ndepth = 0.5", 7, 0.5 * faceted(7, 2.0, 0.3, pi)),
        (
            "kind = \"vault\"\ncourses = 3\nblocks = 1\nradius = 2\nthickness = 0.3\nlength = 1",
            4,
            faceted(3, 2.0, 0.3, pi),
        ),
    ] {
        let meshed = solid(&scene(3, &format!("{text}\ndeformable = {{ cells = [2, 2, 2] }}")));
        assert_eq!((meshed.scene.flexibles.len(), meshed.scene.bodies.len()), (count, 2));
        assert!(meshed.scene.bodies.iter().all(|b| b.is_obstacle()));
        near(meshed.scene.flexibles.iter().map(|f| f.model.total_mass()).sum::<f64>() / 1000.0, volume);
    }
    let text = "kind = \"dome\"\nrings = 3\nblocks = 8\nradius = 3\nthickness = 0.4\noculus = 15";
    let rigid = looked_at(&solid(&scene(3, text)));
    let mut meshed = solid(&scene(3, &format!("{text}\ndeformable = {{ cells = [2, 2, 2] }}")));
    let volume = meshed.scene.flexibles.iter().map(|f| f.model.total_mass()).sum::<f64>() / 1000.0;
    near(volume, rigid.0);
    // Turned copies of one block share its model.
    let models: std::collections::BTreeSet<_> =
        meshed.scene.flexibles.iter().map(|f| std::sync::Arc::as_ptr(&f.model) as usize).collect();
    assert_eq!(models.len(), 3);
    // Four Gauss points on each of 6 · 4 facets.
    assert_eq!(meshed.scene.flexibles[0].skin.candidates().len(), 96);
    meshed.step().unwrap();
    assert!(meshed.reactions().iter().any(|r| r.impulse.norm() > 0.0));
}

#[test]
fn blocks_come_from_files_with_one_block_to_a_group() {
    let obj = "o left\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n\
        o right\nv 1 0 0\nv 3 0 0\nv 1 1 0\nv 1 0 1\nf 9 11 10\nf 9 10 12\nf 10 11 12\nf 11 9 12\n";
    let text = scene(3, "kind = \"blocks\"\nfile = \"two.obj\"\nscale = 0.1");
    let (volume, count, joints) = looked_at(&solid_with(&[("two.obj", obj)], &text));
    near(volume, 1e-3 * (1.0 + 2.0 / 6.0));
    assert_eq!((count, joints), (2, 1));
}

#[test]
fn blocks_of_a_table_are_rigid_or_meshed_by_the_same_switch() {
    // A whole block and a half on it, in mm; columns in another order, rows of two blocks mixed.
    let flat =
        "x, y, block\n0, 0, 7\n400, 0, 7\n0, 200, 3\n400, 200, 7\n0, 200, 7\n200, 200, 3\n200, 400, 3\n0, 400, 3\n";
    let text = scene(2, "kind = \"blocks\"\nfile = \"two.csv\"\nscale = 1e-3");
    let (volume, count, joints) = looked_at(&plane_with(&[("two.csv", flat)], &text));
    near(volume, 0.08 + 0.04);
    assert_eq!((count, joints), (2, 1));
    let (volume, count, joints) =
        looked_at(&plane_with(&[("two.csv", flat)], &format!("{text}deformable = {{ cells = [2, 2] }}\n")));
    near(volume, 0.08 + 0.04);
    assert_eq!((count, joints), (2, 1));
    // Without a header: block, x, y, z; a ring of corners, and the same ring above.
    let corners = |block: u32, low: f64| {
        let ring = ["0 0", "1 0", "1 1", "0 1"];
        [low, low + 1.0].iter().flat_map(|z| ring.map(|xy| format!("{block} {xy} {z}\n"))).collect::<String>()
    };
    let cubes = corners(0, 0.0) + &corners(1, 1.0);
    let text = scene(3, "kind = \"blocks\"\nfile = \"two.csv\"\nscale = 0.5\ndeformable = { cells = [1, 1, 1] }");
    let (volume, count, joints) = looked_at(&solid_with(&[("two.csv", &cubes)], &text));
    near(volume, 0.25);
    assert_eq!((count, joints), (2, 1));
}
