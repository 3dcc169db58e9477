//! The document: a scene as it is given, key by key, and the files that it names.
//!
//! It comes from a text, from a file or from a program that sets one key after the other; all three can be mixed. Nothing is checked
//! before it is made a scene.

use super::node::{Node, Value, parse, parse_value};
use super::path;
use super::problem::{Problem, SceneErrors};
use super::source::{Origin, Place, Sources};
use super::table::LARGEST_FILE;
use super::write::write;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A path that leads nowhere.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("cannot set `{path}`: {message}")]
pub struct BadPath {
    /// The path.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
}

/// A scene as it is given: every key, checked or not.
#[derive(Clone, Debug)]
pub struct Document {
    pub(in crate::scene) name: String,
    pub(in crate::scene) folder: PathBuf,
    pub(in crate::scene) root: Node,
    pub(in crate::scene) sources: Sources,
    pub(in crate::scene) attached: BTreeMap<String, Arc<[u8]>>,
    /// The source of what programs set, and how many values they have set: these count as places in it.
    code: Option<u32>,
    values_set: usize,
}

impl Default for Document {
    fn default() -> Self {
        Self::new()
    }
}

/// Equal keys, bodies in the same order, equal files: the same scene.
impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.root == other.root && self.order() == other.order() && self.attached == other.attached
    }
}

impl Document {
    /// An empty one. Files are looked for in the working folder.
    pub fn new() -> Self {
        let mut sources = Sources::default();
        let name = "scene".to_string();
        let source = sources.add(name.clone(), String::new(), Origin::Code);
        let root = Node::table::<&str, Node>([]);
        let (folder, attached) = (PathBuf::new(), BTreeMap::new());
        Self { name, folder, root, sources, attached, code: Some(source), values_set: 0 }
    }

    /// From TOML text; `name` stands for it in messages, files are looked for in `folder`.
    pub fn from_toml(text: &str, name: &str, folder: &Path) -> Result<Self, SceneErrors> {
        let (document, problems) = Self::parse(text.to_string(), name, folder, Origin::Memory);
        document.unless(problems)
    }

    /// From a scene file; other files are looked for next to it.
    pub fn read(path: &Path) -> Result<Self, SceneErrors> {
        let (document, problems) = Self::open(path)?;
        document.unless(problems)
    }

