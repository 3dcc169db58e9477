//! Contact points, coloured by what the contact does: open, sticking, sliding.

use crate::contact::{Reaction, Status};
use crate::draw::colour::{Colour, Theme};
use crate::space::{Ambient, Space};
use nalgebra::Vector3;

/// A contact point to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Where [m].
    pub at: Vector3<f64>,
    /// What it does.
    pub status: Status,
}

/// Statuses with their names, in the order in which they are drawn: what slides is never hidden by what does not.
pub const STATUSES: [(Status, &str); 3] =
    [(Status::Open, "open"), (Status::Stick, "sticking"), (Status::Slip, "sliding")];

/// The contact points of a state, open ones first and sliding ones last.
pub fn marks<const D: usize>(reactions: &[Reaction<D>]) -> Vec<Mark>
where
    Space<D>: Ambient<D>,
{
    let mark = |r: &Reaction<D>| {
        let at = Vector3::from(Space::<D>::lift(&r.contact.touch.point));
        at.iter().all(|x| x.is_finite()).then_some(Mark { at, status: r.status })
    };
    let mut marks: Vec<Mark> = reactions.iter().filter_map(mark).collect();
    marks.sort_by_key(|m| m.status as u8);
    marks
}

/// Colour of a status.
pub fn colour(status: Status, theme: &Theme) -> Colour {
    theme.status[status as usize]
}

/// How many marks have a status.
pub fn count(marks: &[Mark], status: Status) -> usize {
    marks.iter().filter(|m| m.status == status).count()
}

#[cfg(test)]
mod tests {
    use super::super::samples::reaction;
    use super::*;
    use crate::space::Vect;

    #[test]
    fn what_slides_is_drawn_last() {
        let at = |x: f64, status| Reaction {
            status,
            ..reaction([0, 1], Vect::<2>::new(x, 0.0), Vect::<2>::y(), Vect::<2>::y())
        };
        let contacts =
            [at(0.0, Status::Slip), at(1.0, Status::Open), at(f64::NAN, Status::Stick), at(2.0, Status::Stick)];
        let drawn = marks(&contacts);
        let order: Vec<(f64, Status)> = drawn.iter().map(|m| (m.at.x, m.status)).collect();
        assert_eq!(order, [(1.0, Status::Open), (2.0, Status::Stick), (0.0, Status::Slip)]);
        assert_eq!(STATUSES.map(|(s, _)| count(&drawn, s)), [1, 1, 1]);
    }
}
