//! Scenes of cases: an example unpacked, changed where the case wants it, read and set in motion.

use crate::examples;
use cairn::measure::{self, Joint};
use cairn::scene::{self, AnyScene};
use cairn::simulation::Simulation;
use cairn::space::{Ambient, Space};
use cairn::step::contacts_at_start;
use miette::{IntoDiagnostic, miette};

/// Reads an example with values changed, e.g. `("time.step", "1e-4")`. "NAME" is its `scene.toml`, "NAME/scene-3d" the
/// scene of that name next to it.
pub fn example(name: &str, changes: &[(&str, String)]) -> miette::Result<AnyScene> {
    let (name, scene) = name.split_once('/').unwrap_or((name, "scene"));
    let folder = tempfile::tempdir().map_err(|e| miette!("no temporary folder: {e}"))?;
    examples::copy(name, folder.path())?;
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
    Ok(scene::read(&folder.path().join(format!("{scene}.toml")), &changes)?.scene)
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

/// A scene of a case that is no example, from its text.
pub fn written(text: &str, changes: &[(&str, String)]) -> miette::Result<AnyScene> {
    let folder = tempfile::tempdir().map_err(|e| miette!("no temporary folder: {e}"))?;
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).into_diagnostic()?;
    let changes: Vec<_> = changes.iter().map(|(k, v)| (k.to_string(), v.clone())).collect();
    Ok(scene::read(&path, &changes)?.scene)
}

/// The same, in the plane.
pub fn written_plane(text: &str, changes: &[(&str, String)]) -> miette::Result<Simulation<2>> {
    match written(text, changes)? {
        AnyScene::Plane(scene) => Ok(Simulation::new(scene)),
        AnyScene::Solid(_) => Err(miette!("the scene is not in 2D")),
    }
}

/// The first body of a group.
pub fn body<const D: usize>(simulation: &Simulation<D>, group: &str) -> miette::Result<usize>
where
    Space<D>: Ambient<D>,
{
    let scene = &simulation.scene;
    let number = scene.groups.iter().position(|name| name == group);
    let found = number.and_then(|g| scene.bodies.iter().position(|b| b.group as usize == g));
    found.ok_or_else(|| miette!("the scene has no body {group:?}"))
}

/// Steps until a time.
pub fn run_to<const D: usize>(simulation: &mut Simulation<D>, time: f64) -> miette::Result<()>
where
    Space<D>: Ambient<D>,
{
    simulation.run_to(time).into_diagnostic()
}

/// All joints as they are now.
pub fn joints<const D: usize>(simulation: &Simulation<D>) -> Vec<Joint<D>>
where
    Space<D>: Ambient<D>,
{
    measure::joints(&simulation.scene, &contacts_at_start(&simulation.scene), &simulation.state)
}
