//! Results of a run: written so that a kill at any moment loses nothing that a checkpoint promised, read back exactly.
//!
//! [`Results`] is all that a run needs: [`create`](Results::create) or [`resume`](Results::resume), then
//! [`append`](Results::append), [`history_row`](Results::history_row) and [`checkpoint`](Results::checkpoint) as often
//! as it likes, [`finish`](Results::finish) at the end. Pictures and plots use [`open`], [`times`], [`read_frame`] and
//! [`History::read`]. The layout of the folder is drawn in [`folder`].

pub mod checkpoint;
mod codec;
mod error;
mod fingerprint;
pub mod folder;
mod followed;
mod found;
mod frames;
mod history;
mod manifest;
#[cfg(test)]
mod testing;
mod vtkhdf;

pub use checkpoint::{Promise, Restored};
pub use codec::{Damage, decode, encode};
pub use error::{Error, Result};
pub use fingerprint::unchanged;
pub use folder::{default_dir, free_dir, open, salvage, scene_file};
pub use followed::Followed;
pub use found::{SceneFound, find_scene};
pub use frames::{Stored, read_frame, times};
pub use history::{BadLine, Column, History};
pub use manifest::{Change, Manifest, Progress};
pub use vtkhdf::vtk_cells;

use crate::scene::Scene;
use crate::space::{Ambient, Space};
use crate::state::{State, block};
use frames::Frames;
use serde::Serialize;
use std::path::{Path, PathBuf};
use vtkhdf::{BodiesFile, ContactsFile, MeshesFile};

/// What a run says about itself when its folder is made.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The scene file.
    pub scene_file: PathBuf,
    /// Files that the scene names: tables, meshes.
    pub sources: Vec<PathBuf>,
    /// Values set on the command line (`key=value`).
    pub overrides: Vec<String>,
    /// Columns of the history, after `step` and `time [s]`.
    pub columns: Vec<Column>,
}

/// The results folder of a run in progress.
#[derive(Debug)]
pub struct Results<const D: usize>
where
    Space<D>: Ambient<D>,
{
    dir: PathBuf,
    manifest: Manifest,
    frames: Frames<D>,
    paraview: Option<ForParaView<D>>,
    history: history::Writer,
    _lock: folder::Lock,
}

