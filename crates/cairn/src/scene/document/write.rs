//! A document as TOML text. Every key is kept as it was given; reading the text gives an equal document.
//!
//! Tables of the scene become `[time]` and `[materials.stone]`, lists of tables `[[bodies]]`; what lies deeper is written inline.
//! Entries of `[[bodies]]`, `[[deformable]]` and `[[generate]]` may be mixed, and bodies are numbered in that order: sections are
//! written in the order of their places.

use super::node::{Node, Value};
use super::source::Place;
use std::fmt::Write;

/// Longest line of a list that is broken into several.
const WIDTH: usize = 100;

/// The text of a document whose root is this table.
pub fn write(root: &Node) -> String {
    let Value::Table(entries) = &root.value else { return String::new() };
    let mut text = String::new();
    let mut sections: Vec<(Place, String)> = Vec::new();
    for (key, _, node) in entries {
        let name = bare_or_quoted(key);
        match &node.value {
            Value::Table(parts) if !parts.is_empty() && parts.iter().all(|(_, _, part)| is_table(part)) => {
                let named = |(part, _, node): &(String, Place, Node)| {
                    (node.place, section(&format!("[{name}.{}]", bare_or_quoted(part)), node))
                };
                sections.extend(parts.iter().map(named));
            }
            Value::Table(_) => sections.push((node.place, section(&format!("[{name}]"), node))),
            Value::List(items) if !items.is_empty() && items.iter().all(is_table) => {
                // An item is never written before the one that precedes it in its list.
                let mut latest = Place::default();
                for item in items {
                    latest = latest.max(item.place);
                    sections.push((latest, section(&format!("[[{name}]]"), item)));
                }
            }
            _ => line(&mut text, &name, node),
        }
    }
    sections.sort_by_key(|(place, _)| *place);
    for (_, section) in sections {
        text += if text.is_empty() { "" } else { "\n" };
        text += &section;
    }
    text
}

fn is_table(node: &Node) -> bool {
    matches!(node.value, Value::Table(_))
}

/// A header and the keys of a table.
fn section(header: &str, table: &Node) -> String {
    let mut text = format!("{header}\n");
    if let Value::Table(entries) = &table.value {
        entries.iter().for_each(|(key, _, node)| line(&mut text, &bare_or_quoted(key), node));
    }
    text
}

fn line(text: &mut String, name: &str, node: &Node) {
    let start = text.len();
    *text += name;
    *text += " = ";
    match &node.value {
        Value::List(items) => broken(text, start, items),
        _ => inline(text, node),
    }
    text.push('\n');
}

/// A list that goes on in the next line where this one is full.
fn broken(text: &mut String, mut start: usize, items: &[Node]) {
    text.push('[');
    for (i, item) in items.iter().enumerate() {
        let mut next = String::new();
        inline(&mut next, item);
        if i > 0 {
            text.push(',');
            if text.len() - start + next.len() > WIDTH {
                text.push('\n');
                start = text.len();
                text.push_str("    ");
            } else {
                text.push(' ');
            }
        }
        *text += &next;
    }
    text.push(']');
}

fn inline(text: &mut String, node: &Node) {
    // Writing into a string does not fail.
    let _ = match &node.value {
        Value::Text(value) => {
            *text += &quoted(value);
            Ok(())
        }
        Value::Integer(i) => write!(text, "{i}"),
        Value::Float(x) if x.is_nan() => write!(text, "nan"),
        // The shortest text that is read as the same number.
        Value::Float(x) => write!(text, "{x:?}"),
        Value::Flag(flag) => write!(text, "{flag}"),
        Value::Date(date) => write!(text, "{date}"),
        Value::List(items) => {
            text.push('[');
            for (i, item) in items.iter().enumerate() {
                *text += if i > 0 { ", " } else { "" };
                inline(text, item);
            }
            text.push(']');
            Ok(())
        }
        Value::Table(entries) => {
            *text += "{";
            for (i, (key, _, node)) in entries.iter().enumerate() {
                *text += if i > 0 { ", " } else { " " };
                *text += &bare_or_quoted(key);
                *text += " = ";
                inline(text, node);
            }
            *text += if entries.is_empty() { "}" } else { " }" };
            Ok(())
        }
    };
}

fn bare_or_quoted(key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { key.to_string() } else { quoted(key) }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out + "\""
}
