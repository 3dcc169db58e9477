//! `run.json`: what was run, and how it went. No dates, no machine: the same run gives the same file.

use super::error::{Error, Result, at};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

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

impl Manifest {
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
        fs::write(&unfinished, text).map_err(at("write", &unfinished))
    }

    /// Gives what was prepared its name: from now on the run can be resumed.
    pub(super) fn publish(dir: &Path) -> Result<()> {
        let path = dir.join(FILE);
        fs::rename(dir.join(UNFINISHED), &path).map_err(at("write", &path))
    }
}
