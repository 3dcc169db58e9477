//! Which contacts resist rolling, and the laws of their moments.

use super::batch::NONE;
use super::turning::Turn;
use crate::problem::{GROUND, Link, Mass};
use crate::rolling::{Resistance, Roll};

/// Kept from step to step to save allocations; empty where no contact resists.
#[derive(Default)]
pub(super) struct Rolls {
    /// The roll of each link.
    of: Vec<u32>,
    laws: Vec<Resistance>,
}

impl Rolls {
    /// Lists the rolls of links, none of which is of two.
    pub fn list<const D: usize>(&mut self, masses: &[Mass<D>], links: &[Link<D>], rolls: &[Roll]) {
        self.of.clear();
        self.laws.clear();
        if rolls.is_empty() {
            return;
        }
        self.of.resize(links.len(), NONE);
        for (index, roll) in rolls.iter().enumerate() {
            self.of[roll.link] = index as u32;
            self.laws.push(Resistance::new(roll, &links[roll.link], masses));
        }
    }

    /// The roll of a link, if it has one, and its law.
    #[inline]
    pub fn of(&self, link: usize) -> Option<(usize, &Resistance)> {
        let roll = *self.of.get(link)?;
        (roll != NONE).then(|| (roll as usize, &self.laws[roll as usize]))
    }

    /// What is packed of a link's moment: zeros if it has none.
    pub fn prepare<const D: usize>(
        &self,
        index: usize,
        link: &Link<D>,
        rolls: &[Roll],
        (masses, responds): (&[Mass<D>], &[bool]),
    ) -> Turn {
        let Some((roll, law)) = self.of(index) else { return Turn::default() };
        let roll = &rolls[roll];
        let told = |m: u32| m != GROUND && !responds[m as usize];
        let sides = link.sides().filter(|(_, m, _)| told(*m));
        let bias = sides.fold(roll.bias, |sum, (sign, m, _)| sum + masses[m as usize].spin * sign);
        Turn { arms: roll.arms, inverses: law.inverses(), response: law.response(), bias, moment: roll.moment }
    }
}
