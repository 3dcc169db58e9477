//! Scenes from text.

use cairn::scene::{AnyScene, Loaded, read};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};

fn load(files: &[(&str, &str)], text: &str) -> Loaded {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(dir.path().join(name), content).unwrap();
    }
    let path = dir.path().join("scene.toml");
    std::fs::write(&path, text).unwrap();
    read(&path, &[]).unwrap_or_else(|e| panic!("{}\n{text}", e.plain()))
}

/// A 2D scene in motion; `files` lie next to it.
pub fn plane_with(files: &[(&str, &str)], text: &str) -> Simulation<2> {
    match load(files, text).scene {
        AnyScene::Plane(scene) => Simulation::new(scene),
        AnyScene::Solid(_) => panic!("a 3D scene"),
    }
}

/// A 3D scene in motion; `files` lie next to it.
pub fn solid_with(files: &[(&str, &str)], text: &str) -> Simulation<3> {
    match load(files, text).scene {
        AnyScene::Solid(scene) => Simulation::new(scene),
        AnyScene::Plane(_) => panic!("a 2D scene"),
    }
}

/// A 2D scene in motion.
pub fn plane(text: &str) -> Simulation<2> {
    plane_with(&[], text)
}

/// A 3D scene in motion.
pub fn solid(text: &str) -> Simulation<3> {
    solid_with(&[], text)
}

/// Does some steps.
pub fn go<const D: usize>(simulation: &mut Simulation<D>, steps: usize)
where
    Space<D>: Ambient<D>,
{
    for _ in 0..steps {
        simulation.step().unwrap();
    }
}
