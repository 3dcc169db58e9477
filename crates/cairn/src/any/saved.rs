//! A simulation as bytes: scene, files and state, complete in itself, with the same future bit for bit.
//!
//! ```text
//! magic │ version │ length, scene as TOML │ number of files │ each: length, name, length, contents │ length, state
//! ```
//!
//! Numbers are little-endian 64-bit words. The state is a record of [`crate::output`] with a checksum of its own.

use super::{AnySimulation, Core, either};
use crate::output::{self, Damage};
use crate::scene::{AnyScene, Document, SceneErrors};
use crate::simulation::Simulation;
use crate::space::{Ambient, Space};
use crate::state::block;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"CAIRNSIM";
const VERSION: u64 = 1;

/// A simulation that cannot be saved.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}, which belongs to the scene: {error}", file.display())]
pub struct SaveError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    #[source]
    pub error: std::io::Error,
}

/// Bytes that are no simulation.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// Not one at all.
    #[error("not a saved simulation")]
    NotASimulation,
    /// Written by another version.
    #[error("saved in format {found}, this program reads format {VERSION}")]
    OtherVersion {
        /// Format of the bytes.
        found: u64,
    },
    /// Cut off or changed.
    #[error("the saved simulation is cut off or was changed")]
    Damaged,
    /// The state cannot be read.
    #[error("the state cannot be read: {0}")]
    State(#[from] Damage),
    /// This version of the program does not understand the scene.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
}

impl AnySimulation {
    /// All that is needed to go on: scene, files that it uses, state.
    pub fn save(&self) -> Result<Vec<u8>, SaveError> {
        let mut document = self.document.clone();
        for (name, file) in &self.files {
            let contents = std::fs::read(file).map_err(|error| SaveError { file: file.clone(), error })?;
            document.attach(name, contents);
        }
        let mut out = MAGIC.to_vec();
        put_number(&mut out, VERSION);
        put(&mut out, document.to_toml().as_bytes());
        put_number(&mut out, document.attached().count() as u64);
        for (name, contents) in document.attached() {
            put(&mut out, name.as_bytes());
            put(&mut out, contents);
        }
        put(&mut out, &either!(&self.core, s => output::encode(&s.state)));
        Ok(out)
    }

    /// A simulation that was saved, with the same future bit for bit.
    pub fn restore(bytes: &[u8]) -> Result<Self, RestoreError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(RestoreError::NotASimulation)?;
        let found = take_number(&mut rest)?;
        if found != VERSION {
            return Err(RestoreError::OtherVersion { found });
        }
        let text = take_text(&mut rest)?;
        let mut document = Document::from_toml(&text, "saved scene", Path::new(""))?;
        for _ in 0..take_number(&mut rest)? {
            let name = take_text(&mut rest)?;
            document.attach(&name, take(&mut rest)?);
        }
        let state = take(&mut rest)?;
        if !rest.is_empty() {
            return Err(RestoreError::Damaged);
        }
        let core = match document.scene()?.scene {
            AnyScene::Plane(scene) => Core::Plane(resumed(scene, state)?),
            AnyScene::Solid(scene) => Core::Solid(resumed(scene, state)?),
        };
        Ok(Self::of(document, Vec::new(), core))
    }
}

fn resumed<const D: usize>(scene: crate::scene::Scene<D>, state: &[u8]) -> Result<Simulation<D>, RestoreError>
where
    Space<D>: Ambient<D>,
{
    let state = output::decode(state, Some(&block::layouts(&scene)))?;
    Ok(Simulation::resume(scene, state))
}

fn put_number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(&number.to_le_bytes());
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn take_number(rest: &mut &[u8]) -> Result<u64, RestoreError> {
    let (number, after) = rest.split_first_chunk::<8>().ok_or(RestoreError::Damaged)?;
    *rest = after;
    Ok(u64::from_le_bytes(*number))
}

fn take<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], RestoreError> {
    let length = take_number(rest)?;
    let length = usize::try_from(length).ok().filter(|n| *n <= rest.len()).ok_or(RestoreError::Damaged)?;
    let (bytes, after) = rest.split_at(length);
    *rest = after;
    Ok(bytes)
}

fn take_text(rest: &mut &[u8]) -> Result<String, RestoreError> {
    String::from_utf8(take(rest)?.to_vec()).map_err(|_| RestoreError::Damaged)
}
