//! The results folder: who may write to it, what it is called, what must be in it.
//!
//! ```text
//! arch.results/
//!   run.json         what was run, and how it went
//!   scene/           the scene file and all files that it names, as they were
//!   bodies.vtkhdf    for ParaView: bodies in time            contacts.vtkhdf   contacts in time, with forces
//!   history.csv      energies, residuals, resultants …       states.cairn      the same states, exact, for `cairn` itself
//!   checkpoint, checkpoint.previous                          lock              held while a run writes
//! ```

use super::error::{Error, Result, at};
use super::frames::Frames;
use super::manifest::{self, Manifest, Progress};
use super::{checkpoint, fingerprint, frames, history, vtkhdf};
use crate::space::{Ambient, Space};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

const LOCK: &str = "lock";
pub(super) const SCENE: &str = "scene";

/// Where the results of a scene file go if nobody says otherwise: `wall.toml` → `wall.results` and `arch/scene.toml` →
/// `arch.results`, in the current folder.
pub fn default_dir(scene_file: &Path) -> PathBuf {
    let stem = scene_file.file_stem().unwrap_or_default();
    let folder = scene_file.parent().and_then(Path::file_name);
    let name = if stem == "scene" { folder.unwrap_or(stem) } else { stem };
    PathBuf::from(format!("{}.results", name.to_string_lossy()))
}

/// `dir` itself if nothing is there, or else the first free one of `arch-2.results`, `arch-3.results` …
pub fn free_dir(dir: &Path) -> PathBuf {
    let extension = dir.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
    let stem = dir.file_stem().map_or("run".into(), |s| s.to_string_lossy().into_owned());
    let numbered = (2..).map(|n| dir.with_file_name(format!("{stem}-{n}{extension}")));
    std::iter::once(dir.to_path_buf()).chain(numbered).find(|d| !d.exists()).unwrap_or_else(|| dir.to_path_buf())
}

/// The scene file inside a results folder.
pub fn scene_file(dir: &Path) -> Result<PathBuf> {
    let file = dir.join(SCENE).join(open(dir)?.scene);
    if file.exists() { Ok(file) } else { Err(Error::Incomplete { dir: dir.into(), missing: "the scene in scene/" }) }
}

/// Checks that `dir` holds a run and reads its manifest.
pub fn open(dir: &Path) -> Result<Manifest> {
    let missing = |missing| Err(Error::Incomplete { dir: dir.to_path_buf(), missing });
    if dir.is_file() {
        return Err(Error::File { path: dir.to_path_buf() });
    }
    if !dir.is_dir() {
        return missing("the folder itself");
    }
    for file in [manifest::FILE, frames::FILE, history::FILE] {
        if !dir.join(file).exists() && !never_began(dir) {
            return missing(file);
        }
    }
    Manifest::read(dir)
}

/// Was the run in `dir` killed before its first checkpoint? Then it can begin again without losing anything: at most its
/// first state has been stored.
pub(super) fn never_began(dir: &Path) -> bool {
    let Ok(manifest) = Manifest::read(dir) else { return false };
    let stored = match manifest.dimension {
        2 => Frames::<2>::open(dir).map(|frames| frames.len()),
        _ => Frames::<3>::open(dir).map(|frames| frames.len()),
    };
    // More rows than that of the start tell of states that were there once.
    let rows = history::History::read(dir).map_or(0, |history| history.rows.len());
    manifest.status == Progress::Running && !checkpoint::exists(dir) && stored.unwrap_or(0) <= 1 && rows <= 1
}

/// Copies all that a run has written into a new folder inside `dir`, and lets it go on with what is left; the folder.
pub fn salvage<const D: usize>(dir: &Path) -> Result<PathBuf>
where
    Space<D>: Ambient<D>,
{
    open(dir)?;
    let _lock = Lock::take(dir)?;
    let aside = free_dir(&dir.join("salvaged"));
    fs::create_dir(&aside).map_err(at("create", &aside))?;
    for file in written().filter(|file| dir.join(file).exists()) {
        let to = aside.join(file);
        fs::copy(dir.join(file), &to).map_err(at("write", &to))?;
    }
    checkpoint::waive::<D>(dir)?;
    Ok(aside)
}

