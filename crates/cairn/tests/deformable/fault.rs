//! Faults and cracks: meshes from files, cut along groups inside them.

use super::again::same_bits;
use crate::support::{go, plane_with};
use cairn::measure::{Slip, slips};
use cairn::scene::read;
use cairn::simulation::Simulation;
use cairn::step::contacts_at_start;
use cairn_fem::generate::{Flat, even, quadrilateral, rectangle};
use cairn_fem::mesh::{Boundary, Mesh};

/// A block of 2 m by 1 m with a fault that dips by 45° through its middle; `joined` in one mesh, as a mesher makes it.
fn with_fault() -> String {
    let lines = even(0.0, 1.0, 4);
    let block = |corners: &[[f64; 2]; 4]| quadrilateral(corners, &lines, &lines, Flat::Q4);
    let mut mesh = block(&[[0.0, 0.0], [0.5, 0.0], [1.5, 1.0], [0.0, 1.0]]);
    let mut right = block(&[[0.5, 0.0], [2.0, 0.0], [2.0, 1.0], [1.5, 1.0]]);
    let named = |mesh: &mut Mesh<2>, old: &str, new: &str| {
        mesh.boundaries.iter_mut().filter(|b| b.name == old).for_each(|b| b.name = new.into());
    };
    named(&mut mesh, "right", "fault");
    right.boundaries.retain(|b| b.name != "left");
    mesh.merge(&right);
    mesh.weld(1e-9);
    cairn_fem::gmsh::write(&mesh)
}

const PUSHED: &str = r#"
dimension = 2
time = { step = 0.05, end = 10, theta = 1 }
materials.m = { density = 1, young = 1e6, poisson = 0.25 }
[solver]
tolerance = 1e-9
[newton]
tolerance = 1e-10
[[contact]]
between = "m"
friction = 0.1
unilateral = "gap"
BODIES
SUPPORTS[[fix]]
bodies = "FOOT"
boundary = "right"
[[drive]]
bodies = "HANGING"
boundary = "left"
component = "x"
velocity = 0.01
"#;

fn scene(bodies: &str, [foot, hanging]: [&str; 2]) -> String {
    let support = |name: &str| format!("[[fix]]\nbodies = \"{name}\"\nboundary = \"bottom\"\ncomponents = [\"y\"]\n");
    let supports = if foot == hanging { support(foot) } else { support(foot) + &support(hanging) };
    let text = PUSHED.replace("BODIES", bodies).replace("SUPPORTS", &supports);
    text.replace("FOOT", foot).replace("HANGING", hanging)
}

fn pushed(bodies: &str, [foot, hanging]: [&str; 2]) -> Simulation<2> {
    let text = scene(bodies, [foot, hanging]);
    let mut s = plane_with(&[("block.msh", &with_fault())], &text);
    go(&mut s, 40);
    s
}

fn slipped(s: &Simulation<2>) -> Vec<Slip> {
    slips(&s.scene, &contacts_at_start(&s.scene), &s.state)
}

fn body(name: &str, mesh: &str, more: &str) -> String {
    format!(
        "[[deformable]]\nname = \"{name}\"\nmaterial = \"m\"\nmesh = {{ {mesh} }}\nkinematics = \"finite\"\n{more}\n"
    )
}

/// The wedge of a mesh that is cut slides as that of two meshes made one by one; in one body, where both faces look for contact, as well.
#[test]
fn a_group_inside_a_mesh_becomes_a_fault() {
    let of_corners = |corners: &str| format!("kind = \"quadrilateral\", corners = {corners}, cells = [4, 4]");
    let two = body("foot", &of_corners("[[0.5, 0], [2, 0], [2, 1], [1.5, 1]]"), "contact = [\"left\"]")
        + &body("hanging", &of_corners("[[0, 0], [0.5, 0], [1.5, 1], [0, 1]]"), "contact = [\"right\"]");
    let expected = slipped(&pushed(&two, ["foot", "hanging"]));
    assert!(expected.len() == 5 && expected[0].slip > 0.01, "{expected:?}");

    let file = "kind = \"file\", file = \"block.msh\", cut = [\"fault\"]";
    let part = |side: &str| format!("{file}, part = \"{side}\"");
    let contact = "contact = [\"fault\"]";
    let parts = body("foot", &part("right"), contact) + &body("hanging", &part("left"), contact);
    let found = pushed(&parts, ["foot", "hanging"]);
    for (a, b) in slipped(&found).iter().zip(&expected) {
        assert!((a.depth - b.depth).abs() < 1e-9 && (a.slip - b.slip).abs() < 1e-8, "{a:?} {b:?}");
    }
    same_bits(found, 3);

    let one = body("rock", file, &format!("{contact}\nself_contact = true"));
    let both = slipped(&pushed(&one, ["rock", "rock"]));
    assert_eq!(both.len(), 10);
    // The foot of the fault is held, and hardly slips.
    let largest = expected.iter().fold(0.0_f64, |most, point| most.max(point.slip));
    for point in &both {
        let other = expected.iter().find(|e| (e.depth - point.depth).abs() < 1e-6).unwrap();
        assert!((point.slip - other.slip).abs() < 0.02 * largest, "{point:?} {other:?}");
        assert!(point.slip < 1e-3 * largest || point.rate.is_none_or(|rate| rate > 0.0), "{point:?}");
    }
}

