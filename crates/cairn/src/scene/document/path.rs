//! Ways through the tree of a document: `contact[0].friction`.
//!
//! Keys are separated by dots; items of lists have their number, from 0, in brackets, or after a dot as on the command line
//! (`contact.0.friction`). A key with a dot or bracket in it stands in quotes.

use super::node::{Node, Value};
use super::source::Place;
use std::collections::BTreeMap;

/// One step into the tree.
#[derive(Clone, Debug, PartialEq)]
enum Segment {
    /// A key of a table, or the number of an item of a list.
    Key(String),
    /// The number of an item; one beyond the last makes a new item.
    Item(usize),
}

fn segments(path: &str) -> Result<Vec<Segment>, String> {
    let mut out = Vec::new();
    let mut rest = path;
    loop {
        let (key, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or("a quote that does not end")?,
            None => rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len())),
        };
        if key.is_empty() && !rest.starts_with('"') {
            return Err("an empty key".into());
        }
        out.push(Segment::Key(key.to_string()));
        rest = after;
        while let Some(open) = rest.strip_prefix('[') {
            let (number, after) = open.split_once(']').ok_or("a bracket that does not end")?;
            let number = number.parse().map_err(|_| format!("`{number}` is not the number of a list item"))?;
            out.push(Segment::Item(number));
            rest = after;
        }
        match rest.strip_prefix('.') {
            Some(more) => rest = more,
            None if rest.is_empty() => return Ok(out),
            None => return Err(format!("`{rest}` where a dot or bracket is expected")),
        }
    }
}

/// The node at a path.
pub fn find<'a>(root: &'a Node, path: &str) -> Option<&'a Node> {
    let mut node = root;
    for segment in segments(path).ok()? {
        node = below(node, &segment)?;
    }
    Some(node)
}

fn below<'a>(node: &'a Node, segment: &Segment) -> Option<&'a Node> {
    match (&node.value, segment) {
        (Value::Table(_), Segment::Key(key)) => node.get(key),
        (Value::List(items), Segment::Key(key)) => items.get(key.parse::<usize>().ok()?),
        (Value::List(items), Segment::Item(i)) => items.get(*i),
        _ => None,
    }
}

/// The node at a path, to be changed; tables, lists and items that are not there are made, at `place`.
pub fn reach<'a>(root: &'a mut Node, path: &str, place: Place) -> Result<&'a mut Node, String> {
    let segments = segments(path)?;
    let mut node = root;
    for (i, segment) in segments.iter().enumerate() {
        let empty = match segments.get(i + 1) {
            Some(Segment::Item(_)) => Value::List(Vec::new()),
            _ => Value::Table(Vec::new()),
        };
        // Nothing is made on a way that does not lead to its end: new lists have a first item only.
        let beyond = |rest: &[Segment]| rest.iter().any(|s| matches!(s, Segment::Item(n) if *n > 0));
        if below(node, segment).is_none() && beyond(&segments[i + 1..]) {
            return Err("the list has 0 items, numbered from 0".into());
        }
        node = step_into(node, segment, Node { place, value: empty })?;
    }
    Ok(node)
}

/// The entry of a table, or the item of a list; `new` is put there if it is missing and may be made.
fn step_into<'a>(node: &'a mut Node, segment: &Segment, new: Node) -> Result<&'a mut Node, String> {
    let kind = node.kind();
    match (&mut node.value, segment) {
        (Value::Table(entries), Segment::Key(name)) => {
            let found = entries.iter().position(|(key, _, _)| key == name);
            let index = found.unwrap_or_else(|| {
                entries.push((name.clone(), new.place, new));
                entries.len() - 1
            });
            Ok(&mut entries[index].2)
        }
        (Value::List(items), Segment::Key(name)) => {
            let length = items.len();
            let index = name.parse::<usize>().map_err(|_| format!("`{name}` is not the number of a list item"))?;
            items.get_mut(index).ok_or(format!("the list has {length} items, numbered from 0"))
        }
        (Value::List(items), Segment::Item(index)) => {
            let length = items.len();
            if *index == length {
                items.push(new);
            }
            items.get_mut(*index).ok_or(format!("the list has {length} items, numbered from 0"))
        }
        (_, Segment::Key(name)) => Err(format!("`{name}` is inside {kind}")),
        (_, Segment::Item(index)) => Err(format!("`[{index}]` is inside {kind}")),
    }
}

