//! What is shown: a results folder, finished, growing or damaged; or the start of a scene.
//!
//! Whatever cannot be read becomes a sentence in [`Timeline::problems`], and the rest is shown.

use crate::bundle::Bundle;
use crate::frame::{self, Wanted};
use crate::model;
use crate::outline::Outline;
use crate::skin::Skin;
use cairn::contact::{Reaction, Status};
use cairn::measure::folded;
use cairn::output::{self, Followed, History, Manifest, Progress};
use cairn::scene::{self, AnyScene, Scene, SceneErrors};
use cairn::space::{Ambient, Space, Vect};
use cairn::state::{State, block};
use cairn::step;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// Why nothing can be shown.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The scene file is wrong.
    #[error(transparent)]
    Scene(#[from] Box<SceneErrors>),
    /// There is no scene in the folder.
    #[error("{} cannot be shown: {why}", path.display())]
    Nothing {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        why: String,
    },
}

/// A run or a scene that is shown.
#[derive(Debug)]
pub struct Source {
    /// The results folder, if there is one.
    dir: Option<PathBuf>,
    /// What was wrong when it was opened.
    problems: Vec<String>,
    shown: Shown,
}

#[derive(Debug)]
enum Shown {
    Plane(Box<Opened<2>>),
    Solid(Box<Opened<3>>),
}

/// The times of a run and how it goes on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Timeline {
    /// Times of the states [s].
    pub times: Vec<f64>,
    /// `running`, `finished`, `stopped` or `scene` (its start, nothing was run).
    pub status: &'static str,
    /// What is missing or damaged.
    pub problems: Vec<String>,
}

impl Source {
    /// Opens a results folder, or a scene file: then its results if they are where `cairn run` puts them, else its
    /// start.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        if path.is_dir() {
            return Self::folder(path);
        }
        let results = output::default_dir(path);
        if path.exists() && results.is_dir() {
            return Self::folder(&results);
        }
        let loaded = scene::read(path, &[]).map_err(Box::new)?;
        Ok(Self { dir: None, problems: Vec::new(), shown: Shown::of(loaded.scene, None) })
    }

    fn folder(dir: &Path) -> Result<Self, SourceError> {
        let why = "it holds neither a readable run.json nor a scene in scene/; is it a results folder?".to_string();
        let nothing = || SourceError::Nothing { path: dir.to_path_buf(), why };
        let found = output::find_scene(dir).ok_or_else(nothing)?;
        let scene = scene::read(&found.file, &found.overrides).map_err(Box::new)?.scene;
        let problems = found.problem.into_iter().collect();
        Ok(Self { dir: Some(dir.to_path_buf()), problems, shown: Shown::of(scene, Some(dir)) })
    }

    /// The folder that is shown, if it is one.
    pub fn dir(&self) -> Option<&Path> {
        self.dir.as_deref()
    }

    /// Names of the nodal fields.
    pub fn nodal_fields(&self) -> Vec<String> {
        let skin = match &self.shown {
            Shown::Plane(opened) => &opened.skin,
            Shown::Solid(opened) => &opened.skin,
        };
        skin.fields.iter().map(|f| f.name.clone()).collect()
    }

    /// What does not change.
    pub fn model(&self) -> Vec<u8> {
        let mut bundle = match &self.shown {
            Shown::Plane(opened) => opened.model(),
            Shown::Solid(opened) => opened.model(),
        };
        let name = self.dir.as_ref().and_then(|d| d.file_name()).map(|n| n.to_string_lossy().into_owned());
        bundle.set("folder", name);
        bundle.finish()
    }

    /// Times and status as they are now.
    pub fn timeline(&self) -> Timeline {
        let mut problems = self.problems.clone();
        let manifest = self.dir.as_deref().and_then(|dir| Manifest::read(dir).ok());
        let status = match manifest.map(|m| m.status) {
            _ if self.dir.is_none() => "scene",
            Some(Progress::Running) => "running",
            Some(Progress::Finished) => "finished",
            Some(Progress::Stopped) | None => "stopped",
        };
        let (times, problem) = match &self.shown {
            Shown::Plane(opened) => opened.times(self.dir.as_deref()),
            Shown::Solid(opened) => opened.times(self.dir.as_deref()),
        };
        // While a run writes, a state that is not whole yet is no damage.
        problems.extend(problem.filter(|p| !(status == "running" && p.contains("is unfinished"))));
        if let Some(Err(error)) = self.dir.as_deref().map(History::read) {
            problems.push(error.to_string());
        }
        Timeline { times, status, problems }
    }

    /// Motions in state `k`; the error is a sentence for the user.
    pub fn motions(&self, k: usize, wanted: &Wanted) -> Result<Vec<u8>, String> {
        match &self.shown {
            Shown::Plane(o) => o.frame(k).map(|f| frame::motions(&o.scene, &o.skin, &folded(&o.scene, &f), wanted)),
            Shown::Solid(o) => o.frame(k).map(|f| frame::motions(&o.scene, &o.skin, &folded(&o.scene, &f), wanted)),
        }
    }

    /// Contacts in state `k`; the error is a sentence for the user.
    pub fn contacts(&self, k: usize) -> Result<Vec<u8>, String> {
        match &self.shown {
            Shown::Plane(o) => {
                o.frame(k).map(|f| frame::contacts(&o.scene, &folded(&o.scene, &f), model::origin(&o.outline)))
            }
            Shown::Solid(o) => {
                o.frame(k).map(|f| frame::contacts(&o.scene, &folded(&o.scene, &f), model::origin(&o.outline)))
            }
        }
    }

    /// The history, one array a column; without columns if there is none.
    pub fn history(&self) -> Vec<u8> {
        let mut bundle = Bundle::new();
        let history = self.dir.as_deref().and_then(|dir| History::read(dir).ok());
        let (columns, rows, damaged) = history.map_or_else(Default::default, |h| (h.columns, h.rows, h.damaged));
        let titles: Vec<_> = columns.iter().map(|c| serde_json::json!({ "name": c.name, "unit": c.unit })).collect();
        let damaged: Vec<String> =
            damaged.iter().take(20).map(|b| format!("history.csv, line {}: {}", b.line, b.problem)).collect();
        bundle.set("columns", titles).set("problems", damaged);
        for k in 0..columns.len() {
            bundle.array(&format!("column.{k}"), 1, rows.iter().map(|row| row[k]));
        }
        bundle.finish()
    }
}

