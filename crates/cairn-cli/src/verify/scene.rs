//! Scenes of cases: an example unpacked, changed where the case wants it, read and set in motion.

use crate::examples;
use cairn::scene::{self, AnyScene};
use cairn::simulation::Simulation;
use miette::miette;

/// Reads an example with values changed, e.g. `("time.step", "1e-4")`.
pub fn example(name: &str, changes: &[(&str, String)]) -> miette::Result<AnyScene> {
    let folder = tempfile::tempdir().map_err(|e| miette!("no temporary folder: {e}"))?;
    examples::copy(name, folder.path())?;
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
    Ok(scene::read(&folder.path().join("scene.toml"), &changes)?.scene)
}

/// The same, in the plane.
pub fn plane(name: &str, changes: &[(&str, String)]) -> miette::Result<Simulation<2>> {
    match example(name, changes)? {
        AnyScene::Plane(scene) => Ok(Simulation::new(scene)),
        AnyScene::Solid(_) => Err(miette!("example {name} is not in 2D")),
    }
}

/// The same, in space.
pub fn solid(name: &str, changes: &[(&str, String)]) -> miette::Result<Simulation<3>> {
    match example(name, changes)? {
        AnyScene::Solid(scene) => Ok(Simulation::new(scene)),
        AnyScene::Plane(_) => Err(miette!("example {name} is not in 3D")),
    }
}
