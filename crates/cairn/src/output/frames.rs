//! Stored states, exact: the file that the program itself reads back, for pictures and to mend the others.
//!
//! `states.cairn` is nothing but records of [`codec`], one after the other, only ever appended to. A kill can leave at
//! most one unfinished record at its end (a power failure, zeros), which every reader ignores: it is the one file that cannot be broken by a
//! crash, so the others (VTKHDF, written in place) are rebuilt from it when they do not agree with it.

use super::checkpoint::Promise;
use super::codec::{self, Damage, HEADER_BYTES, Header};
use super::error::{Error, Result, at};
use crate::space::{Ambient, Space};
use crate::state::State;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Name of the file in the results folder.
pub(super) const FILE: &str = "states.cairn";

/// Times of the stored states in the results folder `dir` [s].
pub fn times<const D: usize>(dir: &Path) -> Result<Vec<f64>>
where
    Space<D>: Ambient<D>,
{
    Ok(Frames::<D>::open(dir)?.times())
}

/// The stored state nearest to `time` in the results folder `dir`.
pub fn read_frame<const D: usize>(dir: &Path, time: f64) -> Result<State<D>>
where
    Space<D>: Ambient<D>,
{
    let mut frames = Frames::open(dir)?;
    let nearest = frames.nearest(time).ok_or_else(|| Error::Empty { path: dir.join(FILE) })?;
    frames.read(nearest)
}

/// The stored states that are whole, whatever happened to the rest of the file.
#[derive(Debug)]
pub struct Stored<const D: usize> {
    frames: Frames<D>,
    /// What is wrong with the rest, in words; `None` if nothing is.
    pub damage: Option<String>,
}

impl<const D: usize> Stored<D>
where
    Space<D>: Ambient<D>,
{
    /// Finds the states in the results folder `dir`. Fails if the file cannot be read or has no whole state.
    pub fn open(dir: &Path) -> Result<Self> {
        let (frames, damage) = Frames::<D>::walk(dir, OpenOptions::new().read(true))?;
        let length = frames.file.metadata().map_err(at("read", &frames.path))?.len();
        let first = |damage| Err(Error::State { path: dir.join(FILE), damage });
        let told = |why: String| {
            let (count, left) = (frames.len(), length - frames.end);
            format!("{}: after {count} whole states {left} bytes are left out: {why}", dir.join(FILE).display())
        };
        let damage = match damage {
            Some(damage) if frames.len() == 0 => return first(damage),
            Some(damage) => Some(told(damage.to_string())),
            None if length > frames.end => Some(told("a state that is not complete".into())),
            None => None,
        };
        if frames.len() == 0 {
            return Err(Error::Empty { path: dir.join(FILE) });
        }
        Ok(Self { frames, damage })
    }

    /// Times of the states [s].
    pub fn times(&self) -> Vec<f64> {
        self.frames.times()
    }

    /// Number of the state nearest to `time`.
    pub fn nearest(&self, time: f64) -> usize {
        self.frames.nearest(time).unwrap_or(0)
    }

    /// State number `k`; an error if its contents do not match their checksum.
    pub fn read(&mut self, k: usize) -> Result<State<D>> {
        self.frames.read(k)
    }
}

/// The stored states of a run, open for reading and appending.
#[derive(Debug)]
pub(super) struct Frames<const D: usize> {
    path: PathBuf,
    file: File,
    /// Where each record starts, and what it says about itself.
    index: Vec<(u64, Header)>,
    /// End of the last whole record.
    end: u64,
}

