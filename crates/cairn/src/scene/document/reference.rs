//! Reference page (Markdown) from the recorded declarations.

use super::record::{Field, Kind, TableDoc};
use std::fmt::Write;

/// The page.
pub fn reference(doc: &TableDoc) -> String {
    let mut out = String::from(
        "# Scene files: all keys\n\nOne TOML file, with CSV tables and meshes next to it. SI units throughout, angles in \
         degrees. In 2D a body has unit depth: masses are per metre. This page is made by the program from the same \
         declarations that read and check a scene.\n\n",
    );
    let plain = |field: &&Field| inner(&field.kind).is_none();
    let top: Vec<&Field> = doc.fields.iter().filter(plain).collect();
    rows(&mut out, &top);
    for field in &doc.fields {
        if let Some(table) = inner(&field.kind) {
            let heading = match field.kind {
                Kind::Tables(_) => format!("[[{}]]", field.key),
                Kind::Named(_) => format!("[{}.NAME]", field.key),
                _ => format!("[{}]", field.key),
            };
            section(&mut out, 2, &heading, field.doc, table);
        }
    }
    out
}

/// The table inside a kind, if there is one.
fn inner(kind: &Kind) -> Option<&TableDoc> {
    match kind {
        Kind::Table(doc) | Kind::Tables(doc) | Kind::Named(doc) => Some(doc),
        Kind::Either(kinds) => kinds.iter().find_map(inner),
        _ => None,
    }
}

fn section(out: &mut String, level: usize, heading: &str, doc: &str, table: &TableDoc) {
    let _ = writeln!(out, "{} `{heading}`\n\n{}\n", "#".repeat(level.min(6)), sentence(doc));
    let fields: Vec<&Field> = table.fields.iter().collect();
    rows(out, &fields);
    let tag = table.variants.as_ref().map(|(tag, _)| *tag);
    fields.iter().filter(|field| Some(field.key) != tag).for_each(|field| choices(out, field));
    if let Some((tag, variants)) = &table.variants {
        for v in variants {
            let dimension = v.only.map_or(String::new(), |d| format!(" ({d}D)"));
            let heading = format!("{tag} = \"{}\"", v.name);
            section(out, level + 1, &heading, &format!("{}{dimension}", v.doc), &v.table);
        }
    }
    for field in &table.fields {
        if let Some(table) = inner(&field.kind) {
            // Histories are the same everywhere: described once, under gravity.
            let known = field.key != "history" && table.fields.first().is_some_and(|f| f.key == "ramp");
            if !known {
                section(out, level + 1, &format!("{heading} {}", field.key), field.doc, table);
            }
        }
    }
}

fn rows(out: &mut String, fields: &[&Field]) {
    if fields.is_empty() {
        return;
    }
    out.push_str("| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
    for field in fields {
        let default = match (&field.default, field.required) {
            (Some(text), _) if text.is_empty() => "empty".to_string(),
            (Some(text), _) => text.clone(),
            (None, true) => "**required**".to_string(),
            (None, false) => "—".to_string(),
        };
        let dimension = field.only.map_or(String::new(), |d| format!(" ({d}D)"));
        let value = field.kind.words().replace('|', "\\|");
        let _ =
            writeln!(out, "| `{}` | {value} | {default} | {}{dimension} |", field.key, field.doc.replace('|', "\\|"));
    }
    out.push('\n');
}

/// What the words of a choice mean.
fn choices(out: &mut String, field: &Field) {
    let (words, mark) = match &field.kind {
        Kind::Choice(words) => (words, ["", ""]),
        Kind::List(of) => match &**of {
            Kind::Choice(words) => (words, ["[", ", …]"]),
            _ => return,
        },
        _ => return,
    };
    let [open, close] = mark;
    for (name, doc) in words {
        let _ = writeln!(out, "- `{} = {open}\"{name}\"{close}`: {doc}", field.key);
    }
    out.push('\n');
}

fn sentence(doc: &str) -> String {
    let mut letters = doc.chars();
    let first = letters.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}
