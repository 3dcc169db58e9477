//! Contacts found again: what each remembers from the step before.
//!
//! Both lists are sorted by key, so one linear merge finds what has the same key. Where the features of a pair have
//! changed (a ball rolled on to the next facet, a block over the next corner) but the bodies still touch in much the same
//! direction, a contact without memory takes that of the nearest lost contact of the same pair.

use crate::contact::{Contact, Key, Reaction};
use crate::threads::{self, CHUNK};
use rayon::prelude::*;

/// Cosine of the largest turn of the normal over which a memory is handed to another feature.
const SAME_DIRECTION: f64 = 0.9;

/// For each contact what it was in the step before; `None` if it is new. Both lists are sorted by key.
pub fn track<'a, const D: usize>(contacts: &[Contact<D>], previous: &'a [Reaction<D>]) -> Vec<Option<&'a Reaction<D>>> {
    if !threads::is_shared(contacts.len()) {
        return track_section(contacts, previous);
    }
    // Where the contacts are cut for threads, all those of a pair stay together.
    let cuts = (1..contacts.len().div_ceil(CHUNK)).map(|k| {
        let same = contacts[k * CHUNK].key.pair();
        contacts.partition_point(|c| c.key.pair() < same)
    });
    let mut cuts: Vec<usize> = [0].into_iter().chain(cuts).chain([contacts.len()]).collect();
    cuts.dedup();
    let section = |cut: &[usize]| {
        let new = &contacts[cut[0]..cut[1]];
        let old = previous.partition_point(|r| r.contact.key.pair() < new[0].key.pair());
        track_section(new, &previous[old..])
    };
    let sections: Vec<Vec<Option<&Reaction<D>>>> = cuts.par_windows(2).map(section).collect();
    sections.concat()
}

/// The same for a list that is not shared out.
fn track_section<'a, const D: usize>(
    contacts: &[Contact<D>],
    previous: &'a [Reaction<D>],
) -> Vec<Option<&'a Reaction<D>>> {
    let mut remembered = Vec::with_capacity(contacts.len());
    let (mut new, mut old) = (contacts, previous);
    while let Some(first) = new.first() {
        let pair = first.key.pair();
        let of_pair = |key: &Key| key.pair() == pair;
        let before_pair = |r: &&Reaction<D>| r.contact.key.pair() < pair;
        old = &old[old.iter().take_while(before_pair).count()..];
        let news = new.iter().take_while(|c| of_pair(&c.key)).count();
        let olds = old.iter().take_while(|r| of_pair(&r.contact.key)).count();
        match_pair(&new[..news], &old[..olds], &mut remembered);
        (new, old) = (&new[news..], &old[olds..]);
    }
    remembered
}

/// Contacts of one pair of parts: by feature first, then by place.
fn match_pair<'a, const D: usize>(new: &[Contact<D>], old: &'a [Reaction<D>], out: &mut Vec<Option<&'a Reaction<D>>>) {
    let start = out.len();
    let same = |c: &Contact<D>| old.iter().find(|r| r.contact.key.feature == c.key.feature);
    out.extend(new.iter().map(same));
    let lost = |r: &&Reaction<D>| !new.iter().any(|c| c.key.feature == r.contact.key.feature);
    if out[start..].iter().all(Option::is_some) || !old.iter().any(|r| lost(&r)) {
        return;
    }
    for reaction in old.iter().filter(lost) {
        let distance = |c: &Contact<D>| (c.touch.point - reaction.contact.touch.point).norm_squared();
        let heir = (0..new.len())
            .filter(|&i| out[start + i].is_none())
            .filter(|&i| new[i].touch.normal.dot(&reaction.contact.touch.normal) > SAME_DIRECTION)
            .min_by(|&i, &j| distance(&new[i]).total_cmp(&distance(&new[j])));
        if let Some(i) = heir {
            out[start + i] = Some(reaction);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{Status, Touch};
    use crate::space::Vect;

    fn contact(candidate: u32, antagonist: u32, feature: u32, x: f64) -> Contact<2> {
        let touch = Touch { feature, point: Vect::<2>::new(x, 0.0), normal: Vect::<2>::y(), gap: 0.0, area: 0.0 };
        Contact { key: Key::new(candidate, antagonist, feature), bodies: [candidate, antagonist], touch, law: 0 }
    }

    fn reaction(contact: Contact<2>, impulse: f64) -> Reaction<2> {
        let impulse = Vect::<2>::new(0.0, impulse);
        Reaction::new(contact, impulse, Vect::zeros(), Status::Stick)
    }

    #[test]
    fn contacts_find_their_impulse_by_key_and_new_ones_have_none() {
        let old = [
            reaction(contact(0, 1, 0, 0.0), 1.0),
            reaction(contact(0, 2, 3, 0.0), 2.0),
            reaction(contact(1, 2, 0, 0.0), 3.0),
        ];
        let new = [contact(0, 1, 0, 0.1), contact(0, 3, 0, 0.0), contact(1, 2, 0, 9.0), contact(4, 5, 0, 0.0)];
        let found: Vec<_> = track(&new, &old).iter().map(|m| m.map(|m| m.impulse.y)).collect();
        assert_eq!(found, [Some(1.0), None, Some(3.0), None]);
    }

    #[test]
    fn a_lost_contact_leaves_its_impulse_to_the_nearest_new_feature_of_the_pair() {
        let old = [reaction(contact(0, 1, 2, 0.5), 1.0), reaction(contact(0, 1, 7, 1.0), 2.0)];
        let new = [contact(0, 1, 2, 0.5), contact(0, 1, 8, 5.0), contact(0, 1, 9, 1.01)];
        let found: Vec<_> = track(&new, &old).iter().map(|m| m.map(|m| m.impulse.y)).collect();
        assert_eq!(found, [Some(1.0), None, Some(2.0)]);
    }

    #[test]
    fn nothing_is_handed_to_a_contact_in_another_direction() {
        let old = [reaction(contact(0, 1, 2, 0.5), 1.0)];
        let mut turned = contact(0, 1, 3, 0.5);
        turned.touch.normal = Vect::<2>::x();
        assert_eq!(track(&[turned], &old), [None]);
    }
}