impl<const D: usize> Results<D>
where
    Space<D>: Ambient<D>,
{
    /// A new folder at `dir`. One that holds a run is refused unless `overwrite`. A run that is killed
    /// before its first checkpoint begins again when it is resumed.
    pub fn create(dir: &Path, overwrite: bool, scene: &Scene<D>, run: &Run) -> Result<Self> {
        let files = folder::SceneFiles::find(&run.scene_file, &run.sources)?;
        if overwrite {
            files.keep_out_of(dir)?;
        }
        let lock = folder::prepare(dir, overwrite)?;
        let (format, program) = Manifest::marks();
        let manifest = Manifest {
            format,
            program,
            title: scene.title.clone(),
            scene: files.scene.clone(),
            overrides: run.overrides.clone(),
            files: files.fingerprints()?,
            changes: Vec::new(),
            dimension: D as u32,
            time_step: scene.time.step,
            end: scene.time.end,
            bodies: scene.bodies.len() as u64,
            status: Progress::Running,
            summary: serde_json::Value::Null,
        };
        manifest.prepare(dir)?;
        files.copy(dir)?;
        Manifest::publish(dir)?;
        Self::without_states(dir, manifest, scene, &run.columns, lock)
    }

    /// The files of a run at its start.
    fn without_states(
        dir: &Path,
        manifest: Manifest,
        scene: &Scene<D>,
        columns: &[Column],
        lock: folder::Lock,
    ) -> Result<Self> {
        Ok(Self {
            dir: dir.to_path_buf(),
            manifest,
            frames: Frames::create(dir)?,
            paraview: ForParaView::create(dir, scene)?,
            history: history::Writer::create(dir, columns)?,
            _lock: lock,
        })
    }

    /// The folder of a finished, stopped or killed run, and the state to go on from; none if the run was killed before its
    /// first checkpoint and has to begin again. All that was written after that state is removed, so that the files become
    /// those of a run that was never interrupted.
    ///
    /// `set` are the values that this scene has been given beyond those that the run had (`key=value`): they are recorded.
    pub fn resume(
        dir: &Path,
        scene: &Scene<D>,
        columns: &[Column],
        set: &[String],
    ) -> Result<(Self, Option<Restored<D>>)> {
        if folder::never_began(dir) {
            let mut manifest = Manifest::read(dir)?;
            manifest.overrides.extend_from_slice(set);
            manifest.write(dir)?;
            let lock = folder::Lock::take(dir)?;
            return Ok((Self::without_states(dir, manifest, scene, columns, lock)?, None));
        }
        let mut manifest = folder::open(dir)?;
        let lock = folder::Lock::take(dir)?;
        let mut restored = checkpoint::load(dir, Some(&block::layouts(scene)))?;
        let step = restored.state.step;
        let mut frames = Frames::resume(dir, step, &restored.promise)?;
        let paraview = reopen_or_rebuild(dir, scene, &mut frames)?;
        let history = history::Writer::resume(dir, columns, step)?;
        if history.len() < restored.promise.rows {
            let lost = restored.promise.rows - history.len();
            let path = dir.join(history::FILE);
            restored.warnings.push(format!("{}: {lost} rows up to step {step} are missing or damaged", path.display()));
        }
        (manifest.status, manifest.summary) = (Progress::Running, serde_json::Value::Null);
        (manifest.time_step, manifest.end) = (scene.time.step, scene.time.end);
        if !set.is_empty() {
            manifest.changes.push(Change { step, set: set.to_vec() });
        }
        manifest.write(dir)?;
        let results = Self { dir: dir.to_path_buf(), manifest, frames, paraview, history, _lock: lock };
        Ok((results, Some(restored)))
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Stores the state, unless its step is stored already (the first one after resuming).
    pub fn append(&mut self, scene: &Scene<D>, state: &State<D>) -> Result<()> {
        if self.frames.last_step().is_some_and(|last| last >= state.step) {
            return Ok(());
        }
        self.frames.append(state)?;
        self.paraview.as_mut().map_or(Ok(()), |files| files.append(scene, state))
    }

    /// Adds a row to the history, unless it has one for this step; `values` in the order of the columns.
    pub fn history_row(&mut self, step: u64, time: f64, values: &[f64]) -> Result<()> {
        self.history.row(step, time, values)
    }

    /// Saves the state to resume from. All that was stored before is made durable first.
    pub fn checkpoint(&mut self, state: &State<D>) -> Result<()> {
        self.frames.sync()?;
        self.history.sync()?;
        let (states, bytes, rows) = (self.frames.len() as u64, self.frames.bytes(), self.history.len());
        checkpoint::save(&self.dir, state, Promise { states, bytes, rows })
    }

    /// Closes the folder with a last word on the quality of the run.
    pub fn finish(mut self, status: Progress, summary: &impl Serialize) -> Result<()> {
        self.manifest.status = status;
        self.manifest.summary = serde_json::to_value(summary)
            .map_err(|e| Error::Manifest { path: self.dir.join(manifest::FILE), message: e.to_string() })?;
        self.manifest.write(&self.dir)
    }
}

/// The VTKHDF files.
#[derive(Debug)]
struct ForParaView<const D: usize> {
    bodies: BodiesFile<D>,
    contacts: ContactsFile,
    meshes: Option<MeshesFile>,
}

impl<const D: usize> ForParaView<D>
where
    Space<D>: Ambient<D>,
{
    /// New files, if the scene wants them.
    fn create(dir: &Path, scene: &Scene<D>) -> Result<Option<Self>> {
        if !scene.output.paraview {
            return Ok(None);
        }
        let (bodies, contacts) = (BodiesFile::create(dir, scene)?, ContactsFile::create(dir, scene)?);
        Ok(Some(Self { bodies, contacts, meshes: MeshesFile::create(dir, scene)? }))
    }

    fn append(&mut self, scene: &Scene<D>, state: &State<D>) -> Result<()> {
        self.bodies.append(scene, state)?;
        self.contacts.append(state)?;
        self.meshes.as_mut().map_or(Ok(()), |meshes| meshes.append(scene, state))
    }
}

/// The VTKHDF files as they are if they hold exactly the stored states, or else written anew from these.
fn reopen_or_rebuild<const D: usize>(
    dir: &Path,
    scene: &Scene<D>,
    frames: &mut Frames<D>,
) -> Result<Option<ForParaView<D>>>
where
    Space<D>: Ambient<D>,
{
    if !scene.output.paraview {
        return Ok(None);
    }
    let bodies = BodiesFile::closed(dir, scene, frames.len());
    let contacts = ContactsFile::closed(dir, scene, &frames.contacts());
    let meshes = MeshesFile::closed(dir, scene, frames.len());
    let times = frames.times();
    if bodies.holds(&times) && contacts.holds(&times) && meshes.as_ref().is_none_or(|m| m.holds(&times)) {
        return Ok(Some(ForParaView { bodies, contacts, meshes }));
    }
    // What is there may be all that is left: it is replaced by states that can be read.
    for k in 0..frames.len() {
        frames.read(k)?;
    }
    let mut files = ForParaView::create(dir, scene)?;
    for k in 0..frames.len() {
        let state = frames.read(k)?;
        files.as_mut().map_or(Ok(()), |files| files.append(scene, &state))?;
    }
    Ok(files)
}

#[cfg(test)]
mod tests;