/// Files that a run writes.
fn written() -> impl Iterator<Item = &'static str> {
    let first = [manifest::FILE, manifest::UNFINISHED, frames::FILE, history::FILE];
    first.into_iter().chain(checkpoint::FILES).chain(vtkhdf::FILES)
}

/// Makes `dir` ready for a new run and locks it. Refuses a folder with results unless `overwrite`, and any folder that
/// holds something else.
pub(super) fn prepare(dir: &Path, overwrite: bool) -> Result<Lock> {
    if dir.exists() && !dir.is_dir() {
        return Err(Error::File { path: dir.to_path_buf() });
    }
    fs::create_dir_all(dir).map_err(at("create", dir))?;
    if dir.join(manifest::FILE).exists() && !overwrite {
        return Err(Error::Exists { dir: dir.to_path_buf(), free: free_dir(dir) });
    }
    // Another run may be about to replace the one in it: what is there is judged by who has the lock.
    let early = if is_of_a_run(dir)? { Some(Lock::take(dir)?) } else { None };
    let mut entries = fs::read_dir(dir).map_err(at("read", dir))?;
    let holds_run = dir.join(manifest::FILE).exists();
    // What a run leaves that was killed before it wrote anything, or while it copied its scene.
    let begun = dir.join(manifest::UNFINISHED).exists();
    let leftover = |name: &str| name == LOCK || begun && [manifest::UNFINISHED, SCENE].contains(&name);
    let holds_other = entries.any(|e| e.map_or(true, |e| !leftover(&e.file_name().to_string_lossy())));
    let (dir_, free) = (dir.to_path_buf(), free_dir(dir));
    match (holds_run, holds_other) {
        (true, _) if !overwrite => return Err(Error::Exists { dir: dir_, free }),
        (false, true) => return Err(Error::Foreign { dir: dir_, free }),
        _ => {}
    }
    let lock = early.map_or_else(|| Lock::take(dir), Ok)?;
    remove_run(dir)?;
    Ok(lock)
}

/// Does `dir` hold a run, or what is left of one while it is removed? The lock of a folder of someone else is never touched.
fn is_of_a_run(dir: &Path) -> Result<bool> {
    if dir.join(manifest::FILE).exists() || dir.join(manifest::UNFINISHED).exists() {
        return Ok(true);
    }
    let known = |name: &str| name == LOCK || name == SCENE || written().any(|file| file == name);
    let mut entries = fs::read_dir(dir).map_err(at("read", dir))?;
    Ok(dir.join(LOCK).exists() && entries.all(|e| e.is_ok_and(|e| known(&e.file_name().to_string_lossy()))))
}

/// Removes the files of a run, and no others.
fn remove_run(dir: &Path) -> Result<()> {
    for path in written().map(|f| dir.join(f)).filter(|p| p.exists()) {
        fs::remove_file(&path).map_err(at("remove", &path))?;
    }
    let scene = dir.join(SCENE);
    if scene.exists() { fs::remove_dir_all(&scene).map_err(at("remove", &scene)) } else { Ok(()) }
}

/// The scene file and the files that it names, and where they are relative to each other.
pub(super) struct SceneFiles {
    /// All of them.
    files: Vec<PathBuf>,
    /// The folder that holds them all.
    root: PathBuf,
    /// The scene file, relative to it.
    pub(super) scene: PathBuf,
}

impl SceneFiles {
    /// Finds them.
    pub(super) fn find(scene_file: &Path, sources: &[PathBuf]) -> Result<Self> {
        let absolute = |p: &Path| fs::canonicalize(p).map_err(at("read", p));
        let scene = absolute(scene_file)?;
        let mut files: Vec<PathBuf> = sources.iter().map(|p| absolute(p)).collect::<Result<_>>()?;
        let mut root = scene.parent().unwrap_or(Path::new("/")).to_path_buf();
        while !files.iter().all(|s| s.starts_with(&root)) && root.pop() {}
        files.push(scene.clone());
        let scene = scene.strip_prefix(&root).unwrap_or(&scene).to_path_buf();
        Ok(Self { files, root, scene })
    }