    /// The document of a file as far as it is TOML, and where it is not.
    pub(in crate::scene) fn open(path: &Path) -> Result<(Self, Vec<Problem>), SceneErrors> {
        let name = path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        // A device or a pipe may have no end.
        let read = match std::fs::metadata(path) {
            Ok(there) if there.is_dir() => Err("it is a folder".to_string()),
            Ok(there) if !there.is_file() => Err("it is not a file".to_string()),
            Ok(there) if there.len() > LARGEST_FILE => Err(format!("it is larger than {} GiB", LARGEST_FILE >> 30)),
            Ok(_) => std::fs::read(path).map_err(|e| e.to_string()),
            Err(e) => Err(e.to_string()),
        };
        let (text, unreadable) = match read.map(String::from_utf8) {
            Ok(Ok(text)) => (text, None),
            Ok(Err(_)) => (String::new(), Some("it is not UTF-8 text".to_string())),
            Err(why) => (String::new(), Some(why)),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let (mut document, problems) = Self::parse(text, &name, folder, Origin::File(path.to_path_buf()));
        document.name = path.display().to_string();
        if let Some(why) = unreadable {
            let message = format!("cannot read `{}`: {why}", path.display());
            return Err(document.errors(vec![Problem::new(Place::default(), message, "")]));
        }
        Ok((document, problems))
    }

    fn parse(text: String, name: &str, folder: &Path, origin: Origin) -> (Self, Vec<Problem>) {
        let mut sources = Sources::default();
        let mut problems = Vec::new();
        let source = sources.add(name.to_string(), text, origin);
        let root = parse(&sources, source, &mut problems);
        let (name, folder, attached) = (name.to_string(), folder.to_path_buf(), BTreeMap::new());
        (Self { name, folder, root, sources, attached, code: None, values_set: 0 }, problems)
    }

    fn unless(self, problems: Vec<Problem>) -> Result<Self, SceneErrors> {
        if problems.is_empty() { Ok(self) } else { Err(self.errors(problems)) }
    }

    /// What is wrong with this document.
    pub(in crate::scene) fn errors(&self, problems: Vec<Problem>) -> SceneErrors {
        SceneErrors { scene: self.name.clone(), problems: Problem::sorted(problems, &self.sources, &self.root) }
    }

    /// The scene file, if the document was read from one.
    pub fn file(&self) -> Option<&Path> {
        match &self.sources.get(0).origin {
            Origin::File(path) => Some(path),
            _ => None,
        }
    }

    /// The table of all keys.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// The value at a path such as `contact[0].friction`.
    pub fn get(&self, path: &str) -> Option<&Node> {
        path::find(&self.root, path)
    }

    /// Sets the value at a path such as `contact[0].friction`. Tables and lists on the way are made where they are missing; an item
    /// one beyond the last is added to its list.
    pub fn set(&mut self, path: &str, value: impl Into<Node>) -> Result<&mut Self, BadPath> {
        let place = self.next_place();
        let mut node = value.into();
        self.stamp(&mut node);
        let bad = |message| BadPath { path: path.to_string(), message };
        let target = path::reach(&mut self.root, path, place).map_err(bad)?;
        // In place of another value it keeps the order of bodies.
        node.place = target.place;
        *target = node;
        Ok(self)
    }

    /// Adds an item to the list at a path, which is made if it is not there; gives its number.
    pub fn push(&mut self, path: &str, item: impl Into<Node>) -> Result<usize, BadPath> {
        let number = match self.get(path).map(|node| &node.value) {
            Some(Value::List(items)) => items.len(),
            _ => 0,
        };
        self.set(&format!("{path}[{number}]"), item)?;
        Ok(number)
    }

    /// Takes out what is at a path.
    pub fn remove(&mut self, path: &str) -> Option<Node> {
        path::remove(&mut self.root, path)
    }

    /// Gives the contents of a file that the scene names: a table (CSV), triangles (OBJ, STL) or a mesh (Gmsh). It is used in place
    /// of one on disk.
    pub fn attach(&mut self, name: &str, contents: impl Into<Vec<u8>>) -> &mut Self {
        self.attached.insert(name.to_string(), contents.into().into());
        self
    }

    /// Names and contents of the files that were given.
    pub fn attached(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.attached.iter().map(|(name, contents)| (name.as_str(), &**contents))
    }

    /// The scene as TOML text: every key as it was given. Comments are not kept.
    pub fn to_toml(&self) -> String {
        write(&self.root)
    }

    /// Writes the scene file and, next to it, the files that were given. Files on disk stay where they are.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        std::fs::write(path, self.to_toml())?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for (name, contents) in self.attached() {
            let file = folder.join(name);
            if let Some(parent) = file.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(file, contents)?;
        }
        Ok(())
    }

    /// Applies `--set key=value`; a value that is not TOML is taken as text.
    pub(in crate::scene) fn set_text(&mut self, key: &str, value: &str, problems: &mut Vec<Problem>) {
        let text = format!("{key}={value}");
        let source = self.sources.add(format!("--set {text}"), text.clone(), Origin::Override);
        let whole = Place { source, start: 0, end: text.len() };
        let blanks = value.len() - value.trim_start().len();
        let parsed = parse_value((source, key.len() + 1 + blanks), value.trim());
        let node = parsed.unwrap_or_else(|| Node { place: whole, value: Value::Text(value.to_string()) });
        match path::reach(&mut self.root, key, whole) {
            Ok(target) => *target = node,
            Err(message) => {
                problems.push(Problem::new(whole, format!("cannot set `{key}`: {message}"), "no such key").about(key));
            }
        }
    }

    fn next_place(&mut self) -> Place {
        let (name, sources) = (&self.name, &mut self.sources);
        let source = *self.code.get_or_insert_with(|| sources.add(name.clone(), String::new(), Origin::Code));
        self.values_set += 1;
        Place { source, start: self.values_set, end: self.values_set }
    }

    /// Gives places to a node and all below, in the order of writing.
    fn stamp(&mut self, node: &mut Node) {
        node.place = self.next_place();
        match &mut node.value {
            Value::List(items) => items.iter_mut().for_each(|item| self.stamp(item)),
            Value::Table(entries) => {
                for (_, place, node) in entries {
                    self.stamp(node);
                    *place = node.place;
                }
            }
            _ => {}
        }
    }

    /// The bodies, deformable bodies and assemblies in the order of their places, which is that of the numbers of bodies: the list, and the
    /// number in it.
    pub fn order(&self) -> Vec<(&str, usize)> {
        let Value::Table(entries) = &self.root.value else { return Vec::new() };
        let mut items: Vec<(Place, &str, usize)> = Vec::new();
        for (key, _, node) in entries.iter().filter(|(key, _, _)| super::BODIES.contains(&key.as_str())) {
            if let Value::List(list) = &node.value {
                items.extend(list.iter().enumerate().map(|(number, item)| (item.place, key.as_str(), number)));
            }
        }
        items.sort();
        items.into_iter().map(|(_, key, number)| (key, number)).collect()
    }
}
