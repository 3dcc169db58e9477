//! Checkpoints: the whole state, so that a resumed run has the identical future.
//!
//! A new checkpoint is written beside the old one, made durable, and only then renamed into place; the old one stays as
//! `checkpoint.previous`. Whenever a run is killed, at least one of the two is whole.
//!
//! After the state stands what had been stored before it: whoever resumes can tell states that were lost from states that never were.

use super::codec::{self, Damage};
use super::error::{Error, Result, at};
use crate::space::{Ambient, Space};
use crate::state::State;
use crate::state::block::Layout;
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
    /// What had been stored when it was saved.
    pub promise: Promise,
    /// What is wrong with the folder, in words: a newest checkpoint that could not be used, a hole in the history.
    pub warnings: Vec<String>,
}

/// What a checkpoint promises to be on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Promise {
    /// Stored states, and their bytes.
    pub states: u64,
    /// Bytes of the states.
    pub bytes: u64,
    /// Rows of the history.
    pub rows: u64,
}

impl Promise {
    /// Bytes of a promise with its checksum.
    const LENGTH: usize = 32;

    fn encode(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = [self.states, self.bytes, self.rows].iter().flat_map(|n| n.to_le_bytes()).collect();
        bytes.extend(codec::checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Nothing if it is damaged.
    fn decode(bytes: &[u8]) -> Option<Self> {
        let words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect::<Vec<_>>();
        let [states, length, rows, sum] = words[..] else { return None };
        (codec::checksum(&bytes[..24]) == sum).then_some(Self { states, bytes: length, rows })
    }
}

/// Saves the state in `dir`, with what has been stored before it.
pub fn save<const D: usize>(dir: &Path, state: &State<D>, promise: Promise) -> Result<()>
where
    Space<D>: Ambient<D>,
{
    let (newest, previous, unfinished) = (dir.join(NEWEST), dir.join(PREVIOUS), dir.join(UNFINISHED));
    let mut file = File::create(&unfinished).map_err(at("create", &unfinished))?;
    file.write_all(&codec::encode(state)).map_err(at("write", &unfinished))?;
    file.write_all(&promise.encode()).map_err(at("write", &unfinished))?;
    file.sync_all().map_err(at("write", &unfinished))?;
    if newest.exists() {
        fs::rename(&newest, &previous).map_err(at("rename", &newest))?;
    }
    fs::rename(&unfinished, &newest).map_err(at("rename", &unfinished))?;
    sync_folder(dir);
    Ok(())
}

/// Makes renames durable. Not every file system can; a run is not worse off without.
pub(super) fn sync_folder(dir: &Path) {
    if let Ok(folder) = File::open(dir) {
        let _ = folder.sync_all();
    }
}

/// Has a checkpoint ever been saved in `dir`?
pub(super) fn exists(dir: &Path) -> bool {
    [NEWEST, PREVIOUS].iter().any(|file| dir.join(file).exists())
}

/// Loads the newest whole checkpoint in `dir`, of a scene whose blocks are `expected`, if these are known.
pub fn load<const D: usize>(dir: &Path, expected: Option<&[Layout]>) -> Result<Restored<D>>
where
    Space<D>: Ambient<D>,
{
    let newest = match load_file(&dir.join(NEWEST), expected) {
        Ok((state, promise)) => return Ok(Restored { state, promise, warnings: Vec::new() }),
        // The previous one would not fit either: it comes from the same scene.
        Err(e @ Error::State { damage: Damage::OtherDimension { .. } | Damage::OtherBodies { .. }, .. }) => {
            return Err(e);
        }
        Err(e) => e,
    };
    match load_file(&dir.join(PREVIOUS), expected) {
        Ok((state, promise)) => {
            let warnings = vec![format!("{newest}; using the previous checkpoint, at t = {} s", state.time)];
            Ok(Restored { state, promise, warnings })
        }
        Err(previous) => Err(Error::NoCheckpoint {
            dir: dir.to_path_buf(),
            newest: newest.to_string(),
            previous: previous.to_string(),
        }),
    }
}

fn load_file<const D: usize>(path: &Path, expected: Option<&[Layout]>) -> Result<(State<D>, Promise)>
where
    Space<D>: Ambient<D>,
{
    let bytes = fs::read(path).map_err(at("read", path))?;
    let damaged = |damage| Error::State { path: path.to_path_buf(), damage };
    let length = codec::Header::decode(&bytes, D as u32).map_err(damaged)?.bytes as usize;
    // Without a promise it was saved by an earlier version, or it was waived.
    let (state, promise) = match bytes.len().checked_sub(length) {
        Some(Promise::LENGTH) => bytes.split_at(length),
        _ => (&bytes[..], &[][..]),
    };
    let kept = if promise.is_empty() { Some(Promise::default()) } else { Promise::decode(promise) };
    let state = codec::decode(state, expected).map_err(damaged)?;
    Ok((state, kept.ok_or(damaged(Damage::Checksum))?))
}

/// Takes back what the checkpoints in `dir` promise: what is lost is known, and the run goes on without it.
pub(super) fn waive<const D: usize>(dir: &Path) -> Result<()>
where
    Space<D>: Ambient<D>,
{
    let restored = load::<D>(dir, None)?;
    save(dir, &restored.state, Promise::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::testing::solid_state;

    const PROMISE: Promise = Promise { states: 3, bytes: 1234, rows: 17 };

    fn two_checkpoints() -> (tempfile::TempDir, State<3>, State<3>) {
        let dir = tempfile::tempdir().unwrap();
        let (first, second) = (solid_state(1), solid_state(2));
        save(dir.path(), &first, Promise::default()).unwrap();
        save(dir.path(), &second, PROMISE).unwrap();
        (dir, first, second)
    }

    #[test]
    fn the_newest_comes_back() {
        let (dir, first, second) = two_checkpoints();
        let back = load::<3>(dir.path(), Some(&first.blocks)).unwrap();
        assert_eq!(back, Restored { state: second, promise: PROMISE, warnings: vec![] });
    }

    #[test]
    fn a_damaged_one_falls_back_with_a_warning() {
        let (dir, first, _) = two_checkpoints();
        let path = dir.path().join(NEWEST);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let back = load::<3>(dir.path(), Some(&first.blocks)).unwrap();
        assert_eq!((back.state, back.promise), (first.clone(), Promise::default()));
        // A byte of the promise counts as well.
        let mut bytes = bytes;
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert_eq!(load::<3>(dir.path(), Some(&first.blocks)).unwrap().state, first);
        assert!(back.warnings[0].contains("previous checkpoint"));
    }

    #[test]
    fn killed_between_the_renames() {
        let (dir, first, _) = two_checkpoints();
        fs::remove_file(dir.path().join(NEWEST)).unwrap();
        fs::write(dir.path().join(UNFINISHED), b"half").unwrap();
        assert_eq!(load::<3>(dir.path(), Some(&first.blocks)).unwrap().state, first);
    }

    #[test]
    fn another_scene_is_told_apart() {
        let (dir, first, _) = two_checkpoints();
        let error = load::<3>(dir.path(), Some(&first.blocks[1..])).unwrap_err();
        assert!(matches!(error, Error::State { damage: Damage::OtherBodies { .. }, .. }), "{error}");
        let error = load::<2>(dir.path(), None).unwrap_err();
        assert!(matches!(error, Error::State { damage: Damage::OtherDimension { .. }, .. }), "{error}");
    }

    #[test]
    fn nothing_there() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(load::<3>(dir.path(), None), Err(Error::NoCheckpoint { .. })));
        assert!(matches!(save(&dir.path().join("missing"), &solid_state(1), PROMISE), Err(Error::Io { .. })));
    }
}
