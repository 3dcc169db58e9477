//! The scene reader on files: good scenes are read as written, bad ones give exactly the errors that they must give.

use cairn::scene::{AnyScene, Loaded, Scene, describe, read};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes").join(name)
}

fn scenes_in(name: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    files.sort();
    files
}

fn good(name: &str) -> Loaded {
    read(&folder("good").join(name), &[]).unwrap_or_else(|e| panic!("{name}:\n{}", e.plain()))
}

/// Compares with the `.expected` file beside each scene; with `CAIRN_BLESS=1` writes it instead, to be reviewed.
#[test]
fn bad_scenes_give_exactly_their_errors() {
    let scenes = scenes_in("bad");
    assert!(scenes.len() >= 50);
    let mut wrong = Vec::new();
    for scene in scenes {
        let found = match read(&scene, &[]) {
            Ok(_) => "read without error".to_string(),
            Err(errors) => errors.plain(),
        };
        let expected_file = scene.with_extension("expected");
        if std::env::var_os("CAIRN_BLESS").is_some() {
            std::fs::write(&expected_file, format!("{found}\n")).unwrap();
        }
        let expected = std::fs::read_to_string(&expected_file).unwrap_or_default();
        if expected.trim_end() != found {
            wrong.push(format!("{}\nexpected:\n{expected}\nfound:\n{found}\n", scene.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn good_scenes_are_read_and_described() {
    for scene in scenes_in("good") {
        let loaded = read(&scene, &[]).unwrap_or_else(|e| panic!("{}", e.plain()));
        let text = describe(&loaded.scene);
        println!("{}\n{text}", scene.display());
        assert!(text.contains("total mass") && text.contains("suggested step"), "{text}");
    }
}
