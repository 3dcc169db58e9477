//! Asking a table for a key: type, bounds, default.

use super::node::{Node, Value};
use super::problem::{Problem, missing};
use super::record::{Field, Kind};
use super::suggest;
use super::table::Table;
use std::fmt::Display;

/// Largest absolute value that any number of a scene may have: beyond it products overflow.
const LARGEST: f64 = 1e60;

/// A key that is being asked for. It counts as known, and its absence is judged, once it is finished by
/// [`required`](Ask::required), [`optional`](Ask::optional) or [`or`](Ask::or).
#[must_use = "finish with required, optional or a default"]
pub struct Ask<'t, T> {
    table: &'t Table<'t>,
    field: Field,
    found: Option<&'t Node>,
    value: Option<T>,
}

impl<'t, T> Ask<'t, T> {
    /// Asks `table`; `parse` reports what is wrong with the value itself.
    pub fn new<'a: 't>(
        table: &'t Table<'a>,
        key: &'static str,
        doc: &'static str,
        kind: Kind,
        parse: impl FnOnce(&'t Table<'a>, &'a Node) -> Option<T>,
    ) -> Self {
        let found = table.node(key);
        let value = found.and_then(|node| parse(table, node));
        Self { table, field: Field { key, doc, kind, default: None, required: false, only: None }, found, value }
    }

    /// The key exists in this dimension only; `instead` names what to use in the other.
    pub fn only(mut self, dimension: usize, instead: &str) -> Self {
        self.field.only = Some(dimension);
        if !self.table.reader.is_dimension(dimension) {
            if let Some(node) = self.found {
                let message = format!("`{}` is for dimension = {dimension}", self.table.path_of(self.field.key));
                self.table.reader.report(Problem::new(node.place, message, "not in this dimension").help(instead));
            }
            (self.found, self.value) = (None, None);
        }
        self
    }

    /// Refuses a value for which `good` is false.
    pub fn check(mut self, good: impl Fn(&T) -> bool, expected: &str) -> Self
    where
        T: Display,
    {
        if let (Some(value), Some(node)) = (&self.value, self.found)
            && !good(value)
        {
            let message = format!("`{}` must be {expected}, found {value}", self.table.path_of(self.field.key));
            self.table.reader.report(Problem::new(node.place, message, format!("expected {expected}")));
            self.value = None;
        }
        self
    }

    /// It must be given.
    pub fn required(mut self) -> Option<T> {
        self.field.required = true;
        self.complain_if_missing();
        self.optional()
    }

    /// The default if there is one here; without it, it must be given. `words` tell the default.
    pub fn or_required(mut self, words: &str, default: Option<T>) -> Option<T> {
        self.field.default = Some(words.to_string());
        if default.is_none() {
            self.complain_if_missing();
        }
        self.optional().or(default)
    }

    fn complain_if_missing(&self) {
        let wanted = self.field.only.is_none_or(|d| self.table.reader.is_dimension(d));
        if self.found.is_none() && wanted {
            let message = format!("{} {}", missing(&self.table.path_of(self.field.key)), self.field.doc);
            let label = format!("`{}` is missing here", self.field.key);
            let help = format!("expected {}", self.field.kind.words());
            let path = self.table.path_of(self.field.key);
            self.table.reader.report(Problem::new(self.table.place, message, label).help(help).about(path));
        }
    }

    /// It may be absent.
    pub fn optional(self) -> Option<T> {
        self.table.declare(self.field);
        self.value
    }

    /// The default if it is absent (or wrong, which has been reported).
    pub fn or(self, default: T) -> T
    where
        T: Display,
    {
        let text = default.to_string();
        self.or_as(&text, default)
    }

    /// The same, with the default in words.
    pub fn or_as(mut self, words: &str, default: T) -> T {
        self.field.default = Some(words.to_string());
        self.optional().unwrap_or(default)
    }
}

impl<T> Ask<'_, T> {
    /// The number of a key that takes a number or a table is ≥ 0: for the schema and the reference; who reads it checks.
    pub fn not_negative_number(mut self) -> Self {
        if let Kind::Either(kinds) = &mut self.field.kind {
            let numbers = kinds.iter_mut().filter(|kind| matches!(kind, Kind::Number(None)));
            numbers.for_each(|kind| *kind = Kind::Number(Some("≥ 0".to_string())));
        }
        self
    }
}

