//! Reading a TOML document in such a way that *one* declaration of a key serves three ends:
//! reading and checking it, the JSON schema, and the reference page.
//!
//! ```text
//! text ── node.rs ──▶ Document (model.rs): nodes with places ── table.rs, ask.rs ──▶ values, and problems with places
//! code ── path.rs ──▶     │                      (no document) ── table.rs, ask.rs ──▶ record.rs ──▶ schema.rs, reference.rs
//! text ◀── write.rs ──────┘
//! ```
//!
//! A section of the scene is a function of a [`Table`]. It first asks for all its keys, each with type, meaning, bounds
//! and default, and only then gives up (`?`) if one of them was missing or wrong: so every error of a file is found in
//! one pass. Run on a *recording* table, the same function tells what it would have asked for.

mod ask;
mod model;
mod node;
mod path;
mod problem;
mod record;
mod reference;
mod schema;
mod source;
mod table;
mod write;

pub use ask::Ask;
pub use model::{BadPath, Document};
pub use node::{Node, Value};
pub use problem::{Problem, SceneErrors};
pub use record::{Kind, TableDoc};
pub use reference::reference;
pub use schema::schema;
pub use source::Place;
pub use table::{Reader, Table, Variant};

/// The lists of a scene that hold bodies: these are numbered in the order in which the entries of all three are written.
pub const BODIES: [&str; 3] = ["bodies", "deformable", "generate"];

/// The word of `candidates` nearest to `word`, if it is near enough to be a slip of the pen.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|c| (strsim::damerau_levenshtein(&word, &c.to_lowercase()), c))
        .filter(|(d, c)| *d <= 1 + c.len().max(word.len()) / 4)
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// "did you mean …? " if there is a near word, then the list of the valid ones (cut when long).
pub fn suggest(word: &str, what: &str, candidates: &[&str]) -> String {
    const SHOWN: usize = 40;
    let mut out = match nearest(word, candidates.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? "),
        None => String::new(),
    };
    if candidates.is_empty() {
        out += &format!("there are no {what}");
        return out;
    }
    out += &format!("{what}: {}", candidates[..candidates.len().min(SHOWN)].join(", "));
    if candidates.len() > SHOWN {
        out += &format!(" and {} more", candidates.len() - SHOWN);
    }
    out
}
