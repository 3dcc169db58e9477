//! A table of the document, as seen by the function that reads it.

use super::ask::Ask;
use super::model::Document;
use super::node::{Node, Value};
use super::problem::{Problem, missing};
use super::record::{Field, Kind, TableDoc, VariantDoc};
use super::source::{Origin, Place, Sources};
use super::{nearest, suggest};
use crate::scene::TimeUnit;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Largest table or mesh that is read [bytes].
pub(super) const LARGEST_FILE: u64 = 4 << 30;

/// What all tables of a document share.
#[derive(Debug, Default)]
pub struct Reader {
    /// Folder of the scene file: other files are looked for there.
    pub folder: PathBuf,
    /// The texts.
    pub sources: RefCell<Sources>,
    /// What was found wrong.
    pub problems: RefCell<Vec<Problem>>,
    /// 2 or 3; 0 while recording: then both.
    pub dimension: Cell<usize>,
    /// Of the times in the file.
    pub time_unit: Cell<TimeUnit>,
    /// Names of the stages, in their order.
    pub stages: RefCell<Vec<String>>,
    /// Names of the entries that hold bodies, in the order of reading, whether they could be read or not.
    pub entries: RefCell<Vec<String>>,
    /// Does the scene have sections that are not known, or not what they should be? What is missed elsewhere may be in there.
    pub lost_sections: Cell<bool>,
    /// Contents of files by name, in place of those on disk.
    pub attached: BTreeMap<String, Arc<[u8]>>,
    /// Files that were read from disk: name in the scene, path.
    pub files: RefCell<Vec<(String, PathBuf)>>,
    recording: bool,
}

/// One value of a key that chooses what else a table holds.
pub struct Variant<T> {
    /// The value.
    pub name: &'static str,
    /// Its meaning.
    pub doc: &'static str,
    /// Exists in this dimension only.
    pub only: Option<usize>,
    /// Reads the other keys.
    pub read: fn(&Table) -> Option<T>,
}

impl Reader {
    /// For a document.
    pub fn new(document: &Document) -> Self {
        let Document { folder, sources, attached, .. } = document.clone();
        Self { folder, sources: RefCell::new(sources), attached, ..Self::default() }
    }

    /// One that reads nothing and writes down what it is asked for.
    pub fn recorder() -> Self {
        Self { recording: true, ..Self::default() }
    }

    /// Notes a problem.
    pub fn report(&self, problem: Problem) {
        if !self.recording {
            self.problems.borrow_mut().push(problem);
        }
    }

    /// Takes back that a key is missing: it is there, misspelt.
    fn not_missing(&self, path: &str) {
        let said = missing(path);
        self.problems.borrow_mut().retain(|problem| !problem.message.starts_with(&said));
    }

    /// Is the scene (possibly) of this dimension?
    pub fn is_dimension(&self, dimension: usize) -> bool {
        self.recording || self.dimension.get() == dimension
    }

    /// The contents of a file that was given with the scene, or lies next to it.
    pub fn contents(&self, name: &str, place: Place) -> Option<Cow<'_, [u8]>> {
        if let Some(contents) = self.attached.get(name) {
            return Some(Cow::Borrowed(contents));
        }
        let path = self.folder.join(name);
        let wrong = match std::fs::metadata(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => "there is no such file".to_string(),
            Err(e) => e.to_string(),
            Ok(m) if !m.is_file() => "it is not a file".to_string(),
            Ok(m) if m.len() > LARGEST_FILE => format!("it is larger than {} GiB", LARGEST_FILE >> 30),
            Ok(_) => match std::fs::read(&path) {
                Ok(bytes) => {
                    let mut files = self.files.borrow_mut();
                    if !files.iter().any(|(_, known)| *known == path) {
                        files.push((name.to_string(), path));
                    }
                    return Some(Cow::Owned(bytes));
                }
                Err(e) => e.to_string(),
            },
        };
        let help = "file names are relative to the folder of the scene";
        self.report(Problem::new(place, format!("cannot read `{name}`: {wrong}"), "this file").help(help));
        None
    }

    /// Reads a text file (once) and gives its number among the sources.
    pub fn open(&self, name: &str, place: Place) -> Option<u32> {
        let path = self.folder.join(name);
        let origin = if self.attached.contains_key(name) { Origin::Memory } else { Origin::File(path) };
        let known = self.sources.borrow().number_of(name, &origin);
        if known.is_some() {
            return known;
        }
        match String::from_utf8(self.contents(name, place)?.into_owned()) {
            Ok(text) => Some(self.sources.borrow_mut().add(name.to_string(), text, origin)),
            Err(_) => {
                self.report(Problem::new(place, format!("cannot read `{name}`: it is not UTF-8 text"), "this file"));
                None
            }
        }
    }
}

