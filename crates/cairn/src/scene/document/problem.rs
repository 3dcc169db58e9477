//! What is wrong with a scene: every problem with its place, what was expected and a hint.

use super::node::Node;
use super::path::paths;
use super::source::{Origin, Place, Sources};
use miette::{Diagnostic, LabeledSpan, NamedSource, Severity, SourceCode};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Problems shown before the rest is only counted.
const SHOWN: usize = 40;

/// How the message about a missing key begins.
pub(super) fn missing(path: &str) -> String {
    format!("missing key `{path}`:")
}

/// One problem.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The key that it is about: `contact[0].friction`; empty for the scene as a whole and for tables in files.
    pub path: String,
    /// Where: `scene.toml:12:7`, the name of the scene where it has no text.
    pub location: String,
    /// Where, as bytes of a text.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What was expected there: written under the marked text.
    pub label: String,
    /// How to mend it.
    pub help: Option<String>,
    /// Only a warning?
    pub warning: bool,
    text: Option<Arc<NamedSource<String>>>,
}

impl Problem {
    /// An error at a place.
    pub fn new(place: Place, message: impl Into<String>, label: impl Into<String>) -> Self {
        let (message, label) = (message.into(), label.into());
        let (path, location) = (String::new(), String::new());
        Self { path, location, place, message, label, help: None, warning: false, text: None }
    }

    /// The same with a hint.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same, as a warning.
    pub fn warn(mut self) -> Self {
        self.warning = true;
        self
    }

    /// The same about a key that its place does not tell: one that is missing.
    pub fn about(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// The same, knowing the text and the key that it speaks of.
    fn located(mut self, sources: &Sources, paths: &BTreeMap<Place, String>, shown: &mut Shown) -> Self {
        let source = sources.get(self.place.source);
        let (text, lines) = shown.entry(self.place.source).or_insert_with(|| {
            (harmless_text(&source.text), std::iter::once(0).chain(ends_of_lines(source.text.inner())).collect())
        });
        self.location = sources.locate_among(&self.place, lines);
        if self.path.is_empty() {
            self.path = paths.get(&self.place).cloned().unwrap_or_default();
        }
        if source.origin == Origin::Code {
            return self;
        }
        let text = text.clone();
        let length = text.inner().len();
        self.place.start = self.place.start.min(length);
        self.place.end = self.place.end.clamp(self.place.start, length);
        self.text = Some(text);
        self
    }

    /// The same with nothing in it that a terminal would obey: a scene may come from anywhere.
    fn harmless(mut self) -> Self {
        let texts = [&mut self.path, &mut self.location, &mut self.message, &mut self.label].into_iter();
        texts.chain(self.help.as_mut()).filter(|text| text.contains(is_obeyed)).for_each(|text| {
            *text = text.chars().map(|c| if is_obeyed(c) { '\u{fffd}' } else { c }).collect();
        });
        self
    }

    /// One line for logs: `file:line:column: message; help: hint`.
    pub fn plain(&self) -> String {
        match &self.help {
            Some(help) => format!("{}: {}; help: {help}", self.location, self.message),
            None => format!("{}: {}", self.location, self.message),
        }
    }

    /// All problems in the order of the text, duplicates removed, each with its text.
    pub fn sorted(mut problems: Vec<Problem>, sources: &Sources, root: &Node) -> Vec<Problem> {
        problems.sort_by_key(|p| p.place);
        problems.dedup_by(|a, b| a.place == b.place && a.message == b.message);
        // Made once for all: there may be as many problems as lines.
        let (paths, mut shown) = (if problems.is_empty() { BTreeMap::new() } else { paths(root) }, Shown::new());
        problems.into_iter().map(|p| p.located(sources, &paths, &mut shown).harmless()).collect()
    }
}

/// Texts as they are shown, and where their lines begin, by the number of the source.
type Shown = BTreeMap<u32, (Arc<NamedSource<String>>, Vec<usize>)>;

fn ends_of_lines(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.match_indices('\n').map(|(at, _)| at + 1)
}

/// Is it a control character that a terminal obeys?
fn is_obeyed(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t' && c != '\r'
}

/// A text to show parts of; places in it stay where they are.
fn harmless_text(text: &Arc<NamedSource<String>>) -> Arc<NamedSource<String>> {
    if !text.inner().contains(is_obeyed) {
        return text.clone();
    }
    // A control character has one byte, or two beyond ASCII.
    let shown = |c: char| {
        if !is_obeyed(c) {
            c
        } else if c.is_ascii() {
            '?'
        } else {
            '¿'
        }
    };
    Arc::new(NamedSource::new(text.name(), text.inner().chars().map(shown).collect()))
}

/// What is wrong, without place and hint: these are drawn by the reporter.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

impl Diagnostic for Problem {
    fn severity(&self) -> Option<Severity> {
        Some(if self.warning { Severity::Warning } else { Severity::Error })
    }
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|h| Box::new(h) as Box<dyn fmt::Display>)
    }
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.text.as_ref().map(|t| t as &dyn SourceCode)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.text.as_ref()?;
        let label = (!self.label.is_empty()).then(|| self.label.clone());
        Some(Box::new(std::iter::once(LabeledSpan::new(label, self.place.start, self.place.end - self.place.start))))
    }
}

/// Everything that is wrong with a scene.
#[derive(Clone, Debug)]
pub struct SceneErrors {
    /// The scene file, as given.
    pub scene: String,
    /// The problems, in the order of the file; never empty.
    pub problems: Vec<Problem>,
}

/// One line: how many problems in which file.
impl fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.len() {
            1 => write!(f, "1 problem in {}", self.scene),
            n => write!(f, "{n} problems in {}", self.scene),
        }
    }
}

impl std::error::Error for SceneErrors {}

/// For the terminal: a headline, then each problem with its lines of the file.
impl Diagnostic for SceneErrors {
    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.problems.iter().take(SHOWN).map(|p| p as &dyn Diagnostic)))
    }
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let more = self.problems.len().checked_sub(SHOWN).filter(|&n| n > 0)?;
        Some(Box::new(format!("and {more} more")))
    }
}

impl SceneErrors {
    /// All problems, one per line, for logs.
    pub fn plain(&self) -> String {
        let mut lines: Vec<String> = self.problems.iter().take(SHOWN).map(Problem::plain).collect();
        if self.problems.len() > SHOWN {
            lines.push(format!("and {} more", self.problems.len() - SHOWN));
        }
        lines.join("\n")
    }
}
