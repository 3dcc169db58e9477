//! The document as a tree of nodes that know their places, and changes to it from the command line.

use super::problem::Problem;
use super::source::{Place, Sources};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it is written.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where.
    pub place: Place,
    /// What.
    pub value: Value,
}

/// A value of the document.
#[derive(Clone, Debug)]
pub enum Value {
    /// Text.
    Text(String),
    /// Whole number.
    Integer(i64),
    /// Any other number, NaN and infinity included (the checks refuse them).
    Float(f64),
    /// True or false.
    Flag(bool),
    /// A date or time: no key takes one.
    Date,
    /// List.
    List(Vec<Node>),
    /// Table: key, place of the key, value; in the order of the file.
    Table(Vec<(String, Place, Node)>),
}

impl Node {
    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Text(_) => "text",
            Value::Integer(_) => "a whole number",
            Value::Float(_) => "a number",
            Value::Flag(_) => "true/false",
            Value::Date => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Value::Integer(i) => Some(i as f64),
            Value::Float(x) => Some(x),
            _ => None,
        }
    }
}

/// Parses one of the sources as a document; syntax errors are collected, what could be read is returned.
pub fn parse(sources: &Sources, source: u32, problems: &mut Vec<Problem>) -> Node {
    let text = sources.get(source).text.inner();
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let place = Place { source, start: span.start, end: span.end };
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        problems.push(Problem::new(place, format!("not valid TOML: {message}"), "here"));
    }
    convert((source, 0), Spanned::new(table.span(), DeValue::Table(table.into_inner())))
}

/// A parsed value as a node of a source, its text starting at `offset` there.
fn convert((source, offset): (u32, usize), value: Spanned<DeValue<'_>>) -> Node {
    let place_of = |span: std::ops::Range<usize>| Place { source, start: offset + span.start, end: offset + span.end };
    let place = place_of(value.span());
    let value = match value.into_inner() {
        DeValue::String(s) => Value::Text(s.into_owned()),
        DeValue::Integer(i) => match i64::from_str_radix(i.as_str(), i.radix()) {
            Ok(i) => Value::Integer(i),
            Err(_) => Value::Float(i.as_str().parse().unwrap_or(f64::INFINITY)),
        },
        DeValue::Float(x) => Value::Float(x.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(b) => Value::Flag(b),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(items) => Value::List(items.into_iter().map(|v| convert((source, offset), v)).collect()),
        DeValue::Table(table) => {
            let mut entries: Vec<_> = table
                .into_iter()
                .map(|(key, value)| {
                    let at = place_of(key.span());
                    (key.into_inner().into_owned(), at, convert((source, offset), value))
                })
                .collect();
            entries.sort_by_key(|(_, at, _)| *at);
            Value::Table(entries)
        }
    };
    Node { place, value }
}

/// Applies `--set key=value`: dotted key, list items by number; a value that is not TOML is taken as text.
pub fn set(root: &mut Node, key: &str, value: &str, sources: &mut Sources, problems: &mut Vec<Problem>) {
    let text = format!("{key}={value}");
    let source = sources.add(format!("--set {text}"), text.clone(), None);
    let whole = Place { source, start: 0, end: text.len() };
    let node = match DeValue::parse(value.trim()) {
        Ok(parsed) => {
            let blanks = value.len() - value.trim_start().len();
            convert((source, key.len() + 1 + blanks), parsed)
        }
        Err(_) => Node { place: whole, value: Value::Text(value.to_string()) },
    };
    let mut target = root;
    for name in key.split('.') {
        match step_into(target, name, whole) {
            Ok(next) => target = next,
            Err(message) => {
                problems.push(Problem::new(whole, format!("cannot set `{key}`: {message}"), "no such key"));
                return;
            }
        }
    }
    *target = node;
}

/// The entry `name` of a table (made if it is not there) or the item of a list.
fn step_into<'a>(node: &'a mut Node, name: &str, place: Place) -> Result<&'a mut Node, String> {
    let kind = node.kind();
    match &mut node.value {
        Value::Table(entries) => {
            if let Some(i) = entries.iter().position(|(key, _, _)| key == name) {
                return Ok(&mut entries[i].2);
            }
            if name.is_empty() {
                return Err("an empty key".into());
            }
            entries.push((name.to_string(), place, Node { place, value: Value::Table(Vec::new()) }));
            Ok(&mut entries.last_mut().expect("just pushed").2)
        }
        Value::List(items) => {
            let length = items.len();
            let index = name.parse::<usize>().map_err(|_| format!("`{name}` is not the number of a list item"))?;
            items.get_mut(index).ok_or(format!("the list has {length} items, numbered from 0"))
        }
        _ => Err(format!("`{name}` is inside {kind}")),
    }
}