    /// Their fingerprints, by their paths in `scene/`.
    pub(super) fn fingerprints(&self) -> Result<BTreeMap<String, String>> {
        let name = |file: &Path| file.strip_prefix(&self.root).unwrap_or(file).to_string_lossy().into_owned();
        self.files.iter().map(|file| Ok((name(file), fingerprint::of(file)?))).collect()
    }

    /// Refuses a folder that holds one of them: it would be removed with what is replaced.
    pub(super) fn keep_out_of(&self, dir: &Path) -> Result<()> {
        let Ok(inside) = fs::canonicalize(dir) else { return Ok(()) };
        match self.files.iter().find(|file| file.starts_with(&inside)) {
            Some(file) => Err(Error::Inside { dir: dir.to_path_buf(), file: file.clone(), free: free_dir(dir) }),
            None => Ok(()),
        }
    }

    /// Copies them into `dir/scene`.
    pub(super) fn copy(&self, dir: &Path) -> Result<()> {
        let target = dir.join(SCENE);
        for from in &self.files {
            let to = target.join(from.strip_prefix(&self.root).unwrap_or(from));
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent).map_err(at("create", parent))?;
            }
            fs::copy(from, &to).map_err(at("write", &to))?;
            // A run that can be resumed has its scene, also after a power failure.
            File::open(&to).and_then(|copy| copy.sync_all()).map_err(at("write", &to))?;
        }
        Ok(())
    }
}

