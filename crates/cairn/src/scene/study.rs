//! Reading a study: a scene that is run many times, with other values each time.
//!
//! `[[vary]]` lists values of keys: all combinations are run, but for keys that go `beside` another, value by value. `[bisect]` looks in each
//! combination for the value at which a number of the history passes a limit. `[[column]]` says what of each run goes into the table.

use super::document::{Ask, Document, Kind, Node, Problem, Reader, SceneErrors, Table, Value};
use std::path::{Path, PathBuf};

/// One number of a column of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// In the last row.
    Last,
    /// Mean over the rows.
    Mean,
    /// Largest.
    Most,
    /// Smallest.
    Least,
}

/// A number of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// The column of the history.
    pub of: String,
    /// Which number of it.
    pub take: Take,
    /// Only rows from this time on [s].
    pub from: f64,
}

impl Number {
    /// The number, from times and values of the column; nothing if no row counts.
    pub fn taken(&self, times: &[f64], values: &[f64]) -> Option<f64> {
        let counted: Vec<f64> = times.iter().zip(values).filter(|(t, _)| **t >= self.from).map(|(_, x)| *x).collect();
        match self.take {
            Take::Last => counted.last().copied(),
            Take::Mean => (!counted.is_empty()).then(|| counted.iter().sum::<f64>() / counted.len() as f64),
            Take::Most => counted.into_iter().reduce(f64::max),
            Take::Least => counted.into_iter().reduce(f64::min),
        }
    }
}

/// Values of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// The key, as in `--set`.
    pub key: String,
    /// Its values, as in `--set`.
    pub values: Vec<String>,
    /// The key that it goes with, value by value; none: it is combined with all.
    pub beside: Option<String>,
}

/// A search for the value at which a number passes a limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Bisect {
    /// The key.
    pub key: String,
    /// Values at the two ends.
    pub ends: [f64; 2],
    /// How far the ends may lie apart when the search is over.
    pub tolerance: f64,
    /// What is looked at.
    pub number: Number,
    /// The limit.
    pub limit: f64,
}

/// A study.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The scene file.
    pub scene: PathBuf,
    /// What is varied.
    pub vary: Vec<Vary>,
    /// What is looked for.
    pub bisect: Option<Bisect>,
    /// Columns of the table with their names.
    pub columns: Vec<(String, Number)>,
    /// Plots of all runs in one, as `cairn plot` names them.
    pub plots: Vec<String>,
}

/// Reads a study.
pub fn read_study(path: &Path) -> Result<Study, SceneErrors> {
    let document = Document::read(path)?;
    let reader = Reader::new(&document);
    let study = Table::new(&reader, document.root(), String::new()).read(study);
    let problems: Vec<Problem> = reader.problems.into_inner().into_iter().filter(|p| !p.warning).collect();
    let folder = path.parent().unwrap_or(Path::new(""));
    match study {
        Some(study) if problems.is_empty() => Ok(Study { scene: folder.join(&study.scene), ..study }),
        _ => Err(document.errors(problems)),
    }
}

impl Study {
    /// All combinations of the values: what is set in each.
    pub fn combinations(&self) -> Vec<Vec<(String, String)>> {
        let mut all: Vec<Vec<(String, String)>> = vec![Vec::new()];
        for vary in self.vary.iter().filter(|vary| vary.beside.is_none()) {
            let beside = |k: usize| {
                let others = self.vary.iter().filter(|other| other.beside.as_ref() == Some(&vary.key));
                let pairs = std::iter::once(vary).chain(others);
                pairs.map(|v| (v.key.clone(), v.values[k].clone())).collect::<Vec<_>>()
            };
            let longer = |set: &Vec<(String, String)>| {
                (0..vary.values.len()).map(|k| [set.clone(), beside(k)].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }
}

fn study(t: &Table) -> Option<Study> {
    let scene = t.text("scene", "scene file, relative to the study").required();
    let vary: Option<Vec<Vary>> = t.list("vary", "values of a key", vary).into_iter().collect();
    let bisect = t.table("bisect", "a search for the value at which a number passes a limit", bisect);
    let bisect = if t.has("bisect") { Some(bisect.optional()?) } else { bisect.optional() };
    let columns: Option<Vec<(String, Number)>> =
        t.list("column", "a number of each run, for the table", column).into_iter().collect();
    let plots = t.words("plots", "plots of all runs in one, as `cairn plot` names them").or_as("none", Vec::new());
    let (vary, columns) = (vary?, columns?);
    for (k, one) in vary.iter().enumerate() {
        if vary[..k].iter().any(|other| other.key == one.key) {
            t.wrong("vary", format!("`{}` is varied twice", one.key), "second list");
            return None;
        }
        let Some(beside) = &one.beside else { continue };
        let leader = vary.iter().find(|other| other.key == *beside && other.beside.is_none());
        if leader.is_none_or(|leader| leader.values.len() != one.values.len()) {
            let message = format!("`{}` goes beside `{beside}`, which must be varied with as many values", one.key);
            t.wrong("vary", message, "value by value");
            return None;
        }
    }
    Some(Study { scene: PathBuf::from(scene?), vary, bisect, columns, plots })
}

fn vary(t: &Table) -> Option<Vary> {
    let key = t.text("key", "the key, as in --set: `contact.0.friction`").required();
    let values = values(t).required();
    let beside = t.text("beside", "another varied key: value by value with it, instead of all combinations").optional();
    let values = values?;
    if values.is_empty() {
        t.wrong("values", format!("`{}` is empty", t.path_of("values")), "no value");
        return None;
    }
    Some(Vary { key: key?, values, beside })
}

fn values<'t>(t: &'t Table) -> Ask<'t, Vec<String>> {
    let kind = Kind::List(Box::new(Kind::Either(vec![Kind::Number(None), Kind::Text])));
    Ask::new(t, "values", "its values: numbers, texts, true or false", kind, |t, node| match &node.value {
        Value::List(items) => items.iter().map(|item| written(t, item)).collect(),
        _ => t.mismatch("values", node, "a list of values"),
    })
}

/// A value as it stands in a file.
fn written(t: &Table, node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.clone()),
        Value::Integer(whole) => Some(whole.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Flag(flag) => Some(flag.to_string()),
        _ => t.mismatch("values", node, "a number, a text, true or false"),
    }
}

