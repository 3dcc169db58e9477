//! Contact points, coloured by what the contact does: open, sticking, sliding; bonded, or with a bond that is lost.

use crate::colour::{Colour, Theme};
use cairn::contact::{Bond, Reaction, Status};
use cairn::space::{Ambient, Space};
use nalgebra::Vector3;

/// A contact point to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Where [m].
    pub at: Vector3<f64>,
    /// What it does.
    pub kind: Kind,
}

/// What a contact point is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No reaction.
    Open,
    /// Sticks.
    Sticking,
    /// Slides.
    Sliding,
    /// A bond holds it.
    Bonded,
    /// Its bond is lost.
    Broken,
}

impl Kind {
    fn of<const D: usize>(reaction: &Reaction<D>) -> Self {
        match (reaction.memory().bond, reaction.status) {
            (Bond::Whole, _) => Kind::Bonded,
            (Bond::Broken, _) => Kind::Broken,
            (Bond::None, Status::Open) => Kind::Open,
            (Bond::None, Status::Stick) => Kind::Sticking,
            (Bond::None, Status::Slip) => Kind::Sliding,
        }
    }
}

/// Kinds with their names, in the order in which they are drawn: what slides is never hidden by what does not, what broke
/// by nothing.
pub const KINDS: [(Kind, &str); 5] = [
    (Kind::Open, "open"),
    (Kind::Sticking, "sticking"),
    (Kind::Sliding, "sliding"),
    (Kind::Bonded, "bonded"),
    (Kind::Broken, "broken"),
];

/// The kinds that the legend lists: those of bonds only where there are any.
pub fn listed(marks: &[Mark]) -> impl DoubleEndedIterator<Item = (Kind, &'static str)> {
    let has_bonds = marks.iter().any(|m| matches!(m.kind, Kind::Bonded | Kind::Broken));
    KINDS.into_iter().take(if has_bonds { 5 } else { 3 })
}

/// The contact points of a state, open ones first and sliding ones last.
pub fn marks<const D: usize>(reactions: &[Reaction<D>]) -> Vec<Mark>
where
    Space<D>: Ambient<D>,
{
    let mark = |r: &Reaction<D>| {
        let at = Vector3::from(Space::<D>::lift(&r.contact.touch.point));
        at.iter().all(|x| x.is_finite()).then_some(Mark { at, kind: Kind::of(r) })
    };
    let mut marks: Vec<Mark> = reactions.iter().filter_map(mark).collect();
    marks.sort_by_key(|m| m.kind as u8);
    marks
}

/// Colour of a kind.
pub fn colour(kind: Kind, theme: &Theme) -> Colour {
    theme.status[kind as usize]
}

/// How many marks are of a kind.
pub fn count(marks: &[Mark], kind: Kind) -> usize {
    marks.iter().filter(|m| m.kind == kind).count()
}

#[cfg(test)]
mod tests {
    use super::super::samples::reaction;
    use super::*;
    use cairn::contact::Memory;
    use cairn::space::Vect;

    #[test]
    fn what_slides_is_drawn_last() {
        let at = |x: f64, status| {
            let mut one = reaction([0, 1], Vect::<2>::new(x, 0.0), Vect::<2>::y(), Vect::<2>::y());
            one.status = status;
            one
        };
        let contacts =
            [at(0.0, Status::Slip), at(1.0, Status::Open), at(f64::NAN, Status::Stick), at(2.0, Status::Stick)];
        let drawn = marks(&contacts);
        let order: Vec<(f64, Kind)> = drawn.iter().map(|m| (m.at.x, m.kind)).collect();
        assert_eq!(order, [(1.0, Kind::Open), (2.0, Kind::Sticking), (0.0, Kind::Sliding)]);
        assert_eq!(listed(&drawn).map(|(k, _)| count(&drawn, k)).collect::<Vec<_>>(), [1, 1, 1]);
    }

    #[test]
    fn bonds_are_marked_as_such_and_listed_where_there_are_any() {
        let one = || reaction([0, 1], Vect::<2>::x(), Vect::<2>::y(), Vect::<2>::y());
        let mut contacts = [one(), one()];
        contacts[0].remember(Memory { bond: Bond::Broken, ..Memory::default() });
        contacts[1].remember(Memory { bond: Bond::Whole, ..Memory::default() });
        let drawn = marks(&contacts);
        assert_eq!(drawn.iter().map(|m| m.kind).collect::<Vec<_>>(), [Kind::Bonded, Kind::Broken]);
        assert_eq!(listed(&drawn).count(), 5);
    }
}
