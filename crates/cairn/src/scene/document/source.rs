//! The texts that a scene is made of, and places in them.

use miette::NamedSource;
use std::path::PathBuf;
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

/// Where a text comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// A file.
    File(PathBuf),
    /// A text in memory that stands for a file.
    Memory,
    /// An override from the command line.
    Override,
    /// Values set by a program: there is no text, and bytes of places count the values in the order of setting.
    Code,
}

/// A text: the scene, a table next to it, or an override from the command line.
#[derive(Clone, Debug)]
pub struct Source {
    /// As shown in messages.
    pub name: String,
    /// The text, shared with the diagnostics that quote it.
    pub text: Arc<NamedSource<String>>,
    /// Where it comes from.
    pub origin: Origin,
}

/// All the texts read so far. The scene file is the first.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<Source>);

impl Sources {
    /// Adds a text and gives its number.
    pub fn add(&mut self, name: String, text: String, origin: Origin) -> u32 {
        let text = Arc::new(NamedSource::new(&name, text));
        self.0.push(Source { name, text, origin });
        self.0.len() as u32 - 1
    }

    /// The text with this number.
    pub fn get(&self, source: u32) -> &Source {
        &self.0[source as usize]
    }

    /// The number of a table that has been read already.
    pub fn number_of(&self, name: &str, origin: &Origin) -> Option<u32> {
        let tables = self.0.iter().enumerate().skip(1);
        tables.filter(|(_, s)| s.name == name && s.origin == *origin).map(|(i, _)| i as u32).next()
    }

    /// `file:line:column` of a place, columns counted in characters from 1; `--set …` for an override; the
    /// scene's name alone where there is no text.
    pub fn locate(&self, place: &Place) -> String {
        let lines = self.get(place.source).text.inner().match_indices('\n').map(|(at, _)| at + 1);
        self.locate_among(place, &std::iter::once(0).chain(lines).collect::<Vec<_>>())
    }

    /// The same by one who knows where the lines of the text begin.
    pub fn locate_among(&self, place: &Place, lines: &[usize]) -> String {
        let source = self.get(place.source);
        match source.origin {
            Origin::File(_) | Origin::Memory => {}
            Origin::Override => return format!("from {}", source.name),
            Origin::Code => return source.name.clone(),
        }
        let text = source.text.inner();
        let start = floor_char_boundary(text, place.start);
        let line = lines.partition_point(|&begin| begin <= start).max(1);
        let column = text[lines[line - 1]..start].chars().count() + 1;
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
