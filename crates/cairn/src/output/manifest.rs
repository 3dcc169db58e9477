//! `run.json`: what was run, and how it went. No dates, no machine: the same run gives the same file.

use super::checkpoint;
use super::error::{Error, Result, at};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Component, Path, PathBuf};

/// Name of the file in the results folder.
pub(super) const FILE: &str = "run.json";
/// Its name while it is being written. In a folder without a manifest it tells of a run that was killed while its folder was made.
pub(super) const UNFINISHED: &str = "run.json.new";
const FORMAT: u32 = 1;

/// How far a run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    /// It goes on, or was killed.
    Running,
    /// It reached its end.
    Finished,
    /// The user, or an error, stopped it before.
    Stopped,
}

/// What a results folder says about its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this folder's layout.
    pub format: u32,
    /// Program and version that wrote it.
    pub program: String,
    /// Title of the scene.
    pub title: String,
    /// The scene file, relative to `scene/`.
    pub scene: PathBuf,
    /// Values that the command line set (`key=value`).
    pub overrides: Vec<String>,
    /// Checksums of the scene file and of all files that it names, by their paths relative to `scene/`.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// What was set when the run was resumed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// 2 or 3.
    pub dimension: u32,
    /// Time step [s].
    pub time_step: f64,
    /// End of the run [s].
    pub end: f64,
    /// Number of bodies.
    pub bodies: u64,
    /// How far it came.
    pub status: Progress,
    /// Quality of the run, written at its end.
    #[serde(default)]
    pub summary: serde_json::Value,
}

/// What was set (`key=value`) when a run was resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The step that it had done.
    pub step: u64,
    /// Values.
    pub set: Vec<String>,
}

impl Manifest {
    /// Keys and values that the command lines have set, in order: of the start, and of all that resumed it.
    pub fn set(&self) -> Vec<(String, String)> {
        let all = self.overrides.iter().chain(self.changes.iter().flat_map(|change| &change.set));
        all.filter_map(|o| o.split_once('=')).map(|(key, value)| (key.to_string(), value.to_string())).collect()
    }

    /// The layout that this program writes, and its name.
    pub(super) fn marks() -> (u32, String) {
        (FORMAT, format!("cairn {}", env!("CARGO_PKG_VERSION")))
    }

    /// Reads the manifest in `dir`.
    pub fn read(dir: &Path) -> Result<Self> {
        let path = dir.join(FILE);
        let bytes = fs::read(&path).map_err(at("read", &path))?;
        let manifest: Self = serde_json::from_slice(&bytes)
            .map_err(|e| Error::Manifest { path: path.clone(), message: format!("damaged: {e}") })?;
        if manifest.format != FORMAT {
            let message = format!("results in format {}, this program reads {FORMAT}", manifest.format);
            return Err(Error::Manifest { path, message });
        }
        // A folder that somebody sent must not make this program read other files.
        let names = manifest.files.keys().map(Path::new).chain([manifest.scene.as_path()]);
        if let Some(outside) = names.into_iter().find(|name| !is_inside(name)) {
            let message = format!("names {} outside of its folder", outside.display());
            return Err(Error::Manifest { path, message });
        }
        Ok(manifest)
    }

    /// Writes it, whole or not at all.
    pub(super) fn write(&self, dir: &Path) -> Result<()> {
        self.prepare(dir)?;
        Self::publish(dir)
    }

    /// Writes it under its unfinished name: from now on the folder is that of a run.
    pub(super) fn prepare(&self, dir: &Path) -> Result<()> {
        let unfinished = dir.join(UNFINISHED);
        let mut text = serde_json::to_vec_pretty(self)
            .map_err(|e| Error::Manifest { path: unfinished.clone(), message: e.to_string() })?;
        text.push(b'\n');
        let mut file = File::create(&unfinished).map_err(at("write", &unfinished))?;
        // A rename may reach the disk before what it names.
        file.write_all(&text).and_then(|()| file.sync_all()).map_err(at("write", &unfinished))
    }

    /// Gives what was prepared its name: from now on the run can be resumed.
    pub(super) fn publish(dir: &Path) -> Result<()> {
        let path = dir.join(FILE);
        fs::rename(dir.join(UNFINISHED), &path).map_err(at("write", &path))?;
        checkpoint::sync_folder(dir);
        Ok(())
    }
}

/// Does a path stay in the folder that it is relative to?
fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_that_names_files_elsewhere_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let text = |scene: &str, file: &str| {
            format!(
                r#"{{"format": 1, "program": "cairn", "title": "", "scene": "{scene}", "overrides": [], "files": {{"{file}": ""}},
                    "dimension": 2, "time_step": 1, "end": 1, "bodies": 1, "status": "finished"}}"#
            )
        };
        for (scene, file, good) in
            [("a.toml", "b/c.csv", true), ("../a.toml", "b", false), ("/a.toml", "b", false), ("a", "b/../../c", false)]
        {
            fs::write(dir.path().join(FILE), text(scene, file)).unwrap();
            let read = Manifest::read(dir.path());
            assert_eq!(read.is_ok(), good, "{scene} {file}: {read:?}");
            assert!(read.is_ok() || read.unwrap_err().to_string().contains("outside of its folder"));
        }
    }
}
