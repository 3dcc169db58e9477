//! The scene of a results folder, also of one whose manifest is lost or damaged.

use super::Manifest;
use std::path::{Path, PathBuf};

/// Where the scene of a run is.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneFound {
    /// The copy of the scene file in the folder.
    pub file: PathBuf,
    /// Keys and values that the command line had set.
    pub overrides: Vec<(String, String)>,
    /// What is missing, if the manifest cannot be read.
    pub problem: Option<String>,
}

/// Finds the scene of the run in `dir`: by its manifest, else the first scene in `scene/`. `None` if there is none.
pub fn find_scene(dir: &Path) -> Option<SceneFound> {
    match Manifest::read(dir) {
        Ok(manifest) => {
            let overrides = manifest.set();
            Some(SceneFound { file: dir.join("scene").join(manifest.scene), overrides, problem: None })
        }
        Err(error) => {
            let entries = std::fs::read_dir(dir.join("scene")).into_iter().flatten().flatten().map(|e| e.path());
            let file = entries.filter(|p| p.extension().is_some_and(|e| e == "toml")).min()?;
            let problem = format!("{error}; the scene is read without what the command line had changed");
            Some(SceneFound { file, overrides: Vec::new(), problem: Some(problem) })
        }
    }
}