impl<const D: usize> Frames<D>
where
    Space<D>: Ambient<D>,
{
    /// A new file without states.
    pub(super) fn create(dir: &Path) -> Result<Self> {
        let path = dir.join(FILE);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path);
        Ok(Self { file: file.map_err(at("create", &path))?, path, index: Vec::new(), end: 0 })
    }

    /// The states that are there, to read.
    pub(super) fn open(dir: &Path) -> Result<Self> {
        Self::scan(dir, OpenOptions::new().read(true))
    }

    /// The states up to and including step `step`, to append to; later ones are removed. Refused, and nothing removed, if there are not
    /// as many as were promised.
    pub(super) fn resume(dir: &Path, step: u64, promise: &Promise) -> Result<Self> {
        let mut frames = Self::scan(dir, OpenOptions::new().read(true).write(true))?;
        while frames.index.last().is_some_and(|(_, header)| header.step > step) {
            frames.index.pop();
        }
        frames.end = frames.index.last().map_or(0, |(start, header)| start + header.bytes);
        let found = frames.index.len() as u64;
        if found < promise.states || frames.end < promise.bytes {
            return Err(Error::Lost { path: frames.path, found, promised: promise.states.max(found) });
        }
        frames.file.set_len(frames.end).map_err(at("write", &frames.path))?;
        Ok(frames)
    }

    fn scan(dir: &Path, options: &OpenOptions) -> Result<Self> {
        match Self::walk(dir, options)? {
            (frames, None) => Ok(frames),
            (frames, Some(damage)) => Err(Error::State { path: frames.path, damage }),
        }
    }

    /// All whole states up to the first thing that is none, and what that is.
    fn walk(dir: &Path, options: &OpenOptions) -> Result<(Self, Option<Damage>)> {
        let path = dir.join(FILE);
        let mut file = options.open(&path).map_err(at("open", &path))?;
        let length = file.metadata().map_err(at("read", &path))?.len();
        let (mut index, mut end) = (Vec::new(), 0);
        let mut head = [0; HEADER_BYTES];
        while end + HEADER_BYTES as u64 <= length {
            file.seek(SeekFrom::Start(end)).and_then(|_| file.read_exact(&mut head)).map_err(at("read", &path))?;
            if head == [0; HEADER_BYTES] {
                break;
            }
            let header = match Header::decode(&head, D as u32) {
                Ok(header) => header,
                Err(damage) => return Ok((Self { path, file, index, end }, Some(damage))),
            };
            if header.bytes > length - end {
                break;
            }
            index.push((end, header));
            end += header.bytes;
        }
        Ok((Self { path, file, index, end }, None))
    }

    /// Adds a state at the end.
    pub(super) fn append(&mut self, state: &State<D>) -> Result<()> {
        let bytes = codec::encode(state);
        let header =
            Header::decode(&bytes, D as u32).map_err(|damage| Error::State { path: self.path.clone(), damage })?;
        self.file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(&bytes))
            .map_err(at("write", &self.path))?;
        self.index.push((self.end, header));
        self.end += header.bytes;
        Ok(())
    }

    /// Hands all to the disk.
    pub(super) fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(at("write", &self.path))
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Bytes of all states.
    pub(super) fn bytes(&self) -> u64 {
        self.end
    }

    /// Number of contacts of each state.
    pub(super) fn contacts(&self) -> Vec<usize> {
        self.index.iter().map(|(_, header)| header.contacts() as usize).collect()
    }

    /// Times of the states.
    pub(super) fn times(&self) -> Vec<f64> {
        self.index.iter().map(|(_, header)| header.time).collect()
    }

    /// The last step stored.
    pub(super) fn last_step(&self) -> Option<u64> {
        self.index.last().map(|(_, header)| header.step)
    }

    /// Number of the state nearest to `time`, the earlier of two; the last for any later time, an infinite one too.
    fn nearest(&self, time: f64) -> Option<usize> {
        let (_, last) = self.index.last()?;
        if time >= last.time {
            return Some(self.index.len() - 1);
        }
        let distance = |k: &usize| (self.index[*k].1.time - time).abs();
        (0..self.index.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    /// State number `k`.
    pub(super) fn read(&mut self, k: usize) -> Result<State<D>> {
        let (start, header) = self.index[k];
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
    use crate::output::testing::flat_state;

    #[test]
    fn states_come_back_by_time() {
        let dir = tempfile::tempdir().unwrap();
        let mut frames = Frames::<2>::create(dir.path()).unwrap();
        for k in 0..4 {
            frames.append(&flat_state(k)).unwrap();
        }
        let expected: Vec<f64> = (0..4).map(|k| flat_state(k).time).collect();
        assert_eq!(times::<2>(dir.path()).unwrap(), expected);
        assert_eq!(read_frame::<2>(dir.path(), expected[2] + 1e-9).unwrap(), flat_state(2));
        assert_eq!(read_frame::<2>(dir.path(), f64::INFINITY).unwrap(), flat_state(3));
        assert_eq!(read_frame::<2>(dir.path(), f64::NEG_INFINITY).unwrap(), flat_state(0));
    }

    #[test]
    fn an_unfinished_record_is_ignored_and_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let mut frames = Frames::<2>::create(dir.path()).unwrap();
        frames.append(&flat_state(0)).unwrap();
        frames.append(&flat_state(1)).unwrap();
        let (start, header) = frames.index[1];
        let bytes = std::fs::read(&frames.path).unwrap();
        for keep in 0..header.bytes {
            std::fs::write(&frames.path, &bytes[..(start + keep) as usize]).unwrap();
            assert_eq!(Frames::<2>::open(dir.path()).unwrap().len(), 1, "{keep} bytes");
        }
        // What a power failure may leave: room that was never filled.
        std::fs::write(&frames.path, [&bytes[..start as usize], &[0; 4096]].concat()).unwrap();
        let mut frames = Frames::<2>::resume(dir.path(), 99, &Promise::default()).unwrap();
        assert_eq!(frames.len(), 1);
        frames.append(&flat_state(1)).unwrap();
        assert_eq!(frames.read(1).unwrap(), flat_state(1));
    }

    #[test]
    fn resuming_drops_later_states() {
        let dir = tempfile::tempdir().unwrap();
        let mut frames = Frames::<2>::create(dir.path()).unwrap();
        for k in 0..5 {
            frames.append(&flat_state(k)).unwrap();
        }
        let frames = Frames::<2>::resume(dir.path(), flat_state(2).step, &Promise::default()).unwrap();
        assert_eq!(frames.len(), 3);
        assert_eq!(times::<2>(dir.path()).unwrap().len(), 3);
    }

    #[test]
    fn errors_name_the_file() {
        let dir = tempfile::tempdir().unwrap();
        assert!(times::<2>(dir.path()).unwrap_err().to_string().contains(FILE));
        Frames::<2>::create(dir.path()).unwrap();
        assert!(matches!(read_frame::<2>(dir.path(), 0.0), Err(Error::Empty { .. })));
        std::fs::write(dir.path().join(FILE), [7; 200]).unwrap();
        assert!(matches!(read_frame::<2>(dir.path(), 0.0), Err(Error::State { .. })));
    }
}
