//! Small scenes for the tests of this crate.

use cairn::scene::{self, AnyScene, Scene};

/// A cube of side 1 on a half-space (body 0), its middle above the origin.
pub const CUBE: &str = r#"
title = "Cube"
dimension = 3
gravity = { acceleration = [0, 0, -10] }
time = { step = 1e-3, end = 0.01 }
materials.stone = { density = 1000 }
[[contact]]
between = ["stone", "stone"]
friction = 0.5
[[bodies]]
name = "ground"
material = "stone"
fixed = true
shape = { kind = "half_space", normal = [0, 0, 1] }
[[bodies]]
name = "cube"
material = "stone"
shape = { kind = "box", size = [1, 1, 1] }
position = [0, 0, 0.5]
"#;

/// Two disks in a drum of radius 1.
pub const DRUM: &str = r#"
title = "Drum"
dimension = 2
gravity = { acceleration = [0, -10] }
time = { step = 1e-3, end = 0.01 }
materials.stone = { density = 1000 }
[[contact]]
between = ["stone", "stone"]
friction = 0.5
[[bodies]]
name = "drum"
material = "stone"
fixed = true
shape = { kind = "hollow_disk", radius = 1 }
[[bodies]]
name = "grains"
material = "stone"
shape = { kind = "disk", radius = 0.1 }
position = [0, 0]
copies = { count = 2, step = [0.3, 0] }
"#;

fn read(text: &str) -> AnyScene {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scene.toml");
    std::fs::write(&file, text).unwrap();
    scene::read(&file, &[]).unwrap_or_else(|e| panic!("{e:?}")).scene
}

/// [`CUBE`], read.
pub fn cube_on_plane() -> Scene<3> {
    match read(CUBE) {
        AnyScene::Solid(scene) => scene,
        AnyScene::Plane(_) => panic!("2D"),
    }
}

/// [`DRUM`], read.
pub fn disks_in_drum() -> Scene<2> {
    match read(DRUM) {
        AnyScene::Plane(scene) => scene,
        AnyScene::Solid(_) => panic!("3D"),
    }
}
