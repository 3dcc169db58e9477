//! What can go wrong with files, always with the path and, where there is one, the way out.

use super::codec::Damage;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Error of reading or writing results.
#[derive(Debug, Error)]
pub enum Error {
    /// The operating system refused: disk full, no permission, no such file …
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried: "write", "read" …
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// An HDF5 file could not be written or read.
    #[error("cannot {action} {}: {message}", path.display())]
    Hdf5 {
        /// What was tried.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// What the HDF5 library said.
        message: String,
    },
    /// The folder holds a run already.
    #[error("{} holds the results of a run; choose another folder, e.g. {}, or allow overwriting", dir.display(), free.display())]
    Exists {
        /// The folder.
        dir: PathBuf,
        /// A name that is free.
        free: PathBuf,
    },
    /// The folder holds files, but not those of a run: it is never touched.
    #[error("{} is not empty and not a results folder; choose another, e.g. {}", dir.display(), free.display())]
    Foreign {
        /// The folder.
        dir: PathBuf,
        /// A name that is free.
        free: PathBuf,
    },
    /// A file where a results folder should be.
    #[error("{} is a file: results are in a folder", path.display())]
    File {
        /// The file.
        path: PathBuf,
    },
    /// The scene lies in the folder that would be replaced.
    #[error("{} lies in {}, which would be replaced: copy it elsewhere, or choose another folder, e.g. {}", file.display(), dir.display(), free.display())]
    Inside {
        /// The folder.
        dir: PathBuf,
        /// The scene, or a file that it names.
        file: PathBuf,
        /// A name that is free.
        free: PathBuf,
    },
    /// Another program is writing to this folder.
    #[error("{} is in use by another run (process {pid})", dir.display())]
    Locked {
        /// The folder.
        dir: PathBuf,
        /// The process that holds it, as far as known.
        pid: String,
    },
    /// Not a results folder, or one that lost files.
    #[error("{} is not a complete results folder: {missing} is missing", dir.display())]
    Incomplete {
        /// The folder.
        dir: PathBuf,
        /// The first file that is missing.
        missing: &'static str,
    },
    /// The manifest cannot be understood.
    #[error("{}: {message}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A saved state cannot be used.
    #[error("{}: {damage}", path.display())]
    State {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        damage: Damage,
    },
    /// Neither checkpoint can be used.
    #[error("no usable checkpoint in {}: newest: {newest}; previous: {previous}", dir.display())]
    NoCheckpoint {
        /// The folder.
        dir: PathBuf,
        /// What is wrong with the newest.
        newest: String,
        /// What is wrong with the one before.
        previous: String,
    },
    /// States that a checkpoint promises are not there: to go on would remove the other files' copies of them.
    #[error(
        "{} has {found} of the {promised} states that the checkpoint promises: {} of them are lost; put the whole file back, or go on \
         with what is left by --salvage, which first copies all files aside",
        path.display(),
        promised - found
    )]
    Lost {
        /// The file.
        path: PathBuf,
        /// Whole states in it, up to the checkpoint.
        found: u64,
        /// States that there were.
        promised: u64,
    },
    /// The scene in the folder is not the one that the run began with.
    #[error("the scene in {} is not the one that the run began with: {}", dir.display(), changes.join("; "))]
    OtherScene {
        /// The folder.
        dir: PathBuf,
        /// What has changed, file by file.
        changes: Vec<String>,
    },
    /// No state has been stored.
    #[error("{} holds no stored state", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The history is not a table of numbers.
    #[error("{}: {message}", path.display())]
    History {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

/// Result of reading or writing results.
pub type Result<T> = std::result::Result<T, Error>;

/// Gives an input/output error its path: `.map_err(at("write", &path))`.
pub(super) fn at<'p>(action: &'static str, path: &'p Path) -> impl Fn(std::io::Error) -> Error + 'p {
    move |source| Error::Io { action, path: path.to_path_buf(), source }
}

/// The same for the HDF5 library.
pub(super) fn hdf5_at<'p>(action: &'static str, path: &'p Path) -> impl Fn(rust_hdf5::Hdf5Error) -> Error + 'p {
    move |e| Error::Hdf5 { action, path: path.to_path_buf(), message: e.to_string() }
}
