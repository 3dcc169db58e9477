//! Is the scene that a run goes on with the one that it began with? Told by checksums of the scene file and of all files that it names:
//! they find what changed by accident or by an editor, not what somebody forged.

use super::error::{Error, Result, at};
use super::folder::{self, SCENE};
use super::manifest::Manifest;
use std::fs;
use std::path::Path;

/// The fingerprint of a file.
pub(super) fn of(path: &Path) -> Result<String> {
    let bytes = fs::read(path).map_err(at("read", path))?;
    // FNV-1a over bytes, and the length.
    let sum =
        bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |c, b| (c ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3));
    Ok(format!("{sum:016x}-{}", bytes.len()))
}

/// An error that says which files of the scene in the results folder `dir` have changed since the run began. Folders of earlier versions
/// have no fingerprints, and pass.
pub fn unchanged(dir: &Path) -> Result<()> {
    let manifest: Manifest = folder::open(dir)?;
    let scene = dir.join(SCENE);
    let mut changes = Vec::new();
    for (file, known) in &manifest.files {
        let path = scene.join(file);
        if !path.exists() {
            changes.push(format!("{} is missing", path.display()));
        } else if of(&path)? != *known {
            changes.push(format!("{} has changed", path.display()));
        }
    }
    if changes.is_empty() { Ok(()) } else { Err(Error::OtherScene { dir: dir.to_path_buf(), changes }) }
}
