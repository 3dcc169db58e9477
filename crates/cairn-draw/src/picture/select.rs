//! Which bodies are shown.

use cairn::scene::Scene;
use cairn::space::{Ambient, Space};

/// Bodies by name: a group (`grains`), one body of it (`grains#12`) or all whose group starts with something (`wall*`).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Selection {
    /// Only these; all if empty.
    pub only: Vec<String>,
    /// Not these.
    pub hidden: Vec<String>,
}

impl Selection {
    /// Body by body, rigid ones first: is it shown?
    pub fn shown<const D: usize>(&self, scene: &Scene<D>) -> Vec<bool>
    where
        Space<D>: Ambient<D>,
    {
        let any = |names: &[String], group: &str, number: u32| names.iter().any(|n| matches(n, group, number));
        let shown = |group: &str, number: u32| {
            (self.only.is_empty() || any(&self.only, group, number)) && !any(&self.hidden, group, number)
        };
        let is_there = |body: usize| scene.bodies.get(body).is_none_or(|b| !b.is_gone);
        names(scene).enumerate().map(|(body, (group, number))| is_there(body) && shown(group, number)).collect()
    }

    /// The first name that means no body of the scene.
    pub fn unknown<const D: usize>(&self, scene: &Scene<D>) -> Option<&str>
    where
        Space<D>: Ambient<D>,
    {
        let known = |name: &str| names(scene).any(|(group, number)| matches(name, group, number));
        self.only.iter().chain(&self.hidden).map(String::as_str).find(|n| !known(n))
    }
}

/// Group and number of each body.
fn names<const D: usize>(scene: &Scene<D>) -> impl Iterator<Item = (&str, u32)>
where
    Space<D>: Ambient<D>,
{
    let numbers = (0..scene.body_count() as u32).map(|body| scene.group_of(body));
    numbers.map(|(group, number)| (scene.groups.get(group as usize).map_or("", |g| g), number))
}

fn matches(name: &str, group: &str, number: u32) -> bool {
    match (name.strip_suffix('*'), name.rsplit_once('#')) {
        (Some(start), _) => group.starts_with(start),
        (None, Some((head, tail))) if head == group => tail.parse() == Ok(number),
        _ => name == group,
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{add_ball, add_floor, empty};
    use super::*;
    use cairn::space::Vect;

    #[test]
    fn bodies_are_chosen_by_group_number_and_start() {
        let mut scene = empty::<2>("");
        add_ball(&mut scene, Vect::<2>::zeros(), 1.0, 1.0);
        add_ball(&mut scene, Vect::<2>::new(3.0, 0.0), 1.0, 1.0);
        add_floor(&mut scene, Vect::<2>::zeros(), Vect::<2>::y(), 1.0);
        let select = |only: &[&str], hidden: &[&str]| Selection {
            only: only.iter().map(|n| n.to_string()).collect(),
            hidden: hidden.iter().map(|n| n.to_string()).collect(),
        };
        assert_eq!(select(&[], &[]).shown(&scene), [true, true, true]);
        assert_eq!(select(&["grains"], &["grains#0"]).shown(&scene), [false, true, false]);
        assert_eq!(select(&[], &["wal*"]).shown(&scene), [true, true, false]);
        assert_eq!(select(&["grains", "bricks"], &[]).unknown(&scene), Some("bricks"));
        assert_eq!(select(&["gr*"], &["grains#7"]).unknown(&scene), Some("grains#7"));
    }
}