/// The right to write to a results folder. The operating system takes it back when the process ends, however it ends,
/// so a killed run leaves nothing to clean up.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks `dir`.
    pub(super) fn take(dir: &Path) -> Result<Self> {
        let path = dir.join(LOCK);
        // A link would lead to a file of someone, which would be emptied.
        if fs::symlink_metadata(&path).is_ok_and(|there| there.is_symlink()) {
            return Err(at("lock", &path)(std::io::Error::other("it is a link")));
        }
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = options.map_err(at("create", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                let known = file.read_to_string(&mut pid).is_ok() && !pid.trim().is_empty();
                let pid = if known { pid.trim().to_string() } else { "unknown".to_string() };
                return Err(Error::Locked { dir: dir.to_path_buf(), pid });
            }
            // Some network file systems have no locks; that must not stop a run.
            Err(TryLockError::Error(e)) if e.kind() == std::io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(e)) => return Err(at("lock", &path)(e)),
        }
        file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id())).map_err(at("write", &path))?;
        Ok(Self { path, _file: file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(default_dir(Path::new("a/b/wall.toml")), Path::new("wall.results"));
        assert_eq!(default_dir(Path::new("arch/scene.toml")), Path::new("arch.results"));
        assert_eq!(default_dir(Path::new("wall.v2.toml")), Path::new("wall.v2.results"));
        let dir = tempfile::tempdir().unwrap();
        let first = dir.path().join("arch.results");
        assert_eq!(free_dir(&first), first);
        fs::create_dir(&first).unwrap();
        fs::create_dir(dir.path().join("arch-2.results")).unwrap();
        assert_eq!(free_dir(&first), dir.path().join("arch-3.results"));
    }

    #[test]
    fn a_foreign_folder_is_never_touched() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("thesis.tex"), "precious").unwrap();
        for overwrite in [false, true] {
            assert!(matches!(prepare(dir.path(), overwrite), Err(Error::Foreign { .. })));
        }
        assert_eq!(fs::read_to_string(dir.path().join("thesis.tex")).unwrap(), "precious");
    }

    #[test]
    fn what_a_run_leaves_that_was_killed_while_it_copied_its_scene_is_used_again() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(SCENE)).unwrap();
        assert!(matches!(prepare(dir.path(), true), Err(Error::Foreign { .. })), "a folder `scene` of someone else");
        for file in [LOCK, manifest::UNFINISHED, "scene/half.toml"] {
            fs::write(dir.path().join(file), "").unwrap();
        }
        assert!(prepare(dir.path(), false).is_ok());
        assert!(!dir.path().join(SCENE).exists() && !dir.path().join(manifest::UNFINISHED).exists());
    }

    #[test]
    fn a_run_is_overwritten_only_when_told_to() {
        let dir = tempfile::tempdir().unwrap();
        for file in [manifest::FILE, frames::FILE, history::FILE, "notes.txt"] {
            fs::write(dir.path().join(file), "old").unwrap();
        }
        let error = prepare(dir.path(), false).unwrap_err();
        assert!(matches!(&error, Error::Exists { free, .. } if !free.exists()), "{error}");
        drop(prepare(dir.path(), true).unwrap());
        let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(left, ["notes.txt"]);
    }

    #[test]
    fn two_runs_cannot_share_a_folder_but_a_dead_one_does_not_hold_it() {
        let dir = tempfile::tempdir().unwrap();
        let lock = Lock::take(dir.path()).unwrap();
        assert!(
            matches!(Lock::take(dir.path()), Err(Error::Locked { pid, .. }) if pid == std::process::id().to_string())
        );
        drop(lock);
        fs::write(dir.path().join(LOCK), "4000000\n").unwrap();
        assert!(Lock::take(dir.path()).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_is_a_link_is_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let precious = dir.path().join("thesis.tex");
        fs::write(&precious, "precious").unwrap();
        let results = dir.path().join("out");
        fs::create_dir(&results).unwrap();
        std::os::unix::fs::symlink(&precious, results.join(LOCK)).unwrap();
        assert!(Lock::take(&results).unwrap_err().to_string().contains("it is a link"));
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    }

    #[test]
    fn a_folder_that_another_run_replaces_is_in_use() {
        let dir = tempfile::tempdir().unwrap();
        // What is there while another program has removed the manifest, and has not written the new one.
        let lock = Lock::take(dir.path()).unwrap();
        fs::write(dir.path().join(frames::FILE), "old").unwrap();
        assert!(matches!(prepare(dir.path(), true), Err(Error::Locked { .. })));
        drop(lock);
        // A file of this name in a folder of someone else stays what it is.
        fs::write(dir.path().join(LOCK), "precious").unwrap();
        fs::write(dir.path().join("thesis.tex"), "").unwrap();
        assert!(matches!(prepare(dir.path(), true), Err(Error::Foreign { .. })));
        assert_eq!(fs::read_to_string(dir.path().join(LOCK)).unwrap(), "precious");
    }

    #[test]
    fn a_file_is_no_folder() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("afile");
        fs::write(&file, "").unwrap();
        for error in [prepare(&file, true).unwrap_err(), open(&file).unwrap_err()] {
            assert!(error.to_string().ends_with("afile is a file: results are in a folder"), "{error}");
        }
    }

    #[test]
    fn the_scene_is_copied_with_its_tree() {
        let dir = tempfile::tempdir().unwrap();
        let at = |p: &str| dir.path().join(p);
        for (file, text) in
            [("in/scenes/wall.toml", "scene"), ("in/data/blocks.csv", "blocks"), ("in/scenes/q.csv", "q")]
        {
            fs::create_dir_all(at(file).parent().unwrap()).unwrap();
            fs::write(at(file), text).unwrap();
        }
        let sources = [at("in/scenes/../data/blocks.csv"), at("in/scenes/q.csv")];
        let found = SceneFiles::find(&at("in/scenes/wall.toml"), &sources).unwrap();
        assert_eq!(found.scene, Path::new("scenes/wall.toml"));
        found.copy(&at("out")).unwrap();
        assert_eq!(fs::read_to_string(at("out/scene/scenes/../data/blocks.csv")).unwrap(), "blocks");
        assert_eq!(fs::read_to_string(at("out/scene/scenes/q.csv")).unwrap(), "q");
        let Err(error) = SceneFiles::find(&at("in/scenes/none.toml"), &[]) else { panic!("found nothing") };
        assert!(error.to_string().contains("none.toml"));
    }

    #[test]
    fn damaged_folders_say_what_is_missing() {
        let dir = tempfile::tempdir().unwrap();
        let told = |d: &Path| open(d).unwrap_err().to_string();
        assert!(told(&dir.path().join("none")).contains("the folder itself"));
        assert!(told(dir.path()).contains("run.json is missing"));
        fs::write(dir.path().join(manifest::FILE), "{").unwrap();
        assert!(told(dir.path()).contains("states.cairn is missing"));
        fs::write(dir.path().join(frames::FILE), "").unwrap();
        fs::write(dir.path().join(history::FILE), "").unwrap();
        assert!(told(dir.path()).contains("run.json: "));
    }
}
