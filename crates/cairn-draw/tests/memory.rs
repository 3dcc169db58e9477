//! What a material remembers is a field that meshes can be coloured by.

use cairn::scene::{self, AnyScene};
use cairn::simulation::Simulation;
use cairn_draw::{Field, nodal_values};

/// A brittle bar, torn at its end.
const BAR: &str = r#"
dimension = 2
time = { step = 1e-3, end = 1 }
materials.m = { density = 1000, young = 1e9, poisson = 0.2, damage = { strength = 1e6, fracture_energy = 1e4 } }
[[deformable]]
name = "bar"
material = "m"
mesh = { kind = "rectangle", size = [1, 0.2], cells = [5, 1] }
[[fix]]
bodies = "bar"
boundary = "left"
[[drive]]
bodies = "bar"
boundary = "right"
component = "x"
velocity = 0.1
"#;

#[test]
fn damage_can_colour_a_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, BAR).unwrap();
    let AnyScene::Plane(scene) = scene::read(&path, &[]).unwrap().scene else { panic!("the scene is plane") };
    let mut simulation = Simulation::new(scene);
    for _ in 0..40 {
        simulation.step().unwrap();
    }
    let (body, field) = (&simulation.scene.flexibles[0], &simulation.state.fields[0]);
    for name in ["damage", "largest_strain"] {
        let known = body.model.continuum.nodal_history(&field.history, name).unwrap();
        assert!(known.iter().any(|x| *x > 0.0), "{name}");
        assert_eq!(nodal_values(body, field, Field::named(name, &simulation.scene).unwrap()), Some(known));
    }
}
