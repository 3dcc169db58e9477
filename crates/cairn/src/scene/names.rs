//! Names of a scene file and what they stand for.

use super::contacts::ANY;
use super::document::{Place, Problem, Reader, suggest};
use super::spec::{MOST_BODIES, SceneSpec};
use std::collections::BTreeSet;

/// Names of groups and materials, and the bodies of each group.
pub struct Names<'a> {
    /// Where problems go.
    pub reader: &'a Reader,
    /// Groups, in the order of the file.
    pub groups: Vec<String>,
    /// Bodies of each group.
    pub members: Vec<Vec<u32>>,
    materials: Vec<String>,
    /// Entries of bodies that could not be read.
    unread: Vec<String>,
}

impl<'a> Names<'a> {
    /// Collects them; a name used twice is reported.
    pub fn new(reader: &'a Reader, spec: &SceneSpec) -> Self {
        let materials = spec.materials.iter().map(|m| m.name.clone()).collect();
        let unread = spec.unread.groups.clone();
        let mut names = Self { reader, groups: Vec::new(), members: Vec::new(), materials, unread };
        let total: usize = spec.batches.iter().map(|b| b.pieces.len()).sum();
        let mut seen = BTreeSet::new();
        let mut body = 0;
        for batch in &spec.batches {
            let first = names.groups.len();
            for group in &batch.groups {
                if !seen.insert(group.clone()) {
                    let problem =
                        Problem::new(batch.place, format!("the name `{group}` is taken already"), "second use");
                    reader.report(problem.help("give each entry of [[bodies]] and [[generate]] its own `name`"));
                }
                names.groups.push(group.clone());
                names.members.push(Vec::new());
            }
            for piece in &batch.pieces {
                names.members[first + piece.group].push(body);
                body += 1;
            }
        }
        if total > MOST_BODIES {
            let message = format!("{total} bodies, at most {MOST_BODIES} are possible");
            reader.report(Problem::new(Place::default(), message, "too many bodies"));
        }
        names
    }

    /// Names of the materials.
    pub fn materials(&self) -> &[String] {
        &self.materials
    }

    /// Number of a material.
    pub fn material(&self, name: &str, place: Place) -> Option<usize> {
        let found = self.materials.iter().position(|m| m == name);
        if found.is_none() && !name.is_empty() && !self.reader.lost_sections.get() {
            let known: Vec<&str> = self.materials.iter().map(String::as_str).collect();
            let problem = Problem::new(place, format!("unknown material `{name}`"), "not in [materials]");
            self.reader.report(problem.help(suggest(name, "materials", &known)));
        }
        found
    }

    /// The groups with this name: itself, or the parts `name.…` of an assembly, or all.
    pub fn groups_of(&self, name: &str, place: Place) -> Option<Vec<u32>> {
        let exact = self.groups.iter().position(|g| g == name).map(|i| vec![i as u32]);
        let matching = |keep: &dyn Fn(&str) -> bool| -> Vec<u32> {
            self.groups.iter().enumerate().filter(|(_, g)| keep(g)).map(|(i, _)| i as u32).collect()
        };
        let found = exact.unwrap_or_else(|| match name {
            ANY => matching(&|_| true),
            _ => matching(&|g| g.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))),
        });
        if found.is_empty() && self.may_be_unread(name) {
            return None;
        }
        if found.is_empty() {
            let known: Vec<&str> = self.groups.iter().chain(&self.unread).map(String::as_str).collect();
            let problem = Problem::new(place, format!("unknown group `{name}`"), "no bodies with this name");
            self.reader.report(problem.help(suggest(name, "groups", &known)));
            return None;
        }
        Some(found)
    }

    /// Does the name belong to an entry that could not be read, or perhaps to a section that is not known?
    fn may_be_unread(&self, name: &str) -> bool {
        let whole = name.split_once('.').map_or(name, |(whole, _)| whole);
        self.reader.lost_sections.get() || self.unread.iter().any(|unread| unread == whole || name == ANY)
    }

    /// The bodies of `group`, `group#3`, `group#3-7` or `group#last`.
    pub fn select(&self, name: &str, place: Place) -> Option<Vec<u32>> {
        let (group, range) = match name.split_once('#') {
            Some((group, range)) => (group, Some(range)),
            None => (name, None),
        };
        let groups = self.groups_of(group, place)?;
        let all: Vec<u32> = groups.iter().flat_map(|g| self.members[*g as usize].iter().copied()).collect();
        let Some(range) = range else { return Some(all) };
        let number = |text: &str| match text {
            "last" => all.len().checked_sub(1),
            _ => text.parse::<usize>().ok().filter(|n| *n < all.len()),
        };
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        match (number(low), number(high)) {
            (Some(low), Some(high)) if low <= high => Some(all[low..=high].to_vec()),
            _ => {
                let message = format!(
                    "there is no `#{range}` in `{group}`: its bodies are numbered from 0 to {}",
                    all.len().saturating_sub(1)
                );
                self.reader.report(Problem::new(place, message, "no such bodies"));
                None
            }
        }
    }
}