impl Shown {
    fn of(scene: AnyScene, dir: Option<&Path>) -> Self {
        match scene {
            AnyScene::Plane(scene) => Self::Plane(Box::new(Opened::new(scene, dir))),
            AnyScene::Solid(scene) => Self::Solid(Box::new(Opened::new(scene, dir))),
        }
    }
}

/// A scene with its states.
#[derive(Debug)]
struct Opened<const D: usize>
where
    Space<D>: Ambient<D>,
{
    scene: Scene<D>,
    outline: Outline,
    skin: Skin,
    stored: Mutex<Option<Followed<D>>>,
}

impl<const D: usize> Opened<D>
where
    Space<D>: Ambient<D>,
{
    fn new(scene: Scene<D>, dir: Option<&Path>) -> Self {
        let (outline, skin) = (Outline::of(&scene), Skin::of(&scene));
        Self { stored: Mutex::new(dir.and_then(|dir| Followed::open(dir).ok())), scene, outline, skin }
    }

    fn model(&self) -> Bundle {
        model::model(&self.scene, &self.outline, &self.skin)
    }

    /// Times of the states, and what is wrong; the start alone if no state is stored.
    fn times(&self, dir: Option<&Path>) -> (Vec<f64>, Option<String>) {
        let Some(dir) = dir else { return (vec![0.0], None) };
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        let refreshed = match stored.as_mut() {
            Some(states) => states.refresh(),
            None => Followed::open(dir).map(|states| *stored = Some(states)),
        };
        let start = |problem: String| (vec![0.0], Some(format!("{problem}; the start of the scene is shown")));
        match (refreshed, stored.as_ref()) {
            (Ok(()), Some(states)) if states.times().is_empty() => {
                start(states.damage().unwrap_or("no state is stored yet").to_string())
            }
            (Ok(()), Some(states)) => (states.times(), states.damage().map(str::to_string)),
            (Err(error), _) => start(error.to_string()),
            (Ok(()), None) => start("no state is stored".to_string()),
        }
    }

    fn frame(&self, k: usize) -> Result<State<D>, String> {
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        let frame = match stored.as_mut().filter(|s| !s.times().is_empty()) {
            Some(states) => states.read(k).map_err(|e| format!("state {}: {e}", k + 1))?,
            None => start(&self.scene),
        };
        match block::difference(&frame.blocks, &block::layouts(&self.scene)) {
            Some(difference) => Err(format!("state {} holds other bodies than the scene: {difference}", k + 1)),
            None => Ok(frame),
        }
    }
}

/// The start of a scene, with the contacts of its first step, which no force acts at yet.
pub fn start<const D: usize>(scene: &Scene<D>) -> State<D>
where
    Space<D>: Ambient<D>,
{
    let silent = |contact| Reaction::new(contact, Vect::zeros(), Vect::zeros(), Status::Open);
    let reactions = step::contacts_at_start(scene).into_iter().map(silent).collect();
    State { reactions, ..State::start(scene) }
}
