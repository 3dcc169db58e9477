//! The document as a tree of nodes that know their places: read from a text, or made of values.

use super::problem::Problem;
use super::source::{Place, Sources};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and where it is written. Two are equal if their values are, wherever they are written.
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
    /// A date or time as it is written: no key takes one.
    Date(String),
    /// List.
    List(Vec<Node>),
    /// Table: key, place of the key, value; in the order of the file.
    Table(Vec<(String, Place, Node)>),
}

impl Node {
    /// A table of keys and values, in this order.
    pub fn table<K: Into<String>, V: Into<Node>>(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        let entry = |(key, value): (K, V)| (key.into(), Place::default(), value.into());
        Value::Table(entries.into_iter().map(entry).collect()).into()
    }

    /// The value of a key of a table.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|(name, _, _)| name == key).map(|(_, _, node)| node),
            _ => None,
        }
    }

    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.value {
            Value::Text(_) => "text",
            Value::Integer(_) => "a whole number",
            Value::Float(_) => "a number",
            Value::Flag(_) => "true/false",
            Value::Date(_) => "a date",
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

impl From<Value> for Node {
    fn from(value: Value) -> Self {
        Self { place: Place::default(), value }
    }
}

impl From<f64> for Node {
    fn from(x: f64) -> Self {
        Value::Float(x).into()
    }
}

impl From<i64> for Node {
    fn from(i: i64) -> Self {
        Value::Integer(i).into()
    }
}

impl From<i32> for Node {
    fn from(i: i32) -> Self {
        i64::from(i).into()
    }
}

impl From<bool> for Node {
    fn from(flag: bool) -> Self {
        Value::Flag(flag).into()
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        text.to_string().into()
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Value::Text(text).into()
    }
}

impl<T: Into<Node>> From<Vec<T>> for Node {
    fn from(items: Vec<T>) -> Self {
        Value::List(items.into_iter().map(Into::into).collect()).into()
    }
}

impl<T: Into<Node>, const N: usize> From<[T; N]> for Node {
    fn from(items: [T; N]) -> Self {
        Value::List(items.into_iter().map(Into::into).collect()).into()
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        match (&self.value, &other.value) {
            (Value::Text(a), Value::Text(b)) | (Value::Date(a), Value::Date(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b || a.is_nan() && b.is_nan(),
            (Value::Flag(a), Value::Flag(b)) => a == b,
            (Value::List(a), Value::List(b)) => a == b,
            (Value::Table(a), Value::Table(b)) => {
                a.len() == b.len() && a.iter().all(|(key, _, node)| other.get(key) == Some(node))
            }
            _ => false,
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
        DeValue::Datetime(date) => Value::Date(date.to_string()),
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

/// A value from a text that starts at `offset` of a source; none if it is not TOML.
pub fn parse_value(at: (u32, usize), text: &str) -> Option<Node> {
    DeValue::parse(text).ok().map(|parsed| convert(at, parsed))
}