/// A table and what has been asked of it.
pub struct Table<'a> {
    /// Shared by the tables of the document.
    pub reader: &'a Reader,
    /// Where the table is.
    pub place: Place,
    /// Its name in messages: `bodies[3].shape`.
    pub path: String,
    entries: &'a [(String, Place, Node)],
    doc: RefCell<TableDoc>,
    /// Set when its keys cannot be known: no complaint about unknown ones.
    open: Cell<bool>,
}

impl<'a> Table<'a> {
    /// The table in `node`; an empty one if it is something else.
    pub fn new(reader: &'a Reader, node: &'a Node, path: String) -> Self {
        let entries = match &node.value {
            Value::Table(entries) => entries.as_slice(),
            _ => &[],
        };
        Self { reader, place: node.place, path, entries, doc: RefCell::default(), open: Cell::new(false) }
    }

    fn empty(reader: &'a Reader, place: Place, path: String) -> Self {
        Self { reader, place, path, entries: &[], doc: RefCell::default(), open: Cell::new(false) }
    }

    /// Full name of a key.
    pub fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_string() } else { format!("{}.{key}", self.path) }
    }

    /// Only writing down what is asked?
    pub fn recording(&self) -> bool {
        self.reader.recording
    }

    /// Is this key given?
    pub fn has(&self, key: &str) -> bool {
        self.node(key).is_some()
    }

    /// The value of a key.
    pub fn node(&self, key: &str) -> Option<&'a Node> {
        self.entries.iter().find(|(name, _, _)| name == key).map(|(_, _, node)| node)
    }

    /// Where the value of a key is, or the table if it is not given.
    pub fn place_of(&self, key: &str) -> Place {
        self.node(key).map_or(self.place, |node| node.place)
    }

    /// Notes a problem with the value of a key.
    pub fn wrong(&self, key: &str, message: String, label: &str) {
        self.reader.report(Problem::new(self.place_of(key), message, label).about(self.path_of(key)));
    }

    /// Writes a key down: from now on it is known.
    pub(super) fn declare(&self, field: Field) {
        let mut doc = self.doc.borrow_mut();
        if !doc.fields.iter().any(|f| f.key == field.key) {
            doc.fields.push(field);
        }
    }

    fn note(&self, key: &'static str, doc: &'static str, kind: Kind) {
        self.declare(Field { key, doc, kind, default: None, required: false, only: None });
    }

    /// What `read` asks for, if this table only records.
    fn record<R>(&self, read: impl FnOnce(&Table) -> R) -> TableDoc {
        if !self.recording() {
            return TableDoc::default();
        }
        let table = Table::empty(self.reader, self.place, String::new());
        read(&table);
        table.doc.into_inner()
    }

    /// Reads a table, then complains about keys that nobody asked for.
    pub fn read<R>(self, read: impl FnOnce(&Table) -> R) -> R {
        let out = read(&self);
        self.complain_about_unknown_keys();
        out
    }

    /// What was asked of it.
    pub fn into_doc(self) -> TableDoc {
        self.doc.into_inner()
    }

    /// No complaint about unknown keys: it cannot be known which ones belong here.
    pub fn leave_open(&self) {
        self.open.set(true);
    }

    fn complain_about_unknown_keys(&self) {
        if self.open.get() {
            return;
        }
        let doc = self.doc.borrow();
        let known: Vec<&str> = doc.fields.iter().map(|f| f.key).collect();
        for (key, place, _) in self.entries.iter().filter(|(key, _, _)| !known.contains(&key.as_str())) {
            let inside = if self.path.is_empty() { "the scene".to_string() } else { format!("`{}`", self.path) };
            self.reader.lost_sections.set(self.reader.lost_sections.get() || self.path.is_empty());
            let message = format!("unknown key `{key}` in {inside}");
            if let Some(meant) = nearest(key, known.iter().copied()) {
                self.reader.not_missing(&self.path_of(meant));
            }
            let problem = Problem::new(*place, message, "not known here").about(self.path_of(key));
            self.reader.report(problem.help(suggest(key, "valid keys", &known)));
        }
    }

    /// Asks for a table: read only if it is given.
    pub fn table<T>(&self, key: &'static str, doc: &'static str, read: impl Fn(&Table) -> Option<T>) -> Ask<'_, T> {
        let kind = Kind::Table(self.record(&read));
        Ask::new(self, key, doc, kind, |table, node| table.sub(key, node)?.read(&read))
    }

    /// A table that may be left out: then all its keys have their defaults (or are missing).
    pub fn section<R>(&self, key: &'static str, doc: &'static str, read: impl Fn(&Table) -> R) -> R {
        self.note(key, doc, Kind::Table(self.record(&read)));
        match self.node(key).and_then(|node| self.sub(key, node)) {
            Some(table) => table.read(read),
            None => Table::empty(self.reader, self.place, self.path_of(key)).read(read),
        }
    }

    /// `[[key]]`: the tables of a list.
    pub fn list<R>(&self, key: &'static str, doc: &'static str, read: impl Fn(&Table) -> R) -> Vec<R> {
        self.note(key, doc, Kind::Tables(self.record(&read)));
        let Some(node) = self.node(key) else { return Vec::new() };
        let Value::List(items) = &node.value else {
            self.reader.lost_sections.set(true);
            self.wrong(
                key,
                format!("`{}` must be a list of tables, found {}", self.path_of(key), node.kind()),
                "a list",
            );
            return Vec::new();
        };
        let item = |(i, node)| Some(self.sub(&format!("{key}[{i}]"), node)?.read(&read));
        items.iter().enumerate().filter_map(item).collect()
    }

    /// `[key.NAME]`: tables by name.
    pub fn named<R>(&self, key: &'static str, doc: &'static str, read: impl Fn(&str, &Table) -> R) -> Vec<R> {
        self.note(key, doc, Kind::Named(self.record(|t| read("", t))));
        let Some(table) = self.node(key).and_then(|node| self.sub(key, node)) else { return Vec::new() };
        let item = |(name, _, node): &'a (String, Place, Node)| {
            Some(self.sub(&format!("{key}.{name}"), node)?.read(|t| read(name, t)))
        };
        table.entries.iter().filter_map(item).collect()
    }

    /// A number, or a table that says more.
    pub fn number_or_table<T>(
        &self,
        key: &'static str,
        doc: &'static str,
        from_number: impl Fn(f64) -> T,
        read: impl Fn(&Table) -> Option<T>,
    ) -> Ask<'_, T> {
        let kind = Kind::Either(vec![Kind::Number(None), Kind::Table(self.record(&read))]);
        Ask::new(self, key, doc, kind, |table, node| match node.value {
            Value::Table(_) => table.sub(key, node)?.read(&read),
            _ => table.finite(key, node, "a number or a table").map(&from_number),
        })
    }

    /// The key whose value decides which other keys the table has.
    pub fn variants<T>(&self, key: &'static str, doc: &'static str, variants: &[Variant<T>]) -> Option<T> {
        if self.recording() {
            let visit =
                |v: &Variant<T>| VariantDoc { name: v.name, doc: v.doc, only: v.only, table: self.record(v.read) };
            self.doc.borrow_mut().variants = Some((key, variants.iter().map(visit).collect()));
        }
        let words = variants.iter().map(|v| (v.name, v.doc)).collect();
        let chosen = Ask::new(self, key, doc, Kind::Choice(words), |table, node| table.word(key, node)).required();
        let Some(chosen) = chosen else {
            self.open.set(true);
            return None;
        };
        let usable: Vec<_> = variants.iter().filter(|v| v.only.is_none_or(|d| self.reader.is_dimension(d))).collect();
        if let Some(variant) = usable.iter().find(|v| v.name == chosen) {
            return (variant.read)(self);
        }
        self.open.set(true);
        let names: Vec<&str> = usable.iter().map(|v| v.name).collect();
        let message = match variants.iter().find(|v| v.name == chosen).and_then(|v| v.only) {
            Some(d) => format!("`{key} = \"{chosen}\"` is for dimension = {d}"),
            None => format!("unknown {key} `{chosen}`"),
        };
        let problem = Problem::new(self.place_of(key), message, "not known here").about(self.path_of(key));
        self.reader.report(problem.help(suggest(&chosen, "valid values", &names)));
        None
    }

    fn sub(&self, name: &str, node: &'a Node) -> Option<Table<'a>> {
        if !matches!(node.value, Value::Table(_)) {
            let message = format!("`{}` must be a table, found {}", self.path_of(name), node.kind());
            self.reader.report(Problem::new(node.place, message, "expected a table"));
            return None;
        }
        Some(Table::new(self.reader, node, self.path_of(name)))
    }
}
