//! Runs a 2D scene to its end and writes the disks of each of its groups as `GROUP.csv`, to start another scene from:
//!
//! ```sh
//! cargo run --release -p cairn --example pack -- SCENE FOLDER
//! ```

use cairn::scene::{AnyScene, read};
use cairn::simulation::Simulation;
use std::fmt::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, folder] = &arguments[..] else { return Err("needs a scene and a folder".into()) };
    let AnyScene::Plane(scene) = read(Path::new(scene), &[])?.scene else { return Err("the scene is not 2D".into()) };
    let mut simulation = Simulation::new(scene);
    simulation.run_to(simulation.scene.time.end)?;
    let scene = &simulation.scene;
    for (number, name) in scene.groups.iter().enumerate() {
        let mut rows = String::from("x,y,r\n");
        for (body, motion) in scene.bodies.iter().zip(&simulation.state.motions) {
            if body.group as usize == number && !body.is_obstacle() {
                let [x, y] = motion.place.centre.into();
                writeln!(rows, "{x:.9},{y:.9},{:.9}", scene.parts[body.parts.0 as usize].radius)?;
            }
        }
        if rows.lines().count() > 1 {
            std::fs::write(Path::new(folder).join(format!("{name}.csv")), rows)?;
        }
    }
    Ok(())
}
