//! Checkpoints: the whole state, so that a resumed run has the identical future.
//!
//! A new checkpoint is written beside the old one, made durable, and only then renamed into place; the old one stays as
//! `checkpoint.previous`. Whenever a run is killed, at least one of the two is whole.

use super::codec::{self, Damage};
use super::error::{Error, Result, at};
use crate::space::{Ambient, Space};
use crate::state::State;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

const NEWEST: &str = "checkpoint";
const PREVIOUS: &str = "checkpoint.previous";
const UNFINISHED: &str = "checkpoint.new";

/// Files that belong to checkpoints.
pub(super) const FILES: [&str; 3] = [NEWEST, PREVIOUS, UNFINISHED];

/// A checkpoint read back.
#[derive(Clone, Debug, PartialEq)]
pub struct Restored<const D: usize>
where
    Space<D>: Ambient<D>,
{
    /// The state.
    pub state: State<D>,
    /// Why the newest checkpoint could not be used, if it is the previous one.
    pub warning: Option<String>,
}

/// Saves the state in `dir`.
pub fn save<const D: usize>(dir: &Path, state: &State<D>) -> Result<()>
where
    Space<D>: Ambient<D>,
{
    let (newest, previous, unfinished) = (dir.join(NEWEST), dir.join(PREVIOUS), dir.join(UNFINISHED));
    let mut file = File::create(&unfinished).map_err(at("create", &unfinished))?;
    file.write_all(&codec::encode(state)).map_err(at("write", &unfinished))?;
    file.sync_all().map_err(at("write", &unfinished))?;
    if newest.exists() {
        fs::rename(&newest, &previous).map_err(at("rename", &newest))?;
    }
    fs::rename(&unfinished, &newest).map_err(at("rename", &unfinished))?;
    sync_folder(dir);
    Ok(())
}

/// Makes renames durable. Not every file system can; a run is not worse off without.
fn sync_folder(dir: &Path) {
    if let Ok(folder) = File::open(dir) {
        let _ = folder.sync_all();
    }
}

/// Has a checkpoint ever been saved in `dir`?
pub(super) fn exists(dir: &Path) -> bool {
    [NEWEST, PREVIOUS].iter().any(|file| dir.join(file).exists())
}

/// Loads the newest whole checkpoint in `dir`, of a scene with `bodies` bodies.
pub fn load<const D: usize>(dir: &Path, bodies: usize) -> Result<Restored<D>>
where
    Space<D>: Ambient<D>,
{
    let newest = match load_file(&dir.join(NEWEST), bodies) {
        Ok(state) => return Ok(Restored { state, warning: None }),
        // The previous one would not fit either: it comes from the same scene.
        Err(e @ Error::State { damage: Damage::OtherDimension { .. } | Damage::OtherBodies { .. }, .. }) => {
            return Err(e);
        }
        Err(e) => e,
    };
    match load_file(&dir.join(PREVIOUS), bodies) {
        Ok(state) => {
            let warning = Some(format!("{newest}; using the previous checkpoint, at t = {} s", state.time));
            Ok(Restored { state, warning })
        }
        Err(previous) => Err(Error::NoCheckpoint {
            dir: dir.to_path_buf(),
            newest: newest.to_string(),
            previous: previous.to_string(),
        }),
    }
}

fn load_file<const D: usize>(path: &Path, bodies: usize) -> Result<State<D>>
where
    Space<D>: Ambient<D>,
{
    let bytes = fs::read(path).map_err(at("read", path))?;
    codec::decode(&bytes, Some(bodies)).map_err(|damage| Error::State { path: path.to_path_buf(), damage })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::testing::solid_state;

    fn two_checkpoints() -> (tempfile::TempDir, State<3>, State<3>) {
        let dir = tempfile::tempdir().unwrap();
        let (first, second) = (solid_state(1), solid_state(2));
        save(dir.path(), &first).unwrap();
        save(dir.path(), &second).unwrap();
        (dir, first, second)
    }

    #[test]
    fn the_newest_comes_back() {
        let (dir, first, second) = two_checkpoints();
        let back = load::<3>(dir.path(), first.motions.len()).unwrap();
        assert_eq!(back, Restored { state: second, warning: None });
    }

    #[test]
    fn a_damaged_one_falls_back_with_a_warning() {
        let (dir, first, _) = two_checkpoints();
        let path = dir.path().join(NEWEST);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let back = load::<3>(dir.path(), first.motions.len()).unwrap();
        assert_eq!(back.state, first);
        assert!(back.warning.unwrap().contains("previous checkpoint"));
    }

    #[test]
    fn killed_between_the_renames() {
        let (dir, first, _) = two_checkpoints();
        fs::remove_file(dir.path().join(NEWEST)).unwrap();
        fs::write(dir.path().join(UNFINISHED), b"half").unwrap();
        assert_eq!(load::<3>(dir.path(), first.motions.len()).unwrap().state, first);
    }

    #[test]
    fn another_scene_is_told_apart() {
        let (dir, first, _) = two_checkpoints();
        let error = load::<3>(dir.path(), first.motions.len() + 1).unwrap_err();
        assert!(matches!(error, Error::State { damage: Damage::OtherBodies { .. }, .. }), "{error}");
        let error = load::<2>(dir.path(), first.motions.len()).unwrap_err();
        assert!(matches!(error, Error::State { damage: Damage::OtherDimension { .. }, .. }), "{error}");
    }

    #[test]
    fn nothing_there() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(load::<3>(dir.path(), 1), Err(Error::NoCheckpoint { .. })));
        assert!(matches!(save(&dir.path().join("missing"), &solid_state(1)), Err(Error::Io { .. })));
    }
}