fn number(t: &Table) -> Option<Number> {
    let of = t.text("of", "column of the history, without its unit: `kinetic energy`").required();
    let ways = [
        ("last", "in the last row", Take::Last),
        ("mean", "mean over the rows", Take::Mean),
        ("most", "the largest", Take::Most),
        ("least", "the smallest", Take::Least),
    ];
    let take = t.choice("take", "which number of the column", &ways).or_as("\"last\"", Take::Last);
    let from = t.number("from", "only rows from this time on [s]").not_negative().or(0.0);
    Some(Number { of: of?, take, from })
}

fn column(t: &Table) -> Option<(String, Number)> {
    let name = t.text("name", "its name in the table [default: that of the column]").optional();
    let number = number(t)?;
    Some((name.unwrap_or_else(|| number.of.clone()), number))
}

fn bisect(t: &Table) -> Option<Bisect> {
    let key = t.text("key", "the key whose value is looked for").required();
    let low = t.number("low", "value at one end").required();
    let high = t.number("high", "value at the other end").required();
    let tolerance = t.number("tolerance", "the search ends when the ends are no farther apart").positive().required();
    let number = number(t);
    let limit = t.number("limit", "the number of the run is below it at one end, and above it at the other").required();
    let (low, high) = (low?, high?);
    if low >= high {
        t.wrong("high", format!("`{}` must be above `low` = {low}", t.path_of("high")), "too small");
        return None;
    }
    Some(Bisect { key: key?, ends: [low, high], tolerance: tolerance?, number: number?, limit: limit? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Study, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("study.toml");
        std::fs::write(&path, text).unwrap();
        read_study(&path).map_err(|e| e.plain())
    }

    #[test]
    fn values_are_combined_and_go_beside_each_other() {
        let study = read(
            "scene = \"s.toml\"\n[[vary]]\nkey = \"a\"\nvalues = [1, 2.5]\n[[vary]]\nkey = \"b\"\nvalues = [\"x\", \"y\", true]\n\
             [[vary]]\nkey = \"c\"\nbeside = \"a\"\nvalues = [10, 20]",
        )
        .unwrap();
        let all = study.combinations();
        assert_eq!(all.len(), 6);
        let told: Vec<String> = all[4].iter().map(|(k, v)| format!("{k}={v}")).collect();
        assert_eq!(told, ["a=2.5", "c=20", "b=y"]);
    }

    #[test]
    fn wrong_studies_are_refused_with_a_place() {
        for (text, expected) in [
            ("[[vary]]\nkey = \"a\"\nvalues = [1]", "missing key `scene`"),
            ("scene = \"s\"\n[[vary]]\nkey = \"a\"\nvalues = []", "is empty"),
            ("scene = \"s\"\n[[vary]]\nkey = \"a\"\nvalues = [1]\nbeside = \"b\"", "goes beside `b`"),
            (
                "scene = \"s\"\n[bisect]\nkey = \"a\"\nlow = 2\nhigh = 1\ntolerance = 1\nof = \"x\"\nlimit = 0",
                "must be above",
            ),
            ("scene = \"s\"\n[[colum]]\nof = \"x\"", "unknown key `colum`"),
        ] {
            let told = read(text).unwrap_err();
            assert!(told.contains(expected), "{told}");
        }
    }

    #[test]
    fn numbers_are_taken_from_a_time_on() {
        let take =
            |take| Number { of: String::new(), take, from: 1.0 }.taken(&[0.0, 1.0, 2.0, 3.0], &[9.0, 1.0, 4.0, 2.0]);
        let all = [Take::Last, Take::Mean, Take::Most, Take::Least].map(take);
        assert_eq!(all, [Some(2.0), Some(7.0 / 3.0), Some(4.0), Some(1.0)]);
    }
}