/// A square with an upright crack from the middle of its upper side to its centre.
fn with_crack() -> String {
    let lines = even(-1.0, 1.0, 8);
    let mut mesh = rectangle(&lines, &lines, Flat::Q4);
    let facets = mesh.facets();
    let nodes = facets.list.iter().filter(|f| {
        f.shared == 2 && f.nodes.iter().all(|&n| mesh.nodes[n as usize][0] == 0.0 && mesh.nodes[n as usize][1] >= 0.0)
    });
    let nodes: Vec<u32> = nodes.flat_map(|f| f.nodes.clone()).collect();
    mesh.boundaries.push(Boundary { name: "crack".into(), kind: cairn_fem::mesh::FacetKind::Line2, nodes });
    cairn_fem::gmsh::write(&mesh)
}

/// Pressed, a crack is as if it were not there; pulled, it opens.
#[test]
fn a_crack_carries_pressure_and_no_tension() {
    let opening = |pull: f64, cut: &str| {
        let text = format!(
            "dimension = 2\ntime = {{ step = 1, end = 10, theta = 1 }}\n\
             materials.m = {{ density = 1e-3, young = 1e6, poisson = 0.25 }}\n[solver]\ntolerance = 1e-10\n\
             [[contact]]\nbetween = \"m\"\nfriction = 0.5\nunilateral = \"gap\"\n\
             {}[[fix]]\nbodies = \"plate\"\nboundary = \"bottom\"\ncomponents = [\"y\"]\n\
             [[fix]]\nbodies = \"plate\"\nboundary = \"left\"\n[[load]]\nbodies = \"plate\"\nboundary = \"right\"\ntraction = [{pull}, 0]\n",
            body("plate", &format!("kind = \"file\", file = \"plate.msh\"{cut}"), "self_contact = true"),
        );
        let mut s = plane_with(&[("plate.msh", &with_crack())], &text);
        go(&mut s, 10);
        let body = &s.scene.flexibles[0];
        let x = body.model.nodes().iter().zip(s.state.fields[0].displacement.chunks_exact(2));
        let lips: Vec<f64> = x.filter(|(x, _)| x[0] == 0.0 && x[1] == 1.0).map(|(_, u)| u[0]).collect();
        lips.iter().copied().fold(f64::NEG_INFINITY, f64::max) - lips.iter().copied().fold(f64::INFINITY, f64::min)
    };
    let cut = ", cut = [\"crack\"]";
    assert!(opening(-1e4, cut) < 1e-9, "{:e}", opening(-1e4, cut));
    assert!(opening(1e4, cut) > 0.02, "{:e}", opening(1e4, cut));
    assert_eq!(opening(1e4, ""), 0.0);
}

#[test]
fn what_cannot_be_cut_is_told_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("block.msh"), with_fault()).unwrap();
    std::fs::write(dir.path().join("plate.msh"), with_crack()).unwrap();
    let told = |mesh: &str| {
        let text = scene(&body("rock", mesh, ""), ["rock", "rock"]);
        let path = dir.path().join("scene.toml");
        std::fs::write(&path, text).unwrap();
        read(&path, &[]).err().map(|e| e.plain()).unwrap_or_default()
    };
    for (mesh, expected) in [
        ("kind = \"file\", file = \"block.msh\", cut = [\"fault\"]", ""),
        ("kind = \"file\", file = \"block.msh\", cut = [\"fautl\"]", "did you mean `fault`"),
        ("kind = \"file\", file = \"block.msh\", cut = [\"bottom\"]", "only facets between two cells can be cut"),
        ("kind = \"file\", file = \"block.msh\", cut = [\"fault\"], part = \"bottom\"", "2 of the 2 pieces"),
        ("kind = \"file\", file = \"block.msh\", cut = [\"fault\"], part = \"lfet\"", "did you mean `left`"),
        ("kind = \"file\", file = \"plate.msh\", cut = [\"crack\"], part = \"left\"", "one piece"),
        ("kind = \"file\", file = \"block.msh\", part = \"left\"", "`cut` makes pieces"),
    ] {
        let said = told(mesh);
        assert!(said.contains(expected) && (expected.is_empty() == said.is_empty()), "{mesh}: {said}");
        assert!(expected.is_empty() || said.contains("scene.toml:"), "{said}");
    }
}