/// Takes the node at a path out of the tree.
pub fn remove(root: &mut Node, path: &str) -> Option<Node> {
    find(root, path)?;
    let mut way = segments(path).ok()?;
    let last = way.pop()?;
    let mut node = root;
    for segment in &way {
        node = step_into(node, segment, Value::Flag(false).into()).ok()?;
    }
    match (&mut node.value, last) {
        (Value::Table(entries), Segment::Key(key)) => {
            let index = entries.iter().position(|(name, _, _)| *name == key)?;
            Some(entries.remove(index).2)
        }
        (Value::List(items), Segment::Key(key)) => Some(items.remove(key.parse().ok()?)),
        (Value::List(items), Segment::Item(i)) => Some(items.remove(i)),
        _ => None,
    }
}

/// The paths of all keys and values by their places.
pub fn paths(root: &Node) -> BTreeMap<Place, String> {
    let mut paths = BTreeMap::new();
    collect(root, "", &mut paths);
    paths
}

/// What is below a node, then its own places: the innermost key of a place counts.
fn collect(node: &Node, path: &str, paths: &mut BTreeMap<Place, String>) {
    let mut each = |name: String, places: &[Place], node: &Node| {
        let path = if path.is_empty() { name } else { joined(path, &name) };
        collect(node, &path, paths);
        for place in places {
            paths.entry(*place).or_insert_with(|| path.clone());
        }
    };
    match &node.value {
        Value::Table(entries) => entries.iter().for_each(|(key, at, node)| each(quoted(key), &[*at, node.place], node)),
        Value::List(items) => {
            items.iter().enumerate().for_each(|(i, node)| each(format!("[{i}]"), &[node.place], node))
        }
        _ => {}
    }
}

fn quoted(key: &str) -> String {
    if key.contains(['.', '[', '"']) || key.is_empty() { format!("\"{key}\"") } else { key.to_string() }
}

fn joined(key: &str, below: &str) -> String {
    if below.starts_with('[') { format!("{key}{below}") } else { format!("{key}.{below}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(root: &mut Node, path: &str, value: f64) -> Result<(), String> {
        *reach(root, path, Place::default())? = value.into();
        Ok(())
    }

    #[test]
    fn what_is_not_there_is_made_and_found_again() {
        let mut root = Node::table::<&str, Node>([]);
        for (path, value) in
            [("time.step", 1.0), ("bodies[0].at[0]", 2.0), ("bodies[0].at[1]", 3.0), ("a.\"b.c\"", 4.0)]
        {
            set(&mut root, path, value).unwrap();
            assert_eq!(find(&root, path).unwrap().number(), Some(value), "{path}");
        }
        assert_eq!(find(&root, "bodies.0.at.1").unwrap().number(), Some(3.0));
        assert!(find(&root, "bodies[1]").is_none() && find(&root, "time.end").is_none());
    }

    #[test]
    fn wrong_ways_are_refused() {
        let mut root = Node::table::<&str, Node>([]);
        set(&mut root, "time.step", 1.0).unwrap();
        set(&mut root, "list[0]", 1.0).unwrap();
        for path in [
            "",
            "time.",
            ".step",
            "time..step",
            "list[x]",
            "list[0",
            "list[2]",
            "new.list[1].x",
            "time.step.x",
            "time[0]",
            "\"a",
            "list[0]x",
        ] {
            let before = root.clone();
            assert!(set(&mut root, path, 2.0).is_err(), "{path}");
            assert_eq!(root, before, "{path} leaves something behind");
        }
    }

    #[test]
    fn what_is_taken_out_is_gone() {
        let mut root = Node::table([("a", Node::from(vec![1.0, 2.0])), ("b", 3.0.into())]);
        assert_eq!(remove(&mut root, "a[0]"), Some(1.0.into()));
        assert_eq!(remove(&mut root, "a[1]"), None);
        assert_eq!(remove(&mut root, "b"), Some(3.0.into()));
        assert_eq!(root, Node::table([("a", vec![2.0])]));
    }

    #[test]
    fn a_place_leads_back_to_its_path() {
        let mut root = Node::table::<&str, Node>([]);
        let paths = ["materials.\"a.b\".density", "contact[0].friction", "contact[1].between[1]"];
        for (start, path) in paths.iter().enumerate().map(|(i, path)| (i + 1, path)) {
            let place = Place { source: 1, start, end: start };
            let filler = Place::default();
            if path.ends_with("[1]") {
                *reach(&mut root, "contact[1].between[0]", filler).unwrap() = 0.0.into();
            }
            *reach(&mut root, path, filler).unwrap() = Node { place, ..0.0.into() };
            assert_eq!(super::paths(&root).get(&place).map(String::as_str), Some(*path));
        }
    }
}
