//! The texts that a scene is made of, and places in them.

use miette::NamedSource;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A range of bytes in one of the [`Sources`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which source.
    pub source: u32,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

/// A text: the scene file, a table next to it, or an override from the command line.
#[derive(Clone, Debug)]
pub struct Source {
    /// As shown in messages.
    pub name: String,
    /// The text, shared with the diagnostics that quote it.
    pub text: Arc<NamedSource<String>>,
    /// The file; none for an override.
    pub file: Option<PathBuf>,
}

/// All the texts read so far. The scene file is the first.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<Source>);

impl Sources {
    /// Adds a text and gives its number.
    pub fn add(&mut self, name: String, text: String, file: Option<PathBuf>) -> u32 {
        let text = Arc::new(NamedSource::new(&name, text));
        self.0.push(Source { name, text, file });
        self.0.len() as u32 - 1
    }

    /// The text with this number.
    pub fn get(&self, source: u32) -> &Source {
        &self.0[source as usize]
    }

    /// The number of a file that has been read already.
    pub fn number_of(&self, file: &Path) -> Option<u32> {
        self.0.iter().position(|s| s.file.as_deref() == Some(file)).map(|i| i as u32)
    }

    /// The files, each once, in the order in which they were read.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = Vec::new();
        for file in self.0.iter().filter_map(|s| s.file.clone()) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }

    /// `file:line:column` of a place, columns counted in characters from 1; `--set …` for an override.
    pub fn locate(&self, place: &Place) -> String {
        let source = self.get(place.source);
        if source.file.is_none() {
            return format!("from {}", source.name);
        }
        let text = source.text.inner();
        let start = floor_char_boundary(text, place.start);
        let line = text[..start].matches('\n').count() + 1;
        let column = text[..start].rsplit('\n').next().unwrap_or("").chars().count() + 1;
        format!("{}:{line}:{column}", source.name)
    }
}

/// The last character boundary at or before `at`.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
