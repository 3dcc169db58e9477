//! Stored states one after the other, for readers that look on while a run writes, or at a file that is damaged.
//!
//! [`super::read_frame`] takes one state and refuses a broken file. This reader keeps its place, goes on where it ended
//! when the file grows, and gives all that stands before the first damage, with a sentence about it.

use super::codec::{self, HEADER_BYTES, Header};
use super::error::{Error, Result, at};
use super::frames::FILE;
use crate::space::{Ambient, Space};
use crate::state::State;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The states in a results folder, as far as they can be read.
#[derive(Debug)]
pub struct Followed<const D: usize> {
    path: PathBuf,
    file: File,
    /// Where each record starts, and what it says about itself.
    index: Vec<(u64, Header)>,
    /// End of the last whole record.
    end: u64,
    damage: Option<String>,
}

impl<const D: usize> Followed<D>
where
    Space<D>: Ambient<D>,
{
    /// The states that are there now.
    pub fn open(dir: &Path) -> Result<Self> {
        let path = dir.join(FILE);
        let file = File::open(&path).map_err(at("open", &path))?;
        let mut stored = Self { path, file, index: Vec::new(), end: 0, damage: None };
        stored.refresh()?;
        Ok(stored)
    }

    /// Looks for states that were added; starts anew if the file is another one, as a resumed or repeated run makes it.
    pub fn refresh(&mut self) -> Result<()> {
        self.file = File::open(&self.path).map_err(at("open", &self.path))?;
        let length = self.file.metadata().map_err(at("read", &self.path))?.len();
        if length < self.end || !self.last_is_unchanged() {
            (self.index, self.end) = (Vec::new(), 0);
        }
        self.damage = None;
        let mut head = [0; HEADER_BYTES];
        while self.end < length {
            let left = length - self.end;
            if left < HEADER_BYTES as u64 {
                self.damage = Some(self.unfinished(left));
                break;
            }
            self.file
                .seek(SeekFrom::Start(self.end))
                .and_then(|_| self.file.read_exact(&mut head))
                .map_err(at("read", &self.path))?;
            match Header::decode(&head, D as u32) {
                Ok(header) if header.bytes <= left => {
                    self.index.push((self.end, header));
                    self.end += header.bytes;
                }
                Ok(_) => {
                    self.damage = Some(self.unfinished(left));
                    break;
                }
                Err(damage) => {
                    self.damage = Some(format!("{}, byte {}: {damage}", self.path.display(), self.end));
                    break;
                }
            }
        }
        Ok(())
    }

    fn last_is_unchanged(&mut self) -> bool {
        let Some(&(start, header)) = self.index.last() else { return true };
        let mut head = [0; HEADER_BYTES];
        let read = self.file.seek(SeekFrom::Start(start)).and_then(|_| self.file.read_exact(&mut head));
        read.is_ok() && Header::decode(&head, D as u32) == Ok(header)
    }

    fn unfinished(&self, left: u64) -> String {
        let number = self.index.len() + 1;
        format!("{}: state {number} is unfinished ({left} bytes of it are there)", self.path.display())
    }

    /// Times of the states [s].
    pub fn times(&self) -> Vec<f64> {
        self.index.iter().map(|(_, header)| header.time).collect()
    }

    /// What follows the last whole state, if it is not a state: the end of a write that was cut off, or damage.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// State number `k`, from 0; its check sum is compared.
    pub fn read(&mut self, k: usize) -> Result<State<D>> {
        let (start, header) = *self.index.get(k).ok_or_else(|| Error::Empty { path: self.path.clone() })?;
        let mut bytes = vec![0; header.bytes as usize];
        self.file
            .seek(SeekFrom::Start(start))
            .and_then(|_| self.file.read_exact(&mut bytes))
            .map_err(at("read", &self.path))?;
        codec::decode(&bytes, None).map_err(|damage| Error::State { path: self.path.clone(), damage })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::frames::Frames;
    use crate::output::testing::flat_state;

    fn three_states(dir: &Path) -> Frames<2> {
        let mut frames = Frames::<2>::create(dir).unwrap();
        for k in 0..3 {
            frames.append(&flat_state(k)).unwrap();
        }
        frames
    }

    #[test]
    fn a_file_that_grows_is_followed() {
        let dir = tempfile::tempdir().unwrap();
        let mut frames = three_states(dir.path());
        let mut stored = Followed::<2>::open(dir.path()).unwrap();
        assert_eq!(stored.times().len(), 3);
        frames.append(&flat_state(3)).unwrap();
        stored.refresh().unwrap();
        assert_eq!(stored.read(3).unwrap(), flat_state(3));
        assert_eq!(stored.damage(), None);
        // A resumed run takes states back.
        drop(frames);
        Frames::<2>::resume(dir.path(), flat_state(1).step, &crate::output::Promise::default()).unwrap();
        stored.refresh().unwrap();
        assert_eq!(stored.times(), [flat_state(0).time, flat_state(1).time]);
    }

    #[test]
    fn what_stands_before_damage_is_read_and_the_damage_is_told() {
        let dir = tempfile::tempdir().unwrap();
        three_states(dir.path());
        let path = dir.path().join(FILE);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        let mut cut = Followed::<2>::open(dir.path()).unwrap();
        assert_eq!(cut.times().len(), 2);
        assert!(cut.damage().unwrap().contains("state 3 is unfinished"), "{:?}", cut.damage());
        assert_eq!(cut.read(1).unwrap(), flat_state(1));
        assert!(matches!(cut.read(2), Err(Error::Empty { .. })));

        let mut changed = whole.clone();
        let third = Followed::<2>::open(dir.path()).unwrap().end as usize;
        changed[third] ^= 1;
        std::fs::write(&path, &changed).unwrap();
        let stored = Followed::<2>::open(dir.path()).unwrap();
        assert_eq!(stored.times().len(), 2);
        assert!(stored.damage().unwrap().ends_with("not a saved state"), "{:?}", stored.damage());
    }
}