impl Ask<'_, f64> {
    /// A time in the unit of the scene, from here on in seconds; to be called after checks.
    pub fn time(mut self) -> Self {
        let unit = self.table.reader.time_unit.get().seconds();
        self.value = self.value.map(|time| time * unit);
        self
    }

    /// > 0.
    pub fn positive(self) -> Self {
        self.bounded("> 0", |x| *x > 0.0, "positive")
    }

    /// ≥ 0.
    pub fn not_negative(self) -> Self {
        self.bounded("≥ 0", |x| *x >= 0.0, "zero or positive")
    }

    /// low ≤ x ≤ high.
    pub fn between(self, low: f64, high: f64) -> Self {
        let words = format!("from {low} to {high}");
        self.bounded(&words, |x| low <= *x && *x <= high, &format!("between {low} and {high}"))
    }

    fn bounded(mut self, words: &str, good: impl Fn(&f64) -> bool, expected: &str) -> Self {
        self.field.kind = Kind::Number(Some(words.to_string()));
        self.check(good, expected)
    }
}

/// The simple types.
impl<'a> Table<'a> {
    /// A finite number.
    pub fn number(&self, key: &'static str, doc: &'static str) -> Ask<'_, f64> {
        Ask::new(self, key, doc, Kind::Number(None), |table, node| table.finite(key, node, "a number"))
    }

    /// A whole number from `low` to `high`.
    pub fn integer(&self, key: &'static str, doc: &'static str, low: i64, high: i64) -> Ask<'_, i64> {
        let ask = Ask::new(self, key, doc, Kind::Integer(low, high), |table, node| match node.value {
            Value::Integer(i) => Some(i),
            _ => table.mismatch(key, node, "a whole number"),
        });
        ask.check(|i| (low..=high).contains(i), &Kind::Integer(low, high).words())
    }

    /// Text.
    pub fn text(&self, key: &'static str, doc: &'static str) -> Ask<'_, String> {
        Ask::new(self, key, doc, Kind::Text, |table, node| table.word(key, node))
    }

    /// The name of a file.
    pub fn file(&self, key: &'static str, doc: &'static str) -> Ask<'_, String> {
        Ask::new(self, key, doc, Kind::File, |table, node| table.word(key, node))
    }

    /// True or false.
    pub fn flag(&self, key: &'static str, doc: &'static str) -> Ask<'_, bool> {
        Ask::new(self, key, doc, Kind::Flag, |table, node| match node.value {
            Value::Flag(b) => Some(b),
            _ => table.mismatch(key, node, "true or false"),
        })
    }

    /// One of several words, each with what it stands for.
    pub fn choice<T: Copy>(
        &self,
        key: &'static str,
        doc: &'static str,
        words: &[(&'static str, &'static str, T)],
    ) -> Ask<'_, T> {
        let kind = Kind::Choice(words.iter().map(|(name, doc, _)| (*name, *doc)).collect());
        Ask::new(self, key, doc, kind, |table, node| {
            let word = table.word(key, node)?;
            let found = words.iter().find(|(name, _, _)| *name == word);
            if found.is_none() {
                let names: Vec<&str> = words.iter().map(|(name, _, _)| *name).collect();
                let problem = Problem::new(node.place, format!("unknown {key} `{word}`"), "not known here");
                table.reader.report(problem.help(suggest(&word, "valid values", &names)));
            }
            found.map(|(_, _, value)| *value)
        })
    }

    /// As many numbers as the scene has dimensions; the third is 0 in 2D.
    pub fn vector(&self, key: &'static str, doc: &'static str) -> Ask<'_, [f64; 3]> {
        Ask::new(self, key, doc, Kind::Vector, |table, node| table.coordinates(key, node))
    }

    /// One number in 2D (about the third axis), three in 3D.
    pub fn angular(&self, key: &'static str, doc: &'static str) -> Ask<'_, [f64; 3]> {
        Ask::new(self, key, doc, Kind::Angular, |table, node| {
            if table.reader.is_dimension(2) {
                return Some([0.0, 0.0, table.finite(key, node, "a number")?]);
            }
            table.coordinates(key, node)
        })
    }

    /// A list of points.
    pub fn points(&self, key: &'static str, doc: &'static str) -> Ask<'_, Vec<[f64; 3]>> {
        Ask::new(self, key, doc, Kind::List(Box::new(Kind::Vector)), |table, node| match &node.value {
            Value::List(items) => items.iter().map(|item| table.coordinates(key, item)).collect(),
            _ => table.mismatch(key, node, "a list of points"),
        })
    }

    /// A list of numbers.
    pub fn numbers(&self, key: &'static str, doc: &'static str) -> Ask<'_, Vec<f64>> {
        Ask::new(self, key, doc, Kind::List(Box::new(Kind::Number(None))), |table, node| match &node.value {
            Value::List(items) => items.iter().map(|item| table.finite(key, item, "a number")).collect(),
            _ => table.mismatch(key, node, "a list of numbers"),
        })
    }

    /// A list of words.
    pub fn words(&self, key: &'static str, doc: &'static str) -> Ask<'_, Vec<String>> {
        Ask::new(self, key, doc, Kind::List(Box::new(Kind::Text)), |table, node| match &node.value {
            Value::List(items) => items.iter().map(|item| table.word(key, item)).collect(),
            _ => table.mismatch(key, node, "a list of words"),
        })
    }

    /// The number in a node.
    pub fn finite(&self, key: &str, node: &Node, expected: &str) -> Option<f64> {
        let Some(x) = node.number() else { return self.mismatch(key, node, expected) };
        if x.is_nan() || x.abs() > LARGEST {
            let message = format!("`{}` must be a finite number below {LARGEST:e}, found {x}", self.path_of(key));
            self.reader.report(Problem::new(node.place, message, "expected a finite number"));
            return None;
        }
        Some(x)
    }

    /// The text in a node.
    pub fn word(&self, key: &str, node: &Node) -> Option<String> {
        match &node.value {
            Value::Text(text) if text.contains(char::is_control) => {
                let message = format!("`{}` has a control character", self.path_of(key));
                self.reader.report(Problem::new(node.place, message, "expected plain text"));
                None
            }
            Value::Text(text) => Some(text.clone()),
            _ => self.mismatch(key, node, "text"),
        }
    }

    /// The coordinates in a node.
    pub fn coordinates(&self, key: &str, node: &Node) -> Option<[f64; 3]> {
        let dimension = self.reader.dimension.get();
        let Value::List(items) = &node.value else {
            return self.mismatch(key, node, &format!("{dimension} numbers"));
        };
        if items.len() != dimension {
            let path = self.path_of(key);
            let message =
                format!("`{path}`: expected {dimension} numbers, found {}: dimension = {dimension}", items.len());
            self.reader.report(Problem::new(node.place, message, format!("expected {dimension} numbers")));
            return None;
        }
        let mut out = [0.0; 3];
        let mut good = true;
        for (slot, item) in out.iter_mut().zip(items) {
            match self.finite(key, item, "numbers") {
                Some(x) => *slot = x,
                None => good = false,
            }
        }
        good.then_some(out)
    }

    /// Reports a value of the wrong type.
    pub fn mismatch<T>(&self, key: &str, node: &Node, expected: &str) -> Option<T> {
        let message = format!("`{}` must be {expected}, found {}", self.path_of(key), node.kind());
        self.reader.report(Problem::new(node.place, message, format!("expected {expected}")));
        None
    }
}
